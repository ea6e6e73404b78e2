/* vector_emit.c - the op emit: directives before instructions, and embedded texts. No nodes stand in its value. */
#include "vector_internal.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- Planning ---- */

static dloc_status read_number(const schema *s, const value *map, const char *key, uint32_t *ret) {
  const value *number = NULL;
  uint64_t read = 0;
  TRY(require(s, map, key, &number));
  if (!value_unsigned(number, UINT32_MAX, &read))
    return WRONG(s, number, "vector.field", "%s is a number", key);
  *ret = (uint32_t)read;
  return DLOC_OK;
}

static dloc_status plan_directive(const schema *s, const value *map, vector_directive *ret) {
  static const char *const keys[] = {"file", "line", "column", NULL};
  const value *file = NULL;
  TRY(expect_map(s, map, "a directive", keys));
  TRY(require(s, map, "file", &file));
  TRY(read_text(s, file, "file", &ret->file));
  TRY(read_number(s, map, "line", &ret->line));
  return read_number(s, map, "column", &ret->column);
}

static dloc_status plan_instruction(const schema *s, const value *map, vector_emitted *ret) {
  static const char *const keys[] = {"primary", "layers", NULL};
  TRY(expect_map(s, map, "what is written before an instruction", keys));
  const value *primary = value_get(map, "primary"), *layers = value_get(map, "layers");
  ret->has_primary = primary != NULL;
  if (primary)
    TRY(plan_directive(s, primary, &ret->primary));
  if (!layers)
    return DLOC_OK;
  TRY(expect_list(s, layers, "layers"));
  vector_directive *directives = value_arena_alloc(s->arena, layers->count, sizeof *directives);
  if (!directives)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < layers->count; i++)
    TRY(plan_directive(s, &layers->of.items[i], &directives[i]));
  ret->layers = directives;
  ret->layer_count = layers->count;
  return DLOC_OK;
}

static dloc_status plan_instructions(const schema *s, const vector *v, const value *list,
                                     struct vector_answer_plan *plan) {
  TRY(expect_list(s, list, "instructions"));
  if (list->count != v->plan->location_count)
    return WRONG(s, list, "vector.field", "instructions are as many as args");
  vector_emitted *instructions = value_arena_alloc(s->arena, list->count, sizeof *instructions);
  if (!instructions)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_instruction(s, &list->of.items[i], &instructions[i]));
  plan->instructions = instructions;
  plan->instruction_count = list->count;
  return DLOC_OK;
}

static dloc_status plan_text(const schema *s, const value *map, vector_text *ret) {
  static const char *const keys[] = {"kind", "file", "text", NULL};
  dloc_text *const fields[] = {&ret->kind, &ret->file, &ret->text};
  TRY(expect_map(s, map, "an embedded text", keys));
  for (size_t i = 0; i < 3; i++) {
    const value *field = NULL;
    TRY(require(s, map, keys[i], &field));
    TRY(read_text(s, field, keys[i], fields[i]));
  }
  return DLOC_OK;
}

static dloc_status plan_texts(const schema *s, const value *list, struct vector_answer_plan *plan) {
  if (!list)
    return DLOC_OK;
  TRY(expect_list(s, list, "texts"));
  vector_text *texts = value_arena_alloc(s->arena, list->count, sizeof *texts);
  if (!texts)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++)
    TRY(plan_text(s, &list->of.items[i], &texts[i]));
  plan->texts = texts;
  plan->text_count = list->count;
  return DLOC_OK;
}

dloc_status plan_emit(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"instructions", "texts", NULL};
  const value *instructions = NULL;
  TRY(expect_map(s, map, "the value of emit", keys));
  TRY(require(s, map, "instructions", &instructions));
  TRY(plan_instructions(s, v, instructions, plan));
  return plan_texts(s, value_get(map, "texts"), plan);
}

/* ---- As a value ---- */

static dloc_status add_text(value_arena *arena, value *map, const char *key, dloc_text text) {
  value scalar;
  TRY(value_set_text(arena, text, &scalar));
  return value_map_add(arena, map, key, &scalar);
}

static dloc_status add_number(value_arena *arena, value *map, const char *key, uint64_t number) {
  value scalar;
  TRY(value_set_number(arena, number, &scalar));
  return value_map_add(arena, map, key, &scalar);
}

static dloc_status describe_directive(value_arena *arena, const vector_directive *directive, value *map) {
  value_set_map(map);
  TRY(add_text(arena, map, "file", directive->file));
  TRY(add_number(arena, map, "line", directive->line));
  return add_number(arena, map, "column", directive->column);
}

static dloc_status describe_instruction(value_arena *arena, const vector_emitted *emitted, value *map) {
  value directive, layers;
  value_set_map(map);
  value_set_list(&layers);
  if (emitted->has_primary) {
    TRY(describe_directive(arena, &emitted->primary, &directive));
    TRY(value_map_add(arena, map, "primary", &directive));
  }
  for (size_t i = 0; i < emitted->layer_count; i++) {
    TRY(describe_directive(arena, &emitted->layers[i], &directive));
    TRY(value_list_add(arena, &layers, &directive));
  }
  return layers.count ? value_map_add(arena, map, "layers", &layers) : DLOC_OK;
}

static dloc_status describe_text(value_arena *arena, const vector_text *text, value *map) {
  value_set_map(map);
  TRY(add_text(arena, map, "kind", text->kind));
  TRY(add_text(arena, map, "file", text->file));
  return add_text(arena, map, "text", text->text);
}

