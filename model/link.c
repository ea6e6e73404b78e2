/* spec/transformations.md, chapter 6.2: the lists of sources of several modules become one. */
#include "source.h"

/* `link.list`, `link.conflict`, `link.malformed`; `link.repeated`, `link.distinct`: nodes are compared, so a distinct
 * entry repeats nothing. */
dloc_status dloc_link_sources(dloc_context *context, const dloc_profile *profile, const dloc_node *entries,
                              size_t count, dloc_node *ret, size_t *ret_count) {
  map met = {0}; /* entries that stand in the list */
  scratch list = {0};
  OWNED_MEMORY(context, &met.entries, &list.words);
  for (size_t i = 0; i < count; i++) {
    dloc_node entry = entries[i];
    bool first;
    TRY(map_meet(context, &met, entry, 0, &first));
    if (first || DLOC_TAKES(profile, LINK_REPEATED, KEEP))
      TRY(scratch_push(context, &list, entry));
  }
  for (size_t i = 0; i < list.count; i++)
    ret[i] = list.words[i];
  *ret_count = list.count;
  return DLOC_OK;
}
