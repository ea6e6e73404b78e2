/* encode.c - what llvm-as writes: numbers of metadata and records of locations, one module for each vector. */
#include "ops/encoded.h"
#include "llvm.h"

static void read_bitcode(llvm_batch *b) {
  const vector *v = llvm_vector(b, 0);
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  encoded found;
  dloc_status status = encoded_file(context, NULL, buffer_text(&b->child.output), &b->arena, &diagnostic, &found);
  if (status == DLOC_OK) {
    vector_answer given = vector_ok(v, &b->arena);
    encoded_take(&found, v->read_args, &b->arena, given.value);
    llvm_give(b, 0, context, &given);
  } else {
    run_answer_set(llvm_answer(b, 0), RUN_ERRORED, "the bitcode cannot be read: %s",
                   status == DLOC_INVALID ? diagnostic.message : dloc_status_text(status));
  }
}

const llvm_recipe llvm_encode[LLVM_MOST_RECIPES] = {
    {.most = 1, .place = RUN_IN_BITCODE, .tool = LLVM_AS, .options = {"-o", "-"}, .read = read_bitcode}};
