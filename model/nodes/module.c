/* Modules: what verification and the tools walk over. */
#include "module.h"
#include "text.h"

#include <string.h>

dloc_status dloc_module_create(dloc_context *context, dloc_module **ret) {
  CREATE(context, dloc_module, module, .context = context, .text = {"", 0}, .current_function = DLOC_NO_INDEX);
  *ret = module;
  return DLOC_OK;
}

void dloc_module_destroy(dloc_module *module) {
  if (!module)
    return;
  dloc_context *context = module->context;
  const numbering *n = &module->numbers;
  CONTEXT_FREE(context, n->sparse_index.entries, n->flat.items, n->sparse.items, n->sparse_numbers.items, n->number_of);
  CONTEXT_FREE(context, module->functions.items, module->function_index.entries, module->instructions.items,
               module->metadata_operands.items, module->attachments.items, module->function_attachments.items,
               module->global_attachments.items, module->named.items, module->named_index.entries,
               module->operands.items, module->definitions.items, module->named_places.items, module->stand_ins.entries,
               module->lines, module);
}

dloc_context *dloc_module_context(const dloc_module *module) { return module->context; }

/* ---- Functions ---- */

uint32_t intrinsic_flags(dloc_text name) {
  static const struct {
    const char *name;
    uint32_t flags;
  } intrinsics[] = {
      {"llvm.dbg.declare", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.value", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.assign", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.addr", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.label", DLOC_INSTRUCTION_DBG_CALL | DLOC_INSTRUCTION_LABEL_RECORD},
      {"llvm.pseudoprobe", DLOC_INSTRUCTION_PROBE},
  };
  if (!text_begins(name, "llvm."))
    return 0;
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
    if (text_equals(name, intrinsics[i].name))
      return intrinsics[i].flags;
  return 0;
}

typedef dloc_node name_at(const dloc_module *module, uint32_t index);

/* Names are looked up by their hash, so that looking makes no node. attempt tells how many other names have the same
 * hash. */
typedef struct name_key {
  uint64_t hash;
  uint32_t attempt;
} name_key;

static bool find_name(const dloc_module *module, const map *index, name_at *name_of, dloc_text name, name_key *ret_key,
                      uint32_t *ret) {
  *ret_key = (name_key){hash_bytes(&module->context->hash_key, module->context->hash_key.start, name), 0};
  for (; map_get(index, ret_key->hash, ret_key->attempt, ret); ret_key->attempt++)
    if (dloc_text_equal(dloc_node_text(module->context, name_of(module, *ret)), name))
      return true;
  return false;
}

static dloc_node function_name(const dloc_module *module, uint32_t index) {
  return module->functions.items[index].name;
}

static bool find_function(const dloc_module *module, dloc_text name, name_key *ret_key, uint32_t *ret) {
  return find_name(module, &module->function_index, function_name, name, ret_key, ret);
}

dloc_status module_index_functions(dloc_module *module) {
  map_clear(&module->function_index);
  for (size_t i = 0; i < module->functions.count; i++) {
    dloc_text name = dloc_node_text(module->context, module->functions.items[i].name);
    uint32_t index = 0;
    name_key key;
    (void)find_function(module, name, &key, &index);
    TRY(map_add(module->context, &module->function_index, key.hash, key.attempt, (uint32_t)i, NULL));
  }
  return DLOC_OK;
}

dloc_status dloc_module_function_named(dloc_module *module, dloc_text name, uint32_t *ret) {
  dloc_node token = DLOC_NULL;
  uint32_t index = 0;
  name_key key;
  if (find_function(module, name, &key, &index)) {
    *ret = index;
    return DLOC_OK;
  }
  if (module->functions.count >= DLOC_NO_INDEX)
    return DLOC_LIMIT;
  TRY(dloc_token(module->context, name, &token));
  index = (uint32_t)module->functions.count;
  RESERVE(module->context, module->functions, index + (size_t)1);
  TRY(map_add(module->context, &module->function_index, key.hash, key.attempt, index, NULL));
  PUSH(module->context, module->functions,
       (dloc_function){.name = token,
                       .flags = text_begins(name, "llvm.") ? DLOC_FUNCTION_INTRINSIC : 0,
                       .first_instruction = (uint32_t)module->instructions.count,
                       .first_attachment = (uint32_t)module->function_attachments.count});
  *ret = index;
  return DLOC_OK;
}

