/* The body of a function. Instructions are told apart only as far as their results are numbered, and as locations need
 * it. */
#include "reader.h"

/* The values of those behind CODE_RET matter to a visitor that wants them. */
typedef enum code_class {
  CODE_UNKNOWN,
  CODE_OTHER,
  CODE_VALUE,
  CODE_VOID,
  CODE_RET,
  CODE_CALL,
  CODE_ALLOCA,
  CODE_LOCATION,
  CODE_AGAIN,
  CODE_RECORD,
  CODE_LABEL_RECORD,
  CODE_CLASSES
} code_class;

enum { CODE_LIMIT = FUNC_BITEXTRACT + 1 };

_Static_assert((int)DLOC_RECORD_DEBUG_LOC == (int)FUNC_DEBUG_LOC, "the code of dloc.h is LLVM's");
_Static_assert((int)DLOC_RECORD_DEBUG_LOC_AGAIN == (int)FUNC_DEBUG_LOC_AGAIN, "the code of dloc.h is LLVM's");

static const uint8_t code_classes[CODE_LIMIT] = {
#define FUNCTION_CODE(code, name, what) [code] = CODE_##what,
#include "codes.def"
};

/* The state of reading one body. */
typedef struct body {
  dloc_bitcode *b;
  const body_visitor *visitor;
  uint8_t taken_as[CODE_CLASSES]; /* a class that the visitor wants, or one that says as much to it */
  uint32_t instructions;
  uint64_t next_value;      /* number of the next result */
  bool located;             /* the last instruction has a location, as far as this block said */
  bool layered;             /* that location has layers */
  bool any_location;        /* for DEBUG_LOC_AGAIN */
  ARRAY(uint64_t) operands; /* of the record at hand: its layers */
} body;

/* ---- Calls ---- */

enum { TAIL_EXPLICIT_TYPE = 15, CALL_FAST_MATH = 17, INVOKE_EXPLICIT_TYPE = 13 };

/* Where a call's function type, callee and arguments are; the type is said since LLVM 4. */
static bool find_callee(const record *r, size_t *ret) {
  size_t at = 0;
  unsigned explicit_type = TAIL_EXPLICIT_TYPE;
  if (r->count < 4)
    return false;
  switch (r->code) {
  case FUNC_INVOKE: /* [attributes, convention, normal, unwind, type, callee, ...] */
    at = 4;
    explicit_type = INVOKE_EXPLICIT_TYPE;
    break;
  case FUNC_CALLBR: /* [attributes, convention, default, n, n x target, type, callee, ...] */
    if (value_at(r, 3) > r->count)
      return false;
    at = 4 + (size_t)value_at(r, 3);
    break;
  default: /* [attributes, convention, (flags), type, callee, ...] */
    at = 2 + (value_at(r, 1) >> CALL_FAST_MATH & 1);
    break;
  }
  *ret = at;
  return value_at(r, 1) >> explicit_type & 1 && at + 2 <= r->count;
}

static const function *called_function(const body *y, const record *r, size_t at) {
  uint64_t id = (uint32_t)(y->next_value - value_at(r, at + 1)); /* relative, in 32 bits */
  if (id >= y->b->module_values || y->b->values.items[id].kind != VALUE_FUNCTION)
    return NULL;
  const function *f = &y->b->functions.items[y->b->values.items[id].index];
  return f->type == value_at(r, at) ? f : NULL; /* with another type, LLVM knows no callee */
}

/* The variable or label of a debug intrinsic: metadata as an argument is numbered like a value. */
static uint32_t debug_subject(const body *y, const record *r, size_t at, bool label) {
  size_t argument = at + 2 + (label ? 0 : 1);
  if (argument >= r->count)
    return 0;
  uint64_t id = (uint32_t)(y->next_value - value_at(r, argument));
  return id < y->b->entries.count ? (uint32_t)id + 1 : 0;
}

static void describe_call(const body *y, const record *r, size_t at, uint32_t *flags, uint32_t *callee) {
  const function *f = called_function(y, r, at);
  *flags = DLOC_INSTRUCTION_CALL | (r->code == FUNC_INVOKE ? DLOC_INSTRUCTION_INVOKE : 0);
  *callee = f ? (uint32_t)(f - y->b->functions.items) : DLOC_NO_INDEX;
  *flags |= f ? intrinsic_flags(f->name) : 0;
  if (*flags & DLOC_INSTRUCTION_DBG_CALL)
    *callee = debug_subject(y, r, at, *flags & DLOC_INSTRUCTION_LABEL_RECORD);
}

