/* spec/lines.md 15.6: two-level tables made of rows and inline stacks. */
#include "machine.h"

#include <string.h>

/* Equal keys have equal numbers, from 0. */
typedef struct numbering {
  map numbers;
  uint32_t count;
} numbering;

struct dloc_two_level_maker {
  dloc_context *context; /* names of functions are nodes of it */
  const dloc_profile *profile;
  const dloc_line_parameters *parameters;
  numbering places, positions, logical_numbers;
  map functions; /* by node */
  ARRAY(dloc_text) names;
  uint64_t strings; /* how many bytes the names take in .debug_str */
  ARRAY(dloc_row) logicals;
  ARRAY(dloc_row_call) calls;
  ARRAY(uint32_t) row_numbers; /* of logicals, by their numbers in logical_numbers */
  ARRAY(dloc_row) actuals;
  size_t first_logical, first_actual; /* of the sequence */
};

dloc_status dloc_two_level_maker_create(dloc_context *context, const dloc_profile *profile,
                                        const dloc_line_parameters *parameters, uint64_t strings,
                                        dloc_two_level_maker **ret) {
  CREATE(context, dloc_two_level_maker, maker, .context = context, .profile = profile, .parameters = parameters,
         .strings = strings);
  *ret = maker;
  return DLOC_OK;
}

void dloc_two_level_maker_destroy(dloc_two_level_maker *maker) {
  if (!maker)
    return;
  CONTEXT_FREE(maker->context, maker->places.numbers.entries, maker->positions.numbers.entries,
               maker->logical_numbers.numbers.entries, maker->functions.entries, maker->names.items,
               maker->logicals.items, maker->calls.items, maker->row_numbers.items, maker->actuals.items, maker);
}

/* ---- Functions ---- */

/* `two-level.make.function`: subprograms count from 1, offsets begin behind an empty string. */
static dloc_status number_function(dloc_two_level_maker *maker, dloc_text name, uint32_t *ret) {
  dloc_node node;
  *ret = 0;
  if (!name.size)
    return DLOC_OK;
  TRY(dloc_string(maker->context, name, &node));
  if (map_get(&maker->functions, 0, node, ret))
    return DLOC_OK;
  bool is_issue = maker->parameters->dialect == DLOC_DIALECT_ISSUE;
  uint64_t number = is_issue ? maker->strings : maker->names.count + 1;
  if (number > UINT32_MAX)
    return DLOC_LIMIT;
  RESERVE(maker->context, maker->names, maker->names.count + 1);
  TRY(map_add(maker->context, &maker->functions, 0, node, (uint32_t)number, ret));
  PUSH(maker->context, maker->names, name);
  maker->strings += name.size + 1;
  return DLOC_OK;
}

/* ---- Logicals ---- */

static dloc_status number(dloc_two_level_maker *maker, numbering *n, uint64_t high, uint32_t low, uint32_t *ret) {
  TRY(map_add(maker->context, &n->numbers, high, low, n->count, ret));
  n->count += *ret == n->count;
  return DLOC_OK;
}

/* The lists of logicals have room for one more: where they cannot grow, none of them has. */
static dloc_status reserve_logical(dloc_two_level_maker *maker) {
  RESERVE(maker->context, maker->logicals, maker->logicals.count + 1);
  RESERVE(maker->context, maker->calls, maker->calls.count + 1);
  RESERVE(maker->context, maker->row_numbers, maker->row_numbers.count + 1);
  return DLOC_OK;
}

/* `two-level.make.logical`: the number of the logical of a place, which is added if there is none. */
static dloc_status number_logical(dloc_two_level_maker *maker, const dloc_row *row, dloc_row_call call, uint32_t *ret) {
  uint32_t place, position, logical;
  TRY(reserve_logical(maker));
  TRY(number(maker, &maker->places, (uint64_t)row->line << 32 | row->discriminator,
             (uint32_t)row->file << 8 | row->flags, &place));
  TRY(number(maker, &maker->positions, (uint64_t)place << 32 | row->column, call.function, &position));
  TRY(number(maker, &maker->logical_numbers, position, call.context, &logical));
  if (logical == maker->row_numbers.count) {
    PUSH(maker->context, maker->logicals, *row);
    PUSH(maker->context, maker->calls, call);
    PUSH(maker->context, maker->row_numbers, (uint32_t)maker->logicals.count);
  }
  *ret = maker->row_numbers.items[logical];
  return DLOC_OK;
}

/* `two-level.make.caller`: frames from the outermost to the innermost, so that a context is the number of a row before
 * its own. The flags of a statement are those of the row, where the code is. */