dloc_status dloc_module_begin_function(dloc_module *module, dloc_text name, uint32_t flags, uint32_t text,
                                       uint32_t *ret) {
  uint32_t index = 0;
  TRY(dloc_module_function_named(module, name, &index));
  dloc_function *function = &module->functions.items[index];
  if (function->flags & FUNCTION_BEGUN)
    return DLOC_INVALID;
  function->flags |= flags | FUNCTION_BEGUN;
  function->text = text;
  function->first_instruction = (uint32_t)module->instructions.count;
  function->first_attachment = (uint32_t)module->function_attachments.count;
  module->current_function = index;
  *ret = index;
  return DLOC_OK;
}

static dloc_status append_attachment(dloc_module *module, attachment_list *list, dloc_text kind, dloc_node node) {
  dloc_node token = DLOC_NULL;
  if (kind.size == 0) /* no text can have it */
    return DLOC_INVALID;
  TRY(dloc_token(module->context, kind, &token));
  if (list->count >= DLOC_NO_INDEX)
    return DLOC_LIMIT;
  PUSH(module->context, *list, (dloc_attachment){token, node});
  return DLOC_OK;
}

dloc_status dloc_module_add_function_attachment(dloc_module *module, dloc_text kind, dloc_node node) {
  if (module->current_function == DLOC_NO_INDEX)
    return DLOC_INVALID;
  TRY(append_attachment(module, &module->function_attachments, kind, node));
  module->functions.items[module->current_function].attachment_count++;
  return DLOC_OK;
}

dloc_status dloc_module_add_instruction(dloc_module *module, const dloc_instruction *instruction) {
  if (module->current_function == DLOC_NO_INDEX)
    return DLOC_INVALID;
  if (module->instructions.count >= DLOC_NO_INDEX)
    return DLOC_LIMIT;
  PUSH(module->context, module->instructions, *instruction);
  dloc_instruction *added = &module->instructions.items[module->instructions.count - 1];
  added->attachments = (uint32_t)module->attachments.count;
  added->operands = (uint32_t)module->metadata_operands.count;
  module->functions.items[module->current_function].instruction_count++;
  return DLOC_OK;
}

dloc_status dloc_module_add_attachment(dloc_module *module, dloc_text kind, dloc_node node) {
  if (module->instructions.count == 0)
    return DLOC_INVALID;
  return append_attachment(module, &module->attachments, kind, node);
}

dloc_status module_add_metadata_operand(dloc_module *module, dloc_node node) {
  if (module->instructions.count == 0)
    return DLOC_INVALID;
  if (module->metadata_operands.count >= DLOC_NO_INDEX)
    return DLOC_LIMIT;
  PUSH(module->context, module->metadata_operands, node);
  return DLOC_OK;
}

dloc_status module_add_global_attachment(dloc_module *module, dloc_text kind, dloc_node node) {
  return append_attachment(module, &module->global_attachments, kind, node);
}

size_t dloc_module_function_count(const dloc_module *module) { return module->functions.count; }

const dloc_function *dloc_module_function(const dloc_module *module, size_t index) {
  return index < module->functions.count ? &module->functions.items[index] : NULL;
}

bool dloc_module_find_function(const dloc_module *module, dloc_text name, uint32_t *ret) {
  name_key key;
  return find_function(module, name, &key, ret);
}

