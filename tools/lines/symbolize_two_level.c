/* dloc symbolize: stacks by two-level line tables: a file's own, or one that is made of it. spec/lines.md,
 * chapter 15 */
#include "document/memory.h"
#include "symbolize.h"
#include "two_level.h"

#include <stdlib.h>

typedef struct source {
  line_file *file;
  two_level_table made;
  const dloc_line_unit *units;
  size_t unit_count;
  dloc_row_index *actuals;   /* of all units */
  dloc_symbol_frame *frames; /* the answer's */
} source;

/* ---- Frames ---- */

typedef struct answer {
  source *source;
  size_t unit;
  symbolize_frames *frames;
} answer;

static dloc_status add_frame(void *user, const dloc_frame *frame) {
  const answer *a = user;
  source *s = a->source;
  *MEMORY_ADD(a->source->frames, a->frames->count) = (dloc_symbol_frame){
      .function = frame->function,
      .directory = {"", 0},
      .path = frame->file ? symbolize_path(s->file, &s->units[a->unit], frame->file) : (dloc_text){"", 0},
      .line = frame->line,
      .column = frame->column,
      .discriminator = frame->discriminator};
  return DLOC_OK;
}

/* The unit whose actuals have the row. */
static bool find_unit(const source *s, size_t row, size_t *ret) {
  size_t low = 0;
  for (size_t end = s->unit_count; low < end;) {
    size_t middle = low + (end - low) / 2;
    if (s->units[middle].two_level.first_actual <= row)
      low = middle + 1;
    else
      end = middle;
  }
  if (!low)
    return false;
  *ret = low - 1;
  return row - s->units[*ret].two_level.first_actual < s->units[*ret].two_level.actual_count;
}

static void ask(void *user, const symbolize_address *address, symbolize_frames *ret) {
  source *s = user;
  answer a = {.source = s, .frames = ret};
  size_t row, logical, count;
  dloc_reason reason;
  if (address->kernel.size || !dloc_row_index_find(s->actuals, address->offset, &row) || !find_unit(s, row, &a.unit))
    return;
  const two_level_unit unit = {s->file, &s->units[a.unit]};
  const dloc_logicals logicals = two_level_logicals(&unit);
  const dloc_row *actual = &dloc_rows_list(dloc_line_table_actuals(s->file->table), &count)[row];
  dloc_status status = DLOC_OK;
  if (dloc_logical_find(&logicals, actual->line, &logical))
    status = dloc_logical_stack(&logicals, logical, (dloc_text){"", 0}, add_frame, &a, &reason);
  tool_require(status, s->file->input.name);
  ret->items = s->frames;
}

/* ---- Sources ---- */

static void close_source(void *user) {
  source *s = user;
  dloc_row_index_destroy(s->actuals);
  line_file_forget(s->file);
  two_level_deinit(&s->made);
  free(s->frames);
  free(s);
}

/* A file's own table may have either form; a cubin's has none, and opcodes of its own. */
static dloc_line_dialect dialect_of(const line_file *file, bool makes) {
  return makes || dloc_line_dialect_of(file->kind) != DLOC_DIALECT_STANDARD ? DLOC_DIALECT_STANDARD
                                                                            : DLOC_DIALECT_ISSUE;
}

static source *open_source(line_file *file, bool makes) {
  dloc_object_section dies;
  if (makes && !line_file_section(file, ".debug_info", 0, &dies))
    return NULL;
  if (!symbolize_read(file, ".debug_line", dialect_of(file, makes)) || two_level_has(file) == makes)
    return NULL;
  const dloc_code code = dloc_object_code(file->object);
  size_t count;
  source *s = memory_allocate(1, sizeof *s);
  s->file = file;
  if (makes)
    two_level_replace(file, DLOC_DIALECT_LOGICALS, &s->made);
  s->units = dloc_line_table_units(file->table, &s->unit_count);
  const dloc_rows *actuals = dloc_line_table_actuals(file->table);
  const dloc_sequence *sequences = dloc_rows_sequences(actuals, &count);
  tool_require(dloc_row_index_create(file->context, &file->profile, &code, actuals, sequences, count, &s->actuals),
               file->input.name);
  return s;
}

static void *open_own(line_file *file) { return open_source(file, false); }
static void *open_made(line_file *file) { return open_source(file, true); }

const symbolize_source symbolize_two_level = {"two-level", open_own, ask, close_source, NULL, NULL};
const symbolize_source symbolize_made = {"made", open_made, ask, close_source, NULL, NULL};
