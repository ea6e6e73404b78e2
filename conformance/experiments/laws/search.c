/* search.c - every input of a scope, in order of size, and what the laws say about it. */
#include "search.h"

#include "try.h"

#include <stdlib.h>
#include <string.h>

unsigned laws_scope_size(unsigned scope) { return 2 * scope + 2; }

/* ---- Inputs ---- */

/* The input that the walk stands at. */
typedef struct input {
  uint64_t number;
  size_t mode;
  uint32_t debug_locs[TRIAL_OPERANDS];
} input;

typedef struct walk {
  world *world;
  const char *letters;
  size_t count; /* of letters */
  bool has_call;
  input at;
  dloc_status (*visit)(struct walk *walk);
  void *user;
} walk;

/* Every choice of the DebugLocs from `position` on whose sizes make up `size`. */
static dloc_status walk_operands(walk *w, size_t position, unsigned size) {
  const world_pool *pool = world_pool_of(w->world, w->letters[position]);
  bool last = position + 1 == w->count;
  for (unsigned own = last ? size : 0; own <= size; own++)
    for (uint32_t i = pool->start[own]; i < pool->start[own + 1]; i++) {
      w->at.debug_locs[position] = pool->items[i];
      if (!last) {
        TRY(walk_operands(w, position + 1, size - own));
        continue;
      }
      TRY(w->visit(w));
      w->at.number++;
    }
  return DLOC_OK;
}

/* In order of size, then of how the call is inlined, then of the DebugLocs. */
static dloc_status walk_inputs(walk *w, unsigned most) {
  w->count = strlen(w->letters);
  w->has_call = w->letters[0] == 'c';
  w->at.number = 0;
  for (unsigned size = 0; size <= most; size++)
    for (w->at.mode = 0; w->at.mode < (w->has_call ? world_mode_count : 1); w->at.mode++)
      if (world_modes[w->at.mode].cost <= size)
        TRY(walk_operands(w, 0, size - world_modes[w->at.mode].cost));
  return DLOC_OK;
}

/* ---- Trying ---- */

typedef struct search {
  const laws_settings *settings;
  reenactment at; /* the input that is tried */
  law law;
  law_result *result; /* of a search */
  uint64_t wanted;    /* of a reenactment: the input's number */
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

/* Fill the trial in with the input that the walk stands at. */
static dloc_status prepare(const walk *w, trial *t) {
  TRY(world_tidy(w->world));
  world_function home = WORLD_F;
  for (size_t i = w->count; i-- > 0;)
    if (!world_is_empty(w->world, w->at.debug_locs[i]))
      home = world_home(w->world, w->at.debug_locs[i]);
  for (size_t i = 0; i < w->count; i++) {
    uint32_t debug_loc = w->at.debug_locs[i];
    t->in[i] = DLOC_NULL;
    TRY(world_node(w->world, debug_loc, &t->in[i]));
    t->homes[i] = world_is_empty(w->world, debug_loc) ? home : world_home(w->world, debug_loc);
  }
  t->mode = world_modes[w->at.mode];
  t->refused = false;
  t->question_count = 0;
  return DLOC_OK;
}

static dloc_status try_input(walk *w) {
  search *s = w->user;
  trial *t = &s->at.trial;
  if (w->at.number % s->settings->shards != s->settings->shard)
    return DLOC_OK;
  TRY(prepare(w, t));
  finding found = trial_run(t, s->law);
  s->result->tried += found != SILENT;
  if (found == BROKEN && s->result->broken++ == 0)
    s->result->first = w->at.number;
  return t->status;
}

static dloc_status open_search(const laws_settings *settings, reenactment *ret) {
  *ret = (reenactment){.stock = stock_of(settings->profile)};
  TRY(world_create(settings->profile, laws_scope_size(settings->scope), &ret->world));
  ret->trial.world = ret->world;
  ret->trial.context = world_context(ret->world);
  ret->trial.profile = settings->profile;
  ret->trial.stock = &ret->stock;
  ret->trial.mutant = settings->mutant;
  return DLOC_OK;
}

static dloc_status walk_law(search *s, law l, dloc_status (*visit)(walk *w)) {
  walk w = {.world = s->at.world, .letters = law_inputs(l), .visit = visit, .user = s};
  s->law = l;
  return walk_inputs(&w, laws_scope_size(s->settings->scope));
}

dloc_status laws_run(const laws_settings *settings, law_result results[LAW_COUNT]) {
  search s = {.settings = settings};
  dloc_status status = open_search(settings, &s.at);
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    results[i] = (law_result){0, 0, LAWS_NO_INPUT};
    s.result = &results[i];
    if (status == DLOC_OK && !settings->skip[i])
      status = walk_law(&s, (law)i, try_input);
  }
  reenactment_end(&s.at);
  return status;
}

/* ---- One input again ---- */

static dloc_status reenact(walk *w) {
  search *s = w->user;
  trial *t = &s->at.trial;
  if (w->at.number != s->wanted)
    return DLOC_OK;
  TRY(prepare(w, t));
  t->wants_questions = true;
  s->at.found = trial_run(t, s->law);
  return t->status == DLOC_OK ? DLOC_STOPPED : t->status;
}

dloc_status search_reenact(const laws_settings *settings, law l, uint64_t input, reenactment *ret) {
  search s = {.settings = settings, .wanted = input};
  dloc_status status = open_search(settings, &s.at);
  if (status == DLOC_OK)
    status = walk_law(&s, l, reenact);
  *ret = s.at;
  ret->trial.stock = &ret->stock;
  if (status == DLOC_STOPPED)
    return DLOC_OK;
  return status == DLOC_OK ? DLOC_INVALID : status;
}

void reenactment_end(reenactment *r) { world_destroy(r->world); }

/* ---- Shards ---- */

void laws_add(law_result results[LAW_COUNT], const law_result more[LAW_COUNT]) {
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    results[i].tried += more[i].tried;
    results[i].broken += more[i].broken;
    if (more[i].first < results[i].first)
      results[i].first = more[i].first;
  }
}
