/* answers.c - the questions that were written down, and their answers. */
#include "answers.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "nodes/hash.h"
#include "question.h"
#include "vector/complete.h"

#include <stdlib.h>
#include <string.h>

/* The parts that tell questions apart. */
enum { KEY_WORDS = 12 };

typedef struct entry {
  uint32_t key[KEY_WORDS];
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
  entry *entries;
  size_t count;
  hash_key hash_key;
  uint32_t *slots; /* index of an entry + 1, by its key's hash; 0: free */
  size_t room;     /* a power of two, or 0 */
};

/* ---- The table ---- */

static void key_of(const question *q, uint32_t *ret) {
  const world_mode mode = q->op == VECTOR_INLINE ? q->mode : (world_mode){.cost = 0};
  const uint32_t key[KEY_WORDS] = {(uint32_t)q->op,
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
  memcpy(ret, key, sizeof key);
}

/* The slot of a key, or the free one where it belongs. */
static uint32_t *find_slot(const answers *a, const uint32_t *key) {
  uint64_t hash = a->hash_key.start;
  for (size_t i = 0; i < KEY_WORDS; i++)
    hash = hash_word(&a->hash_key, hash, key[i]);
  size_t at = (size_t)hash & (a->room - 1);
  while (a->slots[at] && memcmp(a->entries[a->slots[at] - 1].key, key, KEY_WORDS * sizeof *key) != 0)
    at = (at + 1) & (a->room - 1);
  return &a->slots[at];
}

static void make_room(answers *a) {
  if (2 * a->count < a->room)
    return;
  free(a->slots);
  a->room = a->room ? 2 * a->room : 1 << 14;
  a->slots = memory_allocate(a->room, sizeof *a->slots);
  for (size_t i = 0; i < a->count; i++)
    *find_slot(a, a->entries[i].key) = (uint32_t)i + 1;
}

static entry *find_entry(answers *a, const question *q) {
  uint32_t key[KEY_WORDS];
  key_of(q, key);
  make_room(a);
  uint32_t *slot = find_slot(a, key);
  if (*slot)
    return &a->entries[*slot - 1];
  entry *e = MEMORY_ADD(a->entries, a->count);
  *e = (entry){.question = *q, .told = ASKED};
  memcpy(e->key, key, sizeof key);
  *slot = (uint32_t)a->count;
  return e;
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
  if (answer->outcome == RUN_SKIPPED || answer->outcome == RUN_UNANSWERED)
    return UNTOLD;
  if (e->question.op == VECTOR_VERIFY && (answer->outcome == RUN_REJECT || answer->outcome == RUN_DEGRADED))
    return TOLD; /* the verdict is false */
  e->refusal = run_answer_describe(answer);
  return REFUSED;
}

static dloc_status read_question(answers *a, const entry *e, completer *c, vector *ret) {
  dloc_buffer text = {0};
  value *document = NULL;
  value_diagnostic diagnostic;
  static const char head[] = "id: laws.question\nclauses: [merge.line]\nlevel: must\n";
  question_write(a->world, &e->question, true, head, "Laws ask this.", &text);
  dloc_status status = complete_read(c, buffer_text(&text), &diagnostic, &document, ret);
  dloc_buffer_deinit(&text);
  return status;
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
  completer c = {.lists = NULL};
  completer_init(&c);
  count = read_batch(a, &c, b->entries, count, b->vectors);
  for (size_t i = 0; i < count; i++) {
    b->asked[i] = &b->vectors[i];
    b->given[i] = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
  }
  bool fine = count == 0 || a->adapter->run(a->adapter, b->asked, b->given, count);
  for (size_t i = 0; i < count; i++) {
    if (fine)
      b->entries[i]->told = take_answer(a, b->entries[i], &b->given[i]);
    run_answer_deinit(&b->given[i]);
  }
  completer_deinit(&c);
  return fine;
}

bool answers_ask(answers *a) {
  batch *b = memory_allocate(1, sizeof *b);
  bool fine = true;
  for (size_t i = 0; fine && i < a->count;) {
    size_t count = 0;
    for (; i < a->count && count < BATCH; i++)
      if (a->entries[i].told == ASKED)
        b->entries[count++] = &a->entries[i];
    fine = ask_batch(a, b, count);
  }
  free(b);
  return fine;
}

/* ---- Life ---- */

static void drop_entries(answers *a) {
  for (size_t i = 0; i < a->count; i++) {
    free(a->entries[i].text);
    free(a->entries[i].refusal);
  }
  free(a->entries);
  free(a->slots);
  a->entries = NULL;
  a->slots = NULL;
  a->count = a->room = 0;
}

void answers_forget(answers *a) {
  drop_entries(a);
  world_renew(a->world);
  dloc_string(world_context(a->world), dloc_text_of("not known yet"), &a->unknown);
}

answers *answers_create(adapter *adapter, uint64_t capabilities, world *w) {
  answers *a = memory_allocate(1, sizeof *a);
  *a = (answers){.adapter = adapter, .capabilities = capabilities, .world = w, .scratch = memory_context()};
  a->hash_key = hash_key_choose(a);
  return a;
}

void answers_destroy(answers *a) {
  if (!a)
    return;
  drop_entries(a);
  dloc_context_destroy(a->scratch);
  free(a);
}
