/* difference.c - what changed since an earlier run. */
#include "difference.h"
#include "document/memory.h"
#include "writer.h"

#include <stdlib.h>
#include <string.h>

const char *difference_name(difference_kind kind) {
  static const char *const names[] = {
#define DIFFERENCE(id, name) name,
      DIFFERENCES(DIFFERENCE)
#undef DIFFERENCE
  };
  return names[kind];
}

/* ---- Finding them ---- */

static bool same_text(const char *a, const char *b) { return !a || !b || strcmp(a, b) == 0; }

/* False when nothing changed. Texts are compared where both runs kept them. */
static bool compare(const run_result *before, const run_result *now, difference_kind *ret) {
  bool failed = record_differs(before), fails = record_differs(now);
  if (fails && !failed)
    *ret = DIFFERENCE_NEWLY_FAILING;
  else if (now->verdict == RUN_EXPECTED && (failed || before->verdict == RUN_KNOWN))
    *ret = DIFFERENCE_NEWLY_PASSING;
  else if (now->verdict != before->verdict)
    *ret = DIFFERENCE_OTHER_VERDICT;
  else if (strcmp(before->digest, now->digest) != 0)
    *ret = DIFFERENCE_CHANGED_VECTOR;
  else if (before->outcome != now->outcome || !same_text(before->actual, now->actual))
    *ret = DIFFERENCE_OTHER_ANSWER;
  else
    return false;
  return true;
}

static void add(differences *d, difference_kind kind, const run_result *before, const run_result *now) {
  d->items[d->count++] = (difference){kind, before, now};
  d->by_kind[kind]++;
}

static int compare_results(const void *a, const void *b) {
  return strcmp((*(const run_result *const *)a)->id, (*(const run_result *const *)b)->id);
}

static void sort_results(const record *r, const run_result **sorted) {
  for (size_t i = 0; i < r->count; i++)
    sorted[i] = &r->results[i];
  qsort(sorted, r->count, sizeof *sorted, compare_results);
}

/* Walk both lists, sorted by id, side by side. */
static void join(const run_result **before, size_t before_count, const run_result **now, size_t now_count,
                 differences *d) {
  size_t i = 0, j = 0;
  while (i < before_count || j < now_count) {
    int order = i == before_count ? 1 : j == now_count ? -1 : strcmp(before[i]->id, now[j]->id);
    difference_kind kind;
    if (order < 0)
      add(d, DIFFERENCE_GONE, before[i], NULL);
    else if (order > 0)
      add(d, DIFFERENCE_NEW, NULL, now[j]);
    else if (compare(before[i], now[j], &kind))
      add(d, kind, before[i], now[j]);
    i += order <= 0;
    j += order >= 0;
  }
}

static const char *id_of(const difference *d) { return d->now ? d->now->id : d->before->id; }

static int compare_differences(const void *a, const void *b) {
  const difference *left = a, *right = b;
  return left->kind != right->kind ? (int)left->kind - (int)right->kind : strcmp(id_of(left), id_of(right));
}

differences differences_find(const record *before, const record *now) {
  size_t most = before->count + now->count;
  const run_result **sorted = memory_allocate(most, sizeof *sorted);
  differences d = {.items = memory_allocate(most, sizeof *d.items)};
  sort_results(before, sorted);
  sort_results(now, sorted + before->count);
  join(sorted, before->count, sorted + before->count, now->count, &d);
  qsort(d.items, d.count, sizeof *d.items, compare_differences);
  free(sorted);
  return d;
}

void differences_deinit(differences *d) {
  free(d->items);
  *d = (differences){.count = 0};
}

/* ---- Text ---- */

static void write_run(writer *w, const record *r) {
  write_format(w, "%s %s, profile %s", r->implementation, r->version, r->profile);
}

static void write_change(writer *w, const difference *d) {
  write_format(w, "  %s", id_of(d));
  if (d->before && d->now && d->before->verdict != d->now->verdict)
    write_format(w, ": %s, was %s", record_verdict_name(d->now->verdict), record_verdict_name(d->before->verdict));
  else
    write_format(w, ": %s", record_verdict_name(d->now ? d->now->verdict : d->before->verdict));
  write_plain(w, "\n");
}

dloc_status differences_write(const record *before, const record *now, const differences *d, dloc_sink sink) {
  writer w = {sink, false};
  write_run(&w, now);
  write_plain(&w, "\nagainst an earlier run of ");
  write_run(&w, before);
  write_plain(&w, "\n");
  for (size_t i = 0; i < d->count; i++) {
    if (i == 0 || d->items[i].kind != d->items[i - 1].kind)
      write_format(&w, "\n%s:\n", difference_name(d->items[i].kind));
    write_change(&w, &d->items[i]);
  }
  write_plain(&w, d->count ? "\n" : "\nno change");
  const char *separator = "";
  for (int i = 0; i < DIFFERENCE_COUNT; i++)
    if (d->by_kind[i]) {
      write_format(&w, "%s%zu %s", separator, d->by_kind[i], difference_name((difference_kind)i));
      separator = ", ";
    }
  write_plain(&w, "\n");
  return write_finish(&w);
}