dloc_status describe_emit(value_arena *arena, const vector_answer *answer, value *map) {
  value instructions, texts, one;
  value_set_list(&instructions);
  value_set_list(&texts);
  for (size_t i = 0; i < answer->instruction_count; i++) {
    TRY(describe_instruction(arena, &answer->instructions[i], &one));
    TRY(value_list_add(arena, &instructions, &one));
  }
  TRY(value_map_add(arena, map, "instructions", &instructions));
  for (size_t i = 0; i < answer->text_count; i++) {
    TRY(describe_text(arena, &answer->texts[i], &one));
    TRY(value_list_add(arena, &texts, &one));
  }
  return texts.count ? value_map_add(arena, map, "texts", &texts) : DLOC_OK;
}

/* ---- Canonical text ---- */

static dloc_status print_directive(dloc_sink sink, const char *label, const vector_directive *directive) {
  char line[64];
  snprintf(line, sizeof line, "%s%" PRIu32 ":%" PRIu32 " ", label, directive->line, directive->column);
  return print_quoted(sink, line, directive->file);
}

static dloc_status print_instruction(dloc_sink sink, size_t number, const vector_emitted *emitted) {
  char line[64];
  snprintf(line, sizeof line, "instruction %zu\n", number);
  TRY(print_text(sink, line));
  if (emitted->has_primary)
    TRY(print_directive(sink, "  primary ", &emitted->primary));
  for (size_t i = 0; i < emitted->layer_count; i++)
    TRY(print_directive(sink, "  layer ", &emitted->layers[i]));
  return DLOC_OK;
}

dloc_status print_emit(const vector_answer *answer, dloc_sink sink) {
  for (size_t i = 0; i < answer->instruction_count; i++)
    TRY(print_instruction(sink, i, &answer->instructions[i]));
  for (size_t i = 0; i < answer->text_count; i++) {
    TRY(print_quoted(sink, "text of kind ", answer->texts[i].kind));
    TRY(print_quoted(sink, "  file ", answer->texts[i].file));
    TRY(print_quoted(sink, "  text ", answer->texts[i].text));
  }
  return DLOC_OK;
}

/* ---- The model's answer ---- */

/* The bytes of a string node, which would move when the context grows. */
static dloc_status take_text(value_arena *arena, const dloc_context *context, dloc_node node, dloc_text *ret) {
  *ret = value_arena_copy(arena, dloc_node_text(context, node));
  return ret->bytes ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_status take_directive(value_arena *arena, const dloc_context *context, const dloc_directive *directive,
                                  vector_directive *ret) {
  ret->line = directive->line;
  ret->column = directive->column;
  return take_text(arena, context, directive->file, &ret->file);
}

static dloc_status take_instruction(value_arena *arena, const dloc_context *context, const dloc_emitted *emitted,
                                    vector_emitted *ret) {
  vector_directive *layers = value_arena_alloc(arena, emitted->layer_count, sizeof *layers);
  if (!layers)
    return DLOC_NO_MEMORY;
  *ret = (vector_emitted){.has_primary = emitted->has_primary, .layers = layers, .layer_count = emitted->layer_count};
  if (emitted->has_primary)
    TRY(take_directive(arena, context, &emitted->primary, &ret->primary));
  for (size_t i = 0; i < emitted->layer_count; i++)
    TRY(take_directive(arena, context, &emitted->layers[i], &layers[i]));
  return DLOC_OK;
}

static dloc_status take_texts(value_arena *arena, const dloc_context *context, dloc_emitter *emitter,
                              vector_answer *answer) {
  const dloc_emitted_text *written = NULL;
  size_t count = 0;
  TRY(dloc_emit_texts(emitter, &written, &count));
  vector_text *texts = value_arena_alloc(arena, count, sizeof *texts);
  if (!texts)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < count; i++) {
    TRY(take_text(arena, context, dloc_operand(context, written[i].entry, 0), &texts[i].kind));
    TRY(take_text(arena, context, written[i].file, &texts[i].file));
    TRY(take_text(arena, context, dloc_operand(context, written[i].entry, 2), &texts[i].text));
  }
  answer->texts = texts;
  answer->text_count = count;
  return DLOC_OK;
}

static dloc_status emit_all(dloc_emitter *emitter, const vector_case *built, value_arena *arena,
                            dloc_reason *ret_reason, vector_answer *answer) {
  vector_emitted *instructions = value_arena_alloc(arena, built->location_count, sizeof *instructions);
  dloc_emitted emitted;
  if (!instructions)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < built->location_count; i++) {
    TRY(dloc_emit_instruction(emitter, built->locations[i], ret_reason, &emitted));
    TRY(take_instruction(arena, built->context, &emitted, &instructions[i]));
  }
  answer->instructions = instructions;
  answer->instruction_count = built->location_count;
  return take_texts(arena, built->context, emitter, answer);
}

dloc_status evaluate_emit(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                          const dloc_trace *trace, vector_answer *answer) {
  dloc_emitter *emitter = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  TRY(dloc_emitter_create(built->context, profile, built->module, trace, &emitter));
  dloc_status status = emit_all(emitter, built, arena, &reason, answer);
  dloc_emitter_destroy(emitter);
  return settle(status, reason, answer);
}
