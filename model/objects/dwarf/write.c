/* spec/lines.md 12.7: line number programs, and whole units, as bytes. */
#include "write.h"

#include "nodes/metadata.h"

/* ---- Numbers ---- */

dloc_status put_fixed(byte_sink to, uint64_t value, size_t size) {
  uint8_t bytes[8];
  bytes_put(bytes, size, to.big_endian, value);
  return sink_bytes(to.sink, (const char *)bytes, size);
}

/* The groups of 7 bits, all but the last with the 8th bit set. */
static dloc_status put_leb(byte_sink to, uint64_t value, bool is_signed) {
  char bytes[10];
  size_t size = 0;
  uint64_t rest = is_signed && value >> 63 ? UINT64_MAX : 0; /* what is left when all has been said */
  bool more = true;
  while (more) {
    uint8_t group = value & 0x7f;
    value = value >> 7 | (rest ? UINT64_MAX << 57 : 0);
    more = value != rest || (is_signed && (group >> 6 & 1) != (rest & 1));
    bytes[size++] = (char)(group | (more ? 0x80 : 0));
  }
  return sink_bytes(to.sink, bytes, size);
}

dloc_status put_unsigned(byte_sink to, uint64_t value) { return put_leb(to, value, false); }
static dloc_status put_signed(byte_sink to, uint64_t value) { return put_leb(to, value, true); }

dloc_status put_string(byte_sink to, dloc_text text) {
  TRY(sink_text(to.sink, text));
  return sink_bytes(to.sink, "", 1);
}

static size_t unsigned_size(uint64_t value) {
  size_t size = 1;
  while (value >>= 7)
    size++;
  return size;
}

/* ---- Instructions ---- */

/* `lines.write.bytes`: an opcode that stands below opcode_base, or is special and does not; numbers that fit. */
static bool has_bytes(const dloc_line_parameters *p, const dloc_line_instruction *i) {
  const dloc_opcode *o = dloc_opcode_of(i->opcode);
  uint8_t number = o->number ? o->number : i->number;
  if (i->opcode == DLOC_LINE_SPECIAL)
    return number >= p->opcode_base && number != 0;
  if (o->space == DLOC_SPACE_STANDARD && (number >= p->opcode_base || number == 0))
    return false;
  if (i->opcode == DLOC_LINE_SET_ADDRESS)
    return p->address_size == 8 || (p->address_size < 8 && i->operand >> 8 * p->address_size == 0);
  return i->opcode != DLOC_LINE_FIXED_ADVANCE_PC || i->operand <= UINT16_MAX;
}

static dloc_status put_operand(byte_sink to, const dloc_line_parameters *p, char kind, uint64_t value) {
  switch (kind) {
  case 'a':
    return put_fixed(to, value, p->address_size);
  case 'h':
    return put_fixed(to, value, 2);
  case 's':
    return put_signed(to, value);
  default:
    return put_unsigned(to, value);
  }
}

static size_t operand_size(const dloc_line_parameters *p, char kind, uint64_t value) {
  return kind == 'a' ? p->address_size : unsigned_size(value);
}

/* `lines.extended`: no extended opcode has a signed operand. */
static dloc_status put_extended(byte_sink to, const dloc_line_parameters *p, const dloc_line_instruction *i) {
  const dloc_opcode *o = dloc_opcode_of(i->opcode);
  const char *operands = o->operands;
  bool file = operands[0] == 'f';
  size_t size = 1 + (file          ? i->name.size + 1 + unsigned_size(i->operand) + 2
                     : operands[0] ? operand_size(p, operands[0], i->operand)
                                   : 0);
  size += !file && operands[0] && operands[1] ? unsigned_size(i->function) : 0;
  TRY(put_fixed(to, 0, 1));
  TRY(put_unsigned(to, size));
  TRY(put_fixed(to, o->number ? o->number : i->number, 1));
  if (file) {
    TRY(put_string(to, i->name));
    TRY(put_unsigned(to, i->operand));
    return put_fixed(to, 0, 2); /* time and size: not known */
  }
  if (operands[0])
    TRY(put_operand(to, p, operands[0], i->operand));
  return operands[0] && operands[1] ? put_unsigned(to, i->function) : DLOC_OK;
}

static dloc_status put_standard(byte_sink to, const dloc_line_parameters *p, const dloc_line_instruction *i) {
  const dloc_opcode *o = dloc_opcode_of(i->opcode);
  uint8_t number = o->number ? o->number : i->number;
  TRY(put_fixed(to, number, 1));
  if (i->opcode == DLOC_LINE_UNKNOWN_STANDARD)
    for (uint8_t left = opcode_length(p, number); left > 0; left--)
      TRY(put_unsigned(to, 0));
  if (o->operands[0])
    TRY(put_operand(to, p, o->operands[0], i->operand));
  return o->operands[0] && o->operands[1] ? put_operand(to, p, o->operands[1], i->function) : DLOC_OK;
}

dloc_status put_program(byte_sink to, const dloc_line_parameters *parameters, const dloc_line_instruction *program,
                        size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!has_bytes(parameters, &program[i]))
      return DLOC_INVALID;
    bool extended = dloc_opcode_of(program[i].opcode)->space == DLOC_SPACE_EXTENDED;
    TRY(program[i].opcode == DLOC_LINE_SPECIAL ? put_fixed(to, program[i].number, 1)
        : extended                             ? put_extended(to, parameters, &program[i])
                                               : put_standard(to, parameters, &program[i]));
  }
  return DLOC_OK;
}

dloc_status dloc_line_program_write(const dloc_line_parameters *parameters, bool big_endian,
                                    const dloc_line_instruction *program, size_t count, dloc_sink sink) {
  return put_program((byte_sink){sink, big_endian}, parameters, program, count);
}

