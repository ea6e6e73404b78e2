/* encoded.c - numbers of metadata and records of locations, from the model and from a file. */
#include "encoded.h"

#include "document/memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_record(const dloc_instruction *instruction) { return instruction->flags & DLOC_INSTRUCTION_RECORD; }

static size_t count_instructions(const dloc_module *module, const dloc_function *function) {
  size_t count = 0;
  for (uint32_t i = 0; i < function->instruction_count; i++)
    count += !is_record(dloc_module_instruction(module, (size_t)function->first_instruction + i));
  return count;
}

static void *keep(value_arena *arena, const void *items, size_t count, size_t size) {
  void *kept = value_arena_alloc(arena, count, size);
  if (count)
    memcpy(kept, items, count * size);
  return kept;
}

/* Every part with its metadata, and room for its instructions. */
static encoded_part *begin_parts(const dloc_module *module, const dloc_numbers *numbers, value_arena *arena,
                                 encoded_instruction ***ret_instructions) {
  size_t count = dloc_module_function_count(module) + 1;
  encoded_part *parts = value_arena_alloc(arena, count, sizeof *parts);
  encoded_instruction **lists = value_arena_alloc(arena, count, sizeof *lists);
  for (size_t i = 0; i < count; i++) {
    encoded_part *part = &parts[i];
    const dloc_node *nodes = dloc_numbers_bucket(numbers, i ? (uint32_t)i - 1 : DLOC_NO_INDEX, &part->metadata_count);
    part->metadata = keep(arena, nodes, part->metadata_count, sizeof *nodes);
    part->instruction_count = i ? count_instructions(module, dloc_module_function(module, i - 1)) : 0;
    part->instructions = lists[i] = value_arena_alloc(arena, part->instruction_count, sizeof *lists[i]);
  }
  *ret_instructions = lists;
  return parts;
}

/* ---- The model ---- */

static encoded_record copy_record(value_arena *arena, const dloc_location_record *record) {
  return (encoded_record){.code = record->code,
                          .abbreviated = record->abbreviated,
                          .values = keep(arena, record->values, record->count, sizeof(uint64_t)),
                          .count = record->count};
}

static dloc_status encode_locations(encoded_part *part, dloc_encoder *encoder, value_arena *arena) {
  encoded_record *kept = value_arena_alloc(arena, part->metadata_count, sizeof *kept);
  part->locations = kept;
  for (size_t i = 0; i < part->metadata_count; i++) {
    const dloc_location_record *record = NULL;
    TRY(dloc_encode_node(encoder, part->metadata[i], &record));
    if (record)
      kept[part->location_count++] = copy_record(arena, record);
  }
  return DLOC_OK;
}

static dloc_status encode_function(const dloc_module *module, const dloc_function *function, dloc_encoder *encoder,
                                   value_arena *arena, dloc_reason *ret_reason, encoded_instruction *instructions) {
  dloc_encoder_begin_function(encoder);
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    const dloc_instruction *instruction = dloc_module_instruction(module, (size_t)function->first_instruction + i);
    const dloc_location_record *records = NULL;
    size_t count = 0;
    if (is_record(instruction))
      continue;
    TRY(dloc_encode_instruction(encoder, instruction->debug_loc, ret_reason, &records, &count));
    encoded_record *kept = value_arena_alloc(arena, count, sizeof *kept);
    for (size_t j = 0; j < count; j++)
      kept[j] = copy_record(arena, &records[j]);
    *instructions++ = (encoded_instruction){kept, count};
  }
  return DLOC_OK;
}

OWNER(dloc_numbers)
OWNER(dloc_encoder)

dloc_status encoded_model(const dloc_module *module, const dloc_profile *profile, value_arena *arena,
                          dloc_reason *ret_reason, encoded *ret) {
  OWNED(release_dloc_numbers) dloc_numbers *numbers = NULL;
  OWNED(release_dloc_encoder) dloc_encoder *encoder = NULL;
  encoded_instruction **lists;
  size_t count = dloc_module_function_count(module);
  TRY(dloc_numbers_create(module, profile, &numbers));
  encoded_part *parts = begin_parts(module, numbers, arena, &lists);
  TRY(dloc_encoder_create(dloc_module_context(module), profile, dloc_number_of, numbers, &encoder));
  for (size_t i = 0; i <= count; i++)
    TRY(encode_locations(&parts[i], encoder, arena));
  for (size_t i = 0; i < count; i++)
    TRY(encode_function(module, dloc_module_function(module, i), encoder, arena, ret_reason, lists[i + 1]));
  *ret = (encoded){parts, count + 1};
  return DLOC_OK;
}

/* ---- A file ---- */

enum { FUNCTION_BLOCK = 12, METADATA_BLOCK = 15, UNABBREVIATED = 3 };

/* A record of a location, and whose it is; of one in metadata, the function is that of the body, from 1. */
typedef struct found_record {
  uint64_t bit;
  size_t function;
  uint32_t instruction;
  encoded_record record;
} found_record;

typedef struct file_records {
  value_arena *arena;
  found_record *items; /* in the order of the file */
  size_t count;
  found_record *nodes; /* the same, of metadata */
  size_t node_count;
  size_t bodies; /* that were met */
  bool in_body;
  size_t claimed; /* so many have their instructions */
  size_t function;
} file_records;

