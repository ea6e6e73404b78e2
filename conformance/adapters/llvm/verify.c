/* llvm_verify.c - verification, through llvm-as: one module for each vector, since what it says is about the whole
 * module.
 *
 * Vectors whose nodes cannot exist (a column of 17 bits) come here whatever their op is: their nodes are written as
 * they stand in the vector, and the reader of LLVM is asked. */
#include "llvm.h"

#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

/* ---- Messages ---- */

/* Messages worded otherwise than the reason's own text; a message may stand for several reasons. */
static const struct {
  const char *message;
  dloc_reason reason;
} aliases[] = {
    {"cannot be null", DLOC_REASON_FIELD_NULL},
    {"cannot be specified more than once", DLOC_REASON_FIELD_REPEATED},
    {"too large, limit is", DLOC_REASON_FIELD_TOO_LARGE},
    {"Metadata id is already used", DLOC_REASON_TEXT_REDEFINED},
    {"expected DILocalVariable or DILabel", DLOC_REASON_SUBPROGRAM_RETAINED_NODE}, /* LLVM 14 */
};

/* Note a reason whose wording is in the message. A longer wording says more, and displaces a shorter one. */
static void note_reason(dloc_text message, const char *wording, dloc_reason reason, size_t *longest, bool *reasons) {
  size_t length = strlen(wording);
  if (length < *longest || !llvm_find(message, wording))
    return;
  if (length > *longest)
    memset(reasons, 0, DLOC_REASON_COUNT * sizeof *reasons);
  *longest = length;
  reasons[reason] = true;
}

bool llvm_reasons(dloc_text message, bool *reasons) {
  size_t longest = 0;
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    note_reason(message, dloc_reason_text((dloc_reason)i), (dloc_reason)i, &longest, reasons);
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    note_reason(message, aliases[i].message, aliases[i].reason, &longest, reasons);
  return longest > 0;
}

dloc_text llvm_first_message(dloc_text errors) {
  for (size_t at = 0; at < errors.size;) {
    dloc_text line = llvm_line_at(errors, at);
    bool reasons[DLOC_REASON_COUNT] = {false};
    if (llvm_reasons(line, reasons))
      return line;
    at += line.size + 1;
  }
  return (dloc_text){"", 0};
}

/* ---- Nodes as they stand in the vector ---- */

static void write_operand(llvm_text *t, const graph_operand *given, bool in_tuple) {
  dloc_sink sink = dloc_buffer_sink(&t->code);
  switch (given->kind) {
  case OPERAND_NULL:
    llvm_code(t, "null");
    return;
  case OPERAND_NODE:
    llvm_code(t, "!%u", (unsigned)given->node);
    return;
  case OPERAND_STRING:
    llvm_code(t, in_tuple ? "!" : "");
    if (t->status == DLOC_OK)
      t->status = dloc_print_string(given->text, sink);
    return;
  case OPERAND_CONSTANT:
  case OPERAND_WORD:
    if (t->status == DLOC_OK && !sink.write(sink.user, given->text.bytes, given->text.size))
      t->status = DLOC_NO_MEMORY;
    return;
  }
}

static void write_plain_text(llvm_text *t, dloc_text text) {
  dloc_sink sink = dloc_buffer_sink(&t->code);
  if (t->status == DLOC_OK && text.size > 0 && !sink.write(sink.user, text.bytes, text.size))
    t->status = DLOC_NO_MEMORY;
}

static void write_tuple(llvm_text *t, const graph_node *node) {
  llvm_code(t, "!{");
  for (uint32_t i = 0; i < node->field_count; i++) {
    llvm_code(t, i ? ", " : "");
    bool layer = node->form == FORM_COMPOSITE && i > 0;
    if (layer) {
      llvm_code(t, "!{!");
      if (t->status == DLOC_OK)
        t->status = dloc_print_string(node->fields[i].key, dloc_buffer_sink(&t->code));
      llvm_code(t, ", ");
    }
    write_operand(t, &node->fields[i].value, !layer);
    llvm_code(t, layer ? "}" : "");
  }
  llvm_code(t, "}\n");
}

static void write_specialised(llvm_text *t, const graph_node *node) {
  llvm_code(t, "!");
  write_plain_text(t, node->class_name);
  llvm_code(t, "(");
  for (uint32_t i = 0; i < node->field_count; i++) {
    llvm_code(t, i ? ", " : "");
    write_plain_text(t, node->fields[i].key);
    llvm_code(t, node->fields[i].key.size ? ": " : "");
    write_operand(t, &node->fields[i].value, false);
  }
  llvm_code(t, ")\n");
}

