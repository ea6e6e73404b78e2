/* shrink.c - a vector that two implementations answer differently, made as small as it can be.
 *
 * Round by round: every single edit of the document is a candidate; those that are still vectors are asked in one
 * batch, and the smallest that still differs for the same cause is the next one. */
#include "fuzz.h"

#include "document/buffer.h"
#include "document/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 200, MOST_CANDIDATES = 4000 };

typedef struct shrinker {
  fuzz_pair *pair;
  const fuzz_cause *cause; /* of the difference that is kept */
  fuzz_clauses clauses;    /* that the model may apply */
  value_arena arena;       /* the current document */
  value *document;
  const value *nodes;
  dloc_buffer candidates[MOST_CANDIDATES]; /* JSON */
  size_t count;
} shrinker;

/* ---- Candidates ---- */

static void add_candidate(shrinker *s) {
  if (s->count == MOST_CANDIDATES)
    return;
  s->candidates[s->count] = (dloc_buffer){0};
  value_write_json(s->document, buffer_sink(&s->candidates[s->count++]));
}

/* ---- What an edit may touch: what it makes must stay a module that an implementation can be asked about ---- */

/* A field that a node must have, and what it refers to: classes that begin so. */
typedef struct fixed_field {
  const char *key;
  const char *classes[2];
} fixed_field;

