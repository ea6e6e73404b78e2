/* guess.c - which name is meant by a misspelt one: "did you mean". */
#include "tools.h"

#include <string.h>

enum { LONGEST = TOOL_GUESS_SIZE - 1 };

/* How many bytes are inserted, left out, changed, or swapped with their neighbour. Both names have at most LONGEST. */
static unsigned edit_distance(dloc_text a, dloc_text b) {
  unsigned rows[3][LONGEST + 1];
  unsigned *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b.size; j++)
    row[j] = (unsigned)j;
  for (size_t i = 1; i <= a.size; i++) {
    unsigned *oldest = before;
    before = above, above = row, row = oldest;
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b.size; j++) {
      unsigned change = above[j - 1] + (a.bytes[i - 1] != b.bytes[j - 1]);
      unsigned one = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
      row[j] = change < one ? change : one;
      if (i > 1 && j > 1 && a.bytes[i - 1] == b.bytes[j - 2] && a.bytes[i - 2] == b.bytes[j - 1] &&
          before[j - 2] + 1 < row[j])
        row[j] = before[j - 2] + 1;
    }
  }
  return row[b.size];
}

/* Names that differ more have nothing to do with each other. */
static unsigned most_edits(size_t size) { return size < 3 ? 0 : size < 6 ? 1 : size < 12 ? 2 : 3; }

void tool_guess_offer(tool_guess *guess, const char *name) {
  dloc_text wrong = dloc_text_of(guess->wrong), text = dloc_text_of(name);
  unsigned most = most_edits(wrong.size);
  if (wrong.size > LONGEST || text.size > LONGEST || text.size > wrong.size + most || wrong.size > text.size + most)
    return;
  unsigned edits = edit_distance(wrong, text);
  if (edits > most || (guess->name[0] && edits > guess->edits))
    return;
  guess->tied = guess->name[0] && edits == guess->edits && strcmp(name, guess->name) != 0;
  guess->edits = edits;
  memcpy(guess->name, name, text.size + 1);
}

const char *tool_guess_words(tool_guess *guess) {
  if (!guess->name[0] || guess->tied)
    return "";
  snprintf(guess->words, sizeof guess->words, " (did you mean '%s'?)", guess->name);
  return guess->words;
}
