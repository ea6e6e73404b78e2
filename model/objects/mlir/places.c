/* spec/hidden.md, chapter 20: ops by places of the program's source. */
#include "places.h"
#include "mlir.h"
#include "nodes/text.h"
#include "source.h"

#include <stdio.h>

enum { MOST_BYTES = 4096, MOST_FRAMES = 64 }; /* of a place */

struct place_ops {
  dloc_context *context;
  map known; /* place -> index of its op */
  ARRAY(place_op) found;
  dloc_mlir_ops *lines;
};

/* ---- Places ---- */

static dloc_text without_folders(dloc_text file) { return text_behind_last(file, "/\\"); }

/* `dump.call-site` */
static dloc_status append(dloc_context *context, dloc_node callee, dloc_node caller, dloc_node *ret) {
  const dloc_text parts[] = {dloc_node_text(context, callee), dloc_text_of(" @[ "), dloc_node_text(context, caller)};
  *ret = callee ? callee : caller;
  if (!callee || !caller)
    return DLOC_OK;
  bool fits = parts[0].size && parts[2].size && parts[0].size + parts[2].size <= MOST_BYTES;
  return fits ? join_texts(context, parts, 3, ret) : dloc_string(context, dloc_text_of(""), ret);
}

/* `dump.place` */
static dloc_status add(dloc_context *context, dloc_node file, uint32_t line, uint32_t column, dloc_node *ret) {
  char place[32];
  snprintf(place, sizeof place, column ? ":%u:%u" : ":%u", (unsigned)line, (unsigned)column);
  const dloc_text parts[] = {without_folders(dloc_node_text(context, file)), dloc_text_of(place)};
  *ret = DLOC_NULL;
  return line ? join_texts(context, parts, 2, ret) : DLOC_OK;
}

dloc_status place_of(dloc_context *context, dloc_node location, dloc_node *ret) {
  dloc_node frame = DLOC_NULL;
  size_t count = 0;
  for (*ret = DLOC_NULL; location;) {
    if (node_kind(context, location) != DLOC_KIND_LOCATION || ++count > MOST_FRAMES)
      return *ret = DLOC_NULL, DLOC_OK;
    dloc_location content = location_content(context, location);
    dloc_node file = dloc_field_value(context, dloc_scope_file(context, content.scope), "filename");
    TRY(add(context, file, content.line, content.column, &frame));
    if (!frame)
      return *ret = DLOC_NULL, DLOC_OK;
    TRY(append(context, *ret, frame, ret));
    location = *ret ? content.inlined_at : DLOC_NULL;
  }
  return DLOC_OK;
}

uint32_t place_in(const dloc_context *context, dloc_node place, dloc_text file) {
  dloc_text text = dloc_node_text(context, place);
  uint32_t line = 0;
  file = without_folders(file);
  if (text.size <= file.size || memcmp(text.bytes, file.bytes, file.size) != 0 || text.bytes[file.size] != ':')
    return 0;
  for (size_t i = file.size + 1; i < text.size && text.bytes[i] >= '0' && text.bytes[i] <= '9'; i++)
    line = line * 10 + (uint32_t)(text.bytes[i] - '0');
  return line;
}

/* `dump.fused`: places of its parts have smaller numbers. */
static dloc_status place_of_one(dloc_context *context, const dloc_mlir_location *l, const dloc_node *of,
                                dloc_node *ret) {
  *ret = l->part_count ? of[l->parts[0]] : DLOC_NULL;
  if (l->kind == DLOC_MLIR_FILE)
    return add(context, l->text, l->line, l->column > DLOC_COLUMN_LIMIT ? 0 : l->column, ret);
  if (l->kind == DLOC_MLIR_CALL_SITE)
    return append(context, of[l->parts[0]], of[l->parts[1]], ret);
  for (uint32_t i = 1; l->kind == DLOC_MLIR_FUSED && i < l->part_count; i++)
    *ret = of[l->parts[i]] == *ret ? *ret : DLOC_NULL;
  return DLOC_OK;
}

