/* fuzz_answer.c - any bytes as a document {vector, line}: what an adapter says to a vector is refused with a message,
 * or has all that its outcome needs; what the model answers, sent as a line, is the model's answer. */
#include "document/buffer.h"
#include "document/text.h"
#include "mutate.h"
#include "run/protocol.h"
#include "require.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_started(const value *line) {
  value_diagnostic diagnostic = {.line = 0};
  run_implementation told = {.name = ""};
  if (protocol_read_started(line, &diagnostic, &told) == DLOC_OK)
    require(told.name[0] && memchr(told.name, 0, sizeof told.name) && memchr(told.version, 0, sizeof told.version) &&
            memchr(told.revision, 0, sizeof told.revision) && memchr(told.profile, 0, sizeof told.profile));
  else
    require(diagnostic.line && diagnostic.message[0] && !told.name[0]);
}

static bool has_reason(const run_answer *answer) {
  bool has = false;
  for (size_t i = 0; i < DLOC_REASON_COUNT; i++)
    has |= answer->reasons[i];
  return has;
}

static void check_answer(const run_answer *answer) {
  char *told = run_answer_describe(answer);
  require(told && run_answer_same(answer, answer));
  (void)run_answer_satisfies(answer, answer);
  switch (answer->outcome) {
  case RUN_OK:
    require(answer->text && strncmp(answer->text, "outcome: ok\n", 12) == 0);
    break;
  case RUN_REJECT:
    require(has_reason(answer) && answer->severity >= RUN_SEVERITY_UNKNOWN &&
            answer->severity <= (int)DLOC_SEVERITY_PARSE);
    break;
  default:
    require(!answer->text || strlen(answer->text) < RUN_MESSAGE);
  }
  free(told);
}

static void read_answer(const value *line, const vector *v, value_arena *arena) {
  value_diagnostic diagnostic = {.line = 0};
  run_answer answer = {.outcome = RUN_UNANSWERED};
  dloc_status status = protocol_read_answer(line, v, arena, &diagnostic, &answer);
  if (status == DLOC_OK)
    check_answer(&answer);
  else
    require(answer.outcome == RUN_UNANSWERED && (status != DLOC_INVALID || diagnostic.message[0]));
  run_answer_deinit(&answer);
}

/* As an adapter writes it, and the runner reads it. */
static void read_line(const value *line, const vector *v) {
  value_arena arena = {0};
  value_diagnostic diagnostic = {.line = 0};
  protocol_line read;
  dloc_buffer text = {0};
  require(value_write_json(line, buffer_sink(&text)) == DLOC_OK);
  if (protocol_read(buffer_text(&text), &arena, &diagnostic, &read) != DLOC_OK)
    require(diagnostic.line && diagnostic.message[0]);
  else if (read.kind == PROTOCOL_STARTED)
    check_started(read.value);
  else if (read.kind == PROTOCOL_ANSWER && v)
    read_answer(read.value, v, &arena);
  dloc_buffer_deinit(&text);
  value_arena_deinit(&arena);
}

/* What the runner says is no answer. */
static void ask_adapter(const vector *v) {
  value_arena arena = {0};
  value_diagnostic diagnostic;
  protocol_line read;
  dloc_buffer lines = {0};
  const run_settings settings = {.profile_name = v->digest.size ? "rfc" : NULL, .profile = *dloc_profile_at(0)};
  protocol_write_start(&settings, &arena, &lines);
  protocol_write_run(v, 1, &arena, &lines);
  protocol_write_flush(2, &arena, &lines);
  protocol_write_stop(&arena, &lines);
  dloc_text rest = buffer_text(&lines);
  for (size_t count = 0; count < 4 || rest.size; count++) {
    dloc_text line = text_take_line(&rest);
    require(count < 4 && protocol_read(line, &arena, &diagnostic, &read) == DLOC_INVALID);
  }
  dloc_buffer_deinit(&lines);
  value_arena_deinit(&arena);
}

static void ask_model(const vector *v, const dloc_profile *profile) {
  value_arena arena = {0};
  value_diagnostic diagnostic;
  value line;
  vector_answer given;
  run_answer own = {.outcome = RUN_UNANSWERED}, sent = {.outcome = RUN_UNANSWERED};
  dloc_context *context = dloc_context_create(NULL);
  require(context != NULL);
  if (vector_evaluate(v, profile, context, &arena, NULL, &given) == DLOC_OK) {
    require(vector_answer_value(v, NULL, context, &arena, &given, &line) == DLOC_OK);
    require(run_answer_take(&own, context, &given) == DLOC_OK);
    require(protocol_read_answer(&line, v, &arena, &diagnostic, &sent) == DLOC_OK);
    require(run_answer_same(&own, &sent));
  }
  run_answer_deinit(&own);
  run_answer_deinit(&sent);
  dloc_context_destroy(context);
  value_arena_deinit(&arena);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_vector, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  value_arena arena = {0};
  value *document = NULL;
  vector v;
  if (value_read_one((dloc_text){(const char *)bytes, size}, &arena, NULL, &document) == DLOC_OK) {
    const value *asked = value_get(document, "vector"), *line = value_get(document, "line");
    bool sound = asked && vector_read(asked, &arena, NULL, &v) == DLOC_OK;
    if (line)
      read_line(line, sound ? &v : NULL);
    if (sound)
      ask_adapter(&v);
    if (sound)
      ask_model(&v, dloc_profile_at(size % dloc_profile_count()));
  }
  value_arena_deinit(&arena);
  return 0;
}
