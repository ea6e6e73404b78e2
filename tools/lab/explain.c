/* explain.c - `dloc explain`: what a name stands for. explain.py tells it; here are the facts that it asks the model for. */
#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"
#include "experiments/laws/laws.h"
#include "shell/script.h"
#include "shell/vectors.h"
#include "vector/inquiry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 256 };
enum { LAWS_SCOPE = 1 }; /* an instant; scope 2 takes seconds for each alternative */

static const tool_usage usage = {
    "dloc explain [OPTION...] NAME...",
    "Tell what a name stands for: of a clause, a choice or CHOICE=ALTERNATIVE, a reason code or warning, a law,\n"
    "a profile, an operation or a vector. It tells the sentence, where it comes from, who does what, vectors\n"
    "that show it, and the command that lists these. Implementations of an alternative are the\n"
    "LLVMs that confirm expectations which hold under no other one (vectors/CONFIRMED); laws are those that the\n"
    "profile rfc breaks or keeps otherwise on inputs of scope 1 (`dloc laws`). Vectors are those of the suite, as for `dloc run`.\n"
    "Exit status: 0 all names are known, 2 one is not.\n",
    "dloc explain merge.layer.one-sided\ndloc explain shape.no-layers merge.empty=drop\ndloc explain --json pr205453\n",
    1, -1};

typedef struct explain_vector {
  vector vector;
  dloc_text confirmed; /* the LLVMs that confirm it as it is, separated by blanks */
} explain_vector;

typedef struct explainer {
  const char *folder; /* of the vectors; NULL: there are none */
  vectors source;
  explain_vector *vectors; /* sorted by id */
  size_t count;
  inquiry inquiry;
  value_arena arena; /* of the facts */
} explainer;

/* ---- Vectors ---- */

static int compare_ids(const void *a, const void *b) {
  return strcmp(((const explain_vector *)a)->vector.id.bytes, ((const explain_vector *)b)->vector.id.bytes);
}

static void read_vectors(explainer *e) {
  vectors_open(&e->source, &e->folder, 1);
  e->source.keep = true;
  while (vectors_next(&e->source))
    *MEMORY_ADD(e->vectors, e->count) = (explain_vector){.vector = e->source.vector};
  if (e->source.status != TOOL_FINE)
    tool_exit(e->source.status);
  qsort(e->vectors, e->count, sizeof *e->vectors, compare_ids);
}

/* The path of a file of the folder; NULL when it is not there. */
static const char *find_beside(explainer *e, const char *name) {
  dloc_buffer path = {0};
  buffer_format(&path, "%s/%s", e->folder, name);
  const char *kept = value_arena_copy(&e->arena, buffer_text(&path)).bytes;
  dloc_buffer_deinit(&path);
  return access(kept, F_OK) == 0 ? kept : NULL;
}

/* Lines `ID DIGEST LLVM...`: of a vector that has changed since they say nothing. */
static void read_confirmed(explainer *e) {
  const char *path = find_beside(e, "CONFIRMED");
  tool_input input = {.name = NULL};
  if (path && !tool_input_open(path, &input))
    tool_exit(TOOL_UNUSABLE);
  for (dloc_text rest = input.text; rest.size;) {
    dloc_text line = text_take_line(&rest), id, digest;
    if (!text_take_word(&line, &id) || !text_take_word(&line, &digest))
      continue;
    explain_vector wanted = {.vector.id = value_arena_copy(&e->arena, id)};
    explain_vector *found = bsearch(&wanted, e->vectors, e->count, sizeof wanted, compare_ids);
    if (found && dloc_text_equal(found->vector.digest, digest))
      found->confirmed = value_arena_copy(&e->arena, line);
  }
  if (path)
    tool_input_close(&input);
}

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

