/* explain.c - `dloc explain`: what a name stands for. explain.py tells it; here are the facts that it asks the model for. */
#include "document/buffer.h"
#include "help/explain.h"
#include "shell/script.h"
#include "shell/vectors.h"
#include "vector/inquiry.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct explainer {
  const char *folder; /* of the vectors; NULL: there are none */
  vectors source;
  vector *vectors;
  size_t count;
  inquiry inquiry;
  value_arena arena; /* of the facts */
} explainer;

static void read_vectors(explainer *e) {
  vectors_open(&e->source, &e->folder, 1);
  e->source.keep = true;
  while (vectors_next(&e->source))
    *MEMORY_ADD(e->vectors, e->count) = e->source.vector;
  if (e->source.status != TOOL_FINE)
    tool_exit(e->source.status);
}

/* ---- Answers, with nodes in a few words ---- */

typedef struct speller {
  dloc_context *context;
  value_arena *arena;
  const char *const *names; /* of the vector's nodes, by handle, or NULL */
} speller;

static dloc_status leave_out(void *user, dloc_sink sink, dloc_node node) {
  (void)user, (void)node;
  return sink.write(sink.user, "...", 3) ? DLOC_OK : DLOC_STOPPED;
}

/* As LLVM prints it; what stands in a list of layers, which it does not print, behind. */
static void spell_location(const speller *s, dloc_node node, dloc_buffer *out) {
  size_t cursor = 0;
  dloc_layer layer;
  if (dloc_node_is_distinct(s->context, node))
    buffer_put(out, dloc_text_of("distinct "));
  (void)dloc_debug_loc_print(s->context, dloc_profile_at(0), node, buffer_sink(out));
  bool prints_layers = dloc_debug_loc_shape(s->context, node) == DLOC_SHAPE_COMPOSITE;
  while (!prints_layers && dloc_next_layer(s->context, node, &cursor, &layer)) {
    dloc_layer_place place = dloc_place_of_layer(s->context, layer.location);
    dloc_text kind = dloc_node_text(s->context, layer.kind);
    buffer_format(out, "; %.*s: %u:%u", (int)kind.size, kind.bytes, place.line, place.column);
  }
}

static value spell_node(void *user, dloc_node node) {
  const speller *s = user;
  OWNED(dloc_buffer_deinit) dloc_buffer out = {0};
  const char *name = s->names ? s->names[node] : NULL;
  if (node == DLOC_NULL)
    buffer_put(&out, dloc_text_of("empty"));
  else if (dloc_node_kind(s->context, node) == DLOC_KIND_STRING)
    buffer_put(&out, dloc_node_text(s->context, node));
  else if (dloc_debug_loc_shape(s->context, node) != DLOC_SHAPE_NONE)
    spell_location(s, node, &out);
  else if (name)
    buffer_put(&out, dloc_text_of(name));
  else
    (void)dloc_print_node(s->context, node, leave_out, NULL, buffer_sink(&out));
  return value_of_text(s->arena, buffer_text(&out));
}

/* The first name of each node of the vector, by its handle; the caller frees it. */
static const char **names_of(const inquiry *q, const graph *g) {
  const char **names = memory_allocate(dloc_node_limit(q->context), sizeof *names);
  for (uint32_t i = g && q->built.nodes ? g->count : 0; i-- > 0;)
    names[q->built.nodes[i]] = g->nodes[i].name.bytes;
  return names;
}

/* {reason or value, full}: a value with its nodes in few words, and the answer as canonical text. */
static value describe_answer(explainer *e, const vector *v, const vector_expectation *expectation) {
  inquiry *q = &e->inquiry;
  value map = {.kind = VALUE_MAP};
  OWNED(dloc_buffer_deinit) dloc_buffer full = {0};
  vector_answer answer;
  inquiry_begin(q, v);
  if (inquiry_state(q, expectation, NULL, &answer) == DLOC_OK) {
    OWNED(memory_release) const char **names = names_of(q, v->graph);
    speller s = {q->context, &e->arena, names};
    if (answer.outcome == VECTOR_REJECT)
      value_put_word(&e->arena, &map, "reason", dloc_reason_name(answer.reason));
    else if (answer.value)
      value_put_value(&e->arena, &map, "value", term_describe(answer.value, &e->arena, spell_node, &s));
    (void)vector_answer_text(q->context, &answer, buffer_sink(&full));
  }
  value_put_text(&e->arena, &map, "full", buffer_text(&full));
  return map;
}

static void put_question(explainer *e, const vector *v, value *map) {
  vector_answer unused;
  inquiry *q = &e->inquiry;
  inquiry_begin(q, v);
  /* Asking builds it. */
  speller s = {NULL, &e->arena, NULL};
  if (inquiry_ask(q, v->since, &unused) == DLOC_OK && q->built.args) {
    s.context = q->context;
    value_put_value(&e->arena, map, "args", term_describe(q->built.args, &e->arena, spell_node, &s));
  } else if (q->built.module) {
    value_put_word(&e->arena, map, "module", "true");
  }
}

