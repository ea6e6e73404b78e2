/* spec/hidden.md 19.2 to 19.4: what locations of MLIR mean, a primary and layers. */
#include "mlir.h"
#include "nodes/metadata.h"

typedef struct place {
  dloc_node file; /* an MDString; DLOC_NULL: there is no place */
  uint32_t line, column;
  bool torn; /* in two files, which is no place any more, and becomes none again */
} place;

typedef struct mlir_layer {
  uint32_t tag;
  place place;
  dloc_node debug_loc; /* of the first of a list: all of them */
} mlir_layer;

typedef struct meaning {
  dloc_mlir_number primary;
  dloc_mlir_number scope; /* mlir_scope_of */
  bool tagged;            /* here or below */
  bool silent;            /* its primary is unknown */
  place place;
  size_t first;
  uint32_t count; /* of its layers, which others share that have the same */
} meaning;

struct dloc_mlir_meaning {
  dloc_context *context;
  dloc_mlir *mlir;
  meaning *of;
  size_t count; /* of the locations that there were before */
  dloc_mlir_number unknown;
  ARRAY(dloc_node) kinds; /* of tags */
  map tags;               /* name -> index */
  ARRAY(mlir_layer) layers;
  uint32_t *at; /* the place of a tag's layer in the list that is being made, from 1 */
  size_t begin; /* of that list */
  ARRAY(dloc_mlir_number) parts;
  dloc_node subprogram; /* that layers are in; DLOC_NULL: nobody asks for them */
  dloc_node bare;       /* its line 0 */
  map scopes;           /* file -> block file */
};

/* ---- Places (19.4) ---- */

static bool is_known(const place *place) { return place->file || place->torn; }

/* `mlir.place.file`, `mlir.place.column`, `mlir.place.range` */
static place place_of_file(const dloc_mlir_location *location) {
  uint64_t column = (uint64_t)location->column + 1;
  return (place){.file = location->text,
                 .line = location->line,
                 .column = location->line && column <= DLOC_COLUMN_LIMIT ? (uint32_t)column : 0};
}

/* `mlir.layer.twice`, `mlir.layer.twice.file` */
static place common_place(place a, place b) {
  if (a.file != b.file)
    return (place){.torn = true};
  a.column = a.line == b.line && a.column == b.column ? a.column : 0;
  a.line = a.line == b.line ? a.line : 0;
  return a;
}

/* `mlir.place.fused` */
static void take_place(place *sum, place next) {
  if (!is_known(sum))
    *sum = next;
  else if (is_known(&next))
    *sum = common_place(*sum, next);
}

/* ---- Lists of layers (19.3) ---- */

static void begin_layers(dloc_mlir_meaning *m) { m->begin = m->layers.count; }

static dloc_status add_layer(dloc_mlir_meaning *m, uint32_t tag, place next) {
  if (!m->at[tag]) {
    PUSH(m->context, m->layers, (mlir_layer){.tag = tag, .place = next});
    m->at[tag] = (uint32_t)(m->layers.count - m->begin);
    return DLOC_OK;
  }
  take_place(&m->layers.items[m->begin + m->at[tag] - 1].place, next);
  return DLOC_OK;
}

static dloc_status add_layers(dloc_mlir_meaning *m, const meaning *from) {
  for (size_t i = from->first; i < from->first + from->count; i++)
    TRY(add_layer(m, m->layers.items[i].tag, m->layers.items[i].place));
  return DLOC_OK;
}

/* `mlir.layer.order` */
static void end_layers(dloc_mlir_meaning *m, meaning *ret) {
  mlir_layer *layers = m->layers.items + m->begin;
  ret->first = m->begin;
  for (size_t i = m->begin; i < m->layers.count; i++) {
    m->at[m->layers.items[i].tag] = 0;
    if (!m->layers.items[i].place.torn)
      layers[ret->count++] = m->layers.items[i];
  }
  m->layers.count = m->begin + ret->count;
}

