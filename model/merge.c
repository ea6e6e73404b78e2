/* SPEC.md, chapter 4: merging DebugLocs, channel by channel. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

/* ---- Layers ---- */

static dloc_status keep_layer(merger *m, dloc_node kind, dloc_node location) {
  TRY(scratch_push(m->context, &m->work->layers, kind));
  return scratch_push(m->context, &m->work->layers, location);
}

/* `merge.layer.one-sided` */
static dloc_status carry_layer(merger *m, dloc_layer layer) {
  bool keep = DLOC_TAKES(m->profile, MERGE_LAYER_ONE_SIDED, KEEP);
  EXPLAIN(m, MERGE_LAYER_ONE_SIDED, "a layer of one side only: %s", keep ? "carried forward" : "dropped");
  return keep ? keep_layer(m, layer.kind, layer.location) : DLOC_OK;
}

static dloc_node layer_file(const merger *m, dloc_node location) {
  return dloc_scope_file(m->context, location_content(m->context, location).scope);
}

/* Whether a merged layer survives: `merge.layer.divergent`, `merge.layer.line-0`, `merge.layer.foreign-file`. */
static bool layer_survives(merger *m, dloc_node merged, dloc_node a, dloc_node b) {
  if (!merged) {
    EXPLAIN(m, MERGE_LAYER_DIVERGENT, "the layer has no result: dropped");
    return false;
  }
  if (location_content(m->context, merged).line == 0) {
    bool keep = DLOC_TAKES(m->profile, MERGE_LAYER_LINE_0, KEEP);
    EXPLAIN(m, MERGE_LAYER_LINE_0, "the layer is at line 0: %s", keep ? "kept" : "dropped");
    if (!keep)
      return false;
  }
  dloc_node file = layer_file(m, merged);
  if (file == layer_file(m, a) || file == layer_file(m, b))
    return true;
  bool keep = DLOC_TAKES(m->profile, MERGE_LAYER_FOREIGN_FILE, KEEP);
  EXPLAIN(m, MERGE_LAYER_FOREIGN_FILE, "the layer's file is that of neither side: %s", keep ? "kept" : "dropped");
  return keep;
}

/* `merge.layer.block-file`, alternative content: a location in the uniqued block file of the same content. */
static dloc_status in_uniqued(merger *m, dloc_node *location) {
  dloc_location content = location_content(m->context, *location);
  TRY(copy_block(m->context, content.scope, dloc_scope_parent(m->context, content.scope), &content.scope));
  return dloc_location_create(m->context, false, &content, location);
}

/* `merge.layer.block-file` */
static dloc_status align_block_files(merger *m, dloc_node *a, dloc_node *b) {
  dloc_node first = *a, second = *b;
  dloc_node scope1 = location_content(m->context, first).scope, scope2 = location_content(m->context, second).scope;
  bool by_node = DLOC_TAKES(m->profile, MERGE_LAYER_BLOCK_FILE, NODE);
  if (by_node || scope1 == scope2 || node_kind(m->context, scope1) != DLOC_KIND_LEXICAL_BLOCK_FILE ||
      node_kind(m->context, scope2) != DLOC_KIND_LEXICAL_BLOCK_FILE)
    return DLOC_OK;
  TRY(in_uniqued(m, &first));
  TRY(in_uniqued(m, &second));
  if (location_content(m->context, first).scope != location_content(m->context, second).scope)
    return DLOC_OK;
  *a = first;
  *b = second;
  return DLOC_OK;
}

/* `merge.layer.same-rules`: one channel that both sides have. */
static dloc_status merge_layer(merger *m, dloc_node kind, dloc_node a, dloc_node b) {
  dloc_node merged = DLOC_NULL;
  bool divergent_is_empty = DLOC_TAKES(m->profile, MERGE_LAYER_DIVERGENT, EMPTY);
  TRY(align_block_files(m, &a, &b));
  TRY(merge_locations(m, a, b, divergent_is_empty, &merged));
  return layer_survives(m, merged, a, b) ? keep_layer(m, kind, merged) : DLOC_OK;
}

static void say_pairing(const merger *m, dloc_node kind) {
  dloc_text text = dloc_node_text(m->context, kind);
  EXPLAIN(m, MERGE_LAYER_PAIR_BY_KIND, "both sides have a layer \"%.*s\"", (int)(text.size < 64 ? text.size : 64),
          text.bytes);
}

