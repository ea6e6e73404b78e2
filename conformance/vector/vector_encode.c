/* vector_encode.c - the op encode: numbers of metadata and records of locations. */
#include "vector_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Planning ---- */

dloc_status plan_encode_args(const schema *s, const value *args, struct vector_plan *plan) {
  TRY(expect_list(s, args, "args"));
  for (uint32_t i = 0; i < args->count; i++) {
    plan->shows_metadata = plan->shows_metadata || value_is(&args->of.items[i], "metadata");
    plan->shows_records = plan->shows_records || value_is(&args->of.items[i], "records");
    if (!value_is(&args->of.items[i], "metadata") && !value_is(&args->of.items[i], "records"))
      return WRONG(s, &args->of.items[i], "vector.field", "args of encode are metadata and records");
  }
  return args->count ? DLOC_OK : WRONG(s, args, "vector.field", "args of encode say what to show");
}

static dloc_status plan_metadata(const schema *s, const vector *v, const value *map,
                                 const struct vector_answer_plan *plan, planned_part *ret) {
  const value *list = value_get(map, "metadata");
  if ((list != NULL) != v->plan->shows_metadata)
    return WRONG(s, map, "vector.field", "metadata stands in the value when it stands in the args");
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "metadata"));
  return plan_operands(s, &plan->graph, list, &ret->metadata, &ret->metadata_count);
}

static dloc_status plan_record(const schema *s, const value *map, encoded_record *ret) {
  static const char *const keys[] = {"DEBUG_LOC", "DEBUG_LOC_AGAIN", "abbreviated", NULL};
  TRY(expect_map(s, map, "a record", keys));
  const value *location = value_get(map, "DEBUG_LOC"), *again = value_get(map, "DEBUG_LOC_AGAIN");
  const value *list = location ? location : again;
  if ((location != NULL) == (again != NULL))
    return WRONG(s, map, "vector.field", "a record is DEBUG_LOC or DEBUG_LOC_AGAIN, with its values");
  TRY(expect_list(s, list, "the values of a record"));
  TRY(read_flag(s, map, "abbreviated", false, &ret->abbreviated));
  uint64_t *values = value_arena_alloc(s->arena, list->count, sizeof *values);
  if (!values)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    if (!value_unsigned(&list->of.items[i], UINT64_MAX, &values[i]))
      return WRONG(s, &list->of.items[i], "vector.field", "a value of a record is a number");
  ret->code = location ? DLOC_RECORD_DEBUG_LOC : DLOC_RECORD_DEBUG_LOC_AGAIN;
  ret->values = values;
  ret->count = list->count;
  return DLOC_OK;
}

static dloc_status plan_instruction(const schema *s, const value *list, encoded_instruction *ret) {
  TRY(expect_list(s, list, "the records of an instruction"));
  encoded_record *records = value_arena_alloc(s->arena, list->count, sizeof *records);
  if (!records)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_record(s, &list->of.items[i], &records[i]));
  *ret = (encoded_instruction){records, list->count};
  return DLOC_OK;
}

static dloc_status plan_records(const schema *s, const vector *v, const value *map, planned_part *ret) {
  const value *list = value_get(map, "records");
  if ((list != NULL) != v->plan->shows_records)
    return WRONG(s, map, "vector.field", "records stand in the value when they stand in the args");
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "records"));
  encoded_instruction *instructions = value_arena_alloc(s->arena, list->count, sizeof *instructions);
  if (!instructions)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_instruction(s, &list->of.items[i], &instructions[i]));
  ret->instructions = instructions;
  ret->instruction_count = list->count;
  return DLOC_OK;
}

