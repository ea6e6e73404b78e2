/* hoist.c - `hoist`: the location of an instruction that moved to another block. spec/transformations.md 5.6 */
#include "declare.h"

static dloc_status check(const reading *r, const term *args) {
  if (term_flag(args, "intrinsic") && !term_flag(args, "call"))
    return WRONG(r, args->from, "vector.field", "an intrinsic is a call");
  bool alone = !term_get(args, "call") && !term_get(args, "move");
  if (term_get(args, "branch") && !alone)
    return WRONG(r, args->from, "vector.field", "branch stands without call and move");
  if (term_get(args, "folded") && (!alone || term_get(args, "branch") || term_get(args, "function")))
    return WRONG(r, args->from, "vector.field", "folded stands with location alone");
  if (term_get(args, "copied") && !term_get(args, "folded"))
    return WRONG(r, args->from, "vector.field", "copied stands with folded");
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  const term *args = q->args, *several = term_get(args, "locations");
  dloc_node location = several ? DLOC_NULL : term_node(args, "location"), function = term_node(args, "function");
  dloc_node *result = term_set_node(q->arena, value, "result");
  dloc_hoisted call = term_flag(args, "intrinsic") ? DLOC_HOISTED_INTRINSIC : DLOC_HOISTED_CALL;
  dloc_hoisted moved = term_flag(args, "call") ? call : DLOC_HOISTED_OTHER;
  if (several)
    return dloc_hoist_merged(q->context, q->profile, several->of.nodes, several->count, moved, function, &q->reason,
                             result);
  if (term_get(args, "branch"))
    return dloc_hoist_before_branch(q->context, q->profile, location, term_node(args, "branch"), function, &q->reason,
                                    result);
  if (term_get(args, "folded")) {
    const term *copied = term_get(args, "copied");
    return dloc_hoist_folded_branch(q->context, q->profile, location, term_node(args, "folded"),
                                    copied ? copied->of.nodes : NULL, copied ? copied->count : 0, &q->reason, result);
  }
  dloc_move move = term_word(args, "move") == 0 ? DLOC_MOVE_HOISTED : DLOC_MOVE_OTHER;
  return dloc_hoist(q->context, q->profile, location, moved, move, function, &q->reason, result);
}

#define MOVE WORD("a move", "hoisted", "sunk", "speculated")

const operation op_hoist = {
    .name = "hoist",
    .forms = {{CHECKED_MAP(NULL, NULL, check, FIELD("locations", LIST(NODE)), OPTIONAL("call", FLAG),
                           OPTIONAL("intrinsic", FLAG), OPTIONAL("function", NODE)),
               MAP(NULL, FIELD("result", NODE), NODES)},
              {CHECKED_MAP(NULL, NULL, check, OPTIONAL("call", FLAG), OPTIONAL("intrinsic", FLAG),
                           FIELD("location", NODE), OPTIONAL("function", NODE), OPTIONAL("branch", NODE),
                           OPTIONAL("folded", NODE), OPTIONAL("copied", LIST(NODE)), OPTIONAL("move", MOVE)),
               MAP(NULL, FIELD("result", NODE), NODES)}},
    .roots = "result",
    .ask = ask,
};
