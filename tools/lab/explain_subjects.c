/* explain_subjects.c - what there is to say of a clause, a choice, an alternative, a reason, a law, a profile, an
 * operation and a vector, part by part. */
#include "explain.h"

#include "document/buffer.h"

#include <stdarg.h>
#include <string.h>

enum { LAWS_SCOPE = 1 }; /* an instant; scope 2 takes seconds for each alternative */

/* ---- Parts ---- */

static void put(explainer *e, value *map, const char *key, const char *text) {
  if (text && *text)
    value_put_text(&e->arena, map, key, dloc_text_of(text));
}

/* An empty list or map says nothing. */
static void put_all(explainer *e, value *map, const char *key, value all) {
  if (all.kind == VALUE_SCALAR || all.count)
    value_put_value(&e->arena, map, key, all);
}

static void put_format(explainer *e, value *map, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void put_format(explainer *e, value *map, const char *key, const char *format, ...) {
  dloc_buffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  buffer_format_list(&text, format, arguments);
  va_end(arguments);
  value_put_text(&e->arena, map, key, buffer_text(&text));
  dloc_buffer_deinit(&text);
}

static value begin(explainer *e, const char *name, const char *kind) {
  value map = {.kind = VALUE_MAP};
  put(e, &map, kind, name);
  return map;
}

/* Whether a text names it between backquotes, alone or as `name: alternative`. */
static bool mentions(const char *text, const char *name) {
  size_t size = strlen(name);
  for (const char *at = strchr(text, '`'); at; at = strchr(at + 1, '`'))
    if (strncmp(at + 1, name, size) == 0 && (at[1 + size] == '`' || at[1 + size] == ':'))
      return true;
  return false;
}

static value clauses_that_mention(explainer *e, const char *name) {
  value map = {.kind = VALUE_MAP};
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (mentions(dloc_clause_source((dloc_clause)i), name))
      put(e, &map, dloc_clause_anchor((dloc_clause)i), dloc_clause_statement((dloc_clause)i));
  return map;
}

/* ---- Vectors that are wanted ---- */

static bool tests_clause(const vector *v, unsigned clause) {
  for (size_t i = 0; i < v->clause_count; i++)
    if (v->clauses[i] == clause)
      return true;
  return false;
}

static bool is_for_clause(const vector *v, unsigned clause) { return v->clauses[0] == clause; }

static bool lists_choice(const vector *v, unsigned choice) {
  for (size_t i = 0; i < v->choice_count; i++)
    if (v->choices[i].choice == choice)
      return true;
  return false;
}

static bool has_reason(const vector *v, unsigned reason) { return vectors_expects_reason(v, (dloc_reason)reason); }

static bool has_reason_first(const vector *v, unsigned reason) {
  return vectors_names_reason(&v->expect, (dloc_reason)reason);
}

static bool asks_op(const vector *v, unsigned op) { return v->op == op; }

static size_t document_size(const value *v) {
  size_t size = 1;
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    size += document_size(&v->of.items[i]);
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++)
    size += document_size(&v->of.entries[i].value);
  return size;
}

static bool is_named_for(const vector *v, const char *name) {
  size_t size = strlen(name);
  return v->id.size > size && memcmp(v->id.bytes, name, size) == 0 && v->id.bytes[size] == '.';
}

/* The first of them that has its name, as files begin with what is plain, or else the smallest; NULL when there is
 * none. */
static const vector *plainest(const explainer *e, explain_wanted *is_wanted, unsigned wanted, const char *name) {
  const vector *found = NULL;
  for (size_t i = 0; i < e->count; i++) {
    const vector *v = &e->vectors[i].vector;
    if (!is_wanted(v, wanted))
      continue;
    bool ours = is_named_for(v, name), theirs = found && is_named_for(found, name);
    if (!found || (ours && !theirs) || (!theirs && document_size(v->document) < document_size(found->document)))
      found = v;
  }
  return found;
}

/* How many they are, which LLVM confirms them, and the command that lists them. */
static void put_vectors(explainer *e, value *map, explain_wanted *is_wanted, unsigned wanted, const char *option) {
  size_t count = 0;
  for (size_t i = 0; i < e->count; i++)
    count += is_wanted(&e->vectors[i].vector, wanted);
  if (!e->folder)
    return;
  put_all(e, map, "confirmed", explain_confirmed(e, is_wanted, wanted));
  value_put_number(&e->arena, map, "vectors", count);
  put_format(e, map, "list", "dloc list %s %s", option, e->folder);
}

