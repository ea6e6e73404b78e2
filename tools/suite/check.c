/* check.c - `dloc check`: recompute every vector with the model. */
#include "document/buffer.h"
#include "run/parallel.h"
#include "run/process.h"
#include "shell/script.h"
#include "side.h"
#include "vector/inquiry.h"
#include "vector/mutants.h"
#include "shell/vectors.h"
#include "help/check.h"

#include <inttypes.h>

typedef struct checker {
  vectors input;
  const dloc_profile *only; /* --profile; NULL: all */
  unsigned mutant;          /* the model answers under it; 0: none */
  inquiry inquiry;
  const vector_expectation *expected_of; /* what `expected` is of, or NULL */
  vector_answer expected;                /* unless each question builds the vector anew */
  dloc_buffer expected_text;             /* empty until it is needed */
  dloc_buffer actual_text;
  dloc_buffer shown; /* the model's text that was last shown, and beside which expectation */
  const vector_expectation *shown_of;
  uint64_t comparisons;
  uint64_t wrong;     /* vectors */
  process difference; /* the script that tells differences */
  bool wrong_here;
  bool silent; /* nothing is said of wrong vectors */
} checker;

/* ---- Comparing ---- */

/* A mutated model builds the vector as well. */
static void begin(checker *c) {
  if (c->mutant)
    inquiry_begin(&c->inquiry, &c->input.vector);
}

static dloc_status make_text(checker *c, const vector_answer *answer, dloc_buffer *text) {
  text->size = 0;
  return vector_answer_text(c->inquiry.context, answer, buffer_sink(text));
}

static bool builds_anew(const checker *c) { return c->mutant || c->inquiry.has_atoms; }

static dloc_status make_expected(checker *c, const vector_expectation *expectation, value_diagnostic *diagnostic) {
  if (c->expected_of == expectation)
    return DLOC_OK;
  c->expected_of = NULL;
  c->expected_text.size = 0;
  begin(c);
  TRY(inquiry_state(&c->inquiry, expectation, diagnostic, &c->expected));
  if (builds_anew(c))
    TRY(make_text(c, &c->expected, &c->expected_text));
  c->expected_of = expectation;
  return DLOC_OK;
}

static bool same_text(const dloc_buffer *a, const dloc_buffer *b) {
  return dloc_text_equal(buffer_text(a), buffer_text(b));
}

/* Most answers name the very nodes of the expectation. Otherwise their texts are written and compared; the unmutated
 * model writes down the answers of a mutated one. */
static dloc_status ask(checker *c, const dloc_profile *profile, bool *same) {
  vector_answer answer;
  begin(c);
  mutant_selected = c->mutant;
  dloc_status status = inquiry_ask(&c->inquiry, profile, &answer);
  mutant_selected = 0;
  TRY(status);
  *same = !builds_anew(c) && vector_answer_equal(&c->expected, &answer);
  if (*same)
    return DLOC_OK;
  if (!c->expected_text.size)
    TRY(make_text(c, &c->expected, &c->expected_text));
  TRY(make_text(c, &answer, &c->actual_text));
  *same = same_text(&c->expected_text, &c->actual_text);
  return DLOC_OK;
}

static void write_wrong(checker *c, const vector_expectation *expectation, const char *under) {
  const vector *v = &c->input.vector;
  value_arena arena = {0};
  const dloc_place place = {.line = expectation->value->line, .column = expectation->value->column};
  value line =
      tool_finding(&arena, c->input.path, &place, "error", dloc_text_of("the model disagrees"), "vector.mismatch");
  value_put_text(&arena, &line, "id", v->id);
  value_put_text(&arena, &line, "under", dloc_text_of(under));
  value_put_text(&arena, &line, "expected", buffer_text(&c->expected_text));
  value_put_text(&arena, &line, "actual", buffer_text(&c->actual_text));
  tool_print_json(&line);
  value_arena_deinit(&arena);
  vectors_worsen(&c->input, TOOL_VIOLATION);
}

