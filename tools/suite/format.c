/* format.c - a file of vectors in canonical form. */
#include "document/buffer.h"
#include "document/memory.h"
#include "shell/vectors.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A comment on a line of its own. */
typedef struct comment {
  uint32_t line;
  dloc_text text;
} comment;

/* Where a scan through the text stands: libyaml counts characters, the text has bytes. */
typedef struct formatter {
  dloc_text text;
  value_diagnostic *diagnostic;
  size_t byte;
  size_t character;
  uint32_t line;
  comment *comments;
  size_t comment_count;
  size_t next_comment; /* not yet written */
} formatter;

/* ---- Comments: what stands between libyaml's tokens ---- */

static size_t line_end(dloc_text text, size_t from) {
  const char *end = from < text.size ? memchr(text.bytes + from, '\n', text.size - from) : NULL;
  return end ? (size_t)(end - text.bytes) : text.size;
}

static dloc_status add_comment(formatter *f) {
  size_t first = f->byte, end = line_end(f->text, first);
  if (first && f->text.bytes[first - 1] != '\n')
    return value_diagnose(f->diagnostic, f->line, 1, "vector.comment",
                          "a comment stands on lines of its own before the first key of a document");
  *MEMORY_ADD(f->comments, f->comment_count) = (comment){f->line, {f->text.bytes + first, end - first}};
  return DLOC_OK;
}

static void step(formatter *f) {
  f->line += f->text.bytes[f->byte] == '\n';
  f->byte++;
  while (f->byte < f->text.size && (f->text.bytes[f->byte] & 0xc0) == 0x80)
    f->byte++;
  f->character++;
}

/* Look at what no token covers: blanks and comments. */
static dloc_status scan_gap(formatter *f, size_t character) {
  while (f->character < character && f->byte < f->text.size) {
    if (f->text.bytes[f->byte] == '#') {
      TRY(add_comment(f));
      size_t end = line_end(f->text, f->byte);
      while (f->byte < end)
        step(f);
    } else {
      step(f);
    }
  }
  return DLOC_OK;
}

/* Syntax errors are left to the reader, which has the better words for them. */
static dloc_status scan_tokens(formatter *f, yaml_parser_t *parser) {
  for (bool end = false; !end;) {
    yaml_token_t token;
    if (!yaml_parser_scan(parser, &token))
      return DLOC_OK;
    dloc_status status = scan_gap(f, token.start_mark.index);
    while (f->character < token.end_mark.index && f->byte < f->text.size)
      step(f); /* what the token covers */
    end = token.type == YAML_STREAM_END_TOKEN || token.type == YAML_NO_TOKEN;
    yaml_token_delete(&token);
    TRY(status);
  }
  return DLOC_OK;
}

static dloc_status find_comments(formatter *f) {
  yaml_parser_t parser;
  if (!memchr(f->text.size ? f->text.bytes : "", '#', f->text.size))
    return DLOC_OK;
  if (!yaml_parser_initialize(&parser))
    memory_exhausted();
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, (const unsigned char *)f->text.bytes, f->text.size);
  dloc_status status = scan_tokens(f, &parser);
  yaml_parser_delete(&parser);
  return status;
}

/* ---- Documents ---- */

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The last line on which something of a document starts. Recursion is bounded by VALUE_DEPTH. */
static uint32_t last_line(const value *v) {
  uint32_t line = v->line;
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    line = later(line, last_line(&v->of.items[i]));
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++)
    line = later(line, later(v->of.entries[i].line, last_line(&v->of.entries[i].value)));
  return line;
}

/* The comments before a document; one inside the document before it, or in it, is none of them. */
static dloc_status put_comments(formatter *f, uint32_t after, const value *document, dloc_buffer *out) {
  for (; f->next_comment < f->comment_count && f->comments[f->next_comment].line < document->line; f->next_comment++) {
    const comment *c = &f->comments[f->next_comment];
    if (c->line <= after)
      return value_diagnose(f->diagnostic, c->line, 1, "vector.comment", "a comment stands before the first key");
    buffer_put(out, c->text);
    buffer_put(out, dloc_text_of("\n"));
  }
  return DLOC_OK;
}

dloc_status vectors_write(const value *document, value_arena *arena, bool as_line, dloc_sink sink) {
  value canonical;
  vector_canonical(document, arena, &canonical);
  if (!as_line)
    return vector_write(&canonical, sink);
  TRY(value_write_json(&canonical, sink));
  return sink.write(sink.user, "\n", 1) ? DLOC_OK : DLOC_STOPPED;
}

static dloc_status format_vector(const value *document, value_arena *arena, bool as_line, value_diagnostic *diagnostic,
                                 dloc_buffer *out) {
  if (document->kind != VALUE_MAP || !value_get(document, "id"))
    return value_diagnose(diagnostic, document->line, document->column, "vector.field", "a vector has an id");
  return vectors_write(document, arena, as_line, buffer_sink(out));
}

/* JSON Lines. */
static dloc_status format_lines(dloc_text text, dloc_buffer *out, value_diagnostic *diagnostic) {
  value_lines lines = {.text = text};
  OWNED(value_arena_deinit) value_arena arena = {0};
  value *document = NULL;
  dloc_status status = value_lines_next(&lines, &arena, diagnostic, &document);
  while (status == DLOC_OK && document) {
    status = format_vector(document, &arena, true, diagnostic, out);
    value_arena_reset(&arena);
    if (status == DLOC_OK)
      status = value_lines_next(&lines, &arena, diagnostic, &document);
  }
  return status;
}

static dloc_status format_documents(formatter *f, value_reader *reader, value_arena *arena, dloc_buffer *out) {
  uint32_t after = 0;
  for (;;) {
    value *document = NULL;
    value_arena_reset(arena);
    TRY(value_read(reader, arena, f->diagnostic, &document));
    if (!document)
      break;
    if (after)
      buffer_put(out, dloc_text_of("---\n"));
    TRY(put_comments(f, after, document, out));
    TRY(format_vector(document, arena, false, f->diagnostic, out));
    after = last_line(document);
  }
  if (f->next_comment < f->comment_count)
    return value_diagnose(f->diagnostic, f->comments[f->next_comment].line, 1, "vector.comment",
                          "a comment stands before the first key of a document");
  return DLOC_OK;
}

dloc_status vectors_format(const char *path, dloc_text text, dloc_buffer *out, value_diagnostic *diagnostic) {
  if (value_is_lines(path, text))
    return format_lines(text, out, diagnostic);
  formatter f = {.text = text, .diagnostic = diagnostic, .line = 1};
  value_reader *reader = value_reader_create(text, 0);
  OWNED(value_arena_deinit) value_arena arena = {0};
  dloc_status status = find_comments(&f);
  if (status == DLOC_OK)
    status = format_documents(&f, reader, &arena, out);
  value_reader_destroy(reader);
  free(f.comments);
  return status;
}
