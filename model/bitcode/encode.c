/* SPEC.md, chapter 7.3: the records that locate the instructions of a function, and those of the form irlayers. */
#include "dloc_formats.h"
#include "layers.h"

enum {
  OPERAND_FIELDS = 5, /* line, column, scope, inlinedAt, isImplicitCode */
  ATOM_FIELDS = 2,    /* atomGroup, atomRank */
  MOST_LAYER_FIELDS = OPERAND_FIELDS + ATOM_FIELDS + 1,
  MOST_NODE_FIELDS = MOST_LAYER_FIELDS + 1
};

struct dloc_encoder {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_metadata_number *number;
  void *user;
  dloc_node last; /* the function's last location */
  ARRAY(uint64_t) values;
  ARRAY(dloc_location_record) records;
};

/* Releases with atoms have an abbreviation for the record as well. */
static bool has_atoms(const dloc_encoder *encoder) { return DLOC_TAKES(encoder->profile, METADATA_ATOMS, KNOWN); }

/* ---- Fields ---- */

static void add_value(dloc_encoder *encoder, uint64_t value) { encoder->values.items[encoder->values.count++] = value; }

/* The number itself, where there is no other way to say none: then it is that of no metadata. */
static dloc_status add_number(dloc_encoder *encoder, dloc_node node) {
  uint64_t number = UINT32_MAX;
  if (node)
    TRY(encoder->number(encoder->user, node, &number));
  add_value(encoder, number);
  return DLOC_OK;
}

/* `bitcode.record.number`: 0 is none, and every number stands there plus 1. */
static dloc_status add_reference(dloc_encoder *encoder, dloc_node node) {
  uint64_t number = 0;
  if (node)
    TRY(encoder->number(encoder->user, node, &number));
  add_value(encoder, node ? number + 1 : 0);
  return DLOC_OK;
}

/* `bitcode.record.fields` */
static dloc_status add_location(dloc_encoder *encoder, const dloc_location *place) {
  add_value(encoder, place->line);
  add_value(encoder, place->column);
  TRY(add_reference(encoder, place->scope));
  TRY(add_reference(encoder, place->inlined_at));
  add_value(encoder, place->implicit);
  return DLOC_OK;
}

/* `bitcode.record.atoms`, and zeros where something stands behind them in a release that has none. */
static void add_atoms(dloc_encoder *encoder, const dloc_location *place, bool low, bool padded) {
  bool known = has_atoms(encoder);
  if (!known && !padded)
    return;
  uint64_t group = low ? place->atom_group & UINT32_MAX : place->atom_group;
  add_value(encoder, known ? group : 0);
  add_value(encoder, known ? place->atom_rank : 0);
}

static bool keeps_low(const dloc_encoder *encoder) { return DLOC_TAKES(encoder->profile, BITCODE_ATOM_GROUP, LOW_32); }

/* `bitcode.list.abbreviation`: whether the record of a location has an operand for its list. */
static bool has_list_operand(const dloc_encoder *encoder, const dloc_location *place) {
  bool wide = DLOC_TAKES(encoder->profile, BITCODE_IRLAYERS_ABBREVIATION, WIDE);
  return DLOC_TAKES(encoder->profile, METADATA_IRLAYERS, KNOWN) && (place->layers || wide);
}

/* `bitcode.list.location`, `bitcode.list.padding`: atoms, and the list behind them. `bitcode.list.debug-loc` */
static dloc_status add_list(dloc_encoder *encoder, const dloc_location *place, bool low) {
  bool list = has_list_operand(encoder, place);
  add_atoms(encoder, place, low, list);
  return list ? add_reference(encoder, place->layers) : DLOC_OK;
}

/* `bitcode.layer.values`, `bitcode.layer.padding`, `bitcode.layer.kind` */
static dloc_status add_layer(dloc_encoder *encoder, const dloc_layer *layer) {
  dloc_location place = dloc_location_get(encoder->context, layer->location);
  TRY(add_location(encoder, &place));
  add_atoms(encoder, &place, keeps_low(encoder), true);
  return add_reference(encoder, layer->kind);
}

/* ---- Records ---- */

/* A record of the values that are added from here on. */
static dloc_location_record *begin_record(dloc_encoder *encoder, uint32_t code) {
  dloc_location_record *record = &encoder->records.items[encoder->records.count++];
  *record = (dloc_location_record){.code = code, .values = encoder->values.items + encoder->values.count};
  return record;
}

static void end_record(const dloc_encoder *encoder, dloc_location_record *record) {
  record->count = (size_t)(encoder->values.items + encoder->values.count - record->values);
}

