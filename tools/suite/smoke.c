/* smoke.c - `dloc smoke`: a conversation with an adapter that tells its author what is wrong with it. smoke.py holds
 * it, and asks here what the adapter's lines mean. */
#include "shell/script.h"
#include "shell/vectors.h"

#include "document/memory.h"
#include "document/names.h"
#include "run/protocol.h"

#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc smoke [OPTION...] ADAPTER...",
    "Talk to each adapter, a shell command that speaks the protocol of conformance/PROTOCOL.md: start it,\n"
    "ask some vectors of every operation that it claims, one by one, all at once, and again, then stop it.\n"
    "Each broken rule is named, with the line that broke it. Right answers are only counted; `dloc run`\n"
    "tells which answers are right.\n"
    "Exit status: 0 nothing is wrong, 1 something is, 2 it could not be tried.\n",
    "dloc smoke 'python3 examples/adapter.py'\n", 0, -1};

typedef struct interpreter {
  vector *vectors; /* the first one of each id */
  size_t count;
  names ids;
  value_arena arena;  /* of one line */
  protocol_line line; /* the last one */
  dloc_context *context;
} interpreter;

static void reply(const value *map) {
  tool_print_json(map);
  fflush(stdout);
}

static void put_text(interpreter *in, value *map, const char *key, const char *text) {
  value_put_text(&in->arena, map, key, dloc_text_of(text));
}

static void put_flag(interpreter *in, value *map, const char *key, bool flag) {
  value_put_word(&in->arena, map, key, flag ? "true" : "false");
}

/* `line LINE`: its kind, its seq and what it holds, or what is wrong. */
static void tell_line(interpreter *in, dloc_text line) {
  static const char *const kinds[] = {"started", "answer", "flushed"};
  value map = {.kind = VALUE_MAP}, *document = NULL;
  value_diagnostic diagnostic = {0};
  value_arena_reset(&in->arena);
  in->line = (protocol_line){0};
  bool object = value_read_one(line, &in->arena, &diagnostic, &document) == DLOC_OK && document->kind == VALUE_MAP;
  bool fine = protocol_read(line, &in->arena, &diagnostic, &in->line) == DLOC_OK;
  put_flag(in, &map, "object", object);
  if (!fine) {
    put_text(in, &map, "wrong", diagnostic.message);
  } else {
    put_text(in, &map, "kind", kinds[in->line.kind]);
    value_put_number(&in->arena, &map, "seq", in->line.seq);
    value_put_value(&in->arena, &map, "holds", *in->line.value);
  }
  reply(&map);
}

/* Equal for answers that say the same. */
static void put_meaning(interpreter *in, const run_answer *answer, value *map) {
  value reasons = {.kind = VALUE_LIST};
  put_text(in, map, "outcome", run_outcome_name(answer->outcome));
  if (answer->outcome == RUN_OK)
    put_text(in, map, "says", answer->text);
  for (int i = 1; i < DLOC_REASON_COUNT; i++)
    if (answer->reasons[i])
      value_add(&in->arena, &reasons, value_of_text(&in->arena, dloc_text_of(dloc_reason_name((dloc_reason)i))));
  value_put_value(&in->arena, map, "reasons", reasons);
}

static void put_right(interpreter *in, const vector *v, const dloc_profile *profile, const run_answer *answer,
                      value *map) {
  const vector_expectation *expectation = vector_expectation_for(v, profile);
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  vector_answer stated;
  value_diagnostic diagnostic;
  if (!expectation || (answer->outcome != RUN_OK && answer->outcome != RUN_REJECT))
    return;
  dloc_context_reset(in->context);
  put_flag(in, map, "right",
           vector_expectation_answer(v, expectation, in->context, &in->arena, &diagnostic, &stated) == DLOC_OK &&
               run_answer_take(&wanted, in->context, &in->arena, &stated) == DLOC_OK &&
               run_answer_satisfies(answer, &wanted));
  run_answer_deinit(&wanted);
}

