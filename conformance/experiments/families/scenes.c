/* scenes.c - vectors of any operation, from scenes: at random, or so that every two or three dimensions meet. */
#include "families.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "experiments/world/random.h"
#include "experiments/world/scene.h"
#include "vector/complete.h"

#include "nodes/try.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written. */
typedef struct family {
  const char *name; /* in ids */
  bool as_lines;
  dloc_sink sink;
  completer completer;
  dloc_buffer text;
  uint64_t written;
} family;

static dloc_status put_text(const family *f, const char *text) {
  return f->sink.write(f->sink.user, text, strlen(text)) ? DLOC_OK : DLOC_STOPPED;
}

static dloc_status write_scene(family *f, const scene *s) {
  char id[80];
  value *document = NULL, canonical;
  vector v;
  value_diagnostic diagnostic;
  value_arena *arena = &f->completer.arena;
  snprintf(id, sizeof id, "%s.%s.%06" PRIu64, vector_op_name(s->op), f->name, ++f->written);
  f->text.size = 0;
  value_arena_reset(arena);
  scene_put(s, id, &f->text);
  TRY(complete_read(&f->completer, buffer_text(&f->text), &diagnostic, &document, &v));
  TRY(complete_document(&f->completer, &v, NULL, document));
  vector_canonical(document, arena, &canonical);
  if (f->as_lines) {
    TRY(value_write_json(&canonical, f->sink));
    return put_text(f, "\n");
  }
  if (f->written > 1)
    TRY(put_text(f, "---\n"));
  return vector_write(&canonical, f->sink);
}

static dloc_status end(family *f, dloc_status status) {
  completer_deinit(&f->completer);
  dloc_buffer_deinit(&f->text);
  return status;
}

static family begin(const char *name, bool as_lines, dloc_sink sink) {
  family f = {.name = name, .as_lines = as_lines, .sink = sink, .completer = {.traces = true}};
  completer_init(&f.completer);
  return f;
}

/* ---- Random ---- */

dloc_status family_random(vector_op op, uint64_t seed, uint64_t count, bool as_lines, dloc_sink sink) {
  family f = begin("random", as_lines, sink);
  dloc_status status = DLOC_OK;
  for (uint64_t i = 0; status == DLOC_OK && i < count; i++) {
    scene s = scene_random(op, &seed);
    scene_add_layers(&s);
    status = write_scene(&f, &s);
  }
  return end(&f, status);
}

/* ---- Every combination of the values of any two, or three, dimensions ---- */

/* The combinations that have been met. A combination of `strength` dimensions and their values is a number: digits below
 * `base`. */
typedef struct cover {
  unsigned strength;
  unsigned limit;                        /* of dimensions that the family has */
  unsigned dimensions[SCENE_DIMENSIONS]; /* of the operation */
  unsigned count;
  unsigned base;
  size_t size;
  uint8_t *met;
} cover;

enum { MOST_STRENGTH = FAMILY_STRENGTH_LIMIT, TRIES = 40 };

/* A choice of dimensions with their values; indices into cover.dimensions, ascending. */
typedef struct combination {
  unsigned at[MOST_STRENGTH];
  unsigned value[MOST_STRENGTH];
} combination;

static size_t number_of(const cover *c, const combination *k) {
  size_t number = 0;
  for (unsigned i = 0; i < c->strength; i++)
    number = (number * c->count + k->at[i]) * c->base + k->value[i];
  return number;
}

static cover cover_of(vector_op op, unsigned strength) {
  cover c = {
      .strength = strength, .size = 1, .limit = strength > 2 ? SCENE_TRIPLE_DIMENSIONS : SCENE_FAMILY_DIMENSIONS};
  for (unsigned d = 0; d < c.limit; d++)
    if (scene_op_has(op, (scene_dimension)d)) {
      c.dimensions[c.count++] = d;
      if (scene_values((scene_dimension)d) > c.base)
        c.base = scene_values((scene_dimension)d);
    }
  for (unsigned i = 0; i < strength; i++)
    c.size *= (size_t)c.count * c.base;
  c.met = memory_allocate(c.size, 1);
  return c;
}

