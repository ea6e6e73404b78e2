/* SPEC.md, chapter 8: the directives before the instructions of a function, and the embedded texts that they use. */
#include "nodes/text.h"
#include "source.h"

#include <stdlib.h>

/* The layer of a kind as it was written last. */
typedef struct reach {
  dloc_node kind;
  dloc_node file; /* as in dloc_directive */
  bool ended;     /* the line written is 0 */
  size_t written; /* before which instruction: dloc_emitter.written */
} reach;

struct dloc_emitter {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_trace *trace;
  scratch entries;      /* The well-formed entries of the list of sources. */
  map sources;          /* link_of -> index of the first such entry. */
  map used;             /* The keys of the secondary directives written; in the form irlayers as use_text says. */
  map names;            /* File -> its name as an MDString; a layer's file with its kind, and named by its text. */
  node_notes found;     /* Call site -> the first list from there outward; without one, itself. */
  dloc_node last;       /* The last one written at a line other than 0. */
  dloc_node shown;      /* The last one written with its layers. */
  bool at_line_0;       /* The last line written is 0. */
  ARRAY(reach) reaches; /* The layers of the function so far, in the order of their first directives. */
  map kinds;            /* Kind -> its place there. */
  scratch live;         /* The places of the layers that go on, in order. */
  scratch next;         /* Those that go on behind the instruction at hand. */
  size_t written;       /* The instructions that have layers written. */
  ARRAY(dloc_directive) layers;
  ARRAY(dloc_emitted_text) texts; /* In the order of first directives. */
};

/* ---- The list of sources ---- */

/* The key of `sources` and `used`: equal keys, same text (`source.link`). */
static uint64_t link_of(const dloc_emitter *emitter, dloc_node file, dloc_node kind) {
  uint64_t high = source_links_kind(emitter->profile) ? kind : DLOC_NULL;
  return high << 32 | file;
}

static dloc_status add_entry(dloc_emitter *emitter, const dloc_source *source) {
  uint64_t link = link_of(emitter, source->file, dloc_operand(emitter->context, source->entry, 0));
  TRY(map_add(emitter->context, &emitter->sources, link, 0, (uint32_t)emitter->entries.count, NULL));
  return scratch_push(emitter->context, &emitter->entries, source->entry);
}

/* `emit.texts.end`: whether a line of the text, blanks aside, is what the assembler takes for its end. */
static bool ends_itself(dloc_text text) {
  const dloc_text mark = dloc_text_of(".source_end");
  for (size_t start = 0, end; start < text.size; start = end + 1) {
    for (end = start; end < text.size && text.bytes[end] != '\n';)
      end++;
    size_t first = start, last = end;
    while (first < last && text_is_blank(text.bytes[first]))
      first++;
    while (first < last && text_is_blank(text.bytes[last - 1]))
      last--;
    if (dloc_text_equal((dloc_text){text.bytes + first, last - first}, mark))
      return true;
  }
  return false;
}

/* Whether a text can be written. */
static bool is_possible(const dloc_emitter *emitter, dloc_text text) {
  return DLOC_TAKES(emitter->profile, EMIT_TEXTS_END, WRITE) || !ends_itself(text);
}

static dloc_status list_entries(dloc_emitter *emitter, const dloc_module *module) {
  dloc_source source;
  for (size_t i = 0; source_next(module, &i, &source);)
    if (is_possible(emitter, source.text))
      TRY(add_entry(emitter, &source));
  return DLOC_OK;
}

/* The text that is embedded for a layer's file; `source.order`: the first of several. In the form irlayers it is the
 * file's own. */
static bool find_source(const dloc_emitter *emitter, const dloc_layer *layer, dloc_node file, dloc_source *ret) {
  uint32_t index = 0;
  if (node_kind(emitter->context, layer->location) == DLOC_KIND_LAYER)
    return source_of_layer(emitter->context, layer->location, ret) && is_possible(emitter, ret->text);
  return map_get(&emitter->sources, link_of(emitter, file, layer->kind), 0, &index) &&
         source_read(emitter->context, emitter->entries.words[index], ret);
}

/* ---- Names of files ---- */

