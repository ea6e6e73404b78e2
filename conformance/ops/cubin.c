/* cubin.c - `cubin`: what NVIDIA's extended line map says of each row, from bytes. spec/lines.md 16 */
#include "declare.h"
#include "line_terms.h"

#define SYMBOLS LIST(MAP("a symbol", FIELD("at", NUMBER), FIELD("name", TEXT)))
#define TEXTS LIST(MAP("a section of PTX", FIELD("section", TEXT), FIELD("bytes", &line_bytes_type)))
#define ROW                                                                                                            \
  MAP("a row", FIELD_AS("address", LONG, "row %"), FIELD_AS("line", NUMBER, " line %"),                                \
      OPTIONAL_AS("kernel", TEXT, " kernel %"), OPTIONAL_AS("context", NUMBER, " context %"),                          \
      OPTIONAL_AS("function", TEXT, " function %"), OPTIONAL_AS("ptx", NUMBER, " ptx %"),                              \
      OPTIONAL_AS("text", TEXT, " text %"), FIELD_AS("flags", TEXT, " %\n"))

/* ---- The map ---- */

typedef struct map_of {
  query *q;
  line_problems problems;
  dloc_line_table *line, *sass; /* sass: NULL without one */
  dloc_kernels *layer;          /* of sass */
} map_of;

static dloc_text symbol_in(const term *symbols, size_t at) {
  for (uint32_t i = 0; i < symbols->count; i++)
    if (term_number(&symbols->of.items[i], "at") == at)
      return term_text(&symbols->of.items[i], "name");
  return (dloc_text){NULL, 0};
}

static dloc_text sass_symbol(void *user, size_t at) { return symbol_in(user, at); }

static dloc_status read_table(map_of *m, const char *key, dloc_line_table **ret) {
  const dloc_object_kind kind = {.machine = (uint16_t)term_number_or(m->q->args, "machine", 190), .address_size = 8};
  const dloc_line_sections sections = {.line = line_bytes_of(m->q->arena, m->q->args, key),
                                       .str = line_bytes_of(m->q->arena, m->q->args, "str"),
                                       .address_size = 8,
                                       .dialect = dloc_line_dialect_of(kind)};
  return dloc_line_table_read(m->q->context, m->q->profile, &sections, line_problem_add, &m->problems, ret);
}

static void describe_ptx(map_of *m, dloc_text kernel, const dloc_row *row, term *ret) {
  const dloc_line_unit *unit;
  const dloc_row *ptx;
  if (!m->layer || !dloc_kernels_find(m->layer, kernel, row->address, &unit, &ptx))
    return;
  dloc_text section = dloc_ptx_section(m->sass, unit, ptx), *lines;
  term_set_number(ret, "ptx", ptx->line);
  const term *texts = term_list(m->q->args, "texts");
  for (uint32_t i = 0; i < texts->count; i++) {
    dloc_text text = line_bytes_of(m->q->arena, &texts->of.items[i], "bytes");
    size_t count = dloc_ptx_lines(text, 0, NULL);
    lines = value_arena_alloc(m->q->arena, count, sizeof *lines);
    (void)dloc_ptx_lines(text, count, lines);
    if (dloc_text_equal(term_text(&texts->of.items[i], "section"), section) && ptx->line && ptx->line <= count)
      term_set_text(m->q->arena, ret, "text", lines[ptx->line - 1]);
  }
}

static dloc_status describe_row(map_of *m, const dloc_line_unit *unit, dloc_text kernel, size_t number, term *ret) {
  char letters[6];
  size_t count;
  dloc_text function;
  const dloc_row *row = &dloc_rows_list(dloc_line_table_rows(m->line), &count)[number];
  const dloc_row_call *calls = dloc_rows_calls(dloc_line_table_rows(m->line));
  term_set_number(ret, "address", row->address);
  term_set_number(ret, "line", row->line);
  if (kernel.size)
    term_set_text(m->q->arena, ret, "kernel", kernel);
  if (calls && calls[number].context) {
    term_set_number(ret, "context", calls[number].context);
    if (dloc_line_unit_function(m->line, unit, calls[number].function, &function))
      term_set_text(m->q->arena, ret, "function", function);
    else
      TRY(line_problem_add(&m->problems, DLOC_REASON_NVIDIA_FUNCTION_RANGE, number + 1));
  }
  describe_ptx(m, kernel, row, ret);
  dloc_row_letters(row->flags, letters);
  term_set_text(m->q->arena, ret, "flags", dloc_text_of(letters));
  return DLOC_OK;
}

static dloc_status describe(map_of *m, term *value) {
  size_t unit_count, sequence_count, row_count;
  const dloc_line_unit *unit = dloc_line_table_units(m->line, &unit_count);
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(m->line), &sequence_count);
  (void)dloc_rows_list(dloc_line_table_rows(m->line), &row_count);
  term *units = term_set_list(m->q->arena, value, "units", unit_count);
  term *rows = term_set_list(m->q->arena, value, "rows", row_count);
  for (size_t i = 0; i < unit_count; i++) {
    if (unit[i].has_names)
      term_set_number(&units[i], "names", unit[i].names);
    for (size_t j = unit[i].first_sequence; j < unit[i].first_sequence + unit[i].sequence_count; j++) {
      dloc_text symbol = symbol_in(term_list(m->q->args, "symbols"), sequences[j].set_address);
      for (size_t k = sequences[j].first; k < sequences[j].first + sequences[j].count; k++)
        TRY(describe_row(m, &unit[i], dloc_kernel_name(symbol), k, &rows[k]));
    }
  }
  return DLOC_OK;
}

OWNER(dloc_kernels)

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_line_table) dloc_line_table *line = NULL, *sass = NULL;
  OWNED(release_dloc_kernels) dloc_kernels *layer = NULL;
  map_of m = {.q = q, .problems = {q->arena, value}};
  TRY(read_table(&m, "line", &line));
  if (term_get(q->args, "sass")) {
    TRY(read_table(&m, "sass", &sass));
    TRY(dloc_kernels_create(q->context, sass, sass_symbol, (term *)term_list(q->args, "sass_symbols"), &layer));
  }
  m.line = line, m.sass = sass, m.layer = layer;
  return describe(&m, value);
}

const operation op_cubin = {
    .name = "cubin",
    .forms = {{MAP(NULL, FIELD("line", &line_bytes_type), OPTIONAL("machine", NUMBER),
                   OPTIONAL("str", &line_bytes_type), OPTIONAL("symbols", SYMBOLS), OPTIONAL("sass", &line_bytes_type),
                   OPTIONAL("sass_symbols", SYMBOLS), OPTIONAL("texts", TEXTS)),
               MAP(NULL, FIELD("units", LIST(MAP_AS("a unit", "unit\n", OPTIONAL_AS("names", NUMBER, "names %\n")))),
                   FIELD("rows", LIST(ROW)), LINE_PROBLEMS)}},
    .ask = ask,
};