dloc_status plan_encode(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"metadata", "functions", "nodes", NULL};
  static const char *const function_keys[] = {"metadata", "records", NULL};
  const value *functions = NULL;
  TRY(expect_map(s, map, "the value of encode", keys));
  TRY(require(s, map, "functions", &functions));
  TRY(expect_list(s, functions, "functions"));
  if (functions->count != v->plan->module.function_count)
    return WRONG(s, functions, "vector.field", "functions are as many as those of the module");
  planned_part *parts = value_arena_alloc(s->arena, (size_t)functions->count + 1, sizeof *parts);
  if (!parts)
    return DLOC_NO_MEMORY;
  plan->parts = parts;
  plan->part_count = (size_t)functions->count + 1;
  TRY(plan_metadata(s, v, map, plan, &parts[0]));
  for (uint32_t i = 0; i < functions->count; i++) {
    TRY(expect_map(s, &functions->of.items[i], "a function", function_keys));
    TRY(plan_metadata(s, v, &functions->of.items[i], plan, &parts[i + 1]));
    TRY(plan_records(s, v, &functions->of.items[i], &parts[i + 1]));
  }
  return DLOC_OK;
}

/* ---- Building ---- */

static dloc_status build_metadata(const planned_part *planned, const dloc_node *handles, dloc_context *context,
                                  value_arena *arena, encoded_part *ret) {
  dloc_node *nodes = value_arena_alloc(arena, planned->metadata_count, sizeof *nodes);
  if (!nodes)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < planned->metadata_count; i++)
    TRY(build_value(context, &planned->metadata[i], handles, &nodes[i]));
  *ret = (encoded_part){nodes, planned->metadata_count, planned->instructions, planned->instruction_count};
  return DLOC_OK;
}

dloc_status build_encode(const struct vector_answer_plan *plan, const dloc_node *handles, dloc_context *context,
                         value_arena *arena, vector_answer *answer) {
  encoded_part *parts = value_arena_alloc(arena, plan->part_count, sizeof *parts);
  if (!parts)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < plan->part_count; i++)
    TRY(build_metadata(&plan->parts[i], handles, context, arena, &parts[i]));
  answer->encoded = (encoded){parts, plan->part_count};
  return DLOC_OK;
}

/* ---- As a value ---- */

static const char *code_name(const encoded_record *record) {
  return record->code == DLOC_RECORD_DEBUG_LOC ? "DEBUG_LOC" : "DEBUG_LOC_AGAIN";
}

static dloc_status describe_metadata(describer *d, value_arena *arena, const encoded_part *part, value *map) {
  value list, one;
  value_set_list(&list);
  for (size_t i = 0; i < part->metadata_count; i++) {
    TRY(describe_value_of(d, part->metadata[i], &one));
    TRY(value_list_add(arena, &list, &one));
  }
  return value_map_add(arena, map, "metadata", &list);
}

static dloc_status describe_record(value_arena *arena, const encoded_record *record, value *map) {
  value list, one;
  value_set_map(map);
  value_set_list(&list);
  for (size_t i = 0; i < record->count; i++) {
    TRY(value_set_number(arena, record->values[i], &one));
    TRY(value_list_add(arena, &list, &one));
  }
  TRY(value_map_add(arena, map, code_name(record), &list));
  if (!record->abbreviated)
    return DLOC_OK;
  TRY(value_set_word(arena, "true", &one));
  return value_map_add(arena, map, "abbreviated", &one);
}

static dloc_status describe_records(value_arena *arena, const encoded_part *part, value *map) {
  value list, records, one;
  value_set_list(&list);
  for (size_t i = 0; i < part->instruction_count; i++) {
    value_set_list(&records);
    for (size_t j = 0; j < part->instructions[i].count; j++) {
      TRY(describe_record(arena, &part->instructions[i].records[j], &one));
      TRY(value_list_add(arena, &records, &one));
    }
    TRY(value_list_add(arena, &list, &records));
  }
  return value_map_add(arena, map, "records", &list);
}

dloc_status describe_encode(describer *d, const vector *v, value_arena *arena, const vector_answer *answer,
                            value *map) {
  value functions, function;
  value_set_list(&functions);
  if (v->plan->shows_metadata)
    TRY(describe_metadata(d, arena, &answer->encoded.parts[0], map));
  for (size_t i = 1; i < answer->encoded.count; i++) {
    value_set_map(&function);
    if (v->plan->shows_metadata)
      TRY(describe_metadata(d, arena, &answer->encoded.parts[i], &function));
    if (v->plan->shows_records)
      TRY(describe_records(arena, &answer->encoded.parts[i], &function));
    TRY(value_list_add(arena, &functions, &function));
  }
  return value_map_add(arena, map, "functions", &functions);
}

