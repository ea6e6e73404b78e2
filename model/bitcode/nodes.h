/* Private to model/bitcode: from records of metadata to nodes. */
#ifndef DLOC_BITCODE_NODES_H
#define DLOC_BITCODE_NODES_H

#include "reader.h"

typedef struct node_maker {
  dloc_bitcode *b;
  dloc_context *context;
  ARRAY(dloc_node) nodes;    /* by number; DLOC_NULL for what was neither made nor referred to yet */
  ARRAY(dloc_node) operands; /* of the tuple that is being made */
  ARRAY(dloc_field) fields;
} node_maker;

void maker_init(node_maker *m, dloc_bitcode *b);
void maker_deinit(node_maker *m);
/* Room for as many nodes as have numbers; those above them are forgotten. */
dloc_status maker_resize(node_maker *m);
/* The node of a number, a forward node if need be. DLOC_INVALID when there is no such number. */
dloc_status maker_reference(node_maker *m, uint64_t bit, uint64_t id, dloc_node *ret);
/* The node of a number + 1; DLOC_NULL for 0. */
dloc_status maker_operand(node_maker *m, uint64_t bit, uint64_t id_and_1, dloc_node *ret);
/* The location of an instruction. */
dloc_status maker_location(node_maker *m, const dloc_bitcode_location *l, dloc_node *ret);
/* Make the node of a record, whose number is id. */
dloc_status maker_make(node_maker *m, uint64_t id, const record *r);
/* Make the nodes of all numbers from first on. */
dloc_status maker_make_all(node_maker *m, size_t first);

#endif
