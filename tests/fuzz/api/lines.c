/* Calls of dloc_lines.h: rows, programs, inline stacks, two-level tables. */
#include "api.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 40, MOST_INSTRUCTIONS = 60, MOST_DIES = 12, MOST_UNITS = 3 };

/* ---- Programs ---- */

dloc_line_parameters any_parameters(world *w, dloc_line_dialect dialect) {
  static const char lengths[UINT8_MAX] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 3, 0, 1};
  static const uint8_t sizes[] = {8, 4, 2, 1};
  dloc_line_parameters parameters = {.dialect = dialect,
                                     .version = (uint16_t)(2 + below(w->from, 4)),
                                     .address_size = once_in(w->from, 4) ? ANY_OF(w->from, sizes) : 8,
                                     .minimum_instruction_length =
                                         once_in(w->from, 4) ? (uint8_t)edge_number(w->from) : 1,
                                     .maximum_operations = once_in(w->from, 4) ? (uint8_t)edge_number(w->from) : 1,
                                     .default_is_stmt = once_in(w->from, 2),
                                     .line_base = once_in(w->from, 4) ? (int8_t)edge_number(w->from) : -5,
                                     .line_range = once_in(w->from, 4) ? (uint8_t)edge_number(w->from) : 14,
                                     .opcode_base = once_in(w->from, 4) ? (uint8_t)edge_number(w->from) : 13};
  if (parameters.opcode_base && once_in(w->from, 2))
    parameters.opcode_lengths = (dloc_text){lengths, parameters.opcode_base - 1U};
  return parameters;
}

size_t make_program(world *w, dloc_line_instruction *program, size_t most) {
  size_t count = below(w->from, most);
  for (size_t i = 0; i < count; i++)
    program[i] = (dloc_line_instruction){.opcode = (dloc_line_opcode)below(w->from, DLOC_LINE_OPCODE_COUNT),
                                         .number = (uint8_t)any_number(w->from),
                                         .operand = edge_number(w->from),
                                         .function = edge_number(w->from),
                                         .name = any_text(w->from)};
  return count;
}

size_t make_rows(world *w, dloc_row *rows, dloc_row_call *calls, size_t most) {
  size_t count = below(w->from, most);
  uint64_t address = edge_number(w->from);
  for (size_t i = 0; i < count; i++) {
    address = once_in(w->from, 8) ? edge_number(w->from) : address + below(w->from, 8);
    bool last = i + 1 == count || once_in(w->from, 8);
    rows[i] = (dloc_row){.address = address,
                         .line = edge_number(w->from),
                         .discriminator = edge_number(w->from),
                         .file = edge_number(w->from) & DLOC_ROW_MOST_FILE,
                         .op_index = (uint8_t)(once_in(w->from, 8) ? edge_number(w->from) : 0),
                         .column = (uint16_t)edge_number(w->from),
                         .flags = (uint8_t)(below(w->from, 16) | (last ? DLOC_ROW_END_SEQUENCE : 0))};
    calls[i] = (dloc_row_call){(uint32_t)below(w->from, count + 2), edge_number(w->from)};
  }
  return count;
}

static void call_opcodes(world *w) {
  dloc_line_opcode opcode = (dloc_line_opcode)below(w->from, DLOC_LINE_OPCODE_COUNT), found;
  require(dloc_opcode_find(dloc_text_of(dloc_opcode_of(opcode)->name), &found));
  (void)dloc_opcode_find(any_text(w->from), &found);
  char letters[6];
  uint8_t flags = 0;
  dloc_row_letters((uint8_t)below(w->from, 32), letters);
  require(dloc_row_flags(dloc_text_of(letters), &flags));
  (void)dloc_row_flags(any_text(w->from), &flags);
  dloc_line_parameters parameters = any_parameters(w, (dloc_line_dialect)below(w->from, DLOC_DIALECT_COUNT));
  (void)dloc_line_special(any_profile(w), &parameters, (uint8_t)any_number(w->from));
}

thing *build_rows(world *w) {
  dloc_line_instruction program[MOST_INSTRUCTIONS];
  dloc_rows *rows = NULL;
  if (!take_thing(dloc_rows_create(w->context, &rows), rows))
    return NULL;
  dloc_line_parameters parameters = any_parameters(w, (dloc_line_dialect)below(w->from, DLOC_DIALECT_COUNT));
  size_t count = make_program(w, program, MOST_INSTRUCTIONS);
  check_status(dloc_line_run(any_profile(w), &parameters, program, count, once_in(w->from, 2) ? on_line_problem : NULL,
                             w, rows));
  return add_thing(w, ROWS, rows, NULL, NULL, NULL);
}
static void call_rows(world *w) { (void)build_rows(w); }

