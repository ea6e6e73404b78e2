/* accessor.c - `accessor`: the primary and the layers of a location. SPEC.md 2 */
#include "accessor.h"
#include "declare.h"

static dloc_status ask(query *q, term *value) {
  accessor_parts(q->context, q->args->of.nodes[0], q->arena, value);
  return DLOC_OK;
}

void accessor_parts(const dloc_context *context, dloc_node location, value_arena *arena, term *value) {
  size_t count = dloc_layer_count(context, location);
  *term_set_node(arena, value, "primary") = dloc_primary(context, location);
  term *layers = term_set_list(arena, value, "layers", count);
  for (size_t i = 0; i < count; i++) {
    dloc_layer layer = dloc_layer_at(context, location, i);
    term_set_text(arena, &layers[i], "kind", dloc_node_text(context, layer.kind));
    *term_set_node(arena, &layers[i], "location") = layer.location;
  }
  dloc_node innermost = dloc_innermost_layers(context, dloc_primary(context, location));
  if (innermost)
    *term_set_node(arena, value, "innermost") = innermost;
}

#define LAYER MAP("a layer", {.key = "kind", .of = TEXT, .text = "layer: %\n"}, FIELD("location", NODE))

const operation op_accessor = {
    .name = "accessor",
    .forms = {{LIST_OF(1, NODE),
               MAP(NULL, FIELD("primary", NODE), FIELD("layers", LIST(LAYER)),
                   {.key = "innermost", .of = NODE, .optional = true, .text = "innermost\n"}, NODES)}},
    .roots = "location",
    .ask = ask,
    .args_cell = "`[a]`",
    .value_cell =
        "`primary`: a location or `null`; `layers: [{kind, location}]`; `innermost`: the first list of the chain, where there is one",
};
