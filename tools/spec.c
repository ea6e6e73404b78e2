/* spec.c - `dloc spec`: the tables of clauses, choices and reasons, and whether SPEC.md and the vectors agree with
 * them. */
#include "vector/mutants.h"
#include "spec_page.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc spec --check [OPTION...] [SPEC.md [VECTORS...]]\n"
    "       dloc spec --html FILE [OPTION...] [SPEC.md [VECTORS...]]\n"
    "       dloc spec --list | --choices | --reasons",
    "Compare the specification with the model's tables in both directions: each clause, choice and reason of the one "
    "stands in the other,\n"
    "with the same words; each clause has a vector. Or print the tables: clauses one per line, choices and reasons as "
    "SPEC.md has them.\n"
    "--html compares, and if they agree writes SPEC.md as a page with, at each clause, its vectors, the mutants of the "
    "model (--mutants) and the\n"
    "verdicts of runs (--run). A clause that no test can reach is listed with the reason (--untestable).\n"
    "Exit status: 0 they agree, 1 they do not, 2 unreadable.\n",
    "dloc spec --check SPEC.md vectors/\ndloc spec --choices\n"
    "dloc run --impl model --quiet --json model.json vectors; dloc spec --html spec.html --run model.json\n",
    0, -1};

/* ---- Printing the tables ---- */

static void print_clauses(FILE *file) {
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    fprintf(file, "%s\t%s\t%s\n", dloc_clause_anchor((dloc_clause)i), dloc_clause_level((dloc_clause)i),
            dloc_clause_statement((dloc_clause)i));
}

static void print_reason(FILE *file, dloc_reason reason) {
  fprintf(file, "| `%s` | %s | %s |\n", dloc_reason_name(reason), dloc_severity_name(dloc_reason_severity(reason)),
          dloc_reason_text(reason));
}

static void print_reasons(FILE *file) {
  fputs("| code | severity | text |\n|---|---|---|\n", file);
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++)
    print_reason(file, (dloc_reason)i);
}

/* "`keep` is taken by `rfc`, `pr205453`; ...; no built-in profile takes `drop`." */
static void print_takers(FILE *file, dloc_choice choice) {
  const char *separator = "Profiles: ", *nobody = NULL;
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++) {
    bool taken = false;
    for (size_t j = 0; j < dloc_profile_count(); j++) {
      const dloc_profile *profile = dloc_profile_at(j);
      if (profile->alternative[choice] != i)
        continue;
      if (taken)
        fprintf(file, ", `%s`", profile->name);
      else
        fprintf(file, "%s`%s` is taken by `%s`", separator, dloc_alternative_name(choice, i), profile->name);
      taken = true;
      separator = "; ";
    }
  }
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++) {
    bool taken = false;
    for (size_t j = 0; j < dloc_profile_count(); j++)
      taken = taken || dloc_profile_at(j)->alternative[choice] == i;
    if (taken)
      continue;
    fprintf(file, "%s`%s`", nobody ? nobody : "; no built-in profile takes ", dloc_alternative_name(choice, i));
    nobody = ", ";
  }
  fputs(".\n", file);
}

static void print_choice(FILE *file, dloc_choice choice) {
  const dloc_profile *rfc = dloc_profile_at(0);
  fprintf(file, "### Choice `%s`\n\n%s\n\ndefault: `%s`\n\n", dloc_choice_name(choice), dloc_choice_question(choice),
          dloc_alternative_name(choice, rfc->alternative[choice]));
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    fprintf(file, "- `%s`: %s\n", dloc_alternative_name(choice, i), dloc_alternative_meaning(choice, i));
  fprintf(file, "\nReason: %s\n\n", dloc_choice_reason(choice));
  fprintf(file, "What a user sees: %s\n\n", dloc_choice_consequence(choice));
  print_takers(file, choice);
}

static void print_choices(FILE *file) {
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    if (i)
      fputc('\n', file);
    print_choice(file, (dloc_choice)i);
  }
}

/* ---- Comparing with SPEC.md ---- */

typedef struct comparison {
  tool_input input;
  int status;
  dloc_text rest; /* of the text, from the current line on */
  dloc_text line;
  uint32_t number;
  bool clauses[DLOC_CLAUSE_COUNT];
  bool choices[DLOC_CHOICE_COUNT];
  bool reasons[DLOC_REASON_COUNT];
  size_t vectors[DLOC_CLAUSE_COUNT];
  uint32_t untestable[DLOC_CLAUSE_COUNT]; /* the line that says so; 0: some test can reach it */
  bool mutated[DLOC_CLAUSE_COUNT];
  bool *killed; /* for each mutant: a vector names it */
} comparison;

