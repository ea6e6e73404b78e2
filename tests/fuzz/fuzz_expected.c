/* fuzz_expected.c - any bytes as a list of expected failures: it is refused at a line, or what is in it is found again;
 * updated with what a run found, it is a list that expects that, and updating it again changes nothing. */
#include "document/buffer.h"
#include "require.h"
#include "run/expected.h"

enum { MOST_FAILURES = 64 };

typedef struct run_found {
  const dloc_profile *profile;
  expected_failure failures[MOST_FAILURES];
  size_t count;
} run_found;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Some entries fail as no list says, and so does a vector that is not listed. The others are gone. */
static run_found found_of(expected_list *list, const dloc_profile *profile) {
  run_found found = {.profile = profile};
  if (!expected_find(list, profile, dloc_text_of("not.listed")))
    found.failures[found.count++] = (expected_failure){dloc_text_of("not.listed"), "reject 0123456789abcdef"};
  for (size_t i = 0; i < list->count && found.count < MOST_FAILURES; i++) {
    expected_entry *entry = list->entries + i;
    require(entry->id.size && entry->reason.size && entry->line);
    require(!i || dloc_text_compare(entry[-1].id, entry->id) <= 0);
    if (expected_find(list, profile, entry->id) == entry && entry->line % 3)
      found.failures[found.count++] = (expected_failure){entry->id, "hang"};
    entry->failed = entry->line % 3;
  }
  return found;
}

static void update(expected_list *list, dloc_text text, const run_found *found, dloc_buffer *ret) {
  expected_update(list, text, found->profile, found->failures, found->count, ret);
}

static void check_updated(dloc_text text, const run_found *found) {
  expected_list list;
  dloc_buffer again = {0};
  uint32_t line;
  const char *message;
  require(expected_read(text, &line, &message, &list) == DLOC_OK);
  for (size_t i = 0; i < found->count; i++) {
    const expected_entry *entry = expected_find(&list, found->profile, found->failures[i].id);
    require(entry && expected_answers(entry, found->failures[i].answer));
    require(entry->perhaps || expected_is_stale(entry, found->profile)); /* it has not failed yet */
  }
  update(&list, text, found, &again);
  require(dloc_text_equal(buffer_text(&again), text));
  dloc_buffer_deinit(&again);
  expected_deinit(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  dloc_text text = {(const char *)bytes, size};
  expected_list list;
  dloc_buffer updated = {0};
  uint32_t line = 0;
  const char *message = NULL;
  if (expected_read(text, &line, &message, &list) != DLOC_OK) {
    require(line && message && message[0]);
    return 0;
  }
  const run_found found = found_of(&list, dloc_profile_at(size % dloc_profile_count()));
  update(&list, text, &found, &updated);
  if (list.count < MOST_FAILURES)
    check_updated(buffer_text(&updated), &found);
  dloc_buffer_deinit(&updated);
  expected_deinit(&list);
  return 0;
}
