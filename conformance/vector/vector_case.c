/* vector_case.c - args and module of a vector: plan them, build them, and ask the model. */
#include "vector_internal.h"

#include <string.h>

/* ---- Planning args ---- */

static dloc_status plan_callee(const schema *s, const node_graph *graph, const value *v, planned_callee *ret) {
  static const char *const keys[] = {"location", "instruction", NULL};
  static const char *const classes[] = {"plain", "static-alloca", "pseudo-probe"};
  *ret = (planned_callee){.instruction = DLOC_INSTRUCTION_PLAIN};
  if (v->kind != VALUE_MAP)
    return plan_reference(s, graph, v, &ret->location);
  TRY(expect_map(s, v, "an instruction of the callee", keys));
  TRY(plan_reference(s, graph, value_get(v, "location"), &ret->location));
  const value *instruction = value_get(v, "instruction");
  for (unsigned i = 0; instruction && i < sizeof classes / sizeof *classes; i++)
    if (value_is(instruction, classes[i])) {
      ret->instruction = (dloc_instruction_class)i;
      return DLOC_OK;
    }
  return instruction ? WRONG(s, instruction, "vector.field", "an instruction is plain, static-alloca or pseudo-probe")
                     : DLOC_OK;
}

static dloc_status plan_callees(const schema *s, const node_graph *graph, const value *v, planned_call *ret) {
  const value *list = NULL;
  TRY(require(s, v, "callee", &list));
  TRY(expect_list(s, list, "callee"));
  planned_callee *callee = value_arena_alloc(s->arena, list->count, sizeof *callee);
  if (!callee)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_callee(s, graph, &list->of.items[i], &callee[i]));
  ret->callee = callee;
  ret->callee_count = list->count;
  return DLOC_OK;
}

static dloc_status plan_call(const schema *s, const node_graph *graph, const value *v, planned_call *ret) {
  static const char *const keys[] = {"call",    "callee", "callee-subprogram", "no-inline-line-tables", "loop",
                                     "records", NULL};
  *ret = (planned_call){.location = {.kind = OPERAND_NULL}};
  TRY(expect_map(s, v, "an inlined call", keys));
  TRY(plan_reference(s, graph, value_get(v, "call"), &ret->location));
  TRY(read_flag(s, v, "callee-subprogram", true, &ret->callee_has_subprogram));
  TRY(read_flag(s, v, "no-inline-line-tables", false, &ret->no_inline_line_tables));
  TRY(plan_callees(s, graph, v, ret));
  ret->has_loop = value_get(v, "loop") != NULL;
  TRY(plan_reference(s, graph, value_get(v, "loop"), &ret->loop));
  const value *records = value_get(v, "records");
  if (!records)
    return DLOC_OK;
  TRY(expect_list(s, records, "records"));
  ret->has_records = true;
  return plan_references(s, graph, records, &ret->records, &ret->record_count);
}

static dloc_status plan_calls(const schema *s, const value *args, struct vector_plan *plan) {
  plan->many_calls = args->kind == VALUE_LIST;
  plan->call_count = plan->many_calls ? args->count : 1;
  planned_call *calls = value_arena_alloc(s->arena, plan->call_count, sizeof *calls);
  if (!calls)
    return DLOC_NO_MEMORY;
  plan->calls = calls;
  for (size_t i = 0; i < plan->call_count; i++)
    TRY(plan_call(s, &plan->graph, plan->many_calls ? &args->of.items[i] : args, &calls[i]));
  return DLOC_OK;
}

/* One reference or a list of them. */
static dloc_status plan_some(const schema *s, const node_graph *graph, const value *v, const operand **ret,
                             size_t *ret_count) {
  if (!v)
    return DLOC_OK;
  if (v->kind == VALUE_LIST)
    return plan_references(s, graph, v, ret, ret_count);
  operand *one = value_arena_alloc(s->arena, 1, sizeof *one);
  if (!one)
    return DLOC_NO_MEMORY;
  TRY(plan_reference(s, graph, v, one));
  *ret = one;
  *ret_count = 1;
  return DLOC_OK;
}

static dloc_status plan_source_args(const schema *s, const value *args, struct vector_plan *plan) {
  static const char *const keys[] = {"list", "find", "kind", NULL};
  TRY(expect_map(s, args, "args of source", keys));
  TRY(read_flag(s, args, "list", false, &plan->source_list));
  const value *find = value_get(args, "find"), *kind = value_get(args, "kind");
  if (plan->source_list == (find != NULL) || (kind && !find))
    return WRONG(s, args, "vector.field", "args of source are {list: true} or {find: FILE, kind: KIND}");
  TRY(plan_reference(s, &plan->graph, find, &plan->source_file));
  plan->source_kind = dloc_text_of("");
  return kind ? read_text(s, kind, "kind", &plan->source_kind) : DLOC_OK;
}

