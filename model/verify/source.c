/* SPEC.md, chapter 6.1: the list of sources. */
#include "source.h"
#include "verify.h"

/* `source.link`: the files of the entries, whatever the rest of an entry looks like. */
void list_sources(verifier *v) {
  dloc_named_metadata list;
  v->sources_listed = dloc_module_find_named(v->module, dloc_text_of(DLOC_SOURCE_LIST), &list);
  for (size_t i = 0; v->sources_listed && i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(v->module, &list, i);
    dloc_node file = dloc_operand(v->context, entry, 1);
    if (kind_of(v, file) == DLOC_KIND_FILE)
      v->marks[file] |= MARK_LISTED;
  }
}

/* `source.entry`: !{kind, file, text} */
static dloc_status check_entry(verifier *v, dloc_node entry) {
  static const struct {
    unsigned kind;
    dloc_reason reason;
  } slots[] = {{DLOC_KIND_STRING, DLOC_REASON_SOURCE_KIND},
               {DLOC_KIND_FILE, DLOC_REASON_SOURCE_FILE},
               {DLOC_KIND_STRING, DLOC_REASON_SOURCE_TEXT}};
  if (kind_of(v, entry) != DLOC_KIND_TUPLE || dloc_operand_count(v->context, entry) != 3)
    return violated(v, DLOC_REASON_SOURCE_ARITY, DLOC_CLAUSE_SOURCE_ENTRY, entry);
  for (size_t i = 0; i < 3; i++)
    if (kind_of(v, dloc_operand(v->context, entry, i)) != slots[i].kind)
      TRY(violated_at(v, violated, slots[i].reason, DLOC_CLAUSE_SOURCE_ENTRY, entry, i));
  return DLOC_OK;
}

/* What an entry says is its producer's: `source.repeated`, `source.contradiction`, `source.unreferenced`, `source.bytes` */
dloc_status check_sources(verifier *v) {
  dloc_named_metadata list;
  if (DLOC_TAKES(v->profile, SOURCE_ENTRIES, IGNORE) ||
      !dloc_module_find_named(v->module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return DLOC_OK;
  for (size_t i = 0; i < list.operand_count; i++)
    TRY(check_entry(v, dloc_module_named_operand(v->module, &list, i)));
  return DLOC_OK;
}
