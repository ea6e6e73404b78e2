/* Any bytes as an ELF file, or as the sections of layers: what addresses are in each layer. spec/hidden.md 18.2 */
#include "objects/dloc_symbolizer.h"
#include "require.h"

#include <string.h>

enum { MOST_ADDRESSES = 64 };

static dloc_status on_problem(void *user, dloc_reason reason, dloc_text section, size_t at) {
  (void)user, (void)at;
  require(reason != DLOC_REASON_NONE && dloc_reason_text(reason)[0] && section.size);
  return DLOC_OK;
}

static void check_layers(const dloc_layer_lines *lines, const dloc_layer_line *layers, size_t count) {
  size_t kinds, texts;
  (void)dloc_layer_lines_kinds(lines, &kinds);
  const dloc_embedded_text *text = dloc_layer_lines_texts(lines, &texts);
  require(count <= kinds);
  for (size_t i = 0; i < count; i++) {
    const dloc_layer_line *layer = &layers[i];
    require(layer->line > 0 && layer->kind.size);
    require(layer->text == DLOC_NO_TEXT || layer->text < texts);
    if (layer->has != DLOC_LAYER_TEXT_LINE)
      continue;
    const dloc_text all = text[layer->text].bytes;
    require(layer->source.bytes >= all.bytes && layer->source.bytes + layer->source.size <= all.bytes + all.size);
    require(!memchr(layer->source.bytes, '\n', layer->source.size));
  }
}

/* The file with another table, if it can have one, is the same file again without it. */
static void select_layers(dloc_symbolizer *symbolizer, dloc_text bytes) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_context *context = dloc_context_create(NULL);
  dloc_object *again = NULL;
  dloc_buffer selected = {0}, back = {0};
  bool found = false;
  size_t count = 0;
  const dloc_text *kinds = symbolizer ? dloc_layer_lines_kinds(dloc_symbolizer_layers(symbolizer), &count) : NULL;
  dloc_status status = count ? dloc_symbolizer_select(symbolizer, bytes, kinds[0], dloc_text_of("texts"), &diagnostic,
                                                      dloc_buffer_sink(&selected))
                             : DLOC_INVALID;
  require(!count || status == DLOC_OK || (status == DLOC_INVALID && diagnostic.message[0]));
  const dloc_text file = status == DLOC_OK ? (dloc_text){selected.bytes, selected.size} : bytes;
  if (context && dloc_object_open(context, file, &diagnostic, &again) == DLOC_OK) {
    dloc_status undone = dloc_object_unselect(again, file, &diagnostic, &back, &found);
    require(undone == DLOC_OK || (undone == DLOC_INVALID && diagnostic.message[0]));
    require(status != DLOC_OK || (found && dloc_text_equal((dloc_text){back.bytes, back.size}, bytes)));
  }
  dloc_object_close(again);
  dloc_context_destroy(context);
  dloc_buffer_deinit(&selected);
  dloc_buffer_deinit(&back);
}

static void ask_symbolizer(dloc_context *context, dloc_text bytes) {
  const dloc_symbolizer_options options = {.on_problem = on_problem};
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  dloc_object *object = NULL;
  dloc_symbolizer *symbolizer = NULL;
  if (dloc_object_open(context, bytes, &diagnostic, &object) != DLOC_OK)
    return;
  dloc_status status = dloc_symbolizer_open(object, &options, &diagnostic, &symbolizer);
  require(status == DLOC_OK || (status == DLOC_INVALID && diagnostic.message[0]));
  for (uint64_t i = 0, address = dloc_object_base(object); symbolizer && i < MOST_ADDRESSES; i++, address += i) {
    dloc_symbol symbol;
    require(dloc_symbolizer_ask(symbolizer, address, &symbol) == DLOC_OK);
    check_layers(dloc_symbolizer_layers(symbolizer), symbol.layers, symbol.layer_count);
  }
  select_layers(symbolizer, bytes);
  dloc_symbolizer_close(symbolizer);
  dloc_object_close(object);
}

/* Units in .debug_line, a table of a layer, a text: each stands in the input behind its size. */
static void ask_sections(dloc_context *context, dloc_text bytes) {
  static const char text_name[] = ".debug_txt.k.d41d8cd98f00b204e9800998ecf8427e";
  dloc_named_bytes sections[] = {{.name = dloc_text_of(".debug_line")},
                                 {.name = dloc_text_of(".debug_line_k")},
                                 {.name = dloc_text_of(text_name)}};
  dloc_profile profile = *dloc_profile_at(0);
  profile.alternative[DLOC_CHOICE_LAYER_LOOKUP_TEXT_HASH] = DLOC_LAYER_LOOKUP_TEXT_HASH_TRUSTED;
  for (size_t i = 0; i < 3; i++) {
    size_t wanted = bytes.size > 1 ? (uint8_t)bytes.bytes[0] + 256 * (size_t)(uint8_t)bytes.bytes[1] : 0;
    size_t header = bytes.size > 1 ? 2 : bytes.size, left = bytes.size - header, size = wanted < left ? wanted : left;
    sections[i].bytes = (dloc_text){bytes.bytes + header, size};
    bytes = (dloc_text){bytes.bytes + header + size, left - size};
  }
  dloc_layer_sections from = {
      .sections = sections, .count = 3, .of_all = {.line = sections[0].bytes, .address_size = 8}, .code = {8, true}};
  dloc_line_table *primary = NULL;
  dloc_layer_lines *lines = NULL;
  require(dloc_line_table_read(context, &profile, &from.of_all, NULL, NULL, &primary) == DLOC_OK);
  from.primary = primary;
  require(dloc_layer_lines_create(context, &profile, &from, on_problem, NULL, &lines) == DLOC_OK);
  for (uint64_t address = 0; address < MOST_ADDRESSES; address++) {
    const dloc_layer_line *layers;
    size_t count;
    require(dloc_layer_lines_find(lines, address, &layers, &count) == DLOC_OK);
    check_layers(lines, layers, count);
  }
  dloc_layer_lines_destroy(lines);
  dloc_line_table_destroy(primary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  dloc_context *context = dloc_context_create(NULL);
  if (!context)
    return 0;
  const dloc_text bytes = {(const char *)data, size};
  if (size && data[0] == 0x7f)
    ask_symbolizer(context, bytes);
  else
    ask_sections(context, bytes);
  dloc_context_destroy(context);
  return 0;
}