static dloc_status plan_hoist_args(const schema *s, const value *args, struct vector_plan *plan) {
  static const char *const keys[] = {"location", "call", "function", NULL};
  const value *location = NULL;
  TRY(expect_map(s, args, "args of hoist", keys));
  TRY(require(s, args, "location", &location));
  TRY(read_flag(s, args, "call", false, &plan->hoist_call));
  TRY(plan_reference(s, &plan->graph, value_get(args, "function"), &plan->function));
  return plan_some(s, &plan->graph, location, &plan->locations, &plan->location_count);
}

static dloc_status plan_locations(const schema *s, const vector *v, size_t least, size_t most,
                                  struct vector_plan *plan) {
  TRY(expect_list(s, v->args, "args"));
  if (v->args->count < least || v->args->count > most)
    return WRONG(s, v->args, "vector.field", "wrong number of args for %s", vector_op_name(v->op));
  return plan_references(s, &plan->graph, v->args, &plan->locations, &plan->location_count);
}

dloc_status plan_args(const schema *s, const vector *v, struct vector_plan *plan) {
  if (v->op == VECTOR_VERIFY)
    return v->args ? WRONG(s, v->args, "vector.field", "verify takes no args, but a module") : DLOC_OK;
  if (!v->args)
    return WRONG(s, v->document, "vector.field", "field 'args' is missing");
  switch (v->op) {
  case VECTOR_MERGE:
  case VECTOR_ROUNDTRIP:
  case VECTOR_EMIT:
    return plan_locations(s, v, 0, UINT32_MAX, plan);
  case VECTOR_EQUAL:
    return plan_locations(s, v, 2, 2, plan);
  case VECTOR_PRINT:
  case VECTOR_ACCESSOR:
    return plan_locations(s, v, 1, 1, plan);
  case VECTOR_INLINE:
    return plan_calls(s, v->args, plan);
  case VECTOR_HOIST:
    return plan_hoist_args(s, v->args, plan);
  case VECTOR_SECTION:
    return plan_section_args(s, v->args, plan);
  case VECTOR_LINK:
    return plan_link_args(s, v->args, plan);
  case VECTOR_STRIP:
    return plan_strip_args(s, v->args, plan);
  case VECTOR_OUTLINE:
    return plan_outline_args(s, v->args, plan);
  case VECTOR_ENCODE:
    return plan_encode_args(s, v->args, plan);
  default:
    return plan_source_args(s, v->args, plan);
  }
}

/* ---- Planning a module ---- */

static dloc_status plan_record(const schema *s, const node_graph *graph, const value *v, planned_instruction *ret) {
  const value *record = value_get(v, "record");
  static const char *const kinds[] = {"value", "declare", "assign", "label"};
  bool known = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    known = known || value_is(record, kinds[i]);
  if (!known)
    return WRONG(s, record, "vector.field", "a record is value, declare, assign or label");
  bool label = value_is(record, "label");
  ret->flags |= DLOC_INSTRUCTION_RECORD | (label ? (unsigned)DLOC_INSTRUCTION_LABEL_RECORD : 0);
  TRY(plan_reference(s, graph, value_get(v, "location"), &ret->location));
  return plan_reference(s, graph, value_get(v, label ? "label" : "variable"), &ret->variable);
}

static dloc_status plan_flag(const schema *s, const value *v, const char *key, bool absent, uint32_t flag,
                             uint32_t *flags) {
  bool set = false;
  TRY(read_flag(s, v, key, absent, &set));
  *flags |= set ? flag : 0;
  return DLOC_OK;
}

static dloc_status plan_attachments(const schema *s, const node_graph *graph, const value *v,
                                    planned_instruction *ret) {
  const value *attach = value_get(v, "attach");
  ret->has_loop = value_get(v, "loop") != NULL;
  TRY(plan_reference(s, graph, value_get(v, "loop"), &ret->loop));
  if (attach)
    TRY(read_text(s, attach, "attach", &ret->attach));
  return plan_reference(s, graph, value_get(v, "node"), &ret->attached);
}

