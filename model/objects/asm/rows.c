/* rows.c - text for ELF whose discriminators are numbers: `.loc`s as the back end would have written them, and line
 * tables of layers as data. A `.loc` makes a row: the rows are made a line table, whose addresses stand for places of
 * the text, and spec/hidden.md, chapter 18, says what becomes of it. */
#include "asm.h"
#include "nodes/metadata.h"
#include "nodes/text.h"
#include "objects/lines/machine.h"

#include <inttypes.h>
#include <stdio.h>

/* A `.loc`, as it will be. */
typedef struct new_loc {
  bool kept;
  dloc_row row;
} new_loc;

typedef struct revealing {
  const asm_text *a;
  const dloc_profile *profile;
  const dloc_hidden *hidden;
  asm_problem *on_problem;
  void *user;
  dloc_context *context;
  dloc_reason *ret_reason;
  dloc_line_parameters parameters;
  scratch order;        /* the `.loc`s that have a place, by section */
  scratch sections;     /* those that have any; the end of the i-th is place `places.count + i` */
  ARRAY(dloc_row) rows; /* those of the `.loc`s in that order, with ends of sequences */
  new_loc *locs;
  bool *used;   /* places that have a label */
  uint64_t end; /* the address of the first section's end */
  asm_edits edits;
} revealing;

/* Rows are written and read as the standard says, whatever a profile does. */
static const dloc_profile standard;

OWNER(dloc_line_table)
OWNER(dloc_layer_tables)

/* ---- Rows ---- */

/* `.loc`s by section, each section's in their order. */
static dloc_status sort_locs(revealing *r) {
  const asm_text *a = r->a;
  scratch first = {0};
  OWNED_MEMORY(r->context, &first.words);
  for (size_t i = 0; i <= a->sections.count; i++)
    TRY(scratch_push(r->context, &first, 0));
  for (size_t i = 0; i < a->locs.count; i++)
    TRY(scratch_push(r->context, &r->order, 0));
  for (size_t i = 0; i < a->locs.count; i++)
    if (a->locs.items[i].place < a->places.count)
      first.words[a->places.items[a->locs.items[i].place].section + 1]++;
  for (size_t i = 0; i < a->sections.count; i++) {
    if (first.words[i + 1])
      TRY(scratch_push(r->context, &r->sections, (uint32_t)i));
    first.words[i + 1] += first.words[i];
  }
  r->order.count = first.words[a->sections.count];
  for (size_t i = 0; i < a->locs.count; i++)
    if (a->locs.items[i].place < a->places.count)
      r->order.words[first.words[a->places.items[a->locs.items[i].place].section]++] = (uint32_t)i;
  return DLOC_OK;
}

static uint32_t section_of(const revealing *r, size_t ordered) {
  return r->a->places.items[r->a->locs.items[r->order.words[ordered]].place].section;
}

/* `layer-text.rows` */
static dloc_status make_rows(revealing *r) {
  size_t sections = 0;
  for (size_t i = 0; i < r->order.count; i++) {
    const asm_loc *loc = &r->a->locs.items[r->order.words[i]];
    dloc_row row = loc->row;
    row.line = loc->line;
    row.column = (uint16_t)loc->column;
    PUSH(r->context, r->rows, row);
    if (i + 1 < r->order.count && section_of(r, i + 1) == section_of(r, i))
      continue;
    row.flags = DLOC_ROW_END_SEQUENCE;
    row.discriminator = 0;
    row.address = r->end + sections++;
    PUSH(r->context, r->rows, row);
  }
  return DLOC_OK;
}

/* ---- As a line table ---- */

/* The directory of the compilation, which is that of file 0. */
static dloc_status name_directory(const revealing *r, dloc_node *ret) {
  dloc_text directory = {"", 0};
  for (size_t i = 0; i < r->a->files.count; i++)
    if (r->a->files.items[i].number == 0)
      directory = r->a->files.items[i].directory;
  return asm_string(r->context, directory, ret);
}

