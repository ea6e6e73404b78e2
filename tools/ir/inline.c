/* dloc inline: what inlining does to the locations of alwaysinline callees, call by call. */
#include "document/buffer.h"
#include "help/inline.h"
#include "ops/operation.h"
#include "shell/tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct listing {
  bool json;
  const tool_module *module;
  dloc_graph *graph;   /* numbers the nodes, which come last; of JSON: */
  dloc_node *roots;    /* each once */
  uint32_t *numbers;   /* by node: 1 + its index among the roots */
  size_t count, limit; /* of roots; of nodes that have room */
  bool *checked;       /* functions; NULL: they all are, and what happens is printed */
  dloc_status status;
} listing;

/* The first failure sticks; from then on nothing is added. */
static void check(listing *l, dloc_status status) {
  if (l->status == DLOC_OK)
    l->status = status;
}

/* A root gets a name, by which the nodes have it in the end. */
static uint32_t number_root(listing *l, dloc_node root) {
  if (root >= l->limit) {
    size_t limit = 2 * (size_t)dloc_node_limit(l->module->context);
    l->numbers = memory_resize(l->numbers, limit, sizeof *l->numbers);
    memset(l->numbers + l->limit, 0, (limit - l->limit) * sizeof *l->numbers);
    l->limit = limit;
  }
  if (!l->numbers[root]) {
    *MEMORY_ADD(l->roots, l->count) = root;
    l->numbers[root] = (uint32_t)l->count;
  }
  return l->numbers[root] - 1;
}

/* A line ends with a reference to a root, which as JSON is the last value of a map. */
static void end_line(listing *l, dloc_node root) {
  if (l->status != DLOC_OK)
    return;
  if (!root)
    fputs(l->json ? "null" : "none", stdout);
  else if (l->json)
    printf("\"r%" PRIu32 "\"", number_root(l, root));
  else {
    fputs("!dbg ", stdout);
    check(l, dloc_graph_root(l->graph, root, tool_file_sink(stdout)));
  }
  puts(l->json ? "}" : "");
}

static dloc_text function_name(const listing *l, uint32_t function) {
  return dloc_node_text(l->module->context, dloc_module_function(l->module->module, function)->name);
}

/* The opaque text of an instruction: its first line up to the metadata. */
static dloc_text instruction_text(const listing *l, const dloc_instruction *instruction) {
  dloc_text text = l->module->input.text;
  const char *start = text.bytes + instruction->text;
  size_t rest = text.size - instruction->text, size = 0;
  while (size < rest && start[size] != '\n' &&
         !(start[size] == ',' && rest - size > 2 && memcmp(start + size, ", !", 3) == 0))
    size++;
  while (size && (start[size - 1] == ' ' || start[size - 1] == '\r'))
    size--;
  return (dloc_text){start, size};
}

static dloc_instruction_class class_of(const dloc_instruction *instruction) {
  if (instruction->flags & DLOC_INSTRUCTION_ALLOCA)
    return DLOC_INSTRUCTION_STATIC_ALLOCA;
  if (instruction->flags & DLOC_INSTRUCTION_PROBE)
    return DLOC_INSTRUCTION_PSEUDO_PROBE;
  return instruction->flags & DLOC_INSTRUCTION_CALL ? DLOC_INSTRUCTION_ANY_CALL : DLOC_INSTRUCTION_PLAIN;
}

/* `!llvm.loop` of an instruction; DLOC_NULL when it has none. */
static dloc_node loop_of(const listing *l, size_t index) {
  for (size_t i = 0; i < dloc_module_attachment_count(l->module->module, index); i++) {
    dloc_attachment attachment = dloc_module_attachment(l->module->module, index, i);
    if (dloc_text_equal(dloc_node_text(l->module->context, attachment.kind), dloc_text_of(DLOC_LOOP)))
      return attachment.node;
  }
  return DLOC_NULL;
}

