/* columns.c - PTX whose columns are numbers gets them back, and directives
 * for layers. SPEC.md 8.2, 8.3, 17 and 18.1. */
#include "asm.h"
#include "objects/hidden/hidden.h"
#include "objects/ptx/ptx.h"
#include "nodes/metadata.h"

#include <inttypes.h>

typedef struct revealing {
  const asm_text *a;
  const dloc_hidden *hidden;
  const dloc_profile *profile;
  asm_problem *on_problem;
  void *user;
  dloc_context *context;
  dloc_module *texts; /* the list of sources */
  dloc_emitter *emitter;
  map paths;                 /* (name in directives, i) -> the i-th file that has it */
  map names;                 /* number of a `.file` -> its name */
  map numbers;               /* name -> number */
  map told;                  /* locations with a number that is not known */
  uint32_t last_number;      /* of a `.file` */
  uint32_t column, restored; /* of the `.loc` before */
  size_t known, unknown;     /* numbers of `.loc`s */
  asm_edits edits;
  dloc_buffer files;     /* new ones */
  dloc_buffer blocks;    /* of each `.loc` with layers: it, and their directives */
  ARRAY(size_t) begins;  /* where those of each `.loc` begin, and the end of all */
  size_t behind;         /* so many `.loc`s stand before the instruction */
  bool located, reached; /* the last of them is in the function at hand; has an instruction */
} revealing;

/* ---- Files ---- */

/* Files as the directives of layers and primaries name them. */
static dloc_status index_paths(revealing *r) {
  map seen = {0};
  OWNED_MEMORY(r->context, &seen.entries);
  for (size_t i = 0; i < dloc_hidden_count(r->hidden); i++) {
    dloc_node primary = dloc_primary(r->context, dloc_hidden_at(r->hidden, i).layers);
    dloc_node file = dloc_scope_file(r->context, dloc_location_get(r->context, primary).scope);
    uint32_t count = 0;
    dloc_emitted emitted;
    dloc_reason reason;
    bool first = false;
    TRY(map_meet(r->context, &seen, file, 0, &first));
    if (!first)
      continue;
    dloc_emitter_begin_function(r->emitter);
    TRY(dloc_emit_instruction(r->emitter, primary, &reason, &emitted));
    while (map_has(&r->paths, emitted.primary.file, count))
      count++;
    TRY(map_add(r->context, &r->paths, emitted.primary.file, count, file, NULL));
  }
  return DLOC_OK;
}

/* `emit.file`: a directory, a slash, a name. */
static dloc_status name_file(revealing *r, const asm_file *file, dloc_node *ret) {
  dloc_text directory = file->directory;
  OWNED(dloc_buffer_deinit) dloc_buffer name = {0};
  dloc_sink sink = dloc_buffer_sink(&name);
  if (directory.size && !dloc_path_is_absolute(file->name)) {
    TRY(sink_text(sink, directory));
    TRY(sink_string(sink, directory.bytes[directory.size - 1] != '/' ? "/" : ""));
  }
  TRY(sink_text(sink, file->name));
  return asm_string(r->context, (dloc_text){name.bytes, name.size}, ret);
}

static dloc_status index_files(revealing *r) {
  for (size_t i = 0; i < r->a->files.count; i++) {
    const asm_file *file = &r->a->files.items[i];
    dloc_node name = DLOC_NULL;
    TRY(name_file(r, file, &name));
    TRY(map_add(r->context, &r->names, file->number, 0, name, NULL));
    TRY(map_add(r->context, &r->numbers, name, 0, file->number, NULL));
    if (file->number > r->last_number)
      r->last_number = file->number;
  }
  return DLOC_OK;
}

/* `layer-text.file` */
static dloc_status number_file(revealing *r, dloc_node name, uint32_t *ret) {
  TRY(map_add(r->context, &r->numbers, name, 0, r->last_number + 1, ret));
  if (*ret <= r->last_number)
    return DLOC_OK;
  r->last_number = *ret;
  dloc_sink sink = dloc_buffer_sink(&r->files);
  TRY(asm_print(sink, "\t.file\t%" PRIu32 " ", *ret));
  TRY(asm_print_string(dloc_node_text(r->context, name), sink));
  return sink_bytes(sink, "\n", 1);
}

