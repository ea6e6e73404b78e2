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
  }
}

/* ---- Words of a line ---- */

/* Blanks between words are the back end's own. */
static void skip_blanks(dloc_text *line) {
  while (line->size > 0 && (line->bytes[0] == ' ' || line->bytes[0] == '\t'))
    *line = (dloc_text){line->bytes + 1, line->size - 1};
}

static bool take_word(dloc_text *line, const char *word) {
  dloc_text rest = *line;
  size_t size = strlen(word);
  skip_blanks(&rest);
  if (rest.size < size || memcmp(rest.bytes, word, size) != 0)
    return false;
  rest = (dloc_text){rest.bytes + size, rest.size - size};
  if (rest.size > 0 && !strchr(" \t\r\n", rest.bytes[0]))
    return false;
  *line = rest;
  return true;
}

static bool take_number(dloc_text *line, uint32_t *ret) {
  skip_blanks(line);
  uint64_t number = 0;
  size_t size = 0;
  for (; size < line->size && line->bytes[size] >= '0' && line->bytes[size] <= '9' && number <= UINT32_MAX; size++)
    number = number * 10 + (uint64_t)(line->bytes[size] - '0');
  *line = (dloc_text){line->bytes + size, line->size - size};
  *ret = (uint32_t)number;
  return size > 0 && number <= UINT32_MAX;
}

/* ---- Directives ---- */

static bool read_directive(dloc_text line, directive *ret) {
  ret->is_layer = take_word(&line, ".loc_intermediate");
  return (ret->is_layer || take_word(&line, ".loc")) && take_number(&line, &ret->file) &&
         take_number(&line, &ret->line) && take_number(&line, &ret->column);
}

static void read_listing(const llvm_batch *b, listing *l) {
  size_t first = 0;
  for (dloc_text rest = l->output; rest.size > 0;) {
    dloc_text line = text_take_line(&rest);
    uint32_t number;
    directive found;
    if (read_directive(line, &found))
      *MEMORY_ADD(l->directives, l->count) = found;
    if (llvm_number_after(line, "// dloc ", &number) && number < b->probe_count) {
      l->spans[number] = (span){first, l->count - first};
      b->probes[number].seen = true;
    }
    if (llvm_number_after(line, "// dloc ", &number) || text_find(line, "// %bb."))
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
  for (size_t i = found->first; i < found->first + found->count; i++)
    if (l->directives[i].is_layer)
      return &l->directives[i];
  return NULL;
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
  OWNED(dloc_buffer_deinit) dloc_buffer path = {0};
  for (dloc_text rest = l->output; rest.size > 0 && path.size == 0;) {
    dloc_text line = text_take_line(&rest);
    uint32_t given;
    if (!take_word(&line, ".file") || !take_number(&line, &given) || given != number)
      continue;
    skip_blanks(&line);
    if (line.size > 0)
      take_path((dloc_text){line.bytes + 1, line.size - 1}, &path);
  }
  return value_arena_copy(arena, buffer_text(&path));
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
  const char *start = text_find(l->output, ".nv_intermediate_source_section");
  return start ? (dloc_text){start, (size_t)(l->output.bytes + l->output.size - start)} : (dloc_text){"", 0};
}

bool directives_texts_stand_first(const listing *l) {
  dloc_text before = {l->output.bytes, (size_t)(text_section(l).bytes - l->output.bytes)};
  while (before.size > 0) {
    dloc_text line = text_take_line(&before);
    if (take_word(&line, ".file"))
      return false;
  }
  return true;
}

/* The text between the first quote of a line and the last one. */
static dloc_text quoted(dloc_text line) {
  const char *start = memchr(line.bytes, '"', line.size);
  while (line.size > 0 && line.bytes[line.size - 1] != '"')
    line.size--;
  const char *end = line.bytes + line.size - 1;
  return start && start < end ? (dloc_text){start + 1, (size_t)(end - start) - 1} : (dloc_text){"", 0};
}

/* A text ends before the mark in the last line of a block: a text may have such a line, too. */
static bool take_text(dloc_text *section, const char *mark, dloc_text *ret) {
  const char *start = section->bytes;
  size_t size = strlen(mark);
  while (section->size > 0) {
    dloc_text line = text_take_line(section), next = *section;
    skip_blanks(&next);
    if (next.size == 0 || next.bytes[0] != '}' || line.size < size ||
        memcmp(line.bytes + line.size - size, mark, size) != 0)
      continue;
    *ret = (dloc_text){start, (size_t)(line.bytes - start) + line.size - size};
    return true;
  }
  return false;
}

/* Reads on from `.source_begin`: the lines of the text, `.source_end`. */
static bool take_lines(dloc_text *section, dloc_text *ret) {
  if (!take_text(section, ".source_end", ret))
    return false;
  while (ret->size > 0 && strchr(" \t", ret->bytes[ret->size - 1]))
    ret->size--;
  ret->size -= ret->size > 0;
  return true;
}

/* One `.code_block`; false after the last. PR 205453 has `.source: <<< TEXT >>>`. */
static bool take_block(dloc_text *section, embedded *ret) {
  while (section->size > 0) {
    dloc_text line = text_take_line(section);
    if (take_word(&line, ".ir_name:"))
      ret->kind = quoted(line);
    else if (take_word(&line, ".sourceFileName:"))
      take_number(&line, &ret->file);
    else if (take_word(&line, ".source_begin"))
      return take_lines(section, &ret->text);
    else if (take_word(&line, ".source:") && take_word(&line, "<<<") && line.size > 0) {
      *section = (dloc_text){line.bytes + 1, (size_t)(section->bytes + section->size - line.bytes) - 1};
      ret->in_angles = true;
      return take_text(section, " >>>", &ret->text);
    }
  }
  return false;
}

embedded *directives_texts(const listing *l, size_t most, value_arena *arena, size_t *ret_count) {
  embedded *texts = value_arena_alloc(arena, most, sizeof *texts);
  dloc_text section = text_section(l);
  *ret_count = 0;
  while (*ret_count < most && take_block(&section, &texts[*ret_count]))
    ++*ret_count;
  return texts;
}
