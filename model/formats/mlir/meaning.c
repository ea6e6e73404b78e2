/* SPEC.md, chapter 19: what locations of MLIR mean, as a primary and layers. */
#include "mlir.h"

#include <string.h>

struct dloc_mlir_meaning {
  dloc_context *context;
  dloc_mlir *mlir;
  const dloc_mlir_options *options;
  ARRAY(dloc_mlir_number) primaries; /* by number */
  ARRAY(dloc_node) layers;           /* by number: DebugLocs */
  ARRAY(dloc_node) positions;        /* by number: locations in the stand-in, as layers have them; DLOC_NULL: none */
  dloc_mlir_number unknown;
  dloc_node bare; /* the stand-in's line 0 */
  size_t merged;
};

static bool is_tag(const dloc_mlir_meaning *m, const dloc_mlir_location *l) {
  bool found = false;
  for (size_t i = 0; l->kind == DLOC_MLIR_NAME && l->part_count && i < m->options->tag_count; i++)
    found |= dloc_text_equal(dloc_node_text(m->context, l->text), m->options->tags[i]);
  return found;
}

/* ---- Primaries ---- */

static dloc_status rebuild(dloc_mlir_meaning *m, dloc_mlir_number number, dloc_mlir_number *parts,
                           dloc_mlir_number *ret) {
  dloc_mlir_location l = dloc_mlir_at(m->mlir, number);
  const bool fused = l.kind == DLOC_MLIR_FUSED;
  bool changed = false;
  uint32_t count = 0;
  for (uint32_t i = 0; i < l.part_count; i++) {
    const dloc_mlir_number part = m->primaries.items[l.parts[i]];
    const bool lost = part != l.parts[i] && part == m->unknown;
    changed |= part != l.parts[i];
    if (!lost || !fused)
      parts[count++] = part;
  }
  if (!changed)
    return *ret = number, DLOC_OK;
  if (fused && !l.text && count < 2)
    return *ret = count ? parts[0] : m->unknown, DLOC_OK;
  if (fused && count == 0)
    parts[count++] = m->unknown;
  l.parts = parts;
  l.part_count = count;
  return dloc_mlir_add(m->mlir, &l, ret);
}

static dloc_status primary_of(dloc_mlir_meaning *m, dloc_mlir_number number, dloc_mlir_number *ret) {
  const dloc_mlir_location l = dloc_mlir_at(m->mlir, number);
  *ret = is_tag(m, &l) ? m->unknown : number;
  if (!l.part_count || *ret != number)
    return DLOC_OK;
  if (l.kind == DLOC_MLIR_ALIAS) { /* is changed where it is defined */
    const dloc_mlir_number part = m->primaries.items[l.parts[0]];
    return *ret = part != l.parts[0] && part == m->unknown ? part : number, DLOC_OK;
  }
  ALLOCATE(m->context, dloc_mlir_number, parts, l.part_count + 1);
  dloc_status status = rebuild(m, number, parts, ret);
  context_free(m->context, parts);
  return status;
}

/* ---- Layers ---- */

static dloc_status file_position(dloc_mlir_meaning *m, const dloc_mlir_location *l, dloc_node *ret) {
  dloc_context *context = m->context;
  dloc_node file, empty;
  dloc_location content = {.line = l->line, .column = l->column + 1};
  TRY(dloc_string(context, dloc_text_of(""), &empty));
  const dloc_field fields[] = {{context->field_keys[FIELD_FILE_filename], l->text},
                               {context->field_keys[FIELD_FILE_directory], empty}};
  TRY(dloc_specialised(context, dloc_text_of("DIFile"), false, fields, 2, NULL, &file));
  TRY(block_file(context, m->options->stand_in, file, 0, &content.scope));
  return dloc_location_create(context, false, &content, ret);
}

/* Of the first part that has one. */
static dloc_status position_of(dloc_mlir_meaning *m, const dloc_mlir_location *l, dloc_node *ret) {
  *ret = DLOC_NULL;
  if (l->kind == DLOC_MLIR_FILE)
    return file_position(m, l, ret);
  for (uint32_t i = 0; !*ret && i < l->part_count; i++)
    *ret = m->positions.items[l->parts[i]];
  return DLOC_OK;
}

