/* SPEC.md, chapter 3: the rules about locations and scopes. */
#include "verify.h"

bool is_definition_node(verifier *v, dloc_node subprogram) {
  uint8_t *mark = &v->marks[subprogram];
  if (!(*mark & MARK_CLASSIFIED))
    *mark |= MARK_CLASSIFIED | (subprogram_is_definition(v->context, subprogram) ? MARK_DEFINITION : 0);
  return *mark & MARK_DEFINITION;
}

bool is_declaration_node(verifier *v, dloc_node node) {
  return kind_of(v, node) == DLOC_KIND_SUBPROGRAM && !is_definition_node(v, node);
}

dloc_node primary_of(const verifier *v, dloc_node debug_loc) {
  dloc_shape shape = dloc_debug_loc_shape(v->context, debug_loc);
  if (shape == DLOC_SHAPE_COMPOSITE && !DLOC_TAKES(v->profile, SHAPE_TUPLE, ACCEPT))
    return DLOC_NULL;
  return dloc_primary(v->context, debug_loc);
}

/* `verify.inlined-at`: the location that an inlinedAt is; DLOC_NULL: it is none. */
static dloc_node call_site_of(const verifier *v, dloc_node inlined_at) {
  return kind_of(v, inlined_at) == DLOC_KIND_LOCATION ? inlined_at : DLOC_NULL;
}

/* ---- Owners ---- */

/* One step up a chain: from a location to its inlinedAt, or without one to its scope; from a scope to its parent. Where
 * the chain ends, DLOC_NULL, and the owner of the end in *ret_owner. */
static dloc_node step_up(const verifier *v, dloc_node node, dloc_node *ret_owner) {
  bool of_location = kind_of(v, node) == DLOC_KIND_LOCATION;
  bool is_top = kind_of(v, node) == DLOC_KIND_SUBPROGRAM;
  *ret_owner = is_top ? node : OWNER_NONE;
  if (is_top)
    return DLOC_NULL;
  if (of_location && location_inlined_at(v, node) != DLOC_NULL)
    return call_site_of(v, location_inlined_at(v, node));
  dloc_node next = of_location ? location_scope(v, node) : dloc_scope_parent(v->context, node);
  return dloc_is_local_scope(v->context, next) ? next : DLOC_NULL;
}

/* `verify.cycle`: the chain came back to this node. */
static dloc_status report_cycle(verifier *v, dloc_node node) {
  bool of_locations = kind_of(v, node) == DLOC_KIND_LOCATION;
  return node_violated(v, of_locations ? DLOC_REASON_LOCATION_INLINED_AT_CYCLE : DLOC_REASON_SCOPE_CYCLE,
                       DLOC_CLAUSE_VERIFY_CYCLE, node);
}

/* Walk up until the owner is known, then note it for the whole way. `verify.cycle` */
static dloc_status walk_up(verifier *v, dloc_node node) {
  dloc_node owner = OWNER_UNKNOWN;
  v->path.count = 0;
  while (owner == OWNER_UNKNOWN) {
    v->owners[node] = OWNER_WALKING;
    TRY(scratch_push(v->context, &v->path, node));
    dloc_node next = step_up(v, node, &owner);
    if (next == DLOC_NULL)
      break;
    owner = v->owners[next];
    node = next;
  }
  bool closed = owner == OWNER_WALKING;
  if (closed)
    owner = OWNER_CYCLE;
  for (size_t i = 0; i < v->path.count; i++)
    v->owners[v->path.words[i]] = owner;
  return closed ? report_cycle(v, node) : DLOC_OK;
}

dloc_status owner_of(verifier *v, dloc_node node, dloc_node *ret) {
  if (kind_of(v, node) != DLOC_KIND_LOCATION && !dloc_is_local_scope(v->context, node))
    return give_node(ret, OWNER_NONE);
  if (v->owners[node] == OWNER_UNKNOWN)
    TRY(walk_up(v, node));
  return give_node(ret, v->owners[node]);
}

/* ---- Single nodes ---- */

/* `verify.cycle`: a chain that nothing else has walked yet. */
static dloc_status check_cycle(verifier *v, dloc_node node) {
  dloc_node owner;
  bool is_scope = kind_of(v, node) != DLOC_KIND_LOCATION;
  bool walks =
      DLOC_TAKES(v->profile, VERIFY_CYCLES, EVERYWHERE) || (is_scope && DLOC_TAKES(v->profile, VERIFY_CYCLES, SCOPES));
  return walks ? owner_of(v, node, &owner) : DLOC_OK;
}

