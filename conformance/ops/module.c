/* module.c - the module of a vector: functions and named metadata. */
#include "declare.h"
#include "document/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const type node_list = {.kind = TYPE_LIST, .of = NODE, .short_form = true};
static const type operand_list = {.kind = TYPE_LIST, .what = "named metadata", .of = NODE};
static const type named_lists = {.kind = TYPE_NAMED, .of = &operand_list};

#define RECORD WORD("a record", "value", "declare", "assign", "label")
#define INSTRUCTION                                                                                                    \
  MAP("an instruction", OPTIONAL("call", TEXT), OPTIONAL("alloca", FLAG), OPTIONAL("ret", FLAG),                       \
      OPTIONAL("record", RECORD), OPTIONAL("variable", NODE), OPTIONAL("label", NODE), OPTIONAL("location", NODE),     \
      OPTIONAL("dbg", NODE), OPTIONAL("loop", NODE), OPTIONAL("attach", TEXT), OPTIONAL("node", NODE))
#define LINKAGE                                                                                                        \
  WORD("linkage", "weak", "linkonce", "common", "extern_weak", "external", "internal", "private", "weak_odr",          \
       "linkonce_odr", "available_externally")
#define FUNCTION                                                                                                       \
  MAP("a function", FIELD("name", TEXT), OPTIONAL("subprogram", &node_list), OPTIONAL("definition", FLAG_ON),          \
      OPTIONAL("linkage", LINKAGE), OPTIONAL("always-inline", FLAG), OPTIONAL("no-inline-line-tables", FLAG),          \
      OPTIONAL("instructions", LIST(INSTRUCTION)))

/* In the order of their words. */
enum { RECORD_LABEL = 3, FIRST_LINKAGE_THAT_STAYS = 4 };

const type *const module_type = MAP("a module", OPTIONAL("functions", LIST(FUNCTION)), OPTIONAL("named", &named_lists),
                                    OPTIONAL("units", LIST(NODE)), OPTIONAL("debug-info-version", NUMBER_OR_NULL));

dloc_status module_read(const reading *r, const graph *g, const value *v, term *ret) {
  TRY(term_read(r, g, module_type, "module", v, ret));
  const term *functions = term_list(ret, "functions");
  for (uint32_t i = 0; i < functions->count; i++)
    for (uint32_t j = 0; j < i; j++) {
      dloc_text name = term_text(&functions->of.items[i], "name");
      if (dloc_text_equal(name, term_text(&functions->of.items[j], "name")))
        return WRONG(r, functions->of.items[i].from, "vector.name", "function '%.100s' is repeated", name.bytes);
    }
  return DLOC_OK;
}

/* ---- Building ---- */

static dloc_status build_record(dloc_module *m, const term *given) {
  bool label = term_word(given, "record") == RECORD_LABEL;
  dloc_instruction instruction = {.flags =
                                      DLOC_INSTRUCTION_RECORD | (label ? (unsigned)DLOC_INSTRUCTION_LABEL_RECORD : 0),
                                  .debug_loc = term_node(given, "location"),
                                  .entity = term_node(given, label ? "label" : "variable")};
  return dloc_module_add_instruction(m, &instruction);
}

static dloc_status build_instruction(dloc_module *m, const term *given) {
  dloc_instruction instruction = {.debug_loc = term_node(given, "dbg"), .callee = DLOC_NO_INDEX};
  if (term_get(given, "record"))
    return build_record(m, given);
  instruction.flags |= term_flag(given, "alloca") ? (unsigned)DLOC_INSTRUCTION_ALLOCA : 0;
  instruction.flags |= term_flag(given, "ret") ? (unsigned)DLOC_INSTRUCTION_RET : 0;
  if (term_get(given, "call")) {
    instruction.flags |= DLOC_INSTRUCTION_CALL;
    TRY(dloc_module_function_named(m, term_text(given, "call"), &instruction.callee));
  }
  TRY(dloc_module_add_instruction(m, &instruction));
  if (term_get(given, "loop"))
    TRY(dloc_module_add_attachment(m, dloc_text_of(DLOC_LOOP), term_node(given, "loop")));
  if (term_text(given, "attach").size)
    TRY(dloc_module_add_attachment(m, term_text(given, "attach"), term_node(given, "node")));
  return DLOC_OK;
}

