/* complete.c - the model's answers to a question, as the expectations of a vector. */
#include "complete.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/names.h"

/* ---- What is expected ---- */

/* The clauses that the model applied, each once, in order. */
typedef struct applied {
  dloc_clause clauses[DLOC_CLAUSE_COUNT];
  size_t count;
} applied;

static void note_clause(void *user, dloc_clause clause, const char *decision) {
  applied *a = user;
  (void)decision;
  for (size_t i = 0; i < a->count; i++)
    if (a->clauses[i] == clause)
      return;
  if (a->count < DLOC_CLAUSE_COUNT)
    a->clauses[a->count++] = clause;
}

/* Fresh atom groups depend on what was asked before: build the case again where that can be seen. */
static dloc_status freshen(completer *c, const vector *v, const dloc_profile *profile, vector_case *built) {
  if (!vector_has_atoms(v))
    return DLOC_OK;
  vector_case_deinit(built);
  dloc_context_reset(c->context);
  dloc_context_set_profile(c->context, profile);
  return vector_build(v, c->context, &c->arena, built);
}

/* The model's answer as a value, and its canonical text. */
static dloc_status answer(completer *c, const vector *v, vector_case *built, const dloc_profile *profile,
                          const dloc_trace *trace, dloc_buffer *text, value *ret) {
  vector_answer given;
  text->size = 0;
  TRY(freshen(c, v, profile, built));
  TRY(vector_ask(v, built, profile, &c->arena, trace, &given));
  TRY(vector_answer_text(c->context, &given, buffer_sink(text)));
  return vector_answer_value(v, built, c->context, &c->arena, &given, ret);
}

static bool same_text(const completer *c) { return dloc_text_equal(buffer_text(&c->expected), buffer_text(&c->other)); }

static dloc_status add_alternatives(completer *c, const vector *v, vector_case *built, dloc_choice choice,
                                    value *choices) {
  value alternatives = {.kind = VALUE_MAP};
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++) {
    const vector_choice entry = {.choice = choice, .alternative = i};
    dloc_profile profile = vector_choice_profile(v, &entry);
    value expect;
    if (v->since->alternative[choice] == i)
      continue;
    TRY(answer(c, v, built, &profile, NULL, &c->other, &expect));
    if (!same_text(c))
      value_put_value(&c->arena, &alternatives, dloc_alternative_name(choice, i), expect);
  }
  if (alternatives.count)
    value_put_value(&c->arena, choices, dloc_choice_name(choice), alternatives);
  return DLOC_OK;
}

static void set_field(value *document, const char *key, const value *to) {
  for (uint32_t i = 0; i < document->count; i++)
    if (dloc_text_equal(document->of.entries[i].key, dloc_text_of(key)))
      document->of.entries[i].value = *to;
}

static void set_clauses(completer *c, const applied *a, value *document) {
  value list = {.kind = VALUE_LIST};
  value level = value_of_text(&c->arena, dloc_text_of(dloc_clause_level(a->clauses[0])));
  for (size_t i = 0; i < a->count; i++)
    value_add(&c->arena, &list, value_of_text(&c->arena, dloc_text_of(dloc_clause_anchor(a->clauses[i]))));
  set_field(document, "clauses", &list);
  set_field(document, "level", &level);
}

/* The entry of a built-in profile, where neither the choices nor an entry for what it is based on say what holds. */
static dloc_status add_profile(completer *c, vector_case *built, const dloc_profile *profile, value *document,
                               value *profiles) {
  vector v;
  value_diagnostic diagnostic;
  vector_answer stated;
  value expect;
  TRY(vector_read(document, &c->arena, &diagnostic, &v));
  const vector_expectation *expectation = vector_expectation_for(&v, profile);
  if (profile == v.since || !expectation)
    return DLOC_OK;
  TRY(freshen(c, &v, profile, built));
  TRY(vector_expectation_answer(&v, expectation, built, &c->arena, &diagnostic, &stated));
  c->expected.size = 0;
  TRY(vector_answer_text(c->context, &stated, buffer_sink(&c->expected)));
  TRY(answer(c, &v, built, profile, NULL, &c->other, &expect));
  if (same_text(c))
    return DLOC_OK;
  value_put_value(&c->arena, profiles, profile->name, expect);
  if (profiles->count == 1)
    value_put_value(&c->arena, document, "profiles", *profiles);
  set_field(document, "profiles", profiles);
  return DLOC_OK;
}

