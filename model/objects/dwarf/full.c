/* spec/hidden.md, chapter 17.4: the lines of an object for each kind of layer, as numbers for the lines of the object
 * with the primaries. */
#include "table.h"

#include "objects/dloc_hidden.h"

#include <stdlib.h>

/* Where the code is from an address of a section on; line 0: nowhere. */
typedef struct change {
  uint64_t address;
  uint32_t section;
  bool ends; /* a sequence, or a function: what begins at its address counts */
  uint16_t column;
  uint32_t line;
  dloc_node scope;
  uint32_t number; /* of the layers of all kinds */
  size_t kind, order;
} change;
typedef ARRAY(change) change_list;

struct dloc_full {
  dloc_context *context;
  dloc_hidden *hidden;
  ARRAY(struct full_kind {
    dloc_node name;
    change last; /* at hand */
  })
  kinds;
  map files;        /* of the last kind: (0, path) and (1, name) -> the scope of a layer in it */
  dloc_buffer path; /* at hand */
  change_list rows; /* of the last kind's object */
  bool sorted;      /* they are */
  change_list changes;
  bool numbered;            /* they are, one for each address */
  ARRAY(dloc_layer) layers; /* at hand */
  map numbers;              /* of DebugLocs: equal ones are one node */
};

dloc_status dloc_full_create(dloc_context *context, dloc_hidden *hidden, dloc_full **ret) {
  CREATE(context, dloc_full, full, .context = context, .hidden = hidden);
  *ret = full;
  return DLOC_OK;
}

void dloc_full_destroy(dloc_full *full) {
  if (!full)
    return;
  dloc_buffer_deinit(&full->path);
  CONTEXT_FREE(full->context, full->kinds.items, full->files.entries, full->rows.items, full->changes.items,
               full->layers.items, full->numbers.entries, full);
}

/* ---- Files ---- */

/* The path of a name below a directory, as a string. */
static dloc_status join(dloc_full *full, dloc_text directory, dloc_text name, dloc_node *ret) {
  dloc_sink sink = dloc_buffer_sink(&full->path);
  full->path.size = 0;
  if (directory.size && !dloc_path_is_absolute(name)) {
    TRY(sink_text(sink, directory));
    TRY(sink_text(sink, dloc_text_of("/")));
  }
  TRY(sink_text(sink, name));
  return dloc_string(full->context, (dloc_text){full->path.bytes, full->path.size}, ret);
}

/* A layer of the form irlayers has no scope: it gets one in what stands for any subprogram. */
static dloc_status scope_of_layer(const dloc_full *full, dloc_node layer, dloc_node file, dloc_node *ret) {
  dloc_node subprogram = DLOC_NULL;
  if (node_kind(full->context, layer) == DLOC_KIND_LOCATION) {
    *ret = location_content(full->context, layer).scope;
    return DLOC_OK;
  }
  TRY(dloc_hidden_stand_in(full->hidden, file, &subprogram));
  return dloc_lexical_block_file(full->context, subprogram, file, 0, ret);
}

static dloc_status add_file(dloc_full *full, dloc_node layer) {
  dloc_context *context = full->context;
  dloc_node file = dloc_place_of_layer(context, layer).file, scope = DLOC_NULL, path;
  if (!file)
    return DLOC_OK;
  dloc_node name = dloc_field_value(context, file, "filename");
  TRY(scope_of_layer(full, layer, file, &scope));
  TRY(join(full, dloc_node_text(context, dloc_field_value(context, file, "directory")), dloc_node_text(context, name),
           &path));
  TRY(map_add(context, &full->files, 0, path, scope, NULL));
  return map_add(context, &full->files, 1, name, scope, NULL);
}

dloc_status dloc_full_kind(dloc_full *full, dloc_text kind) {
  struct full_kind added = {.name = DLOC_NULL};
  dloc_layer layer;
  TRY(dloc_string(full->context, kind, &added.name));
  PUSH(full->context, full->kinds, added);
  map_clear(&full->files);
  full->rows.count = 0;
  for (size_t i = 0; i < dloc_hidden_count(full->hidden); i++)
    for (size_t c = 0; dloc_next_layer(full->context, dloc_hidden_at(full->hidden, i).layers, &c, &layer);)
      if (layer.kind == added.name)
        TRY(add_file(full, layer.location));
  return DLOC_OK;
}

/* `mode.full.file`: DLOC_NULL: no layer of the kind is in it. */
static dloc_status find_scope(dloc_full *full, const dloc_file_name *file, dloc_node *ret) {
  dloc_node path, whole;
  *ret = DLOC_NULL;
  TRY(join(full, file->directory, file->name, &path));
  TRY(join(full, file->compilation, dloc_node_text(full->context, path), &whole));
  if (!map_get(&full->files, 0, path, ret))
    (void)map_get(&full->files, !file->compilation.size, whole, ret);
  return DLOC_OK;
}

/* ---- Lines of a kind ---- */

static int by_address(const void *a, const void *b) {
  const change *x = a, *y = b;
  int order = ORDER(x->section, y->section);
  if (!order)
    order = ORDER(x->address, y->address);
  if (!order)
    order = ORDER(y->ends, x->ends);
  return order ? order : ORDER(x->order, y->order);
}

