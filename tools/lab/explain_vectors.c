/* explain_vectors.c - what vectors show: questions and answers in a few words, and which LLVM confirms which. */
#include "explain.h"

#include "document/buffer.h"
#include "document/memory.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT_LIMIT = 400 }; /* bytes; what is longer is cut */

/* ---- Nodes and values in a few words ---- */

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
  dloc_buffer out = {0};
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
  value text = value_of_text(s->arena, buffer_text(&out));
  dloc_buffer_deinit(&out);
  return text;
}

static void spell_value(const value *v, dloc_buffer *out) {
  if (v->kind == VALUE_SCALAR)
    buffer_put(out, value_text(v));
  else
    buffer_format(out, v->kind == VALUE_LIST ? "[" : "{");
  for (uint32_t i = 0; v->kind != VALUE_SCALAR && i < v->count; i++) {
    buffer_format(out, i ? ", " : "");
    if (v->kind == VALUE_MAP)
      buffer_format(out, "%s: ", v->of.entries[i].key.bytes);
    spell_value(v->kind == VALUE_MAP ? &v->of.entries[i].value : &v->of.items[i], out);
  }
  if (v->kind != VALUE_SCALAR)
    buffer_format(out, v->kind == VALUE_LIST ? "]" : "}");
}

static void spell_term(const speller *s, const term *t, dloc_buffer *out) {
  value described = term_describe(t, s->arena, spell_node, (void *)s);
  bool is_wrapped = described.kind == VALUE_MAP && described.count == 1;
  spell_value(is_wrapped ? &described.of.entries[0].value : &described, out);
}

static value cut_text(value_arena *arena, dloc_buffer *text) {
  size_t size = text->size;
  if (size > SHORT_LIMIT)
    for (size = SHORT_LIMIT; ((unsigned char)text->bytes[size] & 0xc0) == 0x80;)
      size--;
  bool is_cut = size < text->size;
  text->size = size;
  buffer_format(text, is_cut ? " ..." : "");
  return value_of_text(arena, buffer_text(text));
}

value explain_question(explainer *e, const vector *v) {
  vector_answer unused;
  dloc_buffer out = {0};
  inquiry *q = &e->inquiry;
  inquiry_begin(q, v);
  buffer_format(&out, "%s", vector_op_name(v->op));
  /* Asking builds it. */
  if (inquiry_ask(q, v->since, &unused) == DLOC_OK && q->built.args) {
    const speller s = {q->context, &e->arena, NULL};
    buffer_format(&out, " ");
    spell_term(&s, q->built.args, &out);
  } else if (q->built.module) {
    buffer_format(&out, " a module");
  }
  value text = cut_text(&e->arena, &out);
  dloc_buffer_deinit(&out);
  return text;
}

/* ---- Answers ---- */

/* The first name of each node of the vector, by its handle; the caller frees it. */
static const char **names_of(const inquiry *q, const graph *g) {
  const char **names = memory_allocate(dloc_node_limit(q->context), sizeof *names);
  for (uint32_t i = g && q->built.nodes ? g->count : 0; i-- > 0;)
    names[q->built.nodes[i]] = g->nodes[i].name.bytes;
  return names;
}

static dloc_buffer short_answer(explainer *e, const vector *v, const vector_answer *answer) {
  inquiry *q = &e->inquiry;
  const char **names = names_of(q, v->graph);
  const speller s = {q->context, &e->arena, names};
  dloc_buffer out = {0};
  if (answer->outcome == VECTOR_REJECT)
    buffer_format(&out, "reject %s", dloc_reason_name(answer->reason));
  else if (answer->value)
    spell_term(&s, answer->value, &out);
  else
    buffer_format(&out, "ok");
  free(names);
  return out;
}

/* Of an expectation, in few words and in full: canonical text. */
typedef struct spelled {
  dloc_buffer few, full;
} spelled;