/* Several profiles often differ in the same way: that is shown once. */
static void report_wrong(checker *c, const vector_expectation *expectation, const char *under) {
  const vector *v = &c->input.vector;
  bool again = c->shown_of == expectation && same_text(&c->shown, &c->actual_text);
  c->wrong_here = true;
  if (tool_diagnoses_json) {
    write_wrong(c, expectation, under);
    return;
  }
  if (again) {
    fprintf(stderr, "  and likewise under %s\n", under);
    return;
  }
  vectors_report(&c->input, expectation->value->line, expectation->value->column, "vector.mismatch",
                 "%.*s: the model disagrees under %s (%s)", (int)v->id.size, v->id.bytes, under,
                 dloc_clause_anchor(v->clauses[0]));
  fputs("  - expected, + the model's\n", stderr);
  dloc_text lines = script_difference(&c->difference, buffer_text(&c->expected_text), buffer_text(&c->actual_text));
  fwrite(lines.bytes, 1, lines.size, stderr);
  dloc_buffer shown = c->shown;
  c->shown = c->actual_text;
  c->actual_text = shown;
  c->shown_of = expectation;
}

/* Returns false when there is no point in going on. */
static bool compare(checker *c, const dloc_profile *profile, const vector_expectation *expectation, const char *under) {
  value_diagnostic diagnostic = {.line = 0};
  bool same = false;
  c->comparisons++;
  dloc_status status = make_expected(c, expectation, &diagnostic);
  if (status == DLOC_INVALID) {
    vectors_report(&c->input, diagnostic.line, diagnostic.column, diagnostic.code, "%s", diagnostic.message);
    c->wrong_here = true;
    return true;
  }
  if (status == DLOC_OK)
    status = ask(c, profile, &same);
  if (c->silent) {
    c->wrong_here = status != DLOC_OK || !same;
    return !c->wrong_here;
  }
  if (status == DLOC_OK && !same)
    report_wrong(c, expectation, under);
  if (status != DLOC_OK) {
    vectors_fail(&c->input, status);
    return false;
  }
  return true;
}

static bool check_choice(checker *c, const vector_choice *choice) {
  dloc_profile profile = vector_choice_profile(&c->input.vector, choice);
  char under[200];
  snprintf(under, sizeof under, "%s with %s: %s", profile.name, dloc_choice_name(choice->choice),
           dloc_alternative_name(choice->choice, choice->alternative));
  return compare(c, &profile, &choice->expect, under);
}

static bool check_profile(checker *c, const dloc_profile *profile) {
  const vector_expectation *expectation = vector_expectation_for(&c->input.vector, profile);
  return !expectation || compare(c, profile, expectation, profile->name);
}

static bool check_vector(checker *c) {
  const vector *v = &c->input.vector;
  inquiry_begin(&c->inquiry, v);
  bool going = compare(c, v->since, &v->expect, v->since->name);
  for (size_t i = 0; going && i < dloc_profile_count(); i++) {
    const dloc_profile *profile = dloc_profile_at(i);
    if (profile != v->since && (!c->only || profile == c->only))
      going = check_profile(c, profile);
  }
  for (size_t i = 0; going && i < v->choice_count; i++)
    going = check_choice(c, &v->choices[i]);
  c->expected_of = NULL;
  c->shown_of = NULL;
  return going;
}

static void check_all(checker *c) {
  bool going = true;
  while (going && vectors_next(&c->input)) {
    c->wrong_here = false;
    going = check_vector(c);
    c->wrong += c->wrong_here;
  }
}

/* ---- Several processes ---- */

enum { LEAST_PART = 1 << 18 }; /* bytes, which take a few milliseconds */

typedef struct part {
  checker *checker;
  uint64_t from, to; /* of the bytes */
  pid_t process;
  bool agrees;
  size_t count;
  uint64_t comparisons;
} part;

/* Tells nothing, and stops at the first vector with which the model disagrees. */
static void check_part(void *user) {
  part *p = user;
  checker *c = p->checker;
  c->silent = true;
  if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) /* --json tells on the latter */
    return;
  suite_part(c->input.suite, p->from, p->to);
  check_all(c);
  p->agrees = !c->wrong && c->input.status == TOOL_FINE;
  p->count = c->input.count;
  p->comparisons = c->comparisons;
}

