/* vector.c - a document as a vector: the fields of the format, and which expectation holds. */
#include "document/memory.h"
#include "format.h"

#include <string.h>

static const char *const need_names[] = {"layers", "atoms", "records", "pick", "irlayers"};

const char *vector_op_name(vector_op op) { return operations[op]->name; }

const char *vector_need_name(unsigned need) {
  return need < VECTOR_OP_COUNT ? vector_op_name((vector_op)need) : need_names[need - VECTOR_OP_COUNT];
}

bool vector_need_find(dloc_text name, unsigned *ret) {
  for (unsigned i = 0; i < VECTOR_NEED_COUNT; i++)
    if (dloc_text_equal(dloc_text_of(vector_need_name(i)), name)) {
      *ret = i;
      return true;
    }
  return false;
}

/* ---- Fields of a vector ---- */

static dloc_status read_id(const reading *r, const term *head, vector *v) {
  v->id = term_text(head, "id");
  for (size_t i = 0; i < v->id.size; i++) {
    char c = v->id.bytes[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
      return WRONG(r, term_get(head, "id")->from, "vector.id", "an id is of a-z, 0-9, . and -");
  }
  if (v->id.size == 0 || v->id.size > 200)
    return WRONG(r, term_get(head, "id")->from, "vector.id", "an id has 1 to 200 characters");
  return DLOC_OK;
}

static dloc_status read_clauses(const reading *r, const term *head, vector *v) {
  const term *list = term_get(head, "clauses");
  if (list->count == 0)
    return WRONG(r, list->from, "vector.clause", "a vector names at least one clause");
  dloc_clause *clauses = value_arena_alloc(r->arena, list->count, sizeof *clauses);
  for (uint32_t i = 0; i < list->count; i++)
    if (!dloc_clause_find(list->of.items[i].of.text, &clauses[i]))
      return WRONG(r, list->of.items[i].from, "vector.clause", "no clause is named '%.100s'",
                   list->of.items[i].of.text.bytes);
  v->clauses = clauses;
  v->clause_count = list->count;
  return DLOC_OK;
}

static dloc_status read_alternative(const reading *r, const value_entry *choice, const value_entry *at,
                                    dloc_text alternative, vector_choice *ret) {
  *ret = (vector_choice){.choice = DLOC_CHOICE_COUNT, .line = at->line, .column = at->column};
  if (!dloc_choice_find(choice->key, &ret->choice))
    return WRONG(r, choice, "vector.choice", "no choice is named '%.100s'", choice->key.bytes);
  if (!dloc_alternative_find(ret->choice, alternative, &ret->alternative))
    return WRONG(r, at, "vector.choice", "choice '%s' has no alternative '%.100s'", choice->key.bytes,
                 alternative.bytes);
  return DLOC_OK;
}

static dloc_status read_one_with(const reading *r, const value_entry *entry, dloc_profile *profile,
                                 vector_choice *ret) {
  TRY(read_alternative(r, entry, entry, value_text(&entry->value), ret));
  if (profile->alternative[ret->choice] == ret->alternative)
    return WRONG(r, entry, "vector.choice", "'%.100s' is what %s takes anyway", value_text(&entry->value).bytes,
                 profile->name);
  profile->alternative[ret->choice] = (uint8_t)ret->alternative;
  return DLOC_OK;
}

/* Alternatives without which the vector does not apply: `since` becomes a profile with them. */
static dloc_status read_with(const reading *r, const term *head, vector *v) {
  const term *given = term_get(head, "with");
  if (!given)
    return DLOC_OK;
  const value *with = given->from;
  if (with->count == 0)
    return WRONG(r, with, "vector.field", "with is a map of choices to alternatives");
  if (term_get(head, "profiles"))
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

static dloc_status read_since(const reading *r, const term *head, vector *v) {
  v->since = dloc_profile_find(term_text(head, "since"));
  if (!v->since)
    return WRONG(r, term_get(head, "since")->from, "vector.field", "no profile is named '%.100s'",
                 term_text(head, "since").bytes);
  return read_with(r, head, v);
}

static dloc_status read_needs(const reading *r, const term *head, vector *v) {
  const term *list = term_list(head, "needs");
  for (uint32_t i = 0; i < list->count; i++) {
    unsigned need = 0;
    if (!vector_need_find(list->of.items[i].of.text, &need))
      return WRONG(r, list->of.items[i].from, "vector.field", "no capability is named '%.100s'",
                   list->of.items[i].of.text.bytes);
    v->needs |= VECTOR_NEED_BIT(need);
  }
  return DLOC_OK;
}

/* Whether there are such mutants is lint's question: an implementation need not know. */
static void take_kills(const reading *r, const term *head, vector *v) {
  v->kills = term_texts(head, "kills", r->arena);
  v->kill_count = term_list(head, "kills")->count;
}

/* The bookkeeping of the vector, before its question. */
static dloc_status read_head(const reading *r, vector *v) {
  const graph none = {.outer = NULL};
  term read, *head = &read;
  TRY(term_read_aside(r, &none, vector_type, v->document, head));
  TRY(read_id(r, head, v));
  TRY(read_clauses(r, head, v));
  TRY(read_since(r, head, v));
  TRY(read_needs(r, head, v));
  take_kills(r, head, v);
  v->digest = term_text(head, "digest");
  v->note = term_text(head, "note");
  v->level = term_get(head, "level")->type->words[term_word(head, "level")];
  if (!operation_find(term_text(head, "op"), &v->op))
    return WRONG(r, term_get(head, "op")->from, "vector.field", "no operation is named '%.100s'",
                 term_text(head, "op").bytes);
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
  return operation_read_args(r, v->graph, op, v->args, args);
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
  for (uint32_t i = 0; i < map->count; i++) {
    const value_entry *entry = &map->of.entries[i];
    vector_choice *one = &alternatives[v->choice_count];
    TRY(read_alternative(r, choice, entry, entry->key, one));
    if (v->since->alternative[one->choice] == one->alternative)
      return WRONG(r, entry, "vector.choice", "'%.100s' is what %s takes: its expectation is `expect`",
                   entry->key.bytes, v->since->name);
    TRY(expectation_read(r, v, &entry->value, &one->expect));
    v->choice_count++;
  }
  return DLOC_OK;
}

static dloc_status read_choices(const reading *r, vector *v) {
  const value *choices = value_get(v->document, "choices");
  uint32_t count = 0;
  for (uint32_t i = 0; choices && i < choices->count; i++) {
    if (choices->of.entries[i].value.count == 0)
      return WRONG(r, &choices->of.entries[i], "vector.choice", "'%.100s' is a map of alternatives",
                   choices->of.entries[i].key.bytes);
    count += choices->of.entries[i].value.count;
  }
  vector_choice *alternatives = value_arena_alloc(r->arena, count, sizeof *alternatives);
  v->choices = alternatives;
  for (uint32_t i = 0; choices && i < choices->count; i++)
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
  vector_profile *read = value_arena_alloc(r->arena, profiles->count, sizeof *read);
  for (uint32_t i = 0; i < profiles->count; i++)
    TRY(read_profile(r, v, &profiles->of.entries[i], &read[i]));
  v->profiles = read;
  v->profile_count = profiles->count;
  return DLOC_OK;
}

dloc_status vector_read(const value *document, value_arena *arena, value_diagnostic *diagnostic, vector *ret) {
  OWNED(value_arena_deinit) value_arena aside = {0};
  const reading r = {arena, diagnostic, &aside};
  vector v = {.document = document};
  TRY(read_head(&r, &v));
  TRY(read_question(&r, &v));
  TRY(expectation_read(&r, &v, value_get(document, "expect"), &v.expect));
  TRY(read_choices(&r, &v));
  TRY(read_profiles(&r, &v));
  *ret = v;
  return DLOC_OK;
}

/* ---- Which expectation ---- */

/* A profile that does not know a form has no answer about it, unless the vector says so. */
static bool lacks_layers(const vector *v, const dloc_profile *profile) {
  bool tuples = v->needs & VECTOR_NEED_BIT(VECTOR_NEED_LAYERS);
  bool irlayers = v->needs & VECTOR_NEED_BIT(VECTOR_NEED_IRLAYERS);
  return (tuples && !DLOC_TAKES(profile, SHAPE_TUPLE, ACCEPT) && DLOC_TAKES(v->since, SHAPE_TUPLE, ACCEPT)) ||
         (irlayers && DLOC_TAKES(profile, METADATA_IRLAYERS, UNKNOWN) &&
          DLOC_TAKES(v->since, METADATA_IRLAYERS, KNOWN));
}

/* Whether the profile takes what stands under `with`. */
static bool vector_applies(const vector *v, const dloc_profile *profile) {
  for (size_t i = 0; i < v->with_count; i++)
    if (profile->alternative[v->with[i].choice] != v->with[i].alternative)
      return false;
  return true;
}

/* Whether two profiles take the same alternative of each choice that the vector lists. */
static bool agree(const vector *v, const dloc_profile *a, const dloc_profile *b) {
  for (size_t i = 0; i < v->choice_count; i++)
    if (a->alternative[v->choices[i].choice] != b->alternative[v->choices[i].choice])
      return false;
  return true;
}

static const vector_profile *entry_of(const vector *v, const dloc_profile *profile) {
  for (size_t i = 0; i < v->profile_count; i++)
    if (strcmp(v->profiles[i].profile->name, profile->name) == 0)
      return &v->profiles[i];
  return NULL;
}

bool vector_next_point(const vector *v, const dloc_profile *profile, size_t *at, vector_point *ret) {
  bool lost = lacks_layers(v, profile);
  size_t bases = 0; /* the profile itself, and each that it is based on; none where no entry names a profile */
  for (const dloc_profile *base = v->profile_count ? profile : NULL; base;
       base = dloc_profile_find(dloc_text_of(base->base))) {
    if (bases++ < *at)
      continue;
    ++*at;
    const vector_profile *entry = entry_of(v, base);
    if (entry && (base == profile || agree(v, profile, base))) {
      *ret = (vector_point){*entry->profile, &entry->expect};
      return true;
    }
  }
  while (*at < bases + v->choice_count) {
    const vector_choice *entry = &v->choices[(*at)++ - bases];
    *ret = (vector_point){vector_choice_profile(v, entry), &entry->expect};
    if (profile->alternative[entry->choice] == entry->alternative &&
        (!lost || entry->choice == DLOC_CHOICE_SHAPE_TUPLE))
      return true;
  }
  *ret = (vector_point){*v->since, &v->expect};
  return (*at)++ == bases + v->choice_count && !lost;
}

const vector_expectation *vector_expectation_for(const vector *v, const dloc_profile *profile) {
  vector_point nearest;
  size_t at = 0;
  return vector_applies(v, profile) && vector_next_point(v, profile, &at, &nearest) ? nearest.expect : NULL;
}

dloc_profile vector_choice_profile(const vector *v, const vector_choice *choice) {
  dloc_profile profile = *v->since;
  profile.alternative[choice->choice] = (uint8_t)choice->alternative;
  return profile;
}
