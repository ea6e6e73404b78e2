/* bitcode.c - bitcode and back: llvm-as writes it, llvm-dis reads it.
 *
 * All locations of a vector stand in one function, each on a call that carries its number. The writer takes a record's
 * values from the accessors, so the read record also shows what these give. */
#include "llvm.h"

#define BITCODE                                                                                                        \
  .most = 1024, .place = RUN_IN_BITCODE, .tool = LLVM_AS, .options = {"-o", "-"}, .disassemble = true,                 \
  .declarations = LLVM_DECLARE_CASE

const llvm_recipe llvm_roundtrip[LLVM_MOST_RECIPES] = {{BITCODE, .write = llvm_write_list, .take = llvm_take_results}};

/* ---- Accessor: the parts of the location that came back ---- */

static bool is_distinct_location(const dloc_context *context, dloc_node node) {
  return dloc_node_kind(context, node) == DLOC_KIND_LOCATION && dloc_node_is_distinct(context, node);
}

/* Bitcode has no distinct locations on instructions, so what the accessors say of one cannot be seen. */
static bool is_visible(const dloc_context *context, dloc_node debug_loc) {
  bool visible = !is_distinct_location(context, dloc_primary(context, debug_loc));
  dloc_layer layer;
  for (size_t cursor = 0; visible && dloc_next_layer(context, debug_loc, &cursor, &layer);)
    visible = !is_distinct_location(context, layer.location);
  return visible;
}

static bool write_location(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  if (is_visible(built->context, built->args->of.nodes[0]))
    return llvm_write_list(b, t, position, built);
  return llvm_skip(b, position, "the parts of a distinct location cannot be observed");
}

static void take_parts(const llvm_seen *seen, term *value) {
  dloc_node location = seen->probes->node;
  const term args = {.of.nodes = &location};
  (void)op_accessor.ask(
      &(query){.context = dloc_module_context(seen->module), .args = &args, .arena = &seen->batch->arena}, value);
}

const llvm_recipe llvm_accessor[LLVM_MOST_RECIPES] = {{BITCODE, .write = write_location, .take = take_parts}};