/* {args or module, expect, choices: {CHOICE=ALTERNATIVE: answer}, profiles: {PROFILE: answer}} */
static void put_vector_facts(explainer *e, const vector *v, value *map) {
  value choices = {.kind = VALUE_MAP}, profiles = {.kind = VALUE_MAP};
  put_question(e, v, map);
  value_put_value(&e->arena, map, "expect", describe_answer(e, v, &v->expect));
  for (size_t i = 0; i < v->choice_count; i++) {
    const vector_choice *c = &v->choices[i];
    OWNED(memory_release)
    char *name = text_format("%s=%s", dloc_choice_name(c->choice), dloc_alternative_name(c->choice, c->alternative));
    value_put(&e->arena, &choices, value_arena_copy(&e->arena, dloc_text_of(name)), describe_answer(e, v, &c->expect));
  }
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const vector_expectation *expectation = vector_expectation_for(v, dloc_profile_at(i));
    if (expectation)
      value_put_value(&e->arena, &profiles, dloc_profile_at(i)->name, describe_answer(e, v, expectation));
  }
  value_put_value(&e->arena, map, "choices", choices);
  value_put_value(&e->arena, map, "profiles", profiles);
}

/* ---- Choices ---- */

/* Whether the model answers the vector otherwise under the profile with another alternative. */
static bool tells(inquiry *q, const dloc_profile *profile, dloc_choice choice, unsigned other) {
  dloc_profile changed = *profile;
  bool same = true;
  changed.alternative[choice] = (uint8_t)other;
  return inquiry_same(q, profile, &changed, &same) == DLOC_OK && !same;
}

static bool lists(const vector *v, dloc_choice choice) {
  for (size_t i = 0; i < v->choice_count; i++)
    if (v->choices[i].choice == choice)
      return true;
  return false;
}

/* {VECTOR: {PROFILE: [ALTERNATIVE, ...]}}: under the profile with one of these, the model answers the vector otherwise. */
static value describe_choice(explainer *e, dloc_choice choice) {
  value map = {.kind = VALUE_MAP};
  for (size_t i = 0; i < e->count; i++) {
    const vector *v = &e->vectors[i];
    value profiles = {.kind = VALUE_MAP};
    if (!lists(v, choice))
      continue;
    inquiry_begin(&e->inquiry, v);
    for (size_t p = 0; p < dloc_profile_count(); p++) {
      const dloc_profile *profile = dloc_profile_at(p);
      value others = {.kind = VALUE_LIST};
      for (unsigned other = 0; other < dloc_choice_alternatives(choice); other++)
        if (other != profile->alternative[choice] && tells(&e->inquiry, profile, choice, other))
          value_add(&e->arena, &others, value_of_word(&e->arena, dloc_alternative_name(choice, other)));
      value_put_value(&e->arena, &profiles, profile->name, others);
    }
    value_put_value(&e->arena, &map, v->id.bytes, profiles);
  }
  return map;
}

/* ---- The command ---- */

/* Of the id of a vector, and of a choice; other names are mistakes. */
static void print_facts(explainer *e, const char *name) {
  value map = {.kind = VALUE_MAP};
  dloc_choice choice;
  bool found = false;
  for (size_t i = 0; i < e->count && !found; i++)
    if ((found = dloc_text_equal(e->vectors[i].id, dloc_text_of(name))))
      put_vector_facts(e, &e->vectors[i], &map);
  if (dloc_choice_find(dloc_text_of(name), &choice) || !found)
    value_put_value(&e->arena, &map, "told", describe_choice(e, tool_choice(dloc_text_of(name))));
  tool_print_json(&map);
}

int tool_explain_name(int argc, char **argv) {
  explainer e = {.folder = NULL};
  bool json = false, facts = false, find = false;
  const tool_option options[] = {
      {TOOL_TEXT, "vectors", NULL, &e.folder},
      {TOOL_FLAG, "find", NULL, &find},
      {TOOL_FLAG, "json", NULL, &json},
      {TOOL_FLAG, "facts", "what the model answers to a vector, or to those of a choice, as JSON", &facts},
      {0}};
  int count = tool_parse(argc, argv, &explain_usage, options);
  if (!e.folder && access(script_vectors(), F_OK) == 0)
    e.folder = script_vectors();
  if (!facts)
    return script_become("lab/explain.py", options, argv, count);
  if (e.folder)
    read_vectors(&e);
  for (int i = 0; i < count; i++)
    print_facts(&e, argv[i]);
  inquiry_deinit(&e.inquiry);
  if (e.folder)
    vectors_close(&e.source);
  free(e.vectors);
  value_arena_deinit(&e.arena);
  return TOOL_FINE;
}
