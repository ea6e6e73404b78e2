#include "line_terms.h"
#include "declare.h"
#include "document/buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts that are read ---- */

/* A number; false when there is none. The text goes on behind it. */
static bool take_number(const char **text, uint64_t *ret) {
  char *end;
  bool negative = **text == '-';
  uint64_t number = strtoull(*text + negative, &end, 0);
  if (end == *text + negative)
    return false;
  *ret = negative ? 0 - number : number;
  *text = end + (*end == ' ');
  return true;
}

/* Its numbers are as many as the opcode takes; those of an unknown one do not count. */
static bool read_instruction(dloc_text text, dloc_line_instruction *ret) {
  char copy[128];
  *ret = (dloc_line_instruction){.number = 0};
  if (text.size >= sizeof copy)
    return false;
  memcpy(copy, text.bytes, text.size);
  copy[text.size] = '\0';
  size_t size = strcspn(copy, " ");
  const char *rest = copy + size + (copy[size] == ' ');
  uint64_t number = 0;
  if (!dloc_opcode_find((dloc_text){copy, size}, &ret->opcode))
    return false;
  if (ret->opcode < DLOC_LINE_COPY) {
    bool has_number = take_number(&rest, &number);
    ret->number = (uint8_t)number;
    return has_number && number <= UINT8_MAX && !*rest;
  }
  const char *operands = dloc_opcode_of(ret->opcode)->operands;
  if (operands[0] == 'f') { /* in the text, as the copy ends here */
    size_t at = (size_t)(rest - copy);
    ret->name = (dloc_text){text.bytes + at, strcspn(rest, " ")};
    rest += ret->name.size + (rest[ret->name.size] == ' ');
    return ret->name.size && take_number(&rest, &ret->operand) && !*rest;
  }
  bool complete = (!operands[0] || take_number(&rest, &ret->operand)) &&
                  (!operands[0] || !operands[1] || take_number(&rest, &ret->function));
  return complete && !*rest;
}

