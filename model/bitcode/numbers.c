/* SPEC.md, chapter 7.4: the numbers of a module's metadata in bitcode. */
#include "layers.h"
#include "nodes/text.h"
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const attachment_kinds[] = {
#define ATTACHMENT(name) name,
#include "attachments.def"
#undef ATTACHMENT
};

/* The state of a node, by its handle. */
typedef struct known {
  uint32_t position; /* in the order of discovery, + 1; 0: none yet */
  uint32_t function; /* the only one that uses it, + 1; 0: the module */
  bool met;
} known;

/* A node whose operands are being walked. */
typedef struct frame {
  dloc_node node;
  uint32_t next; /* operand */
} frame;

/* An attachment. */
typedef struct ranked {
  uint32_t rank; /* of its kind */
  uint32_t position;
  dloc_node node;
} ranked;

struct dloc_numbers {
  const dloc_module *module;
  dloc_context *context;
  const dloc_profile *profile;
  uint16_t operands[FIELD_ROWS]; /* from the first field of a class on: the rows of its operands, in order */
  uint8_t operand_counts[CLASS_ROWS];
  map classes; /* token of a class -> its row */
  map kinds;   /* token of a kind of attachment -> its rank */
  ARRAY(known) known;
  scratch found; /* nodes in the order of discovery */
  ARRAY(frame) frames;
  scratch postponed; /* distinct nodes */
  scratch shared;    /* nodes whose operands lose their function */
  ARRAY(ranked) attachments;
  scratch ordered; /* nodes in the order of their numbers */
  size_t *buckets; /* the first of each function's own in `ordered`, the module's before them; and the end */
};

/* ---- Operands ---- */

static dloc_status read_classes(dloc_numbers *numbers) {
  for (uint32_t i = 0; i < CLASS_ROWS; i++)
    TRY(map_add(numbers->context, &numbers->classes, numbers->context->class_tokens[i], 0, i, NULL));
  for (uint16_t i = 0; i < FIELD_ROWS; i++) {
    const field_spec *field = &field_specs[i];
    if (field->operand) {
      numbers->operands[class_specs[field->class].first + field->operand - 1] = i;
      numbers->operand_counts[field->class]++;
    }
  }
  return DLOC_OK;
}

/* A field's string that stands there as `!"text"`. */
static dloc_status string_of(dloc_numbers *numbers, dloc_text token, dloc_node *ret) {
  ALLOCATE(numbers->context, char, bytes, token.size);
  OWNED_MEMORY(numbers->context, &bytes);
  size_t size = text_unescape((dloc_text){token.bytes + 2, token.size > 3 ? token.size - 3 : 0}, bytes);
  return dloc_string(numbers->context, (dloc_text){bytes, size}, ret);
}

/* `bitcode.number.values`, `bitcode.number.sizes.llvm-22`: a number of 64 bits as a value. */
static dloc_status value_of(dloc_numbers *numbers, dloc_text digits, dloc_node *ret) {
  char text[64];
  snprintf(text, sizeof text, "i64 %.*s", (int)(digits.size < 40 ? digits.size : 40), digits.bytes);
  return dloc_constant(numbers->context, dloc_text_of(text), ret);
}

/* `bitcode.number.values`: the number as DIExpression(DW_OP_consts, number), whose words are not negative. */
static dloc_status expression_of(dloc_numbers *numbers, dloc_text digits, dloc_node *ret) {
  char text[64];
  dloc_field words[2] = {{DLOC_NULL, DLOC_NULL}, {DLOC_NULL, DLOC_NULL}};
  snprintf(text, sizeof text, "%.*s", (int)(digits.size < 40 ? digits.size : 40), digits.bytes);
  bool negative = text[0] == '-';
  uint64_t value = negative ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
  snprintf(text, sizeof text, "%" PRIu64, value);
  TRY(dloc_token(numbers->context, dloc_text_of("DW_OP_consts"), &words[0].value));
  TRY(dloc_token(numbers->context, dloc_text_of(text), &words[1].value));
  return dloc_specialised(numbers->context, dloc_text_of("DIExpression"), false, words, 2, NULL, ret);
}

static bool is_number(dloc_text text) {
  size_t sign = text.size > 1 && text.bytes[0] == '-';
  for (size_t i = sign; i < text.size; i++)
    if (text.bytes[i] < '0' || text.bytes[i] > '9')
      return false;
  return text.size > 0;
}

/* Words are no metadata, and an empty string is a null operand. `bitcode.number.values`,
 * `bitcode.number.sizes.llvm-22` */
