/* dloc verify: check the rules about debug locations in modules. */
#include "tools.h"

#include "document/value.h"

#include <string.h>

static const tool_usage usage = {
    "dloc verify [OPTION...] FILE...",
    "Check every rule about debug locations in each FILE (a .ll or .bc module; `-` is standard input), and\n"
    "report every violation, not just the first, on standard error. The last line about a file says what LLVM\n"
    "would do with it.\n\n"
    "Exit status: 0 no violation; 1 a violation, also of a rule that is checked while reading (a missing field,\n"
    "an undefined node); 2 a file that cannot be read or is no module at all, or bad usage.\n",
    "dloc verify --profile llvm-22 tests/lit/Inputs/layers.ll\n", 1, -1};

/* The checking of one file. */
typedef struct checking {
  tool_module tool;
  bool quiet;
  bool json;
  bool cyclic;
  dloc_verdict verdict; /* those of severity PARSE count as hard */
} checking;

/* ---- One violation, as it is shown ---- */

typedef struct finding {
  const dloc_place *place; /* NULL: none */
  const char *message;
  dloc_reason reason;
  const char *clause; /* NULL: found while reading */
  dloc_severity severity;
  dloc_text function; /* empty: none */
  bool has_node;
  uint64_t node;
} finding;

static void print_json(const char *file, const finding *found) {
  value_arena arena = {0};
  value line = {.kind = VALUE_MAP};
  value_put_text(&arena, &line, "file", dloc_text_of(file));
  if (found->place && found->place->line == 0)
    value_put_number(&arena, &line, "bit", found->place->bit);
  if (found->place && found->place->line) {
    value_put_number(&arena, &line, "line", found->place->line);
    value_put_number(&arena, &line, "column", found->place->column);
  }
  value_put_text(&arena, &line, "reason", dloc_text_of(dloc_reason_name(found->reason)));
  if (found->clause)
    value_put_text(&arena, &line, "clause", dloc_text_of(found->clause));
  value_put_text(&arena, &line, "severity", dloc_text_of(dloc_severity_name(found->severity)));
  value_put_text(&arena, &line, "message", dloc_text_of(found->message));
  if (found->function.size)
    value_put_text(&arena, &line, "function", found->function);
  if (found->has_node)
    value_put_number(&arena, &line, "node", found->node);
  if (value_write_json(&line, tool_file_sink(stdout)) == DLOC_OK) /* otherwise main reports it for standard output */
    putchar('\n');
  value_arena_deinit(&arena);
}

static void show(checking *c, const finding *found) {
  if (found->severity == DLOC_SEVERITY_SOFT)
    c->verdict.soft++;
  else
    c->verdict.hard++;
  c->cyclic |= found->reason == DLOC_REASON_LOCATION_INLINED_AT_CYCLE || found->reason == DLOC_REASON_SCOPE_CYCLE;
  if (c->json)
    print_json(c->tool.input.name, found);
  else if (!c->quiet)
    tool_diagnose(&c->tool.input, found->place, "error", found->message, dloc_reason_name(found->reason));
}

static bool on_violation(void *user, const dloc_violation *violation) {
  checking *c = user;
  dloc_place place;
  finding found = {.message = dloc_reason_text(violation->reason),
                   .reason = violation->reason,
                   .clause = dloc_clause_anchor(violation->clause),
                   .severity = violation->severity};
  if (dloc_violation_place(c->tool.module, violation, &place))
    found.place = &place;
  if (violation->function != DLOC_NO_INDEX)
    found.function = dloc_node_text(c->tool.context, dloc_module_function(c->tool.module, violation->function)->name);
  found.has_node = violation->node && dloc_module_number_of(c->tool.module, violation->node, &found.node);
  show(c, &found);
  return true;
}

/* ---- One file ---- */

static const char *consequence(const checking *c) {
  if (c->cyclic)
    return "might not come back from the cycle";
  return c->verdict.hard ? "would reject the module" : "would drop all debug info of this module";
}

static void summarise(const checking *c) {
  uint64_t count = c->verdict.soft + c->verdict.hard;
  if (count == 0 || c->quiet || c->json)
    return;
  fprintf(stderr, "%s: %llu violation%s; LLVM %s\n", c->tool.input.name, (unsigned long long)count,
          count == 1 ? "" : "s", consequence(c));
}

/* What is found while reading is a violation like any other, unless the text is no module at all. */
static int on_diagnostic(checking *c, const dloc_diagnostic *diagnostic) {
  dloc_place place = tool_diagnostic_place(diagnostic);
  show(c, &(finding){.place = &place,
                     .message = diagnostic->message,
                     .reason = diagnostic->reason,
                     .severity = dloc_reason_severity(diagnostic->reason)});
  return tool_reason_status(diagnostic->reason);
}

static int check_text(checking *c, const dloc_profile *profile) {
  dloc_diagnostic diagnostic;
  dloc_verdict verdict;
  dloc_status status = tool_module_read(&c->tool, profile, &diagnostic);
  if (status == DLOC_INVALID)
    return on_diagnostic(c, &diagnostic);
  if (status == DLOC_OK)
    status = dloc_verify(c->tool.module, profile, on_violation, c, &verdict);
  if (status != DLOC_OK)
    return tool_failure(status, c->tool.input.name);
  return c->verdict.soft + c->verdict.hard ? TOOL_VIOLATION : TOOL_FINE;
}

static int check_file(const char *path, const dloc_profile *profile, bool quiet, bool json) {
  checking c = {.quiet = quiet, .json = json};
  if (!tool_input_open(path, &c.tool.input))
    return TOOL_UNUSABLE;
  int result = check_text(&c, profile);
  summarise(&c);
  return tool_module_close(&c.tool, result);
}

int tool_verify(int argc, char **argv) {
  dloc_profile profile;
  bool quiet = false, json = false;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile),
      {TOOL_FLAG, "quiet", NULL, "say nothing: the exit status tells", &quiet},
      {TOOL_FLAG, "json", NULL, "one JSON object a violation on standard output, each in a line", &json},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  int worst = TOOL_FINE;
  for (int i = 0; i < count; i++) {
    int result = check_file(argv[i], &profile, quiet, json);
    if (result > worst)
      worst = result;
  }
  return worst;
}
