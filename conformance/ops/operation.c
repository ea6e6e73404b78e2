/* operation.c - the operations, and what they have in common. */
#include "operation.h"

#include <stdio.h>
#include <string.h>

const operation *const operations[VECTOR_OP_COUNT] = {
#define OP(id, name, seen) &op_##name,
#include "ops.def"
};

bool operation_find(dloc_text name, vector_op *ret) {
  for (int i = 0; i < VECTOR_OP_COUNT; i++)
    if (dloc_text_equal(dloc_text_of(operations[i]->name), name)) {
      *ret = (vector_op)i;
      return true;
    }
  return false;
}

static bool can_be_meant(const type *t, const value *args) {
  if (t->kind == TYPE_MAP)
    return args->kind == VALUE_MAP && value_get(args, t->fields->key);
  return args->kind == VALUE_LIST;
}

const operation_form *operation_form_of(const operation *op, const value *args) {
  bool one = !op->forms[1].args || !args || can_be_meant(op->forms[0].args, args);
  return &op->forms[one ? 0 : 1];
}

dloc_status operation_read_args(const reading *r, const graph *g, const operation *op, const value *args, term *ret) {
  const type *t = operation_form_of(op, args)->args;
  char what[64];
  snprintf(what, sizeof what, t->kind == TYPE_MAP ? "args of %s" : "args", op->name);
  return term_read(r, g, t, what, args, ret);
}

/* Lists that are as long as one of the args. */
static dloc_status check_counts(const reading *r, const term *args, const term *v) {
  for (uint32_t i = 0; i < v->count; i++) {
    const field *f = &v->type->fields[i];
    const term *list = &v->of.items[i];
    if (!f->as_many || !list->type)
      continue;
    uint32_t wanted = strcmp(f->as_many, "args") == 0 ? args->count : term_list(args, f->as_many)->count;
    if (list->count != wanted)
      return WRONG(r, list->from, "vector.field", "%s are as many as %s", f->key, f->as_many);
  }
  return DLOC_OK;
}

dloc_status operation_read_value(const reading *r, const graph *g, const operation *op, const operation_form *form,
                                 const value *v, const term *args, const term *module, term *ret) {
  char what[64];
  snprintf(what, sizeof what, "the value of %s", op->name);
  TRY(term_read(r, g, form->value, what, v, ret));
  TRY(check_counts(r, args, ret));
  return op->check ? op->check(r, args, module, ret) : DLOC_OK;
}
