/* spec/irlayers.md, chapter 5.11: a DebugLoc in the other form of layers. */
#include "nodes/module.h"
#include "source.h"

#include <stdio.h>

struct dloc_converter {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_module *module; /* NULL: no texts */
  dloc_form to;
  dloc_loss *loss; /* NULL: nothing may be lost */
  void *user;
  dloc_reason *reason; /* of the DebugLoc at hand */
  map converted;       /* what a DebugLoc became */
  node_notes bare;     /* call site -> without layers */
  map files;           /* by kind and file: the file with or without its text */
  map used;            /* entries of the module's list */
  scratch chain;
  layer_list layers;
  scratch entries; /* of the list that the module gets */
};

/* `convert.loss` */
static dloc_status lose(dloc_converter *c, dloc_reason reason, dloc_node node) {
  return c->loss && c->loss(c->user, reason, node) ? DLOC_OK : fail(c->reason, reason);
}

/* `convert.distinct` */
static dloc_status check_uniqued(dloc_converter *c, dloc_node node) {
  return dloc_node_is_distinct(c->context, node) ? lose(c, DLOC_REASON_CONVERT_DISTINCT, node) : DLOC_OK;
}

/* `convert.kind` */
static dloc_status check_kind(dloc_converter *c, dloc_node kind, dloc_node node) {
  return dloc_node_text(c->context, kind).size ? DLOC_OK : lose(c, DLOC_REASON_CONVERT_KIND, node);
}

/* ---- Texts ---- */

static dloc_node text_of(const dloc_converter *c, dloc_node file) {
  return node_field(c->context, file, c->context->field_keys[FIELD_FILE_source]);
}

/* A file of the same fields with another text; DLOC_NULL: without one. */
static dloc_status with_text(dloc_converter *c, dloc_node file, dloc_node text, dloc_node *ret) {
  const dloc_field change = {c->context->field_keys[FIELD_FILE_source], text};
  return change_fields(c->context, file, dloc_node_is_distinct(c->context, file), &change, 1, ret);
}

/* `convert.text`: the text of an entry goes into the file. */
static dloc_status embed(dloc_converter *c, dloc_node file, dloc_node kind, dloc_node *ret) {
  dloc_source source;
  *ret = file;
  if (text_of(c, file))
    return lose(c, DLOC_REASON_CONVERT_TEXT, file);
  if (!c->module || !dloc_source_find(c->module, c->profile, file, dloc_node_text(c->context, kind), &source))
    return DLOC_OK;
  TRY(map_add(c->context, &c->used, source.entry, 0, 0, NULL));
  return with_text(c, file, dloc_operand(c->context, source.entry, 2), ret);
}

/* `convert.text`: the text of the file becomes an entry. */
static dloc_status list_text(dloc_converter *c, dloc_node file, dloc_node kind, dloc_node *ret) {
  dloc_node text = text_of(c, file), entry;
  *ret = file;
  if (!text)
    return DLOC_OK;
  TRY(with_text(c, file, DLOC_NULL, ret));
  TRY(dloc_tuple(c->context, false, (dloc_node[]){kind, *ret, text}, 3, &entry));
  return scratch_push(c->context, &c->entries, entry);
}

static dloc_status convert_file(dloc_converter *c, dloc_node file, dloc_node kind, dloc_node *ret) {
  uint64_t key = (uint64_t)kind << 32 | file;
  if (map_get(&c->files, key, 0, ret))
    return DLOC_OK;
  TRY((c->to == DLOC_FORM_IRLAYERS ? embed : list_text)(c, file, kind, ret));
  return map_add(c->context, &c->files, key, 0, *ret, NULL);
}

/* ---- Layers ---- */

/* `convert.scope`: what a layer's location is when nothing but its place is known. */
static dloc_status scope_of_layer(dloc_converter *c, dloc_node primary, dloc_node file, dloc_node *ret) {
  dloc_node subprogram = dloc_scope_subprogram(c->context, location_content(c->context, primary).scope);
  return subprogram ? dloc_lexical_block_file(c->context, subprogram, file, 0, ret)
                    : fail(c->reason, DLOC_REASON_OPERAND_BROKEN_SCOPE);
}

/* `convert.scope`, `convert.chain`, `convert.parts`, `convert.loss` */
static dloc_status check_location(dloc_converter *c, dloc_node primary, dloc_node file, dloc_node location) {
  dloc_location content = location_content(c->context, location);
  dloc_node scope = DLOC_NULL;
  TRY(scope_of_layer(c, primary, file, &scope));
  if (content.inlined_at)
    TRY(lose(c, DLOC_REASON_CONVERT_CHAIN, location));
  if (content.implicit || content.atom_group || content.atom_rank || content.layers)
    TRY(lose(c, DLOC_REASON_CONVERT_PARTS, location));
  if (content.scope != scope)
    TRY(lose(c, DLOC_REASON_CONVERT_SCOPE, location));
  return check_uniqued(c, location);
}

