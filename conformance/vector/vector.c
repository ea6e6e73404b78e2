/* vector.c - a document as a vector: the fields of the format, and which expectation holds. */
#include "vector_internal.h"

#include <string.h>

static const char *const op_names[] = {
#define OP(id, name) name,
    VECTOR_OPS(OP)
#undef OP
};

static const char *const need_names[] = {
#define OP(id, name) name,
#define NEED(id, name) name,
    VECTOR_OPS(OP) VECTOR_NEEDS(NEED)
#undef OP
#undef NEED
};

const char *vector_op_name(vector_op op) { return op_names[op]; }

const char *vector_need_name(unsigned need) { return need_names[need]; }

static bool find_name(const char *const *names, size_t count, dloc_text name, unsigned *ret) {
  for (size_t i = 0; i < count; i++)
    if (dloc_text_equal(dloc_text_of(names[i]), name)) {
      *ret = (unsigned)i;
      return true;
    }
  return false;
}

bool vector_need_find(dloc_text name, unsigned *ret) { return find_name(need_names, VECTOR_NEED_COUNT, name, ret); }

/* ---- Schema helpers ---- */

static bool is_key(dloc_text key, const char *const *keys) {
  for (; *keys; keys++)
    if (dloc_text_equal(key, dloc_text_of(*keys)))
      return true;
  return false;
}

dloc_status expect_map(const schema *s, const value *v, const char *what, const char *const *keys) {
  if (v->kind != VALUE_MAP)
    return WRONG(s, v, "vector.field", "%s is a map", what);
  for (uint32_t i = 0; i < v->count; i++)
    if (!is_key(v->of.entries[i].key, keys))
      return WRONG(s, &v->of.entries[i], "vector.field", "'%.100s' is no field of %s", v->of.entries[i].key.bytes,
                   what);
  return DLOC_OK;
}

dloc_status expect_list(const schema *s, const value *v, const char *what) {
  return v->kind == VALUE_LIST ? DLOC_OK : WRONG(s, v, "vector.field", "%s is a list", what);
}

dloc_status require(const schema *s, const value *map, const char *key, const value **ret) {
  *ret = value_get(map, key);
  return *ret ? DLOC_OK : WRONG(s, map, "vector.field", "field '%s' is missing", key);
}

dloc_status read_text(const schema *s, const value *v, const char *what, dloc_text *ret) {
  if (v->kind != VALUE_SCALAR)
    return WRONG(s, v, "vector.field", "%s is a text", what);
  *ret = value_text(v);
  return DLOC_OK;
}

dloc_status read_flag(const schema *s, const value *map, const char *key, bool absent, bool *ret) {
  const value *v = value_get(map, key);
  *ret = absent;
  if (v && !value_boolean(v, ret))
    return WRONG(s, v, "vector.field", "%s is true or false", key);
  return DLOC_OK;
}

/* ---- Fields of a vector ---- */

