/* spec/transformations.md, chapter 5.12: one channel of a module as its only location. */
#include "nodes/module.h"

/* ---- Tuples of lists ---- */

static bool lose(void *user, dloc_reason reason, dloc_node node) {
  (void)user, (void)reason, (void)node;
  return true;
}

typedef struct tuple_maker {
  dloc_context *context;
  dloc_converter *converter; /* to tuples, which call sites do not have */
  bool found;                /* a list */
} tuple_maker;

/* change gets a tuple_maker. */
static dloc_status change_as_tuples(dloc_module *module, dloc_change_location *change, bool *ret_found) {
  tuple_maker m = {.context = module->context};
  TRY(dloc_converter_create(m.context, dloc_profile_find(dloc_text_of("rfc")), NULL, DLOC_FORM_TUPLE, lose, NULL,
                            &m.converter));
  dloc_status status = dloc_module_change_locations(module, change, &m);
  dloc_converter_destroy(m.converter);
  *ret_found = m.found;
  return status;
}

/* `project.list`. A location that nobody can convert stays. */
static dloc_status make_tuple(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  tuple_maker *m = user;
  (void)instruction;
  *ret = location;
  dloc_status status = dloc_convert(m->converter, location, NULL, ret);
  m->found |= *ret != location;
  return status == DLOC_INVALID ? DLOC_OK : status;
}

/* ---- One channel ---- */

typedef struct projector {
  const dloc_projection *projection;
  dloc_module *module;
  dloc_context *context;
  dloc_node subprogram; /* of the function at hand; DLOC_NULL when it has none */
} projector;

/* The primary of a composite, any other node as it is. */
static dloc_node without_layers(const projector *p, dloc_node node) {
  return dloc_debug_loc_shape(p->context, node) == DLOC_SHAPE_COMPOSITE ? dloc_primary(p->context, node) : node;
}

/* As `verify.call` asks. */
static bool needs_location(const projector *p, const dloc_instruction *instruction) {
  if (!p->subprogram || !(instruction->flags & DLOC_INSTRUCTION_CALL) || instruction->callee == DLOC_NO_INDEX)
    return false;
  const dloc_function *callee = dloc_module_function(p->module, instruction->callee);
  return callee && (callee->flags & DLOC_FUNCTION_DEFINITION) && !(callee->flags & DLOC_FUNCTION_INTERPOSABLE) &&
         dloc_function_subprogram(p->module, instruction->callee);
}

/* `project.place` */
static dloc_status like_primary(const projector *p, dloc_node primary, dloc_node layer, dloc_node *ret) {
  dloc_layer_place place = {0};
  dloc_location content = dloc_location_get(p->context, primary);
  if (layer)
    place = dloc_place_of_layer(p->context, layer);
  content.line = place.line;
  content.column = place.column;
  content.layers = DLOC_NULL;
  if (place.file)
    TRY(dloc_lexical_block_file(p->context, dloc_scope_subprogram(p->context, content.scope), place.file, 0,
                                &content.scope));
  return dloc_location_create(p->context, false, &content, ret);
}

/* `project.location`, `project.record`, `project.call` */
static dloc_status project_location(const projector *p, const dloc_instruction *instruction, dloc_node *ret) {
  dloc_node location = instruction->debug_loc;
  *ret = without_layers(p, location);
  if (!location || !p->projection->kind.bytes || (instruction->flags & DLOC_INSTRUCTION_DEBUG))
    return DLOC_OK;
  *ret = dloc_layer_find(p->context, location, p->projection->kind);
  if (p->projection->like_primary && dloc_primary(p->context, location))
    return like_primary(p, dloc_primary(p->context, location), *ret, ret);
  if (*ret || !needs_location(p, instruction))
    return DLOC_OK;
  return dloc_location_create(p->context, false, &(dloc_location){.scope = p->subprogram}, ret);
}

/* `project.loop` */
static dloc_status project_operand(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  const projector *p = user;
  const dloc_text kind = p->projection->kind;
  dloc_node layer = kind.bytes ? dloc_layer_find(p->context, location, kind) : DLOC_NULL;
  (void)instruction;
  *ret = layer ? layer : without_layers(p, location);
  return layer && p->projection->like_primary ? like_primary(p, dloc_primary(p->context, location), layer, ret)
                                              : DLOC_OK;
}

static dloc_status project_function(projector *p, size_t index, map *loops) {
  const dloc_function *function = dloc_module_function(p->module, index);
  dloc_node subprogram = dloc_function_subprogram(p->module, index), projected = DLOC_NULL;
  p->subprogram = dloc_node_kind(p->context, subprogram) == DLOC_KIND_SUBPROGRAM ? subprogram : DLOC_NULL;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    uint32_t at = function->first_instruction + i;
    TRY(project_location(p, dloc_module_instruction(p->module, at), &projected));
    TRY(module_change_location(p->module, at, projected));
    TRY(module_change_loops(p->module, at, loops, project_operand, p));
  }
  return DLOC_OK;
}

dloc_status dloc_project(dloc_module *module, const dloc_projection *projection) {
  projector p = {.projection = projection, .module = module, .context = module->context};
  map loops = {0};
  bool lists = false;
  dloc_status status = projection->like_primary ? DLOC_OK : change_as_tuples(module, make_tuple, &lists);
  for (size_t i = 0; status == DLOC_OK && i < dloc_module_function_count(module); i++)
    status = project_function(&p, i, &loops);
  map_deinit(p.context, &loops);
  dloc_module_drop_named(module, dloc_text_of(DLOC_SOURCE_LIST));
  return status == DLOC_OK && lists ? dloc_module_drop_unused(module) : status; /* no LLVM reads a list that is left */
}

/* ---- No layers ---- */

static dloc_status primary_alone(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  const tuple_maker *m = user;
  dloc_node converted = DLOC_NULL;
  (void)instruction;
  TRY(dloc_convert(m->converter, dloc_primary(m->context, location), NULL, &converted));
  return give_node(ret, dloc_primary(m->context, converted));
}

dloc_status dloc_drop_layers(dloc_module *module) {
  bool lists;
  TRY(change_as_tuples(module, primary_alone, &lists));
  dloc_module_drop_named(module, dloc_text_of(DLOC_SOURCE_LIST));
  return dloc_module_drop_unused(module);
}