static dloc_status read_call(body *y, const record *r, uint32_t *flags, uint32_t *callee) {
  size_t at = 0;
  if (!find_callee(r, &at))
    return bitcode_fail_count(y->b, r, "a call that says its type");
  TRY(bitcode_check_function_type(y->b, r->bit, value_at(r, at)));
  uint32_t result = y->b->types.items[value_at(r, at)].other;
  TRY(bitcode_check_id(y->b, r->bit, "type", result, y->b->types.count));
  describe_call(y, r, at, flags, callee);
  y->next_value += y->b->types.items[result].code != TYPE_VOID;
  return DLOC_OK;
}

/* ---- Other instructions ---- */

/* [type, type of the count, count, alignment and flags]: of a constant size, and not inalloca, it is static. */
static dloc_status read_alloca(body *y, const record *r, uint32_t *flags) {
  enum { COUNT = 2, PACKED = 3, INALLOCA = 1 << 5 };
  TRY(bitcode_check_count(y->b, r, "an alloca", 4));
  if (bitcode_value(y->b, value_at(r, COUNT)) && !(value_at(r, PACKED) & INALLOCA))
    *flags |= DLOC_INSTRUCTION_ALLOCA;
  y->next_value++;
  return DLOC_OK;
}

static dloc_status begin_instruction(body *y, uint32_t flags, uint32_t callee) {
  if (y->instructions == UINT32_MAX)
    return DLOC_LIMIT;
  y->instructions++;
  y->located = false;
  return y->visitor->instruction ? y->visitor->instruction(y->visitor->user, flags, callee) : DLOC_OK;
}

/* ---- Locations ---- */

/* Of a primary with layers in its record; `bitcode.layer.padding`. */
enum { PRIMARY_FIELDS = 7, LAYER_FIELDS = 8 };

/* [line, column, scope + 1, inlinedAt + 1, isImplicitCode, atomGroup, atomRank], or what there is of it. Behind that a
 * layer's kind + 1, or `bitcode.list.read.debug-loc`: irlayers + 1. LLVM keeps the low bits of a field that
 * is too large. */
static dloc_bitcode_location location_of(const dloc_bitcode *b, const record *r, dloc_bitcode_form form) {
  bool is_layer = form == DLOC_BITCODE_LAYER;
  return (dloc_bitcode_location){
      .bit = b->s.base + r->bit,
      .line = (uint32_t)value_at(r, 0),
      .column = (uint32_t)value_at(r, 1) > DLOC_COLUMN_LIMIT ? 0 : (uint32_t)value_at(r, 1),
      .scope = value_at(r, 2),
      .inlined_at = value_at(r, 3),
      .implicit = value_at(r, 4),
      .atom_group = r->count >= PRIMARY_FIELDS ? value_at(r, 5) & ((UINT64_C(1) << 61) - 1) : 0,
      .atom_rank = (uint8_t)(value_at(r, 6) & 7),
      .irlayers = is_layer ? 0 : value_at(r, PRIMARY_FIELDS),
      .kind = is_layer ? value_at(r, r->count - 1) : 0,
      .form = form,
  };
}

static dloc_status visit_location(const body *y, const record *r, dloc_bitcode_form form) {
  dloc_bitcode_location location = location_of(y->b, r, form);
  location.instruction = y->instructions - 1;
  return y->visitor->location(y->visitor->user, &location);
}

/* Whether layers stand behind a primary in its record. */
static bool has_layers(const record_form *form, const record *r) {
  return !form->skips_more && r->count > LAYER_FIELDS && (r->count - PRIMARY_FIELDS) % LAYER_FIELDS == 0;
}

/* `bitcode.list.read.debug-loc` */
static dloc_status check_location(dloc_bitcode *b, const record *r) {
  enum { LEAST = 4, ALL = 8 };
  bool fits = r->count >= LEAST && (r->count <= ALL || b->form.skips_more || has_layers(&b->form, r));
  return fits ? DLOC_OK : bitcode_fail_count(b, r, "a location");
}

dloc_status bitcode_location(dloc_bitcode *b, const record *r, dloc_bitcode_location *ret) {
  TRY(check_location(b, r));
  *ret = location_of(b, r, DLOC_BITCODE_LOCATION);
  return DLOC_OK;
}

/* `bitcode.layout`: layers as further operands of the primary's record, or of the one that repeats it. A callback that
 * visits them may read other records. */
