/* dloc mlir ids, dloc mlir primary: MLIR's text with other locations. */
#include "objects/dloc_mlir.h"
#include "mlir.h"
#include "hidden/numbers.h"
#include "help/mlir_ids.h"
#include "help/mlir_primary.h"

#include "document/buffer.h"
#include "shell/tools.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
  tool_list tags;
  const char *table; /* NULL: primaries */
  uint64_t first;
  const char *output;
} request;

#define BYTECODE "ML\xEFR"

/* The result of reading the text. */
typedef struct locations {
  tool_input input;
  dloc_context *context;
  dloc_mlir *mlir;
  dloc_hidden *table;
  dloc_mlir_meaning *meaning;
  dloc_text *tags;
} locations;

static dloc_status mean(locations *l, const request *request) {
  dloc_mlir_options options = {.tags = l->tags, .tag_count = request->tags.count};
  const uint32_t first = numbers_begin(request->first, l->input.text, 1U << 31);
  TRY(dloc_hidden_create(l->context, &l->table));
  TRY(dloc_hidden_begin(l->table, DLOC_HIDDEN_IN_LINE, first));
  if (request->table)
    TRY(dloc_hidden_stand_in(l->table, DLOC_NULL, &options.stand_in));
  return dloc_mlir_mean(l->context, l->mlir, &options, &l->meaning);
}

static void warn_of_missing_tags(const locations *l, const request *request) {
  OWNED(memory_release) bool *found = memory_allocate(request->tags.count, sizeof *found);
  for (size_t i = 0; i < dloc_mlir_count(l->mlir); i++) {
    const dloc_mlir_location location = dloc_mlir_at(l->mlir, (dloc_mlir_number)i);
    for (size_t k = 0; location.kind == DLOC_MLIR_NAME && k < request->tags.count; k++)
      found[k] |= dloc_text_equal(dloc_node_text(l->context, location.text), l->tags[k]);
  }
  for (size_t k = 0; k < request->tags.count; k++)
    if (!found[k]) {
      OWNED(memory_release) char *message = text_format("no location has the tag %s", request->tags.items[k]);
      tool_diagnose(&l->input, NULL, "warning", message, NULL);
    }
}

static void warn_of_locations_left(const locations *l) {
  dloc_diagnostic first;
  if (dloc_mlir_left(l->mlir, l->meaning, &first))
    tool_diagnose(&l->input, &(dloc_place){first.offset, first.line, first.column, 0}, "warning", first.message, NULL);
}

static dloc_status write_text(locations *l, const request *request, FILE *file) {
  const dloc_sink sink = tool_file_sink(file);
  return request->table ? dloc_mlir_write_ids(l->mlir, l->meaning, l->table, sink)
                        : dloc_mlir_write_primary(l->mlir, l->meaning, sink);
}

static int filter(locations *l, const request *request) {
  dloc_status status = mean(l, request);
  if (status != DLOC_OK)
    return tool_failure(status, l->input.name);
  warn_of_missing_tags(l, request);
  if (request->table)
    warn_of_locations_left(l);
  tool_outputs_begin();
  tool_output output = tool_output_open(request->output);
  status = write_text(l, request, output.file);
  int result = status == DLOC_OK && request->table ? numbers_write(l->table, request->table) : TOOL_FINE;
  if (result == TOOL_FINE)
    result = tool_output_finish(&output, status, l->input.name);
  else
    tool_output_close(&output, false);
  return tool_outputs_end(result);
}

static int run(const char *path, const request *request) {
  locations l = {.input = tool_input_required(path)};
  dloc_diagnostic diagnostic;
  if (l.input.text.size > 4 && memcmp(l.input.text.bytes, BYTECODE, 4) == 0)
    tool_fail("%s is bytecode of MLIR; print it: mlir-opt --mlir-print-debuginfo", l.input.name);
  l.context = memory_context();
  l.tags = memory_allocate(request->tags.count, sizeof *l.tags);
  for (size_t i = 0; i < request->tags.count; i++)
    l.tags[i] = dloc_text_of(request->tags.items[i]);
  dloc_status status = dloc_mlir_read(l.context, l.input.text, &diagnostic, &l.mlir);
  int result = status == DLOC_OK ? filter(&l, request) : tool_explain(status, &l.input, &diagnostic);
  dloc_mlir_meaning_destroy(l.meaning);
  dloc_mlir_destroy(l.mlir);
  dloc_hidden_destroy(l.table);
  free(l.tags);
  dloc_context_destroy(l.context);
  tool_input_close(&l.input);
  return result;
}

static int parse_and_run(int argc, char **argv, bool ids) {
  request request = {.first = NUMBERS_BY_CONTENT};
  const tool_option options[] = {{TOOL_LIST, "tag", NULL, &request.tags},
                                 {TOOL_OUTPUT, "o", NULL, &request.output},
                                 {ids ? TOOL_OUTPUT : 0, "table", "where the table goes", &request.table},
                                 NUMBERS_OPTION(&request.first),
                                 {0}};
  tool_parse(argc, argv, ids ? &mlir_ids_usage : &mlir_primary_usage, options);
  if (request.tags.count == 0)
    tool_fail("option '--tag' is missing: a tag that snapshot-op-locations was given");
  if (ids && !request.table)
    tool_fail("option '--table' is missing: where the table goes");
  return run(argv[0], &request);
}

int mlir_ids(int argc, char **argv) { return parse_and_run(argc, argv, true); }
int mlir_primary(int argc, char **argv) { return parse_and_run(argc, argv, false); }
