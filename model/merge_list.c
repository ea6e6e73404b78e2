/* spec/irlayers.md, chapter 4.8: what the lists of two locations have in common, in the form irlayers. */
#include "merge.h"

#include <string.h>

/* `merge.list.match`: layers of one content have the same words, distinct or not. */
static bool match(const merger *m, dloc_node a, dloc_node b) {
  size_t count = dloc_field_count(m->context, a);
  bool layers = node_kind(m->context, a) == DLOC_KIND_LAYER && node_kind(m->context, b) == DLOC_KIND_LAYER;
  if (a == b || !layers || DLOC_TAKES(m->profile, MERGE_LAYER_MATCH, NODE))
    return a == b;
  return count == dloc_field_count(m->context, b) &&
         memcmp(node_words(m->context, a), node_words(m->context, b), (2 + 2 * count) * sizeof(uint32_t)) == 0;
}

/* Linear when lists are alike, as first is where a layer is met first. */
static bool occurs(const merger *m, dloc_node list, size_t first, dloc_node layer) {
  size_t count = dloc_field_count(m->context, list), i = 0;
  while (i < count && !match(m, layer, dloc_field_at(m->context, list, (first + i) % count).value))
    i++;
  return i < count;
}

/* `merge.list.common`, `merge.list.repeated`: layers of a list, of those that the other has and of those it lacks. */
static dloc_status take_layers(const merger *m, dloc_node list, dloc_node other, bool common, bool one_sided) {
  scratch *taken = &m->work->taken;
  for (size_t i = 0; i < dloc_field_count(m->context, list); i++) {
    dloc_node layer = dloc_field_at(m->context, list, i).value;
    if (occurs(m, other, i, layer) ? common : one_sided)
      TRY(scratch_push(m->context, taken, layer));
  }
  return DLOC_OK;
}

/* `merge.list.none`, `merge.list.uniqued` */
dloc_status merge_lists(merger *m, dloc_node first, dloc_node second, dloc_node *ret) {
  bool one_sided = DLOC_TAKES(m->profile, MERGE_LAYER_ONE_SIDED, KEEP);
  scratch *taken = &m->work->taken;
  taken->count = 0;
  first = list_of(m->context, first);
  second = list_of(m->context, second);
  TRY(take_layers(m, first, second, true, one_sided));
  if (one_sided)
    TRY(take_layers(m, second, first, false, true));
  EXPLAIN(m, MERGE_LIST_COMMON, "%zu layer%s", taken->count, taken->count == 1 ? "" : "s");
  return taken->count ? layer_list_create(m->context, false, taken->words, taken->count, ret) : DLOC_OK;
}