/* ---- The ops of a text ---- */

/* `dump.several`: the last one in the text, whose locations stand at their ends. */
static dloc_status add_op(place_ops *ops, dloc_node place, uint32_t line) {
  uint32_t i;
  if (!dloc_node_text(ops->context, place).size) /* none, or one that is too long */
    return DLOC_OK;
  TRY(map_add(ops->context, &ops->known, place, 0, (uint32_t)ops->found.count, &i));
  if (i == ops->found.count)
    PUSH(ops->context, ops->found, place_ops_at(ops, line));
  place_op *op = &ops->found.items[i];
  if (line != op->line)
    *op = place_ops_at(ops, line > op->line ? line : op->line), op->exact = false;
  return DLOC_OK;
}

/* `dump.op`: the location at the end of a line is that of its op, or of the op whose region ends there. */
static dloc_status read_lines(place_ops *ops, const dloc_mlir *mlir, dloc_text text, const dloc_node *of,
                              scratch *open) {
  size_t count, use = 0;
  uint32_t number = 0;
  const dloc_mlir_use *uses = dloc_mlir_uses(mlir, &count);
  for (size_t at = 0, next; at < text.size; at = next) {
    const char *begin = text.bytes + at, *stop = memchr(begin, '\n', text.size - at), *first = begin;
    stop = stop ? stop : text.bytes + text.size;
    next = (size_t)(stop - text.bytes) + 1;
    while (first < stop && *first == ' ')
      first++;
    uint32_t owner = mlir_op_column(ops->lines, ++number) ? number : 0;
    if (first < stop && *first == '}')
      owner = open->count ? open->words[--open->count] : 0;
    for (; use < count && uses[use].at < next; use++)
      if (owner && !uses[use].definition && text.bytes + uses[use].end + 1 == stop)
        TRY(add_op(ops, of[uses[use].location], owner));
    if (first < stop && stop[-1] == '{')
      TRY(scratch_push(ops->context, open, owner));
  }
  return DLOC_OK;
}

static dloc_status read_ops(place_ops *ops, const dloc_mlir *mlir, dloc_text text) {
  const size_t count = dloc_mlir_count(mlir);
  scratch open = {0};
  ALLOCATE(ops->context, dloc_node, of, count + 1);
  OWNED_MEMORY(ops->context, &of, &open.words);
  for (size_t i = 0; i < count; i++) {
    dloc_mlir_location location = dloc_mlir_at(mlir, (dloc_mlir_number)i);
    TRY(place_of_one(ops->context, &location, of, &of[i]));
  }
  TRY(dloc_mlir_ops_create(ops->context, text, &ops->lines));
  return read_lines(ops, mlir, text, of, &open);
}

OWNER(dloc_mlir)

dloc_status place_ops_create(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, place_ops **ret) {
  OWNED(release_dloc_mlir) dloc_mlir *mlir = NULL;
  CREATE(context, place_ops, ops, .context = context);
  *ret = ops;
  TRY(dloc_mlir_read(context, text, diagnostic, &mlir));
  return read_ops(ops, mlir, text);
}

void place_ops_destroy(place_ops *ops) {
  if (!ops)
    return;
  dloc_mlir_ops_destroy(ops->lines);
  CONTEXT_FREE(ops->context, ops->known.entries, ops->found.items, ops);
}

place_op place_ops_find(const place_ops *ops, const dloc_profile *profile, dloc_node place) {
  uint32_t i;
  if (!place || !map_get(&ops->known, place, 0, &i))
    return (place_op){0};
  place_op op = ops->found.items[i];
  return op.exact || DLOC_TAKES(profile, DUMP_SEVERAL, LAST) ? op : (place_op){0};
}

place_op place_ops_at(const place_ops *ops, uint32_t line) {
  uint32_t column = mlir_op_column(ops->lines, line);
  return (place_op){column ? line : 0, column, true};
}