static dloc_status number_frames(dloc_two_level_maker *maker, const dloc_row *row, const dloc_frame *frames,
                                 size_t count, uint32_t *ret) {
  dloc_row_call call = {0, 0};
  for (size_t i = count; i-- > 1;) {
    dloc_row caller = {.address = row->address,
                       .line = frames[i].line,
                       .discriminator = frames[i].discriminator,
                       .file = frames[i].file <= DLOC_ROW_MOST_FILE ? frames[i].file & DLOC_ROW_MOST_FILE : 0,
                       .column = frames[i].column <= UINT16_MAX ? (uint16_t)frames[i].column : 0,
                       .flags = DLOC_ROW_IS_STMT};
    TRY(number_function(maker, frames[i].function, &call.function));
    TRY(number_logical(maker, &caller, call, &call.context));
  }
  TRY(number_function(maker, count ? frames[0].function : (dloc_text){NULL, 0}, &call.function));
  dloc_row logical = *row;
  logical.op_index = 0;
  logical.isa = 0;
  logical.flags &= DLOC_ROW_IS_STMT | DLOC_ROW_PROLOGUE_END | DLOC_ROW_EPILOGUE_BEGIN;
  return number_logical(maker, &logical, call, ret);
}

/* ---- Actuals ---- */

/* `two-level.make.actual`: an actual begins where the logical changes, or what else an actual says. */
static bool goes_on(const dloc_two_level_maker *maker, const dloc_row *actual) {
  if (maker->actuals.count == maker->first_actual)
    return false;
  const dloc_row *last = &maker->actuals.items[maker->actuals.count - 1];
  return last->line == actual->line && last->isa == actual->isa && !(actual->flags & DLOC_ROW_BASIC_BLOCK);
}

dloc_status dloc_two_level_add(dloc_two_level_maker *maker, const dloc_row *row, const dloc_frame *frames,
                               size_t count) {
  dloc_row actual = {.address = row->address, .op_index = row->op_index, .file = 1, .isa = row->isa};
  TRY(number_frames(maker, row, frames, count, &actual.line));
  actual.flags = (uint8_t)(line_initial_row(maker->parameters).flags | (row->flags & DLOC_ROW_BASIC_BLOCK));
  if (!goes_on(maker, &actual))
    PUSH(maker->context, maker->actuals, actual);
  return DLOC_OK;
}

static dloc_row end_row(dloc_row last, uint64_t address) {
  last.address = address;
  last.op_index = 0;
  last.discriminator = 0;
  last.flags = (uint8_t)((last.flags & DLOC_ROW_IS_STMT) | DLOC_ROW_END_SEQUENCE);
  return last;
}

/* `two-level.make.end`: a sequence of actuals ends where the rows do; one of logicals too, if it has any. */
dloc_status dloc_two_level_end(dloc_two_level_maker *maker, uint64_t address) {
  if (maker->actuals.count == maker->first_actual)
    return DLOC_OK;
  TRY(reserve_logical(maker));
  const dloc_row actual = end_row(maker->actuals.items[maker->actuals.count - 1], address);
  PUSH(maker->context, maker->actuals, actual);
  maker->first_actual = maker->actuals.count;
  if (maker->logicals.count == maker->first_logical)
    return DLOC_OK;
  const dloc_row logical = end_row(maker->logicals.items[maker->logicals.count - 1], address);
  const dloc_row_call call = maker->calls.items[maker->calls.count - 1];
  PUSH(maker->context, maker->logicals, logical);
  PUSH(maker->context, maker->calls, call);
  maker->first_logical = maker->logicals.count;
  return DLOC_OK;
}

dloc_two_level_made dloc_two_level_made_of(const dloc_two_level_maker *maker) {
  return (dloc_two_level_made){.logicals = maker->logicals.items,
                               .calls = maker->calls.items,
                               .logical_count = maker->logicals.count,
                               .actuals = maker->actuals.items,
                               .actual_count = maker->actuals.count,
                               .functions = maker->names.items,
                               .function_count = maker->names.count};
}

/* ---- Opcodes ---- */

typedef struct writer {
  const dloc_two_level_made *made;
  line_assembler assembler;
  dloc_row_call call; /* registers of the prototype */
  dloc_line_take *take;
  void *user;
} writer;

static dloc_status put(const writer *w, dloc_line_opcode opcode, uint64_t operand, uint64_t function) {
  return w->take(w->user, &(dloc_line_instruction){.opcode = opcode, .operand = operand, .function = function});
}

/* `two-level.make.pop`: whether the way back to the calling row gives context and function of a row. */
static bool pops(const writer *w, const dloc_row *row, dloc_row_call call) {
  if (!w->call.context)
    return false;
  const dloc_row *caller = &w->made->logicals[w->call.context - 1];
  dloc_row_call back = w->made->calls[w->call.context - 1];
  return back.context == call.context && back.function == call.function &&
         (!caller->discriminator || row->discriminator);
}

/* The opcodes of the prototype that change context and function. `number`: of the last row. */
static dloc_status put_call(writer *w, const dloc_row *row, dloc_row_call call, size_t number) {
  if (call.context == w->call.context && call.function == w->call.function)
    return DLOC_OK;
  if (pops(w, row, call)) {
    const dloc_row *caller = &w->made->logicals[w->call.context - 1];
    dloc_row *registers = &w->assembler.row;
    registers->file = caller->file;
    registers->line = caller->line;
    registers->column = caller->column;
    registers->flags = caller->flags & DLOC_ROW_IS_STMT;
    TRY(put(w, DLOC_LINE_POP_CONTEXT, 0, 0));
  } else if (call.context)
    TRY(put(w, DLOC_LINE_RELATIVE_INLINED_CALL, (uint64_t)call.context - number, call.function));
  else
    TRY(put(w, DLOC_LINE_SET_SUBPROGRAM, call.function, 0));
  w->call = call;
  return DLOC_OK;
}