dloc_node dloc_function_subprogram(const dloc_module *module, size_t index) {
  static const dloc_text dbg = {"dbg", 3};
  if (index >= module->functions.count)
    return DLOC_NULL;
  const dloc_function *function = &module->functions.items[index];
  for (uint32_t i = 0; i < function->attachment_count; i++) {
    dloc_attachment attachment = module->function_attachments.items[function->first_attachment + i];
    if (dloc_text_equal(dloc_node_text(module->context, attachment.kind), dbg))
      return attachment.node;
  }
  return DLOC_NULL;
}

/* ---- Instructions and attachments ---- */

size_t dloc_module_instruction_count(const dloc_module *module) { return module->instructions.count; }

const dloc_instruction *dloc_module_instruction(const dloc_module *module, size_t index) {
  return index < module->instructions.count ? &module->instructions.items[index] : NULL;
}

dloc_status dloc_module_set_debug_loc(dloc_module *module, size_t instruction, dloc_node debug_loc) {
  if (instruction >= module->instructions.count)
    return DLOC_INVALID;
  module->instructions.items[instruction].debug_loc = debug_loc;
  module->instructions.items[instruction].flags |= INSTRUCTION_CHANGED;
  return DLOC_OK;
}

size_t dloc_module_attachment_count(const dloc_module *module, size_t instruction) {
  if (instruction >= module->instructions.count)
    return 0;
  size_t end = instruction + 1 < module->instructions.count ? module->instructions.items[instruction + 1].attachments
                                                            : module->attachments.count;
  return end - module->instructions.items[instruction].attachments;
}

dloc_attachment dloc_module_attachment(const dloc_module *module, size_t instruction, size_t index) {
  if (index >= dloc_module_attachment_count(module, instruction))
    return (dloc_attachment){DLOC_NULL, DLOC_NULL};
  return module->attachments.items[module->instructions.items[instruction].attachments + index];
}

size_t module_metadata_operand_count(const dloc_module *module, size_t instruction) {
  size_t end = instruction + 1 < module->instructions.count ? module->instructions.items[instruction + 1].operands
                                                            : module->metadata_operands.count;
  return end - module->instructions.items[instruction].operands;
}

dloc_node module_metadata_operand(const dloc_module *module, size_t instruction, size_t index) {
  if (index >= module_metadata_operand_count(module, instruction))
    return DLOC_NULL;
  return module->metadata_operands.items[module->instructions.items[instruction].operands + index];
}

dloc_attachment module_function_attachment(const dloc_module *module, size_t function, size_t index) {
  return module->function_attachments.items[module->functions.items[function].first_attachment + index];
}

/* ---- Named metadata ---- */

static dloc_node list_name(const dloc_module *module, uint32_t index) {
  return module->named.items[index].metadata.name;
}

static bool find_named(const dloc_module *module, dloc_text name, name_key *ret_key, uint32_t *ret) {
  return find_name(module, &module->named_index, list_name, name, ret_key, ret);
}

static dloc_status named_entry(dloc_module *module, dloc_text name, uint32_t *ret) {
  dloc_node token = DLOC_NULL;
  name_key key;
  if (find_named(module, name, &key, ret))
    return DLOC_OK;
  if (name.size == 0) /* no text can have it */
    return DLOC_INVALID;
  TRY(dloc_token(module->context, name, &token));
  uint32_t index = (uint32_t)module->named.count;
  RESERVE(module->context, module->named, index + (size_t)1);
  TRY(map_add(module->context, &module->named_index, key.hash, key.attempt, index, NULL));
  PUSH(module->context, module->named, (named_list){.metadata = {token, (uint32_t)module->operands.count, 0}});
  *ret = index;
  return DLOC_OK;
}

/* Named metadata that is defined twice has the operands of both, as in LLVM. The list that grows must be the last in
 * the array; one that is not moves there. */
static dloc_status move_to_end(dloc_module *module, dloc_named_metadata *list) {
  if ((size_t)list->first_operand + list->operand_count == module->operands.count)
    return DLOC_OK;
  RESERVE(module->context, module->operands, module->operands.count + list->operand_count);
  if (list->operand_count)
    memcpy(module->operands.items + module->operands.count, module->operands.items + list->first_operand,
           list->operand_count * sizeof *module->operands.items);
  list->first_operand = (uint32_t)module->operands.count;
  module->operands.count += list->operand_count;
  return DLOC_OK;
}

