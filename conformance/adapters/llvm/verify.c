/* verify.c - verification, through llvm-as: one module for each vector, since what it says is about the whole
 * module.
 *
 * Vectors whose nodes cannot exist (a column of 17 bits) come here whatever their op is: their nodes are written as
 * they stand in the vector, and the reader of LLVM is asked. */
#include "llvm.h"

#include <inttypes.h>
#include <string.h>

/* ---- Messages ---- */

/* Messages worded otherwise than the reason's own text; a message may stand for several reasons. */
static const struct {
  const char *message;
  dloc_reason reason;
} aliases[] = {
    {"invalid !dbg metadata", DLOC_REASON_SHAPE_NOT_A_LOCATION}, /* LLVM 23 */
    {"invalid debug location", DLOC_REASON_RECORD_NOT_LOCATION},
    {"scope chain must not contain a cycle", DLOC_REASON_SCOPE_CYCLE}, /* LLVM 24 */
    {"missing required field 'type'", DLOC_REASON_SUBPROGRAM_NO_TYPE}, /* LLVM 23, like the next two */
    {"'type' cannot be null", DLOC_REASON_SUBPROGRAM_NO_TYPE},
    {"invalid retained nodes, expected DILocalVariable, DILabel, DIImportedEntity,",
     DLOC_REASON_SUBPROGRAM_RETAINED_NODE},
    {"invalid type", DLOC_REASON_VARIABLE_TYPE},
    {"cannot be null", DLOC_REASON_FIELD_NULL},
    {"cannot be specified more than once", DLOC_REASON_FIELD_REPEATED},
    {"too large, limit is", DLOC_REASON_FIELD_TOO_LARGE},
    {"expected DWARF ", DLOC_REASON_FIELD_NOT_WORD},
    {"expected debug info flag", DLOC_REASON_FIELD_NOT_WORD},
    {"expected emission kind", DLOC_REASON_FIELD_NOT_WORD},
    {"Metadata id is already used", DLOC_REASON_TEXT_REDEFINED},
    {"expected DILocalVariable or DILabel", DLOC_REASON_SUBPROGRAM_RETAINED_NODE}, /* LLVM 14 */
};

/* Note a reason whose wording is in the message. A longer wording says more, and displaces a shorter one. */
static void note_reason(dloc_text message, const char *wording, dloc_reason reason, size_t *longest, bool *reasons) {
  size_t length = strlen(wording);
  if (length < *longest || !text_find(message, wording))
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
  /* LLVM has one message about an instruction's `!dbg`. It stands for whatever is wrong with the shape of a tuple. */
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    if (reasons[DLOC_REASON_SHAPE_NOT_A_LOCATION] && strncmp(dloc_reason_name((dloc_reason)i), "shape.", 6) == 0)
      reasons[i] = true;
  return longest > 0;
}

dloc_text llvm_first_message(dloc_text errors) {
  while (errors.size) {
    dloc_text line = text_take_line(&errors);
    bool reasons[DLOC_REASON_COUNT] = {false};
    if (llvm_reasons(line, reasons))
      return line;
  }
  return (dloc_text){"", 0};
}

/* ---- Nodes as they stand in the vector ---- */

static void write_operand(llvm_text *t, const graph_operand *given, bool in_tuple) {
  if (given->kind == OPERAND_NULL)
    llvm_code(t, "null");
  else if (given->kind == OPERAND_NODE)
    llvm_code(t, "!%u", (unsigned)given->node);
  else if (given->kind != OPERAND_STRING)
    buffer_put(&t->code, given->text);
  else {
    llvm_code(t, in_tuple ? "!" : "");
    llvm_code_string(t, given->text);
  }
}

static void write_tuple(llvm_text *t, const graph_node *node) {
  llvm_code(t, "!{");
  for (uint32_t i = 0; i < node->field_count; i++) {
    llvm_code(t, i ? ", " : "");
    bool layer = node->form == FORM_COMPOSITE && i > 0;
    if (layer) {
      llvm_code(t, "!{!");
      llvm_code_string(t, node->fields[i].key);
      llvm_code(t, ", ");
    }
    write_operand(t, &node->fields[i].value, !layer);
    llvm_code(t, layer ? "}" : "");
  }
  llvm_code(t, "}\n");
}

