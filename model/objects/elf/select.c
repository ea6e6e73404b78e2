/* spec/hidden.md 18.4: a file whose .debug_line is the table of a layer. */
#include "edit.h"

#include "objects/dwarf/select.h"

#include <string.h>

/* ---- Sections with other contents ---- */

/* What stands behind the file that was read: it stays as it is but for its header, and can be had back. */
typedef struct appended {
  uint32_t section; /* the number of sections: a new one */
  dloc_text bytes;
} appended;

typedef struct rewriting {
  dloc_object *object;
  dloc_text file; /* libelf changes headers in object->bytes */
  dloc_sink sink;
  uint64_t at;
  ARRAY(appended) parts;
} rewriting;

static dloc_status append(rewriting *r, uint32_t section, dloc_text bytes) {
  PUSH(r->object->context, r->parts, (appended){.section = section, .bytes = bytes});
  return DLOC_OK;
}

static dloc_status put(rewriting *r, const void *bytes, size_t size) {
  r->at += size;
  return !size || r->sink.write(r->sink.user, bytes, size) ? DLOC_OK : sink_refused(r->sink);
}

static dloc_status put_aligned(rewriting *r) {
  static const uint8_t zeros[8];
  return put(r, zeros, (size_t)(-r->at & 7));
}

/* The header of a new section that no program loads. */
static void describe_new(const dloc_object *object, uint8_t *header, uint64_t name) {
  memset(header, 0, ELF_SIZE(object, Shdr));
  elf_put_field(object, header, ELF_FIELD(object, Shdr, sh_name), name);
  elf_put_field(object, header, ELF_FIELD(object, Shdr, sh_type), SHT_PROGBITS);
  elf_put_field(object, header, ELF_FIELD(object, Shdr, sh_addralign), 1);
}

/* The parts, and the table of section headers that leads to them. */
static dloc_status put_parts(rewriting *r, uint8_t *headers, size_t count) {
  const dloc_object *object = r->object;
  const size_t size = ELF_SIZE(object, Shdr);
  for (size_t i = 0; i < r->parts.count; i++) {
    const appended *part = &r->parts.items[i];
    uint8_t *header = headers + part->section * size;
    const elf_field flags = ELF_FIELD(object, Shdr, sh_flags);
    TRY(put_aligned(r));
    elf_put_field(object, header, flags, elf_get_field(object, header, flags) & ~(uint64_t)SHF_COMPRESSED);
    elf_put_field(object, header, ELF_FIELD(object, Shdr, sh_offset), r->at);
    elf_put_field(object, header, ELF_FIELD(object, Shdr, sh_size), part->bytes.size);
    TRY(put(r, part->bytes.bytes, part->bytes.size));
  }
  TRY(put_aligned(r));
  return put(r, headers, count * size);
}

/* ---- The way back ---- */

static const char way_back[] = ".dloc_select";
enum { WAY_BACK = 3, WAY_BACK_SIZE = 8 * WAY_BACK }; /* the size of the file, and two fields of its header */

static elf_field field_at(const dloc_object *object, size_t i) {
  return i == 1 ? ELF_FIELD(object, Ehdr, e_shoff) : ELF_FIELD(object, Ehdr, e_shnum);
}

static dloc_status put_file(rewriting *r, uint8_t *headers, size_t count) {
  const dloc_object *object = r->object;
  uint8_t header[sizeof(Elf64_Ehdr)], back[WAY_BACK_SIZE];
  const size_t size = ELF_SIZE(object, Ehdr);
  uint64_t end = r->file.size;
  memcpy(header, r->file.bytes, size);
  bytes_put(back, 8, object->kind.big_endian, end);
  for (size_t i = 1; i < WAY_BACK; i++)
    bytes_put(back + 8 * i, 8, object->kind.big_endian, elf_get_field(object, header, field_at(object, i)));
  TRY(append(r, (uint32_t)count - 1, (dloc_text){(const char *)back, sizeof back}));
  for (size_t i = 0; i < r->parts.count; i++)
    end = ((end + 7) & ~(uint64_t)7) + r->parts.items[i].bytes.size;
  elf_put_field(object, header, field_at(object, 1), (end + 7) & ~(uint64_t)7);
  if (elf_get_field(object, header, field_at(object, 2)) == 0 || count >= SHN_LORESERVE) {
    elf_put_field(object, header, field_at(object, 2), 0);
    elf_put_field(object, headers, ELF_FIELD(object, Shdr, sh_size), count);
  } else {
    elf_put_field(object, header, field_at(object, 2), count);
  }
  TRY(put(r, header, size));
  TRY(put(r, r->file.bytes + size, r->file.size - size));
  return put_parts(r, headers, count);
}