static void put_example(explainer *e, value *map, explain_wanted *is_wanted, unsigned wanted, const char *name) {
  const vector *v = plainest(e, is_wanted, wanted, name);
  if (v)
    value_put_value(&e->arena, map, "example", explain_example(e, v));
}

static value choices_of(explainer *e, const vector *v) {
  value map = {.kind = VALUE_MAP};
  for (size_t i = 0; i < v->choice_count; i++) {
    const vector_choice *c = &v->choices[i];
    char name[EXPLAIN_NAME_SIZE];
    const char *const key = name;
    const vector_expectation *const expectation = &c->expect;
    snprintf(name, sizeof name, "%s=%s", dloc_choice_name(c->choice), dloc_alternative_name(c->choice, c->alternative));
    value one = explain_answers(e, v, &key, &expectation, 1);
    value_put_value(&e->arena, &map, key, one.of.entries[0].value);
  }
  return map;
}

/* ---- Clauses ---- */

static size_t count_clauses(const explainer *e) {
  (void)e;
  return DLOC_CLAUSE_COUNT;
}

static void name_clause(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", dloc_clause_anchor((dloc_clause)index));
}

static bool law_rests_on(law l, const char *clause) {
  dloc_text rest = dloc_text_of(law_clauses(l)), word;
  while (text_take_word(&rest, &word))
    if (dloc_text_equal(word, dloc_text_of(clause)))
      return true;
  return false;
}

static value takers(explainer *e, dloc_choice choice, unsigned alternative) {
  value list = {.kind = VALUE_LIST};
  for (size_t i = 0; i < dloc_profile_count(); i++)
    if (dloc_profile_at(i)->alternative[choice] == alternative)
      value_add(&e->arena, &list, value_of_text(&e->arena, dloc_text_of(dloc_profile_at(i)->name)));
  return list;
}

/* The question, and which profiles take which alternative. */
static value choice_in_short(explainer *e, dloc_choice choice) {
  value map = {.kind = VALUE_MAP};
  put(e, &map, "question", dloc_choice_question(choice));
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++) {
    value profiles = takers(e, choice, i);
    if (!profiles.count)
      value_add(&e->arena, &profiles, value_of_text(&e->arena, dloc_text_of("no profile")));
    value_put_value(&e->arena, &map, dloc_alternative_name(choice, i), profiles);
  }
  return map;
}

static value explain_clause(explainer *e, size_t index) {
  dloc_clause clause = (dloc_clause)index;
  const char *source = dloc_clause_source(clause), *anchor = dloc_clause_anchor(clause);
  value map = begin(e, anchor, "clause");
  value choices = {.kind = VALUE_MAP}, reasons = {.kind = VALUE_MAP}, laws = {.kind = VALUE_MAP};
  char option[EXPLAIN_NAME_SIZE];
  put(e, &map, "statement", dloc_clause_statement(clause));
  put(e, &map, "level", dloc_clause_level(clause));
  put(e, &map, "origin", dloc_clause_origin(clause));
  put(e, &map, "source", source);
  put(e, &map, "llvm", dloc_clause_place(clause));
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (mentions(source, dloc_choice_name((dloc_choice)i)))
      value_put_value(&e->arena, &choices, dloc_choice_name((dloc_choice)i), choice_in_short(e, (dloc_choice)i));
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++)
    if (mentions(source, dloc_reason_name((dloc_reason)i)))
      put(e, &reasons, dloc_reason_name((dloc_reason)i), dloc_reason_text((dloc_reason)i));
  for (int i = 0; i < LAW_COUNT; i++)
    if (law_rests_on((law)i, anchor))
      put(e, &laws, law_name((law)i), law_statement((law)i));
  put_all(e, &map, "choices", choices);
  put_all(e, &map, "reasons", reasons);
  put_all(e, &map, "laws", laws);
  put_example(e, &map, is_for_clause, (unsigned)clause, anchor);
  snprintf(option, sizeof option, "--clause %s", anchor);
  put_vectors(e, &map, tests_clause, (unsigned)clause, option);
  return map;
}

/* ---- Choices ---- */

static size_t count_choices(const explainer *e) {
  (void)e;
  return DLOC_CHOICE_COUNT;
}

static void name_choice(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", dloc_choice_name((dloc_choice)index));
}

