/* mutants.c - `dloc mutants`: is there a vector that notices each deliberate mistake in the model? */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "mutants.h"

#include "document/buffer.h"
#include "document/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const tool_usage usage = {
    "dloc mutants [OPTION...] PATH...",
    "Run the model over the vectors once for each of its mutants: a mutant is the model with one deliberate\n"
    "mistake. A mutant is killed when an answer is not as expected, or when the model crashes or hangs.\n"
    "Vectors that name it in `kills` run first. Only the dloc that `make mutants` builds has mutants.\n"
    "Exit status: 0 every vector that names a mutant kills it, 1 one does not, 2 there are no mutants or the\n"
    "input is unreadable.\n"
    "\n"
    "After `make mutants`: build/mutants/dloc mutants --mutant merge.line.first vectors/merge\n",
    "dloc mutants --list\n", 0, -1};

bool mutant_names(const vector *v, const char *mutant) {
  for (size_t i = 0; i < v->kill_count; i++)
    if (dloc_text_equal(v->kills[i], dloc_text_of(mutant)))
      return true;
  return false;
}

/* ---- What is expected ---- */

/* An expectation as text, by the model as it is. */
static dloc_status expected_text(mutant_session *s, const vector *v, const vector_expectation *expectation,
                                 dloc_context *context, dloc_text *ret) {
  vector_answer answer;
  value_diagnostic diagnostic = {.line = 0};
  dloc_buffer text = {0};
  dloc_context_reset(context);
  dloc_status status = vector_expectation_answer(v, expectation, context, &s->arena, &diagnostic, &answer);
  if (status == DLOC_INVALID)
    vectors_report(&s->input, diagnostic.line, diagnostic.column, diagnostic.code, "%s", diagnostic.message);
  if (status == DLOC_OK)
    status = vector_answer_text(context, &s->arena, &answer, buffer_sink(&text));
  if (status == DLOC_OK)
    *ret = value_arena_copy(&s->arena, buffer_text(&text));
  dloc_buffer_deinit(&text);
  return status;
}

/* The profiles that `dloc check` compares under, and what the vector expects there. */
static dloc_status list_comparisons(mutant_session *s, dloc_context *context, mutant_vector *ret) {
  const vector *v = &ret->vector;
  size_t most = dloc_profile_count() + v->choice_count + 1, count = 0;
  mutant_comparison *list = value_arena_alloc(&s->arena, most, sizeof *list);
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const vector_expectation *expectation = vector_expectation_for(v, dloc_profile_at(i));
    if (!expectation)
      continue;
    list[count].profile = *dloc_profile_at(i);
    TRY(expected_text(s, v, expectation, context, &list[count++].expected));
  }
  if (v->with_count) { /* no built-in profile is that of `expect` */
    list[count].profile = *v->since;
    TRY(expected_text(s, v, &v->expect, context, &list[count++].expected));
  }
  for (size_t i = 0; i < v->choice_count; i++) {
    list[count].profile = vector_choice_profile(v, &v->choices[i]);
    TRY(expected_text(s, v, &v->choices[i].expect, context, &list[count++].expected));
  }
  ret->comparisons = list;
  ret->comparison_count = count;
  return DLOC_OK;
}

static bool read_vectors(mutant_session *s) {
  dloc_context *context = memory_context();
  dloc_status status = DLOC_OK;
  s->input.keep = true;
  while (status == DLOC_OK && vectors_next(&s->input)) {
    mutant_vector *added = MEMORY_ADD(s->vectors, s->vector_count);
    *added = (mutant_vector){.vector = s->input.vector};
    status = list_comparisons(s, context, added);
  }
  dloc_context_destroy(context);
  if (status != DLOC_OK && status != DLOC_INVALID)
    vectors_fail(&s->input, status);
  return status == DLOC_OK && s->input.status == TOOL_FINE;
}

/* ---- Which mutants ---- */

static bool is_wanted(const tool_list *names, const mutant *m) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], m->name) == 0)
      return true;
  return names->count == 0;
}

static void check_names(const tool_list *names) {
  size_t index = 0;
  for (size_t i = 0; i < names->count; i++)
    if (!mutant_find(dloc_text_of(names->items[i]), &index))
      tool_fail("no mutant is named '%s'; `dloc mutants --list` lists them", names->items[i]);
}

/* The verdicts are shared with the processes that find them. */
static void make_tasks(mutant_session *s, const tool_list *names) {
  size_t size = mutant_count() * s->vector_count;
  s->tasks = memory_allocate(mutant_count(), sizeof *s->tasks);
  uint8_t *verdicts = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (verdicts == MAP_FAILED)
    memory_exhausted();
  for (size_t i = 0; i < mutant_count(); i++)
    if (is_wanted(names, mutant_at(i)))
      s->tasks[s->task_count++] = (mutant_task){i, verdicts + i * s->vector_count};
}

