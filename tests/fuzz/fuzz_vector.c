/* fuzz_vector.c - any bytes as a file of vectors: nothing crashes, and what is read survives being written and read
 * again. */
#include "mutate.h"
#include "require.h"
#include "vector/vector.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static dloc_buffer json_of(const value *v) {
  dloc_buffer buffer = {0};
  require(value_write_json(v, dloc_buffer_sink(&buffer)) == DLOC_OK);
  return buffer;
}

static dloc_buffer yaml_of(const value *v) {
  dloc_buffer buffer = {0};
  require(vector_write(v, dloc_buffer_sink(&buffer)) == DLOC_OK);
  return buffer;
}

static void require_same(const dloc_buffer *a, const dloc_buffer *b) {
  require(a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0);
}

/* JSON and canonical YAML say the same as the value they were made of. */
static void check_writing(const value *v) {
  value_arena arena = {0};
  value *again = NULL, *from_yaml = NULL;
  value_diagnostic diagnostic;
  dloc_buffer json = json_of(v), yaml = yaml_of(v);
  require(value_read_one((dloc_text){json.bytes, json.size}, &arena, &diagnostic, &again) == DLOC_OK);
  require(value_read_one((dloc_text){yaml.bytes, yaml.size}, &arena, &diagnostic, &from_yaml) == DLOC_OK);
  dloc_buffer second = json_of(again), third = json_of(from_yaml), fourth = yaml_of(from_yaml);
  require_same(&json, &second);
  require_same(&json, &third);
  require_same(&yaml, &fourth);
  dloc_buffer_deinit(&json);
  dloc_buffer_deinit(&yaml);
  dloc_buffer_deinit(&second);
  dloc_buffer_deinit(&third);
  dloc_buffer_deinit(&fourth);
  value_arena_deinit(&arena);
}

static void check_canonical(const value *v, value_arena *arena) {
  value once, twice;
  vector_canonical(v, arena, &once);
  vector_canonical(&once, arena, &twice);
  dloc_buffer first = yaml_of(&once), second = yaml_of(&twice);
  require_same(&first, &second);
  dloc_buffer_deinit(&first);
  dloc_buffer_deinit(&second);
}

/* What the model answers is what is read back from the value made of it. */
static void check_answer(const vector *v, const dloc_profile *profile, value_arena *arena) {
  dloc_context *context = dloc_context_create(NULL), *other = dloc_context_create(NULL);
  dloc_buffer text = {0}, again = {0};
  vector_answer answer, read;
  value described;
  value_diagnostic diagnostic;
  require(context && other);
  if (vector_evaluate(v, profile, context, arena, NULL, &answer) == DLOC_OK) {
    require(vector_answer_text(context, &answer, dloc_buffer_sink(&text)) == DLOC_OK);
    require(vector_answer_value(v, NULL, context, arena, &answer, &described) == DLOC_OK);
    require(vector_answer_read(v, &described, other, arena, &diagnostic, &read) == DLOC_OK);
    require(vector_answer_text(other, &read, dloc_buffer_sink(&again)) == DLOC_OK);
    require_same(&text, &again);
  }
  dloc_buffer_deinit(&text);
  dloc_buffer_deinit(&again);
  dloc_context_destroy(context);
  dloc_context_destroy(other);
}

static void check_unused(void *user, dloc_text name, uint32_t line, uint32_t column) {
  (void)user;
  require(name.size && line && column);
}

static void check_document(const value *document, const dloc_profile *profile, value_arena *arena) {
  vector v;
  value_diagnostic diagnostic;
  check_writing(document);
  check_canonical(document, arena);
  if (vector_read(document, arena, &diagnostic, &v) != DLOC_OK)
    return;
  (void)vector_expectation_for(&v, profile);
  require(vector_unused(&v, arena, check_unused, NULL) == DLOC_OK);
  check_answer(&v, profile, arena);
  for (size_t i = 0; i < v.choice_count; i++) {
    const dloc_profile chosen = vector_choice_profile(&v, &v.choices[i]);
    check_answer(&v, &chosen, arena);
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_vector, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  value_reader *reader = value_reader_create((dloc_text){(const char *)bytes, size}, 0);
  value *document = NULL;
  value_arena arena = {0};
  value_diagnostic diagnostic;
  size_t sum = 0; /* says which profile */
  for (size_t i = 0; i < size; i++)
    sum += bytes[i];
  while (value_read(reader, &arena, &diagnostic, &document) == DLOC_OK && document)
    check_document(document, dloc_profile_at(sum % dloc_profile_count()), &arena);
  value_reader_destroy(reader);
  value_arena_deinit(&arena);
  return 0;
}
