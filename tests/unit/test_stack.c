/* Inline stacks of random units, beside the rules written down as slowly as they read: spec/lines.md 14. */
#include "allocation.h"
#include "objects/dloc_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 24, SPACE = 48, ROUNDS = 4000 };

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* A unit that covers all addresses, its scopes, and rows. */
typedef struct world {
  dloc_die unit;
  dloc_die dies[MOST];
  dloc_address_range ranges[MOST][3];
  char names[MOST];
  uint32_t count;
  dloc_line_instruction program[4 * MOST];
  size_t program_size;
  uint64_t reach; /* behind every address */
} world;

static dloc_address_range any_range(uint64_t *state) {
  uint64_t low = 1 + next_random(state) % SPACE;
  return (dloc_address_range){low, low + next_random(state) % 16};
}

static void add_row(world *w, uint64_t address, bool ends) {
  w->program[w->program_size++] = (dloc_line_instruction){.opcode = DLOC_LINE_SET_ADDRESS, .operand = address};
  w->program[w->program_size++] = (dloc_line_instruction){.opcode = DLOC_LINE_ADVANCE_LINE, .operand = 1};
  w->program[w->program_size++] = (dloc_line_instruction){.opcode = ends ? DLOC_LINE_END_SEQUENCE : DLOC_LINE_COPY};
}

static void make_world(world *w, uint64_t *state) {
  static const dloc_die_tag tags[] = {DLOC_DIE_SUBPROGRAM, DLOC_DIE_INLINED, DLOC_DIE_INLINED, DLOC_DIE_OTHER};
  *w = (world){.unit = {.tag = DLOC_DIE_UNIT, .high_form = DLOC_HIGH_ADDRESS, .low_pc = 1, .high_pc = 1000},
               .reach = SPACE + 80};
  w->count = (uint32_t)(next_random(state) % MOST);
  for (uint32_t i = 0; i < w->count; i++) {
    dloc_die *die = &w->dies[i];
    /* in the DIE before, or in one around that: a tree in preorder */
    uint32_t parent = i ? i - 1 : DLOC_NO_DIE;
    while (parent != DLOC_NO_DIE && next_random(state) % 2)
      parent = w->dies[parent].parent;
    w->names[i] = (char)('A' + i);
    *die = (dloc_die){.tag = tags[next_random(state) % 4],
                      .parent = parent,
                      .origin = DLOC_NO_DIE,
                      .name = {&w->names[i], 1},
                      .ranges = w->ranges[i],
                      .range_count = (uint32_t)(next_random(state) % 4),
                      .call_line = i + 100};
    for (uint32_t j = 0; j < die->range_count; j++)
      w->ranges[i][j] = any_range(state);
  }
  for (size_t sequences = next_random(state) % 4; sequences > 0; sequences--) {
    uint64_t address = 1 + next_random(state) % SPACE;
    for (size_t rows = 1 + next_random(state) % 4; rows > 0; rows--) {
      add_row(w, address, rows == 1);
      address += next_random(state) % 8;
    }
  }
}

/* ---- The rules, slowly ---- */

static bool covers(const dloc_die *die, uint64_t address, uint64_t *width) {
  bool found = false;
  for (uint32_t i = 0; i < die->range_count; i++) {
    dloc_address_range range = die->ranges[i];
    if (range.low <= address && address < range.high && (!found || range.high - range.low < *width)) {
      *width = range.high - range.low;
      found = true;
    }
  }
  return found;
}

static bool is_around(const world *w, uint32_t outer, uint32_t inner) {
  for (; inner != DLOC_NO_DIE; inner = w->dies[inner].parent)
    if (inner == outer)
      return true;
  return false;
}

/* Whether of two scopes that cover an address the later one counts. */
static bool later_counts(const world *w, const dloc_profile *p, uint32_t earlier, uint64_t earlier_width,
                         uint32_t later, uint64_t later_width) {
  if (DLOC_TAKES(p, STACK_OVERLAP, NARROWEST))
    return later_width <= earlier_width;
  return DLOC_TAKES(p, STACK_OVERLAP, LAST) || is_around(w, earlier, later);
}

static uint32_t innermost(const world *w, const dloc_profile *p, uint64_t address) {
  uint32_t best = DLOC_NO_DIE;
  uint64_t best_width = 0, width = 0;
  for (uint32_t i = 0; i < w->count; i++)
    if (w->dies[i].tag != DLOC_DIE_OTHER && covers(&w->dies[i], address, &width) &&
        (best == DLOC_NO_DIE || later_counts(w, p, best, best_width, i, width))) {
      best = i;
      best_width = width;
    }
  if (DLOC_TAKES(p, STACK_NESTING, COVERED))
    for (uint32_t i = best; i != DLOC_NO_DIE; i = w->dies[i].parent)
      if (w->dies[i].range_count && !covers(&w->dies[i], address, &width))
        best = w->dies[i].parent;
  return best;
}