/* With a name more in the table of names. */
static dloc_status put_with_names(rewriting *r, uint8_t *headers) {
  const dloc_object *object = r->object;
  const size_t size = ELF_SIZE(object, Shdr), count = object->section_count;
  const uint8_t *of_names = headers + object->names * size;
  const uint64_t at = elf_get_field(object, of_names, ELF_FIELD(object, Shdr, sh_offset));
  const uint64_t length = elf_get_field(object, of_names, ELF_FIELD(object, Shdr, sh_size));
  OWNED(dloc_buffer_deinit) dloc_buffer names = {0};
  if (at > r->file.size || length > r->file.size - at)
    return DLOC_INVALID;
  TRY(sink_bytes(dloc_buffer_sink(&names), r->file.bytes + at, (size_t)length));
  TRY(sink_bytes(dloc_buffer_sink(&names), way_back, sizeof way_back));
  describe_new(object, headers + count * size, length);
  TRY(append(r, (uint32_t)object->names, (dloc_text){names.bytes, names.size}));
  return put_file(r, headers, count + 1);
}

static dloc_status rewrite(rewriting *r) {
  const dloc_object *object = r->object;
  const size_t size = ELF_SIZE(object, Shdr), count = object->section_count;
  const uint64_t at = elf_get_field(object, r->file.bytes, ELF_FIELD(object, Ehdr, e_shoff));
  if (at > r->file.size || count > (r->file.size - at) / size ||
      elf_get_field(object, r->file.bytes, ELF_FIELD(object, Ehdr, e_shentsize)) != size)
    return DLOC_INVALID;
  ALLOCATE(object->context, uint8_t, headers, (count + 1) * size);
  OWNED_MEMORY(object->context, &headers);
  memcpy(headers, r->file.bytes + at, count * size);
  return put_with_names(r, headers);
}

/* 18.4 */
dloc_status dloc_object_unselect(dloc_object *object, dloc_text file, dloc_diagnostic *diagnostic, dloc_buffer *ret,
                                 bool *ret_found) {
  dloc_object_section section;
  bool selected;
  TRY(dloc_object_section_find(object, dloc_text_of(way_back), diagnostic, &section, &selected));
  const uint8_t *back = (const uint8_t *)section.bytes.bytes;
  const bool big_endian = object->kind.big_endian;
  const uint64_t size = section.bytes.size == WAY_BACK_SIZE ? bytes_get(back, 8, big_endian) : 0;
  if (selected && (size < ELF_SIZE(object, Ehdr) || size >= file.size || section.index + 1 != object->section_count))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_SELECT,
                     "another tool has changed the file since dloc select wrote it");
  if (selected)
    TRY(sink_bytes(dloc_buffer_sink(ret), file.bytes, (size_t)size));
  for (size_t i = 1; selected && i < WAY_BACK; i++)
    elf_put_field(object, (uint8_t *)ret->bytes, field_at(object, i), bytes_get(back + 8 * i, 8, big_endian));
  *ret_found = selected;
  return DLOC_OK;
}

/* ---- What leads to the units ---- */

/* The sections with offsets of units. */
static const char *const leading[] = {".debug_info", ".debug_types", ".debug_macro"};
enum { INFO, TYPES, MACRO, LEADING };

typedef struct moving {
  const dloc_symbolizer *symbolizer;
  const dloc_made_piece *units;
  uint8_t *bytes;
  bool big_endian, complete;
} moving;

static void move_offset(moving *m, size_t at, size_t size, uint64_t offset) {
  size_t unit;
  if (symbolizer_unit_at(m->symbolizer, offset, &unit) && (size >= 8 || m->units[unit].to >> 8 * size == 0))
    bytes_put(m->bytes + at, size, m->big_endian, m->units[unit].to);
  else
    m->complete = false;
}