/* False: not all agree, or a process died; then one process is to check all, in order, and tell. */
static bool check_in_parallel(checker *c, uint64_t jobs) {
  const uint64_t bytes = suite_bytes(c->input.suite), most = bytes / LEAST_PART;
  unsigned parts = (unsigned)(most < jobs ? most : jobs);
  if (parts < 2)
    return false;
  bool agree = true;
  part *shared = parallel_memory(parts * sizeof *shared);
  for (unsigned i = 0; i < parts; i++) {
    const uint64_t to = i + 1 < parts ? bytes / parts * (i + 1) : UINT64_MAX;
    shared[i] = (part){.checker = c, .from = bytes / parts * i, .to = to};
    shared[i].process = parallel_start(check_part, &shared[i]);
  }
  for (unsigned i = 0; i < parts; i++)
    agree = parallel_end(shared[i].process) && shared[i].agrees && agree;
  for (unsigned i = 0; agree && i < parts; i++) {
    c->input.count += shared[i].count;
    c->comparisons += shared[i].comparisons;
  }
  parallel_forget(shared, parts * sizeof *shared);
  return agree;
}

/* ---- The command ---- */

/* A line for each vector, as soon as it is known: the mutant may end this process. */
static void try_mutant(checker *c) {
  while (vectors_next(&c->input)) {
    c->wrong_here = false;
    check_vector(c);
    puts(c->wrong_here ? "noticed" : "unnoticed");
    fflush(stdout);
  }
}

static void print_summary(const checker *c) {
  size_t vectors = c->input.count, files = suite_file_count(c->input.suite);
  if (tool_diagnoses_json) {
    printf("{\"vectors\":%zu,\"files\":%zu,\"comparisons\":%" PRIu64 ",\"wrong\":%" PRIu64 "}\n", vectors, files,
           c->comparisons, c->wrong);
    return;
  }
  printf("%zu vector%s in %zu file%s, %" PRIu64 " comparisons: ", vectors, vectors == 1 ? "" : "s", files,
         files == 1 ? "" : "s", c->comparisons);
  if (c->wrong)
    printf("%" PRIu64 " vector%s disagree%s with the model\n", c->wrong, c->wrong == 1 ? "" : "s",
           c->wrong == 1 ? "s" : "");
  else
    puts(c->input.status == TOOL_FINE ? "all agree with the model" : "some input could not be checked");
}

int tool_check(int argc, char **argv) {
  const char *profile = NULL, *mutant = NULL;
  uint64_t jobs = side_jobs();
  const tool_option options[] = {
      {TOOL_TEXT, "profile", "check this profile only, beside each vector's own", &profile},
      {TOOL_NUMBER, "jobs", NULL, &jobs},
      {TOOL_FLAG, "json", NULL, &tool_diagnoses_json},
      {TOOL_TEXT, "mutant", "for `dloc mutants`: which vectors notice this mutant of the model?", &mutant},
      {0}};
  int count = vectors_operands(tool_parse(argc, argv, &check_usage, options), argv);
  checker c = {.only = NULL};
  if (profile && !(c.only = dloc_profile_find(dloc_text_of(profile))))
    tool_fail("no profile is named '%s'", profile);
  if (mutant)
    c.mutant = vectors_find_mutant(mutant);
  if (jobs < 1 || jobs > 256)
    tool_fail("--jobs must be 1 to 256");
  c.silent = c.mutant;
  vectors_open(&c.input, (const char *const *)argv, (size_t)count);
  if (c.mutant) {
    try_mutant(&c);
  } else {
    if (!check_in_parallel(&c, jobs))
      check_all(&c);
    print_summary(&c);
  }
  inquiry_deinit(&c.inquiry);
  dloc_buffer_deinit(&c.expected_text);
  dloc_buffer_deinit(&c.actual_text);
  dloc_buffer_deinit(&c.shown);
  process_end(&c.difference);
  vectors_close(&c.input);
  return c.input.status;
}
