/* search.c - every input of a scope, in order of size, and what the laws say about it. */
#include "answers.h"
#include "document/memory.h"

#include <stdlib.h>
#include <string.h>

unsigned laws_scope_size(unsigned scope) { return 2 * scope + 2; }

/* ---- Inputs ---- */

typedef struct input {
  law law;
  uint64_t number;
  size_t mode;
  size_t count; /* of DebugLocs */
  uint32_t debug_locs[TRIAL_OPERANDS];
} input;

/* A walk over the inputs of a law. */
typedef struct walk {
  world *world;
  const char *letters;
  input at;
  bool (*visit)(struct walk *walk); /* false: stop here */
  void *user;
} walk;

/* Every choice of the DebugLocs from `position` on whose sizes make up `size`; false when it was stopped. */
static bool walk_operands(walk *w, size_t position, unsigned size) {
  const world_pool *pool = world_pool_of(w->world, w->letters[position]);
  bool last = position + 1 == w->at.count;
  for (unsigned own = last ? size : 0; own <= size; own++)
    for (uint32_t i = pool->start[own]; i < pool->start[own + 1]; i++) {
      w->at.debug_locs[position] = pool->items[i];
      if (!(last ? w->visit(w) : walk_operands(w, position + 1, size - own)))
        return false;
      w->at.number += last;
    }
  return true;
}

/* In order of size, then of how the call is inlined, then of the DebugLocs. */
static bool walk_inputs(walk *w, unsigned most) {
  size_t modes = w->letters[0] == 'c' ? world_mode_count : 1;
  w->at.count = strlen(w->letters);
  for (unsigned size = 0; size <= most; size++)
    for (w->at.mode = 0; w->at.mode < modes; w->at.mode++)
      if (world_modes[w->at.mode].cost <= size && !walk_operands(w, 0, size - world_modes[w->at.mode].cost))
        return false;
  return true;
}

/* ---- Trying ---- */

/* Inputs whose questions an implementation is asked at once. */
typedef struct batch {
  input inputs[1 << 12];
  size_t count;
  law_told *told;
  bool failed;
} batch;

typedef struct search {
  const laws_settings *settings;
  trial *trial;
  law_result *results;
  uint64_t wanted; /* of a reenactment: the input's number */
  batch *batch;    /* of an implementation's search */
} search;

/* The release without the feature that the profile stands on, with the same pick flag. */
static dloc_profile stock_of(const dloc_profile *profile) {
  static const char *const releases[] = {[DLOC_MERGE_RULES_LLVM_22] = "llvm-22",
                                         [DLOC_MERGE_RULES_LLVM_19] = "llvm-19",
                                         [DLOC_MERGE_RULES_LLVM_14] = "llvm-14"};
  dloc_profile stock = *dloc_profile_find(dloc_text_of(releases[profile->alternative[DLOC_CHOICE_MERGE_RULES]]));
  stock.alternative[DLOC_CHOICE_MERGE_PICK] = profile->alternative[DLOC_CHOICE_MERGE_PICK];
  return stock;
}

/* The counterpart of a profile of tuples: hoisting drops layers there, too. */
static const dloc_profile *other_of(const dloc_profile *profile) {
  return strcmp(profile->name, "rfc") == 0 ? dloc_profile_find(dloc_text_of("pr211390")) : NULL;
}

static void set_input(trial *t, const input *in) {
  world_function home = WORLD_F;
  for (size_t i = in->count; i-- > 0;)
    if (!world_is_empty(t->world, in->debug_locs[i]))
      home = world_home(t->world, in->debug_locs[i]);
  for (size_t i = 0; i < in->count; i++) {
    t->in[i] = world_node(t->world, in->debug_locs[i]);
    t->homes[i] = world_is_empty(t->world, in->debug_locs[i]) ? home : world_home(t->world, in->debug_locs[i]);
  }
  t->count = in->count;
  t->mode = world_modes[in->mode];
  t->refused = t->waits = t->untold = false;
  t->inlined = 0;
  t->question_count = 0;
}

/* Try the law on an input, by the model. */
static finding try_input(trial *t, const input *in) {
  world_tidy(t->world);
  set_input(t, in);
  t->first_new = dloc_node_limit(t->context);
  return trial_run(t, in->law);
}

/* Whether it breaks the law and is the first that does so up to now. */
static bool count_finding(const search *s, const input *in, finding found) {
  law_result *result = &s->results[in->law];
  result->tried += found != SILENT;
  result->untold += s->trial->untold;
  result->broken += found == BROKEN;
  if (found != BROKEN || in->number >= result->first)
    return false;
  result->first = in->number;
  return true;
}

