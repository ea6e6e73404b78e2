/* reveal_exact.c - `dloc reveal --exact` of a module: the one without layers gets those of the other. */
#include "reveal.h"

static dloc_status give_layers(tool_module *base, const tool_module *made, const dloc_hidden *hidden) {
  dloc_code_comparer *comparer = NULL;
  TRY(dloc_code_comparer_create(base->module, made->module, false, &comparer));
  const dloc_exact_options options = {
      .compare = dloc_compare_code, .comparer = comparer, .on_problem = tool_diagnose_node, .user = base};
  dloc_status status = dloc_reveal_exact(base->module, made->module, hidden, &options, NULL);
  dloc_code_comparer_destroy(comparer);
  return status;
}

int reveal_read(const reveal_request *request, const char *path, tool_module *ret) {
  dloc_diagnostic diagnostic;
  if (!tool_input_open(path, &ret->input))
    return TOOL_UNUSABLE;
  if (!llvm_disassemble(&request->llvm, &ret->input)) {
    tool_input_close(&ret->input);
    return TOOL_UNUSABLE;
  }
  dloc_status status = dloc_read_ll(ret->context, ret->input.text, &diagnostic, &ret->module);
  if (status == DLOC_OK)
    return TOOL_FINE;
  int result = tool_explain(status, &ret->input, &diagnostic);
  tool_input_close(&ret->input);
  return result;
}

/* made is the hidden module, in the context of which base is read. */
int reveal_exact(const reveal_request *request, tool_module *made, const dloc_hidden *hidden) {
  tool_module base = {.context = made->context};
  int result = reveal_read(request, request->base, &base);
  if (result != TOOL_FINE)
    return result;
  dloc_status status = give_layers(&base, made, hidden);
  result = status == DLOC_OK        ? llvm_write_module(&base, &request->profile, &request->llvm, request->output)
           : status == DLOC_INVALID ? TOOL_VIOLATION
                                    : tool_failure(status, request->base);
  dloc_diagnoser_destroy(base.diagnoser);
  dloc_module_destroy(base.module);
  tool_input_close(&base.input);
  return result;
}