static void share_layers(meaning *ret, const meaning *from) {
  ret->first = from->first;
  ret->count = from->count;
}

/* ---- Locations ---- */

/* `mlir.primary.child`: the same location of the primaries of its parts. */
static dloc_status with_primaries(dloc_mlir_meaning *m, dloc_mlir_location location, meaning *ret) {
  m->parts.count = 0;
  for (uint32_t i = 0; i < location.part_count; i++)
    PUSH(m->context, m->parts, m->of[location.parts[i]].primary);
  location.parts = m->parts.items;
  return mlir_add(m->mlir, &location, &ret->primary);
}

/* `mlir.tag`: MLIR reads a name around unknown as one without child. */
static bool is_tag(const dloc_mlir_meaning *m, const dloc_mlir_location *location, const meaning *child,
                   uint32_t *ret) {
  bool childless = !child || (child->silent && !child->tagged);
  return !childless && map_get(&m->tags, location->text, 0, ret);
}

/* `mlir.layer`, `mlir.layer.nested`, `mlir.place.none`, `mlir.primary` */
static dloc_status mean_tagged(dloc_mlir_meaning *m, uint32_t tag, const meaning *child, meaning *ret) {
  ret->primary = m->unknown;
  ret->tagged = ret->silent = true;
  begin_layers(m);
  if (child)
    ret->place = child->place;
  if (is_known(&ret->place))
    TRY(add_layer(m, tag, ret->place));
  end_layers(m, ret);
  return DLOC_OK;
}

/* `mlir.layer.name`, `mlir.place.name`, `mlir.primary.child`, `mlir.dialect` */
static dloc_status mean_name(dloc_mlir_meaning *m, const dloc_mlir_location *location, meaning *ret) {
  const meaning *child = location->part_count ? &m->of[location->parts[0]] : NULL;
  uint32_t tag;
  if (location->kind == DLOC_MLIR_NAME && is_tag(m, location, child, &tag))
    return mean_tagged(m, tag, child, ret);
  if (!child)
    return DLOC_OK;
  ret->tagged = child->tagged;
  ret->place = child->place;
  share_layers(ret, child);
  return ret->tagged ? with_primaries(m, *location, ret) : DLOC_OK;
}

/* `mlir.layer.call-site`, `mlir.layer.call-site.unknown`, `mlir.place.call-site` */
static dloc_status mean_call_site(dloc_mlir_meaning *m, const dloc_mlir_location *location, meaning *ret) {
  const meaning *callee = &m->of[location->parts[0]], *caller = &m->of[location->parts[1]];
  share_layers(ret, callee->silent && !callee->count ? caller : callee);
  ret->place = is_known(&callee->place) ? callee->place : caller->place;
  ret->tagged = callee->tagged || caller->tagged;
  ret->silent = ret->tagged && callee->silent && caller->silent;
  if (ret->tagged && callee->silent) /* `mlir.primary.call-site` */
    return ret->primary = caller->primary, DLOC_OK;
  return ret->tagged ? with_primaries(m, *location, ret) : DLOC_OK;
}

/* `mlir.primary.fused`, `mlir.primary.metadata` */
static dloc_status fuse_primaries(dloc_mlir_meaning *m, dloc_mlir_location location, meaning *ret) {
  m->parts.count = 0;
  for (uint32_t i = 0; i < location.part_count; i++)
    if (!m->of[location.parts[i]].silent)
      PUSH(m->context, m->parts, m->of[location.parts[i]].primary);
  ret->silent = !m->parts.count && !location.text;
  if (!m->parts.count)
    PUSH(m->context, m->parts, m->unknown);
  ret->primary = m->parts.items[0];
  if (m->parts.count == 1 && !location.text)
    return DLOC_OK;
  location.parts = m->parts.items;
  location.part_count = (uint32_t)m->parts.count;
  return mlir_add(m->mlir, &location, &ret->primary);
}

