/* dloc lines --raw: headers and instructions as they stand there. */
#include "document/buffer.h"
#include "lines.h"
#include "ops/line_terms.h"

#include <inttypes.h>

static void print_lengths(const dloc_line_parameters *p) {
  fputs("  standard_opcode_lengths   ", stdout);
  for (size_t i = 0; i < p->opcode_lengths.size; i++)
    printf(" %u", (unsigned)(uint8_t)p->opcode_lengths.bytes[i]);
  puts("");
}

static void print_header(const dloc_line_unit *unit) {
  const dloc_line_parameters *p = &unit->parameters;
  const struct {
    const char *name;
    int64_t value;
    unsigned since;
  } fields[] = {{"version", unit->version, 0},
                {"address_size", p->address_size, 5},
                {"segment_selector_size", unit->segment_selector_size, 5},
                {"header_length", (int64_t)unit->header_length, 2},
                {"minimum_instruction_length", p->minimum_instruction_length, 2},
                {"maximum_operations", p->maximum_operations, 4},
                {"default_is_stmt", p->default_is_stmt, 2},
                {"line_base", p->line_base, 2},
                {"line_range", p->line_range, 2},
                {"opcode_base", p->opcode_base, 2}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (p->version >= fields[i].since && (p->version < 6 || i == 0)) /* of another version nothing more is known */
      printf("  %-27s%" PRId64 "\n", fields[i].name, fields[i].value);
  if (p->opcode_lengths.size)
    print_lengths(p);
}

static void print_tables(line_file *file, const dloc_line_unit *unit) {
  unsigned first = unit->parameters.version < 5;
  const dloc_text *directory = dloc_line_unit_directories(file->table, unit);
  const dloc_line_file *f = dloc_line_unit_files(file->table, unit);
  for (size_t i = 0; i < unit->directory_count; i++) {
    printf("  directory %zu: ", i + first);
    tool_print_name(stdout, directory[i], "\n");
  }
  for (size_t i = 0; i < unit->file_count; i++) {
    printf("  file %zu: ", i + first);
    tool_print_name(stdout, f[i].name, "");
    printf(", directory %" PRIu64, f[i].directory);
    if (f[i].time || f[i].size)
      printf(", time %" PRIu64 ", size %" PRIu64, f[i].time, f[i].size);
    for (size_t j = 0; f[i].has_md5 && j < sizeof f[i].md5; j++)
      printf("%s%02x", j ? "" : ", MD5 ", (unsigned)f[i].md5[j]);
    if (f[i].has_source)
      printf(", source of %zu bytes", f[i].source.size);
    puts("");
  }
  if (unit->has_names)
    printf("  names of functions at .debug_str+0x%" PRIx32 "\n", unit->names);
}

/* The state of the program's visit. */
typedef struct raw_view {
  const line_file *file;
  const dloc_line_unit *unit;
  dloc_buffer text;
} raw_view;

/* The advance of an opcode that does not say so itself. */
static void write_advance(const raw_view *v, const dloc_line_instruction *instruction, dloc_buffer *text) {
  bool special = instruction->opcode == DLOC_LINE_SPECIAL;
  if (!special && instruction->opcode != DLOC_LINE_CONST_ADD_PC)
    return;
  uint8_t opcode = special ? instruction->number : 255;
  dloc_line_advance advance = dloc_line_special(&v->file->profile, &v->unit->parameters, opcode);
  buffer_format(text, ": operation advance %u", (unsigned)advance.operations);
  if (special)
    buffer_format(text, ", line %+" PRId32, advance.lines);
}

static dloc_status print_instruction(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction) {
  raw_view *v = user;
  dloc_buffer *text = &v->text;
  size_t shown = bytes.size < 12 ? bytes.size : 12;
  text->size = 0;
  buffer_format(text, "  0x%08zx ", at);
  for (size_t i = 0; i < shown; i++)
    buffer_format(text, " %02x", (unsigned)(uint8_t)bytes.bytes[i]);
  buffer_format(text, "%s%*s", shown < bytes.size ? " .." : "", (int)(3 * (13 - shown) - (shown < bytes.size ? 3 : 0)),
                "");
  size_t size = text->size;
  line_instruction_write(instruction, text);
  write_advance(v, instruction, text);
  fwrite(text->bytes, 1, size, stdout);
  tool_print_name(stdout, (dloc_text){text->bytes + size, text->size - size}, "\n");
  return DLOC_OK;
}

void lines_raw(line_file *file) {
  size_t count;
  OWNED(memory_release) char *label = line_file_label(file);
  raw_view view = {.file = file};
  const dloc_line_unit *unit = dloc_line_table_units(file->table, &count);
  for (size_t i = 0; i < count; i++) {
    printf("%s+0x%zx: %u-bit DWARF, ends at 0x%zx, program at 0x%zx\n", label, unit[i].offset, 8U * unit[i].offset_size,
           unit[i].end, unit[i].program);
    print_header(&unit[i]);
    print_tables(file, &unit[i]);
    view.unit = &unit[i];
    (void)dloc_line_unit_program(file->table, &unit[i], print_instruction, &view);
    puts("");
  }
  dloc_buffer_deinit(&view.text);
}
