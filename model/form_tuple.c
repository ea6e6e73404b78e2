/* SPEC.md, chapter 2: layers as a tuple, `!{primary, !{kind, location}...}`. */
#include "layers.h"

#include <string.h>

/* `shape.bare`, `shape.minimum` */
dloc_shape dloc_debug_loc_shape(const dloc_context *context, dloc_node debug_loc) {
  unsigned kind = node_kind(context, debug_loc);
  if (kind == DLOC_KIND_TUPLE && is_composite(context, debug_loc))
    return DLOC_SHAPE_COMPOSITE;
  return kind == DLOC_KIND_NULL ? DLOC_SHAPE_EMPTY : kind == DLOC_KIND_LOCATION ? DLOC_SHAPE_BARE : DLOC_SHAPE_NONE;
}

/* `accessor.primary`, `accessor.empty` */
dloc_node dloc_primary(const dloc_context *context, dloc_node debug_loc) {
  dloc_shape shape = dloc_debug_loc_shape(context, debug_loc);
  if (shape == DLOC_SHAPE_COMPOSITE)
    return operand_at(context, debug_loc, 0);
  return shape == DLOC_SHAPE_BARE ? debug_loc : DLOC_NULL;
}

dloc_status layers_read(dloc_context *context, dloc_node debug_loc, layer_list *list) {
  dloc_layer layer;
  list->count = 0;
  for (size_t i = 0, count = entry_count(context, debug_loc); i < count; i++)
    if (entry_at(context, debug_loc, i, &layer) == DLOC_REASON_NONE)
      PUSH(context, *list, layer);
  if (list->count <= FEW_LAYERS)
    return DLOC_OK;
  map_clear(&list->kinds);
  for (size_t i = 0; i < list->count; i++)
    TRY(map_add(context, &list->kinds, list->items[i].kind, 0, (uint32_t)i, NULL));
  return DLOC_OK;
}

bool dloc_debug_loc_is_plain(const dloc_context *context, dloc_node debug_loc) {
  dloc_layer layer;
  size_t count = entry_count(context, debug_loc), i = 0;
  while (i < count && entry_at(context, debug_loc, i, &layer) == DLOC_REASON_NONE &&
         !dloc_node_is_distinct(context, operand_at(context, debug_loc, 1 + i)))
    i++;
  return count > 0 && i == count;
}

/* Of a few, quicker than by a call. */
static inline bool same_words(const uint32_t *a, const uint32_t *b, size_t count) {
  size_t i = 0;
  while (i < count && a[i] == b[i])
    i++;
  return i == count;
}

/* `merge.tuple.rebuild`: a uniqued tuple about a location, a layer or a composite. The last one is noted with the
 * location, as mostly the same is asked for again. While a node may become another one, nothing is noted. */
static dloc_status tuple_about(dloc_context *context, dloc_node location, const dloc_node *operands, size_t count,
                               dloc_node *ret) {
  bool notes = context->first_pending == SIZE_MAX && node_kind(context, location) == DLOC_KIND_LOCATION;
  uint32_t noted = DLOC_NULL;
  dloc_node made = DLOC_NULL;
  if (notes && note_get(&context->tuples, context->scope_salt, location, &noted) &&
      operand_count(context, noted) == count && same_words(node_words(context, noted) + 1, operands, count))
    return give_node(ret, noted);
  TRY(dloc_tuple(context, false, operands, count, &made));
  if (notes)
    TRY(note_set(context, &context->tuples, context->scope_salt, location, made));
  return give_node(ret, made);
}

static dloc_status add_pairs(dloc_context *context, const dloc_layer *layers, size_t count, scratch *operands) {
  for (size_t i = 0; i < count; i++) {
    dloc_node pair = DLOC_NULL;
    TRY(tuple_about(context, layers[i].location, (dloc_node[]){layers[i].kind, layers[i].location}, 2, &pair));
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
  return tuple_about(context, primary, operands->words, operands->count, ret);
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
