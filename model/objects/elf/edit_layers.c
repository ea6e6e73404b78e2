/* The line tables of layers in a relocatable file: their sections, and what pointed into .debug_line. */
#include "edit.h"

#include "nodes/text.h"

/* ---- Which section ---- */

/* Differences of labels, of which a linker that shortens code makes new ones, are two relocations of one place. */
static dloc_status check_relaxed(dloc_object_edit *edit, uint32_t line, dloc_diagnostic *diagnostic) {
  const edit_relocation *relocations;
  size_t count;
  TRY(edit_relocations(edit, line, diagnostic, &relocations, &count));
  for (size_t i = 1; i < count; i++)
    if (relocations[i].offset == relocations[i - 1].offset)
      return elf_wrong(
          diagnostic, DLOC_REASON_OBJECT_RELAXED,
          "the linker may shorten this code, and .debug_line leaves all distances to it: compile without relaxation");
  return DLOC_OK;
}

static dloc_status find_lines(dloc_object_edit *edit, dloc_diagnostic *diagnostic, uint32_t *ret) {
  uint32_t line = 0;
  for (uint32_t i = 1; i < edit_count(edit); i++) {
    dloc_text name = edit_name(edit, i);
    if (elf_is_of_layer(name))
      return elf_wrong(diagnostic, DLOC_REASON_OBJECT_LAYERS, "it has line tables or texts of layers already");
    if (!dloc_text_equal(name, dloc_text_of(".debug_line")) && !dloc_text_equal(name, dloc_text_of(".zdebug_line")))
      continue;
    if (line)
      return elf_wrong(diagnostic, DLOC_REASON_OBJECT_LINES, "it has several sections .debug_line");
    line = i;
  }
  if (!line)
    return elf_wrong(diagnostic, DLOC_REASON_OBJECT_LINES, "it has no section .debug_line");
  *ret = line;
  return DLOC_OK;
}

dloc_status dloc_object_edit_lines(dloc_object_edit *edit, dloc_diagnostic *diagnostic, uint32_t *ret) {
  uint32_t line;
  TRY(find_lines(edit, diagnostic, &line));
  TRY(check_relaxed(edit, line, diagnostic));
  *ret = line;
  return DLOC_OK;
}

typedef struct line_edit {
  dloc_object_edit *edit;
  dloc_object_edit *to; /* which gets the new sections: the same, or one of the same code */
  dloc_diagnostic *diagnostic;
  uint32_t line;                /* the section .debug_line */
  char *bytes;                  /* as it was */
  size_t size;                  /* of them */
  edit_relocation *relocations; /* as they were, by offset */
  size_t count;
  ARRAY(edit_relocation) made; /* of a section that is made */
} line_edit;

/* ---- What was there ---- */

static dloc_status take_old(line_edit *e) {
  const edit_relocation *relocations;
  dloc_text bytes;
  TRY(dloc_object_edit_bytes(e->edit, e->line, e->diagnostic, &bytes));
  ALLOCATE_ITEMS(e->edit->context, e->bytes, bytes.size + 1);
  TRY(edit_relocations(e->edit, e->line, e->diagnostic, &relocations, &e->count));
  ALLOCATE_ITEMS(e->edit->context, e->relocations, e->count + 1);
  memcpy(e->bytes, bytes.bytes, bytes.size);
  e->size = bytes.size;
  memcpy(e->relocations, relocations, e->count * sizeof *relocations);
  return DLOC_OK;
}

/* ---- Sections ---- */

/* A relocation at another place, whose bytes are those that stood there: the made ones are relocated. */
static dloc_status take_relocation(line_edit *e, edit_section *to, size_t i, uint64_t offset, uint64_t added) {
  edit_relocation r = e->relocations[i];
  if (offset > to->size || r.size > to->size - offset || r.offset > e->size || r.size > e->size - r.offset)
    return elf_wrong(e->diagnostic, DLOC_REASON_OBJECT_RELOCATIONS, "a relocation of .debug_line is too wide for it");
  memcpy(to->own + offset, e->bytes + r.offset, r.size);
  r.offset = offset;
  r.addend = (int64_t)((uint64_t)r.addend + added);
  dloc_status status = e->to == e->edit ? DLOC_OK : edit_same_symbol(e->edit, r.symbol, e->to, &r.symbol);
  if (status == DLOC_INVALID)
    return elf_wrong(e->diagnostic, DLOC_REASON_OBJECT_BASE, "a symbol of its code is not in the other object");
  TRY(status);
  PUSH(e->edit->context, e->made, r);
  return DLOC_OK;
}

