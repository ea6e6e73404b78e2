/* code.c - `code`: whether two functions have the same code. spec/hidden.md 17.4 */
#include "declare.h"
#include "document/memory.h"

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
  return found ? dloc_module_function(module, function)->first_instruction : DLOC_NO_INDEX;
}

OWNER(dloc_code_comparer)

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_module) dloc_module *base = NULL, *made = NULL;
  OWNED(release_dloc_code_comparer) dloc_code_comparer *comparer = NULL;
  TRY(dloc_read_ll(q->context, term_text(q->args, "base"), &q->diagnostic, &base));
  TRY(dloc_read_ll(q->context, term_text(q->args, "made"), &q->diagnostic, &made));
  size_t f = first_with_code(base), g = first_with_code(made);
  dloc_code_difference found = {.base = first_instruction(base, f), .made = first_instruction(made, g)};
  found.same = found.base == found.made; /* without code on one side */
  if (found.base != DLOC_NO_INDEX && found.made != DLOC_NO_INDEX) {
    TRY(dloc_code_comparer_create(base, made, term_flag(q->args, "constants"), &comparer));
    TRY(dloc_compare_code(comparer, f, g, &found));
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

const operation op_code = {
    .name = "code",
    .forms = {{MAP(NULL, FIELD("base", TEXT), FIELD("made", TEXT), OPTIONAL("constants", FLAG)),
               MAP(NULL, FIELD_AS("same", FLAG, "same: %\n"), OPTIONAL_AS("constants", NUMBER, "constants: %\n"),
                   OPTIONAL_AS("base", NUMBER_OR_NULL, "base: %\n"),
                   OPTIONAL_AS("made", NUMBER_OR_NULL, "made: %\n"))}},
    .ask = ask,
};
