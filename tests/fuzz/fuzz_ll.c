/* Any text: reading it gives a diagnostic or a module; a module that is printed and read again prints the same. */
#include "dloc_formats.h"
#include "mutate.h"
#include "require.h"

#include <string.h>

static void check_remark(const dloc_remark *remark) {
  require(remark->message.size > 0 && remark->offset + remark->size <= remark->text.size);
  require(!remark->placed || (remark->place.line > 0 && remark->place.column > 0));
}

/* What is told of a violation points into a text. */
static bool diagnose(void *user, const dloc_violation *violation) {
  const dloc_diagnosis *diagnosis = NULL;
  require(dloc_diagnose(user, violation, &diagnosis) == DLOC_OK);
  check_remark(&diagnosis->fault);
  for (size_t i = 0; i < diagnosis->note_count; i++)
    check_remark(&diagnosis->notes[i]);
  return true;
}

static void verify(const dloc_module *module) {
  dloc_verdict verdict;
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    dloc_diagnoser *diagnoser = NULL;
    require(dloc_diagnoser_create(module, dloc_profile_at(i), &diagnoser) == DLOC_OK);
    require(dloc_verify(module, dloc_profile_at(i), diagnose, diagnoser, &verdict) == DLOC_OK);
    dloc_status warned = dloc_warn(module, dloc_profile_at(i), diagnose, diagnoser);
    require(warned == DLOC_OK || warned == DLOC_INVALID);
    dloc_diagnoser_destroy(diagnoser);
  }
}

/* Numbering goes over all metadata, cycles among it too. */
static void number(const dloc_module *module) {
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    dloc_numbers *numbers = NULL;
    require(dloc_numbers_create(module, dloc_profile_at(i), &numbers) == DLOC_OK);
    dloc_numbers_destroy(numbers);
  }
}

/* Give every third instruction the location of the one before it, so that changed instructions are printed. */
static void change(dloc_module *module) {
  for (size_t i = 1; i < dloc_module_instruction_count(module); i += 3) {
    const dloc_instruction *before = dloc_module_instruction(module, i - 1);
    if (!(dloc_module_instruction(module, i)->flags & DLOC_INSTRUCTION_RECORD))
      require(dloc_module_set_debug_loc(module, i, before->debug_loc) == DLOC_OK);
  }
}

/* Read text, which is a module, and print it; *ret is the caller's to release. */
static void print_again(dloc_text text, bool changed, dloc_buffer *ret) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  require(context != NULL);
  require(dloc_read_ll(context, text, &diagnostic, &module) == DLOC_OK);
  if (changed)
    change(module);
  require(dloc_write_ll(module, dloc_buffer_sink(ret)) == DLOC_OK);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_ll, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  dloc_text text = {(const char *)data, size};
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  require(context != NULL);
  dloc_status status = dloc_read_ll(context, text, &diagnostic, &module);
  if (status != DLOC_OK) {
    require(status == DLOC_INVALID && diagnostic.offset <= size && diagnostic.line > 0 && diagnostic.message[0]);
    dloc_context_destroy(context);
    return 0;
  }
  verify(module);
  number(module);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  dloc_buffer first = {0}, second = {0}, changed = {0}, third = {0};
  print_again(text, false, &first);
  print_again((dloc_text){first.bytes, first.size}, false, &second);
  require(first.size == second.size && (first.size == 0 || memcmp(first.bytes, second.bytes, first.size) == 0));
  print_again(text, true, &changed);
  print_again((dloc_text){changed.bytes, changed.size}, false, &third);
  dloc_buffer_deinit(&first);
  dloc_buffer_deinit(&second);
  dloc_buffer_deinit(&changed);
  dloc_buffer_deinit(&third);
  return 0;
}
