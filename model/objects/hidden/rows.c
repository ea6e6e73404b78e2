/* spec/hidden.md 18.1: rows of a table whose discriminators are numbers become the rows of layers and those of the
 * primary. */
#include "objects/dloc_hidden.h"
#include "source.h"

#include "objects/lines/machine.h"

/* The rows of a kind, or the primary's. */
typedef struct made_rows {
  ARRAY(dloc_row) rows;
  ARRAY(dloc_sequence) sequences;
} made_rows;

typedef struct made_kind {
  made_rows made;
  dloc_node kind;
  ARRAY(dloc_layer_file) files;
  map numbers; /* of files: by DIFile, by text, by name and directory */
  size_t met;  /* at which address it was met last, and had a place */
  size_t placed;
  size_t sequence; /* the number of the sequence in which it has one that goes on; 0: none */
  bool ended;      /* its last row says that there is no layer */
} made_kind;

struct dloc_layer_maker {
  dloc_context *context;
  const dloc_profile *profile;
  const dloc_line_parameters *parameters;
  const dloc_hidden *hidden;
  dloc_line_problem *on_problem;
  void *user;
  made_rows primary;
  ARRAY(made_kind) kinds;
  map kind_numbers;
  map sources; /* by what links a text to a file: its index among the entries */
  map unknown; /* numbers that the table does not have */
  size_t added;
  size_t addresses;      /* How many there were. */
  size_t sequence;       /* How many, with the one at hand. */
  const dloc_row *first; /* of the sequence */
  size_t set_address;    /* of the sequence */
  scratch active;        /* The kinds that have rows in the sequence. */
  scratch open;          /* The kinds whose layer goes on. */
  uint32_t number;       /* The number of the row before. */
  bool stand_in;         /* The row before stood for line 0. */
  uint32_t line;         /* The last line of the sequence that is not 0. */
  bool stood_in;         /* A row behind that line stood for line 0. */
  bool prologue;         /* It, or one before, ended the prologue, and no row with a line has come since. */
};

/* `layer-lines.file` */
static uint32_t first_file(const dloc_layer_maker *maker) { return maker->parameters->version < 5; }

/* ---- The primary's rows ---- */

/* Whether a row says where the code is as the one before does. */
static bool is_same_place(const dloc_row *a, const dloc_row *b) {
  return a->file == b->file && a->line == b->line && a->column == b->column && a->discriminator == b->discriminator;
}

/* `layer-lines.primary.redundant` */
static bool is_redundant(const dloc_layer_maker *maker, const dloc_row *before, const dloc_row *row, uint32_t number,
                         bool stand_in) {
  const uint8_t keeps =
      DLOC_ROW_IS_STMT | DLOC_ROW_BASIC_BLOCK | DLOC_ROW_PROLOGUE_END | DLOC_ROW_EPILOGUE_BEGIN | DLOC_ROW_END_SEQUENCE;
  bool line_0 = before->line == 0 && row->line == 0 && (stand_in || maker->stand_in);
  return !(row->flags & keeps) && before->isa == row->isa &&
         (line_0 || (number != maker->number && is_same_place(before, row)));
}

/* `layer-lines.primary.line-0`, `layer-lines.primary.back` */
static bool restore_line(dloc_layer_maker *maker, dloc_row *row) {
  bool stand_in = row->line == DLOC_HIDDEN_LINE_0;
  bool back = maker->stood_in && row->line == maker->line;
  if (stand_in)
    row->line = 0;
  if (stand_in || back)
    row->flags &= (uint8_t)~DLOC_ROW_IS_STMT;
  maker->stood_in = row->line == 0 && (stand_in || maker->stood_in);
  if (row->line)
    maker->line = row->line;
  return stand_in;
}

/* `layer-lines.primary.prologue` */
static void move_prologue_end(dloc_layer_maker *maker, dloc_row *row, bool stand_in) {
  if (stand_in && row->flags & DLOC_ROW_PROLOGUE_END) {
    row->flags &= (uint8_t)~DLOC_ROW_PROLOGUE_END;
    maker->prologue = true;
  } else if (maker->prologue && row->line) {
    row->flags |= row->flags & DLOC_ROW_END_SEQUENCE ? 0 : DLOC_ROW_PROLOGUE_END | DLOC_ROW_IS_STMT;
    maker->prologue = false;
  }
}

