/* Line number programs: what is written is read back. */
#include "objects/dloc_dwarf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 40, ROUNDS = 2000 };

/* ---- Random numbers, the same in every run ---- */

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

/* Small ones more often than great ones. */
static uint64_t any_number(uint64_t *state) { return next_random(state) >> next_random(state) % 64; }

/* ---- Instructions as bytes ---- */

static const dloc_line_parameters usual = {.version = 4,
                                           .address_size = 8,
                                           .minimum_instruction_length = 1,
                                           .maximum_operations = 1,
                                           .default_is_stmt = true,
                                           .line_base = -5,
                                           .line_range = 14,
                                           .opcode_base = 13};

/* Any instruction of the dialect that has bytes. */
static dloc_line_instruction any_instruction(const dloc_line_parameters *p, uint64_t *state) {
  dloc_line_instruction i = {.opcode = (dloc_line_opcode)(next_random(state) % DLOC_LINE_OPCODE_COUNT)};
  const dloc_opcode *o = dloc_opcode_of(i.opcode);
  if ((o->dialect != DLOC_DIALECT_STANDARD && o->dialect != p->dialect) || i.opcode == DLOC_LINE_UNKNOWN_EXTENDED ||
      (o->space == DLOC_SPACE_STANDARD && o->number >= p->opcode_base) || i.opcode == DLOC_LINE_UNKNOWN_STANDARD)
    i.opcode = DLOC_LINE_SPECIAL;
  o = dloc_opcode_of(i.opcode);
  i.number = o->number;
  if (i.opcode == DLOC_LINE_SPECIAL)
    i.number = (uint8_t)(p->opcode_base + next_random(state) % (256U - p->opcode_base));
  if (o->operands[0])
    i.operand = any_number(state);
  if (o->operands[0] == 'h')
    i.operand &= UINT16_MAX;
  if (i.opcode == DLOC_LINE_SET_ADDRESS)
    i.operand >>= 64 - 8 * p->address_size;
  if (o->operands[0] && o->operands[1])
    i.function = any_number(state);
  if (i.opcode == DLOC_LINE_DEFINE_FILE)
    i.name = dloc_text_of("a.c");
  return i;
}

typedef struct expected {
  const dloc_line_instruction *program;
  size_t count, seen;
} expected;

static dloc_status see(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *i) {
  expected *e = user;
  (void)at, (void)bytes;
  assert_true(e->seen < e->count);
  const dloc_line_instruction *wanted = &e->program[e->seen++];
  assert_int_equal(i->opcode, wanted->opcode);
  assert_int_equal(i->operand, wanted->operand);
  assert_int_equal(i->function, wanted->function);
  if (i->opcode == DLOC_LINE_SPECIAL)
    assert_int_equal(i->number, wanted->number);
  assert_true(dloc_text_equal(i->name, wanted->name));
  return DLOC_OK;
}

static dloc_status no_problem(void *user, dloc_reason reason, size_t at) {
  (void)user;
  if (reason != DLOC_REASON_LINES_WIDTH && reason != DLOC_REASON_LINES_SEQUENCE_OPEN &&
      reason != DLOC_REASON_LINES_OPCODE_UNKNOWN && reason != DLOC_REASON_TWO_LEVEL_CONTEXT &&
      reason != DLOC_REASON_TWO_LEVEL_ACTUAL)
    fail_msg("%s at %zu", dloc_reason_name(reason), at);
  return DLOC_OK;
}