/* `emit.file`: directory and name as one; `emit.file.nameless` */
static dloc_status join(dloc_emitter *emitter, dloc_text directory, dloc_text name, dloc_node *ret) {
  const dloc_text parts[] = {directory, dloc_text_of("/"), name}, closed[] = {directory, name};
  if (name.size == 0)
    return dloc_string(emitter->context, dloc_text_of("<stdin>"), ret);
  if (directory.size == 0 || name.bytes[0] == '/')
    return dloc_string(emitter->context, name, ret);
  bool ends = directory.bytes[directory.size - 1] == '/';
  return join_texts(emitter->context, ends ? closed : parts, ends ? 2 : 3, ret);
}

static dloc_text file_field(const dloc_emitter *emitter, dloc_node file, const char *field) {
  return dloc_node_text(emitter->context, dloc_field_value(emitter->context, file, field));
}

static dloc_status name_file(dloc_emitter *emitter, dloc_node file, dloc_node *ret) {
  if (map_get(&emitter->names, file, 0, ret))
    return DLOC_OK;
  TRY(join(emitter, file_field(emitter, file, "directory"), file_field(emitter, file, "filename"), ret));
  return map_add(emitter->context, &emitter->names, file, 0, *ret, NULL);
}

/* `emit.text.name`, `emit.layer.textless`: the name of a layer's file; DLOC_NULL when there is no directive. */
static dloc_status name_layer_file(dloc_emitter *emitter, const dloc_layer *layer, dloc_node file, dloc_node *ret) {
  dloc_source source;
  char md5[33];
  if (!find_source(emitter, layer, file, &source)) {
    bool skip = DLOC_TAKES(emitter->profile, EMIT_LAYER_TEXTLESS, SKIP);
    EXPLAIN(emitter, EMIT_LAYER_TEXTLESS, skip ? "no text, no directive" : "no text: the file's own name");
    *ret = DLOC_NULL;
    return skip ? DLOC_OK : name_file(emitter, file, ret);
  }
  EXPLAIN(emitter, EMIT_TEXT_NAME, "the file is named by the hash of its text");
  if (map_get(&emitter->names, file, layer->kind + 1, ret))
    return DLOC_OK;
  dloc_text hash = dloc_source_hash(emitter->context, emitter->profile, &source, md5);
  TRY(join(emitter, file_field(emitter, file, "directory"), hash, ret));
  return map_add(emitter->context, &emitter->names, file, layer->kind + 1, *ret, NULL);
}

/* An entry, or what has its kind and text otherwise. */
static dloc_status add_text(dloc_emitter *emitter, dloc_node entry, dloc_node file, dloc_node name) {
  dloc_context *context = emitter->context;
  bool listed = node_kind(context, entry) == DLOC_KIND_LAYER;
  dloc_emitted_text text = {.kind = listed ? dloc_field_value(context, entry, "kind") : dloc_operand(context, entry, 0),
                            .file = name,
                            .text =
                                listed ? dloc_field_value(context, file, "source") : dloc_operand(context, entry, 2),
                            .entry = entry};
  PUSH(context, emitter->texts, text);
  return DLOC_OK;
}

/* `emit.texts.unused`, `emit.list.texts`: a directive leads to the text of a layer's file. That of an entry is written
 * once for each link, that of a file once for each DIFile, or number: each name has one in each directory. */
static dloc_status use_text(dloc_emitter *emitter, const dloc_layer *layer, dloc_node file, dloc_node name) {
  dloc_context *context = emitter->context;
  bool listed = node_kind(context, layer->location) == DLOC_KIND_LAYER;
  bool by_number = listed && DLOC_TAKES(emitter->profile, EMIT_TEXTS_KEY, NUMBER);
  uint64_t link = listed ? file : link_of(emitter, file, layer->kind);
  uint64_t key = by_number ? dloc_field_value(context, file, "directory") : link;
  uint32_t low = by_number ? name : listed;
  dloc_source source;
  if (map_has(&emitter->used, key, low) || !find_source(emitter, layer, file, &source))
    return DLOC_OK;
  if (listed || DLOC_TAKES(emitter->profile, EMIT_TEXTS_ORDER, FIRST_USE))
    TRY(add_text(emitter, source.entry, file, name));
  return map_add(context, &emitter->used, key, low, 0, NULL);
}

/* ---- Directives ---- */

