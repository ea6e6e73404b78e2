/* reveal_module.c - `dloc reveal` of a module's text: its numbers become layers again. */
#include "reveal.h"

static int reveal_itself(const reveal_request *request, tool_module *module, const dloc_hidden *hidden) {
  dloc_status status = dloc_reveal(module->module, hidden, tool_diagnose_node, module);
  return status == DLOC_OK        ? llvm_write_module(module, &request->profile, &request->llvm, request->output)
         : status == DLOC_INVALID ? TOOL_VIOLATION
                                  : tool_failure(status, module->input.name);
}

int reveal_module(const reveal_request *request, tool_input *input) {
  if (!llvm_disassemble(&request->llvm, input))
    return TOOL_UNUSABLE;
  tool_module module = {.input = *input};
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(&module, NULL, &diagnostic);
  if (status != DLOC_OK) {
    dloc_context_destroy(module.context);
    return tool_explain(status, &module.input, &diagnostic);
  }
  dloc_hidden *hidden = reveal_tables(request, module.context);
  int result = request->full   ? reveal_full(request, &module, hidden)
               : request->base ? reveal_exact(request, &module, hidden)
                               : reveal_itself(request, &module, hidden);
  dloc_hidden_destroy(hidden);
  dloc_diagnoser_destroy(module.diagnoser);
  dloc_module_destroy(module.module);
  dloc_context_destroy(module.context);
  return result;
}
