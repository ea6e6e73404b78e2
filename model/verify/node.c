/* SPEC.md, chapter 3: the walk over metadata, each node once, and the rules that look at one node. */
#include "verify.h"

static bool is_leaf(unsigned kind) { return kind < DLOC_KIND_TUPLE; }

static dloc_status check_node(verifier *v, dloc_node node) {
  switch (kind_of(v, node)) {
  case DLOC_KIND_LOCATION:
    return check_location(v, node);
  case DLOC_KIND_LEXICAL_BLOCK:
  case DLOC_KIND_LEXICAL_BLOCK_FILE:
  case DLOC_KIND_INTERMEDIATE_SCOPE:
    return check_scope(v, node);
  case DLOC_KIND_SUBPROGRAM:
    return check_subprogram(v, node);
  case DLOC_KIND_COMPILE_UNIT:
    TRY(scratch_push(v->context, &v->units, node));
    return check_unit(v, node);
  case DLOC_KIND_FILE:
    return check_file(v, node);
  case DLOC_KIND_LAYER:
    return check_layer(v, node);
  case DLOC_KIND_LAYER_LIST:
    return check_list(v, node);
  case DLOC_KIND_OTHER:
    return check_variable(v, node);
  default:
    return DLOC_OK;
  }
}

/* `verify.misplaced` */
static dloc_status check_misplaced(verifier *v, dloc_node holder) {
  if (v->marks[holder] & MARK_MISPLACED)
    return DLOC_OK;
  v->marks[holder] |= MARK_MISPLACED;
  return node_violated(v, DLOC_REASON_LOCATION_MISPLACED, DLOC_CLAUSE_VERIFY_MISPLACED, holder);
}

/* The task of a walk: the mark it leaves, whether it checks, and whether the nodes it meets may hold locations. */
typedef struct purpose {
  uint8_t mark;
  bool check;
  location_use locations;
} purpose;

/* Check a node, unless it is marked, and push its operands. The stack of a walk holds pairs: a node, and whose
 * operand it is. `verify.misplaced` */
static dloc_status step(verifier *v, dloc_node node, dloc_node holder, purpose why, bool breadth) {
  if (holder && kind_of(v, node) == DLOC_KIND_LOCATION && why.check && why.locations == LOCATIONS_MISPLACED)
    TRY(check_misplaced(v, holder));
  if (v->marks[node] & why.mark)
    return DLOC_OK;
  v->marks[node] |= why.mark;
  if (why.check)
    TRY(check_node(v, node));
  operand_run operands = operands_of(kind_of(v, node), words_of(v, node));
  for (uint32_t i = 0; i < operands.count; i++) {
    size_t at = breadth ? i : operands.count - 1 - i;
    dloc_node operand = words_of(v, node)[operands.first + at * operands.stride];
    if (is_leaf(kind_of(v, operand)) ||
        (why.locations == LOCATIONS_DROPPED && kind_of(v, operand) == DLOC_KIND_LOCATION))
      continue;
    TRY(scratch_push(v->context, &v->stack, operand));
    TRY(scratch_push(v->context, &v->stack, node));
  }
  return DLOC_OK;
}

/* `verify.order`: from the end of the stack depth first, from its start breadth first; a node's own rules come before
 * those of its operands. */
static dloc_status walk(verifier *v, dloc_node root, purpose why) {
  bool breadth = why.check && DLOC_TAKES(v->profile, VERIFY_ORDER, BREADTH_FIRST);
  size_t bottom = v->stack.count, next = bottom;
  if (is_leaf(kind_of(v, root)) || (why.locations == LOCATIONS_DROPPED && kind_of(v, root) == DLOC_KIND_LOCATION))
    return DLOC_OK;
  TRY(step(v, root, DLOC_NULL, why, breadth));
  while (next < v->stack.count) {
    size_t at = breadth ? next : v->stack.count - 2;
    if (breadth)
      next += 2;
    else
      v->stack.count = at;
    TRY(step(v, v->stack.words[at], v->stack.words[at + 1], why, breadth));
  }
  v->stack.count = bottom;
  return DLOC_OK;
}

dloc_status visit(verifier *v, dloc_node root, location_use locations) {
  return walk(v, root, (purpose){MARK_VISITED, true, locations});
}

dloc_status mark_survivors(verifier *v, dloc_node root, location_use locations) {
  return walk(v, root, (purpose){MARK_SURVIVES, false, locations});
}

/* `verify.unit-listed` */
dloc_status check_units_listed(verifier *v) {
  for (size_t i = 0; i < v->units.count; i++)
    if (!(v->marks[v->units.words[i]] & MARK_LISTED))
      TRY(node_violated(v, DLOC_REASON_UNIT_NOT_LISTED, DLOC_CLAUSE_VERIFY_UNIT_LISTED, v->units.words[i]));
  return DLOC_OK;
}