/* The next choice of ascending dimensions; false after the last. */
static bool next_dimensions(const cover *c, combination *k) {
  for (unsigned i = c->strength; i-- > 0;)
    if (k->at[i] + 1 <= c->count - (c->strength - i)) {
      k->at[i]++;
      for (unsigned j = i + 1; j < c->strength; j++)
        k->at[j] = k->at[j - 1] + 1;
      return true;
    }
  return false;
}

static combination first_dimensions(const cover *c) {
  combination k = {.at = {0}};
  for (unsigned i = 1; i < c->strength; i++)
    k.at[i] = i;
  return k;
}

/* The gain of a scene: combinations of active dimensions that were not met. They are marked when `mark` says so. */
static size_t count_new(cover *c, const scene *s, bool mark) {
  size_t found = 0;
  combination k = first_dimensions(c);
  do {
    bool active = true;
    for (unsigned i = 0; i < c->strength; i++) {
      scene_dimension d = (scene_dimension)c->dimensions[k.at[i]];
      active = active && scene_is_active(s, d);
      k.value[i] = s->at[d];
    }
    size_t number = number_of(c, &k);
    if (active && !c->met[number]) {
      found++;
      c->met[number] = mark;
    }
  } while (next_dimensions(c, &k));
  return found;
}

static bool next_values(const cover *c, combination *k) {
  for (unsigned i = c->strength; i-- > 0;) {
    if (++k->value[i] < scene_values((scene_dimension)c->dimensions[k->at[i]]))
      return true;
    k->value[i] = 0;
  }
  return false;
}

/* A scene with this combination: the best of some at random; dimensions that
 * it needs are made active if they can be. */
static scene fill(cover *c, const combination *k, vector_op op, uint64_t *state) {
  scene best = {.op = op};
  size_t most = 0;
  for (int i = 0; i < TRIES; i++) {
    scene s = {.op = op};
    for (unsigned d = 0; d < c->limit; d++)
      if (scene_op_has(op, (scene_dimension)d))
        s.at[d] = (uint8_t)(random_next(state) % scene_values((scene_dimension)d));
    for (unsigned j = 0; j < c->strength; j++)
      s.at[c->dimensions[k->at[j]]] = (uint8_t)k->value[j];
    size_t found = count_new(c, &s, false) + 1;
    for (unsigned j = 0; j < c->strength; j++)
      found *= scene_is_active(&s, (scene_dimension)c->dimensions[k->at[j]]) ? 1u : 0u;
    if (i == 0 || found > most) {
      best = s;
      most = found;
    }
  }
  return best;
}

/* Greedy: the first combination that was not met, in a scene that meets many others. One that cannot be active counts
 * as met. */
static dloc_status write_cover(family *f, cover *c, vector_op op, uint64_t state) {
  combination k = first_dimensions(c);
  do {
    do {
      if (c->met[number_of(c, &k)])
        continue;
      const scene s = fill(c, &k, op, &state);
      c->met[number_of(c, &k)] = true;
      if (count_new(c, &s, true) > 0 || scene_is_active(&s, (scene_dimension)c->dimensions[k.at[0]]))
        TRY(write_scene(f, &s));
    } while (next_values(c, &k));
  } while (next_dimensions(c, &k));
  return DLOC_OK;
}

dloc_status family_pairwise(vector_op op, unsigned strength, uint64_t seed, bool as_lines, dloc_sink sink) {
  family f = begin(strength == 3 ? "triples" : "pairwise", as_lines, sink);
  cover c = cover_of(op, strength);
  dloc_status status = c.count < strength ? DLOC_OK : write_cover(&f, &c, op, seed);
  free(c.met);
  return end(&f, status);
}
