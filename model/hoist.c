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

/* `hoist.branch.layers`, alternative channels: the layers that the branch has, too. */
static dloc_status common_layers(dloc_context *context, dloc_node debug_loc, dloc_node branch, dloc_node *ret) {
  layer_list list = {0};
  dloc_status status = layers_read(context, debug_loc, &list);
  size_t kept = 0;
  for (size_t i = 0; status == DLOC_OK && i < list.count; i++)
    if (dloc_layer_find(context, branch, dloc_node_text(context, list.items[i].kind)) == list.items[i].location)
      list.items[kept++] = list.items[i];
  if (status == DLOC_OK)
    status = dloc_debug_loc_create(context, dloc_primary(context, debug_loc), list.items, kept, ret);
  layers_deinit(context, &list);
  return status;
}

/* `hoist.branch`, `hoist.branch.layers` */
dloc_status dloc_hoist_before_branch(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                     dloc_node branch, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  TRY(check_operand(context, profile, branch, ret_reason));
  dloc_node primary = dloc_primary(context, debug_loc), other = dloc_primary(context, branch);
  bool by_node = DLOC_TAKES(profile, HOIST_BRANCH_SAME, NODE);
  bool same = by_node ? primary == other : same_position(context, primary, other);
  bool same_all = same && same_layers(context, profile, debug_loc, branch);
  if (same && !same_all && DLOC_TAKES(profile, HOIST_BRANCH_LAYERS, CHANNELS))
    return common_layers(context, debug_loc, branch, ret);
  *ret = same_all ? debug_loc : DLOC_NULL;
  return DLOC_OK;
}
