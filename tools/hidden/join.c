/* join.c - layers of numbers onto the module that a producer makes anyway. */
#include "join.h"

#include "ir/convert.h"
#include "document/buffer.h"
#include "objects/dloc_mlir.h"

#include <stdlib.h>

/* The layers of one kind, in the table and in the module. */
typedef struct kind_count {
  dloc_node kind;
  dloc_node file; /* that the text is of; DLOC_NULL: no layer is in one */
  size_t places, merged, ops, instructions;
} kind_count;

typedef struct joiner {
  const join_request *request;
  tool_module base, numbered;
  dloc_hidden *table;
  kind_count *kinds;
  dloc_exact_report report;
  size_t problems;
} joiner;

/* ---- Texts ---- */

static void count_place(const joiner *j, const dloc_mlir_ops *ops, dloc_node location, kind_count *count) {
  dloc_layer_place place = dloc_place_of_layer(j->base.context, location);
  count->places++;
  count->merged += place.line == 0;
  count->ops += place.line && dloc_mlir_is_op(ops, place.line, place.column);
}

static dloc_status count_places(const joiner *j, const join_text *text, kind_count *count) {
  dloc_mlir_ops *ops = NULL;
  dloc_layer layer;
  TRY(dloc_string(j->base.context, dloc_text_of(text->kind), &count->kind));
  TRY(dloc_mlir_ops_create(j->base.context, text->snapshot.text, &ops));
  for (size_t i = 0; i < dloc_hidden_count(j->table); i++)
    for (size_t cursor = 0; dloc_next_layer(j->base.context, dloc_hidden_at(j->table, i).layers, &cursor, &layer);)
      if (layer.kind == count->kind)
        count_place(j, ops, layer.location, count);
  dloc_mlir_ops_destroy(ops);
  count->file = dloc_hidden_file(j->table, count->kind, dloc_text_of(text->snapshot.name));
  return DLOC_OK;
}

/* `source.entry` */
static dloc_status embed(const joiner *j, const join_text *text, const kind_count *count) {
  dloc_node bytes = DLOC_NULL, entry = DLOC_NULL;
  if (!count->file) {
    tool_error("warning: no layer of the kind %s has a place; its text is not embedded", text->kind);
    return DLOC_OK;
  }
  TRY(dloc_string(j->base.context, text->snapshot.text, &bytes));
  TRY(dloc_tuple(j->base.context, false, (dloc_node[]){count->kind, count->file, bytes}, 3, &entry));
  return dloc_module_add_named(j->base.module, dloc_text_of(DLOC_SOURCE_LIST), &entry, 1);
}

static bool has_text(const joiner *j, dloc_text kind) {
  for (size_t i = 0; i < j->request->text_count; i++)
    if (dloc_text_equal(kind, dloc_text_of(j->request->texts[i].kind)))
      return true;
  return false;
}

/* The table has places of the kind. */
static dloc_status warn_of_missing_texts(const joiner *j) {
  const dloc_node *kinds;
  size_t count;
  TRY(dloc_hidden_kinds(j->table, &kinds, &count));
  for (size_t i = 0; i < count; i++) {
    dloc_text kind = dloc_node_text(j->base.context, kinds[i]);
    if (!has_text(j, kind))
      tool_error("warning: layers of the kind %.*s have no text: --layer %.*s=SNAPSHOT", (int)kind.size, kind.bytes,
                 (int)kind.size, kind.bytes);
  }
  return DLOC_OK;
}

static dloc_status embed_texts(joiner *j) {
  j->kinds = memory_allocate(j->request->text_count, sizeof *j->kinds);
  TRY(warn_of_missing_texts(j));
  for (size_t i = 0; i < j->request->text_count; i++) {
    j->kinds[i] = (kind_count){.kind = DLOC_NULL};
    TRY(count_places(j, &j->request->texts[i], &j->kinds[i]));
    TRY(embed(j, &j->request->texts[i], &j->kinds[i]));
  }
  return DLOC_OK;
}

/* ---- Differences ---- */

/* The instruction that differs, or the function that has no other. */
static void show_side(const tool_module *side, uint32_t function, uint32_t instruction, const char *level,
                      const char *message) {
  dloc_place place = {0};
  bool known =
      dloc_violation_place(side->module, &(dloc_violation){.function = function, .instruction = instruction}, &place);
  tool_diagnose(&side->input, known ? &place : NULL, level, message, NULL);
}

/* The first one refuses the join, such as a number of another table. */
static dloc_status tell_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  joiner *j = user;
  (void)node;
  if (!j->problems++)
    show_side(&j->base, DLOC_NO_INDEX, instruction, "error", dloc_reason_text(reason));
  return DLOC_OK;
}

