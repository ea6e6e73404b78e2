/* SPEC.md, chapter 2: layers as a list that a location has, `!DILocation(..., irlayers: !DILayerLocList(...))`. */
#include "layers.h"

dloc_node list_of(const dloc_context *context, dloc_node node) {
  dloc_node list = node_kind(context, node) == DLOC_KIND_LOCATION ? location_content(context, node).layers : node;
  return node_kind(context, list) == DLOC_KIND_LAYER_LIST ? list : DLOC_NULL;
}

static dloc_node field_of(const dloc_context *context, dloc_node layer, enum field_row field) {
  return node_field(context, layer, context->field_keys[field]);
}

/* `accessor.list` */
bool next_listed(const dloc_context *context, dloc_node list, size_t *cursor, dloc_layer *ret) {
  operand_run entries = operands_of(DLOC_KIND_LAYER_LIST, node_words(context, list));
  while (*cursor < entries.count) {
    dloc_node entry = node_words(context, list)[entries.first + (*cursor)++ * entries.stride];
    if (node_kind(context, entry) == DLOC_KIND_LAYER) {
      *ret = (dloc_layer){field_of(context, entry, FIELD_LAYER_kind), entry};
      return true;
    }
  }
  return false;
}

dloc_layer_place place_of_listed(const dloc_context *context, dloc_node layer) {
  return (dloc_layer_place){field_of(context, layer, FIELD_LAYER_file), node_number(context, layer, FIELD_LAYER_line),
                            node_number(context, layer, FIELD_LAYER_column)};
}

bool dloc_has_lists(const dloc_context *context) {
  dloc_node node = 1, limit = dloc_node_limit(context);
  while (node < limit && node_kind(context, node) != DLOC_KIND_LAYER_LIST)
    node++;
  return node < limit;
}

/* `accessor.list.innermost` */
dloc_node dloc_innermost_layers(const dloc_context *context, dloc_node location) {
  dloc_node list = DLOC_NULL;
  for (uint32_t depth = 0; location && !list && depth < dloc_node_limit(context); depth++) {
    list = list_of(context, location);
    location = location_content(context, location).inlined_at;
  }
  return list;
}
