/* callee.c - the function that an inlined call of a vector calls. */
#include "callee.h"

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

dloc_node callee_subprogram(const dloc_context *context, const vector_call *call) {
  dloc_node found = DLOC_NULL;
  for (size_t i = 0; found == DLOC_NULL && i < call->callee_count; i++)
    found = instruction_subprogram(context, call->callee[i].debug_loc);
  for (size_t i = 0; found == DLOC_NULL && i < call->record_count; i++)
    found = instruction_subprogram(context, call->records[i]);
  if (found == DLOC_NULL && call->has_loop && dloc_node_kind(context, call->loop) == DLOC_KIND_TUPLE)
    found = loop_subprogram(context, call->loop);
  return found;
}

static bool is_same_callee(const vector_call *a, const vector_call *b) {
  if (a->callee_count != b->callee_count || a->record_count != b->record_count || a->has_loop != b->has_loop ||
      a->loop != b->loop || a->site.callee_has_subprogram != b->site.callee_has_subprogram)
    return false;
  for (size_t i = 0; i < a->callee_count; i++)
    if (a->callee[i].instruction != b->callee[i].instruction || a->callee[i].debug_loc != b->callee[i].debug_loc)
      return false;
  for (size_t i = 0; i < a->record_count; i++)
    if (a->records[i] != b->records[i])
      return false;
  return true;
}

bool callee_find(const vector_case *built, uint32_t call, uint32_t *ret) {
  const vector_call *calls = built->calls;
  dloc_node subprogram = callee_subprogram(built->context, &calls[call]);
  *ret = call;
  for (uint32_t i = 0; i < call; i++) {
    bool clash = subprogram != DLOC_NULL && calls[call].site.callee_has_subprogram &&
                 calls[i].site.callee_has_subprogram && callee_subprogram(built->context, &calls[i]) == subprogram;
    if (clash && !is_same_callee(&calls[i], &calls[call]))
      return false;
    if (clash) {
      *ret = i;
      return true;
    }
  }
  return true;
}
