/* complete.c - the model's answers to a question, as the expectations of a vector. */
#include "complete.h"

#include "vector_internal.h"
#include "ops/reading.h"

#include <stdarg.h>
#include <stdio.h>

dloc_status complete_put(dloc_buffer *text, const char *format, ...) {
  char piece[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof piece)
    return DLOC_LIMIT;
  dloc_sink sink = dloc_buffer_sink(text);
  return sink.write(sink.user, piece, (size_t)length) ? DLOC_OK : DLOC_NO_MEMORY;
}

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
static dloc_status freshen(completer *c, const vector *v, vector_case *built) {
  vector_answer rejected;
  bool is_rejected = false;
  if (!vector_has_atoms(v))
    return DLOC_OK;
  vector_case_deinit(built);
  dloc_context_reset(c->context);
  return vector_build(v, c->context, &c->arena, built, &is_rejected, &rejected);
}

/* The model's answer as a value, and its canonical text. */
static dloc_status answer(completer *c, const vector *v, vector_case *built, const dloc_profile *profile,
                          const dloc_trace *trace, dloc_buffer *text, value *ret) {
  vector_answer given;
  text->size = 0;
  TRY(freshen(c, v, built));
  if (!vector_is_unreadable(v, profile, &given))
    TRY(vector_ask(v, built, profile, &c->arena, trace, &given));
  TRY(vector_answer_text(c->context, &c->arena, &given, dloc_buffer_sink(text)));
  return vector_answer_value(v, built, c->context, &c->arena, &given, ret);
}

static bool same_text(const completer *c) {
  return dloc_text_equal((dloc_text){c->expected.bytes, c->expected.size}, (dloc_text){c->other.bytes, c->other.size});
}

static dloc_status add_alternatives(completer *c, const vector *v, vector_case *built, dloc_choice choice,
                                    value *choices) {
  value alternatives;
  value_set_map(&alternatives);
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++) {
    const vector_choice entry = {.choice = choice, .alternative = i};
    dloc_profile profile = vector_choice_profile(v, &entry);
    value expect;
    if (v->since->alternative[choice] == i)
      continue;
    TRY(answer(c, v, built, &profile, NULL, &c->other, &expect));
    if (!same_text(c))
      TRY(value_map_add(&c->arena, &alternatives, dloc_alternative_name(choice, i), &expect));
  }
  return alternatives.count ? value_map_add(&c->arena, choices, dloc_choice_name(choice), &alternatives) : DLOC_OK;
}

static void set_field(value *document, const char *key, const value *to) {
  for (uint32_t i = 0; i < document->count; i++)
    if (dloc_text_equal(document->of.entries[i].key, dloc_text_of(key)))
      document->of.entries[i].value = *to;
}

static dloc_status set_clauses(completer *c, const applied *a, value *document) {
  value list, word, level;
  value_set_list(&list);
  for (size_t i = 0; i < a->count; i++) {
    TRY(value_set_text(&c->arena, dloc_text_of(dloc_clause_anchor(a->clauses[i])), &word));
    TRY(value_list_add(&c->arena, &list, &word));
  }
  TRY(value_set_text(&c->arena, dloc_text_of(dloc_clause_level(a->clauses[0])), &level));
  set_field(document, "clauses", &list);
  set_field(document, "level", &level);
  return DLOC_OK;
}

/* A built-in profile whose differences act together gets an entry of its own. */
static dloc_status add_profiles(completer *c, vector_case *built, value *document) {
  value profiles;
  vector v;
  value_diagnostic diagnostic;
  value_set_map(&profiles);
  TRY(vector_read(document, &c->arena, &diagnostic, &v));
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const dloc_profile *profile = dloc_profile_at(i);
    const vector_expectation *expectation = vector_expectation_for(&v, profile);
    vector_answer stated;
    value expect;
    if (profile == v.since || !expectation)
      continue;
    TRY(freshen(c, &v, built));
    TRY(vector_expectation_in(&v, expectation, built, &c->arena, &diagnostic, &stated));
    c->expected.size = 0;
    TRY(vector_answer_text(c->context, &c->arena, &stated, dloc_buffer_sink(&c->expected)));
    TRY(answer(c, &v, built, profile, NULL, &c->other, &expect));
    if (!same_text(c))
      TRY(value_map_add(&c->arena, &profiles, profile->name, &expect));
  }
  return profiles.count ? value_map_add(&c->arena, document, "profiles", &profiles) : DLOC_OK;
}

