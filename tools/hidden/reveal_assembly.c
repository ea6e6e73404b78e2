/* reveal_assembly.c - `dloc reveal` of a back end's text: assembler text for ELF, PTX. */
#include "objects/asm/asm.h"
#include "objects/ptx/ptx.h"
#include "reveal.h"

/* Problems, each reason with its number and the first place. */
typedef struct telling {
  const tool_input *input;
  size_t count[DLOC_REASON_COUNT], first[DLOC_REASON_COUNT];
} telling;

static dloc_status take_problem(void *user, dloc_reason reason, size_t at) {
  telling *t = user;
  if (t->count[reason]++ == 0)
    t->first[reason] = at;
  return DLOC_OK;
}

static void tell_problems(const telling *t) {
  for (int reason = 0; reason < DLOC_REASON_COUNT; reason++) {
    dloc_place place = {0};
    if (!t->count[reason])
      continue;
    OWNED(memory_release) char *text = tool_counted(reason, t->count[reason]);
    ptx_move(t->input->text, t->first[reason], &place);
    tool_diagnose(t->input, &place, "warning", text, dloc_reason_name(reason));
  }
}

typedef struct kind_of_text {
  dloc_hidden_in in;
  const char *wanted; /* what to say when numbers are elsewhere */
  asm_reveal *reveal;
} kind_of_text;

static const kind_of_text elf = {DLOC_HIDDEN_IN_DISCRIMINATOR,
                                 "the columns of this text are its own; hide without --in", asm_reveal_rows};
static const kind_of_text ptx = {DLOC_HIDDEN_IN_COLUMN, "PTX has no discriminators; hide with --in column",
                                 asm_reveal_columns};

static int reveal_text(const reveal_request *request, const kind_of_text *kind, tool_input *input,
                       const asm_text *text) {
  telling t = {.input = input};
  dloc_reason reason = DLOC_REASON_NONE;
  OWNED(release_dloc_hidden) dloc_hidden *hidden = reveal_tables(request, text->context);
  if (dloc_hidden_where(hidden) != kind->in)
    tool_fail("%s: %s", input->name, kind->wanted);
  bool lists = kind == &ptx && dloc_has_lists(text->context);
  const dloc_profile *for_lists = lists ? tool_profile_for(TOOL_FOR_LISTS) : NULL;
  tool_output output = tool_output_open(request->output);
  dloc_sink sink = tool_file_sink(output.file);
  dloc_status status =
      kind->reveal(text, for_lists ? for_lists : &request->profile, hidden, take_problem, &t, &reason, sink);
  if (status == DLOC_OK)
    tell_problems(&t);
  if (status != DLOC_INVALID)
    return tool_output_finish(&output, status, input->name);
  tool_output_close(&output, false);
  return tool_reject(input, NULL, reason);
}

static int reveal(const reveal_request *request, const kind_of_text *kind, tool_input *input) {
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  dloc_diagnostic diagnostic;
  OWNED(asm_deinit) asm_text text;
  dloc_status status = asm_read(context, input->text, &diagnostic, &text);
  return status == DLOC_OK ? reveal_text(request, kind, input, &text) : tool_explain(status, input, &diagnostic);
}

int reveal_assembly(const reveal_request *request, tool_input *input) { return reveal(request, &elf, input); }
int reveal_ptx(const reveal_request *request, tool_input *input) { return reveal(request, &ptx, input); }
