/* spec/transformations.md, chapter 5.7: what stripping debug info leaves of locations and of embedded texts. */
#include "source.h"

struct dloc_stripper {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_strip_keep keep;
  map nodes;         /* what a subprogram, a unit or a frame of a chain became */
  node_notes frames; /* call site -> stripped */
  scratch chain;
  dloc_reason *ret_reason; /* of the location at hand */
};

/* ---- Units and subprograms ---- */

/* The result for each node is remembered. `strip.shared` */
static dloc_status strip_fields(dloc_stripper *stripper, dloc_node old, const dloc_field *changes, size_t count,
                                dloc_node *ret) {
  TRY(change_fields(stripper->context, old, dloc_node_is_distinct(stripper->context, old), changes, count, ret));
  return map_add(stripper->context, &stripper->nodes, old, 0, *ret, NULL);
}

/* `strip.unit` */
static dloc_status strip_unit(dloc_stripper *stripper, dloc_node old, dloc_node *ret) {
  const dloc_node *keys = stripper->context->field_keys;
  dloc_node emission;
  if (map_get(&stripper->nodes, old, 0, ret))
    return DLOC_OK;
  TRY(dloc_token(stripper->context, dloc_text_of("LineTablesOnly"), &emission));
  const dloc_field changes[] = {{keys[FIELD_COMPILE_UNIT_emissionKind], emission},
                                {keys[FIELD_COMPILE_UNIT_enums], DLOC_NULL},
                                {keys[FIELD_COMPILE_UNIT_retainedTypes], DLOC_NULL},
                                {keys[FIELD_COMPILE_UNIT_globals], DLOC_NULL},
                                {keys[FIELD_COMPILE_UNIT_imports], DLOC_NULL}};
  return strip_fields(stripper, old, changes, sizeof changes / sizeof *changes, ret);
}

/* `!DISubroutineType(types: !{})` */
static dloc_status empty_type(dloc_context *context, dloc_node *ret) {
  dloc_field types;
  TRY(dloc_token(context, dloc_text_of("types"), &types.key));
  TRY(dloc_tuple(context, false, NULL, 0, &types.value));
  return dloc_specialised(context, dloc_text_of("DISubroutineType"), false, &types, 1, NULL, ret);
}

/* `strip.subprogram` */
static dloc_status strip_subprogram(dloc_stripper *stripper, dloc_node old, dloc_node *ret) {
  dloc_context *context = stripper->context;
  const dloc_node *keys = context->field_keys;
  dloc_node unit = node_field(context, old, keys[FIELD_SUBPROGRAM_unit]);
  dloc_node type = node_field(context, old, keys[FIELD_SUBPROGRAM_type]);
  dloc_node linkage_name = node_field(context, old, keys[FIELD_SUBPROGRAM_linkageName]);
  if (map_get(&stripper->nodes, old, 0, ret))
    return DLOC_OK;
  if (type)
    TRY(empty_type(context, &type));
  if (node_kind(context, unit) == DLOC_KIND_COMPILE_UNIT) /* what else stands there stays */
    TRY(strip_unit(stripper, unit, &unit));
  if (node_field(context, old, keys[FIELD_SUBPROGRAM_name]))
    linkage_name = DLOC_NULL;
  const dloc_field changes[] = {{keys[FIELD_SUBPROGRAM_scope], node_field(context, old, keys[FIELD_SUBPROGRAM_file])},
                                {keys[FIELD_SUBPROGRAM_type], type},
                                {keys[FIELD_SUBPROGRAM_unit], unit},
                                {keys[FIELD_SUBPROGRAM_linkageName], linkage_name},
                                {keys[FIELD_SUBPROGRAM_containingType], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_templateParams], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_declaration], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_thrownTypes], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_annotations], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_targetFuncName], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_keyInstructions], DLOC_NULL},
                                {keys[FIELD_SUBPROGRAM_retainedNodes], DLOC_NULL}};
  return strip_fields(stripper, old, changes, sizeof changes / sizeof *changes, ret);
}

/* ---- Locations ---- */

