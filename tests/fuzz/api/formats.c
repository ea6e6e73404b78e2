/* Calls of dloc_formats.h: code, records and numbers of bitcode, bitcode as it is and with layers. */
#include "api.h"

#include <stdlib.h>

/* ---- Code ---- */

static void call_comparer(world *w) {
  thing *base = any_thing(w, MODULE), *made = any_thing(w, MODULE);
  dloc_code_comparer *comparer = NULL;
  if (base && take_thing(dloc_code_comparer_create(base->it, made->it, once_in(w->from, 2), &comparer), comparer))
    add_thing(w, COMPARER, comparer, base, made, NULL);
}

/* The index of a function with instructions. */
static bool any_function(world *w, const dloc_module *module, size_t *ret) {
  size_t count = dloc_module_function_count(module);
  *ret = below(w->from, count);
  return count && dloc_module_function(module, *ret)->instruction_count;
}

static void call_compare_code(world *w) {
  thing *comparer = any_thing(w, COMPARER);
  dloc_code_difference difference = {.same = false};
  size_t base = 0, made = 0;
  if (comparer && any_function(w, comparer->borrows[0]->it, &base) && any_function(w, comparer->borrows[1]->it, &made))
    check_status(dloc_compare_code(comparer->it, base, made, &difference));
}

/* ---- Records ---- */

static dloc_status give_number(void *user, dloc_node node, uint64_t *ret) {
  world *w = user;
  require(node != DLOC_NULL && node < dloc_node_limit(w->context));
  *ret = node;
  return once_in(w->from, 100) ? DLOC_INVALID : DLOC_OK;
}

static void call_encoder(world *w) {
  thing *numbers = once_in(w->from, 2) ? any_thing(w, NUMBERS) : NULL;
  dloc_encoder *encoder = NULL;
  if (take_thing(dloc_encoder_create(w->context, any_profile(w), numbers ? dloc_number_of : give_number,
                                     numbers ? numbers->it : w, &encoder),
                 encoder))
    add_thing(w, ENCODER, encoder, numbers, NULL, NULL);
}

static void read_record(const dloc_location_record *record) {
  const uint64_t *values = record->values;
  for (size_t i = 0; i < record->count; i++)
    require(dloc_location_record_value(record, i) == values[i]);
  require(!dloc_location_record_value(record, record->count));
}

static void call_encode(world *w) {
  thing *encoder = any_thing(w, ENCODER);
  const dloc_location_record *records = NULL;
  size_t count = 0;
  if (!encoder)
    return;
  if (once_in(w->from, 4))
    dloc_encoder_begin_function(encoder->it);
  if (dloc_encode_instruction(encoder->it, any_debug_loc(w), any_reason(w), &records, &count) == DLOC_OK)
    for (size_t i = 0; i < count; i++)
      read_record(&records[i]);
  records = NULL;
  if (dloc_encode_node(encoder->it, any_node(w), &records) == DLOC_OK && records)
    read_record(records);
}

static void call_decode(world *w) {
  uint64_t values[12];
  dloc_node metadata[8], ret = UNTOUCHED_NODE;
  dloc_location_record record = {.code = (uint32_t)below(w->from, 50), .values = values, .count = below(w->from, 12)};
  for (size_t i = 0; i < record.count; i++)
    values[i] = once_in(w->from, 3) ? edge_number(w->from) : below(w->from, 9);
  size_t count = below(w->from, 8);
  for (size_t i = 0; i < count; i++)
    metadata[i] = any_node(w);
  take_node(w, dloc_decode_record(w->context, any_profile(w), metadata, count, &record, any_reason(w), &ret), &ret);
}

static void call_numbers(world *w) {
  thing *module = any_thing(w, MODULE);
  dloc_numbers *numbers = NULL;
  if (module && take_thing(dloc_numbers_create(module->it, any_profile(w), &numbers), numbers))
    add_thing(w, NUMBERS, numbers, module, NULL, NULL)->with = numbers;
}

static void call_number_of(world *w) {
  thing *numbers = any_thing(w, NUMBERS);
  uint64_t number = 0;
  uint32_t cursor = 0;
  dloc_node operand = DLOC_NULL;
  size_t count = 0;
  if (!numbers)
    return;
  check_status(dloc_number_of(numbers->it, any_node(w), &number));
  size_t functions = dloc_module_function_count(numbers->borrows[0]->it);
  uint32_t function = functions && once_in(w->from, 2) ? (uint32_t)below(w->from, functions) : DLOC_NO_INDEX;
  const dloc_node *bucket = dloc_numbers_bucket(numbers->it, function, &count);
  for (size_t i = 0; i < count; i++)
    require(bucket[i] < dloc_node_limit(w->context));
  if (!numbers->with || !count) /* those that were read */
    return;
  dloc_node node = bucket[below(w->from, count)];
  while (dloc_numbers_operand(numbers->it, node, &cursor, &operand) == DLOC_OK && operand)
    require(operand < dloc_node_limit(w->context));
}