static dloc_status write_unit(const revealing *r, dloc_buffer *to) {
  OWNED(dloc_line_list_deinit) dloc_line_list program = {.context = r->context};
  dloc_node directory = DLOC_NULL;
  TRY(name_directory(r, &directory));
  TRY(dloc_line_assemble(&standard, &r->parameters, false, r->rows.items, NULL, r->rows.count, dloc_line_list_take,
                         &program));
  const dloc_text text = dloc_node_text(r->context, directory);
  const dloc_line_file file = {.name = dloc_text_of("-")};
  const dloc_line_unit_parts parts = {.parameters = r->parameters,
                                      .offset_size = 4,
                                      .directories = &text,
                                      .directory_count = r->parameters.version >= 5,
                                      .files = &file,
                                      .file_count = 1,
                                      .program = program.items,
                                      .count = program.count};
  return dloc_line_unit_write(&parts, dloc_buffer_sink(to));
}

static dloc_status read_table(const revealing *r, dloc_text bytes, dloc_line_table **ret) {
  const dloc_line_sections sections = {.line = bytes, .address_size = r->parameters.address_size};
  return dloc_line_table_read(r->context, &standard, &sections, NULL, NULL, ret);
}

static dloc_status make_tables(revealing *r, dloc_layer_tables **ret) {
  OWNED(dloc_buffer_deinit) dloc_buffer unit = {0};
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  TRY(write_unit(r, &unit));
  TRY(read_table(r, (dloc_text){unit.bytes, unit.size}, &table));
  return dloc_layer_tables_make(r->context, r->profile, table, r->hidden, NULL, NULL, r->ret_reason, ret);
}

/* ---- The primary ---- */

static bool is_from(const dloc_row *row, const dloc_row *from) {
  uint32_t line = from->line == DLOC_HIDDEN_LINE_0 ? 0 : from->line;
  return row->address == from->address && row->file == from->file && row->line == line && row->column == from->column;
}

/* Rows of the primary's new table that are left, beside those that there were. */
static dloc_status match_rows(revealing *r, const dloc_layer_tables *made) {
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  size_t count, at = 0, ordered = 0;
  TRY(read_table(r, dloc_layer_tables_primary(made)->bytes, &table));
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &count);
  ALLOCATE_ZEROED(r->context, r->locs, r->a->locs.count + 1);
  for (size_t i = 0; i < r->rows.count; i++) {
    bool end = r->rows.items[i].flags & DLOC_ROW_END_SEQUENCE;
    bool kept = at < count && (end || is_from(&rows[at], &r->rows.items[i]));
    if (!end)
      r->locs[r->order.words[ordered++]] = (new_loc){kept, kept ? rows[at] : (dloc_row){0}};
    at += kept;
  }
  return DLOC_OK;
}

/* A `.loc` as LLVM prints it. */
static dloc_status print_loc(revealing *r, const asm_loc *loc, const dloc_row *row, bool was_stmt) {
  bool is_stmt = row->flags & DLOC_ROW_IS_STMT;
  size_t end = loc->end;
  char text[160], discriminator[32] = "";
  if (row->discriminator)
    snprintf(discriminator, sizeof discriminator, " discriminator %" PRIu32, row->discriminator);
  int size = snprintf(text, sizeof text, ".loc\t%" PRIu32 " %" PRIu32 " %u%s%s%s%s%s%s", (uint32_t)row->file, row->line,
                      (unsigned)row->column, row->flags & DLOC_ROW_BASIC_BLOCK ? " basic_block" : "",
                      row->flags & DLOC_ROW_PROLOGUE_END ? " prologue_end" : "",
                      row->flags & DLOC_ROW_EPILOGUE_BEGIN ? " epilogue_begin" : "",
                      is_stmt == was_stmt ? ""
                      : is_stmt           ? " is_stmt 1"
                                          : " is_stmt 0",
                      discriminator, loc->rest.size ? " " : "");
  if (row->line != loc->line) /* the comment names it */
    end = loc->next - (r->a->text.bytes[loc->next - 1] == '\n');
  TRY(asm_edit_add(r->context, &r->edits, loc->at, end, (dloc_text){text, (size_t)size}));
  return asm_edit_add(r->context, &r->edits, end, end, loc->rest);
}

/* All of its line, unless something stands before it. */
static dloc_status drop_loc(revealing *r, const asm_loc *loc) {
  const char *bytes = r->a->text.bytes;
  size_t at = loc->at, feed = bytes[loc->next - 1] == '\n';
  while (at > 0 && (bytes[at - 1] == ' ' || bytes[at - 1] == '\t'))
    at--;
  bool whole = at == 0 || bytes[at - 1] == '\n';
  return asm_edit_add(r->context, &r->edits, whole ? at : loc->at, loc->next - (whole ? 0 : feed), (dloc_text){"", 0});
}

