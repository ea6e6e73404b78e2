/* SPEC.md, chapters 2, 3 and 6: the shape of `!dbg` and its layers. */
#include "layers.h"
#include "verify.h"

dloc_node checked_location(const verifier *v, dloc_node debug_loc) {
  bool skipped = kind_of(v, debug_loc) != DLOC_KIND_LOCATION && DLOC_TAKES(v->profile, VERIFY_COMPOSITES, SKIP);
  return skipped ? DLOC_NULL : primary_of(v, debug_loc);
}

/* ---- One layer ---- */

/* `shape.kind.empty` */
static dloc_status check_kind(verifier *v, dloc_node debug_loc, dloc_node kind) {
  if (DLOC_TAKES(v->profile, SHAPE_EMPTY_KIND, ACCEPT) || dloc_node_text(v->context, kind).size > 0)
    return DLOC_OK;
  return violated(v, DLOC_REASON_SHAPE_EMPTY_KIND, DLOC_CLAUSE_SHAPE_KIND_EMPTY, debug_loc);
}

/* `source.missing`: once per module, before anything is said of its layers. */
static dloc_status check_listed(verifier *v) {
  bool first = !v->layers_met, accepted = DLOC_TAKES(v->profile, SOURCE_MISSING, ACCEPT);
  v->layers_met = true;
  if (!first || v->sources_listed || accepted)
    return DLOC_OK;
  return violated(v, DLOC_REASON_SOURCE_MISSING, DLOC_CLAUSE_SOURCE_MISSING, DLOC_NULL);
}

/* `source.undeclared` */
static dloc_status check_declared(verifier *v, dloc_node debug_loc, dloc_node location) {
  dloc_node file = dloc_place_of_layer(v->context, location).file;
  bool accepted = DLOC_TAKES(v->profile, SOURCE_UNDECLARED, ACCEPT);
  if (accepted || !v->sources_listed || v->marks[file] & MARK_LISTED)
    return DLOC_OK;
  return violated(v, DLOC_REASON_SOURCE_UNDECLARED, DLOC_CLAUSE_SOURCE_UNDECLARED, debug_loc);
}

/* `shape.layer`, alternative any. With the choice `accessor.not-a-layer` the list of sources may ask for its file. */
static dloc_status check_no_layer(verifier *v, dloc_node debug_loc, size_t index) {
  dloc_layer parts;
  bool skipped = DLOC_TAKES(v->profile, ACCESSOR_NOT_A_LAYER, SKIPPED);
  if (skipped || parts_at(v->context, debug_loc, index, &parts) < 2 || !parts.location)
    return DLOC_OK;
  TRY(check_listed(v));
  return check_declared(v, debug_loc, parts.location);
}

/* `shape.layer`, `shape.layer.primary`, `scope.layer.inlined-at` */
static dloc_status check_entry(verifier *v, dloc_node debug_loc, size_t index) {
  dloc_layer layer = {DLOC_NULL, DLOC_NULL};
  dloc_reason reason = entry_at(v->context, debug_loc, index, &layer);
  bool strict = DLOC_TAKES(v->profile, SHAPE_LAYER, STRICT);
  if (strict || reason == DLOC_REASON_NONE)
    TRY(check_listed(v));
  if (reason != DLOC_REASON_NONE)
    return strict ? violated(v, reason, DLOC_CLAUSE_SHAPE_LAYER, debug_loc) : check_no_layer(v, debug_loc, index);
  TRY(check_kind(v, debug_loc, layer.kind));
  return check_declared(v, debug_loc, layer.location);
}

/* ---- All layers ---- */

/* Beside the first layer of that kind. */
static dloc_status report_repeated(verifier *v, dloc_node debug_loc, dloc_node kind, size_t index) {
  dloc_layer layer = {.kind = DLOC_NULL};
  size_t cursor = 0;
  while (layer.kind != kind && dloc_next_layer(v->context, debug_loc, &cursor, &layer))
    ;
  v->other = debug_loc;
  v->other_operand = (uint32_t)cursor - 1;
  return violated_at(v, violated, DLOC_REASON_SHAPE_REPEATED_KIND, DLOC_CLAUSE_SHAPE_KIND_REPEATED, debug_loc, index);
}

/* `shape.kind.repeated`: owners, which strings do not have, hold for each kind the DebugLoc it was last met in. Kinds
 * are interned: one node, one kind. */
static dloc_status check_repeated(verifier *v, dloc_node debug_loc) {
  if (DLOC_TAKES(v->profile, SHAPE_REPEATED_KIND, ACCEPT))
    return DLOC_OK;
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(v->context, debug_loc, &cursor, &layer);) {
    if (v->owners[layer.kind] == debug_loc)
      return report_repeated(v, debug_loc, layer.kind, cursor - 1);
    v->owners[layer.kind] = debug_loc;
  }
  return DLOC_OK;
}

/* `shape.no-layers`, `shape.any-number` */
static dloc_status check_layers(verifier *v, dloc_node debug_loc) {
  size_t count = entry_count(v->context, debug_loc);
  if (count == 0 && DLOC_TAKES(v->profile, SHAPE_NO_LAYERS, REJECT))
    TRY(violated(v, DLOC_REASON_SHAPE_NO_LAYERS, DLOC_CLAUSE_SHAPE_NO_LAYERS, debug_loc));
  for (size_t i = 0; i < count; i++) {
    v->operand = (uint32_t)i;
    TRY(check_entry(v, debug_loc, i));
  }
  v->operand = DLOC_NO_INDEX;
  return check_repeated(v, debug_loc);
}

/* ---- The whole DebugLoc ---- */

/* `verify.atoms`: the location's own subprogram counts. */
static dloc_status check_atoms(verifier *v, dloc_node location) {
  dloc_node owner;
  if (DLOC_TAKES(v->profile, METADATA_ATOMS, UNKNOWN) || dloc_location_get(v->context, location).atom_group == 0)
    return DLOC_OK;
  TRY(owner_of(v, location_scope(v, location), &owner));
  if (owner >= v->limit || field_of(v, owner, FIELD_SUBPROGRAM_keyInstructions) != DLOC_NULL)
    return DLOC_OK;
  v->other = owner;
  return violated(v, DLOC_REASON_LOCATION_ATOM_GROUP, DLOC_CLAUSE_VERIFY_ATOMS, location);
}

/* Once per node: nothing here depends on the function. `shape.other`, `scope.layer.local`, `scope.layer.function` */
dloc_status check_debug_loc(verifier *v, dloc_node debug_loc) {
  dloc_node primary = primary_of(v, debug_loc);
  if (v->marks[debug_loc] & MARK_SHAPED)
    return DLOC_OK;
  v->marks[debug_loc] |= MARK_SHAPED;
  if (primary == DLOC_NULL) {
    dloc_reason reason = debug_loc_fault(v->context, debug_loc);
    bool is_other = reason == DLOC_REASON_SHAPE_NOT_A_LOCATION;
    return attachment_violated(v, reason, is_other ? DLOC_CLAUSE_SHAPE_OTHER : DLOC_CLAUSE_SHAPE_MINIMUM, debug_loc);
  }
  if (primary != debug_loc)
    TRY(check_layers(v, debug_loc));
  TRY(visit(v, debug_loc, LOCATIONS_ALLOWED));
  return check_atoms(v, checked_location(v, debug_loc));
}