/* 18.4: DW_AT_stmt_list of each unit. */
static dloc_status move_value(void *user, const dloc_die_value *value) {
  if (value->attribute == DLOC_AT_STMT_LIST)
    move_offset(user, value->at, value->size, value->value);
  return DLOC_OK;
}

/* DWARF 5, 6.3.1: the offset in the header of each unit of .debug_macro. Entries are read to find the next unit. */
static void move_macros(moving *m, dloc_text macro) {
  static const char *const operands[] = {"", "us", "us", "uu", "", "uo", "uo", "o", "uo", "uo", "o", "uu", "uu"};
  enum { IS_64 = 1, HAS_OFFSET = 2, HAS_OPCODES = 4, CODES = sizeof operands / sizeof *operands };
  const uint8_t *start = (const uint8_t *)(macro.size ? macro.bytes : "");
  byte_cursor c = {.at = start, .end = start + macro.size, .big_endian = m->big_endian};
  while (c.at < c.end && m->complete) {
    (void)bytes_fixed(&c, 2); /* version */
    const uint64_t flags = bytes_fixed(&c, 1);
    const size_t size = flags & IS_64 ? 8 : 4, at = (size_t)(c.at - start);
    if (flags & HAS_OFFSET)
      move_offset(m, at, size, bytes_fixed(&c, size));
    for (uint64_t code = 1; code && m->complete;) {
      code = bytes_fixed(&c, 1);
      m->complete &= code < CODES && !(flags & HAS_OPCODES);
      for (const char *o = code < CODES ? operands[code] : ""; *o; o++)
        (void)(*o == 'u' ? bytes_unsigned(&c) : *o == 's' ? bytes_string(&c).size : bytes_fixed(&c, size));
      m->complete &= !c.short_of;
    }
  }
}

/* ---- The file ---- */

typedef struct selection {
  dloc_symbolizer *symbolizer;
  dloc_object *object;
  const dloc_profile *profile;
  dloc_selected_table table;
  ARRAY(uint64_t) functions; /* where they are */
  selected_lines lines;
  dloc_buffer led[LEADING];
  dloc_object_section line_section, led_sections[LEADING], abbrev;
  dloc_object_edit *edit; /* of a relocatable object */
} selection;

/* By symbols. */
static dloc_status find_functions(selection *s) {
  dloc_object *object = s->object;
  GElf_Shdr header;
  GElf_Sym symbol;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section));) {
    if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    const elf_symbols symbols = elf_symbols_of(object, section);
    for (size_t i = 1; i < symbols.count; i++)
      if (elf_symbol_read(object, &symbols, i, &symbol) && elf_symbol_is_function(&symbol))
        PUSH(object->context, s->functions, symbol.st_value);
  }
  sort_numbers(s->functions.items, s->functions.count);
  return DLOC_OK;
}

static dloc_status make_table(selection *s, dloc_diagnostic *diagnostic) {
  TRY(find_functions(s));
  s->table.functions = s->functions.items;
  s->table.function_count = s->functions.count;
  s->table.code = dloc_object_code(s->object);
  dloc_status status = select_table(s->object->context, s->profile, &s->table, &s->lines);
  if (status == DLOC_INVALID || status == DLOC_LIMIT)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_SELECT,
                     status == DLOC_LIMIT ? "too much of its code has several sequences of .debug_line"
                                          : "a unit of .debug_line has a version that is not known here");
  return status;
}

static dloc_status make_leading(selection *s, size_t which, dloc_diagnostic *diagnostic) {
  const bool big_endian = s->object->kind.big_endian;
  const dloc_text bytes = s->led_sections[which].bytes;
  const dloc_die_sections sections = {bytes, s->abbrev.bytes, big_endian, which == TYPES};
  moving m = {.symbolizer = s->symbolizer, .units = s->lines.units.items, .big_endian = big_endian, .complete = true};
  bool complete = true;
  TRY(sink_text(dloc_buffer_sink(&s->led[which]), bytes));
  m.bytes = (uint8_t *)s->led[which].bytes;
  if (which == MACRO)
    move_macros(&m, bytes);
  else
    TRY(dloc_die_values(s->object->context, &sections, move_value, &m, &complete));
  return complete && m.complete ? DLOC_OK
                                : elf_wrong(diagnostic, DLOC_REASON_OBJECT_SELECT,
                                            "units of .debug_info, .debug_types or .debug_macro cannot be given other "
                                            "line tables");
}

