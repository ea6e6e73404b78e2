/* directives.c - line directives and embedded texts: what is written, and what llc makes of it. */
#include "directives.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ---- */

uint64_t directives_begin_function(llvm_text *t, const char *name, size_t position, dloc_node given) {
  uint64_t subprogram = given != DLOC_NULL ? llvm_text_node(t, given) : llvm_text_subprogram(t);
  llvm_code(t, "define void @%s_%zu() !dbg !%" PRIu64 " {\n", name, position, subprogram);
  return subprogram;
}

void directives_mark(llvm_text *t, uint32_t probe) {
  llvm_code(t, "  call void asm sideeffect \"// dloc %u\", \"\"()", (unsigned)probe);
}

void directives_write(llvm_batch *b, llvm_text *t, size_t position, const term *locations) {
  for (uint32_t i = 0; i < locations->count; i++) {
    directives_mark(t, llvm_probe_add(b, position, 0, i, 0));
    llvm_code_dbg(t, locations->of.nodes[i]);
    llvm_code(t, "\n");
  }
}

/* ---- Directives ---- */

static bool read_numbers(dloc_text line, const char *name, directive *ret) {
  char text[160];
  const char *found = llvm_find(line, name);
  if (!found)
    return false;
  size_t size = (size_t)(line.bytes + line.size - found);
  snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), found);
  unsigned file, at, column;
  if (sscanf(text + strlen(name), "%u %u %u", &file, &at, &column) != 3)
    return false;
  *ret = (directive){.file = file, .line = at, .column = column};
  return true;
}

static bool read_directive(dloc_text line, directive *ret) {
  if (read_numbers(line, "\t.loc\t", ret))
    return true;
  bool is_layer = read_numbers(line, "\t.loc_intermediate\t", ret);
  ret->is_layer = is_layer;
  return is_layer;
}

static void read_listing(const llvm_batch *b, listing *l) {
  size_t first = 0;
  for (size_t at = 0; at < l->output.size;) {
    dloc_text line = llvm_line_at(l->output, at);
    at += line.size + 1;
    uint32_t number;
    directive found;
    if (read_directive(line, &found))
      *MEMORY_ADD(l->directives, l->count) = found;
    if (llvm_number_after(line, "// dloc ", &number) && number < b->probe_count) {
      l->spans[number] = (span){first, l->count - first};
      b->probes[number].seen = true;
    }
    if (llvm_number_after(line, "// dloc ", &number) || llvm_find(line, "// %bb."))
      first = l->count;
  }
}

void directives_read(llvm_batch *b, void (*answer)(llvm_batch *, const listing *)) {
  listing l = {.output = buffer_text(&b->child.output), .spans = memory_allocate(b->probe_count + 1, sizeof *l.spans)};
  read_listing(b, &l);
  answer(b, &l);
  free(l.directives);
  free(l.spans);
}

const directive *directives_layer(const listing *l, size_t probe) {
  const span *found = &l->spans[probe];
  const directive *last = found->count ? &l->directives[found->first + found->count - 1] : NULL;
  return last && last->is_layer ? last : NULL;
}

/* ---- Files ---- */

/* A character of a quoted name, with its escapes; false at the closing quote. */
static bool take_character(dloc_text *text, char *ret) {
  if (text->size == 0 || text->bytes[0] == '"')
    return false;
  bool escaped = text->bytes[0] == '\\' && text->size > 1;
  size_t size = 1 + escaped;
  *ret = text->bytes[size - 1];
  if (escaped && *ret >= '0' && *ret <= '7' && text->size >= 4) {
    *ret = (char)((text->bytes[1] - '0') * 64 + (text->bytes[2] - '0') * 8 + (text->bytes[3] - '0'));
    size = 4;
  }
  *text = (dloc_text){text->bytes + size, text->size - size};
  return true;
}

static void take_quoted(dloc_text *line, dloc_buffer *path) {
  char c;
  while (take_character(line, &c))
    buffer_put(path, (dloc_text){&c, 1});
}

/* "dir/name", or `"dir" "name"` of releases before 15. */
static void take_path(dloc_text line, dloc_buffer *path) {
  take_quoted(&line, path);
  if (line.size <= 3 || memcmp(line.bytes, "\" \"", 3) != 0)
    return;
  line = (dloc_text){line.bytes + 3, line.size - 3};
  if (line.bytes[0] == '/')
    path->size = 0;
  else if (path->size > 0 && path->bytes[path->size - 1] != '/')
    buffer_put(path, dloc_text_of("/"));
  take_quoted(&line, path);
}

dloc_text directives_file(const listing *l, uint32_t number, value_arena *arena) {
  char marker[32];
  dloc_buffer path = {0};
  snprintf(marker, sizeof marker, "\t.file\t%u \"", (unsigned)number);
  const char *found = llvm_find(l->output, marker);
  if (found)
    take_path(llvm_line_at(l->output, (size_t)(found - l->output.bytes) + strlen(marker)), &path);
  dloc_text name = value_arena_copy(arena, buffer_text(&path));
  dloc_buffer_deinit(&path);
  return name;
}

dloc_text directives_last_part(dloc_text path) {
  size_t start = path.size;
  while (start > 0 && path.bytes[start - 1] != '/')
    start--;
  return (dloc_text){path.bytes + start, path.size - start};
}

/* ---- Embedded texts ---- */

/* The section of embedded texts: a part of the output, or empty. */
static dloc_text text_section(const listing *l) {
  const char *start = llvm_find(l->output, ".nv_intermediate_source_section {");
  return start ? (dloc_text){start, (size_t)(l->output.bytes + l->output.size - start)} : (dloc_text){"", 0};
}

/* What follows a marker in a block, up to what ends it; the block goes on behind that. False: it is not there. */
static bool take_between(dloc_text *block, const char *marker, const char *end, dloc_text *ret) {
  const char *found = llvm_find(*block, marker);
  if (!found)
    return false;
  const char *start = found + strlen(marker);
  dloc_text rest = {start, (size_t)(block->bytes + block->size - start)};
  const char *last = llvm_find(rest, end);
  if (!last)
    return false;
  *ret = (dloc_text){start, (size_t)(last - start)};
  *block = (dloc_text){last, (size_t)(rest.bytes + rest.size - last)};
  return true;
}

/* One `.code_block`; false after the last. */
static bool take_block(dloc_text *section, embedded *ret) {
  dloc_text file;
  if (!take_between(section, ".ir_name: \"", "\"\n", &ret->kind) ||
      !take_between(section, ".sourceFileName: ", "\n\t\t.source_begin\n", &file))
    return false;
  ret->file = (uint32_t)strtoul(file.bytes, NULL, 10);
  return take_between(section, "\t\t.source_begin\n", "\n\t\t.source_end\n", &ret->text);
}

embedded *directives_texts(const listing *l, size_t most, value_arena *arena, size_t *ret_count) {
  embedded *texts = value_arena_alloc(arena, most, sizeof *texts);
  dloc_text section = text_section(l);
  *ret_count = 0;
  while (*ret_count < most && take_block(&section, &texts[*ret_count]))
    ++*ret_count;
  return texts;
}