/* A unit is written, and read back. */
static void check_unit(const dloc_line_unit_parts *parts) {
  dloc_buffer line = {0};
  assert_int_equal(dloc_line_unit_write(parts, dloc_buffer_sink(&line)), DLOC_OK);
  dloc_line_sections sections = {.line = {line.bytes, line.size},
                                 .big_endian = parts->big_endian,
                                 .address_size = parts->parameters.address_size,
                                 .dialect = parts->parameters.dialect};
  if (parts->line_str)
    sections.line_str = (dloc_text){parts->line_str->bytes, parts->line_str->size};
  dloc_context *context = dloc_context_create(NULL);
  dloc_line_table *table;
  assert_int_equal(
      dloc_line_table_read(context, dloc_profile_find(dloc_text_of("rfc")), &sections, no_problem, NULL, &table),
      DLOC_OK);
  size_t count;
  const dloc_line_unit *unit = dloc_line_table_units(table, &count);
  assert_int_equal(count, 1);
  assert_int_equal(unit->end, line.size);
  assert_int_equal(unit->directory_count, parts->directory_count);
  const dloc_line_file *files = dloc_line_unit_files(table, unit);
  for (size_t i = 0; i < parts->file_count; i++) {
    assert_true(dloc_text_equal(files[i].name, parts->files[i].name));
    assert_int_equal(files[i].directory, parts->files[i].directory);
    assert_int_equal(files[i].has_md5, parts->files[i].has_md5);
  }
  expected e = {parts->program, parts->count, 0};
  assert_int_equal(dloc_line_unit_program(table, unit, see, &e), DLOC_OK);
  assert_int_equal(e.seen, parts->count);
  dloc_line_table_destroy(table);
  dloc_context_destroy(context);
  dloc_buffer_deinit(&line);
}

static void units_are_read_back(void **unused) {
  (void)unused;
  uint64_t state = 1;
  const dloc_text directories[] = {dloc_text_of("/d"), dloc_text_of("e")};
  dloc_line_file files[] = {{.name = dloc_text_of("a.c"), .directory = 1},
                            {.name = dloc_text_of("b.c"), .directory = 0}};
  for (int round = 0; round < ROUNDS; round++) {
    dloc_line_instruction program[MOST];
    dloc_buffer line_str = {0};
    dloc_line_unit_parts parts = {usual, next_random(&state) % 2, 4,       directories, 2, files, 2,
                                  NULL,  next_random(&state) % 2, program, MOST};
    parts.parameters.version = (uint16_t)(2 + next_random(&state) % 4);
    parts.parameters.address_size = (uint8_t)(1 << next_random(&state) % 4);
    parts.parameters.dialect = (dloc_line_dialect)(next_random(&state) % DLOC_DIALECT_COUNT);
    parts.parameters.opcode_base = (uint8_t)(1 + next_random(&state) % 17);
    parts.offset_size = next_random(&state) % 2 ? 8 : 4;
    parts.line_str = next_random(&state) % 2 ? &line_str : NULL;
    files[0].has_md5 = files[1].has_md5 = parts.parameters.version == 5 && next_random(&state) % 2;
    for (size_t i = 0; i < MOST; i++)
      program[i] = any_instruction(&parts.parameters, &state);
    check_unit(&parts);
    dloc_buffer_deinit(&line_str);
  }
}

static void check_refused(const dloc_line_parameters *p, const dloc_line_instruction *instruction) {
  dloc_buffer buffer = {0};
  assert_int_equal(dloc_line_program_write(p, false, instruction, 1, dloc_buffer_sink(&buffer)), DLOC_INVALID);
  dloc_buffer_deinit(&buffer);
}

