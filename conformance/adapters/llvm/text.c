/* text.c - the metadata of many vectors as one LLVM module. */
#include "llvm.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A printed node. A vector uses distinct nodes of one text in order: the first one, the second, ... */
typedef struct llvm_line {
  uint64_t number;        /* + 1; 0: not written yet */
  uint64_t vector_number; /* of the first one: the last vector that used distinct ones, and how many */
  uint64_t used;
} llvm_line;

void llvm_text_deinit(llvm_text *t) {
  value_arena_deinit(&t->arena);
  dloc_context_destroy(t->context);
  dloc_buffer_deinit(&t->code);
  dloc_buffer_deinit(&t->metadata);
  dloc_buffer_deinit(&t->scratch);
  dloc_buffer_deinit(&t->units);
  names_deinit(&t->texts);
  value_arena_deinit(&t->kept);
  free(t->numbers);
  free(t->lines);
  free(t->stack);
}

void llvm_code(llvm_text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  buffer_format_list(&t->code, format, arguments);
  va_end(arguments);
}

void llvm_code_string(llvm_text *t, dloc_text text) { (void)dloc_print_string(text, buffer_sink(&t->code)); }

void llvm_text_begin(llvm_text *t) {
  t->vector_number++;
  value_arena_reset(&t->arena);
  t->context = t->context ? t->context : memory_context();
  dloc_context_reset(t->context);
}

void llvm_text_built(llvm_text *t) {
  size_t limit = dloc_node_limit(t->context);
  t->numbers = memory_resize(t->numbers, limit, sizeof *t->numbers);
  memset(t->numbers, 0, limit * sizeof *t->numbers);
}

/* ---- Lines of the same text ---- */

static void write_line(llvm_text *t, uint64_t number) {
  buffer_format(&t->metadata, "!%" PRIu64 " = ", number);
  buffer_put(&t->metadata, buffer_text(&t->scratch));
  buffer_put(&t->metadata, dloc_text_of("\n"));
}

/* The line of that order among those of the text in scratch. */
static llvm_line *line_of(llvm_text *t, uint64_t order) {
  size_t size = t->scratch.size, found;
  buffer_format(&t->scratch, "\n%" PRIu64, order);
  if (!names_find(&t->texts, buffer_text(&t->scratch), &found)) {
    found = names_number(&t->texts, value_arena_copy(&t->kept, buffer_text(&t->scratch)));
    *MEMORY_ADD(t->lines, t->line_count) = (llvm_line){.number = 0};
  }
  t->scratch.size = size;
  return &t->lines[found];
}

/* The number of a line of the text in scratch. */
static uint64_t share_line(llvm_text *t, bool distinct) {
  llvm_line *line = line_of(t, 0);
  if (distinct) {
    line->used = line->vector_number == t->vector_number ? line->used + 1 : 1;
    line->vector_number = t->vector_number;
    line = line->used > 1 ? line_of(t, line->used - 1) : line;
  }
  if (line->number == 0) {
    write_line(t, t->next_number);
    line->number = ++t->next_number;
  }
  return line->number - 1;
}

uint64_t llvm_text_made(llvm_text *t, const char *format, ...) {
  va_list arguments;
  t->scratch.size = 0;
  va_start(arguments, format);
  buffer_format_list(&t->scratch, format, arguments);
  va_end(arguments);
  write_line(t, t->next_number);
  return t->next_number++;
}

uint64_t llvm_text_made_tuple(llvm_text *t, dloc_text kind, const char *format, ...) {
  va_list arguments;
  t->scratch.size = 0;
  buffer_put(&t->scratch, dloc_text_of("!{!"));
  (void)dloc_print_string(kind, buffer_sink(&t->scratch));
  va_start(arguments, format);
  buffer_format_list(&t->scratch, format, arguments);
  va_end(arguments);
  write_line(t, t->next_number);
  return t->next_number++;
}

static void add_unit(llvm_text *t, uint64_t number) {
  buffer_format(&t->units, "%s!%" PRIu64, t->units.size ? ", " : "", number);
}

uint64_t llvm_text_subprogram(llvm_text *t) {
  if (!t->own_unit) {
    t->own_file = llvm_text_made(t, "!DIFile(filename: \"dloc\", directory: \".\")") + 1;
    t->own_unit = llvm_text_made(t,
                                 "distinct !DICompileUnit(language: DW_LANG_C99, file: !%" PRIu64
                                 ", emissionKind: DebugDirectivesOnly)",
                                 t->own_file - 1) +
                  1;
    add_unit(t, t->own_unit - 1);
  }
  return llvm_text_made(t,
                        "distinct !DISubprogram(name: \"dloc\", scope: !%" PRIu64 ", file: !%" PRIu64
                        ", type: !DISubroutineType(types: null), spFlags: DISPFlagDefinition, unit: !%" PRIu64 ")",
                        t->own_file - 1, t->own_file - 1, t->own_unit - 1);
}