/* The first one at an address or behind it; or only behind it. */
static size_t first_from(const change_list *list, uint32_t section, uint64_t address, bool behind) {
  const change *c = list->items;
  BISECT(first, 0, list->count, i,
         c[i].section != section ? c[i].section < section
                                 : c[i].address < address || (behind && c[i].address == address));
  return first;
}

static dloc_status add_change(const dloc_full *full, change_list *list, change added) {
  added.order = list->count;
  added.kind = full->kinds.count - 1;
  PUSH(full->context, *list, added);
  return DLOC_OK;
}

/* `mode.full.line`: the lines of any other file are none, such as the start of a function in the primary's. */
dloc_status dloc_full_rows(dloc_full *full, uint32_t section, const dloc_row *rows, size_t count,
                           dloc_file_name_of *name_of, void *user) {
  dloc_node scope = DLOC_NULL;
  full->sorted = false;
  for (size_t i = 0; i < count; i++) {
    const dloc_row *row = &rows[i];
    bool ends = row->flags & DLOC_ROW_END_SEQUENCE;
    dloc_file_name name;
    if (i == 0 || row->file != rows[i - 1].file) {
      scope = DLOC_NULL;
      if (name_of(user, row->file, &name))
        TRY(find_scope(full, &name, &scope));
    }
    TRY(add_change(full, &full->rows,
                   (change){.section = section,
                            .address = row->address,
                            .ends = ends,
                            .scope = scope,
                            .line = scope && !ends ? row->line : 0,
                            .column = row->column}));
  }
  return DLOC_OK;
}

/* `mode.full.function` */
dloc_status dloc_full_function(dloc_full *full, const dloc_edit_function *function, const dloc_edit_function *other) {
  if (!full->sorted)
    SORT(full->rows, by_address);
  full->sorted = true;
  for (size_t i = first_from(&full->rows, other->section, other->address, false); i < full->rows.count; i++) {
    change moved = full->rows.items[i];
    if (moved.section != other->section || moved.address - other->address >= other->size)
      break;
    moved.section = function->section;
    moved.address += function->address - other->address;
    TRY(add_change(full, &full->changes, moved));
  }
  return add_change(
      full, &full->changes,
      (change){.section = function->section, .address = function->address + function->size, .ends = true});
}

/* ---- Numbers ---- */

/* The lines of all kinds at an address; 0: none has any. */
static dloc_status number_layers(dloc_full *full, uint32_t *ret) {
  dloc_context *context = full->context;
  dloc_node made = DLOC_NULL;
  dloc_layer layer;
  full->layers.count = 0;
  for (size_t i = 0; i < full->kinds.count; i++) {
    const change *last = &full->kinds.items[i].last;
    const dloc_location content = {.line = last->line, .column = last->column, .scope = last->scope};
    if (!last->line)
      continue;
    layer.kind = full->kinds.items[i].name;
    TRY(dloc_location_create(context, false, &content, &layer.location));
    PUSH(context, full->layers, layer);
  }
  *ret = 0;
  if (!full->layers.count)
    return DLOC_OK;
  TRY(dloc_debug_loc_create(context, layer.location, full->layers.items, full->layers.count, &made));
  if (map_get(&full->numbers, made, 0, ret))
    return DLOC_OK;
  TRY(dloc_hidden_add(full->hidden, made, ret));
  return map_add(context, &full->numbers, made, 0, *ret, NULL);
}

static dloc_status number_changes(dloc_full *full) {
  change_list *all = &full->changes;
  size_t kept = 0;
  if (full->numbered)
    return DLOC_OK;
  SORT(*all, by_address);
  for (size_t i = 0; i < all->count; i++) {
    change *c = &all->items[i];
    full->kinds.items[c->kind].last = *c;
    if (i + 1 < all->count && c[1].section == c->section && c[1].address == c->address)
      continue;
    TRY(number_layers(full, &c->number));
    all->items[kept++] = *c;
  }
  all->count = kept;
  full->numbered = true;
  return DLOC_OK;
}

/* `mode.full.row` */
dloc_status dloc_full_number(dloc_full *full, uint32_t section, const dloc_row *rows, size_t count, dloc_rows *to) {
  TRY(number_changes(full));
  const change *changes = full->changes.items;
  for (size_t i = 0; i < count; i++) {
    bool ends = rows[i].flags & DLOC_ROW_END_SEQUENCE || i + 1 == count;
    size_t next = first_from(&full->changes, section, rows[i].address, true);
    dloc_row row = rows[i];
    row.discriminator = !ends && next && changes[next - 1].section == section ? changes[next - 1].number : 0;
    PUSH(to->context, to->rows, row);
    for (; !ends && next < full->changes.count && changes[next].section == section &&
           changes[next].address < rows[i + 1].address;
         next++) {
      row.address = changes[next].address;
      row.flags = 0;
      row.discriminator = changes[next].number;
      PUSH(to->context, to->rows, row);
    }
  }
  return DLOC_OK;
}
