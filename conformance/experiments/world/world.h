/* world.h - the DebugLocs that the laws are tried on: every one that world.c and a size allow and the profile's
 * verifier accepts.
 *
 * A DebugLoc is known by its number, in order of size. Its node is made when it is asked for, in a context that is
 * emptied whenever it has grown: handles are good until the next world_tidy. */
#ifndef DLOC_LAWS_WORLD_H
#define DLOC_LAWS_WORLD_H

#include "vector/vector.h"

enum {
  WORLD_SIZE_LIMIT = 12,
  WORLD_FRESH_GROUP = 3 /* no location of the world has that atomGroup or a greater one */
};

/* Functions of the world's module. */
typedef enum world_function { WORLD_F, WORLD_G, WORLD_NO_SUBPROGRAM } world_function;

/* The DebugLocs of one letter of laws.def, in order of size: items[start[s]] to items[start[s + 1] - 1] are of size s.
 */
typedef struct world_pool {
  uint32_t *items;
  uint32_t start[WORLD_SIZE_LIMIT + 2];
} world_pool;

typedef struct world_mode {
  dloc_instruction_class instruction;
  bool callee_without_subprogram;
  bool no_inline_line_tables;
  unsigned cost;
} world_mode;

extern const world_mode world_modes[];
extern const size_t world_mode_count;

typedef struct world world;

/* Every valid DebugLoc up to that size. profile is borrowed. */
dloc_status world_create(const dloc_profile *profile, unsigned size, world **ret);
void world_destroy(world *w); /* NULL is allowed */
dloc_context *world_context(const world *w);
/* The DebugLocs that a letter of laws.def stands for. */
const world_pool *world_pool_of(const world *w, char letter);
/* Empty the context if it has grown. */
dloc_status world_tidy(world *w);
dloc_status world_node(world *w, uint32_t debug_loc, dloc_node *ret);
/* The function whose instructions may have that primary; an empty DebugLoc is at home in all of them (WORLD_F). */
world_function world_home(const world *w, uint32_t debug_loc);
bool world_is_empty(const world *w, uint32_t debug_loc);
/* Whether an instruction of that function may have the DebugLoc, by the profile's verifier. */
dloc_status world_valid(world *w, world_function function, dloc_node debug_loc, bool *ret);
/* What a module whose instruction has that DebugLoc is after it was printed and read in another context: the canonical
 * text of the DebugLoc there. */
dloc_status world_reread(world *w, dloc_node debug_loc, dloc_buffer *ret);
/* The name of a node of the world's module; NULL for any other. And the reverse: DLOC_NULL. */
const char *world_name(const world *w, dloc_node node);
dloc_node world_named(const world *w, const char *name);
/* DLOC_NULL for WORLD_NO_SUBPROGRAM. */
dloc_node world_subprogram(const world *w, world_function function);

#endif
