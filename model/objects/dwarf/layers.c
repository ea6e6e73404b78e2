/* spec/hidden.md 18.1: line tables of layers as sections, and .debug_line without numbers. */
#include "table.h"
#include "write.h"

#include "objects/dloc_hidden.h"
#include "source.h"

#include <md5.h>
#include <string.h>

/* A section while it grows. Its texts are made when all is known. */
typedef struct section {
  dloc_node name;
  dloc_node group; /* DLOC_NULL: none */
  dloc_buffer bytes;
  ARRAY(dloc_made_address) addresses;
  ARRAY(dloc_made_piece) pieces;
} section;

struct dloc_layer_tables {
  dloc_context *context;
  section primary;
  ARRAY(section) sections;
  dloc_made_section *made; /* the primary's first */
  char *names;             /* those of sections and groups, one behind the other */
};

/* The texts that were named, as a text can be long and each unit names it. */
typedef struct named_texts {
  map places; /* by the name of a kind, and entry */
  ARRAY(struct named_text {
    dloc_node section;
    uint8_t md5[16];
  })
  items;
} named_texts;

/* The input of all this. */
typedef struct making {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_line_table *table;
  const dloc_hidden *hidden;
  dloc_layer_tables *tables;
  dloc_reason *ret_reason;
  ARRAY(dloc_layer_maker *) makers; /* of each unit; NULL: it stays as it is */
  ARRAY(dloc_node) kinds;
  dloc_node *names; /* of kinds in names of sections */
  map numbers;      /* of kinds */
  map places;       /* of sections, by name */
  named_texts *texts;
  const dloc_line_unit *unit; /* at hand */
  bool has_numbers;           /* some unit has */
} making;

/* `layer-lines.header` */
static byte_sink to_buffer(const making *m, dloc_buffer *buffer) {
  return (byte_sink){dloc_buffer_sink(buffer), m->table->sections.big_endian};
}

/* The entry's contents, or the layer whose file has the text. */
static dloc_source source_of(const dloc_context *context, dloc_node entry) {
  dloc_source source = {.entry = DLOC_NULL};
  if (!source_read(context, entry, &source))
    (void)source_of_layer(context, entry, &source);
  return source;
}

/* ---- Which units are written again ---- */

/* The addresses of a unit's program. */
typedef struct addresses {
  uint8_t size;
  size_t in_sequence; /* set_address */
} addresses;

/* `layer-lines.program`: whether rows say all that an instruction does. */
static dloc_status check_instruction(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction) {
  addresses *a = user;
  (void)at;
  switch (instruction->opcode) {
  case DLOC_LINE_SET_ADDRESS:
    return a->in_sequence++ == 0 && bytes.size == 3U + a->size ? DLOC_OK : DLOC_INVALID;
  case DLOC_LINE_END_SEQUENCE:
    a->in_sequence = 0;
    return DLOC_OK;
  case DLOC_LINE_FIXED_ADVANCE_PC:
  case DLOC_LINE_DEFINE_FILE:
  case DLOC_LINE_UNKNOWN_STANDARD:
  case DLOC_LINE_UNKNOWN_EXTENDED:
    return DLOC_INVALID;
  default:
    return DLOC_OK;
  }
}

/* `layer-lines.primary.unit` */
static bool stays(const dloc_line_table *table, const dloc_line_unit *unit) {
  bool known =
      unit->parameters.dialect == DLOC_DIALECT_STANDARD || unit->parameters.dialect == DLOC_DIALECT_DESIGN_2009;
  for (size_t i = unit->first_row; known && i < unit->first_row + unit->row_count; i++) {
    const dloc_row *row = &table->rows->rows.items[i];
    if (row->discriminator || row->line == DLOC_HIDDEN_LINE_0)
      return false;
  }
  return true;
}

/* A problem of rows is one of their unit. */
typedef struct told {
  dloc_line_problem *on_problem;
  void *user;
  size_t at;
} told;

