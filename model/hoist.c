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

/* `hoist.branch`, `hoist.branch.layers`: whether an instruction that is copied before a branch keeps its primary. */
static bool stays(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_node branch) {
  dloc_node primary = dloc_primary(context, debug_loc), other = dloc_primary(context, branch);
  bool by_node = DLOC_TAKES(profile, HOIST_BRANCH_SAME, NODE);
  bool same = by_node ? primary == other : same_position(context, primary, other);
  return same && (!DLOC_TAKES(profile, HOIST_BRANCH_LAYERS, WHOLE) ||
                  (by_node ? dloc_debug_loc_equal(context, profile, debug_loc, branch)
                           : same_layers(context, debug_loc, branch)));
}

/* `hoist.branch.atoms` */
static dloc_status with_fresh_atom(dloc_context *context, const dloc_profile *profile, atom_map *atoms,
                                   dloc_node debug_loc, dloc_node *ret) {
  dloc_node primary = dloc_primary(context, debug_loc);
  dloc_location content = dloc_location_get(context, primary);
  if (content.atom_group == 0)
    return give_node(ret, debug_loc);
  TRY(renew_atom(context, profile, atoms, &content));
  TRY(dloc_location_create(context, false, &content, &primary));
  return with_primary(context, debug_loc, primary, ret);
}

/* `hoist.branch`, `hoist.branch.layers` */
dloc_status dloc_hoist_before_branch(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                     dloc_node branch, dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  TRY(check_operand(context, profile, branch, ret_reason));
  if (!stays(context, profile, debug_loc, branch)) /* `hoist.list.branch` */
    return drop_location(context, profile, debug_loc, DLOC_HOISTED_OTHER, keeps_layers(profile, DLOC_MOVE_OTHER),
                         subprogram, ret);
  atom_map atoms = {.first = context->next_atom_group};
  OWNED_MEMORY(context, &atoms.groups.entries);
  return with_fresh_atom(context, profile, &atoms, debug_loc, ret);
}

/* `hoist.branch.folded`: whether the branch takes the location, and the atom, of the one that is folded into it. */
static bool takes_folded(const dloc_context *context, const dloc_profile *profile, dloc_node branch, dloc_node folded) {
  uint64_t own = dloc_location_get(context, dloc_primary(context, branch)).atom_group;
  uint64_t other = dloc_location_get(context, dloc_primary(context, folded)).atom_group;
  bool layers = DLOC_TAKES(profile, HOIST_BRANCH_FOLDED, ATOM);
  return !DLOC_TAKES(profile, HOIST_BRANCH_FOLDED, OWN) && !own && other &&
         dloc_same_source(context, profile, branch, folded, layers);
}

/* `hoist.branch.folded`, `hoist.branch.atoms` */
dloc_status dloc_hoist_folded_branch(dloc_context *context, const dloc_profile *profile, dloc_node branch,
                                     dloc_node folded, const dloc_node *copied, size_t count, dloc_reason *ret_reason,
                                     dloc_node *ret) {
  atom_map atoms = {.first = context->next_atom_group};
  OWNED_MEMORY(context, &atoms.groups.entries);
  TRY(check_operand(context, profile, branch, ret_reason));
  TRY(check_operand(context, profile, folded, ret_reason));
  for (size_t i = 0; i < count; i++)
    TRY(check_operand(context, profile, copied[i], ret_reason));
  if (!takes_folded(context, profile, branch, folded))
    return give_node(ret, branch);
  for (size_t i = 0; i < count; i++) {
    dloc_location copy = dloc_location_get(context, dloc_primary(context, copied[i]));
    if (stays(context, profile, copied[i], branch))
      TRY(renew_atom(context, profile, &atoms, &copy));
  }
  uint64_t group = dloc_location_get(context, dloc_primary(context, folded)).atom_group;
  return map_has(&atoms.groups, group, 0) ? with_fresh_atom(context, profile, &atoms, folded, ret)
                                          : give_node(ret, folded);
}
