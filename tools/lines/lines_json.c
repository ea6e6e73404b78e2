/* dloc lines --json: a line for each unit. Addresses are texts of 16 hexadecimal digits, which every reader keeps
 * whole. */
#include "document/buffer.h"
#include "document/value.h"
#include "lines.h"
#include "ops/line_terms.h"

#include <inttypes.h>

static void print_text(const char *before, dloc_text text) {
  fputs(before, stdout);
  (void)value_write_text(text, tool_file_sink(stdout));
}

static void print_bytes(const char *before, const char *bytes, size_t size) {
  printf("%s\"", before);
  for (size_t i = 0; i < size; i++)
    printf("%02x", (unsigned)(uint8_t)bytes[i]);
  putchar('"');
}

static void print_header(const line_file *file, const dloc_line_unit *unit) {
  const dloc_line_parameters *p = &unit->parameters;
  print_text("{\"section\":", file->section.name);
  printf(",\"index\":%" PRIu32 ",\"offset\":%zu,\"end\":%zu,\"offset_size\":%u,\"version\":%u,\"address_size\":%u,"
         "\"segment_selector_size\":%u,\"header_length\":%" PRIu64 ",\"program\":%zu,\"minimum_instruction_length\":%u,"
         "\"maximum_operations\":%u,\"default_is_stmt\":%s,\"line_base\":%d,\"line_range\":%u,\"opcode_base\":%u",
         file->section.index, unit->offset, unit->end, (unsigned)unit->offset_size, (unsigned)unit->version,
         (unsigned)p->address_size, (unsigned)unit->segment_selector_size, unit->header_length, unit->program,
         (unsigned)p->minimum_instruction_length, (unsigned)p->maximum_operations,
         p->default_is_stmt ? "true" : "false", p->line_base, (unsigned)p->line_range, (unsigned)p->opcode_base);
  for (size_t i = 0; i < p->opcode_lengths.size; i++)
    printf("%s%u", i ? "," : ",\"standard_opcode_lengths\":[", (unsigned)(uint8_t)p->opcode_lengths.bytes[i]);
  fputs(p->opcode_lengths.size ? "]" : "", stdout);
  if (unit->has_names)
    printf(",\"names\":%" PRIu32, unit->names);
}

static void print_file(line_file *file, const dloc_line_unit *unit, size_t i) {
  const dloc_line_file *f = &dloc_line_unit_files(file->table, unit)[i];
  size_t number = i + (unit->parameters.version < 5);
  OWNED(dloc_buffer_deinit) dloc_buffer path = {0};
  (void)dloc_line_unit_path(file->table, unit, number, buffer_sink(&path));
  printf("%s{\"number\":%zu", i ? "," : "", number);
  print_text(",\"name\":", f->name);
  print_text(",\"path\":", buffer_text(&path));
  printf(",\"directory\":%" PRIu64 ",\"time\":%" PRIu64 ",\"size\":%" PRIu64, f->directory, f->time, f->size);
  if (f->has_md5)
    print_bytes(",\"md5\":", (const char *)f->md5, sizeof f->md5);
  if (f->has_source)
    print_text(",\"source\":", f->source);
  putchar('}');
}

static void print_row(const dloc_row *row, const dloc_row_call *call, bool first) {
  char letters[6];
  dloc_row_letters(row->flags, letters);
  printf("%s{\"address\":\"%016" PRIx64 "\",\"op_index\":%u,\"file\":%" PRIu32 ",\"line\":%" PRIu32
         ",\"column\":%u,\"discriminator\":%" PRIu32 ",\"isa\":%u,\"flags\":\"%s\"",
         first ? "" : ",", row->address, (unsigned)row->op_index, (uint32_t)row->file, row->line, (unsigned)row->column,
         row->discriminator, (unsigned)row->isa, letters);
  if (call)
    printf(",\"context\":%" PRIu32 ",\"function\":%" PRIu32, call->context, call->function);
  putchar('}');
}

static void print_rows(line_file *file, const dloc_line_unit *unit) {
  size_t count;
  const dloc_rows *rows = dloc_line_table_rows(file->table);
  const dloc_row *row = dloc_rows_list(rows, &count) + unit->first_row;
  const dloc_row_call *call = dloc_rows_calls(rows);
  const dloc_sequence *sequence = dloc_rows_sequences(rows, &count) + unit->first_sequence;
  fputs(",\"sequences\":[", stdout);
  for (size_t i = 0; i < unit->sequence_count; i++) {
    printf("%s{\"rows\":%zu", i ? "," : "", sequence[i].count);
    dloc_text symbol = dloc_object_relocation_name(file->object, file->section.index, sequence[i].set_address);
    if (sequence[i].set_address && symbol.size)
      print_text(",\"symbol\":", symbol);
    putchar('}');
  }
  fputs("],\"rows\":[", stdout);
  for (size_t i = 0; i < unit->row_count; i++)
    print_row(&row[i], call ? &call[unit->first_row + i] : NULL, i == 0);
}

typedef struct program {
  dloc_buffer text;
  bool begun;
} program;

static dloc_status print_instruction(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction) {
  program *p = user;
  p->text.size = 0;
  line_instruction_write(instruction, &p->text);
  printf("%s{\"at\":%zu", p->begun ? "," : "", at);
  print_bytes(",\"bytes\":", bytes.bytes, bytes.size);
  print_text(",\"instruction\":", buffer_text(&p->text));
  putchar('}');
  p->begun = true;
  return DLOC_OK;
}

void lines_json(line_file *file) {
  size_t count;
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++) {
    program p = {.begun = false};
    print_header(file, &unit[i]);
    for (size_t j = 0; j < unit[i].directory_count; j++)
      print_text(j ? "," : ",\"directories\":[", dloc_line_unit_directories(file->table, &unit[i])[j]);
    fputs(unit[i].directory_count ? "],\"files\":[" : ",\"directories\":[],\"files\":[", stdout);
    for (size_t j = 0; j < unit[i].file_count; j++)
      print_file(file, &unit[i], j);
    putchar(']');
    print_rows(file, &unit[i]);
    fputs("],\"instructions\":[", stdout);
    (void)dloc_line_unit_program(file->table, &unit[i], print_instruction, &p);
    puts("]}");
    dloc_buffer_deinit(&p.text);
  }
}