static dloc_status read_id(const schema *s, vector *v) {
  const value *id = NULL;
  TRY(require(s, v->document, "id", &id));
  TRY(read_text(s, id, "id", &v->id));
  for (size_t i = 0; i < v->id.size; i++) {
    char c = v->id.bytes[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
      return WRONG(s, id, "vector.id", "an id is of a-z, 0-9, . and -");
  }
  if (v->id.size == 0 || v->id.size > 200)
    return WRONG(s, id, "vector.id", "an id has 1 to 200 characters");
  return DLOC_OK;
}

static dloc_status read_optional_texts(const schema *s, vector *v) {
  const value *digest = value_get(v->document, "digest"), *note = value_get(v->document, "note");
  if (digest)
    TRY(read_text(s, digest, "digest", &v->digest));
  if (note)
    TRY(read_text(s, note, "note", &v->note));
  return DLOC_OK;
}

static dloc_status read_clauses(const schema *s, vector *v) {
  const value *list = NULL;
  TRY(require(s, v->document, "clauses", &list));
  TRY(expect_list(s, list, "clauses"));
  if (list->count == 0)
    return WRONG(s, list, "vector.clause", "a vector names at least one clause");
  dloc_clause *clauses = value_arena_alloc(s->arena, list->count, sizeof *clauses);
  if (!clauses)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    if (!dloc_clause_find(value_text(&list->of.items[i]), &clauses[i]))
      return WRONG(s, &list->of.items[i], "vector.clause", "no clause is named '%.100s'",
                   value_text(&list->of.items[i]).bytes);
  v->clauses = clauses;
  v->clause_count = list->count;
  return DLOC_OK;
}

static dloc_status read_level(const schema *s, vector *v) {
  static const char *const levels[] = {"must", "should", "may", "undefined", "record"};
  const value *level = NULL;
  unsigned index = 0;
  TRY(require(s, v->document, "level", &level));
  if (!find_name(levels, sizeof levels / sizeof *levels, value_text(level), &index))
    return WRONG(s, level, "vector.field", "a level is must, should, may, undefined or record");
  v->level = levels[index];
  return DLOC_OK;
}

static dloc_status read_since(const schema *s, vector *v) {
  const value *since = NULL;
  TRY(require(s, v->document, "since", &since));
  v->since = dloc_profile_find(value_text(since));
  return v->since ? DLOC_OK : WRONG(s, since, "vector.field", "no profile is named '%.100s'", value_text(since).bytes);
}

static dloc_status read_one_with(const schema *s, const value_entry *entry, dloc_profile *profile, vector_choice *ret) {
  *ret = (vector_choice){.choice = DLOC_CHOICE_COUNT, .line = entry->line, .column = entry->column};
  if (!dloc_choice_find(entry->key, &ret->choice))
    return WRONG(s, entry, "vector.choice", "no choice is named '%.100s'", entry->key.bytes);
  if (!dloc_alternative_find(ret->choice, value_text(&entry->value), &ret->alternative))
    return WRONG(s, entry, "vector.choice", "choice '%s' has no alternative '%.100s'", entry->key.bytes,
                 value_text(&entry->value).bytes);
  if (profile->alternative[ret->choice] == ret->alternative)
    return WRONG(s, entry, "vector.choice", "'%.100s' is what %s takes anyway", value_text(&entry->value).bytes,
                 profile->name);
  profile->alternative[ret->choice] = (uint8_t)ret->alternative;
  return DLOC_OK;
}

/* Alternatives without which the vector does not apply: `since` becomes a profile with them. */
static dloc_status read_with(const schema *s, vector *v) {
  const value *with = value_get(v->document, "with");
  if (!with)
    return DLOC_OK;
  if (with->kind != VALUE_MAP || with->count == 0)
    return WRONG(s, with, "vector.field", "with is a map of choices to alternatives");
  if (value_get(v->document, "profiles"))
    return WRONG(s, with, "vector.field", "a vector has no profiles beside with");
  dloc_profile *since = value_arena_alloc(s->arena, 1, sizeof *since);
  vector_choice *taken = value_arena_alloc(s->arena, with->count, sizeof *taken);
  if (!since || !taken)
    return DLOC_NO_MEMORY;
  *since = *v->since;
  for (uint32_t i = 0; i < with->count; i++)
    TRY(read_one_with(s, &with->of.entries[i], since, &taken[i]));
  v->since = since;
  v->with = taken;
  v->with_count = with->count;
  return DLOC_OK;
}

static dloc_status read_needs(const schema *s, vector *v) {
  const value *list = value_get(v->document, "needs");
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "needs"));
  for (uint32_t i = 0; i < list->count; i++) {
    unsigned need = 0;
    if (!vector_need_find(value_text(&list->of.items[i]), &need))
      return WRONG(s, &list->of.items[i], "vector.field", "no capability is named '%.100s'",
                   value_text(&list->of.items[i]).bytes);
    v->needs |= 1u << need;
  }
  return DLOC_OK;
}

