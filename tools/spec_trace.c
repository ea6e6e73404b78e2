/* spec_trace.c - reads what stands behind each clause. */
#include "spec_trace.h"
#include "evidence.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

/* ---- Clauses that no test can reach ---- */

static int use_entries(const char *name, const expected_list *list, trace_use *use, void *user) {
  int status = TOOL_CONTINUE;
  for (size_t i = 0; i < list->count; i++) {
    const expected_entry *entry = &list->entries[i];
    dloc_clause clause;
    if (dloc_clause_find(entry->id, &clause)) {
      use(user, clause, entry->reason, entry->line);
    } else {
      fprintf(stderr, "%s:%u: error: no clause is named '%.*s'\n", name, (unsigned)entry->line, (int)entry->id.size,
              entry->id.bytes);
      status = TOOL_VIOLATION;
    }
  }
  return status;
}

int trace_read_untestable(const char *path, trace_use *use, void *user) {
  tool_input input;
  expected_list list = {NULL, 0};
  uint32_t line = 0;
  const char *message = NULL;
  if (!path)
    return TOOL_CONTINUE;
  if (!tool_input_open(path, &input))
    return TOOL_UNUSABLE;
  dloc_status read = expected_read(input.text, &line, &message, &list);
  int status = TOOL_UNUSABLE;
  if (read == DLOC_OK)
    status = use_entries(input.name, &list, use, user);
  else if (read == DLOC_INVALID)
    fprintf(stderr, "%s:%u: error: %s\n", input.name, (unsigned)line, message);
  else
    tool_failure(read, path);
  expected_deinit(&list);
  tool_input_close(&input);
  return status;
}

static void keep_untestable(void *user, dloc_clause clause, dloc_text reason, uint32_t line) {
  trace *t = user;
  (void)line;
  t->clauses[clause].untestable = value_arena_copy(&t->arena, reason).bytes;
}

/* ---- Runs ---- */

static int read_runs(const tool_list *paths, trace *t) {
  t->runs = calloc(paths->count ? paths->count : 1, sizeof *t->runs);
  if (!t->runs)
    return tool_failure(DLOC_NO_MEMORY, NULL);
  for (size_t i = 0; i < paths->count; i++) {
    int status = vectors_read_run(paths->items[i], &t->runs[i]);
    if (status != TOOL_CONTINUE)
      return status;
    t->run_count++;
  }
  return TOOL_CONTINUE;
}

static int compare_results(const void *a, const void *b) {
  return strcmp(((const record_result *)a)->id, ((const record_result *)b)->id);
}

/* Results of a run are looked up by id from here on. */
static void sort_runs(trace *t) {
  for (size_t i = 0; i < t->run_count; i++)
    if (t->runs[i].count)
      qsort(t->runs[i].results, t->runs[i].count, sizeof *t->runs[i].results, compare_results);
}

static const record_result *find_result(const record *run, const char *id) {
  record_result key = {.id = id};
  return run->count ? bsearch(&key, run->results, run->count, sizeof key, compare_results) : NULL;
}

/* ---- Lists of a clause ---- */

static bool add_vector(trace *t, dloc_clause clause, const trace_vector *vector) {
  trace_clause *c = &t->clauses[clause];
  trace_link *link = value_arena_alloc(&t->arena, 1, sizeof *link);
  if (!link)
    return false;
  link->vector = vector;
  *(c->last_vector ? &c->last_vector->next : &c->vectors) = link;
  c->last_vector = link;
  return true;
}

static void add_mutant(trace *t, dloc_clause clause, trace_mutant *mutant) {
  trace_clause *c = &t->clauses[clause];
  *(c->last_mutant ? &c->last_mutant->next : &c->mutants) = mutant;
  c->last_mutant = mutant;
  t->mutant_count++;
}

/* ---- Vectors ---- */

