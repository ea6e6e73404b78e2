/* spec/hidden.md, chapter 17.4: layers of a kind that went through LLVM as primaries of a module of their own. */
#include "hidden.h"

typedef struct channel {
  dloc_context *context;
  dloc_node kind;
  map files; /* of its layers -> whether they are of the form irlayers */
  map given; /* a distinct location and its layer -> what it became, as several instructions may have it */
  scratch layers;
} channel;

static dloc_status note_files(channel *c, const dloc_hidden *hidden) {
  dloc_layer layer;
  for (size_t i = 0; i < dloc_hidden_count(hidden); i++)
    for (size_t cursor = 0; dloc_next_layer(c->context, dloc_hidden_at(hidden, i).layers, &cursor, &layer);)
      if (layer.kind == c->kind)
        TRY(map_add(c->context, &c->files, dloc_place_of_layer(c->context, layer.location).file, 0,
                    node_kind(c->context, layer.location) == DLOC_KIND_LAYER, NULL));
  return DLOC_OK;
}

/* `mode.full.layer`: projected locations are in a block file of a file of the kind. */
static bool takes(const channel *c, const dloc_location *projected, uint32_t *ret_listed) {
  return node_kind(c->context, projected->scope) == DLOC_KIND_LEXICAL_BLOCK_FILE &&
         !block_file_discriminator(c->context, projected->scope) &&
         map_get(&c->files, dloc_scope_file(c->context, projected->scope), 0, ret_listed);
}

/* `mode.full.scope`: a layer is in the subprogram of the primary. `mode.full.order` */
static dloc_status add_to_tuple(const channel *c, dloc_node debug_loc, dloc_layer_place place, dloc_node *ret) {
  dloc_context *context = c->context;
  dloc_location content = {.line = place.line, .column = place.column};
  dloc_node primary = dloc_primary(context, debug_loc), subprogram;
  dloc_layer layer = {.kind = c->kind};
  layer_list list = {0};
  OWNED_MEMORY(context, &list.items, &list.kinds.entries);
  if (!(subprogram = dloc_scope_subprogram(context, location_content(context, primary).scope)))
    return DLOC_OK;
  TRY(dloc_lexical_block_file(context, subprogram, place.file, 0, &content.scope));
  TRY(dloc_location_create(context, false, &content, &layer.location));
  TRY(layers_read(context, debug_loc, &list));
  PUSH(context, list, layer);
  return dloc_debug_loc_create(context, primary, list.items, list.count, ret);
}

static dloc_status add_to_list(channel *c, dloc_node location, dloc_layer_place place, dloc_node *ret) {
  dloc_location content = location_content(c->context, location);
  dloc_layer layer;
  c->layers.count = 0;
  for (size_t cursor = 0; dloc_next_layer(c->context, location, &cursor, &layer);)
    TRY(scratch_push(c->context, &c->layers, layer.location));
  TRY(layer_create(c->context, c->kind, place, &layer.location));
  if (map_get(&c->given, location, layer.location, ret))
    return DLOC_OK;
  TRY(scratch_push(c->context, &c->layers, layer.location));
  TRY(layer_list_create(c->context, false, c->layers.words, c->layers.count, &content.layers));
  TRY(dloc_location_create(c->context, dloc_node_is_distinct(c->context, location), &content, ret));
  return map_add(c->context, &c->given, location, layer.location, *ret, NULL);
}

/* `mode.full.list` */
static dloc_status give_layer(void *user, uint32_t instruction, dloc_node base, dloc_node made, dloc_node *ret) {
  channel *c = user;
  uint32_t listed;
  (void)instruction;
  if (!dloc_primary(c->context, base) || dloc_debug_loc_shape(c->context, made) != DLOC_SHAPE_BARE)
    return DLOC_OK;
  dloc_location projected = location_content(c->context, made);
  dloc_layer_place place = {dloc_scope_file(c->context, projected.scope), projected.line, projected.column};
  if (!takes(c, &projected, &listed))
    return DLOC_OK;
  return listed ? add_to_list(c, base, place, ret) : add_to_tuple(c, base, place, ret);
}

dloc_status dloc_reveal_kind(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden, dloc_text kind,
                             const dloc_exact_options *options, dloc_exact_report *report) {
  channel c = {.context = dloc_module_context(base)};
  OWNED_MEMORY(c.context, &c.files.entries, &c.given.entries, &c.layers.words);
  TRY(dloc_string(c.context, kind, &c.kind));
  TRY(note_files(&c, hidden));
  return hidden_visit_pairs(base, made, options, false, report, give_layer, &c);
}
