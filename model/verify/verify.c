/* SPEC.md, chapter 3: the verification of a module. */
#include "verify.h"

#include <string.h>

/* ---- What a release does not know ---- */

/* `verify.release` */
static dloc_status check_known_records(verifier *v) {
  if (DLOC_TAKES(v->profile, METADATA_RECORDS, KNOWN))
    return DLOC_OK;
  for (size_t i = 0; i < v->module->instructions.count; i++)
    if (v->module->instructions.items[i].flags & DLOC_INSTRUCTION_RECORD) {
      v->instruction = (uint32_t)i;
      TRY(violated(v, DLOC_REASON_UNKNOWN_RECORD, DLOC_CLAUSE_VERIFY_RELEASE, DLOC_NULL));
    }
  v->instruction = DLOC_NO_INDEX;
  return DLOC_OK;
}

static bool has_atom(const verifier *v, dloc_node location) {
  dloc_location content = dloc_location_get(v->context, location);
  return content.atom_group || content.atom_rank;
}

static dloc_reason judge_known(const verifier *v, dloc_node node) {
  bool no_atoms = DLOC_TAKES(v->profile, METADATA_ATOMS, UNKNOWN);
  bool no_irlayers = DLOC_TAKES(v->profile, METADATA_IRLAYERS, UNKNOWN);
  switch (kind_of(v, node)) {
  case DLOC_KIND_LOCATION:
    if (no_irlayers && location_content(v->context, node).layers)
      return DLOC_REASON_UNKNOWN_IRLAYERS;
    return no_atoms && has_atom(v, node) ? DLOC_REASON_UNKNOWN_ATOMS : DLOC_REASON_NONE;
  case DLOC_KIND_SUBPROGRAM:
    if (DLOC_TAKES(v->profile, METADATA_SUBPROGRAM_TYPE, REQUIRED) &&
        field_of(v, node, FIELD_SUBPROGRAM_type) == DLOC_NULL)
      return DLOC_REASON_SUBPROGRAM_NO_TYPE;
    return no_atoms && field_of(v, node, FIELD_SUBPROGRAM_keyInstructions) ? DLOC_REASON_UNKNOWN_KEY_INSTRUCTIONS
                                                                           : DLOC_REASON_NONE;
  case DLOC_KIND_INTERMEDIATE_SCOPE:
    return DLOC_TAKES(v->profile, METADATA_INTERMEDIATE_SCOPE, UNKNOWN) ? DLOC_REASON_UNKNOWN_CLASS : DLOC_REASON_NONE;
  case DLOC_KIND_LAYER:
  case DLOC_KIND_LAYER_LIST:
    return no_irlayers ? DLOC_REASON_UNKNOWN_CLASS : DLOC_REASON_NONE;
  case DLOC_KIND_OTHER:
    return DLOC_TAKES(v->profile, METADATA_RECORDS, UNKNOWN) && class_is(v, node, "DIAssignID")
               ? DLOC_REASON_UNKNOWN_CLASS
               : DLOC_REASON_NONE;
  default:
    return DLOC_REASON_NONE;
  }
}

/* `verify.release`: even of an unused node the text cannot be read. */
static dloc_status check_known(verifier *v) {
  TRY(check_known_records(v));
  for (dloc_node node = 1; node < v->limit; node++) {
    dloc_reason reason = judge_known(v, node);
    if (reason != DLOC_REASON_NONE && dloc_canonical(v->context, node) == node)
      TRY(violated(v, reason, DLOC_CLAUSE_VERIFY_RELEASE, node));
  }
  return DLOC_OK;
}

/* ---- The version of the debug info ---- */

/* The value of a constant such as `i32 3`; 0 when it is no plain number. */
static uint64_t constant_number(const verifier *v, dloc_node constant) {
  dloc_text text = dloc_node_text(v->context, constant);
  uint64_t value = 0;
  size_t i = 0;
  while (i < text.size && text.bytes[i] != ' ')
    i++;
  while (i < text.size && text.bytes[i] == ' ')
    i++;
  for (; i < text.size; i++) {
    if (text.bytes[i] < '0' || text.bytes[i] > '9' || value > UINT32_MAX)
      return 0;
    value = value * 10 + (uint64_t)(text.bytes[i] - '0');
  }
  return value;
}