static dloc_status field_operand(dloc_numbers *numbers, unsigned type, dloc_node value, dloc_node *ret) {
  bool sizes = DLOC_TAKES(numbers->profile, BITCODE_SIZES, METADATA);
  dloc_kind kind = dloc_node_kind(numbers->context, value);
  dloc_text text = dloc_node_text(numbers->context, value);
  *ret = kind == DLOC_KIND_TOKEN || (kind == DLOC_KIND_STRING && text.size == 0) ? DLOC_NULL : value;
  if (kind != DLOC_KIND_TOKEN)
    return DLOC_OK;
  if (text.size > 2 && text.bytes[0] == '!' && text.bytes[1] == '"')
    return string_of(numbers, text, ret);
  if (type == FIELD_PUSHED && is_number(text))
    return expression_of(numbers, text, ret);
  bool counts = type == FIELD_COUNT || (type == FIELD_SIZE && sizes);
  return counts && is_number(text) ? value_of(numbers, text, ret) : DLOC_OK;
}

/* The next operand of a node that is not null; false in *ret_any after the last.
 * `bitcode.number.operands`; `bitcode.list.number` */
static dloc_status next_operand(dloc_numbers *numbers, frame *f, bool *ret_any, dloc_node *ret) {
  const dloc_context *context = numbers->context;
  dloc_kind kind = dloc_node_kind(context, f->node);
  uint32_t class = 0;
  *ret = DLOC_NULL;
  *ret_any = true;
  if (kind == DLOC_KIND_TUPLE) {
    while (!*ret && f->next < dloc_operand_count(context, f->node))
      *ret = dloc_operand(context, f->node, f->next++);
  } else if (kind == DLOC_KIND_LOCATION) {
    dloc_location place = dloc_location_get(context, f->node);
    const dloc_node operands[] = {place.scope, place.inlined_at, place.layers};
    while (!*ret && f->next < sizeof operands / sizeof *operands)
      TRY(field_operand(numbers, FIELD_NODE, operands[f->next++], ret));
  } else if (kind == DLOC_KIND_LAYER_LIST) {
    while (!*ret && f->next < dloc_field_count(context, f->node))
      *ret = dloc_field_at(context, f->node, f->next++).value;
  } else if (map_get(&numbers->classes, node_words(context, f->node)[0], 0, &class)) {
    while (!*ret && f->next < numbers->operand_counts[class]) {
      uint32_t row = numbers->operands[class_specs[class].first + f->next++];
      dloc_node value = node_field(context, f->node, context->field_keys[row]);
      TRY(field_operand(numbers, field_specs[row].type, value, ret));
      if (row == FIELD_FILE_source) /* an empty text is one */
        *ret = value;
    }
  }
  *ret_any = *ret != DLOC_NULL;
  return DLOC_OK;
}

/* ---- Discovery ---- */

/* Operands are made while they are looked at, so the table grows. */
static dloc_status know(dloc_numbers *numbers, dloc_node node, known **ret) {
  RESERVE(numbers->context, numbers->known, (size_t)node + 1);
  if (numbers->known.count <= node) {
    memset(numbers->known.items + numbers->known.count, 0,
           (node + 1 - numbers->known.count) * sizeof *numbers->known.items);
    numbers->known.count = (size_t)node + 1;
  }
  *ret = &numbers->known.items[node];
  return DLOC_OK;
}

static bool is_node(const dloc_numbers *numbers, dloc_node node) {
  dloc_kind kind = dloc_node_kind(numbers->context, node);
  return kind != DLOC_KIND_STRING && kind != DLOC_KIND_CONSTANT;
}

static dloc_status place(dloc_numbers *numbers, dloc_node node) {
  TRY(scratch_push(numbers->context, &numbers->found, node));
  numbers->known.items[node].position = (uint32_t)numbers->found.count;
  return DLOC_OK;
}

/* The node is the module's from now on; so is what it refers to, if it was walked. `bitcode.number.shared` */
static dloc_status share_one(dloc_numbers *numbers, dloc_node node) {
  known *k = &numbers->known.items[node];
  if (!k->met || !k->function)
    return DLOC_OK;
  k->function = 0;
  return k->position && is_node(numbers, node) ? scratch_push(numbers->context, &numbers->shared, node) : DLOC_OK;
}

