/* spec_page.c - collects what the page of SPEC.md shows. */
#include "spec_page.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "evidence.h"
#include "reports/page.h"
#include "script.h"
#include "vectors.h"

#include <stdlib.h>

static void write_specification(writer *w, const char *path) {
  tool_input input;
  if (!tool_input_open(path, &input))
    tool_exit(TOOL_UNUSABLE);
  page_section(w, "specification");
  write_plain(w, "{\"text\": ");
  write_json_text(w, input.text);
  write_plain(w, "}\n");
  tool_input_close(&input);
}

static void write_runs(writer *w, const tool_list *paths) {
  for (size_t i = 0; i < paths->count; i++) {
    record r = vectors_read_run(paths->items[i]);
    page_run(w, &r);
    record_deinit(&r);
  }
}

/* ---- Vectors ---- */

typedef struct folders {
  evidence *items;
  size_t count;
  bool any; /* some folder has a CONFIRMED */
} folders;

static folders open_folders(const spec_page *page) {
  folders f = {.items = memory_allocate(page->vector_count, sizeof *f.items)};
  for (; f.count < page->vector_count; f.count++) {
    evidence_open(page->vectors[f.count], &f.items[f.count]);
    f.any = f.any || f.items[f.count].present;
  }
  return f;
}

static void close_folders(folders *f) {
  for (size_t i = 0; i < f->count; i++)
    evidence_close(&f->items[i]);
  free(f->items);
}

/* The LLVMs that confirm the vector as it is, by the CONFIRMED of any of the folders. */
static dloc_text find_llvms(const folders *f, const vector *v) {
  dloc_text llvms = {"", 0};
  for (size_t i = 0; i < f->count && !llvms.size; i++)
    llvms = evidence_llvms(&f->items[i], v->id, v->digest);
  return llvms;
}

static void write_clauses(writer *w, const char *key, const bool *in) {
  const char *separator = "";
  write_format(w, ", \"%s\": [", key);
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (in[i]) {
      write_plain(w, separator);
      write_json(w, dloc_clause_anchor((dloc_clause)i));
      separator = ", ";
    }
  write_plain(w, "]");
}

static void note_applied(void *user, dloc_clause clause, const char *decision) {
  bool *applied = user;
  (void)decision;
  applied[clause] = true;
}

/* The clauses that the model applies when it answers under the vector's own profile. What is no case of the op is the
 * business of `dloc check`. */
static void write_applied(writer *w, const vector *v) {
  bool applied[DLOC_CLAUSE_COUNT] = {false};
  const dloc_trace steps = {note_applied, applied};
  vector_answer answer;
  value_arena arena = {0};
  dloc_context *context = memory_context();
  (void)!vector_evaluate(v, v->since, context, &arena, &steps, &answer);
  dloc_context_destroy(context);
  value_arena_deinit(&arena);
  write_clauses(w, "applied", applied);
}

static void write_vector(writer *w, const vector *v, const folders *f) {
  bool tested[DLOC_CLAUSE_COUNT] = {false};
  for (size_t i = 0; i < v->clause_count; i++)
    tested[v->clauses[i]] = true;
  write_plain(w, "{\"id\": ");
  write_json_text(w, v->id);
  write_member(w, "op", vector_op_name(v->op));
  write_member(w, "level", v->level);
  if (f->any)
    write_member_text(w, "confirmed", find_llvms(f, v));
  write_clauses(w, "clauses", tested);
  write_applied(w, v);
  write_plain(w, "}\n");
}

/* They have been checked: all can be read. */
static void write_vectors(writer *w, const spec_page *page) {
  folders f = open_folders(page);
  vectors v;
  vectors_open(&v, page->vectors, page->vector_count);
  page_section(w, "vectors");
  while (vectors_next(&v))
    write_vector(w, &v.vector, &f);
  vectors_close(&v);
  close_folders(&f);
}

/* ---- Mutants: the lines of `dloc mutants --json` ---- */

static dloc_status check_mutant(const value *line, value_diagnostic *diagnostic) {
  const value *noticed = value_get(line, "noticed");
  const char *wrong = NULL;
  dloc_clause clause;
  if (value_text(value_get(line, "mutant")).size == 0 || !noticed || noticed->kind != VALUE_LIST)
    wrong = "the line is none of `dloc mutants --json`";
  else if (!dloc_clause_find(value_text(value_get(line, "clause")), &clause))
    wrong = "no clause of the mutant's name";
  return wrong ? value_diagnose(diagnostic, line->line, 1, "mutants.format", "%s", wrong) : DLOC_OK;
}

static void write_mutant(writer *w, const value *line) {
  static const char *const keys[] = {"clause", "what", "outcome", "status"};
  const value *noticed = value_get(line, "noticed");
  write_plain(w, "{\"mutant\": ");
  write_json_text(w, value_text(value_get(line, "mutant")));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    write_member_text(w, keys[i], value_text(value_get(line, keys[i])));
  write_plain(w, ", \"noticed\": [");
  for (uint32_t i = 0; i < noticed->count; i++) {
    write_plain(w, i ? ", " : "");
    write_json_text(w, value_text(&noticed->of.items[i]));
  }
  write_plain(w, "]}\n");
}

static dloc_status write_mutant_lines(writer *w, dloc_text text, value_diagnostic *diagnostic) {
  value_lines lines = {.text = text};
  value_arena arena = {0};
  value *line = NULL;
  dloc_status status = value_lines_next(&lines, &arena, diagnostic, &line);
  while (status == DLOC_OK && line) {
    status = check_mutant(line, diagnostic);
    if (status == DLOC_OK) {
      write_mutant(w, line);
      value_arena_reset(&arena);
      status = value_lines_next(&lines, &arena, diagnostic, &line);
    }
  }
  value_arena_deinit(&arena);
  return status;
}

static void write_mutants(writer *w, const char *path) {
  tool_input input;
  value_diagnostic diagnostic = {.line = 0};
  if (!path)
    return;
  if (!tool_input_open(path, &input))
    tool_exit(TOOL_UNUSABLE);
  page_section(w, "mutants");
  if (write_mutant_lines(w, input.text, &diagnostic) != DLOC_OK) {
    vectors_diagnose(path, input.text, NULL, &diagnostic);
    tool_exit(TOOL_UNUSABLE);
  }
  tool_input_close(&input);
}

/* ---- The whole ---- */

int spec_page_write(const spec_page *page, const char *path) {
  dloc_buffer lines = {0};
  writer w = {buffer_sink(&lines), false};
  page_tables(&w, page->untestable);
  write_runs(&w, &page->runs);
  write_vectors(&w, page);
  write_mutants(&w, page->mutants);
  write_specification(&w, page->spec);
  int status = script_write("spec.py", page->report, buffer_text(&lines), path);
  dloc_buffer_deinit(&lines);
  return status;
}
