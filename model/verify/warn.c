/* SPEC.md, chapter 3.1: what the rules permit and hardly any producer means. */
#include "nodes/module.h"
#include "source.h"

#include <string.h>

/* A text that layers may link to, or the want of one. */
typedef struct candidate {
  dloc_node entry; /* DLOC_NULL: it is no entry's */
  uint64_t lines;  /* of it */
  bool missing, used;
} candidate;

/* A place in the module: a node, the layer of it, and where it was met. */
typedef struct spot {
  dloc_node node;
  uint32_t operand, function, instruction, named; /* DLOC_NO_INDEX: none */
} spot;
static const spot nowhere = {.operand = DLOC_NO_INDEX};

typedef struct warner {
  const dloc_module *module;
  dloc_context *context;
  const dloc_profile *profile;
  dloc_report *report;
  void *user;
  uint32_t function, instruction, named; /* The place of the walk, or DLOC_NO_INDEX. */
  map seen;                              /* By SEEN_*. */
  map places;        /* By link and kind, or by the file of a listed layer: a place in candidates. */
  map spellings;     /* The first of kinds with each folded spelling. */
  map here;          /* Kind and location of the layers of this DebugLoc: which layer. */
  ARRAY(spot) kinds; /* The first place of each kind. */
  ARRAY(candidate) candidates;
} warner;

enum { SEEN_DEBUG_LOC, SEEN_LAYER, SEEN_KIND };
enum { PLACE_ENTRY, PLACE_FILE };

static uint64_t pair(dloc_node high, dloc_node low) { return (uint64_t)high << 32 | low; }

/* Where the walk has met a node, and a layer in it. */
static spot spot_of(const warner *w, dloc_node node, size_t layer) {
  return (spot){node, (uint32_t)layer, w->function, w->instruction, w->named};
}

/* A node that has a number stands in a place of its own; any other is shown where it was met. */
static dloc_status warn(warner *w, dloc_reason reason, dloc_clause clause, spot at, spot other) {
  dloc_violation warning = {reason,     clause,     DLOC_SEVERITY_WARNING, at.function, at.instruction, at.node,
                            at.operand, other.node, other.operand,         at.function, at.instruction, at.named};
  uint64_t number;
  if (dloc_module_number_of(w->module, at.node, &number))
    warning.function = warning.instruction = DLOC_NO_INDEX;
  return !w->report || w->report(w->user, &warning) ? DLOC_OK : DLOC_STOPPED;
}

/* ---- Kinds ---- */

static bool separates(char c) { return c == ' ' || c == '-' || c == '_' || c == '.'; }

/* `warning.kind` */
static dloc_status fold(warner *w, dloc_node kind, dloc_node *ret) {
  dloc_text text = dloc_node_text(w->context, kind);
  ALLOCATE(w->context, char, folded, text.size + 1);
  OWNED_MEMORY(w->context, &folded);
  size_t size = 0;
  for (size_t i = 0; i < text.size; i++)
    if (!separates(text.bytes[i]))
      folded[size++] = (char)(text.bytes[i] | (text.bytes[i] >= 'A' && text.bytes[i] <= 'Z' ? 'a' - 'A' : 0));
  return dloc_string(w->context, (dloc_text){folded, size}, ret);
}

/* `warning.kind` */
static dloc_status look_at_kind(warner *w, dloc_node kind, spot where) {
  dloc_node folded, first;
  bool is_first;
  TRY(map_meet(w->context, &w->seen, kind, SEEN_KIND, &is_first));
  if (!is_first || node_kind(w->context, kind) != DLOC_KIND_STRING)
    return DLOC_OK;
  TRY(fold(w, kind, &folded));
  TRY(map_add(w->context, &w->spellings, folded, 0, (uint32_t)w->kinds.count, &first));
  PUSH(w->context, w->kinds, where);
  return first + 1 == w->kinds.count
             ? DLOC_OK
             : warn(w, DLOC_REASON_WARNING_KIND, DLOC_CLAUSE_WARNING_KIND, where, w->kinds.items[first]);
}

/* ---- Texts ---- */

