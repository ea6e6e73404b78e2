/* Two objects of one module, with other debug information: whether code and data are the same. */
#include "edit.h"

#include <stdio.h>
#include <string.h>

/* ---- Symbols ---- */

static dloc_text name_of(const dloc_object_edit *edit, const edit_symbol *s) {
  return edit_string(edit, edit->sections.items[edit->symbols].header.sh_link, s->name);
}

/* The name of the section that defines it. */
static dloc_text section_of(const dloc_object_edit *edit, const edit_symbol *s) {
  return s->section && s->section < edit->sections.count ? edit_name(edit, s->section) : (dloc_text){"", 0};
}

/* Tells it from others at its place. LLVM numbers its private labels, and counts what the module had on the way. */
static dloc_text own_name(const dloc_object_edit *edit, const edit_symbol *s) {
  dloc_text name = name_of(edit, s);
  return ELF64_ST_BIND(s->info) == STB_LOCAL && name.size > 2 && memcmp(name.bytes, ".L", 2) == 0 ? dloc_text_of(".L")
                                                                                                  : name;
}

/* Whatever their numbers. */
static bool is_same(const dloc_object_edit *edit, const edit_symbol *a, const dloc_object_edit *other,
                    const edit_symbol *b) {
  return a->value == b->value && a->info == b->info && dloc_text_equal(own_name(edit, a), own_name(other, b)) &&
         dloc_text_equal(section_of(edit, a), section_of(other, b));
}

static uint64_t hash_of(const dloc_object_edit *edit, const edit_symbol *s, const hash_key *key) {
  uint64_t hash = hash_word(key, hash_word(key, key->start, s->value), s->info);
  return hash_bytes(key, hash_bytes(key, hash, own_name(edit, s)), section_of(edit, s));
}

static dloc_status index_symbols(dloc_object_edit *edit) {
  edit_symbol s;
  const bool is_made = edit->symbols_by_content.count;
  for (uint32_t i = 0; !is_made && i < edit->symbol_count; i++)
    if (edit_symbol_at(edit, i, &s))
      TRY(map_add(edit->context, &edit->symbols_by_content, hash_of(edit, &s, &edit->context->hash_key), 0, i, NULL));
  return DLOC_OK;
}

/* As a rule it has the same number. */
dloc_status edit_same_symbol(const dloc_object_edit *edit, uint32_t number, dloc_object_edit *other, uint32_t *ret) {
  edit_symbol wanted, found;
  uint32_t candidate = number;
  if (!edit_symbol_at(edit, number, &wanted))
    return DLOC_INVALID;
  if (!edit_symbol_at(other, number, &found) || !is_same(edit, &wanted, other, &found)) {
    TRY(index_symbols(other));
    if (!map_get(&other->symbols_by_content, hash_of(edit, &wanted, &other->context->hash_key), 0, &candidate) ||
        !edit_symbol_at(other, candidate, &found) || !is_same(edit, &wanted, other, &found))
      return DLOC_INVALID;
  }
  *ret = candidate;
  return DLOC_OK;
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
         dloc_text_equal(edit_name(edit, a), edit_name(other, b));
}

