/* dloc merge: merge locations of a module, and say why. */
#include "document/buffer.h"
#include "help/merge.h"
#include "location.h"
#include "ops/operation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dloc_node tool_node_named(const tool_module *module, const char *text) {
  if (strcmp(text, "none") == 0 || strcmp(text, "null") == 0)
    return DLOC_NULL;
  const char *digits = text + (text[0] == '!'); /* a shell wants quotes around !20 */
  char *end = NULL;
  errno = 0;
  unsigned long long number = digits[0] >= '0' && digits[0] <= '9' ? strtoull(digits, &end, 10) : 0;
  if (!end || *end || errno)
    tool_fail("'%s' is no location; write the number of a node, such as '!20', or none", text);
  dloc_node node = dloc_module_numbered(module->module, number);
  if (node == DLOC_NULL)
    tool_fail("%s: there is no metadata node %s", module->input.name, text);
  return node;
}

/* A node that can be no DebugLoc is shown where it is defined. */
dloc_node tool_location_named(tool_module *module, const char *text) {
  dloc_node location = tool_node_named(module, text);
  if (dloc_debug_loc_shape(module->context, location) == DLOC_SHAPE_NONE) {
    (void)tool_diagnose_node(module, DLOC_REASON_OPERAND_NOT_DEBUG_LOC, DLOC_NO_INDEX, location);
    tool_exit(TOOL_VIOLATION);
  }
  return location;
}

/* The steps of a merge, as a list of maps. */
typedef struct steps {
  value_arena arena;
  value list;
} steps;

static void add_step(void *user, dloc_clause clause, const char *decision) {
  steps *s = user;
  value step = {.kind = VALUE_MAP};
  value_put_word(&s->arena, &step, "clause", dloc_clause_anchor(clause));
  value_put_text(&s->arena, &step, "decision", dloc_text_of(decision));
  value_add(&s->arena, &s->list, step);
}

/* Steps are shown after the result, so that the result stands on the first line. */
static dloc_status print_result(const tool_module *module, dloc_node merged, steps *s) {
  TRY(dloc_print_graph(module->context, "!dbg", &merged, 1, tool_file_sink(stdout)));
  for (uint32_t i = 0; i < s->list.count; i++) {
    const value *step = &s->list.of.items[i];
    printf("; %s: %s\n", value_get(step, "clause")->of.bytes, value_get(step, "decision")->of.bytes);
  }
  return DLOC_OK;
}

static dloc_status write_result(const tool_module *module, dloc_node merged, steps *s) {
  static const graph nothing = {.names = NULL};
  const char *name = "result";
  value document = {.kind = VALUE_MAP}, described;
  operation_describe_nodes(module->context, &merged, &name, merged ? 1 : 0, &nothing, NULL, &s->arena, &described);
  value_put_word(&s->arena, &document, "result", merged ? name : "null");
  if (merged)
    value_put_value(&s->arena, &document, "nodes", *value_get(&described, "nodes"));
  value_put_value(&s->arena, &document, "steps", s->list);
  TRY(value_write_json(&document, tool_file_sink(stdout)));
  return putchar('\n') == EOF ? DLOC_STOPPED : DLOC_OK;
}

static int merge(tool_module *module, const dloc_node *locations, size_t count, bool explain, bool json) {
  steps s = {.list = {.kind = VALUE_LIST}};
  const dloc_trace trace = {add_step, &s};
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_node merged = DLOC_NULL;
  dloc_status status =
      dloc_merge(module->context, module->profile, locations, count, explain || json ? &trace : NULL, &reason, &merged);
  if (status == DLOC_OK)
    status = (json ? write_result : print_result)(module, merged, &s);
  value_arena_deinit(&s.arena);
  if (status == DLOC_OK)
    return TOOL_FINE;
  return status == DLOC_INVALID && reason ? tool_reject(&module->input, NULL, reason)
                                          : tool_failure(status, module->input.name);
}

int tool_merge(int argc, char **argv) {
  dloc_profile profile = {0};
  bool explain = false, json = false;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile), {TOOL_FLAG, "explain", NULL, &explain}, {TOOL_FLAG, "json", NULL, &json}, {0}};
  size_t count = (size_t)tool_parse(argc, argv, &merge_usage, options) - 1;
  tool_module module = tool_module_open(argv[0], &profile);
  OWNED(memory_release) dloc_node *locations = memory_allocate(count, sizeof *locations);
  for (size_t i = 0; i < count; i++)
    locations[i] = tool_location_named(&module, argv[1 + i]);
  int status = merge(&module, locations, count, explain, json);
  return tool_module_close(&module, status);
}