/* A member of a map, whose text a person or a program reads. */
static void put_member(listing *l, const char *before, dloc_text text) {
  fputs(before, stdout);
  if (l->json)
    (void)!value_write_text(text, tool_file_sink(stdout)); /* main tells why */
  else
    tool_print_name(stdout, text, "");
}

/* The name of an instruction: its text, or in bitcode its number in the function. */
static void put_instruction(listing *l, const dloc_instruction *instruction, uint32_t number, bool record) {
  bool numbered = dloc_is_bitcode(l->module->input.text); /* there is no text */
  const char *what = record ? "record" : "instruction";
  if (l->json && numbered)
    printf("{\"%s\":%" PRIu32, what, number);
  else if (l->json)
    printf("{\"%s\":", what);
  else if (numbered)
    printf("  %s %" PRIu32, what, number);
  if (!numbered)
    put_member(l, l->json ? "" : "  ", instruction_text(l, instruction));
}

static void list_instruction(listing *l, dloc_inliner *inliner, size_t index, uint32_t number) {
  const dloc_instruction *instruction = dloc_module_instruction(l->module->module, index);
  dloc_node inlined = DLOC_NULL, loop = loop_of(l, index), inlined_loop = DLOC_NULL;
  bool record = instruction->flags & DLOC_INSTRUCTION_RECORD;
  check(l, record ? dloc_inline_record(inliner, instruction->debug_loc, &inlined)
                  : dloc_inline_instruction(inliner, class_of(instruction), instruction->debug_loc, &inlined));
  if (loop && l->status == DLOC_OK)
    check(l, dloc_inline_loop(inliner, loop, &inlined_loop));
  if (l->status != DLOC_OK || l->checked)
    return;
  put_instruction(l, instruction, number, record);
  if (record && !inlined) {
    puts(l->json ? ",\"deleted\":true,\"location\":null}" : ": deleted");
  } else {
    fputs(l->json ? ",\"location\":" : ": ", stdout);
    end_line(l, inlined);
  }
  if (!loop)
    return;
  fputs(l->json ? "{\"loop\":" : "    !llvm.loop, ", stdout);
  end_line(l, inlined_loop);
}

static void list_body(listing *l, const dloc_call_site *site, uint32_t callee) {
  const dloc_function *function = dloc_module_function(l->module->module, callee);
  OWNED(release_dloc_inliner) dloc_inliner *inliner = NULL;
  check(l, dloc_inliner_create(l->module->context, l->module->profile, site, NULL, &inliner));
  for (uint32_t i = 0; l->status == DLOC_OK && !(l->checked && l->checked[callee]) && i < function->instruction_count;
       i++)
    list_instruction(l, inliner, function->first_instruction + i, i);
  if (l->checked)
    l->checked[callee] = true;
}

/* One call: `@caller calls @callee at a.c:3:4: !dbg !0`. */
static void list_call(listing *l, uint32_t caller, const dloc_instruction *call) {
  const dloc_module *module = l->module->module;
  dloc_call_site site = {
      .debug_loc = call->debug_loc,
      .callee_has_subprogram = dloc_function_subprogram(module, call->callee) != DLOC_NULL,
      .caller_no_inline_line_tables = dloc_module_function(module, caller)->flags & DLOC_FUNCTION_NO_INLINE_LINE_TABLES,
  };
  OWNED(dloc_buffer_deinit) dloc_buffer at = {0};
  check(l, dloc_debug_loc_print(l->module->context, l->module->profile, call->debug_loc, buffer_sink(&at)));
  if (l->status != DLOC_OK)
    return;
  if (!l->checked) {
    put_member(l, l->json ? "{\"caller\":" : "@", function_name(l, caller));
    put_member(l, l->json ? ",\"callee\":" : " calls @", function_name(l, call->callee));
    put_member(l, l->json ? ",\"at\":" : " at ", buffer_text(&at));
    fputs(l->json ? ",\"location\":" : ": ", stdout);
    end_line(l, call->debug_loc);
  }
  list_body(l, &site, call->callee);
}