/* `emit.primary`, `emit.chain` */
static dloc_status write_primary(dloc_emitter *emitter, dloc_node primary, dloc_emitted *ret) {
  dloc_location place = dloc_location_get(emitter->context, primary);
  dloc_directive directive = {.line = place.line, .column = place.column};
  TRY(name_file(emitter, dloc_scope_file(emitter->context, place.scope), &directive.file));
  ret->has_primary = true;
  ret->primary = directive;
  emitter->at_line_0 = place.line == 0;
  return DLOC_OK;
}

/* `emit.layer.reach` */
static bool lasts(const dloc_emitter *emitter) { return DLOC_TAKES(emitter->profile, EMIT_LAYER_REACH, UNTIL_NEXT); }

/* `emit.layer.end`: whether a layer that goes on has to end before an instruction without a directive for it. */
static bool layers_end(const dloc_emitter *emitter) {
  return lasts(emitter) && DLOC_TAKES(emitter->profile, EMIT_LAYER_END, LINE_0);
}

/* `emit.layer.reach`: from here on the layer of that kind is in that file. */
static dloc_status note_reach(dloc_emitter *emitter, const dloc_directive *directive) {
  dloc_node kind = directive->kind;
  uint32_t i;
  if (!layers_end(emitter))
    return DLOC_OK;
  RESERVE(emitter->context, emitter->reaches, emitter->reaches.count + 1);
  if (!map_get(&emitter->kinds, kind, 0, &i))
    TRY(map_add(emitter->context, &emitter->kinds, kind, 0, (uint32_t)emitter->reaches.count++, &i));
  bool ended = directive->line == 0;
  emitter->reaches.items[i] = (reach){kind, directive->file, ended, emitter->written};
  return ended ? DLOC_OK : scratch_push(emitter->context, &emitter->next, i);
}

static dloc_status add_layer(dloc_emitter *emitter, const dloc_directive *directive, dloc_emitted *ret) {
  RESERVE(emitter->context, emitter->layers, ret->layer_count + 1);
  emitter->layers.items[ret->layer_count++] = *directive;
  if (DLOC_TAKES(emitter->profile, EMIT_LAST_LINE, ANY))
    emitter->at_line_0 = directive->line == 0;
  return note_reach(emitter, directive);
}

/* `emit.layers`: whether the target has a directive for a layer of that kind, behind those that stand there. */
static bool target_has_directive(const dloc_emitter *emitter, dloc_node kind, const dloc_emitted *written) {
  if (!DLOC_TAKES(emitter->profile, EMIT_LAYERS, TILE_IR))
    return DLOC_TAKES(emitter->profile, EMIT_LAYERS, ALL);
  return written->layer_count == 0 && dloc_text_equal(dloc_node_text(emitter->context, kind), dloc_text_of("TileIR"));
}

/* `emit.layer.line-0`, `emit.layer.fileless` */
static bool layer_has_directive(const dloc_emitter *emitter, uint32_t line, dloc_node file) {
  bool write_line_0 = DLOC_TAKES(emitter->profile, EMIT_LAYER_LINE_0, WRITE);
  if (line == 0 && !write_line_0)
    EXPLAIN(emitter, EMIT_LAYER_LINE_0, "a layer at line 0: no directive");
  else if (!file)
    EXPLAIN(emitter, EMIT_LAYER_FILELESS, "a layer without file: no directive");
  return file && (line || write_line_0);
}

/* `emit.layer.place`, `emit.layer.chain` */
static dloc_status write_layer(dloc_emitter *emitter, dloc_layer layer, dloc_emitted *ret) {
  dloc_layer_place place = dloc_place_of_layer(emitter->context, layer.location);
  dloc_directive directive = {.kind = layer.kind, .line = place.line, .column = place.column};
  if (!target_has_directive(emitter, layer.kind, ret) || !layer_has_directive(emitter, place.line, place.file))
    return DLOC_OK;
  TRY(name_layer_file(emitter, &layer, place.file, &directive.file));
  if (!directive.file)
    return DLOC_OK;
  TRY(add_layer(emitter, &directive, ret));
  return use_text(emitter, &layer, place.file, directive.file);
}

/* `emit.layer.end`. Only layers that go on are looked at: those that the instruction before wrote, where the target can
 * end them (`emit.layers`). */
