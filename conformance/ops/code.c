/* code.c - `code`: whether two functions have the same code. spec/hidden.md 17.4 */
#include "declare.h"
#include "dloc_formats.h"

static dloc_status read(query *q, const char *key, dloc_module **ret) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_status status = dloc_read_ll(q->context, term_text(q->args, key), &diagnostic, ret);
  q->reason = diagnostic.reason;
  return status;
}

static size_t first_with_code(const dloc_module *module) {
  size_t i = 0;
  while (i < dloc_module_function_count(module) && !dloc_module_function(module, i)->instruction_count)
    i++;
  return i;
}

static void set_instruction(term *value, const char *key, const dloc_module *module, size_t function, uint32_t found) {
  if (found == DLOC_NO_INDEX)
    term_set_null(value, key);
  else
    term_set_number(value, key, found - dloc_module_function(module, function)->first_instruction);
}

static uint32_t first_instruction(const dloc_module *module, size_t function) {
  bool found = function < dloc_module_function_count(module);
  return found ? (uint32_t)dloc_module_function(module, function)->first_instruction : DLOC_NO_INDEX;
}

static dloc_status compare(query *q, const dloc_module *base, const dloc_module *made, term *value) {
  size_t f = first_with_code(base), g = first_with_code(made);
  dloc_code_comparer *comparer = NULL;
  dloc_code_difference found = {.base = first_instruction(base, f), .made = first_instruction(made, g)};
  found.same = found.base == found.made; /* without code on one side */
  if (found.base != DLOC_NO_INDEX && found.made != DLOC_NO_INDEX) {
    TRY(dloc_code_comparer_create(base, made, term_flag(q->args, "constants"), &comparer));
    dloc_status status = dloc_compare_code(comparer, f, g, &found);
    dloc_code_comparer_destroy(comparer);
    TRY(status);
  }
  term_set_flag(value, "same", found.same);
  if (found.same && found.constants)
    term_set_number(value, "constants", found.constants);
  if (!found.same) {
    set_instruction(value, "base", base, f, found.base);
    set_instruction(value, "made", made, g, found.made);
  }
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  dloc_module *base = NULL, *made = NULL;
  dloc_status status = read(q, "base", &base);
  if (status == DLOC_OK)
    status = read(q, "made", &made);
  if (status == DLOC_OK)
    status = compare(q, base, made, value);
  dloc_module_destroy(base);
  dloc_module_destroy(made);
  return status;
}

#define SHOWN(name, type, absent)                                                                                      \
  { .key = (name), .of = (type), .text = name ": %\n", .optional = (absent) }

const operation op_code = {
    .name = "code",
    .forms = {{MAP(NULL, FIELD("base", TEXT), FIELD("made", TEXT), OPTIONAL("constants", FLAG)),
               MAP(NULL, SHOWN("same", FLAG, false), SHOWN("constants", NUMBER, true),
                   SHOWN("base", NUMBER_OR_NULL, true), SHOWN("made", NUMBER_OR_NULL, true))}},
    .ask = ask,
    .args_cell =
        "`{base: \"define void @f() {...\", made: \"...\", constants: true}`: modules as texts, of which the first function with "
        "code is compared; `constants`: some may differ",
    .value_cell =
        "`same: true`, and `constants`, how many differ, unless none does; or `same: false, base: 3, made: null`: the "
        "first instructions that differ, null for what stands before the first one or behind the last",
};