/* `verify.scope-valid`, `verify.inlined-at`, `verify.scope-declaration`, `verify.list.operand`: the first violation. */
static dloc_status check_location_fields(verifier *v, dloc_node location) {
  dloc_node scope = location_scope(v, location), inlined_at = location_inlined_at(v, location);
  if (!dloc_is_local_scope(v->context, scope))
    return node_violated(v, DLOC_REASON_LOCATION_SCOPE_REQUIRED, DLOC_CLAUSE_VERIFY_SCOPE_VALID, location);
  if (inlined_at != DLOC_NULL && call_site_of(v, inlined_at) == DLOC_NULL)
    return node_violated(v, DLOC_REASON_LOCATION_INLINED_AT, DLOC_CLAUSE_VERIFY_INLINED_AT, location);
  if (is_declaration_node(v, scope))
    return node_violated(v, DLOC_REASON_LOCATION_SCOPE_DECLARATION, DLOC_CLAUSE_VERIFY_SCOPE_DECLARATION, location);
  dloc_node list = location_content(v->context, location).layers;
  if (list != DLOC_NULL && kind_of(v, list) != DLOC_KIND_LAYER_LIST)
    return node_violated(v, DLOC_REASON_IRLAYERS_OPERAND, DLOC_CLAUSE_VERIFY_LIST_OPERAND, location);
  return DLOC_OK;
}

/* `verify.location-column` */
dloc_status check_location(verifier *v, dloc_node location) {
  TRY(check_location_fields(v, location));
  return check_cycle(v, location);
}

/* `verify.block.column` */
static dloc_status check_column(verifier *v, dloc_node block) {
  bool has_line = field_of(v, block, FIELD_LEXICAL_BLOCK_line) != DLOC_NULL;
  bool has_column = field_of(v, block, FIELD_LEXICAL_BLOCK_column) != DLOC_NULL;
  if (has_line || !has_column)
    return DLOC_OK;
  return node_violated(v, DLOC_REASON_SCOPE_COLUMN_WITHOUT_LINE, DLOC_CLAUSE_VERIFY_BLOCK_COLUMN, block);
}

/* `scope.intermediate` */
static dloc_status check_intermediate(verifier *v, dloc_node scope) {
  if (kind_of(v, dloc_scope_file(v->context, scope)) == DLOC_KIND_FILE)
    return DLOC_OK;
  return node_violated(v, DLOC_REASON_SCOPE_INTERMEDIATE_FILE, DLOC_CLAUSE_SCOPE_INTERMEDIATE, scope);
}

/* `verify.block.scope`, `verify.block.declaration`; for a DIIntermediateScope as for a DILexicalBlockFile. */
dloc_status check_scope(verifier *v, dloc_node scope) {
  dloc_node parent = dloc_scope_parent(v->context, scope);
  if (!dloc_is_local_scope(v->context, parent))
    TRY(node_violated(v, DLOC_REASON_SCOPE_NOT_LOCAL, DLOC_CLAUSE_VERIFY_BLOCK_SCOPE, scope));
  if (is_declaration_node(v, parent))
    TRY(node_violated(v, DLOC_REASON_SCOPE_DECLARATION, DLOC_CLAUSE_VERIFY_BLOCK_DECLARATION, scope));
  if (kind_of(v, scope) == DLOC_KIND_LEXICAL_BLOCK)
    TRY(check_column(v, scope));
  if (kind_of(v, scope) == DLOC_KIND_INTERMEDIATE_SCOPE)
    TRY(check_intermediate(v, scope));
  return check_cycle(v, scope);
}

/* ---- In a function with a subprogram ---- */

/* `verify.scope-local`, `verify.subprogram`; a cycle is reported where it is
 * met, and has no owner that could be wrong. */
dloc_status check_in_function(verifier *v, dloc_node location) {
  if (v->functions[location] == v->function + 1)
    return DLOC_OK;
  v->functions[location] = v->function + 1;
  if (!dloc_is_local_scope(v->context, location_scope(v, location)))
    return violated(v, DLOC_REASON_LOCATION_SCOPE_NOT_LOCAL, DLOC_CLAUSE_VERIFY_SCOPE_LOCAL, location);
  dloc_node owner;
  TRY(owner_of(v, location, &owner));
  if (owner == v->subprogram || owner == OWNER_CYCLE)
    return DLOC_OK;
  v->other = owner < v->limit ? owner : DLOC_NULL;
  return violated(v, DLOC_REASON_LOCATION_WRONG_SUBPROGRAM, DLOC_CLAUSE_VERIFY_SUBPROGRAM, location);
}
