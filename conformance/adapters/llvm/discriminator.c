/* discriminator.c - discriminators: add-discriminators gives the n-th block of one line the base discriminator n, and
 * unrolling a loop n times multiplies the duplication factor by n. */
#include "llvm.h"

#include <inttypes.h>

static bool write_blocks(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  dloc_node location = term_node(built->args, "location");
  uint64_t base = term_number(built->args, "base");
  llvm_code_function(t, instruction_subprogram(built->context, location), "void @discriminator.%zu()", position);
  for (uint64_t block = 0; block < base; block++) {
    llvm_code(t, "  call void @dloc.use()");
    llvm_code_dbg(t, location);
    llvm_code(t, "  br label %%b%u\nb%u:\n", (unsigned)block, (unsigned)block);
  }
  llvm_write_calls(b, t, position, term_get(built->args, "location"), false);
  llvm_code(t, "  ret void\n}\n");
  return true;
}

/* A loop that runs a number of times which the factor divides. */
static bool write_loop(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  dloc_node location = term_node(built->args, "location");
  unsigned factor = (unsigned)term_number(built->args, "duplication");
  uint64_t count = llvm_text_made_tuple(t, dloc_text_of("llvm.loop.unroll.count"), ", i32 %u}", factor);
  uint64_t loop = t->next_number;
  loop = llvm_text_made(t, "distinct !{!%" PRIu64 ", !%" PRIu64 "}", loop, count);
  llvm_code_function(t, instruction_subprogram(built->context, location), "void @discriminator.%zu()", position);
  llvm_code(t, "  br label %%loop\nloop:\n  %%i = phi i32 [ 0, %%0 ], [ %%j, %%loop ]\n");
  llvm_write_calls(b, t, position, term_get(built->args, "location"), false);
  llvm_code(t, "  %%j = add i32 %%i, 1\n  %%c = icmp slt i32 %%j, %u\n", 4 * factor);
  llvm_code(t, "  br i1 %%c, label %%loop, label %%out, !llvm.loop !%" PRIu64 "\nout:\n  ret void\n}\n", loop);
  return true;
}

/* A loop that is unrolled once stays as it is. */
static bool multiplies(const llvm_adapter *a, const vector *v) {
  (void)a;
  return term_number(v->read_args, "duplication") > 1;
}

#define DISCRIMINATOR .most = 256, .private_nodes = true, .take = llvm_take_result

/* Every copy of an unrolled loop's body has the location. */
const llvm_recipe llvm_discriminator[LLVM_MOST_RECIPES] = {
    {LLVM_PASSES("-passes=add-discriminators"), DISCRIMINATOR, .argument = "base", .write = write_blocks,
     .declarations = LLVM_DECLARE_CASE "declare void @dloc.use()\n"},
    {LLVM_PASSES("-passes=loop-unroll"), DISCRIMINATOR, .takes = multiplies, .write = write_loop,
     .declarations = LLVM_DECLARE_CASE}};