/* `bitcode.number.shared` */
static dloc_status share(dloc_numbers *numbers, dloc_node node) {
  TRY(share_one(numbers, node));
  while (numbers->shared.count) {
    frame f = {numbers->shared.words[--numbers->shared.count], 0};
    bool any = true;
    while (any) {
      dloc_node operand = DLOC_NULL;
      known *ignored = NULL;
      TRY(next_operand(numbers, &f, &any, &operand));
      if (any) {
        TRY(know(numbers, operand, &ignored));
        TRY(share_one(numbers, operand));
      }
    }
  }
  return DLOC_OK;
}

/* A use of a node. Strings and values have their place at once; *ret_new says that the walk must visit its operands
 * first. */
static dloc_status meet(dloc_numbers *numbers, uint32_t function, dloc_node node, bool *ret_new) {
  known *k = NULL;
  *ret_new = false;
  TRY(know(numbers, node, &k));
  if (k->met)
    return k->function && k->function != function ? share(numbers, node) : DLOC_OK;
  *k = (known){.function = function, .met = true};
  *ret_new = is_node(numbers, node);
  return *ret_new ? DLOC_OK : place(numbers, node);
}

/* `bitcode.number.post-order` */
static dloc_status enter(dloc_numbers *numbers, dloc_node node) {
  PUSH(numbers->context, numbers->frames, (frame){node, 0});
  return DLOC_OK;
}

/* The node on top has no operand left that is new: it gets its place. */
static dloc_status leave(dloc_numbers *numbers) {
  TRY(place(numbers, numbers->frames.items[--numbers->frames.count].node));
  if (numbers->frames.count &&
      !dloc_node_is_distinct(numbers->context, numbers->frames.items[numbers->frames.count - 1].node))
    return DLOC_OK;
  for (size_t i = 0; i < numbers->postponed.count; i++)
    TRY(enter(numbers, numbers->postponed.words[i]));
  numbers->postponed.count = 0;
  return DLOC_OK;
}

/* `bitcode.number.distinct`: a distinct operand of a uniqued node waits until the uniqued nodes around it are done. */
static dloc_status enter_operand(dloc_numbers *numbers, dloc_node above, dloc_node node) {
  const dloc_context *context = numbers->context;
  if (dloc_node_is_distinct(context, node) && !dloc_node_is_distinct(context, above))
    return scratch_push(numbers->context, &numbers->postponed, node);
  return enter(numbers, node);
}

/* `bitcode.number.post-order` */
static dloc_status discover(dloc_numbers *numbers, uint32_t function, dloc_node node) {
  bool any = false, is_new = false;
  dloc_node operand = DLOC_NULL;
  if (node)
    TRY(meet(numbers, function, node, &is_new));
  if (is_new)
    TRY(enter(numbers, node));
  while (numbers->frames.count) {
    frame *top = &numbers->frames.items[numbers->frames.count - 1];
    TRY(next_operand(numbers, top, &any, &operand));
    if (!any) {
      TRY(leave(numbers));
      continue;
    }
    TRY(meet(numbers, function, operand, &is_new));
    if (is_new)
      TRY(enter_operand(numbers, top->node, operand));
  }
  return DLOC_OK;
}

/* `i32 %x`, in a list of arguments: its last word is a name. */
static bool is_local(const dloc_numbers *numbers, dloc_node value) {
  dloc_text word = text_behind_last(dloc_node_text(numbers->context, value), " ");
  return word.size && *word.bytes == '%';
}

/* ---- Where it begins ---- */

static dloc_status rank_kinds(dloc_numbers *numbers) {
  for (uint32_t i = 0; i < sizeof attachment_kinds / sizeof *attachment_kinds; i++) {
    dloc_node token = DLOC_NULL;
    TRY(dloc_token(numbers->context, dloc_text_of(attachment_kinds[i]), &token));
    TRY(map_add(numbers->context, &numbers->kinds, token, 0, i, NULL));
  }
  const dloc_module *module = numbers->module;
  const attachment_list *const lists[] = {&module->global_attachments, &module->function_attachments,
                                          &module->attachments};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    for (size_t j = 0; j < lists[i]->count; j++)
      TRY(map_add(numbers->context, &numbers->kinds, lists[i]->items[j].kind, 0, (uint32_t)numbers->kinds.count, NULL));
  return DLOC_OK;
}

static dloc_status add_attachment(dloc_numbers *numbers, dloc_attachment attachment) {
  ranked r = {.position = (uint32_t)numbers->attachments.count, .node = attachment.node};
  map_get(&numbers->kinds, attachment.kind, 0, &r.rank);
  PUSH(numbers->context, numbers->attachments, r);
  return DLOC_OK;
}

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  int order = ORDER(x->rank, y->rank);
  return order ? order : ORDER(x->position, y->position);
}

