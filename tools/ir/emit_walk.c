/* emit_walk.c - the directives of a module, instruction by instruction. */
#include "emit.h"

static dloc_status walk_instruction(const tool_module *module, dloc_emitter *emitter, const dloc_function *function,
                                    uint32_t number, emit_visit *visit, void *user) {
  const dloc_instruction *instruction =
      dloc_module_instruction(module->module, (size_t)function->first_instruction + number);
  dloc_emitted emitted;
  dloc_reason reason;
  if (instruction->flags & DLOC_INSTRUCTION_DEBUG) /* no instruction of the machine */
    return DLOC_OK;
  dloc_status status = dloc_emit_instruction(emitter, instruction->debug_loc, &reason, &emitted);
  if (status == DLOC_INVALID) /* what is no location has no directive; `dloc verify` says what is wrong */
    return DLOC_OK;
  TRY(status);
  return visit(user, function, number, &emitted);
}

dloc_status emit_walk(const tool_module *module, dloc_emitter *emitter, emit_visit *visit, void *user) {
  for (size_t i = 0; i < dloc_module_function_count(module->module); i++) {
    const dloc_function *function = dloc_module_function(module->module, i);
    dloc_emitter_begin_function(emitter);
    for (uint32_t number = 0; number < function->instruction_count; number++)
      TRY(walk_instruction(module, emitter, function, number, visit, user));
  }
  return DLOC_OK;
}
