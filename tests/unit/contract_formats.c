/* Rows of dloc_formats.h. */
#include "contract.h"
#include "nodes/try.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

CALL(dloc_read_ll) {
  dloc_text source = dloc_text_of(wrong ? "!0 = !{" : contract_text);
  MADE(dloc_read_ll(w->context, source, &w->diagnostic, ret), dloc_module_destroy(*(dloc_module **)ret));
}
CALL(dloc_module_number_of) {
  return found(dloc_module_number_of(w->module, wrong ? DLOC_NULL : node_of(w, FILE_), ret));
}
CALL(dloc_violation_place) {
  dloc_violation violation = {.function = wrong ? DLOC_NO_INDEX : 0, .instruction = DLOC_NO_INDEX};
  return found(dloc_violation_place(w->module, &violation, ret));
}
CALL(dloc_read_bitcode) {
  dloc_text bytes = {contract_bitcode.bytes, wrong ? contract_bitcode.size / 2 : contract_bitcode.size};
  dloc_module **module = ret;
  dloc_numbers **numbers = (dloc_numbers **)(module + 1);
  dloc_status status = dloc_read_bitcode(w->context, NULL, bytes, &w->diagnostic, module, numbers);
  if (status == DLOC_OK)
    dloc_numbers_destroy(*numbers);
  MADE(status, dloc_module_destroy(*module));
}
CALL(dloc_bitcode_open) {
  dloc_text bytes = {contract_bitcode.bytes, wrong ? 8 : contract_bitcode.size};
  MADE(dloc_bitcode_open(w->context, NULL, bytes, &w->diagnostic, ret), dloc_bitcode_close(*(dloc_bitcode **)ret));
}
static dloc_status visit(void *user, const dloc_bitcode_location *location) {
  return user && location ? DLOC_OK : DLOC_STOPPED;
}
CALL(dloc_bitcode_locate) { return dloc_bitcode_locate(w->bitcode, wrong ? 1000 : 0, visit, w, ret); }
CALL(dloc_bitcode_metadata_at) { return dloc_bitcode_metadata_at(w->bitcode, wrong ? 100000 : 0, ret); }
MEMORY_CALL(dloc_assembly_create) {
  MADE(dloc_assembly_create(w->module, &w->profile, ret), dloc_assembly_destroy(*(dloc_assembly **)ret));
}
MEMORY_CALL(dloc_assembly_stand_in) {
  dloc_assembly *assembly = NULL;
  TRY(dloc_assembly_create(w->module, &w->profile, &assembly));
  dloc_status status = dloc_assembly_stand_in(assembly, ret);
  dloc_assembly_destroy(assembly);
  return status;
}

static dloc_status make_comparer(const dloc_module *base, const dloc_module *other, dloc_code_comparer **ret) {
  MADE(dloc_code_comparer_create(base, other, true, ret), dloc_code_comparer_destroy(*ret));
}
CALL(dloc_code_comparer_create) {
  dloc_module *without_text = NULL;
  uint32_t function;
  TRY(dloc_module_create(w->context, &without_text));
  dloc_status status = dloc_module_begin_function(without_text, dloc_text_of("f"), 0, 0, &function);
  if (status == DLOC_OK)
    status = make_comparer(w->module, wrong ? without_text : w->module, ret);
  dloc_module_destroy(without_text);
  return status;
}
static dloc_status compare_code(world *w, dloc_code_comparer **comparer, void *ret) {
  TRY(dloc_code_comparer_create(w->module, w->module, true, comparer));
  return dloc_compare_code(*comparer, 0, 0, ret);
}
MEMORY_CALL(dloc_compare_code) {
  dloc_code_comparer *comparer = NULL;
  dloc_status status = compare_code(w, &comparer, ret);
  dloc_code_comparer_destroy(comparer);
  return status;
}

MEMORY_CALL(dloc_diagnoser_create) {
  MADE(dloc_diagnoser_create(w->module, &w->profile, ret), dloc_diagnoser_destroy(*(dloc_diagnoser **)ret));
}
MEMORY_CALL(dloc_diagnose) {
  dloc_diagnoser *diagnoser = NULL;
  dloc_violation violation = dloc_violation_of(DLOC_REASON_SHAPE_NOT_A_LOCATION, 0, node_of(w, FILE_));
  TRY(dloc_diagnoser_create(w->module, &w->profile, &diagnoser));
  dloc_status status = dloc_diagnose(diagnoser, &violation, ret);
  dloc_diagnoser_destroy(diagnoser);
  return status;
}

static const contract_row rows[] = {
    ROW(dloc_read_ll),
    ROW(dloc_module_number_of),
    ROW(dloc_violation_place),
    ROW(dloc_read_bitcode),
    ROW(dloc_bitcode_open),
    ROW(dloc_bitcode_locate),
    ROW(dloc_bitcode_metadata_at),
    MEMORY_ROW(dloc_assembly_create),
    MEMORY_ROW(dloc_assembly_stand_in),
    ROW(dloc_code_comparer_create),
    MEMORY_ROW(dloc_compare_code),
    MEMORY_ROW(dloc_diagnoser_create),
    MEMORY_ROW(dloc_diagnose),
};
const contract_rows contract_of_formats = {rows, sizeof rows / sizeof *rows};