static dloc_status tell(void *user, dloc_reason reason, size_t at) {
  const told *t = user;
  (void)at;
  return t->on_problem ? t->on_problem(t->user, reason, t->at) : DLOC_OK;
}

static dloc_status add_sequences(const making *m, const dloc_line_unit *unit, dloc_layer_maker *maker) {
  for (size_t i = unit->first_sequence; i < unit->first_sequence + unit->sequence_count; i++) {
    const dloc_sequence *s = &m->table->rows->sequences.items[i];
    if (!s->set_address)
      return fail(m->ret_reason, DLOC_REASON_LAYER_LINES_PROGRAM);
    TRY(dloc_layer_maker_add(maker, m->table->rows->rows.items + s->first, s->count, s->set_address));
  }
  return DLOC_OK;
}

static dloc_status make_rows(making *m, const dloc_line_unit *unit, told *t) {
  addresses a = {.size = unit->parameters.address_size};
  dloc_layer_maker *maker = NULL;
  bool whole = stays(m->table, unit);
  RESERVE(m->context, m->makers, m->makers.count + 1);
  if (!whole) {
    dloc_status status = dloc_line_unit_program(m->table, unit, check_instruction, &a);
    if (status != DLOC_OK)
      return status == DLOC_INVALID ? fail(m->ret_reason, DLOC_REASON_LAYER_LINES_PROGRAM) : status;
    TRY(dloc_layer_maker_create(m->context, m->profile, &unit->parameters, m->hidden, tell, t, &maker));
  }
  m->makers.items[m->makers.count++] = maker;
  m->has_numbers |= !whole;
  return maker ? add_sequences(m, unit, maker) : DLOC_OK;
}

/* ---- Programs ---- */

/* Where a program is written to. */
typedef struct program {
  const making *m;
  dloc_buffer *bytes;
  section *section; /* gets the addresses, for now counted from the program */
  const dloc_line_parameters *parameters;
  size_t from; /* the operand of the primary's sequence, and what it was read as */
  uint64_t read;
} program;

/* `layer-lines.relocation` */
static dloc_status put_instruction(void *user, const dloc_line_instruction *instruction) {
  program *p = user;
  if (put_program(to_buffer(p->m, p->bytes), p->parameters, instruction, 1) != DLOC_OK)
    return fail(p->m->ret_reason, DLOC_REASON_LAYER_LINES_PROGRAM);
  if (instruction->opcode == DLOC_LINE_SET_ADDRESS)
    PUSH(p->m->context, p->section->addresses,
         (dloc_made_address){p->bytes->size - p->parameters->address_size, p->from, instruction->operand - p->read});
  return DLOC_OK;
}

/* The program of a unit. */
static dloc_status make_program(const making *m, const dloc_layer_lines *lines, section *to, dloc_buffer *ret) {
  program p = {.m = m, .bytes = ret, .section = to, .parameters = &m->unit->parameters};
  for (size_t i = 0; i < lines->sequence_count; i++) {
    const dloc_sequence *s = &lines->sequences[i];
    byte_cursor operand = table_cursor(m->table, s->set_address, m->table->sections.line.size);
    p.from = s->set_address;
    p.read = bytes_fixed(&operand, p.parameters->address_size);
    TRY(dloc_line_assemble(m->profile, p.parameters, false, lines->rows + s->first, NULL, s->count, put_instruction,
                           &p));
  }
  return DLOC_OK;
}

/* The program now stands at the end of the section. */
static void place_program(section *to, size_t first, size_t size) {
  for (size_t i = first; i < to->addresses.count; i++)
    to->addresses.items[i].at += to->bytes.size - size;
}

/* ---- Units of kinds ---- */

/* The tables of a unit of a kind. Names are nodes until all are made. */
typedef struct entries {
  ARRAY(dloc_node) directories; /* behind that of the primary's unit */
  map numbers;                  /* of directories */
  ARRAY(dloc_node) names;
  ARRAY(dloc_line_file) files;
  ARRAY(dloc_text) texts; /* of directories, all of them */
} entries;