/* `layer-lookup.text.line`: a line begins at the start and behind each line feed but one at the end. */
static uint64_t lines_of(dloc_text text) {
  uint64_t lines = 0;
  for (size_t at = 0; at < text.size; lines++) {
    const char *end = memchr(text.bytes + at, '\n', text.size - at);
    at = end ? (size_t)(end - text.bytes) + 1 : text.size;
  }
  return lines;
}

static uint64_t link_of(const warner *w, dloc_node file, dloc_node kind) {
  return pair(file, source_links_kind(w->profile) ? kind : DLOC_NULL);
}

/* `source.order`: of several entries with one file and kind layers find the first. `warning.unused` */
static dloc_status add_entry(warner *w, const dloc_source *source) {
  uint64_t key = link_of(w, source->file, dloc_operand(w->context, source->entry, 0));
  TRY(map_add(w->context, &w->places, key, PLACE_ENTRY, (uint32_t)w->candidates.count, NULL));
  PUSH(w->context, w->candidates, (candidate){.entry = source->entry, .lines = lines_of(source->text)});
  return DLOC_OK;
}

static dloc_status add_entries(warner *w) {
  dloc_source source;
  for (size_t i = 0; source_next(w->module, &i, &source);)
    TRY(add_entry(w, &source));
  return DLOC_OK;
}

/* `source.link`, `source.file` */
static dloc_status find_text(warner *w, const dloc_layer *layer, dloc_node file, uint32_t *ret, bool *ret_first) {
  bool listed = node_kind(w->context, layer->location) == DLOC_KIND_LAYER;
  uint64_t key = listed ? file : link_of(w, file, layer->kind);
  dloc_source source = {.entry = DLOC_NULL};
  *ret_first = !map_get(&w->places, key, listed ? PLACE_FILE : PLACE_ENTRY, ret);
  if (!*ret_first)
    return DLOC_OK;
  bool missing = !listed || !source_of_layer(w->context, layer->location, &source);
  TRY(map_add(w->context, &w->places, key, listed ? PLACE_FILE : PLACE_ENTRY, (uint32_t)w->candidates.count, ret));
  PUSH(w->context, w->candidates, (candidate){.lines = lines_of(source.text), .missing = missing});
  return DLOC_OK;
}

/* `warning.text`, `warning.line` */
static dloc_status look_at_place(warner *w, const dloc_layer *layer) {
  spot at = spot_of(w, layer->location, DLOC_NO_INDEX);
  dloc_layer_place place = dloc_place_of_layer(w->context, layer->location);
  uint32_t found;
  bool first;
  TRY(find_text(w, layer, place.file, &found, &first));
  candidate *text = &w->candidates.items[found];
  text->used = true;
  if (text->missing)
    return first ? warn(w, DLOC_REASON_WARNING_TEXT, DLOC_CLAUSE_WARNING_TEXT, at, nowhere) : DLOC_OK;
  bool beyond = place.line > text->lines;
  spot entry = {.node = text->entry ? text->entry : place.file, .operand = (uint32_t)text->lines};
  return beyond ? warn(w, DLOC_REASON_WARNING_LINE, DLOC_CLAUSE_WARNING_LINE, at, entry) : DLOC_OK;
}

/* `warning.unused` */
static dloc_status look_at_entries(warner *w) {
  for (size_t i = 0; i < w->candidates.count; i++) {
    const candidate *c = &w->candidates.items[i];
    spot entry = spot_of(w, c->entry, DLOC_NO_INDEX);
    if (c->entry)
      TRY(look_at_kind(w, dloc_operand(w->context, c->entry, 0), entry));
    if (c->entry && !c->used)
      TRY(warn(w, DLOC_REASON_WARNING_UNUSED, DLOC_CLAUSE_WARNING_UNUSED, entry, nowhere));
  }
  return DLOC_OK;
}

/* ---- Functions ---- */

static dloc_status subprogram_of(warner *w, dloc_node location, dloc_node *ret) {
  uint32_t index;
  dloc_status status = scope_find(w->context, location_content(w->context, location).scope, &index);
  *ret = status == DLOC_OK ? scope_at(w->context, index)->subprogram : DLOC_NULL;
  return status == DLOC_INVALID ? DLOC_OK : status;
}

