/* answers.c - the vectors of a batch and their answers; what is looked for in a tool's text. */
#include "llvm.h"

#include <string.h>

const vector *llvm_vector(const llvm_batch *b, size_t position) { return b->vectors[b->task.items[position]]; }

run_answer *llvm_answer(const llvm_batch *b, size_t position) { return &b->answers[b->task.items[position]]; }

bool llvm_skip(llvm_batch *b, size_t position, const char *why) {
  run_answer_set(llvm_answer(b, position), RUN_SKIPPED, "%s", why);
  return false;
}

int llvm_kind(vector_op op, unsigned recipe) { return (int)op * LLVM_MOST_RECIPES + (int)recipe; }

void llvm_hand_on(llvm_batch *b, size_t position, int kind) {
  worklist_add(&b->later, &b->task.items[position], 1, kind);
  run_answer_set(llvm_answer(b, position), RUN_ERRORED, "not tried");
}

vector_answer llvm_begin_answer(llvm_batch *b, size_t position) {
  value_arena_reset(&b->arena);
  return vector_ok(llvm_vector(b, position), &b->arena);
}

void llvm_give(llvm_batch *b, size_t position, dloc_context *context, const vector_answer *given) {
  dloc_status status = run_answer_take(llvm_answer(b, position), context, given);
  if (status != DLOC_OK)
    run_answer_set(llvm_answer(b, position), RUN_ERRORED, "%s", dloc_status_text(status));
}

bool llvm_number_after(dloc_text text, const char *marker, uint32_t *ret) {
  const char *found = text_find(text, marker);
  if (!found)
    return false;
  const char *p = found + strlen(marker);
  const char *end = text.bytes + text.size;
  const char *start = p;
  uint64_t number = 0;
  for (; p < end && *p >= '0' && *p <= '9' && number <= UINT32_MAX; p++)
    number = number * 10 + (uint64_t)(*p - '0');
  *ret = (uint32_t)number;
  return p > start && number <= UINT32_MAX;
}

dloc_text llvm_line_at(dloc_text text, size_t offset) {
  if (offset >= text.size)
    return (dloc_text){"", 0};
  const char *start = text.bytes + offset;
  const char *end = memchr(start, '\n', text.size - offset);
  return (dloc_text){start, end ? (size_t)(end - start) : text.size - offset};
}

dloc_text llvm_line_of(const llvm_batch *b, const dloc_instruction *instruction) {
  return llvm_line_at(buffer_text(&b->child.output), instruction->text);
}

bool llvm_is_stripped(dloc_text errors) {
  return text_find(errors, "ignoring invalid debug info") ||
         text_find(errors, "ignoring debug info with an invalid version");
}
