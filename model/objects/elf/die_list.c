/* The attributes of DIEs, by libdw. */
#include "die_list.h"

#include <dwarf.h>

/* More ranges than these in a unit are no compiler's. */
#define MOST_RANGES ((size_t)1 << 24)

/* clang and GCC have it; elfutils' dwarf.h does not. */
#define DW_AT_GNU_DISCRIMINATOR 0x2136

typedef struct attributes {
  dloc_die *die;
  die_note *note;
  bool has_low, has_ranges, trouble;
} attributes;

static bool is_by_index(unsigned form) {
  return form == DW_FORM_strx || (form >= DW_FORM_strx1 && form <= DW_FORM_strx4) || form == DW_FORM_GNU_str_index;
}

/* libdw takes a text by its index also where it begins behind the last NUL of .debug_str; dwarf_getstring looks. */
static bool ends_in_section(Dwarf_Attribute *attribute, const char *text) {
  Dwarf *debug = dwarf_cu_getdwarf(attribute->cu);
  size_t length;
  const char *first = dwarf_getstring(debug, 0, &length);
  return first && text >= first && dwarf_getstring(debug, (Dwarf_Off)(text - first), &length);
}

dloc_text die_text(Dwarf_Attribute *attribute) {
  const char *text = dwarf_formstring(attribute);
  if (!text || (is_by_index(dwarf_whatform(attribute)) && !ends_in_section(attribute, text)))
    return (dloc_text){NULL, 0};
  return dloc_text_of(text);
}

/* A number that has no room counts as absent. */
static uint32_t number_of(Dwarf_Attribute *attribute, uint32_t otherwise) {
  Dwarf_Word number;
  return dwarf_formudata(attribute, &number) == 0 && number < UINT32_MAX ? (uint32_t)number : otherwise;
}

static void read_high(attributes *a, Dwarf_Attribute *attribute) {
  Dwarf_Addr address;
  Dwarf_Word offset;
  if (dwarf_formaddr(attribute, &address) == 0) {
    a->die->high_pc = address;
    a->die->high_form = DLOC_HIGH_ADDRESS;
  } else if (dwarf_formudata(attribute, &offset) == 0) {
    a->die->high_pc = offset;
    a->die->high_form = DLOC_HIGH_OFFSET;
  } else {
    a->trouble = true;
  }
}

static int read_attribute(Dwarf_Attribute *attribute, void *user) {
  attributes *a = user;
  dloc_die *die = a->die;
  Dwarf_Addr address;
  switch (dwarf_whatattr(attribute)) {
  case DW_AT_name:
    die->name = die_text(attribute);
    break;
  case DW_AT_linkage_name:
  case DW_AT_MIPS_linkage_name:
    die->linkage_name = die_text(attribute);
    break;
  case DW_AT_low_pc:
    a->has_low = dwarf_formaddr(attribute, &address) == 0;
    a->trouble |= !a->has_low;
    die->low_pc = a->has_low ? address : 0;
    break;
  case DW_AT_high_pc:
    read_high(a, attribute);
    break;
  case DW_AT_ranges:
    a->has_ranges = true;
    break;
  case DW_AT_specification:
    if (a->note->has_origin) /* DW_AT_abstract_origin says more */
      break;
    /* fallthrough */
  case DW_AT_abstract_origin:
    a->note->has_origin = dwarf_formref_die(attribute, &a->note->origin) != NULL;
    a->trouble |= !a->note->has_origin;
    break;
  case DW_AT_call_file:
    die->call_file = number_of(attribute, DLOC_NO_FILE);
    break;
  case DW_AT_call_line:
    die->call_line = number_of(attribute, 0);
    break;
  case DW_AT_call_column:
    die->call_column = number_of(attribute, 0);
    break;
  case DW_AT_GNU_DISCRIMINATOR:
    die->call_discriminator = number_of(attribute, 0);
    break;
  default:
    break;
  }
  return DWARF_CB_OK;
}

static dloc_status read_ranges(die_list *list, Dwarf_Die *die, dloc_die *ret) {
  Dwarf_Addr base, low, high;
  ptrdiff_t next = 0;
  while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
    if (list->ranges.count == MOST_RANGES)
      break;
    PUSH(list->context, list->ranges, (dloc_address_range){low, high});
    ret->range_count++;
  }
  list->trouble |= next != 0;
  return DLOC_OK;
}

dloc_status die_list_add(die_list *list, Dwarf_Die *die, dloc_die_tag tag, uint32_t parent) {
  dloc_die made = {
      .tag = tag, .offset = dwarf_dieoffset(die), .parent = parent, .origin = DLOC_NO_DIE, .call_file = DLOC_NO_FILE};
  die_note note = {.first_range = list->ranges.count};
  attributes a = {.die = &made, .note = &note};
  if (list->dies.count == DLOC_NO_DIE)
    return DLOC_LIMIT;
  list->trouble |= dwarf_getattrs(die, read_attribute, &a, 0) < 0 || a.trouble;
  if (!a.has_low)
    made.high_form = DLOC_HIGH_NONE;
  if (a.has_ranges && made.high_form == DLOC_HIGH_NONE)
    TRY(read_ranges(list, die, &made));
  TRY(map_add(list->context, &list->numbers, (uintptr_t)die->addr, 0, (uint32_t)list->dies.count, NULL));
  PUSH(list->context, list->dies, made);
  PUSH(list->context, list->notes, note);
  return DLOC_OK;
}

dloc_status die_list_complete(die_list *list) {
  for (size_t i = 0; i < list->dies.count; i++) {
    Dwarf_Die origin = list->notes.items[i].origin;
    if (!list->notes.items[i].has_origin)
      continue;
    if (!map_get(&list->numbers, (uintptr_t)origin.addr, 0, &list->dies.items[i].origin)) {
      list->dies.items[i].origin = (uint32_t)list->dies.count;
      TRY(die_list_add(list, &origin, DLOC_DIE_OTHER, DLOC_NO_DIE));
    }
  }
  for (size_t i = 0; i < list->dies.count; i++)
    if (list->dies.items[i].range_count)
      list->dies.items[i].ranges = &list->ranges.items[list->notes.items[i].first_range];
  context_free(list->context, list->notes.items);
  map_deinit(list->context, &list->numbers);
  list->notes.items = NULL;
  return DLOC_OK;
}

void die_list_deinit(die_list *list) {
  map_deinit(list->context, &list->numbers);
  CONTEXT_FREE(list->context, list->dies.items, list->notes.items, list->ranges.items);
}