/* `answer PROFILE ID`: what the last line says to a vector, and whether the profile expects it. */
static void tell_answer(interpreter *in, size_t line, dloc_text name, dloc_text id) {
  value map = {.kind = VALUE_MAP};
  run_answer answer = {.severity = RUN_SEVERITY_UNKNOWN};
  value_diagnostic diagnostic = {0};
  const dloc_profile *profile = dloc_profile_find(name);
  size_t at;
  if (!profile)
    tool_fail("standard input, line %zu: unknown profile '%.*s'", line, (int)name.size, name.bytes);
  if (!names_find(&in->ids, id, &at))
    tool_fail("standard input, line %zu: no vector is named '%.*s'", line, (int)id.size, id.bytes);
  if (!in->line.value)
    tool_fail("standard input, line %zu: expected `line LINE` with a JSON object before it", line);
  if (protocol_read_answer(in->line.value, &in->vectors[at], &in->arena, &diagnostic, &answer) != DLOC_OK) {
    put_text(in, &map, "wrong", diagnostic.message);
  } else {
    put_meaning(in, &answer, &map);
    put_right(in, &in->vectors[at], profile, &answer, &map);
  }
  run_answer_deinit(&answer);
  reply(&map);
}

static dloc_text take_word(dloc_text *rest) {
  const char *end = memchr(rest->bytes, ' ', rest->size);
  dloc_text word = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->size};
  size_t taken = word.size + (end != NULL);
  *rest = (dloc_text){rest->bytes + taken, rest->size - taken};
  return word;
}

static int interpret(const char *path) {
  interpreter in = {.context = memory_context()};
  vectors v;
  char *bytes = NULL;
  size_t room = 0, number = 0;
  vectors_open(&v, &path, 1);
  v.keep = true;
  while (vectors_next(&v))
    if (names_number(&in.ids, v.vector.id) == in.count)
      *MEMORY_ADD(in.vectors, in.count) = v.vector;
  for (ssize_t size; (size = getline(&bytes, &room, stdin)) > 0;) {
    bool ended = bytes[size - 1] == '\n';
    dloc_text rest = {bytes, (size_t)size - ended}, verb = take_word(&rest);
    number++;
    if (dloc_text_equal(verb, dloc_text_of("line"))) {
      tell_line(&in, rest);
    } else if (dloc_text_equal(verb, dloc_text_of("answer"))) {
      dloc_text profile = take_word(&rest);
      tell_answer(&in, number, profile, rest);
    } else {
      tool_fail("standard input, line %zu: expected `line LINE` or `answer PROFILE ID`", number);
    }
  }
  tool_stdin_ended();
  free(bytes);
  free(in.vectors);
  names_deinit(&in.ids);
  dloc_context_destroy(in.context);
  value_arena_deinit(&in.arena);
  vectors_close(&v);
  return TOOL_FINE;
}

int tool_smoke(int argc, char **argv) {
  const char *path = script_vectors();
  uint64_t timeout = 10;
  bool json = false, rules = false, interprets = false;
  const tool_option options[] = {
      {TOOL_TEXT, "vectors", "PATH", "where its questions come from; default: vectors", &path},
      {TOOL_NUMBER, "timeout", "SECONDS", "for one line; default: 10", &timeout},
      {TOOL_FLAG, "json", NULL, "write JSON, a line for each finding", &json},
      {TOOL_FLAG, "rules", NULL, "only list the rules", &rules},
      {TOOL_FLAG, "interpret", NULL, "for the script that talks: tell what lines of an adapter on stdin mean",
       &interprets},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  if (interprets)
    return interpret(path);
  if (!rules && (count == 0 || timeout < 1 || timeout > 86400))
    tool_fail(count ? "--timeout must be 1 to 86400" : "which adapter?");
  if (!rules)
    tool_require_rereadable(path);
  return script_become("suite/smoke.py", options, argv, count);
}
