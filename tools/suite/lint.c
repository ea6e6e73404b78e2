/* lint.c - `dloc lint`: what the format asks of vectors beyond being readable. lint.py tells it, and compares ids and the
 * lists of a folder; here each vector is checked. */
#include "document/buffer.h"
#include "document/names.h"
#include "shell/script.h"
#include "vector/inquiry.h"
#include "vector/mutants.h"
#include "shell/vectors.h"
#include "help/lint.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct linter {
  vectors input;
  value_arena arena; /* of one check */
  dloc_context *context;
  char digest[33];                   /* of the vector's content */
  bool (*listed)[DLOC_CHOICE_COUNT]; /* of each clause: the choices that its vectors list */
} linter;

#define REPORT(l, line, column, code, ...) vectors_report(&(l)->input, line, column, code, __VA_ARGS__)

/* ---- Fields ---- */

static void lint_digest(linter *l) {
  const vector *v = &l->input.vector;
  value canonical;
  const value *written = value_get(v->document, "digest");
  vector_canonical(v->document, &l->arena, &canonical);
  vector_digest(&canonical, &l->arena, l->digest);
  if (!written)
    REPORT(l, 0, 0, "vector.digest", "no digest; run dloc fmt");
  else if (!value_is(written, l->digest))
    REPORT(l, written->line, written->column, "vector.digest",
           "the digest is not that of the content; run dloc fmt when the change is meant");
}

/* The folder a file stands in is named after the family of the clause: vectors/merge has merge.*. */
static void lint_folder(linter *l) {
  const char *anchor = dloc_clause_anchor(l->input.vector.clauses[0]);
  const char *path = l->input.path, *slash = strrchr(path, '/');
  if (!slash || value_is_lines(path, (dloc_text){NULL, 0}))
    return; /* JSON Lines are vectors of any family, for other programs */
  const char *folder = slash;
  while (folder > path && folder[-1] != '/')
    folder--;
  size_t length = (size_t)(slash - folder), family = strcspn(anchor, ".");
  bool free_folder = (length == 9 && memcmp(folder, "generated", 9) == 0) || length == 0 || folder[0] == '.' ||
                     (folder == path && path[0] != '/');
  if (!free_folder && (length != family || memcmp(folder, anchor, length) != 0))
    REPORT(l, 0, 0, "vector.folder", "the first clause is %s, the folder %.*s", anchor, (int)length, folder);
}

static void lint_level(linter *l) {
  const vector *v = &l->input.vector;
  const char *level = dloc_clause_level(v->clauses[0]);
  const value *written = value_get(v->document, "level");
  if (strcmp(level, v->level) != 0)
    REPORT(l, written->line, written->column, "vector.level", "the level is %s, that of its first clause %s is %s",
           v->level, dloc_clause_anchor(v->clauses[0]), level);
}

static void lint_needs(linter *l) {
  const vector *v = &l->input.vector;
  if (!(v->needs & VECTOR_NEED_BIT(v->op)))
    REPORT(l, 0, 0, "vector.needs", "needs lacks '%s'", vector_op_name(v->op));
  if (vector_has_layers(v) && !(v->needs & VECTOR_NEED_BIT(VECTOR_NEED_LAYERS)))
    REPORT(l, 0, 0, "vector.needs", "needs lacks 'layers': a node is a composite");
  if (vector_has_irlayers(v) && DLOC_TAKES(v->since, METADATA_IRLAYERS, KNOWN) &&
      !(v->needs & VECTOR_NEED_BIT(VECTOR_NEED_IRLAYERS)))
    REPORT(l, 0, 0, "vector.needs", "needs lacks 'irlayers': a node is a DILayerLoc or a DILayerLocList");
  if (vector_has_atoms(v) && !(v->needs & VECTOR_NEED_BIT(VECTOR_NEED_ATOMS)))
    REPORT(l, 0, 0, "vector.needs", "needs lacks 'atoms': a node has an atomGroup");
}

static void lint_clauses(linter *l) {
  const vector *v = &l->input.vector;
  const value *list = value_get(v->document, "clauses");
  bool met[DLOC_CLAUSE_COUNT] = {false};
  for (size_t i = 0; i < v->clause_count; i++) {
    if (met[v->clauses[i]])
      REPORT(l, list->of.items[i].line, list->of.items[i].column, "vector.clause", "clause %s is repeated",
             dloc_clause_anchor(v->clauses[i]));
    met[v->clauses[i]] = true;
  }
}