/* `verify.version`: of debug info of another version LLVM looks only at what it cannot drop. */
static dloc_status check_version(verifier *v) {
  enum { THIS_VERSION = 3 };
  v->stripped = constant_number(v, module_flag(v->module, DLOC_VERSION_FLAG)) != THIS_VERSION;
  if (!v->stripped || !has_debug_info(v))
    return DLOC_OK;
  return violated(v, DLOC_REASON_MODULE_VERSION, DLOC_CLAUSE_VERIFY_VERSION, DLOC_NULL);
}

/* ---- Globals and named metadata ---- */

/* `verify.unit-list`, for globals */
static dloc_status check_globals(verifier *v) {
  for (size_t i = 0; i < v->module->global_attachments.count; i++) {
    dloc_attachment attachment = v->module->global_attachments.items[i];
    if (text_is(v, attachment.kind, "dbg") && !class_is(v, attachment.node, "DIGlobalVariableExpression"))
      TRY(violated(v, DLOC_REASON_GLOBAL_NOT_EXPRESSION, DLOC_CLAUSE_VERIFY_UNIT_LIST, attachment.node));
  }
  return DLOC_OK;
}

/* `verify.unit-list` */
static dloc_status check_named(verifier *v, const dloc_named_metadata *named) {
  bool is_unit_list = text_is(v, named->name, DLOC_UNIT_LIST);
  if (!is_unit_list && text_starts(v, named->name, "llvm.dbg."))
    TRY(violated(v, DLOC_REASON_MODULE_DEBUG_NAME, DLOC_CLAUSE_VERIFY_UNIT_LIST, DLOC_NULL));
  for (size_t i = 0; i < named->operand_count; i++) {
    dloc_node operand = dloc_module_named_operand(v->module, named, i);
    v->operand = (uint32_t)i;
    if (is_unit_list && kind_of(v, operand) != DLOC_KIND_COMPILE_UNIT)
      TRY(violated(v, DLOC_REASON_UNIT_NOT_A_UNIT, DLOC_CLAUSE_VERIFY_UNIT_LIST, operand));
    v->operand = DLOC_NO_INDEX;
    TRY(visit(v, operand, LOCATIONS_ALLOWED));
  }
  return DLOC_OK;
}

static dloc_status check_all_named(verifier *v) {
  for (size_t i = 0; i < v->module->named.count; i++) {
    v->named = (uint32_t)i;
    TRY(check_named(v, &v->module->named.items[i].metadata));
  }
  v->named = DLOC_NO_INDEX;
  return DLOC_OK;
}

static void list_units(verifier *v) {
  dloc_named_metadata list;
  if (!dloc_module_find_named(v->module, dloc_text_of(DLOC_UNIT_LIST), &list))
    return;
  for (size_t i = 0; i < list.operand_count; i++)
    v->marks[dloc_module_named_operand(v->module, &list, i)] |= MARK_LISTED;
}

/* ---- The module ---- */

/* In LLVM's order: functions, globals, named metadata, compile units. */
static dloc_status check_whole(verifier *v) {
  list_units(v);
  list_sources(v);
  TRY(check_functions(v));
  v->function = v->instruction = DLOC_NO_INDEX;
  TRY(check_globals(v));
  return check_all_named(v);
}

static dloc_status check_module(verifier *v) {
  TRY(check_known(v));
  TRY(check_version(v));
  TRY(v->stripped ? each_survivor(v, visit) : check_whole(v));
  TRY(check_units_listed(v));
  return check_sources(v);
}

static dloc_status mark_all_survivors(verifier *v) { return each_survivor(v, mark_survivors); }

dloc_status dloc_verify(const dloc_module *module, const dloc_profile *profile, dloc_report *report, void *user,
                        dloc_verdict *ret) {
  dloc_context *context = dloc_module_context(module);
  uint32_t limit = dloc_node_limit(context);
  verifier v = {.module = module,
                .context = context,
                .profile = profile,
                .limit = limit,
                .mark_survivors = mark_all_survivors,
                .report = report,
                .user = user};
  OWNED_MEMORY(context, &v.marks, &v.owners, &v.functions, &v.stack.words, &v.path.words, &v.units.words);
  v.function = v.instruction = v.named = DLOC_NO_INDEX;
  v.operand = v.other_operand = DLOC_NO_INDEX;
  ALLOCATE_ZEROED(context, v.marks, limit);
  ALLOCATE_ZEROED(context, v.owners, limit);
  ALLOCATE_ZEROED(context, v.functions, limit);
  TRY(check_module(&v));
  if (ret)
    *ret = v.verdict;
  return DLOC_OK;
}
