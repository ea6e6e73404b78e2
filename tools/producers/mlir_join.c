/* mlir_join.c - `dloc mlir join`: the module that a producer makes anyway gets the layers of the one with numbers. */
#include "document/buffer.h"
#include "hidden/join.h"
#include "mlir.h"
#include "hidden/reveal.h"
#include "help/mlir_join.h"

#include <stdlib.h>
#include <string.h>

/* KIND=SNAPSHOT */
static join_text open_text(const char *argument) {
  join_text text = {.kind = NULL};
  const char *equals = strchr(argument, '=');
  if (!equals || equals == argument)
    tool_fail("--layer %s: KIND=SNAPSHOT is needed", argument);
  text.kind = memory_copy((dloc_text){argument, (size_t)(equals - argument)});
  text.snapshot = tool_input_required(equals + 1);
  return text;
}

static join_text *open_texts(const tool_list *layers) {
  join_text *texts = memory_allocate(layers->count, sizeof *texts);
  for (size_t i = 0; i < layers->count; i++) {
    texts[i] = open_text(layers->items[i]);
    for (size_t k = 0; k < i; k++)
      if (strcmp(texts[k].kind, texts[i].kind) == 0)
        tool_fail("--layer: two texts of the kind %s", texts[i].kind);
  }
  return texts;
}

static int join_files(const join_request *request, const tool_list *tables, char **paths) {
  OWNED(tool_input_close)
  tool_input base = tool_input_required(paths[0]), numbered = tool_input_required(paths[1]);
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  OWNED(release_dloc_hidden) dloc_hidden *table = reveal_tables(&(reveal_request){.tables = *tables}, context);
  if (dloc_hidden_where(table) != DLOC_HIDDEN_IN_LINE)
    tool_fail("%s is no table of `dloc mlir ids`", tables->items[0]);
  return join_modules(request, &base, &numbered, context, table);
}

int mlir_join(int argc, char **argv) {
  join_request request = {.counts = false};
  tool_list tables = {.count = 0}, layers = {.count = 0};
  const tool_option options[] = {
      {TOOL_LIST, "table", NULL, &tables},
      {TOOL_LIST, "layer", "as KIND=SNAPSHOT, the text of a kind of layer (may be repeated)", &layers},
      {TOOL_FLAG, "constants-may-differ", NULL, &request.constants_may_differ},
      {TOOL_FLAG, "counts", NULL, &request.counts},
      {TOOL_OUTPUT, "o", NULL, &request.output},
      TOOL_PROFILE_OPTIONS(&request.profile),
      {0}};
  tool_parse(argc, argv, &mlir_join_usage, options);
  if (tables.count != 1)
    tool_fail("--table: one table is needed, that of `dloc mlir ids`");
  OWNED(memory_release) join_text *texts = open_texts(&layers);
  request.texts = texts;
  request.text_count = layers.count;
  int result = join_files(&request, &tables, argv);
  for (size_t i = 0; i < layers.count; i++) {
    tool_input_close(&texts[i].snapshot);
    free((char *)(uintptr_t)texts[i].kind);
  }
  return result;
}
