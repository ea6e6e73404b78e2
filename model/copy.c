/* spec/transformations.md, chapter 5.10: the locations of copied instructions and functions. */
#include "layers.h"

#include <string.h>

/* `copy.primary`, `copy.debug-loc`, `copy.list`, `copy.empty` */
dloc_status dloc_copy_instruction(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                  bool primary_alone, dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  return give_node(ret, primary_alone ? dloc_primary(context, debug_loc) : debug_loc);
}

typedef struct copier {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_node subprogram; /* of the copied function */
  map copies;           /* of distinct nodes; a node that stays is its own */
  atom_map atoms;
  scratch chain; /* frames, then scopes, of the location that is copied */
  dloc_reason *ret_reason;
} copier;

/* ---- Scopes ---- */

/* A copy of a subprogram, or of a block below `parent`; a distinct one has a single copy. `copy.function.block` */
static dloc_status copy_scope_node(copier *c, dloc_node scope, dloc_node parent, dloc_node *ret) {
  if (map_get(&c->copies, scope, 0, ret))
    return DLOC_OK;
  TRY(copy_scope(c->context, scope, parent, dloc_node_is_distinct(c->context, scope), ret));
  return dloc_node_is_distinct(c->context, scope) ? map_add(c->context, &c->copies, scope, 0, *ret, NULL) : DLOC_OK;
}

/* What the subprogram of a scope becomes: `copy.function.subprogram`, `copy.function.layer-foreign`. */
static dloc_status subprogram_of_copy(copier *c, dloc_node subprogram, bool of_layer, dloc_node *ret) {
  bool copies = subprogram == c->subprogram || (of_layer && DLOC_TAKES(c->profile, COPY_FUNCTION_LAYER_FOREIGN, COPY));
  if (copies)
    return copy_scope_node(c, subprogram, dloc_scope_parent(c->context, subprogram), ret);
  *ret = subprogram;
  return map_add(c->context, &c->copies, subprogram, 0, subprogram, NULL);
}

/* `copy.function.block`, `copy.function.foreign` */
static dloc_status copy_scopes(copier *c, dloc_node scope, bool of_layer, dloc_node *ret) {
  size_t base = c->chain.count;
  dloc_node subprogram = dloc_scope_subprogram(c->context, scope), parent;
  if (!subprogram)
    return fail(c->ret_reason, DLOC_REASON_OPERAND_BROKEN_SCOPE);
  TRY(subprogram_of_copy(c, subprogram, of_layer, &parent));
  if (parent == subprogram && DLOC_TAKES(c->profile, COPY_FUNCTION_FOREIGN, KEEP))
    return give_node(ret, scope);
  for (; scope != subprogram && !map_get(&c->copies, scope, 0, &parent); scope = dloc_scope_parent(c->context, scope))
    TRY(scratch_push(c->context, &c->chain, scope));
  while (c->chain.count > base)
    TRY(copy_scope_node(c, c->chain.words[--c->chain.count], parent, &parent));
  return give_node(ret, parent);
}

/* ---- Locations ---- */

/* `copy.function.atoms`, `hoist.branch.atoms`, choice `copy.atoms.lists` */
dloc_status renew_atom(dloc_context *context, const dloc_profile *profile, atom_map *atoms, dloc_location *content) {
  uint32_t offset;
  if (content->atom_group == 0)
    return DLOC_OK;
  if (!map_get(&atoms->groups, content->atom_group, 0, &offset)) {
    offset = (uint32_t)(context_fresh_atom_group(context) - atoms->first);
    TRY(map_add(context, &atoms->groups, content->atom_group, 0, offset, NULL));
  }
  content->atom_group = atoms->first + offset;
  if (DLOC_TAKES(profile, COPY_ATOMS_LISTS, DROP))
    content->layers = DLOC_NULL;
  return DLOC_OK;
}