/* The LLVMs that confirm the vector as it is, by the CONFIRMED of any of the folders. */
static const char *find_llvms(trace *t, const evidence *folders, size_t count, const vector *v) {
  for (size_t i = 0; i < count; i++) {
    dloc_text llvms = evidence_llvms(&folders[i], v->id, v->digest);
    if (llvms.size)
      return value_arena_copy(&t->arena, llvms).bytes;
  }
  return "";
}

static bool keep_vector(trace *t, const vector *v, const char *llvms) {
  trace_vector *kept = value_arena_alloc(&t->arena, 1, sizeof *kept);
  if (!kept)
    return false;
  *kept = (trace_vector){value_arena_copy(&t->arena, v->id).bytes, vector_op_name(v->op), v->level, llvms,
                         value_arena_alloc(&t->arena, t->run_count, sizeof *kept->results)};
  if (!kept->id || !llvms || !kept->results)
    return false;
  for (size_t i = 0; i < t->run_count; i++)
    kept->results[i] = find_result(&t->runs[i], kept->id);
  t->vector_count++;
  bool fine = true;
  for (size_t i = 0; fine && i < v->clause_count; i++)
    fine = add_vector(t, v->clauses[i], kept);
  return fine;
}

static void note_applied(void *user, dloc_clause clause, const char *decision) {
  bool *applied = user;
  (void)decision;
  applied[clause] = true;
}

/* The clauses that the model applies when it answers under the vector's own profile. What is no case of the op is the
 * business of `dloc check`. */
static dloc_status count_applied(trace *t, const vector *v, dloc_context *context, value_arena *arena) {
  bool applied[DLOC_CLAUSE_COUNT] = {false};
  const dloc_trace steps = {note_applied, applied};
  vector_answer answer;
  dloc_context_reset(context);
  value_arena_reset(arena);
  dloc_status status = vector_evaluate(v, v->since, context, arena, &steps, &answer);
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    t->clauses[i].applied += applied[i];
  return status == DLOC_INVALID ? DLOC_OK : status;
}

static int read_vectors(const trace_paths *paths, const evidence *folders, trace *t) {
  vectors v;
  value_arena arena;
  int status = vectors_open(&v, paths->vectors, paths->vector_count);
  if (status != TOOL_CONTINUE)
    return status;
  value_arena_init(&arena, NULL);
  dloc_context *context = dloc_context_create(NULL);
  while (vectors_next(&v))
    if (!context || !keep_vector(t, &v.vector, find_llvms(t, folders, paths->vector_count, &v.vector)) ||
        count_applied(t, &v.vector, context, &arena) != DLOC_OK) {
      vectors_fail(&v, DLOC_NO_MEMORY);
      break;
    }
  dloc_context_destroy(context);
  value_arena_deinit(&arena);
  vectors_close(&v);
  return v.status == TOOL_FINE ? TOOL_CONTINUE : v.status;
}

static int read_evidence_and_vectors(const trace_paths *paths, trace *t) {
  evidence *folders = calloc(paths->vector_count ? paths->vector_count : 1, sizeof *folders);
  int status = folders ? TOOL_CONTINUE : tool_failure(DLOC_NO_MEMORY, NULL);
  for (size_t i = 0; status == TOOL_CONTINUE && i < paths->vector_count; i++) {
    status = evidence_open(paths->vectors[i], &folders[i]);
    t->has_evidence = t->has_evidence || folders[i].present;
  }
  if (status == TOOL_CONTINUE)
    status = read_vectors(paths, folders, t);
  for (size_t i = 0; folders && i < paths->vector_count; i++)
    evidence_close(&folders[i]);
  free(folders);
  return status;
}

/* ---- Mutants: the lines of `dloc mutants --json` ---- */

static dloc_status wrong(value_diagnostic *diagnostic, const char *message) {
  return value_diagnose(diagnostic, 1, 1, "mutants.format", "%s", message);
}

static const char *kept_text(trace *t, const value *v) { return value_arena_copy(&t->arena, value_text(v)).bytes; }