static void differ(comparison *c, bool placed, const char *code, const char *message, const char *expected) {
  char text[1024];
  dloc_place place = {.offset = (size_t)(c->line.bytes - c->input.text.bytes), .line = c->number, .column = 1};
  snprintf(text, sizeof text, "%s%s%s", message, expected ? ": " : "", expected ? expected : "");
  tool_diagnose(&c->input, placed ? &place : NULL, "error", text, code);
  c->status = TOOL_VIOLATION;
}

static bool next_line(comparison *c) {
  if (c->rest.size == 0)
    return false;
  const char *end = memchr(c->rest.bytes, '\n', c->rest.size);
  size_t length = end ? (size_t)(end - c->rest.bytes) : c->rest.size;
  c->line = (dloc_text){c->rest.bytes, length};
  length += end != NULL;
  c->rest = (dloc_text){c->rest.bytes + length, c->rest.size - length};
  c->number++;
  return true;
}

static bool starts_with(dloc_text text, const char *start) {
  size_t size = strlen(start);
  return text.size >= size && memcmp(text.bytes, start, size) == 0;
}

static bool ends_with(dloc_text text, const char *end) {
  size_t size = strlen(end);
  return text.size >= size && memcmp(text.bytes + text.size - size, end, size) == 0;
}

/* What stands between start and the next backquote; empty when the line does not begin so. */
static dloc_text quoted_name(dloc_text line, const char *start) {
  size_t first = strlen(start);
  if (!starts_with(line, start))
    return (dloc_text){"", 0};
  const char *end = memchr(line.bytes + first, '`', line.size - first);
  return (dloc_text){line.bytes + first, end ? (size_t)(end - line.bytes) - first : 0};
}

/* **`anchor`** *(level)* statement */
static void compare_clause(comparison *c) {
  dloc_clause clause = DLOC_CLAUSE_COUNT;
  char expected[768];
  if (!dloc_clause_find(quoted_name(c->line, "**`"), &clause)) {
    differ(c, true, "spec.clause", "no clause of that name in model/clauses.def", NULL);
    return;
  }
  if (c->clauses[clause])
    differ(c, true, "spec.clause", "the clause stands here for the second time", NULL);
  c->clauses[clause] = true;
  int length = snprintf(expected, sizeof expected, "**`%s`** *(%s)* %s", dloc_clause_anchor(clause),
                        dloc_clause_level(clause), dloc_clause_statement(clause));
  if (length < 0 || !dloc_text_equal(c->line, dloc_text_of(expected)))
    differ(c, true, "spec.clause", "model/clauses.def says", expected);
}

static void compare_reason(comparison *c) {
  dloc_text name = quoted_name(c->line, "| `");
  char expected[768];
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++) {
    dloc_reason reason = (dloc_reason)i;
    if (!dloc_text_equal(name, dloc_text_of(dloc_reason_name(reason))))
      continue;
    if (c->reasons[i])
      differ(c, true, "spec.reason", "the code stands here for the second time", NULL);
    c->reasons[i] = true;
    snprintf(expected, sizeof expected, "| `%s` | %s | %s |", dloc_reason_name(reason),
             dloc_severity_name(dloc_reason_severity(reason)), dloc_reason_text(reason));
    if (!dloc_text_equal(c->line, dloc_text_of(expected)))
      differ(c, true, "spec.reason", "model/reasons.def says", expected);
    return;
  }
  differ(c, true, "spec.reason", "no reason of that name in model/reasons.def", NULL);
}

/* A choice's entry must be, line by line, what print_choice prints. */
static void compare_entry(comparison *c, char *expected) {
  for (char *line = expected; line && *line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = '\0';
    if (!dloc_text_equal(c->line, dloc_text_of(line))) {
      differ(c, true, "spec.choice", "model/choices.def says", *line ? line : "(an empty line)");
      return;
    }
    line = end ? end + 1 : NULL;
    if (line && *line && !next_line(c)) {
      differ(c, false, "spec.choice", "the last choice is incomplete", line);
      return;
    }
  }
}

