/* numbers.c - where the numbers of a table begin. */
#include "numbers.h"

#include <string.h>

/* The same in every run; nothing is looked up by it. */
static uint64_t hash_of(dloc_text content) {
  uint64_t hash = content.size;
  for (size_t i = 0; i < content.size; i += sizeof hash) {
    uint64_t word = 0;
    memcpy(&word, content.bytes + i, content.size - i < sizeof word ? content.size - i : sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  return hash;
}

uint32_t numbers_begin(uint64_t first, dloc_text content, uint32_t room) {
  if (first == NUMBERS_BY_CONTENT)
    return 1 + (uint32_t)(hash_of(content) % room);
  if (first == 0 || first > UINT32_MAX)
    tool_fail("--first: numbers begin between 1 and 4294967295");
  return (uint32_t)first;
}

int numbers_write(const dloc_hidden *hidden, const char *path) {
  OWNED(release_dloc_module) dloc_module *table = NULL;
  tool_output output;
  if (!tool_output_try(path, &output))
    return TOOL_UNUSABLE;
  dloc_status status = dloc_hidden_write(hidden, &table);
  if (status == DLOC_OK)
    status = dloc_write_ll(table, tool_file_sink(output.file));
  return tool_output_finish(&output, status, path);
}
