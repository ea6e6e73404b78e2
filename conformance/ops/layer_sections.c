/* layer_sections.c - `layer-sections`: the sections that a line table becomes whose discriminators are numbers.
 * spec/hidden.md 18.1 */
#include "declare.h"
#include "hiding.h"
#include "line_terms.h"

/* Texts are shown as they are, tables as bytes. */
static void describe_section(query *q, const dloc_made_section *made, term *ret) {
  term_set_text(q->arena, ret, "name", made->name);
  if (made->group.size) {
    term_set_text(q->arena, ret, "group", made->group);
    term_set_text(q->arena, ret, "text", made->bytes);
  } else
    line_bytes_describe(q->arena, ret, made->bytes);
  for (size_t i = 0; i < made->address_count; i++) {
    term *address = term_add(q->arena, ret, "addresses");
    term_set_number(address, "at", made->addresses[i].at);
    term_set_number(address, "from", made->addresses[i].from);
    term_set_number(address, "added", made->addresses[i].added);
  }
  for (size_t i = 0; i < made->piece_count; i++) {
    term *piece = term_add(q->arena, ret, "pieces");
    term_set_number(piece, "from", made->pieces[i].from);
    term_set_number(piece, "to", made->pieces[i].to);
    term_set_number(piece, "size", made->pieces[i].size);
  }
}

OWNER(dloc_layer_tables)

static dloc_status ask(query *q, term *value) {
  const dloc_line_sections from = {.line = line_bytes_of(q->arena, q->args, "bytes"),
                                   .line_str = line_bytes_of(q->arena, q->args, "line_str"),
                                   .big_endian = term_flag(q->args, "big_endian"),
                                   .address_size = 8};
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  OWNED(release_dloc_layer_tables) dloc_layer_tables *tables = NULL;
  size_t count;
  TRY(hidden_table(q, &hidden));
  TRY(dloc_line_table_read(q->context, q->profile, &from, NULL, NULL, &table));
  TRY(dloc_layer_tables_make(q->context, q->profile, table, hidden, line_problem_add, &(line_problems){q->arena, value},
                             &q->reason, &tables));
  const dloc_made_section *sections = dloc_layer_tables_sections(tables, &count);
  describe_section(q, dloc_layer_tables_primary(tables), term_set_map(q->arena, value, "primary"));
  for (size_t i = 0; i < count; i++)
    describe_section(q, &sections[i], term_add(q->arena, value, "sections"));
  return DLOC_OK;
}

#define SECTION                                                                                                        \
  MAP("a section", FIELD_AS("name", TEXT, "section %\n"), OPTIONAL_AS("group", TEXT, "group %\n"),                     \
      OPTIONAL_AS("text", TEXT, "text %\n"), OPTIONAL_AS("bytes", TEXT, "bytes %\n"),                                  \
      OPTIONAL("addresses", LIST(MAP("an address", FIELD_AS("at", LONG, "address at %"),                               \
                                     FIELD_AS("from", LONG, " from %"), FIELD_AS("added", LONG, " + %\n")))),          \
      OPTIONAL("pieces", LIST(MAP("a piece", FIELD_AS("from", LONG, "piece from %"), FIELD_AS("to", LONG, " to %"),    \
                                  FIELD_AS("size", LONG, " size %\n")))))

const operation op_layer_sections = {
    .name = "layer-sections",
    .forms = {{MAP(NULL, FIELD("bytes", &line_bytes_type), OPTIONAL("line_str", &line_bytes_type),
                   OPTIONAL("big_endian", FLAG)),
               MAP(NULL, FIELD("primary", SECTION), OPTIONAL("sections", LIST(SECTION)), LINE_PROBLEMS)}},
    .module = MODULE_NAMED_ONLY,
    .ask = ask,
};