/* The line of the row, or 0. */
static uint32_t line_at(const dloc_rows *rows, const dloc_profile *p, uint64_t address) {
  size_t count, sequences;
  const dloc_row *row = dloc_rows_list(rows, &count);
  const dloc_sequence *sequence = dloc_rows_sequences(rows, &sequences);
  uint32_t line = 0;
  uint64_t width = UINT64_MAX;
  bool found = false;
  for (size_t i = 0; i < sequences; i++) {
    uint64_t low = row[sequence[i].first].address, high = row[sequence[i].first + sequence[i].count - 1].address;
    bool counts =
        !found || (DLOC_TAKES(p, STACK_OVERLAP, NARROWEST) ? high - low <= width : DLOC_TAKES(p, STACK_OVERLAP, LAST));
    if (address < low || address >= high || !counts)
      continue;
    found = true;
    width = high - low;
    for (size_t j = sequence[i].first; row[j].address <= address; j++)
      line = row[j].line;
  }
  return line;
}

/* ---- Both ---- */

static dloc_status dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count) {
  world *w = user;
  (void)unit;
  *ret = w->dies;
  *ret_count = w->count;
  return DLOC_OK;
}

static void compare(const world *w, const dloc_profile *p, uint64_t address, const dloc_frame *frames, size_t count,
                    uint32_t line) {
  size_t at = 0;
  for (uint32_t die = innermost(w, p, address); die != DLOC_NO_DIE; die = w->dies[die].parent) {
    if (w->dies[die].tag == DLOC_DIE_OTHER)
      continue;
    assert_true(at < count);
    assert_int_equal(frames[at].function.bytes[0], w->names[die]);
    assert_int_equal(frames[at].line, line);
    line = w->dies[die].call_line;
    at++;
    if (w->dies[die].tag == DLOC_DIE_SUBPROGRAM)
      break;
  }
  if (!at && line) {
    assert_int_equal(count, 1);
    assert_int_equal(frames[0].function.size, 0);
    assert_int_equal(frames[0].line, line);
  } else {
    assert_int_equal(count, at);
  }
}

/* Ask at every address; p NULL: only that nothing goes wrong. */
static dloc_status ask(dloc_context *context, world *w, const dloc_profile *p, bool compares) {
  const dloc_line_parameters usual = {.version = 4, .maximum_operations = 1, .opcode_base = 13};
  const dloc_code code = {.address_size = 8};
  dloc_rows *rows = NULL;
  dloc_row_index *index = NULL;
  dloc_stacks *stacks = NULL;
  const dloc_frame *frames;
  size_t sequences, count, row, frame_count;
  dloc_status status = dloc_rows_create(context, &rows);
  if (status == DLOC_OK)
    status = dloc_line_run(p, &usual, w->program, w->program_size, NULL, NULL, rows);
  if (status == DLOC_OK) {
    const dloc_sequence *list = dloc_rows_sequences(rows, &sequences);
    status = dloc_row_index_create(context, p, &code, rows, list, sequences, &index);
  }
  if (status == DLOC_OK)
    status = dloc_stacks_create(context, p, &code, &w->unit, 1, dies_of, NULL, w, &stacks);
  for (uint64_t address = 0; address < w->reach && status == DLOC_OK; address++) {
    bool found = dloc_row_index_find(index, address, &row);
    status = dloc_stacks_frames(stacks, dloc_stacks_unit(stacks, address), address,
                                found ? &dloc_rows_list(rows, &count)[row] : NULL, &frames, &frame_count);
    if (status == DLOC_OK && compares) {
      uint32_t line = line_at(rows, p, address);
      assert_int_equal(found ? dloc_rows_list(rows, &count)[row].line : 0, line);
      compare(w, p, address, frames, frame_count, line);
    }
  }
  dloc_stacks_destroy(stacks);
  dloc_row_index_destroy(index);
  dloc_rows_destroy(rows);
  return status;
}

static void test_random(void **ignored) {
  (void)ignored;
  uint64_t state = 88172645463325252;
  world w;
  for (size_t i = 0; i < ROUNDS; i++) {
    dloc_context *context = dloc_context_create(NULL);
    dloc_profile p = *dloc_profile_at(0);
    p.alternative[DLOC_CHOICE_STACK_OVERLAP] = (uint8_t)(i % dloc_choice_alternatives(DLOC_CHOICE_STACK_OVERLAP));
    p.alternative[DLOC_CHOICE_STACK_NESTING] = i / 8 % 2;
    make_world(&w, &state);
    assert_int_equal(ask(context, &w, &p, true), DLOC_OK);
    dloc_context_destroy(context);
  }
}

