/* SPEC.md, chapter 6: the source texts that a module embeds. */
#include "source.h"

#include <md5.h>
#include <string.h>

/* The list of entries; false when there is none. dloc_module_find_named may create a node, which would invalidate what
 * it finds. */
static bool find_list(const dloc_module *module, dloc_named_metadata *ret) {
  const dloc_text name = dloc_text_of(DLOC_SOURCE_LIST);
  for (size_t i = 0; i < dloc_module_named_count(module); i++) {
    *ret = dloc_module_named(module, i);
    if (dloc_text_equal(dloc_node_text(dloc_module_context(module), ret->name), name))
      return true;
  }
  return false;
}

/* `source.entry`: !{kind, file, text} */
bool source_read(const dloc_context *context, dloc_node entry, dloc_source *ret) {
  dloc_node kind = dloc_operand(context, entry, 0);
  dloc_node file = dloc_operand(context, entry, 1);
  dloc_node text = dloc_operand(context, entry, 2);
  if (dloc_operand_count(context, entry) != 3 || dloc_node_kind(context, kind) != DLOC_KIND_STRING ||
      dloc_node_kind(context, file) != DLOC_KIND_FILE || dloc_node_kind(context, text) != DLOC_KIND_STRING)
    return false;
  *ret = (dloc_source){dloc_node_text(context, kind), file, dloc_node_text(context, text), entry};
  return true;
}

/* `source.order`: the next well-formed entry at or after operand *index, which is advanced past it. */
static bool next_entry(const dloc_module *module, const dloc_named_metadata *list, size_t *index, dloc_source *ret) {
  while (*index < list->operand_count)
    if (source_read(dloc_module_context(module), dloc_module_named_operand(module, list, (*index)++), ret))
      return true;
  return false;
}

size_t dloc_source_count(const dloc_module *module) {
  dloc_named_metadata list;
  dloc_source source;
  size_t count = 0;
  if (!find_list(module, &list))
    return 0;
  for (size_t i = 0; next_entry(module, &list, &i, &source);)
    count++;
  return count;
}

size_t dloc_source_list(const dloc_module *module, size_t limit, dloc_source *ret) {
  dloc_named_metadata list;
  size_t count = 0;
  if (!find_list(module, &list))
    return 0;
  for (size_t i = 0; count < limit && next_entry(module, &list, &i, &ret[count]);)
    count++;
  return count;
}

static dloc_text file_name(const dloc_context *context, dloc_node file) {
  return dloc_node_text(context, dloc_field_value(context, file, "filename"));
}

dloc_node source_link(const dloc_context *context, const dloc_profile *profile, dloc_node file) {
  return DLOC_TAKES(profile, SOURCE_MATCH, FILENAME) ? dloc_field_value(context, file, "filename") : file;
}

bool source_links_kind(const dloc_profile *profile) { return DLOC_TAKES(profile, SOURCE_MATCH, FILE_AND_KIND); }

static bool matches(const dloc_context *context, const dloc_profile *profile, const dloc_source *source, dloc_node file,
                    dloc_text kind) {
  bool any_kind = kind.size == 0 || !source_links_kind(profile);
  return dloc_node_kind(context, file) == DLOC_KIND_FILE &&
         source_link(context, profile, source->file) == source_link(context, profile, file) &&
         (any_kind || dloc_text_equal(source->kind, kind));
}

bool dloc_source_find(const dloc_module *module, const dloc_profile *profile, dloc_node file, dloc_text kind,
                      dloc_source *ret) {
  dloc_named_metadata list;
  dloc_source source;
  if (!find_list(module, &list))
    return false;
  for (size_t i = 0; next_entry(module, &list, &i, &source);)
    if (matches(dloc_module_context(module), profile, &source, file, kind)) {
      *ret = source;
      return true;
    }
  return false;
}

/* `source.md5` */
void dloc_source_md5(const dloc_context *context, const dloc_profile *profile, const dloc_source *source,
                     char ret[33]) {
  static const char digits[] = "0123456789abcdef";
  dloc_text hashed = DLOC_TAKES(profile, SOURCE_HASH, FILENAME) ? file_name(context, source->file) : source->text;
  uint8_t digest[MD5_DIGEST_LENGTH];
  MD5_CTX state;
  MD5Init(&state);
  MD5Update(&state, (const uint8_t *)hashed.bytes, hashed.size);
  MD5Final(digest, &state);
  for (size_t i = 0; i < MD5_DIGEST_LENGTH; i++) {
    ret[2 * i] = digits[digest[i] >> 4];
    ret[2 * i + 1] = digits[digest[i] & 15];
  }
  ret[32] = '\0';
}
