/* Layers put into the bitcode that a stock assembler made of a module without them.
 *
 * Layers of tuples are records of functions. Of the form irlayers, what the assembler does not know has a stand-in in
 * the text: a tuple of a layer's or list's operands, and a DILocalVariable of a location's. LLVM numbers these as it
 * would number the nodes themselves, and their records are replaced. */
#include "layers.h"
#include "reader.h"

#include <stdio.h>

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
  map seen;            /* Kinds and carried nodes. */
  dloc_numbers *order; /* Of operands, when a node has a stand-in. */
  scratch operands;    /* Of such a node. */
  scratch kinds;       /* Strings: the operands of the carrier's last operand, a tuple. */
  scratch carried;     /* Scopes and inlinedAt of layers, and that tuple. */
  map unknown;         /* Nodes that have a stand-in. */
  scratch stood_in;    /* The same; a stand-in tells its index. */
  map numbers;         /* Node -> number of its metadata. */
};

/* ---- Taking layers out ---- */

static bool needs_stand_in(const dloc_assembly *a, dloc_node node) { return map_has(&a->unknown, node, 0); }

static dloc_status add_unknown(dloc_assembly *a, dloc_node node) {
  bool first = false;
  TRY(map_meet(a->context, &a->unknown, node, 0, &first));
  return first ? scratch_push(a->context, &a->stood_in, node) : DLOC_OK;
}

/* Layers, lists and locations with an operand more. The stand-in of such a location does not tell the number of its
 * inlinedAt, so that has one, too. `bitcode.list.abbreviation` */
