/* SPEC.md, chapter 3, `verify.severity` and `verify.version`: what LLVM keeps when it drops the debug info of a module.
 * It drops every `!dbg`, record and `!llvm.dbg.*`; nodes that are reached otherwise stay. */
#include "verify.h"

static bool is_dropped_name(const verifier *v, dloc_node name) {
  return text_starts(v, name, "llvm.dbg.") || text_is(v, name, "llvm.gcov");
}

/* Locations are dropped at any depth below a loop id, the other nodes stay. */
static dloc_status loop_survivors(verifier *v, visitor *action) {
  for (size_t i = 0; i < v->module->instructions.count; i++)
    for (size_t j = 0; j < dloc_module_attachment_count(v->module, i); j++) {
      dloc_attachment attachment = dloc_module_attachment(v->module, i, j);
      if (text_is(v, attachment.kind, DLOC_LOOP))
        TRY(action(v, attachment.node, LOCATIONS_DROPPED));
    }
  return DLOC_OK;
}

static dloc_status instruction_survivors(verifier *v, size_t instruction, visitor *action) {
  size_t count = dloc_module_attachment_count(v->module, instruction);
  for (size_t i = 0; i < count; i++) {
    dloc_attachment attachment = dloc_module_attachment(v->module, instruction, i);
    if (!text_is(v, attachment.kind, DLOC_LOOP) && !text_is(v, attachment.kind, "heapallocsite") &&
        !text_is(v, attachment.kind, "DIAssignID"))
      TRY(action(v, attachment.node, LOCATIONS_MISPLACED));
  }
  return DLOC_OK;
}

static dloc_status function_survivors(verifier *v, size_t index, visitor *action) {
  const dloc_function *function = &v->module->functions.items[index];
  bool is_declaration = !(function->flags & DLOC_FUNCTION_DEFINITION);
  for (uint32_t i = 0; i < function->attachment_count; i++) {
    dloc_attachment attachment = module_function_attachment(v->module, index, i);
    if (!text_is(v, attachment.kind, "dbg"))
      TRY(action(v, attachment.node, allowed_if(is_declaration)));
  }
  for (uint32_t i = 0; i < function->instruction_count; i++)
    TRY(instruction_survivors(v, function->first_instruction + (size_t)i, action));
  return DLOC_OK;
}

dloc_status each_survivor(verifier *v, visitor *action) {
  for (size_t i = 0; i < v->module->functions.count; i++)
    TRY(function_survivors(v, i, action));
  for (size_t i = 0; i < v->module->named.count; i++) {
    dloc_named_metadata named = dloc_module_named(v->module, i);
    for (size_t j = 0; !is_dropped_name(v, named.name) && j < named.operand_count; j++)
      TRY(action(v, dloc_module_named_operand(v->module, &named, j), LOCATIONS_ALLOWED));
  }
  return loop_survivors(v, action); /* what stands elsewhere too keeps its locations */
}

/* Records alone are no debug info that LLVM would warn about. */
static bool has_debug_loc(const verifier *v, const dloc_instruction *instruction) {
  return !is_debug_record(v, instruction->flags) &&
         (instruction->debug_loc != DLOC_NULL || instruction->flags & DLOC_INSTRUCTION_DBG_CALL);
}

bool has_debug_info(const verifier *v) {
  const dloc_module *module = v->module;
  for (size_t i = 0; i < module->named.count; i++)
    if (is_dropped_name(v, module->named.items[i].metadata.name))
      return true;
  for (size_t i = 0; i < module->functions.count; i++)
    if (dloc_function_subprogram(module, i) != DLOC_NULL)
      return true;
  for (size_t i = 0; i < module->instructions.count; i++)
    if (has_debug_loc(v, &module->instructions.items[i]))
      return true;
  for (size_t i = 0; i < module->global_attachments.count; i++)
    if (text_is(v, module->global_attachments.items[i].kind, "dbg"))
      return true;
  return false;
}