/* `lines.write.bytes` */
static void what_has_no_bytes_is_refused(void **unused) {
  (void)unused;
  dloc_line_parameters p = usual;
  p.opcode_base = 10;
  p.address_size = 4;
  const dloc_line_instruction wrong[] = {{.opcode = DLOC_LINE_SET_ISA, .operand = 1},
                                         {.opcode = DLOC_LINE_SPECIAL, .number = 9},
                                         {.opcode = DLOC_LINE_FIXED_ADVANCE_PC, .operand = 65536},
                                         {.opcode = DLOC_LINE_UNKNOWN_STANDARD, .number = 10},
                                         {.opcode = DLOC_LINE_SET_ADDRESS, .operand = UINT64_C(1) << 32}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    check_refused(&p, &wrong[i]);
  p.address_size = UINT8_MAX; /* as a header of version 5 may say */
  check_refused(&p, &(dloc_line_instruction){.opcode = DLOC_LINE_SET_ADDRESS});
  p.opcode_base = 0; /* 0 begins an extended opcode all the same */
  check_refused(&p, &(dloc_line_instruction){.opcode = DLOC_LINE_SPECIAL});
}

/* ---- Rows as instructions ---- */

typedef struct written {
  dloc_line_instruction items[16 * MOST];
  size_t count;
} written;

static dloc_status take(void *user, const dloc_line_instruction *instruction) {
  written *to = user;
  assert_true(to->count < 16 * MOST);
  to->items[to->count++] = *instruction;
  return DLOC_OK;
}

/* Rows whose addresses mostly increase, by few instructions; op_index is what the header can tell of. */
static dloc_row any_row(const dloc_line_parameters *p, const dloc_row *before, uint64_t *state) {
  uint64_t distance = next_random(state) % 4 ? next_random(state) % 50 : any_number(state);
  dloc_row row = {.address = before->address + distance * p->minimum_instruction_length + !(next_random(state) % 50),
                  .line = next_random(state) % 4 ? before->line + next_random(state) % 16 - 6 : any_number(state),
                  .discriminator = next_random(state) % 4 ? 0 : (uint32_t)any_number(state),
                  .file = next_random(state) % 4,
                  .op_index = next_random(state) % p->maximum_operations & 0xff,
                  .column = (uint16_t)(next_random(state) % 3),
                  .isa = next_random(state) % 9 == 0,
                  .flags = next_random(state) & 15};
  if (next_random(state) % 8 == 0)
    row.flags |= DLOC_ROW_END_SEQUENCE;
  return row;
}

static void assert_same_rows(const dloc_row *a, const dloc_row *b) {
  assert_int_equal(a->address, b->address);
  assert_int_equal(a->op_index, b->op_index);
  assert_int_equal(a->line, b->line);
  assert_int_equal(a->file, b->file);
  assert_int_equal(a->column, b->column);
  assert_int_equal(a->discriminator, b->discriminator);
  assert_int_equal(a->isa, b->isa);
  assert_int_equal(a->flags, b->flags);
}

/* The program that is written for rows gives these rows. */
static void check_rows(const dloc_line_parameters *p, bool fixed, const dloc_row *rows) {
  static written program;
  const dloc_profile *profile = dloc_profile_find(dloc_text_of("rfc"));
  program.count = 0;
  assert_int_equal(dloc_line_assemble(profile, p, fixed, rows, NULL, MOST, take, &program), DLOC_OK);
  dloc_context *context = dloc_context_create(NULL);
  dloc_rows *run;
  assert_int_equal(dloc_rows_create(context, &run), DLOC_OK);
  assert_int_equal(dloc_line_run(profile, p, program.items, program.count, NULL, NULL, run), DLOC_OK);
  size_t count;
  const dloc_row *list = dloc_rows_list(run, &count);
  assert_int_equal(count, MOST);
  for (size_t i = 0; i < count; i++)
    assert_same_rows(&list[i], &rows[i]);
  dloc_rows_destroy(run);
  dloc_context_destroy(context);
}

/* `lines.write` */
static void rows_are_given_back(void **unused) {
  (void)unused;
  uint64_t state = 1;
  for (int round = 0; round < ROUNDS; round++) {
    dloc_line_parameters p = usual;
    p.minimum_instruction_length = (uint8_t)(1 << next_random(&state) % 3);
    p.maximum_operations = (uint8_t)(1 + (next_random(&state) % 4 == 0) * (next_random(&state) % 5));
    p.line_base = (int8_t)(next_random(&state) % 8 - 6);
    p.line_range = (uint8_t)(next_random(&state) % 20);
    p.opcode_base = (uint8_t)(13 + next_random(&state) % 3);
    p.default_is_stmt = next_random(&state) % 2;
    dloc_row rows[MOST], before = {.address = 4096, .line = 1};
    for (size_t i = 0; i < MOST; i++)
      before = rows[i] = any_row(&p, &before, &state);
    check_rows(&p, p.maximum_operations == 1 && next_random(&state) % 2, rows);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_are_read_back),
                                     cmocka_unit_test(what_has_no_bytes_is_refused),
                                     cmocka_unit_test(rows_are_given_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
