/* layer_lines.c - `layer-lines`: the rows of layers, and those of the primary, that rows with numbers become.
 * spec/hidden.md 18.1 */
#include "declare.h"
#include "hiding.h"
#include "line_terms.h"

static void describe_file(query *q, const dloc_layer_file *file, term *ret) {
  term_set_text(q->arena, ret, "name",
                dloc_node_text(q->context, dloc_field_value(q->context, file->file, "filename")));
  dloc_text text = dloc_node_text(q->context, dloc_node_kind(q->context, file->entry) == DLOC_KIND_LAYER
                                                  ? dloc_field_value(q->context, file->file, "source")
                                                  : dloc_operand(q->context, file->entry, 2));
  if (file->entry)
    term_set_text(q->arena, ret, "text", text);
}

static void describe_kind(query *q, const dloc_layer_lines *lines, term *ret) {
  term_set_text(q->arena, ret, "kind", dloc_node_text(q->context, lines->kind));
  term *files = term_set_list(q->arena, ret, "files", lines->file_count);
  for (size_t i = 0; i < lines->file_count; i++)
    describe_file(q, &lines->files[i], &files[i]);
  line_rows_describe(q->arena, ret, "rows", lines->rows, NULL, lines->row_count);
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

/* ---- The objects of `--full` ---- */

/* All code of a vector is in one section. */
enum { SECTION = 1 };

/* Files have the numbers from 1 on. */
static bool name_of(void *user, uint32_t number, dloc_file_name *ret) {
  const term *kind = user, *files = term_list(kind, "files");
  if (number - 1 >= files->count)
    return false;
  const term *file = &files->of.items[number - 1];
  *ret = (dloc_file_name){term_text(kind, "directory"), term_text(file, "directory"), term_text(file, "name")};
  return true;
}

static dloc_edit_function function_at(const term *function, const char *key) {
  return (dloc_edit_function){
      .section = SECTION, .address = term_number(function, key), .size = term_number(function, "size")};
}

static dloc_status add_kind(query *q, dloc_full *full, term *kind) {
  const term *list = term_list(kind, "rows"), *functions = term_list(kind, "functions");
  const dloc_row_call *calls;
  const dloc_row *rows = line_rows_of(list, q->arena, &calls);
  TRY(dloc_full_kind(full, term_text(kind, "kind")));
  TRY(dloc_full_rows(full, SECTION, rows, list->count, name_of, kind));
  for (uint32_t i = 0; i < functions->count; i++) {
    const dloc_edit_function function = function_at(&functions->of.items[i], "at"),
                             other = function_at(&functions->of.items[i], "from");
    TRY(dloc_full_function(full, &function, &other));
  }
  return DLOC_OK;
}

OWNER(dloc_full)

/* The rows get the numbers of what is added to the table. */
static dloc_status number(query *q, dloc_hidden *hidden, const dloc_row *rows, size_t count, dloc_rows *to) {
  const term *kinds = term_list(q->args, "full");
  OWNED(release_dloc_full) dloc_full *full = NULL;
  TRY(dloc_full_create(q->context, hidden, &full));
  for (uint32_t i = 0; i < kinds->count; i++)
    TRY(add_kind(q, full, &kinds->of.items[i]));
  return dloc_full_number(full, SECTION, rows, count, to);
}

/* Each sequence of rows, and the one of base at its place. */
static dloc_status compare(query *q, const dloc_row *rows, size_t count, dloc_rows *to) {
  const term *list = term_list(q->args, "base");
  const dloc_row_call *calls;
  const dloc_row *base = line_rows_of(list, q->arena, &calls);
  for (size_t first = 0, from = 0, i = 0; i < count; i++) {
    size_t end = from;
    if (!(rows[i].flags & DLOC_ROW_END_SEQUENCE) && i + 1 < count)
      continue;
    while (end < list->count && !(base[end++].flags & DLOC_ROW_END_SEQUENCE)) {
    }
    TRY(dloc_exact_rows(rows + first, i + 1 - first, base + from, end - from, to));
    first = i + 1;
    from = end;
  }
  return DLOC_OK;
}

OWNER(dloc_layer_maker)

static dloc_status ask(query *q, term *value) {
  const dloc_line_parameters parameters = line_header_of(term_get(q->args, "header"), q->arena);
  const term *list = term_list(q->args, "rows");
  const dloc_row_call *calls;
  const dloc_row *rows = line_rows_of(list, q->arena, &calls);
  size_t count = list->count;
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  OWNED(release_dloc_rows) dloc_rows *numbered = NULL;
  OWNED(release_dloc_layer_maker) dloc_layer_maker *maker = NULL;
  line_problems problems = {q->arena, value};
  TRY(hidden_table(q, &hidden));
  TRY(dloc_rows_create(q->context, &numbered));
  if (term_get(q->args, "full")) {
    TRY(number(q, hidden, rows, count, numbered));
    rows = dloc_rows_list(numbered, &count);
  } else if (term_get(q->args, "base")) {
    TRY(compare(q, rows, count, numbered));
    rows = dloc_rows_list(numbered, &count);
  }
  TRY(dloc_layer_maker_create(q->context, q->profile, &parameters, hidden, line_problem_add, &problems, &maker));
  TRY(add_sequences(maker, rows, count));
  dloc_layer_lines primary = dloc_layer_maker_primary(maker);
  line_rows_describe(q->arena, value, "primary", primary.rows, NULL, primary.row_count);
  for (size_t i = 0; i < dloc_layer_maker_kinds(maker); i++) {
    dloc_layer_lines lines = dloc_layer_maker_kind(maker, i);
    if (lines.row_count)
      describe_kind(q, &lines, term_add(q->arena, value, "kinds"));
  }
  return DLOC_OK;
}

#define FULL                                                                                                           \
  MAP("a kind", FIELD("kind", TEXT), OPTIONAL("directory", TEXT),                                                      \
      FIELD("files", LIST(MAP("a file", FIELD("name", TEXT), OPTIONAL("directory", TEXT)))),                           \
      FIELD("rows", &line_given_rows_type),                                                                            \
      FIELD("functions", LIST(MAP("a function", FIELD("at", LONG), FIELD("from", LONG), FIELD("size", LONG)))))

const operation op_layer_lines = {
    .name = "layer-lines",
    .forms = {{MAP(NULL, OPTIONAL("header", &line_header_type), FIELD("rows", &line_given_rows_type),
                   OPTIONAL("full", LIST(FULL)), OPTIONAL("base", &line_given_rows_type)),
               MAP(NULL, FIELD("primary", &line_rows_type),
                   OPTIONAL("kinds", LIST(MAP("a kind", FIELD_AS("kind", TEXT, "kind %\n"),
                                              FIELD("files", LIST(MAP("a file", FIELD_AS("name", TEXT, "file %\n"),
                                                                      OPTIONAL_AS("text", TEXT, "text %\n")))),
                                              FIELD("rows", &line_rows_type)))),
                   LINE_PROBLEMS)}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
};
