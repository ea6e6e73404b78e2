/* SPEC.md, chapter 2: layers as a tuple, `!{primary, !{kind, location}...}`. */
#include "layers.h"

#include <string.h>

/* `shape.minimum`, `shape.distinct` */
dloc_reason tuple_fault(const dloc_context *context, dloc_node tuple) {
  if (operand_count(context, tuple) == 0)
    return DLOC_REASON_SHAPE_NO_OPERANDS;
  if (node_kind(context, operand_at(context, tuple, 0)) != DLOC_KIND_LOCATION)
    return DLOC_REASON_SHAPE_PRIMARY_NOT_LOCATION;
  return DLOC_REASON_NONE;
}

bool is_composite(const dloc_context *context, dloc_node node) {
  return node_kind(context, node) == DLOC_KIND_TUPLE && tuple_fault(context, node) == DLOC_REASON_NONE;
}

size_t entry_count(const dloc_context *context, dloc_node debug_loc) {
  return is_composite(context, debug_loc) ? operand_count(context, debug_loc) - 1 : 0;
}

size_t parts_at(const dloc_context *context, dloc_node debug_loc, size_t index, dloc_layer *ret) {
  dloc_node pair = operand_at(context, debug_loc, 1 + index);
  size_t count = node_kind(context, pair) == DLOC_KIND_TUPLE ? operand_count(context, pair) : 0;
  dloc_node kind = count > 0 ? operand_at(context, pair, 0) : DLOC_NULL;
  dloc_node location = count > 1 ? operand_at(context, pair, 1) : DLOC_NULL;
  ret->kind = node_kind(context, kind) == DLOC_KIND_STRING ? kind : DLOC_NULL;
  ret->location = node_kind(context, location) == DLOC_KIND_LOCATION ? location : DLOC_NULL;
  return count;
}

/* `shape.layer`: a two-operand tuple of a string and a DILocation. */
dloc_reason entry_at(const dloc_context *context, dloc_node debug_loc, size_t index, dloc_layer *ret) {
  dloc_layer layer;
  if (node_kind(context, operand_at(context, debug_loc, 1 + index)) != DLOC_KIND_TUPLE)
    return DLOC_REASON_SHAPE_LAYER_NOT_TUPLE;
  if (parts_at(context, debug_loc, index, &layer) != 2)
    return DLOC_REASON_SHAPE_LAYER_ARITY;
  if (!layer.kind)
    return DLOC_REASON_SHAPE_KIND_NOT_STRING;
  if (!layer.location)
    return DLOC_REASON_SHAPE_LAYER_NOT_LOCATION;
  *ret = layer;
  return DLOC_REASON_NONE;
}

bool dloc_debug_loc_is_plain(const dloc_context *context, dloc_node debug_loc) {
  dloc_layer layer;
  size_t count = entry_count(context, debug_loc), i = 0;
  while (i < count && entry_at(context, debug_loc, i, &layer) == DLOC_REASON_NONE &&
         !dloc_node_is_distinct(context, operand_at(context, debug_loc, 1 + i)))
    i++;
  return count > 0 && i == count;
}

/* `merge.tuple.rebuild` */
static dloc_status add_pairs(dloc_context *context, const dloc_layer *layers, size_t count, scratch *operands) {
  for (size_t i = 0; i < count; i++) {
    dloc_node pair = DLOC_NULL;
    TRY(dloc_tuple(context, false, (dloc_node[]){layers[i].kind, layers[i].location}, 2, &pair));
    TRY(scratch_push(context, operands, pair));
  }
  return DLOC_OK;
}

/* `merge.tuple.bare` */
dloc_status dloc_debug_loc_create(dloc_context *context, dloc_node primary, const dloc_layer *layers, size_t count,
                                  dloc_node *ret) {
  scratch *operands = &context->operands;
  if (!count)
    return give_node(ret, primary);
  operands->count = 0;
  TRY(scratch_push(context, operands, primary));
  TRY(add_pairs(context, layers, count, operands));
  return dloc_tuple(context, false, operands->words, operands->count, ret);
}

/* A composite of the same operands but for the primary. */
static dloc_status copy_tuple(dloc_context *context, dloc_node tuple, bool distinct, dloc_node primary,
                              dloc_node *ret) {
  size_t size = 1 + operand_count(context, tuple);
  uint32_t *words = NULL;
  TRY(node_begin(context, size, &words));
  memcpy(words, node_words(context, tuple), size * sizeof *words);
  words[1] = primary;
  return node_finish(context, DLOC_KIND_TUPLE, distinct, size, ret);
}

/* `inline.tuple`, `merge.tuple.bare` */
dloc_status with_primary(dloc_context *context, dloc_node debug_loc, dloc_node primary, dloc_node *ret) {
  return entry_count(context, debug_loc) > 0 ? copy_tuple(context, debug_loc, false, primary, ret)
                                             : give_node(ret, primary);
}

dloc_status replace_primary(dloc_context *context, dloc_node debug_loc, dloc_node primary, dloc_node *ret) {
  return is_composite(context, debug_loc) ? copy_tuple(context, debug_loc, false, primary, ret)
                                          : give_node(ret, primary);
}

dloc_status distinct_composite(dloc_context *context, dloc_node debug_loc, dloc_node *ret) {
  return is_composite(context, debug_loc) ? copy_tuple(context, debug_loc, true, operand_at(context, debug_loc, 0), ret)
                                          : give_node(ret, debug_loc);
}
