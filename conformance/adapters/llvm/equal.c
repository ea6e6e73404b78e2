/* equal.c - equality, as line directives show it; or as opt prints it.
 *
 * Of two instructions in a row, the second has directives of its own unless their DebugLocs have the same position and
 * equal layers. For a bare location, or none, two calls have the operands as locations: they are equal exactly when opt
 * prints the same node for both. */
#include "directives.h"

enum { BY_DIRECTIVES, BY_NODE }; /* recipes */

/* ---- By directives ---- */

/* A location at line 0 behind another one at line 0 writes nothing, whether they are equal or not. */
static bool both_at_line_0(const dloc_context *context, const dloc_node *locations) {
  return dloc_location_get(context, dloc_primary(context, locations[0])).line == 0 &&
         dloc_location_get(context, dloc_primary(context, locations[1])).line == 0;
}

static bool write_asm(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const dloc_node *locations = built->args->of.nodes;
  if (locations[0] == DLOC_NULL || locations[1] == DLOC_NULL || !llvm_needs_layers(llvm_vector(b, position))) {
    llvm_hand_on(b, position, llvm_kind(VECTOR_EQUAL, BY_NODE));
    return false;
  }
  if (both_at_line_0(built->context, locations))
    return llvm_skip(b, position, "whether two locations at line 0 are equal cannot be observed");
  directives_begin_function(t, "equal", position, DLOC_NULL);
  directives_write(b, t, position, built->args);
  llvm_code(t, "  ret void\n}\n");
  return true;
}

static void answer_equal(llvm_batch *b, const listing *l) {
  for (size_t i = 0; i + 1 < b->probe_count; i += 2)
    if (b->probes[i].seen && b->probes[i + 1].seen) {
      vector_answer given = llvm_begin_answer(b, b->probes[i].position);
      term_set_flag(given.value, "equal", l->spans[i + 1].count == 0);
      llvm_give(b, b->probes[i].position, NULL, &given);
    }
}

static void read_directives(llvm_batch *b) { directives_read(b, answer_equal); }

/* ---- By node ---- */

static void take_equal(const llvm_seen *seen, term *value) {
  term_set_flag(value, "equal", seen->probes[0].node == seen->probes[1].node);
}

/* No output shows which parts of locations are the same. */
static bool compares_whole(const llvm_adapter *a, const vector *v) {
  (void)a;
  return v->read_args->type->kind == TYPE_LIST;
}

/* Composites that are two nodes may be equal. */
static bool shows_node(const llvm_adapter *a, const vector *v) {
  return compares_whole(a, v) && (!(a->facts & LLVM_LAYERS) || a->facts & LLVM_HAS_DIRECTIVES || !llvm_needs_layers(v));
}

const llvm_recipe llvm_equal[LLVM_MOST_RECIPES] = {
    [BY_DIRECTIVES] = {LLVM_DIRECTIVES(LLVM_LAYERS), .most = 256, .takes = compares_whole, .write = write_asm,
                       .read = read_directives},
    [BY_NODE] = {LLVM_PASSES(NULL), .most = 1024, .takes = shows_node, .write = llvm_write_list,
                 .declarations = LLVM_DECLARE_CASE, .take = take_equal}};