/* `copy.function.list`: distinct lists and distinct layers have a single copy. */
static dloc_status copy_list(copier *c, dloc_node list, dloc_node *ret) {
  size_t base = c->chain.count, count = dloc_field_count(c->context, list);
  bool distinct = dloc_node_is_distinct(c->context, list), changes = distinct;
  *ret = list;
  if (node_kind(c->context, list) != DLOC_KIND_LAYER_LIST || map_get(&c->copies, list, 0, ret))
    return DLOC_OK;
  for (size_t i = 0; i < count; i++) {
    dloc_node layer = dloc_field_at(c->context, list, i).value;
    bool copies = node_kind(c->context, layer) == DLOC_KIND_LAYER && dloc_node_is_distinct(c->context, layer);
    if (copies)
      TRY(copy_scope_node(c, layer, DLOC_NULL, &layer));
    TRY(scratch_push(c->context, &c->chain, layer));
    changes |= copies;
  }
  c->chain.count = base;
  if (changes)
    TRY(layer_list_create(c->context, distinct, c->chain.words + base, count, ret));
  return distinct ? map_add(c->context, &c->copies, list, 0, *ret, NULL) : DLOC_OK;
}

/* `copy.function.location`, `copy.function.atoms` */
static dloc_status copy_frame(copier *c, dloc_node old, dloc_node inlined_at, bool of_layer, bool innermost,
                              dloc_node *ret) {
  dloc_location content = dloc_location_get(c->context, old);
  bool distinct = dloc_node_is_distinct(c->context, old);
  if (map_get(&c->copies, old, 0, ret))
    return DLOC_OK;
  TRY(copy_scopes(c, content.scope, of_layer, &content.scope));
  if (innermost && !of_layer && !inlined_at)
    TRY(renew_atom(c->context, c->profile, &c->atoms, &content));
  TRY(copy_list(c, content.layers, &content.layers));
  content.inlined_at = inlined_at;
  TRY(dloc_location_create(c->context, distinct, &content, ret));
  return distinct ? map_add(c->context, &c->copies, old, 0, *ret, NULL) : DLOC_OK;
}

static dloc_status copy_location(copier *c, dloc_node old, bool of_layer, dloc_node *ret) {
  dloc_node outer = DLOC_NULL;
  TRY(collect_chain(c->context, old, &c->chain, c->ret_reason));
  for (size_t i = c->chain.count; i-- > 0;)
    TRY(copy_frame(c, c->chain.words[i], outer, of_layer, i == 0, &outer));
  return give_node(ret, outer);
}

static dloc_status copy_layer(void *user, dloc_node old, dloc_node *ret) { return copy_location(user, old, true, ret); }

/* `copy.function.layers`; a distinct composite has a single copy. */
static dloc_status copy_layers(copier *c, dloc_node debug_loc, dloc_node primary, dloc_node *ret) {
  if (map_get(&c->copies, debug_loc, 0, ret))
    return DLOC_OK;
  TRY(map_layers(c->context, debug_loc, primary, copy_layer, c, ret));
  if (!dloc_node_is_distinct(c->context, debug_loc))
    return DLOC_OK;
  TRY(distinct_composite(c->context, *ret, ret));
  return map_add(c->context, &c->copies, debug_loc, 0, *ret, NULL);
}

/* ---- The function ---- */

/* Primaries come first: a subprogram that one of them names is no layer's own any more. */
static dloc_status copy_primaries(copier *c, const dloc_node *debug_locs, size_t count, scratch *ret) {
  for (size_t i = 0; i < count; i++) {
    dloc_node primary = DLOC_NULL;
    TRY(check_operand(c->context, c->profile, debug_locs[i], c->ret_reason));
    if (debug_locs[i]) /* `copy.empty` */
      TRY(copy_location(c, dloc_primary(c->context, debug_locs[i]), false, &primary));
    TRY(scratch_push(c->context, ret, primary));
  }
  return DLOC_OK;
}

dloc_status dloc_copy_function(dloc_context *context, const dloc_profile *profile, dloc_node subprogram,
                               const dloc_node *debug_locs, size_t count, dloc_reason *ret_reason, dloc_node *ret) {
  copier c = {.context = context, .profile = profile, .subprogram = subprogram, .ret_reason = ret_reason};
  c.atoms.first = context->next_atom_group;
  scratch results = {0};
  OWNED_MEMORY(context, &results.words, &c.chain.words, &c.copies.entries, &c.atoms.groups.entries);
  TRY(copy_primaries(&c, debug_locs, count, &results));
  for (size_t i = 0; i < count; i++)
    if (dloc_debug_loc_shape(context, debug_locs[i]) == DLOC_SHAPE_COMPOSITE)
      TRY(copy_layers(&c, debug_locs[i], results.words[i], &results.words[i]));
  if (count)
    memcpy(ret, results.words, count * sizeof *ret);
  return DLOC_OK;
}