static void compare_choice(comparison *c) {
  dloc_choice choice = DLOC_CHOICE_COUNT;
  char *expected = NULL;
  size_t size = 0;
  if (!dloc_choice_find(quoted_name(c->line, "### Choice `"), &choice)) {
    differ(c, true, "spec.choice", "no choice of that name in model/choices.def", NULL);
    return;
  }
  if (c->choices[choice])
    differ(c, true, "spec.choice", "the choice stands here for the second time", NULL);
  c->choices[choice] = true;
  FILE *file = open_memstream(&expected, &size);
  if (file)
    print_choice(file, choice);
  if (!file || fclose(file) != 0)
    c->status = tool_failure(DLOC_NO_MEMORY, NULL);
  else
    compare_entry(c, expected);
  free(expected);
}

static void compare_lines(comparison *c) {
  bool in_reasons = false;
  while (next_line(c)) {
    if (starts_with(c->line, "## "))
      in_reasons = ends_with(c->line, " Reason codes");
    if (starts_with(c->line, "**`"))
      compare_clause(c);
    else if (starts_with(c->line, "### Choice `"))
      compare_choice(c);
    else if (in_reasons && starts_with(c->line, "| `"))
      compare_reason(c);
  }
}

/* Every clause has a mutant, every mutant a vector. */
static void compare_mutants(comparison *c) {
  for (size_t i = 0; i < mutant_count(); i++) {
    const mutant *m = mutant_at(i);
    c->mutated[m->clause] = true;
    if (!c->killed[i] && !m->proof && !c->untestable[m->clause])
      differ(c, false, "spec.mutants", "no vector names a mutant", m->name);
  }
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (!c->mutated[i] && !mutant_exemption((dloc_clause)i))
      differ(c, false, "spec.mutants", "a clause has no mutant", dloc_clause_anchor((dloc_clause)i));
    else if (c->mutated[i] && mutant_exemption((dloc_clause)i))
      differ(c, false, "spec.mutants", "a clause has a mutant and a reason for none",
             dloc_clause_anchor((dloc_clause)i));
}

static void compare_missing(comparison *c) {
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++) {
    if (!c->clauses[i])
      differ(c, false, "spec.clause", "a clause is missing", dloc_clause_anchor((dloc_clause)i));
    if (!c->vectors[i] && !c->untestable[i])
      differ(c, false, "spec.vectors", "a clause has no vector", dloc_clause_anchor((dloc_clause)i));
    if (c->vectors[i] && c->untestable[i])
      differ(c, false, "spec.vectors", "a clause has vectors, and is said to be out of reach of any test",
             dloc_clause_anchor((dloc_clause)i));
  }
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (!c->choices[i])
      differ(c, false, "spec.choice", "a choice is missing", dloc_choice_name((dloc_choice)i));
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++)
    if (!c->reasons[i])
      differ(c, false, "spec.reason", "a reason is missing", dloc_reason_name((dloc_reason)i));
}

/* Names that are no mutant's are lint's business. */
static void count_kills(comparison *c, const vector *v) {
  size_t index = 0;
  for (size_t i = 0; i < v->kill_count; i++)
    if (mutant_find(v->kills[i], &index))
      c->killed[index] = true;
}

/* Vectors that name unknown clauses are reported as they are read. */
static int count_vectors(comparison *c, const char *const *paths, size_t count, size_t *ret) {
  vectors v;
  int status = vectors_open(&v, paths, count);
  if (status != TOOL_CONTINUE)
    return status;
  while (vectors_next(&v)) {
    for (size_t i = 0; i < v.vector.clause_count; i++)
      c->vectors[v.vector.clauses[i]]++;
    count_kills(c, &v.vector);
  }
  *ret = v.count;
  vectors_close(&v);
  return v.status;
}

static void note_untestable(void *user, dloc_clause clause, dloc_text reason, uint32_t line) {
  comparison *c = user;
  (void)reason;
  c->untestable[clause] = line;
}

typedef struct spec_options {
  bool check, clauses, choices, reasons;
  const char *html;
  const char *report;
  const char *spec;
  trace_paths paths;
} spec_options;

static int compare_all(comparison *c, const spec_options *options) {
  size_t vector_count = 0;
  int listed = trace_read_untestable(options->paths.untestable, note_untestable, c);
  if (listed != TOOL_CONTINUE)
    return listed;
  int status = count_vectors(c, options->paths.vectors, options->paths.vector_count, &vector_count);
  if (status == TOOL_UNUSABLE || !tool_input_open(options->spec, &c->input))
    return TOOL_UNUSABLE;
  c->rest = c->input.text;
  compare_lines(c);
  compare_missing(c);
  compare_mutants(c);
  tool_input_close(&c->input);
  status = c->status > status ? c->status : status;
  if (status == TOOL_FINE && !options->html)
    printf(
        "%d clauses, %d choices and %d reasons agree with %s; %zu vectors cover every clause%s and name every one of "
        "%zu mutants\n",
        DLOC_CLAUSE_COUNT, DLOC_CHOICE_COUNT, DLOC_REASON_COUNT - 1, options->spec, vector_count,
        options->paths.untestable ? " that a test can reach" : "", mutant_count());
  return status;
}

