/* expected.c - lists of expected failures. */
#include "expected.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/names.h"
#include "document/text.h"
#include "runner.h"

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

/* Take the part before " or ", or all of it. */
static dloc_text take_answer(dloc_text *rest) {
  const char *found = text_find(*rest, " or ");
  dloc_text answer = {rest->bytes, found ? (size_t)(found - rest->bytes) : rest->size};
  size_t taken = found ? answer.size + strlen(" or ") : answer.size;
  *rest = (dloc_text){rest->bytes + taken, rest->size - taken};
  return answer;
}

/* "hang", or "ok" and a digest. */
static bool is_answer(dloc_text text) {
  size_t size = 0;
  run_outcome outcome;
  while (size < text.size && !is_blank(text.bytes[size]))
    size++;
  for (size_t i = size + 1; i < text.size; i++)
    if (!strchr("0123456789abcdef", text.bytes[i]))
      return false;
  return run_outcome_find((dloc_text){text.bytes, size}, &outcome) && (size == text.size || text.size == size + 17);
}

static bool are_answers(dloc_text text) {
  do
    if (!is_answer(take_answer(&text)))
      return false;
  while (text.size);
  return true;
}

/* Split `ID: REASON` or `ID: ANSWER: REASON`; NULL, or what is wrong. */
static const char *read_entry(dloc_text line, expected_entry *ret) {
  const char *colon = memchr(line.bytes, ':', line.size);
  if (!colon)
    return "expected 'ID: REASON'";
  size_t before = (size_t)(colon - line.bytes);
  ret->id = trim((dloc_text){line.bytes, before});
  ret->reason = trim((dloc_text){colon + 1, line.size - before - 1});
  const char *end = memchr(ret->reason.bytes, ':', ret->reason.size);
  dloc_text first = trim((dloc_text){ret->reason.bytes, end ? (size_t)(end - ret->reason.bytes) : 0});
  if (end && are_answers(first)) {
    ret->answers = first;
    ret->reason = trim((dloc_text){end + 1, (size_t)(ret->reason.bytes + ret->reason.size - end - 1)});
  }
  if (!is_id(ret->id))
    return "expected the id of a vector before ':'";
  return ret->reason.size > 0 ? NULL : "an expected failure needs a reason";
}