static dloc_status plan_instruction(const schema *s, const node_graph *graph, const value *v,
                                    planned_instruction *ret) {
  static const char *const keys[] = {"call",     "alloca", "ret",  "record", "variable", "label",
                                     "location", "dbg",    "loop", "attach", "node",     NULL};
  *ret = (planned_instruction){.flags = 0};
  TRY(expect_map(s, v, "an instruction", keys));
  if (value_get(v, "record"))
    return plan_record(s, graph, v, ret);
  const value *call = value_get(v, "call");
  if (call) {
    ret->flags |= DLOC_INSTRUCTION_CALL;
    TRY(read_text(s, call, "call", &ret->callee));
  }
  TRY(plan_flag(s, v, "alloca", false, DLOC_INSTRUCTION_ALLOCA, &ret->flags));
  TRY(plan_flag(s, v, "ret", false, DLOC_INSTRUCTION_RET, &ret->flags));
  TRY(plan_reference(s, graph, value_get(v, "dbg"), &ret->location));
  return plan_attachments(s, graph, v, ret);
}

static dloc_status plan_instructions(const schema *s, const node_graph *graph, const value *list,
                                     planned_function *ret) {
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "instructions"));
  planned_instruction *instructions = value_arena_alloc(s->arena, list->count, sizeof *instructions);
  if (!instructions)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_instruction(s, graph, &list->of.items[i], &instructions[i]));
  ret->instructions = instructions;
  ret->instruction_count = list->count;
  return DLOC_OK;
}

static dloc_status plan_linkage(const schema *s, const value *linkage, uint32_t *flags) {
  static const struct {
    const char *name;
    bool interposable;
  } linkages[] = {{"weak", true},          {"linkonce", true},
                  {"common", true},        {"extern_weak", true},
                  {"external", false},     {"internal", false},
                  {"private", false},      {"weak_odr", false},
                  {"linkonce_odr", false}, {"available_externally", false}};
  for (size_t i = 0; linkage && i < sizeof linkages / sizeof *linkages; i++)
    if (value_is(linkage, linkages[i].name)) {
      *flags |= linkages[i].interposable ? (unsigned)DLOC_FUNCTION_INTERPOSABLE : 0;
      return DLOC_OK;
    }
  return linkage ? WRONG(s, linkage, "vector.field", "no linkage is named so") : DLOC_OK;
}

static dloc_status plan_function(const schema *s, const node_graph *graph, const value *v, planned_function *ret) {
  static const char *const keys[] = {
      "name", "subprogram", "definition", "linkage", "always-inline", "no-inline-line-tables", "instructions", NULL};
  const value *name = NULL;
  *ret = (planned_function){.flags = 0};
  TRY(expect_map(s, v, "a function", keys));
  TRY(require(s, v, "name", &name));
  TRY(read_text(s, name, "name", &ret->name));
  if (ret->name.size > 5 && memcmp(ret->name.bytes, "llvm.", 5) == 0)
    ret->flags |= DLOC_FUNCTION_INTRINSIC;
  TRY(plan_flag(s, v, "definition", true, DLOC_FUNCTION_DEFINITION, &ret->flags));
  TRY(plan_flag(s, v, "always-inline", false, DLOC_FUNCTION_ALWAYS_INLINE, &ret->flags));
  TRY(plan_flag(s, v, "no-inline-line-tables", false, DLOC_FUNCTION_NO_INLINE_LINE_TABLES, &ret->flags));
  TRY(plan_linkage(s, value_get(v, "linkage"), &ret->flags));
  TRY(plan_some(s, graph, value_get(v, "subprogram"), &ret->subprograms, &ret->subprogram_count));
  return plan_instructions(s, graph, value_get(v, "instructions"), ret);
}

static dloc_status plan_functions(const schema *s, const node_graph *graph, const value *list, planned_module *ret) {
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "functions"));
  planned_function *functions = value_arena_alloc(s->arena, list->count, sizeof *functions);
  if (!functions)
    return DLOC_NO_MEMORY;
  ret->functions = functions;
  ret->function_count = list->count;
  for (uint32_t i = 0; i < list->count; i++) {
    TRY(plan_function(s, graph, &list->of.items[i], &functions[i]));
    for (uint32_t j = 0; j < i; j++)
      if (dloc_text_equal(functions[i].name, functions[j].name))
        return WRONG(s, &list->of.items[i], "vector.name", "function '%.100s' is repeated", functions[i].name.bytes);
  }
  return DLOC_OK;
}