/* The first name of each node of the vector, by its handle; the caller frees it. */
static const char **names_of(const inquiry *q, const graph *g) {
  const char **names = memory_allocate(dloc_node_limit(q->context), sizeof *names);
  for (uint32_t i = g && q->built.nodes ? g->count : 0; i-- > 0;)
    names[q->built.nodes[i]] = g->nodes[i].name.bytes;
  return names;
}

/* {few, full}: in few words, and as canonical text. */
static value spell_answer(explainer *e, const vector *v, const vector_expectation *expectation) {
  inquiry *q = &e->inquiry;
  value map = {.kind = VALUE_MAP};
  dloc_buffer few = {0}, full = {0};
  vector_answer answer;
  inquiry_begin(q, v);
  if (inquiry_state(q, expectation, NULL, &answer) == DLOC_OK) {
    const char **names = names_of(q, v->graph);
    const speller s = {q->context, &e->arena, names};
    if (answer.outcome == VECTOR_REJECT)
      buffer_format(&few, "reject %s", dloc_reason_name(answer.reason));
    else if (answer.value)
      spell_term(&s, answer.value, &few);
    else
      buffer_format(&few, "ok");
    free(names);
    (void)vector_answer_text(q->context, &q->arena, &answer, buffer_sink(&full));
  }
  value_put_text(&e->arena, &map, "few", buffer_text(&few));
  value_put_text(&e->arena, &map, "full", buffer_text(&full));
  dloc_buffer_deinit(&few);
  dloc_buffer_deinit(&full);
  return map;
}

static value spell_question(explainer *e, const vector *v) {
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
  value text = value_of_text(&e->arena, buffer_text(&out));
  dloc_buffer_deinit(&out);
  return text;
}

/* {asked, expect, choices: {CHOICE=ALTERNATIVE: answer}, profiles: {PROFILE: answer}} */
static void put_vector_facts(explainer *e, const vector *v, value *map) {
  value choices = {.kind = VALUE_MAP}, profiles = {.kind = VALUE_MAP};
  value_put_value(&e->arena, map, "asked", spell_question(e, v));
  value_put_value(&e->arena, map, "expect", spell_answer(e, v, &v->expect));
  for (size_t i = 0; i < v->choice_count; i++) {
    const vector_choice *c = &v->choices[i];
    char *name = text_format("%s=%s", dloc_choice_name(c->choice), dloc_alternative_name(c->choice, c->alternative));
    value_put(&e->arena, &choices, value_arena_copy(&e->arena, dloc_text_of(name)), spell_answer(e, v, &c->expect));
    free(name);
  }
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const vector_expectation *expectation = vector_expectation_for(v, dloc_profile_at(i));
    if (expectation)
      value_put_value(&e->arena, &profiles, dloc_profile_at(i)->name, spell_answer(e, v, expectation));
  }
  value_put_value(&e->arena, map, "choices", choices);
  value_put_value(&e->arena, map, "profiles", profiles);
}

/* ---- Choices ---- */

