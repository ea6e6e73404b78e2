/* project.c - `dloc project`: one channel of a module as its only location. */
#include "project.h"

static const tool_usage usage = {
    "dloc project --primary | --layer KIND [OPTION...] FILE",
    "Print FILE (a .ll module; `-` is standard input) with one channel as the only location of each\n"
    "instruction: its primary, or the location of its layer of that KIND, or none when it has no such layer. No\n"
    "location has layers then, and !llvm.intermediate_level_source is gone, so that any LLVM reads the module.\n"
    "Nodes that nothing uses any more stay in the text; LLVM drops them.\n\n"
    "With --layer, LLVM's rules need some care:\n"
    "- A call that must have a location (`verify.call`) and has no such layer gets line 0 of the function's\n"
    "  subprogram.\n"
    "- Debug records and calls of llvm.dbg functions keep their location, which places a variable, not an\n"
    "  instruction.\n"
    "- Of the locations in loop metadata, composites become their layer's location, or their primary without\n"
    "  one; others stay.\n"
    "- A layer whose scope belongs to another function, as after inlining, stays as it is: LLVM may refuse\n"
    "  it.\n",
    "dloc project --primary tests/lit/Inputs/layers.ll\n"
    "dloc project --layer TileIR tests/lit/Inputs/layers.ll | dloc print --locations -\n",
    1, 1};

typedef struct projector {
  const projection *projection;
  dloc_module *module;
  dloc_context *context;
  dloc_node subprogram; /* of the function at hand; DLOC_NULL when it has none */
} projector;

/* ---- Locations ---- */

/* A location that need not be of the layer: the primary of a composite, any other node as it is. */
static dloc_node without_layers(const projector *p, dloc_node node) {
  return dloc_debug_loc_shape(p->context, node) == DLOC_SHAPE_COMPOSITE ? dloc_primary(p->context, node) : node;
}

/* `verify.call` */
static bool needs_location(const projector *p, const dloc_instruction *instruction) {
  if (!p->subprogram || !(instruction->flags & DLOC_INSTRUCTION_CALL) || instruction->callee == DLOC_NO_INDEX)
    return false;
  const dloc_function *callee = dloc_module_function(p->module, instruction->callee);
  return callee && (callee->flags & DLOC_FUNCTION_DEFINITION) && !(callee->flags & DLOC_FUNCTION_INTERPOSABLE) &&
         dloc_function_subprogram(p->module, instruction->callee);
}

dloc_status tool_layer_scope(dloc_context *context, dloc_node primary, dloc_node file, dloc_node *ret) {
  dloc_node subprogram = dloc_scope_subprogram(context, dloc_location_get(context, primary).scope);
  return dloc_lexical_block_file(context, subprogram, file, 0, ret);
}

static dloc_status like_primary(const projector *p, dloc_node primary, dloc_node layer, dloc_node *ret) {
  dloc_layer_place place = {0};
  dloc_location content = dloc_location_get(p->context, primary);
  if (layer)
    place = dloc_place_of_layer(p->context, layer);
  content.line = place.line;
  content.column = place.column;
  content.layers = DLOC_NULL;
  if (place.file)
    TRY(tool_layer_scope(p->context, primary, place.file, &content.scope));
  return dloc_location_create(p->context, false, &content, ret);
}

static dloc_status project_location(const projector *p, const dloc_instruction *instruction, dloc_node *ret) {
  dloc_node location = instruction->debug_loc;
  if (!p->projection->layer.bytes || (instruction->flags & DLOC_INSTRUCTION_DEBUG)) {
    *ret = without_layers(p, location);
    return DLOC_OK;
  }
  *ret = dloc_layer_find(p->context, location, p->projection->layer);
  if (p->projection->like_primary && dloc_primary(p->context, location))
    return like_primary(p, dloc_primary(p->context, location), *ret, ret);
  if (*ret || !location || !needs_location(p, instruction))
    return DLOC_OK;
  return dloc_location_create(p->context, false, &(dloc_location){.scope = p->subprogram}, ret);
}

/* ---- Loops ---- */

static dloc_status project_operand(const projector *p, dloc_node operand, dloc_node *ret) {
  const dloc_text kind = p->projection->layer;
  dloc_node layer = kind.bytes ? dloc_layer_find(p->context, operand, kind) : DLOC_NULL;
  *ret = layer ? layer : without_layers(p, operand);
  return layer && p->projection->like_primary ? like_primary(p, dloc_primary(p->context, operand), layer, ret)
                                              : DLOC_OK;
}

