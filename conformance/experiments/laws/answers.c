/* answers.c - the questions that were written down, and their answers. */
#include "answers.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/names.h"
#include "vector/complete.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
  question question;
  told told;
  char *text, *refusal; /* malloc's */
} entry;

struct answers {
  adapter *adapter;
  uint64_t capabilities;
  world *world;
  dloc_context *scratch;
  dloc_node unknown;
  names keys; /* of the entries, kept here: */
  value_arena kept;
  entry *entries;
  size_t count;
};

/* ---- The table ---- */

static entry *find_entry(answers *a, const question *q) {
  const world_mode mode = q->op == VECTOR_INLINE ? q->mode : (world_mode){.cost = 0};
  const uint32_t parts[] = {(uint32_t)q->op, /* that tell questions apart */
                            (uint32_t)q->count,
                            q->operands[0],
                            q->operands[1],
                            q->operands[2],
                            q->call,
                            (uint32_t)mode.instruction,
                            mode.callee_without_subprogram,
                            mode.no_inline_line_tables,
                            (uint32_t)q->way.function,
                            q->way.is_call,
                            q->turn};
  const dloc_text key = {(const char *)parts, sizeof parts};
  size_t found;
  if (!names_find(&a->keys, key, &found)) {
    found = names_number(&a->keys, value_arena_copy(&a->kept, key));
    *MEMORY_ADD(a->entries, a->count) = (entry){.question = *q, .told = ASKED};
  }
  return &a->entries[found];
}

bool answers_has_unknown(const answers *a, const question *q) {
  bool has = q->call == a->unknown;
  for (size_t i = 0; i < q->count; i++)
    has |= q->operands[i] == a->unknown;
  return has;
}

told answers_to(answers *a, question *q) {
  const entry *e = NULL;
  if (!(a->capabilities >> q->op & 1))
    return UNTOLD;
  if (!answers_has_unknown(a, q))
    e = find_entry(a, q);
  for (size_t i = 0; i < TRIAL_OPERANDS; i++)
    q->results[i] = e && e->told != ASKED ? e->question.results[i] : a->unknown;
  if (!e)
    return ASKED;
  q->verdict = e->question.verdict;
  q->text = e->text;
  q->refusal = e->refusal;
  return e->told;
}

/* ---- Asking ---- */

/* An answer `ok`. */
static told take_value(answers *a, entry *e, const run_answer *answer) {
  question *q = &e->question;
  if (q->op == VECTOR_PRINT || q->op == VECTOR_EMIT)
    e->text = memory_copy(dloc_text_of(answer->text));
  else if (q->op == VECTOR_EQUAL || q->op == VECTOR_VERIFY)
    q->verdict = q->op == VECTOR_VERIFY || strstr(answer->text, "equal: true");
  else if (!adopt_results(a->world, a->scratch, q, answer->text, q->results, TRIAL_OPERANDS))
    return UNTOLD;
  return TOLD;
}

static told take_answer(answers *a, entry *e, const run_answer *answer) {
  if (answer->outcome == RUN_OK)
    return take_value(a, e, answer);
  if (answer->outcome == RUN_SKIPPED || answer->outcome == RUN_UNANSWERED || answer->outcome == RUN_NOT_ASKED)
    return UNTOLD;
  if (e->question.op == VECTOR_VERIFY && run_is_rejection(answer->outcome))
    return TOLD; /* the verdict is false */
  e->refusal = run_answer_describe(answer);
  return REFUSED;
}

static dloc_status read_question(answers *a, const entry *e, completer *c, vector *ret) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  value *document = NULL;
  value_diagnostic diagnostic;
  static const char head[] = "id: laws.question\nclauses: [merge.line]\nlevel: must\n";
  question_write(a->world, &e->question, true, head, "Laws ask this.", &text);
  return complete_read(c, buffer_text(&text), &diagnostic, &document, ret);
}

/* Those of a batch that the implementation can be asked about; the others are untold. */
static size_t read_batch(answers *a, completer *c, entry **entries, size_t count, vector *vectors) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    bool fine = read_question(a, entries[i], c, &vectors[kept]) == DLOC_OK && !(vectors[kept].needs & ~a->capabilities);
    if (!fine)
      entries[i]->told = UNTOLD;
    entries[kept] = entries[i];
    kept += fine;
  }
  return kept;
}

enum { BATCH = 4096 };

typedef struct batch {
  entry *entries[BATCH];
  vector vectors[BATCH];
  const vector *asked[BATCH];
  run_answer given[BATCH];
} batch;

static bool ask_batch(answers *a, batch *b, size_t count) {
  OWNED(completer_deinit) completer c = {.lists = NULL};
  completer_init(&c);
  count = read_batch(a, &c, b->entries, count, b->vectors);
  for (size_t i = 0; i < count; i++)
    b->asked[i] = &b->vectors[i];
  bool fine = adapter_ask(a->adapter, b->asked, b->given, count);
  for (size_t i = 0; i < count; i++) {
    if (fine)
      b->entries[i]->told = take_answer(a, b->entries[i], &b->given[i]);
    run_answer_deinit(&b->given[i]);
  }
  return fine;
}

bool answers_ask(answers *a) {
  OWNED(memory_release) batch *b = memory_allocate(1, sizeof *b);
  bool fine = true;
  for (size_t i = 0; fine && i < a->count;) {
    size_t count = 0;
    for (; i < a->count && count < BATCH; i++)
      if (a->entries[i].told == ASKED)
        b->entries[count++] = &a->entries[i];
    fine = ask_batch(a, b, count);
  }
  return fine;
}

/* ---- Life ---- */

static void drop_entries(answers *a) {
  for (size_t i = 0; i < a->count; i++) {
    free(a->entries[i].text);
    free(a->entries[i].refusal);
  }
  free(a->entries);
  a->entries = NULL;
  a->count = 0;
  names_deinit(&a->keys);
  value_arena_reset(&a->kept);
}

void answers_forget(answers *a) {
  drop_entries(a);
  world_renew(a->world);
  dloc_string(world_context(a->world), dloc_text_of("not known yet"), &a->unknown);
}

answers *answers_create(adapter *adapter, uint64_t capabilities, world *w) {
  answers *a = memory_allocate(1, sizeof *a);
  *a = (answers){.adapter = adapter, .capabilities = capabilities, .world = w, .scratch = memory_context()};
  return a;
}

void answers_destroy(answers *a) {
  if (!a)
    return;
  drop_entries(a);
  value_arena_deinit(&a->kept);
  dloc_context_destroy(a->scratch);
  free(a);
}
