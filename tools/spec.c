/* spec.c - `dloc spec`: the tables of clauses, choices and reasons, and whether vectors and mutants cover them. */
#include "document/memory.h"
#include "document/text.h"
#include "reports/page.h"
#include "vector/mutants.h"
#include "spec_page.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc spec --check [OPTION...] [SPEC.md [VECTORS...]]\n"
    "       dloc spec --html FILE [OPTION...] [SPEC.md [VECTORS...]]\n"
    "       dloc spec --list | --choices | --reasons | --json",
    "Check that the vectors cover the specification: each clause and each alternative of a choice has a\n"
    "vector, each clause has a mutant of the model, and a vector names each mutant. SPEC.md must be the one\n"
    "that this dloc was made from. Or print the tables: clauses one per line, choices and reasons as\n"
    "Markdown, with the profiles that take each alternative. --html checks, and if all is covered writes\n"
    "SPEC.md as a page that shows at each clause its vectors, the mutants of the model (--mutants) and the\n"
    "verdicts of runs (--run). --untestable lists clauses that no test can reach, with the reason.\n"
    "Exit status: 0 all is covered, 1 something is not, 2 unreadable.\n",
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

/* "`keep` is taken by `rfc`, `pr205453`" behind start; false when no profile takes the alternative. */
static bool print_profiles(FILE *file, const char *start, dloc_choice choice, unsigned alternative) {
  bool any = false;
  for (size_t i = 0; i < dloc_profile_count(); i++)
    if (dloc_profile_at(i)->alternative[choice] == alternative) {
      if (!any)
        fprintf(file, "%s`%s` is taken by", start, dloc_alternative_name(choice, alternative));
      fprintf(file, "%s `%s`", any ? "," : "", dloc_profile_at(i)->name);
      any = true;
    }
  return any;
}

/* "`keep` is taken by `rfc`, `pr205453`; ...; no built-in profile takes `drop`." */
static void print_takers(FILE *file, dloc_choice choice) {
  const char *start = "Profiles: ", *nobody = "; no built-in profile takes ";
  uint32_t taken = 0;
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    if (print_profiles(file, start, choice, i)) {
      taken |= UINT32_C(1) << i;
      start = "; ";
    }
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    if (!(taken >> i & 1)) {
      fprintf(file, "%s`%s`", nobody, dloc_alternative_name(choice, i));
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

/* ---- What the vectors cover ---- */

typedef struct coverage {
  tool_input spec;
  int status;
  bool stands[DLOC_CLAUSE_COUNT]; /* in SPEC.md */
  size_t vectors[DLOC_CLAUSE_COUNT];
  const dloc_text *untestable;
  uint32_t stated[DLOC_CHOICE_COUNT]; /* 1 << alternative: some vector states an outcome under it */
  bool mutated[DLOC_CLAUSE_COUNT];
  bool *killed; /* for each mutant: a vector names it */
} coverage;

static void complain(coverage *c, const char *code, const char *message, const char *name) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s", message, name);
  tool_diagnose(&c->spec, NULL, "error", text, code);
  c->status = TOOL_VIOLATION;
}

/* A line of SPEC.md: **`anchor`** *(level)* statement. The build has checked its form. */
static void note_clause(coverage *c, dloc_text line, uint32_t number) {
  const dloc_place place = {.offset = (size_t)(line.bytes - c->spec.text.bytes), .line = number, .column = 1};
  const char *end =
      line.size > 3 && memcmp(line.bytes, "**`", 3) == 0 ? memchr(line.bytes + 3, '`', line.size - 3) : NULL;
  dloc_clause clause;
  if (!end)
    return;
  if (dloc_clause_find((dloc_text){line.bytes + 3, (size_t)(end - line.bytes) - 3}, &clause)) {
    c->stands[clause] = true;
    return;
  }
  tool_diagnose(&c->spec, &place, "error", "this dloc knows no clause of that name", "spec.clause");
  c->status = TOOL_VIOLATION;
}

/* The file is another one than this dloc was made from when their clauses differ. */
static void read_spec(coverage *c) {
  dloc_text rest = c->spec.text;
  for (uint32_t number = 1; rest.size > 0; number++)
    note_clause(c, text_take_line(&rest), number);
}

static void check_clauses(coverage *c) {
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++) {
    const char *anchor = dloc_clause_anchor((dloc_clause)i);
    if (!c->stands[i])
      complain(c, "spec.clause", "a clause is missing", anchor);
    if (!c->vectors[i] && !c->untestable[i].size)
      complain(c, "spec.vectors", "a clause has no vector", anchor);
    if (c->vectors[i] && c->untestable[i].size)
      complain(c, "spec.vectors", "a clause has vectors, and is said to be out of reach of any test", anchor);
  }
}