static void write_node(llvm_text *t, const graph_node *node, uint32_t number) {
  llvm_code(t, "!%u = %s", (unsigned)number, node->distinct ? "distinct " : "");
  switch (node->form) {
  case FORM_SPECIALISED:
    write_specialised(t, node);
    return;
  case FORM_TUPLE:
  case FORM_COMPOSITE:
    write_tuple(t, node);
    return;
  case FORM_STRING:
  case FORM_CONSTANT:
    llvm_code(t, "!{%s", node->form == FORM_STRING ? "!" : "");
    if (node->form == FORM_STRING && t->status == DLOC_OK)
      t->status = dloc_print_string(node->class_name, dloc_buffer_sink(&t->code));
    else
      write_plain_text(t, node->class_name);
    llvm_code(t, "}\n");
    return;
  }
}

static void write_nodes(const vector *v, llvm_text *t) {
  for (uint32_t i = 0; i < v->graph->count; i++)
    write_node(t, &v->graph->nodes[i], i);
}

/* ---- The module ---- */

bool llvm_write_whole(llvm_batch *b, llvm_text *t, size_t position) {
  const vector *v = llvm_vector(b, position);
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena;
  value_arena_init(&arena, NULL);
  vector_case built;
  vector_answer answer;
  bool rejected = false;
  t->status = context ? vector_build(v, context, &arena, &built, &rejected, &answer) : DLOC_NO_MEMORY;
  bool complete = t->status == DLOC_OK && !rejected;
  if (complete && built.module)
    t->status = dloc_write_ll(built.module, dloc_buffer_sink(&t->code));
  else if (t->status == DLOC_OK)
    write_nodes(v, t);
  if (complete)
    vector_case_deinit(&built);
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return t->status == DLOC_OK;
}

/* ---- What llvm-as said ---- */

static void reject(run_answer *answer, dloc_text errors, dloc_severity severity) {
  dloc_text message = llvm_first_message(errors);
  bool reasons[DLOC_REASON_COUNT] = {false};
  if (!llvm_reasons(message, reasons)) {
    dloc_text line = llvm_line_at(errors, 0);
    run_answer_set(answer, RUN_ERRORED, "no reason code for: %.*s", (int)(line.size < 300 ? line.size : 300),
                   line.bytes);
    return;
  }
  run_answer_set(answer, RUN_REJECT, "%.*s", (int)(message.size < 300 ? message.size : 300), message.bytes);
  memcpy(answer->reasons, reasons, sizeof reasons);
  answer->severity = (int)severity;
}

static dloc_status accept(run_answer *answer) {
  dloc_context *context = dloc_context_create(NULL);
  if (!context)
    return DLOC_NO_MEMORY;
  value_arena arena;
  value_arena_init(&arena, NULL);
  const vector_answer given = {.op = VECTOR_VERIFY, .outcome = VECTOR_OK};
  dloc_status status = run_answer_take(answer, context, &arena, &given);
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return status;
}

static dloc_status answer_good_end(run_answer *answer, dloc_text errors) {
  if (!llvm_is_stripped(errors))
    return accept(answer);
  reject(answer, errors, DLOC_SEVERITY_SOFT);
  return DLOC_OK;
}

static dloc_status read_result(llvm_batch *b) {
  run_answer *answer = llvm_answer(b, 0);
  const process *child = &b->child;
  dloc_text errors = {child->errors.size ? child->errors.bytes : "", child->errors.size};
  char end[100];
  process_describe_end(child, end, sizeof end);
  bool refused =
      llvm_find(errors, "LLVM ERROR: Broken module found") != NULL; /* a hard violation: LLVM reports it and aborts */
  if (child->timed_out)
    run_answer_set(answer, RUN_HANG, "%s", end);
  else if (!refused && (!WIFEXITED(child->status) || WEXITSTATUS(child->status) >= 128))
    run_answer_set(answer, RUN_CRASH, "%s", end);
  else if (!refused && WEXITSTATUS(child->status) == 0)
    return answer_good_end(answer, errors);
  else
    reject(answer, errors, refused || llvm_find(errors, "does not verify") ? DLOC_SEVERITY_HARD : DLOC_SEVERITY_PARSE);
  return DLOC_OK;
}

const llvm_recipe llvm_verify = {.name = "verify",
                                 .most = 1,
                                 .tool = LLVM_AS,
                                 .verified = true,
                                 .options = {"-o", "/dev/null"},
                                 .write = llvm_write_whole,
                                 .whole = true,
                                 .read = read_result};
