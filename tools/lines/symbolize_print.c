/* dloc symbolize: answers as text, as tab-separated values, as JSON. */
#include "document/buffer.h"
#include "document/memory.h"
#include "document/value.h"
#include "symbolize.h"

#include <inttypes.h>
#include <stdlib.h>

static const dloc_text unknown = {"??", 2};
static const dloc_symbol_frame nothing = {.line = 0};

/* Inline: then the size of what stands behind is known. */
static inline void put_name(dloc_buffer *out, dloc_text name, const char *behind) {
  if (tool_plain_size(name) == name.size)
    buffer_put(out, name);
  else
    (void)tool_write_name(name, buffer_sink(out));
  buffer_put_string(out, behind);
}

/* The function of a frame as people know it, until the next one. */
static dloc_text name_of(const symbolize_answer *a, const dloc_symbol_frame *frame) {
  return a->name ? symbolize_demangle(frame->function, a->name) : frame->function;
}

/* `LINE:COLUMN`; as a format it would take most of the time. */
static void put_position(dloc_buffer *out, uint32_t line, uint32_t column) {
  char text[24], *at = text + sizeof text;
  for (; column > 9; column /= 10)
    *--at = (char)('0' + column % 10);
  *--at = (char)('0' + column);
  *--at = ':';
  for (; line > 9; line /= 10)
    *--at = (char)('0' + line % 10);
  *--at = (char)('0' + line);
  buffer_put(out, (dloc_text){at, (size_t)(text + sizeof text - at)});
}

static inline void put_path(dloc_buffer *out, dloc_text directory, dloc_text path, const char *behind) {
  bool joins = path.size && !dloc_path_is_absolute(path) && directory.size;
  if (joins)
    put_name(out, directory, directory.bytes[directory.size - 1] == '/' ? "" : "/");
  put_name(out, path.size ? path : unknown, behind);
}

/* ---- Text ---- */

static void print_frame(dloc_buffer *out, const symbolize_answer *a, const dloc_symbol_frame *frame) {
  put_name(out, frame->function.size ? name_of(a, frame) : unknown, "\n");
  put_path(out, frame->directory, frame->path, ":");
  put_position(out, frame->line, frame->column);
  if (frame->discriminator)
    buffer_format(out, " (discriminator %" PRIu32 ")", frame->discriminator);
  buffer_put_string(out, "\n");
}

static void print_layer(dloc_buffer *out, const dloc_layer_line *layer) {
  put_name(out, layer->kind, ": ");
  put_path(out, layer->directory, layer->name.size ? layer->name : layer->file, ":");
  put_position(out, layer->line, layer->column);
  buffer_put_string(out, "\n");
  if (layer->has == DLOC_LAYER_TEXT_LINE) {
    buffer_put_string(out, "  ");
    put_name(out, layer->source, "\n");
  }
}

static void print_address(dloc_buffer *out, const symbolize_address *address, const char *behind) {
  put_name(out, address->name, address->name.size ? "+" : "");
  buffer_format(out, "0x%" PRIx64 "%s", address->shown, behind);
}

static void print_text(dloc_buffer *out, const symbolize_answer *a) {
  if (a->count) {
    print_address(out, a->address, ": ");
    buffer_format(out, "%" PRIu64 " sample%s\n", a->count, a->count == 1 ? "" : "s");
  } else if (a->source) {
    print_address(out, a->address, " by ");
    buffer_format(out, "%s:\n", a->source);
  }
  for (size_t i = 0; i < a->frames->count || i == 0; i++)
    print_frame(out, a, a->frames->count ? &a->frames->items[i] : &nothing);
  for (size_t i = 0; i < a->layer_count; i++)
    print_layer(out, &a->layers[i]);
  buffer_put_string(out, "\n");
}

/* ---- Tab-separated values ---- */

static void begin_tsv(dloc_buffer *out, const symbolize_answer *a) {
  if (a->count)
    buffer_format(out, "%" PRIu64 "\t", a->count);
  if (a->address->name.size) {
    put_name(out, a->address->name, "+0x");
    buffer_format(out, "%" PRIx64 "\t", a->address->shown);
  } else {
    buffer_format(out, "%016" PRIx64 "\t", a->address->shown);
  }
}

