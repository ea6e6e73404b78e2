/* vectors.c - reading vectors for the subcommands, and diagnostics about them. */
#include "vectors.h"

#include "document/buffer.h"
#include "reports/report.h"
#include "script.h"
#include "vector/mutants.h"

#include <stdarg.h>
#include <string.h>

/* The byte at a line and column (in characters) of a text. */
static dloc_place find_place(dloc_text text, vectors_mark *mark, uint32_t line, uint32_t column) {
  while (mark->line < line) {
    const char *end = mark->at < text.size ? memchr(text.bytes + mark->at, '\n', text.size - mark->at) : NULL;
    if (!end)
      break;
    mark->at = (size_t)(end - text.bytes) + 1;
    mark->line++;
  }
  size_t at = mark->at;
  for (uint32_t i = 1; i < column && at < text.size && text.bytes[at] != '\n'; i++)
    for (at++; at < text.size && (text.bytes[at] & 0xc0) == 0x80;)
      at++;
  return (dloc_place){.offset = at, .line = line, .column = column};
}

void vectors_diagnose(const char *path, dloc_text text, vectors_mark *mark, const value_diagnostic *diagnostic) {
  const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
  const tool_input input = {.name = name, .text = text};
  vectors_mark top = {NULL, 0, 0};
  if (!mark)
    mark = &top;
  if (mark->path != path || mark->line > diagnostic->line || mark->at > text.size)
    *mark = (vectors_mark){path, 0, 1};
  dloc_place place = find_place(text, mark, diagnostic->line, diagnostic->column);
  bool placed = diagnostic->line && (text.size || tool_diagnoses_json);
  tool_diagnose(&input, placed ? &place : NULL, "error", diagnostic->message, diagnostic->code);
}

void vectors_worsen(vectors *v, int status) {
  if (status > v->status)
    v->status = status;
}

int vectors_operands(int count, char **argv) {
  if (count == 0)
    argv[0] = (char *)script_vectors();
  return count ? count : 1;
}

void vectors_open(vectors *v, const char *const *paths, size_t count) {
  suite_error error = {.path = NULL};
  *v = (vectors){.status = TOOL_FINE};
  dloc_status status = suite_create(paths, count, &error, &v->suite);
  if (status == DLOC_INVALID)
    tool_fail("cannot read %s", error.at.message);
  tool_require(status, NULL);
  if (suite_file_count(v->suite) == 0)
    tool_fail("there is no .yaml file below %s%s", paths[0], count > 1 ? " and the other paths" : "");
}

void vectors_fail(vectors *v, dloc_status status) {
  tool_failure(status, v->path);
  vectors_worsen(v, TOOL_UNUSABLE);
}

static void report_failure(vectors *v, dloc_status status, const suite_error *error) {
  if (status != DLOC_INVALID) {
    vectors_fail(v, status);
  } else if (error->unreadable) {
    tool_error("cannot read %s", error->at.message);
    vectors_worsen(v, TOOL_UNUSABLE);
  } else {
    vectors_diagnose(error->path, suite_text(v->suite), &v->mark, &error->at);
    vectors_worsen(v, TOOL_VIOLATION);
  }
}

bool vectors_next(vectors *v) {
  for (;;) {
    suite_error error = {.path = NULL};
    bool end = false;
    if (!v->keep)
      value_arena_reset(&v->arena);
    dloc_status status = suite_next_vector(v->suite, &v->arena, &error, &v->path, &v->vector, &end);
    if (end)
      return false;
    if (status == DLOC_OK) {
      v->count++;
      return true;
    }
    report_failure(v, status, &error);
    if (status != DLOC_INVALID)
      return false;
  }
}

void vectors_report(vectors *v, uint32_t line, uint32_t column, const char *code, const char *format, ...) {
  const value *document = v->vector.document;
  value_diagnostic diagnostic = {
      .line = line ? line : document->line, .column = line ? column : document->column, .code = code};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(diagnostic.message, sizeof diagnostic.message, format, arguments);
  va_end(arguments);
  vectors_diagnose(v->path, suite_text(v->suite), &v->mark, &diagnostic);
  vectors_worsen(v, TOOL_VIOLATION);
}