static dloc_status end_layers(dloc_emitter *emitter, dloc_emitted *ret) {
  for (size_t i = 0; i < emitter->live.count; i++) {
    uint32_t place = emitter->live.words[i];
    reach layer = emitter->reaches.items[place];
    if (layer.written == emitter->written)
      continue;
    if (!target_has_directive(emitter, layer.kind, ret)) {
      TRY(scratch_push(emitter->context, &emitter->next, place));
      continue;
    }
    EXPLAIN(emitter, EMIT_LAYER_END, "a layer ends: line 0");
    TRY(add_layer(emitter, &(dloc_directive){.kind = layer.kind, .file = layer.file}, ret));
  }
  return DLOC_OK;
}

static int compare_places(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return ORDER(left, right);
}

/* The layers that go on behind the instruction, each once: a repeated kind was noted twice, or ended again. */
static void go_on(dloc_emitter *emitter) {
  scratch next = emitter->next;
  size_t count = 0;
  if (next.count > 1)
    qsort(next.words, next.count, sizeof *next.words, compare_places);
  for (size_t i = 0; i < next.count; i++)
    if (!emitter->reaches.items[next.words[i]].ended && (count == 0 || next.words[count - 1] != next.words[i]))
      next.words[count++] = next.words[i];
  next.count = count;
  emitter->next = emitter->live;
  emitter->next.count = 0;
  emitter->live = next;
}

/* `emit.layers`, `emit.bare`, `emit.list.place` */
static dloc_status write_layers(dloc_emitter *emitter, dloc_node layers, dloc_emitted *ret) {
  dloc_layer layer;
  emitter->written++;
  for (size_t i = 0; dloc_next_layer(emitter->context, layers, &i, &layer);)
    TRY(write_layer(emitter, layer, ret));
  TRY(end_layers(emitter, ret));
  go_on(emitter);
  ret->layers = emitter->layers.items;
  return DLOC_OK;
}

/* ---- Which layers ---- */

/* `emit.list`, `emit.list.skipped`. Each call site is looked at once: behind the first that is known nothing is new. */
static dloc_status innermost_list(dloc_emitter *emitter, dloc_node location, dloc_node *ret) {
  const dloc_context *context = emitter->context;
  dloc_node site = location_content(context, location).inlined_at;
  dloc_node first = site, known = DLOC_NULL;
  *ret = list_of(context, location);
  if (*ret)
    return DLOC_OK;
  for (; site && !*ret && !note_get(&emitter->found, 0, site, &known);
       site = location_content(context, site).inlined_at) {
    TRY(note_set(emitter->context, &emitter->found, 0, site, site));
    *ret = list_of(context, site);
  }
  *ret = *ret ? *ret : list_of(context, known);
  if (*ret)
    EXPLAIN(emitter, EMIT_LIST, "no layers here: those of a call site");
  for (; *ret && first != site; first = location_content(context, first).inlined_at)
    TRY(note_set(emitter->context, &emitter->found, 0, first, *ret));
  return DLOC_OK;
}

/* The node with the layers of an instruction: the composite, or a list; DLOC_NULL: nothing. */
static dloc_status find_layers(dloc_emitter *emitter, dloc_node debug_loc, dloc_node *ret) {
  *ret = debug_loc;
  if (dloc_debug_loc_shape(emitter->context, debug_loc) != DLOC_SHAPE_BARE)
    return DLOC_OK;
  return innermost_list(emitter, debug_loc, ret);
}

static bool has_layers(const dloc_emitter *emitter, dloc_node layers) {
  return dloc_next_layer(emitter->context, layers, &(size_t){0}, &(dloc_layer){0});
}

/* ---- What is written at all ---- */

typedef enum extent { WRITE_NOTHING, WRITE_PRIMARY, WRITE_LAYERS, WRITE_ALL } extent;

static bool primary_repeats(const dloc_emitter *emitter, dloc_node debug_loc) {
  dloc_node last = dloc_primary(emitter->context, emitter->last), primary = dloc_primary(emitter->context, debug_loc);
  if (DLOC_TAKES(emitter->profile, EMIT_SAME, NODE))
    return last == primary;
  return dloc_same_source(emitter->context, emitter->profile, last, primary, false);
}

/* Choice `emit.same.layers`, alternative first-place. */
static bool first_layer_repeats(const dloc_emitter *emitter, dloc_node shown, dloc_node debug_loc) {
  dloc_layer last = first_layer(emitter->context, emitter->profile, shown);
  dloc_layer layer = first_layer(emitter->context, emitter->profile, debug_loc);
  return last.kind == layer.kind && same_position(emitter->context, last.location, layer.location);
}

