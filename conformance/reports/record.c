/* record.c - what counts of a run. */
#include "record.h"

#include <string.h>

bool record_is_stale(const record *r, const expected_entry *entry) {
  return expected_is_stale(entry, &r->settings->profile) && (entry->seen || (!r->picked && !r->results->partial));
}

size_t record_stale(const record *r) {
  size_t count = 0;
  for (size_t i = 0; r->expected && i < r->expected->count; i++)
    count += record_is_stale(r, &r->expected->entries[i]);
  return count;
}

static void count_result(record_counts *counts, const run_result *result) {
  counts->as_expected += result->verdict == RUN_EXPECTED;
  counts->different += result->verdict == RUN_DIFFERENT || result->verdict == RUN_DEGRADED_LAYERS;
  counts->known += result->verdict == RUN_KNOWN;
  counts->skipped += result->verdict == RUN_NEUTRAL && result->outcome == RUN_SKIPPED;
  counts->not_judged += result->verdict == RUN_NEUTRAL && result->outcome != RUN_SKIPPED;
  counts->by_model += result->basis == RUN_BY_MODEL;
  counts->unasked += result->outcome == RUN_NOT_ASKED;
}

record_counts record_totals(const record *r) {
  record_counts counts = {0};
  for (size_t i = 0; i < r->results->count; i++)
    count_result(&counts, &r->results->items[i]);
  return counts;
}

void record_outcomes(const record *r, size_t *counts) {
  memset(counts, 0, RUN_OUTCOME_COUNT * sizeof *counts);
  for (size_t i = 0; i < r->results->count; i++)
    counts[r->results->items[i].outcome]++;
}

bool record_good(const record *r) {
  record_counts totals = record_totals(r);
  return totals.different + totals.unasked == 0 && !r->results->partial && !*r->results->doubt &&
         r->adapter->note_count + record_stale(r) + r->results->unreadable == 0;
}