static void call_index(world *w) {
  thing *rows = any_thing(w, ROWS);
  dloc_row_index *index = NULL;
  const dloc_code code = {8, once_in(w->from, 2)};
  size_t count = 0;
  if (!rows)
    return;
  const dloc_sequence *sequences = dloc_rows_sequences(rows->it, &count);
  size_t first = below(w->from, count + 1);
  if (take_thing(dloc_row_index_create(w->context, any_profile(w), &code, rows->it, sequences + first,
                                       below(w->from, count - first + 1), &index),
                 index))
    add_thing(w, ROW_INDEX, index, rows, NULL, NULL);
}
static void call_index_find(world *w) {
  thing *index = any_thing(w, ROW_INDEX);
  size_t count = 0, row = 0;
  if (!index)
    return;
  (void)dloc_rows_list(index->borrows[0]->it, &count);
  for (int i = 0; i < 8; i++)
    if (dloc_row_index_find(index->it, edge_number(w->from), &row))
      require(row < count);
}

static dloc_status see_row_frame(void *user, size_t row, const uint32_t *function) {
  world *w = user;
  (void)row;
  return once_in(w->from, 30) || (function && *function == 77) ? DLOC_STOPPED : DLOC_OK;
}
static void call_callers(world *w) {
  thing *rows = any_thing(w, ROWS);
  size_t count = 0;
  if (!rows)
    return;
  const dloc_sequence *sequences = dloc_rows_sequences(rows->it, &count);
  if (!count)
    return;
  size_t first = below(w->from, count), taken = 1 + below(w->from, count - first);
  size_t from = sequences[first].first;
  size_t size = sequences[first + taken - 1].first + sequences[first + taken - 1].count - from;
  size_t *callers = malloc((size + 1) * sizeof *callers);
  require(callers != NULL);
  dloc_line_dialect dialect = (dloc_line_dialect)below(w->from, DLOC_DIALECT_COUNT);
  const dloc_row_call *calls = dloc_rows_calls(rows->it);
  if (dloc_rows_callers(any_profile(w), dialect, rows->it, sequences + first, taken, on_line_problem, w, callers) ==
      DLOC_OK)
    for (int i = 0; size && i < 4; i++)
      check_status(
          dloc_row_frames(dialect, calls ? calls + from : NULL, callers, below(w->from, size), see_row_frame, w));
  free(callers);
}

/* ---- Writing ---- */

static void call_assemble(world *w) {
  dloc_row rows[MOST_ROWS];
  dloc_row_call calls[MOST_ROWS];
  dloc_line_list list = {.context = w->context};
  size_t count = make_rows(w, rows, calls, MOST_ROWS);
  dloc_line_parameters parameters = any_parameters(w, (dloc_line_dialect)below(w->from, DLOC_DIALECT_COUNT));
  if (dloc_line_assemble(any_profile(w), &parameters, once_in(w->from, 2), rows, once_in(w->from, 2) ? calls : NULL,
                         count, dloc_line_list_take, &list) == DLOC_OK)
    check_status(dloc_line_program_write(&parameters, once_in(w->from, 2), list.items, list.count, any_sink(w)));
  dloc_line_list_deinit(&list);
}

static void call_paths(world *w) {
  enum { BLOCKS = 6, INSTRUCTIONS = 4, SUCCESSORS = 3 };
  dloc_path_block blocks[BLOCKS];
  dloc_path_instruction instructions[BLOCKS * INSTRUCTIONS];
  uint32_t successors[BLOCKS][SUCCESSORS], discriminators[BLOCKS * INSTRUCTIONS];
  size_t count = below(w->from, BLOCKS + 1), all = 0;
  for (size_t i = 0; i < count; i++) {
    size_t number = 1 + below(w->from, INSTRUCTIONS);
    blocks[i] = (dloc_path_block){number, successors[i], below(w->from, SUCCESSORS + 1)};
    for (size_t k = 0; k < blocks[i].successor_count; k++)
      successors[i][k] = (uint32_t)below(w->from, count);
    for (; number; number--)
      instructions[all++] = (dloc_path_instruction){!once_in(w->from, 4),        (dloc_path_kind)below(w->from, 3),
                                                    (uint32_t)below(w->from, 4), (uint32_t)below(w->from, 3),
                                                    (uint32_t)below(w->from, 2), (uint32_t)below(w->from, 2)};
  }
  check_status(dloc_paths_assign(w->context, any_profile(w), instructions, blocks, count, discriminators));
}