/* Long sequences, one behind the other: of rows at one address, near ones and far ones. */
static void test_long_sequences(void **ignored) {
  (void)ignored;
  uint64_t state = 362436069;
  for (uint64_t most = 1; most < 200; most += 1 + most / 8) {
    dloc_context *context = dloc_context_create(NULL);
    world w = {.unit = {.tag = DLOC_DIE_UNIT, .high_form = DLOC_HIGH_ADDRESS, .low_pc = 1, .high_pc = 1 << 20}};
    uint64_t address = 1;
    for (size_t i = 1; i <= sizeof w.program / sizeof *w.program / 3; i++) {
      add_row(&w, address, i % 16 == 0);
      address += next_random(&state) % (most + 1);
    }
    w.reach = address + most;
    assert_int_equal(ask(context, &w, dloc_profile_at(0), true), DLOC_OK);
    dloc_context_destroy(context);
  }
}

/* The line of the row at an address; 0: there is none. */
static uint32_t line_of(const dloc_profile *p, const dloc_rows *rows, uint64_t address) {
  const dloc_code code = {.address_size = 8};
  dloc_context *context = dloc_context_create(NULL);
  dloc_row_index *index;
  size_t count, row;
  const dloc_sequence *sequences = dloc_rows_sequences(rows, &count);
  assert_int_equal(dloc_row_index_create(context, p, &code, rows, sequences, count, &index), DLOC_OK);
  uint32_t line = dloc_row_index_find(index, address, &row) ? dloc_rows_list(rows, &count)[row].line : 0;
  dloc_row_index_destroy(index);
  dloc_context_destroy(context);
  return line;
}

/* A row of line 0 takes no line of the dropped code before it, and an actual is dropped with its logical. */
static void test_dropped(void **ignored) {
  (void)ignored;
  const dloc_line_parameters usual = {
      .version = 4, .address_size = 8, .minimum_instruction_length = 1, .maximum_operations = 1, .opcode_base = 13};
  dloc_line_parameters two = dloc_two_level_parameters(usual, DLOC_DIALECT_LOGICALS);
  dloc_line_instruction program[] = {{.opcode = DLOC_LINE_SET_ADDRESS, .operand = UINT64_MAX},
                                     {.opcode = DLOC_LINE_COPY},
                                     {.opcode = DLOC_LINE_ADVANCE_PC, .operand = 33},
                                     {.opcode = DLOC_LINE_COPY},
                                     {.opcode = DLOC_LINE_SET_ADDRESS, .operand = 64},
                                     {.opcode = DLOC_LINE_ADVANCE_LINE, .operand = (uint64_t)-1},
                                     {.opcode = DLOC_LINE_COPY},
                                     {.opcode = DLOC_LINE_ADVANCE_PC, .operand = 16},
                                     {.opcode = DLOC_LINE_END_SEQUENCE}};
  const dloc_line_instruction of_second[] = {{.opcode = DLOC_LINE_SET_ADDRESS_FROM_LOGICAL, .operand = 1},
                                             {.opcode = DLOC_LINE_COPY},
                                             {.opcode = DLOC_LINE_ADVANCE_PC, .operand = 8},
                                             {.opcode = DLOC_LINE_END_SEQUENCE}};
  const size_t count = sizeof program / sizeof *program;
  const dloc_line_program logicals = {program, count}, actuals = {of_second, 4};
  dloc_profile p = *dloc_profile_at(0);
  p.alternative[DLOC_CHOICE_STACK_LINE_0] = DLOC_STACK_LINE_0_BEFORE;
  dloc_context *context = dloc_context_create(NULL);
  for (uint64_t dropped = 0; dropped < 2; dropped++) {
    dloc_rows *rows, *actual_rows;
    program[0].operand = dropped ? UINT64_MAX : 16; /* the second row is at 32 or 49 */
    assert_int_equal(dloc_rows_create(context, &rows), DLOC_OK);
    assert_int_equal(dloc_rows_create(context, &actual_rows), DLOC_OK);
    assert_int_equal(dloc_two_level_run(&p, &two, &logicals, &actuals, NULL, NULL, rows, actual_rows), DLOC_OK);
    assert_int_equal(line_of(&p, rows, 70), !dropped);
    assert_int_equal(line_of(&p, actual_rows, dropped ? 36 : 53), dropped ? 0 : 2);
    dloc_rows_destroy(rows);
    dloc_rows_destroy(actual_rows);
  }
  dloc_context_destroy(context);
}

static world some_world;

static dloc_status run_without_memory(const dloc_allocator *allocator) {
  dloc_context *context = dloc_context_create(allocator);
  if (!context)
    return DLOC_NO_MEMORY;
  dloc_profile p = *dloc_profile_at(0);
  p.alternative[DLOC_CHOICE_STACK_OVERLAP] = DLOC_STACK_OVERLAP_FIRST;
  dloc_status status = ask(context, &some_world, &p, false);
  dloc_context_destroy(context);
  return status;
}

static void test_no_memory(void **ignored) {
  (void)ignored;
  uint64_t state = 1234567;
  do
    make_world(&some_world, &state);
  while (some_world.count < 10 || some_world.program_size < 20);
  some_world.program[6].operand = 2; /* a row that stands below the one before it */
  fail_every_allocation(run_without_memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_long_sequences),
                                     cmocka_unit_test(test_dropped), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
