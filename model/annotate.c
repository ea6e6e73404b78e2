/* spec/transformations.md, chapter 5.13: a layer for each instruction. */
#include "layers.h"
#include "nodes/module.h"

typedef struct annotator {
  const dloc_annotation *annotation;
  dloc_module *module;
  dloc_context *context;
  dloc_node kind;       /* the string */
  dloc_node file;       /* the DIFile */
  bool lists;           /* the form of the module's layers */
  uint32_t function;    /* at hand */
  dloc_node subprogram; /* its subprogram */
  dloc_node scope;      /* of the layers; made when there is one */
  ARRAY(dloc_node) operands;
  size_t made; /* layers */
  dloc_reason *reason;
} annotator;

/* ---- Nodes ---- */

/* The place of an instruction; for DLOC_NO_INDEX of the current function, and functions have no columns. */
static dloc_place place_of(const annotator *a, uint32_t instruction) {
  dloc_place place = {0};
  dloc_violation violation = {.instruction = instruction, .function = a->function};
  if (a->annotation->place)
    place = a->annotation->place(a->annotation->user, a->function, instruction);
  else
    dloc_violation_place(a->module, &violation, &place);
  if (instruction == DLOC_NO_INDEX)
    place.column = 0;
  return place;
}

/* `annotate.place`, `annotate.origin` */
static dloc_status make_layer(annotator *a, uint32_t instruction, dloc_node *ret) {
  dloc_place place = place_of(a, a->annotation->origin ? DLOC_NO_INDEX : instruction);
  *ret = DLOC_NULL;
  if (a->annotation->place && !place.line)
    return DLOC_OK;
  /* `metadata.location.limits`: LLVM forgets such a column as well */
  uint32_t column = place.column > DLOC_COLUMN_LIMIT ? 0 : (uint32_t)place.column;
  if (a->lists)
    return layer_create(a->context, a->kind, (dloc_layer_place){a->file, place.line, column}, ret);
  if (!a->scope)
    TRY(dloc_lexical_block_file(a->context, a->subprogram, a->file, 0, &a->scope));
  dloc_location content = {.line = place.line, .column = column, .scope = a->scope};
  dloc_node location = DLOC_NULL;
  TRY(dloc_location_create(a->context, false, &content, &location));
  return dloc_tuple(a->context, false, (dloc_node[]){a->kind, location}, 2, ret);
}

/* ---- Locations ---- */

/* `annotate.replace`: the layer in the place of one of its kind. Other operands stay. */
static dloc_status keep_operand(annotator *a, dloc_node operand, dloc_node kind, dloc_node layer, bool *placed) {
  bool replaced = kind == a->kind;
  if (replaced && !a->annotation->replace)
    return fail(a->reason, DLOC_REASON_SHAPE_REPEATED_KIND);
  if (!replaced || !*placed)
    PUSH(a->context, a->operands, replaced ? layer : operand);
  *placed |= replaced;
  return DLOC_OK;
}

/* `annotate.order` */
static dloc_status keep_pairs(annotator *a, dloc_node location, dloc_node layer, bool *placed) {
  PUSH(a->context, a->operands, dloc_primary(a->context, location));
  for (size_t i = 1; i < dloc_operand_count(a->context, location); i++) {
    dloc_node operand = dloc_operand(a->context, location, i);
    bool is_pair = dloc_operand_count(a->context, operand) == 2;
    TRY(keep_operand(a, operand, is_pair ? dloc_operand(a->context, operand, 0) : DLOC_NULL, layer, placed));
  }
  return DLOC_OK;
}

/* `annotate.list` */
static dloc_status keep_listed(annotator *a, dloc_node location, dloc_node layer, bool *placed) {
  dloc_node list = dloc_innermost_layers(a->context, location);
  dloc_layer other;
  for (size_t cursor = 0; list && next_listed(a->context, list, &cursor, &other);)
    TRY(keep_operand(a, other.location, other.kind, layer, placed));
  return DLOC_OK;
}

/* `annotate.list` */
static dloc_status make_listed(annotator *a, dloc_node location, dloc_node *ret) {
  dloc_location content = location_content(a->context, location);
  TRY(layer_list_create(a->context, false, a->operands.items, a->operands.count, &content.layers));
  return dloc_location_create(a->context, dloc_node_is_distinct(a->context, location), &content, ret);
}

static dloc_status add_layer(annotator *a, uint32_t instruction, dloc_node location, dloc_node *ret) {
  dloc_node layer = DLOC_NULL;
  bool placed = false;
  TRY(make_layer(a, instruction, &layer));
  *ret = location;
  if (!layer)
    return DLOC_OK;
  a->operands.count = 0;
  TRY((a->lists ? keep_listed : keep_pairs)(a, location, layer, &placed));
  if (!placed)
    PUSH(a->context, a->operands, layer);
  a->made++;
  return a->lists ? make_listed(a, location, ret)
                  : dloc_tuple(a->context, false, a->operands.items, a->operands.count, ret);
}