static spelled spell_answer(explainer *e, const vector *v, const vector_expectation *expectation) {
  inquiry *q = &e->inquiry;
  spelled s = {{0}, {0}};
  vector_answer answer;
  if (inquiry_state(q, expectation, NULL, &answer) != DLOC_OK)
    return s;
  s.few = short_answer(e, v, &answer);
  (void)vector_answer_text(q->context, &q->arena, &answer, buffer_sink(&s.full));
  return s;
}

static bool looks_like(const spelled *a, const spelled *b) {
  return dloc_text_equal(buffer_text(&a->few), buffer_text(&b->few)) &&
         !dloc_text_equal(buffer_text(&a->full), buffer_text(&b->full));
}

value explain_answers(explainer *e, const vector *v, const char *const *names,
                      const vector_expectation *const *expectations, size_t count) {
  spelled *all = memory_allocate(count, sizeof *all);
  value map = {.kind = VALUE_MAP};
  bool in_full = false;
  inquiry_begin(&e->inquiry, v);
  for (size_t i = 0; i < count; i++) {
    all[i] = spell_answer(e, v, expectations[i]);
    for (size_t other = 0; other < i; other++)
      in_full |= looks_like(&all[other], &all[i]);
  }
  for (size_t i = 0; i < count; i++) {
    value text = in_full ? value_of_text(&e->arena, buffer_text(&all[i].full)) : cut_text(&e->arena, &all[i].few);
    value_put_value(&e->arena, &map, names[i], text);
    dloc_buffer_deinit(&all[i].few);
    dloc_buffer_deinit(&all[i].full);
  }
  free(all);
  return map;
}

/* ---- Witnesses ---- */

bool explain_lists(const vector *v, dloc_choice choice, unsigned alternative) {
  for (size_t i = 0; i < v->choice_count; i++)
    if (v->choices[i].choice == choice && v->choices[i].alternative == alternative)
      return true;
  return false;
}

static value begin_example(explainer *e, const vector *v) {
  value map = {.kind = VALUE_MAP};
  value_put_text(&e->arena, &map, "vector", v->id);
  value_put_text(&e->arena, &map, "note", v->note);
  value_put_value(&e->arena, &map, "asked", explain_question(e, v));
  return map;
}

value explain_witness(explainer *e, const vector *v, dloc_choice choice, unsigned only) {
  enum { MOST = 32 };
  unsigned own = v->since->alternative[choice];
  bool shows_all = only >= dloc_choice_alternatives(choice) || only == own;
  const char *names[MOST] = {dloc_alternative_name(choice, own)};
  const vector_expectation *expectations[MOST] = {&v->expect};
  size_t count = 1;
  for (size_t i = 0; i < v->choice_count && count < MOST; i++)
    if (v->choices[i].choice == choice && (shows_all || v->choices[i].alternative == only)) {
      names[count] = dloc_alternative_name(choice, v->choices[i].alternative);
      expectations[count++] = &v->choices[i].expect;
    }
  value map = begin_example(e, v);
  value_put_value(&e->arena, &map, "answers", explain_answers(e, v, names, expectations, count));
  return map;
}

value explain_example(explainer *e, const vector *v) {
  const char *const name = v->since->name;
  const vector_expectation *const expectation = &v->expect;
  value map = begin_example(e, v);
  value_put_value(&e->arena, &map, "expected", explain_answers(e, v, &name, &expectation, 1));
  return map;
}

/* ---- Which LLVM confirms what ---- */

value explain_confirmed(explainer *e, explain_wanted *is_wanted, unsigned wanted) {
  value map = {.kind = VALUE_MAP};
  for (size_t i = 0; i < e->count; i++) {
    dloc_text rest = e->vectors[i].confirmed, llvm;
    while (is_wanted(&e->vectors[i].vector, wanted) && text_take_word(&rest, &llvm)) {
      uint64_t before = 0;
      value_entry *entry = (value_entry *)value_find_entry(&map, llvm);
      if (entry && value_unsigned(&entry->value, UINT32_MAX, &before))
        entry->value = value_of_number(&e->arena, before + 1);
      else
        value_put(&e->arena, &map, llvm, value_of_number(&e->arena, 1));
    }
  }
  return map;
}

