/* accessor.c - `accessor`: the primary and the layers of a location. SPEC.md 2 */
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  dloc_node location = q->args->of.nodes[0];
  size_t count = dloc_layer_count(q->context, location);
  *term_set_node(q->arena, value, "primary") = dloc_primary(q->context, location);
  term *layers = term_set_list(q->arena, value, "layers", count);
  for (size_t i = 0; i < count; i++) {
    dloc_layer layer = dloc_layer_at(q->context, location, i);
    term_set_text(q->arena, &layers[i], "kind", dloc_node_text(q->context, layer.kind));
    *term_set_node(q->arena, &layers[i], "location") = layer.location;
  }
  dloc_node innermost = dloc_innermost_layers(q->context, dloc_primary(q->context, location));
  if (innermost)
    *term_set_node(q->arena, value, "innermost") = innermost;
  return DLOC_OK;
}

#define LAYER MAP("a layer", FIELD_AS("kind", TEXT, "layer: %\n"), FIELD("location", NODE))

const operation op_accessor = {
    .name = "accessor",
    .forms = {{LIST_OF(1, NODE), MAP(NULL, FIELD("primary", NODE), FIELD("layers", LIST(LAYER)),
                                     OPTIONAL_AS("innermost", NODE, "innermost\n"), NODES)}},
    .roots = "location",
    .ask = ask,
};