/* `layer-lines.directory`: that of the primary's unit. */
static dloc_text first_directory(const making *m) {
  return m->unit->directory_count ? *dloc_line_unit_directories(m->table, m->unit) : (dloc_text){NULL, 0};
}

/* `layer-lines.file.textless`, `layer-lines.directory` */
static dloc_status number_directory(const making *m, entries *e, dloc_node directory, uint64_t *ret) {
  dloc_text text = dloc_node_text(m->context, directory);
  uint32_t number = (uint32_t)e->directories.count + 1, known;
  *ret = 0;
  if (!text.size || (m->unit->parameters.version >= 5 && dloc_text_equal(text, first_directory(m))))
    return DLOC_OK;
  TRY(map_add(m->context, &e->numbers, directory, 0, number, &known));
  if (known == number)
    PUSH(m->context, e->directories, directory);
  *ret = known;
  return DLOC_OK;
}

static dloc_status name_text(const making *m, dloc_node kind, dloc_node entry, struct named_text *ret) {
  named_texts *texts = m->texts;
  uint32_t number = (uint32_t)texts->items.count, known;
  TRY(map_add(m->context, &texts->places, kind, entry, number, &known));
  if (known == number) {
    const dloc_text text = source_of(m->context, entry).text;
    struct named_text named;
    MD5_CTX md5;
    MD5Init(&md5);
    MD5Update(&md5, (const uint8_t *)text.bytes, text.size);
    MD5Final(named.md5, &md5);
    TRY(dloc_section_text(m->context, m->profile, kind, entry, &named.section));
    PUSH(m->context, texts->items, named);
  }
  *ret = texts->items.items[known];
  return DLOC_OK;
}

/* `layer-lines.name`: a directory that tells how the producer spells the kind, and calls the text. */
static dloc_status name_directory(const making *m, dloc_node kind, dloc_node file, dloc_node *ret) {
  const dloc_text name = dloc_node_text(m->context, dloc_field_value(m->context, file, "filename"));
  const dloc_text parts[] = {dloc_node_text(m->context, kind), dloc_text_of("/"), name};
  *ret = DLOC_NULL;
  if (DLOC_TAKES(m->profile, LAYER_LINES_NAME, NOWHERE) || (name.size && memchr(name.bytes, 0, name.size)))
    return DLOC_OK;
  return join_texts(m->context, parts, 3, ret);
}

/* `layer-lines.file.text`, `layer-lines.file.md5` */
static dloc_status add_text_file(const making *m, entries *e, dloc_node kind, const dloc_layer_lines *lines,
                                 const dloc_layer_file *of) {
  struct named_text named;
  dloc_line_file file = {.has_md5 = true};
  dloc_node directory;
  TRY(name_text(m, kind, of->entry, &named));
  TRY(name_directory(m, lines->kind, of->file, &directory));
  TRY(number_directory(m, e, directory, &file.directory));
  memcpy(file.md5, named.md5, sizeof named.md5);
  PUSH(m->context, e->files, file);
  PUSH(m->context, e->names, named.section);
  return DLOC_OK;
}

/* `layer-lines.file.textless` */
static dloc_status add_plain_file(const making *m, entries *e, dloc_node node) {
  dloc_line_file file = {.size = 0};
  TRY(number_directory(m, e, dloc_field_value(m->context, node, "directory"), &file.directory));
  PUSH(m->context, e->files, file);
  PUSH(m->context, e->names, dloc_field_value(m->context, node, "filename"));
  return DLOC_OK;
}

