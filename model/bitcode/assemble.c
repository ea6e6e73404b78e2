/* Layers put into the bitcode that a stock assembler made of a module without them.
 *
 * Layers of tuples are records of functions. Of the form irlayers, what the assembler does not know has a stand-in in
 * the text: for a layer or list a distinct tuple of what it refers to, for a location that has a list a distinct one
 * without. Their records are replaced. */
#include "layers.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>

/* The named metadata of the module that is assembled in its place; when it
 * has one of that name, this one's is longer. */
#define CARRIER "dloc.layers"
enum { CARRIER_SIZE = sizeof CARRIER + 12 };

struct dloc_assembly {
  dloc_context *context;
  dloc_module *module;
  const dloc_profile *profile;
  dloc_node *debug_locs; /* of the module's instructions, as they were */
  char carrier[CARRIER_SIZE];
  map seen;         /* Kinds and carried nodes. */
  scratch operands; /* Of a stand-in. */
  scratch kinds;    /* Strings: the operands of the carrier's last operand, a tuple. */
  scratch carried;  /* Nodes that have a stand-in, scopes and inlinedAt of layers, and that tuple. */
  map numbers;      /* Node -> number of its metadata. */
  map again;        /* Stand-in -> node, if the text defines that node a second time. */
};

/* ---- Taking layers out ---- */

/* `bitcode.list.abbreviation`: whether every location has an operand more. */
static bool is_wide(const dloc_assembly *a) {
  return DLOC_TAKES(a->profile, METADATA_IRLAYERS, KNOWN) &&
         DLOC_TAKES(a->profile, BITCODE_IRLAYERS_ABBREVIATION, WIDE);
}

static bool needs_stand_in(const dloc_assembly *a, dloc_node node) {
  dloc_kind kind = dloc_node_kind(a->context, node);
  bool has_operand = kind == DLOC_KIND_LOCATION && (is_wide(a) || dloc_location_get(a->context, node).layers);
  bool known = DLOC_TAKES(a->profile, METADATA_IRLAYERS, KNOWN);
  return known && (kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST || has_operand);
}

static dloc_status carry(dloc_assembly *a, scratch *list, dloc_node node) {
  bool first = false;
  if (node)
    TRY(map_meet(a->context, &a->seen, node, 0, &first));
  return first ? scratch_push(a->context, list, node) : DLOC_OK;
}

/* Nodes that the written layers name. */
static dloc_status carry_layers(dloc_assembly *a, dloc_node debug_loc) {
  dloc_layer layer;
  for (size_t cursor = 0; next_written_layer(a->context, a->profile, debug_loc, &cursor, &layer);) {
    dloc_location place = dloc_location_get(a->context, layer.location);
    TRY(carry(a, &a->carried, place.scope));
    TRY(carry(a, &a->carried, place.inlined_at));
    TRY(carry(a, &a->kinds, layer.kind));
  }
  return DLOC_OK;
}

/* A location that places a variable keeps its primary only; a node that is no DebugLoc stays, and the assembler refuses
 * it. One node has one stand-in: the instruction names it by one number, whatever its text says. */
static dloc_status take_out(dloc_assembly *a, size_t index) {
  const dloc_instruction *instruction = dloc_module_instruction(a->module, index);
  dloc_node debug_loc = instruction->debug_loc;
  a->debug_locs[index] = debug_loc;
  if (needs_stand_in(a, debug_loc))
    return dloc_module_set_debug_loc(a->module, index, debug_loc);
  if (dloc_debug_loc_shape(a->context, debug_loc) != DLOC_SHAPE_COMPOSITE ||
      check_operand(a->context, a->profile, debug_loc, NULL) != DLOC_OK)
    return DLOC_OK;
  dloc_node primary = dloc_primary(a->context, debug_loc);
  if (instruction->flags & DLOC_INSTRUCTION_DEBUG)
    a->debug_locs[index] = primary;
  else
    TRY(carry_layers(a, debug_loc));
  return dloc_module_set_debug_loc(a->module, index, primary);
}