/* `annotate.empty` */
static dloc_status annotate_instruction(annotator *a, uint32_t index) {
  const dloc_instruction *instruction = dloc_module_instruction(a->module, index);
  dloc_node location = instruction->debug_loc;
  if ((instruction->flags & DLOC_INSTRUCTION_DEBUG) || (!location && !a->annotation->all))
    return DLOC_OK;
  if (dloc_debug_loc_shape(a->context, location) == DLOC_SHAPE_NONE)
    return fail(a->reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  if (!location)
    TRY(dloc_location_create(a->context, false, &(dloc_location){.scope = a->subprogram}, &location));
  TRY(add_layer(a, index, location, &location));
  return module_change_location(a->module, index, location);
}

static dloc_status annotate_operand(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  annotator *a = user;
  *ret = location;
  return !location || dloc_layer_find(a->context, location, a->annotation->kind)
             ? DLOC_OK
             : add_layer(a, instruction, location, ret);
}

/* `annotate.loop`: each loop once. */
static dloc_status annotate_function(annotator *a, uint32_t index, map *loops, uint32_t *ret_instruction) {
  const dloc_function *function = dloc_module_function(a->module, index);
  a->function = index;
  a->subprogram = dloc_function_subprogram(a->module, index);
  if (!a->annotation->origin)
    a->scope = DLOC_NULL;
  if (dloc_node_kind(a->context, a->subprogram) != DLOC_KIND_SUBPROGRAM)
    return DLOC_OK;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    *ret_instruction = function->first_instruction + i;
    TRY(annotate_instruction(a, *ret_instruction));
    if (a->annotation->loops)
      TRY(module_change_loops(a->module, *ret_instruction, loops, annotate_operand, a));
  }
  return DLOC_OK;
}

/* ---- Sources ---- */

/* Take the entries of the kind out of the list; a list that has none stays as it is. */
static dloc_status drop_entries(annotator *a) {
  dloc_named_metadata list;
  const dloc_text name = dloc_text_of(DLOC_SOURCE_LIST);
  if (!a->annotation->replace || !dloc_module_find_named(a->module, name, &list))
    return DLOC_OK;
  a->operands.count = 0;
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(a->module, &list, i);
    if (dloc_operand(a->context, entry, 0) != a->kind)
      PUSH(a->context, a->operands, entry);
  }
  if (a->operands.count == list.operand_count)
    return DLOC_OK;
  dloc_module_drop_named(a->module, name);
  return a->operands.count ? dloc_module_add_named(a->module, name, a->operands.items, a->operands.count) : DLOC_OK;
}

static dloc_status add_entry(annotator *a) {
  dloc_node text = DLOC_NULL, entry = DLOC_NULL;
  TRY(drop_entries(a));
  TRY(dloc_string(a->context, a->annotation->text, &text));
  TRY(dloc_tuple(a->context, false, (dloc_node[]){a->kind, a->file, text}, 3, &entry));
  return dloc_module_add_named(a->module, dloc_text_of(DLOC_SOURCE_LIST), &entry, 1);
}

/* `annotate.list`: the file has the text. */
static dloc_status make_file(annotator *a) {
  dloc_field text = {a->context->field_keys[FIELD_FILE_source], DLOC_NULL};
  TRY(dloc_file(a->context, a->annotation->file, dloc_text_of("."), &a->file));
  if (!a->lists || !a->annotation->text.size)
    return DLOC_OK;
  TRY(dloc_string(a->context, a->annotation->text, &text.value));
  return change_fields(a->context, a->file, false, &text, 1, &a->file);
}

/* `annotate.source` */
dloc_status dloc_annotate(dloc_module *module, const dloc_annotation *annotation, dloc_reason *ret_reason,
                          uint32_t *ret_instruction) {
  annotator a = {.annotation = annotation, .module = module, .context = module->context, .reason = ret_reason};
  map loops = {0};
  OWNED_MEMORY(a.context, &loops.entries, &a.operands.items);
  a.lists = dloc_has_lists(a.context);
  TRY(dloc_string(a.context, annotation->kind, &a.kind));
  TRY(make_file(&a));
  for (uint32_t i = 0; i < dloc_module_function_count(module); i++)
    TRY(annotate_function(&a, i, &loops, ret_instruction));
  return a.made && !a.lists ? add_entry(&a) : DLOC_OK;
}
