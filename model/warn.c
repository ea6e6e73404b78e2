/* SPEC.md, chapter 3.1: what the rules permit and hardly any producer means. */
#include "module.h"
#include "source.h"

#include <string.h>

/* A text that layers may link to, or the want of one. */
typedef struct candidate {
  dloc_node entry; /* DLOC_NULL: it is no entry's */
  dloc_text text;
  uint64_t lines;
  bool missing, counted, used;
} candidate;

typedef struct warner {
  const dloc_module *module;
  dloc_context *context;
  const dloc_profile *profile;
  dloc_report *report;
  void *user;
  uint32_t function, instruction; /* where the walk stands; DLOC_NO_INDEX */
  map seen;                       /* by SEEN_* */
  map places;                     /* by link and kind, or by the file of a listed layer: a place in candidates */
  map spellings;                  /* the first kind of each folded spelling */
  map here;                       /* kind and location of the layers of this DebugLoc */
  ARRAY(candidate) candidates;
} warner;

enum { SEEN_DEBUG_LOC, SEEN_LAYER, SEEN_KIND };
enum { PLACE_ENTRY, PLACE_FILE };

static uint64_t pair(dloc_node high, dloc_node low) { return (uint64_t)high << 32 | low; }

/* Whether the key is new in the map. */
static dloc_status is_new(warner *w, map *m, uint64_t high, uint32_t low, bool *ret) {
  uint32_t ignored;
  *ret = !map_get(m, high, low, &ignored);
  return *ret ? map_add(w->context, m, high, low, 0, NULL) : DLOC_OK;
}

/* A node that has a number stands in a place of its own; any other is shown where it was met. */
static dloc_status warn(warner *w, dloc_reason reason, dloc_clause clause, dloc_node node) {
  dloc_violation warning = {reason, clause, DLOC_SEVERITY_WARNING, w->function, w->instruction, node};
  uint64_t number;
  if (dloc_module_number_of(w->module, node, &number))
    warning.function = warning.instruction = DLOC_NO_INDEX;
  return !w->report || w->report(w->user, &warning) ? DLOC_OK : DLOC_STOPPED;
}

/* ---- Kinds ---- */

static bool separates(char c) { return c == ' ' || c == '-' || c == '_' || c == '.'; }

static dloc_status fold(warner *w, dloc_node kind, dloc_node *ret) {
  dloc_text text = dloc_node_text(w->context, kind);
  ALLOCATE(w->context, char, folded, text.size + 1);
  size_t size = 0;
  for (size_t i = 0; i < text.size; i++)
    if (!separates(text.bytes[i]))
      folded[size++] = (char)(text.bytes[i] | (text.bytes[i] >= 'A' && text.bytes[i] <= 'Z' ? 'a' - 'A' : 0));
  dloc_status status = dloc_string(w->context, (dloc_text){folded, size}, ret);
  context_free(w->context, folded);
  return status;
}

/* `warning.kind` */
static dloc_status look_at_kind(warner *w, dloc_node kind, dloc_node where) {
  dloc_node folded, first;
  bool is_first;
  TRY(is_new(w, &w->seen, kind, SEEN_KIND, &is_first));
  if (!is_first || node_kind(w->context, kind) != DLOC_KIND_STRING)
    return DLOC_OK;
  TRY(fold(w, kind, &folded));
  TRY(map_add(w->context, &w->spellings, folded, 0, kind, &first));
  return first == kind ? DLOC_OK : warn(w, DLOC_REASON_WARNING_KIND, DLOC_CLAUSE_WARNING_KIND, where);
}

/* ---- Texts ---- */

static uint64_t link_of(const warner *w, dloc_node file, dloc_node kind) {
  return pair(source_link(w->context, w->profile, file), source_links_kind(w->profile) ? kind : DLOC_NULL);
}

/* `source.order`: of several entries with one file and kind layers find the first. */
static dloc_status add_entry(warner *w, const dloc_source *source) {
  uint64_t key = link_of(w, source->file, dloc_operand(w->context, source->entry, 0));
  TRY(map_add(w->context, &w->places, key, PLACE_ENTRY, (uint32_t)w->candidates.count, NULL));
  PUSH(w->context, w->candidates, (candidate){.entry = source->entry, .text = source->text});
  return DLOC_OK;
}

static dloc_status add_entries(warner *w) {
  dloc_status status = DLOC_OK;
  size_t count = dloc_source_count(w->module);
  ALLOCATE(w->context, dloc_source, sources, count + 1);
  dloc_source_list(w->module, count, sources);
  for (size_t i = 0; i < count && status == DLOC_OK; i++)
    status = add_entry(w, &sources[i]);
  context_free(w->context, sources);
  return status;
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
  PUSH(w->context, w->candidates, (candidate){.text = source.text, .missing = missing});
  return DLOC_OK;
}

/* `layer-lookup.text.line`: a line begins at the start and behind each line feed but one at the end. */
static uint64_t lines_of(candidate *c) {
  for (size_t at = 0; !c->counted && at < c->text.size; c->lines++) {
    const char *end = memchr(c->text.bytes + at, '\n', c->text.size - at);
    at = end ? (size_t)(end - c->text.bytes) + 1 : c->text.size;
  }
  c->counted = true;
  return c->lines;
}