static dloc_status plan_named(const schema *s, const node_graph *graph, const value *map, planned_module *ret) {
  if (!map)
    return DLOC_OK;
  if (map->kind != VALUE_MAP)
    return WRONG(s, map, "vector.field", "named is a map of lists");
  planned_named *named = value_arena_alloc(s->arena, map->count, sizeof *named);
  if (!named)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < map->count; i++) {
    named[i] = (planned_named){.name = map->of.entries[i].key};
    TRY(expect_list(s, &map->of.entries[i].value, "named metadata"));
    TRY(plan_references(s, graph, &map->of.entries[i].value, &named[i].operands, &named[i].operand_count));
  }
  ret->named = named;
  ret->named_count = map->count;
  return DLOC_OK;
}

/* Every DICompileUnit of the vector's nodes. */
static dloc_status plan_all_units(const schema *s, const node_graph *graph, planned_module *ret) {
  operand *units = value_arena_alloc(s->arena, graph->count, sizeof *units);
  if (!units)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < graph->count; i++)
    if (dloc_text_equal(graph->nodes[i].class_name, dloc_text_of("DICompileUnit")))
      units[ret->unit_count++] = (operand){.kind = OPERAND_NODE, .node = i};
  ret->units = units;
  return DLOC_OK;
}

static dloc_status plan_version(const schema *s, const value *module, planned_module *ret) {
  const value *version = value_get(module, "debug-info-version");
  ret->has_version = !version || !value_is_null(version);
  ret->version = 3;
  if (version && ret->has_version && !value_unsigned(version, UINT32_MAX, &ret->version))
    return WRONG(s, version, "vector.field", "debug-info-version is a number or null");
  return DLOC_OK;
}

dloc_status plan_module(const schema *s, const vector *v, struct vector_plan *plan) {
  static const char *const keys[] = {"functions", "named", "units", "debug-info-version", NULL};
  bool wanted = v->op == VECTOR_VERIFY || v->op == VECTOR_SOURCE || v->op == VECTOR_ENCODE;
  if (!v->module)
    return wanted ? WRONG(s, v->document, "vector.field", "field 'module' is missing") : DLOC_OK;
  if (!wanted && v->op != VECTOR_EMIT && v->op != VECTOR_SECTION && v->op != VECTOR_STRIP)
    return WRONG(s, v->module, "vector.field", "%s takes no module", vector_op_name(v->op));
  if (!wanted && value_get(v->module, "functions"))
    return WRONG(s, v->module, "vector.field", "of a module only verify and source look at functions");
  plan->has_module = true;
  TRY(expect_map(s, v->module, "a module", keys));
  TRY(plan_functions(s, &plan->graph, value_get(v->module, "functions"), &plan->module));
  TRY(plan_named(s, &plan->graph, value_get(v->module, "named"), &plan->module));
  TRY(plan_version(s, v->module, &plan->module));
  const value *units = value_get(v->module, "units");
  if (!units)
    return plan_all_units(s, &plan->graph, &plan->module);
  TRY(expect_list(s, units, "units"));
  return plan_references(s, &plan->graph, units, &plan->module.units, &plan->module.unit_count);
}

/* ---- Building ---- */

typedef struct module_builder {
  dloc_module *module;
  dloc_context *context;
  value_arena *arena;
  const dloc_node *handles;
} module_builder;

static dloc_status build_instruction(const module_builder *b, const planned_instruction *planned) {
  dloc_instruction instruction = {
      .flags = planned->flags, .debug_loc = built_reference(&planned->location, b->handles), .callee = DLOC_NO_INDEX};
  if (planned->flags & DLOC_INSTRUCTION_CALL)
    TRY(dloc_module_function_named(b->module, planned->callee, &instruction.callee));
  if (planned->flags & DLOC_INSTRUCTION_RECORD)
    instruction.entity = built_reference(&planned->variable, b->handles);
  TRY(dloc_module_add_instruction(b->module, &instruction));
  if (planned->has_loop)
    TRY(dloc_module_add_attachment(b->module, dloc_text_of(DLOC_LOOP), built_reference(&planned->loop, b->handles)));
  if (planned->attach.size)
    TRY(dloc_module_add_attachment(b->module, planned->attach, built_reference(&planned->attached, b->handles)));
  return DLOC_OK;
}

static dloc_status build_function(const module_builder *b, const planned_function *planned) {
  uint32_t index = 0;
  TRY(dloc_module_begin_function(b->module, planned->name, planned->flags, 0, &index));
  for (size_t i = 0; i < planned->subprogram_count; i++)
    TRY(dloc_module_add_function_attachment(b->module, dloc_text_of("dbg"),
                                            built_reference(&planned->subprograms[i], b->handles)));
  for (size_t i = 0; i < planned->instruction_count; i++)
    TRY(build_instruction(b, &planned->instructions[i]));
  return DLOC_OK;
}