/* `bitcode.again`, `bitcode.again.node`, `bitcode.repeat.layers`, `bitcode.list.again` */
static bool repeats(const dloc_encoder *encoder, dloc_node debug_loc) {
  const dloc_context *context = encoder->context;
  dloc_node last = dloc_primary(context, encoder->last), primary = dloc_primary(context, debug_loc);
  if (!encoder->last)
    return false;
  bool by_primary = DLOC_TAKES(encoder->profile, BITCODE_AGAIN, PRIMARY);
  return by_primary ? last == primary : encoder->last == debug_loc;
}

/* Layers of a tuple; a list is metadata. */
static bool has_layers(const dloc_encoder *encoder, dloc_node debug_loc) {
  return dloc_debug_loc_shape(encoder->context, debug_loc) == DLOC_SHAPE_COMPOSITE &&
         dloc_layer_count(encoder->context, debug_loc) > 0;
}

/* `bitcode.again.layers`: a record that stands for the whole location needs no layers after it. */
static bool layers_follow(const dloc_encoder *encoder, bool again) {
  return !again || DLOC_TAKES(encoder->profile, BITCODE_AGAIN, PRIMARY);
}

/* `bitcode.layer.record`: a record each, behind the primary's. */
static dloc_status write_layer_records(dloc_encoder *encoder, dloc_node debug_loc) {
  dloc_layer layer;
  for (size_t cursor = 0; next_written_layer(encoder->context, encoder->profile, debug_loc, &cursor, &layer);) {
    dloc_location_record *record = begin_record(encoder, DLOC_RECORD_DEBUG_LOC);
    TRY(add_layer(encoder, &layer));
    end_record(encoder, record);
  }
  return DLOC_OK;
}

/* `bitcode.layout`: operands behind those of the primary's own record. */
static dloc_status write_layer_operands(dloc_encoder *encoder, dloc_node debug_loc) {
  dloc_layer layer;
  for (size_t cursor = 0; next_written_layer(encoder->context, encoder->profile, debug_loc, &cursor, &layer);)
    TRY(add_layer(encoder, &layer));
  return DLOC_OK;
}

/* `bitcode.layer.again`: values of a DEBUG_LOC_AGAIN. A reader that does not know them takes the primary again. */
static dloc_status write_layers_again(dloc_encoder *encoder, dloc_node debug_loc) {
  dloc_location_record *record = begin_record(encoder, DLOC_RECORD_DEBUG_LOC_AGAIN);
  TRY(write_layer_operands(encoder, debug_loc));
  end_record(encoder, record);
  return DLOC_OK;
}

/* `bitcode.layer.again`: a DEBUG_LOC_AGAIN with values is the last primary with other layers. */
static bool repeats_primary(const dloc_encoder *encoder, dloc_node debug_loc) {
  return encoder->last && has_layers(encoder, debug_loc) && DLOC_TAKES(encoder->profile, BITCODE_LAYOUT, AGAIN) &&
         dloc_primary(encoder->context, encoder->last) == dloc_primary(encoder->context, debug_loc);
}

/* `bitcode.record`, `bitcode.again`, `bitcode.record.abbreviation`, `bitcode.layer.operands` */
static dloc_status write_records(dloc_encoder *encoder, dloc_node debug_loc) {
  bool again = repeats(encoder, debug_loc);
  bool layers = layers_follow(encoder, again) && has_layers(encoder, debug_loc);
  bool in_again = DLOC_TAKES(encoder->profile, BITCODE_LAYOUT, AGAIN);
  again = again || repeats_primary(encoder, debug_loc);
  bool operands = layers && (DLOC_TAKES(encoder->profile, BITCODE_LAYOUT, OPERANDS) || (again && in_again));
  dloc_location_record *record = begin_record(encoder, again ? DLOC_RECORD_DEBUG_LOC_AGAIN : DLOC_RECORD_DEBUG_LOC);
  record->abbreviated = !again && !operands && has_atoms(encoder);
  if (!again) {
    dloc_location place = dloc_location_get(encoder->context, dloc_primary(encoder->context, debug_loc));
    TRY(add_location(encoder, &place));
    if (operands)
      add_atoms(encoder, &place, keeps_low(encoder), true);
    else
      TRY(add_list(encoder, &place, keeps_low(encoder)));
  }
  if (operands)
    TRY(write_layer_operands(encoder, debug_loc));
  end_record(encoder, record);
  if (!layers || operands)
    return DLOC_OK;
  return in_again ? write_layers_again(encoder, debug_loc) : write_layer_records(encoder, debug_loc);
}

static dloc_status reserve(dloc_encoder *encoder, dloc_node debug_loc) {
  size_t most = dloc_layer_count(encoder->context, debug_loc) + 1;
  encoder->values.count = encoder->records.count = 0;
  RESERVE(encoder->context, encoder->values, most * MOST_LAYER_FIELDS);
  RESERVE(encoder->context, encoder->records, most);
  return DLOC_OK;
}