const dloc_profile *explain_profile_of(dloc_text llvm) {
  static const char *const forms[][2] = {{"+layers", "rfc"}, {"+irlayers", "pr215666"}};
  char name[EXPLAIN_NAME_SIZE], base[EXPLAIN_NAME_SIZE];
  size_t own = llvm.size > 5 && memcmp(llvm.bytes, "dloc-", 5) == 0 ? 5 : 0;
  snprintf(base, sizeof base, "%.*s", (int)(llvm.size - own), llvm.bytes + own);
  char *form = strchr(base, '+');
  if (!form)
    return dloc_profile_find(dloc_text_of(base));
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(form, forms[i][0]) == 0) {
      snprintf(name, sizeof name, "%s+%.*s", forms[i][1], (int)(form - base), base);
      const dloc_profile *on_release = dloc_profile_find(dloc_text_of(name));
      return on_release ? on_release : dloc_profile_find(dloc_text_of(forms[i][1]));
    }
  return NULL;
}

/* Whether the model answers the vector otherwise under the profile with another alternative. */
static bool tells(inquiry *q, const dloc_profile *profile, dloc_choice choice, unsigned other) {
  dloc_profile changed = *profile;
  dloc_buffer texts[2] = {{0}, {0}};
  bool fine = true;
  changed.alternative[choice] = (uint8_t)other;
  for (int i = 0; i < 2; i++) {
    vector_answer answer;
    fine = fine && inquiry_ask(q, i ? &changed : profile, &answer) == DLOC_OK &&
           vector_answer_text(q->context, &q->arena, &answer, buffer_sink(&texts[i])) == DLOC_OK;
  }
  bool same = dloc_text_equal(buffer_text(&texts[0]), buffer_text(&texts[1]));
  dloc_buffer_deinit(&texts[0]);
  dloc_buffer_deinit(&texts[1]);
  return fine && !same;
}

static bool has_word(dloc_text words, dloc_text wanted) {
  dloc_text word;
  while (text_take_word(&words, &word))
    if (dloc_text_equal(word, wanted))
      return true;
  return false;
}

/* Each answer that an LLVM confirms rules out the alternatives with which the model would answer otherwise. */
static bool follows(explainer *e, dloc_text llvm, const dloc_profile *profile, dloc_choice choice) {
  unsigned alternatives = dloc_choice_alternatives(choice), own = profile->alternative[choice];
  uint64_t left = (UINT64_C(1) << alternatives) - 1;
  for (size_t i = 0; i < e->count && left != UINT64_C(1) << own; i++) {
    const vector *v = &e->vectors[i].vector;
    bool is_listed = false;
    for (size_t c = 0; c < v->choice_count; c++)
      is_listed |= v->choices[c].choice == choice;
    if (!is_listed || !has_word(e->vectors[i].confirmed, llvm))
      continue;
    inquiry_begin(&e->inquiry, v);
    for (unsigned other = 0; other < alternatives; other++)
      if (other != own && left >> other & 1 && tells(&e->inquiry, profile, choice, other))
        left &= ~(UINT64_C(1) << other);
  }
  return left == UINT64_C(1) << own;
}

void explain_implementations(explainer *e, dloc_choice choice, value *ret_lists) {
  value known = {.kind = VALUE_MAP};
  for (size_t i = 0; i < e->count; i++) {
    dloc_text rest = e->vectors[i].confirmed, llvm;
    while (text_take_word(&rest, &llvm)) {
      if (value_find(&known, llvm))
        continue;
      value_put(&e->arena, &known, llvm, value_of_number(&e->arena, 0));
      const dloc_profile *profile = explain_profile_of(llvm);
      if (profile && follows(e, llvm, profile, choice))
        value_add(&e->arena, &ret_lists[profile->alternative[choice]], value_of_text(&e->arena, llvm));
    }
  }
}
