/* encode.c - `encode`: numbers of metadata and records of locations. SPEC.md 7.3, 7.4 */
#include "declare.h"
#include "encoded.h"

static dloc_status check_record(const reading *r, const term *record) {
  if (!term_get(record, "DEBUG_LOC") == !term_get(record, "DEBUG_LOC_AGAIN"))
    return WRONG(r, record->from, "vector.field", "a record is DEBUG_LOC or DEBUG_LOC_AGAIN, with its values");
  return DLOC_OK;
}

#define RECORD                                                                                                         \
  CHECKED_MAP("a record", " ?DEBUG_LOC?DEBUG_LOC_AGAIN?abbreviated%DEBUG_LOC%DEBUG_LOC_AGAIN\n", check_record,         \
              OPTIONAL("DEBUG_LOC", RECORD_VALUES), OPTIONAL("DEBUG_LOC_AGAIN", RECORD_VALUES),                        \
              OPTIONAL("abbreviated", FLAG))
#define RECORDS LIST_AS("the records of an instruction", " instruction #\n", RECORD)
#define LOCATION                                                                                                       \
  MAP_AS("a record of metadata", " ?LOCATION?LAYERLOC?LAYERLOCLIST?abbreviated%LOCATION%LAYERLOC%LAYERLOCLIST\n",      \
         OPTIONAL("LOCATION", RECORD_VALUES), OPTIONAL("LAYERLOC", RECORD_VALUES),                                     \
         OPTIONAL("LAYERLOCLIST", RECORD_VALUES), OPTIONAL("abbreviated", FLAG))
#define LOCATIONS OPTIONAL("locations", LIST(LOCATION))
#define FUNCTION                                                                                                       \
  MAP_AS("a function", "function #: metadata #metadata\n", OPTIONAL("metadata", LIST(OPERAND)), LOCATIONS,             \
         OPTIONAL("records", LIST(RECORDS)))

enum { SHOWS_METADATA, SHOWS_LOCATIONS, SHOWS_RECORDS }; /* words of the args */

static bool shows(const term *args, uint64_t what) {
  for (uint32_t i = 0; i < args->count; i++)
    if (args->of.items[i].of.number == what)
      return true;
  return false;
}

/* ---- Checking ---- */

static dloc_status check_shown(const reading *r, const term *args, const term *part, const char *key, uint64_t what) {
  if (!term_get(part, key) == shows(args, what))
    return WRONG(r, part->from, "vector.field", "%s in the value: when it stands in the args", key);
  return DLOC_OK;
}

static dloc_status check_metadata(const reading *r, const term *args, const term *part) {
  TRY(check_shown(r, args, part, "metadata", SHOWS_METADATA));
  return check_shown(r, args, part, "locations", SHOWS_LOCATIONS);
}

static dloc_status check_function(const reading *r, const term *args, const term *function) {
  TRY(check_metadata(r, args, function));
  return check_shown(r, args, function, "records", SHOWS_RECORDS);
}

static dloc_status check_args(const reading *r, const term *args) {
  return args->count ? DLOC_OK : WRONG(r, args->from, "vector.field", "args of encode say what to show");
}

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  const term *functions = term_get(value, "functions");
  if (functions->count != term_list(module, "functions")->count)
    return WRONG(r, functions->from, "vector.field", "functions are as many as those of the module");
  TRY(check_metadata(r, args, value));
  for (uint32_t i = 0; i < functions->count; i++)
    TRY(check_function(r, args, &functions->of.items[i]));
  return DLOC_OK;
}

/* ---- Answering ---- */

const char *encoded_name(uint32_t code) {
  switch (code) {
  case ENCODED_LOCATION:
    return "LOCATION";
  case ENCODED_LAYERLOC:
    return "LAYERLOC";
  case ENCODED_LAYERLOCLIST:
    return "LAYERLOCLIST";
  default:
    return code == DLOC_RECORD_DEBUG_LOC ? "DEBUG_LOC" : "DEBUG_LOC_AGAIN";
  }
}

static void take_record(const encoded_record *record, value_arena *arena, term *ret) {
  term *values = term_set_list(arena, ret, encoded_name(record->code), record->count);
  for (size_t i = 0; i < record->count; i++)
    term_be_number(&values[i], dloc_location_record_value(record, i));
  if (record->abbreviated)
    term_set_flag(ret, "abbreviated", true);
}

static void take_records(const encoded_part *part, value_arena *arena, term *ret) {
  term *lists = term_set_list(arena, ret, "records", part->instruction_count);
  for (size_t i = 0; i < part->instruction_count; i++) {
    term_be_list(arena, &lists[i], part->instructions[i].count);
    for (size_t j = 0; j < part->instructions[i].count; j++)
      take_record(&part->instructions[i].records[j], arena, &lists[i].of.items[j]);
  }
}

void encoded_take(const encoded *given, const term *args, value_arena *arena, term *value) {
  term *functions = term_set_list(arena, value, "functions", given->count - 1);
  for (size_t i = 0; i < given->count; i++) {
    term *part = i ? &functions[i - 1] : value;
    if (shows(args, SHOWS_METADATA))
      term_set_copy(arena, part, "metadata", given->parts[i].metadata, given->parts[i].metadata_count);
    if (shows(args, SHOWS_LOCATIONS)) {
      term *list = term_set_list(arena, part, "locations", given->parts[i].location_count);
      for (size_t j = 0; j < given->parts[i].location_count; j++)
        take_record(&given->parts[i].locations[j], arena, &list[j]);
    }
    if (i && shows(args, SHOWS_RECORDS))
      take_records(&given->parts[i], arena, part);
  }
}

static bool has_unknown_record(const dloc_module *module, const dloc_profile *profile) {
  bool known = DLOC_TAKES(profile, METADATA_RECORDS, KNOWN);
  for (size_t i = 0; !known && i < dloc_module_instruction_count(module); i++)
    if (dloc_module_instruction(module, i)->flags & DLOC_INSTRUCTION_RECORD)
      return true;
  return false;
}

static dloc_status ask(query *q, term *value) {
  encoded made;
  q->reason = DLOC_REASON_UNKNOWN_RECORD;
  if (has_unknown_record(q->module, q->profile))
    return DLOC_INVALID;
  TRY(encoded_model(q->module, q->profile, q->arena, &q->reason, &made));
  encoded_take(&made, q->args, q->arena, value);
  return DLOC_OK;
}

const operation op_encode = {
    .name = "encode",
    .forms = {{&(const type){.kind = TYPE_LIST,
                             .of = WORD("what encode shows", "metadata", "locations", "records"),
                             .check = check_args},
               MAP_AS(NULL, "module: metadata #metadata\n", OPTIONAL("metadata", LIST(OPERAND)), LOCATIONS,
                      FIELD("functions", LIST(FUNCTION)), NODES)}},
    .module = MODULE_WHOLE,
    .roots = "metadata",
    .check = check,
    .ask = ask,
};