static int check(const spec_options *options) {
  comparison c = {.status = TOOL_FINE, .killed = calloc(mutant_count(), sizeof *c.killed)};
  int status = c.killed ? compare_all(&c, options) : tool_failure(DLOC_NO_MEMORY, NULL);
  free(c.killed);
  return status;
}

/* ---- The page ---- */

static int write_page(const spec_options *options, const trace *t) {
  tool_input input;
  tool_output output;
  if (!tool_input_open(options->spec, &input))
    return TOOL_UNUSABLE;
  bool open = tool_output_open(options->html, &output);
  dloc_status status = DLOC_STOPPED;
  if (open)
    status = spec_page_write(input.text, t, options->report, tool_file_sink(output.file));
  if (status != DLOC_OK && status != DLOC_STOPPED)
    tool_failure(status, options->html);
  bool fine = open && tool_output_close(&output, status == DLOC_OK) && status == DLOC_OK;
  tool_input_close(&input);
  return fine ? TOOL_FINE : TOOL_UNUSABLE;
}

static int page(const spec_options *options) {
  trace *t = malloc(sizeof *t);
  if (!t)
    return tool_failure(DLOC_NO_MEMORY, NULL);
  int status = trace_open(&options->paths, t);
  if (status == TOOL_CONTINUE) {
    status = write_page(options, t);
    trace_close(t);
  }
  free(t);
  return status;
}

/* ---- The command ---- */

static bool check_options(const spec_options *o) {
  const char *wrong = NULL;
  if (o->check + o->clauses + o->choices + o->reasons + (o->html != NULL) != 1)
    wrong = "spec takes one of --check, --html, --list, --choices and --reasons";
  else if (!o->html && (o->paths.runs.count || o->paths.mutants || o->report))
    wrong = "--run, --mutants and --report are for --html";
  else if (o->paths.untestable && !o->html && !o->check)
    wrong = "--untestable is for --check and --html";
  if (wrong)
    tool_error("%s", wrong);
  return !wrong;
}

static int run_command(const spec_options *o) {
  if (o->clauses)
    print_clauses(stdout);
  if (o->choices)
    print_choices(stdout);
  if (o->reasons)
    print_reasons(stdout);
  if (!o->check && !o->html)
    return TOOL_FINE;
  int status = check(o);
  return status == TOOL_FINE && o->html ? page(o) : status;
}

int tool_spec(int argc, char **argv) {
  const char *const default_vectors[] = {"vectors"};
  spec_options o = {.spec = "SPEC.md", .paths = {.vectors = default_vectors, .vector_count = 1}};
  const tool_option options[] = {
      {TOOL_FLAG, "check", NULL, "compare SPEC.md and vectors/ with the tables", &o.check},
      {TOOL_TEXT, "html", "FILE", "write SPEC.md as a page, with what stands behind each clause", &o.html},
      {TOOL_LIST, "run", "RUN.json", "for --html: what `dloc run --json` wrote (may be repeated)", &o.paths.runs},
      {TOOL_TEXT, "mutants", "FILE", "for --html: what `dloc mutants --json` wrote", &o.paths.mutants},
      {TOOL_TEXT, "report", "ADDRESS", "for --html: the page of `dloc report --html`, for links to vectors", &o.report},
      {TOOL_TEXT, "untestable", "FILE", "clauses that no test can reach: lines `ANCHOR: REASON`", &o.paths.untestable},
      {TOOL_FLAG, "list", NULL, "print the clauses: anchor, level, statement", &o.clauses},
      {TOOL_FLAG, "choices", NULL, "print the choices as Markdown", &o.choices},
      {TOOL_FLAG, "reasons", NULL, "print the reason codes as Markdown", &o.reasons},
      {0, NULL, NULL, NULL, NULL}};
  int count = 0;
  int status = tool_parse(argc, argv, &usage, options, &count);
  if (count > 0)
    o.spec = argv[0];
  if (count > 1) {
    o.paths.vectors = (const char *const *)argv + 1;
    o.paths.vector_count = (size_t)count - 1;
  }
  if (status == TOOL_CONTINUE)
    status = check_options(&o) ? run_command(&o) : TOOL_UNUSABLE;
  free(o.paths.runs.items);
  return status;
}