static law_result *try_laws(explainer *e, const dloc_profile *profile) {
  const laws_settings settings = {.profile = profile, .scope = LAWS_SCOPE, .shards = 1};
  law_result *results = value_arena_alloc(&e->arena, LAW_COUNT, sizeof *results);
  laws_run(&settings, results);
  return results;
}

/* What the alternative, in place of the one that rfc takes, does to the laws: {breaks, mends}. */
static value laws_under(explainer *e, dloc_choice choice, unsigned alternative) {
  dloc_profile changed = *dloc_profile_at(0);
  value map = {.kind = VALUE_MAP}, breaks = {.kind = VALUE_LIST}, mends = {.kind = VALUE_LIST};
  changed.alternative[choice] = (uint8_t)alternative;
  if (!e->laws)
    e->laws = try_laws(e, dloc_profile_at(0));
  const law_result *after = try_laws(e, &changed);
  for (int i = 0; i < LAW_COUNT; i++)
    if (!e->laws[i].broken != !after[i].broken)
      value_add(&e->arena, after[i].broken ? &breaks : &mends,
                value_of_text(&e->arena, dloc_text_of(law_name((law)i))));
  put_all(e, &map, "breaks", breaks);
  put_all(e, &map, "mends", mends);
  return map;
}

static value explain_one_alternative(explainer *e, dloc_choice choice, unsigned alternative, value implementations) {
  value map = {.kind = VALUE_MAP};
  put(e, &map, "means", dloc_alternative_meaning(choice, alternative));
  put_all(e, &map, "profiles", takers(e, choice, alternative));
  put_all(e, &map, "implementations", implementations);
  if (dloc_profile_at(0)->alternative[choice] != alternative)
    put_all(e, &map, "laws", laws_under(e, choice, alternative));
  return map;
}

/* What a vector that lists the choice states: a bit for each alternative. */
static uint64_t shown_by(const vector *v, dloc_choice choice) {
  uint64_t shown = lists_choice(v, choice) ? UINT64_C(1) << v->since->alternative[choice] : 0;
  for (unsigned a = 0; a < dloc_choice_alternatives(choice); a++)
    shown |= (uint64_t)explain_lists(v, choice, a) << a;
  return shown;
}

/* Of vectors that show as many alternatives, one of the profile rfc is better, and then the smaller one. */
static bool is_better(const vector *v, const vector *best) {
  bool ours = strcmp(v->since->name, "rfc") == 0, theirs = strcmp(best->since->name, "rfc") == 0;
  return ours != theirs ? ours : document_size(v->document) < document_size(best->document);
}

/* Vectors that show the alternatives in as few as possible: each the one with the most that none before it has. only:
 * one alternative, shown beside that of rfc; or their number. */
static value witnesses(explainer *e, dloc_choice choice, unsigned only) {
  unsigned alternatives = dloc_choice_alternatives(choice);
  uint64_t left = (UINT64_C(1) << alternatives) - 1;
  value list = {.kind = VALUE_LIST};
  if (only < alternatives)
    left = UINT64_C(1) << only | UINT64_C(1) << dloc_profile_at(0)->alternative[choice];
  for (;;) {
    const vector *best = NULL;
    int most = 0;
    for (size_t i = 0; i < e->count; i++) {
      const vector *v = &e->vectors[i].vector;
      int gain = __builtin_popcountll(shown_by(v, choice) & left);
      if (gain > most || (gain && gain == most && is_better(v, best)))
        best = v, most = gain;
    }
    if (!best)
      return list;
    left &= ~shown_by(best, choice);
    value_add(&e->arena, &list, explain_witness(e, best, choice, only));
  }
}

static value explain_alternatives(explainer *e, dloc_choice choice, unsigned only) {
  unsigned count = dloc_choice_alternatives(choice);
  value *implementations = value_arena_alloc(&e->arena, count, sizeof *implementations);
  value map = {.kind = VALUE_MAP};
  for (unsigned i = 0; i < count; i++)
    implementations[i] = (value){.kind = VALUE_LIST};
  explain_implementations(e, choice, implementations);
  for (unsigned i = 0; i < count; i++)
    if (only >= count || i == only)
      value_put_value(&e->arena, &map, dloc_alternative_name(choice, i),
                      explain_one_alternative(e, choice, i, implementations[i]));
  return map;
}

/* An alternative is packed into one number for explain_wanted. */
enum { ALTERNATIVES = 64 };

static bool lists_alternative(const vector *v, unsigned packed) {
  return explain_lists(v, (dloc_choice)(packed / ALTERNATIVES), packed % ALTERNATIVES);
}