static bool is_inlined(const dloc_module *module, uint32_t caller, const dloc_instruction *instruction) {
  if (!(instruction->flags & DLOC_INSTRUCTION_CALL) || instruction->flags & DLOC_INSTRUCTION_DBG_CALL ||
      instruction->callee == DLOC_NO_INDEX || instruction->callee == caller)
    return false;
  uint32_t wanted = DLOC_FUNCTION_DEFINITION | DLOC_FUNCTION_ALWAYS_INLINE;
  return (dloc_module_function(module, instruction->callee)->flags & wanted) == wanted;
}

static void list_calls(listing *l, uint32_t caller) {
  const dloc_module *module = l->module->module;
  const dloc_function *function = dloc_module_function(module, caller);
  for (uint32_t i = 0; l->status == DLOC_OK && i < function->instruction_count; i++) {
    const dloc_instruction *instruction = dloc_module_instruction(module, function->first_instruction + i);
    if (is_inlined(module, caller, instruction))
      list_call(l, caller, instruction);
  }
}

/* The nodes under the names that roots have. */
static void print_json(const listing *l) {
  static const graph nothing = {.names = NULL};
  OWNED(value_arena_deinit) value_arena arena = {0};
  value described;
  OWNED(memory_release) const char **names = memory_allocate(l->count, sizeof *names);
  for (size_t i = 0; i < l->count; i++) {
    char name[32];
    int size = snprintf(name, sizeof name, "r%zu", i);
    names[i] = value_arena_copy(&arena, (dloc_text){name, (size_t)size}).bytes;
  }
  operation_describe_nodes(l->module->context, l->roots, names, l->count, &nothing, NULL, &arena, &described);
  tool_print_json(&described);
}

static void list_functions(listing *l, const char *caller) {
  size_t count = dloc_module_function_count(l->module->module);
  for (size_t i = 0; i < count; i++)
    if (!caller || dloc_text_equal(function_name(l, (uint32_t)i), dloc_text_of(caller)))
      list_calls(l, (uint32_t)i);
}

/* Nothing is printed where a location is wrong: each call and each function that is called is tried first. */
static void list_module(listing *l, const char *caller) {
  l->checked = memory_allocate(dloc_module_function_count(l->module->module), sizeof *l->checked);
  list_functions(l, caller);
  free(l->checked);
  l->checked = NULL;
  list_functions(l, caller);
  if (l->status == DLOC_OK && l->json && l->count)
    print_json(l);
  else if (l->status == DLOC_OK && !l->json)
    check(l, dloc_graph_nodes(l->graph, tool_file_sink(stdout)));
}

static int list_file(const tool_module *module, const char *caller, bool json) {
  uint32_t index = 0;
  if (caller && !dloc_module_find_function(module->module, dloc_text_of(caller), &index))
    tool_fail("%s: there is no function @%s", module->input.name, caller);
  listing l = {.json = json, .module = module};
  check(&l, dloc_graph_create(module->context, &l.graph));
  list_module(&l, caller);
  dloc_graph_destroy(l.graph);
  free(l.roots);
  free(l.numbers);
  if (l.status != DLOC_INVALID)
    return tool_output_finish(&(tool_output){.file = stdout}, l.status, module->input.name);
  tool_diagnose(&module->input, NULL, "error",
                "a location of an inlined call is no DebugLoc or has a cyclic chain; `dloc verify` says which", NULL);
  return TOOL_VIOLATION;
}

int tool_inline(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *caller = NULL;
  bool json = false;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile),
      {TOOL_TEXT, "function", NULL, &caller},
      {TOOL_FLAG, "json", "write JSON, a line for each call, each instruction and loop of it, and the nodes", &json},
      {0}};
  tool_module module = tool_parse_module(argc, argv, &inline_usage, options, &profile);
  if (caller && *caller == '@')
    caller++;
  return tool_module_close(&module, list_file(&module, caller, json));
}