static dloc_status complete(completer *c, const vector *v, vector_case *built, value *document) {
  applied a = {.count = 0};
  const dloc_trace trace = {note_clause, &a};
  value expect, choices;
  value_set_map(&choices);
  TRY(answer(c, v, built, v->since, &trace, &c->expected, &expect));
  for (int choice = 0; choice < DLOC_CHOICE_COUNT; choice++)
    if (c->lists && c->lists(c->user, (dloc_choice)choice))
      TRY(add_alternatives(c, v, built, (dloc_choice)choice, &choices));
  set_field(document, "expect", &expect);
  if (c->traces && a.count)
    TRY(set_clauses(c, &a, document));
  if (choices.count)
    TRY(value_map_add(&c->arena, document, "choices", &choices));
  return add_profiles(c, built, document);
}

/* Nodes that nothing refers to, by name; the arena has room for all of them. */
typedef struct unused {
  dloc_text *names;
  size_t count;
} unused;

static void note_unused(void *user, dloc_text name, uint32_t line, uint32_t column) {
  unused *u = user;
  (void)line;
  (void)column;
  u->names[u->count++] = name;
}

static bool is_unused(const unused *u, dloc_text name) {
  for (size_t i = 0; i < u->count; i++)
    if (dloc_text_equal(u->names[i], name))
      return true;
  return false;
}

dloc_status complete_prune(completer *c, value *document, vector *v) {
  value_diagnostic diagnostic;
  if (!v->nodes)
    return DLOC_OK;
  unused u = {.names = value_arena_alloc(&c->arena, v->nodes->count, sizeof *u.names)};
  if (!u.names)
    return DLOC_NO_MEMORY;
  TRY(vector_unused(v, &c->arena, note_unused, &u));
  for (uint32_t i = 0; i < document->count; i++) {
    value *nodes = &document->of.entries[i].value;
    uint32_t kept = 0;
    if (nodes != v->nodes)
      continue;
    for (uint32_t j = 0; j < nodes->count; j++)
      if (!is_unused(&u, nodes->of.entries[j].key))
        nodes->of.entries[kept++] = nodes->of.entries[j];
    nodes->count = kept;
    nodes->index = NULL; /* it was of all entries */
  }
  return vector_read(document, &c->arena, &diagnostic, v);
}

/* ---- A question ---- */

dloc_status completer_init(completer *c) {
  value_arena_init(&c->arena, NULL);
  c->context = dloc_context_create(NULL);
  return c->context ? DLOC_OK : DLOC_NO_MEMORY;
}

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
  return complete_prune(c, *ret_document, ret);
}

static dloc_status expect_under(completer *c, const vector *v, vector_case *built, const dloc_profile *profile,
                                value *document) {
  applied a = {.count = 0};
  const dloc_trace trace = {note_clause, &a};
  value expect;
  TRY(answer(c, v, built, profile, &trace, &c->expected, &expect));
  set_field(document, "expect", &expect);
  return a.count ? set_clauses(c, &a, document) : DLOC_OK;
}

/* profile NULL: every one, and the listed choices. */
static dloc_status complete_built(completer *c, const vector *v, const dloc_profile *profile, value *document) {
  vector_case built;
  vector_answer rejected;
  bool is_rejected = false;
  dloc_context_reset(c->context);
  TRY(vector_build(v, c->context, &c->arena, &built, &is_rejected, &rejected));
  if (is_rejected)
    return DLOC_INVALID;
  dloc_status status = profile ? expect_under(c, v, &built, profile, document) : complete(c, v, &built, document);
  vector_case_deinit(&built);
  return status;
}

dloc_status complete_document(completer *c, const vector *v, value *document) {
  return complete_built(c, v, NULL, document);
}

dloc_status complete_expect(completer *c, const vector *v, const dloc_profile *profile, value *document) {
  return complete_built(c, v, profile, document);
}

dloc_status complete_vector(completer *c, dloc_text text, value_diagnostic *diagnostic, dloc_sink sink) {
  value *document = NULL, canonical;
  vector v;
  value_arena_reset(&c->arena);
  TRY(complete_read(c, text, diagnostic, &document, &v));
  TRY(complete_document(c, &v, document));
  TRY(vector_canonical(document, &c->arena, &canonical));
  return vector_write(&canonical, sink);
}