/* ---- Canonical text ---- */

static dloc_status print_number(dloc_sink sink, const char *before, uint64_t number) {
  char text[64];
  snprintf(text, sizeof text, "%s%" PRIu64, before, number);
  return print_text(sink, text);
}

static dloc_status print_record(dloc_sink sink, const encoded_record *record) {
  TRY(print_text(sink, "  "));
  TRY(print_text(sink, code_name(record)));
  TRY(print_text(sink, record->abbreviated ? " abbreviated" : ""));
  for (size_t i = 0; i < record->count; i++)
    TRY(print_number(sink, " ", record->values[i]));
  return print_text(sink, "\n");
}

static dloc_status print_part(dloc_sink sink, size_t number, const encoded_part *part) {
  TRY(number ? print_number(sink, "function ", number - 1) : print_text(sink, "module"));
  TRY(print_number(sink, ": metadata ", part->metadata_count));
  TRY(print_text(sink, "\n"));
  for (size_t i = 0; i < part->instruction_count; i++) {
    TRY(print_number(sink, " instruction ", i));
    TRY(print_text(sink, "\n"));
    for (size_t j = 0; j < part->instructions[i].count; j++)
      TRY(print_record(sink, &part->instructions[i].records[j]));
  }
  return DLOC_OK;
}

dloc_status print_encode(dloc_context *context, value_arena *arena, const vector_answer *answer, dloc_sink sink) {
  size_t count = 0, at = 0;
  for (size_t i = 0; i < answer->encoded.count; i++) {
    TRY(print_part(sink, i, &answer->encoded.parts[i]));
    count += answer->encoded.parts[i].metadata_count;
  }
  dloc_node *roots = value_arena_alloc(arena, count, sizeof *roots);
  if (!roots)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < answer->encoded.count; i++)
    for (size_t j = 0; j < answer->encoded.parts[i].metadata_count; j++)
      roots[at++] = answer->encoded.parts[i].metadata[j];
  return dloc_print_graph(context, "metadata", roots, count, sink);
}

/* ---- The answer ---- */

dloc_status vector_take_encoded(const vector *v, const encoded *given, value_arena *arena, vector_answer *ret) {
  encoded_part *parts = value_arena_alloc(arena, given->count, sizeof *parts);
  if (!parts)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < given->count; i++) {
    const encoded_part *part = &given->parts[i];
    parts[i] = (encoded_part){part->metadata, v->plan->shows_metadata ? part->metadata_count : 0, part->instructions,
                              v->plan->shows_records ? part->instruction_count : 0};
  }
  *ret = (vector_answer){.op = VECTOR_ENCODE, .outcome = VECTOR_OK, .encoded = {parts, given->count}};
  return DLOC_OK;
}

static bool has_unknown_record(const dloc_module *module, const dloc_profile *profile) {
  bool known = profile->alternative[DLOC_CHOICE_METADATA_RECORDS] == DLOC_METADATA_RECORDS_KNOWN;
  for (size_t i = 0; !known && i < dloc_module_instruction_count(module); i++)
    if (dloc_module_instruction(module, i)->flags & DLOC_INSTRUCTION_RECORD)
      return true;
  return false;
}

dloc_status evaluate_encode(const vector *v, const vector_case *built, const dloc_profile *profile, value_arena *arena,
                            vector_answer *answer) {
  dloc_reason reason = DLOC_REASON_NONE;
  encoded made;
  if (has_unknown_record(built->module, profile)) {
    *answer = vector_rejection(VECTOR_ENCODE, DLOC_REASON_UNKNOWN_RECORD);
    return DLOC_OK;
  }
  dloc_status status = encoded_model(built->module, profile, arena, &reason, &made);
  if (status == DLOC_OK)
    return vector_take_encoded(v, &made, arena, answer);
  if (status != DLOC_INVALID)
    return status;
  *answer = vector_rejection(VECTOR_ENCODE, reason);
  return DLOC_OK;
}
