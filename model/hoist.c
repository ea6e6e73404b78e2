/* SPEC.md, chapter 5.6: what hoisting leaves of a location. */
#include "layers.h"

dloc_status dloc_hoist(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_hoisted hoisted,
                       dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  bool is_call = hoisted == DLOC_HOISTED_CALL ||
                 (hoisted == DLOC_HOISTED_INTRINSIC && DLOC_TAKES(profile, HOIST_INTRINSIC, LINE_0));
  bool keeps = DLOC_TAKES(profile, HOIST_LAYERS, KEEP) && dloc_layer_count(context, debug_loc) > 0;
  dloc_node primary = DLOC_NULL;
  /* `hoist.empty`, `hoist.instruction`, `hoist.intrinsic`, `hoist.call.function` */
  if (debug_loc == DLOC_NULL || subprogram == DLOC_NULL || !(is_call || keeps)) {
    *ret = DLOC_NULL;
    return DLOC_OK;
  }
  dloc_location line_0 = {.line = 0, .scope = subprogram}; /* `hoist.call` */
  TRY(dloc_location_create(context, false, &line_0, &primary));
  if (keeps)
    return map_layers(context, debug_loc, primary, keep_location, NULL, ret); /* `hoist.layers` */
  *ret = primary;
  return DLOC_OK;
}