static void lint_kills(linter *l) {
  const vector *v = &l->input.vector;
  const value *list = value_get(v->document, "kills");
  OWNED(names_deinit) names met = {0};
  for (size_t i = 0; i < v->kill_count; i++) {
    const value *item = &list->of.items[i];
    int size = (int)(v->kills[i].size < 100 ? v->kills[i].size : 100);
    size_t index = 0, count = met.count;
    if (!mutant_find(v->kills[i], &index))
      REPORT(l, item->line, item->column, "vector.kills", "no mutant is named '%.*s'", size, v->kills[i].bytes);
    else if (mutant_at(index)->proof)
      REPORT(l, item->line, item->column, "vector.kills", "mutant %.*s is listed as equivalent", size,
             v->kills[i].bytes);
    if (names_number(&met, v->kills[i]) < count)
      REPORT(l, item->line, item->column, "vector.kills", "mutant %.*s is repeated", size, v->kills[i].bytes);
  }
}

/* ---- Notes ---- */

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

/* A sentence begins with a capital letter, a digit, quoted text, or a name
 * that keeps its lower case: isImplicitCode. */
static bool begins_sentence(const char *note) {
  if (note[0] < 'a' || note[0] > 'z')
    return true;
  size_t word = strcspn(note, " ");
  for (size_t i = 0; i < word; i++)
    if (is_upper(note[i]))
      return true;
  return false;
}

static size_t words_of(const char *note) {
  size_t words = 0;
  for (size_t i = 0; note[i]; i++)
    words += note[i] != ' ' && (i == 0 || note[i - 1] == ' ');
  return words;
}

/* The first words in a note that only its neighbour explains, or NULL. */
static const char *leaning_words(const char *note) {
  static const char *const leaning[] = {"the same with", "likewise", "turned round", "with them",
                                        "so does",       "nor does", "neither."};
  for (size_t start = 0; note[start]; start++)
    for (size_t i = 0; i < sizeof leaning / sizeof *leaning; i++) {
      size_t length = strlen(leaning[i]);
      if ((start == 0 || !is_letter(note[start - 1])) && strncasecmp(note + start, leaning[i], length) == 0 &&
          !is_letter(note[start + length]))
        return leaning[i];
    }
  return NULL;
}

static void lint_note(linter *l) {
  const value *written = value_get(l->input.vector.document, "note");
  if (!written)
    return;
  OWNED(memory_release) char *note = memory_copy(l->input.vector.note);
  const char *leaning = leaning_words(note);
  uint32_t line = written->line, column = written->column;
  if (!begins_sentence(note))
    REPORT(l, line, column, "vector.note", "a note begins like a sentence: with a capital letter, a digit or a name");
  if (!*note || note[strlen(note) - 1] != '.')
    REPORT(l, line, column, "vector.note", "a note ends with a full stop");
  if (words_of(note) < 4)
    REPORT(l, line, column, "vector.note", "a note has at least four words");
  if (leaning)
    REPORT(l, line, column, "vector.note", "a note stands alone: '%s' needs its neighbour", leaning);
}

/* ---- Nodes ---- */

static void report_unused(void *user, dloc_text name, uint32_t line, uint32_t column) {
  linter *l = user;
  REPORT(l, line, column, "vector.unused", "nothing refers to node '%.*s'", (int)name.size, name.bytes);
}

static void lint_nodes(linter *l) { vector_unused(&l->input.vector, &l->arena, report_unused, l); }

/* ---- Alternatives that make no difference ---- */

/* False for one that cannot be, which dloc check shows. */
static bool expected_text(linter *l, const vector_expectation *expectation, dloc_buffer *text) {
  vector_answer answer;
  const vector_case fresh = {.context = l->context};
  dloc_context_reset(l->context);
  return vector_expectation_answer(&l->input.vector, expectation, &fresh, &l->arena, NULL, &answer) == DLOC_OK &&
         vector_answer_text(l->context, &answer, buffer_sink(text)) == DLOC_OK;
}

