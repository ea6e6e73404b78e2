/* SPEC.md, chapter 2: the DebugLoc with its layers. */
#include "metadata.h"

#include <string.h>

/* ---- Accessors ---- */

/* `shape.bare`, `shape.minimum` */
dloc_shape dloc_debug_loc_shape(const dloc_context *context, dloc_node debug_loc) {
  switch (dloc_node_kind(context, debug_loc)) {
  case DLOC_KIND_NULL:
    return DLOC_SHAPE_EMPTY;
  case DLOC_KIND_LOCATION:
    return DLOC_SHAPE_BARE;
  case DLOC_KIND_TUPLE:
    return dloc_node_kind(context, dloc_operand(context, debug_loc, 0)) == DLOC_KIND_LOCATION ? DLOC_SHAPE_COMPOSITE
                                                                                              : DLOC_SHAPE_NONE;
  default:
    return DLOC_SHAPE_NONE;
  }
}

dloc_status check_operand(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                          dloc_reason *ret_reason) {
  node_prefetch(context, debug_loc);
  dloc_shape shape = dloc_debug_loc_shape(context, debug_loc);
  bool rejects_tuples = DLOC_TAKES(profile, SHAPE_TUPLE, REJECT);
  if (shape != DLOC_SHAPE_NONE && !(shape == DLOC_SHAPE_COMPOSITE && rejects_tuples))
    return DLOC_OK;
  return fail(ret_reason,
              shape == DLOC_SHAPE_NONE ? DLOC_REASON_OPERAND_NOT_DEBUG_LOC : DLOC_REASON_SHAPE_TUPLE_REJECTED);
}

/* `accessor.primary`, `accessor.empty` */
dloc_node dloc_primary(const dloc_context *context, dloc_node debug_loc) {
  switch (dloc_debug_loc_shape(context, debug_loc)) {
  case DLOC_SHAPE_BARE:
    return debug_loc;
  case DLOC_SHAPE_COMPOSITE:
    return dloc_operand(context, debug_loc, 0);
  default:
    return DLOC_NULL;
  }
}

/* `shape.layer`: a two-operand tuple of a string and a DILocation. */
static bool layer_from_operand(const dloc_context *context, dloc_node operand, dloc_layer *ret) {
  *ret = (dloc_layer){dloc_operand(context, operand, 0), dloc_operand(context, operand, 1)};
  return dloc_operand_count(context, operand) == 2 && dloc_node_kind(context, ret->kind) == DLOC_KIND_STRING &&
         dloc_node_kind(context, ret->location) == DLOC_KIND_LOCATION;
}

bool next_layer(const dloc_context *context, dloc_node debug_loc, size_t *index, dloc_layer *ret) {
  if (dloc_debug_loc_shape(context, debug_loc) != DLOC_SHAPE_COMPOSITE)
    return false;
  while (*index < dloc_operand_count(context, debug_loc))
    if (layer_from_operand(context, dloc_operand(context, debug_loc, (*index)++), ret))
      return true;
  return false;
}

size_t dloc_layer_count(const dloc_context *context, dloc_node debug_loc) {
  dloc_layer layer;
  size_t count = 0;
  for (size_t i = 1; next_layer(context, debug_loc, &i, &layer);)
    count++;
  return count;
}

/* `accessor.layer` */
dloc_layer dloc_layer_at(const dloc_context *context, dloc_node debug_loc, size_t index) {
  dloc_layer layer;
  for (size_t i = 1; next_layer(context, debug_loc, &i, &layer);)
    if (index-- == 0)
      return layer;
  return (dloc_layer){DLOC_NULL, DLOC_NULL};
}

dloc_node dloc_layer_find(const dloc_context *context, dloc_node debug_loc, dloc_text kind) {
  dloc_layer layer;
  for (size_t i = 1; next_layer(context, debug_loc, &i, &layer);)
    if (dloc_text_equal(dloc_node_text(context, layer.kind), kind))
      return layer.location;
  return DLOC_NULL;
}

/* `merge.tuple.rebuild`, `merge.tuple.bare` */
dloc_status dloc_debug_loc_create(dloc_context *context, dloc_node primary, const dloc_layer *layers, size_t count,
                                  dloc_node *ret) {
  if (count == 0) {
    *ret = primary;
    return DLOC_OK;
  }
  scratch operands = {0};
  dloc_status status = scratch_push(context, &operands, primary);
  for (size_t i = 0; status == DLOC_OK && i < count; i++) {
    dloc_node pair = DLOC_NULL;
    status = dloc_tuple(context, false, (dloc_node[]){layers[i].kind, layers[i].location}, 2, &pair);
    if (status == DLOC_OK)
      status = scratch_push(context, &operands, pair);
  }
  if (status == DLOC_OK)
    status = dloc_tuple(context, false, operands.words, operands.count, ret);
  scratch_deinit(context, &operands);
  return status;
}