/* ---- The outcome ---- */

static bool is_kill(uint8_t verdict) { return verdict == MUTANT_NOTICED || verdict == MUTANT_CRASHED; }

/* What the vectors say about one mutant. */
typedef struct outcome {
  const mutant *mutant;
  size_t killers;
  const vector *killer;  /* the first, one that names it before any other; NULL: it survives */
  bool crashed;          /* killer's way */
  bool named;            /* killer names it */
  const vector *wrongly; /* names it and does not kill it; NULL */
} outcome;

static outcome judge(const mutant_session *s, const mutant_task *task) {
  outcome o = {.mutant = mutant_at(task->mutant)};
  for (size_t i = 0; i < s->vector_count; i++) {
    const vector *v = &s->vectors[i].vector;
    bool named = mutant_names(v, o.mutant->name);
    if (named && task->verdicts[i] == MUTANT_UNNOTICED)
      o.wrongly = v;
    if (!is_kill(task->verdicts[i]))
      continue;
    o.killers++;
    if (o.killer && (o.named || !named))
      continue;
    o.killer = v;
    o.crashed = task->verdicts[i] == MUTANT_CRASHED;
    o.named = named;
  }
  return o;
}

static bool is_fine(const outcome *o) { return !o->wrongly && (o->mutant->proof ? !o->killer : o->killer && o->named); }

typedef struct totals {
  size_t killed, survived, equivalent, failed;
} totals;

static void count_outcome(totals *t, const outcome *o) {
  t->failed += !is_fine(o);
  if (o->killer)
    t->killed++;
  else if (o->mutant->proof)
    t->equivalent++;
  else
    t->survived++;
}

static void print_text(dloc_text text) { fwrite(text.bytes, 1, text.size, stdout); }

static int name_width(const mutant_session *s) {
  size_t width = strlen("mutant");
  for (size_t i = 0; i < s->task_count; i++) {
    size_t size = strlen(mutant_at(s->tasks[i].mutant)->name);
    width = size > width ? size : width;
  }
  return (int)width;
}

static void print_row(const mutant_session *s, const outcome *o, int width) {
  printf("%-*s  %-30s  ", width, o->mutant->name, dloc_clause_anchor(o->mutant->clause));
  if (o->killer)
    print_text(o->killer->id);
  else
    fputs(o->mutant->proof ? "equivalent" : "SURVIVED", stdout);
  if (o->crashed)
    fputs(" (crash or hang)", stdout);
  if (s->all && o->killers > 1)
    printf(" and %zu more", o->killers - 1);
  putchar('\n');
}

static void explain_failure(const outcome *o) {
  if (o->wrongly)
    printf("%s: %.*s names it, and does not notice it\n", o->mutant->name, (int)o->wrongly->id.size,
           o->wrongly->id.bytes);
  if (o->killer && o->mutant->proof)
    printf("%s: listed as equivalent, but %.*s notices it\n", o->mutant->name, (int)o->killer->id.size,
           o->killer->id.bytes);
  else if (o->killer && !o->named)
    printf("%s: %.*s notices it, but no vector that names it does\n", o->mutant->name, (int)o->killer->id.size,
           o->killer->id.bytes);
  else if (!o->killer && !o->mutant->proof)
    printf("%s: no vector notices that the model %s\n", o->mutant->name, o->mutant->what);
}

static totals count_outcomes(const mutant_session *s) {
  totals t = {0};
  for (size_t i = 0; i < s->task_count; i++) {
    outcome o = judge(s, &s->tasks[i]);
    count_outcome(&t, &o);
  }
  return t;
}

static void report(const mutant_session *s, const totals *t) {
  int width = name_width(s);
  printf("%-*s  %-30s  killed by\n\n", width, "mutant", "clause");
  for (size_t i = 0; i < s->task_count; i++) {
    outcome o = judge(s, &s->tasks[i]);
    print_row(s, &o, width);
  }
  putchar('\n');
  for (size_t i = 0; i < s->task_count; i++) {
    outcome o = judge(s, &s->tasks[i]);
    if (!is_fine(&o))
      explain_failure(&o);
  }
  printf("%zu killed, %zu survived, %zu equivalent\n", t->killed, t->survived, t->equivalent);
  printf("%zu passed, %zu failed\n", s->task_count - t->failed, t->failed);
}