/* Whether there are such mutants is lint's question: an implementation need not know. */
static dloc_status read_kills(const schema *s, vector *v) {
  const value *list = value_get(v->document, "kills");
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "kills"));
  dloc_text *kills = value_arena_alloc(s->arena, list->count, sizeof *kills);
  if (!kills)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(read_text(s, &list->of.items[i], "a mutant's name", &kills[i]));
  v->kills = kills;
  v->kill_count = list->count;
  return DLOC_OK;
}

static dloc_status read_op(const schema *s, vector *v) {
  const value *op = NULL;
  unsigned index = 0;
  TRY(require(s, v->document, "op", &op));
  if (!find_name(op_names, VECTOR_OP_COUNT, value_text(op), &index))
    return WRONG(s, op, "vector.field", "no operation is named '%.100s'", value_text(op).bytes);
  v->op = (vector_op)index;
  return DLOC_OK;
}

static dloc_status read_plan(const schema *s, vector *v) {
  struct vector_plan *plan = value_arena_alloc(s->arena, 1, sizeof *plan);
  if (!plan)
    return DLOC_NO_MEMORY;
  v->nodes = value_get(v->document, "nodes");
  v->args = value_get(v->document, "args");
  v->module = value_get(v->document, "module");
  TRY(plan_graph(s, v->nodes, NULL, &plan->graph));
  v->plan = plan;
  TRY(plan_args(s, v, plan));
  return plan_module(s, v, plan);
}

/* ---- Expectations ---- */

static dloc_status read_expectation(const schema *s, const vector *v, const value *map, vector_expectation *ret) {
  ret->value = map;
  TRY(plan_answer(s, v, map, &ret->plan));
  ret->outcome = ret->plan->outcome;
  return DLOC_OK;
}

static dloc_status read_alternatives(const schema *s, vector *v, const value_entry *choice,
                                     vector_choice *alternatives) {
  const value *map = &choice->value;
  dloc_choice id = DLOC_CHOICE_COUNT;
  if (!dloc_choice_find(choice->key, &id))
    return WRONG(s, choice, "vector.choice", "no choice is named '%.100s'", choice->key.bytes);
  for (uint32_t i = 0; i < map->count; i++) {
    const value_entry *entry = &map->of.entries[i];
    vector_choice *one = &alternatives[v->choice_count];
    *one = (vector_choice){.choice = id, .line = entry->line, .column = entry->column};
    if (!dloc_alternative_find(id, entry->key, &one->alternative))
      return WRONG(s, entry, "vector.choice", "choice '%s' has no alternative '%.100s'", choice->key.bytes,
                   entry->key.bytes);
    if (v->since->alternative[id] == one->alternative)
      return WRONG(s, entry, "vector.choice", "'%.100s' is what %s takes: its expectation is `expect`",
                   entry->key.bytes, v->since->name);
    TRY(read_expectation(s, v, &entry->value, &one->expect));
    v->choice_count++;
  }
  return DLOC_OK;
}

static dloc_status count_alternatives(const schema *s, const value *choices, size_t *ret) {
  size_t count = 0;
  if (choices->kind != VALUE_MAP)
    return WRONG(s, choices, "vector.field", "choices is a map of choices");
  for (uint32_t i = 0; i < choices->count; i++) {
    const value_entry *choice = &choices->of.entries[i];
    if (choice->value.kind != VALUE_MAP || choice->value.count == 0)
      return WRONG(s, choice, "vector.choice", "'%.100s' is a map of alternatives", choice->key.bytes);
    count += choice->value.count;
  }
  *ret = count;
  return DLOC_OK;
}

static dloc_status read_choices(const schema *s, vector *v) {
  const value *choices = value_get(v->document, "choices");
  size_t count = 0;
  if (!choices)
    return DLOC_OK;
  TRY(count_alternatives(s, choices, &count));
  vector_choice *alternatives = value_arena_alloc(s->arena, count, sizeof *alternatives);
  if (!alternatives)
    return DLOC_NO_MEMORY;
  v->choices = alternatives;
  for (uint32_t i = 0; i < choices->count; i++)
    TRY(read_alternatives(s, v, &choices->of.entries[i], alternatives));
  return DLOC_OK;
}