/* `layer-lines.primary`, `layer-lines.primary.discriminator` */
static dloc_status add_primary(dloc_layer_maker *maker, const dloc_row *row, const dloc_hidden_entry *entry) {
  made_rows *made = &maker->primary;
  dloc_row restored = *row;
  if (entry)
    restored.discriminator = entry->discriminator;
  bool stand_in = restore_line(maker, &restored);
  move_prologue_end(maker, &restored, stand_in);
  bool first = row == maker->first;
  if (first || !is_redundant(maker, &made->rows.items[made->rows.count - 1], &restored, row->discriminator, stand_in))
    PUSH(maker->context, made->rows, restored);
  maker->number = row->discriminator;
  maker->stand_in = stand_in;
  return DLOC_OK;
}

/* ---- Files ---- */

/* `layer-lines.file.text`: the entry or layer with the text of a file; DLOC_NULL: there is none. */
static dloc_node text_of(const dloc_layer_maker *maker, const dloc_layer *layer, dloc_node file) {
  dloc_source source;
  uint32_t index;
  size_t count;
  if (source_of_layer(maker->context, layer->location, &source))
    return layer->location;
  if (!map_get(&maker->sources, file, source_links_kind(maker->profile) ? layer->kind : DLOC_NULL, &index))
    return DLOC_NULL;
  return dloc_hidden_sources(maker->hidden, &count)[index];
}

/* `layer-lines.file`: the number of a layer's file. Equal texts are one file, and so are files of one
 * name. `layer-lines.file.equal` */
static dloc_status number_file(dloc_layer_maker *maker, made_kind *kind, const dloc_layer *layer, dloc_node file,
                               uint32_t *ret) {
  dloc_context *context = maker->context;
  uint32_t number = (uint32_t)kind->files.count + first_file(maker);
  if (map_get(&kind->numbers, file, 0, ret))
    return DLOC_OK;
  dloc_node entry = text_of(maker, layer, file);
  uint64_t high = (uint64_t)dloc_field_value(context, file, "directory") << 32;
  uint32_t low = dloc_field_value(context, file, "filename");
  if (entry) {
    high = UINT64_MAX;
    low = entry == layer->location ? dloc_field_value(context, file, "source") : operand_at(context, entry, 2);
  }
  TRY(map_add(context, &kind->numbers, high, low, number, ret));
  if (*ret == number)
    PUSH(context, kind->files, (dloc_layer_file){file, entry});
  return map_add(context, &kind->numbers, file, 0, *ret, NULL);
}

/* ---- Rows of layers ---- */

static dloc_row *last_row(made_kind *kind) { return &kind->made.rows.items[kind->made.rows.count - 1]; }

/* `layer-lines.row`, `layer-lines.registers` */
static dloc_status add_row(dloc_layer_maker *maker, made_kind *kind, const dloc_row *at, uint32_t file, uint32_t line,
                           uint32_t column, uint8_t flags) {
  flags |= line_initial_row(maker->parameters).flags;
  PUSH(maker->context, kind->made.rows,
       (dloc_row){.address = at->address,
                  .line = line,
                  .file = file & DLOC_ROW_MOST_FILE,
                  .op_index = at->op_index,
                  .column = (uint16_t)column,
                  .flags = flags});
  kind->made.sequences.items[kind->made.sequences.count - 1].count++;
  kind->ended = line == 0;
  return DLOC_OK;
}

static bool is_at(const dloc_row *a, const dloc_row *b) {
  return a->address == b->address && a->op_index == b->op_index;
}

/* `layer-lines.sequence`: one begins where the primary's does. */
static dloc_status begin(dloc_layer_maker *maker, uint32_t index, const dloc_row *row, uint32_t file) {
  made_kind *kind = &maker->kinds.items[index];
  kind->sequence = maker->sequence;
  PUSH(maker->context, kind->made.sequences,
       (dloc_sequence){.first = kind->made.rows.count, .set_address = maker->set_address});
  TRY(scratch_push(maker->context, &maker->active, index));
  if (!is_at(row, maker->first))
    return add_row(maker, kind, maker->first, file, 0, 0, 0);
  return DLOC_OK;
}