/* `mlir.layer.fused`, `mlir.place.fused`, `mlir.primary.same` */
static dloc_status mean_fused(dloc_mlir_meaning *m, const dloc_mlir_location *location, meaning *ret) {
  bool silent = !location->text;
  begin_layers(m);
  for (uint32_t i = 0; i < location->part_count; i++) {
    const meaning *part = &m->of[location->parts[i]];
    ret->tagged |= part->tagged;
    silent &= part->silent;
    take_place(&ret->place, part->place);
    TRY(add_layers(m, part));
  }
  ret->silent = silent;
  if (ret->place.torn)
    ret->place = (place){0};
  end_layers(m, ret);
  return ret->tagged ? fuse_primaries(m, *location, ret) : DLOC_OK;
}

/* `mlir.primary.same`, `mlir.layer.none` */
static dloc_status mean_one(dloc_mlir_meaning *m, dloc_mlir_number number, meaning *ret) {
  dloc_mlir_location location = dloc_mlir_at(m->mlir, number);
  *ret = (meaning){.primary = number, .silent = location.kind == DLOC_MLIR_UNKNOWN};
  switch (location.kind) {
  case DLOC_MLIR_FILE:
    ret->place = place_of_file(&location);
    return DLOC_OK;
  case DLOC_MLIR_NAME:
  case DLOC_MLIR_SCOPED:
    return mean_name(m, &location, ret);
  case DLOC_MLIR_CALL_SITE:
    return mean_call_site(m, &location, ret);
  case DLOC_MLIR_FUSED:
    return mean_fused(m, &location, ret);
  case DLOC_MLIR_ALIAS: /* `mlir.alias`: it changes where it is defined */
    if (location.part_count)
      *ret = m->of[location.parts[0]];
    ret->primary = number;
    return DLOC_OK;
  default:
    return DLOC_OK;
  }
}

bool mlir_is_understood(const dloc_mlir_location *scope) {
  return scope->kind != DLOC_MLIR_OPAQUE && scope->kind != DLOC_MLIR_ALIAS;
}

static bool has_scope(const dloc_mlir_location *l) {
  bool left = !l->part_count && !mlir_is_understood(l);
  return l->kind == DLOC_MLIR_FUSED ? l->text != DLOC_NULL : l->kind == DLOC_MLIR_SCOPED || left;
}

/* `mlir.ids.metadata`, `mlir.ids.dialect` */
static dloc_mlir_number scope_in(const dloc_mlir_meaning *m, dloc_mlir_number number, const meaning *of) {
  const dloc_mlir_location location = dloc_mlir_at(m->mlir, number);
  dloc_mlir_number ret = has_scope(&location) ? of->primary : m->unknown;
  const uint32_t count = of->silent ? 0 : location.part_count;
  for (uint32_t i = location.kind == DLOC_MLIR_CALL_SITE; i < count && ret == m->unknown; i++)
    ret = m->of[location.parts[i]].scope;
  return ret;
}

/* ---- DebugLocs ---- */

static dloc_status scope_of(dloc_mlir_meaning *m, dloc_node name, dloc_node *ret) {
  dloc_node file;
  *ret = m->subprogram;
  if (!name || map_get(&m->scopes, name, 0, ret))
    return DLOC_OK;
  TRY(dloc_file(m->context, dloc_node_text(m->context, name), dloc_text_of(""), &file));
  TRY(dloc_lexical_block_file(m->context, m->subprogram, file, 0, ret));
  return map_add(m->context, &m->scopes, name, 0, *ret, NULL);
}

