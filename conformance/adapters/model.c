/* model.c - the adapter for the executable model itself, in this process. */
#include "document/memory.h"
#include "run/ending.h"
#include "run/runner.h"
#include "nodes/try.h"

#include <stdlib.h>
#include <string.h>

static bool model_start(adapter *a, run_implementation *ret) {
  *ret = (run_implementation){.capabilities = VECTOR_NEED_BIT(VECTOR_NEED_COUNT) - 1};
  strcpy(ret->name, "dloc model");
  strcpy(ret->profile, a->settings->profile_name ? "" : "rfc");
  strncat(ret->version, dloc_version(), sizeof ret->version - 1);
  return true;
}

static dloc_status answer(const vector *v, const dloc_profile *profile, dloc_context *context, value_arena *arena,
                          run_answer *ret) {
  vector_answer given;
  dloc_context_reset(context);
  value_arena_reset(arena);
  TRY(vector_evaluate(v, profile, context, arena, NULL, &given));
  return run_answer_take(ret, context, &given);
}

static bool model_run(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  size_t i = 0;
  for (; i < count && !ending_signal(); i++) {
    dloc_status status = answer(vectors[i], &a->settings->profile, context, &arena, &answers[i]);
    if (status != DLOC_OK)
      run_answer_set(&answers[i], RUN_ERRORED, "the model: %s", dloc_status_text(status));
    if (i % 1024 == 0)
      adapter_report(a, i);
  }
  return i == count;
}

static void model_show(adapter *a, const vector *v, bool ask, run_exchange *exchange) {
  (void)a, (void)ask;
  adapter_write_module(v, &exchange->module);
}

static void model_destroy(adapter *a) { free(a); }

adapter *adapter_model_create(void) {
  adapter *a = memory_allocate(1, sizeof *a);
  *a = (adapter){.start = model_start, .run = model_run, .show = model_show, .destroy = model_destroy};
  return a;
}