static dloc_status visit_operands(const body *y, const record *layers) {
  record kept = *layers;
  kept.raw = y->operands.items;
  for (size_t at = 0; at < kept.count; at += LAYER_FIELDS) {
    const record layer = record_part(&kept, at, LAYER_FIELDS);
    TRY(visit_location(y, &layer, DLOC_BITCODE_LAYER));
  }
  return DLOC_OK;
}

static dloc_status keep_operands(body *y, const record *layers) {
  RESERVE(y->b->context, y->operands, layers->count);
  for (size_t i = 0; i < layers->count; i++)
    y->operands.items[i] = value_at(layers, i);
  return DLOC_OK;
}

/* DEBUG_LOC: a primary, perhaps with a list or with layers behind it; with 8 values, usually, behind a location, a
 * layer of that. */
static dloc_status read_location(body *y, const record *r) {
  TRY(check_location(y->b, r));
  bool is_layer = r->count == LAYER_FIELDS && y->located, layers = has_layers(&y->b->form, r);
  if (y->instructions == 0)
    return STREAM_FAIL(&y->b->s, RECORD, r->bit, "a location stands before the first instruction");
  if (y->located && !is_layer)
    return STREAM_FAIL(&y->b->s, RECORD, r->bit, "an instruction has two locations");
  y->located = y->any_location = true;
  y->layered = is_layer || layers;
  if (!layers)
    return visit_location(y, r, is_layer ? DLOC_BITCODE_LAYER : DLOC_BITCODE_LOCATION);
  const record first = record_part(r, 0, PRIMARY_FIELDS), behind = record_part(r, PRIMARY_FIELDS, SIZE_MAX);
  TRY(keep_operands(y, &behind));
  TRY(visit_location(y, &first, DLOC_BITCODE_LOCATION));
  return visit_operands(y, &behind);
}

/* DEBUG_LOC_AGAIN: the last location; with values its primary and these layers, perhaps behind the primary's own
 * record. */
static dloc_status repeat_location(body *y, const record *r) {
  if (r->count % LAYER_FIELDS)
    return bitcode_fail_count(y->b, r, "a location that repeats");
  bool has_primary = y->located && !y->layered && r->count > 0;
  if (y->instructions == 0 || (y->located && !has_primary) || !y->any_location)
    return STREAM_FAIL(&y->b->s, RECORD, r->bit,
                       y->located ? "an instruction has two locations" : "there is no location to repeat");
  TRY(keep_operands(y, r));
  y->located = true;
  y->layered = r->count > 0;
  const dloc_bitcode_location again = {
      .instruction = y->instructions - 1, .bit = y->b->s.base + r->bit, .form = DLOC_BITCODE_AGAIN};
  if (!has_primary)
    TRY(y->visitor->location(y->visitor->user, &again));
  return visit_operands(y, r);
}

/* [location, variable, ...], a label's [location, label]. */
static dloc_status read_debug_record(const body *y, const record *r, uint32_t flags) {
  TRY(bitcode_check_count(y->b, r, "a debug record", 2));
  if (y->instructions == 0)
    return STREAM_FAIL(&y->b->s, RECORD, r->bit, "a debug record stands before any instruction");
  return y->visitor->record(y->visitor->user, r->bit, flags, value_at(r, 0), value_at(r, 1));
}

/* ---- Bodies ---- */

static dloc_status read_body_record(body *y, code_class class, const record *r) {
  uint32_t flags = 0, callee = DLOC_NO_INDEX;
  switch (class) {
  case CODE_LOCATION:
    return read_location(y, r);
  case CODE_AGAIN:
    return repeat_location(y, r);
  case CODE_RECORD:
    return read_debug_record(y, r, DLOC_INSTRUCTION_RECORD);
  case CODE_LABEL_RECORD:
    return read_debug_record(y, r, DLOC_INSTRUCTION_RECORD | DLOC_INSTRUCTION_LABEL_RECORD);
  case CODE_CALL:
    TRY(read_call(y, r, &flags, &callee));
    break;
  default:
    TRY(read_alloca(y, r, &flags));
    break;
  }
  return begin_instruction(y, flags, callee);
}

/* METADATA_ATTACHMENT: [n x [kind, node]], or with an odd number of values [instruction, n x [kind, node]]. */
static dloc_status take_attachments(void *user, const record *r) {
  const body *y = user;
  if (r->code != METADATA_ATTACHMENT)
    return DLOC_OK;
  bool of_instruction = r->count % 2;
  uint32_t instruction = of_instruction ? (uint32_t)value_at(r, 0) : DLOC_NO_INDEX;
  if (of_instruction)
    TRY(bitcode_check_id(y->b, r->bit, "instruction", value_at(r, 0), y->instructions));
  for (size_t i = of_instruction; i + 1 < r->count; i += 2)
    TRY(y->visitor->attachment(y->visitor->user, r->bit, instruction, value_at(r, i), value_at(r, i + 1)));
  return DLOC_OK;
}