static dloc_status make_debug_loc(dloc_mlir_meaning *m, meaning *of, dloc_layer *pairs) {
  mlir_layer *layers = m->layers.items + of->first;
  if (!of->count || layers->debug_loc)
    return DLOC_OK;
  for (uint32_t i = 0; i < of->count; i++) {
    dloc_location content = {.line = layers[i].place.line, .column = layers[i].place.column};
    TRY(scope_of(m, layers[i].place.file, &content.scope));
    pairs[i].kind = m->kinds.items[layers[i].tag];
    TRY(dloc_location_create(m->context, false, &content, &pairs[i].location));
  }
  return dloc_debug_loc_create(m->context, m->bare, pairs, of->count, &layers->debug_loc);
}

/* ---- All of a text ---- */

static dloc_status take_tags(dloc_mlir_meaning *m, const dloc_mlir_options *options) {
  for (size_t i = 0; i < options->tag_count; i++) {
    dloc_node kind;
    TRY(dloc_string(m->context, options->tags[i], &kind));
    TRY(map_add(m->context, &m->tags, kind, 0, (uint32_t)m->kinds.count, NULL));
    PUSH(m->context, m->kinds, kind);
    m->at[i] = 0;
  }
  return DLOC_OK;
}

static dloc_status make_debug_locs(dloc_mlir_meaning *m, size_t count) {
  ALLOCATE(m->context, dloc_layer, pairs, m->kinds.count + 1);
  OWNED_MEMORY(m->context, &pairs);
  TRY(dloc_location_create(m->context, false, &(dloc_location){.scope = m->subprogram}, &m->bare));
  for (size_t i = 0; i < count; i++)
    TRY(make_debug_loc(m, &m->of[i], pairs));
  return DLOC_OK;
}

static dloc_status mean_all(dloc_mlir_meaning *m, const dloc_mlir_options *options, size_t count) {
  TRY(take_tags(m, options));
  RESERVE(m->context, m->layers, 1); /* lists of no layers point there, too */
  TRY(mlir_add(m->mlir, &(dloc_mlir_location){.kind = DLOC_MLIR_UNKNOWN}, &m->unknown));
  for (size_t i = 0; i < count; i++) {
    TRY(mean_one(m, (dloc_mlir_number)i, &m->of[i]));
    m->of[i].scope = scope_in(m, (dloc_mlir_number)i, &m->of[i]);
  }
  return m->subprogram ? make_debug_locs(m, count) : DLOC_OK;
}

dloc_status dloc_mlir_mean(dloc_context *context, dloc_mlir *mlir, const dloc_mlir_options *options,
                           dloc_mlir_meaning **ret) {
  size_t count = dloc_mlir_count(mlir);
  CREATE(context, dloc_mlir_meaning, m, .context = context, .mlir = mlir, .count = count,
         .subprogram = options->stand_in);
  m->of = context_realloc(context, NULL, (count + 1) * sizeof *m->of);
  m->at = context_realloc(context, NULL, (options->tag_count + 1) * sizeof *m->at);
  RETURN_MADE(m->of && m->at ? mean_all(m, options, count) : DLOC_NO_MEMORY, m, dloc_mlir_meaning_destroy, ret);
}

void dloc_mlir_meaning_destroy(dloc_mlir_meaning *m) {
  if (m)
    CONTEXT_FREE(m->context, m->of, m->at, m->kinds.items, m->tags.entries, m->layers.items, m->parts.items,
                 m->scopes.entries, m);
}

dloc_mlir_number mlir_primary_of(const dloc_mlir_meaning *m, dloc_mlir_number location) {
  return m->of[location].primary;
}

dloc_mlir_number mlir_scope_of(const dloc_mlir_meaning *m, dloc_mlir_number location) { return m->of[location].scope; }

dloc_node mlir_file_of(const dloc_mlir_meaning *m, dloc_mlir_number location) {
  return location < m->count ? m->of[location].place.file : DLOC_NULL;
}

dloc_node dloc_mlir_layers(const dloc_mlir_meaning *m, dloc_mlir_number location) {
  const meaning none = {.count = 0}, *of = location < m->count ? &m->of[location] : &none;
  return of->count ? m->layers.items[of->first].debug_loc : m->bare;
}