/* ---- Locations ---- */

/* The meaning of a number in a line of a file. Files of one name are told apart by what they have. */
static bool find_entry(const revealing *r, uint32_t file, uint32_t line, uint32_t number, dloc_hidden_entry *ret) {
  uint32_t name, node, found = 0;
  if (!map_get(&r->names, file, 0, &name))
    return false;
  for (uint32_t i = 0; map_get(&r->paths, name, i, &node); i++) {
    dloc_hidden_entry entry;
    if (!hidden_find_column(r->hidden, node, line, number, &entry))
      continue;
    if (found++ == 0)
      *ret = entry;
    else if (entry.layers != ret->layers)
      return false;
  }
  return found > 0;
}

/* `layer-text.number` */
static dloc_status tell_unknown(revealing *r, uint32_t file, uint32_t line, uint32_t number, size_t at) {
  uint64_t key = (uint64_t)file << 32 | line;
  bool first = false;
  TRY(map_meet(r->context, &r->told, key, number, &first));
  return first && r->on_problem ? r->on_problem(r->user, DLOC_REASON_REVEAL_NUMBER, at) : DLOC_OK;
}

static dloc_status write_layers(revealing *r, dloc_node layers) {
  dloc_emitted emitted;
  dloc_reason reason;
  TRY(dloc_emit_layers(r->emitter, layers, &reason, &emitted));
  for (size_t i = 0; i < emitted.layer_count; i++) {
    const dloc_directive *d = &emitted.layers[i];
    uint32_t number;
    TRY(number_file(r, d->file, &number));
    TRY(asm_print(dloc_buffer_sink(&r->blocks), "\t.loc_intermediate\t%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", number,
                  d->line, d->column));
  }
  return DLOC_OK;
}

/* The directive is repeated before later instructions of its place. The comment names the place as it was. */
static dloc_status write_loc(revealing *r, const asm_loc *loc, uint32_t line, uint32_t column, dloc_node layers) {
  size_t end = loc->next;
  dloc_sink sink = dloc_buffer_sink(&r->blocks);
  const size_t first = r->blocks.size;
  end -= end > loc->at && r->a->text.bytes[end - 1] == '\n';
  TRY(asm_print(sink, ".loc\t%" PRIu32 " %" PRIu32 " %" PRIu32, (uint32_t)loc->row.file, line, column));
  TRY(sink_text(sink, loc->rest));
  if (line != loc->line || column != loc->column)
    TRY(asm_edit_add(r->context, &r->edits, loc->at, end,
                     (dloc_text){r->blocks.bytes + first, r->blocks.size - first}));
  TRY(sink_string(sink, "\n"));
  const size_t behind = r->blocks.size;
  TRY(write_layers(r, layers));
  if (r->blocks.size > behind)
    return asm_edit_add(r->context, &r->edits, loc->next, loc->next,
                        (dloc_text){r->blocks.bytes + behind, r->blocks.size - behind});
  r->blocks.size = first;
  return DLOC_OK;
}

/* `layer-text.column`. LLVM writes a line 0 without layers with the column of the location before. */
static dloc_status reveal_loc(revealing *r, const asm_loc *loc) {
  dloc_hidden_entry entry = {.column = loc->column};
  uint32_t line = loc->line == DLOC_HIDDEN_LINE_0 ? 0 : loc->line;
  bool kept = loc->line == 0 && loc->column == r->column;
  if (kept)
    entry.column = r->restored;
  else if (loc->column && find_entry(r, loc->row.file, loc->line, loc->column, &entry))
    r->known++;
  else if (loc->column) {
    entry = (dloc_hidden_entry){.column = loc->column};
    r->unknown++;
    TRY(tell_unknown(r, loc->row.file, loc->line, loc->column, loc->at));
  }
  r->column = loc->column;
  r->restored = entry.column;
  return write_loc(r, loc, line, entry.column, entry.layers);
}

