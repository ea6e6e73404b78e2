/* gen_family.c - `dloc gen random` and `dloc gen pairwise`: vectors of any operation, from scenes. */
#include "document/memory.h"
#include "gen.h"
#include "scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct family {
  vector_op op;
  const char *name; /* in ids */
  uint64_t seed;
  uint64_t count;
  uint64_t strength;
  bool as_lines;
  vector_maker maker;
  uint64_t written;
} family;

static dloc_status write_scene(family *f, const scene *s) {
  char id[80];
  value *document = NULL;
  vector v;
  snprintf(id, sizeof id, "%s.%s.%06" PRIu64, vector_op_name(s->op), f->name, ++f->written);
  vector_maker_begin(&f->maker);
  scene_put(s, id, &f->maker);
  TRY(vector_maker_read(&f->maker, &document, &v));
  TRY(complete_document(&f->maker.completer, &v, document));
  if (f->written > 1 && !f->as_lines)
    puts("---");
  return vectors_write(document, &f->maker.completer.arena, f->as_lines);
}

/* ---- Random ---- */

static dloc_status write_random(family *f) {
  uint64_t state = f->seed;
  for (uint64_t i = 0; i < f->count && !ferror(stdout); i++) {
    const scene s = scene_random(f->op, &state);
    TRY(write_scene(f, &s));
  }
  return DLOC_OK;
}

/* ---- Every combination of the values of any two, or three, dimensions ---- */

/* Which combinations have been met. A combination of `strength` dimensions and their values is a number: digits below
 * `base`. */
typedef struct cover {
  unsigned strength;
  unsigned dimensions[SCENE_DIMENSIONS]; /* of the operation */
  unsigned count;
  unsigned base;
  size_t size;
  uint8_t *met;
} cover;

enum { MOST_STRENGTH = 3, TRIES = 40 };

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

static void cover_init(cover *c, vector_op op, unsigned strength) {
  *c = (cover){.strength = strength, .size = 1};
  for (unsigned d = 0; d < SCENE_DIMENSIONS; d++)
    if (scene_op_has(op, (scene_dimension)d)) {
      c->dimensions[c->count++] = d;
      if (scene_values((scene_dimension)d) > c->base)
        c->base = scene_values((scene_dimension)d);
    }
  for (unsigned i = 0; i < strength; i++)
    c->size *= (size_t)c->count * c->base;
  c->met = memory_allocate(c->size, 1);
}

static unsigned values_of(const cover *c, unsigned index) {
  return scene_values((scene_dimension)c->dimensions[index]);
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

/* What a scene adds: combinations of active dimensions that were not met. They are marked when `mark` says so. */
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
    if (++k->value[i] < values_of(c, k->at[i]))
      return true;
    k->value[i] = 0;
  }
  return false;
}

/* A scene with this combination: the best of some at random; dimensions that it needs are made active if they can be.
 */
