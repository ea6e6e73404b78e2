/* vector.c - a document as a vector: the fields of the format, and which expectation holds. */
#include "ops/reading.h"
#include "vector_internal.h"

#include <string.h>

static const char *const need_names[] = {
#define OP(id, name, seen) #name,
#include "ops/ops.def"
#undef OP
#define NEED(id, name) name,
    VECTOR_NEEDS(NEED)
#undef NEED
};

const char *vector_op_name(vector_op op) { return operations[op]->name; }

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

/* ---- Fields of a vector ---- */

static dloc_status read_id(const reading *r, vector *v) {
  const value *id = NULL;
  TRY(require(r, v->document, "id", &id));
  TRY(read_text(r, id, "id", &v->id));
  for (size_t i = 0; i < v->id.size; i++) {
    char c = v->id.bytes[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
      return WRONG(r, id, "vector.id", "an id is of a-z, 0-9, . and -");
  }
  if (v->id.size == 0 || v->id.size > 200)
    return WRONG(r, id, "vector.id", "an id has 1 to 200 characters");
  return DLOC_OK;
}

static dloc_status read_optional_texts(const reading *r, vector *v) {
  const value *digest = value_get(v->document, "digest"), *note = value_get(v->document, "note");
  if (digest)
    TRY(read_text(r, digest, "digest", &v->digest));
  if (note)
    TRY(read_text(r, note, "note", &v->note));
  return DLOC_OK;
}

static dloc_status read_clauses(const reading *r, vector *v) {
  const value *list = NULL;
  TRY(require(r, v->document, "clauses", &list));
  TRY(expect_list(r, list, "clauses"));
  if (list->count == 0)
    return WRONG(r, list, "vector.clause", "a vector names at least one clause");
  dloc_clause *clauses = value_arena_alloc(r->arena, list->count, sizeof *clauses);
  for (uint32_t i = 0; i < list->count; i++)
    if (!dloc_clause_find(value_text(&list->of.items[i]), &clauses[i]))
      return WRONG(r, &list->of.items[i], "vector.clause", "no clause is named '%.100s'",
                   value_text(&list->of.items[i]).bytes);
  v->clauses = clauses;
  v->clause_count = list->count;
  return DLOC_OK;
}

static dloc_status read_level(const reading *r, vector *v) {
  static const char *const levels[] = {"must", "should", "may", "undefined", "record"};
  const value *level = NULL;
  unsigned index = 0;
  TRY(require(r, v->document, "level", &level));
  if (!find_name(levels, sizeof levels / sizeof *levels, value_text(level), &index))
    return WRONG(r, level, "vector.field", "a level is must, should, may, undefined or record");
  v->level = levels[index];
  return DLOC_OK;
}

static dloc_status read_since(const reading *r, vector *v) {
  const value *since = NULL;
  TRY(require(r, v->document, "since", &since));
  v->since = dloc_profile_find(value_text(since));
  return v->since ? DLOC_OK : WRONG(r, since, "vector.field", "no profile is named '%.100s'", value_text(since).bytes);
}

static dloc_status read_one_with(const reading *r, const value_entry *entry, dloc_profile *profile,
                                 vector_choice *ret) {
  *ret = (vector_choice){.choice = DLOC_CHOICE_COUNT, .line = entry->line, .column = entry->column};
  if (!dloc_choice_find(entry->key, &ret->choice))
    return WRONG(r, entry, "vector.choice", "no choice is named '%.100s'", entry->key.bytes);
  if (!dloc_alternative_find(ret->choice, value_text(&entry->value), &ret->alternative))
    return WRONG(r, entry, "vector.choice", "choice '%s' has no alternative '%.100s'", entry->key.bytes,
                 value_text(&entry->value).bytes);
  if (profile->alternative[ret->choice] == ret->alternative)
    return WRONG(r, entry, "vector.choice", "'%.100s' is what %s takes anyway", value_text(&entry->value).bytes,
                 profile->name);
  profile->alternative[ret->choice] = (uint8_t)ret->alternative;
  return DLOC_OK;
}

/* Alternatives without which the vector does not apply: `since` becomes a profile with them. */
static dloc_status read_with(const reading *r, vector *v) {
  const value *with = value_get(v->document, "with");
  if (!with)
    return DLOC_OK;
  if (with->kind != VALUE_MAP || with->count == 0)
    return WRONG(r, with, "vector.field", "with is a map of choices to alternatives");
  if (value_get(v->document, "profiles"))
    return WRONG(r, with, "vector.field", "a vector has no profiles beside with");
  dloc_profile *since = value_arena_alloc(r->arena, 1, sizeof *since);
  vector_choice *taken = value_arena_alloc(r->arena, with->count, sizeof *taken);
  *since = *v->since;
  for (uint32_t i = 0; i < with->count; i++)
    TRY(read_one_with(r, &with->of.entries[i], since, &taken[i]));
  v->since = since;
  v->with = taken;
  v->with_count = with->count;
  return DLOC_OK;
}

static dloc_status read_needs(const reading *r, vector *v) {
  const value *list = value_get(v->document, "needs");
  if (!list)
    return DLOC_OK;
  TRY(expect_list(r, list, "needs"));
  for (uint32_t i = 0; i < list->count; i++) {
    unsigned need = 0;
    if (!vector_need_find(value_text(&list->of.items[i]), &need))
      return WRONG(r, &list->of.items[i], "vector.field", "no capability is named '%.100s'",
                   value_text(&list->of.items[i]).bytes);
    v->needs |= 1u << need;
  }
  return DLOC_OK;
}

/* Whether there are such mutants is lint's question: an implementation need not know. */
static dloc_status read_kills(const reading *r, vector *v) {
  const value *list = value_get(v->document, "kills");
  if (!list)
    return DLOC_OK;
  TRY(expect_list(r, list, "kills"));
  dloc_text *kills = value_arena_alloc(r->arena, list->count, sizeof *kills);
  for (uint32_t i = 0; i < list->count; i++)
    TRY(read_text(r, &list->of.items[i], "a mutant's name", &kills[i]));
  v->kills = kills;
  v->kill_count = list->count;
  return DLOC_OK;
}

static dloc_status read_op(const reading *r, vector *v) {
  const value *op = NULL;
  TRY(require(r, v->document, "op", &op));
  if (!operation_find(value_text(op), &v->op))
    return WRONG(r, op, "vector.field", "no operation is named '%.100s'", value_text(op).bytes);
  return DLOC_OK;
}

static dloc_status read_module(const reading *r, vector *v) {
  const operation *op = operations[v->op];
  if (!v->module)
    return op->module == MODULE_WHOLE ? WRONG(r, v->document, "vector.field", "field 'module' is missing") : DLOC_OK;
  if (op->module == MODULE_NO)
    return WRONG(r, v->module, "vector.field", "%s takes no module", op->name);
  if (op->module == MODULE_NAMED_ONLY && value_get(v->module, "functions"))
    return WRONG(r, v->module, "vector.field", "%s does not look at a module's functions", op->name);
  term *module = value_arena_alloc(r->arena, 1, sizeof *module);
  v->read_module = module;
  return module_read(r, v->graph, v->module, module);
}

static dloc_status read_args(const reading *r, vector *v) {
  const operation *op = operations[v->op];
  v->form = operation_form_of(op, v->args);
  if (!v->form->args)
    return v->args ? WRONG(r, v->args, "vector.field", "%s takes no args, but a module", op->name) : DLOC_OK;
  if (!v->args)
    return WRONG(r, v->document, "vector.field", "field 'args' is missing");
  term *args = value_arena_alloc(r->arena, 1, sizeof *args);
  v->read_args = args;
  return operation_read_args(r, v->graph, op, v->args, v->read_module, args);
}

static dloc_status read_question(const reading *r, vector *v) {
  v->nodes = value_get(v->document, "nodes");
  v->args = value_get(v->document, "args");
  v->module = value_get(v->document, "module");
  graph *nodes = value_arena_alloc(r->arena, 1, sizeof *nodes);
  v->graph = nodes;
  TRY(graph_read(r, v->nodes, NULL, nodes));
  TRY(read_module(r, v));
  return read_args(r, v);
}

/* ---- Expectations ---- */

static dloc_status read_alternatives(const reading *r, vector *v, const value_entry *choice,
                                     vector_choice *alternatives) {
  const value *map = &choice->value;
  dloc_choice id = DLOC_CHOICE_COUNT;
  if (!dloc_choice_find(choice->key, &id))
    return WRONG(r, choice, "vector.choice", "no choice is named '%.100s'", choice->key.bytes);
  for (uint32_t i = 0; i < map->count; i++) {
    const value_entry *entry = &map->of.entries[i];
    vector_choice *one = &alternatives[v->choice_count];
    *one = (vector_choice){.choice = id, .line = entry->line, .column = entry->column};
    if (!dloc_alternative_find(id, entry->key, &one->alternative))
      return WRONG(r, entry, "vector.choice", "choice '%s' has no alternative '%.100s'", choice->key.bytes,
                   entry->key.bytes);
    if (v->since->alternative[id] == one->alternative)
      return WRONG(r, entry, "vector.choice", "'%.100s' is what %s takes: its expectation is `expect`",
                   entry->key.bytes, v->since->name);
    TRY(expectation_read(r, v, &entry->value, &one->expect));
    v->choice_count++;
  }
  return DLOC_OK;
}

static dloc_status count_alternatives(const reading *r, const value *choices, size_t *ret) {
  size_t count = 0;
  if (choices->kind != VALUE_MAP)
    return WRONG(r, choices, "vector.field", "choices is a map of choices");
  for (uint32_t i = 0; i < choices->count; i++) {
    const value_entry *choice = &choices->of.entries[i];
    if (choice->value.kind != VALUE_MAP || choice->value.count == 0)
      return WRONG(r, choice, "vector.choice", "'%.100s' is a map of alternatives", choice->key.bytes);
    count += choice->value.count;
  }
  *ret = count;
  return DLOC_OK;
}

static dloc_status read_choices(const reading *r, vector *v) {
  const value *choices = value_get(v->document, "choices");
  size_t count = 0;
  if (!choices)
    return DLOC_OK;
  TRY(count_alternatives(r, choices, &count));
  vector_choice *alternatives = value_arena_alloc(r->arena, count, sizeof *alternatives);
  v->choices = alternatives;
  for (uint32_t i = 0; i < choices->count; i++)
    TRY(read_alternatives(r, v, &choices->of.entries[i], alternatives));
  return DLOC_OK;
}

static dloc_status read_profile(const reading *r, const vector *v, const value_entry *entry, vector_profile *ret) {
  *ret = (vector_profile){.profile = dloc_profile_find(entry->key), .line = entry->line, .column = entry->column};
  if (!ret->profile)
    return WRONG(r, entry, "vector.field", "no profile is named '%.100s'", entry->key.bytes);
  if (ret->profile == v->since)
    return WRONG(r, entry, "vector.field", "the expectation of '%s' is `expect`", entry->key.bytes);
  return expectation_read(r, v, &entry->value, &ret->expect);
}

static dloc_status read_profiles(const reading *r, vector *v) {
  const value *profiles = value_get(v->document, "profiles");
  if (!profiles)
    return DLOC_OK;
  if (profiles->kind != VALUE_MAP)
    return WRONG(r, profiles, "vector.field", "profiles is a map of profiles");
  vector_profile *read = value_arena_alloc(r->arena, profiles->count, sizeof *read);
  for (uint32_t i = 0; i < profiles->count; i++)
    TRY(read_profile(r, v, &profiles->of.entries[i], &read[i]));
  v->profiles = read;
  v->profile_count = profiles->count;
  return DLOC_OK;
}

dloc_status vector_read(const value *document, value_arena *arena, value_diagnostic *diagnostic, vector *ret) {
  const reading r = {arena, diagnostic};
  vector v = {.document = document};
  const value *expect = NULL;
  TRY(vector_check_keys(&r, document));
  TRY(read_id(&r, &v));
  TRY(read_optional_texts(&r, &v));
  TRY(read_clauses(&r, &v));
  TRY(read_level(&r, &v));
  TRY(read_since(&r, &v));
  TRY(read_with(&r, &v));
  TRY(read_needs(&r, &v));
  TRY(read_kills(&r, &v));
  TRY(read_op(&r, &v));
  TRY(read_question(&r, &v));
  TRY(require(&r, document, "expect", &expect));
  TRY(expectation_read(&r, &v, expect, &v.expect));
  TRY(read_choices(&r, &v));
  TRY(read_profiles(&r, &v));
  *ret = v;
  return DLOC_OK;
}

/* ---- Which expectation ---- */

/* A stock profile takes no tuples, so what it would do with layers is not defined unless the vector says so. */
static bool lacks_layers(const vector *v, const dloc_profile *profile) {
  return v->needs & 1u << VECTOR_NEED_LAYERS && DLOC_TAKES(profile, SHAPE_TUPLE, REJECT) &&
         !DLOC_TAKES(v->since, SHAPE_TUPLE, REJECT);
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