typedef ARRAY(dloc_layer) layer_array;

static dloc_status put_layer(dloc_mlir_meaning *m, layer_array *layers, dloc_layer layer) {
  size_t i = 0;
  while (i < layers->count && layers->items[i].kind != layer.kind)
    i++;
  if (i == layers->count) {
    PUSH(m->context, *layers, layer);
    return DLOC_OK;
  }
  dloc_node *known = &layers->items[i].location;
  m->merged += *known != layer.location;
  return dloc_merge(m->context, m->options->profile, (dloc_node[]){*known, layer.location}, 2, NULL, NULL, known);
}

static dloc_status collect(dloc_mlir_meaning *m, const dloc_mlir_location *l, layer_array *layers) {
  const uint32_t count = l->kind == DLOC_MLIR_CALL_SITE ? 1 : l->part_count;
  for (uint32_t i = 0; i < count; i++) {
    size_t cursor = 0;
    for (dloc_layer layer; dloc_next_layer(m->context, m->layers.items[l->parts[i]], &cursor, &layer);)
      TRY(put_layer(m, layers, layer));
  }
  return DLOC_OK;
}

static dloc_status layers_of(dloc_mlir_meaning *m, const dloc_mlir_location *l, dloc_node position, dloc_node *ret) {
  layer_array layers = {0};
  dloc_status status = DLOC_OK;
  if (is_tag(m, l)) {
    if (position)
      status = put_layer(m, &layers, (dloc_layer){l->text, position});
  } else
    status = collect(m, l, &layers);
  if (status == DLOC_OK)
    status = dloc_debug_loc_create(m->context, m->bare, layers.items, layers.count, ret);
  context_free(m->context, layers.items);
  return status;
}

/* ---- All of a text ---- */

static dloc_status mean(dloc_mlir_meaning *m) {
  const size_t count = dloc_mlir_count(m->mlir);
  const dloc_location line_0 = {.scope = m->options->stand_in};
  TRY(dloc_mlir_add(m->mlir, &(dloc_mlir_location){.kind = DLOC_MLIR_UNKNOWN}, &m->unknown));
  if (m->options->stand_in)
    TRY(dloc_location_create(m->context, false, &line_0, &m->bare));
  for (dloc_mlir_number n = 0; n < count; n++) {
    dloc_mlir_number primary;
    dloc_node position, layers;
    TRY(primary_of(m, n, &primary));
    PUSH(m->context, m->primaries, primary);
    if (!m->bare)
      continue;
    const dloc_mlir_location l = dloc_mlir_at(m->mlir, n);
    TRY(position_of(m, &l, &position));
    TRY(layers_of(m, &l, position, &layers));
    PUSH(m->context, m->positions, position);
    PUSH(m->context, m->layers, layers);
  }
  return DLOC_OK;
}

dloc_status dloc_mlir_mean(dloc_context *context, dloc_mlir *mlir, const dloc_mlir_options *options,
                           dloc_mlir_meaning **ret) {
  ALLOCATE(context, dloc_mlir_meaning, meaning, 1);
  *meaning = (dloc_mlir_meaning){.context = context, .mlir = mlir, .options = options};
  dloc_status status = mean(meaning);
  if (status == DLOC_OK)
    *ret = meaning;
  else
    dloc_mlir_meaning_destroy(meaning);
  return status;
}

void dloc_mlir_meaning_destroy(dloc_mlir_meaning *meaning) {
  if (meaning)
    CONTEXT_FREE(meaning->context, meaning->primaries.items, meaning->layers.items, meaning->positions.items, meaning);
}

dloc_mlir_number dloc_mlir_primary(const dloc_mlir_meaning *meaning, dloc_mlir_number location) {
  return meaning->primaries.items[location];
}
dloc_node dloc_mlir_layers(const dloc_mlir_meaning *meaning, dloc_mlir_number location) {
  return meaning->layers.items[location];
}
size_t dloc_mlir_merged(const dloc_mlir_meaning *meaning) { return meaning->merged; }