static size_t depth_of(const dloc_profile *profile) {
  size_t depth = 0;
  for (; profile; profile = dloc_profile_find(dloc_text_of(profile->base)))
    depth++;
  return depth;
}

/* First the profiles that others are based on. */
static dloc_status add_profiles(completer *c, vector_case *built, value *document) {
  value profiles = {.kind = VALUE_MAP};
  for (size_t depth = 1, left = dloc_profile_count(); left; depth++)
    for (size_t i = 0; i < dloc_profile_count(); i++)
      if (depth_of(dloc_profile_at(i)) == depth) {
        left--;
        TRY(add_profile(c, built, dloc_profile_at(i), document, &profiles));
      }
  return DLOC_OK;
}

static dloc_status expect_under(completer *c, const vector *v, vector_case *built, const dloc_profile *profile,
                                value *document) {
  applied a = {.count = 0};
  const dloc_trace trace = {note_clause, &a};
  value expect;
  TRY(answer(c, v, built, profile, &trace, &c->expected, &expect));
  set_field(document, "expect", &expect);
  if (c->traces && a.count)
    set_clauses(c, &a, document);
  return DLOC_OK;
}

/* The choices and profiles under which the model answers otherwise. */
static dloc_status add_others(completer *c, const vector *v, vector_case *built, value *document) {
  value choices = {.kind = VALUE_MAP};
  for (int choice = 0; choice < DLOC_CHOICE_COUNT; choice++)
    if (c->lists && c->lists(c->user, (dloc_choice)choice))
      TRY(add_alternatives(c, v, built, (dloc_choice)choice, &choices));
  if (choices.count)
    value_put_value(&c->arena, document, "choices", choices);
  return add_profiles(c, built, document);
}

static void note_unused(void *user, dloc_text name, uint32_t line, uint32_t column) {
  (void)line;
  (void)column;
  (void)names_number(user, name);
}

/* Leave nodes that nothing refers to out of a document that has been read. */
static dloc_status prune(completer *c, value *document, vector *v) {
  value_diagnostic diagnostic;
  if (!v->nodes)
    return DLOC_OK;
  OWNED(names_deinit) names unused = {0};
  size_t number;
  TRY(vector_unused(v, &c->arena, note_unused, &unused));
  for (uint32_t i = 0; i < document->count; i++) {
    value *nodes = &document->of.entries[i].value;
    uint32_t kept = 0;
    if (nodes != v->nodes)
      continue;
    for (uint32_t j = 0; j < nodes->count; j++)
      if (!names_find(&unused, nodes->of.entries[j].key, &number))
        nodes->of.entries[kept++] = nodes->of.entries[j];
    nodes->count = kept;
    nodes->index = NULL; /* it was of all entries */
  }
  return vector_read(document, &c->arena, &diagnostic, v);
}

/* ---- A question ---- */

void completer_init(completer *c) { c->context = memory_context(); }

void completer_deinit(completer *c) {
  dloc_context_destroy(c->context);
  value_arena_deinit(&c->arena);
  dloc_buffer_deinit(&c->expected);
  dloc_buffer_deinit(&c->other);
}

dloc_status complete_read(completer *c, dloc_text text, value_diagnostic *diagnostic, value **ret_document,
                          vector *ret) {
  TRY(value_read_one(text, &c->arena, diagnostic, ret_document));
  TRY(vector_read(*ret_document, &c->arena, diagnostic, ret));
  return prune(c, *ret_document, ret);
}

dloc_status complete_document(completer *c, const vector *v, const dloc_profile *profile, value *document) {
  OWNED(vector_case_deinit) vector_case built = {.context = c->context};
  dloc_context_reset(c->context);
  TRY(vector_build(v, c->context, &c->arena, &built));
  if (built.rejected)
    return DLOC_INVALID;
  TRY(expect_under(c, v, &built, profile ? profile : v->since, document));
  return profile ? DLOC_OK : add_others(c, v, &built, document);
}

dloc_status complete_vector(completer *c, dloc_text text, value_diagnostic *diagnostic, dloc_sink sink) {
  value *document = NULL, canonical;
  vector v;
  value_arena_reset(&c->arena);
  TRY(complete_read(c, text, diagnostic, &document, &v));
  TRY(complete_document(c, &v, NULL, document));
  vector_canonical(document, &c->arena, &canonical);
  return vector_write(&canonical, sink);
}
