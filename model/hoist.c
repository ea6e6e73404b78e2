/* SPEC.md, chapter 5.6: what hoisting leaves of a location. */
#include "metadata.h"

/* `hoist.layers` */
static dloc_status keep_layers(dloc_context *context, dloc_node debug_loc, dloc_node primary, dloc_node *ret) {
  size_t count = MUTATED(HOIST_LAYERS_FIRST) ? 1 : dloc_layer_count(context, debug_loc);
  dloc_layer *layers = context_realloc(context, NULL, count * sizeof *layers);
  if (!layers)
    return DLOC_NO_MEMORY;
  for (size_t i = 0, at = 1; i < count && next_layer(context, debug_loc, &at, &layers[i]);)
    i++;
  dloc_status status = dloc_debug_loc_create(context, primary, layers, count, ret);
  context_free(context, layers);
  return status;
}

dloc_status dloc_hoist(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, bool is_call,
                       dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  bool keep = profile->alternative[DLOC_CHOICE_HOIST_LAYERS] == DLOC_HOIST_LAYERS_KEEP || MUTATED(HOIST_LAYERS_KEPT) ||
              MUTATED(HOIST_LAYERS_FIRST);
  bool keeps = keep && dloc_layer_count(context, debug_loc) > 0;
  *ret = DLOC_NULL;
  /* `hoist.empty`, `hoist.instruction`, `hoist.call.function` */
  if ((debug_loc == DLOC_NULL && !MUTATED(HOIST_EMPTY_FILLED)) ||
      (subprogram == DLOC_NULL && !MUTATED(HOIST_CALL_FUNCTION_ANY)) ||
      !(is_call || keeps || MUTATED(HOIST_INSTRUCTION_AS_CALL)))
    return DLOC_OK;
  dloc_location old = dloc_location_get(context, dloc_primary(context, debug_loc));
  if (MUTATED(HOIST_CALL_AGAIN) && old.line == 0)
    return DLOC_OK;
  dloc_location line_0 = {.line = MUTATED(HOIST_CALL_LINE) ? old.line : 0,
                          .scope = MUTATED(HOIST_CALL_SCOPE) ? old.scope : subprogram,
                          .inlined_at = MUTATED(HOIST_CALL_INLINED_AT) ? old.inlined_at : DLOC_NULL}; /* `hoist.call` */
  TRY(dloc_location_create(context, false, &line_0, ret));
  return keeps ? keep_layers(context, debug_loc, *ret, ret) : DLOC_OK;
}
