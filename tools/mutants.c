/* mutants.c - `dloc mutants`: is there a vector that notices each deliberate mistake in the model? */
#include "document/memory.h"
#include "experiments/mutants/session.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>
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

/* ---- Input ---- */

/* False: a vector is none, or has an expectation that cannot be, which was said. */
static bool read_vectors(mutant_session *s, vectors *input) {
  dloc_context *context = memory_context();
  dloc_status status = DLOC_OK;
  value_diagnostic wrong = {.line = 0};
  input->keep = true;
  while (status == DLOC_OK && vectors_next(input))
    status = mutants_add_vector(s, &input->vector, context, &wrong);
  dloc_context_destroy(context);
  if (status == DLOC_INVALID)
    vectors_report(input, wrong.line, wrong.column, wrong.code, "%s", wrong.message);
  else if (status != DLOC_OK)
    vectors_fail(input, status);
  return status == DLOC_OK && input->status == TOOL_FINE;
}

static void check_names(const tool_list *names) {
  size_t index = 0;
  for (size_t i = 0; i < names->count; i++)
    if (!mutant_find(dloc_text_of(names->items[i]), &index))
      tool_fail("no mutant is named '%s'; `dloc mutants --list` lists them", names->items[i]);
}

/* ---- The outcome ---- */

typedef struct totals {
  size_t killed, survived, equivalent, failed;
} totals;

static void count_outcome(totals *t, const mutant_outcome *o) {
  t->failed += !mutants_outcome_is_fine(o);
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

static void print_row(const mutant_session *s, const mutant_outcome *o, int width) {
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

static void explain_failure(const mutant_outcome *o) {
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
    mutant_outcome o = mutants_judge(s, &s->tasks[i]);
    count_outcome(&t, &o);
  }
  return t;
}

static void report(const mutant_session *s, const totals *t) {
  int width = name_width(s);
  printf("%-*s  %-30s  killed by\n\n", width, "mutant", "clause");
  for (size_t i = 0; i < s->task_count; i++) {
    mutant_outcome o = mutants_judge(s, &s->tasks[i]);
    print_row(s, &o, width);
  }
  putchar('\n');
  for (size_t i = 0; i < s->task_count; i++) {
    mutant_outcome o = mutants_judge(s, &s->tasks[i]);
    if (!mutants_outcome_is_fine(&o))
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
  const mutant_outcome o = mutants_judge(s, task);
  const char *name = o.killer ? "killed" : o.mutant->proof ? "equivalent" : "survived";
  value map = {.kind = VALUE_MAP};
  value_put_text(arena, &map, "mutant", dloc_text_of(o.mutant->name));
  value_put_text(arena, &map, "clause", dloc_text_of(dloc_clause_anchor(o.mutant->clause)));
  value_put_text(arena, &map, "what", dloc_text_of(o.mutant->what));
  value_put_text(arena, &map, "outcome", dloc_text_of(name));
  value_put_text(arena, &map, "status", dloc_text_of(mutants_outcome_is_fine(&o) ? "passed" : "failed"));
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

static int run(mutant_session *s, vectors *input, const tool_list *names, const char *json) {
  if (!read_vectors(s, input))
    return input->status == TOOL_FINE ? TOOL_VIOLATION : input->status;
  mutants_make_tasks(s, names->items, names->count);
  if (!mutants_run(s))
    tool_fail("%s", s->error);
  if (json && !write_json(s, json))
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
  vectors input;
  vectors_open(&input, (const char *const *)argv, (size_t)count);
  int status = run(&s, &input, &names, json);
  vectors_close(&input);
  mutants_end(&s);
  free(names.items);
  return status;
}