static const fixed_field *fixed(dloc_text key) {
  static const fixed_field fields[] = {{"scope", {"DISubprogram", "DILexicalBlock"}},
                                       {"inlinedAt", {"DILocation", NULL}},
                                       {"primary", {"DILocation", NULL}},
                                       {"location", {"DILocation", "composite"}},
                                       {"args", {"DILocation", "composite"}},
                                       {"call", {"DILocation", "composite"}},
                                       {"callee", {"DILocation", "composite"}},
                                       {"records", {"DILocation", NULL}},
                                       {"function", {"DISubprogram", NULL}},
                                       {"file", {"DIFile", NULL}},
                                       {"unit", {"DICompileUnit", NULL}}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (dloc_text_equal(key, dloc_text_of(fields[i].key)))
      return &fields[i];
  return NULL;
}

static bool is_class(const value *node, const char *start) {
  dloc_text text = value_text(value_get(node, "node"));
  return start && text.size >= strlen(start) && memcmp(text.bytes, start, strlen(start)) == 0;
}

/* Whether a node may stand where the key asks for one. */
static bool may_stand(dloc_text key, const value *node) {
  const fixed_field *field = fixed(key);
  return !field || is_class(node, field->classes[0]) || is_class(node, field->classes[1]);
}

/* Fields that a node cannot do without. */
static bool is_needed(const value *map, dloc_text key) {
  bool whole = is_class(map, "DIFile") || is_class(map, "DISubprogram") || is_class(map, "DICompileUnit");
  return whole || fixed(key) || dloc_text_equal(key, dloc_text_of("node"));
}

/* The document with `to` in the place of a value. */
static void try_value(shrinker *s, value *at, const value *to) {
  value kept = *at;
  *at = *to;
  add_candidate(s);
  *at = kept;
}

static void try_word(shrinker *s, value *at, const char *word) {
  value to = value_of_word(&s->arena, word);
  try_value(s, at, &to);
}

/* Without one item of a list, or entry of a map. */
static void try_without(shrinker *s, value *from, uint32_t index) {
  size_t size = from->kind == VALUE_LIST ? sizeof *from->of.items : sizeof *from->of.entries;
  size_t after = (from->count - index - 1) * size;
  char *at = (char *)from->of.items + index * size, kept[sizeof(value_entry)];
  memcpy(kept, at, size);
  memmove(at, at + size, after);
  from->count--;
  add_candidate(s);
  memmove(at + size, at, after);
  memcpy(at, kept, size);
  from->count++;
}

static void try_numbers(shrinker *s, value *at, uint64_t number) {
  if (number > 0)
    try_word(s, at, "0");
  if (number > 1)
    try_word(s, at, "1");
  if (number > 2)
    try_word(s, at, "2");
}

/* The node that a scalar names, or NULL. */
static const value *node_of(const shrinker *s, const value *scalar) {
  return scalar->kind == VALUE_SCALAR && !value_is_null(scalar) && s->nodes ? value_find(s->nodes, value_text(scalar))
                                                                            : NULL;
}

/* The subprogram that a location or scope stands in. */
static const value *subprogram_of(const shrinker *s, const value *node) {
  for (int i = 0; node && i < VALUE_DEPTH && !is_class(node, "DISubprogram"); i++)
    node = value_get(node, "scope") ? node_of(s, value_get(node, "scope")) : NULL;
  return node;
}

/* A location that was inlined into its own function may stand there by itself. */
static bool may_lose_call(const shrinker *s, const value *map, dloc_text key) {
  const value *call = dloc_text_equal(key, dloc_text_of("inlinedAt")) ? value_find(map, key) : NULL;
  const value *site = call ? node_of(s, call) : NULL;
  return site && subprogram_of(s, site) == subprogram_of(s, map);
}

/* References that a node has, in place of one to it: the chain gets shorter. */
static void try_references_of(shrinker *s, value *at, dloc_text key, const value *part) {
  const value *node = node_of(s, part);
  if (node && may_stand(key, node))
    try_value(s, at, part);
  for (uint32_t i = 0; part->kind == VALUE_LIST && i < part->count; i++)
    try_references_of(s, at, key, &part->of.items[i]);
  for (uint32_t i = 0; part->kind == VALUE_MAP && i < part->count; i++)
    try_references_of(s, at, key, &part->of.entries[i].value);
}

/* Another node of the same class: two become one. */
static void try_others(shrinker *s, value *at, const value *node) {
  const value *class_name = value_get(node, "node");
  for (uint32_t i = 0; i < s->nodes->count; i++) {
    const value_entry *other = &s->nodes->of.entries[i];
    if (&other->value == node)
      return;
    value to = value_of_text(&s->arena, other->key);
    if (class_name && dloc_text_equal(value_text(value_get(&other->value, "node")), value_text(class_name)))
      try_value(s, at, &to);
  }
}

/* Words that a minimum has rather than others. */
static const char *plain_word(dloc_text key) {
  return dloc_text_equal(key, dloc_text_of("kind"))       ? "TileIR"
         : dloc_text_equal(key, dloc_text_of("filename")) ? "a.c"
                                                          : NULL;
}

static void try_scalar(shrinker *s, value *at, dloc_text key) {
  uint64_t number;
  const value *node = node_of(s, at);
  if (node && dloc_text_equal(key, dloc_text_of("name")))
    return; /* a function's, by chance that of a node */
  if (node) {
    if (!fixed(key) || dloc_text_equal(key, dloc_text_of("args")))
      try_word(s, at, "null");
    try_references_of(s, at, key, node);
    try_others(s, at, node);
  } else if (value_unsigned(at, UINT64_MAX, &number)) {
    try_numbers(s, at, number);
  } else if (plain_word(key) && !value_is(at, plain_word(key))) {
    try_word(s, at, plain_word(key));
  }
}

/* Every edit of what stands below a value, which is that of a key. Recursion is bounded by VALUE_DEPTH. */
static void try_edits(shrinker *s, value *at, dloc_text key) {
  if (at->kind == VALUE_SCALAR)
    try_scalar(s, at, key);
  for (uint32_t i = 0; at->kind == VALUE_LIST && i < at->count; i++) {
    try_without(s, at, i);
    try_edits(s, &at->of.items[i], key);
  }
  for (uint32_t i = 0; at->kind == VALUE_MAP && i < at->count; i++) {
    value_entry *entry = &at->of.entries[i];
    bool named = at == s->nodes; /* nodes go when nothing refers to them */
    if (!named && (!is_needed(at, entry->key) || may_lose_call(s, at, entry->key)))
      try_without(s, at, i);
    try_edits(s, &entry->value, entry->key);
  }
}

static void gather(shrinker *s) {
  static const char *const parts[] = {"args", "module", "nodes"};
  s->count = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (uint32_t j = 0; j < s->document->count; j++)
      if (dloc_text_equal(s->document->of.entries[j].key, dloc_text_of(parts[i])))
        try_edits(s, &s->document->of.entries[j].value, dloc_text_of(parts[i]));
}

/* ---- Rounds ---- */

/* The candidates that are vectors, read. */
typedef struct round {
  completer completer; /* its arena holds them all */
  vector *vectors;
  const vector **asked;
  run_answer *a;
  run_answer *b;
  size_t count;
} round;

static bool can_be_built(round *r, const vector *v) {
  OWNED(vector_case_deinit) vector_case built = {.module = NULL};
  dloc_context_reset(r->completer.context);
  return vector_build(v, r->completer.context, &r->completer.arena, &built) == DLOC_OK && !built.rejected;
}

static void read_candidates(shrinker *s, round *r) {
  for (size_t i = 0; i < s->count; i++) {
    value *document = NULL;
    value_diagnostic diagnostic;
    vector *v = &r->vectors[r->count];
    if (complete_read(&r->completer, buffer_text(&s->candidates[i]), &diagnostic, &document, v) == DLOC_OK &&
        can_be_built(r, v))
      r->asked[r->count++] = v;
  }
}

/* Length, and then the sum of the numbers. */
static uint64_t cost_of(const value *v) {
  uint64_t number, sum = 4;
  if (value_unsigned(v, 1000, &number))
    sum += number;
  else if (v->kind == VALUE_SCALAR)
    sum += value_is(v, "TileIR") || value_is(v, "a.c") ? 4 : 5;
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    sum += cost_of(&v->of.items[i]);
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++)
    sum += 4 + cost_of(&v->of.entries[i].value);
  return sum;
}