static dloc_status compare_relocations(dloc_object_edit *edit, uint32_t a, dloc_object_edit *other, uint32_t b,
                                       dloc_diagnostic *diagnostic, bool *ret_same) {
  const edit_relocation *x, *y;
  size_t count, other_count;
  TRY(edit_relocations(edit, a, diagnostic, &x, &count));
  TRY(edit_relocations(other, b, diagnostic, &y, &other_count));
  *ret_same = count == other_count;
  for (size_t i = 0; *ret_same && i < count; i++) {
    edit_symbol s, t;
    *ret_same = x[i].offset == y[i].offset && x[i].type == y[i].type && x[i].addend == y[i].addend &&
                edit_symbol_at(edit, x[i].symbol, &s) && edit_symbol_at(other, y[i].symbol, &t) &&
                is_same(edit, &s, other, &t);
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
  dloc_text name = a ? edit_name(edit, a) : b ? edit_name(other, b) : (dloc_text){"", 0};
  char message[sizeof diagnostic->message];
  snprintf(message, sizeof message, "the code is not that of the object without layers: section %.*s differs",
           (int)(name.size < 80 ? name.size : 80), name.bytes);
  return elf_wrong(diagnostic, DLOC_REASON_OBJECT_BASE, message);
}

/* ---- Functions ---- */

typedef struct functions {
  dloc_context *context; /* of all lists */
  dloc_object_edit *edit;
  ARRAY(dloc_edit_function) items;
  uint32_t section; /* whose relocations are at hand; 0: none */
  const edit_relocation *relocations;
  size_t count;
  uint64_t work, most_work; /* bytes and relocations that were compared; how many may be, as functions can overlap */
} functions;

enum { MOST_OVERLAP = 256 };

static dloc_status count_work(functions *f, uint64_t amount, dloc_diagnostic *diagnostic) {
  f->work += amount;
  return f->work <= f->most_work ? DLOC_OK
                                 : elf_wrong(diagnostic, DLOC_REASON_OBJECT_BASE,
                                             "the functions overlap: together they are too much larger than the file");
}

/* The relocations of a function: those from *ret on. */
static dloc_status take_relocations(functions *f, const dloc_edit_function *function, dloc_diagnostic *diagnostic,
                                    size_t *ret) {
  if (f->section != function->section)
    TRY(edit_relocations(f->edit, function->section, diagnostic, &f->relocations, &f->count));
  f->section = function->section;
  *ret = edit_first_relocation(f->relocations, f->count, function->address);
  return DLOC_OK;
}

static bool has_code(const dloc_object_edit *edit, const dloc_edit_function *function) {
  const edit_section *section = &edit->sections.items[function->section < edit->sections.count ? function->section : 0];
  return function->size && function->address <= section->size && function->size <= section->size - function->address;
}

/* The size is the code's, also where the symbol is of a descriptor. */
static bool read_function(const dloc_object_edit *edit, uint32_t number, dloc_edit_function *ret) {
  edit_symbol s;
  if (!edit_symbol_at(edit, number, &s))
    return false;
  *ret = (dloc_edit_function){.name = name_of(edit, &s), .section = s.section, .address = s.value, .size = s.size};
  if (edit->object->kind.machine == EM_ARM)
    ret->address &= ~UINT64_C(1); /* says that it is in Thumb */
  return ELF64_ST_TYPE(s.info) == STT_FUNC && ret->section < edit->sections.count;
}

/* 64-bit PowerPC ELF ABI, 3.4.1 "Function Descriptors": the first doubleword leads to the code. */
static dloc_status follow_descriptor(functions *f, dloc_diagnostic *diagnostic, dloc_edit_function *function) {
  edit_symbol code;
  size_t i;
  if (f->edit->object->kind.machine != EM_PPC64 ||
      !dloc_text_equal(edit_name(f->edit, function->section), dloc_text_of(".opd")))
    return DLOC_OK;
  TRY(take_relocations(f, function, diagnostic, &i));
  if (i == f->count || f->relocations[i].offset != function->address ||
      !edit_symbol_at(f->edit, f->relocations[i].symbol, &code))
    return DLOC_OK;
  function->section = code.section;
  function->address = code.value + (uint64_t)f->relocations[i].addend;
  return DLOC_OK;
}

static dloc_status list_functions(functions *f, dloc_diagnostic *diagnostic) {
  dloc_edit_function function;
  for (uint32_t i = 0; i < f->edit->symbol_count; i++) {
    if (!read_function(f->edit, i, &function))
      continue;
    TRY(follow_descriptor(f, diagnostic, &function));
    if (has_code(f->edit, &function))
      PUSH(f->context, f->items, function);
  }
  return DLOC_OK;
}

/* One with a name may stand elsewhere. */
static bool is_same_target(const functions *f, uint32_t a, const functions *g, uint32_t b) {
  edit_symbol s, t;
  if (!edit_symbol_at(f->edit, a, &s) || !edit_symbol_at(g->edit, b, &t))
    return false;
  if (name_of(f->edit, &s).size && ELF64_ST_TYPE(s.info) == STT_FUNC)
    t.value = s.value;
  return is_same(f->edit, &s, g->edit, &t);
}

static dloc_status compare_functions(functions *f, const dloc_edit_function *a, functions *g,
                                     const dloc_edit_function *b, dloc_diagnostic *diagnostic, bool *ret_same) {
  const edit_section *x = &f->edit->sections.items[a->section], *y = &g->edit->sections.items[b->section];
  size_t i, j;
  *ret_same = a->size == b->size && x->header.sh_type == SHT_PROGBITS && y->header.sh_type == SHT_PROGBITS;
  if (!*ret_same)
    return DLOC_OK;
  TRY(count_work(f, a->size, diagnostic));
  *ret_same = memcmp(x->bytes + a->address, y->bytes + b->address, a->size) == 0;
  if (!*ret_same)
    return DLOC_OK;
  TRY(take_relocations(f, a, diagnostic, &i));
  TRY(take_relocations(g, b, diagnostic, &j));
  for (;; i++, j++) {
    const edit_relocation *r =
        i < f->count && f->relocations[i].offset - a->address < a->size ? f->relocations + i : NULL;
    const edit_relocation *s =
        j < g->count && g->relocations[j].offset - b->address < b->size ? g->relocations + j : NULL;
    if (!r || !s) {
      *ret_same = !r && !s;
      return DLOC_OK;
    }
    TRY(count_work(f, 1, diagnostic));
    *ret_same = r->offset - a->address == s->offset - b->address && r->type == s->type && r->addend == s->addend &&
                is_same_target(f, r->symbol, g, s->symbol);
    if (!*ret_same)
      return DLOC_OK;
  }
}

/* A function by its name and that of its section. */
static dloc_status name_function(const functions *f, size_t i, uint64_t *ret) {
  const dloc_edit_function *function = &f->items.items[i];
  dloc_node name, section;
  TRY(dloc_string(f->context, function->name, &name));
  TRY(dloc_string(f->context, edit_name(f->edit, function->section), &section));
  *ret = (uint64_t)name << 32 | section;
  return DLOC_OK;
}

/* The first of each name. */
static dloc_status number_functions(const functions *g, map *numbers) {
  uint64_t name;
  for (size_t i = 0; i < g->items.count; i++) {
    TRY(name_function(g, i, &name));
    TRY(map_add(g->context, numbers, name, 0, (uint32_t)i, NULL));
  }
  return DLOC_OK;
}

/* As a rule it has the same number among functions. */
static dloc_status find_function(const functions *f, size_t i, const functions *g, const map *numbers,
                                 const dloc_edit_function **ret) {
  uint64_t wanted, name = 0;
  uint32_t found;
  *ret = NULL;
  TRY(name_function(f, i, &wanted));
  if (i < g->items.count)
    TRY(name_function(g, i, &name));
  if (name == wanted)
    *ret = &g->items.items[i];
  else if (map_get(numbers, wanted, 0, &found))
    *ret = &g->items.items[found];
  return DLOC_OK;
}

dloc_status dloc_object_edit_functions(dloc_object_edit *edit, dloc_object_edit *other, dloc_diagnostic *diagnostic,
                                       dloc_same_function *visit, void *user) {
  functions f = {.context = edit->context, .edit = edit, .most_work = MOST_OVERLAP * (uint64_t)edit->object->size};
  functions g = {.context = edit->context, .edit = other};
  map numbers = {0};
  OWNED_MEMORY(edit->context, &numbers.entries, &f.items.items, &g.items.items);
  TRY(list_functions(&f, diagnostic));
  TRY(list_functions(&g, diagnostic));
  TRY(number_functions(&g, &numbers));
  for (size_t i = 0; i < f.items.count; i++) {
    const dloc_edit_function *same;
    bool is_same = false;
    TRY(find_function(&f, i, &g, &numbers, &same));
    if (same)
      TRY(compare_functions(&f, &f.items.items[i], &g, same, diagnostic, &is_same));
    TRY(visit(user, &f.items.items[i], is_same ? same : NULL));
  }
  return DLOC_OK;
}