static dloc_status end(dloc_layer_maker *maker, made_kind *kind, const dloc_row *row) {
  const dloc_row *last = last_row(kind);
  kind->sequence = 0;
  return add_row(maker, kind, row, last->file, last->line, last->column, DLOC_ROW_END_SEQUENCE);
}

/* `layer-lines.gap`: from here on there is no layer. */
static dloc_status end_layer(dloc_layer_maker *maker, made_kind *kind, const dloc_row *row) {
  return add_row(maker, kind, row, last_row(kind)->file, 0, 0, 0);
}

/* `layer-lines.change` */
static dloc_status add_place(dloc_layer_maker *maker, uint32_t index, const dloc_row *row, uint32_t file,
                             const dloc_layer_place *place) {
  made_kind *kind = &maker->kinds.items[index];
  bool begins = kind->sequence != maker->sequence;
  if (begins)
    TRY(begin(maker, index, row, file));
  if (begins || kind->ended)
    TRY(scratch_push(maker->context, &maker->open, index));
  else if (last_row(kind)->line == place->line && last_row(kind)->column == place->column &&
           last_row(kind)->file == file)
    return DLOC_OK;
  return add_row(maker, kind, row, file, place->line, place->column, 0);
}

static dloc_status number_kind(dloc_layer_maker *maker, dloc_node kind, uint32_t *ret) {
  uint32_t number = (uint32_t)maker->kinds.count;
  TRY(map_add(maker->context, &maker->kind_numbers, kind, 0, number, ret));
  if (*ret == number)
    PUSH(maker->context, maker->kinds, (made_kind){.kind = kind});
  return DLOC_OK;
}

/* `layer-lines.repeated`, `layer-lines.line-0`, `layer-lines.fileless`, `layer-lines.none` */
static dloc_status add_layer(dloc_layer_maker *maker, const dloc_row *row, const dloc_layer *layer) {
  dloc_layer_place place = dloc_place_of_layer(maker->context, layer->location);
  uint32_t index, file;
  if (!layer->kind)
    return DLOC_OK;
  TRY(number_kind(maker, layer->kind, &index));
  made_kind *kind = &maker->kinds.items[index];
  bool repeats = kind->met == maker->addresses;
  kind->met = maker->addresses;
  if (repeats || !place.line || !place.file)
    return DLOC_OK;
  kind->placed = maker->addresses;
  TRY(number_file(maker, kind, layer, place.file, &file));
  return add_place(maker, index, row, file, &place);
}

/* `layer-lines.row`: what stands at an address, by its last row. */
static dloc_status add_layers(dloc_layer_maker *maker, const dloc_row *row, const dloc_hidden_entry *entry) {
  dloc_layer layer;
  maker->addresses++;
  for (size_t i = 0; entry && dloc_next_layer(maker->context, entry->layers, &i, &layer);)
    TRY(add_layer(maker, row, &layer));
  for (size_t i = 0; i < maker->open.count;) {
    made_kind *kind = &maker->kinds.items[maker->open.words[i]];
    if (kind->placed == maker->addresses) {
      i++;
      continue;
    }
    TRY(end_layer(maker, kind, row));
    maker->open.words[i] = maker->open.words[--maker->open.count];
  }
  return DLOC_OK;
}

/* ---- Sequences ---- */

/* `layer-lines.number`; *ret_found: whether the row has a number of the table. */
static dloc_status find_entry(dloc_layer_maker *maker, const dloc_row *row, size_t at, dloc_hidden_entry *ret,
                              bool *ret_found) {
  bool first = false;
  *ret_found = row->discriminator && dloc_hidden_find(maker->hidden, row->discriminator, ret);
  if (*ret_found || !row->discriminator)
    return DLOC_OK;
  TRY(map_meet(maker->context, &maker->unknown, row->discriminator, 0, &first));
  return first && maker->on_problem ? maker->on_problem(maker->user, DLOC_REASON_LAYER_LINES_NUMBER, at) : DLOC_OK;
}