/* A choice, or one alternative of it; only: the number of alternatives for all. */
static value explain_any(explainer *e, value map, dloc_choice choice, unsigned only) {
  bool is_one = only < dloc_choice_alternatives(choice);
  char option[EXPLAIN_NAME_SIZE];
  put(e, &map, "question", dloc_choice_question(choice));
  value_put_value(&e->arena, &map, "alternatives", explain_alternatives(e, choice, only));
  put(e, &map, "advice", dloc_alternative_name(choice, dloc_profile_at(0)->alternative[choice]));
  put(e, &map, "reason", dloc_choice_reason(choice));
  put(e, &map, "consequence", dloc_choice_consequence(choice));
  put_all(e, &map, "clauses", clauses_that_mention(e, dloc_choice_name(choice)));
  put_all(e, &map, "witnesses", witnesses(e, choice, only));
  snprintf(option, sizeof option, "--choice %s%s%s", dloc_choice_name(choice), is_one ? "=" : "",
           is_one ? dloc_alternative_name(choice, only) : "");
  put_vectors(e, &map, is_one ? lists_alternative : lists_choice,
              is_one ? (unsigned)choice * ALTERNATIVES + only : (unsigned)choice, option);
  return map;
}

static value explain_choice(explainer *e, size_t index) {
  dloc_choice choice = (dloc_choice)index;
  return explain_any(e, begin(e, dloc_choice_name(choice), "choice"), choice, dloc_choice_alternatives(choice));
}

static size_t count_alternatives(const explainer *e) {
  size_t count = 0;
  for (size_t i = 0; i < count_choices(e); i++)
    count += dloc_choice_alternatives((dloc_choice)i);
  return count;
}

static dloc_choice choice_of(size_t *index) {
  int choice = 0;
  for (; *index >= dloc_choice_alternatives((dloc_choice)choice); choice++)
    *index -= dloc_choice_alternatives((dloc_choice)choice);
  return (dloc_choice)choice;
}

static void name_alternative(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  dloc_choice choice = choice_of(&index);
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s=%s", dloc_choice_name(choice), dloc_alternative_name(choice, (unsigned)index));
}

static value explain_alternative(explainer *e, size_t index) {
  char name[EXPLAIN_NAME_SIZE];
  name_alternative(e, index, name);
  dloc_choice choice = choice_of(&index);
  return explain_any(e, begin(e, name, "alternative"), choice, (unsigned)index);
}

/* ---- Reasons ---- */

static size_t count_reasons(const explainer *e) {
  (void)e;
  return DLOC_REASON_COUNT - (DLOC_REASON_NONE + 1);
}

static dloc_reason reason_at(size_t index) { return (dloc_reason)(DLOC_REASON_NONE + 1 + index); }

static void name_reason(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", dloc_reason_name(reason_at(index)));
}

/* Those whose text names it, and those whose vectors expect it. */
static value clauses_of_reason(explainer *e, dloc_reason reason) {
  value map = clauses_that_mention(e, dloc_reason_name(reason));
  for (size_t i = 0; i < e->count; i++) {
    const vector *v = &e->vectors[i].vector;
    const char *anchor = dloc_clause_anchor(v->clauses[0]);
    if (has_reason(v, reason) && !value_get(&map, anchor))
      put(e, &map, anchor, dloc_clause_statement(v->clauses[0]));
  }
  return map;
}

static const char *const severities[] = {
    [DLOC_SEVERITY_SOFT] = "soft: LLVM drops the debug info of the module, with a warning",
    [DLOC_SEVERITY_HARD] = "hard: LLVM, or the command that found it, ends with an error",
    [DLOC_SEVERITY_PARSE] = "parse: the input is not read at all",
    [DLOC_SEVERITY_WARNING] = "warning: the rules permit it; `dloc verify -W` tells of it",
};

/* A vector that expects it, or else one that does under an alternative. */
static void put_reason_example(explainer *e, value *map, dloc_reason reason) {
  const char *name = dloc_reason_name(reason);
  const vector *v = plainest(e, has_reason, reason, name);
  if (plainest(e, has_reason_first, reason, name)) {
    put_example(e, map, has_reason_first, reason, name);
  } else if (v) {
    value example = explain_example(e, v);
    put_all(e, &example, "choices", choices_of(e, v));
    value_put_value(&e->arena, map, "example", example);
  }
}

