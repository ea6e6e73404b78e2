/* Rows about objects: of dloc_dwarf.h. */
#include "contract.h"
#include "objects/elf/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

CALL(dloc_object_open) {
  if (wrong)
    return dloc_object_open(w->context, dloc_text_of("no object"), &w->diagnostic, ret);
  MADE(contract_open_object(w, false, ret), dloc_object_close(*(dloc_object **)ret));
}
CALL(dloc_object_open_file) {
  MADE(dloc_object_open_file(w->context, wrong ? "tests" : "tests/fuzz/corpus-object/zlib.o", &w->diagnostic, ret),
       dloc_object_close(*(dloc_object **)ret));
}
static dloc_status find_section(world *w, bool wrong, bool first, dloc_object_section *ret) {
  dloc_object *opened = NULL;
  bool *any = (bool *)(ret + 1);
  const dloc_text name = dloc_text_of(".debug_line");
  dloc_status status = contract_open_object(w, wrong, &opened);
  if (status == DLOC_OK)
    status = first ? dloc_object_section_find(opened, name, &w->diagnostic, ret, any)
                   : dloc_object_section_next(opened, name, 0, &w->diagnostic, ret, any);
  dloc_object_close(opened);
  return status;
}
CALL(dloc_object_section_find) { return find_section(w, wrong, true, ret); }
CALL(dloc_object_section_next) { return find_section(w, wrong, false, ret); }
MEMORY_CALL(dloc_debug_info_open) {
  dloc_object *opened = NULL;
  dloc_debug_info **info = ret;
  dloc_status status = contract_open_object(w, false, &opened);
  if (status == DLOC_OK)
    status = dloc_debug_info_open(opened, &w->profile, NULL, NULL, &w->diagnostic, info);
  if (status == DLOC_OK)
    dloc_debug_info_close(*info);
  dloc_object_close(opened);
  return status;
}

/* ---- Objects that are changed ---- */

CALL(dloc_object_edit_open) {
  dloc_text bytes = wrong ? dloc_text_of("no object") : contract_object(false);
  MADE(dloc_object_edit_open(w->context, bytes, &w->diagnostic, ret),
       dloc_object_edit_close(*(dloc_object_edit **)ret));
}
/* Its .debug_line is compressed. */
static dloc_status open_edit(world *w, bool broken, dloc_object_edit **ret, uint32_t *ret_line) {
  dloc_status status = dloc_object_edit_open(w->context, contract_object(broken), &w->diagnostic, ret);
  if (status != DLOC_OK)
    return status;
  for (*ret_line = 1; !dloc_text_equal(edit_name(*ret, *ret_line), dloc_text_of(".debug_line"));)
    ++*ret_line;
  return DLOC_OK;
}
#define WITH_EDIT(broken, call)                                                                                        \
  dloc_object_edit *edit = NULL;                                                                                       \
  uint32_t line;                                                                                                       \
  dloc_status status = open_edit(w, (broken), &edit, &line);                                                           \
  if (status == DLOC_OK)                                                                                               \
    status = (call);                                                                                                   \
  dloc_object_edit_close(edit);                                                                                        \
  return status
CALL(dloc_object_edit_bytes) { WITH_EDIT(wrong, dloc_object_edit_bytes(edit, line, &w->diagnostic, ret)); }
CALL(dloc_object_edit_lines) { WITH_EDIT(wrong, dloc_object_edit_lines(edit, &w->diagnostic, ret)); }
static dloc_status see_value(void *user, const dloc_die_value *value) {
  (void)user;
  (void)value;
  return DLOC_OK;
}
/* A unit of one DIE, with a name. */
MEMORY_CALL(dloc_die_values) {
  static const char info[] = "\11\0\0\0\4\0\0\0\0\0\10\1u", abbrev[] = "\1\21\0\3\10\0\0";
  const dloc_die_sections sections = {{info, sizeof info}, {abbrev, sizeof abbrev}, false, false};
  return dloc_die_values(w->context, &sections, see_value, NULL, ret);
}

static const contract_row rows[] = {
    ROW(dloc_object_open_file),       ROW(dloc_object_open),
    ROW(dloc_object_section_find),    ROW(dloc_object_section_next),
    MEMORY_ROW(dloc_debug_info_open), ROW(dloc_object_edit_open),
    ROW(dloc_object_edit_bytes),      ROW(dloc_object_edit_lines),
    MEMORY_ROW(dloc_die_values),
};
const contract_rows contract_of_objects = {rows, sizeof rows / sizeof *rows};