static dloc_status add_entries(const making *m, entries *e, dloc_node kind, const dloc_layer_lines *lines) {
  for (size_t i = 0; i < lines->file_count; i++)
    TRY(lines->files[i].entry ? add_text_file(m, e, kind, lines, &lines->files[i])
                              : add_plain_file(m, e, lines->files[i].file));
  for (size_t i = 0; i < e->files.count; i++)
    e->files.items[i].name = dloc_node_text(m->context, e->names.items[i]);
  if (m->unit->parameters.version >= 5)
    PUSH(m->context, e->texts, first_directory(m));
  for (size_t i = 0; i < e->directories.count; i++)
    PUSH(m->context, e->texts, dloc_node_text(m->context, e->directories.items[i]));
  return DLOC_OK;
}

/* `layer-lines.header`, `layer-lines.unit` */
static dloc_status add_kind_unit(const making *m, const dloc_layer_lines *lines, dloc_node kind, section *to) {
  entries e = {.numbers = {0}};
  OWNED(dloc_buffer_deinit) dloc_buffer program = {0};
  OWNED_MEMORY(m->context, &e.directories.items, &e.numbers.entries, &e.names.items, &e.files.items, &e.texts.items);
  size_t first = to->addresses.count;
  TRY(add_entries(m, &e, kind, lines));
  TRY(make_program(m, lines, to, &program));
  const dloc_line_unit_parts parts = {.parameters = m->unit->parameters,
                                      .offset_size = m->unit->offset_size,
                                      .directories = e.texts.items,
                                      .directory_count = e.texts.count,
                                      .files = e.files.items,
                                      .file_count = e.files.count};
  TRY(put_whole_unit(to_buffer(m, &to->bytes), &parts, (dloc_text){program.bytes, program.size}));
  place_program(to, first, program.size);
  return DLOC_OK;
}

/* ---- Sections ---- */

static dloc_status find_section(making *m, dloc_node name, section **ret) {
  dloc_layer_tables *t = m->tables;
  uint32_t place;
  TRY(map_add(m->context, &m->places, name, 0, (uint32_t)t->sections.count, &place));
  if (place == t->sections.count)
    PUSH(m->context, t->sections, (section){.name = name});
  *ret = &t->sections.items[place];
  return DLOC_OK;
}

/* The treatment of the rows of a kind in a unit. */
typedef dloc_status with_lines(making *m, const dloc_layer_lines *lines);

/* `layer-lines.unit` */
static dloc_status each_kind(making *m, with_lines *with) {
  for (size_t i = 0; i < m->makers.count; i++)
    for (size_t j = 0; m->makers.items[i] && j < dloc_layer_maker_kinds(m->makers.items[i]); j++) {
      dloc_layer_lines lines = dloc_layer_maker_kind(m->makers.items[i], j);
      m->unit = &m->table->units.items[i];
      if (lines.row_count)
        TRY(with(m, &lines));
    }
  return DLOC_OK;
}

static dloc_status number_kind(making *m, const dloc_layer_lines *lines) {
  uint32_t number = (uint32_t)m->kinds.count, known;
  TRY(map_add(m->context, &m->numbers, lines->kind, 0, number, &known));
  if (known == number)
    PUSH(m->context, m->kinds, lines->kind);
  return DLOC_OK;
}

/* `layer-lines.kinds` */
static dloc_node name_of(const making *m, const dloc_layer_lines *lines) {
  uint32_t number = 0;
  map_get(&m->numbers, lines->kind, 0, &number);
  return m->names[number];
}

/* `layer-lines.kinds` */
static dloc_status name_tables(making *m) {
  dloc_node table;
  section *ignored;
  TRY(each_kind(m, number_kind));
  ALLOCATE_ITEMS(m->context, m->names, m->kinds.count + 1);
  TRY(dloc_section_names(m->context, m->profile, m->kinds.items, m->kinds.count, m->ret_reason, m->names));
  for (size_t i = 0; i < m->kinds.count; i++) {
    TRY(dloc_section_table(m->context, m->profile, m->names[i], &table));
    TRY(find_section(m, table, &ignored));
  }
  return DLOC_OK;
}

