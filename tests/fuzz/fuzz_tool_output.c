/* fuzz_tool_output.c - any text as what a tool of an LLVM printed, about a vector: a vector, what stands on standard
 * output and what on standard error, each behind a line `====`. Whatever the adapter `llvm` makes of it, for an LLVM
 * with layers, a stock one and a hidden module, each answer has what its outcome needs. */
#include "adapters/llvm/llvm.h"
#include "document/buffer.h"
#include "mutate.h"
#include "require.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 4, VECTORS = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static void check_answer(const run_answer *answer) {
  char *told = run_answer_describe(answer);
  bool has_reason = false;
  for (size_t i = 0; i < DLOC_REASON_COUNT; i++)
    has_reason |= answer->reasons[i];
  require(told && run_answer_same(answer, answer));
  require(answer->outcome != RUN_OK || (answer->text && strncmp(answer->text, "outcome: ok\n", 12) == 0));
  require(answer->outcome != RUN_REJECT || has_reason);
  free(told);
}

/* How a tool ends. */
typedef struct ending {
  int status;
  bool timed_out;
} ending;

/* One batch, of a vector once or twice; *ret_kind: what it hands on to, or -1. */
static void answer_batch(llvm_adapter *a, const vector *v, int kind, size_t count, const dloc_text *printed,
                         ending ending, int *ret_kind) {
  const vector *const vectors[VECTORS] = {v, v};
  run_answer answers[VECTORS] = {{.outcome = RUN_UNANSWERED}, {.outcome = RUN_UNANSWERED}};
  llvm_batch b = {.adapter = a,
                  .recipe = llvm_recipe_of(kind),
                  .vectors = vectors,
                  .answers = answers,
                  .child = {.in = -1, .out = -1, .err = -1, .exited = true}};
  llvm_text t = {.private_nodes = false};
  task next = {.kind = -1};
  b.task.kind = kind;
  for (size_t i = 0; i < count; i++)
    *MEMORY_ADD(b.task.items, b.task.count) = i;
  if (llvm_write_batch(&b, &t)) {
    const bool fine = ending.status == 0 && !ending.timed_out;
    b.child.status = ending.status;
    b.child.timed_out = ending.timed_out;
    buffer_put(&b.child.output, printed[0]);
    buffer_put(&b.child.errors, printed[1]);
    if (b.recipe->reads_any_end || (fine && !llvm_is_stripped(printed[1])))
      llvm_read(&b);
    else
      llvm_read_failure(&b, fine);
  }
  for (size_t i = 0; i < count; i++) {
    check_answer(&answers[i]);
    run_answer_deinit(&answers[i]);
  }
  *ret_kind = worklist_take(&b.later, &next) ? next.kind : -1;
  task_deinit(&next);
  llvm_text_deinit(&t);
  llvm_batch_deinit(&b);
}

static void answer_all(llvm_adapter *a, const vector *v, const dloc_text *printed, ending ending) {
  for (size_t count = 1; count <= VECTORS; count++) {
    int kind = llvm_kind_of(a, v);
    for (size_t round = 0; kind >= 0 && round < MOST_ROUNDS; round++)
      answer_batch(a, v, kind, llvm_recipe_of(kind)->most == 1 ? 1 : count, printed, ending, &kind);
  }
}

static void answer_adapters(const vector *v, const dloc_text *printed) {
  static const ending failures[] = {{1 << 8, false}, {SIGABRT, false}, {SIGKILL, true}};
  unsigned facts = LLVM_HAS_DIRECTIVES | LLVM_OPAQUE_POINTERS | LLVM_LAYERS | LLVM_WRITES_TEXTS | LLVM_NAMES_TEXTS |
                   LLVM_IRLAYERS | LLVM_WRITES_IRLAYERS;
  llvm_adapter layered = {.facts = facts, .wide_switch = true, .merges_branches = true};
  memset(layered.has, true, sizeof layered.has);
  llvm_adapter stock = {.facts = LLVM_HAS_DIRECTIVES | LLVM_SPECIALISES};
  memset(stock.has, true, sizeof stock.has);
  llvm_adapter hidden = stock;
  hidden.hides = true;
  answer_all(&layered, v, printed, (ending){0, false});
  answer_all(&stock, v, printed, (ending){0, false});
  answer_all(&hidden, v, printed, (ending){0, false});
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
    answer_all(&layered, v, printed, failures[i]);
}

/* Up to the next mark; what is left stands behind it. */
static dloc_text take_part(dloc_text *rest) {
  static const char mark[] = "\n====\n";
  dloc_text part = *rest;
  for (size_t at = 0; at + sizeof mark - 1 <= rest->size; at++)
    if (memcmp(rest->bytes + at, mark, sizeof mark - 1) == 0) {
      part.size = at + 1;
      *rest = (dloc_text){rest->bytes + at + sizeof mark - 1, rest->size - at - (sizeof mark - 1)};
      return part;
    }
  *rest = (dloc_text){rest->bytes + rest->size, 0};
  return part;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_ll, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  value_arena arena = {0};
  value *document = NULL;
  vector v;
  dloc_text rest = {(const char *)bytes, size}, given = take_part(&rest);
  const dloc_text output = take_part(&rest);
  if (value_read_one(given, &arena, NULL, &document) == DLOC_OK && vector_read(document, &arena, NULL, &v) == DLOC_OK)
    answer_adapters(&v, (const dloc_text[]){output, rest});
  value_arena_deinit(&arena);
  return 0;
}