/* Whether no vector can tell a choice's alternatives apart, or none can reach a clause of its family. */
static bool is_beyond_vectors(const coverage *c, dloc_choice choice) {
  dloc_text family = record_family(dloc_choice_name(choice));
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (c->untestable[i].size && dloc_text_equal(record_family(dloc_clause_anchor((dloc_clause)i)), family))
      return true;
  return choice == DLOC_CHOICE_VERIFY_DEBUG_CALLS; /* a vector has records only: SPEC.md says so at the choice */
}

/* Every alternative of every choice has a vector that states an outcome under it. */
static void check_alternatives(coverage *c) {
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    dloc_choice choice = (dloc_choice)i;
    for (unsigned j = 0; j < dloc_choice_alternatives(choice); j++) {
      char name[128];
      snprintf(name, sizeof name, "%s: %s", dloc_choice_name(choice), dloc_alternative_name(choice, j));
      if (!(c->stated[i] >> j & 1) && !is_beyond_vectors(c, choice))
        complain(c, "spec.vectors", "an alternative has no vector", name);
    }
  }
}

/* Every clause has a mutant, every mutant a vector. */
static void check_mutants(coverage *c) {
  for (size_t i = 0; i < mutant_count(); i++) {
    const mutant *m = mutant_at(i);
    c->mutated[m->clause] = true;
    if (!c->killed[i] && !m->proof && !c->untestable[m->clause].size)
      complain(c, "spec.mutants", "no vector names a mutant", m->name);
  }
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++) {
    bool exempt = mutant_exemption((dloc_clause)i);
    if (!c->mutated[i] && !exempt)
      complain(c, "spec.mutants", "a clause has no mutant", dloc_clause_anchor((dloc_clause)i));
    else if (c->mutated[i] && exempt)
      complain(c, "spec.mutants", "a clause has a mutant and a reason for none", dloc_clause_anchor((dloc_clause)i));
  }
}

/* Names that are no mutant's are lint's business. */
static void count_kills(coverage *c, const vector *v) {
  size_t index = 0;
  for (size_t i = 0; i < v->kill_count; i++)
    if (mutant_find(v->kills[i], &index))
      c->killed[index] = true;
}

/* A vector that lists a choice states an outcome under each alternative it lists, and by `expect` under the one that
 * its own profile takes: `dloc lint` asks that they differ. A vector with a choice under `with` does so for that
 * alternative. */
static void count_alternatives(coverage *c, const vector *v) {
  for (size_t i = 0; i < v->choice_count; i++) {
    dloc_choice choice = v->choices[i].choice;
    c->stated[choice] |= UINT32_C(1) << v->choices[i].alternative | UINT32_C(1) << v->since->alternative[choice];
  }
  for (size_t i = 0; i < v->with_count; i++)
    c->stated[v->with[i].choice] |= UINT32_C(1) << v->with[i].alternative;
}

/* Vectors that name unknown clauses are reported as they are read. */
static int count_vectors(coverage *c, const char *const *paths, size_t count, size_t *ret) {
  vectors v;
  vectors_open(&v, paths, count);
  while (vectors_next(&v)) {
    for (size_t i = 0; i < v.vector.clause_count; i++)
      c->vectors[v.vector.clauses[i]]++;
    count_alternatives(c, &v.vector);
    count_kills(c, &v.vector);
  }
  *ret = v.count;
  vectors_close(&v);
  return v.status;
}

typedef struct spec_options {
  bool check, clauses, choices, reasons, json;
  const char *html;
  const char *untestable;
  spec_page page; /* what is checked, too */
} spec_options;

static int check_all(coverage *c, const spec_options *options) {
  size_t vector_count = 0;
  int status = count_vectors(c, options->page.vectors, options->page.vector_count, &vector_count);
  if (status == TOOL_UNUSABLE || !tool_input_open(options->page.spec, &c->spec))
    return TOOL_UNUSABLE;
  read_spec(c);
  check_clauses(c);
  check_alternatives(c);
  check_mutants(c);
  tool_input_close(&c->spec);
  status = c->status > status ? c->status : status;
  if (status == TOOL_FINE && !options->html)
    printf(
        "%d clauses, %d choices and %d reasons agree with %s; %zu vectors cover every clause%s and name every one of "
        "%zu mutants\n",
        DLOC_CLAUSE_COUNT, DLOC_CHOICE_COUNT, DLOC_REASON_COUNT - 1, options->page.spec, vector_count,
        options->untestable ? " that a test can reach" : "", mutant_count());
  return status;
}