/* Another clause would be another cause. */
static bool still_differs(const shrinker *s, round *r, size_t i) {
  const fuzz_cause cause = fuzz_cause_of(&r->vectors[i], &r->a[i], &r->b[i]);
  fuzz_clauses clauses;
  return fuzz_compare(&r->a[i], &r->b[i]) == FUZZ_DIFFERENT && fuzz_cause_equal(&cause, s->cause) &&
         fuzz_find_clauses(&r->completer, &r->vectors[i], &s->pair->b.settings.profile, &clauses) == DLOC_OK &&
         fuzz_has_clauses(&s->clauses, &clauses);
}

/* The document that a text is, in place of the one before. */
static void set_document(shrinker *s, const value *document) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  value_diagnostic diagnostic;
  value_write_json(document, buffer_sink(&text));
  value_arena_reset(&s->arena);
  value_read_one(buffer_text(&text), &s->arena, &diagnostic, &s->document);
  s->nodes = value_get(s->document, "nodes");
}

/* The cheapest candidate that still differs becomes the document; false when none is cheaper. */
static bool choose(shrinker *s, round *r) {
  uint64_t least = cost_of(s->document);
  const value *best = NULL;
  for (size_t i = 0; i < r->count; i++) {
    const value *document = r->vectors[i].document;
    if (cost_of(document) < least && still_differs(s, r, i)) {
      best = document;
      least = cost_of(document);
    }
  }
  if (best)
    set_document(s, best);
  return best != NULL;
}

static round start_round(size_t count) {
  round r = {.completer = {.traces = true}};
  completer_init(&r.completer);
  r.vectors = memory_allocate(count, sizeof *r.vectors);
  r.asked = memory_allocate(count, sizeof *r.asked);
  r.a = memory_allocate(count, sizeof *r.a);
  r.b = memory_allocate(count, sizeof *r.b);
  return r;
}

static void end_round(round *r) {
  fuzz_release(r->a, r->count);
  fuzz_release(r->b, r->count);
  free(r->vectors);
  free(r->asked);
  free(r->a);
  free(r->b);
  completer_deinit(&r->completer);
}

/* False: the implementations cannot be asked. */
static bool shrink_once(shrinker *s, bool *ret_smaller) {
  gather(s);
  round r = start_round(s->count);
  read_candidates(s, &r);
  bool fine = fuzz_ask(s->pair, r.asked, r.a, r.b, r.count);
  *ret_smaller = fine && choose(s, &r);
  end_round(&r);
  for (size_t i = 0; i < s->count; i++)
    dloc_buffer_deinit(&s->candidates[i]);
  s->count = 0;
  return fine;
}

bool fuzz_shrink(fuzz_pair *pair, const vector *v, const fuzz_cause *cause, const fuzz_clauses *clauses,
                 dloc_buffer *ret) {
  OWNED(memory_release) shrinker *s = memory_allocate(1, sizeof *s);
  *s = (shrinker){.pair = pair, .cause = cause, .clauses = *clauses};
  /* two that become the same are a way to smaller vectors, and no cause */
  s->clauses.bits[DLOC_CLAUSE_MERGE_SAME / 64] |= UINT64_C(1) << DLOC_CLAUSE_MERGE_SAME % 64;
  set_document(s, v->document);
  bool fine = true, smaller = true;
  for (int i = 0; fine && smaller && i < MOST_ROUNDS; i++)
    fine = shrink_once(s, &smaller);
  value_write_json(s->document, buffer_sink(ret));
  value_arena_deinit(&s->arena);
  return fine;
}