/* ---- Nodes ---- */

/* States of numbers[node]: 0 not met, OPEN below it on the stack, otherwise the number + 1. A node that is referred to
 * while it is open gets a number of its own at once: it is part of a cycle, and nodes of cycles are not shared. */
static const uint64_t open_mark = UINT64_MAX;

static dloc_status write_reference(void *user, dloc_sink sink, dloc_node node) {
  llvm_text *t = user;
  if (t->numbers[node] == open_mark)
    t->numbers[node] = t->next_number++ + 1;
  char text[32];
  int n = snprintf(text, sizeof text, "!%" PRIu64, t->numbers[node] - 1);
  return sink.write(sink.user, text, (size_t)n) ? DLOC_OK : DLOC_NO_MEMORY;
}

/* Every operand has its number: write the node. */
static void close_node(llvm_text *t, dloc_node node) {
  t->scratch.size = 0;
  (void)dloc_print_node(t->context, node, write_reference, t, buffer_sink(&t->scratch));
  bool distinct = dloc_node_is_distinct(t->context, node);
  uint64_t before = t->next_number;
  if (t->numbers[node] != open_mark) {
    write_line(t, t->numbers[node] - 1);
    before = 0;
  } else if (distinct && t->private_nodes) {
    t->numbers[node] = t->next_number + 1;
    write_line(t, t->next_number++);
  } else {
    t->numbers[node] = share_line(t, distinct) + 1;
  }
  bool is_new = t->numbers[node] - 1 >= before;
  if (is_new && dloc_node_kind(t->context, node) == DLOC_KIND_COMPILE_UNIT)
    add_unit(t, t->numbers[node] - 1);
}

/* A node that is being walked, and which of its operands is next. */
typedef struct llvm_frame {
  dloc_node node;
  size_t next;
} llvm_frame;

static void push(llvm_text *t, size_t *depth, dloc_node node) {
  *MEMORY_ADD(t->stack, *depth) = (llvm_frame){node, 0};
  t->numbers[node] = open_mark;
}

/* The next node it refers to that was not met. */
static bool unmet_operand(const llvm_text *t, llvm_frame *frame, dloc_node *ret) {
  while (dloc_next_reference(t->context, frame->node, &frame->next, ret))
    if (t->numbers[*ret] == 0)
      return true;
  return false;
}

uint64_t llvm_text_node(llvm_text *t, dloc_node node) {
  size_t depth = 0;
  if (t->numbers[node] == 0)
    push(t, &depth, node);
  while (depth > 0) {
    dloc_node operand;
    if (unmet_operand(t, &t->stack[depth - 1], &operand))
      push(t, &depth, operand);
    else
      close_node(t, t->stack[--depth].node);
  }
  return t->numbers[node] - 1;
}

void llvm_code_dbg(llvm_text *t, dloc_node debug_loc) {
  if (debug_loc != DLOC_NULL)
    llvm_code(t, ", !dbg !%" PRIu64, llvm_text_node(t, debug_loc));
  llvm_code(t, "\n");
}

void llvm_code_function(llvm_text *t, dloc_node subprogram, const char *format, ...) {
  va_list arguments;
  llvm_code(t, "define ");
  va_start(arguments, format);
  buffer_format_list(&t->code, format, arguments);
  va_end(arguments);
  if (subprogram != DLOC_NULL)
    llvm_code(t, " !dbg !%" PRIu64, llvm_text_node(t, subprogram));
  llvm_code(t, " {\n");
}

void llvm_code_named(llvm_text *t, const char *name, const dloc_node *nodes, size_t count) {
  llvm_code(t, "!%s = !{", name);
  for (size_t i = 0; i < count; i++)
    llvm_code(t, "%s!%" PRIu64, i ? ", " : "", llvm_text_node(t, nodes[i]));
  llvm_code(t, "}\n");
}

void llvm_code_sources(llvm_text *t, const dloc_module *module) {
  dloc_named_metadata list;
  if (!dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return;
  dloc_node *entries = value_arena_alloc(&t->arena, list.operand_count, sizeof *entries);
  for (size_t i = 0; i < list.operand_count; i++)
    entries[i] = dloc_module_named_operand(module, &list, i);
  llvm_code_named(t, DLOC_SOURCE_LIST, entries, list.operand_count);
}

void llvm_text_finish(llvm_text *t) {
  uint64_t version = llvm_text_made(t, "!{i32 2, !\"Debug Info Version\", i32 3}");
  buffer_put(&t->code, buffer_text(&t->metadata));
  llvm_code(t, "!llvm.module.flags = !{!%" PRIu64 "}\n!llvm.dbg.cu = !{", version);
  buffer_put(&t->code, buffer_text(&t->units));
  llvm_code(t, "}\n");
}
