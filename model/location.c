/* SPEC.md, chapter 2: when DebugLocs are equal, and how they are printed. */
#include "layers.h"

/* ---- Equality ---- */

/* `equal.order`, `equal.bare-composite` */
static bool same_layers_in_order(const dloc_context *context, dloc_node a, dloc_node b) {
  dloc_layer left, right;
  for (size_t i = 0, j = 0;;) {
    bool more_left = dloc_next_layer(context, a, &i, &left);
    bool more_right = dloc_next_layer(context, b, &j, &right);
    if (!more_left || !more_right)
      return more_left == more_right;
    if (left.kind != right.kind || left.location != right.location)
      return false;
  }
}

/* `equal.order`. Lists are compared by node. */
bool same_layers(const dloc_context *context, dloc_node a, dloc_node b) {
  if (list_of(context, a) || list_of(context, b))
    return list_of(context, a) == list_of(context, b);
  return same_layers_in_order(context, a, b);
}

/* `equal.levels`, `equal.bare-composite`, `equal.bare`, `equal.empty`, `equal.distinct` */
bool dloc_debug_loc_equal(const dloc_context *context, const dloc_profile *profile, dloc_node a, dloc_node b) {
  if (a == b || DLOC_TAKES(profile, EQUAL_IDENTITY, NODE))
    return a == b;
  if (dloc_debug_loc_shape(context, a) == DLOC_SHAPE_NONE || dloc_debug_loc_shape(context, b) == DLOC_SHAPE_NONE ||
      dloc_primary(context, a) != dloc_primary(context, b))
    return false;
  return same_layers(context, a, b);
}

/* `emit.same.position`, `hoist.branch` */
bool same_position(const dloc_context *context, dloc_node first, dloc_node second) {
  dloc_location a = dloc_location_get(context, first), b = dloc_location_get(context, second);
  return a.line == b.line && a.column == b.column && a.scope == b.scope && a.inlined_at == b.inlined_at;
}

/* `equal.position`, `equal.position.layers` */
bool dloc_same_source(const dloc_context *context, const dloc_profile *profile, dloc_node a, dloc_node b, bool layers) {
  dloc_node first = dloc_primary(context, a), second = dloc_primary(context, b);
  bool lists = DLOC_TAKES(profile, IRLAYERS_SAME_POSITION, WITH_LAYERS);
  return same_position(context, first, second) && (!lists || list_of(context, first) == list_of(context, second)) &&
         (!layers || same_layers(context, a, b));
}

/* ---- Printing ---- */

/* `print.location`, `print.file` */
static dloc_status print_position(const dloc_context *context, dloc_node location, dloc_sink sink) {
  dloc_layer_place place = dloc_place_of_layer(context, location);
  dloc_node name = node_field(context, place.file, context->field_keys[FIELD_FILE_filename]);
  TRY(sink_text(sink, dloc_node_text(context, name)));
  TRY(sink_string(sink, ":"));
  TRY(sink_number(sink, place.line));
  if (place.column == 0)
    return DLOC_OK;
  TRY(sink_string(sink, ":"));
  return sink_number(sink, place.column);
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

/* `print.layer`, `print.list`, `print.empty` */
dloc_status dloc_debug_loc_print(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                 dloc_sink sink) {
  dloc_node primary = dloc_primary(context, debug_loc);
  if (!primary)
    return sink_string(sink, "none");
  TRY(print_chain(context, primary, sink));
  dloc_layer layer;
  for (size_t i = 0; !DLOC_TAKES(profile, PRINT_LAYER, NONE) && next_pair(context, debug_loc, &i, &layer);) {
    TRY(sink_string(sink, ", "));
    TRY(sink_text(sink, dloc_node_text(context, layer.kind)));
    TRY(sink_string(sink, ": "));
    TRY(print_chain(context, layer.location, sink));
  }
  return DLOC_OK;
}
