/* llvm_text.c - the metadata of many vectors as one LLVM module. */
#include "llvm.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A printed node: where its text is in `metadata`, its number, and the last vector that used it. */
typedef struct llvm_line {
  size_t offset; /* + 1; 0: an empty place of the table */
  size_t size;
  uint64_t hash;
  uint64_t number;
  uint64_t vector_number;
} llvm_line;

void llvm_text_init(llvm_text *t) {
  *t = (llvm_text){.status = DLOC_OK};
  value_arena_init(&t->arena, NULL);
}

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
  *t = (llvm_text){.status = DLOC_OK};
}

static void append(llvm_text *t, dloc_buffer *buffer, const char *bytes, size_t size) {
  dloc_sink sink = dloc_buffer_sink(buffer);
  if (t->status == DLOC_OK && size > 0 && !sink.write(sink.user, bytes, size))
    t->status = DLOC_NO_MEMORY;
}

static void append_number(llvm_text *t, dloc_buffer *buffer, const char *before, uint64_t number, const char *after) {
  char text[64];
  int n = snprintf(text, sizeof text, "%s%" PRIu64 "%s", before, number, after);
  append(t, buffer, text, (size_t)n);
}

void llvm_code(llvm_text *t, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  append(t, &t->code, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* Creating a context costs more than building most vectors, so one serves several of them. */
enum { CONTEXT_USES = 256 };

bool llvm_text_begin(llvm_text *t) {
  t->vector_number++;
  value_arena_reset(&t->arena);
  if (t->context && t->context_uses++ < CONTEXT_USES)
    return true;
  dloc_context_destroy(t->context);
  t->context = dloc_context_create(NULL);
  t->context_uses = 0;
  if (t->number_room > 0)
    memset(t->numbers, 0, t->number_room * sizeof *t->numbers);
  if (!t->context)
    t->status = DLOC_NO_MEMORY;
  return t->context != NULL;
}

bool llvm_text_built(llvm_text *t) {
  size_t limit = dloc_node_limit(t->context);
  if (limit <= t->number_room)
    return true;
  size_t room = 2 * limit;
  uint64_t *numbers = realloc(t->numbers, room * sizeof *numbers);
  if (!numbers) {
    t->status = DLOC_NO_MEMORY;
    return false;
  }
  memset(numbers + t->number_room, 0, (room - t->number_room) * sizeof *numbers);
  t->numbers = numbers;
  t->number_room = room;
  return true;
}

/* ---- Lines of the same text ---- */

static uint64_t hash_bytes(const char *bytes, size_t size) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
  return hash ^ (hash >> 29);
}

static void place_line(llvm_line *lines, size_t room, const llvm_line *line) {
  size_t at = line->hash & (room - 1);
  while (lines[at].offset)
    at = (at + 1) & (room - 1);
  lines[at] = *line;
}

static bool grow_lines(llvm_text *t) {
  if (t->line_count + t->line_count / 2 < t->line_room)
    return true;
  size_t room = t->line_room ? 2 * t->line_room : 1024;
  llvm_line *lines = calloc(room, sizeof *lines);
  if (!lines) {
    t->status = DLOC_NO_MEMORY;
    return false;
  }
  for (size_t i = 0; i < t->line_room; i++)
    if (t->lines[i].offset)
      place_line(lines, room, &t->lines[i]);
  free(t->lines);
  t->lines = lines;
  t->line_room = room;
  return true;
}

/* A line of the text in scratch that this vector may use: a distinct one only if it does not use it yet. */
static llvm_line *find_line(llvm_text *t, uint64_t hash, bool distinct) {
  for (size_t at = hash & (t->line_room - 1); t->lines[at].offset; at = (at + 1) & (t->line_room - 1)) {
    llvm_line *line = &t->lines[at];
    bool same = line->hash == hash && line->size == t->scratch.size &&
                memcmp(t->metadata.bytes + line->offset - 1, t->scratch.bytes, line->size) == 0;
    if (same && (!distinct || line->vector_number != t->vector_number))
      return line;
  }
  return NULL;
}

static size_t write_line(llvm_text *t, uint64_t number) {
  append_number(t, &t->metadata, "!", number, " = ");
  size_t offset = t->metadata.size;
  append(t, &t->metadata, t->scratch.bytes, t->scratch.size);
  append(t, &t->metadata, "\n", 1);
  return offset;
}

/* The number of a line of the text in scratch. */
static uint64_t share_line(llvm_text *t, bool distinct) {
  if (!grow_lines(t))
    return 0;
  uint64_t hash = hash_bytes(t->scratch.bytes, t->scratch.size);
  llvm_line *found = find_line(t, hash, distinct);
  if (found) {
    found->vector_number = t->vector_number;
    return found->number;
  }
  uint64_t number = t->next_number++;
  size_t offset = write_line(t, number);
  llvm_line line = {offset + 1, t->scratch.size, hash, number, t->vector_number};
  place_line(t->lines, t->line_room, &line);
  t->line_count++;
  return number;
}

static uint64_t write_made(llvm_text *t, const char *format, va_list arguments) {
  char text[512];
  int n = vsnprintf(text, sizeof text, format, arguments);
  append(t, &t->scratch, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
  uint64_t number = t->next_number++;
  write_line(t, number);
  return number;
}

uint64_t llvm_text_made(llvm_text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  t->scratch.size = 0;
  uint64_t number = write_made(t, format, arguments);
  va_end(arguments);
  return number;
}

uint64_t llvm_text_made_tuple(llvm_text *t, dloc_text kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  t->scratch.size = 0;
  append(t, &t->scratch, "!{!", 3);
  dloc_status status = dloc_print_string(kind, dloc_buffer_sink(&t->scratch));
  if (t->status == DLOC_OK)
    t->status = status;
  uint64_t number = write_made(t, format, arguments);
  va_end(arguments);
  return number;
}

uint64_t llvm_text_subprogram(llvm_text *t) {
  if (!t->own_unit) {
    t->own_file = llvm_text_made(t, "!DIFile(filename: \"dloc\", directory: \".\")") + 1;
    t->own_unit = llvm_text_made(t,
                                 "distinct !DICompileUnit(language: DW_LANG_C99, file: !%" PRIu64
                                 ", emissionKind: DebugDirectivesOnly)",
                                 t->own_file - 1) +
                  1;
    append_number(t, &t->units, t->units.size ? ", !" : "!", t->own_unit - 1, "");
  }
  return llvm_text_made(t,
                        "distinct !DISubprogram(name: \"dloc\", scope: !%" PRIu64 ", file: !%" PRIu64
                        ", spFlags: DISPFlagDefinition, unit: !%" PRIu64 ")",
                        t->own_file - 1, t->own_file - 1, t->own_unit - 1);
}

/* ---- Nodes ---- */

/* States of numbers[node]: 0 not met, OPEN below it on the stack, else the number + 1. One that is referred to while it
 * is open gets a number at once, of its own: it is part of a cycle, and nodes of cycles are not shared. */
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
  dloc_status status = dloc_print_node(t->context, node, write_reference, t, dloc_buffer_sink(&t->scratch));
  if (status != DLOC_OK && t->status == DLOC_OK)
    t->status = status;
  if (t->status != DLOC_OK)
    return;
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
    append_number(t, &t->units, t->units.size ? ", !" : "!", t->numbers[node] - 1, "");
}

static bool push(llvm_text *t, size_t *depth, dloc_node node) {
  if (*depth == t->stack_room) {
    size_t room = t->stack_room ? 2 * t->stack_room : 64;
    dloc_node *stack = realloc(t->stack, room * sizeof *stack);
    if (!stack) {
      t->status = DLOC_NO_MEMORY;
      return false;
    }
    t->stack = stack;
    t->stack_room = room;
  }
  t->stack[(*depth)++] = node;
  t->numbers[node] = open_mark;
  return true;
}

/* The first node it refers to that was not met. */
static bool unmet_operand(const llvm_text *t, dloc_node node, dloc_node *ret) {
  for (size_t i = 0; dloc_next_reference(t->context, node, &i, ret);)
    if (t->numbers[*ret] == 0)
      return true;
  return false;
}

uint64_t llvm_text_node(llvm_text *t, dloc_node node) {
  size_t depth = 0;
  if (t->status == DLOC_OK && t->numbers[node] == 0)
    push(t, &depth, node);
  while (t->status == DLOC_OK && depth > 0) {
    dloc_node operand;
    if (unmet_operand(t, t->stack[depth - 1], &operand))
      push(t, &depth, operand);
    else
      close_node(t, t->stack[--depth]);
  }
  return t->status == DLOC_OK ? t->numbers[node] - 1 : 0;
}

void llvm_code_dbg(llvm_text *t, dloc_node debug_loc) {
  if (debug_loc != DLOC_NULL)
    append_number(t, &t->code, ", !dbg !", llvm_text_node(t, debug_loc), "");
}

void llvm_code_dbg_of_function(llvm_text *t, dloc_node subprogram) {
  if (subprogram != DLOC_NULL)
    append_number(t, &t->code, " !dbg !", llvm_text_node(t, subprogram), "");
}

void llvm_text_finish(llvm_text *t) {
  uint64_t version = llvm_text_made(t, "!{i32 2, !\"Debug Info Version\", i32 3}");
  append(t, &t->code, t->metadata.bytes, t->metadata.size);
  append_number(t, &t->code, "!llvm.module.flags = !{!", version, "}\n");
  append(t, &t->code, "!llvm.dbg.cu = !{", 17);
  append(t, &t->code, t->units.bytes, t->units.size);
  append(t, &t->code, "}\n", 2);
}