/* ---- Headers ---- */

dloc_status put_parameters(byte_sink to, const dloc_line_parameters *p) {
  TRY(put_fixed(to, p->minimum_instruction_length, 1));
  if (p->version >= 4)
    TRY(put_fixed(to, p->maximum_operations, 1));
  TRY(put_fixed(to, p->default_is_stmt, 1));
  TRY(put_fixed(to, (uint8_t)p->line_base, 1));
  TRY(put_fixed(to, p->line_range, 1));
  TRY(put_fixed(to, p->opcode_base, 1));
  for (unsigned number = 1; number < p->opcode_base; number++)
    TRY(put_fixed(to, opcode_length(p, (uint8_t)number), 1));
  return DLOC_OK;
}

dloc_status put_sized(byte_sink to, uint8_t offset_size, dloc_text bytes) {
  if (offset_size == 8)
    TRY(put_fixed(to, UINT32_MAX, 4));
  TRY(put_fixed(to, bytes.size, offset_size));
  return sink_text(to.sink, bytes);
}

/* Where a string stands among those of .debug_line_str; its end when it does not. */
static size_t find_string(const dloc_buffer *strings, dloc_text text) {
  size_t at = 0;
  while (at < strings->size) {
    dloc_text string = dloc_text_of(strings->bytes + at);
    if (dloc_text_equal(string, text))
      break;
    at += string.size + 1;
  }
  return at;
}

/* A string of version 5, in the unit or in .debug_line_str. */
static dloc_status put_path(byte_sink to, const dloc_line_unit_parts *parts, dloc_text path) {
  if (!parts->line_str)
    return put_string(to, path);
  size_t at = parts->share_strings ? find_string(parts->line_str, path) : parts->line_str->size;
  TRY(put_fixed(to, at, parts->offset_size));
  return at < parts->line_str->size ? DLOC_OK
                                    : put_string((byte_sink){.sink = dloc_buffer_sink(parts->line_str)}, path);
}

/* `lines.entries`; as assemblers do, a column for MD5 only when every file has one. */
dloc_status put_entries_v5(byte_sink to, const dloc_line_unit_parts *parts) {
  uint8_t path_form = parts->line_str ? FORM_LINE_STRP : FORM_STRING;
  bool md5 = parts->file_count > 0;
  for (size_t i = 0; i < parts->file_count; i++)
    md5 = md5 && parts->files[i].has_md5;
  const uint8_t formats[] = {1, LNCT_PATH, path_form};
  const uint8_t columns[] = {md5 ? 3 : 2, LNCT_PATH, path_form,  LNCT_DIRECTORY_INDEX,
                             FORM_UDATA,  LNCT_MD5,  FORM_DATA16};
  TRY(sink_bytes(to.sink, (const char *)formats, sizeof formats));
  TRY(put_unsigned(to, parts->directory_count));
  for (size_t i = 0; i < parts->directory_count; i++)
    TRY(put_path(to, parts, parts->directories[i]));
  TRY(sink_bytes(to.sink, (const char *)columns, md5 ? 7 : 5));
  TRY(put_unsigned(to, parts->file_count));
  for (size_t i = 0; i < parts->file_count; i++) {
    TRY(put_path(to, parts, parts->files[i].name));
    TRY(put_unsigned(to, parts->files[i].directory));
    if (md5)
      TRY(sink_bytes(to.sink, (const char *)parts->files[i].md5, 16));
  }
  return DLOC_OK;
}

dloc_status put_entries_v2(byte_sink to, const dloc_line_unit_parts *parts) {
  for (size_t i = 0; i < parts->directory_count; i++)
    TRY(put_string(to, parts->directories[i]));
  TRY(put_fixed(to, 0, 1));
  for (size_t i = 0; i < parts->file_count; i++) {
    TRY(put_string(to, parts->files[i].name));
    TRY(put_unsigned(to, parts->files[i].directory));
    TRY(put_unsigned(to, parts->files[i].time));
    TRY(put_unsigned(to, parts->files[i].size));
  }
  return put_fixed(to, 0, 1);
}

dloc_status put_whole_unit(byte_sink to, const dloc_line_unit_parts *parts, dloc_text program) {
  const dloc_line_parameters *p = &parts->parameters;
  OWNED(dloc_buffer_deinit) dloc_buffer counted = {0}; /* by header_length */
  OWNED(dloc_buffer_deinit) dloc_buffer unit = {0};    /* by unit_length */
  const byte_sink header = {dloc_buffer_sink(&counted), to.big_endian}, rest = {dloc_buffer_sink(&unit), to.big_endian};
  TRY(put_parameters(header, p));
  TRY(p->version >= 5 ? put_entries_v5(header, parts) : put_entries_v2(header, parts));
  TRY(put_fixed(rest, p->version, 2));
  if (p->version >= 5) {
    TRY(put_fixed(rest, p->address_size, 1));
    TRY(put_fixed(rest, 0, 1)); /* segment_selector_size */
  }
  TRY(put_fixed(rest, counted.size, parts->offset_size));
  TRY(sink_bytes(rest.sink, counted.bytes, counted.size));
  TRY(sink_text(rest.sink, program));
  return put_sized(to, parts->offset_size, (dloc_text){unit.bytes, unit.size});
}

dloc_status dloc_line_unit_write(const dloc_line_unit_parts *parts, dloc_sink sink) {
  OWNED(dloc_buffer_deinit) dloc_buffer program = {0};
  byte_sink to = {dloc_buffer_sink(&program), parts->big_endian};
  TRY(put_program(to, &parts->parameters, parts->program, parts->count));
  return put_whole_unit((byte_sink){sink, parts->big_endian}, parts, (dloc_text){program.bytes, program.size});
}