dloc_status dloc_module_add_named(dloc_module *module, dloc_text name, const dloc_node *operands, size_t count) {
  uint32_t index = 0;
  TRY(named_entry(module, name, &index));
  dloc_named_metadata *list = &module->named.items[index].metadata;
  if (count >= DLOC_NO_INDEX - (module->operands.count + list->operand_count))
    return DLOC_LIMIT;
  TRY(move_to_end(module, list));
  RESERVE(module->context, module->operands, module->operands.count + count);
  if (count)
    memcpy(module->operands.items + module->operands.count, operands, count * sizeof *operands);
  module->operands.count += count;
  list->operand_count += (uint32_t)count;
  return DLOC_OK;
}

dloc_status module_note_named(dloc_module *module, dloc_text name, uint32_t place) {
  uint32_t index = 0;
  TRY(named_entry(module, name, &index));
  PUSH(module->context, module->named_places, (named_place){place, index});
  return DLOC_OK;
}

void dloc_module_drop_named(dloc_module *module, dloc_text name) {
  uint32_t index = 0;
  name_key key;
  if (!find_named(module, name, &key, &index))
    return;
  named_list *list = &module->named.items[index];
  list->metadata.operand_count = 0;
  list->in_text = 0;
  list->dropped = true;
}

size_t dloc_module_named_count(const dloc_module *module) { return module->named.count; }

dloc_named_metadata dloc_module_named(const dloc_module *module, size_t index) {
  return index < module->named.count ? module->named.items[index].metadata : (dloc_named_metadata){DLOC_NULL, 0, 0};
}

bool dloc_module_find_named(const dloc_module *module, dloc_text name, dloc_named_metadata *ret) {
  uint32_t index = 0;
  name_key key;
  if (!find_named(module, name, &key, &index))
    return false;
  *ret = module->named.items[index].metadata;
  return true;
}

dloc_node dloc_module_named_operand(const dloc_module *module, const dloc_named_metadata *named, size_t index) {
  return index < named->operand_count ? module->operands.items[named->first_operand + index] : DLOC_NULL;
}

dloc_node module_flag(const dloc_module *module, const char *name) {
  const dloc_context *context = module->context;
  dloc_named_metadata flags = {0};
  (void)dloc_module_find_named(module, dloc_text_of(DLOC_FLAG_LIST), &flags);
  for (size_t i = 0; i < flags.operand_count; i++) {
    dloc_node flag = dloc_module_named_operand(module, &flags, i), own_name = dloc_operand(context, flag, 1);
    if (dloc_operand_count(context, flag) >= 3 && node_kind(context, own_name) == DLOC_KIND_STRING &&
        text_equals(dloc_node_text(context, own_name), name))
      return dloc_operand(context, flag, 2);
  }
  return DLOC_NULL;
}

void module_settle_interposition(dloc_module *module) {
  dloc_node value = module_flag(module, "SemanticInterposition");
  bool replaceable = value && !text_equals(dloc_node_text(module->context, value), "i32 0");
  for (size_t i = 0; i < module->functions.count; i++) {
    uint32_t *flags = &module->functions.items[i].flags;
    if (replaceable && (*flags & (FUNCTION_BEGUN | FUNCTION_DSO_LOCAL)) == FUNCTION_BEGUN)
      *flags |= DLOC_FUNCTION_INTERPOSABLE;
    *flags &= ~FUNCTION_DSO_LOCAL;
  }
}

/* ---- All nodes ---- */

static dloc_status visit_attachments(attachment_list *list, visit_node *visit, void *user) {
  for (size_t i = 0; i < list->count; i++)
    TRY(visit(user, &list->items[i].node));
  return DLOC_OK;
}