static dloc_status fill(line_edit *e, uint32_t section, const dloc_made_section *made) {
  TRY(dloc_object_edit_set(e->to, section, made->bytes));
  edit_section *to = &e->to->sections.items[section];
  e->made.count = 0;
  for (size_t i = 0; i < made->piece_count; i++) {
    const dloc_made_piece *piece = &made->pieces[i];
    size_t end = edit_first_relocation(e->relocations, e->count, piece->from + piece->size);
    for (size_t r = edit_first_relocation(e->relocations, e->count, piece->from); r < end; r++)
      TRY(take_relocation(e, to, r, e->relocations[r].offset - piece->from + piece->to, 0));
  }
  for (size_t i = 0; i < made->address_count; i++) {
    const dloc_made_address *address = &made->addresses[i];
    size_t r = edit_first_relocation(e->relocations, e->count, address->from);
    if (r < e->count && e->relocations[r].offset == address->from)
      TRY(take_relocation(e, to, r, address->at, address->added));
  }
  return edit_relocate(e->to, section, e->made.items, e->made.count, e->diagnostic);
}

static dloc_status add_sections(line_edit *e, const dloc_layer_tables *made) {
  size_t count;
  const dloc_made_section *sections = dloc_layer_tables_sections(made, &count);
  for (size_t i = 0; i < count; i++) {
    const dloc_made_section *m = &sections[i];
    uint32_t section;
    if (m->group.size) {
      TRY(edit_add_group(e->to, m->name, m->group, m->bytes, e->diagnostic, &section));
    } else {
      TRY(edit_add(e->to, m->name, (dloc_text){"", 0}, &section));
      TRY(fill(e, section, m));
    }
  }
  return DLOC_OK;
}

/* ---- What points into .debug_line ---- */

/* How far the unit went that has an offset. */
static uint64_t moved(const dloc_made_section *primary, uint64_t offset) {
  BISECT(behind, 0, primary->piece_count, i, primary->pieces[i].from <= offset);
  const dloc_made_piece *piece = behind ? &primary->pieces[behind - 1] : NULL;
  return piece ? (uint64_t)piece->to - piece->from : 0;
}

static bool is_debug_section(dloc_text name) { return text_begins(name, ".debug") || text_begins(name, ".zdebug"); }

static dloc_status move_pointers(line_edit *e, uint32_t section, const dloc_made_section *primary) {
  const edit_relocation *there;
  size_t count;
  bool any = false;
  TRY(edit_relocations(e->edit, section, e->diagnostic, &there, &count));
  e->made.count = 0;
  for (size_t i = 0; i < count; i++) {
    edit_relocation r = there[i];
    edit_symbol symbol;
    if (edit_symbol_at(e->edit, r.symbol, &symbol) && symbol.section == e->line) {
      uint64_t by = moved(primary, symbol.value + (uint64_t)r.addend);
      r.addend = (int64_t)((uint64_t)r.addend + by);
      any |= by != 0;
    }
    PUSH(e->edit->context, e->made, r);
  }
  return any ? edit_relocate(e->edit, section, e->made.items, e->made.count, e->diagnostic) : DLOC_OK;
}

static bool is_moved(const dloc_made_section *primary) {
  for (size_t i = 0; i < primary->piece_count; i++)
    if (primary->pieces[i].from != primary->pieces[i].to)
      return true;
  return false;
}

static dloc_status change_primary(line_edit *e, const dloc_made_section *primary) {
  for (uint32_t i = 1; is_moved(primary) && i < edit_count(e->edit); i++)
    if (i != e->line && is_debug_section(edit_name(e->edit, i)))
      TRY(move_pointers(e, i, primary));
  return fill(e, e->line, primary);
}

dloc_status dloc_object_edit_layers(dloc_object_edit *edit, uint32_t line, const dloc_layer_tables *made,
                                    dloc_object_edit *base, dloc_diagnostic *diagnostic) {
  line_edit e = {.edit = edit, .to = base ? base : edit, .diagnostic = diagnostic, .line = line};
  OWNED_MEMORY(edit->context, &e.bytes, &e.relocations, &e.made.items);
  TRY(take_old(&e));
  if (base) {
    TRY(find_lines(base, diagnostic, &line)); /* which stays as it is */
    TRY(edit_same_code(edit, base, diagnostic));
  } else {
    TRY(change_primary(&e, dloc_layer_tables_primary(made)));
  }
  return add_sections(&e, made);
}

/* spec/hidden.md 18.4 */
dloc_status edit_select(dloc_object_edit *edit, uint32_t line, const dloc_made_section *made,
                        dloc_diagnostic *diagnostic) {
  line_edit e = {.edit = edit, .to = edit, .diagnostic = diagnostic, .line = line};
  OWNED_MEMORY(edit->context, &e.bytes, &e.relocations, &e.made.items);
  TRY(check_relaxed(edit, line, diagnostic));
  TRY(take_old(&e));
  return change_primary(&e, made);
}