static dloc_status build_named(const module_builder *b, dloc_text name, const operand *operands, size_t count) {
  dloc_node *nodes = built_references(operands, count, b->handles, b->arena);
  return nodes ? dloc_module_add_named(b->module, name, nodes, count) : DLOC_NO_MEMORY;
}

/* !llvm.module.flags = !{!{i32 2, !"Debug Info Version", i32 3}} */
static dloc_status build_version(const module_builder *b, uint64_t version) {
  value number;
  char text[32] = "i32 ";
  TRY(value_set_number(b->arena, version, &number));
  memcpy(text + 4, number.of.bytes, number.count + 1);
  dloc_node flag[3], tuple = DLOC_NULL;
  TRY(dloc_constant(b->context, dloc_text_of("i32 2"), &flag[0]));
  TRY(dloc_string(b->context, dloc_text_of(DLOC_VERSION_FLAG), &flag[1]));
  TRY(dloc_constant(b->context, dloc_text_of(text), &flag[2]));
  TRY(dloc_tuple(b->context, false, flag, 3, &tuple));
  return dloc_module_add_named(b->module, dloc_text_of(DLOC_FLAG_LIST), &tuple, 1);
}

/* Functions have the order of the vector, also when one is called before it stands there. */
static dloc_status build_module(const module_builder *b, const planned_module *planned) {
  uint32_t ignored = 0;
  for (size_t i = 0; i < planned->function_count; i++)
    TRY(dloc_module_function_named(b->module, planned->functions[i].name, &ignored));
  for (size_t i = 0; i < planned->function_count; i++)
    TRY(build_function(b, &planned->functions[i]));
  if (planned->unit_count)
    TRY(build_named(b, dloc_text_of(DLOC_UNIT_LIST), planned->units, planned->unit_count));
  for (size_t i = 0; i < planned->named_count; i++)
    TRY(build_named(b, planned->named[i].name, planned->named[i].operands, planned->named[i].operand_count));
  if (planned->has_version)
    TRY(build_version(b, planned->version));
  return dloc_module_resolve(b->module);
}

static dloc_status build_call(const planned_call *planned, const dloc_node *handles, value_arena *arena,
                              vector_call *ret) {
  vector_callee *callee = value_arena_alloc(arena, planned->callee_count, sizeof *callee);
  if (!callee)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < planned->callee_count; i++)
    callee[i] = (vector_callee){planned->callee[i].instruction, built_reference(&planned->callee[i].location, handles)};
  *ret = (vector_call){.site = {.debug_loc = built_reference(&planned->location, handles),
                                .callee_has_subprogram = planned->callee_has_subprogram,
                                .caller_no_inline_line_tables = planned->no_inline_line_tables},
                       .callee = callee,
                       .callee_count = planned->callee_count,
                       .has_loop = planned->has_loop,
                       .loop = built_reference(&planned->loop, handles),
                       .records = built_references(planned->records, planned->record_count, handles, arena),
                       .record_count = planned->record_count};
  return ret->records ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_status build_args(const struct vector_plan *plan, const dloc_node *handles, value_arena *arena,
                              vector_case *ret) {
  vector_call *calls = value_arena_alloc(arena, plan->call_count, sizeof *calls);
  ret->locations = built_references(plan->locations, plan->location_count, handles, arena);
  if (!calls || !ret->locations)
    return DLOC_NO_MEMORY;
  ret->location_count = plan->location_count;
  for (size_t i = 0; i < plan->call_count; i++)
    TRY(build_call(&plan->calls[i], handles, arena, &calls[i]));
  ret->calls = calls;
  ret->call_count = plan->call_count;
  ret->hoist_call = plan->hoist_call;
  ret->keep = plan->keep;
  ret->function = built_reference(&plan->function, handles);
  ret->source_list = plan->source_list;
  ret->source_file = built_reference(&plan->source_file, handles);
  ret->source_kind = plan->source_kind;
  ret->kinds = plan->kinds;
  ret->kind_count = plan->kind_count;
  return build_lists(plan, handles, arena, ret);
}

vector_answer vector_rejection(vector_op op, dloc_reason reason) {
  return (vector_answer){
      .op = op, .outcome = VECTOR_REJECT, .reason = reason, .severity = dloc_reason_severity(reason)};
}

