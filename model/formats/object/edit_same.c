/* Two objects of one module, with other debug information: whether code and data are the same. */
#include "formats/object/edit.h"

#include <stdio.h>
#include <string.h>

/* ---- Symbols ---- */

/* What a symbol is, whatever its number. */
typedef struct symbol {
  dloc_text name;
  dloc_text section; /* that defines it */
  uint64_t value;
  uint8_t info;
} symbol;

static bool read_symbol(const dloc_object_edit *edit, uint32_t number, symbol *ret) {
  dloc_edit_symbol read;
  if (!dloc_object_edit_symbol(edit, number, &read))
    return false;
  const edit_section *symbols = &edit->sections.items[edit->symbols];
  const edit_section *names = &edit->sections.items[symbols->header.sh_link];
  const uint8_t *at = (const uint8_t *)symbols->bytes + number * edit_symbol_size(edit);
  uint64_t name = elf_get(at, 4, edit->object->kind.big_endian);
  const char *end = name < names->size ? memchr(names->bytes + name, '\0', names->size - name) : NULL;
  *ret = (symbol){
      .name = end ? (dloc_text){names->bytes + name, (size_t)(end - names->bytes) - name} : (dloc_text){"", 0},
      .section = read.section && read.section < edit->sections.count ? dloc_object_edit_name(edit, read.section)
                                                                     : (dloc_text){"", 0},
      .value = read.value,
      .info = at[edit_is_64(edit) ? 4 : 12]};
  return true;
}

static bool is_same(const symbol *a, const symbol *b) {
  return a->value == b->value && a->info == b->info && dloc_text_equal(a->name, b->name) &&
         dloc_text_equal(a->section, b->section);
}

/* As a rule it has the same number. */
bool edit_same_symbol(const dloc_object_edit *edit, uint32_t number, const dloc_object_edit *other, uint32_t *ret) {
  symbol wanted, found;
  if (!read_symbol(edit, number, &wanted))
    return false;
  for (uint32_t i = 0; i <= other->symbol_count; i++) {
    uint32_t candidate = i ? i - 1 : number;
    if (read_symbol(other, candidate, &found) && is_same(&wanted, &found)) {
      *ret = candidate;
      return true;
    }
  }
  return false;
}

/* ---- Sections ---- */

/* The next section that a program has in memory; 0: none. */
static uint32_t next_loaded(const dloc_object_edit *edit, uint32_t section) {
  while (++section < edit->sections.count)
    if (edit->sections.items[section].header.sh_flags & SHF_ALLOC)
      return section;
  return 0;
}

static bool has_same_bytes(const dloc_object_edit *edit, uint32_t a, const dloc_object_edit *other, uint32_t b) {
  const edit_section *x = &edit->sections.items[a], *y = &other->sections.items[b];
  return x->header.sh_type == y->header.sh_type && x->header.sh_flags == y->header.sh_flags &&
         x->header.sh_size == y->header.sh_size && x->size == y->size &&
         (!x->size || memcmp(x->bytes, y->bytes, x->size) == 0) &&
         dloc_text_equal(dloc_object_edit_name(edit, a), dloc_object_edit_name(other, b));
}

static dloc_status compare_relocations(dloc_object_edit *edit, uint32_t a, dloc_object_edit *other, uint32_t b,
                                       dloc_diagnostic *diagnostic, bool *ret_same) {
  const dloc_relocation *x, *y;
  size_t count, other_count;
  TRY(dloc_object_edit_relocations(edit, a, diagnostic, &x, &count));
  TRY(dloc_object_edit_relocations(other, b, diagnostic, &y, &other_count));
  *ret_same = count == other_count;
  for (size_t i = 0; *ret_same && i < count; i++) {
    symbol s, t;
    *ret_same = x[i].offset == y[i].offset && x[i].type == y[i].type && x[i].addend == y[i].addend &&
                read_symbol(edit, x[i].symbol, &s) && read_symbol(other, y[i].symbol, &t) && is_same(&s, &t);
  }
  return DLOC_OK;
}

dloc_status edit_same_code(dloc_object_edit *edit, dloc_object_edit *other, dloc_diagnostic *diagnostic) {
  uint32_t a = next_loaded(edit, 0), b = next_loaded(other, 0);
  bool same = edit->object->kind.machine == other->object->kind.machine &&
              edit->object->kind.address_size == other->object->kind.address_size &&
              edit->object->kind.big_endian == other->object->kind.big_endian;
  while (same && a && b) {
    same = has_same_bytes(edit, a, other, b);
    if (same)
      TRY(compare_relocations(edit, a, other, b, diagnostic, &same));
    if (same) {
      a = next_loaded(edit, a);
      b = next_loaded(other, b);
    }
  }
  if (same && !a && !b)
    return DLOC_OK;
  dloc_text name = a ? dloc_object_edit_name(edit, a) : b ? dloc_object_edit_name(other, b) : (dloc_text){"", 0};
  char message[sizeof diagnostic->message];
  snprintf(message, sizeof message, "the code is not that of the object without layers: section %.*s differs",
           (int)(name.size < 80 ? name.size : 80), name.bytes);
  return elf_wrong(diagnostic, DLOC_REASON_OBJECT_BASE, message);
}