static dloc_status add_table(making *m, const dloc_layer_lines *lines) {
  dloc_node table;
  section *to;
  TRY(dloc_section_table(m->context, m->profile, name_of(m, lines), &table));
  TRY(find_section(m, table, &to));
  return add_kind_unit(m, lines, name_of(m, lines), to);
}

/* `layer-lines.text` */
static dloc_status add_texts(making *m, const dloc_layer_lines *lines) {
  for (size_t i = 0; i < lines->file_count; i++) {
    dloc_node entry = lines->files[i].entry;
    struct named_text named;
    section *to;
    if (!entry)
      continue;
    TRY(name_text(m, name_of(m, lines), entry, &named));
    TRY(find_section(m, named.section, &to));
    if (to->group)
      continue;
    TRY(dloc_section_group(m->context, m->profile, named.section, entry, &to->group));
    TRY(sink_text(dloc_buffer_sink(&to->bytes), source_of(m->context, entry).text));
  }
  return DLOC_OK;
}

/* ---- The primary ---- */

static dloc_status put_primary_unit(const making *m, const dloc_layer_lines *lines, section *to) {
  const dloc_line_unit *unit = m->unit;
  const size_t size = (lines ? unit->program : unit->end) - unit->offset, at = to->bytes.size;
  const size_t counted = unit->offset_size == 8 ? 12 : 4; /* bytes that unit_length does not count */
  const size_t first = to->addresses.count;
  OWNED(dloc_buffer_deinit) dloc_buffer program = {0};
  PUSH(m->context, to->pieces, (dloc_made_piece){unit->offset, at, size});
  TRY(sink_bytes(dloc_buffer_sink(&to->bytes), m->table->sections.line.bytes + unit->offset, size));
  if (!lines)
    return DLOC_OK;
  TRY(make_program(m, lines, to, &program));
  TRY(sink_bytes(dloc_buffer_sink(&to->bytes), program.bytes, program.size));
  place_program(to, first, program.size);
  bytes_put((uint8_t *)to->bytes.bytes + at + counted - unit->offset_size, unit->offset_size,
            m->table->sections.big_endian, to->bytes.size - at - counted);
  return DLOC_OK;
}

/* `layer-lines.primary.unit` */
static dloc_status add_primary(making *m) {
  for (size_t i = 0; i < m->table->units.count; i++) {
    const dloc_layer_maker *maker = m->makers.items[i];
    dloc_layer_lines lines = {.row_count = 0};
    m->unit = &m->table->units.items[i];
    if (maker)
      lines = dloc_layer_maker_primary(maker);
    TRY(put_primary_unit(m, maker ? &lines : NULL, &m->tables->primary));
  }
  return DLOC_OK;
}

/* ---- All of it ---- */

static void section_deinit(dloc_context *context, section *s) {
  dloc_buffer_deinit(&s->bytes);
  CONTEXT_FREE(context, s->addresses.items, s->pieces.items);
}

void dloc_layer_tables_destroy(dloc_layer_tables *made) {
  if (!made)
    return;
  section_deinit(made->context, &made->primary);
  for (size_t i = 0; i < made->sections.count; i++)
    section_deinit(made->context, &made->sections.items[i]);
  CONTEXT_FREE(made->context, made->sections.items, made->made, made->names, made);
}

/* A copy of a node's text, as the context may move it. */
static dloc_text keep_text(const dloc_context *context, dloc_node node, char **at) {
  dloc_text text = dloc_node_text(context, node);
  dloc_text kept = {*at, text.size};
  if (text.size)
    memcpy(*at, text.bytes, text.size);
  *at += text.size;
  return kept;
}

static dloc_made_section made_of(const section *s, dloc_text name, dloc_text group) {
  return (dloc_made_section){.name = name,
                             .group = group,
                             .bytes = {s->bytes.bytes, s->bytes.size},
                             .addresses = s->addresses.items,
                             .address_count = s->addresses.count,
                             .pieces = s->pieces.items,
                             .piece_count = s->pieces.count};
}