dloc_status module_visit_nodes(dloc_module *module, visit_node *visit, void *user) {
  for (size_t i = 0; i < module->instructions.count; i++) {
    dloc_instruction *instruction = &module->instructions.items[i];
    TRY(visit(user, &instruction->debug_loc));
    if (instruction->flags & DLOC_INSTRUCTION_DEBUG)
      TRY(visit(user, &instruction->entity));
  }
  for (size_t i = 0; i < module->metadata_operands.count; i++)
    TRY(visit(user, &module->metadata_operands.items[i]));
  TRY(visit_attachments(&module->attachments, visit, user));
  TRY(visit_attachments(&module->function_attachments, visit, user));
  TRY(visit_attachments(&module->global_attachments, visit, user));
  for (size_t i = 0; i < module->named.count; i++) {
    dloc_named_metadata list = module->named.items[i].metadata;
    for (size_t j = 0; j < list.operand_count; j++)
      TRY(visit(user, &module->operands.items[list.first_operand + j]));
  }
  return DLOC_OK;
}

static dloc_status make_canonical(void *user, dloc_node *node) {
  *node = dloc_canonical(user, *node);
  return DLOC_OK;
}

dloc_status dloc_module_resolve(dloc_module *module) {
  return module_visit_nodes(module, make_canonical, module->context);
}

/* A node that a walk from the module's nodes meets. */
typedef struct meeting {
  dloc_context *context;
  ARRAY(uint8_t) met; /* by node */
  scratch stack;
  change_node *change;
  void *user;
} meeting;

static dloc_status meet(void *user, dloc_node *node) {
  meeting *m = user;
  size_t known = m->met.count, count = m->context->node_count;
  if (known < count) {
    RESERVE(m->context, m->met, count);
    memset(m->met.items + known, 0, count - known);
    m->met.count = count;
  }
  if (*node == DLOC_NULL || m->met.items[*node])
    return DLOC_OK;
  m->met.items[*node] = 1;
  return scratch_push(m->context, &m->stack, *node);
}

static dloc_status meet_all(meeting *m, dloc_module *module) {
  TRY(module_visit_nodes(module, meet, m));
  while (m->stack.count) {
    dloc_node node = m->stack.words[--m->stack.count], operand, changed = node;
    if (m->change)
      TRY(m->change(m->user, node, &changed));
    if (changed != node)
      TRY(map_add(m->context, &module->stand_ins, node, 0, changed, NULL));
    map_get(&module->stand_ins, node, 0, &node);
    for (size_t i = 0; dloc_next_reference(m->context, node, &i, &operand);)
      TRY(meet(m, &operand));
  }
  return DLOC_OK;
}

dloc_status dloc_module_drop_unused(dloc_module *module) {
  meeting m = {.context = module->context};
  OWNED_MEMORY(module->context, &m.met.items, &m.stack.words);
  TRY(meet_all(&m, module));
  for (size_t i = 0; i < module->definitions.count; i++) {
    dloc_node node = numbering_at(module, module->definitions.items[i])->node;
    if (node >= m.met.count || !m.met.items[node])
      numbering_redefine(module, module->definitions.items[i], DLOC_NULL);
  }
  return DLOC_OK;
}

dloc_status module_change_nodes(dloc_module *module, change_node *change, void *user) {
  meeting m = {.context = module->context, .change = change, .user = user};
  OWNED_MEMORY(module->context, &m.met.items, &m.stack.words);
  return meet_all(&m, module);
}

/* ---- Numbers ---- */

slot *numbering_at(const dloc_module *module, uint32_t index) {
  const numbering *n = &module->numbers;
  return index < n->flat_limit ? &n->flat.items[index] : &n->sparse.items[index - n->flat_limit];
}

uint64_t numbering_number(const dloc_module *module, uint32_t index) {
  const numbering *n = &module->numbers;
  return index < n->flat_limit ? index : n->sparse_numbers.items[index - n->flat_limit];
}