static value explain_reason(explainer *e, size_t index) {
  dloc_reason reason = reason_at(index);
  value map = begin(e, dloc_reason_name(reason), "reason");
  char option[EXPLAIN_NAME_SIZE];
  put(e, &map, "text", dloc_reason_text(reason));
  put(e, &map, "severity", severities[dloc_reason_severity(reason)]);
  put_all(e, &map, "clauses", clauses_of_reason(e, reason));
  put_reason_example(e, &map, reason);
  snprintf(option, sizeof option, "--reason %s", dloc_reason_name(reason));
  put_vectors(e, &map, has_reason, reason, option);
  return map;
}

/* ---- Laws ---- */

static size_t count_laws(const explainer *e) {
  (void)e;
  return LAW_COUNT;
}

static void name_law(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", law_name((law)index));
}

static value explain_law(explainer *e, size_t index) {
  law l = (law)index;
  value map = begin(e, law_name(l), "law");
  value clauses = {.kind = VALUE_MAP}, broken = {.kind = VALUE_MAP}, holds = {.kind = VALUE_LIST};
  put(e, &map, "statement", law_statement(l));
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    if (law_rests_on(l, dloc_clause_anchor((dloc_clause)i)))
      put(e, &clauses, dloc_clause_anchor((dloc_clause)i), dloc_clause_statement((dloc_clause)i));
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const char *profile = dloc_profile_at(i)->name;
    const law_expectation *known = law_expected(l, profile, LAWS_SCOPE_LIMIT);
    if (known)
      put(e, &broken, profile, known->why);
    else
      value_add(&e->arena, &holds, value_of_text(&e->arena, dloc_text_of(profile)));
  }
  put_all(e, &map, "clauses", clauses);
  put_all(e, &map, "holds", holds);
  put_all(e, &map, "broken", broken);
  put_format(e, &map, "try", "dloc laws --law %s --profile PROFILE --witness", law_name(l));
  put_format(e, &map, "repairs", "dloc laws --law %s --profile PROFILE --scope 1 --repairs", law_name(l));
  return map;
}

/* ---- Profiles ---- */

static size_t count_profiles(const explainer *e) {
  (void)e;
  return dloc_profile_count();
}

static void name_profile(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", dloc_profile_at(index)->name);
}

static bool is_any(const vector *v, unsigned wanted) {
  (void)v, (void)wanted;
  return true;
}

/* The LLVMs that are held to it, with how many vectors each confirms. */
static value implementations_of(explainer *e, const dloc_profile *profile) {
  value all = explain_confirmed(e, is_any, 0), map = {.kind = VALUE_MAP};
  for (uint32_t i = 0; i < all.count; i++)
    if (explain_profile_of(all.of.entries[i].key) == profile)
      value_put(&e->arena, &map, all.of.entries[i].key, all.of.entries[i].value);
  return map;
}

static value explain_profile(explainer *e, size_t index) {
  const dloc_profile *profile = dloc_profile_at(index), *first = dloc_profile_at(0);
  value map = begin(e, profile->name, "profile");
  value differs = {.kind = VALUE_MAP}, broken = {.kind = VALUE_MAP};
  put(e, &map, "about", profile->about);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (profile->alternative[i] != first->alternative[i])
      put(e, &differs, dloc_choice_name((dloc_choice)i),
          dloc_alternative_name((dloc_choice)i, profile->alternative[i]));
  for (int i = 0; i < LAW_COUNT; i++) {
    const law_expectation *known = law_expected((law)i, profile->name, LAWS_SCOPE_LIMIT);
    put(e, &broken, law_name((law)i), known ? known->why : NULL);
  }
  put_all(e, &map, "differs", differs);
  put_all(e, &map, "broken", broken);
  put_all(e, &map, "confirmed", implementations_of(e, profile));
  put_format(e, &map, "try", "dloc run --impl IMPLEMENTATION --profile %s %s", profile->name,
             e->folder ? e->folder : "VECTORS");
  return map;
}

/* ---- Operations ---- */

static size_t count_ops(const explainer *e) {
  (void)e;
  return VECTOR_OP_COUNT;
}

static void name_op(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  (void)e;
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", operations[index]->name);
}

static value explain_op(explainer *e, size_t index) {
  const operation *op = operations[index];
  value map = begin(e, op->name, "op");
  char option[EXPLAIN_NAME_SIZE];
  put(e, &map, "args", op->args_cell);
  put(e, &map, "value", op->value_cell);
  put_example(e, &map, asks_op, (unsigned)index, "");
  snprintf(option, sizeof option, "--op %s", op->name);
  put_vectors(e, &map, asks_op, (unsigned)index, option);
  return map;
}

