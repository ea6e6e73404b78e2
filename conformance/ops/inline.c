/* inline.c - `inline`: what becomes of the instructions, the loop and the debug records of inlined calls. SPEC.md 5 */
#include "callee.h"
#include "declare.h"
#include "document/memory.h"

/* Its words: callee.h. */
#define INSTRUCTION                                                                                                    \
  SHORT_MAP("an instruction of the callee", OPTIONAL("location", NODE),                                                \
            OPTIONAL("instruction", WORD("an instruction", "plain", "static-alloca", "pseudo-probe", "call", "store",  \
                                         "load", "phi")))
#define CALL                                                                                                           \
  MAP("an inlined call", OPTIONAL("call", NODE), FIELD("callee", LIST(INSTRUCTION)),                                   \
      OPTIONAL("callee-subprogram", FLAG_ON), OPTIONAL("no-inline-line-tables", FLAG), OPTIONAL("loop", NODE),         \
      OPTIONAL("records", LIST(NODE)))
#define COUNT "results: #results\n"
#define INLINED                                                                                                        \
  FIELD("results", LIST(NODE)), OPTIONAL_AS("loop", NODE, "loop\n"), OPTIONAL_AS("records", LIST(NODE), "records: #\n")

static dloc_status check_call(const reading *r, const term *call, const term *inlined) {
  const term *results = term_get(inlined, "results"), *records = term_list(inlined, "records");
  if (results->count != term_list(call, "callee")->count)
    return WRONG(r, results->from, "vector.field", "results are as many as instructions of the callee");
  if (!term_get(inlined, "loop") != !term_get(call, "loop"))
    return WRONG(r, inlined->from, "vector.field", "loop stands in the value when it stands in the args");
  if (!term_get(inlined, "records") != !term_get(call, "records") ||
      records->count != term_list(call, "records")->count)
    return WRONG(r, inlined->from, "vector.field", "records are as many as those of the callee");
  return DLOC_OK;
}

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  const term *calls, *inlined = term_get(value, "calls");
  size_t count = inlined_calls(args, &calls);
  (void)module;
  for (size_t i = 0; i < count; i++)
    TRY(check_call(r, &calls[i], inlined ? &inlined->of.items[i] : value));
  return DLOC_OK;
}

static dloc_status inline_all(dloc_inliner *inliner, const term *call, value_arena *arena, term *inlined) {
  const term *callee = term_list(call, "callee"), *records = term_get(call, "records");
  dloc_node *results = term_set_nodes(arena, inlined, "results", callee->count);
  for (uint32_t i = 0; i < callee->count; i++) {
    const term *one = &callee->of.items[i];
    unsigned word = term_word(one, "instruction");
    dloc_instruction_class class = word < CALLEE_STORE ? (dloc_instruction_class)word : DLOC_INSTRUCTION_PLAIN;
    TRY(dloc_inline_instruction(inliner, class, term_node(one, "location"), &results[i]));
  }
  if (term_get(call, "loop"))
    TRY(dloc_inline_loop(inliner, term_node(call, "loop"), term_set_node(arena, inlined, "loop")));
  dloc_node *kept = records ? term_set_nodes(arena, inlined, "records", records->count) : NULL;
  for (uint32_t i = 0; records && i < records->count; i++)
    TRY(dloc_inline_record(inliner, records->of.nodes[i], &kept[i]));
  return DLOC_OK;
}

static dloc_status ask_call(query *q, const term *call, term *inlined) {
  const dloc_call_site site = {.debug_loc = term_node(call, "call"),
                               .callee_has_subprogram = term_flag(call, "callee-subprogram"),
                               .caller_no_inline_line_tables = term_flag(call, "no-inline-line-tables")};
  OWNED(release_dloc_inliner) dloc_inliner *inliner = NULL;
  q->reason = DLOC_REASON_OPERAND_NOT_DEBUG_LOC;
  TRY(dloc_inliner_create(q->context, q->profile, &site, q->trace, &inliner));
  return inline_all(inliner, call, q->arena, inlined);
}

static dloc_status ask(query *q, term *value) {
  const term *calls;
  size_t count = inlined_calls(q->args, &calls);
  term *inlined = q->args->type->kind == TYPE_LIST ? term_set_list(q->arena, value, "calls", count) : value;
  for (size_t i = 0; i < count; i++)
    TRY(ask_call(q, &calls[i], &inlined[i]));
  return DLOC_OK;
}

const operation op_inline = {
    .name = "inline",
    .forms = {{LIST(CALL), MAP(NULL,
                               {.key = "calls",
                                .of = LIST(MAP_AS("the value of an inlined call", COUNT, INLINED)),
                                .as_many = "args"},
                               NODES)},
              {CALL, MAP_AS(NULL, COUNT, INLINED, NODES)}},
    .roots = "result",
    .check = check,
    .ask = ask,
};