/* ---- Inline stacks ---- */

/* Units, and the DIEs of each. */
typedef struct units {
  dloc_die units[MOST_UNITS], dies[MOST_UNITS][MOST_DIES];
  uint32_t counts[MOST_UNITS];
  dloc_address_range ranges[MOST_UNITS][MOST_DIES + 1][2];
} units;

static dloc_die any_die(world *w, dloc_address_range ranges[2]) {
  for (int i = 0; i < 2; i++)
    ranges[i] = (dloc_address_range){edge_number(w->from), edge_number(w->from)};
  return (dloc_die){.tag = DLOC_DIE_UNIT,
                    .high_form = (dloc_high_form)below(w->from, 3),
                    .offset = edge_number(w->from),
                    .parent = DLOC_NO_DIE,
                    .origin = DLOC_NO_DIE,
                    .name = any_text(w->from),
                    .linkage_name = any_text(w->from),
                    .low_pc = edge_number(w->from),
                    .high_pc = edge_number(w->from),
                    .ranges = ranges,
                    .range_count = (uint32_t)below(w->from, 3),
                    .call_file = once_in(w->from, 2) ? DLOC_NO_FILE : edge_number(w->from),
                    .call_line = edge_number(w->from),
                    .call_column = edge_number(w->from),
                    .call_discriminator = edge_number(w->from)};
}

static dloc_status dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count) {
  units *u = user;
  require(unit < MOST_UNITS);
  *ret = u->dies[unit];
  *ret_count = u->counts[unit];
  return DLOC_OK;
}

static void call_stacks(world *w) {
  const dloc_code code = {8, once_in(w->from, 2)};
  dloc_stacks *stacks = NULL;
  uint32_t count = (uint32_t)below(w->from, MOST_UNITS + 1);
  if (!has_room(w))
    return;
  units *u = lend(w, &(units){.counts = {0}}, sizeof *u);
  for (uint32_t i = 0; i < count; i++) {
    u->units[i] = any_die(w, u->ranges[i][MOST_DIES]);
    u->counts[i] = (uint32_t)below(w->from, MOST_DIES);
    for (uint32_t k = 0; k < u->counts[i]; k++) {
      dloc_die *die = &u->dies[i][k];
      *die = any_die(w, u->ranges[i][k]);
      die->tag = (dloc_die_tag)below(w->from, 4);
      die->parent = k && once_in(w->from, 2) ? (uint32_t)below(w->from, k) : DLOC_NO_DIE;
      die->origin = once_in(w->from, 3) ? (uint32_t)below(w->from, u->counts[i]) : DLOC_NO_DIE;
    }
  }
  if (take_thing(
          dloc_stacks_create(w->context, any_profile(w), &code, u->units, count, dies_of, on_line_problem, w, &stacks),
          stacks))
    add_thing(w, STACKS, stacks, NULL, NULL, NULL);
}

/* Those of a file are there, too. */
dloc_stacks *any_stacks(world *w, thing **ret) {
  *ret = any_thing(w, once_in(w->from, 2) ? STACKS : DEBUG_INFO);
  if (!*ret)
    return NULL;
  return (*ret)->kind == STACKS ? (*ret)->it : dloc_debug_info_stacks((*ret)->it);
}

static void call_frames(world *w) {
  thing *from;
  dloc_stacks *stacks = any_stacks(w, &from);
  const dloc_frame *frames = NULL;
  size_t count = 0;
  dloc_row row = {.address = edge_number(w->from), .line = edge_number(w->from)};
  for (int i = 0; stacks && i < 6; i++) {
    uint64_t address = edge_number(w->from);
    uint32_t unit = dloc_stacks_unit(stacks, address);
    if (dloc_stacks_frames(stacks, unit, address, once_in(w->from, 2) ? &row : NULL, &frames, &count) == DLOC_OK)
      for (size_t k = 0; k < count; k++)
        read_text(frames[k].function);
  }
}

/* ---- Two-level tables ---- */

static dloc_text name_of(const void *user, uint32_t function) {
  return user && function % 3 ? dloc_text_of("f") : (dloc_text){NULL, 0};
}
static dloc_status see_frame(void *user, const dloc_frame *frame) {
  read_text(frame->function);
  return once_in(((world *)user)->from, 30) ? DLOC_STOPPED : DLOC_OK;
}

static dloc_line_dialect any_two_level(world *w) {
  return once_in(w->from, 2) ? DLOC_DIALECT_ISSUE : DLOC_DIALECT_LOGICALS;
}

