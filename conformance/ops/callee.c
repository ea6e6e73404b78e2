/* callee.c - the function that an inlined call of a vector calls. */
#include "callee.h"

#include <string.h>

size_t inlined_calls(const term *args, const term **ret) {
  bool many = args->type->kind == TYPE_LIST;
  *ret = many ? args->of.items : args;
  return many ? args->count : 1;
}

dloc_node instruction_subprogram(const dloc_context *context, dloc_node debug_loc) {
  dloc_node location = dloc_primary(context, debug_loc);
  if (location == DLOC_NULL)
    return DLOC_NULL;
  uint32_t limit = dloc_node_limit(context); /* a cyclic chain ends here */
  for (dloc_location content = dloc_location_get(context, location); content.inlined_at != DLOC_NULL && limit > 0;
       limit--) {
    location = content.inlined_at;
    content = dloc_location_get(context, location);
  }
  return dloc_scope_subprogram(context, dloc_location_get(context, location).scope);
}

static dloc_node loop_subprogram(const dloc_context *context, dloc_node loop) {
  for (size_t i = 0; i < dloc_operand_count(context, loop); i++) {
    dloc_node operand = dloc_operand(context, loop, i);
    if (dloc_node_kind(context, operand) == DLOC_KIND_LOCATION)
      return instruction_subprogram(context, operand);
  }
  return DLOC_NULL;
}

dloc_node callee_subprogram(const dloc_context *context, const term *call) {
  const term *callee = term_list(call, "callee"), *records = term_list(call, "records");
  dloc_node found = DLOC_NULL, loop = term_node(call, "loop");
  for (uint32_t i = 0; found == DLOC_NULL && i < callee->count; i++)
    found = instruction_subprogram(context, term_node(&callee->of.items[i], "location"));
  for (uint32_t i = 0; found == DLOC_NULL && i < records->count; i++)
    found = instruction_subprogram(context, records->of.nodes[i]);
  if (found == DLOC_NULL && dloc_node_kind(context, loop) == DLOC_KIND_TUPLE)
    found = loop_subprogram(context, loop);
  return found;
}

static bool same_nodes(const term *a, const term *b) {
  return a->count == b->count && (a->count == 0 || memcmp(a->of.nodes, b->of.nodes, a->count * sizeof(dloc_node)) == 0);
}

static bool is_same_callee(const term *a, const term *b) {
  const term *left = term_list(a, "callee"), *right = term_list(b, "callee");
  bool same = left->count == right->count && same_nodes(term_list(a, "records"), term_list(b, "records")) &&
              !term_get(a, "loop") == !term_get(b, "loop") && term_node(a, "loop") == term_node(b, "loop");
  for (uint32_t i = 0; same && i < left->count; i++) {
    const term *one = &left->of.items[i], *other = &right->of.items[i];
    same = term_word(one, "instruction") == term_word(other, "instruction") &&
           term_node(one, "location") == term_node(other, "location");
  }
  return same;
}

bool callee_find(const dloc_context *context, const term *args, uint32_t call, uint32_t *ret) {
  const term *calls;
  inlined_calls(args, &calls);
  dloc_node subprogram = callee_subprogram(context, &calls[call]);
  *ret = call;
  for (uint32_t i = 0; i < call; i++) {
    bool clash = subprogram != DLOC_NULL && term_flag(&calls[call], "callee-subprogram") &&
                 term_flag(&calls[i], "callee-subprogram") && callee_subprogram(context, &calls[i]) == subprogram;
    if (clash)
      *ret = i;
    if (clash)
      return is_same_callee(&calls[i], &calls[call]);
  }
  return true;
}
