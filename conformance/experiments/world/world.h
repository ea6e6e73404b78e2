/* world.h - the DebugLocs that the laws are tried on: every one that world.c and a size allow and the profile's
 * verifier accepts.
 *
 * A DebugLoc is known by its number, in order of size. Its node is made when it is asked for, in a context that is
 * emptied whenever it has grown: handles are good until the next world_tidy. */
#pragma once

#include "vector/vector.h"

enum {
  WORLD_SIZE_LIMIT = 12,
  WORLD_FRESH_GROUP = 3 /* no location of the world has that atomGroup or a greater one */
};

/* Functions of the world's module. */
typedef enum world_function { WORLD_F, WORLD_G, WORLD_NO_SUBPROGRAM, WORLD_FUNCTIONS } world_function;

/* The DebugLocs of one letter of laws.def, in order of size: items[start[s]]
 * to items[start[s + 1] - 1] are of size s. */
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
world *world_create(const dloc_profile *profile, unsigned size);
void world_destroy(world *w); /* NULL is allowed */
dloc_context *world_context(const world *w);
/* The DebugLocs that a letter of laws.def stands for. */
const world_pool *world_pool_of(const world *w, char letter);
/* Empty the context; */
void world_renew(world *w);
/* only if it has grown. */
void world_tidy(world *w);
/* Whether the profile knows atoms: then functions ask for key instructions. */
bool world_knows_atoms(const world *w);
dloc_node world_node(world *w, uint32_t debug_loc);
/* The function whose instructions may have that primary; an empty DebugLoc is at home in all of them (WORLD_F). */
world_function world_home(const world *w, uint32_t debug_loc);
bool world_is_empty(const world *w, uint32_t debug_loc);
/* Whether an instruction of that function may have the DebugLoc, by the profile's verifier. */
bool world_valid(world *w, world_function function, dloc_node debug_loc);
/* Whether an instruction has the same DebugLoc after its module was printed and read in another context. */
bool world_rereads(world *w, dloc_node debug_loc);
/* The name of a node of the world's module; NULL for any other. */
const char *world_name(const world *w, dloc_node node);
/* NULL: the function has none. */
const char *world_subprogram_name(world_function function);
dloc_node world_subprogram(const world *w, world_function function);
/* Append the `nodes` of a vector: the world's, and those that the roots consist of. A root gets that name, unless it
 * has one; names[i] becomes the name it has. with_atoms: its functions ask for key instructions. */
void world_describe(const world *w, bool with_atoms, const dloc_node *roots, const char **names, size_t count,
                    value_arena *arena, dloc_buffer *out);
