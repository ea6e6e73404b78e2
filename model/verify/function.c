/* SPEC.md, chapter 3: the rules about functions, calls, instructions and debug records. */
#include "verify.h"

#include <stdlib.h>

/* ---- Attachments of functions ---- */

static dloc_node function_subprogram(const verifier *v, uint32_t index) {
  dloc_node node = dloc_function_subprogram(v->module, index);
  return kind_of(v, node) == DLOC_KIND_SUBPROGRAM ? node : DLOC_NULL;
}

/* `verify.function.shared` */
static dloc_status check_shared(verifier *v, dloc_node subprogram) {
  uint32_t *attached_to = &v->functions[subprogram];
  if (*attached_to != 0 && *attached_to != v->function + 1) {
    v->other_operand = *attached_to - 1;
    return violated(v, DLOC_REASON_FUNCTION_SHARED_SUBPROGRAM, DLOC_CLAUSE_VERIFY_FUNCTION_SHARED, subprogram);
  }
  *attached_to = v->function + 1;
  return DLOC_OK;
}

/* `verify.function.single`, `verify.function.subprogram`, `verify.function.distinct` */
static dloc_status check_definition_dbg(verifier *v, dloc_node node, uint32_t before) {
  if (before)
    TRY(violated_at(v, violated, DLOC_REASON_FUNCTION_TWO_ATTACHMENTS, DLOC_CLAUSE_VERIFY_FUNCTION_SINGLE, node,
                    before));
  if (kind_of(v, node) != DLOC_KIND_SUBPROGRAM)
    return violated(v, DLOC_REASON_FUNCTION_NOT_SUBPROGRAM, DLOC_CLAUSE_VERIFY_FUNCTION_SUBPROGRAM, node);
  if (!dloc_node_is_distinct(v->context, node))
    TRY(violated(v, DLOC_REASON_FUNCTION_NOT_DISTINCT, DLOC_CLAUSE_VERIFY_FUNCTION_DISTINCT, node));
  return check_shared(v, node);
}

/* `verify.function.declaration` */
static dloc_status check_declaration_dbg(verifier *v, dloc_node node) {
  if (!dloc_node_is_distinct(v->context, node))
    return DLOC_OK;
  return violated(v, DLOC_REASON_FUNCTION_DECLARATION_DISTINCT, DLOC_CLAUSE_VERIFY_FUNCTION_DECLARATION, node);
}

static dloc_status check_function_dbg(verifier *v, const dloc_function *function) {
  bool is_definition = function->flags & DLOC_FUNCTION_DEFINITION;
  uint32_t before = 0;
  for (uint32_t i = 0; i < function->attachment_count; i++) {
    dloc_attachment attachment = module_function_attachment(v->module, v->function, i);
    if (!text_is(v, attachment.kind, "dbg"))
      continue;
    TRY(is_definition ? check_definition_dbg(v, attachment.node, before) : check_declaration_dbg(v, attachment.node));
    TRY(visit(v, attachment.node, LOCATIONS_ALLOWED));
    before++;
  }
  return DLOC_OK;
}

/* `verify.misplaced`: declarations are exempt in LLVM. */
static dloc_status check_function_attachments(verifier *v, const dloc_function *function) {
  TRY(check_function_dbg(v, function));
  for (uint32_t i = 0; i < function->attachment_count; i++) {
    dloc_attachment attachment = module_function_attachment(v->module, v->function, i);
    if (!text_is(v, attachment.kind, "dbg"))
      TRY(visit(v, attachment.node, allowed_if(!(function->flags & DLOC_FUNCTION_DEFINITION))));
  }
  return DLOC_OK;
}

/* ---- The function's subprogram ---- */

bool is_debug_record(const verifier *v, uint32_t flags) {
  if (!(flags & DLOC_INSTRUCTION_DBG_CALL))
    return flags & DLOC_INSTRUCTION_RECORD;
  return DLOC_TAKES(v->profile, VERIFY_DEBUG_CALLS, RECORDS) ||
         (DLOC_TAKES(v->profile, VERIFY_DEBUG_CALLS, LABEL_RECORDS) && flags & DLOC_INSTRUCTION_LABEL_RECORD);
}

static dloc_status check_location_in_function(verifier *v, dloc_node debug_loc) {
  dloc_node location = checked_location(v, debug_loc);
  return location == DLOC_NULL ? DLOC_OK : check_in_function(v, location);
}

