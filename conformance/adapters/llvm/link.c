/* link.c - linking: llvm-link puts the lists of sources of several modules together.
 *
 * Each list of a vector is a module of its own. The first goes to the tool's standard input, the others to files
 * without a name, which the tool opens as /dev/fd/N. */
#include "llvm.h"

/* The module of one more list. The nodes of the vector are built once more, as they are numbered anew. */
static bool write_file(const vector *v, size_t index, FILE **ret) {
  OWNED(llvm_text_deinit) llvm_text t = {.private_nodes = false};
  OWNED(vector_case_deinit) vector_case built = {.module = NULL};
  llvm_text_begin(&t);
  if (vector_build(v, t.context, &t.arena, &built) != DLOC_OK)
    return false;
  llvm_text_built(&t);
  const term *list = &term_list(built.args, "lists")->of.items[index];
  llvm_code_named(&t, DLOC_SOURCE_LIST, list->of.nodes, list->count);
  llvm_text_finish(&t);
  *ret = tmpfile();
  return *ret && fwrite(t.code.bytes, 1, t.code.size, *ret) == t.code.size && fflush(*ret) == 0;
}

static bool write_lists(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *lists = term_list(built->args, "lists");
  run_answer *answer = llvm_answer(b, position);
  if (lists->count > LLVM_MOST_FILES + 1) {
    run_answer_set(answer, RUN_SKIPPED, "more than %d modules", LLVM_MOST_FILES + 1);
    return false;
  }
  if (lists->count > 0)
    llvm_code_named(t, DLOC_SOURCE_LIST, lists->of.items[0].of.nodes, lists->of.items[0].count);
  for (uint32_t i = 1; i < lists->count; i++)
    if (!write_file(llvm_vector(b, position), i, &b->files[i - 1])) {
      run_answer_set(answer, RUN_ERRORED, "a temporary file cannot be written");
      return false;
    }
  return true;
}

const llvm_recipe llvm_link[LLVM_MOST_RECIPES] = {
    {.most = 1, .verified = true, .write = write_lists, .tool = LLVM_LINK, .options = {"-S"}, .take = llvm_take_list}};