static dloc_status read_body_block(body *y, const block *header) {
  switch (header->id) {
  case BLOCK_CONSTANTS:
    if (!y->visitor->instruction)
      break;
    TRY(bitcode_read_constants(y->b, header));
    y->next_value = y->b->values.count + y->b->argument_count;
    return DLOC_OK;
  case BLOCK_METADATA:
    TRY(bitcode_take_metadata(y->b, OF_FUNCTION, header));
    if (!y->visitor->metadata)
      return DLOC_OK;
    TRY(bitcode_index(y->b));
    return y->visitor->metadata(y->visitor->user);
  case BLOCK_METADATA_ATTACHMENT:
    if (!y->visitor->attachment)
      break;
    return stream_each_record(&y->b->s, header, take_attachments, y);
  default:
    break;
  }
  stream_pass(&y->b->s, header);
  return DLOC_OK;
}

static dloc_status read_body_entry(void *user, const entry *e) {
  body *y = user;
  record r;
  if (e->kind != ENTRY_RECORD)
    return e->kind == ENTRY_BLOCK ? read_body_block(y, &e->block) : DLOC_OK;
  code_class class = e->code < CODE_LIMIT ? y->taken_as[code_classes[e->code]] : CODE_UNKNOWN;
  TRY(stream_take(&y->b->s, e, class > CODE_RET, &r));
  if (class > CODE_RET)
    return read_body_record(y, class, &r);
  if (class == CODE_UNKNOWN)
    return STREAM_FAIL(&y->b->s, UNKNOWN, e->bit, "record %" PRIu32 " of a function is not known", e->code);
  y->next_value += class == CODE_VALUE;
  return class == CODE_OTHER ? DLOC_OK
                             : begin_instruction(y, class == CODE_RET ? DLOC_INSTRUCTION_RET : 0, DLOC_NO_INDEX);
}

const value *bitcode_value(const dloc_bitcode *b, uint64_t id) {
  if (id >= b->module_values) {
    if (id - b->module_values < b->argument_count)
      return NULL;
    id -= b->argument_count;
  }
  return id < b->values.count ? &b->values.items[id] : NULL;
}

dloc_status bitcode_walk(dloc_bitcode *b, size_t index, const body_visitor *visitor, uint32_t *ret_instructions) {
  const function *f = &b->functions.items[index];
  *ret_instructions = 0;
  if (!f->has_body)
    return DLOC_OK;
  bool indexed = b->blocks[OF_MODULE].indexed;
  size_t before = b->s.operands.count; /* of abbreviations: its own are forgotten with it */
  b->argument_count = b->types.items[f->type].size;
  body y = {.b = b, .visitor = visitor, .next_value = b->module_values + b->argument_count};
  for (unsigned class = 0; class < CODE_CLASSES; class ++)
    y.taken_as[class] = (uint8_t) class;
  if (!visitor->instruction)
    y.taken_as[CODE_CALL] = y.taken_as[CODE_ALLOCA] = CODE_VOID;
  if (!visitor->location)
    y.taken_as[CODE_LOCATION] = y.taken_as[CODE_AGAIN] = CODE_OTHER;
  if (!visitor->record)
    y.taken_as[CODE_RECORD] = y.taken_as[CODE_LABEL_RECORD] = CODE_OTHER;
  stream_reset(&b->s);
  dloc_status status = stream_each_entry(&b->s, &f->body, read_body_entry, &y);
  if (indexed == b->blocks[OF_MODULE].indexed) /* otherwise the module's metadata has some of what was defined since */
    b->s.operands.count = before;
  context_free(b->context, y.operands.items);
  b->values.count = b->module_values;
  b->argument_count = 0;
  bitcode_forget_local(b);
  *ret_instructions = y.instructions;
  return status;
}

/* ---- Locating ---- */

dloc_status dloc_bitcode_locate(dloc_bitcode *b, size_t function, dloc_bitcode_visit *visit, void *user,
                                uint32_t *ret_instructions) {
  body_visitor visitor = {.user = user, .location = visit};
  uint32_t instructions = 0;
  if (function >= b->functions.count)
    return DLOC_INVALID;
  TRY(bitcode_walk(b, function, &visitor, &instructions));
  *ret_instructions = instructions;
  return DLOC_OK;
}