/* ---- Bitcode as it is ---- */

static dloc_text any_bitcode(world *w) {
  static _Thread_local char bytes[1 << 16];
  dloc_text whole = bitcode_file;
  if (once_in(w->from, 2))
    return whole;
  for (size_t i = 0; i < whole.size; i++)
    bytes[i] = whole.bytes[i];
  bytes[below(w->from, whole.size)] ^= (char)(1 << below(w->from, 8));
  return (dloc_text){bytes, once_in(w->from, 4) ? below(w->from, whole.size) : whole.size};
}

static dloc_status see_item(void *user, const dloc_bitcode_item *item) {
  const uint64_t *values = item->values;
  for (size_t i = 0; i < item->value_count; i++)
    require(dloc_bitcode_item_value(item, i) == values[i]);
  read_text(item->blob);
  (void)dloc_bitcode_block_name(item->block);
  (void)dloc_bitcode_code_name(item->block, item->code);
  return once_in(((world *)user)->from, 200) ? DLOC_STOPPED : DLOC_OK;
}
static void call_items(world *w) {
  dloc_diagnostic diagnostic;
  check_status(dloc_bitcode_items(w->context, any_bitcode(w), &diagnostic, see_item, w));
}

static void call_open(world *w) {
  dloc_bitcode *bitcode = NULL;
  if (!has_room(w))
    return;
  dloc_text bytes = any_bitcode(w);
  dloc_diagnostic *diagnostic = lend(w, &(dloc_diagnostic){.reason = DLOC_REASON_NONE}, sizeof *diagnostic);
  bytes.bytes = bytes.bytes == bitcode_file.bytes ? bytes.bytes : lend(w, bytes.bytes, bytes.size);
  const dloc_profile *profile = once_in(w->from, 3) ? NULL : any_profile(w);
  if (take_thing(dloc_bitcode_open(w->context, profile, bytes, diagnostic, &bitcode), bitcode))
    add_thing(w, BITCODE, bitcode, NULL, NULL, NULL);
}

static void look_up(dloc_bitcode *bitcode, uint64_t number) {
  dloc_bitcode_metadata metadata;
  if (dloc_bitcode_metadata_at(bitcode, number, &metadata) != DLOC_OK)
    return;
  read_text(dloc_text_of(metadata.class_name));
  read_text(metadata.name);
  read_text(metadata.directory);
  const uint64_t *entries = metadata.entries;
  for (size_t i = 0; i < metadata.entry_count; i++)
    require(dloc_bitcode_metadata_entry(&metadata, i) == entries[i]);
}

typedef struct locating {
  world *w;
  dloc_bitcode *bitcode;
} locating;
static dloc_status see_location(void *user, const dloc_bitcode_location *location) {
  locating *l = user;
  look_up(l->bitcode, location->scope);
  look_up(l->bitcode, location->kind);
  return once_in(l->w->from, 50) ? DLOC_STOPPED : DLOC_OK;
}
static void call_locate(world *w) {
  thing *bitcode = any_thing(w, BITCODE);
  uint32_t instructions;
  if (!bitcode)
    return;
  read_text(dloc_bitcode_producer(bitcode->it));
  size_t count = dloc_bitcode_function_count(bitcode->it);
  for (size_t i = 0; i < count; i++)
    read_text(dloc_bitcode_function_at(bitcode->it, i).name);
  locating l = {w, bitcode->it};
  check_status(dloc_bitcode_locate(bitcode->it, below(w->from, count + 1), see_location, &l, &instructions));
  look_up(bitcode->it, edge_number(w->from));
}

/* ---- Bitcode with layers ---- */

static void call_assembly(world *w) {
  thing *module = any_thing(w, MODULE);
  dloc_assembly *assembly = NULL;
  if (module && !module->borrowers && take_thing(dloc_assembly_create(module->it, any_profile(w), &assembly), assembly))
    add_thing(w, ASSEMBLY, assembly, module, NULL, NULL);
}
static void call_assembly_stand_in(world *w) {
  thing *assembly = any_thing(w, ASSEMBLY);
  bool any = false;
  if (assembly)
    check_status(dloc_assembly_stand_in(assembly->it, &any));
}
static void call_assembly_bitcode(world *w) {
  thing *assembly = any_thing(w, ASSEMBLY);
  dloc_diagnostic diagnostic;
  if (assembly)
    check_status(dloc_assembly_bitcode(assembly->it, any_bitcode(w), &diagnostic, any_sink(w)));
}

static api_call *const calls[] = {
    call_comparer, call_compare_code, call_encoder,           call_encode,          call_encode,
    call_decode,   call_numbers,      call_number_of,         call_items,           call_open,
    call_locate,   call_assembly,     call_assembly_stand_in, call_assembly_bitcode};
CALLS(calls_of_formats, calls);