/* ---- JSON ---- */

static value ids_of(const mutant_session *s, const mutant_task *task, value_arena *arena, mutant_verdict verdict) {
  value list = {.kind = VALUE_LIST};
  for (size_t i = 0; i < s->vector_count; i++)
    if (task->verdicts[i] == verdict)
      value_add(arena, &list, value_of_text(arena, s->vectors[i].vector.id));
  return list;
}

static dloc_status write_row(const mutant_session *s, const mutant_task *task, value_arena *arena, FILE *file) {
  const outcome o = judge(s, task);
  const char *name = o.killer ? "killed" : o.mutant->proof ? "equivalent" : "survived";
  value map = {.kind = VALUE_MAP};
  value_put_text(arena, &map, "mutant", dloc_text_of(o.mutant->name));
  value_put_text(arena, &map, "clause", dloc_text_of(dloc_clause_anchor(o.mutant->clause)));
  value_put_text(arena, &map, "what", dloc_text_of(o.mutant->what));
  value_put_text(arena, &map, "outcome", dloc_text_of(name));
  value_put_text(arena, &map, "status", dloc_text_of(is_fine(&o) ? "passed" : "failed"));
  value_put_value(arena, &map, "noticed", ids_of(s, task, arena, MUTANT_NOTICED));
  value_put_value(arena, &map, "crashed", ids_of(s, task, arena, MUTANT_CRASHED));
  TRY(value_write_json(&map, tool_file_sink(file)));
  return putc('\n', file) == EOF ? DLOC_STOPPED : DLOC_OK;
}

static bool write_json(const mutant_session *s, const char *path) {
  tool_output output = tool_output_open(path);
  value_arena arena = {0};
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < s->task_count; i++) {
    value_arena_reset(&arena);
    status = write_row(s, &s->tasks[i], &arena, output.file);
  }
  value_arena_deinit(&arena);
  return tool_output_finish(&output, status, path) == TOOL_FINE;
}

/* ---- The command ---- */

static int list_mutants(void) {
  for (size_t i = 0; i < mutant_count(); i++) {
    const mutant *m = mutant_at(i);
    printf("%s\t%s\t%s", m->name, dloc_clause_anchor(m->clause), m->what);
    if (m->proof)
      printf("\tequivalent: %s", m->proof);
    putchar('\n');
  }
  return TOOL_FINE;
}

static int run(mutant_session *s, const tool_list *names, const char *json) {
  if (!read_vectors(s))
    return s->input.status == TOOL_FINE ? TOOL_VIOLATION : s->input.status;
  make_tasks(s, names);
  if (!mutants_run(s) || (json && !write_json(s, json)))
    return TOOL_UNUSABLE;
  totals t = count_outcomes(s);
  if (!json || strcmp(json, "-") != 0)
    report(s, &t);
  return t.failed ? TOOL_VIOLATION : TOOL_FINE;
}

static uint64_t processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint64_t)count : 1;
}

static int open_and_run(mutant_session *s, char **paths, size_t count, const tool_list *names, const char *json) {
  vectors_open(&s->input, (const char *const *)paths, count);
  int status = run(s, names, json);
  value_arena_deinit(&s->arena);
  vectors_close(&s->input);
  free(s->vectors);
  free(s->tasks);
  return status;
}

int tool_mutants(int argc, char **argv) {
  mutant_session s = {.jobs = processor_count(), .terminal = isatty(STDERR_FILENO)};
  tool_list names = {0};
  const char *json = NULL;
  bool list = false;
  const tool_option options[] = {
      {TOOL_LIST, "mutant", "NAME", "this mutant only (may be repeated)", &names},
      {TOOL_FLAG, "all", NULL, "run every vector, also under a mutant that is killed already", &s.all},
      {TOOL_NUMBER, "jobs", "N", "how many processes (default: one for each processor)", &s.jobs},
      {TOOL_TEXT, "json", "FILE", "write a line of JSON for each mutant; `-`: to stdout, instead of the table", &json},
      {TOOL_FLAG, "list", NULL, "print the mutants: name, clause, what is wrong; no PATH", &list},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  if (list)
    return list_mutants();
  if (!mutants_present())
    tool_fail("this dloc has no mutants; `make mutants` builds one that has, build/mutants/dloc, and runs it");
  if (count == 0 || s.jobs == 0 || s.jobs > 1024)
    tool_fail(count ? "--jobs takes 1 to 1024" : "mutants takes a PATH of vectors");
  check_names(&names);
  int status = open_and_run(&s, argv, (size_t)count, &names, json);
  free(names.items);
  return status;
}
