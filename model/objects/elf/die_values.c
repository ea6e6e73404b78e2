/* Where values of attributes stand in the bytes of .debug_info, of every DIE in order. libdw tells what a DIE says, but
 * of DIEs of .dwo sections in an object only when there are no others. */
#include "elf.h"

#include <dwarf.h>

enum {
  LEB = 16,
  TERMINATED,
  OFFSET,
  ADDRESS,
  REFERENCE,
  BLOCK1,
  BLOCK2,
  BLOCK4,
  BLOCK,
  INDIRECT,
  UNKNOWN,
  DATA16 = 32
};

/* A table of abbreviations is read again when a unit has another one than the unit before: so often at most. */
enum { MOST_WORK = 64 };

/* How long a value of a form is: bytes, or one of the words above. */
static unsigned form_size(uint64_t form) {
  static const uint8_t sizes[] = {[DW_FORM_addr] = ADDRESS,
                                  [DW_FORM_block2] = BLOCK2,
                                  [DW_FORM_block4] = BLOCK4,
                                  [DW_FORM_data2] = 2,
                                  [DW_FORM_data4] = 4,
                                  [DW_FORM_data8] = 8,
                                  [DW_FORM_string] = TERMINATED,
                                  [DW_FORM_block] = BLOCK,
                                  [DW_FORM_block1] = BLOCK1,
                                  [DW_FORM_data1] = 1,
                                  [DW_FORM_flag] = 1,
                                  [DW_FORM_sdata] = LEB,
                                  [DW_FORM_strp] = OFFSET,
                                  [DW_FORM_udata] = LEB,
                                  [DW_FORM_ref_addr] = REFERENCE,
                                  [DW_FORM_ref1] = 1,
                                  [DW_FORM_ref2] = 2,
                                  [DW_FORM_ref4] = 4,
                                  [DW_FORM_ref8] = 8,
                                  [DW_FORM_ref_udata] = LEB,
                                  [DW_FORM_indirect] = INDIRECT,
                                  [DW_FORM_sec_offset] = OFFSET,
                                  [DW_FORM_exprloc] = BLOCK,
                                  [DW_FORM_strx] = LEB,
                                  [DW_FORM_addrx] = LEB,
                                  [DW_FORM_ref_sup4] = 4,
                                  [DW_FORM_strp_sup] = OFFSET,
                                  [DW_FORM_data16] = DATA16,
                                  [DW_FORM_line_strp] = OFFSET,
                                  [DW_FORM_ref_sig8] = 8,
                                  [DW_FORM_loclistx] = LEB,
                                  [DW_FORM_rnglistx] = LEB,
                                  [DW_FORM_ref_sup8] = 8,
                                  [DW_FORM_strx1] = 1,
                                  [DW_FORM_strx2] = 2,
                                  [DW_FORM_strx3] = 3,
                                  [DW_FORM_strx4] = 4,
                                  [DW_FORM_addrx1] = 1,
                                  [DW_FORM_addrx2] = 2,
                                  [DW_FORM_addrx3] = 3,
                                  [DW_FORM_addrx4] = 4};
  if (form == DW_FORM_flag_present || form == DW_FORM_implicit_const)
    return 0;
  if (form == DW_FORM_GNU_addr_index || form == DW_FORM_GNU_str_index)
    return LEB;
  if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
    return OFFSET;
  return form < sizeof sizes && sizes[form] ? sizes[form] : UNKNOWN;
}

typedef struct attribute {
  uint64_t name;
  uint64_t form;
  uint64_t constant; /* of DW_FORM_implicit_const */
} attribute;

typedef struct die_form {
  uint64_t code;
  size_t first, count; /* of its attributes */
} die_form;

typedef struct walk {
  dloc_context *context;
  dloc_die_sections sections;
  dloc_die_visit *visit;
  void *user;
  ARRAY(die_form) forms; /* of the table that was read last */
  ARRAY(attribute) attributes;
  uint64_t table; /* where that one begins; UINT64_MAX: there is none */
  uint64_t work;  /* what tables cost, which a file can make much of */
  const uint8_t *start;
  uint8_t offset_size, address_size;
  uint16_t version;
} walk;

static byte_cursor cursor_of(const walk *w, dloc_text bytes, uint64_t at) {
  const uint8_t *start = (const uint8_t *)(bytes.size ? bytes.bytes : "");
  size_t skipped = at < bytes.size ? (size_t)at : bytes.size;
  return (byte_cursor){.at = start + skipped, .end = start + bytes.size, .big_endian = w->sections.big_endian};
}

/* Up to the code 0, or as far as it can be read. */
static dloc_status read_forms(walk *w, uint64_t table) {
  byte_cursor c = cursor_of(w, w->sections.abbrev, table);
  if (table == w->table)
    return DLOC_OK;
  w->table = table;
  w->work += bytes_left(&c);
  w->forms.count = w->attributes.count = 0;
  for (uint64_t code; (code = bytes_unsigned(&c)) && !c.short_of;) {
    die_form form = {.code = code, .first = w->attributes.count};
    (void)bytes_unsigned(&c); /* the tag */
    (void)bytes_fixed(&c, 1); /* whether it has children */
    for (attribute a; a.name = bytes_unsigned(&c), a.form = bytes_unsigned(&c), (a.name || a.form) && !c.short_of;) {
      a.constant = a.form == DW_FORM_implicit_const ? bytes_signed(&c) : 0;
      PUSH(w->context, w->attributes, a);
    }
    form.count = w->attributes.count - form.first;
    PUSH(w->context, w->forms, form);
  }
  return DLOC_OK;
}

