/* dloc lines --discriminators: which lines have several blocks, and where these are. spec/lines.md, chapter 13. */
#include "lines.h"

#include <inttypes.h>
#include <stdlib.h>

/* A block of a line, with addresses that follow each other. */
typedef struct range {
  uint32_t file, line, discriminator;
  uint32_t stmts; /* rows with is_stmt */
  uint32_t rows;
  uint64_t start, end;
} range;

typedef struct ranges {
  range *items;
  size_t count;
} ranges;

/* Rows with a discriminator, and those of them with is_stmt. */
typedef struct tally {
  size_t rows, stmts;
} tally;

/* ---- Ranges of a unit ---- */

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_lines(const range *a, const range *b) {
  int order = compare_numbers(a->file, b->file);
  return order ? order : compare_numbers(a->line, b->line);
}

static int compare_ranges(const void *left, const void *right) {
  const range *a = left, *b = right;
  int order = compare_lines(a, b);
  order = order ? order : compare_numbers(a->discriminator, b->discriminator);
  order = order ? order : compare_numbers(a->start, b->start);
  return order ? order : compare_numbers(a->end, b->end);
}

static bool is_block_of(const range *r, const dloc_row *row) {
  return r->file == row->file && r->line == row->line && r->discriminator == row->discriminator;
}

/* A sequence's rows: one range goes on as long as the block is the same. */
static void gather(ranges *to, const dloc_row *row, size_t count) {
  bool begins = true;
  for (size_t i = 0; i + 1 < count; i++) {
    if (begins || !is_block_of(&to->items[to->count - 1], &row[i]))
      *MEMORY_ADD(to->items, to->count) = (range){
          .file = row[i].file, .line = row[i].line, .discriminator = row[i].discriminator, .start = row[i].address};
    range *last = &to->items[to->count - 1];
    last->end = row[i + 1].address;
    last->rows++;
    last->stmts += row[i].flags & DLOC_ROW_IS_STMT;
    begins = false;
  }
}

/* ---- Printing ---- */

/* How LLVM reads it, `discriminator.encoding`; the table does not tell whether LLVM wrote it. */
static void print_discriminator(uint32_t encoded) {
  dloc_discriminator d = dloc_discriminator_decode(encoded);
  printf("  %" PRIu32, encoded);
  if (!encoded)
    return;
  printf(" (LLVM: base %" PRIu32, d.base);
  if (d.duplication)
    printf(", duplication %" PRIu32, d.duplication);
  if (d.copy)
    printf(", copy %" PRIu32, d.copy);
  fputs(")", stdout);
}

static tally count_stmts(const range *r, size_t count) {
  tally found = {0, 0};
  for (size_t i = 0; i < count; i++)
    if (r[i].discriminator) {
      found.rows += r[i].rows;
      found.stmts += r[i].stmts;
    }
  return found;
}

/* How many of the ranges from the first on have its discriminator. */
static size_t count_same(const range *r, size_t count) {
  size_t same = 1;
  while (same < count && r[same].discriminator == r->discriminator)
    same++;
  return same;
}

/* Only the last of several rows at one address has code. */
static bool has_code(const range *r, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (r[i].start != r[i].end)
      return true;
  return false;
}

static void print_addresses(const range *r, size_t count) {
  print_discriminator(r->discriminator);
  fputs(has_code(r, count) ? ":" : ": no code", stdout);
  for (size_t i = 0; i < count; i++)
    if (r[i].start != r[i].end)
      printf(" 0x%" PRIx64 "-0x%" PRIx64, r[i].start, r[i].end);
  puts("");
}

/* The ranges of one line, in order. */
static void print_line(line_file *file, const dloc_line_unit *unit, const range *r, size_t count, tally found) {
  size_t blocks = 0;
  for (size_t i = 0, same; i < count; i += same)
    blocks += has_code(&r[i], same = count_same(&r[i], count - i));
  dloc_text path = line_file_path(file, unit, r->file);
  printf("%.*s:%" PRIu32 ": %zu block%s; is_stmt in %zu of %zu rows with a discriminator\n", (int)path.size, path.bytes,
         r->line, blocks, blocks == 1 ? "" : "s", found.stmts, found.rows);
  for (size_t i = 0, same; i < count; i += same)
    print_addresses(&r[i], same = count_same(&r[i], count - i));
}

static void print_unit(line_file *file, const dloc_line_unit *unit, tally *all) {
  ranges found = {NULL, 0};
  size_t count;
  const dloc_rows *rows = dloc_line_table_rows(file->table);
  const dloc_row *row = dloc_rows_list(rows, &count);
  const dloc_sequence *sequence = dloc_rows_sequences(rows, &count) + unit->first_sequence;
  for (size_t i = 0; i < unit->sequence_count; i++)
    gather(&found, row + sequence[i].first, sequence[i].count);
  if (found.count)
    qsort(found.items, found.count, sizeof *found.items, compare_ranges);
  for (size_t i = 0, next; i < found.count; i = next) {
    for (next = i + 1; next < found.count && compare_lines(&found.items[i], &found.items[next]) == 0;)
      next++;
    tally of_line = count_stmts(&found.items[i], next - i);
    if (of_line.rows)
      print_line(file, unit, &found.items[i], next - i, of_line);
    all->rows += of_line.rows;
    all->stmts += of_line.stmts;
  }
  free(found.items);
}

void lines_discriminators(line_file *file) {
  tally all = {0, 0};
  size_t count;
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++)
    print_unit(file, &unit[i], &all);
  printf("%zu rows with a discriminator; is_stmt in %zu of them, in none by the design of 2009\n", all.rows, all.stmts);
}