static bool is_debug_loc(const dloc_bitcode_item *item) {
  return item->kind == DLOC_BITCODE_RECORD && item->block == FUNCTION_BLOCK &&
         (item->code == DLOC_RECORD_DEBUG_LOC || item->code == DLOC_RECORD_DEBUG_LOC_AGAIN);
}

static bool is_location_node(const dloc_bitcode_item *item) {
  return item->kind == DLOC_BITCODE_RECORD && item->block == METADATA_BLOCK &&
         (item->meaning == ENCODED_LOCATION || item->meaning == ENCODED_LAYERLOC ||
          item->meaning == ENCODED_LAYERLOCLIST);
}

static dloc_status find_record(void *user, const dloc_bitcode_item *item) {
  file_records *f = user;
  if (item->kind != DLOC_BITCODE_RECORD && item->block == FUNCTION_BLOCK) {
    f->in_body = item->kind != DLOC_BITCODE_LEAVE;
    f->bodies += item->kind == DLOC_BITCODE_ENTER;
  }
  bool is_node = is_location_node(item);
  if (!is_node && !is_debug_loc(item))
    return DLOC_OK;
  found_record *found = is_node ? MEMORY_ADD(f->nodes, f->node_count) : MEMORY_ADD(f->items, f->count);
  *found = (found_record){.bit = item->bit,
                          .function = f->in_body ? f->bodies : 0,
                          .record = {.code = item->meaning,
                                     .abbreviated = item->abbreviation != UNABBREVIATED,
                                     .values = keep(f->arena, item->values, item->value_count, sizeof(uint64_t)),
                                     .count = item->value_count}};
  return DLOC_OK;
}

/* Bodies stand in the file in the order of their functions, so the record is the next one. */
static dloc_status claim_record(void *user, const dloc_bitcode_location *location) {
  file_records *f = user;
  if (f->claimed && f->items[f->claimed - 1].bit == location->bit) /* another layer of the same record */
    return DLOC_OK;
  if (f->claimed == f->count || f->items[f->claimed].bit != location->bit)
    return DLOC_INVALID;
  f->items[f->claimed].function = f->function;
  f->items[f->claimed++].instruction = location->instruction;
  return DLOC_OK;
}

static void release_bitcode(dloc_bitcode **owned) { dloc_bitcode_close(*owned); }

static dloc_status find_records(dloc_context *context, const dloc_profile *profile, dloc_text bytes,
                                dloc_diagnostic *diagnostic, file_records *f) {
  OWNED(release_bitcode) dloc_bitcode *bitcode = NULL;
  TRY(dloc_bitcode_items(context, bytes, diagnostic, find_record, f));
  TRY(dloc_bitcode_open(context, profile, bytes, diagnostic, &bitcode));
  for (; f->function < dloc_bitcode_function_count(bitcode); f->function++) {
    uint32_t ignored = 0;
    if (dloc_bitcode_function_at(bitcode, f->function).bit)
      TRY(dloc_bitcode_locate(bitcode, f->function, claim_record, f, &ignored));
  }
  return DLOC_OK;
}

static void place_locations(const file_records *f, const dloc_module *module, encoded_part *parts) {
  size_t body = 0, at = 0;
  for (size_t i = 0; i <= dloc_module_function_count(module); i++) {
    if (i && !(dloc_module_function(module, i - 1)->flags & DLOC_FUNCTION_DEFINITION))
      continue;
    encoded_record *kept = value_arena_alloc(f->arena, parts[i].metadata_count, sizeof *kept);
    parts[i].locations = kept;
    for (; at < f->node_count && f->nodes[at].function == body && parts[i].location_count < parts[i].metadata_count;
         at++)
      kept[parts[i].location_count++] = f->nodes[at].record;
    body++;
  }
}

static dloc_status place_records(const file_records *f, const encoded_part *parts, encoded_instruction **lists) {
  encoded_record *records = value_arena_alloc(f->arena, f->count, sizeof *records);
  for (size_t i = 0; i < f->count; i++) {
    const found_record *found = &f->items[i];
    if (found->instruction >= parts[found->function + 1].instruction_count)
      return DLOC_INVALID;
    encoded_instruction *instruction = &lists[found->function + 1][found->instruction];
    records[i] = found->record;
    if (!instruction->count++)
      instruction->records = &records[i];
  }
  return DLOC_OK;
}

static void release_records(file_records *f) {
  free(f->items);
  free(f->nodes);
}

dloc_status encoded_file(dloc_context *context, const dloc_profile *profile, dloc_text bytes, value_arena *arena,
                         dloc_diagnostic *diagnostic, encoded *ret) {
  OWNED(release_records) file_records records = {.arena = arena};
  OWNED(release_dloc_module) dloc_module *module = NULL;
  OWNED(release_dloc_numbers) dloc_numbers *numbers = NULL;
  encoded_instruction **lists;
  TRY(dloc_read_bitcode(context, profile, bytes, diagnostic, &module, &numbers));
  encoded_part *parts = begin_parts(module, numbers, arena, &lists);
  TRY(find_records(context, profile, bytes, diagnostic, &records));
  TRY(place_records(&records, parts, lists));
  place_locations(&records, module, parts);
  *ret = (encoded){parts, dloc_module_function_count(module) + 1};
  return DLOC_OK;
}