/* The layers of a well-formed operand by their operand number, so that a walk over n of them costs n. */
static bool layer_of_operand(const dloc_context *context, dloc_node debug_loc, size_t operand, dloc_layer *ret) {
  dloc_node pair = dloc_operand(context, debug_loc, operand);
  *ret = (dloc_layer){dloc_operand(context, pair, 0), dloc_operand(context, pair, 1)};
  return dloc_operand_count(context, pair) == 2 && node_kind(context, ret->kind) == DLOC_KIND_STRING &&
         node_kind(context, ret->location) == DLOC_KIND_LOCATION;
}

/* Remember the first layer of each kind of a location. */
static dloc_status index_kinds(merger *m, dloc_node debug_loc, map *kinds) {
  map_clear(kinds);
  dloc_layer layer;
  for (size_t i = 1; i < dloc_operand_count(m->context, debug_loc); i++)
    if (layer_of_operand(m->context, debug_loc, i, &layer))
      TRY(map_add(m->context, kinds, layer.kind, 0, (uint32_t)i, NULL));
  return DLOC_OK;
}

/* Whether operand i is the layer that stands for its kind: the first (`merge.layer.repeated`). */
static bool stands_for_kind(const map *kinds, dloc_layer layer, size_t i) {
  uint32_t first = 0;
  return map_get(kinds, layer.kind, 0, &first) && first == i;
}

/* `merge.layer.pair-by-kind`, `merge.layer.order` */
static dloc_status merge_layers_by_kind(merger *m, dloc_node a, dloc_node b) {
  TRY(index_kinds(m, a, &m->work->taken));
  TRY(index_kinds(m, b, &m->work->kinds));
  dloc_layer layer, other;
  uint32_t partner = 0;
  for (size_t i = 1; i < dloc_operand_count(m->context, a); i++) {
    if (!layer_of_operand(m->context, a, i, &layer))
      continue;
    if (!stands_for_kind(&m->work->taken, layer, i) || !map_get(&m->work->kinds, layer.kind, 0, &partner)) {
      TRY(carry_layer(m, layer));
      continue;
    }
    say_pairing(m, layer.kind);
    (void)layer_of_operand(m->context, b, partner, &other);
    TRY(merge_layer(m, layer.kind, layer.location, other.location));
  }
  for (size_t i = 1; i < dloc_operand_count(m->context, b); i++)
    if (layer_of_operand(m->context, b, i, &layer) &&
        (!stands_for_kind(&m->work->kinds, layer, i) || !map_get(&m->work->taken, layer.kind, 0, &partner)))
      TRY(carry_layer(m, layer));
  return DLOC_OK;
}

/* PR 205453: the first layer of each side is one channel, whatever the kinds. */
static dloc_status merge_first_layers(merger *m, dloc_node a, dloc_node b) {
  dloc_layer first = dloc_layer_at(m->context, a, 0), second = dloc_layer_at(m->context, b, 0);
  if (first.location && second.location)
    return merge_layer(m, first.kind, first.location, second.location);
  if (first.location)
    return carry_layer(m, first);
  return second.location ? carry_layer(m, second) : DLOC_OK;
}

/* ---- Tuple reconstruction ---- */

typedef struct ranked_layer {
  dloc_text kind;
  dloc_layer layer;
  size_t rank;
} ranked_layer;

static int compare_ranked(const void *left, const void *right) {
  const ranked_layer *a = left, *b = right;
  size_t size = a->kind.size < b->kind.size ? a->kind.size : b->kind.size;
  int order = size ? memcmp(a->kind.bytes, b->kind.bytes, size) : 0;
  if (!order)
    order = (a->kind.size > b->kind.size) - (a->kind.size < b->kind.size);
  return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* `merge.layer.order`, alternative sorted. */
static dloc_status sort_layers(merger *m) {
  size_t count = m->work->layers.count / 2;
  if (count < 2)
    return DLOC_OK;
  ranked_layer *ranked = context_realloc(m->context, NULL, count * sizeof *ranked);
  if (!ranked)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    dloc_layer layer = {m->work->layers.words[2 * i], m->work->layers.words[2 * i + 1]};
    ranked[i] = (ranked_layer){dloc_node_text(m->context, layer.kind), layer, i};
  }
  qsort(ranked, count, sizeof *ranked, compare_ranked);
  for (size_t i = 0; i < count; i++) {
    m->work->layers.words[2 * i] = ranked[i].layer.kind;
    m->work->layers.words[2 * i + 1] = ranked[i].layer.location;
  }
  context_free(m->context, ranked);
  return DLOC_OK;
}

_Static_assert(sizeof(dloc_layer) == 2 * sizeof(uint32_t), "m->work->layers is an array of dloc_layer");