static int show_difference(const joiner *j) {
  const dloc_exact_report *report = &j->report;
  bool in_base = report->base != DLOC_NO_INDEX;
  const tool_module *side = in_base ? &j->base : &j->numbered;
  uint32_t function = in_base ? report->base : report->made;
  dloc_text name = dloc_node_text(side->context, dloc_module_function(side->module, function)->name);
  OWNED(memory_release)
  char *message = text_format("the code of %.*s is not that of the module with numbers", (int)name.size, name.bytes);
  show_side(side, function, in_base ? report->first.base : report->first.made, "error",
            in_base && report->made != DLOC_NO_INDEX ? message : "the other module has no such function");
  if (in_base && report->made != DLOC_NO_INDEX)
    show_side(&j->numbered, report->made, report->first.made, "note", "it has this");
  return TOOL_VIOLATION;
}

/* Compares with the base in its place, or with the module that `dloc mlir primary` led to. */
static int show_no_number(const joiner *j) {
  const dloc_module *module = j->numbered.module;
  uint32_t i = 0;
  while (i < dloc_module_instruction_count(module) && !dloc_module_instruction(module, i)->debug_loc)
    i++;
  show_side(&j->numbered, DLOC_NO_INDEX, i < dloc_module_instruction_count(module) ? i : DLOC_NO_INDEX, "error",
            "no instruction has a number of the table: is this what `dloc mlir ids` led to?");
  return TOOL_VIOLATION;
}

/* ---- Counts ---- */

static void count_layers(joiner *j) {
  dloc_layer layer;
  for (size_t i = 0; i < dloc_module_instruction_count(j->base.module); i++) {
    const dloc_instruction *instruction = dloc_module_instruction(j->base.module, i);
    if (instruction->flags & DLOC_INSTRUCTION_DEBUG)
      continue;
    for (size_t cursor = 0; dloc_next_layer(j->base.context, instruction->debug_loc, &cursor, &layer);)
      for (size_t k = 0; k < j->request->text_count; k++)
        j->kinds[k].instructions += layer.kind == j->kinds[k].kind;
  }
}

static void tell_counts(joiner *j) {
  count_layers(j);
  fprintf(stderr, "%zu instructions, %zu with layers, of these %zu without a primary; %zu constants differ\n",
          j->report.instructions, j->report.layered, j->report.bare, j->report.constants);
  for (size_t i = 0; i < j->request->text_count; i++)
    fprintf(stderr, "%s: %zu instructions; %zu places, %zu of them at an op, %zu merged\n", j->request->texts[i].kind,
            j->kinds[i].instructions, j->kinds[i].places, j->kinds[i].ops, j->kinds[i].merged);
}

/* ---- Joining ---- */

static dloc_status join_code(joiner *j) {
  dloc_code_comparer *comparer = NULL;
  TRY(dloc_code_comparer_create(j->base.module, j->numbered.module, j->request->constants_may_differ, &comparer));
  dloc_exact_options options = {.compare = dloc_compare_code,
                                .comparer = comparer,
                                .strict = true,
                                .line_0 = true,
                                .on_problem = tell_problem,
                                .user = j};
  dloc_status status = dloc_reveal_exact(j->base.module, j->numbered.module, j->table, &options, &j->report);
  dloc_code_comparer_destroy(comparer);
  return status;
}

static int write_joined(joiner *j) {
  if (j->request->counts)
    tell_counts(j);
  if (DLOC_TAKES(&j->request->profile, METADATA_IRLAYERS, KNOWN))
    return convert_write(&j->base, DLOC_FORM_IRLAYERS, false, j->request->output);
  return tool_write_module(&j->base, j->request->output);
}

static int join_read(joiner *j) {
  dloc_status status = join_code(j);
  if (status == DLOC_INVALID && !j->report.first.same)
    return show_difference(j);
  if (status == DLOC_OK && j->problems)
    return TOOL_VIOLATION;
  if (status == DLOC_OK && j->report.layered == 0 && dloc_hidden_count(j->table))
    return show_no_number(j);
  if (status == DLOC_OK)
    status = embed_texts(j);
  return status == DLOC_OK ? write_joined(j) : tool_failure(status, j->base.input.name);
}

static int read_module(tool_module *module) {
  dloc_diagnostic diagnostic;
  dloc_status status = dloc_read_ll(module->context, module->input.text, &diagnostic, &module->module);
  return status == DLOC_OK ? TOOL_FINE : tool_explain(status, &module->input, &diagnostic);
}

int join_modules(const join_request *request, const tool_input *base, const tool_input *numbered, dloc_context *context,
                 dloc_hidden *table) {
  joiner j = {.request = request,
              .base = {.input = *base, .context = context},
              .numbered = {.input = *numbered, .context = context},
              .table = table};
  int result = read_module(&j.base);
  if (result == TOOL_FINE)
    result = read_module(&j.numbered);
  if (result == TOOL_FINE)
    result = join_read(&j);
  dloc_module_destroy(j.base.module);
  dloc_module_destroy(j.numbered.module);
  free(j.kinds);
  return result;
}