dloc_status map_layers(dloc_context *context, dloc_node debug_loc, dloc_node primary, change_location *change,
                       void *user, dloc_node *ret) {
  size_t count = dloc_layer_count(context, debug_loc), done = 0;
  dloc_layer *layers = context_realloc(context, NULL, (count + 1) * sizeof *layers);
  dloc_status status = layers ? DLOC_OK : DLOC_NO_MEMORY;
  for (size_t at = 1; status == DLOC_OK && next_layer(context, debug_loc, &at, &layers[done]); done++)
    status = change(user, layers[done].location, &layers[done].location);
  if (status == DLOC_OK)
    status = dloc_debug_loc_create(context, primary, layers, count, ret);
  context_free(context, layers);
  return status;
}

/* ---- Equality ---- */

/* `equal.order` */
static bool same_layers_in_order(const dloc_context *context, dloc_node a, dloc_node b) {
  dloc_layer left, right;
  for (size_t i = 1, j = 1;;) {
    bool more_left = next_layer(context, a, &i, &left);
    bool more_right = next_layer(context, b, &j, &right);
    if (!more_left || !more_right)
      return more_left == more_right;
    if (left.kind != right.kind || left.location != right.location)
      return false;
  }
}

/* How often a layer stands in a location. */
static size_t count_layer(const dloc_context *context, dloc_node debug_loc, dloc_layer wanted) {
  dloc_layer layer;
  size_t count = 0;
  for (size_t i = 1; next_layer(context, debug_loc, &i, &layer);)
    count += layer.kind == wanted.kind && layer.location == wanted.location;
  return count;
}

/* Quadratic in the number of layers of one location. */
static bool same_layers_in_any_order(const dloc_context *context, dloc_node a, dloc_node b) {
  if (dloc_layer_count(context, a) != dloc_layer_count(context, b))
    return false;
  dloc_layer layer;
  for (size_t i = 1; next_layer(context, a, &i, &layer);)
    if (count_layer(context, a, layer) != count_layer(context, b, layer))
      return false;
  return true;
}

bool same_layers(const dloc_context *context, const dloc_profile *profile, dloc_node a, dloc_node b) {
  bool in_order = DLOC_TAKES(profile, EQUAL_LAYER_ORDER, SIGNIFICANT);
  return in_order ? same_layers_in_order(context, a, b) : same_layers_in_any_order(context, a, b);
}

/* `equal.levels`, `equal.bare-composite` */
bool dloc_debug_loc_equal(const dloc_context *context, const dloc_profile *profile, dloc_node a, dloc_node b) {
  if (a == b || DLOC_TAKES(profile, EQUAL_IDENTITY, NODE))
    return a == b;
  if (dloc_debug_loc_shape(context, a) == DLOC_SHAPE_NONE || dloc_debug_loc_shape(context, b) == DLOC_SHAPE_NONE ||
      dloc_primary(context, a) != dloc_primary(context, b))
    return false;
  return same_layers(context, profile, a, b);
}

/* ---- Printing ---- */

/* `print.location` */
static dloc_status print_position(const dloc_context *context, dloc_node location, dloc_sink sink) {
  dloc_location content = dloc_location_get(context, location);
  dloc_node file = dloc_scope_file(context, content.scope);
  dloc_node name = node_field(context, file, context->field_keys[FIELD_FILE_filename]);
  TRY(sink_text(sink, dloc_node_text(context, name)));
  TRY(sink_string(sink, ":"));
  TRY(sink_number(sink, content.line));
  if (content.column == 0)
    return DLOC_OK;
  TRY(sink_string(sink, ":"));
  return sink_number(sink, content.column);
}

/* `print.inlined-at` */
static dloc_status print_chain(const dloc_context *context, dloc_node location, dloc_sink sink) {
  TRY(print_position(context, location, sink));
  size_t depth = 0;
  dloc_node frame = dloc_location_get(context, location).inlined_at;
  for (; frame; frame = dloc_location_get(context, frame).inlined_at) {
    if (++depth > dloc_node_limit(context))
      return DLOC_INVALID;
    TRY(sink_string(sink, " @[ "));
    TRY(print_position(context, frame, sink));
  }
  for (; depth; depth--)
    TRY(sink_string(sink, " ]"));
  return DLOC_OK;
}

/* `print.layer` */
dloc_status dloc_debug_loc_print(const dloc_context *context, dloc_node debug_loc, dloc_sink sink) {
  dloc_node primary = dloc_primary(context, debug_loc);
  if (!primary)
    return sink_string(sink, "none");
  TRY(print_chain(context, primary, sink));
  dloc_layer layer;
  for (size_t i = 1; next_layer(context, debug_loc, &i, &layer);) {
    TRY(sink_string(sink, ", "));
    TRY(sink_text(sink, dloc_node_text(context, layer.kind)));
    TRY(sink_string(sink, ": "));
    TRY(print_position(context, layer.location, sink));
  }
  return DLOC_OK;
}
