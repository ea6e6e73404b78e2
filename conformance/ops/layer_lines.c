/* layer_lines.c - `layer-lines`: the rows of layers, and those of the primary, that rows with numbers become.
 * spec/hidden.md 18.1 */
#include "declare.h"
#include "document/memory.h"
#include "objects/dloc_hidden.h"
#include "hidden_table.h"
#include "line_terms.h"

#include <stdlib.h>

#define SHOWN(name, type, text_of)                                                                                     \
  { .key = (name), .of = (type), .optional = true, .text = (text_of) }

static void describe_file(query *q, const dloc_layer_file *file, term *ret) {
  term_set_text(q->arena, ret, "name",
                dloc_node_text(q->context, dloc_field_value(q->context, file->file, "filename")));
  dloc_text text = dloc_node_text(q->context, dloc_node_kind(q->context, file->entry) == DLOC_KIND_LAYER
                                                  ? dloc_field_value(q->context, file->file, "source")
                                                  : dloc_operand(q->context, file->entry, 2));
  if (file->entry)
    term_set_text(q->arena, ret, "text", text);
}

static void describe_kinds(query *q, const dloc_layer_maker *maker, term *value) {
  size_t count = dloc_layer_maker_kinds(maker), shown = 0;
  for (size_t i = 0; i < count; i++)
    shown += dloc_layer_maker_kind(maker, i).row_count > 0;
  term *list = shown ? term_set_list(q->arena, value, "kinds", shown) : NULL;
  for (size_t i = 0; i < count; i++) {
    dloc_layer_lines lines = dloc_layer_maker_kind(maker, i);
    if (!lines.row_count)
      continue;
    term_set_text(q->arena, list, "kind", dloc_node_text(q->context, lines.kind));
    term *files = term_set_list(q->arena, list, "files", lines.file_count);
    for (size_t j = 0; j < lines.file_count; j++)
      describe_file(q, &lines.files[j], &files[j]);
    line_rows_describe(q->arena, list++, "rows", lines.rows, NULL, lines.row_count);
  }
}

/* Sequences end at end_sequence, and with the rows. */
static dloc_status add_sequences(dloc_layer_maker *maker, const dloc_row *rows, size_t count) {
  for (size_t first = 0, i = 0; i < count; i++)
    if (rows[i].flags & DLOC_ROW_END_SEQUENCE || i + 1 == count) {
      TRY(dloc_layer_maker_add(maker, rows + first, i + 1 - first, 0));
      first = i + 1;
    }
  return DLOC_OK;
}

static dloc_status make(query *q, const dloc_hidden *hidden, term *value) {
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  const term *list = term_list(q->args, "rows");
  const dloc_row_call *calls;
  const dloc_row *rows = line_rows_of(list, q->arena, &calls);
  line_problems problems = {NULL, 0};
  dloc_layer_maker *maker = NULL;
  TRY(dloc_layer_maker_create(q->context, q->profile, &parameters, hidden, line_problem_add, &problems, &maker));
  dloc_status status = add_sequences(maker, rows, list->count);
  if (status == DLOC_OK) {
    dloc_layer_lines primary = dloc_layer_maker_primary(maker);
    line_rows_describe(q->arena, value, "primary", primary.rows, NULL, primary.row_count);
    describe_kinds(q, maker, value);
    line_problems_describe(q->arena, value, &problems);
  } else
    free(problems.items);
  dloc_layer_maker_destroy(maker);
  return status;
}

static dloc_status ask(query *q, term *value) { return hidden_table_ask(q, make, value); }

const operation op_layer_lines = {
    .name = "layer-lines",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("rows", &line_rows_type)),
               MAP(NULL, {.key = "primary", .of = &line_rows_type},
                   {.key = "kinds",
                    .of = LIST(MAP("a kind", {.key = "kind", .of = TEXT, .text = "kind %\n"},
                                   {.key = "files",
                                    .of = LIST(MAP("a file", {.key = "name", .of = TEXT, .text = "file %\n"},
                                                   SHOWN("text", TEXT, "text %\n")))},
                                   {.key = "rows", .of = &line_rows_type})),
                    .optional = true},
                   LINE_PROBLEMS)}},
    .module = MODULE_NAMED_ONLY,
    .check = line_rows_check,
    .ask = ask,
    .args_cell =
        "`{header: ..., rows: [{address, line, ...}]}` as of `lines`, discriminators being numbers; `module` with the "
        "table of hidden layers (chapter 17): `dloc.hidden.table`, `dloc.hidden.layers`, `llvm.intermediate_level_source`",
    .value_cell =
        "`primary: [...]`: its rows without numbers; `kinds: [{kind, files: [{name, text}], rows}]`: of layers, absent "
        "when there are none; name and text are those of the module; `problems` as in `lines`",
};
