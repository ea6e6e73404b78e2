/* annotate.c - `dloc annotate`: a layer for every instruction of a real module: its own place in the module's text. */
#include "document/memory.h"
#include "shell/tools.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc annotate --layer KIND [OPTION...] FILE",
    "Give every instruction of FILE (a .ll module; `-` is standard input) that has a location one more layer\n"
    "of that KIND: its own line and column in FILE. Its scope is a DILexicalBlockFile under the subprogram\n"
    "of the instruction's function, and an entry of !llvm.intermediate_level_source declares the file.\n"
    "Prints the module.\n"
    "\n"
    "Functions without subprogram, debug records and calls of llvm.dbg functions, loop metadata, and\n"
    "instructions without location stay as they are. With --all, instructions without location get the\n"
    "layer, and a primary of line 0 in the function's subprogram: LLVM gives such a location to an\n"
    "instruction that stands for no line. With --loops a location in loop metadata gets the layer of the\n"
    "branch, unless it has one of that kind. With --origin a layer names the function that the instruction\n"
    "was written in: the line of its `define`, in one scope for all functions, so that line 0 means code of\n"
    "several functions.\n"
    "\n"
    "Exit status: 0 fine; 1 a location has such a layer already, or is none; 2 bad usage, unreadable or\n"
    "unwritable files.\n",
    "dloc annotate --layer LLVM tests/lit/Inputs/layers.ll\n"
    "dloc annotate --layer LLVM tests/lit/Inputs/layers.ll | dloc print --locations -\n",
    1, 1};

typedef struct request {
  const char *layer;
  const char *file; /* the name of the DIFile */
  const char *output;
  bool all;
  bool loops;
  bool origin;
  bool replace;
  bool embed;
  bool functions;
} request;

typedef struct annotator {
  const request *request;
  const tool_module *input;
  dloc_context *context;
  dloc_node kind;       /* the string */
  dloc_node file;       /* the DIFile */
  uint32_t function;    /* at hand */
  dloc_node subprogram; /* its subprogram */
  dloc_node scope;      /* of the layers; made when there is one */
  dloc_node *operands;  /* of the tuple at hand */
  size_t made;          /* layers */
} annotator;

/* ---- Nodes ---- */

/* `scope.layer.block-file`; with --origin that of the first function, `scope.layer.function` */
static dloc_status make_scope(annotator *a) {
  return a->scope ? DLOC_OK : dloc_lexical_block_file(a->context, a->subprogram, a->file, 0, &a->scope);
}

/* Of an instruction; for DLOC_NO_INDEX of the function at hand, and functions have no columns. */
static dloc_place place_of(const annotator *a, size_t index) {
  dloc_place place = {0};
  dloc_violation violation = {.instruction = (uint32_t)index, .function = a->function};
  dloc_violation_place(a->input->module, &violation, &place);
  if (index == DLOC_NO_INDEX)
    place.column = 0;
  return place;
}

/* The layer {kind, place of the instruction}. */
static dloc_status make_layer(annotator *a, size_t index, dloc_node *ret) {
  dloc_place place = place_of(a, a->request->origin ? DLOC_NO_INDEX : index);
  TRY(make_scope(a));
  dloc_location content = {.line = place.line, .column = place.column, .scope = a->scope};
  if (content.column > DLOC_COLUMN_LIMIT)
    content.column = 0; /* `metadata.location.limits`: LLVM forgets such a column as well */
  dloc_node location = DLOC_NULL;
  TRY(dloc_location_create(a->context, false, &content, &location));
  return dloc_tuple(a->context, false, (dloc_node[]){a->kind, location}, 2, ret);
}

/* ---- Locations ---- */

static bool is_of_kind(const annotator *a, dloc_node operand) {
  return dloc_operand_count(a->context, operand) == 2 && dloc_operand(a->context, operand, 0) == a->kind;
}

static dloc_status refuse(const annotator *a, size_t index, const char *message) {
  dloc_place place = place_of(a, index);
  tool_diagnose(&a->input->input, &place, "error", message, NULL);
  return DLOC_INVALID;
}

/* The operands of a location and the new layer: in the place of the one of
 * its kind, or last. What is no layer stays. */