static dloc_status read_profile(const schema *s, const vector *v, const value_entry *entry, vector_profile *ret) {
  *ret = (vector_profile){.profile = dloc_profile_find(entry->key), .line = entry->line, .column = entry->column};
  if (!ret->profile)
    return WRONG(s, entry, "vector.field", "no profile is named '%.100s'", entry->key.bytes);
  if (ret->profile == v->since)
    return WRONG(s, entry, "vector.field", "the expectation of '%s' is `expect`", entry->key.bytes);
  return read_expectation(s, v, &entry->value, &ret->expect);
}

static dloc_status read_profiles(const schema *s, vector *v) {
  const value *profiles = value_get(v->document, "profiles");
  if (!profiles)
    return DLOC_OK;
  if (profiles->kind != VALUE_MAP)
    return WRONG(s, profiles, "vector.field", "profiles is a map of profiles");
  vector_profile *read = value_arena_alloc(s->arena, profiles->count, sizeof *read);
  if (!read)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < profiles->count; i++)
    TRY(read_profile(s, v, &profiles->of.entries[i], &read[i]));
  v->profiles = read;
  v->profile_count = profiles->count;
  return DLOC_OK;
}

dloc_status vector_read(const value *document, value_arena *arena, value_diagnostic *diagnostic, vector *ret) {
  static const char *const keys[] = {"id",    "digest", "clauses", "level",    "since",  "with",
                                     "needs", "kills",  "note",    "nodes",    "module", "op",
                                     "args",  "expect", "choices", "profiles", NULL};
  const schema s = {arena, diagnostic};
  vector v = {.document = document};
  const value *expect = NULL;
  TRY(expect_map(&s, document, "a vector", keys));
  TRY(read_id(&s, &v));
  TRY(read_optional_texts(&s, &v));
  TRY(read_clauses(&s, &v));
  TRY(read_level(&s, &v));
  TRY(read_since(&s, &v));
  TRY(read_with(&s, &v));
  TRY(read_needs(&s, &v));
  TRY(read_kills(&s, &v));
  TRY(read_op(&s, &v));
  TRY(read_plan(&s, &v));
  TRY(require(&s, document, "expect", &expect));
  TRY(read_expectation(&s, &v, expect, &v.expect));
  TRY(read_choices(&s, &v));
  TRY(read_profiles(&s, &v));
  *ret = v;
  return DLOC_OK;
}

/* ---- Which expectation ---- */

/* A stock profile takes no tuples, so what it would do with layers is not defined unless the vector says so. */
static bool lacks_layers(const vector *v, const dloc_profile *profile) {
  uint8_t here = profile->alternative[DLOC_CHOICE_SHAPE_TUPLE], there = v->since->alternative[DLOC_CHOICE_SHAPE_TUPLE];
  if (!(v->needs & 1u << VECTOR_NEED_LAYERS) || here == there)
    return false;
  unsigned reject = 0;
  return dloc_alternative_find(DLOC_CHOICE_SHAPE_TUPLE, dloc_text_of("reject"), &reject) && here == reject;
}

const vector_expectation *vector_expectation_for(const vector *v, const dloc_profile *profile) {
  for (size_t i = 0; i < v->with_count; i++)
    if (profile->alternative[v->with[i].choice] != v->with[i].alternative)
      return NULL;
  for (size_t i = 0; i < v->profile_count; i++)
    if (strcmp(v->profiles[i].profile->name, profile->name) == 0)
      return &v->profiles[i].expect;
  bool lost = lacks_layers(v, profile);
  for (size_t i = 0; i < v->choice_count; i++) {
    const vector_choice *entry = &v->choices[i];
    bool taken = profile->alternative[entry->choice] == entry->alternative;
    if (taken && (!lost || entry->choice == DLOC_CHOICE_SHAPE_TUPLE))
      return &entry->expect;
  }
  return lost ? NULL : &v->expect;
}

dloc_profile vector_choice_profile(const vector *v, const vector_choice *choice) {
  dloc_profile profile = *v->since;
  profile.alternative[choice->choice] = (uint8_t)choice->alternative;
  return profile;
}