static dloc_status flat_slot(dloc_module *module, uint32_t number) {
  numbering *n = &module->numbers;
  if (number < n->flat.count)
    return DLOC_OK;
  RESERVE(module->context, n->flat, number + (size_t)1);
  memset(n->flat.items + n->flat.count, 0, (number + (size_t)1 - n->flat.count) * sizeof *n->flat.items);
  n->flat.count = number + (size_t)1;
  return DLOC_OK;
}

static dloc_status sparse_slot(dloc_module *module, uint32_t number, uint32_t *ret) {
  numbering *n = &module->numbers;
  dloc_context *context = module->context;
  size_t needed = n->sparse.count + 1;
  RESERVE(context, n->sparse, needed);
  RESERVE(context, n->sparse_numbers, needed);
  uint32_t position = 0;
  TRY(map_add(context, &n->sparse_index, number, 0, (uint32_t)n->sparse.count, &position));
  if (position == n->sparse.count) {
    n->sparse.items[position] = (slot){DLOC_NULL, 0};
    n->sparse_numbers.items[position] = number;
    n->sparse.count++;
  }
  *ret = (uint32_t)n->flat_limit + position;
  return DLOC_OK;
}

dloc_status numbering_slot(dloc_module *module, uint32_t number, uint32_t *ret) {
  if (number >= module->numbers.flat_limit)
    return sparse_slot(module, number, ret);
  TRY(flat_slot(module, number));
  *ret = number;
  return DLOC_OK;
}

dloc_status module_note_definition(dloc_module *module, uint32_t index) {
  PUSH(module->context, module->definitions, index);
  return DLOC_OK;
}

bool numbering_find(const dloc_module *module, uint64_t number, uint32_t *ret) {
  const numbering *n = &module->numbers;
  uint32_t position = 0;
  if (number < n->flat_limit) {
    *ret = (uint32_t)number;
    return number < n->flat.count;
  }
  if (!map_get(&n->sparse_index, number, 0, &position))
    return false;
  *ret = (uint32_t)n->flat_limit + position;
  return true;
}

void numbering_redefine(dloc_module *module, uint32_t index, dloc_node node) {
  numbering_at(module, index)->node = node;
  context_free(module->context, module->numbers.number_of);
  module->numbers.number_of = NULL;
}

dloc_node dloc_module_numbered(const dloc_module *module, uint64_t number) {
  uint32_t index = 0;
  return numbering_find(module, number, &index) ? numbering_at(module, index)->node : DLOC_NULL;
}

/* Numbers by node, made when the first is asked for: a verification without violations needs none. False without memory
 * for it. */
static bool index_numbers(dloc_module *module) {
  numbering *n = &module->numbers;
  size_t count = dloc_node_limit(module->context);
  n->number_of = context_realloc(module->context, NULL, count * sizeof *n->number_of);
  if (!n->number_of)
    return false;
  memset(n->number_of, 0, count * sizeof *n->number_of);
  n->number_of_count = count;
  for (size_t i = module->definitions.count; i-- > 0;) /* the first definition of a node is the last to be entered */
    n->number_of[numbering_at(module, module->definitions.items[i])->node] = module->definitions.items[i] + 1;
  return true;
}

static uint32_t first_definition(const dloc_module *module, dloc_node node) {
  for (size_t i = 0; i < module->definitions.count; i++)
    if (numbering_at(module, module->definitions.items[i])->node == node)
      return module->definitions.items[i] + 1;
  return 0;
}

bool dloc_module_number_of(const dloc_module *module, dloc_node node, uint64_t *ret) {
  const numbering *n = &module->numbers;
  node = dloc_canonical(module->context, node);
  uint32_t definition = 0;
  if (!n->number_of && !index_numbers((dloc_module *)module)) /* a cache: the module's content does not change */
    definition = first_definition(module, node);
  else if (node < n->number_of_count)
    definition = n->number_of[node];
  if (!node || !definition) /* DLOC_NULL stands where a definition was dropped */
    return false;
  *ret = numbering_number(module, definition - 1);
  return true;
}