static int check(const spec_options *options) {
  coverage c = {.status = TOOL_FINE,
                .untestable = options->page.untestable,
                .killed = memory_allocate(mutant_count(), sizeof *c.killed)};
  int status = check_all(&c, options);
  free(c.killed);
  return status;
}

/* ---- The command ---- */

static void check_options(const spec_options *o) {
  const char *wrong = NULL;
  if (o->check + o->clauses + o->choices + o->reasons + o->json + (o->html != NULL) != 1)
    wrong = "spec takes one of --check, --html, --list, --choices, --reasons and --json";
  else if (!o->html && (o->page.runs.count || o->page.mutants || o->page.report))
    wrong = "--run, --mutants and --report are for --html";
  else if (o->untestable && !o->html && !o->check)
    wrong = "--untestable is for --check and --html";
  if (wrong)
    tool_fail("%s", wrong);
}

/* By clause: why no test can reach it. */
static void find_untestable(const expected_list *list, const char *name, dloc_text *reasons) {
  int status = TOOL_FINE;
  for (size_t i = 0; i < list->count; i++) {
    const expected_entry *entry = &list->entries[i];
    dloc_clause clause;
    if (dloc_clause_find(entry->id, &clause)) {
      reasons[clause] = entry->reason;
      continue;
    }
    fprintf(stderr, "%s:%u: error: no clause is named '%.*s'\n", name, (unsigned)entry->line, (int)entry->id.size,
            entry->id.bytes);
    status = TOOL_VIOLATION;
  }
  if (status != TOOL_FINE)
    tool_exit(status);
}

static int check_and_write(spec_options *o) {
  dloc_text reasons[DLOC_CLAUSE_COUNT] = {{NULL, 0}};
  tool_input input = {.name = NULL};
  expected_list list = {NULL, 0};
  if (o->untestable)
    list = vectors_read_expected(o->untestable, &input);
  find_untestable(&list, input.name, reasons);
  o->page.untestable = reasons;
  int status = check(o);
  if (status == TOOL_FINE && o->html)
    status = spec_page_write(&o->page, o->html);
  expected_deinit(&list);
  if (input.name)
    tool_input_close(&input);
  return status;
}

static void print_json(void) {
  writer w = {tool_file_sink(stdout), false};
  page_tables(&w, NULL);
  page_mutants(&w);
}

static int run_command(spec_options *o) {
  if (o->json)
    print_json();
  if (o->clauses)
    print_clauses(stdout);
  if (o->choices)
    print_choices(stdout);
  if (o->reasons)
    print_reasons(stdout);
  return o->check || o->html ? check_and_write(o) : TOOL_FINE;
}

int tool_spec(int argc, char **argv) {
  const char *const default_vectors[] = {"vectors"};
  spec_options o = {.page = {.spec = "SPEC.md", .vectors = default_vectors, .vector_count = 1}};
  const tool_option options[] = {
      {TOOL_FLAG, "check", NULL, "check that vectors/ and the mutants cover SPEC.md", &o.check},
      {TOOL_TEXT, "html", "FILE", "write SPEC.md as a page, with what stands behind each clause", &o.html},
      {TOOL_LIST, "run", "RUN.json", "for --html: what `dloc run --json` wrote (may be repeated)", &o.page.runs},
      {TOOL_TEXT, "mutants", "FILE", "for --html: what `dloc mutants --json` wrote", &o.page.mutants},
      {TOOL_TEXT, "report", "ADDRESS", "for --html: the page of `dloc report --html`, for links to vectors",
       &o.page.report},
      {TOOL_TEXT, "untestable", "FILE", "clauses that no test can reach: lines `ANCHOR: REASON`", &o.untestable},
      {TOOL_FLAG, "list", NULL, "print the clauses: anchor, level, statement", &o.clauses},
      {TOOL_FLAG, "choices", NULL, "print the choices as Markdown", &o.choices},
      {TOOL_FLAG, "reasons", NULL, "print the reason codes as Markdown", &o.reasons},
      {TOOL_FLAG, "json", NULL, "write the tables as JSON Lines (conformance/pages/README.md)", &o.json},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  if (count > 0)
    o.page.spec = argv[0];
  if (count > 1) {
    o.page.vectors = (const char *const *)argv + 1;
    o.page.vector_count = (size_t)count - 1;
  }
  check_options(&o);
  int status = run_command(&o);
  free(o.page.runs.items);
  return status;
}
