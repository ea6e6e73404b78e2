/* SPEC.md, chapter 4.8: what the lists of two locations have in common, in the form irlayers. */
#include "merge.h"

static size_t layer_count(const merger *m, dloc_node list) {
  return node_kind(m->context, list) == DLOC_KIND_LAYER_LIST ? dloc_field_count(m->context, list) : 0;
}

/* What the map of layers says of one: which side has it, and whether it is in the result. */
enum { IN_FIRST, IN_SECOND, IN_RESULT };

/* `merge.list.match`: layers of one content are one, and the uniqued node of that content stands for them. */
static dloc_status key_at(const merger *m, dloc_node list, size_t index, dloc_node *ret_layer, dloc_node *ret) {
  dloc_node layer = dloc_field_at(m->context, list, index).value;
  bool by_node = DLOC_TAKES(m->profile, MERGE_LAYER_MATCH, NODE);
  *ret = *ret_layer = layer;
  if (by_node || node_kind(m->context, layer) != DLOC_KIND_LAYER || !dloc_node_is_distinct(m->context, layer))
    return DLOC_OK;
  return copy_scope(m->context, layer, DLOC_NULL, false, ret);
}

static dloc_status note_layers(const merger *m, dloc_node list, uint32_t side) {
  dloc_node layer, key;
  for (size_t i = 0; i < layer_count(m, list); i++) {
    TRY(key_at(m, list, i, &layer, &key));
    TRY(map_add(m->context, &m->work->places, key, side, 0, NULL));
  }
  return DLOC_OK;
}

/* `merge.list.common`, `merge.list.repeated`: layers of a list, those that the other side has and those that it lacks.
 */
static dloc_status take_layers(const merger *m, dloc_node list, uint32_t other, bool common, bool one_sided) {
  bool once = DLOC_TAKES(m->profile, MERGE_LAYER_REPEATS, ONCE);
  map *met = &m->work->places;
  dloc_node layer, key;
  uint32_t found;
  for (size_t i = 0; i < layer_count(m, list); i++) {
    TRY(key_at(m, list, i, &layer, &key));
    bool wanted = map_get(met, key, other, &found) ? common : one_sided;
    if (!wanted || (once && map_get(met, key, IN_RESULT, &found)))
      continue;
    TRY(scratch_push(m->context, &m->work->climb, layer));
    TRY(map_add(m->context, met, key, IN_RESULT, 0, NULL));
  }
  return DLOC_OK;
}

dloc_status merge_lists(merger *m, dloc_node first, dloc_node second, dloc_node *ret) {
  bool one_sided = DLOC_TAKES(m->profile, MERGE_LAYER_ONE_SIDED, KEEP);
  scratch *taken = &m->work->climb;
  if (!first && !second)
    return DLOC_OK;
  map_clear(&m->work->places);
  taken->count = 0;
  TRY(note_layers(m, first, IN_FIRST));
  TRY(note_layers(m, second, IN_SECOND));
  TRY(take_layers(m, first, IN_SECOND, true, one_sided));
  if (one_sided)
    TRY(take_layers(m, second, IN_FIRST, false, true));
  EXPLAIN(m, MERGE_LIST_COMMON, "%zu layer%s", taken->count, taken->count == 1 ? "" : "s");
  return taken->count ? layer_list_create(m->context, false, taken->words, taken->count, ret) : DLOC_OK;
}