/* ---- Vectors ---- */

static size_t count_vectors(const explainer *e) { return e->count; }

static void name_vector(const explainer *e, size_t index, char ret[EXPLAIN_NAME_SIZE]) {
  snprintf(ret, EXPLAIN_NAME_SIZE, "%s", e->vectors[index].vector.id.bytes);
}

/* The list of profiles behind an answer that another one has as well; NULL: it is a new one. */
static value *same_answer(const value *list, const value *answer) {
  for (uint32_t i = 0; i < list->count; i++)
    if (dloc_text_equal(value_text(&list->of.items[i].of.entries[0].value), value_text(answer)))
      return &list->of.items[i].of.entries[1].value;
  return NULL;
}

/* What the built-in profiles expect: {answer, profiles} for each answer. */
static value expected_of(explainer *e, const vector *v) {
  enum { MOST = 64 };
  const char *names[MOST];
  const vector_expectation *expectations[MOST];
  size_t count = 0;
  for (size_t i = 0; i < dloc_profile_count() && count < MOST; i++) {
    names[count] = dloc_profile_at(i)->name;
    expectations[count] = vector_expectation_for(v, dloc_profile_at(i));
    count += expectations[count] != NULL;
  }
  value answers = explain_answers(e, v, names, expectations, count), list = {.kind = VALUE_LIST};
  for (size_t i = 0; i < count; i++) {
    const value *answer = &answers.of.entries[i].value;
    value name = value_of_text(&e->arena, dloc_text_of(names[i])), *profiles = same_answer(&list, answer);
    if (profiles) {
      value_add(&e->arena, profiles, name);
      continue;
    }
    value one = {.kind = VALUE_MAP}, takers_of = {.kind = VALUE_LIST};
    value_add(&e->arena, &takers_of, name);
    value_put_value(&e->arena, &one, "answer", *answer);
    value_put_value(&e->arena, &one, "profiles", takers_of);
    value_add(&e->arena, &list, one);
  }
  return list;
}

static value explain_one_vector(explainer *e, size_t index) {
  const explain_vector *known = &e->vectors[index];
  const vector *v = &known->vector;
  value map = begin(e, v->id.bytes, "vector");
  value clauses = {.kind = VALUE_MAP}, with = {.kind = VALUE_MAP}, kills = {.kind = VALUE_LIST};
  value_put_text(&e->arena, &map, "note", v->note);
  put_format(e, &map, "file", "%s:%u", known->path, value_get(v->document, "id")->line);
  for (size_t i = 0; i < v->clause_count; i++)
    put(e, &clauses, dloc_clause_anchor(v->clauses[i]), dloc_clause_statement(v->clauses[i]));
  for (size_t i = 0; i < v->with_count; i++)
    put(e, &with, dloc_choice_name(v->with[i].choice),
        dloc_alternative_name(v->with[i].choice, v->with[i].alternative));
  for (size_t i = 0; i < v->kill_count; i++)
    value_add(&e->arena, &kills, value_of_text(&e->arena, v->kills[i]));
  put(e, &map, "level", v->level);
  put_all(e, &map, "clauses", clauses);
  put_all(e, &map, "with", with);
  value_put_value(&e->arena, &map, "asked", explain_question(e, v));
  put_all(e, &map, "expected", expected_of(e, v));
  put_all(e, &map, "choices", choices_of(e, v));
  put(e, &map, "confirmed", known->confirmed.size ? value_arena_copy(&e->arena, known->confirmed).bytes : NULL);
  const expected_entry *derived = expected_find(&e->derived, v->since, v->id);
  if (derived)
    value_put_text(&e->arena, &map, "derived", derived->reason);
  put_all(e, &map, "kills", kills);
  put_format(e, &map, "run", "dloc run --only %.*s --impl IMPLEMENTATION %s", (int)v->id.size, v->id.bytes,
             known->path);
  return map;
}

const subject_kind explain_kinds[] = {
    {count_clauses, name_clause, explain_clause},
    {count_choices, name_choice, explain_choice},
    {count_alternatives, name_alternative, explain_alternative},
    {count_reasons, name_reason, explain_reason},
    {count_laws, name_law, explain_law},
    {count_profiles, name_profile, explain_profile},
    {count_ops, name_op, explain_op},
    {count_vectors, name_vector, explain_one_vector},
};
const size_t explain_kind_count = sizeof explain_kinds / sizeof *explain_kinds;