/* The operands of a node's stand-in, if that is a tuple. An empty kind is none. */
static dloc_status list_operands(dloc_assembly *a, dloc_node node) {
  bool layer = dloc_node_kind(a->context, node) == DLOC_KIND_LAYER;
  a->operands.count = 0;
  for (size_t row = FIELD_LAYER_file; layer && row <= FIELD_LAYER_kind; row++) {
    dloc_node value = node_field(a->context, node, a->context->field_keys[row]);
    bool empty = row == FIELD_LAYER_kind && dloc_node_text(a->context, value).size == 0;
    TRY(scratch_push(a->context, &a->operands, empty ? DLOC_NULL : value));
  }
  for (size_t i = 0; !layer && i < dloc_field_count(a->context, node); i++)
    TRY(scratch_push(a->context, &a->operands, dloc_field_at(a->context, node, i).value));
  return DLOC_OK;
}

static dloc_status make_stand_in(dloc_assembly *a, dloc_node node, dloc_node *ret) {
  dloc_location place = dloc_location_get(a->context, node);
  place.layers = DLOC_NULL;
  if (dloc_node_kind(a->context, node) == DLOC_KIND_LOCATION)
    return dloc_location_create(a->context, true, &place, ret);
  TRY(list_operands(a, node));
  return dloc_tuple(a->context, true, a->operands.words, a->operands.count, ret);
}

/* A node with a number and a stand-in, or one that is named as a list. */
static dloc_status carry_node(dloc_assembly *a, dloc_numbers *numbers, dloc_node node) {
  uint64_t number = 0;
  bool is_node = dloc_node_kind(a->context, node) >= DLOC_KIND_TUPLE;
  return is_node && dloc_number_of(numbers, node, &number) == DLOC_OK ? carry(a, &a->carried, node) : DLOC_OK;
}

static dloc_status stand_in(dloc_assembly *a, dloc_numbers *numbers, dloc_node limit) {
  for (dloc_node node = 1; node < limit; node++) {
    dloc_node made = DLOC_NULL;
    if (!needs_stand_in(a, node))
      continue;
    TRY(make_stand_in(a, node, &made));
    TRY(map_add(a->context, &a->module->stand_ins, node, 0, made, NULL));
    TRY(carry_node(a, numbers, node));
    TRY(carry_node(a, numbers, dloc_location_get(a->context, node).layers));
  }
  return DLOC_OK;
}

/* The slots that define a node again which has a stand-in: uniqued nodes of the same content. */
static dloc_status find_again(const dloc_assembly *a, scratch *slots) {
  for (size_t i = 0; i < a->module->definitions.count; i++) {
    uint32_t index = a->module->definitions.items[i];
    dloc_node node = numbering_at(a->module, index)->node;
    uint64_t first = 0;
    if (needs_stand_in(a, node) && dloc_module_number_of(a->module, node, &first) &&
        first != numbering_number(a->module, index))
      TRY(scratch_push(a->context, slots, index));
  }
  return DLOC_OK;
}

/* A stand-in is distinct, so the second definition gets one of its own, whose record becomes the node's, too. */
static dloc_status stand_in_again(dloc_assembly *a, const scratch *slots) {
  for (size_t i = 0; i < slots->count; i++) {
    dloc_node node = numbering_at(a->module, slots->words[i])->node, made = DLOC_NULL;
    TRY(make_stand_in(a, node, &made));
    TRY(map_add(a->context, &a->again, made, 0, node, NULL));
    TRY(scratch_push(a->context, &a->carried, made));
    numbering_redefine(a->module, slots->words[i], made);
  }
  return DLOC_OK;
}

static dloc_status stand_in_all(dloc_assembly *a) {
  dloc_node limit = dloc_node_limit(a->context);
  dloc_numbers *numbers = NULL;
  if (DLOC_TAKES(a->profile, METADATA_IRLAYERS, UNKNOWN))
    return DLOC_OK;
  TRY(dloc_numbers_create(a->module, a->profile, &numbers));
  dloc_status status = stand_in(a, numbers, limit);
  dloc_numbers_destroy(numbers);
  scratch slots = {0};
  if (status == DLOC_OK)
    status = find_again(a, &slots);
  if (status == DLOC_OK)
    status = stand_in_again(a, &slots);
  context_free(a->context, slots.words);
  return status;
}

static dloc_status add_carrier(dloc_assembly *a) {
  dloc_node kinds = DLOC_NULL;
  dloc_named_metadata found;
  snprintf(a->carrier, sizeof a->carrier, CARRIER);
  for (unsigned i = 1; dloc_module_find_named(a->module, dloc_text_of(a->carrier), &found); i++)
    snprintf(a->carrier, sizeof a->carrier, CARRIER ".%u", i);
  if (a->kinds.count) {
    TRY(dloc_tuple(a->context, false, a->kinds.words, a->kinds.count, &kinds));
    TRY(scratch_push(a->context, &a->carried, kinds));
  }
  return dloc_module_add_named(a->module, dloc_text_of(a->carrier), a->carried.words, a->carried.count);
}