/* The profile that an LLVM of the file CONFIRMED is held to; NULL: none. */
static const dloc_profile *profile_of(dloc_text llvm) {
  static const char *const forms[][2] = {{"+layers", "rfc"}, {"+irlayers", "pr215666"}};
  char name[NAME_SIZE], base[NAME_SIZE];
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

/* By alternative, the LLVMs whose confirmed answers can be none of another one. */
static value implementations(explainer *e, dloc_choice choice) {
  value known = {.kind = VALUE_MAP}, map = {.kind = VALUE_MAP};
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    value_put_value(&e->arena, &map, dloc_alternative_name(choice, i), (value){.kind = VALUE_LIST});
  for (size_t i = 0; i < e->count; i++) {
    dloc_text rest = e->vectors[i].confirmed, llvm;
    while (text_take_word(&rest, &llvm)) {
      if (value_find(&known, llvm))
        continue;
      value_put(&e->arena, &known, llvm, value_of_number(&e->arena, 0));
      const dloc_profile *profile = profile_of(llvm);
      if (profile && follows(e, llvm, profile, choice))
        value_add(&e->arena, &map.of.entries[profile->alternative[choice]].value, value_of_text(&e->arena, llvm));
    }
  }
  return map;
}

static law_result *try_laws(explainer *e, const dloc_profile *profile) {
  const laws_settings settings = {.profile = profile, .scope = LAWS_SCOPE, .shards = 1};
  law_result *results = value_arena_alloc(&e->arena, LAW_COUNT, sizeof *results);
  laws_run(&settings, results);
  return results;
}

/* The effect on the laws of each alternative, or of one, that rfc does not take: {breaks, mends}. */
static value laws_under(explainer *e, dloc_choice choice, const unsigned *only) {
  dloc_profile changed = *dloc_profile_at(0);
  value map = {.kind = VALUE_MAP};
  const law_result *before = try_laws(e, dloc_profile_at(0));
  for (unsigned a = 0; a < dloc_choice_alternatives(choice); a++) {
    value effect = {.kind = VALUE_MAP}, breaks = {.kind = VALUE_LIST}, mends = {.kind = VALUE_LIST};
    if (a == dloc_profile_at(0)->alternative[choice] || (only && a != *only))
      continue;
    changed.alternative[choice] = (uint8_t)a;
    const law_result *after = try_laws(e, &changed);
    for (int i = 0; i < LAW_COUNT; i++)
      if (!before[i].broken != !after[i].broken)
        value_add(&e->arena, after[i].broken ? &breaks : &mends,
                  value_of_text(&e->arena, dloc_text_of(law_name((law)i))));
    value_put_value(&e->arena, &effect, "breaks", breaks);
    value_put_value(&e->arena, &effect, "mends", mends);
    value_put_value(&e->arena, &map, dloc_alternative_name(choice, a), effect);
  }
  return map;
}

/* ---- The command ---- */

/* Of an id of a vector, and of CHOICE or CHOICE=ALTERNATIVE; other names are mistakes. */
static void print_facts(explainer *e, const char *name) {
  explain_vector wanted = {.vector.id = dloc_text_of(name)};
  const explain_vector *found = bsearch(&wanted, e->vectors, e->count, sizeof wanted, compare_ids);
  const dloc_text choice_name = {name, strcspn(name, "=")};
  value map = {.kind = VALUE_MAP};
  dloc_choice choice;
  if (found)
    put_vector_facts(e, &found->vector, &map);
  if (dloc_choice_find(choice_name, &choice) || !found) {
    choice = tool_choice(choice_name);
    dloc_profile chosen = *dloc_profile_at(0);
    if (strchr(name, '='))
      tool_choose(name, &chosen);
    const unsigned only = chosen.alternative[choice];
    value_put_value(&e->arena, &map, "implementations", implementations(e, choice));
    value_put_value(&e->arena, &map, "laws", laws_under(e, choice, strchr(name, '=') ? &only : NULL));
  }
  tool_print_json(&map);
}

int tool_explain_name(int argc, char **argv) {
  explainer e = {.folder = NULL};
  bool json = false, facts = false;
  const tool_option options[] = {
      {TOOL_TEXT, "vectors", "DIR", "the vectors; by default those of DLOC_VECTORS, here, or installed", &e.folder},
      {TOOL_FLAG, "json", NULL, "one JSON object a subject, each in a line", &json},
      {TOOL_FLAG, "facts", NULL, "what the model answers to a vector, or what a choice changes, as JSON", &facts},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  if (!e.folder && access(script_vectors(), F_OK) == 0)
    e.folder = script_vectors();
  if (!facts)
    return script_become("lab/explain.py", options, argv, count);
  if (e.folder) {
    read_vectors(&e);
    read_confirmed(&e);
  }
  for (int i = 0; i < count; i++)
    print_facts(&e, argv[i]);
  inquiry_deinit(&e.inquiry);
  if (e.folder)
    vectors_close(&e.source);
  free(e.vectors);
  value_arena_deinit(&e.arena);
  return TOOL_FINE;
}