static scene fill(cover *c, const combination *k, vector_op op, uint64_t *state) {
  scene best = {.op = op};
  size_t most = 0;
  for (int i = 0; i < TRIES; i++) {
    scene s = {.op = op};
    for (unsigned d = 0; d < SCENE_DIMENSIONS; d++)
      if (scene_op_has(op, (scene_dimension)d))
        s.at[d] = (uint8_t)(vector_random(state) % scene_values((scene_dimension)d));
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
static dloc_status write_cover(family *f, cover *c) {
  uint64_t state = f->seed;
  combination k = first_dimensions(c);
  do {
    do {
      if (ferror(stdout))
        return DLOC_OK;
      if (c->met[number_of(c, &k)])
        continue;
      const scene s = fill(c, &k, f->op, &state);
      c->met[number_of(c, &k)] = true;
      if (count_new(c, &s, true) > 0 || scene_is_active(&s, (scene_dimension)c->dimensions[k.at[0]]))
        TRY(write_scene(f, &s));
    } while (next_values(c, &k));
  } while (next_dimensions(c, &k));
  return DLOC_OK;
}

static dloc_status write_pairwise(family *f) {
  cover c;
  cover_init(&c, f->op, (unsigned)f->strength);
  dloc_status status = c.count < f->strength ? DLOC_OK : write_cover(f, &c);
  free(c.met);
  return status;
}

/* ---- The commands ---- */

static vector_op find_op(const char *name) {
  if (!name)
    tool_fail("which operation? Give --op");
  vector_op op = vectors_find_op(name);
  if (!scene_has_op(op))
    tool_fail("'%s' is about no location; there is nothing to generate", name);
  return op;
}

static int run(family *f, dloc_status (*write)(family *)) {
  vector_maker_init(&f->maker);
  dloc_status status = write(f);
  vector_maker_deinit(&f->maker);
  bool stopped = status == DLOC_STOPPED && ferror(stdout);
  return status == DLOC_OK || stopped ? TOOL_FINE : tool_failure(status, f->name);
}

int gen_random(int argc, char **argv) {
  static const tool_usage usage = {
      "dloc gen random --op OP [OPTION...]",
      "Print random vectors of an operation: small modules with two locations, up to three calls deep, with up to\n"
      "three layers; for verify, most have a flaw. The same seed gives the same bytes everywhere. What is\n"
      "expected is the model's answer, under rfc and, where it differs, under every other built-in profile.\n",
      "dloc gen random --op inline --seed 1 --count 3\n"
      "dloc gen random --op verify --count 1000 --jsonl > verify.jsonl && dloc check verify.jsonl\n",
      0, 0};
  family f = {.name = "random", .seed = 1, .count = 1000};
  const char *op = NULL;
  const tool_option options[] = {{TOOL_TEXT, "op", "OP", "merge, inline, equal, print, verify, source, ...", &op},
                                 {TOOL_NUMBER, "seed", "N", "another seed gives other vectors (default 1)", &f.seed},
                                 {TOOL_NUMBER, "count", "N", "how many (default 1000)", &f.count},
                                 {TOOL_FLAG, "jsonl", NULL, "as JSON Lines: half the size, read faster", &f.as_lines},
                                 {0}};
  tool_parse(argc, argv, &usage, options);
  f.op = find_op(op);
  if (!f.as_lines)
    printf("# generated: dloc gen random --op %s --seed %" PRIu64 " --count %" PRIu64 "\n", op, f.seed, f.count);
  return run(&f, write_random);
}

int gen_pairwise(int argc, char **argv) {
  static const tool_usage usage = {
      "dloc gen pairwise --op OP [OPTION...]",
      "Print vectors of an operation in which every two values of any two dimensions meet (--strength 3: any\n"
      "three), of the modules of `dloc gen random`: scopes, depths, lines, columns, kinds and places of layers,\n"
      "distinctness, empties, ... See --dimensions.\n",
      "dloc gen pairwise --op merge\ndloc gen pairwise --op emit --dimensions\n", 0, 0};
  family f = {.name = "pairwise", .seed = 1, .strength = 2};
  const char *op = NULL;
  bool dimensions = false;
  const tool_option options[] = {
      {TOOL_TEXT, "op", "OP", "merge, inline, equal, print, verify, source, ...", &op},
      {TOOL_NUMBER, "strength", "N", "2 (default) or 3", &f.strength},
      {TOOL_NUMBER, "seed", "N", "for what is left open (default 1)", &f.seed},
      {TOOL_FLAG, "jsonl", NULL, "as JSON Lines", &f.as_lines},
      {TOOL_FLAG, "dimensions", NULL, "only list the dimensions and how many values each has", &dimensions},
      {0}};
  tool_parse(argc, argv, &usage, options);
  f.op = find_op(op);
  if (f.strength < 2 || f.strength > MOST_STRENGTH) {
    tool_error("--strength must be 2 or 3");
    return TOOL_UNUSABLE;
  }
  if (dimensions) {
    for (int d = 0; d < SCENE_DIMENSIONS; d++)
      if (scene_op_has(f.op, (scene_dimension)d))
        printf("%u\t%s\n", scene_values((scene_dimension)d), scene_dimension_name((scene_dimension)d));
    return TOOL_FINE;
  }
  if (f.strength == 3)
    f.name = "triples";
  if (!f.as_lines)
    printf("# generated: dloc gen pairwise --op %s --strength %" PRIu64 " --seed %" PRIu64 "\n", op, f.strength,
           f.seed);
  return run(&f, write_pairwise);
}