static bool says_the_same(linter *l, const vector_expectation *a, const vector_expectation *b) {
  OWNED(dloc_buffer_deinit) dloc_buffer first = {0}, second = {0};
  return expected_text(l, a, &first) && expected_text(l, b, &second) &&
         dloc_text_equal(buffer_text(&first), buffer_text(&second));
}

static void lint_choices(linter *l) {
  const vector *v = &l->input.vector;
  for (size_t i = 0; i < v->choice_count; i++)
    if (says_the_same(l, &v->expect, &v->choices[i].expect))
      REPORT(l, v->choices[i].line, v->choices[i].column, "vector.same", "%s: %s expects what `expect` does",
             dloc_choice_name(v->choices[i].choice),
             dloc_alternative_name(v->choices[i].choice, v->choices[i].alternative));
}

/* An entry for a profile that says what would hold without it: what the profile that it is based on expects, say. */
static void lint_profiles(linter *l) {
  const vector *v = &l->input.vector;
  vector without = *v;
  vector_profile *others = value_arena_alloc(&l->arena, v->profile_count, sizeof *others);
  without.profiles = others;
  without.profile_count = v->profile_count ? v->profile_count - 1 : 0;
  for (size_t i = 0; i < v->profile_count; i++) {
    const vector_profile *entry = &v->profiles[i];
    for (size_t j = 0; j < v->profile_count; j++)
      if (j != i)
        others[j - (j > i)] = v->profiles[j];
    const vector_expectation *otherwise = vector_expectation_for(&without, entry->profile);
    if (otherwise && says_the_same(l, otherwise, &entry->expect))
      REPORT(l, entry->line, entry->column, "vector.same", "%s expects what holds for it without this entry",
             entry->profile->name);
  }
}

/* ---- All of them ---- */

/* A file that is no YAML was reported when the vectors were read; comments in the wrong place only show here. */
static void lint_format(linter *l, const char *path) {
  OWNED(dloc_buffer_deinit) dloc_buffer formatted = {0};
  OWNED(tool_input_close) tool_input input = {.name = NULL};
  value_diagnostic diagnostic = {.code = "vector.format", .message = "not in canonical form; run dloc fmt"};
  if (strcmp(path, "-") == 0 || !tool_input_open(path, &input))
    return;
  dloc_status status = vectors_format(path, input.text, &formatted, &diagnostic);
  bool same = dloc_text_equal(input.text, buffer_text(&formatted));
  bool comment = status == DLOC_INVALID && strcmp(diagnostic.code, "vector.comment") == 0;
  if ((status == DLOC_OK && !same) || comment) {
    vectors_diagnose(path, input.text, NULL, &diagnostic);
    vectors_worsen(&l->input, TOOL_VIOLATION);
  }
}

/* ---- What acts together ---- */

/* lint_vector tells about vectors that cannot be read. */
static void read_listed(linter *l, const char *const *paths, size_t count) {
  OWNED(release_suite) suite *s = NULL;
  suite_error error;
  const char *path;
  vector v;
  bool end = false;
  dloc_status status = suite_create(paths, count, &error, &s);
  while (!end && (status == DLOC_OK || status == DLOC_INVALID) && s) {
    value_arena_reset(&l->arena);
    status = suite_next_vector(s, &l->arena, &error, &path, &v, &end);
    for (size_t i = 0; !end && status == DLOC_OK && i < v.clause_count; i++)
      for (size_t j = 0; j < v.choice_count; j++)
        l->listed[v.clauses[i]][v.choices[j].choice] = true;
  }
}

static bool is_listed(const linter *l, const vector *v, dloc_choice choice) {
  bool listed = false;
  for (size_t i = 0; i < v->clause_count && !listed; i++)
    listed = l->listed[v->clauses[i]][choice];
  return listed;
}

/* Whether nobody derived what holds. */
static bool is_underived(inquiry *q, const dloc_profile *profile) {
  const vector_expectation *known = NULL;
  return vector_expectation_for(q->vector, profile) && inquiry_expectation(q, profile, &known) == DLOC_OK && !known;
}