/* `layer-text.loc`: is_stmt holds until it changes, in what was written as in what is. */
static dloc_status edit_locs(revealing *r) {
  bool before = true, now = true;
  for (size_t i = 0; i < r->a->locs.count; i++) {
    const asm_loc *loc = &r->a->locs.items[i];
    const new_loc *new = &r->locs[i];
    bool same = before == now && new->row.line == loc->line &&new->row.discriminator ==
                                     loc->row.discriminator &&new->row.flags == loc->row.flags;
    before = loc->row.flags & DLOC_ROW_IS_STMT;
    if (!new->kept) {
      TRY(drop_loc(r, loc));
      continue;
    }
    if (!same)
      TRY(print_loc(r, loc, &new->row, now));
    now = new->row.flags &DLOC_ROW_IS_STMT;
  }
  return DLOC_OK;
}

/* ---- Data ---- */

enum { BYTES_OF_LINE = 24 };

static dloc_status print_bytes(dloc_sink sink, dloc_text bytes) {
  for (size_t i = 0; i < bytes.size; i++) {
    bool first = i % BYTES_OF_LINE == 0, last = i + 1 == bytes.size || (i + 1) % BYTES_OF_LINE == 0;
    TRY(asm_print(sink, "%s%u%s", first ? "\t.byte\t" : ", ", (unsigned char)bytes.bytes[i], last ? "\n" : ""));
  }
  return DLOC_OK;
}

/* A program whose addresses are labels. */
typedef struct printing {
  const revealing *r;
  dloc_sink sink;
  const dloc_line_parameters *parameters;
  dloc_buffer bytes; /* not printed yet */
  size_t place;      /* of the row before */
  uint64_t address;
} printing;

static void release_printing(printing *p) { dloc_buffer_deinit(&p->bytes); }

/* `layer-text.end`: where an address of a row is. The ends of sections count on from the last place. */
static size_t place_of(const revealing *r, uint64_t address) {
  const asm_text *a = r->a;
  if (address >= r->end)
    return a->places.count + (size_t)(address - r->end);
  BISECT(behind, 0, a->places.count, i, a->places.items[i].address <= address);
  return behind ? behind - 1 : 0;
}

/* `layer-text.label`: each address of a row has a label. */
static dloc_status use_places(const revealing *r, const dloc_made_section *section) {
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  size_t count;
  TRY(read_table(r, section->bytes, &table));
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &count);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || rows[i].address != rows[i - 1].address)
      r->used[place_of(r, rows[i].address)] = true;
  return DLOC_OK;
}

static dloc_status flush(printing *p) {
  TRY(print_bytes(p->sink, (dloc_text){p->bytes.bytes, p->bytes.size}));
  p->bytes.size = 0;
  return DLOC_OK;
}

/* `layer-text.label` */
static dloc_status print_instruction(void *user, const dloc_line_instruction *instruction) {
  printing *p = user;
  const uint8_t size = p->r->a->address_size;
  const char opcode[] = {0, (char)(size + 1), 2, 9};
  size_t place;
  switch (instruction->opcode) {
  case DLOC_LINE_SET_ADDRESS:
    TRY(sink_bytes(dloc_buffer_sink(&p->bytes), opcode, 3));
    TRY(flush(p));
    p->address = instruction->operand;
    p->place = place_of(p->r, p->address);
    return asm_print(p->sink, "\t.%ubyte\t.Ldloc_p%zu\n", size, p->place);
  case DLOC_LINE_FIXED_ADVANCE_PC:
    TRY(sink_bytes(dloc_buffer_sink(&p->bytes), opcode + 3, 1));
    TRY(flush(p));
    p->address += instruction->operand;
    place = place_of(p->r, p->address);
    TRY(asm_print(p->sink, "\t.2byte\t.Ldloc_p%zu-.Ldloc_p%zu\n", place, p->place));
    p->place = place;
    return DLOC_OK;
  default:
    return dloc_line_program_write(p->parameters, false, instruction, 1, dloc_buffer_sink(&p->bytes));
  }
}

