/* llvm_bitcode.c - bitcode and back: llvm-as writes it, llvm-dis reads it.
 *
 * All locations of a vector stand in one function, each on a call that carries its number. What the writer puts into a
 * record it has from the accessors, so what comes back also shows what these give. */
#include "llvm.h"
#include "ops/accessor.h"

/* Bitcode has no distinct locations on instructions, so what the accessors say of one cannot be seen. */
static bool is_visible(const dloc_context *context, dloc_node debug_loc) {
  bool visible = !dloc_node_is_distinct(context, dloc_primary(context, debug_loc));
  for (size_t i = 0; i < dloc_layer_count(context, debug_loc); i++)
    visible = visible && !dloc_node_is_distinct(context, dloc_layer_at(context, debug_loc, i).location);
  return visible;
}

static bool write_vector(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  bool visible = llvm_vector(b, position)->op != VECTOR_ACCESSOR || is_visible(c.context, c.built.args->of.nodes[0]);
  if (!visible)
    run_answer_set(llvm_answer(b, position), RUN_SKIPPED, "the parts of a distinct location cannot be observed");
  else
    llvm_code(t, "define void @bitcode.%zu() {\n", position);
  for (size_t i = 0; visible && i < c.built.args->count; i++) {
    uint32_t probe = llvm_probe_add(b, t, position, 0, (uint32_t)i, 0);
    llvm_code(t, "  call void @dloc.case(i32 %u)", (unsigned)probe);
    llvm_code_dbg(t, c.built.args->of.nodes[i]);
    llvm_code(t, "\n");
  }
  if (visible)
    llvm_code(t, "  ret void\n}\n");
  llvm_case_close(&c);
  return visible && t->status == DLOC_OK;
}

static void write_declaration(llvm_batch *b, llvm_text *t) {
  (void)b;
  llvm_code(t, "declare void @dloc.case(i32)\n");
}

/* The accessors' answer is the parts of the location that came back; that of a round trip all of them. */
static void take_answer(llvm_batch *b, llvm_output *output, const llvm_probe *probes, size_t count, term *ret) {
  if (llvm_vector(b, probes->position)->op == VECTOR_ACCESSOR)
    accessor_parts(output->context, probes->node, &output->arena, ret);
  else
    llvm_take_results(output, probes, count, ret);
}

static dloc_status read_results(llvm_batch *b) { return llvm_read_groups(b, take_answer); }

const llvm_recipe llvm_bitcode = {.name = "bitcode",
                                  .most = 1024,
                                  .write = write_vector,
                                  .write_end = write_declaration,
                                  .tool = LLVM_AS,
                                  .options = {"-o", "-"},
                                  .disassemble = true,
                                  .read = read_results};
