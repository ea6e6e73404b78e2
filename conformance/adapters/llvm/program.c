/* program.c - line number programs, as llvm-mc writes them. Each sequence of rows is a section with a `.loc` for each
 * row. The instructions are read from the line table of the object, whose sequences have the order of sections. */
#include "llvm.h"
#include "ops/line_terms.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_FILES = 9, MOST_BYTES = 1 << 20 };

/* ---- Writing ---- */

static void write_loc(llvm_text *t, const dloc_row *row) {
  llvm_code(t, ".loc %u %" PRIu32 " %u is_stmt %u isa %u", (unsigned)row->file, row->line, (unsigned)row->column,
            (unsigned)row->flags & DLOC_ROW_IS_STMT, (unsigned)row->isa);
  llvm_code(t, "%s%s%s", row->flags & DLOC_ROW_BASIC_BLOCK ? " basic_block" : "",
            row->flags & DLOC_ROW_PROLOGUE_END ? " prologue_end" : "",
            row->flags & DLOC_ROW_EPILOGUE_BEGIN ? " epilogue_begin" : "");
  if (row->discriminator)
    llvm_code(t, " discriminator %" PRIu32, row->discriminator);
  llvm_code(t, "\n");
}

/* Code up to an address, whose first instruction the last row stands before. */
static void write_code(llvm_text *t, uint64_t bytes) {
  if (bytes > 0)
    llvm_code(t, "nop\n");
  if (bytes > 1)
    llvm_code(t, ".skip %" PRIu64 ", 0x90\n", bytes - 1);
}

static bool write_rows(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const dloc_row_call *calls;
  const term *list = term_list(built->args, "rows");
  const dloc_row *rows = line_rows_of(list, &t->arena, &calls);
  for (unsigned file = 1; !b->probe_count && file <= MOST_FILES; file++)
    llvm_code(t, ".file %u \"%u.c\"\n", file, file);
  for (uint32_t i = 0, first = 0; i < list->count; i++) {
    if (i == first) {
      unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
      llvm_code(t, ".section .text.%u,\"ax\",@progbits\n.skip %" PRIu64 "\n", probe, rows[i].address);
    } else
      write_code(t, rows[i].address - rows[i - 1].address);
    if (rows[i].flags & DLOC_ROW_END_SEQUENCE)
      first = i + 1;
    else
      write_loc(t, &rows[i]);
  }
  return true;
}

/* ---- Reading ---- */

/* The answer that is being made: of the vector of the last probes. */
typedef struct reading_program {
  llvm_batch *b;
  dloc_line_instruction *program;
  size_t count;
  dloc_buffer bytes;
  size_t probe;
} reading_program;

static void answer_program(reading_program *r, size_t position) {
  const term *args = llvm_vector(r->b, position)->read_args;
  vector_answer given = llvm_begin_answer(r->b, position);
  line_program_describe(&r->b->arena, given.value, "program", r->program, r->count);
  if (term_flag(args, "bytes"))
    line_bytes_describe(&r->b->arena, given.value, buffer_text(&r->bytes));
  llvm_give(r->b, position, NULL, &given);
  r->count = r->bytes.size = 0;
}

/* One instruction. The answer of a vector follows its last sequence. */
static dloc_status see_instruction(void *user, size_t at, dloc_text bytes, const dloc_line_instruction *instruction) {
  reading_program *r = user;
  const llvm_probe *probes = r->b->probes;
  (void)at;
  if (r->probe >= r->b->probe_count)
    return DLOC_STOPPED;
  *MEMORY_ADD(r->program, r->count) = *instruction;
  buffer_put(&r->bytes, bytes);
  size_t position = probes[r->probe].position;
  if (instruction->opcode != DLOC_LINE_END_SEQUENCE)
    return DLOC_OK;
  r->probe++;
  if (r->probe == r->b->probe_count || probes[r->probe].position != position)
    answer_program(r, position);
  return DLOC_OK;
}

