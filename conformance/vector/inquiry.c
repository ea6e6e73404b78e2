/* inquiry.c - the model asked about a vector under one profile after the other. */
#include "inquiry.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "nodes/try.h"

#include <string.h>

static void forget(inquiry *q) {
  if (q->is_built)
    vector_case_deinit(&q->built);
  q->is_built = false;
}

void inquiry_begin(inquiry *q, const vector *v) {
  forget(q);
  q->vector = v;
  q->has_atoms = vector_has_atoms(v);
}

void inquiry_deinit(inquiry *q) {
  forget(q);
  dloc_context_destroy(q->context);
  value_arena_deinit(&q->arena);
  *q = (inquiry){.vector = NULL};
}

/* A vector with atoms is built anew for each profile that is asked. */
static dloc_status prepare(inquiry *q, const dloc_profile *profile) {
  if (q->is_built && !q->has_atoms)
    return DLOC_OK;
  forget(q);
  value_arena_reset(&q->arena);
  if (q->context)
    dloc_context_reset(q->context);
  else
    q->context = memory_context();
  dloc_context_set_profile(q->context, profile);
  TRY(vector_build(q->vector, q->context, &q->arena, &q->built));
  q->is_built = true;
  return DLOC_OK;
}

dloc_status inquiry_ask(inquiry *q, const dloc_profile *profile, vector_answer *ret) {
  TRY(prepare(q, profile));
  return vector_ask(q->vector, &q->built, profile, &q->arena, NULL, ret);
}

dloc_status inquiry_state(inquiry *q, const vector_expectation *expectation, value_diagnostic *diagnostic,
                          vector_answer *ret) {
  TRY(prepare(q, dloc_profile_at(0)));
  return vector_expectation_answer(q->vector, expectation, &q->built, &q->arena, diagnostic, ret);
}

/* ---- Which expectation ---- */

static dloc_status model_text(inquiry *q, const dloc_profile *profile, dloc_buffer *text) {
  vector_answer answer;
  TRY(inquiry_ask(q, profile, &answer));
  return vector_answer_text(q->context, &answer, buffer_sink(text));
}

dloc_status inquiry_same(inquiry *q, const dloc_profile *a, const dloc_profile *b, bool *ret) {
  *ret = memcmp(a->alternative, b->alternative, sizeof a->alternative) == 0;
  if (*ret)
    return DLOC_OK;
  OWNED(dloc_buffer_deinit) dloc_buffer left = {0}, right = {0};
  TRY(model_text(q, a, &left));
  TRY(model_text(q, b, &right));
  *ret = dloc_text_equal(buffer_text(&left), buffer_text(&right));
  return DLOC_OK;
}

dloc_status inquiry_expectation(inquiry *q, const dloc_profile *profile, const vector_expectation **ret) {
  vector_point point;
  bool same = false;
  for (size_t at = 0; !same && vector_next_point(q->vector, profile, &at, &point);)
    TRY(inquiry_same(q, profile, &point.profile, &same));
  *ret = same ? point.expect : NULL;
  return DLOC_OK;
}