static uint32_t flags_of(const term *function) {
  dloc_text name = term_text(function, "name");
  bool interposable = term_get(function, "linkage") && term_word(function, "linkage") < FIRST_LINKAGE_THAT_STAYS;
  bool intrinsic = name.size > 5 && memcmp(name.bytes, "llvm.", 5) == 0;
  return (term_flag(function, "definition") ? (unsigned)DLOC_FUNCTION_DEFINITION : 0) |
         (term_flag(function, "always-inline") ? (unsigned)DLOC_FUNCTION_ALWAYS_INLINE : 0) |
         (term_flag(function, "no-inline-line-tables") ? (unsigned)DLOC_FUNCTION_NO_INLINE_LINE_TABLES : 0) |
         (interposable ? (unsigned)DLOC_FUNCTION_INTERPOSABLE : 0) |
         (intrinsic ? (unsigned)DLOC_FUNCTION_INTRINSIC : 0);
}

static dloc_status build_function(dloc_module *m, const term *function) {
  const term *subprograms = term_list(function, "subprogram"), *instructions = term_list(function, "instructions");
  uint32_t index = 0;
  TRY(dloc_module_begin_function(m, term_text(function, "name"), flags_of(function), 0, &index));
  for (uint32_t i = 0; i < subprograms->count; i++)
    TRY(dloc_module_add_function_attachment(m, dloc_text_of("dbg"), subprograms->of.nodes[i]));
  for (uint32_t i = 0; i < instructions->count; i++)
    TRY(build_instruction(m, &instructions->of.items[i]));
  return DLOC_OK;
}

/* !llvm.module.flags = !{!{i32 2, !"Debug Info Version", i32 3}} */
static dloc_status build_version(dloc_module *m, dloc_context *context, uint64_t version) {
  char text[32];
  snprintf(text, sizeof text, "i32 %" PRIu64, version);
  dloc_node flag[3], tuple = DLOC_NULL;
  TRY(dloc_constant(context, dloc_text_of("i32 2"), &flag[0]));
  TRY(dloc_string(context, dloc_text_of(DLOC_VERSION_FLAG), &flag[1]));
  TRY(dloc_constant(context, dloc_text_of(text), &flag[2]));
  TRY(dloc_tuple(context, false, flag, 3, &tuple));
  return dloc_module_add_named(m, dloc_text_of(DLOC_FLAG_LIST), &tuple, 1);
}

/* Those that are listed, or every DICompileUnit of the vector's nodes. */
static dloc_status build_units(dloc_module *m, const term *module, const graph *g, const dloc_node *handles,
                               value_arena *arena) {
  const term *listed = term_get(module, "units");
  dloc_node *all = value_arena_alloc(arena, g->count, sizeof *all);
  size_t count = 0;
  for (uint32_t i = 0; !listed && i < g->count; i++)
    if (dloc_text_equal(g->nodes[i].class_name, dloc_text_of("DICompileUnit")))
      all[count++] = handles[i];
  const dloc_node *units = listed ? listed->of.nodes : all;
  count = listed ? listed->count : count;
  return count ? dloc_module_add_named(m, dloc_text_of(DLOC_UNIT_LIST), units, count) : DLOC_OK;
}

/* Functions have the order of the vector, also when one is called before it stands there. */
static dloc_status fill(dloc_module *m, const term *module, const graph *g, const dloc_node *handles,
                        dloc_context *context, value_arena *arena) {
  const term *functions = term_list(module, "functions"), *named = term_list(module, "named");
  const term *version = term_get(module, "debug-info-version");
  uint32_t ignored = 0;
  for (uint32_t i = 0; i < functions->count; i++)
    TRY(dloc_module_function_named(m, term_text(&functions->of.items[i], "name"), &ignored));
  for (uint32_t i = 0; i < functions->count; i++)
    TRY(build_function(m, &functions->of.items[i]));
  TRY(build_units(m, module, g, handles, arena));
  for (uint32_t i = 0; i < named->count; i++)
    TRY(dloc_module_add_named(m, named->from->of.entries[i].key, named->of.items[i].of.nodes,
                              named->of.items[i].count));
  if (!version || version->count)
    TRY(build_version(m, context, version ? version->of.number : 3));
  return dloc_module_resolve(m);
}

dloc_status module_build(const term *module, const graph *g, const dloc_node *handles, dloc_context *context,
                         value_arena *arena, dloc_module **ret) {
  OWNED(release_dloc_module) dloc_module *m = NULL;
  term built;
  TRY(term_build(module, handles, context, arena, &built));
  TRY(dloc_module_create(context, &m));
  TRY(fill(m, &built, g, handles, context, arena));
  *ret = m;
  m = NULL;
  return DLOC_OK;
}