/* `layer-lines.end` */
static dloc_status end_sequence(dloc_layer_maker *maker, const dloc_row *row) {
  for (size_t i = 0; i < maker->active.count; i++) {
    made_kind *kind = &maker->kinds.items[maker->active.words[i]];
    if (kind->sequence == maker->sequence)
      TRY(end(maker, kind, row));
  }
  return DLOC_OK;
}

/* `layer-lines.address` */
dloc_status dloc_layer_maker_add(dloc_layer_maker *maker, const dloc_row *rows, size_t count, size_t set_address) {
  made_rows *primary = &maker->primary;
  size_t first = primary->rows.count;
  dloc_hidden_entry entry;
  bool found;
  maker->first = rows;
  maker->set_address = set_address;
  maker->sequence++;
  maker->active.count = maker->open.count = 0;
  maker->line = 0;
  maker->stood_in = false;
  maker->prologue = false;
  for (size_t i = 0; i < count; i++) {
    bool ends = rows[i].flags & DLOC_ROW_END_SEQUENCE;
    TRY(find_entry(maker, &rows[i], maker->added + i, &entry, &found));
    TRY(add_primary(maker, &rows[i], found ? &entry : NULL));
    if (ends)
      TRY(end_sequence(maker, &rows[i]));
    else if (i + 1 == count || !is_at(&rows[i], &rows[i + 1]))
      TRY(add_layers(maker, &rows[i], found ? &entry : NULL));
  }
  maker->added += count;
  PUSH(maker->context, primary->sequences, (dloc_sequence){first, primary->rows.count - first, set_address});
  return DLOC_OK;
}

/* ---- All of it ---- */

void dloc_layer_maker_destroy(dloc_layer_maker *maker) {
  if (!maker)
    return;
  for (size_t i = 0; i < maker->kinds.count; i++) {
    made_kind *kind = &maker->kinds.items[i];
    CONTEXT_FREE(maker->context, kind->made.rows.items, kind->made.sequences.items, kind->files.items,
                 kind->numbers.entries);
  }
  CONTEXT_FREE(maker->context, maker->primary.rows.items, maker->primary.sequences.items, maker->kinds.items,
               maker->kind_numbers.entries, maker->sources.entries, maker->unknown.entries, maker->active.words,
               maker->open.words, maker);
}

/* The first entry that belongs to a file counts. */
static dloc_status index_sources(dloc_layer_maker *maker) {
  size_t count;
  const dloc_node *entries = dloc_hidden_sources(maker->hidden, &count);
  dloc_source source;
  for (size_t i = 0; i < count; i++)
    if (source_read(maker->context, entries[i], &source))
      TRY(map_add(maker->context, &maker->sources, source.file,
                  source_links_kind(maker->profile) ? operand_at(maker->context, entries[i], 0) : DLOC_NULL,
                  (uint32_t)i, NULL));
  return DLOC_OK;
}

dloc_status dloc_layer_maker_create(dloc_context *context, const dloc_profile *profile,
                                    const dloc_line_parameters *parameters, const dloc_hidden *hidden,
                                    dloc_line_problem *on_problem, void *user, dloc_layer_maker **ret) {
  CREATE(context, dloc_layer_maker, maker, .context = context, .profile = profile, .parameters = parameters,
         .hidden = hidden, .on_problem = on_problem, .user = user);
  RETURN_MADE(index_sources(maker), maker, dloc_layer_maker_destroy, ret);
}

static dloc_layer_lines lines_of(const made_rows *made) {
  return (dloc_layer_lines){.rows = made->rows.items,
                            .row_count = made->rows.count,
                            .sequences = made->sequences.items,
                            .sequence_count = made->sequences.count};
}

dloc_layer_lines dloc_layer_maker_primary(const dloc_layer_maker *maker) { return lines_of(&maker->primary); }

size_t dloc_layer_maker_kinds(const dloc_layer_maker *maker) { return maker->kinds.count; }

dloc_layer_lines dloc_layer_maker_kind(const dloc_layer_maker *maker, size_t index) {
  const made_kind *kind = &maker->kinds.items[index];
  dloc_layer_lines lines = lines_of(&kind->made);
  lines.kind = kind->kind;
  lines.files = kind->files.items;
  lines.file_count = kind->files.count;
  return lines;
}