/* Codes are numbered from 1 on, as a rule. */
static const die_form *find_form(walk *w, uint64_t code) {
  if (code <= w->forms.count && w->forms.items[code - 1].code == code)
    return &w->forms.items[code - 1];
  w->work += w->forms.count;
  for (size_t i = 0; i < w->forms.count; i++)
    if (w->forms.items[i].code == code)
      return &w->forms.items[i];
  return NULL;
}

/* The value, and what it is; false: its form is not known. */
static bool read_value(const walk *w, byte_cursor *c, attribute a, dloc_die_value *ret) {
  unsigned size = form_size(a.form);
  if (size == INDIRECT) {
    a.form = bytes_unsigned(c);
    size = form_size(a.form);
  }
  size = size == OFFSET || (size == REFERENCE && w->version > 2) ? w->offset_size
         : size == ADDRESS || size == REFERENCE                  ? w->address_size
                                                                 : size;
  const uint8_t *start = c->at;
  *ret = (dloc_die_value){.attribute = a.name, .at = (size_t)(start - w->start), .value = a.constant};
  if (size <= 8)
    ret->value = size ? bytes_fixed(c, size) : a.constant;
  else if (size == LEB)
    ret->value = bytes_unsigned(c);
  else if (size == TERMINATED)
    (void)bytes_string(c);
  else if (size == DATA16)
    (void)bytes_block(c, 16);
  else if (size >= BLOCK1 && size <= BLOCK)
    (void)bytes_block(c, size == BLOCK ? bytes_unsigned(c)
                                       : bytes_fixed(c, size == BLOCK1   ? 1
                                                        : size == BLOCK2 ? 2
                                                                         : 4));
  else
    return false;
  ret->size = (size_t)(c->at - start);
  ret->is_leb = size == LEB;
  return !c->short_of;
}

/* Values of no bytes, and tables that stand in no order, make a few bytes much work. */
static bool is_cheap(const walk *w) { return w->work / MOST_WORK <= w->sections.info.size + w->sections.abbrev.size; }

static dloc_status walk_dies(walk *w, byte_cursor *c, bool *ret_complete) {
  while (c->at < c->end) {
    uint64_t code = bytes_unsigned(c);
    const die_form *form = code ? find_form(w, code) : NULL;
    w->work += form ? form->count : 0;
    *ret_complete &= !c->short_of && (form || !code) && is_cheap(w);
    if (!*ret_complete)
      return DLOC_OK;
    for (size_t i = 0; form && i < form->count; i++) {
      dloc_die_value value;
      if (!read_value(w, c, w->attributes.items[form->first + i], &value)) {
        *ret_complete = false;
        return DLOC_OK;
      }
      TRY(w->visit(w->user, &value));
    }
  }
  return DLOC_OK;
}

/* The header of a unit; c then ends where the unit does. The cursor at the next unit. */
static bool read_header(walk *w, byte_cursor *c, byte_cursor *ret_next, uint64_t *ret_table) {
  uint64_t length = bytes_fixed(c, 4);
  w->offset_size = length == 0xffffffff ? 8 : 4;
  length = w->offset_size == 8 ? bytes_fixed(c, 8) : length;
  if (c->short_of || length > bytes_left(c))
    return false;
  *ret_next = *c;
  ret_next->at += length;
  c->end = ret_next->at;
  w->version = (uint16_t)bytes_fixed(c, 2);
  if (w->version < 2 || w->version > 5)
    return false;
  uint64_t type = w->version == 5 ? bytes_fixed(c, 1) : w->sections.types ? DW_UT_type : DW_UT_compile;
  w->address_size = (uint8_t)(w->version == 5 ? bytes_fixed(c, 1) : 0);
  *ret_table = bytes_fixed(c, w->offset_size);
  w->address_size = (uint8_t)(w->version == 5 ? w->address_size : bytes_fixed(c, 1));
  if (type == DW_UT_skeleton || type == DW_UT_split_compile)
    (void)bytes_fixed(c, 8);
  else if (type == DW_UT_type || type == DW_UT_split_type)
    (void)bytes_block(c, 8 + w->offset_size);
  return !c->short_of && w->address_size <= 8;
}

static dloc_status walk_units(walk *w, bool *ret_complete) {
  for (byte_cursor c = cursor_of(w, w->sections.info, 0), next; c.at < c.end; c = next) {
    uint64_t table;
    if (!is_cheap(w) || !read_header(w, &c, &next, &table)) {
      *ret_complete = false;
      return DLOC_OK;
    }
    TRY(read_forms(w, table));
    TRY(walk_dies(w, &c, ret_complete));
  }
  return DLOC_OK;
}

dloc_status dloc_die_values(dloc_context *context, const dloc_die_sections *sections, dloc_die_visit *visit, void *user,
                            bool *ret_complete) {
  walk w = {.context = context, .sections = *sections, .visit = visit, .user = user, .table = UINT64_MAX};
  bool complete = true;
  OWNED_MEMORY(context, &w.forms.items, &w.attributes.items);
  w.start = (const uint8_t *)sections->info.bytes;
  TRY(walk_units(&w, &complete));
  *ret_complete = complete;
  return DLOC_OK;
}
