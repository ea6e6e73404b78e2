/* decode.c - `decode`: what a reader of bitcode makes of single records. SPEC.md 7.5 */
#include "declare.h"
#include "encoded.h"

#include <string.h>

static dloc_status check_record(const reading *r, const term *record) {
  size_t names = 0;
  for (uint32_t i = 0; i < record->count; i++)
    names += record->of.items[i].type != NULL;
  return names == 1
             ? DLOC_OK
             : WRONG(r, record->from, "vector.field", "a record is one of LOCATION, LAYERLOC, LAYERLOCLIST, DEBUG_LOC");
}

/* In the order of the fields. */
static const uint32_t codes[] = {ENCODED_LOCATION, ENCODED_LAYERLOC, ENCODED_LAYERLOCLIST, DLOC_RECORD_DEBUG_LOC};

static dloc_location_record record_of(const term *given, value_arena *arena) {
  uint32_t which = 0;
  while (!given->of.items[which].type)
    which++;
  const term *list = &given->of.items[which];
  uint64_t *values = value_arena_alloc(arena, list->count, sizeof *values);
  for (uint32_t i = 0; i < list->count; i++)
    values[i] = list->of.items[i].of.number;
  return (dloc_location_record){.code = codes[which], .values = values, .count = list->count};
}

/* The node that a record of metadata makes has the next number. */
static dloc_status ask(query *q, term *value) {
  const term *metadata = term_get(q->args, "metadata"), *records = term_list(q->args, "records");
  dloc_node *results = term_set_nodes(q->arena, value, "results", records->count);
  dloc_node *nodes = value_arena_alloc(q->arena, (size_t)metadata->count + records->count, sizeof *nodes);
  size_t count = metadata->count;
  memcpy(nodes, metadata->of.nodes, count * sizeof *nodes);
  for (uint32_t i = 0; i < records->count; i++) {
    const dloc_location_record record = record_of(&records->of.items[i], q->arena);
    TRY(dloc_decode_record(q->context, q->profile, nodes, count, &record, &q->reason, &results[i]));
    nodes[count] = results[i];
    count += record.code != DLOC_RECORD_DEBUG_LOC;
  }
  return DLOC_OK;
}

const operation op_decode = {
    .name = "decode",
    .forms = {{MAP(NULL, FIELD("metadata", LIST(OPERAND)),
                   FIELD("records",
                         LIST(CHECKED_MAP("a record", NULL, check_record, OPTIONAL("LOCATION", RECORD_VALUES),
                                          OPTIONAL("LAYERLOC", RECORD_VALUES), OPTIONAL("LAYERLOCLIST", RECORD_VALUES),
                                          OPTIONAL("DEBUG_LOC", RECORD_VALUES))))),
               MAP(NULL, FOR_EACH("results", "records"), NODES)}},
    .roots = "result",
    .ask = ask,
};