dloc_status vector_build(const vector *v, dloc_context *context, value_arena *arena, vector_case *ret,
                         bool *ret_rejected, vector_answer *rejected) {
  const planned_node *failed = NULL;
  dloc_node_diagnosis diagnosis = {.reason = DLOC_REASON_NONE};
  dloc_node *handles = NULL;
  vector_case built = {.context = context};
  *ret_rejected = false;
  dloc_status status = build_graph(&v->plan->graph, NULL, context, arena, &failed, &diagnosis, &handles);
  if (status == DLOC_INVALID) {
    *ret_rejected = true;
    *rejected = vector_rejection(v->op, diagnosis.reason);
    return DLOC_OK;
  }
  TRY(status);
  built.nodes = handles;
  TRY(build_args(v->plan, handles, arena, &built));
  if (v->plan->has_module) {
    TRY(dloc_module_create(context, &built.module));
    module_builder b = {built.module, context, arena, handles};
    status = build_module(&b, &v->plan->module);
    if (status != DLOC_OK)
      dloc_module_destroy(built.module);
    TRY(status);
  }
  *ret = built;
  return DLOC_OK;
}

void vector_case_deinit(vector_case *built) {
  dloc_module_destroy(built->module);
  built->module = NULL;
}

/* ---- The model's answer ---- */

typedef struct evaluation {
  const vector *vector;
  const dloc_profile *profile;
  const vector_case *built;
  value_arena *arena;
  const dloc_trace *trace;
} evaluation;

dloc_status settle(dloc_status status, dloc_reason reason, vector_answer *answer) {
  if (status != DLOC_INVALID)
    return status;
  *answer = vector_rejection(answer->op, reason);
  return DLOC_OK;
}

static dloc_status evaluate_merge(const evaluation *e, vector_answer *answer) {
  const vector_case *built = e->built;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = dloc_merge(built->context, e->profile, built->locations, built->location_count, e->trace,
                                  &reason, &answer->result);
  return settle(status, reason, answer);
}

static dloc_status evaluate_hoist(const evaluation *e, vector_answer *answer) {
  const vector_case *built = e->built;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = dloc_hoist(built->context, e->profile, built->locations[0], built->hoist_call, built->function,
                                  &reason, &answer->result);
  return settle(status, reason, answer);
}

static dloc_status inline_all(dloc_inliner *inliner, const vector_call *call, dloc_node *results, dloc_node *records,
                              dloc_node *loop) {
  for (size_t i = 0; i < call->callee_count; i++)
    TRY(dloc_inline_instruction(inliner, call->callee[i].instruction, call->callee[i].debug_loc, &results[i]));
  if (call->has_loop)
    TRY(dloc_inline_loop(inliner, call->loop, loop));
  for (size_t i = 0; i < call->record_count; i++)
    TRY(dloc_inline_record(inliner, call->records[i], &records[i]));
  return DLOC_OK;
}

static dloc_status evaluate_call(const evaluation *e, const vector_call *call, vector_inlined *ret) {
  dloc_node *results = value_arena_alloc(e->arena, call->callee_count, sizeof *results);
  dloc_node *records = value_arena_alloc(e->arena, call->record_count, sizeof *records);
  dloc_inliner *inliner = NULL;
  if (!results || !records)
    return DLOC_NO_MEMORY;
  *ret = (vector_inlined){.results = results,
                          .result_count = call->callee_count,
                          .has_loop = call->has_loop,
                          .records = records,
                          .record_count = call->record_count};
  TRY(dloc_inliner_create(e->built->context, e->profile, &call->site, e->trace, &inliner));
  dloc_status status = inline_all(inliner, call, results, records, &ret->loop);
  dloc_inliner_destroy(inliner);
  return status;
}

