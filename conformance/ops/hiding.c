/* hiding.c - modules that are hidden. spec/hidden.md 17 */
#include "hiding.h"

static dloc_status add_instructions(dloc_module *module, const term *locations, uint32_t flags) {
  for (uint32_t i = 0; i < locations->count; i++) {
    const dloc_instruction instruction = {
        .flags = flags, .debug_loc = locations->of.nodes[i], .callee = flags ? 0 : DLOC_NO_INDEX};
    TRY(dloc_module_add_instruction(module, &instruction));
  }
  return DLOC_OK;
}

/* Hiding changes a loop id where it stands, and the vector's is asked about again. */
static dloc_status copy_loop(query *q, dloc_node loop, dloc_node *ret) {
  size_t count = dloc_operand_count(q->context, loop);
  dloc_node *operands = value_arena_alloc(q->arena, count, sizeof *operands);
  for (size_t i = 0; i < count; i++)
    operands[i] = dloc_operand(q->context, loop, i);
  TRY(dloc_tuple(q->context, true, operands, count, ret));
  return count && operands[0] == loop ? dloc_set_operand(q->context, *ret, 0, *ret) : DLOC_OK;
}

static dloc_status add_loops(query *q, dloc_module *module, const term *loops) {
  for (uint32_t i = 0; i < loops->count; i++) {
    dloc_node loop = DLOC_NULL;
    TRY(copy_loop(q, loops->of.nodes[i], &loop));
    TRY(dloc_module_add_instruction(module, &(const dloc_instruction){.callee = DLOC_NO_INDEX}));
    TRY(dloc_module_add_attachment(module, dloc_text_of(DLOC_LOOP), loop));
  }
  return DLOC_OK;
}

dloc_status hiding_module(query *q, const term *given, const term *locations, dloc_module **ret) {
  uint32_t function = 0;
  TRY(dloc_module_create(q->context, ret));
  TRY(dloc_module_begin_function(*ret, dloc_text_of("f"), DLOC_FUNCTION_DEFINITION, 0, &function));
  TRY(add_instructions(*ret, locations, term_flag(given, "calls") ? DLOC_INSTRUCTION_CALL : 0));
  TRY(add_instructions(*ret, term_list(given, "records"), DLOC_INSTRUCTION_RECORD));
  TRY(add_loops(q, *ret, term_list(given, "loops")));
  dloc_node subprogram = term_node(given, "subprogram");
  return subprogram ? dloc_module_add_function_attachment(*ret, dloc_text_of("dbg"), subprogram) : DLOC_OK;
}

dloc_status hidden_table(query *q, dloc_hidden **ret) {
  TRY(dloc_hidden_create(q->context, ret));
  return q->module ? dloc_hidden_read(*ret, q->module, &q->reason) : DLOC_OK;
}

dloc_node hiding_location(const dloc_module *module, size_t index) {
  return dloc_module_instruction(module, index)->debug_loc;
}

void hiding_describe(query *q, const term *given, size_t locations, const dloc_module *module, term *value) {
  const term *records = term_get(given, "records"), *loops = term_get(given, "loops");
  dloc_node *nodes = term_set_nodes(q->arena, value, "results", locations);
  for (size_t i = 0; i < locations; i++)
    nodes[i] = hiding_location(module, i);
  nodes = records ? term_set_nodes(q->arena, value, "records", records->count) : NULL;
  for (uint32_t i = 0; records && i < records->count; i++)
    nodes[i] = hiding_location(module, locations + i);
  nodes = loops ? term_set_nodes(q->arena, value, "loops", loops->count) : NULL;
  for (uint32_t i = 0; loops && i < loops->count; i++)
    nodes[i] = dloc_module_attachment(module, dloc_module_instruction_count(module) - loops->count + i, 0).node;
}

void hiding_describe_sources(query *q, const dloc_module *module, term *value) {
  dloc_named_metadata list = {.operand_count = 0};
  if (!dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list) || !list.operand_count)
    return;
  dloc_node *sources = term_set_nodes(q->arena, value, "sources", list.operand_count);
  for (size_t i = 0; i < list.operand_count; i++)
    sources[i] = dloc_module_named_operand(module, &list, i);
}

dloc_status hiding_note_reason(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  (void)instruction, (void)node;
  *(dloc_reason *)user = reason;
  return DLOC_OK;
}

dloc_status hiding_run(query *q, const term *options, dloc_module *module, dloc_hidden **ret) {
  const dloc_hide_options given = {.in = (dloc_hidden_in)term_word(options, "in"),
                                   .first = (uint32_t)term_number(options, "first"),
                                   .step = (uint32_t)term_number(options, "step"),
                                   .on_problem = hiding_note_reason,
                                   .user = &q->reason};
  return dloc_hide(module, &given, ret);
}