static dloc_status reveal_locs(revealing *r) {
  uint32_t function = UINT32_MAX;
  for (size_t i = 0; i < r->a->locs.count; i++) {
    const asm_loc *loc = &r->a->locs.items[i];
    if (loc->function != function)
      dloc_emitter_begin_function(r->emitter);
    function = loc->function;
    PUSH(r->context, r->begins, r->blocks.size);
    TRY(reveal_loc(r, loc));
  }
  PUSH(r->context, r->begins, r->blocks.size);
  return DLOC_OK;
}

/* `layer-text.reach` */
static dloc_status repeat(void *user, const ptx_item *item) {
  revealing *r = user;
  const asm_loc *locs = r->a->locs.items;
  r->located = item->kind == PTX_LOC || (r->located && item->kind != PTX_FUNCTION);
  r->reached &= item->kind != PTX_LOC;
  if (item->kind != PTX_INSTRUCTION)
    return DLOC_OK;
  while (r->behind < r->a->locs.count && locs[r->behind].at < item->at)
    r->behind++;
  bool again = r->reached && r->located;
  size_t first = r->behind ? r->begins.items[r->behind - 1] : 0, end = r->begins.items[r->behind];
  r->reached = true;
  if (!again || first == end)
    return DLOC_OK;
  TRY(asm_edit_add(r->context, &r->edits, item->at, item->at, (dloc_text){r->blocks.bytes + first, end - first}));
  return asm_edit_add(r->context, &r->edits, item->at, item->at, dloc_text_of("\t"));
}

static dloc_status repeat_all(revealing *r, dloc_reason *ret_reason) {
  dloc_diagnostic diagnostic;
  dloc_status status = ptx_read(r->context, r->a->text, repeat, r, &diagnostic);
  return status == DLOC_INVALID ? fail(ret_reason, diagnostic.reason) : status;
}

/* ---- Call sites ---- */

/* `layer-text.value`: the columns of call sites in .debug_info are numbers as well. */
static dloc_status reveal_values(revealing *r) {
  uint64_t numbers[4] = {0};
  for (size_t i = 0, next; i < r->a->values.count; i = next) {
    const asm_value *value = &r->a->values.items[i];
    dloc_hidden_entry entry;
    uint64_t number = 0;
    for (next = i; next < r->a->values.count && (next == i || r->a->values.items[next].part > 0); next++)
      number |= r->a->values.items[next].number << 8 * r->a->values.items[next].part;
    numbers[value->attribute] = number;
    uint32_t file = (uint32_t)numbers[ASM_CALL_FILE], line = (uint32_t)numbers[ASM_CALL_LINE];
    bool column = value->attribute == ASM_CALL_COLUMN;
    if (!(column ? number != 0 : value->attribute == ASM_CALL_LINE && number == DLOC_HIDDEN_LINE_0))
      continue;
    if (!column)
      number = 0;
    else if (find_entry(r, file, line, (uint32_t)number, &entry))
      number = entry.column;
    else
      TRY(tell_unknown(r, file, line, (uint32_t)number, value->at));
    TRY(asm_edit_value(r->context, &r->edits, value, next - i, number));
  }
  return DLOC_OK;
}

/* ---- Texts ---- */

/* `layer-text.name` */
static dloc_status write_name(const revealing *r, dloc_node entry, dloc_sink sink) {
  bool listed = dloc_node_kind(r->context, entry) == DLOC_KIND_LAYER;
  dloc_node file = listed ? dloc_field_value(r->context, entry, "file") : dloc_operand(r->context, entry, 1);
  if (DLOC_TAKES(r->profile, LAYER_LINES_NAME, NOWHERE))
    return DLOC_OK;
  TRY(sink_string(sink, " // "));
  return asm_print_string(dloc_node_text(r->context, dloc_field_value(r->context, file, "filename")), sink);
}

