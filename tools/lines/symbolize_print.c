/* dloc symbolize: answers as text, as tab-separated values, as JSON. */
#include "document/memory.h"
#include "document/value.h"
#include "symbolize.h"

#include <inttypes.h>
#include <stdlib.h>

static const dloc_text unknown = {"??", 2};

static void print_path(dloc_text directory, dloc_text path, const char *behind) {
  bool joins = path.size && !dloc_path_is_absolute(path) && directory.size;
  if (joins)
    tool_print_name(stdout, directory, directory.bytes[directory.size - 1] == '/' ? "" : "/");
  tool_print_name(stdout, path.size ? path : unknown, behind);
}

/* ---- Text ---- */

static void print_frame(const dloc_symbol_frame *frame) {
  tool_print_name(stdout, frame->function.size ? frame->function : unknown, "\n");
  print_path(frame->directory, frame->path, ":");
  printf("%" PRIu32 ":%" PRIu32, frame->line, frame->column);
  if (frame->discriminator)
    printf(" (discriminator %" PRIu32 ")", frame->discriminator);
  putchar('\n');
}

static void print_layer(const dloc_layer_line *layer) {
  tool_print_name(stdout, layer->kind, ": ");
  print_path(layer->directory, layer->name.size ? layer->name : layer->file, ":");
  printf("%" PRIu32 ":%" PRIu32 "\n", layer->line, layer->column);
  if (layer->has == DLOC_LAYER_TEXT_LINE) {
    fputs("  ", stdout);
    tool_print_name(stdout, layer->source, "\n");
  }
}

static void print_address(const symbolize_address *address, const char *behind) {
  tool_print_name(stdout, address->name, address->name.size ? "+" : "");
  printf("0x%" PRIx64 "%s", address->shown, behind);
}

static void print_text(const symbolize_answer *a) {
  static const dloc_symbol_frame none = {.line = 0};
  if (a->count) {
    print_address(a->address, ": ");
    printf("%" PRIu64 " sample%s\n", a->count, a->count == 1 ? "" : "s");
  } else if (a->source) {
    print_address(a->address, " by ");
    printf("%s:\n", a->source);
  }
  for (size_t i = 0; i < a->frames->count; i++)
    print_frame(&a->frames->items[i]);
  if (!a->frames->count)
    print_frame(&none);
  for (size_t i = 0; i < a->layer_count; i++)
    print_layer(&a->layers[i]);
  putchar('\n');
}

/* ---- Tab-separated values ---- */

static void begin_tsv(const symbolize_answer *a) {
  if (a->count)
    printf("%" PRIu64 "\t", a->count);
  if (a->address->name.size) {
    tool_print_name(stdout, a->address->name, "+0x");
    printf("%" PRIx64 "\t", a->address->shown);
  } else {
    printf("%016" PRIx64 "\t", a->address->shown);
  }
}

static void print_tsv_frame(const symbolize_answer *a, size_t number, const dloc_symbol_frame *frame) {
  begin_tsv(a);
  printf("%zu\t", number);
  tool_print_name(stdout, frame->function, "\t");
  if (frame->path.size)
    print_path(frame->directory, frame->path, "");
  printf("\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", frame->line, frame->column, frame->discriminator);
}

static void print_tsv_layer(const symbolize_answer *a, const dloc_layer_line *layer) {
  begin_tsv(a);
  fputs("layer ", stdout);
  tool_print_name(stdout, layer->kind, "\t");
  tool_print_name(stdout, layer->source, "\t");
  if (layer->file.size)
    print_path(layer->directory, layer->file, "");
  printf("\t%" PRIu32 "\t%" PRIu32 "\t0\n", layer->line, layer->column);
}

static void print_tsv(const symbolize_answer *a) {
  static const dloc_symbol_frame none = {.line = 0};
  for (size_t i = 0; i < a->frames->count; i++)
    print_tsv_frame(a, i, &a->frames->items[i]);
  if (!a->frames->count)
    print_tsv_frame(a, 0, &none);
  for (size_t i = 0; i < a->layer_count; i++)
    print_tsv_layer(a, &a->layers[i]);
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

static value json_frame(value_arena *arena, const dloc_symbol_frame *frame) {
  value map = {.kind = VALUE_MAP};
  if (frame->function.size)
    value_put_text(arena, &map, "function", frame->function);
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

static void print_json(const symbolize_answer *a) {
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
    value_add(&arena, &frames, json_frame(&arena, &a->frames->items[i]));
  value_put_value(&arena, &map, "frames", frames);
  for (size_t i = 0; i < a->layer_count; i++)
    value_add(&arena, &layers, json_layer(&arena, &a->layers[i]));
  if (a->layer_count)
    value_put_value(&arena, &map, "layers", layers);
  tool_print_json(&map);
  value_arena_deinit(&arena);
}

/* The same frames with names for people, which stand in texts. */
static void demangle_frames(symbolize_frames *frames, dloc_buffer *texts) {
  for (size_t i = 0; i < frames->count; i++)
    frames->items[i].function = symbolize_demangle(frames->items[i].function, &texts[i]);
}

void symbolize_print(symbolize_format format, const symbolize_answer *answer) {
  static void (*const print[])(const symbolize_answer *) = {print_text, print_tsv, print_json};
  dloc_buffer *texts = memory_allocate(answer->frames->count, sizeof *texts);
  if (!answer->mangled)
    demangle_frames(answer->frames, texts);
  print[format](answer);
  for (size_t i = 0; i < answer->frames->count; i++)
    dloc_buffer_deinit(&texts[i]);
  free(texts);
}