/* A loop id is a distinct tuple, so its operands can be replaced where they stand. One that is met again has no
 * composites left. */
static dloc_status project_loop(const projector *p, dloc_node loop) {
  if (!dloc_node_is_distinct(p->context, loop))
    return DLOC_OK;
  for (size_t i = 1; i < dloc_operand_count(p->context, loop); i++) {
    dloc_node operand = dloc_operand(p->context, loop, i);
    dloc_node projected = DLOC_NULL;
    TRY(project_operand(p, operand, &projected));
    if (projected != operand)
      TRY(dloc_set_operand(p->context, loop, i, projected));
  }
  return DLOC_OK;
}

static dloc_status project_loops(const projector *p, size_t index) {
  for (size_t i = 0; i < dloc_module_attachment_count(p->module, index); i++) {
    dloc_attachment attachment = dloc_module_attachment(p->module, index, i);
    if (dloc_text_equal(dloc_node_text(p->context, attachment.kind), dloc_text_of(DLOC_LOOP)))
      TRY(project_loop(p, attachment.node));
  }
  return DLOC_OK;
}

/* ---- The module ---- */

static dloc_status project_function(projector *p, size_t index) {
  const dloc_function *function = dloc_module_function(p->module, index);
  dloc_node subprogram = dloc_function_subprogram(p->module, index);
  p->subprogram = dloc_node_kind(p->context, subprogram) == DLOC_KIND_SUBPROGRAM ? subprogram : DLOC_NULL;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    size_t at = (size_t)function->first_instruction + i;
    const dloc_instruction *instruction = dloc_module_instruction(p->module, at);
    dloc_node projected = DLOC_NULL;
    TRY(project_location(p, instruction, &projected));
    if (projected != instruction->debug_loc)
      TRY(dloc_module_set_debug_loc(p->module, at, projected));
    TRY(project_loops(p, at));
  }
  return DLOC_OK;
}

dloc_status tool_project_module(const tool_module *input, const projection *projection) {
  projector p = {.projection = projection, .module = input->module, .context = input->context};
  for (size_t i = 0; i < dloc_module_function_count(input->module); i++)
    TRY(project_function(&p, i));
  dloc_module_drop_named(input->module, dloc_text_of(DLOC_SOURCE_LIST));
  return DLOC_OK;
}

/* ---- No layers ---- */

static bool lose(void *user, dloc_reason reason, dloc_node node) {
  (void)user, (void)reason, (void)node;
  return true;
}

typedef struct dropping {
  dloc_context *context;
  dloc_converter *converter; /* to tuples, which call sites do not have */
} dropping;

static dloc_status primary_alone(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  const dropping *d = user;
  dloc_node converted = DLOC_NULL;
  (void)instruction;
  TRY(dloc_convert(d->converter, dloc_primary(d->context, location), NULL, &converted));
  *ret = dloc_primary(d->context, converted);
  return DLOC_OK;
}

dloc_status tool_drop_layers(const tool_module *module) {
  dropping d = {.context = module->context};
  TRY(dloc_converter_create(d.context, tool_profile("rfc"), NULL, DLOC_FORM_TUPLE, lose, NULL, &d.converter));
  dloc_status status = dloc_module_change_locations(module->module, primary_alone, &d);
  dloc_converter_destroy(d.converter);
  TRY(status);
  dloc_module_drop_named(module->module, dloc_text_of(DLOC_SOURCE_LIST));
  return dloc_module_drop_unused(module->module);
}

int tool_project(int argc, char **argv) {
  const char *layer = NULL, *output = NULL;
  bool primary = false;
  const tool_option options[] = {{TOOL_FLAG, "primary", NULL, "the primaries", &primary},
                                 {TOOL_TEXT, "layer", "KIND", "the layers of that kind", &layer},
                                 {TOOL_OUTPUT, "o", "OUT", "write to OUT instead of standard output", &output},
                                 {0}};
  tool_parse(argc, argv, &usage, options);
  if (primary == (layer != NULL))
    tool_fail("say which channel: --primary or --layer KIND");
  tool_module input = tool_module_open_text(argv[0]);
  const projection projection = {.layer = layer ? dloc_text_of(layer) : (dloc_text){NULL, 0}};
  dloc_status status = tool_project_module(&input, &projection);
  return tool_module_close(&input, status == DLOC_OK ? tool_write_module(&input, output)
                                                     : tool_failure(status, input.input.name));
}
