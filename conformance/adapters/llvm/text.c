/* text.c - the metadata of many vectors as one LLVM module. */
#include "llvm.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A printed node: where its text is in `metadata`, and its number. A vector uses distinct nodes of one text in
 * order: the first one, the second, ... */
typedef struct llvm_line {
  size_t offset; /* + 1; 0: an empty place of the table */
  size_t size;
  uint64_t hash;
  uint64_t number;
  uint64_t order;         /* among the lines of the text */
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

/* Creating a context costs more than building most vectors, so one serves several of them. */
enum { CONTEXT_USES = 256 };

void llvm_text_begin(llvm_text *t, bool fresh) {
  t->vector_number++;
  value_arena_reset(&t->arena);
  if (t->context && t->context_uses++ < CONTEXT_USES && !fresh)
    return;
  dloc_context_destroy(t->context);
  t->context = memory_context();
  t->context_uses = 0;
  if (t->number_room > 0)
    memset(t->numbers, 0, t->number_room * sizeof *t->numbers);
}

void llvm_text_built(llvm_text *t) {
  size_t limit = dloc_node_limit(t->context), room = 2 * limit;
  if (limit <= t->number_room)
    return;
  t->numbers = memory_resize(t->numbers, room, sizeof *t->numbers);
  memset(t->numbers + t->number_room, 0, (room - t->number_room) * sizeof *t->numbers);
  t->number_room = room;
}

/* ---- Lines of the same text ---- */

static void place_line(llvm_line *lines, size_t room, const llvm_line *line) {
  size_t at = line->hash & (room - 1);
  while (lines[at].offset)
    at = (at + 1) & (room - 1);
  lines[at] = *line;
}

static void grow_lines(llvm_text *t) {
  if (t->line_count + t->line_count / 2 < t->line_room)
    return;
  size_t room = t->line_room ? 2 * t->line_room : 1024;
  if (!t->line_room)
    t->key = hash_key_choose(t);
  llvm_line *lines = memory_allocate(room, sizeof *lines);
  for (size_t i = 0; i < t->line_room; i++)
    if (t->lines[i].offset)
      place_line(lines, room, &t->lines[i]);
  free(t->lines);
  t->lines = lines;
  t->line_room = room;
}

/* The line of that order of the text in scratch. */
static llvm_line *find_line(const llvm_text *t, uint64_t hash, uint64_t order) {
  for (size_t at = hash & (t->line_room - 1); t->lines[at].offset; at = (at + 1) & (t->line_room - 1)) {
    llvm_line *line = &t->lines[at];
    if (line->hash == hash && line->order == order && line->size == t->scratch.size &&
        memcmp(t->metadata.bytes + line->offset - 1, t->scratch.bytes, line->size) == 0)
      return line;
  }
  return NULL;
}

static uint64_t hash_line(const llvm_text *t, uint64_t order) {
  return hash_bytes(&t->key, hash_word(&t->key, t->key.start, order), buffer_text(&t->scratch));
}

/* How many distinct lines of the text in scratch this vector uses already; it uses one more. */
static uint64_t count_use(llvm_text *t) {
  llvm_line *first = find_line(t, hash_line(t, 0), 0);
  if (!first)
    return 0;
  if (first->vector_number != t->vector_number)
    first->used = 0;
  first->vector_number = t->vector_number;
  return first->used++;
}

static size_t write_line(llvm_text *t, uint64_t number) {
  buffer_format(&t->metadata, "!%" PRIu64 " = ", number);
  size_t offset = t->metadata.size;
  buffer_put(&t->metadata, buffer_text(&t->scratch));
  buffer_put(&t->metadata, dloc_text_of("\n"));
  return offset;
}

/* The number of a line of the text in scratch. */
static uint64_t share_line(llvm_text *t, bool distinct) {
  grow_lines(t);
  uint64_t order = distinct ? count_use(t) : 0, hash = hash_line(t, order);
  const llvm_line *found = find_line(t, hash, order);
  if (found)
    return found->number;
  uint64_t number = t->next_number++;
  size_t offset = write_line(t, number);
  llvm_line line = {offset + 1, t->scratch.size, hash, number, order, t->vector_number, distinct};
  place_line(t->lines, t->line_room, &line);
  t->line_count++;
  return number;
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
                        ", spFlags: DISPFlagDefinition, unit: !%" PRIu64 ")",
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
}

void llvm_code_dbg_of_function(llvm_text *t, dloc_node subprogram) {
  if (subprogram != DLOC_NULL)
    llvm_code(t, " !dbg !%" PRIu64, llvm_text_node(t, subprogram));
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