dloc_status layer_create(dloc_context *context, dloc_node kind, dloc_layer_place place, dloc_node *ret) {
  dloc_field fields[] = {
      {0}, {0}, {context->field_keys[FIELD_LAYER_file], place.file}, {context->field_keys[FIELD_LAYER_kind], kind}};
  TRY(field_of_number(context, FIELD_LAYER_line, place.line, &fields[0]));
  TRY(field_of_number(context, FIELD_LAYER_column, place.column, &fields[1]));
  return dloc_specialised(context, dloc_text_of("DILayerLoc"), false, fields, 4, NULL, ret);
}

/* `convert.layer`: a location becomes a DILayerLoc; *ret is DLOC_NULL when it cannot (`convert.file`). */
static dloc_status to_layer(dloc_converter *c, dloc_node primary, dloc_layer layer, dloc_node *ret) {
  dloc_context *context = c->context;
  dloc_layer_place place = dloc_place_of_layer(context, layer.location);
  *ret = DLOC_NULL;
  if (!place.file)
    return lose(c, DLOC_REASON_CONVERT_FILE, layer.location);
  TRY(check_location(c, primary, place.file, layer.location));
  TRY(convert_file(c, place.file, layer.kind, &place.file));
  return layer_create(context, layer.kind, place, ret);
}

/* `convert.layer`: a DILayerLoc becomes a location. */
static dloc_status to_location(dloc_converter *c, dloc_node primary, dloc_layer layer, dloc_node *ret) {
  dloc_layer_place place = dloc_place_of_layer(c->context, layer.location);
  dloc_location content = {.line = place.line, .column = place.column};
  *ret = DLOC_NULL;
  if (node_kind(c->context, place.file) != DLOC_KIND_FILE)
    return lose(c, DLOC_REASON_CONVERT_FILE, layer.location);
  TRY(check_uniqued(c, layer.location));
  TRY(convert_file(c, place.file, layer.kind, &place.file));
  TRY(scope_of_layer(c, primary, place.file, &content.scope));
  return dloc_location_create(c->context, false, &content, ret);
}

static dloc_status add_layer(dloc_converter *c, dloc_node primary, dloc_layer layer) {
  TRY(check_kind(c, layer.kind, layer.location));
  if (c->to == DLOC_FORM_IRLAYERS)
    TRY(to_layer(c, primary, layer, &layer.location));
  else
    TRY(to_location(c, primary, layer, &layer.location));
  if (layer.location)
    PUSH(c->context, c->layers, layer);
  return DLOC_OK;
}

/* `convert.operand`: the layers of a DebugLoc in the other form, into c->layers. operands: of its tuple or list. */
static dloc_status convert_layers(dloc_converter *c, dloc_node debug_loc, dloc_node primary, size_t operands) {
  dloc_layer layer;
  size_t found = 0;
  c->layers.count = 0;
  for (size_t cursor = 0; dloc_next_layer(c->context, debug_loc, &cursor, &layer); found++)
    TRY(add_layer(c, primary, layer));
  return found == operands && found > 0 ? DLOC_OK : lose(c, DLOC_REASON_CONVERT_OPERAND, debug_loc);
}

/* ---- DebugLocs ---- */

/* `convert.tuple`: the list goes into the primary. */
static dloc_status to_irlayers(dloc_converter *c, dloc_node debug_loc, dloc_node *ret) {
  dloc_context *context = c->context;
  dloc_node primary = dloc_primary(context, debug_loc);
  dloc_location content = location_content(context, primary);
  TRY(check_uniqued(c, debug_loc));
  for (size_t i = 1; i < operand_count(context, debug_loc); i++)
    TRY(check_uniqued(c, operand_at(context, debug_loc, i)));
  TRY(convert_layers(c, debug_loc, primary, entry_count(context, debug_loc)));
  c->chain.count = 0;
  for (size_t i = 0; i < c->layers.count; i++)
    TRY(scratch_push(context, &c->chain, c->layers.items[i].location));
  if (c->chain.count)
    TRY(layer_list_create(context, false, c->chain.words, c->chain.count, &content.layers));
  return dloc_location_create(context, dloc_node_is_distinct(context, primary), &content, ret);
}