static bool is_of_shard(const search *s, const walk *w) {
  return w->at.number % s->settings->shards == s->settings->shard;
}

static bool count_input(walk *w) {
  search *s = w->user;
  if (is_of_shard(s, w))
    count_finding(s, &w->at, try_input(s->trial, &w->at));
  return true;
}

static trial open_trial(const laws_settings *settings, dloc_profile *stock) {
  world *w = world_create(settings->profile, laws_scope_size(settings->scope));
  *stock = stock_of(settings->profile);
  return (trial){.world = w,
                 .context = world_context(w),
                 .profile = settings->profile,
                 .stock = stock,
                 .other = other_of(settings->profile),
                 .mutant = settings->mutant};
}

static bool walk_law(search *s, law l, bool (*visit)(walk *w)) {
  walk w = {.world = s->trial->world, .letters = law_inputs(l), .at = {.law = l}, .visit = visit, .user = s};
  return walk_inputs(&w, laws_scope_size(s->settings->scope));
}

static void walk_laws(search *s, bool (*visit)(walk *w)) {
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    s->results[i] = (law_result){.first = LAWS_NO_INPUT};
    if (!s->settings->skip[i] && s->settings->progress)
      s->settings->progress((law)i);
    if (!s->settings->skip[i])
      walk_law(s, (law)i, visit);
  }
}

void laws_run(const laws_settings *settings, law_result results[LAW_COUNT]) {
  dloc_profile stock;
  trial t = open_trial(settings, &stock);
  walk_laws(&(search){.settings = settings, .trial = &t, .results = results}, count_input);
  world_destroy(t.world);
}

static void tell(const trial *t, law l, law_told *told) {
  told->questions.size = told->witness.size = 0;
  witness_explain(t, &told->questions);
  witness_write(t, l, &told->witness);
}

/* ---- An implementation ---- */

/* The questions of an input that breaks a law, all of which are answered. */
static void tell_again(trial *t, const input *in, law_told *told) {
  t->wants_questions = true;
  set_input(t, in);
  trial_run(t, in->law);
  t->wants_questions = false;
  tell(t, in->law, told);
}

/* Try the inputs of a batch, those that wait again behind their answers. */
static bool try_batch(search *s) {
  batch *b = s->batch;
  trial *t = s->trial;
  size_t left = b->count;
  answers_forget(t->answers);
  for (size_t i = 0; i < left; i++)
    set_input(t, &b->inputs[i]); /* makes the nodes */
  t->first_new = dloc_node_limit(t->context);
  for (b->count = 0; left;) {
    size_t waiting = 0;
    for (size_t i = 0; i < left; i++) {
      const input in = b->inputs[i];
      set_input(t, &in);
      finding found = trial_run(t, in.law);
      if (found == WAITS)
        b->inputs[waiting++] = in;
      else if (count_finding(s, &in, found))
        tell_again(t, &in, &b->told[in.law]);
    }
    left = waiting;
    if (left && !answers_ask(t->answers))
      return false;
  }
  return true;
}

static bool collect_input(walk *w) {
  search *s = w->user;
  batch *b = s->batch;
  if (b->failed || !is_of_shard(s, w))
    return !b->failed;
  b->inputs[b->count++] = w->at;
  b->failed = b->count == sizeof b->inputs / sizeof *b->inputs && !try_batch(s);
  return !b->failed;
}

bool laws_ask(const laws_settings *settings, adapter *a, uint64_t capabilities, law_result results[LAW_COUNT],
              law_told told[LAW_COUNT]) {
  dloc_profile stock;
  trial t = open_trial(settings, &stock);
  search s = {.settings = settings, .trial = &t, .results = results, .batch = memory_allocate(1, sizeof *s.batch)};
  t.answers = answers_create(a, capabilities, t.world);
  s.batch->told = told;
  walk_laws(&s, collect_input);
  bool fine = !s.batch->failed && try_batch(&s);
  free(s.batch);
  answers_destroy(t.answers);
  world_destroy(t.world);
  return fine;
}

/* ---- One input again ---- */

static bool reenact(walk *w) {
  search *s = w->user;
  if (w->at.number != s->wanted)
    return true;
  s->trial->wants_questions = true;
  try_input(s->trial, &w->at);
  return false;
}

void laws_show(const laws_settings *settings, law l, uint64_t input, law_told *told) {
  dloc_profile stock;
  trial t = open_trial(settings, &stock);
  walk_law(&(search){.settings = settings, .trial = &t, .wanted = input}, l, reenact);
  tell(&t, l, told);
  world_destroy(t.world);
}