/* `warning.text`, `warning.line` */
static dloc_status look_at_place(warner *w, const dloc_layer *layer) {
  dloc_layer_place place = dloc_place_of_layer(w->context, layer->location);
  uint32_t found;
  bool first;
  TRY(find_text(w, layer, place.file, &found, &first));
  candidate *text = &w->candidates.items[found];
  text->used = true;
  if (text->missing)
    return first ? warn(w, DLOC_REASON_WARNING_TEXT, DLOC_CLAUSE_WARNING_TEXT, layer->location) : DLOC_OK;
  bool beyond = place.line > lines_of(text);
  return beyond ? warn(w, DLOC_REASON_WARNING_LINE, DLOC_CLAUSE_WARNING_LINE, layer->location) : DLOC_OK;
}

/* `warning.unused` */
static dloc_status look_at_entries(warner *w) {
  for (size_t i = 0; i < w->candidates.count; i++) {
    const candidate *c = &w->candidates.items[i];
    if (c->entry)
      TRY(look_at_kind(w, dloc_operand(w->context, c->entry, 0), c->entry));
    if (c->entry && !c->used)
      TRY(warn(w, DLOC_REASON_WARNING_UNUSED, DLOC_CLAUSE_WARNING_UNUSED, c->entry));
  }
  return DLOC_OK;
}

/* ---- Functions ---- */

static dloc_status subprogram_of(warner *w, dloc_node location, dloc_node *ret) {
  known_scope scope = {.subprogram = DLOC_NULL};
  dloc_status status = scope_find(w->context, location_content(w->context, location).scope, &scope);
  *ret = scope.subprogram;
  return status == DLOC_INVALID ? DLOC_OK : status;
}

/* `warning.function`: nothing is said of chains that are longer than this, or have no end. */
static dloc_status look_at_function(warner *w, dloc_node debug_loc, dloc_node layer) {
  enum { FAR = 1000 };
  dloc_node own, other, frame = dloc_primary(w->context, debug_loc);
  TRY(subprogram_of(w, layer, &own));
  for (size_t steps = 0; frame; steps++) {
    TRY(subprogram_of(w, frame, &other));
    if (own == DLOC_NULL || other == own || steps == FAR)
      return DLOC_OK;
    frame = location_content(w->context, frame).inlined_at;
  }
  return warn(w, DLOC_REASON_WARNING_FUNCTION, DLOC_CLAUSE_WARNING_FUNCTION, debug_loc);
}

/* ---- Layers ---- */

static dloc_status look_at_layer(warner *w, dloc_node debug_loc, const dloc_layer *layer) {
  bool new_here, new_layer;
  TRY(is_new(w, &w->here, pair(layer->kind, layer->location), 0, &new_here));
  if (!new_here)
    return warn(w, DLOC_REASON_WARNING_REPEATED, DLOC_CLAUSE_WARNING_REPEATED, debug_loc);
  TRY(look_at_kind(w, layer->kind, debug_loc));
  if (node_kind(w->context, layer->location) == DLOC_KIND_LOCATION)
    TRY(look_at_function(w, debug_loc, layer->location));
  TRY(is_new(w, &w->seen, pair(layer->kind, layer->location), SEEN_LAYER, &new_layer));
  return new_layer ? look_at_place(w, layer) : DLOC_OK;
}

/* A composite, or one location of a chain with the list that it may have. */
static dloc_status look_at_layers(warner *w, dloc_node debug_loc) {
  dloc_layer layer;
  map_clear(&w->here);
  for (size_t cursor = 0; dloc_next_layer(w->context, debug_loc, &cursor, &layer);)
    TRY(look_at_layer(w, debug_loc, &layer));
  return DLOC_OK;
}

static dloc_status look_at_debug_loc(warner *w, dloc_node debug_loc) {
  bool first = true;
  if (dloc_debug_loc_shape(w->context, debug_loc) == DLOC_SHAPE_COMPOSITE) {
    TRY(check_operand(w->context, w->profile, debug_loc, NULL));
    TRY(is_new(w, &w->seen, debug_loc, SEEN_DEBUG_LOC, &first));
    if (first)
      TRY(look_at_layers(w, debug_loc));
  }
  dloc_node location = dloc_primary(w->context, debug_loc);
  for (; location && first; location = location_content(w->context, location).inlined_at) {
    TRY(is_new(w, &w->seen, location, SEEN_DEBUG_LOC, &first));
    if (first && list_of(w->context, location))
      TRY(look_at_layers(w, location));
  }
  return DLOC_OK;
}

static dloc_status look_at_module(warner *w) {
  TRY(add_entries(w));
  for (size_t i = 0; i < dloc_module_function_count(w->module); i++) {
    const dloc_function *function = dloc_module_function(w->module, i);
    for (uint32_t j = 0; j < function->instruction_count; j++) {
      w->function = (uint32_t)i;
      w->instruction = function->first_instruction + j;
      TRY(look_at_debug_loc(w, dloc_module_instruction(w->module, w->instruction)->debug_loc));
    }
  }
  w->function = w->instruction = DLOC_NO_INDEX;
  return look_at_entries(w);
}

dloc_status dloc_warn(const dloc_module *module, const dloc_profile *profile, dloc_report *report, void *user) {
  warner w = {.module = module,
              .context = dloc_module_context(module),
              .profile = profile,
              .report = report,
              .user = user,
              .function = DLOC_NO_INDEX,
              .instruction = DLOC_NO_INDEX};
  dloc_status status = look_at_module(&w);
  map *maps[] = {&w.seen, &w.places, &w.spellings, &w.here};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
    map_deinit(w.context, maps[i]);
  context_free(w.context, w.candidates.items);
  return status;
}
