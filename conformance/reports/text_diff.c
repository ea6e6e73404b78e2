/* text_diff.c - the lines in which two texts differ: what is the same at both ends, and a longest common subsequence
 * between. */
#include "text_diff.h"

#include "document/memory.h"
#include "document/text.h"

#include <stdlib.h>
#include <string.h>

/* Cells of the table; canonical texts have some ten lines. */
enum { MOST_CELLS = 1 << 20 };

typedef struct lines {
  dloc_text *items;
  size_t count;
} lines;

static lines split(dloc_text text) {
  lines found = {NULL, 0};
  while (text.size) {
    dloc_text line = text_take_line(&text);
    *MEMORY_ADD(found.items, found.count) = line;
  }
  return found;
}

typedef struct difference {
  const dloc_text *before, *after;
  size_t before_count, after_count;
  text_diff_line *line;
  void *user;
} difference;

static void tell(const difference *d, text_diff_kind kind, const dloc_text *lines, size_t count) {
  for (size_t i = 0; i < count; i++)
    d->line(d->user, kind, lines[i]);
}

/* length[i][j] is the length of the longest common subsequence of the lines from i and from j on. */
static void fill_lengths(const difference *d, uint32_t *length) {
  size_t width = d->after_count + 1;
  for (size_t i = d->before_count; i-- > 0;)
    for (size_t j = d->after_count; j-- > 0;) {
      uint32_t down = length[(i + 1) * width + j], right = length[i * width + j + 1];
      length[i * width + j] = dloc_text_equal(d->before[i], d->after[j]) ? length[(i + 1) * width + j + 1] + 1
                              : down > right                             ? down
                                                                         : right;
    }
}

static void follow_lengths(const difference *d, const uint32_t *length) {
  size_t width = d->after_count + 1, i = 0, j = 0;
  while (i < d->before_count || j < d->after_count) {
    if (i < d->before_count && j < d->after_count && dloc_text_equal(d->before[i], d->after[j])) {
      tell(d, TEXT_DIFF_SAME, &d->before[i++], 1);
      j++;
    } else if (j == d->after_count ||
               (i < d->before_count && length[(i + 1) * width + j] >= length[i * width + j + 1])) {
      tell(d, TEXT_DIFF_REMOVED, &d->before[i++], 1);
    } else {
      tell(d, TEXT_DIFF_ADDED, &d->after[j++], 1);
    }
  }
}

static void compare(const difference *d) {
  if (d->before_count && d->after_count && d->before_count <= MOST_CELLS / (d->after_count + 1) - 1) {
    uint32_t *length = memory_allocate((d->before_count + 1) * (d->after_count + 1), sizeof *length);
    fill_lengths(d, length);
    follow_lengths(d, length);
    free(length);
    return;
  }
  tell(d, TEXT_DIFF_REMOVED, d->before, d->before_count);
  tell(d, TEXT_DIFF_ADDED, d->after, d->after_count);
}

static const dloc_text *from(const lines *l, size_t at) { return l->count ? l->items + at : NULL; }

static void compare_between(const lines *before, const lines *after, text_diff_line *line, void *user) {
  size_t least = before->count < after->count ? before->count : after->count, head = 0, tail = 0;
  while (head < least && dloc_text_equal(before->items[head], after->items[head]))
    head++;
  while (tail < least - head &&
         dloc_text_equal(before->items[before->count - 1 - tail], after->items[after->count - 1 - tail]))
    tail++;
  difference d = {
      from(before, head), from(after, head), before->count - head - tail, after->count - head - tail, line, user};
  tell(&d, TEXT_DIFF_SAME, before->items, head);
  compare(&d);
  tell(&d, TEXT_DIFF_SAME, from(before, before->count - tail), tail);
}

void text_diff(dloc_text before, dloc_text after, text_diff_line *line, void *user) {
  lines old = split(before), new = split(after);
  compare_between(&old, &new, line, user);
  free(old.items);
  free(new.items);
}
