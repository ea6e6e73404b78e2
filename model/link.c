/* spec/transformations.md, chapter 6.2: the lists of sources of several modules become one. */
#include "source.h"

typedef struct linker {
  dloc_context *context;
  const dloc_profile *profile;
  map entries; /* those that stand in the list */
  map texts;   /* by kind and file: the text of the first entry */
  scratch list;
  dloc_reason *ret_reason;
} linker;

/* `link.repeated`, `link.distinct`: nodes are compared, so a distinct entry repeats nothing. */
static dloc_status is_repeated(linker *l, dloc_node entry, bool *ret) {
  uint32_t found;
  *ret = map_get(&l->entries, entry, 0, &found) && DLOC_TAKES(l->profile, LINK_REPEATED, ONCE);
  return map_add(l->context, &l->entries, entry, 0, 0, NULL);
}

/* `link.conflict`: whether an earlier entry has another text for this one's kind and file. */
static dloc_status is_contradicted(linker *l, dloc_node entry, bool *ret) {
  dloc_source source;
  dloc_node first, kind = dloc_operand(l->context, entry, 0), text = dloc_operand(l->context, entry, 2);
  *ret = false;
  if (!source_read(l->context, entry, &source))
    return DLOC_OK;
  TRY(map_add(l->context, &l->texts, (uint64_t)kind << 32 | source.file, 0, text, &first));
  *ret = first != text;
  return DLOC_OK;
}

/* Whether an entry is added to the list. `link.conflict`, `link.malformed` */
static dloc_status is_added(linker *l, dloc_node entry, bool *ret) {
  bool repeated, contradicted;
  TRY(is_repeated(l, entry, &repeated));
  TRY(is_contradicted(l, entry, &contradicted));
  *ret = !repeated && !(contradicted && DLOC_TAKES(l->profile, LINK_CONFLICT, FIRST));
  bool rejected = contradicted && DLOC_TAKES(l->profile, LINK_CONFLICT, REJECT);
  return rejected ? fail(l->ret_reason, DLOC_REASON_LINK_CONFLICT) : DLOC_OK;
}

/* `link.list` */
static dloc_status link_entries(linker *l, const dloc_node *entries, size_t count) {
  for (size_t i = 0; i < count; i++) {
    dloc_node entry = entries[i];
    bool added;
    TRY(is_added(l, entry, &added));
    if (added)
      TRY(scratch_push(l->context, &l->list, entry));
  }
  return DLOC_OK;
}

dloc_status dloc_link_sources(dloc_context *context, const dloc_profile *profile, const dloc_node *entries,
                              size_t count, dloc_reason *ret_reason, dloc_node *ret, size_t *ret_count) {
  linker l = {.context = context, .profile = profile, .ret_reason = ret_reason};
  dloc_status status = link_entries(&l, entries, count);
  for (size_t i = 0; status == DLOC_OK && i < l.list.count; i++)
    ret[i] = l.list.words[i];
  if (status == DLOC_OK)
    *ret_count = l.list.count;
  CONTEXT_FREE(context, l.entries.entries, l.texts.entries, l.list.words);
  return status;
}