static dloc_status make_tuple(annotator *a, size_t index, dloc_node location, dloc_node *ret) {
  dloc_node layer = DLOC_NULL;
  size_t count = 0;
  bool placed = false;
  TRY(make_layer(a, index, &layer));
  *MEMORY_ADD(a->operands, count) = dloc_primary(a->context, location);
  for (size_t i = 1; i < dloc_operand_count(a->context, location); i++) {
    dloc_node operand = dloc_operand(a->context, location, i);
    if (!is_of_kind(a, operand)) {
      *MEMORY_ADD(a->operands, count) = operand;
      continue;
    }
    if (!a->request->replace)
      return refuse(a, index, "the location has a layer of that kind already; --replace replaces it");
    if (!placed)
      *MEMORY_ADD(a->operands, count) = layer;
    placed = true;
  }
  if (!placed)
    *MEMORY_ADD(a->operands, count) = layer;
  a->made++;
  return dloc_tuple(a->context, false, a->operands, count, ret);
}

static dloc_status annotate_instruction(annotator *a, size_t index) {
  const dloc_instruction *instruction = dloc_module_instruction(a->input->module, index);
  dloc_node location = instruction->debug_loc;
  if (instruction->flags & DLOC_INSTRUCTION_DEBUG)
    return DLOC_OK;
  switch (dloc_debug_loc_shape(a->context, location)) {
  case DLOC_SHAPE_EMPTY:
    if (!a->request->all)
      return DLOC_OK;
    TRY(dloc_location_create(a->context, false, &(dloc_location){.scope = a->subprogram}, &location));
    break;
  case DLOC_SHAPE_NONE:
    return refuse(a, index, "the `!dbg` of this instruction is no location");
  default:
    break;
  }
  TRY(make_tuple(a, index, location, &location));
  return dloc_module_set_debug_loc(a->input->module, index, location);
}

static bool has_no_layer(const annotator *a, dloc_node operand) {
  switch (dloc_debug_loc_shape(a->context, operand)) {
  case DLOC_SHAPE_BARE:
    return true;
  case DLOC_SHAPE_COMPOSITE:
    return !dloc_layer_find(a->context, operand, dloc_text_of(a->request->layer));
  default:
    return false;
  }
}

/* A loop id is distinct and its own first operand. What is met a second time has the layer already. */
static dloc_status annotate_loop(annotator *a, size_t index, dloc_node loop) {
  if (!dloc_node_is_distinct(a->context, loop))
    return DLOC_OK;
  for (size_t i = 1; i < dloc_operand_count(a->context, loop); i++) {
    dloc_node operand = dloc_operand(a->context, loop, i), tuple = DLOC_NULL;
    if (!has_no_layer(a, operand))
      continue;
    TRY(make_tuple(a, index, operand, &tuple));
    TRY(dloc_set_operand(a->context, loop, i, tuple));
  }
  return DLOC_OK;
}

static dloc_status annotate_loops(annotator *a, size_t index) {
  for (size_t i = 0; a->request->loops && i < dloc_module_attachment_count(a->input->module, index); i++) {
    dloc_attachment attachment = dloc_module_attachment(a->input->module, index, i);
    if (dloc_text_equal(dloc_node_text(a->context, attachment.kind), dloc_text_of(DLOC_LOOP)))
      TRY(annotate_loop(a, index, attachment.node));
  }
  return DLOC_OK;
}

static dloc_status annotate_function(annotator *a, size_t index) {
  const dloc_function *function = dloc_module_function(a->input->module, index);
  a->function = (uint32_t)index;
  a->subprogram = dloc_function_subprogram(a->input->module, index);
  if (!a->request->origin)
    a->scope = DLOC_NULL;
  if (dloc_node_kind(a->context, a->subprogram) != DLOC_KIND_SUBPROGRAM)
    return DLOC_OK;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    TRY(annotate_instruction(a, (size_t)function->first_instruction + i));
    TRY(annotate_loops(a, (size_t)function->first_instruction + i));
  }
  return DLOC_OK;
}

/* ---- Sources ---- */

