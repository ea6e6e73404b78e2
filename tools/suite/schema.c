/* schema.c - `dloc schema`: what the JSON Schemas are made from. */
#include "ops/operation.h"
#include "vector/vector.h"
#include "shell/tools.h"
#include "help/schema.h"

int tool_schema(int argc, char **argv) {
  const tool_option options[] = {{0}};
  tool_parse(argc, argv, &schema_usage, options);
  OWNED(value_arena_deinit) value_arena arena = {0};
  value rest = {.kind = VALUE_MAP}, needs = {.kind = VALUE_LIST}, reasons = {.kind = VALUE_LIST};
  for (int op = 0; op < VECTOR_OP_COUNT; op++) {
    value line = schema_of_operation(&arena, operations[op]);
    tool_print_json(&line);
  }
  for (unsigned i = 0; i < VECTOR_NEED_COUNT; i++)
    value_add(&arena, &needs, value_of_text(&arena, dloc_text_of(vector_need_name(i))));
  for (int i = DLOC_REASON_NONE + 1; i < DLOC_REASON_COUNT; i++)
    value_add(&arena, &reasons, value_of_word(&arena, dloc_reason_name((dloc_reason)i)));
  value_put_value(&arena, &rest, "module", schema_of_type(&arena, module_type));
  value_put_value(&arena, &rest, "needs", needs);
  value_put_value(&arena, &rest, "reasons", reasons);
  tool_print_json(&rest);
  return TOOL_FINE;
}