/* `convert.call-site`: the call sites of a chain without layers. */
static dloc_status bare_chain(dloc_converter *c, dloc_node location, dloc_node *ret) {
  dloc_context *context = c->context;
  TRY(collect_chain_until(context, location, &c->bare, &c->chain, c->reason));
  *ret = DLOC_NULL;
  for (size_t i = c->chain.count; i-- > 1;) {
    dloc_node frame = c->chain.words[i];
    dloc_location content = location_content(context, frame);
    if (note_get(&c->bare, 0, frame, ret))
      continue;
    if (content.layers)
      TRY(lose(c, DLOC_REASON_CONVERT_CALL_SITE, frame));
    bool same = !content.layers && content.inlined_at == *ret;
    content.layers = DLOC_NULL;
    content.inlined_at = *ret;
    *ret = frame;
    if (!same)
      TRY(dloc_location_create(context, dloc_node_is_distinct(context, frame), &content, ret));
    TRY(note_set(context, &c->bare, 0, frame, *ret));
  }
  return DLOC_OK;
}

/* `convert.list` */
static dloc_status to_tuple(dloc_converter *c, dloc_node location, dloc_node *ret) {
  dloc_context *context = c->context;
  dloc_location content = location_content(context, location);
  dloc_node list = content.layers, primary = location, inlined_at;
  TRY(bare_chain(c, location, &inlined_at));
  if (list || inlined_at != content.inlined_at) {
    content.layers = DLOC_NULL;
    content.inlined_at = inlined_at;
    TRY(dloc_location_create(context, dloc_node_is_distinct(context, location), &content, &primary));
  }
  *ret = primary;
  if (!list)
    return DLOC_OK;
  TRY(check_uniqued(c, list));
  TRY(convert_layers(c, location, primary, dloc_field_count(context, list)));
  return dloc_debug_loc_create(context, primary, c->layers.items, c->layers.count, ret);
}

dloc_status dloc_convert(dloc_converter *c, dloc_node debug_loc, dloc_reason *ret_reason, dloc_node *ret) {
  dloc_node converted = debug_loc;
  dloc_shape shape = dloc_debug_loc_shape(c->context, debug_loc);
  if (shape == DLOC_SHAPE_NONE)
    return fail(ret_reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  c->reason = ret_reason;
  if (!map_get(&c->converted, debug_loc, 0, &converted)) {
    if (c->to == DLOC_FORM_IRLAYERS && shape == DLOC_SHAPE_COMPOSITE)
      TRY(to_irlayers(c, debug_loc, &converted));
    if (c->to == DLOC_FORM_TUPLE && shape == DLOC_SHAPE_BARE)
      TRY(to_tuple(c, debug_loc, &converted));
    TRY(map_add(c->context, &c->converted, debug_loc, 0, converted, NULL));
  }
  return give_node(ret, converted);
}

/* `convert.left` */
static dloc_status convert_left(void *user, dloc_node node, dloc_node *ret) {
  dloc_converter *c = user;
  dloc_kind kind = node_kind(c->context, node);
  bool is_layer = kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST;
  if (c->to == DLOC_FORM_TUPLE && is_layer)
    return lose(c, DLOC_REASON_CONVERT_LEFT, node);
  bool has_form = c->to == DLOC_FORM_TUPLE ? kind == DLOC_KIND_LOCATION
                                           : kind == DLOC_KIND_TUPLE && dloc_layer_count(c->context, node) > 0;
  return has_form ? dloc_convert(c, node, c->reason, ret) : DLOC_OK;
}

dloc_status dloc_convert_left(dloc_converter *c, dloc_module *module, dloc_reason *ret_reason) {
  c->reason = ret_reason;
  return module_change_nodes(module, convert_left, c);
}

/* `convert.unused` */
dloc_status dloc_convert_sources(dloc_converter *c, dloc_reason *ret_reason, const dloc_node **ret, size_t *ret_count) {
  dloc_named_metadata list;
  c->reason = ret_reason;
  if (c->to == DLOC_FORM_IRLAYERS && c->module &&
      dloc_module_find_named(c->module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    for (size_t i = 0; i < list.operand_count; i++) {
      dloc_node entry = dloc_module_named_operand(c->module, &list, i);
      if (!map_has(&c->used, entry, 0))
        TRY(lose(c, DLOC_REASON_CONVERT_UNUSED, entry));
    }
  *ret = c->entries.words;
  *ret_count = c->entries.count;
  return DLOC_OK;
}

/* ---- The converter ---- */

dloc_status dloc_converter_create(dloc_context *context, const dloc_profile *profile, const dloc_module *module,
                                  dloc_form to, dloc_loss *loss, void *user, dloc_converter **ret) {
  CREATE(context, dloc_converter, converter, .context = context, .profile = profile, .module = module, .to = to,
         .loss = loss, .user = user);
  *ret = converter;
  return DLOC_OK;
}

void dloc_converter_destroy(dloc_converter *converter) {
  if (converter)
    CONTEXT_FREE(converter->context, converter->layers.items, converter->layers.kinds.entries,
                 converter->converted.entries, converter->bare.items, converter->files.entries, converter->used.entries,
                 converter->chain.words, converter->entries.words, converter);
}
