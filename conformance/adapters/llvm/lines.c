/* lines.c - rows, as llvm-dwarfdump shows them: each vector is a unit of the one .debug_line section of an object, and
 * the tool tells at which offset the unit stands that it shows. */
#include "llvm.h"
#include "ops/line_terms.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ---- */

static bool write_unit(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  static const dloc_line_file files[] = {{.name = {"a.c", 3}}, {.name = {"b.c", 3}}};
  static const dloc_text directory = {"/", 1};
  const term *program = term_list(built->args, "program");
  dloc_line_unit_parts parts = {.parameters = line_header_of(term_get(built->args, "header"), &t->arena),
                                .offset_size = 4,
                                .directories = &directory,
                                .files = files,
                                .file_count = 2,
                                .program = line_program_of(program, &t->arena),
                                .count = program->count};
  parts.directory_count = parts.parameters.version >= 5;
  (void)llvm_probe_add(b, position, (uint32_t)b->groups->size, 0, 0);
  if (dloc_line_unit_write(&parts, dloc_buffer_sink(b->groups)) == DLOC_OK)
    return true;
  return llvm_skip(b, position, "the program cannot be written under its header");
}

/* The least object that has the section. */
static void write_object(llvm_batch *b, llvm_text *t) {
  static const char names[] = "\0.debug_line\0.shstrtab";
  enum { NAME_LINE = 1, NAME_NAMES = 13, SECTIONS = 3 };
  const size_t start = sizeof(Elf64_Ehdr) + SECTIONS * sizeof(Elf64_Shdr);
  const Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                             .e_type = ET_REL,
                             .e_machine = EM_X86_64,
                             .e_version = EV_CURRENT,
                             .e_shoff = sizeof header,
                             .e_ehsize = sizeof header,
                             .e_shentsize = sizeof(Elf64_Shdr),
                             .e_shnum = SECTIONS,
                             .e_shstrndx = SECTIONS - 1};
  const Elf64_Shdr sections[SECTIONS] = {
      {.sh_type = SHT_NULL},
      {.sh_name = NAME_LINE, .sh_type = SHT_PROGBITS, .sh_offset = start, .sh_size = b->groups->size},
      {.sh_name = NAME_NAMES, .sh_type = SHT_STRTAB, .sh_offset = start + b->groups->size, .sh_size = sizeof names}};
  buffer_put(&t->code, (dloc_text){(const char *)&header, sizeof header});
  buffer_put(&t->code, (dloc_text){(const char *)sections, sizeof sections});
  buffer_put(&t->code, buffer_text(b->groups));
  buffer_put(&t->code, (dloc_text){names, sizeof names});
}

/* ---- Reading ---- */

/* "0x0000000000001000     42      3      2   4             5       0  is_stmt"; older releases have no op_index. */
static bool read_row(dloc_text line, bool has_op_index, dloc_row *ret) {
  static const char *const flags[] = {"is_stmt", "basic_block", "prologue_end", "epilogue_begin", "end_sequence"};
  char copy[200];
  unsigned long address;
  unsigned row_line, column, file, isa, discriminator, op_index = 0;
  snprintf(copy, sizeof copy, "%.*s", (int)(line.size < sizeof copy ? line.size : sizeof copy - 1), line.bytes);
  if (sscanf(copy, "0x%lx %u %u %u %u %u", &address, &row_line, &column, &file, &isa, &discriminator) != 6 ||
      (has_op_index && sscanf(copy, "%*s %*u %*u %*u %*u %*u %u", &op_index) != 1))
    return false;
  *ret = (dloc_row){.address = address,
                    .line = row_line,
                    .discriminator = discriminator,
                    .file = file & 0xffffff,
                    .op_index = op_index & 0xff,
                    .column = (uint16_t)column,
                    .isa = (uint8_t)isa};
  for (unsigned i = 0; i < 5; i++)
    ret->flags |= (uint8_t)((strstr(copy, flags[i]) != NULL) << i);
  return true;
}

typedef struct shown {
  dloc_row *rows;
  size_t count;
} shown;

/* The rows of a unit, which begin behind the ruler of its table. */
static shown read_rows(dloc_text text) {
  shown found = {NULL, 0};
  const char *ruler = text_find(text, "\n-----");
  bool has_op_index = text_find(text, " OpIndex ") != NULL;
  size_t before = ruler ? (size_t)(ruler - text.bytes) : text.size;
  for (dloc_text rest = {text.bytes + before, text.size - before}; rest.size;) {
    dloc_text line = text_take_line(&rest);
    dloc_row row;
    if (read_row(line, has_op_index, &row))
      *MEMORY_ADD(found.rows, found.count) = row;
  }
  return found;
}

static void answer_unit(llvm_batch *b, size_t position, dloc_text text) {
  vector_answer given = llvm_begin_answer(b, position);
  shown found = read_rows(text);
  line_rows_describe(&b->arena, given.value, "rows", found.rows, NULL, found.count);
  llvm_give(b, position, NULL, &given);
  free(found.rows);
}

/* "debug_line[0x00000040]" begins what is said of the unit at that offset. */
static void read_units(llvm_batch *b) {
  static const char marker[] = "\ndebug_line[";
  dloc_text rest = buffer_text(&b->child.output);
  size_t probe = 0;
  for (const char *next = text_find(rest, marker); next;) {
    rest = (dloc_text){next + 1, (size_t)(rest.bytes + rest.size - next - 1)};
    next = text_find(rest, marker);
    size_t size = next ? (size_t)(next - rest.bytes) : rest.size;
    unsigned long offset = strtoul(rest.bytes + sizeof marker - 2, NULL, 16);
    while (probe < b->probe_count && b->probes[probe].call < offset)
      probe++;
    if (probe < b->probe_count && b->probes[probe].call == offset)
      answer_unit(b, b->probes[probe].position, (dloc_text){rest.bytes, size});
  }
}

/* LLVM tells faults in warnings of its own words: it is not asked for problems where there are some. Its
 * tool prints rows and no sequences, of programs of DWARF in 64-bit objects. */
static bool shows_rows(const llvm_adapter *a, const vector *v) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  const dloc_line_parameters p = line_header_of(term_get(v->read_args, "header"), &arena);
  bool problems = term_flag(v->read_args, "problems") && v->expect.read && term_get(v->expect.read, "problems");
  return a && !problems && !term_flag(v->read_args, "sequences") && p.dialect == DLOC_DIALECT_STANDARD &&
         p.address_size == 8 && p.version >= 2 && p.version <= 5;
}

#define LINES .most = 4096, .tool = LLVM_DWARFDUMP, .options = {"--debug-line"}, .object = true, .verified = true

const llvm_recipe llvm_lines[LLVM_MOST_RECIPES] = {
    {LINES, .takes = shows_rows, .write = write_unit, .write_end = write_object, .read = read_units}};
