/* Any bytes: reading them as bitcode gives a diagnostic with its bit, or a module that can be verified and printed.
 * Both views of the reader agree: a module is only read from what can be located, and the raw view reads all that the
 * others do. Most inputs that a fuzzer makes fall over a block's length early, so the magic number is put in front when
 * it is missing. */
#include "dloc_formats.h"
#include "mutate.h"
#include "require.h"

#include <stdlib.h>
#include <string.h>

static void check_failure(dloc_status status, const dloc_diagnostic *diagnostic, size_t size) {
  require(status == DLOC_INVALID || status == DLOC_LIMIT);
  if (status == DLOC_INVALID)
    require(diagnostic->reason != DLOC_REASON_NONE && diagnostic->line == 0 && diagnostic->message[0] &&
            diagnostic->bit <= (uint64_t)size * 8 + 64);
}

static bool on_violation(void *user, const dloc_violation *violation) {
  dloc_place place;
  require(!dloc_violation_place(user, violation, &place)); /* bitcode has no lines */
  return true;
}

static bool discard(void *user, const char *bytes, size_t size) {
  (void)bytes;
  *(size_t *)user += size;
  return true;
}

/* What an instruction names has a number, as the file has it and as a writer would give it. */
static void check_numbers(const dloc_module *module, dloc_numbers *numbers) {
  uint64_t number = 0;
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++) {
    dloc_node debug_loc = dloc_module_instruction(module, i)->debug_loc;
    dloc_location place = dloc_location_get(dloc_module_context(module), debug_loc);
    if (place.scope)
      require(dloc_number_of(numbers, place.scope, &number) == DLOC_OK);
  }
}

static dloc_status read_module(dloc_text bytes) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_numbers *numbers = NULL, *given = NULL;
  dloc_verdict verdict;
  size_t printed = 0;
  dloc_context *context = dloc_context_create(NULL);
  require(context != NULL);
  dloc_status status = dloc_read_bitcode(context, NULL, bytes, &diagnostic, &module, &numbers);
  if (status == DLOC_OK) {
    require(dloc_verify(module, dloc_profile_at(0), on_violation, module, &verdict) == DLOC_OK);
    require(dloc_write_ll(module, (dloc_sink){discard, &printed}) == DLOC_OK);
    require(dloc_numbers_create(module, dloc_profile_at(0), &given) == DLOC_OK);
    check_numbers(module, numbers);
    check_numbers(module, given);
  } else {
    check_failure(status, &diagnostic, bytes.size);
  }
  dloc_numbers_destroy(given);
  dloc_numbers_destroy(numbers);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status;
}

/* What a location names need not be sound before a module is made of it. */
static dloc_status on_location(void *user, const dloc_bitcode_location *location) {
  dloc_bitcode_metadata node;
  uint64_t numbers[] = {location->scope, location->inlined_at, location->kind};
  for (size_t i = 0; i < 3; i++)
    if (numbers[i] && dloc_bitcode_metadata_at(user, numbers[i] - 1, &node) == DLOC_OK)
      require(node.class_name != NULL);
  return DLOC_OK;
}

static dloc_status locate(dloc_text bytes) {
  dloc_diagnostic diagnostic;
  dloc_bitcode *bitcode = NULL;
  dloc_context *context = dloc_context_create(NULL);
  require(context != NULL);
  dloc_status status = dloc_bitcode_open(context, NULL, bytes, &diagnostic, &bitcode);
  for (size_t i = 0; status == DLOC_OK && i < dloc_bitcode_function_count(bitcode); i++) {
    uint32_t instructions = 0;
    status = dloc_bitcode_locate(bitcode, i, on_location, bitcode, &instructions);
  }
  if (status != DLOC_OK)
    check_failure(status, &diagnostic, bytes.size);
  dloc_bitcode_close(bitcode);
  dloc_context_destroy(context);
  return status;
}

static dloc_status on_item(void *user, const dloc_bitcode_item *item) {
  uint64_t *sum = user;
  for (size_t i = 0; i < item->value_count; i++)
    *sum += dloc_bitcode_item_value(item, i);
  for (size_t i = 0; i < item->blob.size; i++)
    *sum += (unsigned char)item->blob.bytes[i];
  return DLOC_OK;
}

static void read_items(dloc_text bytes) {
  dloc_diagnostic diagnostic;
  uint64_t sum = 0;
  dloc_context *context = dloc_context_create(NULL);
  require(context != NULL);
  dloc_status status = dloc_bitcode_items(context, bytes, &diagnostic, on_item, &sum);
  if (status != DLOC_OK)
    check_failure(status, &diagnostic, bytes.size);
  dloc_context_destroy(context);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_bitcode, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char magic[4] = {'B', 'C', (char)0xc0, (char)0xde};
  dloc_text bytes = {(const char *)data, size};
  char *copy = NULL;
  if (!dloc_is_bitcode(bytes)) {
    copy = malloc(size + sizeof magic);
    require(copy != NULL);
    memcpy(copy, magic, sizeof magic);
    if (size)
      memcpy(copy + sizeof magic, data, size);
    bytes = (dloc_text){copy, size + sizeof magic};
  }
  dloc_status located = locate(bytes);
  if (read_module(bytes) == DLOC_OK)
    require(located == DLOC_OK);
  read_items(bytes);
  free(copy);
  return 0;
}
