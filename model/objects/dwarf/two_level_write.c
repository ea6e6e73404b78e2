/* spec/lines.md 15.5: units of two-level line tables as bytes. */
#include "write.h"

#include "nodes/metadata.h"

/* The parts of a unit, each put together before what counts its bytes. */
typedef struct unit_bytes {
  dloc_buffer front; /* fields and tables before the offsets, or before what the issue inserts */
  dloc_buffer tables;
  dloc_buffer logicals;
  dloc_buffer actuals;
  dloc_buffer all;
} unit_bytes;

static void release_bytes(unit_bytes *bytes) {
  dloc_buffer *const each[] = {&bytes->front, &bytes->tables, &bytes->logicals, &bytes->actuals, &bytes->all};
  for (size_t i = 0; i < sizeof each / sizeof *each; i++)
    dloc_buffer_deinit(each[i]);
}

static byte_sink to_buffer(const dloc_two_level_parts *parts, dloc_buffer *buffer) {
  return (byte_sink){dloc_buffer_sink(buffer), parts->unit.big_endian};
}

static dloc_status put_buffer(byte_sink to, const dloc_buffer *buffer) {
  return sink_bytes(to.sink, buffer->bytes, buffer->size);
}

/* `two-level.header.subprograms`: their names. */
static dloc_status put_subprograms(byte_sink to, const dloc_two_level_parts *parts) {
  static const char format[] = {1, LNCT_SUBPROGRAM_NAME, FORM_STRING};
  TRY(sink_bytes(to.sink, format, sizeof format));
  TRY(put_unsigned(to, parts->subprogram_count));
  for (size_t i = 0; i < parts->subprogram_count; i++)
    TRY(put_string(to, parts->subprograms[i]));
  return DLOC_OK;
}

static dloc_status put_programs(const dloc_two_level_parts *parts, unit_bytes *bytes) {
  dloc_line_parameters p = parts->unit.parameters;
  TRY(put_program(to_buffer(parts, &bytes->logicals), &p, parts->unit.program, parts->unit.count));
  p.dialect = p.dialect == DLOC_DIALECT_LOGICALS ? DLOC_DIALECT_ACTUALS : p.dialect;
  return put_program(to_buffer(parts, &bytes->actuals), &p, parts->actuals, parts->actuals ? parts->actual_count : 0);
}

/* `two-level.header.prototype` */
static dloc_status put_prototype(byte_sink to, const dloc_two_level_parts *parts, unit_bytes *bytes) {
  const uint8_t size = parts->unit.offset_size;
  byte_sink front = to_buffer(parts, &bytes->front), tables = to_buffer(parts, &bytes->tables);
  TRY(put_parameters(front, &parts->unit.parameters));
  TRY(put_fixed(front, 0, 2)); /* no directories and no files for readers of version 4 */
  TRY(sink_bytes(front.sink, TWO_LEVEL_FAKE_OPCODE, TWO_LEVEL_FAKE_SIZE));
  TRY(put_entries_v5(tables, &parts->unit));
  TRY(put_subprograms(tables, parts));
  uint64_t logicals = bytes->front.size + 2U * size + bytes->tables.size;
  TRY(put_fixed(to, TWO_LEVEL_PROTOTYPE, 2));
  TRY(put_fixed(to, logicals, size)); /* header_length */
  TRY(put_buffer(to, &bytes->front));
  TRY(put_fixed(to, logicals, size));
  TRY(put_fixed(to, parts->actuals ? logicals + bytes->logicals.size : 0, size));
  return put_buffer(to, &bytes->tables);
}

/* `two-level.header.issue` */
static dloc_status put_issue(byte_sink to, const dloc_two_level_parts *parts, unit_bytes *bytes) {
  const uint8_t size = parts->unit.offset_size;
  byte_sink front = to_buffer(parts, &bytes->front);
  TRY(put_parameters(front, &parts->unit.parameters));
  TRY(put_entries_v2(front, &parts->unit));
  TRY(put_fixed(to, TWO_LEVEL_ISSUE, 2));
  TRY(put_fixed(to, size + 1U + bytes->front.size, size)); /* header_length */
  TRY(put_fixed(to, parts->actuals ? bytes->logicals.size : 0, size));
  TRY(put_fixed(to, FORM_STRP, 1));
  return put_buffer(to, &bytes->front);
}

dloc_status dloc_two_level_write(const dloc_two_level_parts *parts, dloc_sink sink) {
  OWNED(release_bytes) unit_bytes bytes = {.all = {0}};
  bool is_issue = parts->unit.parameters.dialect == DLOC_DIALECT_ISSUE;
  byte_sink to = to_buffer(parts, &bytes.all);
  TRY(put_programs(parts, &bytes));
  TRY(is_issue ? put_issue(to, parts, &bytes) : put_prototype(to, parts, &bytes));
  TRY(put_buffer(to, &bytes.logicals));
  TRY(put_buffer(to, &bytes.actuals));
  return put_sized((byte_sink){sink, parts->unit.big_endian}, parts->unit.offset_size,
                   (dloc_text){bytes.all.bytes, bytes.all.size});
}
