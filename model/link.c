/* spec/transformations.md, chapter 6.2: the lists of sources of several modules become one. */
#include "source.h"

typedef struct linker {
  dloc_context *context;
  const dloc_profile *profile;
  map entries; /* those that stand in the list */
  scratch list;
} linker;

/* `link.list`, `link.conflict`, `link.malformed`; `link.repeated`, `link.distinct`: nodes are compared, so a distinct
 * entry repeats nothing. */
static dloc_status link_entries(linker *l, const dloc_node *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    dloc_node entry = entries[i];
    bool first;
    TRY(map_meet(l->context, &l->entries, entry, 0, &first));
    if (first || DLOC_TAKES(l->profile, LINK_REPEATED, KEEP))
      TRY(scratch_push(l->context, &l->list, entry));
  }
  return DLOC_OK;
}

dloc_status dloc_link_sources(dloc_context *context, const dloc_profile *profile, const dloc_node *entries,
                              size_t count, dloc_node *ret, size_t *ret_count) {
  linker l = {.context = context, .profile = profile};
  dloc_status status = link_entries(&l, entries, count);
  for (size_t i = 0; status == DLOC_OK && i < l.list.count; i++)
    ret[i] = l.list.words[i];
  if (status == DLOC_OK)
    *ret_count = l.list.count;
  CONTEXT_FREE(context, l.entries.entries, l.list.words);
  return status;
}