static void print_tsv_frame(dloc_buffer *out, const symbolize_answer *a, size_t number,
                            const dloc_symbol_frame *frame) {
  begin_tsv(out, a);
  buffer_format(out, "%zu\t", number);
  put_name(out, name_of(a, frame), "\t");
  if (frame->path.size)
    put_path(out, frame->directory, frame->path, "");
  buffer_format(out, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", frame->line, frame->column, frame->discriminator);
}

static void print_tsv_layer(dloc_buffer *out, const symbolize_answer *a, const dloc_layer_line *layer) {
  begin_tsv(out, a);
  buffer_put_string(out, "layer ");
  put_name(out, layer->kind, "\t");
  put_name(out, layer->source, "\t");
  if (layer->file.size)
    put_path(out, layer->directory, layer->file, "");
  buffer_format(out, "\t%" PRIu32 "\t%" PRIu32 "\t0\n", layer->line, layer->column);
}

static void print_tsv(dloc_buffer *out, const symbolize_answer *a) {
  for (size_t i = 0; i < a->frames->count || i == 0; i++)
    print_tsv_frame(out, a, i, a->frames->count ? &a->frames->items[i] : &nothing);
  for (size_t i = 0; i < a->layer_count; i++)
    print_tsv_layer(out, a, &a->layers[i]);
}

/* ---- JSON ---- */

static void put_place(value_arena *arena, value *map, dloc_text directory, dloc_text path, uint32_t line,
                      uint32_t column) {
  if (path.size && !dloc_path_is_absolute(path) && directory.size)
    value_put_text(arena, map, "directory", directory);
  if (path.size)
    value_put_text(arena, map, "file", path);
  value_put_number(arena, map, "line", line);
  value_put_number(arena, map, "column", column);
}

static value json_frame(value_arena *arena, const symbolize_answer *a, const dloc_symbol_frame *frame) {
  value map = {.kind = VALUE_MAP};
  if (frame->function.size)
    value_put_text(arena, &map, "function", name_of(a, frame));
  put_place(arena, &map, frame->directory, frame->path, frame->line, frame->column);
  value_put_number(arena, &map, "discriminator", frame->discriminator);
  return map;
}

static value json_layer(value_arena *arena, const dloc_layer_line *layer) {
  value map = {.kind = VALUE_MAP};
  value_put_text(arena, &map, "kind", layer->kind);
  put_place(arena, &map, layer->directory, layer->file, layer->line, layer->column);
  if (layer->name.size)
    value_put_text(arena, &map, "name", layer->name);
  if (layer->has == DLOC_LAYER_TEXT_LINE)
    value_put_text(arena, &map, "text", layer->source);
  return map;
}

static void print_json(dloc_buffer *out, const symbolize_answer *a) {
  value_arena arena = {0};
  value map = {.kind = VALUE_MAP}, frames = {.kind = VALUE_LIST}, layers = {.kind = VALUE_LIST};
  char text[32];
  snprintf(text, sizeof text, "0x%" PRIx64, a->address->shown);
  if (a->address->name.size)
    value_put_text(&arena, &map, a->address->kernel.size ? "kernel" : "from", a->address->name);
  value_put_text(&arena, &map, "address", dloc_text_of(text));
  if (a->count)
    value_put_number(&arena, &map, "count", a->count);
  if (a->source)
    value_put_text(&arena, &map, "source", dloc_text_of(a->source));
  for (size_t i = 0; i < a->frames->count; i++)
    value_add(&arena, &frames, json_frame(&arena, a, &a->frames->items[i]));
  value_put_value(&arena, &map, "frames", frames);
  for (size_t i = 0; i < a->layer_count; i++)
    value_add(&arena, &layers, json_layer(&arena, &a->layers[i]));
  if (a->layer_count)
    value_put_value(&arena, &map, "layers", layers);
  (void)value_write_json(&map, buffer_sink(out)); /* a buffer takes all */
  buffer_put_string(out, "\n");
  value_arena_deinit(&arena);
}

void symbolize_print(symbolize_format format, const symbolize_answer *answer, dloc_buffer *out) {
  static void (*const print[])(dloc_buffer *, const symbolize_answer *) = {print_text, print_tsv, print_json};
  out->size = 0;
  print[format](out, answer);
  const dloc_sink sink = tool_file_sink(stdout);
  (void)sink.write(sink.user, out->bytes, out->size); /* the stream remembers that it failed */
}
