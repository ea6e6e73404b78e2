/* term.h - terms: args, modules and values with every name resolved.
 *
 * A term is read from a document by its type, with diagnostics; its nodes are then operands of a graph (graph.h).
 * Building it in a context makes handles of these. An op's answer is a term as well, which it fills in field by
 * field. Everything lives in one value_arena. */
#pragma once

#include "graph.h"
#include "type.h"

typedef struct term term;

struct term {
  const type *type;  /* NULL: a field that is absent */
  const value *from; /* where it stands; NULL: in no document */
  uint32_t count;    /* nodes, items or fields; of a number: 0 for null */
  union {
    const graph_operand *operands; /* one or a list of them, until they are built */
    dloc_node *nodes;              /* from then on */
    dloc_text text;
    uint64_t number; /* also a flag, and the index of a word */
    term *items;     /* of a list or a map; the keys of a TYPE_NAMED are those of `from` */
  } of;
};

/* The field of a type with that key; NULL: it has none. */
const field *type_field(const type *t, dloc_text key);

/* ---- Reading ---- */

/* Read a value; what: for diagnostics, unless the type says. */
dloc_status term_read(const reading *r, const graph *g, const type *t, const char *what, const value *v, term *ret);
/* One that goes with the reading. */
dloc_status term_read_aside(const reading *r, const graph *g, const type *t, const value *v, term *ret);
/* A check of an op: `sources` stand in the value when there is a module. */
dloc_status term_check_sources(const reading *r, const term *args, const term *module, const term *value);
/* handles: of the graph's nodes. */
dloc_status term_build(const term *read, const dloc_node *handles, dloc_context *context, value_arena *arena,
                       term *ret);
/* Calls visit for each operand of a term that is not built. */
void term_operands(const term *t, void (*visit)(void *user, const graph_operand *o), void *user);

/* ---- Asking: of a map that is NULL or has no such field, the answer is none, empty, or what the type takes it for
 * ---- */

const term *term_get(const term *map, const char *key); /* NULL when it is absent */
const term *term_list(const term *map, const char *key);
/* A list as an array. */
const dloc_text *term_texts(const term *map, const char *key, value_arena *arena);
const uint32_t *term_numbers(const term *map, const char *key, value_arena *arena);
dloc_node term_node(const term *map, const char *key);
dloc_text term_text(const term *map, const char *key);
uint64_t term_number(const term *map, const char *key);
uint32_t term_number_or(const term *map, const char *key, uint32_t absent);
unsigned term_word(const term *map, const char *key);
bool term_flag(const term *map, const char *key);
/* Both are built in one context, and name the same nodes. Terms of new nodes may have the same text and differ. */
bool term_equal(const term *a, const term *b);

/* ---- Making ---- */

/* A map without fields. */
term *term_make(value_arena *arena, const type *t);
/* A field of a map, for the caller to fill in: a list of that many items; of nodes, their array. */
term *term_set_list(value_arena *arena, term *map, const char *key, size_t count);
dloc_node *term_set_nodes(value_arena *arena, term *map, const char *key, size_t count);
dloc_node *term_set_node(value_arena *arena, term *map, const char *key);
term *term_set_map(value_arena *arena, term *map, const char *key);
/* The same, copied. */
void term_set_copy(value_arena *arena, term *map, const char *key, const dloc_node *nodes, size_t count);
void term_set_texts(value_arena *arena, term *map, const char *key, const dloc_text *texts, size_t count);
/* One more item of a list, for the caller to fill in; the list is there from its first item on. */
term *term_add(value_arena *arena, term *map, const char *key);
term *term_add_item(value_arena *arena, term *list);
void term_set_text(value_arena *arena, term *map, const char *key, dloc_text text); /* copied */
void term_set_number(term *map, const char *key, uint64_t number);
void term_set_unless(term *map, const char *key, uint64_t number, uint64_t usual); /* absent if it is the usual one */
void term_set_null(term *map, const char *key);
void term_set_flag(term *map, const char *key, bool flag);

/* Reads an item of a list. */
void term_be_map(value_arena *arena, const type *t, term *ret);
void term_be_list(value_arena *arena, term *t, size_t count);
void term_be_text(value_arena *arena, term *t, dloc_text text);
void term_be_number(term *t, uint64_t number);
