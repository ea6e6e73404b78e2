/* search.c - every input of a scope, in order of size, and what the laws say about it. */
#include "search.h"

#include <string.h>

unsigned laws_scope_size(unsigned scope) { return 2 * scope + 2; }

/* ---- Inputs ---- */

/* A walk over the inputs of a law, and the input that it stands at. */
typedef struct walk {
  world *world;
  const char *letters;
  size_t count; /* of letters */
  uint64_t number;
  size_t mode;
  uint32_t debug_locs[TRIAL_OPERANDS];
  bool (*visit)(struct walk *walk); /* false: stop here */
  void *user;
} walk;

/* Every choice of the DebugLocs from `position` on whose sizes make up `size`; false when it was stopped. */
static bool walk_operands(walk *w, size_t position, unsigned size) {
  const world_pool *pool = world_pool_of(w->world, w->letters[position]);
  bool last = position + 1 == w->count;
  for (unsigned own = last ? size : 0; own <= size; own++)
    for (uint32_t i = pool->start[own]; i < pool->start[own + 1]; i++) {
      w->debug_locs[position] = pool->items[i];
      if (!(last ? w->visit(w) : walk_operands(w, position + 1, size - own)))
        return false;
      w->number += last;
    }
  return true;
}

/* In order of size, then of how the call is inlined, then of the DebugLocs. */
static bool walk_inputs(walk *w, unsigned most) {
  size_t modes = w->letters[0] == 'c' ? world_mode_count : 1;
  w->count = strlen(w->letters);
  for (unsigned size = 0; size <= most; size++)
    for (w->mode = 0; w->mode < modes; w->mode++)
      if (world_modes[w->mode].cost <= size && !walk_operands(w, 0, size - world_modes[w->mode].cost))
        return false;
  return true;
}

/* ---- Trying ---- */

typedef struct search {
  const laws_settings *settings;
  trial *trial;
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

/* What a profile of tuples is compared with: hoisting drops layers there, too, unless it stands on release 19. */
static const dloc_profile *other_of(const dloc_profile *profile) {
  const char *name = strcmp(profile->name, "rfc") == 0           ? "pr211390"
                     : strcmp(profile->name, "rfc+llvm-19") == 0 ? "pr215666+llvm-19"
                                                                 : NULL;
  return name ? dloc_profile_find(dloc_text_of(name)) : NULL;
}

/* Try the law on the input that the walk stands at. */
static finding try_input(const walk *w) {
  const search *s = w->user;
  trial *t = s->trial;
  world_tidy(w->world);
  world_function home = WORLD_F;
  for (size_t i = w->count; i-- > 0;)
    if (!world_is_empty(w->world, w->debug_locs[i]))
      home = world_home(w->world, w->debug_locs[i]);
  for (size_t i = 0; i < w->count; i++) {
    t->in[i] = world_node(w->world, w->debug_locs[i]);
    t->homes[i] = world_is_empty(w->world, w->debug_locs[i]) ? home : world_home(w->world, w->debug_locs[i]);
  }
  t->count = w->count;
  t->mode = world_modes[w->mode];
  t->refused = false;
  t->question_count = 0;
  return trial_run(t, s->law);
}

static bool count_input(walk *w) {
  search *s = w->user;
  if (w->number % s->settings->shards != s->settings->shard)
    return true;
  finding found = try_input(w);
  s->result->tried += found != SILENT;
  if (found == BROKEN && s->result->broken++ == 0)
    s->result->first = w->number;
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

void search_end(trial *t) { world_destroy(t->world); }

static bool walk_law(search *s, law l, bool (*visit)(walk *w)) {
  walk w = {.world = s->trial->world, .letters = law_inputs(l), .visit = visit, .user = s};
  s->law = l;
  return walk_inputs(&w, laws_scope_size(s->settings->scope));
}

void laws_run(const laws_settings *settings, law_result results[LAW_COUNT]) {
  dloc_profile stock;
  trial t = open_trial(settings, &stock);
  search s = {.settings = settings, .trial = &t};
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    results[i] = (law_result){0, 0, LAWS_NO_INPUT};
    s.result = &results[i];
    if (!settings->skip[i])
      walk_law(&s, (law)i, count_input);
  }
  search_end(&t);
}

/* ---- One input again ---- */

static bool reenact(walk *w) {
  search *s = w->user;
  if (w->number != s->wanted)
    return true;
  s->trial->wants_questions = true;
  try_input(w);
  return false;
}

bool search_reenact(const laws_settings *settings, law l, uint64_t input, dloc_profile *stock, trial *ret) {
  *ret = open_trial(settings, stock);
  return !walk_law(&(search){.settings = settings, .trial = ret, .wanted = input}, l, reenact);
}
