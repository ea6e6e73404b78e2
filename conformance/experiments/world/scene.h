/* scene.h - small modules with two locations a and b, described by numbers: what random and pairwise vectors are made
 * of.
 *
 * A scene has functions f0, f1, f2, f3, each inlined into the one before; files, blocks, call sites; and two locations
 * with up to five layers. scene.def has its dimensions, what each operation asks, and the flaws of modules. The same
 * numbers give the same vector everywhere. */
#pragma once

#include "vector/vector.h"

enum {
  SCENE_FLAWS = 28,
  SCENE_UNLAYERED_FLAWS = 23 /* from here on a flaw has nothing to do with layers */
};

typedef enum scene_dimension {
#define DIMENSION(id, name, values, often, ops, when) SCENE_##id,
#include "scene.def"
  SCENE_DIMENSIONS,
  SCENE_TRIPLE_DIMENSIONS = SCENE_A_MORE, /* of the released families of triples */
  SCENE_FAMILY_DIMENSIONS = SCENE_A_ALONE /* of families, whose vectors are of the profile rfc */
} scene_dimension;

typedef struct scene {
  vector_op op;
  uint8_t at[SCENE_DIMENSIONS]; /* each below scene_values */
} scene;

unsigned scene_values(scene_dimension d);
const char *scene_dimension_name(scene_dimension d);
/* Whether an operation is about locations: the others have no scenes. */
bool scene_has_op(vector_op op);
/* Whether an operation depends on a dimension at all, and whether it does in this scene: the line of a layer that is
 * not there does not. */
bool scene_op_has(vector_op op, scene_dimension d);
bool scene_is_active(const scene *s, scene_dimension d);
scene scene_random(vector_op op, uint64_t *state);
/* Without tuples that have no layers, which most profiles reject. */
void scene_add_layers(scene *s);
/* Append its vector as YAML, with a stand-in for what is expected. */
void scene_put(const scene *s, const char *id, dloc_buffer *out);