/* The alternatives under which somebody derived what holds, of the choices that vectors of the same clauses list. */
static size_t near_alternatives(const linter *l, inquiry *q, vector_choice **ret) {
  size_t count = 0;
  for (dloc_choice choice = 0; choice < DLOC_CHOICE_COUNT; choice++)
    for (unsigned i = 0; i < dloc_choice_alternatives(choice) && is_listed(l, q->vector, choice); i++) {
      const vector_choice taken = {.choice = choice, .alternative = i};
      dloc_profile profile = vector_choice_profile(q->vector, &taken);
      if (q->vector->since->alternative[choice] != i && !is_underived(q, &profile))
        *MEMORY_ADD(*ret, count) = taken;
    }
  return count;
}

static void put_pair(inquiry *q, const vector_choice *a, const vector_choice *b, value_arena *arena, value *list) {
  const vector_choice *const taken[] = {a, b};
  dloc_profile both = vector_choice_profile(q->vector, a);
  both.alternative[b->choice] = (uint8_t)b->alternative;
  if (a->choice == b->choice || !is_underived(q, &both))
    return;
  value pair = {.kind = VALUE_MAP};
  for (size_t i = 0; i < 2; i++)
    value_put_text(arena, &pair, dloc_choice_name(taken[i]->choice),
                   dloc_text_of(dloc_alternative_name(taken[i]->choice, taken[i]->alternative)));
  value_add(arena, list, pair);
}

/* Pairs of alternatives of which somebody derived what each expects, and nobody what both do. */
static value together(const linter *l, value_arena *arena) {
  value pairs = {.kind = VALUE_LIST};
  OWNED(memory_release) vector_choice *near = NULL;
  OWNED(inquiry_deinit) inquiry q = {.vector = NULL};
  inquiry_begin(&q, &l->input.vector);
  size_t count = near_alternatives(l, &q, &near);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      put_pair(&q, &near[j], &near[i], arena, &pairs);
  return pairs;
}

static void print_fact(const linter *l) {
  const vector *v = &l->input.vector;
  OWNED(value_arena_deinit) value_arena arena = {0};
  value map = {.kind = VALUE_MAP}, pairs = together(l, &arena);
  value_put_text(&arena, &map, "id", v->id);
  value_put_text(&arena, &map, "digest", dloc_text_of(l->digest));
  value_put_text(&arena, &map, "path", dloc_text_of(l->input.path));
  value_put_number(&arena, &map, "line", value_get(v->document, "id")->line);
  if (pairs.count)
    value_put_value(&arena, &map, "together", pairs);
  tool_print_json(&map);
}

static void lint_vector(linter *l) {
  static void (*const checks[])(linter *) = {lint_digest,  lint_folder, lint_level, lint_needs,   lint_nodes,
                                             lint_clauses, lint_kills,  lint_note,  lint_choices, lint_profiles};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    value_arena_reset(&l->arena);
    checks[i](l);
  }
  print_fact(l);
}

int tool_lint(int argc, char **argv) {
  bool facts = false;
  const tool_option options[] = {
      {TOOL_FLAG, "json", NULL, &tool_diagnoses_json},
      {TOOL_FLAG, "facts",
       "also write each vector's `id`, `digest`, `path` and `line`, and what acts `together`, as JSON, for lint.py",
       &facts},
      {0}};
  linter l = {.context = NULL};
  int count = vectors_operands(tool_parse(argc, argv, &lint_usage, options), argv);
  for (int i = 0; i < count; i++)
    if (strcmp(argv[i], "-") != 0) /* whose form is not looked at */
      tool_require_rereadable(argv[i]);
  if (!facts)
    return script_become("suite/lint.py", options, argv, count);
  l.listed = memory_allocate(DLOC_CLAUSE_COUNT, sizeof *l.listed);
  read_listed(&l, (const char *const *)argv, (size_t)count);
  vectors_open(&l.input, (const char *const *)argv, (size_t)count);
  l.context = memory_context();
  while (vectors_next(&l.input))
    lint_vector(&l);
  /* A file that cannot be read has been reported. */
  for (size_t i = 0; l.input.status < TOOL_UNUSABLE && i < suite_file_count(l.input.suite); i++)
    lint_format(&l, suite_file(l.input.suite, i));
  dloc_context_destroy(l.context);
  value_arena_deinit(&l.arena);
  free(l.listed);
  vectors_close(&l.input);
  return l.input.status;
}