static void ask_logicals(world *w, const dloc_rows *rows) {
  dloc_logicals logicals = {.calls = dloc_rows_calls(rows), .name_of = name_of, .user = w};
  size_t row = 0;
  logicals.rows = dloc_rows_list(rows, &logicals.count);
  for (int i = 0; i < 6; i++) {
    if (!dloc_logical_find(&logicals, edge_number(w->from), &row))
      continue;
    require(row < logicals.count);
    check_status(dloc_logical_stack(&logicals, row, any_text(w->from), see_frame, w, any_reason(w)));
  }
}

static void call_two_level_run(world *w) {
  dloc_line_instruction list[MOST_INSTRUCTIONS], other[MOST_INSTRUCTIONS];
  const dloc_line_program logicals = {list, make_program(w, list, MOST_INSTRUCTIONS)};
  const dloc_line_program actuals = {other, make_program(w, other, MOST_INSTRUCTIONS)};
  dloc_line_parameters parameters =
      dloc_two_level_parameters(any_parameters(w, DLOC_DIALECT_STANDARD), any_two_level(w));
  dloc_rows *logical_rows = NULL, *actual_rows = NULL;
  if (dloc_rows_create(w->context, &logical_rows) == DLOC_OK && dloc_rows_create(w->context, &actual_rows) == DLOC_OK) {
    check_status(dloc_two_level_run(any_profile(w), &parameters, &logicals, once_in(w->from, 4) ? NULL : &actuals,
                                    on_line_problem, w, logical_rows, actual_rows));
    ask_logicals(w, logical_rows);
  }
  dloc_rows_destroy(logical_rows);
  dloc_rows_destroy(actual_rows);
}

static void call_maker(world *w) {
  dloc_two_level_maker *maker = NULL;
  if (!has_room(w))
    return;
  dloc_line_parameters parameters =
      dloc_two_level_parameters(any_parameters(w, DLOC_DIALECT_STANDARD), any_two_level(w));
  const dloc_line_parameters *lent = lend(w, &parameters, sizeof parameters);
  if (take_thing(dloc_two_level_maker_create(w->context, any_profile(w), lent, edge_number(w->from), &maker), maker))
    add_thing(w, TWO_LEVEL, maker, NULL, NULL, NULL)->with = lent;
}

static void call_make(world *w) {
  thing *maker = any_thing(w, TWO_LEVEL), *from;
  dloc_stacks *stacks = any_stacks(w, &from);
  thing *rows = any_thing(w, ROWS);
  const dloc_code code = {8, once_in(w->from, 2)};
  size_t count = 0;
  if (!maker || !stacks || !rows)
    return;
  (void)dloc_rows_sequences(rows->it, &count);
  size_t first = below(w->from, count + 1);
  check_status(dloc_two_level_make(maker->it, stacks, &code, rows->it, first, below(w->from, count - first + 1),
                                   (uint32_t)below(w->from, 3)));
}

static void call_add(world *w) {
  thing *maker = any_thing(w, TWO_LEVEL);
  dloc_row rows[MOST_ROWS];
  dloc_row_call calls[MOST_ROWS];
  dloc_frame frames[3];
  size_t count = maker ? make_rows(w, rows, calls, MOST_ROWS / 4) : 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < 3; k++)
      frames[k] = (dloc_frame){any_text(w->from), edge_number(w->from), edge_number(w->from), edge_number(w->from),
                               edge_number(w->from)};
    check_status(dloc_two_level_add(maker->it, &rows[i], frames, 1 + below(w->from, 3)));
  }
  if (count)
    check_status(dloc_two_level_end(maker->it, rows[count - 1].address));
}

static void call_made(world *w) {
  thing *maker = any_thing(w, TWO_LEVEL);
  dloc_line_list list = {.context = w->context};
  if (!maker)
    return;
  const dloc_two_level_made made = dloc_two_level_made_of(maker->it);
  for (size_t i = 0; i < made.function_count; i++)
    read_text(made.functions[i]);
  check_status(dloc_two_level_write_logicals(any_profile(w), maker->with, &made, dloc_line_list_take, &list));
  check_status(dloc_two_level_write_actuals(any_profile(w), maker->with, &made, dloc_line_list_take, &list));
  dloc_line_list_deinit(&list);
}

static api_call *const calls[] = {call_opcodes,       call_rows,     call_rows,  call_index,  call_index_find,
                                  call_callers,       call_assemble, call_paths, call_stacks, call_frames,
                                  call_two_level_run, call_maker,    call_make,  call_add,    call_made};
CALLS(calls_of_lines, calls);
