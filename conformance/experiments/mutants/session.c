/* session.c - which vectors are run under which mutants, and what came of it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "session.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "try.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

bool mutant_names(const vector *v, const char *mutant) {
  for (size_t i = 0; i < v->kill_count; i++)
    if (dloc_text_equal(v->kills[i], dloc_text_of(mutant)))
      return true;
  return false;
}

/* ---- What is expected ---- */

/* An expectation as text, by the model as it is. */
static dloc_status expected_text(mutant_session *s, const vector *v, const vector_expectation *expectation,
                                 dloc_context *context, value_diagnostic *diagnostic, dloc_text *ret) {
  vector_answer answer;
  dloc_buffer text = {0};
  dloc_context_reset(context);
  dloc_status status = vector_expectation_answer(v, expectation, context, &s->arena, diagnostic, &answer);
  if (status == DLOC_OK)
    status = vector_answer_text(context, &s->arena, &answer, buffer_sink(&text));
  if (status == DLOC_OK)
    *ret = value_arena_copy(&s->arena, buffer_text(&text));
  dloc_buffer_deinit(&text);
  return status;
}

/* The profiles that `dloc check` compares under, and what the vector expects there. */
static dloc_status list_comparisons(mutant_session *s, dloc_context *context, value_diagnostic *diagnostic,
                                    mutant_vector *ret) {
  const vector *v = &ret->vector;
  size_t most = dloc_profile_count() + v->choice_count + 1, count = 0;
  mutant_comparison *list = value_arena_alloc(&s->arena, most, sizeof *list);
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const vector_expectation *expectation = vector_expectation_for(v, dloc_profile_at(i));
    if (!expectation)
      continue;
    list[count].profile = *dloc_profile_at(i);
    TRY(expected_text(s, v, expectation, context, diagnostic, &list[count++].expected));
  }
  if (v->with_count) { /* no built-in profile is that of `expect` */
    list[count].profile = *v->since;
    TRY(expected_text(s, v, &v->expect, context, diagnostic, &list[count++].expected));
  }
  for (size_t i = 0; i < v->choice_count; i++) {
    list[count].profile = vector_choice_profile(v, &v->choices[i]);
    TRY(expected_text(s, v, &v->choices[i].expect, context, diagnostic, &list[count++].expected));
  }
  ret->comparisons = list;
  ret->comparison_count = count;
  return DLOC_OK;
}

dloc_status mutants_add_vector(mutant_session *s, const vector *v, dloc_context *context,
                               value_diagnostic *diagnostic) {
  mutant_vector *added = MEMORY_ADD(s->vectors, s->vector_count);
  *added = (mutant_vector){.vector = *v};
  return list_comparisons(s, context, diagnostic, added);
}

/* ---- Which mutants ---- */

static bool is_wanted(const char *const *names, size_t count, const mutant *m) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], m->name) == 0)
      return true;
  return count == 0;
}

/* The verdicts are shared with the processes that find them. */
void mutants_make_tasks(mutant_session *s, const char *const *names, size_t count) {
  size_t size = mutant_count() * s->vector_count;
  s->tasks = memory_allocate(mutant_count(), sizeof *s->tasks);
  uint8_t *verdicts = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (verdicts == MAP_FAILED)
    memory_exhausted();
  for (size_t i = 0; i < mutant_count(); i++)
    if (is_wanted(names, count, mutant_at(i)))
      s->tasks[s->task_count++] = (mutant_task){i, verdicts + i * s->vector_count};
}

void mutants_end(mutant_session *s) {
  value_arena_deinit(&s->arena);
  free(s->vectors);
  free(s->tasks);
}

/* ---- The outcome ---- */

static bool is_kill(uint8_t verdict) { return verdict == MUTANT_NOTICED || verdict == MUTANT_CRASHED; }

mutant_outcome mutants_judge(const mutant_session *s, const mutant_task *task) {
  mutant_outcome o = {.mutant = mutant_at(task->mutant)};
  for (size_t i = 0; i < s->vector_count; i++) {
    const vector *v = &s->vectors[i].vector;
    bool named = mutant_names(v, o.mutant->name);
    if (named && task->verdicts[i] == MUTANT_UNNOTICED)
      o.wrongly = v;
    if (!is_kill(task->verdicts[i]))
      continue;
    o.killers++;
    if (o.killer && (o.named || !named))
      continue;
    o.killer = v;
    o.crashed = task->verdicts[i] == MUTANT_CRASHED;
    o.named = named;
  }
  return o;
}

bool mutants_outcome_is_fine(const mutant_outcome *o) {
  return !o->wrongly && (o->mutant->proof ? !o->killer : o->killer && o->named);
}