bool vectors_are_missing(const suite *s) {
  tool_guess guess = {.wrong = suite_missing(s)};
  OWNED(memory_release) const char **paths = memory_allocate(suite_file_count(s), sizeof *paths);
  OWNED(value_arena_deinit) value_arena arena = {0};
  suite_error error;
  OWNED(release_suite) suite *again = NULL;
  const char *path;
  value *document;
  size_t count = 0;
  for (size_t i = 0; i < suite_file_count(s); i++)
    if (tool_is_regular(suite_file(s, i))) /* others were read to their ends */
      paths[count++] = suite_file(s, i);
  if (guess.wrong && suite_create(paths, count, &error, &again) == DLOC_OK)
    while (suite_next(again, &arena, &error, &path, &document) == DLOC_OK && document) {
      const value *id = value_get(document, "id");
      if (id && id->kind == VALUE_SCALAR)
        tool_guess_offer(&guess, value_text(id).bytes);
      value_arena_reset(&arena);
    }
  if (guess.wrong)
    tool_error("no vector here is named '%s'%s", guess.wrong, tool_guess_words(&guess));
  return guess.wrong != NULL;
}

int vectors_all_met(vectors *v) {
  vectors_worsen(v, vectors_are_missing(v->suite) ? TOOL_UNUSABLE : TOOL_FINE);
  return v->status;
}

void vectors_close(vectors *v) {
  value_arena_deinit(&v->arena);
  suite_destroy(v->suite);
}

expected_list vectors_read_expected(const char *path, tool_input *input) {
  expected_list list = {NULL, 0};
  uint32_t line = 0;
  const char *message = NULL;
  *input = tool_input_required(path);
  if (expected_read(input->text, &line, &message, &list) == DLOC_OK)
    return list;
  tool_print_name(stderr, dloc_text_of(input->name), ":");
  fprintf(stderr, "%u: error: %s\n", (unsigned)line, message);
  tool_exit(TOOL_UNUSABLE);
}

bool vectors_tell_run(const record *r, size_t most_shown) {
  OWNED(dloc_buffer_deinit) dloc_buffer lines = {0};
  writer w = {.sink = buffer_sink(&lines)};
  page_clauses(&w);
  page_section(&w, "text");
  write_format(&w, "{\"most\": %zu, \"seconds\": %.3f}\n", most_shown, r->results->seconds);
  page_run(&w, r);
  return script_write("suite/text.py", NULL, buffer_text(&lines), NULL) == TOOL_FINE;
}

bool vectors_write_run(const char *script, const record *r, const char *path) {
  OWNED(dloc_buffer_deinit) dloc_buffer lines = {0};
  writer w = {.sink = buffer_sink(&lines)};
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%.3f", r->results->seconds);
  if (path)
    page_run(&w, r);
  return !path || script_write(script, seconds, buffer_text(&lines), path) == TOOL_FINE;
}

/* As deep as VALUE_DEPTH. */
static bool names_reason(const value *v, dloc_text name) {
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    if (names_reason(&v->of.items[i], name))
      return true;
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++) {
    const value_entry *entry = &v->of.entries[i];
    if (names_reason(&entry->value, name) ||
        (dloc_text_equal(entry->key, dloc_text_of("reason")) && dloc_text_equal(value_text(&entry->value), name)))
      return true;
  }
  return false;
}

bool vectors_expects_reason(const vector *v, dloc_reason reason) {
  const dloc_text name = dloc_text_of(dloc_reason_name(reason));
  bool found = names_reason(v->expect.value, name);
  for (size_t i = 0; i < v->choice_count; i++)
    found |= names_reason(v->choices[i].expect.value, name);
  for (size_t i = 0; i < v->profile_count; i++)
    found |= names_reason(v->profiles[i].expect.value, name);
  return found;
}

vector_op vectors_find_op(const char *name) {
  vector_op op;
  if (operation_find(dloc_text_of(name), &op))
    return op;
  tool_guess guess = {.wrong = name};
  for (int i = 0; i < VECTOR_OP_COUNT; i++)
    tool_guess_offer(&guess, operations[i]->name);
  tool_fail("no operation is named '%s'%s", name, tool_guess_words(&guess));
}

unsigned vectors_find_mutant(const char *name) {
  size_t index = 0;
  if (!mutants_present())
    tool_fail("this dloc has no mutants; `make mutants` builds one that has, build/mutants/dloc");
  if (!name)
    return 0;
  if (mutant_find(dloc_text_of(name), &index))
    return (unsigned)index + 1;
  tool_guess guess = {.wrong = name};
  for (size_t i = 0; i < mutant_count(); i++)
    tool_guess_offer(&guess, mutant_at(i)->name);
  tool_fail("no mutant is named '%s'%s; `dloc mutants --list` lists them", name, tool_guess_words(&guess));
}
