/* SPEC.md, chapter 6: the source texts that a module embeds. */
#include "source.h"

#include <md5.h>
#include <string.h>

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

/* `source.order` */
bool source_next(const dloc_module *module, size_t *index, dloc_source *ret) {
  dloc_named_metadata list = {.operand_count = 0};
  (void)dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list);
  while (*index < list.operand_count)
    if (source_read(dloc_module_context(module), dloc_module_named_operand(module, &list, (*index)++), ret))
      return true;
  return false;
}

size_t dloc_source_count(const dloc_module *module) {
  dloc_source source;
  size_t count = 0;
  for (size_t i = 0; source_next(module, &i, &source);)
    count++;
  return count;
}

size_t dloc_source_list(const dloc_module *module, size_t limit, dloc_source *ret) {
  size_t count = 0;
  for (size_t i = 0; count < limit && source_next(module, &i, &ret[count]);)
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
  dloc_source source;
  for (size_t i = 0; source_next(module, &i, &source);)
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

/* `source.file.order` */
static dloc_status gather_list(gathering *g, dloc_node list) {
  dloc_layer layer;
  dloc_source source;
  bool first;
  for (size_t i = 0; dloc_next_layer(g->context, list, &i, &layer);) {
    if (!source_of_layer(g->context, layer.location, &source))
      continue;
    TRY(map_meet(g->context, &g->seen, source.file, 0, &first));
    if (first && g->count < g->limit)
      g->sources[g->count] = source;
    g->count += first;
  }
  return DLOC_OK;
}

static dloc_status gather_chain(gathering *g, dloc_node location) {
  bool first = true;
  for (; location && first; location = location_content(g->context, location).inlined_at) {
    TRY(map_meet(g->context, &g->seen, location, 0, &first));
    if (first)
      TRY(gather_list(g, list_of(g->context, location)));
  }
  return DLOC_OK;
}

dloc_status dloc_source_of_layers(const dloc_module *module, size_t limit, dloc_source *ret, size_t *ret_count) {
  gathering g = {.context = dloc_module_context(module), .limit = limit, .sources = ret};
  OWNED_MEMORY(g.context, &g.seen.entries);
  for (size_t i = 0; i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    for (size_t j = 0; j < function->instruction_count; j++) {
      const dloc_instruction *instruction = dloc_module_instruction(module, function->first_instruction + j);
      TRY(gather_chain(&g, dloc_primary(g.context, instruction->debug_loc)));
    }
  }
  *ret_count = g.count;
  return DLOC_OK;
}

/* ---- Names ---- */

dloc_status join_texts(dloc_context *context, const dloc_text *parts, size_t count, dloc_node *ret) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++)
    size += parts[i].size;
  ALLOCATE(context, char, bytes, size + 1);
  OWNED_MEMORY(context, &bytes);
  size = 0;
  for (size_t i = 0; i < count; i++) {
    if (parts[i].size)
      memcpy(bytes + size, parts[i].bytes, parts[i].size);
    size += parts[i].size;
  }
  return dloc_string(context, (dloc_text){bytes, size}, ret);
}

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
