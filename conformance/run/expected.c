/* expected.c - lists of expected failures. */
#include "expected.h"

#include "document/memory.h"
#include "document/text.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static dloc_text trim(dloc_text text) {
  while (text.size > 0 && is_blank(text.bytes[0])) {
    text.bytes++;
    text.size--;
  }
  while (text.size > 0 && is_blank(text.bytes[text.size - 1]))
    text.size--;
  return text;
}

static bool is_id(dloc_text text) {
  for (size_t i = 0; i < text.size; i++) {
    char c = text.bytes[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
      return false;
  }
  return text.size > 0;
}

/* Split `ID: REASON`; NULL, or what is wrong. */
static const char *read_entry(dloc_text line, expected_entry *ret) {
  const char *colon = memchr(line.bytes, ':', line.size);
  if (!colon)
    return "expected 'ID: REASON'";
  size_t before = (size_t)(colon - line.bytes);
  ret->id = trim((dloc_text){line.bytes, before});
  ret->reason = trim((dloc_text){colon + 1, line.size - before - 1});
  if (!is_id(ret->id))
    return "expected the id of a vector before ':'";
  return ret->reason.size > 0 ? NULL : "an expected failure needs a reason";
}

/* Read `[PROFILE...]`; NULL, or what is wrong. */
static const char *read_section(dloc_text line, uint32_t *ret_profiles) {
  if (line.bytes[line.size - 1] != ']')
    return "expected '[PROFILE...]'";
  dloc_text rest = {line.bytes + 1, line.size - 2};
  *ret_profiles = 0;
  for (rest = trim(rest); rest.size > 0; rest = trim(rest)) {
    size_t size = 0;
    while (size < rest.size && !is_blank(rest.bytes[size]))
      size++;
    const dloc_profile *profile = dloc_profile_find((dloc_text){rest.bytes, size});
    if (!profile)
      return "expected the names of built-in profiles";
    *ret_profiles |= UINT32_C(1) << (profile - dloc_profile_at(0));
    rest = (dloc_text){rest.bytes + size, rest.size - size};
  }
  return *ret_profiles ? NULL : "expected '[PROFILE...]'";
}

static int compare_ids(const void *a, const void *b) {
  return dloc_text_compare(((const expected_entry *)a)->id, ((const expected_entry *)b)->id);
}

static int compare_entries(const void *a, const void *b) {
  const expected_entry *left = a, *right = b;
  int order = compare_ids(a, b);
  return order != 0 ? order : (left->line > right->line) - (left->line < right->line);
}

static dloc_status read_lines(dloc_text text, uint32_t *line_number, const char **message, expected_list *list) {
  uint32_t profiles = UINT32_MAX;
  while (text.size) {
    ++*line_number;
    dloc_text line = trim(text_take_line(&text));
    if (line.size == 0 || line.bytes[0] == '#')
      continue;
    expected_entry entry = {.line = *line_number, .profiles = profiles};
    bool section = line.bytes[0] == '[';
    *message = section ? read_section(line, &profiles) : read_entry(line, &entry);
    if (*message)
      return DLOC_INVALID;
    if (!section)
      *MEMORY_ADD(list->entries, list->count) = entry;
  }
  return DLOC_OK;
}

dloc_status expected_read(dloc_text text, uint32_t *ret_line, const char **ret_message, expected_list *ret) {
  expected_list list = {NULL, 0};
  *ret_line = 0;
  dloc_status status = read_lines(text, ret_line, ret_message, &list);
  if (status == DLOC_OK && list.count > 1)
    qsort(list.entries, list.count, sizeof *list.entries, compare_entries);
  for (size_t i = 1; status == DLOC_OK && i < list.count; i++)
    if (dloc_text_equal(list.entries[i - 1].id, list.entries[i].id)) {
      *ret_line = list.entries[i].line;
      *ret_message = "this id is listed already";
      status = DLOC_INVALID;
    }
  if (status != DLOC_OK)
    expected_deinit(&list);
  else
    *ret = list;
  return status;
}

void expected_deinit(expected_list *list) {
  free(list->entries);
  *list = (expected_list){NULL, 0};
}

static bool is_for(const expected_entry *entry, const dloc_profile *profile) {
  const dloc_profile *built_in = dloc_profile_find(dloc_text_of(profile->name));
  return entry->profiles == UINT32_MAX || (built_in && entry->profiles >> (built_in - dloc_profile_at(0)) & 1);
}

bool expected_is_stale(const expected_entry *entry, const dloc_profile *profile) {
  return is_for(entry, profile) && !entry->failed;
}

expected_entry *expected_find(expected_list *list, const dloc_profile *profile, dloc_text id) {
  const expected_entry key = {.id = id};
  expected_entry *entry =
      list && list->count ? bsearch(&key, list->entries, list->count, sizeof key, compare_ids) : NULL;
  return entry && is_for(entry, profile) ? entry : NULL;
}
