/* Rows of dloc_hidden.h. */
#include "contract.h"
#include "objects/dloc_dwarf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* With the table of the module, which is hidden. */
#define WITH_HIDDEN(in_, call)                                                                                         \
  dloc_hidden *hidden = NULL;                                                                                          \
  dloc_status status = dloc_hide(w->module, &(dloc_hide_options){.in = DLOC_HIDDEN_IN_##in_}, &hidden);                \
  if (status == DLOC_OK)                                                                                               \
    status = (call);                                                                                                   \
  dloc_hidden_destroy(hidden);                                                                                         \
  return status
MEMORY_CALL(dloc_hidden_create) {
  MADE(dloc_hidden_create(w->context, ret), dloc_hidden_destroy(*(dloc_hidden **)ret));
}
CALL(dloc_hidden_find) { WITH_HIDDEN(DISCRIMINATOR, found(dloc_hidden_find(hidden, wrong ? 2 : 1, ret))); }
static dloc_status add_number(dloc_hidden *hidden, world *w, void *ret) {
  return dloc_hidden_add(hidden, node_of(w, LAYERED), ret);
}
static dloc_status add_to_columns(world *w, void *ret) { WITH_HIDDEN(COLUMN, add_number(hidden, w, ret)); }
static dloc_status add_to_discriminators(world *w, void *ret) {
  WITH_HIDDEN(DISCRIMINATOR, add_number(hidden, w, ret));
}
CALL(dloc_hidden_add) { return wrong ? add_to_columns(w, ret) : add_to_discriminators(w, ret); }
static bool name_of(void *user, uint32_t number, dloc_file_name *ret) {
  dloc_text *name = user;
  *ret = (dloc_file_name){.name = *name};
  return number == 1;
}
/* One function of one line, whose file is that of a layer. */
static dloc_status number_line(world *w, dloc_full *full) {
  const dloc_row rows[] = {{.line = 3, .file = 1}, {.address = 4, .file = 1, .flags = DLOC_ROW_END_SEQUENCE}};
  const dloc_edit_function function = {.section = 1, .size = 4};
  dloc_text name = {"k.tile", 6};
  dloc_rows *made = NULL;
  dloc_status status = dloc_rows_create(w->context, &made);
  if (status == DLOC_OK)
    status = dloc_full_kind(full, dloc_text_of("TileIR"));
  if (status == DLOC_OK)
    status = dloc_full_rows(full, 1, rows, 2, name_of, &name);
  if (status == DLOC_OK)
    status = dloc_full_function(full, &function, &function);
  if (status == DLOC_OK)
    status = dloc_full_number(full, 1, rows, 2, made);
  if (status == DLOC_OK)
    status = dloc_exact_rows(rows, 2, rows, 2, made);
  dloc_rows_destroy(made);
  return status;
}
static dloc_status make_full(world *w, dloc_hidden *hidden, dloc_full **ret) {
  dloc_full *full = NULL;
  dloc_status status = dloc_full_create(w->context, hidden, &full);
  if (status == DLOC_OK)
    status = number_line(w, full);
  dloc_full_destroy(full);
  if (status == DLOC_OK)
    *ret = full;
  return status;
}
MEMORY_CALL(dloc_full_create) { WITH_HIDDEN(DISCRIMINATOR, make_full(w, hidden, ret)); }
MEMORY_CALL(dloc_hidden_stand_in) { WITH_HIDDEN(COLUMN, dloc_hidden_stand_in(hidden, DLOC_NULL, ret)); }
MEMORY_CALL(dloc_hidden_kinds) {
  const dloc_node **kinds = ret;
  WITH_HIDDEN(DISCRIMINATOR, dloc_hidden_kinds(hidden, kinds, (size_t *)(kinds + 1)));
}
static dloc_status write_table(const dloc_hidden *hidden, dloc_module **ret) {
  MADE(dloc_hidden_write(hidden, ret), dloc_module_destroy(*ret));
}
static dloc_status make_layer_maker(world *w, const dloc_hidden *hidden, dloc_layer_maker **ret) {
  const dloc_line_parameters parameters = {.version = 5};
  MADE(dloc_layer_maker_create(w->context, &w->profile, &parameters, hidden, NULL, NULL, ret),
       dloc_layer_maker_destroy(*ret));
}
MEMORY_CALL(dloc_layer_maker_create) { WITH_HIDDEN(DISCRIMINATOR, make_layer_maker(w, hidden, ret)); }
MEMORY_CALL(dloc_hidden_write) { WITH_HIDDEN(DISCRIMINATOR, write_table(hidden, ret)); }
static dloc_status read_table(world *w, const dloc_hidden *from) {
  dloc_module *table = NULL;
  dloc_hidden *hidden = NULL;
  dloc_status status = dloc_hidden_write(from, &table);
  if (status == DLOC_OK)
    status = dloc_hidden_create(w->context, &hidden);
  if (status == DLOC_OK)
    status = dloc_hidden_read(hidden, table, NULL);
  dloc_hidden_destroy(hidden);
  dloc_module_destroy(table);
  return status;
}
CALL(dloc_hidden_read) {
  (void)ret;
  if (wrong) {
    MADE(dloc_hidden_create(w->context, ret), made = dloc_hidden_read(*(dloc_hidden **)ret, w->module, NULL);
         dloc_hidden_destroy(*(dloc_hidden **)ret); memset(ret, 0xa5, sizeof(dloc_hidden *)));
  }
  WITH_HIDDEN(DISCRIMINATOR, read_table(w, hidden));
}
/* One whose locations have chains that lead nowhere, or the good one that was read. */
CALL(dloc_hide) {
  static const char broken[] = "define void @f() {\n  ret void, !dbg !0\n}\n"
                               "!0 = !DILocation(line: 1, scope: !1, inlinedAt: !1)\n!1 = distinct !{}\n";
  const dloc_hide_options options = {.first = 7};
  dloc_module *module = NULL;
  if (!wrong) {
    MADE(dloc_hide(w->module, &options, ret), dloc_hidden_destroy(*(dloc_hidden **)ret));
  }
  dloc_status status = dloc_read_ll(w->context, (dloc_text){broken, sizeof broken - 1}, &w->diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_hide(module, &options, ret);
  dloc_module_destroy(module);
  return status;
}
static const contract_row rows[] = {
    MEMORY_ROW(dloc_hidden_create),
    ROW(dloc_hidden_find),
    ROW(dloc_hidden_add),
    MEMORY_ROW(dloc_hidden_kinds),
    MEMORY_ROW(dloc_full_create),
    MEMORY_ROW(dloc_hidden_stand_in),
    MEMORY_ROW(dloc_layer_maker_create),
    MEMORY_ROW(dloc_hidden_write),
    ROW(dloc_hidden_read),
    ROW(dloc_hide),
};
const contract_rows contract_of_hidden = {rows, sizeof rows / sizeof *rows};