static int digit(char c) {
  const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* "0a00 'a.c' 00": pairs of digits, texts between quotes, blanks. */
static bool read_bytes(dloc_text text, dloc_buffer *ret) {
  for (size_t i = 0; i < text.size; i++) {
    char c = text.bytes[i];
    if (c == ' ')
      continue;
    if (c == '\'') {
      const char *end = memchr(text.bytes + i + 1, '\'', text.size - i - 1);
      if (!end)
        return false;
      size_t size = (size_t)(end - text.bytes) - i - 1;
      buffer_put(ret, (dloc_text){text.bytes + i + 1, size});
      i += size + 1;
      continue;
    }
    if (i + 1 == text.size || digit(c) < 0 || digit(text.bytes[i + 1]) < 0)
      return false;
    char byte = (char)(digit(c) << 4 | digit(text.bytes[++i]));
    buffer_put(ret, (dloc_text){&byte, 1});
  }
  return true;
}

static dloc_status check_instruction(const reading *r, const term *t) {
  dloc_line_instruction ignored;
  return read_instruction(t->of.text, &ignored)
             ? DLOC_OK
             : WRONG(r, t->from, "vector.field", "'%.60s' is no instruction of a line number program",
                     t->of.text.bytes);
}

static dloc_status check_bytes(const reading *r, const term *t) {
  OWNED(dloc_buffer_deinit) dloc_buffer ignored = {0};
  return read_bytes(t->of.text, &ignored)
             ? DLOC_OK
             : WRONG(r, t->from, "vector.field", "'%.60s' is no row of bytes", t->of.text.bytes);
}

static dloc_status check_flags(const reading *r, const term *t) {
  uint8_t ignored;
  return dloc_row_flags(t->of.text, &ignored) ? DLOC_OK
                                              : WRONG(r, t->from, "vector.field", "flags are letters of s b p e E");
}

static dloc_status check_rows(const reading *r, const term *rows) {
  for (uint32_t i = 0; i < rows->count; i++)
    TRY(check_flags(r, term_get(&rows->of.items[i], "flags")));
  return DLOC_OK;
}

/* ---- Types ---- */

#define BYTE (&(const type){.kind = TYPE_NUMBER, .limit = UINT8_MAX})

static const char *const dialects[] = {"standard", "design-2009", "nvidia", "issue", "logicals", "actuals", NULL};
const type line_dialect_type = {.kind = TYPE_WORD, .what = "a dialect", .words = dialects};

const type line_header_type =
    MAP_TYPE("a header", OPTIONAL("dialect", &line_dialect_type), OPTIONAL("version", BYTE),
             OPTIONAL("address_size", BYTE), OPTIONAL("minimum_instruction_length", BYTE),
             OPTIONAL("maximum_operations", BYTE), OPTIONAL("default_is_stmt", FLAG_ON), OPTIONAL("line_base", TEXT),
             OPTIONAL("line_range", BYTE), OPTIONAL("opcode_base", BYTE), OPTIONAL("opcode_lengths", LIST(BYTE)));

const type line_program_type = {.kind = TYPE_LIST, .of = &(const type){.kind = TYPE_TEXT, .check = check_instruction}};
const type line_bytes_type = {.kind = TYPE_LIST, .of = &(const type){.kind = TYPE_TEXT, .check = check_bytes}};
const type line_flags_type = {.kind = TYPE_TEXT, .check = check_flags};

const type line_row_type =
    MAP_TYPE("a row", FIELD_AS("address", LONG, "row %"), FIELD_AS("line", NUMBER, " line %"),
             OPTIONAL_AS("file", NUMBER, " file %"), OPTIONAL_AS("column", NUMBER, " column %"),
             OPTIONAL_AS("discriminator", NUMBER, " discriminator %"), OPTIONAL_AS("op_index", NUMBER, " op_index %"),
             OPTIONAL_AS("isa", NUMBER, " isa %"), OPTIONAL_AS("context", NUMBER, " context %"),
             OPTIONAL_AS("function", NUMBER, " function %"), FIELD_AS("flags", TEXT, " %\n"));
const type line_rows_type = {.kind = TYPE_LIST, .of = &line_row_type};
const type line_given_rows_type = {.kind = TYPE_LIST, .of = &line_row_type, .check = check_rows};

const type line_problems_type = {
    .kind = TYPE_LIST, .of = MAP("a problem", FIELD_AS("reason", TEXT, "% "), FIELD_AS("at", LONG, "at %\n"))};

/* ---- Headers ---- */

static uint8_t byte_of(const term *header, const char *key, uint8_t otherwise) {
  return (uint8_t)term_number_or(header, key, otherwise);
}

/* One more than the greatest opcode of the dialect. */
static uint8_t usual_opcode_base(dloc_line_dialect dialect) {
  uint8_t greatest = 0;
  for (dloc_line_opcode i = DLOC_LINE_COPY; i < DLOC_LINE_OPCODE_COUNT; i++) {
    const dloc_opcode *o = dloc_opcode_of(i);
    if (o->space == DLOC_SPACE_STANDARD && (o->dialect == DLOC_DIALECT_STANDARD || o->dialect == dialect) &&
        o->number > greatest)
      greatest = o->number;
  }
  return (uint8_t)(greatest + 1);
}

static dloc_text lengths_of(const term *header, value_arena *arena) {
  const term *list = term_get(header, "opcode_lengths");
  if (!list)
    return (dloc_text){NULL, 0};
  char *lengths = value_arena_alloc(arena, list->count, 1);
  for (uint32_t i = 0; i < list->count; i++)
    lengths[i] = (char)list->of.items[i].of.number;
  return (dloc_text){lengths, list->count};
}

dloc_line_parameters line_header_of(const term *header, value_arena *arena) {
  const term *base = term_get(header, "line_base");
  const dloc_line_dialect dialect = (dloc_line_dialect)term_word(header, "dialect");
  return (dloc_line_parameters){.dialect = dialect,
                                .version = byte_of(header, "version", 4),
                                .address_size = byte_of(header, "address_size", 8),
                                .minimum_instruction_length = byte_of(header, "minimum_instruction_length", 1),
                                .maximum_operations = byte_of(header, "maximum_operations", 1),
                                .default_is_stmt = !header || term_flag(header, "default_is_stmt"),
                                .line_base = base ? (int8_t)strtol(base->of.text.bytes, NULL, 10) : -5,
                                .line_range = byte_of(header, "line_range", 14),
                                .opcode_base = byte_of(header, "opcode_base", usual_opcode_base(dialect)),
                                .opcode_lengths = lengths_of(header, arena)};
}

/* ---- Programs ---- */

static bool write_nowhere(void *user, const char *bytes, size_t size) {
  (void)user, (void)bytes, (void)size;
  return true;
}

dloc_status line_program_check(const reading *r, const term *args) {
  const dloc_line_parameters parameters = line_header_of(term_get(args, "header"), r->aside);
  const term *program = term_list(args, "program");
  if (dloc_line_program_write(&parameters, false, line_program_of(program, r->aside), program->count,
                              (dloc_sink){write_nowhere, NULL}) != DLOC_OK)
    return WRONG(r, program->from, "vector.field", "an instruction of the program cannot be written under its header");
  return DLOC_OK;
}

const dloc_line_instruction *line_program_of(const term *program, value_arena *arena) {
  dloc_line_instruction *instructions = value_arena_alloc(arena, program->count, sizeof *instructions);
  for (uint32_t i = 0; i < program->count; i++)
    (void)read_instruction(program->of.items[i].of.text, &instructions[i]);
  return instructions;
}

void line_instruction_write(const dloc_line_instruction *instruction, dloc_buffer *ret) {
  const dloc_opcode *o = dloc_opcode_of(instruction->opcode);
  buffer_format(ret, "%s", o->name);
  if (instruction->opcode < DLOC_LINE_COPY)
    buffer_format(ret, " %u", (unsigned)instruction->number);
  else if (o->operands[0] == 's')
    buffer_format(ret, " %" PRId64, (int64_t)instruction->operand);
  else if (o->operands[0] == 'f')
    buffer_format(ret, " %.*s %" PRIu64, (int)(instruction->name.size < 80 ? instruction->name.size : 80),
                  instruction->name.bytes, instruction->operand);
  else if (o->operands[0])
    buffer_format(ret, " %" PRIu64, instruction->operand);
  if (o->operands[0] && o->operands[1])
    buffer_format(ret, " %" PRIu64, instruction->function);
}

void line_program_describe(value_arena *arena, term *value, const char *key, const dloc_line_instruction *program,
                           size_t count) {
  term *list = term_set_list(arena, value, key, count);
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  for (size_t i = 0; i < count; i++) {
    text.size = 0;
    line_instruction_write(&program[i], &text);
    term_be_text(arena, &list[i], buffer_text(&text));
  }
}

/* ---- Rows ---- */

static void describe_row(value_arena *arena, const dloc_row *row, const dloc_row_call *call, term *ret) {
  char letters[6];
  dloc_row_letters(row->flags, letters);
  term_set_number(ret, "address", row->address);
  term_set_number(ret, "line", row->line);
  term_set_unless(ret, "file", row->file, 1);
  term_set_unless(ret, "column", row->column, 0);
  term_set_unless(ret, "discriminator", row->discriminator, 0);
  term_set_unless(ret, "op_index", row->op_index, 0);
  term_set_unless(ret, "isa", row->isa, 0);
  term_set_unless(ret, "context", call ? call->context : 0, 0);
  term_set_unless(ret, "function", call ? call->function : 0, 0);
  term_set_text(arena, ret, "flags", dloc_text_of(letters));
}

void line_rows_describe(value_arena *arena, term *value, const char *key, const dloc_row *rows,
                        const dloc_row_call *calls, size_t count) {
  term *list = term_set_list(arena, value, key, count);
  for (size_t i = 0; i < count; i++)
    describe_row(arena, &rows[i], calls ? &calls[i] : NULL, &list[i]);
}

static dloc_row read_row(const term *row) {
  dloc_row read = {.address = term_number(row, "address"),
                   .line = (uint32_t)term_number(row, "line"),
                   .discriminator = (uint32_t)term_number(row, "discriminator"),
                   .file = term_number_or(row, "file", 1) & 0xffffff,
                   .op_index = (uint32_t)term_number(row, "op_index") & 0xff,
                   .column = (uint16_t)term_number(row, "column"),
                   .isa = (uint8_t)term_number(row, "isa")};
  (void)dloc_row_flags(term_text(row, "flags"), &read.flags);
  return read;
}

const dloc_row *line_rows_of(const term *rows, value_arena *arena, const dloc_row_call **ret_calls) {
  dloc_row *list = value_arena_alloc(arena, rows->count, sizeof *list);
  dloc_row_call *calls = value_arena_alloc(arena, rows->count, sizeof *calls);
  for (uint32_t i = 0; i < rows->count; i++) {
    const term *row = &rows->of.items[i];
    list[i] = read_row(row);
    calls[i] = (dloc_row_call){(uint32_t)term_number(row, "context"), (uint32_t)term_number(row, "function")};
  }
  *ret_calls = calls;
  return list;
}

dloc_status line_given_program(const term *map, const dloc_profile *profile, const dloc_line_parameters *parameters,
                               value_arena *arena, dloc_line_list *ret) {
  const term *program = term_list(map, "program"), *rows = term_list(map, "rows");
  const dloc_line_instruction *instructions = line_program_of(program, arena);
  const dloc_row_call *calls;
  for (uint32_t i = 0; i < program->count; i++)
    TRY(dloc_line_list_take(ret, &instructions[i]));
  return dloc_line_assemble(profile, parameters, false, line_rows_of(rows, arena, &calls), NULL, rows->count,
                            dloc_line_list_take, ret);
}

/* ---- Bytes ---- */

void line_bytes_describe(value_arena *arena, term *value, dloc_text bytes) {
  char *text = value_arena_alloc(arena, 2 * bytes.size + 1, 1);
  for (size_t i = 0; i < bytes.size; i++) {
    text[2 * i] = "0123456789abcdef"[(uint8_t)bytes.bytes[i] >> 4];
    text[2 * i + 1] = "0123456789abcdef"[bytes.bytes[i] & 15];
  }
  term_set_text(arena, value, "bytes", (dloc_text){text, 2 * bytes.size});
}

dloc_text line_bytes_of(value_arena *arena, const term *map, const char *key) {
  const term *parts = term_list(map, key);
  OWNED(dloc_buffer_deinit) dloc_buffer bytes = {0};
  for (uint32_t i = 0; i < parts->count; i++)
    (void)read_bytes(parts->of.items[i].of.text, &bytes);
  return value_arena_copy(arena, buffer_text(&bytes));
}

/* ---- Problems ---- */

dloc_status line_problem_add(void *user, dloc_reason reason, size_t at) {
  const line_problems *problems = user;
  term *problem = term_add(problems->arena, problems->value, "problems");
  term_set_text(problems->arena, problem, "reason", dloc_text_of(dloc_reason_name(reason)));
  term_set_number(problem, "at", at);
  return DLOC_OK;
}