static void write_specialised(llvm_text *t, const graph_node *node) {
  llvm_code(t, "!");
  buffer_put(&t->code, node->class_name);
  llvm_code(t, "(");
  for (uint32_t i = 0; i < node->field_count; i++) {
    llvm_code(t, i ? ", " : "");
    buffer_put(&t->code, node->fields[i].key);
    llvm_code(t, node->fields[i].key.size ? ": " : "");
    write_operand(t, &node->fields[i].value, false);
  }
  llvm_code(t, ")\n");
}

static void write_node(llvm_text *t, const graph_node *node, uint32_t number) {
  llvm_code(t, "!%u = %s", (unsigned)number, node->distinct ? "distinct " : "");
  if (node->form == FORM_SPECIALISED) {
    write_specialised(t, node);
  } else if (node->form == FORM_TUPLE || node->form == FORM_COMPOSITE) {
    write_tuple(t, node);
  } else {
    graph_operand_kind kind = node->form == FORM_STRING ? OPERAND_STRING : OPERAND_CONSTANT;
    llvm_code(t, "!{");
    write_operand(t, &(const graph_operand){.kind = kind, .text = node->class_name}, true);
    llvm_code(t, "}\n");
  }
}

/* ---- The module ---- */

void llvm_write_whole(const vector *v, llvm_text *t) {
  OWNED(vector_case_deinit) vector_case built = {.module = NULL};
  llvm_text_begin(t);
  dloc_status status = vector_build(v, t->context, &t->arena, &built);
  if (status == DLOC_OK && built.module)
    (void)dloc_write_ll(built.module, buffer_sink(&t->code));
  else
    for (uint32_t i = 0; i < v->graph->count; i++)
      write_node(t, &v->graph->nodes[i], i);
}

/* ---- What llvm-as said ---- */

/* The first line is the message. An unknown message may be about any rule: the verifier has rejected the module
 * and does not tell why. */
static void reject(run_answer *answer, dloc_text errors, dloc_severity severity) {
  dloc_text message = llvm_line_at(errors, 0);
  bool reasons[DLOC_REASON_COUNT] = {false};
  int size = (int)(message.size < 300 ? message.size : 300);
  bool told = llvm_reasons(message, reasons);
  if (!told && severity == DLOC_SEVERITY_PARSE) {
    run_answer_set(answer, RUN_ERRORED, "no reason code for: %.*s", size, message.bytes);
    return;
  }
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    reasons[i] = told ? reasons[i] : dloc_reason_severity((dloc_reason)i) != DLOC_SEVERITY_PARSE;
  run_answer_set(answer, RUN_REJECT, "%.*s", size, message.bytes);
  memcpy(answer->reasons, reasons, sizeof reasons);
  answer->severity = (int)severity;
}

static void read_end(llvm_batch *b) {
  run_answer *answer = llvm_answer(b, 0);
  const process *child = &b->child;
  dloc_text errors = buffer_text(&child->errors);
  char end[100];
  process_describe_end(child, end, sizeof end);
  /* a hard violation: LLVM reports it and aborts */
  bool refused = text_find(errors, "LLVM ERROR: Broken module found") != NULL;
  bool good = !refused && process_ended_well(child);
  if (child->timed_out)
    run_answer_set(answer, RUN_HANG, "%s", end);
  else if (!refused && process_crashed(child))
    run_answer_set(answer, RUN_CRASH, "%s", end);
  else if (good && !llvm_is_stripped(errors))
    llvm_give(b, 0, NULL, &(const vector_answer){.op = VECTOR_VERIFY, .outcome = VECTOR_OK});
  else if (good)
    reject(answer, errors, DLOC_SEVERITY_SOFT);
  else
    reject(answer, errors, refused || text_find(errors, "does not verify") ? DLOC_SEVERITY_HARD : DLOC_SEVERITY_PARSE);
}

#define VERIFY .most = 1, .tool = LLVM_AS, .options = {"-o", "/dev/null"}, .verified = true

const llvm_recipe llvm_verify[LLVM_MOST_RECIPES] = {{VERIFY, .reads_any_end = true, .read = read_end}};
