/* SPEC.md, chapter 2: what a DebugLoc holds. */
#include "layers.h"

#include <stdlib.h>
#include <string.h>

/* ---- The whole ---- */

dloc_reason debug_loc_fault(const dloc_context *context, dloc_node node) {
  if (node_kind(context, node) != DLOC_KIND_TUPLE)
    return DLOC_REASON_SHAPE_NOT_A_LOCATION;
  dloc_reason fault = tuple_fault(context, node);
  return fault == DLOC_REASON_NONE ? DLOC_REASON_SHAPE_TUPLE_REJECTED : fault;
}

dloc_status check_operand(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                          dloc_reason *ret_reason) {
  dloc_shape shape = dloc_debug_loc_shape(context, debug_loc);
  if (shape == DLOC_SHAPE_NONE)
    return fail(ret_reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  if (shape == DLOC_SHAPE_COMPOSITE && !DLOC_TAKES(profile, SHAPE_TUPLE, ACCEPT))
    return fail(ret_reason, DLOC_REASON_SHAPE_TUPLE_REJECTED);
  return DLOC_OK;
}

/* ---- Its layers ---- */

/* `accessor.not-a-layer` */
bool next_pair(const dloc_context *context, dloc_node debug_loc, size_t *cursor, dloc_layer *ret) {
  size_t count = entry_count(context, debug_loc);
  while (*cursor < count)
    if (entry_at(context, debug_loc, (*cursor)++, ret) == DLOC_REASON_NONE)
      return true;
  return false;
}

/* `accessor.list` */
bool dloc_next_layer(const dloc_context *context, dloc_node debug_loc, size_t *cursor, dloc_layer *ret) {
  dloc_node list = list_of(context, debug_loc);
  return list ? next_listed(context, list, cursor, ret) : next_pair(context, debug_loc, cursor, ret);
}

/* Choice `accessor.not-a-layer`, alternative first-tuple: the kind may come from an earlier operand. */
static dloc_layer first_of_parts(const dloc_context *context, dloc_node debug_loc) {
  dloc_layer first = {DLOC_NULL, DLOC_NULL}, parts;
  size_t most = 0;
  for (size_t i = 0, count = entry_count(context, debug_loc); i < count && most < 2; i++) {
    size_t operands = parts_at(context, debug_loc, i, &parts);
    if (most == 0)
      first.kind = parts.kind;
    first.location = parts.location;
    most = operands > most ? operands : most;
  }
  return first;
}

dloc_layer first_layer(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc) {
  size_t cursor = 0;
  dloc_layer first = {DLOC_NULL, DLOC_NULL};
  if (!DLOC_TAKES(profile, ACCESSOR_NOT_A_LAYER, SKIPPED))
    return first_of_parts(context, debug_loc);
  (void)next_pair(context, debug_loc, &cursor, &first);
  return first;
}

bool next_written_layer(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, size_t *cursor,
                        dloc_layer *ret) {
  if (!DLOC_TAKES(profile, BITCODE_LAYERS, FIRST))
    return DLOC_TAKES(profile, BITCODE_LAYERS, ALL) && next_pair(context, debug_loc, cursor, ret);
  *ret = first_layer(context, profile, debug_loc);
  return (*cursor)++ == 0 && ret->location;
}

/* `accessor.bare` */
size_t dloc_layer_count(const dloc_context *context, dloc_node debug_loc) {
  dloc_layer layer;
  size_t count = 0;
  for (size_t cursor = 0; dloc_next_layer(context, debug_loc, &cursor, &layer);)
    count++;
  return count;
}

/* `accessor.layer` */
dloc_layer dloc_layer_at(const dloc_context *context, dloc_node debug_loc, size_t index) {
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(context, debug_loc, &cursor, &layer);)
    if (index-- == 0)
      return layer;
  return (dloc_layer){DLOC_NULL, DLOC_NULL};
}

dloc_node dloc_layer_find(const dloc_context *context, dloc_node debug_loc, dloc_text kind) {
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(context, debug_loc, &cursor, &layer);)
    if (dloc_text_equal(dloc_node_text(context, layer.kind), kind))
      return layer.location;
  return DLOC_NULL;
}

/* `scope.layer.file` */
dloc_layer_place dloc_place_of_layer(const dloc_context *context, dloc_node location) {
  if (node_kind(context, location) == DLOC_KIND_LAYER)
    return place_of_listed(context, location);
  dloc_location content = location_content(context, location);
  return (dloc_layer_place){dloc_scope_file(context, content.scope), content.line, content.column};
}

dloc_status layer_list_create(dloc_context *context, bool distinct, const dloc_node *layers, size_t count,
                              dloc_node *ret) {
  uint32_t *words = NULL;
  TRY(node_begin(context, 2 + 2 * count, &words));
  *words++ = context->class_tokens[CLASS_LAYER_LIST];
  *words++ = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    *words++ = DLOC_NULL;
    *words++ = layers[i];
  }
  return node_finish(context, DLOC_KIND_LAYER_LIST, distinct, 2 + 2 * count, ret);
}

/* ---- Lists ---- */

size_t layers_find(const layer_list *list, dloc_node kind) {
  uint32_t found = 0;
  if (list->count > FEW_LAYERS)
    return map_get(&list->kinds, kind, 0, &found) ? found : list->count;
  while (found < list->count && list->items[found].kind != kind)
    found++;
  return found;
}

typedef struct ranked_layer {
  dloc_text kind;
  dloc_layer layer;
  size_t rank;
} ranked_layer;

static int compare_ranked(const void *left, const void *right) {
  const ranked_layer *a = left, *b = right;
  int order = dloc_text_compare(a->kind, b->kind);
  return order ? order : ORDER(a->rank, b->rank);
}

dloc_status layers_sort(dloc_context *context, layer_list *list) {
  if (list->count < 2)
    return DLOC_OK;
  ALLOCATE(context, ranked_layer, ranked, list->count);
  OWNED_MEMORY(context, &ranked);
  for (size_t i = 0; i < list->count; i++)
    ranked[i] = (ranked_layer){dloc_node_text(context, list->items[i].kind), list->items[i], i};
  qsort(ranked, list->count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < list->count; i++)
    list->items[i] = ranked[i].layer;
  return DLOC_OK;
}

dloc_status map_layers(dloc_context *context, dloc_node debug_loc, dloc_node primary, change_location *change,
                       void *user, dloc_node *ret) {
  layer_list list = {0};
  OWNED_MEMORY(context, &list.items, &list.kinds.entries);
  TRY(layers_read(context, debug_loc, &list));
  for (size_t i = 0; change && i < list.count; i++)
    TRY(change(user, list.items[i].location, &list.items[i].location));
  return dloc_debug_loc_create(context, primary, list.items, list.count, ret);
}
