/* again.c - the vectors that differ, once more and alone: what the implementation is asked, and what it says. */
#include "runner_internal.h"

#include "document/buffer.h"

#include <string.h>

static void show_difference(const runner *r, const vector *v, run_results *results, run_result *result) {
  run_exchange exchange = {.module = {0}};
  if (r->adapter->show)
    r->adapter->show(r->adapter, v, r->keep != NULL && !results->partial, &exchange);
  if (exchange.module.size && !memchr(exchange.module.bytes, '\0', exchange.module.size)) /* an object is no text */
    result->module = value_arena_copy(&results->arena, buffer_text(&exchange.module)).bytes;
  if (r->keep)
    r->keep(r->user, result, &exchange);
  run_exchange_deinit(&exchange);
}

void show_differences(const runner *r, run_results *results) {
  value_arena arena = {0};
  for (size_t i = 0; i < results->count; i++) {
    run_result *result = &results->items[i];
    value *document = NULL;
    value_diagnostic diagnostic;
    vector v;
    value_arena_reset(&arena);
    if (result->document && value_read_one(dloc_text_of(result->document), &arena, &diagnostic, &document) == DLOC_OK &&
        vector_read(document, &arena, &diagnostic, &v) == DLOC_OK)
      show_difference(r, &v, results, result);
  }
  value_arena_deinit(&arena);
}
