/* llvm_link.c - linking: llvm-link puts the lists of sources of several modules together.
 *
 * Each list of a vector is a module of its own. The first goes to the tool's standard input, the others to files
 * without a name, which the tool opens as /dev/fd/N. */
#include "llvm.h"

#include <inttypes.h>
#include <stdio.h>

static void write_list(llvm_text *t, const term *list) {
  llvm_code(t, "!%s = !{", DLOC_SOURCE_LIST);
  for (size_t i = 0; i < list->count; i++)
    llvm_code(t, "%s!%" PRIu64, i ? ", " : "", llvm_text_node(t, list->of.nodes[i]));
  llvm_code(t, "}\n");
}

static bool store(const dloc_buffer *text, FILE **ret) {
  *ret = tmpfile();
  return *ret && fwrite(text->bytes, 1, text->size, *ret) == text->size && fflush(*ret) == 0;
}

/* The module of one more list. */
static bool write_file(llvm_batch *b, size_t position, size_t index) {
  llvm_text t;
  llvm_case c;
  llvm_text_init(&t);
  bool fine = llvm_case_open(b, &t, position, &c);
  if (fine) {
    write_list(&t, &term_list(c.built.args, "lists")->of.items[index]);
    llvm_text_finish(&t);
    llvm_case_close(&c);
    fine = t.status == DLOC_OK && store(&t.code, &b->files[index - 1]);
  }
  llvm_text_deinit(&t);
  return fine;
}

static bool write_link(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  const term *lists = term_list(c.built.args, "lists");
  size_t count = lists->count;
  write_list(t, &lists->of.items[0]);
  llvm_case_close(&c);
  if (count > LLVM_MOST_FILES + 1) {
    run_answer_set(llvm_answer(b, position), RUN_SKIPPED, "more than %d modules", LLVM_MOST_FILES + 1);
    return false;
  }
  for (size_t i = 1; t->status == DLOC_OK && i < count; i++)
    if (!write_file(b, position, i))
      t->status = DLOC_NO_MEMORY;
  return t->status == DLOC_OK;
}

static dloc_status read_link(llvm_batch *b) {
  llvm_output output;
  dloc_status status = llvm_output_read(b, llvm_text_of(&b->child.output), &output);
  if (status != DLOC_OK)
    return status == DLOC_INVALID ? DLOC_OK : status;
  vector_answer given = vector_ok(llvm_vector(b, 0), &output.arena);
  llvm_take_list(&output, given.value);
  status = run_answer_take(llvm_answer(b, 0), output.context, &output.arena, &given);
  llvm_output_close(&output);
  return status;
}

const llvm_recipe llvm_link = {.name = "link",
                               .most = 1,
                               .verified = true,
                               .write = write_link,
                               .tool = LLVM_LINK,
                               .options = {"-S"},
                               .read = read_link};