static dloc_status take_all_out(dloc_assembly *a) {
  size_t count = dloc_module_instruction_count(a->module);
  a->debug_locs = context_realloc(a->context, NULL, (count + 1) * sizeof *a->debug_locs);
  if (!a->debug_locs)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++)
    TRY(take_out(a, i));
  TRY(stand_in_all(a));
  return a->kinds.count || a->carried.count ? add_carrier(a) : DLOC_OK;
}

dloc_status dloc_assembly_create(dloc_module *module, const dloc_profile *profile, dloc_assembly **ret) {
  dloc_context *context = dloc_module_context(module);
  ALLOCATE(context, dloc_assembly, a, 1);
  *a = (dloc_assembly){.context = context, .module = module, .profile = profile};
  dloc_status status = take_all_out(a);
  if (status == DLOC_OK)
    *ret = a;
  else
    dloc_assembly_destroy(a);
  return status;
}

void dloc_assembly_destroy(dloc_assembly *a) {
  if (!a)
    return;
  dloc_context *context = a->context;
  CONTEXT_FREE(context, a->debug_locs, a->seen.entries, a->numbers.entries, a->again.entries, a->operands.words,
               a->kinds.words, a->carried.words, a);
}

/* ---- Edits ---- */

/* A node and the number of its stand-in. */
typedef struct stood_in {
  dloc_node node;
  uint32_t number;
} stood_in;

typedef struct assembler {
  dloc_assembly *a;
  dloc_bitcode *b;
  dloc_encoder *encoder;
  edit_list edits;
  ARRAY(stood_in) stood_in;
  /* The function at hand. */
  const dloc_function *function;
  uint32_t next; /* of its instructions in the module */
  dloc_node debug_loc;
  bool located;                /* its record was met, or it has none */
  size_t done;                 /* functions with layers */
  dloc_bitcode_location place; /* the last DEBUG_LOC */
} assembler;

static dloc_status fail_match(assembler *m, uint64_t bit, const char *what) {
  dloc_text name = dloc_node_text(m->a->context, m->function->name);
  return STREAM_FAIL(&m->b->s, OTHER_MODULE, bit, "in @%.*s the module and its bitcode have other %s",
                     (int)(name.size < 100 ? name.size : 100), name.bytes, what);
}

static dloc_status add_edit(assembler *m, uint64_t bit, edit_action action) {
  PUSH(m->a->context, m->edits.edits, (edit){bit, action, 0});
  return DLOC_OK;
}

/* Adds a record behind that of the last edit. */
static dloc_status add_record(assembler *m, const dloc_location_record *record) {
  edit_list *list = &m->edits;
  PUSH(m->a->context, list->values, record->code);
  PUSH(m->a->context, list->values, record->count);
  for (size_t i = 0; i < record->count; i++)
    PUSH(m->a->context, list->values, dloc_location_record_value(record, i));
  list->edits.items[list->edits.count - 1].added++;
  return DLOC_OK;
}

/* ---- The carrier ---- */

static dloc_status fail_carrier(dloc_bitcode *b, uint64_t bit) {
  return STREAM_FAIL(&b->s, OTHER_MODULE, bit, "the bitcode lacks what the layers name");
}

static bool is_carrier(const dloc_assembly *a, const record *r) {
  dloc_text name = dloc_text_of(a->carrier);
  bool same = r->count == name.size;
  for (size_t i = 0; same && i < name.size; i++)
    same = value_at(r, i) == (unsigned char)name.bytes[i];
  return same;
}

/* A kind is a string of the same bytes; anything else is a node. */
static bool can_be(const assembler *m, dloc_node node, uint64_t number) {
  if (number >= m->b->module_entries)
    return false;
  const metadata_entry *e = &m->b->entries.items[number];
  if (dloc_node_kind(m->a->context, node) != DLOC_KIND_STRING)
    return !e->is_string;
  dloc_text bytes = {(const char *)m->b->s.c.bytes + e->at, e->size};
  return e->is_string && dloc_text_equal(bytes, dloc_node_text(m->a->context, node));
}

