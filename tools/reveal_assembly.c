/* reveal_assembly.c - `dloc reveal` of a back end's text: PTX. */
#include "document/memory.h"
#include "formats/asm/asm.h"
#include "formats/ptx/ptx.h"
#include "reveal.h"

#include <string.h>

typedef struct telling {
  const tool_input *input;
  dloc_place place;
} telling;

static dloc_status tell_problem(void *user, dloc_reason reason, size_t at) {
  telling *t = user;
  ptx_move(t->input->text, at, &t->place);
  tool_diagnose(t->input, &t->place, "warning", dloc_reason_text(reason), dloc_reason_name(reason));
  return DLOC_OK;
}

static int reveal_text(const reveal_request *request, tool_input *input, const asm_text *text) {
  telling t = {.input = input};
  dloc_hidden *hidden = reveal_tables(request, text->context);
  if (dloc_hidden_where(hidden) != DLOC_HIDDEN_IN_COLUMN)
    tool_fail("%s: PTX has no discriminators; hide with --in column", input->name);
  tool_output output = tool_output_open(request->output);
  dloc_status status =
      asm_reveal_columns(text, &request->profile, hidden, tell_problem, &t, tool_file_sink(output.file));
  dloc_hidden_destroy(hidden);
  return tool_output_finish(&output, status, input->name);
}

int reveal_ptx(const reveal_request *request, tool_input *input) {
  dloc_context *context = memory_context();
  dloc_diagnostic diagnostic;
  asm_text text;
  dloc_status status = asm_read(context, input->text, &diagnostic, &text);
  int result = status == DLOC_OK ? reveal_text(request, input, &text) : tool_explain(status, input, &diagnostic);
  asm_deinit(&text);
  dloc_context_destroy(context);
  return result;
}