static dloc_status evaluate_inline(const evaluation *e, vector_answer *answer) {
  vector_inlined *calls = value_arena_alloc(e->arena, e->built->call_count, sizeof *calls);
  if (!calls)
    return DLOC_NO_MEMORY;
  answer->calls = calls;
  answer->call_count = e->built->call_count;
  for (size_t i = 0; i < e->built->call_count; i++) {
    dloc_status status = evaluate_call(e, &e->built->calls[i], &calls[i]);
    if (status == DLOC_INVALID) {
      *answer = vector_rejection(VECTOR_INLINE, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
      return DLOC_OK;
    }
    TRY(status);
  }
  return DLOC_OK;
}

static dloc_status evaluate_print(const evaluation *e, vector_answer *answer) {
  dloc_buffer buffer = {0};
  dloc_status status = dloc_debug_loc_print(e->built->context, e->built->locations[0], dloc_buffer_sink(&buffer));
  if (status == DLOC_STOPPED) /* a buffer only stops when memory is short */
    status = DLOC_NO_MEMORY;
  if (status == DLOC_OK) {
    answer->text = value_arena_copy(e->arena, (dloc_text){buffer.bytes, buffer.size});
    status = answer->text.bytes ? DLOC_OK : DLOC_NO_MEMORY;
  }
  dloc_buffer_deinit(&buffer);
  return status;
}

static dloc_status evaluate_accessor(const evaluation *e, vector_answer *answer) {
  const dloc_context *context = e->built->context;
  dloc_node location = e->built->locations[0];
  size_t count = dloc_layer_count(context, location);
  vector_layer *layers = value_arena_alloc(e->arena, count, sizeof *layers);
  if (!layers)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    dloc_layer layer = dloc_layer_at(context, location, i);
    layers[i] = (vector_layer){value_arena_copy(e->arena, dloc_node_text(context, layer.kind)), layer.location};
    if (!layers[i].kind.bytes)
      return DLOC_NO_MEMORY;
  }
  answer->result = dloc_primary(context, location);
  answer->layers = layers;
  answer->layer_count = count;
  return DLOC_OK;
}

static bool take_first(void *user, const dloc_violation *violation) {
  *(dloc_violation *)user = *violation;
  return false;
}

static dloc_status evaluate_verify(const evaluation *e, vector_answer *answer) {
  dloc_violation first = {.reason = DLOC_REASON_NONE};
  dloc_verdict verdict = {0};
  dloc_status status = dloc_verify(e->built->module, e->profile, take_first, &first, &verdict);
  if (status != DLOC_OK && status != DLOC_STOPPED)
    return status;
  if (first.reason != DLOC_REASON_NONE) {
    *answer = vector_rejection(VECTOR_VERIFY, first.reason);
    answer->severity = first.severity;
  }
  return DLOC_OK;
}

static dloc_status evaluate_source_list(const evaluation *e, const dloc_source *sources, size_t count,
                                        vector_answer *answer) {
  vector_source *entries = value_arena_alloc(e->arena, count, sizeof *entries);
  if (!entries)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const dloc_source *source = &sources[i];
    char md5[33] = "";
    dloc_source_md5(e->built->context, e->profile, source, md5);
    entries[i] =
        (vector_source){value_arena_copy(e->arena, source->kind), source->file,
                        value_arena_copy(e->arena, source->text), value_arena_copy(e->arena, dloc_text_of(md5))};
    if (!entries[i].kind.bytes || !entries[i].text.bytes || !entries[i].md5.bytes)
      return DLOC_NO_MEMORY;
  }
  answer->entries = entries;
  answer->entry_count = count;
  return DLOC_OK;
}

static dloc_status evaluate_source(const evaluation *e, vector_answer *answer) {
  const vector_case *built = e->built;
  answer->source_list = built->source_list;
  answer->entry = VECTOR_NO_ENTRY;
  size_t count = dloc_source_count(built->module);
  dloc_source *sources = value_arena_alloc(e->arena, count, sizeof *sources), found;
  if (!sources)
    return DLOC_NO_MEMORY;
  dloc_source_list(built->module, count, sources);
  if (built->source_list)
    return evaluate_source_list(e, sources, count, answer);
  if (!dloc_source_find(built->module, e->profile, built->source_file, built->source_kind, &found))
    return DLOC_OK;
  for (size_t i = 0; answer->entry == VECTOR_NO_ENTRY && i < count; i++)
    if (sources[i].entry == found.entry)
      answer->entry = i;
  return DLOC_OK;
}

static dloc_status evaluate_roundtrip(const evaluation *e, vector_answer *answer) {
  const vector_case *built = e->built;
  dloc_node *results = value_arena_alloc(e->arena, built->location_count, sizeof *results);
  if (!results)
    return DLOC_NO_MEMORY;
  answer->results = results;
  answer->result_count = built->location_count;
  for (size_t i = 0; i < built->location_count; i++) {
    dloc_reason reason = DLOC_REASON_NONE;
    dloc_status status = dloc_round_trip(built->context, e->profile, built->locations[i], &reason, &results[i]);
    if (status == DLOC_INVALID) {
      *answer = vector_rejection(VECTOR_ROUNDTRIP, reason);
      return DLOC_OK;
    }
    TRY(status);
  }
  return DLOC_OK;
}

