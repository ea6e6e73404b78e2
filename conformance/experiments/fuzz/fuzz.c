/* fuzz.c - random vectors, asked of two implementations. */
#include "fuzz.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "experiments/world/random.h"
#include "experiments/world/scene.h"

#include "nodes/try.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PER_KIND = 3 };

/* ---- Cases ---- */

/* Case n of the seed, whatever was made before. */
static scene make_scene(const fuzz *f, uint64_t n) {
  uint64_t state = f->seed * UINT64_C(0x9e3779b97f4a7c15) + n;
  state = random_next(&state);
  scene s = scene_random(f->ops[random_next(&state) % f->op_count], &state);
  if (DLOC_TAKES(&f->pair.a.settings.profile, SHAPE_NO_LAYERS, REJECT))
    scene_add_layers(&s);
  if (!DLOC_TAKES(&f->pair.a.settings.profile, SHAPE_TUPLE, ACCEPT)) {
    s.at[SCENE_A_LAYERS] = s.at[SCENE_B_LAYERS] = 0;
    if (s.at[SCENE_FLAW] < SCENE_UNLAYERED_FLAWS)
      s.at[SCENE_FLAW] = 0;
  }
  return s;
}

static dloc_status make_case(fuzz *f, uint64_t n) {
  const scene s = make_scene(f, n);
  char id[80];
  value *document = NULL;
  value_diagnostic diagnostic;
  vector *v = &f->vectors[f->count];
  snprintf(id, sizeof id, "%s.fuzz.s%" PRIu64 ".%" PRIu64, vector_op_name(s.op), f->seed, n);
  f->text.size = 0;
  scene_put(&s, id, &f->text);
  TRY(complete_read(&f->completer, buffer_text(&f->text), &diagnostic, &document, v));
  if (v->needs & ~(f->pair.a.implementation.capabilities & f->pair.b.implementation.capabilities)) {
    f->untold++;
    return DLOC_OK;
  }
  f->numbers[f->count] = n;
  f->asked[f->count++] = v;
  return DLOC_OK;
}

static dloc_status make_batch(fuzz *f) {
  completer_init(&f->completer);
  f->count = 0;
  for (; f->count < FUZZ_BATCH && f->next <= f->cases; f->next++)
    if ((f->next - 1) % f->shards == f->shard) {
      TRY(make_case(f, f->next));
      f->tried++;
    }
  return DLOC_OK;
}

/* ---- Differences ---- */

/* Whether enough of this kind have been reduced. */
static bool is_known_kind(fuzz *f, const fuzz_cause *cause, const fuzz_clauses *clauses) {
  for (size_t i = 0; i < f->kind_count; i++) {
    fuzz_kind *kind = &f->kinds[i];
    if (fuzz_cause_equal(&kind->cause, cause) && fuzz_has_clauses(clauses, &kind->common) && kind->count >= PER_KIND)
      return true;
  }
  return f->kind_count == FUZZ_KINDS;
}

/* A difference was reduced; whether it is the first of its kind. */
static bool add_kind(fuzz *f, const fuzz_cause *cause, const fuzz_clauses *clauses, const fuzz_clauses *minimal) {
  for (size_t i = 0; i < f->kind_count; i++) {
    fuzz_kind *kind = &f->kinds[i];
    if (!fuzz_cause_equal(&kind->cause, cause) || memcmp(&kind->minimal, minimal, sizeof *minimal) != 0)
      continue;
    kind->count++;
    for (size_t j = 0; j < sizeof clauses->bits / sizeof *clauses->bits; j++)
      kind->common.bits[j] &= clauses->bits[j];
    return false;
  }
  f->kinds[f->kind_count++] = (fuzz_kind){*cause, *minimal, *clauses, 1};
  return true;
}

static bool report(fuzz *f, const fuzz_minimum *found, uint64_t number) {
  const vector *asked[1] = {&found->vector};
  run_answer a, b;
  f->found++;
  bool fine = fuzz_ask(&f->pair, asked, &a, &b, 1);
  if (fine)
    f->report(f, found, number, &a, &b);
  fuzz_release(&a, 1);
  fuzz_release(&b, 1);
  return fine;
}

static bool fail(fuzz *f, const char *error) {
  f->pair.error = error;
  return false;
}

static bool reduce(fuzz *f, size_t i, completer *c, const fuzz_cause *cause, const fuzz_clauses *clauses) {
  const dloc_profile *profile = &f->pair.b.settings.profile;
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  fuzz_minimum minimum;
  fuzz_clauses minimal;
  bool fine = fuzz_shrink(&f->pair, &f->vectors[i], cause, clauses, &text);
  if (fine && (fuzz_finish(c, buffer_text(&text), profile, &minimum) != DLOC_OK ||
               fuzz_find_clauses(c, &minimum.vector, profile, &minimal) != DLOC_OK))
    fine = fail(f, "a minimal vector cannot be read again");
  if (fine && add_kind(f, cause, clauses, &minimal))
    fine = report(f, &minimum, f->numbers[i]);
  return fine;
}

/* False: it cannot go on. */
static bool take_difference(fuzz *f, size_t i) {
  const vector *v = &f->vectors[i];
  const fuzz_cause cause = fuzz_cause_of(v, &f->a[i], &f->b[i]);
  OWNED(completer_deinit) completer c = {.traces = true};
  fuzz_clauses clauses;
  f->different++;
  if (f->found >= f->most)
    return true;
  completer_init(&c);
  bool fine = fuzz_find_clauses(&c, v, &f->pair.b.settings.profile, &clauses) == DLOC_OK ||
              fail(f, "the model cannot be asked about a difference");
  if (fine && !is_known_kind(f, &cause, &clauses))
    fine = reduce(f, i, &c, &cause, &clauses);
  return fine;
}

/* ---- A batch ---- */

static bool ask_batch(fuzz *f) {
  bool fine = fuzz_ask(&f->pair, f->asked, f->a, f->b, f->count);
  for (size_t i = 0; fine && i < f->count; i++) {
    fuzz_verdict verdict = fuzz_compare(&f->a[i], &f->b[i]);
    f->untold += verdict == FUZZ_UNTOLD;
    if (verdict == FUZZ_DIFFERENT)
      fine = take_difference(f, i);
  }
  fuzz_release(f->a, f->count);
  fuzz_release(f->b, f->count);
  return fine;
}

bool fuzz_run_batch(fuzz *f) {
  bool fine = make_batch(f) == DLOC_OK;
  if (!fine)
    f->pair.error = "a random vector cannot be read";
  fine = fine && ask_batch(f);
  completer_deinit(&f->completer);
  f->completer = (completer){.traces = true};
  return fine;
}