static dloc_status put_row(writer *w, const dloc_row *row, const dloc_row_call *call) {
  dloc_line_instruction program[LINE_MOST_FOR_ROW];
  size_t count = line_assemble_row(&w->assembler, row, call, program);
  for (size_t i = 0; i < count; i++)
    TRY(w->take(w->user, &program[i]));
  return DLOC_OK;
}

dloc_status dloc_two_level_write_logicals(const dloc_profile *profile, const dloc_line_parameters *parameters,
                                          const dloc_two_level_made *made, dloc_line_take *take, void *user) {
  writer w = {.made = made, .assembler = line_assembler_start(profile, parameters, false), .take = take, .user = user};
  bool is_issue = parameters->dialect == DLOC_DIALECT_ISSUE;
  for (size_t i = 0; i < made->logical_count; i++) {
    if (!is_issue)
      TRY(put_call(&w, &made->logicals[i], made->calls[i], i));
    TRY(put_row(&w, &made->logicals[i], is_issue ? &made->calls[i] : NULL));
    if (made->logicals[i].flags & DLOC_ROW_END_SEQUENCE)
      w.call = (dloc_row_call){0, 0};
  }
  return DLOC_OK;
}

/* `two-level.make.address`: the first actual of a sequence of the prototype takes the address of its logical, where
 * it is the same one. */
static dloc_status put_address(writer *w, const dloc_row *actual) {
  const dloc_row *logical = &w->made->logicals[actual->line - 1];
  if (w->assembler.open || logical->address != actual->address || actual->op_index)
    return DLOC_OK;
  TRY(put(w, DLOC_LINE_SET_ADDRESS_FROM_LOGICAL, (uint64_t)actual->line - w->assembler.row.line, 0));
  w->assembler.row.line = actual->line;
  w->assembler.row.address = actual->address;
  w->assembler.open = true;
  return DLOC_OK;
}

dloc_status dloc_two_level_write_actuals(const dloc_profile *profile, const dloc_line_parameters *parameters,
                                         const dloc_two_level_made *made, dloc_line_take *take, void *user) {
  writer w = {.made = made, .assembler = line_assembler_start(profile, parameters, false), .take = take, .user = user};
  for (size_t i = 0; i < made->actual_count; i++) {
    if (parameters->dialect == DLOC_DIALECT_LOGICALS)
      TRY(put_address(&w, &made->actuals[i]));
    TRY(put_row(&w, &made->actuals[i], NULL));
  }
  return DLOC_OK;
}

/* ---- Rows and DIEs ---- */

/* The row that a file's number of the unit becomes: numbers of version 5 begin with 0. */
static dloc_row shifted(const dloc_row *row, uint32_t shift) {
  dloc_row copy = *row;
  copy.file = (copy.file + shift) & DLOC_ROW_MOST_FILE;
  return copy;
}

/* The addresses of a row, by the places where its stack changes; one that has none all the same. */
static dloc_status add_row(dloc_two_level_maker *maker, dloc_stacks *stacks, const dloc_row *row, uint64_t end,
                           uint32_t shift) {
  dloc_row part = shifted(row, shift);
  do {
    const dloc_frame *frames;
    size_t count;
    uint32_t unit = dloc_stacks_unit(stacks, part.address);
    TRY(dloc_stacks_frames(stacks, unit, part.address, &part, &frames, &count));
    ALLOCATE(maker->context, dloc_frame, copy, count + 1);
    OWNED_MEMORY(maker->context, &copy);
    for (size_t i = 0; i < count; i++) {
      copy[i] = frames[i];
      copy[i].file = !i ? part.file : frames[i].file == DLOC_NO_FILE ? 0 : frames[i].file + shift;
    }
    TRY(dloc_two_level_add(maker, &part, copy, count));
    part.address = stacks_next(stacks, unit, part.address);
    part.op_index = 0;
  } while (part.address < end && part.address > row->address);
  return DLOC_OK;
}

dloc_status dloc_two_level_make(dloc_two_level_maker *maker, dloc_stacks *stacks, const dloc_code *code,
                                const dloc_rows *rows, size_t first_sequence, size_t count, uint32_t shift) {
  for (size_t i = first_sequence; i < first_sequence + count; i++) {
    const dloc_sequence *s = &rows->sequences.items[i];
    for (row_piece p = {.next = s->first}; row_piece_next(maker->profile, code, rows, s, &p);) {
      const dloc_row *row = rows->rows.items + p.first;
      for (size_t j = 0; j < p.count; j++)
        TRY(add_row(maker, stacks, &row[j], j + 1 < p.count ? row[j + 1].address : p.end, shift));
      TRY(dloc_two_level_end(maker, p.end));
    }
  }
  return DLOC_OK;
}