/* `emit.layer.reach`, and `equal.levels` without the primaries. With `equal.identity: node` a tuple equals itself
 * only. */
static bool layers_repeat(const dloc_emitter *emitter, dloc_node layers) {
  dloc_node shown = emitter->shown;
  if (!lasts(emitter))
    return !has_layers(emitter, layers);
  if (shown == layers)
    return true;
  if (list_of(emitter->context, shown) || list_of(emitter->context, layers)) /* `emit.list.compare` */
    return false;
  if (DLOC_TAKES(emitter->profile, EMIT_SAME_LAYERS, FIRST_PLACE))
    return first_layer_repeats(emitter, shown, layers);
  return !DLOC_TAKES(emitter->profile, EQUAL_IDENTITY, NODE) && same_layers(emitter->context, shown, layers);
}

/* `emit.repeat` */
static extent repeat_extent(const dloc_emitter *emitter) {
  bool layers = DLOC_TAKES(emitter->profile, EMIT_REPEAT, LAYERS);
  EXPLAIN(emitter, EMIT_REPEAT, "the same primary with other layers: %s", layers ? "the layers only" : "written again");
  return layers ? WRITE_LAYERS : WRITE_ALL;
}

/* `emit.same`, `emit.line-0.return` */
static extent repeated_extent(const dloc_emitter *emitter, dloc_node layers) {
  bool repeats = layers_repeat(emitter, layers);
  if (emitter->at_line_0) {
    EXPLAIN(emitter, EMIT_LINE_0_RETURN, "back from line 0: written again");
    return repeats && !DLOC_TAKES(emitter->profile, EMIT_LINE_0_RETURN, WHOLE) ? WRITE_PRIMARY : WRITE_ALL;
  }
  if (!repeats)
    return repeat_extent(emitter);
  EXPLAIN(emitter, EMIT_SAME, "the same as the last one written: nothing");
  return WRITE_NOTHING;
}

/* `emit.line-0`, `emit.line-0.layers`: after a line 0 */
static extent line_0_extent(const dloc_emitter *emitter, bool layered) {
  bool layers = layered || emitter->live.count > 0;
  if (layers && DLOC_TAKES(emitter->profile, EMIT_LINE_0, WRITE)) {
    EXPLAIN(emitter, EMIT_LINE_0_LAYERS, "line 0 again, and layers begin or end: written");
    return WRITE_ALL;
  }
  EXPLAIN(emitter, EMIT_LINE_0, "line 0 again: nothing");
  return WRITE_NOTHING;
}

/* `emit.line-0` */
static extent extent_of(const dloc_emitter *emitter, dloc_node debug_loc, dloc_node layers, bool line_0) {
  if (primary_repeats(emitter, debug_loc))
    return repeated_extent(emitter, layers);
  if (emitter->at_line_0 && line_0)
    return line_0_extent(emitter, has_layers(emitter, layers));
  EXPLAIN(emitter, EMIT_PRIMARY, "another location: written");
  return WRITE_ALL;
}

/* `emit.bare`, `emit.layer.inlined`, `emit.list.same`, `emit.list.none`, `emit.list.line-0` */
static dloc_status write(dloc_emitter *emitter, dloc_node debug_loc, dloc_emitted *ret) {
  dloc_node primary = dloc_primary(emitter->context, debug_loc), layers;
  bool line_0 = location_content(emitter->context, primary).line == 0;
  TRY(find_layers(emitter, debug_loc, &layers));
  extent wanted = extent_of(emitter, debug_loc, layers, line_0);
  ret->has_layers = has_layers(emitter, layers);
  if (wanted == WRITE_NOTHING)
    return DLOC_OK;
  if (wanted != WRITE_LAYERS)
    TRY(write_primary(emitter, primary, ret));
  if (wanted != WRITE_PRIMARY)
    TRY(write_layers(emitter, layers, ret));
  if (!line_0)
    emitter->last = debug_loc;
  if (!line_0 || DLOC_TAKES(emitter->profile, EMIT_LINE_0_RETURN, CHANGED))
    emitter->shown = layers;
  return DLOC_OK;
}

