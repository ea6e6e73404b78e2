/* SPEC.md, chapter 3: the rules about layers that are nodes of their own. A
 * node's rules end with its first violation. */
#include "verify.h"

/* `verify.list.empty`, `verify.list.entry`, `verify.layer.any` */
dloc_status check_list(verifier *v, dloc_node list) {
  size_t count = dloc_field_count(v->context, list);
  if (count == 0)
    return node_violated(v, DLOC_REASON_IRLAYERS_EMPTY, DLOC_CLAUSE_VERIFY_LIST_EMPTY, list);
  for (size_t i = 0; i < count; i++)
    if (kind_of(v, dloc_field_at(v->context, list, i).value) != DLOC_KIND_LAYER)
      return violated_at(v, node_violated, DLOC_REASON_IRLAYERS_ENTRY, DLOC_CLAUSE_VERIFY_LIST_ENTRY, list, i);
  return DLOC_OK;
}

/* `verify.layer.kind`, `verify.layer.file`, `verify.layer.checksum` */
dloc_status check_layer(verifier *v, dloc_node layer) {
  dloc_node file = field_of(v, layer, FIELD_LAYER_file);
  bool needed = DLOC_TAKES(v->profile, IRLAYERS_FILE_TEXT, NON_NULL);
  if (kind_of(v, field_of(v, layer, FIELD_LAYER_kind)) != DLOC_KIND_STRING)
    return node_violated(v, DLOC_REASON_IRLAYERS_KIND, DLOC_CLAUSE_VERIFY_LAYER_KIND, layer);
  if (kind_of(v, file) != DLOC_KIND_FILE && (needed || file != DLOC_NULL))
    return node_violated(v, needed ? DLOC_REASON_IRLAYERS_FILE : DLOC_REASON_IRLAYERS_FILE_CLASS,
                         DLOC_CLAUSE_VERIFY_LAYER_FILE, layer);
  if (DLOC_TAKES(v->profile, IRLAYERS_CHECKSUM, REQUIRED) && field_of(v, file, FIELD_FILE_checksum) == DLOC_NULL)
    return node_violated(v, DLOC_REASON_IRLAYERS_CHECKSUM, DLOC_CLAUSE_VERIFY_LAYER_CHECKSUM, layer);
  return DLOC_OK;
}
