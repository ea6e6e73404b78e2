/* reveal_exact.c - `dloc reveal --exact` of a module: the one without layers gets those of the other. */
#include "reveal.h"

#include <string.h>

typedef struct pair {
  tool_module base;
  dloc_text base_text, made_text;
} pair;

static dloc_status tell_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  const pair *p = user;
  tool_diagnose_node(&p->base, reason, instruction, node);
  return DLOC_OK;
}

/* The first word at an offset, and its end. */
static dloc_text word_at(dloc_text text, size_t *at) {
  while (*at < text.size && (text.bytes[*at] == ' ' || text.bytes[*at] == '\t'))
    ++*at;
  size_t start = *at;
  while (*at < text.size && !strchr(" \t\n,(", text.bytes[*at]))
    ++*at;
  return (dloc_text){text.bytes + start, *at - start};
}

/* What the instruction is called: behind its result and what a call may begin with. */
static dloc_text opcode_at(dloc_text text, size_t at) {
  static const char *const before[] = {"=", "tail", "musttail", "notail"};
  dloc_text word = word_at(text, &at);
  if (word.size && word.bytes[0] == '%')
    word = word_at(text, &at);
  for (size_t i = 0; i < sizeof before / sizeof *before; i++)
    if (dloc_text_equal(word, dloc_text_of(before[i])))
      word = word_at(text, &at);
  return word;
}

/* Names of values may differ. */
static bool same_instruction(void *user, const dloc_instruction *base, const dloc_instruction *made) {
  const pair *p = user;
  return base->flags == made->flags &&
         dloc_text_equal(opcode_at(p->base_text, base->text), opcode_at(p->made_text, made->text));
}

/* A call site of the command's own: made is the hidden module, in the context of which base is read. */
int reveal_exact(const reveal_request *request, tool_module *made, const dloc_hidden *hidden) {
  pair p = {.made_text = made->input.text};
  dloc_diagnostic diagnostic;
  if (!tool_input_open(request->base, &p.base.input))
    return TOOL_UNUSABLE;
  if (!llvm_disassemble(&request->llvm, &p.base.input)) {
    tool_input_close(&p.base.input);
    return TOOL_UNUSABLE;
  }
  p.base.context = made->context;
  p.base_text = p.base.input.text;
  dloc_status status = dloc_read_ll(made->context, p.base_text, &diagnostic, &p.base.module);
  if (status != DLOC_OK) {
    int result = tool_explain(status, &p.base.input, &diagnostic);
    tool_input_close(&p.base.input);
    return result;
  }
  status = dloc_reveal_exact(p.base.module, made->module, hidden, same_instruction, tell_problem, &p);
  int result = status == DLOC_OK        ? llvm_write_module(&p.base, &request->profile, &request->llvm, request->output)
               : status == DLOC_INVALID ? TOOL_VIOLATION
                                        : tool_failure(status, request->base);
  dloc_module_destroy(p.base.module);
  tool_input_close(&p.base.input);
  return result;
}
