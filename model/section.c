/* SPEC.md, chapter 8.4: the names of the sections that hold layers' line tables and embedded texts. */
#include "source.h"

#include <string.h>

/* ---- The name of one kind ---- */

/* `section.name.none` */
static bool is_possible(const char *name, size_t size) { return size > 0 && !memchr(name, '\0', size); }

/* `section.name` */
static dloc_status name_kind(dloc_context *context, dloc_node kind, dloc_reason *ret_reason, dloc_node *ret) {
  dloc_text text = dloc_node_text(context, kind);
  ALLOCATE(context, char, name, text.size + 1);
  OWNED_MEMORY(context, &name);
  for (size_t i = 0; i < text.size; i++) {
    char c = text.bytes[i];
    name[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
  }
  return is_possible(name, text.size) ? dloc_string(context, (dloc_text){name, text.size}, ret)
                                      : fail(ret_reason, DLOC_REASON_SECTION_NAME);
}

/* ---- Several kinds ---- */

typedef struct known_kinds {
  map kinds;    /* name -> the kind that has it */
  scratch list; /* the name of each kind, in order */
} known_kinds;

static bool has_dot(const dloc_profile *profile) { return DLOC_TAKES(profile, SECTION_TABLE, DOT); }

/* `section.reserved` */
static bool is_reserved(const dloc_profile *profile, dloc_text name) {
  const char *const names[] = {"str", "end", "dwo"};
  for (size_t i = has_dot(profile) ? 2 : 0, end = has_dot(profile) ? 3 : 2; i < end; i++)
    if (dloc_text_equal(name, dloc_text_of(names[i])))
      return true;
  return false;
}

/* `section.collision` */
static dloc_status add_kind(dloc_context *context, const dloc_profile *profile, known_kinds *known, dloc_node kind,
                            dloc_reason *ret_reason) {
  dloc_node name, first;
  TRY(name_kind(context, kind, ret_reason, &name));
  TRY(map_add(context, &known->kinds, name, 0, kind, &first));
  if (first != kind || is_reserved(profile, dloc_node_text(context, name)))
    return fail(ret_reason, DLOC_REASON_SECTION_COLLISION);
  return scratch_push(context, &known->list, name);
}

dloc_status dloc_section_names(dloc_context *context, const dloc_profile *profile, const dloc_node *kinds, size_t count,
                               dloc_reason *ret_reason, dloc_node *ret) {
  known_kinds known = {.kinds = {0}};
  OWNED_MEMORY(context, &known.kinds.entries, &known.list.words);
  for (size_t i = 0; i < count; i++)
    TRY(add_kind(context, profile, &known, kinds[i], ret_reason));
  for (size_t i = 0; i < count; i++)
    ret[i] = known.list.words[i];
  return DLOC_OK;
}

/* ---- Sections ---- */

/* `section.table` */
dloc_status dloc_section_table(dloc_context *context, const dloc_profile *profile, dloc_node name, dloc_node *ret) {
  const char *before = has_dot(profile) ? ".debug_line." : ".debug_line_";
  const dloc_text parts[] = {dloc_text_of(before), dloc_node_text(context, name)};
  return join_texts(context, parts, 2, ret);
}

static dloc_status hash_entry(const dloc_context *context, const dloc_profile *profile, dloc_node entry,
                              char buffer[33], dloc_text *ret) {
  dloc_source source;
  if (!source_read(context, entry, &source) && !source_of_layer(context, entry, &source))
    return DLOC_INVALID;
  *ret = dloc_source_hash(context, profile, &source, buffer);
  return DLOC_OK;
}

/* `section.text` */
dloc_status dloc_section_text(dloc_context *context, const dloc_profile *profile, dloc_node name, dloc_node entry,
                              dloc_node *ret) {
  char md5[33];
  dloc_text hash;
  TRY(hash_entry(context, profile, entry, md5, &hash));
  const dloc_text parts[] = {dloc_text_of(".debug_txt."), dloc_node_text(context, name), dloc_text_of("."), hash};
  return join_texts(context, parts, 4, ret);
}

/* `section.group` */
dloc_status dloc_section_group(dloc_context *context, const dloc_profile *profile, dloc_node section, dloc_node entry,
                               dloc_node *ret) {
  char md5[33];
  dloc_text hash;
  TRY(hash_entry(context, profile, entry, md5, &hash));
  if (DLOC_TAKES(profile, SECTION_GROUP, HASH))
    return dloc_string(context, hash, ret);
  return give_node(ret, section);
}