/* `merge.tuple.rebuild`, `merge.tuple.bare`, `merge.primary-lost` */
static dloc_status rebuild(merger *m, dloc_node primary, dloc_node first_primary, dloc_node *ret) {
  size_t count = m->work->layers.count / 2;
  if (count && !primary) {
    if (DLOC_TAKES(m->profile, MERGE_PRIMARY_LOST, DROP))
      count = 0;
    else
      TRY(merge_line_0(m, first_primary, &primary));
    EXPLAIN(m, MERGE_PRIMARY_LOST, "layers without a primary: %s",
            count ? "operand 0 is line 0 in the first scope" : "empty");
  }
  if (DLOC_TAKES(m->profile, MERGE_LAYER_ORDER, SORTED))
    TRY(sort_layers(m));
  if (count)
    EXPLAIN(m, MERGE_TUPLE_REBUILD, "%zu surviving layer%s", count, count == 1 ? "" : "s");
  return dloc_debug_loc_create(m->context, primary, (const dloc_layer *)(const void *)m->work->layers.words, count,
                               ret);
}

/* ---- Two DebugLocs ---- */

/* `merge.empty.*` */
static dloc_node merge_with_empty(const merger *m, dloc_node other) {
  bool composite = dloc_debug_loc_shape(m->context, other) == DLOC_SHAPE_COMPOSITE;
  bool keep = DLOC_TAKES(m->profile, MERGE_EMPTY, KEEP_OTHER) ||
              (DLOC_TAKES(m->profile, MERGE_EMPTY, KEEP_COMPOSITE) && composite);
  const char *decision = keep ? "one side is empty: the other is kept whole" : "one side is empty: empty";
  if (composite)
    EXPLAIN(m, MERGE_EMPTY_COMPOSITE, "%s", decision);
  else
    EXPLAIN(m, MERGE_EMPTY_BARE, "%s", decision);
  return keep ? other : DLOC_NULL;
}

static dloc_status merge_two(merger *m, dloc_node a, dloc_node b, dloc_node *ret) {
  if (a == b) {
    if (a)
      EXPLAIN(m, MERGE_SAME, "the same node on both sides");
    else
      EXPLAIN(m, MERGE_EMPTY_BOTH, "both are empty");
    *ret = a;
    return DLOC_OK;
  }
  if (!a || !b) {
    *ret = merge_with_empty(m, a ? a : b);
    return DLOC_OK;
  }
  dloc_node first = dloc_primary(m->context, a), second = dloc_primary(m->context, b), primary = DLOC_NULL;
  bool divergent_is_empty = DLOC_TAKES(m->profile, MERGE_DIVERGENT, EMPTY);
  TRY(merge_locations(m, first, second, divergent_is_empty, &primary));
  m->work->layers.count = 0;
  if (DLOC_TAKES(m->profile, MERGE_LAYER_PAIRING, BY_KIND))
    TRY(merge_layers_by_kind(m, a, b));
  else
    TRY(merge_first_layers(m, a, b));
  return rebuild(m, primary, first, ret);
}

/* `merge.n-way` */
static dloc_status merge_all(merger *m, const dloc_node *debug_locs, size_t count, dloc_node *ret) {
  for (size_t i = 0; i < count; i++)
    TRY(check_operand(m->context, m->profile, debug_locs[i], &m->reason));
  dloc_node merged = count ? debug_locs[0] : DLOC_NULL;
  for (size_t i = 1; i < count; i++) {
    if (!merged && i > 1 && DLOC_TAKES(m->profile, MERGE_N_WAY, STOP_AT_EMPTY))
      break;
    if (count > 2)
      EXPLAIN(m, MERGE_N_WAY, "location %zu of %zu", i + 1, count);
    TRY(merge_two(m, merged, debug_locs[i], &merged));
  }
  *ret = merged;
  return DLOC_OK;
}

dloc_status dloc_merge(dloc_context *context, const dloc_profile *profile, const dloc_node *debug_locs, size_t count,
                       const dloc_trace *trace, dloc_reason *ret_reason, dloc_node *ret) {
  merger m = {.context = context, .profile = profile, .trace = trace, .work = &context->merging};
  dloc_node merged = DLOC_NULL;
  dloc_status status = merge_all(&m, debug_locs, count, &merged);
  if (status == DLOC_OK)
    *ret = merged;
  return status == DLOC_INVALID ? fail(ret_reason, m.reason) : status;
}

void merge_work_deinit(dloc_context *context) {
  merge_work *work = &context->merging;
  map_deinit(context, &work->places);
  map_deinit(context, &work->kinds);
  map_deinit(context, &work->taken);
  scratch_deinit(context, &work->first);
  scratch_deinit(context, &work->second);
  scratch_deinit(context, &work->climb);
  scratch_deinit(context, &work->layers);
}
