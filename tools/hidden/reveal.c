/* reveal.c - `dloc reveal`: the layers of what an LLVM made of a hidden module. */
#include "reveal.h"

#include "document/memory.h"
#include "document/buffer.h"
#include "full.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const tool_usage usage = {
    "dloc reveal --table TABLE [OPTION...] FILE | --full DIR [OPTION...]",
    "Give FILE, which LLVM made of a module that `dloc hide` wrote, its layers back. TABLE is the one that `dloc\n"
    "hide` wrote.\n"
    "- A module has tuples again, or lists of layers, and the list of embedded texts. Bitcode is read by way of\n"
    "  llvm-dis, and an OUT whose name ends in .bc is written as `dloc assemble` does. With --exact what the same\n"
    "  passes made of the module without layers (`dloc hide --exact`) gets them, but for functions whose code differs.\n"
    "- An object (.o) gets a line table for each kind of layer, `.debug_line_<kind>`, and the embedded texts in\n"
    "  COMDAT groups, `.debug_txt.<kind>.<hash>`; its own line table has the discriminators of the module again. With\n"
    "  --exact the object that LLVM made of the module without layers (`dloc project --primary`) gets the tables of\n"
    "  layers, if its code is the same, and stays as it is in every other section.\n"
    "- Assembler text for ELF (.s) has its own lines and discriminators again, and the same as sections of\n"
    "  data, which any assembler and linker take.\n"
    "- PTX (.ptx) of a module that was hidden with --in column has its own columns again, a .loc_intermediate behind\n"
    "  a .loc for each layer that the profile has directives for, and the texts that these lead to.\n"
    "\n"
    "With --full, DIR is what `dloc hide --full` wrote, and has what LLVM made of each module: objects, or else bitcode,\n"
    "or else the texts themselves, that opt has changed. DIR/primary.o gets the tables of layers, and is as --exact\n"
    "leaves it otherwise. The layers of a kind are the lines of DIR/KIND.o. A function whose code differs there, by its\n"
    "bytes and relocations, has no layers of that kind; a message tells, and the exit status is 1. DIR/primary.ll or .bc\n"
    "likewise gets the locations of the others as layers.\n"
    "\n"
    "A module that was linked of several ones needs the table of each: --table may be repeated.\n"
    "\n"
    "Exit status: 0 fine, also when warnings tell of lost layers; 1 FILE is none of the tables', or cannot get layers,\n"
    "for the reason that is shown, or with --full a function has lost some; 2 bad usage, unreadable or unwritable\n"
    "files.\n",
    "dloc hide tests/lit/Inputs/layers.ll --table /tmp/layers.table | opt-22 -O2 -S -o /tmp/plain.ll\n"
    "dloc reveal /tmp/plain.ll --table /tmp/layers.table | dloc print --locations -\n",
    0, 1};

/* ---- Tables ---- */

static const char *const last_numbers[] = {[DLOC_HIDDEN_IN_DISCRIMINATOR] = "discriminator is 4294967295",
                                           [DLOC_HIDDEN_IN_COLUMN] = "column is 65535",
                                           [DLOC_HIDDEN_IN_LINE] = "line is 4294967295"};

/* taken: entries of the table that have numbers. */
static int reject_number(const tool_input *input, dloc_hidden_in in, size_t taken) {
  char *text =
      text_format("entry %zu of !dloc.hidden.layers has no number: the largest %s", taken + 1, last_numbers[in]);
  tool_diagnose(input, NULL, "error", text, dloc_reason_name(DLOC_REASON_HIDE_LIMIT));
  free(text);
  return TOOL_VIOLATION;
}

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
  size_t before = dloc_hidden_count(hidden);
  status = dloc_hidden_read(hidden, table, &reason);
  if (status == DLOC_LIMIT)
    tool_exit(reject_number(&input, dloc_hidden_where(hidden), dloc_hidden_count(hidden) - before));
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
static const kind kinds[] = {
    {"\177ELF", NULL, reveal_object}, {NULL, ".o", reveal_object}, /* of another format: which is told */
    {NULL, ".ptx", reveal_ptx},       {"//\n// Generated by LLVM NVPTX", NULL, reveal_ptx},
    {NULL, ".s", reveal_assembly},    {"\t.", NULL, reveal_assembly},
    {NULL, NULL, reveal_module}};

static bool fits(const kind *k, const tool_input *input) {
  size_t size = k->begins ? strlen(k->begins) : 0, name = strlen(input->name), end = k->ends ? strlen(k->ends) : 0;
  return input->text.size >= size && memcmp(input->text.bytes, k->begins ? k->begins : "", size) == 0 && name >= end &&
         strcmp(input->name + name - end, k->ends ? k->ends : "") == 0;
}

/* What `dloc hide --full` wrote is the table, and what LLVM made of the primaries is the file. */
static char *open_full(reveal_request *request) {
  static const char *const endings[] = {".o", ".bc", ".ll"};
  char *path = NULL;
  for (size_t i = 0; i < sizeof endings / sizeof *endings && (!path || access(path, F_OK) != 0); i++) {
    free(path);
    path = full_path(request->full, FULL_PRIMARY, endings[i]);
  }
  if (request->tables.count || request->base)
    tool_fail("--full: the table and all files are those of its directory");
  *MEMORY_ADD(request->tables.items, request->tables.count) = full_path(request->full, FULL_TABLE, "");
  request->base = path;
  return path;
}

int tool_reveal(int argc, char **argv) {
  reveal_request request = {.llvm.timeout = LLVM_TOOLS_TIMEOUT};
  const char *profile = "rfc+ld"; /* names that each linker keeps apart */
  tool_list choices = {.count = 0};
  const tool_option options[] = {
      {TOOL_LIST, "table", "TABLE", "what `dloc hide` wrote (may be repeated)", &request.tables},
      {TOOL_OUTPUT, "o", "OUT", "write to OUT instead of standard output", &request.output},
      LLVM_TOOLS_OPTIONS(&request.llvm),
      {TOOL_TEXT, "exact", "BASE", "the same object or module without layers: it gets them, and stays as it is",
       &request.base},
      {TOOL_TEXT, "full", "DIR", "join the files of DIR, of which each has one kind of layer", &request.full},
      {TOOL_TEXT, "profile", "NAME", "the rules, as of names of sections: a built-in profile; rfc+ld by default",
       &profile},
      {TOOL_LIST, "choice", "NAME=ALTERNATIVE", "change one choice of the profile (may be repeated)", &choices},
      {0}};
  tool_input input;
  const kind *k = kinds;
  argc = tool_parse(argc, argv, &usage, options);
  if ((argc == 0) != (request.full != NULL))
    tool_fail(request.full ? "--full: no FILE beside it" : "which file? Or --full DIR");
  char *path = request.full ? open_full(&request) : NULL;
  if (request.tables.count == 0)
    tool_fail("option '--table' is missing: what `dloc hide` wrote");
  request.profile = *tool_profile(profile);
  for (size_t i = 0; i < choices.count; i++)
    tool_choose(choices.items[i], &request.profile);
  int result = TOOL_UNUSABLE;
  if (tool_input_open(path ? path : argv[0], &input)) {
    while (!fits(k, &input))
      k++;
    if (request.base && k->reveal != reveal_object && k->reveal != reveal_module)
      tool_fail("--exact: %s is neither an object nor a module", input.name);
    result = k->reveal(&request, &input);
    tool_input_close(&input);
  }
  if (path)
    free((char *)request.tables.items[0]);
  free(path);
  free(request.tables.items);
  free(choices.items);
  return result;
}
