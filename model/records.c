/* SPEC.md, chapter 7: a location that is written as bitcode and read back. */
#include "metadata.h"

/* `bitcode.uniqued`, `bitcode.fields`: only the content of a location is written, so it comes back as the uniqued node
 * of that content. What it refers to is written as metadata and stays what it was (`bitcode.chain`). */
static dloc_status read_back(dloc_context *context, const dloc_profile *profile, dloc_node location, dloc_node *ret) {
  dloc_location content = dloc_location_get(context, location);
  bool low = DLOC_TAKES(profile, BITCODE_ATOM_GROUP, LOW_32);
  if (low)
    content.atom_group &= UINT32_MAX; /* `bitcode.atom-group.llvm-22` */
  return dloc_location_create(context, false, &content, ret);
}

/* `bitcode.layers` */
static size_t layers_written(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc) {
  size_t count = dloc_layer_count(context, debug_loc);
  bool first_only = DLOC_TAKES(profile, BITCODE_LAYERS, FIRST);
  return first_only && count > 1 ? 1 : count;
}

/* `bitcode.round-trip`: a primary and layers in operand order; `bitcode.no-layers`: without layers just the primary. */
static dloc_status read_back_layers(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                    dloc_node *ret) {
  dloc_node primary = DLOC_NULL;
  size_t count = layers_written(context, profile, debug_loc);
  dloc_layer *layers = context_realloc(context, NULL, (count ? count : 1) * sizeof *layers), layer;
  if (!layers)
    return DLOC_NO_MEMORY;
  dloc_status status = read_back(context, profile, dloc_primary(context, debug_loc), &primary);
  for (size_t i = 0, at = 1; status == DLOC_OK && i < count && next_layer(context, debug_loc, &at, &layer); i++) {
    layers[i].kind = layer.kind;
    status = read_back(context, profile, layer.location, &layers[i].location);
  }
  if (status == DLOC_OK)
    status = dloc_debug_loc_create(context, primary, layers, count, ret);
  context_free(context, layers);
  return status;
}

dloc_status dloc_round_trip(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                            dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  if (debug_loc)
    return read_back_layers(context, profile, debug_loc, ret);
  *ret = DLOC_NULL; /* `bitcode.empty` */
  return DLOC_OK;
}
