/* llvm_encode.c - what llvm-as writes: numbers of metadata and records of locations, one module for each vector. */
#include "llvm.h"
#include "ops/encoded.h"

static dloc_status take_file(const vector *v, dloc_text bytes, dloc_context *context, value_arena *arena,
                             run_answer *answer) {
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  encoded found;
  vector_answer given = vector_ok(v, arena);
  dloc_status status = encoded_file(context, NULL, bytes, arena, &diagnostic, &found);
  if (status == DLOC_INVALID) {
    run_answer_set(answer, RUN_ERRORED, "the bitcode cannot be read: %s", diagnostic.message);
    return DLOC_OK;
  }
  if (status != DLOC_OK)
    return status;
  encoded_take(&found, v->read_args, arena, given.value);
  return run_answer_take(answer, context, arena, &given);
}

static dloc_status read_result(llvm_batch *b) {
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena;
  if (!context)
    return DLOC_NO_MEMORY;
  value_arena_init(&arena, NULL);
  dloc_status status = take_file(llvm_vector(b, 0), llvm_text_of(&b->child.output), context, &arena, llvm_answer(b, 0));
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return status;
}

const llvm_recipe llvm_encode = {.name = "encode",
                                 .most = 1,
                                 .tool = LLVM_AS,
                                 .options = {"-o", "-"},
                                 .write = llvm_write_whole,
                                 .whole = true,
                                 .read = read_result};
