/* SPEC.md, chapter 7: a location that is written as bitcode and read back. */
#include "layers.h"

/* `bitcode.uniqued`, `bitcode.fields`: only the content of a location is written, so it comes back as the uniqued node
 * of that content. Its operands are written as metadata and stay as they were (`bitcode.chain`). `bitcode.repeat`,
 * `bitcode.list.round-trip` */
static dloc_status read_back(dloc_context *context, const dloc_profile *profile, dloc_node location, dloc_node *ret) {
  dloc_location content = dloc_location_get(context, location);
  bool low = DLOC_TAKES(profile, BITCODE_ATOM_GROUP, LOW_32);
  if (low)
    content.atom_group &= UINT32_MAX; /* `bitcode.atom-group.llvm-22` */
  return dloc_location_create(context, false, &content, ret);
}

/* `bitcode.kind`, `bitcode.layer-fields` */
static dloc_status read_back_layers(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                    layer_list *list) {
  dloc_layer layer;
  for (size_t cursor = 0; next_written_layer(context, profile, debug_loc, &cursor, &layer);) {
    TRY(read_back(context, profile, layer.location, &layer.location));
    PUSH(context, *list, layer);
  }
  return DLOC_OK;
}

/* `bitcode.round-trip`: a primary and layers in operand order; `bitcode.no-layers`: without layers just
 * the primary. `bitcode.any-number` */
static dloc_status read_back_all(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                 dloc_node *ret) {
  dloc_node primary = DLOC_NULL;
  layer_list list = {0};
  OWNED_MEMORY(context, &list.items, &list.kinds.entries);
  TRY(read_back(context, profile, dloc_primary(context, debug_loc), &primary));
  TRY(read_back_layers(context, profile, debug_loc, &list));
  return dloc_debug_loc_create(context, primary, list.items, list.count, ret);
}

/* `bitcode.uniqued.tuple` */
dloc_status dloc_round_trip(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                            dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  if (debug_loc)
    return read_back_all(context, profile, debug_loc, ret);
  return give_node(ret, DLOC_NULL); /* `bitcode.empty` */
}