/* Take the entries of the kind out of the list; a list that has none stays as it is. */
static dloc_status drop_entries(annotator *a) {
  dloc_named_metadata list;
  dloc_module *module = a->input->module;
  size_t count = 0;
  if (!a->request->replace || !dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return DLOC_OK;
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(module, &list, i);
    if (dloc_operand(a->context, entry, 0) != a->kind)
      *MEMORY_ADD(a->operands, count) = entry;
  }
  if (count == list.operand_count)
    return DLOC_OK;
  dloc_module_drop_named(module, dloc_text_of(DLOC_SOURCE_LIST));
  return count ? dloc_module_add_named(module, dloc_text_of(DLOC_SOURCE_LIST), a->operands, count) : DLOC_OK;
}

/* FILE as far as the end of its last function: layers name no line behind it. */
static dloc_text as_far_as_functions(const annotator *a) {
  dloc_text text = a->input->input.text;
  size_t last = 0;
  for (size_t i = 0; i < dloc_module_function_count(a->input->module); i++) {
    const dloc_function *function = dloc_module_function(a->input->module, i);
    if (function->instruction_count && function->text > last)
      last = function->text;
  }
  while (last < text.size && strncmp(text.bytes + last, "\n}\n", text.size - last < 3 ? text.size - last : 3) != 0)
    last++;
  return last + 3 < text.size ? (dloc_text){text.bytes, last + 3} : text;
}

/* `source.entry`, `source.empty-text` */
static dloc_status add_entry(annotator *a) {
  dloc_node text = DLOC_NULL, entry = DLOC_NULL;
  dloc_text embedded = a->request->functions ? as_far_as_functions(a) : a->input->input.text;
  TRY(dloc_string(a->context, a->request->embed ? embedded : dloc_text_of(""), &text));
  TRY(dloc_tuple(a->context, false, (dloc_node[]){a->kind, a->file, text}, 3, &entry));
  return dloc_module_add_named(a->input->module, dloc_text_of(DLOC_SOURCE_LIST), &entry, 1);
}

static dloc_status annotate(annotator *a) {
  TRY(dloc_string(a->context, dloc_text_of(a->request->layer), &a->kind));
  TRY(dloc_file(a->context, dloc_text_of(a->request->file), dloc_text_of("."), &a->file));
  for (size_t i = 0; i < dloc_module_function_count(a->input->module); i++)
    TRY(annotate_function(a, i));
  if (a->made == 0)
    return DLOC_OK; /* a module without locations stays as it is */
  TRY(drop_entries(a));
  return add_entry(a);
}

/* ---- The command ---- */

static int run(const tool_module *input, const request *request) {
  annotator a = {.request = request, .input = input, .context = input->context};
  dloc_status status = annotate(&a);
  free(a.operands);
  if (status == DLOC_INVALID)
    return TOOL_VIOLATION; /* explained where it was met */
  return status == DLOC_OK ? tool_write_module(input, request->output) : tool_failure(status, input->input.name);
}

int tool_annotate(int argc, char **argv) {
  request request = {.layer = NULL};
  const tool_option options[] = {
      {TOOL_TEXT, "layer", "KIND", "the kind of the new layers", &request.layer},
      {TOOL_TEXT, "file", "NAME", "what to call the layers' file (default: FILE as given)", &request.file},
      {TOOL_FLAG, "all", NULL, "also instructions without location, in functions with a subprogram", &request.all},
      {TOOL_FLAG, "loops", NULL, "also the locations in loop metadata", &request.loops},
      {TOOL_FLAG, "origin", NULL, "layers that name the instruction's function, not its own place", &request.origin},
      {TOOL_FLAG, "replace", NULL, "replace layers and sources of that kind", &request.replace},
      {TOOL_FLAG, "embed", NULL, "embed the text of FILE in the entry; without it the text is empty", &request.embed},
      {TOOL_FLAG, "functions", NULL, "with --embed: no more of FILE than its functions", &request.functions},
      {TOOL_OUTPUT, "o", "OUT", "write to OUT instead of standard output", &request.output},
      {0}};
  tool_parse(argc, argv, &usage, options);
  if (!request.layer || !*request.layer)
    tool_fail(request.layer ? "a kind is not empty" : "option '--layer' is missing: the kind of the new layers");
  tool_module input = tool_module_open_text(argv[0]);
  if (!request.file)
    request.file = input.input.name;
  return tool_module_close(&input, run(&input, &request));
}
