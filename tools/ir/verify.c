/* dloc verify: check the rules about debug locations in modules. */
#include "help/verify.h"
#include "shell/tools.h"

#include "document/value.h"

/* The request of the command line. */
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
  dloc_diagnoser *diagnoser;
  dloc_reason first; /* of the first violation */
} checking;

/* ---- One violation, as it is shown ---- */

/* A violation with its diagnosis; or, found while reading, a message and a place alone. */
typedef struct finding {
  dloc_reason reason;
  dloc_severity severity;
  const dloc_violation *violation; /* NULL: found while reading */
  const dloc_diagnosis *diagnosis;
} finding;

/* Where a remark points: into the file, or into a node that is shown. */
static void put_remark(value_arena *arena, value *map, const dloc_remark *remark) {
  const dloc_place *place = &remark->place;
  if (remark->placed && place->line == 0) {
    value_put_number(arena, map, "bit", place->bit);
  } else if (remark->placed) {
    value_put_number(arena, map, "line", place->line);
    value_put_number(arena, map, "column", place->column);
  } else if (remark->text.bytes) {
    value_put_text(arena, map, "node_text", remark->text);
    value_put_number(arena, map, "column", remark->offset + 1);
  }
  if (remark->size)
    value_put_number(arena, map, "size", remark->size);
  dloc_text message = remark->message; /* without the colon that the line below it is shown behind */
  message.size -= message.size && message.bytes[message.size - 1] == ':';
  value_put_text(arena, map, "message", message);
}

static void put_violation(const checking *c, value_arena *arena, value *line, const dloc_violation *violation) {
  uint64_t number;
  value_put_word(arena, line, "clause", dloc_clause_anchor(violation->clause));
  value_put_word(arena, line, "text", dloc_reason_text(violation->reason));
  if (violation->met_function != DLOC_NO_INDEX)
    value_put_text(
        arena, line, "function",
        dloc_node_text(c->tool.context, dloc_module_function(c->tool.module, violation->met_function)->name));
  if (violation->node && dloc_module_number_of(c->tool.module, violation->node, &number))
    value_put_number(arena, line, "node", number);
  if (violation->operand != DLOC_NO_INDEX)
    value_put_number(arena, line, "operand", violation->operand);
}

static void print_json(const checking *c, const finding *found) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  value line = {.kind = VALUE_MAP}, notes = {.kind = VALUE_LIST};
  value_put_word(&arena, &line, "file", c->tool.input.name);
  value_put_word(&arena, &line, "reason", dloc_reason_name(found->reason));
  value_put_word(&arena, &line, "severity", dloc_severity_name(found->severity));
  put_remark(&arena, &line, &found->diagnosis->fault);
  if (found->violation)
    put_violation(c, &arena, &line, found->violation);
  if (found->diagnosis->help.size)
    value_put_text(&arena, &line, "help", found->diagnosis->help);
  for (size_t i = 0; i < found->diagnosis->note_count; i++) {
    value note = {.kind = VALUE_MAP};
    put_remark(&arena, &note, &found->diagnosis->notes[i]);
    value_add(&arena, &notes, note);
  }
  if (found->diagnosis->note_count)
    value_put_value(&arena, &line, "notes", notes);
  tool_print_json(&line);
}

static void show(checking *c, const finding *found) {
  bool warning = found->severity == DLOC_SEVERITY_WARNING;
  if (c->first == DLOC_REASON_NONE || (!warning && dloc_reason_severity(c->first) == DLOC_SEVERITY_WARNING))
    c->first = found->reason;
  if (warning)
    c->warnings++;
  else if (found->severity == DLOC_SEVERITY_SOFT)
    c->verdict.soft++;
  else
    c->verdict.hard++;
  c->cyclic |= found->reason == DLOC_REASON_LOCATION_INLINED_AT_CYCLE || found->reason == DLOC_REASON_SCOPE_CYCLE;
  if (c->asked->json)
    print_json(c, found);
  else if (!c->asked->quiet)
    tool_show(&c->tool.input, warning ? "warning" : "error", found->diagnosis, dloc_reason_name(found->reason));
}

static bool on_violation(void *user, const dloc_violation *violation) {
  checking *c = user;
  finding found = {violation->reason, violation->severity, violation, NULL};
  if (!c->asked->quiet && dloc_diagnose(c->diagnoser, violation, &found.diagnosis) != DLOC_OK)
    tool_exit(tool_failure(DLOC_NO_MEMORY, NULL));
  show(c, &found);
  return true;
}

/* ---- One file ---- */

static const char *consequence(const checking *c) {
  if (c->cyclic)
    return "might not come back from the cycle";
  return c->verdict.hard ? "would reject the module" : "would drop all debug info of this module";
}

static void count_out(uint64_t count, const char *what, const char *before) {
  if (count)
    fprintf(stderr, "%s%llu %s%s", before, (unsigned long long)count, what, count == 1 ? "" : "s");
}

static void summarise(const checking *c) {
  uint64_t errors = c->verdict.soft + c->verdict.hard;
  if (c->asked->quiet || c->asked->json || !(errors || c->warnings))
    return;
  tool_print_name(stderr, dloc_text_of(c->tool.input.name), ": ");
  count_out(errors, "error", "");
  count_out(c->warnings, "warning", errors ? ", " : "");
  if (errors)
    fprintf(stderr, "; LLVM %s", consequence(c));
  fprintf(stderr, ". `dloc explain %s` tells more\n", dloc_reason_name(c->first));
}

/* A fault that the reader finds is a violation like any other, unless the text is no module at all. */
static int on_diagnostic(checking *c, const dloc_diagnostic *diagnostic) {
  dloc_diagnosis diagnosis = tool_diagnosis_of(&c->tool.input, diagnostic);
  show(c, &(finding){diagnostic->reason, dloc_reason_severity(diagnostic->reason), NULL, &diagnosis});
  return tool_reason_status(diagnostic->reason);
}

static int check_text(checking *c) {
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(&c->tool, &c->asked->profile, &diagnostic);
  const dloc_profile *profile = c->tool.profile;
  if (status == DLOC_INVALID)
    return on_diagnostic(c, &diagnostic);
  if (status == DLOC_OK)
    status = dloc_diagnoser_create(c->tool.module, profile, &c->diagnoser);
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
  dloc_diagnoser_destroy(c.diagnoser);
  return tool_module_close(&c.tool, result);
}

int tool_verify(int argc, char **argv) {
  wishes asked = {.quiet = false};
  const tool_option options[] = {TOOL_PROFILE_OPTIONS(&asked.profile),
                                 {TOOL_FLAG, "W", NULL, &asked.warnings},
                                 {TOOL_FLAG, "Werror", NULL, &asked.errors},
                                 {TOOL_FLAG, "quiet", "say nothing: the exit status tells", &asked.quiet},
                                 {TOOL_FLAG, "json", NULL, &asked.json},
                                 {0}};
  int count = tool_parse(argc, argv, &verify_usage, options);
  asked.warnings |= asked.errors;
  int worst = TOOL_FINE;
  for (int i = 0; i < count; i++) {
    int result = check_file(argv[i], &asked);
    if (result > worst)
      worst = result;
  }
  return worst;
}