/* Read `[PROFILE...]` or `[PROFILE?...]`; NULL, or what is wrong. */
static const char *read_section(dloc_text line, uint32_t *ret_profiles, uint32_t *ret_perhaps) {
  if (line.bytes[line.size - 1] != ']')
    return "expected '[PROFILE...]'";
  dloc_text rest = {line.bytes + 1, line.size - 2};
  *ret_profiles = *ret_perhaps = 0;
  for (rest = trim(rest); rest.size > 0; rest = trim(rest)) {
    size_t size = 0;
    while (size < rest.size && !is_blank(rest.bytes[size]))
      size++;
    bool perhaps = rest.bytes[size - 1] == '?';
    const dloc_profile *profile = dloc_profile_find((dloc_text){rest.bytes, size - perhaps});
    if (!profile)
      return "expected the names of built-in profiles";
    *ret_profiles |= UINT32_C(1) << (profile - dloc_profile_at(0));
    *ret_perhaps |= (uint32_t)perhaps << (profile - dloc_profile_at(0));
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
  uint32_t profiles = UINT32_MAX, perhaps = 0;
  while (text.size) {
    ++*line_number;
    dloc_text line = trim(text_take_line(&text));
    if (line.size == 0 || line.bytes[0] == '#')
      continue;
    expected_entry entry = {.line = *line_number, .profiles = profiles, .perhaps = perhaps};
    bool section = line.bytes[0] == '[';
    *message = section ? read_section(line, &profiles, &perhaps) : read_entry(line, &entry);
    if (*message)
      return DLOC_INVALID;
    if (!section)
      *MEMORY_ADD(list->entries, list->count) = entry;
  }
  return DLOC_OK;
}

/* An entry whose id an earlier one has for one of its profiles; NULL without one. */
static const expected_entry *find_repeated(const expected_list *list) {
  uint32_t profiles = 0; /* of the entries with this id */
  for (size_t i = 0; i < list->count; i++) {
    const expected_entry *entry = &list->entries[i];
    if (i && compare_ids(entry - 1, entry) != 0)
      profiles = 0;
    if (profiles & entry->profiles)
      return entry;
    profiles |= entry->profiles;
  }
  return NULL;
}

dloc_status expected_read(dloc_text text, uint32_t *ret_line, const char **ret_message, expected_list *ret) {
  expected_list list = {NULL, 0};
  *ret_line = 0;
  dloc_status status = read_lines(text, ret_line, ret_message, &list);
  if (status == DLOC_OK && list.count > 1)
    qsort(list.entries, list.count, sizeof *list.entries, compare_entries);
  const expected_entry *repeated = status == DLOC_OK ? find_repeated(&list) : NULL;
  if (repeated) {
    *ret_line = repeated->line;
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

static bool has(uint32_t profiles, const dloc_profile *profile) {
  const dloc_profile *built_in = dloc_profile_find(dloc_text_of(profile->name));
  return profiles == UINT32_MAX || (built_in && profiles >> (built_in - dloc_profile_at(0)) & 1);
}

bool expected_answers(const expected_entry *entry, const char *answer) {
  for (dloc_text rest = entry->answers; rest.size;)
    if (dloc_text_equal(take_answer(&rest), dloc_text_of(answer)))
      return true;
  return entry->answers.size == 0;
}

/* The entry for that profile. */
static expected_entry *find_entry(expected_entry *entries, size_t count, const dloc_profile *profile, dloc_text id) {
  const expected_entry key = {.id = id};
  expected_entry *entry = count ? bsearch(&key, entries, count, sizeof key, compare_ids) : NULL;
  while (entry && entry > entries && compare_ids(entry - 1, &key) == 0)
    entry--; /* there is one for each of several sections */
  for (; entry && entry < entries + count && compare_ids(entry, &key) == 0; entry++)
    if (has(entry->profiles, profile))
      return entry;
  return NULL;
}

/* Whatever bytes it has. */
static void put_line(dloc_buffer *ret, dloc_text line) {
  buffer_put(ret, line);
  buffer_put(ret, dloc_text_of("\n"));
}

/* Below several profiles one of which was run: the others may give other answers. */
static void write_entry(const expected_entry *entry, const char *answer, dloc_buffer *ret) {
  bool shared = entry->profiles & (entry->profiles - 1);
  buffer_put(ret, entry->id);
  buffer_put(ret, dloc_text_of(": "));
  if (entry->answers.size && (shared || expected_answers(entry, answer)))
    buffer_put(ret, entry->answers);
  if (entry->answers.size && shared && !expected_answers(entry, answer))
    buffer_put(ret, dloc_text_of(" or "));
  if (!entry->answers.size || !expected_answers(entry, answer))
    buffer_put(ret, dloc_text_of(answer));
  buffer_put(ret, dloc_text_of(": "));
  put_line(ret, entry->reason);
}

void expected_update(const expected_list *list, dloc_text text, const dloc_profile *profile,
                     const expected_failure *failures, size_t count, dloc_buffer *ret) {
  OWNED(memory_release) expected_failure *first = memory_allocate(count, sizeof *first); /* of each id */
  OWNED(names_deinit) names ids = {0};
  bool headed = false;
  for (size_t i = 0, met = 0; i < count; met = ids.count, i++)
    if (names_number(&ids, failures[i].id) == met)
      first[met] = failures[i];
  for (uint32_t line = 1; text.size; line++) {
    dloc_text written = text_take_line(&text), trimmed = trim(written);
    expected_entry read;
    bool is_entry = trimmed.size && !strchr("#[", *trimmed.bytes) && !read_entry(trimmed, &read);
    const expected_entry *entry = is_entry ? find_entry(list->entries, list->count, profile, read.id) : NULL;
    size_t failure = 0;
    bool stays = entry && has(entry->perhaps, profile) && !names_find(&ids, entry->id, &failure);
    if (!entry || entry->line != line || stays)
      put_line(ret, written);
    else if (names_find(&ids, entry->id, &failure))
      write_entry(entry, first[failure].answer, ret);
  }
  for (size_t i = 0; i < ids.count; i++) {
    if (find_entry(list->entries, list->count, profile, first[i].id))
      continue;
    if (!headed)
      buffer_format(ret, "[%s]\n", profile->name);
    headed = true;
    buffer_format(ret, "%.*s: %s: nobody has looked into it\n", (int)first[i].id.size, first[i].id.bytes,
                  first[i].answer);
  }
}

bool expected_is_stale(const expected_entry *entry, const dloc_profile *profile) {
  return has(entry->profiles, profile) && !has(entry->perhaps, profile) && !entry->failed;
}

expected_entry *expected_find(expected_list *list, const dloc_profile *profile, dloc_text id) {
  return list ? find_entry(list->entries, list->count, profile, id) : NULL;
}