/* A header by the target's own order of bytes. Its length is one of labels, as linkers may change distances. */
static dloc_status print_header(const revealing *r, const dloc_line_unit *unit, dloc_text section, size_t number,
                                dloc_sink sink) {
  const size_t behind = unit->offset + (unit->version >= 5 ? 12 : 10); /* the length of the header */
  TRY(asm_print(sink, "\t.4byte\t.Ldloc_e%zu-.Ldloc_b%zu\n.Ldloc_b%zu:\n", number, number, number));
  TRY(asm_print(sink, "\t.2byte\t%u\n", unit->version));
  if (unit->version >= 5)
    TRY(asm_print(sink, "\t.byte\t%u, 0\n", r->a->address_size));
  TRY(asm_print(sink, "\t.4byte\t%" PRIu64 "\n", unit->header_length));
  return print_bytes(sink, (dloc_text){section.bytes + behind, unit->program - behind});
}

static dloc_status print_unit(const revealing *r, const dloc_line_table *table, const dloc_line_unit *unit,
                              dloc_text section, size_t number, dloc_sink sink) {
  size_t count;
  const dloc_row *rows = dloc_rows_list(dloc_line_table_rows(table), &count) + unit->first_row;
  OWNED(release_printing) printing p = {.r = r, .sink = sink, .parameters = &unit->parameters};
  TRY(print_header(r, unit, section, number, sink));
  TRY(dloc_line_assemble(&standard, &unit->parameters, true, rows, NULL, unit->row_count, print_instruction, &p));
  TRY(flush(&p));
  return asm_print(sink, ".Ldloc_e%zu:\n", number);
}

static dloc_status print_table(const revealing *r, const dloc_made_section *section, size_t number, dloc_sink sink) {
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  size_t count;
  TRY(read_table(r, section->bytes, &table));
  const dloc_line_unit *units = dloc_line_table_units(table, &count);
  for (size_t i = 0; i < count; i++)
    TRY(print_unit(r, table, &units[i], section->bytes, number, sink));
  return DLOC_OK;
}

/* Lines of a text are strings of their own. */
static dloc_status print_text(dloc_text text, dloc_sink sink) {
  for (size_t at = 0, end; at < text.size; at = end) {
    const char *feed = memchr(text.bytes + at, '\n', text.size - at);
    end = feed ? (size_t)(feed - text.bytes) + 1 : text.size;
    TRY(sink_string(sink, "\t.ascii\t"));
    TRY(asm_print_string((dloc_text){text.bytes + at, end - at}, sink));
    TRY(sink_bytes(sink, "\n", 1));
  }
  return DLOC_OK;
}

/* `layer-text.section`: names of sections stand in quotes, as kinds may have any bytes. Tables have addresses, texts
 * have none. */
static dloc_status print_section(const revealing *r, const dloc_made_section *section, size_t number, dloc_sink sink) {
  TRY(sink_string(sink, "\t.section\t"));
  TRY(asm_print_string(section->name, sink));
  TRY(sink_string(sink, section->group.size ? ",\"G\",%progbits," : ",\"\",%progbits"));
  if (section->group.size) {
    TRY(asm_print_string(section->group, sink));
    TRY(sink_string(sink, ",comdat"));
  }
  TRY(sink_bytes(sink, "\n", 1));
  return section->address_count ? print_table(r, section, number, sink) : print_text(section->bytes, sink);
}

/* ---- Labels ---- */

/* `layer-text.end` */
static dloc_status print_section_end(size_t number, dloc_text section, dloc_sink sink) {
  TRY(sink_string(sink, text_is_among(section, ".text .data .bss") ? "\t" : "\t.section\t"));
  TRY(sink_text(sink, section));
  return asm_print(sink, "\n.Ldloc_p%zu:\n", number);
}

/* Places that rows of layers name. */
static dloc_status find_labels(revealing *r, const dloc_layer_tables *made) {
  size_t count, places = r->a->places.count + r->sections.count;
  const dloc_made_section *sections = dloc_layer_tables_sections(made, &count);
  ALLOCATE_ZEROED(r->context, r->used, places + 1);
  for (size_t i = 0; i < count; i++)
    if (sections[i].address_count)
      TRY(use_places(r, &sections[i]));
  return DLOC_OK;
}

