/* Any bytes as .debug_line: the units lie one behind the other, a row costs a byte at least, and every offset that is
 * told lies in the section. The first two bytes say how the rest is read: by which rules, and which part of it is the
 * sections of strings. */
#include "objects/dloc_dwarf.h"
#include "require.h"

#include <stdlib.h>

/* What is seen of a section of that size. */
typedef struct seen {
  size_t size;
  size_t next; /* where the next instruction begins */
  size_t problems;
} seen;

static dloc_status on_problem(void *user, dloc_reason reason, size_t at) {
  seen *s = user;
  require(reason != DLOC_REASON_NONE && at <= s->size && dloc_reason_text(reason)[0]);
  s->problems++;
  return DLOC_OK;
}

static dloc_status visit(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction) {
  seen *s = user;
  require(at == s->next && bytes.size && bytes.size <= s->size - at && instruction->opcode < DLOC_LINE_OPCODE_COUNT);
  s->next = at + bytes.size;
  return DLOC_OK;
}

static bool discard(void *user, const char *bytes, size_t size) {
  (void)bytes;
  *(size_t *)user += size;
  return true;
}

/* How many rows it has. */
static size_t check_unit(dloc_line_table *table, const dloc_line_unit *unit, size_t first_row, seen *s) {
  size_t count, rows = 0, written = 0;
  const dloc_sequence *sequences = dloc_rows_sequences(dloc_line_table_rows(table), &count);
  require(unit->first_row == first_row && unit->first_sequence + unit->sequence_count <= count);
  for (size_t i = 0; i < unit->sequence_count; i++) {
    const dloc_sequence *sequence = &sequences[unit->first_sequence + i];
    require(sequence->first == first_row + rows && sequence->count && sequence->set_address < s->size);
    rows += sequence->count;
  }
  require(rows == unit->row_count && rows <= unit->end - unit->program && unit->file_count <= s->size);
  require(!rows || dloc_line_table_unit_at(table, first_row) == unit);
  for (size_t i = 0; i < 4; i++, written = 0) {
    dloc_text path;
    require(dloc_line_unit_path(table, unit, i, (dloc_sink){discard, &written}) == DLOC_OK);
    require(dloc_line_unit_path_text(table, unit, i, &path) == DLOC_OK && path.size == written);
  }
  s->next = unit->program;
  require(unit->program >= unit->offset && unit->program <= unit->end);
  require(dloc_line_unit_program(table, unit, visit, s) == DLOC_OK && s->next == unit->end);
  return rows;
}

static dloc_status count_frame(void *user, size_t row, const uint32_t *function) {
  seen *s = user;
  (void)function;
  require(row < s->size);
  s->next++;
  return DLOC_OK;
}

static dloc_status on_row(void *user, dloc_reason reason, size_t row) {
  const seen *s = user;
  require(reason != DLOC_REASON_NONE && row < s->size);
  return DLOC_OK;
}

/* Whatever contexts say, a stack has no more frames than the unit has rows. */
static void check_contexts(const dloc_line_table *table, const dloc_profile *profile, const dloc_line_unit *unit) {
  size_t count;
  if (!unit->row_count)
    return;
  const dloc_rows *rows = dloc_line_table_rows(table);
  const dloc_row_call *calls = dloc_rows_calls(rows);
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &count) + unit->first_sequence;
  const dloc_line_dialect dialect = unit->parameters.dialect;
  size_t *callers = malloc((unit->row_count + 1) * sizeof *callers);
  seen s = {.size = unit->row_count};
  require(callers &&
          dloc_rows_callers(profile, dialect, rows, sequences, unit->sequence_count, on_row, &s, callers) == DLOC_OK);
  for (size_t row = 0; row < unit->row_count; row += 1 + unit->row_count / 64, s.next = 0)
    require(dloc_row_frames(dialect, calls ? calls + unit->first_row : NULL, callers, row, count_frame, &s) ==
                DLOC_OK &&
            s.next <= unit->row_count);
  free(callers);
}

static dloc_text part(dloc_text bytes, size_t from, size_t size) { return (dloc_text){bytes.bytes + from, size}; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  dloc_text bytes = {(const char *)data + 2, size - 2};
  size_t strings = bytes.size * data[1] / 512, count = 0, rows = 0, end = 0;
  dloc_profile profile = *dloc_profile_at(0);
  for (size_t i = DLOC_CHOICE_LINES_UNIT_LONG; data[0] & 0x80 && i < DLOC_CHOICE_COUNT; i++)
    profile.alternative[i] = (uint8_t)(data[1] % dloc_choice_alternatives((dloc_choice)i));
  const dloc_line_sections sections = {.line = part(bytes, 0, bytes.size - strings),
                                       .str = part(bytes, bytes.size - strings, strings / 2),
                                       .line_str = part(bytes, bytes.size - strings, strings),
                                       .big_endian = data[0] & 1,
                                       .address_size = data[0] & 2 ? 4 : 8,
                                       .dialect = (dloc_line_dialect)((data[0] >> 2 & 7) % DLOC_DIALECT_COUNT)};
  seen s = {.size = sections.line.size};
  dloc_context *context = dloc_context_create(NULL);
  dloc_line_table *table = NULL;
  require(context && dloc_line_table_read(context, &profile, &sections, on_problem, &s, &table) == DLOC_OK);
  const dloc_line_unit *units = dloc_line_table_units(table, &count);
  for (size_t i = 0; i < count; i++) {
    require(units[i].offset == end && units[i].end > end && units[i].end <= s.size);
    end = units[i].end;
    rows += check_unit(table, &units[i], rows, &s);
    check_contexts(table, &profile, &units[i]);
  }
  require(end == s.size);
  dloc_line_table_destroy(table);
  dloc_context_destroy(context);
  return 0;
}
