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

/* ---- Entries that are well-formed ---- */

/* UTF-8 without zero bytes. */
static bool is_text(dloc_text text) {
  size_t size = 1;
  for (size_t i = 0; i < text.size && size; i += size)
    size = text.bytes[i] == '\0' ? 0 : dloc_character((dloc_text){text.bytes + i, text.size - i}, NULL);
  return size > 0;
}

/* `source.repeated`, `source.contradiction`: what an earlier entry says of this one's kind and file. */
static dloc_status check_earlier(verifier *v, map *texts, dloc_node entry) {
  dloc_node kind = dloc_operand(v->context, entry, 0), file = dloc_operand(v->context, entry, 1);
  dloc_node text = dloc_operand(v->context, entry, 2), earlier;
  if (!map_get(texts, (uint64_t)kind << 32 | file, 0, &earlier))
    return map_add(v->context, texts, (uint64_t)kind << 32 | file, 0, entry, NULL);
  dloc_node first = dloc_operand(v->context, earlier, 2);
  bool accepts_same = DLOC_TAKES(v->profile, SOURCE_REPEATED, ACCEPT);
  bool accepts_other = DLOC_TAKES(v->profile, SOURCE_CONTRADICTION, ACCEPT);
  v->other = earlier;
  if (first == text && !accepts_same)
    return violated(v, DLOC_REASON_SOURCE_REPEATED, DLOC_CLAUSE_SOURCE_REPEATED, entry);
  if (first != text && !accepts_other)
    return violated(v, DLOC_REASON_SOURCE_CONTRADICTION, DLOC_CLAUSE_SOURCE_CONTRADICTION, entry);
  v->other = DLOC_NULL;
  return DLOC_OK;
}

/* `source.unreferenced` */
static dloc_status check_source(verifier *v, map *texts, dloc_node entry) {
  dloc_source source;
  if (!source_read(v->context, entry, &source))
    return DLOC_OK;
  TRY(check_earlier(v, texts, entry));
  bool accepts_bytes = DLOC_TAKES(v->profile, SOURCE_BYTES, ANY);
  if (!accepts_bytes && !is_text(source.text)) /* `source.bytes` */
    TRY(violated(v, DLOC_REASON_SOURCE_BYTES, DLOC_CLAUSE_SOURCE_BYTES, entry));
  bool accepts_unused = DLOC_TAKES(v->profile, SOURCE_UNREFERENCED, ACCEPT);
  if (accepts_unused || v->marks[source.file] & MARK_USED)
    return DLOC_OK;
  return violated(v, DLOC_REASON_SOURCE_UNREFERENCED, DLOC_CLAUSE_SOURCE_UNREFERENCED, entry);
}

dloc_status check_sources(verifier *v) {
  dloc_named_metadata list;
  map texts = {0};
  dloc_status status = DLOC_OK;
  if (DLOC_TAKES(v->profile, SOURCE_ENTRIES, IGNORE) ||
      !dloc_module_find_named(v->module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return DLOC_OK;
  for (size_t i = 0; i < list.operand_count; i++)
    TRY(check_entry(v, dloc_module_named_operand(v->module, &list, i)));
  for (size_t i = 0; status == DLOC_OK && i < list.operand_count; i++)
    status = check_source(v, &texts, dloc_module_named_operand(v->module, &list, i));
  map_deinit(v->context, &texts);
  return status;
}