static dloc_status add_labels(revealing *r) {
  const asm_text *a = r->a;
  char text[40];
  for (size_t i = 0; i < a->places.count; i++) {
    snprintf(text, sizeof text, ".Ldloc_p%zu:\n", i);
    if (r->used[i])
      TRY(asm_edit_add(r->context, &r->edits, a->places.items[i].at, a->places.items[i].at, dloc_text_of(text)));
  }
  return DLOC_OK;
}

/* ---- DIEs ---- */

/* `layer-text.value` */
static dloc_status edit_values(revealing *r) {
  for (size_t i = 0; i < r->a->values.count; i++) {
    const asm_value *value = &r->a->values.items[i];
    dloc_hidden_entry entry = {0};
    bool known = value->attribute == ASM_DISCRIMINATOR && value->number <= UINT32_MAX &&
                 dloc_hidden_find(r->hidden, (uint32_t)value->number, &entry);
    if (known || (value->attribute == ASM_CALL_LINE && value->number == DLOC_HIDDEN_LINE_0))
      TRY(asm_edit_value(r->context, &r->edits, value, 1, entry.discriminator));
  }
  return DLOC_OK;
}

/* ---- All of it ---- */

/* `layer-text.number`; `layer-lines.numbers`. */
static dloc_status check_numbers(revealing *r) {
  map told = {0};
  OWNED_MEMORY(r->context, &told.entries);
  bool has_numbers = false;
  for (size_t i = 0; i < r->a->locs.count; i++) {
    uint32_t number = r->a->locs.items[i].row.discriminator;
    dloc_hidden_entry entry;
    has_numbers = has_numbers || number;
    bool first = false;
    if (!number || dloc_hidden_find(r->hidden, number, &entry))
      continue;
    TRY(map_meet(r->context, &told, number, 0, &first));
    if (first && r->on_problem)
      TRY(r->on_problem(r->user, DLOC_REASON_REVEAL_NUMBER, r->a->locs.items[i].at));
  }
  bool none = r->a->locs.count && !has_numbers && dloc_hidden_count(r->hidden);
  return none && r->on_problem ? r->on_problem(r->user, DLOC_REASON_LAYER_LINES_NONE, r->a->locs.items[0].at) : DLOC_OK;
}

/* `layer-text.end`: the sections of layers stand behind the text. They can be many times as large, so they are written as they are made. */
static dloc_status print_added(const revealing *r, const dloc_layer_tables *made, dloc_sink sink) {
  const size_t places = r->a->places.count;
  size_t count;
  const dloc_made_section *sections = dloc_layer_tables_sections(made, &count);
  for (size_t i = 0; i < count; i++)
    TRY(print_section(r, &sections[i], i, sink));
  for (size_t i = 0; i < r->sections.count; i++)
    if (r->used[places + i])
      TRY(print_section_end(places + i, r->a->sections.items[r->sections.words[i]], sink));
  return DLOC_OK;
}

static void release(revealing *r) {
  CONTEXT_FREE(r->context, r->order.words, r->sections.words, r->rows.items, r->locs, r->used);
  asm_edits_deinit(r->context, &r->edits);
}

dloc_status asm_reveal_rows(const asm_text *a, const dloc_profile *profile, const dloc_hidden *hidden,
                            asm_problem *on_problem, void *user, dloc_reason *ret_reason, dloc_sink sink) {
  OWNED(release_dloc_layer_tables) dloc_layer_tables *made = NULL;
  OWNED(release)
  revealing r = {.a = a,
                 .profile = profile,
                 .hidden = hidden,
                 .on_problem = on_problem,
                 .user = user,
                 .context = a->context,
                 .ret_reason = ret_reason};
  r.parameters = line_parameters_usual(a->version >= 5 ? 5 : 4, 8);
  if (a->places.count)
    r.end = a->places.items[a->places.count - 1].address + 1;
  TRY(check_numbers(&r));
  TRY(sort_locs(&r));
  TRY(make_rows(&r));
  TRY(make_tables(&r, &made));
  TRY(match_rows(&r, made));
  TRY(edit_locs(&r));
  TRY(edit_values(&r));
  TRY(find_labels(&r, made));
  TRY(add_labels(&r));
  TRY(asm_edits_write(&r.edits, a->text, sink));
  return print_added(&r, made, sink);
}