/* `bitcode.record` */
dloc_status dloc_encode_instruction(dloc_encoder *encoder, dloc_node debug_loc, dloc_reason *ret_reason,
                                    const dloc_location_record **ret, size_t *ret_count) {
  TRY(check_operand(encoder->context, encoder->profile, debug_loc, ret_reason));
  TRY(reserve(encoder, debug_loc));
  if (debug_loc) {
    TRY(write_records(encoder, debug_loc));
    encoder->last = debug_loc; /* `bitcode.again.last` */
  }
  *ret = encoder->records.items;
  *ret_count = encoder->records.count;
  return DLOC_OK;
}

/* ---- Nodes ---- */

/* `bitcode.list.location`: as for an instruction, but the atom is whole, and the scope's number stands there itself. */
static dloc_status add_location_node(dloc_encoder *encoder, dloc_node node) {
  dloc_location place = dloc_location_get(encoder->context, node);
  add_value(encoder, place.line);
  add_value(encoder, place.column);
  TRY(add_number(encoder, place.scope));
  TRY(add_reference(encoder, place.inlined_at));
  add_value(encoder, place.implicit);
  return add_list(encoder, &place, false);
}

static dloc_node field_of(const dloc_encoder *encoder, dloc_node node, size_t row) {
  return node_field(encoder->context, node, encoder->context->field_keys[row]);
}

static void add_digits(dloc_encoder *encoder, dloc_node token) {
  uint64_t number = 0;
  (void)token_number(encoder->context, token, UINT32_MAX, &number);
  add_value(encoder, number);
}

/* `bitcode.list.layer` */
static dloc_status add_layer_node(dloc_encoder *encoder, dloc_node node) {
  dloc_node kind = field_of(encoder, node, FIELD_LAYER_kind);
  add_digits(encoder, field_of(encoder, node, FIELD_LAYER_line));
  add_digits(encoder, field_of(encoder, node, FIELD_LAYER_column));
  TRY(add_number(encoder, field_of(encoder, node, FIELD_LAYER_file)));
  return add_number(encoder, dloc_node_text(encoder->context, kind).size ? kind : DLOC_NULL);
}

/* `bitcode.list.entries`, `bitcode.list.codes` */
static dloc_status add_list_node(dloc_encoder *encoder, dloc_node node) {
  bool plus_1 = DLOC_TAKES(encoder->profile, BITCODE_IRLAYERS_CODES, 50_51);
  for (size_t i = 0; i < dloc_field_count(encoder->context, node); i++) {
    dloc_node entry = dloc_field_at(encoder->context, node, i).value;
    TRY(plus_1 ? add_reference(encoder, entry) : add_number(encoder, entry));
  }
  return DLOC_OK;
}

dloc_status dloc_encode_node(dloc_encoder *encoder, dloc_node node, const dloc_location_record **ret) {
  dloc_kind kind = dloc_node_kind(encoder->context, node);
  size_t row = kind == DLOC_KIND_LOCATION     ? CLASS_LOCATION
               : kind == DLOC_KIND_LAYER      ? CLASS_LAYER
               : kind == DLOC_KIND_LAYER_LIST ? CLASS_LAYER_LIST
                                              : CLASS_ROWS;
  encoder->values.count = encoder->records.count = 0;
  RESERVE(encoder->context, encoder->values, MOST_NODE_FIELDS + dloc_field_count(encoder->context, node));
  RESERVE(encoder->context, encoder->records, 1);
  if (row == CLASS_ROWS)
    return *ret = NULL, DLOC_OK;
  dloc_location_record *record = begin_record(encoder, class_specs[row].code);
  record->abbreviated = row == CLASS_LOCATION; /* `bitcode.list.abbreviation` */
  add_value(encoder, dloc_node_is_distinct(encoder->context, node));
  TRY(row == CLASS_LOCATION ? add_location_node(encoder, node)
      : row == CLASS_LAYER  ? add_layer_node(encoder, node)
                            : add_list_node(encoder, node));
  end_record(encoder, record);
  *ret = record;
  return DLOC_OK;
}

/* ---- The encoder ---- */

dloc_status dloc_encoder_create(dloc_context *context, const dloc_profile *profile, dloc_metadata_number *number,
                                void *user, dloc_encoder **ret) {
  CREATE(context, dloc_encoder, encoder, .context = context, .profile = profile, .number = number, .user = user);
  *ret = encoder;
  return DLOC_OK;
}

void dloc_encoder_destroy(dloc_encoder *encoder) {
  if (encoder)
    CONTEXT_FREE(encoder->context, encoder->values.items, encoder->records.items, encoder);
}

/* `bitcode.again.function` */
void dloc_encoder_begin_function(dloc_encoder *encoder) { encoder->last = DLOC_NULL; }
