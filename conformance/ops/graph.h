/* graph.h - the nodes of a vector or an answer: read with every name resolved, so that building them again and again is
 * cheap. */
#pragma once

#include "document/value.h"
#include "nodes/try.h"

/* Reading documents: where the result goes, and what is wrong. */
typedef struct reading {
  value_arena *arena;
  value_diagnostic *diagnostic;
  value_arena *aside; /* what only this reading needs */
} reading;

#define WRONG(r, at, code, ...) value_diagnose((r)->diagnostic, (at)->line, (at)->column, code, __VA_ARGS__)

/* The value of a required key. */
dloc_status read_required(const reading *r, const value *map, const char *key, const value **ret);

typedef enum graph_operand_kind {
  OPERAND_NULL,
  OPERAND_NODE,
  OPERAND_STRING,
  OPERAND_CONSTANT,
  OPERAND_WORD
} graph_operand_kind;

typedef struct graph_operand {
  graph_operand_kind kind;
  uint32_t node;  /* index of a node */
  dloc_text text; /* of a string, constant or word */
} graph_operand;

typedef struct graph_field {
  dloc_text key; /* the layer's kind in a composite; empty in a tuple and for a positional value */
  graph_operand value;
} graph_field;

typedef enum graph_form { FORM_SPECIALISED, FORM_TUPLE, FORM_COMPOSITE, FORM_STRING, FORM_CONSTANT } graph_form;

typedef struct graph_node {
  dloc_text name;
  graph_form form;
  bool distinct;
  dloc_text class_name; /* the text of a string or constant */
  const graph_field *fields;
  uint32_t field_count;
  uint32_t line;
  uint32_t column;
} graph_node;

/* Nodes by name: those of an answer's value, and outside it those of the vector. Indices go on from the outer ones. */
typedef struct graph {
  const struct graph *outer;
  const value *names; /* the map, or NULL */
  const graph_node *nodes;
  uint32_t first;
  uint32_t count;
} graph;

dloc_status graph_read(const reading *r, const value *names, const graph *outer, graph *ret);
/* null or the name of a node. */
dloc_status graph_reference(const reading *r, const graph *g, const value *v, graph_operand *ret);
/* The same where a string, a constant or a word may stand as well, as `{string: x}`, or as a plain text where content wants one. */
dloc_status graph_operand_read(const reading *r, const graph *g, const value *v, dloc_field_content content,
                               graph_operand *ret);
const graph_node *graph_node_at(const graph *g, uint32_t index);
/* A class of nodes, of those that are not outside. */
bool graph_has_class(const graph *g, const char *class_name);
/* A location with an atom group. */
bool graph_node_has_atom(const graph_node *node);

/* Build the nodes of a graph and of those outside it, unless outer has the handles of these already. On DLOC_INVALID
 * *ret_failed is the node and *diagnosis says why it cannot exist. */
dloc_status graph_build(const graph *g, const dloc_node *outer, dloc_context *context, value_arena *arena,
                        const graph_node **ret_failed, dloc_node_diagnosis *diagnosis, dloc_node **ret);
/* The handle of an operand. */
dloc_status graph_operand_build(const graph_operand *o, const dloc_node *handles, dloc_context *context,
                                dloc_node *ret);