static dloc_status set_number(const assembler *m, dloc_node node, uint64_t number, uint64_t bit) {
  return can_be(m, node, number) ? map_add(m->a->context, &m->a->numbers, node, 0, (uint32_t)number, NULL)
                                 : fail_carrier(m->b, bit);
}

/* A tuple's record has the numbers of its operands plus 1. */
static dloc_status take_kinds(const assembler *m, uint64_t number, uint64_t bit) {
  const scratch *kinds = &m->a->kinds;
  record r;
  if (number >= m->b->module_entries || m->b->entries.items[number].is_string)
    return fail_carrier(m->b, bit);
  TRY(bitcode_metadata_record(m->b, number, &r));
  if (r.code != METADATA_NODE || r.count != kinds->count)
    return fail_carrier(m->b, bit);
  for (size_t i = 0; i < kinds->count; i++)
    TRY(set_number(m, kinds->words[i], value_at(&r, i) - 1, bit));
  return DLOC_OK;
}

static dloc_status take_numbers(const assembler *m, const record *r) {
  const scratch *carried = &m->a->carried;
  if (r->count != carried->count)
    return fail_carrier(m->b, r->bit);
  size_t nodes = carried->count - (m->a->kinds.count > 0);
  uint64_t kinds = value_at(r, nodes);
  for (size_t i = 0; i < nodes; i++)
    TRY(set_number(m, carried->words[i], value_at(r, i), r->bit));
  return m->a->kinds.count ? take_kinds(m, kinds, r->bit) : DLOC_OK;
}

/* NAME, and NAMED_NODE behind it. All that has a number stands before them. */
static dloc_status find_carrier(assembler *m, uint64_t *ret_name, record *ret) {
  bool end = false, found = false;
  TRY(bitcode_enter_metadata(m->b, &m->b->blocks[OF_MODULE]));
  for (;;) {
    TRY(stream_next_record(&m->b->s, ret, &end));
    if (end)
      return fail_carrier(m->b, m->b->blocks[OF_MODULE].b.start);
    if (found)
      return ret->code == METADATA_NAMED_NODE ? DLOC_OK : fail_carrier(m->b, ret->bit);
    found = ret->code == METADATA_NAME && is_carrier(m->a, ret);
    *ret_name = ret->bit;
  }
}

/* ---- Stand-ins ---- */

/* The numbers of what a location's record names. */
static dloc_status take_location_numbers(const assembler *m, dloc_node node, const record *r) {
  enum { SCOPE = 3, INLINED_AT = 4 };
  dloc_location place = dloc_location_get(m->a->context, node);
  if (r->code != METADATA_LOCATION)
    return fail_carrier(m->b, r->bit);
  TRY(set_number(m, place.scope, value_at(r, SCOPE), r->bit));
  return place.inlined_at ? set_number(m, place.inlined_at, value_at(r, INLINED_AT) - 1, r->bit) : DLOC_OK;
}

static dloc_status take_tuple_numbers(const assembler *m, dloc_node node, const record *r) {
  const scratch *operands = &m->a->operands;
  TRY(list_operands(m->a, node));
  if (r->code != METADATA_DISTINCT_NODE || r->count != operands->count)
    return fail_carrier(m->b, r->bit);
  for (size_t i = 0; i < operands->count; i++)
    if (operands->words[i])
      TRY(set_number(m, operands->words[i], value_at(r, i) - 1, r->bit));
  return DLOC_OK;
}

/* The record of a stand-in goes, and that of its node comes. */
static dloc_status replace_stand_in(assembler *m, dloc_node node, uint64_t number) {
  const dloc_location_record *made = NULL;
  record r;
  TRY(bitcode_metadata_record(m->b, number, &r));
  TRY(dloc_node_kind(m->a->context, node) == DLOC_KIND_LOCATION ? take_location_numbers(m, node, &r)
                                                                : take_tuple_numbers(m, node, &r));
  TRY(dloc_encode_node(m->encoder, node, &made));
  TRY(add_edit(m, r.bit, EDIT_DROP));
  return add_record(m, made);
}