static dloc_status check_loop_in_function(verifier *v, dloc_node loop) {
  for (size_t i = 1; i < dloc_operand_count(v->context, loop); i++)
    TRY(check_location_in_function(v, dloc_operand(v->context, loop, i)));
  return DLOC_OK;
}

/* `verify.subprogram`: all of a function's locations before any other rule
 * looks at its instructions, as LLVM does it. */
static dloc_status check_locations(verifier *v, const dloc_function *function) {
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    v->instruction = function->first_instruction + i;
    const dloc_instruction *instruction = &v->module->instructions.items[v->instruction];
    if (is_debug_record(v, instruction->flags))
      continue;
    TRY(check_location_in_function(v, instruction->debug_loc));
    size_t count = dloc_module_attachment_count(v->module, v->instruction);
    for (size_t j = 0; j < count; j++) {
      dloc_attachment attachment = dloc_module_attachment(v->module, v->instruction, j);
      if (text_is(v, attachment.kind, DLOC_LOOP))
        TRY(check_loop_in_function(v, attachment.node));
    }
  }
  return DLOC_OK;
}

/* ---- Debug records ---- */

/* The variable or label of a record. */
static dloc_node record_entity(const verifier *v, const dloc_instruction *record) {
  return record->entity < v->limit ? record->entity : DLOC_NULL;
}

/* `verify.record.entity` */
static dloc_status check_entity(verifier *v, const dloc_instruction *record, bool *ret_fits) {
  dloc_node entity = record_entity(v, record);
  bool is_label = record->flags & DLOC_INSTRUCTION_LABEL_RECORD;
  *ret_fits = class_is(v, entity, is_label ? "DILabel" : "DILocalVariable");
  if (*ret_fits)
    return DLOC_OK;
  return violated(v, is_label ? DLOC_REASON_RECORD_LABEL : DLOC_REASON_RECORD_VARIABLE,
                  DLOC_CLAUSE_VERIFY_RECORD_ENTITY, entity);
}

/* `verify.record.variable`, `verify.record.label`: broken chains are other rules' business. */
static dloc_status check_agreement(verifier *v, const dloc_instruction *record, dloc_node location) {
  dloc_node of_entity, of_location;
  bool is_label = record->flags & DLOC_INSTRUCTION_LABEL_RECORD;
  TRY(owner_of(v, dloc_scope_parent(v->context, record_entity(v, record)), &of_entity));
  TRY(owner_of(v, location_scope(v, location), &of_location));
  if (of_entity >= v->limit || of_location >= v->limit || of_entity == of_location)
    return DLOC_OK;
  return violated(v, is_label ? DLOC_REASON_RECORD_LABEL_SUBPROGRAM : DLOC_REASON_RECORD_VARIABLE_SUBPROGRAM,
                  is_label ? DLOC_CLAUSE_VERIFY_RECORD_LABEL : DLOC_CLAUSE_VERIFY_RECORD_VARIABLE, location);
}

/* `verify.record.location` */
static dloc_status report_no_location(verifier *v, const dloc_instruction *record) {
  bool is_label = record->flags & DLOC_INSTRUCTION_LABEL_RECORD;
  if (is_label && record->debug_loc == DLOC_NULL)
    return violated(v, DLOC_REASON_RECORD_NO_LOCATION, DLOC_CLAUSE_VERIFY_RECORD_LOCATION, DLOC_NULL);
  bool ignored = DLOC_TAKES(v->profile, VERIFY_LABEL_LOCATION, IGNORE);
  if (is_label && ignored)
    return DLOC_OK;
  return attachment_violated(v, DLOC_REASON_RECORD_NOT_LOCATION, DLOC_CLAUSE_VERIFY_RECORD_LOCATION, record->debug_loc);
}

/* LLVM looks into the variable of a record, but not into the label. */
static dloc_status check_record(verifier *v, const dloc_instruction *record) {
  dloc_node location = record->debug_loc;
  bool fits, located = kind_of(v, location) == DLOC_KIND_LOCATION;
  if (located)
    TRY(visit(v, location, LOCATIONS_ALLOWED));
  TRY(check_entity(v, record, &fits));
  if (fits && !(record->flags & DLOC_INSTRUCTION_LABEL_RECORD))
    TRY(visit(v, record_entity(v, record), LOCATIONS_MISPLACED));
  if (!located)
    return report_no_location(v, record);
  return fits ? check_agreement(v, record, location) : DLOC_OK;
}