static dloc_status read_noticed(trace *t, const value *list, trace_mutant *ret) {
  const char **ids = value_arena_alloc(&t->arena, list->count, sizeof *ids);
  for (uint32_t i = 0; ids && i < list->count; i++)
    if (!(ids[i] = kept_text(t, &list->of.items[i])))
      return DLOC_NO_MEMORY;
  ret->noticed = ids;
  ret->noticed_count = list->count;
  return ids ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_status read_mutant(trace *t, const value *line, value_diagnostic *diagnostic) {
  const value *noticed = value_get(line, "noticed");
  dloc_clause clause;
  if (line->kind != VALUE_MAP || value_text(value_get(line, "mutant")).size == 0 || !noticed ||
      noticed->kind != VALUE_LIST)
    return wrong(diagnostic, "the line is none of `dloc mutants --json`");
  if (!dloc_clause_find(value_text(value_get(line, "clause")), &clause))
    return wrong(diagnostic, "no clause of the mutant's name");
  trace_mutant *kept = value_arena_alloc(&t->arena, 1, sizeof *kept);
  if (!kept)
    return DLOC_NO_MEMORY;
  *kept = (trace_mutant){.name = kept_text(t, value_get(line, "mutant")),
                         .what = kept_text(t, value_get(line, "what")),
                         .outcome = kept_text(t, value_get(line, "outcome")),
                         .failed = value_is(value_get(line, "status"), "failed")};
  TRY(read_noticed(t, noticed, kept));
  if (!kept->name || !kept->what || !kept->outcome)
    return DLOC_NO_MEMORY;
  add_mutant(t, clause, kept);
  return DLOC_OK;
}

static dloc_status read_mutant_lines(trace *t, dloc_text text, value_arena *scratch, value_diagnostic *diagnostic) {
  uint32_t number = 0;
  while (text.size) {
    const char *end = memchr(text.bytes, '\n', text.size);
    size_t size = end ? (size_t)(end - text.bytes) : text.size;
    value *line = NULL;
    value_arena_reset(scratch);
    dloc_status status = value_read_one((dloc_text){text.bytes, size}, scratch, diagnostic, &line);
    if (status == DLOC_OK)
      status = read_mutant(t, line, diagnostic);
    number++;
    if (status == DLOC_INVALID)
      diagnostic->line = number;
    if (status != DLOC_OK)
      return status;
    size += end != NULL;
    text = (dloc_text){text.bytes + size, text.size - size};
  }
  return DLOC_OK;
}

static int read_mutants(const char *path, trace *t) {
  tool_input input;
  value_arena scratch;
  value_diagnostic diagnostic = {.line = 0};
  if (!path)
    return TOOL_CONTINUE;
  if (!tool_input_open(path, &input))
    return TOOL_UNUSABLE;
  t->has_mutants = true;
  value_arena_init(&scratch, NULL);
  dloc_status status = read_mutant_lines(t, input.text, &scratch, &diagnostic);
  value_arena_deinit(&scratch);
  if (status == DLOC_INVALID)
    vectors_diagnose(path, input.text, NULL, &diagnostic);
  else if (status != DLOC_OK)
    tool_failure(status, path);
  tool_input_close(&input);
  return status == DLOC_OK ? TOOL_CONTINUE : TOOL_UNUSABLE;
}

/* ---- The whole ---- */

void trace_close(trace *t) {
  for (size_t i = 0; i < t->run_count; i++)
    record_deinit(&t->runs[i]);
  free(t->runs);
  value_arena_deinit(&t->arena);
}

int trace_open(const trace_paths *paths, trace *ret) {
  *ret = (trace){.run_count = 0};
  value_arena_init(&ret->arena, NULL);
  int status = read_runs(&paths->runs, ret);
  sort_runs(ret);
  if (status == TOOL_CONTINUE)
    status = read_evidence_and_vectors(paths, ret);
  if (status == TOOL_CONTINUE)
    status = read_mutants(paths->mutants, ret);
  if (status == TOOL_CONTINUE)
    status = trace_read_untestable(paths->untestable, keep_untestable, ret);
  if (status != TOOL_CONTINUE)
    trace_close(ret);
  return status;
}