static dloc_status evaluate(const evaluation *e, vector_answer *answer) {
  switch (answer->op) {
  case VECTOR_MERGE:
    return evaluate_merge(e, answer);
  case VECTOR_INLINE:
    return evaluate_inline(e, answer);
  case VECTOR_EQUAL:
    answer->equal = dloc_debug_loc_equal(e->built->context, e->profile, e->built->locations[0], e->built->locations[1]);
    return DLOC_OK;
  case VECTOR_PRINT:
    return evaluate_print(e, answer);
  case VECTOR_VERIFY:
    return evaluate_verify(e, answer);
  case VECTOR_HOIST:
    return evaluate_hoist(e, answer);
  case VECTOR_SOURCE:
    return evaluate_source(e, answer);
  case VECTOR_ROUNDTRIP:
    return evaluate_roundtrip(e, answer);
  case VECTOR_EMIT:
    return evaluate_emit(e->built, e->profile, e->arena, e->trace, answer);
  case VECTOR_LINK:
    return evaluate_link(e->built, e->profile, e->arena, answer);
  case VECTOR_STRIP:
    return evaluate_strip(e->built, e->profile, e->arena, answer);
  case VECTOR_OUTLINE:
    return evaluate_outline(e->built, e->profile, e->arena, answer);
  case VECTOR_SECTION:
    return evaluate_section(e->built, e->profile, e->arena, answer);
  case VECTOR_ENCODE:
    return evaluate_encode(e->vector, e->built, e->profile, e->arena, answer);
  default:
    return evaluate_accessor(e, answer);
  }
}

static bool names_unknown_class(const node_graph *graph, const dloc_profile *profile) {
  bool known = profile->alternative[DLOC_CHOICE_METADATA_INTERMEDIATE_SCOPE] == DLOC_METADATA_INTERMEDIATE_SCOPE_KNOWN;
  for (uint32_t i = 0; !known && i < graph->count; i++)
    if (dloc_text_equal(graph->nodes[i].class_name, dloc_text_of("DIIntermediateScope")))
      return true;
  return false;
}

/* verify finds out for itself, and a list of sources holds no locations. */
static bool has_rejected_layers(const vector *v, const dloc_profile *profile) {
  return v->needs >> VECTOR_NEED_LAYERS & 1 && v->op != VECTOR_VERIFY && v->op != VECTOR_SOURCE &&
         profile->alternative[DLOC_CHOICE_SHAPE_TUPLE] == DLOC_SHAPE_TUPLE_REJECT;
}

bool vector_is_unreadable(const vector *v, const dloc_profile *profile, vector_answer *ret) {
  if (names_unknown_class(&v->plan->graph, profile))
    *ret = vector_rejection(v->op, DLOC_REASON_UNKNOWN_CLASS);
  else if (has_rejected_layers(v, profile))
    *ret = vector_rejection(v->op, DLOC_REASON_SHAPE_TUPLE_REJECTED);
  else
    return false;
  return true;
}

dloc_status vector_ask(const vector *v, const vector_case *built, const dloc_profile *profile, value_arena *arena,
                       const dloc_trace *trace, vector_answer *ret) {
  const evaluation e = {v, profile, built, arena, trace};
  vector_answer answer = {.op = v->op, .outcome = VECTOR_OK};
  if (!vector_is_unreadable(v, profile, &answer))
    TRY(evaluate(&e, &answer));
  *ret = answer;
  return DLOC_OK;
}

dloc_status vector_evaluate(const vector *v, const dloc_profile *profile, dloc_context *context, value_arena *arena,
                            const dloc_trace *trace, vector_answer *ret) {
  vector_case built;
  vector_answer rejected;
  bool is_rejected = false;
  TRY(vector_build(v, context, arena, &built, &is_rejected, &rejected));
  if (is_rejected) {
    if (!vector_is_unreadable(v, profile, ret))
      *ret = rejected;
    return DLOC_OK;
  }
  dloc_status status = vector_ask(v, &built, profile, arena, trace, ret);
  vector_case_deinit(&built);
  return status;
}

bool vector_has_atoms(const vector *v) {
  const node_graph *graph = &v->plan->graph;
  for (uint32_t i = 0; i < graph->count; i++)
    for (uint32_t j = 0; j < graph->nodes[i].field_count; j++)
      if (dloc_text_equal(graph->nodes[i].fields[j].key, dloc_text_of("atomGroup")))
        return true;
  return false;
}
