/* vectors.c - `vectors PATH...`: vectors of the operations in this program's ops.def, answered by the library that it is linked with. Compares each answer with what
 * the vector expects, under every built-in profile and under each alternative that it lists. Prints the ids of the vectors; exit status 1: some disagree. */
#include "document/buffer.h"
#include "document/memory.h"
#include "vector/inquiry.h"
#include "vector/suite.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct asker {
  inquiry inquiry;
  vector vector;
  dloc_buffer expected, actual;
  bool agrees;
} asker;

static void require(dloc_status status, const char *what) {
  if (status == DLOC_OK)
    return;
  fprintf(stderr, "vectors: %s: %s\n", what, dloc_status_text(status));
  exit(2);
}

static void write_text(asker *a, const vector_answer *answer, dloc_buffer *text) {
  text->size = 0;
  require(vector_answer_text(a->inquiry.context, answer, buffer_sink(text)), "text");
}

static void compare(asker *a, const dloc_profile *profile, const vector_expectation *expectation) {
  vector_answer answer;
  value_diagnostic diagnostic = {.line = 0};
  require(inquiry_state(&a->inquiry, expectation, &diagnostic, &answer), diagnostic.message);
  write_text(a, &answer, &a->expected);
  require(inquiry_ask(&a->inquiry, profile, &answer), "answer");
  write_text(a, &answer, &a->actual);
  if (dloc_text_equal(buffer_text(&a->expected), buffer_text(&a->actual)))
    return;
  a->agrees = false;
  fprintf(stderr, "%.*s under %s: expected\n%sgot\n%s", (int)a->vector.id.size, a->vector.id.bytes, profile->name,
          a->expected.bytes, a->actual.bytes);
}

static void ask(asker *a) {
  const vector *v = &a->vector;
  inquiry_begin(&a->inquiry, v);
  compare(a, v->since, &v->expect);
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const vector_expectation *expectation = vector_expectation_for(v, dloc_profile_at(i));
    if (expectation)
      compare(a, dloc_profile_at(i), expectation);
  }
  for (size_t i = 0; i < v->choice_count; i++) {
    dloc_profile profile = vector_choice_profile(v, &v->choices[i]);
    compare(a, &profile, &v->choices[i].expect);
  }
  printf("%.*s\n", (int)v->id.size, v->id.bytes);
}

int main(int argc, char **argv) {
  asker a = {.agrees = true};
  suite *vectors = NULL;
  suite_error error;
  value_arena arena = {0};
  value *document = NULL;
  const char *path = NULL;
  vector_op op;
  require(suite_create((const char *const *)argv + 1, (size_t)argc - 1, &error, &vectors), "paths");
  for (;;) {
    value_arena_reset(&arena);
    require(suite_next(vectors, &arena, &error, &path, &document), "document");
    if (!document)
      break;
    if (!operation_find(value_text(value_get(document, "op")), &op))
      continue;
    require(vector_read(document, &arena, &error.at, &a.vector), error.at.message);
    ask(&a);
  }
  inquiry_deinit(&a.inquiry);
  dloc_buffer_deinit(&a.expected);
  dloc_buffer_deinit(&a.actual);
  value_arena_deinit(&arena);
  suite_destroy(vectors);
  return a.agrees ? 0 : 1;
}