static dloc_status finish(dloc_layer_tables *t) {
  size_t size = 1;
  for (size_t i = 0; i < t->sections.count; i++)
    size += dloc_node_text(t->context, t->sections.items[i].name).size +
            dloc_node_text(t->context, t->sections.items[i].group).size;
  ALLOCATE_ITEMS(t->context, t->names, size);
  ALLOCATE_ITEMS(t->context, t->made, t->sections.count + 1);
  char *at = t->names;
  t->made[0] = made_of(&t->primary, dloc_text_of(".debug_line"), (dloc_text){NULL, 0});
  for (size_t i = 0; i < t->sections.count; i++) {
    const section *s = &t->sections.items[i];
    dloc_text name = keep_text(t->context, s->name, &at);
    t->made[i + 1] = made_of(s, name, keep_text(t->context, s->group, &at));
  }
  return DLOC_OK;
}

/* `layer-lines.module` */
static bool is_foreign(const making *m) {
  bool has_numbers = false;
  for (size_t i = 0; i < m->table->rows->rows.count; i++) {
    uint32_t number = m->table->rows->rows.items[i].discriminator;
    dloc_hidden_entry entry;
    if (number && dloc_hidden_find(m->hidden, number, &entry))
      return false;
    has_numbers |= number != 0;
  }
  return has_numbers && dloc_hidden_count(m->hidden);
}

/* `layer-lines.numbers` */
static dloc_status make(making *m, dloc_line_problem *on_problem, void *user) {
  if (is_foreign(m))
    return fail(m->ret_reason, DLOC_REASON_LAYER_LINES_MODULE);
  for (size_t i = 0; i < m->table->units.count; i++) {
    told t = {on_problem, user, m->table->units.items[i].offset};
    TRY(make_rows(m, &m->table->units.items[i], &t));
  }
  if (dloc_hidden_count(m->hidden) && m->table->rows->rows.count && !m->has_numbers && on_problem)
    TRY(on_problem(user, DLOC_REASON_LAYER_LINES_NONE, 0));
  TRY(name_tables(m));
  TRY(each_kind(m, add_table));
  TRY(each_kind(m, add_texts));
  TRY(add_primary(m));
  return finish(m->tables);
}

/* `layer-lines.column` */
dloc_status dloc_layer_tables_make(dloc_context *context, const dloc_profile *profile, const dloc_line_table *table,
                                   const dloc_hidden *hidden, dloc_line_problem *on_problem, void *user,
                                   dloc_reason *ret_reason, dloc_layer_tables **ret) {
  if (dloc_hidden_where(hidden) != DLOC_HIDDEN_IN_DISCRIMINATOR)
    return fail(ret_reason, DLOC_REASON_LAYER_LINES_COLUMN);
  CREATE(context, dloc_layer_tables, tables, .context = context);
  named_texts texts = {.items = {NULL, 0, 0}};
  making m = {.context = context,
              .profile = profile,
              .table = table,
              .hidden = hidden,
              .tables = tables,
              .texts = &texts,
              .ret_reason = ret_reason};
  dloc_status status = make(&m, on_problem, user);
  for (size_t i = 0; i < m.makers.count; i++)
    dloc_layer_maker_destroy(m.makers.items[i]);
  CONTEXT_FREE(context, m.makers.items, m.kinds.items, m.names, m.numbers.entries, m.places.entries,
               texts.places.entries, texts.items.items);
  RETURN_MADE(status, tables, dloc_layer_tables_destroy, ret);
}

const dloc_made_section *dloc_layer_tables_primary(const dloc_layer_tables *made) { return made->made; }

const dloc_made_section *dloc_layer_tables_sections(const dloc_layer_tables *made, size_t *ret_count) {
  *ret_count = made->sections.count;
  return made->made + 1;
}
