/* spec/transformations.md, chapter 5.6: what moving code leaves of a location. */
#include "layers.h"

/* Whether layers stay with code that moves: `hoist.layers`. */
static bool keeps_layers(const dloc_profile *profile, dloc_move move) {
  return DLOC_TAKES(profile, HOIST_LAYERS, KEEP) ||
         (move == DLOC_MOVE_HOISTED && DLOC_TAKES(profile, HOIST_LAYERS, KEEP_HOISTED));
}

/* `hoist.list.innermost`, `hoist.list.none` */
static dloc_status drop_location(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                 dloc_hoisted moved, bool keeps, dloc_node subprogram, dloc_node *ret) {
  bool is_call =
      moved == DLOC_HOISTED_CALL || (moved == DLOC_HOISTED_INTRINSIC && DLOC_TAKES(profile, HOIST_INTRINSIC, LINE_0));
  dloc_node primary = DLOC_NULL, list = DLOC_NULL;
  if (keeps)
    list = dloc_innermost_layers(context, debug_loc); /* `hoist.list.innermost` */
  keeps &= list || dloc_layer_count(context, debug_loc) > 0;
  /* `hoist.empty`, `hoist.instruction`, `hoist.intrinsic`, `hoist.call.function` */
  if (debug_loc == DLOC_NULL || subprogram == DLOC_NULL || !(is_call || keeps))
    return give_node(ret, DLOC_NULL);
  dloc_location line_0 = {.line = 0, .scope = subprogram, .layers = list}; /* `hoist.call`, `hoist.list.position` */
  TRY(dloc_location_create(context, false, &line_0, &primary));
  if (keeps)
    return map_layers(context, debug_loc, primary, NULL, NULL, ret); /* `hoist.layers` */
  return give_node(ret, primary);
}

dloc_status dloc_hoist(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_hoisted hoisted,
                       dloc_move move, dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  bool keeps = keeps_layers(profile, move);
  if (move == DLOC_MOVE_HOISTED || DLOC_TAKES(profile, HOIST_MOVED, DROP)) /* `hoist.moved` */
    return drop_location(context, profile, debug_loc, hoisted, keeps, subprogram, ret);
  return give_node(ret, debug_loc);
}

/* `hoist.merged`, `hoist.list.merged` */
dloc_status dloc_hoist_merged(dloc_context *context, const dloc_profile *profile, const dloc_node *debug_locs,
                              size_t count, dloc_hoisted hoisted, dloc_node subprogram, dloc_reason *ret_reason,
                              dloc_node *ret) {
  dloc_node first = count ? debug_locs[0] : DLOC_NULL, merged = DLOC_NULL;
  for (size_t i = 0; i < count; i++)
    TRY(check_operand(context, profile, debug_locs[i], ret_reason));
  if (DLOC_TAKES(profile, HOIST_MERGED, COMMON))
    TRY(dloc_merge(context, profile, debug_locs, count, NULL, ret_reason, &merged));
  if (DLOC_TAKES(profile, HOIST_MERGED, FIRST))
    return give_node(ret, first);
  bool keeps = keeps_layers(profile, DLOC_MOVE_OTHER) && merged;
  return drop_location(context, profile, keeps ? merged : first, hoisted, keeps, subprogram, ret);
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
  CONTEXT_FREE(context, list.items, list.kinds.entries);
  return status;
}

/* `hoist.branch`, `hoist.branch.layers` */
dloc_status dloc_hoist_before_branch(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                     dloc_node branch, dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  TRY(check_operand(context, profile, branch, ret_reason));
  dloc_node primary = dloc_primary(context, debug_loc), other = dloc_primary(context, branch);
  bool same = DLOC_TAKES(profile, HOIST_BRANCH_SAME, NODE) ? primary == other : same_position(context, primary, other);
  bool same_all =
      same && (DLOC_TAKES(profile, HOIST_BRANCH_LAYERS, IGNORED) || same_layers(context, debug_loc, branch));
  if (same && !same_all && DLOC_TAKES(profile, HOIST_BRANCH_LAYERS, CHANNELS))
    return common_layers(context, debug_loc, branch, ret);
  if (!same_all) /* `hoist.list.branch` */
    return drop_location(context, profile, debug_loc, DLOC_HOISTED_OTHER, keeps_layers(profile, DLOC_MOVE_OTHER),
                         subprogram, ret);
  return give_node(ret, debug_loc);
}

/* `hoist.branch.folded` */
dloc_status dloc_hoist_folded_branch(dloc_context *context, const dloc_profile *profile, dloc_node branch,
                                     dloc_node folded, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, branch, ret_reason));
  TRY(check_operand(context, profile, folded, ret_reason));
  bool same = dloc_same_source(context, profile, branch, folded, true);
  return give_node(ret, same && DLOC_TAKES(profile, HOIST_BRANCH_FOLDED, FOLDED) ? folded : branch);
}