/* `bitcode.number.attachments` */
static dloc_status discover_attachments(dloc_numbers *numbers, uint32_t function) {
  SORT(numbers->attachments, compare_ranked);
  for (size_t i = 0; i < numbers->attachments.count; i++)
    TRY(discover(numbers, function, numbers->attachments.items[i].node));
  numbers->attachments.count = 0;
  return DLOC_OK;
}

/* `bitcode.number.location`, `bitcode.list.number`: what a location refers to, not the node itself. */
static dloc_status discover_location(dloc_numbers *numbers, uint32_t function, dloc_node location) {
  frame f = {location, 0};
  bool any = location != DLOC_NULL;
  while (any) {
    dloc_node operand = DLOC_NULL;
    TRY(next_operand(numbers, &f, &any, &operand));
    TRY(discover(numbers, function, operand));
  }
  return DLOC_OK;
}

/* `bitcode.number.layers` */
static dloc_status discover_debug_loc(dloc_numbers *numbers, uint32_t function, dloc_node debug_loc) {
  dloc_layer layer;
  TRY(discover_location(numbers, function, dloc_primary(numbers->context, debug_loc)));
  for (size_t cursor = 0; next_written_layer(numbers->context, numbers->profile, debug_loc, &cursor, &layer);) {
    TRY(discover_location(numbers, function, layer.location));
    TRY(discover(numbers, function, layer.kind));
  }
  return DLOC_OK;
}

/* Those of a list of arguments: its values. */
static dloc_status discover_arguments(dloc_numbers *numbers, uint32_t function, dloc_node list) {
  for (size_t i = 0; i < dloc_field_count(numbers->context, list); i++) {
    dloc_node value = dloc_field_at(numbers->context, list, i).value;
    if (dloc_node_kind(numbers->context, value) == DLOC_KIND_CONSTANT && !is_local(numbers, value))
      TRY(discover(numbers, function, value));
  }
  return DLOC_OK;
}

static dloc_status discover_operand(dloc_numbers *numbers, uint32_t function, dloc_node operand) {
  bool list = dloc_text_equal(dloc_node_class(numbers->context, operand), dloc_text_of("DIArgList"));
  return list ? discover_arguments(numbers, function, operand) : discover(numbers, function, operand);
}

/* The operands of a debug record; of a call of a debug intrinsic, without its variable, which is the second. */
static dloc_status record_operand(dloc_numbers *numbers, size_t index, size_t at, dloc_node *ret) {
  const dloc_instruction *record = dloc_module_instruction(numbers->module, index);
  size_t count = module_metadata_operand_count(numbers->module, index);
  bool skips = record->flags & DLOC_INSTRUCTION_DBG_CALL && at > 0;
  if (count || at > 1) {
    *ret = module_metadata_operand(numbers->module, index, at + skips);
    return DLOC_OK;
  }
  return at == 0 ? dloc_constant(numbers->context, dloc_text_of("i32 0"), ret)
                 : dloc_specialised(numbers->context, dloc_text_of("DIExpression"), false, NULL, 0, NULL, ret);
}

/* `bitcode.number.records`: of a variable its value, expression, variable and location; of a label, it and the
 * location. An assignment's id, address and expression of the address follow: address first. */
static dloc_status discover_record(dloc_numbers *numbers, uint32_t function, size_t index) {
  enum { VALUE, EXPRESSION, ID, ADDRESS, ADDRESS_EXPRESSION, OPERANDS };
  const dloc_instruction *record = dloc_module_instruction(numbers->module, index);
  bool label = record->flags & DLOC_INSTRUCTION_LABEL_RECORD;
  dloc_node operands[OPERANDS] = {DLOC_NULL};
  for (size_t i = 0; !label && i < OPERANDS; i++)
    TRY(record_operand(numbers, index, i, &operands[i]));
  TRY(discover_operand(numbers, function, operands[VALUE]));
  TRY(discover(numbers, function, operands[EXPRESSION]));
  TRY(discover(numbers, function, record->entity));
  TRY(discover(numbers, function, record->debug_loc));
  TRY(discover_operand(numbers, function, operands[ADDRESS]));
  TRY(discover(numbers, function, operands[ID]));
  return discover(numbers, function, operands[ADDRESS_EXPRESSION]);
}

