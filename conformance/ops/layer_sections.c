/* layer_sections.c - `layer-sections`: the sections that a line table becomes whose discriminators are numbers.
 * spec/hidden.md 18.1 */
#include "declare.h"
#include "objects/dloc_dwarf.h"
#include "hidden_table.h"
#include "line_bytes.h"
#include "line_terms.h"

#include <stdlib.h>
#include <string.h>

#define LONG (&(const type){.kind = TYPE_NUMBER, .limit = UINT64_MAX})
#define SHOWN(name, type, text_of)                                                                                     \
  { .key = (name), .of = (type), .optional = true, .text = (text_of) }

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)module;
  return value ? DLOC_OK : line_bytes_check(r, args, (const char *const[]){"bytes", "line_str", NULL});
}

/* Texts are shown as they are, tables as bytes. */
static void describe_section(query *q, const dloc_made_section *made, term *ret) {
  term_set_text(q->arena, ret, "name", made->name);
  if (made->group.size) {
    term_set_text(q->arena, ret, "group", made->group);
    term_set_text(q->arena, ret, "text", made->bytes);
  } else
    line_bytes_describe(q->arena, ret, made->bytes);
  term *addresses = made->address_count ? term_set_list(q->arena, ret, "addresses", made->address_count) : NULL;
  for (size_t i = 0; i < made->address_count; i++) {
    term_set_number(&addresses[i], "at", made->addresses[i].at);
    term_set_number(&addresses[i], "from", made->addresses[i].from);
    term_set_number(&addresses[i], "added", made->addresses[i].added);
  }
  term *pieces = made->piece_count ? term_set_list(q->arena, ret, "pieces", made->piece_count) : NULL;
  for (size_t i = 0; i < made->piece_count; i++) {
    term_set_number(&pieces[i], "from", made->pieces[i].from);
    term_set_number(&pieces[i], "to", made->pieces[i].to);
    term_set_number(&pieces[i], "size", made->pieces[i].size);
  }
}

static void describe(query *q, const dloc_layer_tables *tables, term *value) {
  size_t count;
  const dloc_made_section *sections = dloc_layer_tables_sections(tables, &count);
  describe_section(q, dloc_layer_tables_primary(tables), term_set_map(q->arena, value, "primary"));
  term *list = count ? term_set_list(q->arena, value, "sections", count) : NULL;
  for (size_t i = 0; i < count; i++)
    describe_section(q, &sections[i], &list[i]);
}

static dloc_status make(query *q, const dloc_hidden *hidden, const dloc_line_table *table, term *value) {
  line_problems problems = {NULL, 0};
  dloc_layer_tables *tables = NULL;
  dloc_status status =
      dloc_layer_tables_make(q->context, q->profile, table, hidden, line_problem_add, &problems, &q->reason, &tables);
  if (status == DLOC_OK) {
    describe(q, tables, value);
    line_problems_describe(q->arena, value, &problems);
  } else
    free(problems.items);
  dloc_layer_tables_destroy(tables);
  return status;
}

static dloc_status read_and_make(query *q, const dloc_hidden *hidden, term *value) {
  const dloc_line_sections from = {.line = line_bytes_of(q->arena, q->args, "bytes"),
                                   .line_str = line_bytes_of(q->arena, q->args, "line_str"),
                                   .big_endian = term_flag(q->args, "big_endian"),
                                   .address_size = 8};
  dloc_line_table *table = NULL;
  dloc_status status = dloc_line_table_read(q->context, q->profile, &from, NULL, NULL, &table);
  if (status == DLOC_OK)
    status = make(q, hidden, table, value);
  dloc_line_table_destroy(table);
  return status;
}

static dloc_status ask(query *q, term *value) { return hidden_table_ask(q, read_and_make, value); }

#define SECTION                                                                                                        \
  MAP("a section", {.key = "name", .of = TEXT, .text = "section %\n"}, SHOWN("group", TEXT, "group %\n"),              \
      SHOWN("text", TEXT, "text %\n"), SHOWN("bytes", TEXT, "bytes %\n"),                                              \
      SHOWN("addresses",                                                                                               \
            LIST(MAP("an address", {.key = "at", .of = LONG, .text = "address at %"},                                  \
                     {.key = "from", .of = LONG, .text = " from %"}, {.key = "added", .of = LONG, .text = " + %\n"})), \
            NULL),                                                                                                     \
      SHOWN("pieces",                                                                                                  \
            LIST(MAP("a piece", {.key = "from", .of = LONG, .text = "piece from %"},                                   \
                     {.key = "to", .of = LONG, .text = " to %"}, {.key = "size", .of = LONG, .text = " size %\n"})),   \
            NULL))

const operation op_layer_sections = {
    .name = "layer-sections",
    .forms = {{MAP(NULL, FIELD("bytes", LINE_BYTES), OPTIONAL("line_str", LINE_BYTES), OPTIONAL("big_endian", FLAG)),
               MAP(NULL, FIELD("primary", SECTION), OPTIONAL("sections", LIST(SECTION)), LINE_PROBLEMS)}},
    .module = MODULE_NAMED_ONLY,
    .check = check,
    .ask = ask,
    .args_cell =
        "`{bytes: [...], line_str: [...], big_endian: false}` as of `units`: .debug_line of a relocatable object; `module` as of "
        "`layer-lines`",
    .value_cell =
        "`primary: {name, bytes, addresses: [{at, from, added}], pieces: [{from, to, size}]}`: the new .debug_line; an address has the "
        "relocation of offset `from` of the old one and more in its addend, a piece is a header or unit that stays; `sections: [{name, "
        "bytes, addresses}, {name, group, text}]`: tables and texts, absent when there are none; `problems` as in `lines`",
};