/* `emit.empty` */
dloc_status dloc_emit_instruction(dloc_emitter *emitter, dloc_node debug_loc, dloc_reason *ret_reason,
                                  dloc_emitted *ret) {
  dloc_emitted emitted = {.has_primary = false};
  TRY(check_operand(emitter->context, emitter->profile, debug_loc, ret_reason));
  if (debug_loc)
    TRY(write(emitter, debug_loc, &emitted));
  else
    EXPLAIN(emitter, EMIT_EMPTY, "no location: nothing");
  *ret = emitted;
  return DLOC_OK;
}

dloc_status dloc_emit_layers(dloc_emitter *emitter, dloc_node debug_loc, dloc_reason *ret_reason, dloc_emitted *ret) {
  dloc_emitted emitted = {.has_primary = false};
  dloc_node layers;
  TRY(check_operand(emitter->context, emitter->profile, debug_loc, ret_reason));
  TRY(find_layers(emitter, debug_loc, &layers));
  emitted.has_layers = has_layers(emitter, layers);
  TRY(write_layers(emitter, layers, &emitted));
  *ret = emitted;
  return DLOC_OK;
}

/* ---- Texts ---- */

/* `emit.texts.unused` */
static bool text_is_written(const dloc_emitter *emitter, dloc_node file, dloc_node kind) {
  return map_has(&emitter->used, link_of(emitter, file, kind), 0);
}

/* `emit.texts`: those of entries, behind those in the order of first directives. */
static dloc_status add_entry_texts(dloc_emitter *emitter) {
  dloc_context *context = emitter->context;
  bool listed = !DLOC_TAKES(emitter->profile, EMIT_TEXTS_ORDER, FIRST_USE);
  for (size_t i = 0; listed && i < emitter->entries.count; i++) {
    dloc_node entry = emitter->entries.words[i], name = DLOC_NULL;
    dloc_layer layer = {.kind = dloc_operand(context, entry, 0)};
    dloc_node file = dloc_operand(context, entry, 1);
    if (!text_is_written(emitter, file, layer.kind))
      continue;
    TRY(name_layer_file(emitter, &layer, file, &name));
    TRY(add_text(emitter, entry, file, name));
  }
  return DLOC_OK;
}

/* `emit.texts`, `emit.list.texts.order` */
dloc_status dloc_emit_texts(dloc_emitter *emitter, const dloc_emitted_text **ret, size_t *ret_count) {
  size_t first_used = emitter->texts.count;
  dloc_status status = add_entry_texts(emitter);
  if (status == DLOC_OK) {
    *ret = emitter->texts.items;
    *ret_count = emitter->texts.count;
  }
  emitter->texts.count = first_used;
  return status;
}

/* `emit.texts.place` */
bool dloc_emit_texts_stand_first(const dloc_emitter *emitter) {
  return DLOC_TAKES(emitter->profile, EMIT_TEXTS_PLACE, BEFORE_FILES);
}

/* `emit.texts.form` */
bool dloc_emit_texts_in_angles(const dloc_emitter *emitter) {
  return DLOC_TAKES(emitter->profile, EMIT_TEXTS_FORM, ANGLES);
}

/* ---- The emitter ---- */

dloc_status dloc_emitter_create(dloc_context *context, const dloc_profile *profile, const dloc_module *module,
                                const dloc_trace *trace, dloc_emitter **ret) {
  CREATE(context, dloc_emitter, emitter, .context = context, .profile = profile, .trace = trace);
  RETURN_MADE(module ? list_entries(emitter, module) : DLOC_OK, emitter, dloc_emitter_destroy, ret);
}

void dloc_emitter_destroy(dloc_emitter *emitter) {
  if (emitter)
    CONTEXT_FREE(emitter->context, emitter->entries.words, emitter->sources.entries, emitter->used.entries,
                 emitter->names.entries, emitter->found.items, emitter->kinds.entries, emitter->reaches.items,
                 emitter->live.words, emitter->next.words, emitter->layers.items, emitter->texts.items, emitter);
}

void dloc_emitter_begin_function(dloc_emitter *emitter) {
  emitter->last = emitter->shown = DLOC_NULL;
  emitter->at_line_0 = false;
  emitter->reaches.count = emitter->live.count = 0;
  map_clear(&emitter->kinds);
}