/* A section that is there once, and not compressed as GNU did before. */
static dloc_status find_section(dloc_object *object, const char *name, dloc_diagnostic *diagnostic,
                                dloc_object_section *ret) {
  dloc_object_section next;
  GElf_Shdr header;
  bool found, again = false;
  TRY(dloc_object_section_find(object, dloc_text_of(name), diagnostic, ret, &found));
  if (found)
    TRY(dloc_object_section_next(object, dloc_text_of(name), ret->index, diagnostic, &next, &again));
  const char *its_name = found ? elf_section_name(object, elf_getscn(object->elf, ret->index), &header) : NULL;
  if (again || (its_name && strncmp(its_name, ".zdebug", 7) == 0))
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_SELECT,
                     "a section of debugging information is there twice, or named .zdebug");
  return DLOC_OK;
}

static dloc_text new_lines(const selection *s) { return (dloc_text){s->lines.bytes.bytes, s->lines.bytes.size}; }

/* In a linked file offsets of units are numbers. */
static dloc_status append_linked(selection *s, rewriting *r, dloc_diagnostic *diagnostic) {
  TRY(find_section(s->object, ".debug_abbrev", diagnostic, &s->abbrev));
  TRY(append(r, s->line_section.index, new_lines(s)));
  for (size_t i = 0; i < LEADING; i++) {
    TRY(find_section(s->object, leading[i], diagnostic, &s->led_sections[i]));
    TRY(make_leading(s, i, diagnostic));
    if (s->led_sections[i].index)
      TRY(append(r, s->led_sections[i].index, (dloc_text){s->led[i].bytes, s->led[i].size}));
  }
  return DLOC_OK;
}

/* In an object they are relocations, as addresses are. */
static dloc_status append_relocatable(selection *s, rewriting *r, dloc_diagnostic *diagnostic) {
  const dloc_made_section made = {.bytes = new_lines(s),
                                  .addresses = s->lines.addresses.items,
                                  .address_count = s->lines.addresses.count,
                                  .pieces = s->lines.units.items,
                                  .piece_count = s->lines.units.count};
  TRY(dloc_object_edit_open(s->object->context, r->file, diagnostic, &s->edit));
  TRY(edit_select(s->edit, s->line_section.index, &made, diagnostic));
  for (uint32_t i = 1; i < edit_count(s->edit); i++)
    if (s->edit->sections.items[i].own)
      TRY(append(r, i, (dloc_text){s->edit->sections.items[i].bytes, s->edit->sections.items[i].size}));
  return DLOC_OK;
}

static void release_selection(selection *s) {
  dloc_object_edit_close(s->edit);
  CONTEXT_FREE(s->object->context, s->functions.items, s->lines.addresses.items, s->lines.units.items);
  dloc_buffer_deinit(&s->lines.bytes);
  for (size_t i = 0; i < LEADING; i++)
    dloc_buffer_deinit(&s->led[i]);
}

dloc_status dloc_symbolizer_select(dloc_symbolizer *symbolizer, dloc_text file, dloc_text kind, dloc_text directory,
                                   dloc_diagnostic *diagnostic, dloc_sink sink) {
  OWNED(release_selection) selection s = {.symbolizer = symbolizer};
  s.object = symbolizer_parts(symbolizer, &s.profile, &s.table.primary, &s.table.layers);
  s.table.kind = kind;
  s.table.directory = directory;
  rewriting r = {.object = s.object, .file = file, .sink = sink};
  OWNED_MEMORY(s.object->context, &r.parts.items);
  dloc_object_section selected;
  bool found;
  if (!s.table.primary)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_LINES, "it has no section .debug_line");
  TRY(find_section(s.object, ".debug_line", diagnostic, &s.line_section));
  TRY(dloc_object_section_find(s.object, dloc_text_of(way_back), diagnostic, &selected, &found));
  if (found)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_SELECT, "a layer is selected in it: take the file before that");
  TRY(make_table(&s, diagnostic));
  TRY((s.object->kind.type == ET_REL ? append_relocatable : append_linked)(&s, &r, diagnostic));
  dloc_status status = rewrite(&r);
  return status == DLOC_INVALID
             ? elf_wrong(diagnostic, DLOC_REASON_OBJECT_ELF, "the table of section headers lies beyond the file")
             : status;
}