static dloc_status find_unknown(dloc_assembly *a) {
  bool wide = DLOC_TAKES(a->profile, BITCODE_IRLAYERS_ABBREVIATION, WIDE);
  dloc_node limit = DLOC_TAKES(a->profile, METADATA_IRLAYERS, KNOWN) ? dloc_node_limit(a->context) : 0;
  for (dloc_node node = 1; node < limit; node++) {
    dloc_kind kind = dloc_node_kind(a->context, node);
    dloc_location place = dloc_location_get(a->context, node);
    bool has_operand = kind == DLOC_KIND_LOCATION && (wide || place.layers);
    if (kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST || has_operand)
      TRY(add_unknown(a, node));
    if (has_operand && dloc_node_kind(a->context, place.inlined_at) == DLOC_KIND_LOCATION)
      TRY(add_unknown(a, place.inlined_at));
  }
  return a->stood_in.count ? dloc_numbers_create(a->module, a->profile, &a->order) : DLOC_OK;
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
 * it. */
static dloc_status take_out(dloc_assembly *a, size_t index) {
  const dloc_instruction *instruction = dloc_module_instruction(a->module, index);
  dloc_node debug_loc = instruction->debug_loc;
  a->debug_locs[index] = debug_loc;
  if (a->stood_in.count && dloc_node_kind(a->context, debug_loc) == DLOC_KIND_LOCATION)
    return dloc_module_set_debug_loc(a->module, index, debug_loc); /* its number instead of fields in place */
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

/* The text to verify: a location stands there without its list, and an empty tuple for a layer or a list. */
static dloc_status stand_in_plainly(dloc_assembly *a) {
  for (size_t i = 0; i < a->stood_in.count; i++) {
    dloc_node node = a->stood_in.words[i], made = DLOC_NULL;
    dloc_location place = dloc_location_get(a->context, node);
    place.layers = DLOC_NULL;
    TRY(dloc_node_kind(a->context, node) == DLOC_KIND_LOCATION
            ? dloc_location_create(a->context, dloc_node_is_distinct(a->context, node), &place, &made)
            : dloc_tuple(a->context, false, NULL, 0, &made));
    TRY(map_add(a->context, &a->module->stand_ins, node, 0, made, NULL));
  }
  return DLOC_OK;
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
  ALLOCATE_ITEMS(a->context, a->debug_locs, count + 1);
  TRY(find_unknown(a));
  for (size_t i = 0; i < count; i++)
    TRY(take_out(a, i));
  TRY(stand_in_plainly(a));
  return a->kinds.count ? add_carrier(a) : DLOC_OK;
}

dloc_status dloc_assembly_create(dloc_module *module, const dloc_profile *profile, dloc_assembly **ret) {
  dloc_context *context = dloc_module_context(module);
  CREATE(context, dloc_assembly, a, .context = context, .module = module, .profile = profile);
  RETURN_MADE(take_all_out(a), a, dloc_assembly_destroy, ret);
}

void dloc_assembly_destroy(dloc_assembly *a) {
  if (!a)
    return;
  dloc_context *context = a->context;
  dloc_numbers_destroy(a->order);
  CONTEXT_FREE(context, a->debug_locs, a->seen.entries, a->numbers.entries, a->unknown.entries, a->operands.words,
               a->kinds.words, a->carried.words, a->stood_in.words, a);
}

/* ---- Stand-ins ---- */

/* The last operands of a tuple that stands in are bits of its index, and below them these: 1 is its first operand again,
 * and 0 is null. The line of another node that does is the index, and its number of an argument, or attributes, this. */
enum { MARK = 0x96, MARK_WIDTH = 8, MARK_ARG = 0xd10c, LOCATION_OPERANDS = 3 };

static size_t mark_width(const dloc_assembly *a) {
  size_t width = MARK_WIDTH;
  for (size_t rest = a->stood_in.count; rest; rest /= 2)
    width++;
  return width;
}

static dloc_status list_operands(dloc_assembly *a, dloc_node node) {
  dloc_node operand = DLOC_NULL;
  uint32_t cursor = 0;
  a->operands.count = 0;
  do {
    TRY(dloc_numbers_operand(a->order, node, &cursor, &operand));
    TRY(scratch_push(a->context, &a->operands, operand));
  } while (operand);
  a->operands.count--;
  return DLOC_OK;
}

/* Of a location: LLVM writes the record of an instruction's location from any node that is as large as a DILocation. Of a
 * list without entries: a node without operands. */
static dloc_status make_specialised(dloc_assembly *a, size_t index, bool location, bool distinct, dloc_node *ret) {
  static const enum field_row rows[] = {FIELD_LOCAL_VARIABLE_scope, FIELD_LOCAL_VARIABLE_file,
                                        FIELD_LOCAL_VARIABLE_type};
  const dloc_node *keys = a->context->field_keys;
  size_t line = location ? FIELD_LOCAL_VARIABLE_line : FIELD_OBJC_PROPERTY_line, count = 2;
  size_t mark = location ? FIELD_LOCAL_VARIABLE_arg : FIELD_OBJC_PROPERTY_attributes;
  dloc_field fields[LOCATION_OPERANDS + 2] = {{keys[line], DLOC_NULL}, {keys[mark], DLOC_NULL}};
  char text[24];
  snprintf(text, sizeof text, "%zu", index);
  TRY(dloc_token(a->context, dloc_text_of(text), &fields[0].value));
  snprintf(text, sizeof text, "%d", MARK_ARG);
  TRY(dloc_token(a->context, dloc_text_of(text), &fields[1].value));
  for (size_t i = 0; i < a->operands.count; i++)
    fields[count++] = (dloc_field){keys[rows[i]], a->operands.words[i]};
  dloc_text class = dloc_text_of(location ? "DILocalVariable" : "DIObjCProperty");
  return dloc_specialised(a->context, class, distinct, fields, count, NULL, ret);
}

static dloc_status make_stand_in(dloc_assembly *a, size_t index, dloc_node *ret) {
  dloc_node node = a->stood_in.words[index];
  bool distinct = dloc_node_is_distinct(a->context, node);
  size_t width = mark_width(a);
  TRY(list_operands(a, node));
  bool location = dloc_node_kind(a->context, node) == DLOC_KIND_LOCATION;
  if (location || a->operands.count == 0)
    return make_specialised(a, index, location, distinct, ret);
  dloc_node first = a->operands.words[0];
  for (size_t i = 0; i < width; i++)
    TRY(scratch_push(a->context, &a->operands, (index << MARK_WIDTH | MARK) >> i & 1 ? first : DLOC_NULL));
  return dloc_tuple(a->context, distinct, a->operands.words, a->operands.count, ret);
}

dloc_status dloc_assembly_stand_in(dloc_assembly *a, bool *ret_any) {
  dloc_node limit = dloc_node_limit(a->context);
  *ret_any = a->stood_in.count > 0;
  map_clear(&a->module->stand_ins);
  for (size_t i = 0; i < a->stood_in.count; i++) {
    dloc_node made = DLOC_NULL;
    TRY(make_stand_in(a, i, &made));
    if (made < limit) /* A node of the module that looks like a stand-in. */
      return DLOC_LIMIT;
    TRY(map_add(a->context, &a->module->stand_ins, a->stood_in.words[i], 0, made, NULL));
  }
  return DLOC_OK;
}

/* ---- Edits ---- */

typedef struct assembler {
  dloc_assembly *a;
  dloc_bitcode *b;
  dloc_encoder *encoder;
  edit_list edits;
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
  PUSH(m->a->context, list->values, record->abbreviated);
  PUSH(m->a->context, list->values, record->count);
  for (size_t i = 0; i < record->count; i++)
    PUSH(m->a->context, list->values, dloc_location_record_value(record, i));
  list->edits.items[list->edits.count - 1].added++;
  return DLOC_OK;
}

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
  if (number >= m->b->entries.count)
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

/* ---- Records of stand-ins ---- */

/* Where a DILocalVariable has what: its operands are every second value. And a DIObjCProperty, which has none. */
enum { VARIABLE_SCOPE = 1, VARIABLE_LINE = 4, PROPERTY_LINE = 3, MARK_PLACE = 6 };

/* Whether a record is that of a stand-in for a node: *ret. */
static bool stands_in(const dloc_assembly *a, const record *r, dloc_node *ret) {
  size_t width = mark_width(a);
  bool variable = r->code == class_specs[CLASS_LOCAL_VARIABLE].code;
  uint64_t index = value_at(r, variable ? VARIABLE_LINE : PROPERTY_LINE);
  uint64_t mark = value_at(r, MARK_PLACE) == MARK_ARG ? MARK : 0;
  if (!variable && r->code != class_specs[CLASS_OBJC_PROPERTY].code) {
    if ((r->code != METADATA_NODE && r->code != METADATA_DISTINCT_NODE) || r->count <= width)
      return false;
    for (size_t i = index = 0; i < width; i++) {
      uint64_t value = value_at(r, r->count - i - 1);
      if (value && value != value_at(r, 0))
        return false;
      index = index << 1 | (value != 0);
    }
    mark = index % (1 << MARK_WIDTH);
    index >>= MARK_WIDTH;
  }
  if (mark != MARK || index >= a->stood_in.count)
    return false;
  *ret = a->stood_in.words[index];
  return variable == (dloc_node_kind(a->context, *ret) == DLOC_KIND_LOCATION);
}

/* The record of a stand-in goes, and that of its node comes. It has the number of each operand. */
static dloc_status replace_stand_in(assembler *m, dloc_node node, uint64_t number, const record *r) {
  const scratch *operands = &m->a->operands;
  const dloc_location_record *made = NULL;
  bool variable = r->code == class_specs[CLASS_LOCAL_VARIABLE].code;
  uint64_t bit = r->bit;
  uint32_t known = 0;
  TRY(list_operands(m->a, node));
  for (size_t i = 0; i < operands->count; i++)
    TRY(set_number(m, operands->words[i], value_at(r, variable ? VARIABLE_SCOPE + 2 * i : i) - 1, bit));
  TRY(set_number(m, node, number, bit));
  if (!map_get(&m->a->numbers, node, 0, &known) || known != number ||
      (!variable && operands->count && r->count != operands->count + mark_width(m->a)))
    return fail_carrier(m->b, bit);
  TRY(dloc_encode_node(m->encoder, node, &made));
  TRY(add_edit(m, bit, EDIT_DROP));
  dloc_location_record record = *made;
  if (record.code >= CODE_LAYER && DLOC_TAKES(m->a->profile, BITCODE_IRLAYERS_CODES, 50_51)) /* `bitcode.list.codes` */
    record.code--;
  return add_record(m, &record);
}

/* Those of the module, or of the function that is being read. */
static dloc_status replace_stand_ins(assembler *m, size_t first) {
  dloc_node node = DLOC_NULL;
  record r;
  for (size_t i = first; m->a->stood_in.count && i < m->b->entries.count; i++) {
    if (m->b->entries.items[i].is_string)
      continue;
    TRY(bitcode_metadata_record(m->b, i, &r));
    if (stands_in(m->a, &r, &node))
      TRY(replace_stand_in(m, node, i, &r));
  }
  return DLOC_OK;
}

static dloc_status take_metadata(void *user) {
  assembler *m = user;
  return replace_stand_ins(m, m->b->module_entries);
}

/* ---- The carrier ---- */

static dloc_status read_carrier(assembler *m) {
  record r;
  if (!m->b->blocks[OF_MODULE].b.end)
    return fail_carrier(m->b, 0);
  uint64_t name_bit = 0;
  TRY(find_carrier(m, &name_bit, &r));
  uint64_t operands_bit = r.bit;
  TRY(take_numbers(m, &r));
  stream_reset(&m->b->s);
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
  else if (node == primary.scope && m->place.scope)
    *ret = m->place.scope - 1;
  else if (node == primary.inlined_at && m->place.inlined_at)
    *ret = m->place.inlined_at - 1;
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

/* Whether a location has the content of the record that comes to stand there; of that of a stand-in only the scope
 * counts. A repeated one was compared before. */
static bool has_content(const assembler *m, const dloc_location_record *r) {
  enum { SCOPE = 2 };
  const dloc_bitcode_location *l = &m->place;
  const uint64_t fields[] = {l->line, l->column, l->scope, l->inlined_at, l->implicit}, *values = r->values;
  if (needs_stand_in(m->a, m->debug_loc))
    return r->code == DLOC_RECORD_DEBUG_LOC_AGAIN || values[SCOPE] == fields[SCOPE];
  return r->code == DLOC_RECORD_DEBUG_LOC_AGAIN || memcmp(values, fields, sizeof fields) == 0;
}

/* The record at a place, and those that replace it; the first is the primary's. */
static dloc_status edit_location(assembler *m, const dloc_bitcode_location *l, const dloc_location_record *records,
                                 size_t count) {
  enum { PRIMARY_FIELDS = 7 };
  uint64_t bit = l->bit - m->b->s.base;
  bool was_again = l->form == DLOC_BITCODE_AGAIN, again = records[0].code == DLOC_RECORD_DEBUG_LOC_AGAIN;
  bool replaced =
      again ? records[0].count > 0 : records[0].count > PRIMARY_FIELDS || needs_stand_in(m->a, m->debug_loc);
  if (!has_content(m, &records[0]) || (again && !was_again))
    return fail_match(m, bit, "locations");
  if (count == 1 && again == was_again && !replaced)
    return DLOC_OK;
  TRY(add_edit(m, bit, replaced ? EDIT_DROP : again == was_again ? EDIT_KEEP : EDIT_REPEAT));
  for (size_t i = !replaced; i < count; i++)
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

/* Instructions of a function without layers stay as they are. */
static dloc_status edit_function(assembler *m, size_t index) {
  body_visitor visitor = {.user = m, .metadata = take_metadata};
  uint32_t of_module = 0, instructions = 0;
  const function *f = &m->b->functions.items[index];
  if (!f->has_body || !dloc_module_find_function(m->a->module, f->name, &of_module))
    return DLOC_OK;
  m->function = dloc_module_function(m->a->module, of_module);
  if (!has_layers(m->a, m->function))
    return m->a->stood_in.count ? bitcode_walk(m->b, index, &visitor, &instructions) : DLOC_OK;
  visitor.instruction = take_instruction;
  visitor.location = take_location;
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

static void release(assembler *m) {
  dloc_encoder_destroy(m->encoder);
  CONTEXT_FREE(m->a->context, m->edits.edits.items, m->edits.values.items);
  dloc_bitcode_close(m->b);
}

dloc_status dloc_assembly_bitcode(dloc_assembly *a, dloc_text bytes, dloc_diagnostic *diagnostic, dloc_sink sink) {
  OWNED(release) assembler m = {.a = a};
  TRY(dloc_bitcode_open(a->context, NULL, bytes, diagnostic, &m.b));
  map_clear(&a->numbers);
  if (!a->carrier[0] && !a->stood_in.count)
    return sink_bytes(sink, bytes.bytes, bytes.size);
  TRY(dloc_encoder_create(a->context, a->profile, number_of, &m, &m.encoder));
  stream_reset(&m.b->s);
  TRY(bitcode_index(m.b));
  TRY(replace_stand_ins(&m, 0));
  if (a->carrier[0])
    TRY(read_carrier(&m));
  for (size_t i = 0; i < m.b->functions.count; i++)
    TRY(edit_function(&m, i));
  TRY(check_done(&m));
  return bitcode_rewrite(m.b, bytes, &m.edits, sink);
}