static int compare_numbers(const void *a, const void *b) {
  const stood_in *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Edits stand in the order of the file, which is that of numbers. */
static dloc_status replace_stand_ins(assembler *m) {
  const scratch *carried = &m->a->carried;
  uint32_t ignored = 0, number = 0;
  for (size_t i = 0; i < carried->count; i++) {
    dloc_node word = carried->words[i], node = word;
    bool stands_in = map_get(&m->a->again, word, 0, &node) || map_get(&m->a->module->stand_ins, word, 0, &ignored);
    if (stands_in && map_get(&m->a->numbers, word, 0, &number))
      PUSH(m->a->context, m->stood_in, (stood_in){node, number});
  }
  if (m->stood_in.count)
    qsort(m->stood_in.items, m->stood_in.count, sizeof *m->stood_in.items, compare_numbers);
  for (size_t i = 0; i < m->stood_in.count; i++)
    TRY(replace_stand_in(m, m->stood_in.items[i].node, m->stood_in.items[i].number));
  return DLOC_OK;
}

static dloc_status read_carrier(assembler *m) {
  record r;
  stream_reset(&m->b->s);
  TRY(bitcode_index(m->b));
  if (!m->b->blocks[OF_MODULE].b.end)
    return fail_carrier(m->b, 0);
  uint64_t name_bit = 0;
  TRY(find_carrier(m, &name_bit, &r));
  uint64_t operands_bit = r.bit;
  TRY(take_numbers(m, &r));
  stream_reset(&m->b->s);
  TRY(replace_stand_ins(m));
  TRY(add_edit(m, name_bit, EDIT_DROP));
  return add_edit(m, operands_bit, EDIT_DROP);
}

/* ---- Instructions ---- */

/* dloc_metadata_number: what the carrier has, or the last DEBUG_LOC names. */
static dloc_status number_of(void *user, dloc_node node, uint64_t *ret) {
  const assembler *m = user;
  dloc_location primary = dloc_location_get(m->a->context, dloc_primary(m->a->context, m->debug_loc));
  uint32_t number = 0;
  if (map_get(&m->a->numbers, node, 0, &number))
    *ret = number;
  else if (node == primary.scope || node == primary.inlined_at)
    *ret = (node == primary.scope ? m->place.scope : m->place.inlined_at) - 1;
  else
    return STREAM_FAIL(&m->b->s, ID, m->b->s.c.at, "what a location names as irlayers is no node");
  return DLOC_OK;
}

/* The instruction of the module that the bitcode's next one is; false when there is none. Releases that have debug
 * records make them of calls. */
static bool next_instruction(assembler *m, bool is_debug_call) {
  uint32_t skipped = DLOC_INSTRUCTION_RECORD | (is_debug_call ? 0 : DLOC_INSTRUCTION_DBG_CALL);
  while (m->next < m->function->instruction_count) {
    size_t index = (size_t)m->function->first_instruction + m->next++;
    uint32_t flags = dloc_module_instruction(m->a->module, index)->flags;
    if (flags & skipped)
      continue;
    m->debug_loc = m->a->debug_locs[index];
    return is_debug_call == ((flags & DLOC_INSTRUCTION_DBG_CALL) != 0);
  }
  return false;
}

static dloc_status take_instruction(void *user, uint32_t flags, uint32_t callee) {
  assembler *m = user;
  (void)callee;
  if (!m->located)
    return fail_match(m, m->b->s.c.at, "locations: one was dropped before this instruction");
  if (!next_instruction(m, flags & DLOC_INSTRUCTION_DBG_CALL))
    return fail_match(m, m->b->s.c.at, "instructions");
  m->located = !m->debug_loc;
  return DLOC_OK;
}

/* Whether a location has the content of the record that comes to stand there; a repeated one was compared before. */
static bool has_content(const dloc_bitcode_location *l, const dloc_location_record *r) {
  const uint64_t fields[] = {l->line, l->column, l->scope, l->inlined_at, l->implicit};
  return r->code == DLOC_RECORD_DEBUG_LOC_AGAIN || memcmp(r->values, fields, sizeof fields) == 0;
}

/* The record at a place, and those that replace it; the first is the primary's. */
static dloc_status edit_location(assembler *m, const dloc_bitcode_location *l, const dloc_location_record *records,
                                 size_t count) {
  enum { PRIMARY_FIELDS = 7 };
  uint64_t bit = l->bit - m->b->s.base;
  bool was_again = l->form == DLOC_BITCODE_AGAIN, again = records[0].code == DLOC_RECORD_DEBUG_LOC_AGAIN;
  bool has_layers = records[0].count > (again ? 0 : PRIMARY_FIELDS);
  if (!has_content(&m->place, &records[0]) || (again && !was_again))
    return fail_match(m, bit, "locations");
  if (count == 1 && again == was_again && !has_layers)
    return DLOC_OK;
  TRY(add_edit(m, bit, has_layers ? EDIT_DROP : again == was_again ? EDIT_KEEP : EDIT_REPEAT));
  for (size_t i = !has_layers; i < count; i++)
    TRY(add_record(m, &records[i]));
  return DLOC_OK;
}

static dloc_status take_location(void *user, const dloc_bitcode_location *l) {
  assembler *m = user;
  const dloc_location_record *records = NULL;
  size_t count = 0;
  dloc_reason reason = DLOC_REASON_NONE;
  uint64_t bit = l->bit - m->b->s.base;
  if (l->form == DLOC_BITCODE_LAYER || m->located)
    return fail_match(m, bit, "locations");
  if (l->form == DLOC_BITCODE_LOCATION)
    m->place = *l;
  m->located = true;
  dloc_status status = dloc_encode_instruction(m->encoder, m->debug_loc, &reason, &records, &count);
  if (status == DLOC_INVALID && reason != DLOC_REASON_NONE)
    return stream_fail(&m->b->s, reason, bit, "%s", dloc_reason_text(reason));
  TRY(status);
  return edit_location(m, l, records, count);
}

static bool has_layers(const dloc_assembly *a, const dloc_function *function) {
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    dloc_node debug_loc = a->debug_locs[function->first_instruction + i];
    if (dloc_debug_loc_shape(a->context, debug_loc) == DLOC_SHAPE_BARE ? needs_stand_in(a, debug_loc)
                                                                       : dloc_layer_count(a->context, debug_loc) > 0)
      return true;
  }
  return false;
}

