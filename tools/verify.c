/* dloc verify: check the rules about debug locations in modules. */
#include "tools.h"

#include "document/value.h"

#include <string.h>

static const tool_usage usage = {
    "dloc verify [OPTION...] FILE...",
    "Check every rule about debug locations in each FILE (a .ll or .bc module; `-` is standard input), and\n"
    "report every violation, not just the first, on standard error. The last line about a file says what LLVM\n"
    "would do with it. -W warns of what the rules permit and hardly any producer means (SPEC.md 3.1,\n"
    "PRODUCERS.md).\n\n"
    "Exit status: 0 no violation; 1 a violation, also of a rule that is checked while reading (a missing field,\n"
    "an undefined node), or with -Werror a warning; 2 a file that cannot be read or is no module at all, or bad\n"
    "usage.\n",
    "dloc verify --profile llvm-22 tests/lit/Inputs/layers.ll\ndloc verify -W tests/lit/Inputs/layers.ll\n", 1, -1};

/* What the command line asks for. */
typedef struct wishes {
  dloc_profile profile;
  bool quiet, json, warnings, errors; /* errors: a warning counts as a violation */
} wishes;

/* The checking of one file. */
typedef struct checking {
  tool_module tool;
  const wishes *asked;
  bool cyclic;
  dloc_verdict verdict; /* those of severity PARSE count as hard */
  uint64_t warnings;
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
  bool warning = found->severity == DLOC_SEVERITY_WARNING;
  if (warning)
    c->warnings++;
  else if (found->severity == DLOC_SEVERITY_SOFT)
    c->verdict.soft++;
  else
    c->verdict.hard++;
  c->cyclic |= found->reason == DLOC_REASON_LOCATION_INLINED_AT_CYCLE || found->reason == DLOC_REASON_SCOPE_CYCLE;
  if (c->asked->json)
    print_json(c->tool.input.name, found);
  else if (!c->asked->quiet)
    tool_diagnose(&c->tool.input, found->place, warning ? "warning" : "error", found->message,
                  dloc_reason_name(found->reason));
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

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static void summarise(const checking *c) {
  uint64_t count = c->verdict.soft + c->verdict.hard;
  if (c->asked->quiet || c->asked->json)
    return;
  if (count)
    fprintf(stderr, "%s: %llu violation%s; LLVM %s\n", c->tool.input.name, (unsigned long long)count, plural(count),
            consequence(c));
  if (c->warnings)
    fprintf(stderr, "%s: %llu warning%s\n", c->tool.input.name, (unsigned long long)c->warnings, plural(c->warnings));
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

static int check_text(checking *c) {
  const dloc_profile *profile = &c->asked->profile;
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(&c->tool, profile, &diagnostic);
  if (status == DLOC_INVALID)
    return on_diagnostic(c, &diagnostic);
  if (status == DLOC_OK)
    status = dloc_verify(c->tool.module, profile, on_violation, c, NULL);
  if (status == DLOC_OK && c->asked->warnings && !c->cyclic)
    status = dloc_warn(c->tool.module, profile, on_violation, c);
  if (status == DLOC_INVALID) /* layers that the profile rejects: the violations say so */
    status = DLOC_OK;
  if (status != DLOC_OK)
    return tool_failure(status, c->tool.input.name);
  bool wrong = c->verdict.soft || c->verdict.hard || (c->asked->errors && c->warnings);
  return wrong ? TOOL_VIOLATION : TOOL_FINE;
}

static int check_file(const char *path, const wishes *asked) {
  checking c = {.asked = asked};
  if (!tool_input_open(path, &c.tool.input))
    return TOOL_UNUSABLE;
  int result = check_text(&c);
  summarise(&c);
  return tool_module_close(&c.tool, result);
}

int tool_verify(int argc, char **argv) {
  wishes asked = {.quiet = false};
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&asked.profile),
      {TOOL_FLAG, "W", NULL, "warn of what is permitted and hardly meant", &asked.warnings},
      {TOOL_FLAG, "Werror", NULL, "the same, and a warning makes the exit status 1", &asked.errors},
      {TOOL_FLAG, "quiet", NULL, "say nothing: the exit status tells", &asked.quiet},
      {TOOL_FLAG, "json", NULL, "one JSON object a violation or warning on standard output, each in a line",
       &asked.json},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  asked.warnings |= asked.errors;
  int worst = TOOL_FINE;
  for (int i = 0; i < count; i++) {
    int result = check_file(argv[i], &asked);
    if (result > worst)
      worst = result;
  }
  return worst;
}