/* Releases with debug records read calls of debug intrinsics as such. */
static bool is_record(const dloc_numbers *numbers, const dloc_instruction *instruction) {
  bool known = DLOC_TAKES(numbers->profile, METADATA_RECORDS, KNOWN);
  return instruction->flags & DLOC_INSTRUCTION_RECORD || (known && instruction->flags & DLOC_INSTRUCTION_DBG_CALL);
}

static dloc_status discover_instruction(dloc_numbers *numbers, uint32_t function, size_t index) {
  const dloc_module *module = numbers->module;
  const dloc_instruction *instruction = dloc_module_instruction(module, index);
  if (is_record(numbers, instruction))
    return discover_record(numbers, function, index);
  for (size_t i = 0; i < module_metadata_operand_count(module, index); i++)
    TRY(discover_operand(numbers, function, module_metadata_operand(module, index, i)));
  for (size_t i = 0; i < dloc_module_attachment_count(module, index); i++)
    TRY(add_attachment(numbers, dloc_module_attachment(module, index, i)));
  TRY(discover_attachments(numbers, function));
  return discover_debug_loc(numbers, function, instruction->debug_loc);
}

/* `bitcode.number.discovery`, `bitcode.number.declaration`, `bitcode.number.buckets` */
static dloc_status discover_function(dloc_numbers *numbers, size_t index) {
  const dloc_function *function = dloc_module_function(numbers->module, index);
  uint32_t owner = function->flags & DLOC_FUNCTION_DEFINITION ? (uint32_t)index + 1 : 0;
  for (uint32_t i = 0; i < function->attachment_count; i++)
    TRY(add_attachment(numbers, module_function_attachment(numbers->module, index, i)));
  TRY(discover_attachments(numbers, owner));
  for (uint32_t i = 0; i < function->instruction_count; i++)
    TRY(discover_instruction(numbers, owner, (size_t)function->first_instruction + i));
  return DLOC_OK;
}

/* `bitcode.number.discovery` */
static dloc_status discover_module(dloc_numbers *numbers) {
  const dloc_module *module = numbers->module;
  for (size_t i = 0; i < dloc_module_named_count(module); i++) {
    dloc_named_metadata named = dloc_module_named(module, i);
    for (size_t j = 0; j < named.operand_count; j++)
      TRY(discover(numbers, 0, dloc_module_named_operand(module, &named, j)));
  }
  for (size_t i = 0; i < module->global_attachments.count; i++)
    TRY(discover(numbers, 0, module->global_attachments.items[i].node));
  for (size_t i = 0; i < dloc_module_function_count(module); i++)
    TRY(discover_function(numbers, i));
  return DLOC_OK;
}

/* ---- Order ---- */

enum { CLASS_COUNT = 4 };

/* `bitcode.number.classes`: strings, values, distinct nodes, uniqued nodes. */
static unsigned class_of(const dloc_numbers *numbers, dloc_node node) {
  switch (dloc_node_kind(numbers->context, node)) {
  case DLOC_KIND_STRING:
    return 0;
  case DLOC_KIND_CONSTANT:
    return 1;
  default:
    return dloc_node_is_distinct(numbers->context, node) ? 2 : 3;
  }
}

static size_t group_of(const dloc_numbers *numbers, dloc_node node) {
  return (size_t)numbers->known.items[node].function * CLASS_COUNT + class_of(numbers, node);
}

/* `bitcode.number.buckets`: by function, the module first; in it by class; in that by discovery. ends has a place for
 * each of these. */
static void sort(dloc_numbers *numbers, size_t *ends) {
  const scratch *found = &numbers->found;
  size_t groups = (dloc_module_function_count(numbers->module) + 1) * CLASS_COUNT, sum = 0;
  for (size_t i = 0; i < found->count; i++)
    ends[group_of(numbers, found->words[i])]++;
  for (size_t i = 0; i < groups; i++) {
    if (i % CLASS_COUNT == 0)
      numbers->buckets[i / CLASS_COUNT] = sum;
    size_t count = ends[i];
    ends[i] = sum;
    sum += count;
  }
  numbers->buckets[groups / CLASS_COUNT] = sum;
  for (size_t i = 0; i < found->count; i++)
    numbers->ordered.words[ends[group_of(numbers, found->words[i])]++] = found->words[i];
}

