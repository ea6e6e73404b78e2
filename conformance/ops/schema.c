/* schema.c - types as JSON Schemas. vectors/vector.schema.json has the definitions that they refer to. */
#include "operation.h"

static value with_text(value_arena *arena, const char *key, const char *text) {
  value map = {.kind = VALUE_MAP};
  value_put_text(arena, &map, key, dloc_text_of(text));
  return map;
}

static value any_of(value_arena *arena, value one, value other) {
  value map = {.kind = VALUE_MAP}, list = {.kind = VALUE_LIST};
  value_add(arena, &list, one);
  value_add(arena, &list, other);
  value_put_value(arena, &map, "anyOf", list);
  return map;
}

static value of_number(value_arena *arena, const type *t) {
  value map = {.kind = VALUE_MAP}, types = {.kind = VALUE_LIST};
  value_add(arena, &types, value_of_text(arena, dloc_text_of("integer")));
  if (t->or_null)
    value_add(arena, &types, value_of_text(arena, dloc_text_of("null")));
  value_put_value(arena, &map, "type", types);
  value_put_number(arena, &map, "minimum", 0);
  if (t->limit < UINT64_C(1000000000000000))
    return map;
  value digits = with_text(arena, "type", "string"); /* more digits than every reader of JSON keeps */
  value_put_text(arena, &digits, "pattern", dloc_text_of("^[0-9]{16,20}$"));
  return any_of(arena, map, digits);
}

static value of_word(value_arena *arena, const type *t) {
  value map = {.kind = VALUE_MAP}, words = {.kind = VALUE_LIST};
  for (size_t i = 0; t->words[i]; i++)
    value_add(arena, &words, value_of_text(arena, dloc_text_of(t->words[i])));
  value_put_value(arena, &map, "enum", words);
  return map;
}

static value of_list(value_arena *arena, const type *t) {
  value map = with_text(arena, "type", "array");
  value_put_value(arena, &map, "items", schema_of_type(arena, t->of));
  if (t->count) {
    value_put_number(arena, &map, "minItems", t->count);
    value_put_number(arena, &map, "maxItems", t->count);
  }
  return t->short_form ? any_of(arena, schema_of_type(arena, t->of), map) : map;
}

static value of_map(value_arena *arena, const type *t) {
  value map = with_text(arena, "type", "object"), properties = {.kind = VALUE_MAP}, required = {.kind = VALUE_LIST};
  for (const field *f = t->fields; f->key; f++) {
    value_put_value(arena, &properties, f->key, schema_of_type(arena, f->of));
    if (!f->optional)
      value_add(arena, &required, value_of_text(arena, dloc_text_of(f->key)));
  }
  value_put_value(arena, &map, "properties", properties);
  value_put_value(arena, &map, "required", required);
  value_put_word(arena, &map, "additionalProperties", "false");
  return t->short_form ? any_of(arena, schema_of_type(arena, t->fields->of), map) : map;
}

value schema_of_type(value_arena *arena, const type *t) {
  value map;
  switch (t->kind) {
  case TYPE_NODE:
    return with_text(arena, "$ref", "#/$defs/reference");
  case TYPE_OPERAND:
    return any_of(arena, with_text(arena, "$ref", "#/$defs/reference"), with_text(arena, "$ref", "#/$defs/wrapped"));
  case TYPE_NUMBER:
    return of_number(arena, t);
  case TYPE_FLAG:
    return with_text(arena, "type", "boolean");
  case TYPE_WORD:
    return of_word(arena, t);
  case TYPE_LIST:
    return of_list(arena, t);
  case TYPE_MAP:
    return of_map(arena, t);
  case TYPE_NAMED:
    map = with_text(arena, "type", "object");
    value_put_value(arena, &map, "additionalProperties", schema_of_type(arena, t->of));
    return map;
  case TYPE_NODES:
    return with_text(arena, "$ref", "#/$defs/nodes");
  default:
    return with_text(arena, "$ref", "#/$defs/scalar");
  }
}

static value describe_form(value_arena *arena, const operation_form *form) {
  value map = {.kind = VALUE_MAP};
  if (form->args)
    value_put_value(arena, &map, "args", schema_of_type(arena, form->args));
  if (form->value)
    value_put_value(arena, &map, "value", schema_of_type(arena, form->value));
  return map;
}

value schema_of_operation(value_arena *arena, const operation *op) {
  static const char *const uses[] = {"no", "named", "whole"};
  value map = with_text(arena, "op", op->name), forms = {.kind = VALUE_LIST};
  value_add(arena, &forms, describe_form(arena, &op->forms[0]));
  if (op->forms[1].args)
    value_add(arena, &forms, describe_form(arena, &op->forms[1]));
  value_put_text(arena, &map, "module", dloc_text_of(uses[op->module]));
  value_put_value(arena, &map, "forms", forms);
  return map;
}
