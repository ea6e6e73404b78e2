/* reveal.c - `dloc reveal`: the layers of what an LLVM made of a hidden module. */
#include "reveal.h"

#include <stdlib.h>

#include <string.h>

static const tool_usage usage = {
    "dloc reveal --table TABLE [OPTION...] FILE",
    "Give FILE, which LLVM made of a module that `dloc hide` wrote, its layers back. TABLE is the one that `dloc\n"
    "hide` wrote.\n"
    "- A module (.ll) has tuples again, or lists of layers, and the list of embedded texts.\n"
    "\n"
    "A module that was linked of several ones needs the table of each: --table may be repeated.\n"
    "\n"
    "Exit status: 0 fine; 1 FILE is none of the tables', or a layer is lost, and a message says which; 2 bad usage,\n"
    "unreadable or unwritable files.\n",
    "dloc hide tests/lit/Inputs/layers.ll --table /tmp/layers.table | opt-22 -O2 -S -o /tmp/plain.ll\n"
    "dloc reveal /tmp/plain.ll --table /tmp/layers.table | dloc print --locations -\n",
    1, 1};

/* ---- Tables ---- */

static void read_table(const char *path, dloc_context *context, dloc_hidden *hidden) {
  tool_input input;
  dloc_diagnostic diagnostic;
  dloc_module *table = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  if (!tool_input_open(path, &input))
    tool_exit(TOOL_UNUSABLE);
  dloc_status status = dloc_read_ll(context, input.text, &diagnostic, &table);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &input, &diagnostic));
  status = dloc_hidden_read(hidden, table, &reason);
  if (status != DLOC_OK)
    tool_exit(status == DLOC_INVALID ? tool_reject(&input, NULL, reason) : tool_failure(status, path));
  dloc_module_destroy(table);
  tool_input_close(&input);
}

dloc_hidden *reveal_tables(const reveal_request *request, dloc_context *context) {
  dloc_hidden *hidden = NULL;
  dloc_status status = dloc_hidden_create(context, &hidden);
  if (status != DLOC_OK)
    tool_exit(tool_failure(status, NULL));
  for (size_t i = 0; i < request->tables.count; i++)
    read_table(request->tables.items[i], context, hidden);
  return hidden;
}

/* ---- The kinds of files ---- */

typedef struct kind {
  const char *begins; /* the file's first bytes; NULL: any */
  const char *ends;   /* its name's last ones; NULL: any */
  reveal_file *reveal;
} kind;

/* The first row that fits. */
static const kind kinds[] = {{NULL, NULL, reveal_module}};

static bool fits(const kind *k, const tool_input *input) {
  size_t size = k->begins ? strlen(k->begins) : 0, name = strlen(input->name), end = k->ends ? strlen(k->ends) : 0;
  return input->text.size >= size && memcmp(input->text.bytes, k->begins ? k->begins : "", size) == 0 && name >= end &&
         strcmp(input->name + name - end, k->ends ? k->ends : "") == 0;
}

int tool_reveal(int argc, char **argv) {
  reveal_request request = {.output = NULL};
  const tool_option options[] = {
      {TOOL_LIST, "table", "TABLE", "what `dloc hide` wrote (may be repeated)", &request.tables},
      {TOOL_TEXT, "o", "OUT", "write to OUT instead of standard output", &request.output},
      TOOL_PROFILE_OPTIONS(&request.profile),
      {0}};
  tool_input input;
  const kind *k = kinds;
  tool_parse(argc, argv, &usage, options);
  if (request.tables.count == 0)
    tool_fail("option '--table' is missing: what `dloc hide` wrote");
  if (!tool_input_open(argv[0], &input))
    return TOOL_UNUSABLE;
  while (!fits(k, &input))
    k++;
  int result = k->reveal(&request, &input);
  tool_input_close(&input);
  free(request.tables.items);
  return result;
}