/* `strip.location`, `strip.scope`, `strip.list`: a location with another inlinedAt. */
static dloc_status strip_frame(dloc_stripper *stripper, dloc_node old, bool distinct, dloc_node inlined_at,
                               dloc_node *ret) {
  dloc_context *context = stripper->context;
  dloc_location content = dloc_location_get(context, old);
  dloc_node subprogram = dloc_scope_subprogram(context, content.scope);
  if (!subprogram)
    return fail(stripper->ret_reason, DLOC_REASON_OPERAND_BROKEN_SCOPE);
  TRY(strip_subprogram(stripper, subprogram, &subprogram));
  dloc_location stripped = {
      .line = content.line, .column = content.column, .scope = subprogram, .inlined_at = inlined_at};
  if (DLOC_TAKES(stripper->profile, STRIP_LAYERS, KEEP))
    stripped.layers = content.layers;
  return dloc_location_create(context, distinct, &stripped, ret);
}

/* `strip.chain`: outermost first; a frame that is stripped already stays one node. */
static dloc_status strip_location(dloc_stripper *stripper, dloc_node old, dloc_node *ret) {
  dloc_context *context = stripper->context;
  dloc_node inlined_at = DLOC_NULL;
  TRY(collect_chain_until(context, old, &stripper->frames, &stripper->chain, stripper->ret_reason));
  for (size_t i = stripper->chain.count; i-- > 1;) {
    dloc_node frame = stripper->chain.words[i];
    if (note_get(&stripper->frames, 0, frame, &inlined_at))
      continue;
    TRY(strip_frame(stripper, frame, dloc_node_is_distinct(context, frame), inlined_at, &inlined_at));
    TRY(note_set(context, &stripper->frames, 0, frame, inlined_at));
  }
  return strip_frame(stripper, old, false, inlined_at, ret);
}

/* `strip.layer.file`: in the stripped subprogram, a block file of the file that the layer had. */
static dloc_status keep_file(dloc_stripper *stripper, dloc_node file, dloc_node *location) {
  dloc_context *context = stripper->context;
  dloc_location content = dloc_location_get(context, *location);
  if (!file || file == dloc_scope_file(context, content.scope))
    return DLOC_OK;
  TRY(dloc_lexical_block_file(context, content.scope, file, 0, &content.scope));
  return dloc_location_create(context, false, &content, location);
}

static dloc_status strip_layer(void *user, dloc_node old, dloc_node *ret) {
  dloc_stripper *stripper = user;
  TRY(strip_location(stripper, old, ret));
  return keep_file(stripper, dloc_place_of_layer(stripper->context, old).file, ret);
}

/* `strip.layers` */
dloc_status dloc_strip_instruction(dloc_stripper *stripper, dloc_node debug_loc, dloc_reason *ret_reason,
                                   dloc_node *ret) {
  dloc_context *context = stripper->context;
  TRY(check_operand(context, stripper->profile, debug_loc, ret_reason));
  if (debug_loc == DLOC_NULL || stripper->keep == DLOC_STRIP_KEEP_NOTHING)
    return give_node(ret, DLOC_NULL); /* `strip.all` */
  dloc_node primary;
  stripper->ret_reason = ret_reason;
  TRY(strip_location(stripper, dloc_primary(context, debug_loc), &primary));
  if (DLOC_TAKES(stripper->profile, STRIP_LAYERS, KEEP))
    return map_layers(context, debug_loc, primary, strip_layer, stripper, ret);
  return give_node(ret, primary);
}

/* ---- Embedded texts ---- */

/* `strip.sources`, `strip.sources.line-tables` */
dloc_status dloc_strip_source(dloc_stripper *stripper, dloc_node entry, dloc_node *ret) {
  dloc_context *context = stripper->context;
  dloc_source source;
  if (!source_read(context, entry, &source))
    return DLOC_INVALID;
  if (stripper->keep == DLOC_STRIP_KEEP_NOTHING)
    return give_node(ret, entry);
  dloc_node operands[3];
  for (size_t i = 0; i < 3; i++)
    operands[i] = dloc_operand(context, entry, i);
  return dloc_tuple(context, false, operands, 3, ret);
}

/* ---- The stripper ---- */

dloc_status dloc_stripper_create(dloc_context *context, const dloc_profile *profile, dloc_strip_keep keep,
                                 dloc_stripper **ret) {
  CREATE(context, dloc_stripper, stripper, .context = context, .profile = profile, .keep = keep);
  *ret = stripper;
  return DLOC_OK;
}

void dloc_stripper_destroy(dloc_stripper *stripper) {
  if (stripper)
    CONTEXT_FREE(stripper->context, stripper->nodes.entries, stripper->frames.items, stripper->chain.words, stripper);
}
