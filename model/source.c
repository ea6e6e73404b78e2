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

/* `source.entry`: !{kind, file, text}; `source.empty-text` */
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

/* `source.file`, `source.file.empty` */
bool source_of_layer(const dloc_context *context, dloc_node layer, dloc_source *ret) {
  dloc_node file = dloc_field_value(context, layer, "file"), text = dloc_field_value(context, file, "source");
  if (node_kind(context, layer) != DLOC_KIND_LAYER || !text)
    return false;
  dloc_text kind = dloc_node_text(context, dloc_field_value(context, layer, "kind"));
  *ret = (dloc_source){kind, file, dloc_node_text(context, text), layer};
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

bool source_links_kind(const dloc_profile *profile) { return DLOC_TAKES(profile, SOURCE_MATCH, FILE_AND_KIND); }

/* `source.link` */
static bool matches(const dloc_context *context, const dloc_profile *profile, const dloc_source *source, dloc_node file,
                    dloc_text kind) {
  bool any_kind = kind.size == 0 || !source_links_kind(profile);
  return dloc_node_kind(context, file) == DLOC_KIND_FILE && source->file == file &&
         (any_kind || dloc_text_equal(source->kind, kind));
}

/* `source.order` */
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

/* ---- The texts of layers ---- */

typedef struct gathering {
  dloc_context *context;
  map seen; /* locations, and files with a text */
  size_t limit;
  dloc_source *sources;
  size_t count;
} gathering;

static dloc_status is_first(gathering *g, dloc_node node, bool *ret) {
  uint32_t ignored;
  *ret = !map_get(&g->seen, node, 0, &ignored);
  return *ret ? map_add(g->context, &g->seen, node, 0, 0, NULL) : DLOC_OK;
}

/* `source.file.order` */
static dloc_status gather_list(gathering *g, dloc_node list) {
  dloc_layer layer;
  dloc_source source;
  bool first;
  for (size_t i = 0; dloc_next_layer(g->context, list, &i, &layer);) {
    if (!source_of_layer(g->context, layer.location, &source))
      continue;
    TRY(is_first(g, source.file, &first));
    if (first && g->count < g->limit)
      g->sources[g->count] = source;
    g->count += first;
  }
  return DLOC_OK;
}

static dloc_status gather_chain(gathering *g, dloc_node location) {
  bool first = true;
  for (; location && first; location = location_content(g->context, location).inlined_at) {
    TRY(is_first(g, location, &first));
    if (first)
      TRY(gather_list(g, list_of(g->context, location)));
  }
  return DLOC_OK;
}

dloc_status dloc_source_of_layers(const dloc_module *module, size_t limit, dloc_source *ret, size_t *ret_count) {
  gathering g = {.context = dloc_module_context(module), .limit = limit, .sources = ret};
  dloc_status status = DLOC_OK;
  for (size_t i = 0; status == DLOC_OK && i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    for (size_t j = 0; status == DLOC_OK && j < function->instruction_count; j++) {
      const dloc_instruction *instruction = dloc_module_instruction(module, function->first_instruction + j);
      status = gather_chain(&g, dloc_primary(g.context, instruction->debug_loc));
    }
  }
  map_deinit(g.context, &g.seen);
  if (status == DLOC_OK)
    *ret_count = g.count;
  return status;
}

/* ---- Names ---- */

/* `source.md5` */
dloc_text source_digest(const dloc_text *parts, size_t count, char ret[33]) {
  static const char digits[] = "0123456789abcdef";
  uint8_t digest[MD5_DIGEST_LENGTH];
  MD5_CTX state;
  MD5Init(&state);
  for (size_t i = 0; i < count; i++)
    MD5Update(&state, (const uint8_t *)parts[i].bytes, parts[i].size);
  MD5Final(digest, &state);
  for (size_t i = 0; i < MD5_DIGEST_LENGTH; i++) {
    ret[2 * i] = digits[digest[i] >> 4];
    ret[2 * i + 1] = digits[digest[i] & 15];
  }
  ret[32] = '\0';
  return (dloc_text){ret, 32};
}

/* `source.md5`, `source.file.name` */
dloc_text dloc_source_hash(const dloc_context *context, const dloc_profile *profile, const dloc_source *source,
                           char buffer[33]) {
  dloc_text checksum = dloc_node_text(context, dloc_field_value(context, source->file, "checksum"));
  dloc_text path[] = {dloc_node_text(context, dloc_field_value(context, source->file, "directory")),
                      dloc_node_text(context, dloc_field_value(context, source->file, "filename"))};
  bool of_entry = node_kind(context, source->entry) != DLOC_KIND_LAYER || DLOC_TAKES(profile, EMIT_FILE_NAME, HASH);
  if (of_entry)
    return source_digest(DLOC_TAKES(profile, SOURCE_HASH, FILENAME) ? &path[1] : &source->text, 1, buffer);
  if (checksum.size)
    return checksum;
  return DLOC_TAKES(profile, EMIT_FILE_NAME, CHECKSUM_OR_NAME) ? path[1] : source_digest(path, 2, buffer);
}