static dloc_status order(dloc_numbers *numbers) {
  size_t functions = dloc_module_function_count(numbers->module), groups = (functions + 1) * CLASS_COUNT;
  ALLOCATE_ITEMS(numbers->context, numbers->buckets, functions + 2);
  for (size_t i = 0; i < numbers->found.count; i++)
    TRY(scratch_push(numbers->context, &numbers->ordered, DLOC_NULL));
  ALLOCATE(numbers->context, size_t, ends, groups);
  memset(ends, 0, groups * sizeof *ends);
  sort(numbers, ends);
  context_free(numbers->context, ends);
  return DLOC_OK;
}

/* ---- The numbers ---- */

static dloc_status make_numbers(dloc_numbers *numbers) {
  TRY(read_classes(numbers));
  TRY(rank_kinds(numbers));
  TRY(discover_module(numbers));
  TRY(order(numbers));
  for (size_t i = 0; i < numbers->ordered.count; i++)
    numbers->known.items[numbers->ordered.words[i]].position = (uint32_t)i;
  return DLOC_OK;
}

static dloc_status list_bucket(dloc_numbers *numbers, uint32_t function, const scratch *nodes, size_t end) {
  for (size_t i = numbers->ordered.count; i < end; i++) {
    known *k = NULL;
    dloc_node node = dloc_canonical(numbers->context, nodes->words[i]);
    TRY(scratch_push(numbers->context, &numbers->ordered, node));
    TRY(know(numbers, node, &k));
    *k = (known){.position = (uint32_t)i, .function = function, .met = true};
  }
  return DLOC_OK;
}

static dloc_status list_buckets(dloc_numbers *numbers, const scratch *nodes, const scratch *ends) {
  ALLOCATE_ITEMS(numbers->context, numbers->buckets, ends->count + 1);
  for (uint32_t i = 0; i < ends->count; i++) {
    numbers->buckets[i] = numbers->ordered.count;
    TRY(list_bucket(numbers, i, nodes, ends->words[i]));
  }
  numbers->buckets[ends->count] = nodes->count;
  return DLOC_OK;
}

/* With a profile they are made; else they are those that were read. */
static dloc_status create(const dloc_module *module, const dloc_profile *profile, const scratch *nodes,
                          const scratch *ends, dloc_numbers **ret) {
  CREATE(module->context, dloc_numbers, numbers, .module = module, .context = module->context, .profile = profile);
  RETURN_MADE(profile ? make_numbers(numbers) : list_buckets(numbers, nodes, ends), numbers, dloc_numbers_destroy, ret);
}

dloc_status numbers_list(const dloc_module *module, const scratch *nodes, const scratch *ends, dloc_numbers **ret) {
  return create(module, NULL, nodes, ends, ret);
}

dloc_status dloc_numbers_create(const dloc_module *module, const dloc_profile *profile, dloc_numbers **ret) {
  return create(module, profile, NULL, NULL, ret);
}

void dloc_numbers_destroy(dloc_numbers *numbers) {
  if (numbers)
    CONTEXT_FREE(numbers->context, numbers->classes.entries, numbers->kinds.entries, numbers->known.items,
                 numbers->found.words, numbers->frames.items, numbers->postponed.words, numbers->shared.words,
                 numbers->attachments.items, numbers->ordered.words, numbers->buckets, numbers);
}

const dloc_node *dloc_numbers_bucket(const dloc_numbers *numbers, uint32_t function, size_t *ret_count) {
  size_t bucket = function == DLOC_NO_INDEX ? 0 : (size_t)function + 1;
  bool there = bucket <= dloc_module_function_count(numbers->module);
  *ret_count = there ? numbers->buckets[bucket + 1] - numbers->buckets[bucket] : 0;
  return there && numbers->ordered.words ? numbers->ordered.words + numbers->buckets[bucket] : NULL;
}

dloc_status dloc_numbers_operand(dloc_numbers *numbers, dloc_node node, uint32_t *cursor, dloc_node *ret) {
  frame f = {node, *cursor};
  bool any = false;
  dloc_node operand = DLOC_NULL;
  TRY(next_operand(numbers, &f, &any, &operand));
  *cursor = f.next;
  *ret = operand;
  return DLOC_OK;
}

/* `bitcode.number.restart` */
dloc_status dloc_number_of(void *user, dloc_node node, uint64_t *ret) {
  const dloc_numbers *numbers = user;
  if (node >= numbers->known.count || !numbers->known.items[node].met)
    return DLOC_INVALID;
  const known *k = &numbers->known.items[node];
  *ret = k->position - (k->function ? numbers->buckets[k->function] - numbers->buckets[1] : 0);
  return DLOC_OK;
}