/* `warning.function`: nothing is said of chains that are longer than this, or have no end. */
static dloc_status look_at_function(warner *w, dloc_node debug_loc, dloc_node layer, spot at) {
  enum { FAR = 1000 };
  dloc_node own, other, frame = dloc_primary(w->context, debug_loc);
  TRY(subprogram_of(w, layer, &own));
  for (size_t steps = 0; frame; steps++) {
    TRY(subprogram_of(w, frame, &other));
    if (own == DLOC_NULL || other == own || steps == FAR)
      return DLOC_OK;
    frame = location_content(w->context, frame).inlined_at;
  }
  return warn(w, DLOC_REASON_WARNING_FUNCTION, DLOC_CLAUSE_WARNING_FUNCTION, at,
              (spot){.node = own, .operand = DLOC_NO_INDEX});
}

/* ---- Layers ---- */

/* `warning.repeated` */
static dloc_status look_at_layer(warner *w, dloc_node debug_loc, size_t index, const dloc_layer *layer) {
  spot at = spot_of(w, debug_loc, index), first = at;
  bool new_layer;
  TRY(map_add(w->context, &w->here, pair(layer->kind, layer->location), 0, at.operand, &first.operand));
  if (first.operand != at.operand)
    return warn(w, DLOC_REASON_WARNING_REPEATED, DLOC_CLAUSE_WARNING_REPEATED, at, first);
  TRY(look_at_kind(w, layer->kind, at));
  if (node_kind(w->context, layer->location) == DLOC_KIND_LOCATION)
    TRY(look_at_function(w, debug_loc, layer->location, at));
  TRY(map_meet(w->context, &w->seen, pair(layer->kind, layer->location), SEEN_LAYER, &new_layer));
  return new_layer ? look_at_place(w, layer) : DLOC_OK;
}

/* A composite, or one location of a chain with the list that it may have. */
static dloc_status look_at_layers(warner *w, dloc_node debug_loc) {
  dloc_layer layer;
  map_clear(&w->here);
  for (size_t cursor = 0; dloc_next_layer(w->context, debug_loc, &cursor, &layer);)
    TRY(look_at_layer(w, debug_loc, cursor - 1, &layer));
  return DLOC_OK;
}

static dloc_status look_at_debug_loc(warner *w, dloc_node debug_loc) {
  bool first = true;
  if (dloc_debug_loc_shape(w->context, debug_loc) == DLOC_SHAPE_COMPOSITE) {
    TRY(check_operand(w->context, w->profile, debug_loc, NULL));
    TRY(map_meet(w->context, &w->seen, debug_loc, SEEN_DEBUG_LOC, &first));
    if (first)
      TRY(look_at_layers(w, debug_loc));
  }
  dloc_node location = dloc_primary(w->context, debug_loc);
  for (; location && first; location = location_content(w->context, location).inlined_at) {
    TRY(map_meet(w->context, &w->seen, location, SEEN_DEBUG_LOC, &first));
    if (first && list_of(w->context, location))
      TRY(look_at_layers(w, location));
  }
  return DLOC_OK;
}

dloc_status dloc_warn(const dloc_module *module, const dloc_profile *profile, dloc_report *report, void *user) {
  warner w = {.module = module,
              .context = dloc_module_context(module),
              .profile = profile,
              .report = report,
              .user = user,
              .function = DLOC_NO_INDEX,
              .instruction = DLOC_NO_INDEX,
              .named = DLOC_NO_INDEX};
  OWNED_MEMORY(w.context, &w.seen.entries, &w.places.entries, &w.spellings.entries, &w.here.entries,
               &w.candidates.items, &w.kinds.items);
  TRY(add_entries(&w));
  for (size_t i = 0; i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    for (uint32_t j = 0; j < function->instruction_count; j++) {
      w.function = (uint32_t)i;
      w.instruction = function->first_instruction + j;
      TRY(look_at_debug_loc(&w, dloc_module_instruction(module, w.instruction)->debug_loc));
    }
  }
  w.function = w.instruction = DLOC_NO_INDEX;
  return look_at_entries(&w);
}