/* A function without layers stays as it is. */
static dloc_status edit_function(assembler *m, size_t index) {
  const body_visitor visitor = {.user = m, .instruction = take_instruction, .location = take_location};
  uint32_t of_module = 0, instructions = 0;
  const function *f = &m->b->functions.items[index];
  if (!f->has_body || !dloc_module_find_function(m->a->module, f->name, &of_module))
    return DLOC_OK;
  m->function = dloc_module_function(m->a->module, of_module);
  if (!has_layers(m->a, m->function))
    return DLOC_OK;
  m->done++;
  m->next = 0;
  m->located = true;
  dloc_encoder_begin_function(m->encoder);
  TRY(bitcode_walk(m->b, index, &visitor, &instructions));
  if (!m->located || next_instruction(m, false))
    return fail_match(m, f->body.start, "instructions or locations at the end");
  return DLOC_OK;
}

/* Whether each function with layers was there. */
static dloc_status check_done(const assembler *m) {
  size_t wanted = 0;
  for (size_t i = 0; i < dloc_module_function_count(m->a->module); i++)
    wanted += has_layers(m->a, dloc_module_function(m->a->module, i));
  return wanted == m->done ? DLOC_OK
                           : STREAM_FAIL(&m->b->s, OTHER_MODULE, 0,
                                         "%zu of %zu functions with layers are in the bitcode", m->done, wanted);
}

/* ---- The file ---- */

static dloc_status assemble(assembler *m, dloc_text bytes, dloc_sink sink) {
  TRY(dloc_encoder_create(m->a->context, m->a->profile, number_of, m, &m->encoder));
  if (m->a->carrier[0])
    TRY(read_carrier(m));
  for (size_t i = 0; i < m->b->functions.count; i++)
    TRY(edit_function(m, i));
  TRY(check_done(m));
  return bitcode_rewrite(m->b, bytes, &m->edits, sink);
}

dloc_status dloc_assembly_bitcode(dloc_assembly *a, dloc_text bytes, dloc_diagnostic *diagnostic, dloc_sink sink) {
  assembler m = {.a = a};
  TRY(dloc_bitcode_open(a->context, NULL, bytes, diagnostic, &m.b));
  map_clear(&a->numbers);
  dloc_status status =
      a->carrier[0] || is_wide(a) ? assemble(&m, bytes, sink) : sink_bytes(sink, bytes.bytes, bytes.size);
  dloc_encoder_destroy(m.encoder);
  CONTEXT_FREE(a->context, m.edits.edits.items, m.edits.values.items, m.stood_in.items);
  dloc_bitcode_close(m.b);
  return status;
}