static dloc_status read_table(llvm_batch *b, dloc_context *context, dloc_object *object) {
  dloc_diagnostic diagnostic;
  dloc_object_section section;
  bool found;
  TRY(dloc_object_section_find(object, dloc_text_of(".debug_line"), &diagnostic, &section, &found));
  const dloc_line_sections sections = {.line = section.bytes, .address_size = 8};
  OWNED(release_dloc_line_table) dloc_line_table *table = NULL;
  TRY(dloc_line_table_read(context, dloc_profile_at(0), &sections, NULL, NULL, &table));
  size_t count;
  const dloc_line_unit *units = dloc_line_table_units(table, &count);
  reading_program r = {.b = b};
  dloc_status status = count ? dloc_line_unit_program(table, units, see_instruction, &r) : DLOC_INVALID;
  free(r.program);
  dloc_buffer_deinit(&r.bytes);
  return status;
}

/* Unreadable output leaves its vectors without an answer. */
static void read_object(llvm_batch *b) {
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  dloc_object *object = NULL;
  dloc_diagnostic diagnostic;
  if (dloc_object_open(context, buffer_text(&b->child.output), &diagnostic, &object) == DLOC_OK)
    (void)read_table(b, context, object);
  dloc_object_close(object);
}

/* ---- What llvm-mc can be asked ---- */

/* The end of a sequence is the end of its section: it has no registers of its own, and a row has code behind it. */
static bool is_plain_end(const dloc_row *before, const dloc_row *end) {
  return end->address > before->address && end->line == before->line && end->file == before->file &&
         end->column == before->column && end->isa == before->isa && end->discriminator == 0 &&
         end->flags == ((before->flags & DLOC_ROW_IS_STMT) | DLOC_ROW_END_SEQUENCE);
}

static bool has_directives(const dloc_row *rows, size_t count) {
  bool begins = true;
  for (size_t i = 0; i < count; i++) {
    const dloc_row *row = &rows[i];
    bool end = row->flags & DLOC_ROW_END_SEQUENCE;
    if (row->file < 1 || row->file > MOST_FILES || row->op_index || row->address >= MOST_BYTES || (begins && end) ||
        (!begins && row->address < row[-1].address) || (end && !is_plain_end(row - 1, row)))
      return false;
    begins = end;
  }
  return begins;
}

/* llvm-mc has one header for each version. */
static bool is_usual(const dloc_line_parameters *p, unsigned version) {
  return p->dialect == DLOC_DIALECT_STANDARD && p->version == version && p->address_size == 8 &&
         p->minimum_instruction_length == 1 && p->maximum_operations == 1 && p->default_is_stmt && p->line_base == -5 &&
         p->line_range == 14 && p->opcode_base == 13 && !p->opcode_lengths.size;
}

static bool takes_version(const vector *v, unsigned version) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  const dloc_row_call *calls;
  const term *rows = term_list(v->read_args, "rows");
  const dloc_line_parameters p = line_header_of(term_get(v->read_args, "header"), &arena);
  return is_usual(&p, version) && !term_flag(v->read_args, "fixed") &&
         has_directives(line_rows_of(rows, &arena, &calls), rows->count);
}

static bool takes_version_3(const llvm_adapter *a, const vector *v) { return a && takes_version(v, 3); }
static bool takes_version_4(const llvm_adapter *a, const vector *v) { return a && takes_version(v, 4); }

#define PROGRAM                                                                                                        \
  .most = 1024, .tool = LLVM_MC, .object = true, .verified = true, .write = write_rows, .read = read_object

const llvm_recipe llvm_program[LLVM_MOST_RECIPES] = {
    {PROGRAM, .takes = takes_version_4, .options = {"-triple=x86_64-linux-gnu", "-filetype=obj", "-dwarf-version=4"}},
    {PROGRAM, .takes = takes_version_3, .options = {"-triple=x86_64-linux-gnu", "-filetype=obj", "-dwarf-version=3"}}};