static dloc_status write_text(revealing *r, const dloc_emitted_text *text, bool in_angles, dloc_sink sink) {
  uint32_t number;
  TRY(number_file(r, text->file, &number));
  TRY(sink_string(sink, "\t.code_block {\n\t\t.ir_name: "));
  TRY(asm_print_string(dloc_node_text(r->context, text->kind), sink));
  TRY(asm_print(sink, "\n\t\t.sourceFileName: %" PRIu32, number));
  TRY(write_name(r, text->entry, sink));
  TRY(sink_string(sink, in_angles ? "\n\t\t.source: <<< " : "\n\t\t.source_begin\n"));
  TRY(sink_text(sink, dloc_node_text(r->context, text->text)));
  return sink_string(sink, in_angles ? " >>>\n\t}\n" : "\n\t\t.source_end\n\t}\n");
}

static dloc_status write_texts(revealing *r, dloc_sink sink) {
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  TRY(dloc_emit_texts(r->emitter, &texts, &count));
  if (!count)
    return DLOC_OK;
  TRY(sink_string(sink, ".nv_intermediate_source_section {\n"));
  for (size_t i = 0; i < count; i++)
    TRY(write_text(r, &texts[i], dloc_emit_texts_in_angles(r->emitter), sink));
  return sink_string(sink, "}\n");
}

/* `emit.texts.place`: files stand behind those that LLVM wrote. */
static dloc_status add_texts(revealing *r) {
  OWNED(dloc_buffer_deinit) dloc_buffer texts = {0};
  size_t end = r->a->text.size, behind = r->a->behind_files ? r->a->behind_files : end;
  bool first = dloc_emit_texts_stand_first(r->emitter);
  TRY(write_texts(r, dloc_buffer_sink(&texts)));
  size_t before = r->a->behind_files ? r->a->first_file : end;
  const dloc_text text = {texts.bytes, texts.size}, files = {r->files.bytes, r->files.size};
  if (first)
    TRY(asm_edit_add(r->context, &r->edits, before, before, text));
  TRY(asm_edit_add(r->context, &r->edits, behind, behind, files));
  return first ? DLOC_OK : asm_edit_add(r->context, &r->edits, behind, behind, text);
}

/* ---- All of it ---- */

static dloc_status begin(revealing *r, const dloc_profile *profile) {
  size_t count = 0;
  const dloc_node *sources = dloc_hidden_sources(r->hidden, &count);
  TRY(dloc_module_create(r->context, &r->texts));
  if (count)
    TRY(dloc_module_add_named(r->texts, dloc_text_of(DLOC_SOURCE_LIST), sources, count));
  return dloc_emitter_create(r->context, profile, r->texts, NULL, &r->emitter);
}

static void release(revealing *r) {
  dloc_emitter_destroy(r->emitter);
  dloc_module_destroy(r->texts);
  CONTEXT_FREE(r->context, r->paths.entries, r->names.entries, r->numbers.entries, r->told.entries, r->begins.items);
  asm_edits_deinit(r->context, &r->edits);
  dloc_buffer_deinit(&r->files);
  dloc_buffer_deinit(&r->blocks);
}

dloc_status asm_reveal_columns(const asm_text *a, const dloc_profile *profile, const dloc_hidden *hidden,
                               asm_problem *on_problem, void *user, dloc_reason *ret_reason, dloc_sink sink) {
  OWNED(release)
  revealing r = {
      .a = a, .profile = profile, .hidden = hidden, .on_problem = on_problem, .user = user, .context = a->context};
  TRY(begin(&r, profile));
  TRY(index_paths(&r));
  TRY(index_files(&r));
  TRY(reveal_locs(&r));
  if (r.unknown > r.known) /* `layer-text.module` */
    return fail(ret_reason, DLOC_REASON_LAYER_LINES_MODULE);
  if (DLOC_TAKES(profile, EMIT_LAYER_REACH, ONE_INSTRUCTION))
    TRY(repeat_all(&r, ret_reason));
  TRY(reveal_values(&r));
  TRY(add_texts(&r));
  return asm_edits_write(&r.edits, a->text, sink);
}