/* The call of an old llvm.dbg function: what it asks for beside the rules for any instruction. */
static dloc_status check_debug_call(verifier *v, const dloc_instruction *call) {
  bool fits;
  TRY(visit(v, record_entity(v, call), LOCATIONS_MISPLACED));
  TRY(check_entity(v, call, &fits));
  if (call->debug_loc == DLOC_NULL)
    return violated(v, DLOC_REASON_RECORD_NO_LOCATION, DLOC_CLAUSE_VERIFY_RECORD_LOCATION, DLOC_NULL);
  dloc_node location = primary_of(v, call->debug_loc);
  return fits && location != DLOC_NULL ? check_agreement(v, call, location) : DLOC_OK;
}

/* ---- Instructions ---- */

/* Does a call of this function need a location, by `verify.callee`? `verify.call` */
static bool asks_for_location(const verifier *v, uint32_t callee) {
  const dloc_function *function = dloc_module_function(v->module, callee);
  if (!function || function_subprogram(v, callee) == DLOC_NULL)
    return false;
  return DLOC_TAKES(v->profile, VERIFY_CALLEE, ANY) ||
         (function->flags & DLOC_FUNCTION_DEFINITION && !(function->flags & DLOC_FUNCTION_INTERPOSABLE));
}

/* `verify.call` */
static dloc_status check_call(verifier *v, const dloc_instruction *call) {
  if (v->subprogram == DLOC_NULL || call->debug_loc != DLOC_NULL || !asks_for_location(v, call->callee))
    return DLOC_OK;
  return violated(v, DLOC_REASON_CALL_NO_LOCATION, DLOC_CLAUSE_VERIFY_CALL, DLOC_NULL);
}

static dloc_status check_attachment(verifier *v, dloc_attachment attachment) {
  bool visited = v->marks[attachment.node] & MARK_VISITED;
  return visited ? DLOC_OK
                 : visit(v, attachment.node, allowed_if(text_is(v, attachment.kind, DLOC_LOOP))); /* `shape.loop` */
}

/* `shape.empty` */
static dloc_status check_instruction(verifier *v, const dloc_instruction *instruction) {
  if (is_debug_record(v, instruction->flags))
    return check_record(v, instruction);
  if (instruction->flags & DLOC_INSTRUCTION_DBG_CALL)
    TRY(check_debug_call(v, instruction));
  else if (instruction->flags & DLOC_INSTRUCTION_CALL)
    TRY(check_call(v, instruction));
  if (instruction->debug_loc != DLOC_NULL)
    TRY(check_debug_loc(v, instruction->debug_loc));
  size_t count = dloc_module_attachment_count(v->module, v->instruction);
  for (size_t i = 0; i < count; i++)
    TRY(check_attachment(v, dloc_module_attachment(v->module, v->instruction, i)));
  return DLOC_OK;
}

/* ---- Functions ---- */

/* `verify.function-without-subprogram` */
static dloc_status check_function(verifier *v, uint32_t index) {
  const dloc_function *function = &v->module->functions.items[index];
  v->function = index;
  v->instruction = DLOC_NO_INDEX;
  v->subprogram = function_subprogram(v, index);
  TRY(check_function_attachments(v, function));
  if (v->subprogram != DLOC_NULL)
    TRY(check_locations(v, function));
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    v->instruction = function->first_instruction + i;
    TRY(check_instruction(v, &v->module->instructions.items[v->instruction]));
  }
  return DLOC_OK;
}

/* Functions that have content in the order in which they were begun: a function that was called first has an earlier
 * index. Those with instructions are ordered by these, those with attachments alone by them. */
static int compare_functions(const void *left, const void *right) {
  const dloc_function *a = *(const dloc_function *const *)left, *b = *(const dloc_function *const *)right;
  int order = ORDER(a->first_attachment, b->first_attachment);
  if (!order)
    order = ORDER(a->first_instruction, b->first_instruction);
  return order ? order : ORDER(a, b);
}

static bool has_content(const dloc_function *function) {
  return function->attachment_count || function->instruction_count;
}

dloc_status check_functions(verifier *v) {
  const dloc_function *functions = v->module->functions.items;
  size_t count = 0;
  if (v->module->functions.count == 0)
    return DLOC_OK;
  ALLOCATE(v->context, const dloc_function *, order, v->module->functions.count);
  OWNED_MEMORY(v->context, &order);
  for (size_t i = 0; i < v->module->functions.count; i++)
    if (has_content(&functions[i]))
      order[count++] = &functions[i];
  qsort(order, count, sizeof *order, compare_functions);
  for (size_t i = 0; i < count; i++)
    TRY(check_function(v, (uint32_t)(order[i] - functions)));
  return DLOC_OK;
}
