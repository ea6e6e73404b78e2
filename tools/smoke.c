/* smoke.c - `dloc smoke`: a conversation with an adapter that tells its author what is wrong with it. */
#include "vectors.h"

#include "document/memory.h"
#include "run/process.h"
#include "run/protocol.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc smoke [OPTION...] ADAPTER...",
    "Talk to each adapter, a shell command that speaks the protocol of conformance/PROTOCOL.md: start it,\n"
    "ask some vectors of every operation that it claims, one by one, all at once, and again, then stop it.\n"
    "Each broken rule is named, with the line that broke it. Right answers are only counted; `dloc run`\n"
    "tells which answers are right.\n"
    "Exit status: 0 nothing is wrong, 1 something is, 2 it could not be tried.\n",
    "dloc smoke 'python3 conformance/adapters/example.py'\n", 0, -1};

typedef enum rule {
#define RULE(id, name, text) RULE_##id,
#include "run/protocol_rules.def"
#undef RULE
  RULES
} rule;

static const char *const rule_names[] = {
#define RULE(id, name, text) name,
#include "run/protocol_rules.def"
#undef RULE
};

static const char *const rule_texts[] = {
#define RULE(id, name, text) text,
#include "run/protocol_rules.def"
#undef RULE
};

enum {
  PER_OP = 6,     /* vectors asked of an operation */
  SHOWN = 2,      /* times that one rule's breach is shown */
  MOST_DEATHS = 3 /* after that many, smoke asks no more */
};

/* A question and what came of it. */
typedef struct question {
  const vector *vector;
  run_answer answer; /* of the last time; RUN_UNANSWERED: none */
} question;

typedef struct smoke {
  const char *command;
  double timeout;
  value_arena vectors; /* all vectors and what they are made of */
  vector *all;
  size_t all_count;
  question *questions; /* those that are asked */
  size_t question_count;
  value_arena line; /* of one line */
  process child;
  bool open; /* a child runs */
  run_implementation implementation;
  uint64_t next_seq;
  size_t breaches[RULES];
  size_t wrong; /* all of them */
  size_t deaths;
  size_t right[VECTOR_OP_COUNT];
  size_t answered[VECTOR_OP_COUNT]; /* ok or reject */
} smoke;

/* ---- What is said ---- */

/* Bytes of a line that may be shown. */
static void print_line(dloc_text line) {
  enum { MOST = 200 };
  for (size_t i = 0; i < line.size && i < MOST; i++)
    putchar((unsigned char)line.bytes[i] < 0x20 || line.bytes[i] == 0x7f ? '?' : line.bytes[i]);
  puts(line.size > MOST ? "..." : "");
}

static void breach(smoke *s, rule broken, dloc_text line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void breach(smoke *s, rule broken, dloc_text line, const char *format, ...) {
  s->wrong++;
  if (++s->breaches[broken] > SHOWN)
    return;
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printf("WRONG: %s\n", text);
  if (line.size) {
    fputs("  line: ", stdout);
    print_line(line);
  }
  printf("  rule: %s: %s\n", rule_names[broken], rule_texts[broken]);
}

static void fine(const char *what) { printf("fine:  %s\n", what); }

/* ---- Lines ---- */

/* The next line of the child, within the time limit; a copy in s->line. False: it ended, or said nothing. */
static bool read_line(smoke *s, dloc_text *ret) {
  process *child = &s->child;
  child->deadline = process_now() + s->timeout;
  for (;;) {
    dloc_buffer *output = &child->output;
    const char *end = output->size ? memchr(output->bytes, '\n', output->size) : NULL;
    if (end) {
      size_t length = (size_t)(end - output->bytes);
      value_arena_reset(&s->line);
      *ret = value_arena_copy(&s->line, (dloc_text){output->bytes, length});
      output->size -= length + 1;
      memmove(output->bytes, end + 1, output->size);
      return true;
    }
    if (child->exited)
      return false;
    process_pump(&child, 1, 1);
  }
}

/* "exit status 1; its last words: ..." */
static void describe_end(const smoke *s, char *text, size_t size) {
  char end[100];
  process_describe_end(&s->child, end, sizeof end);
  dloc_text said = process_last_words(&s->child);
  snprintf(text, size, "%s%s%.*s", end, said.size ? "; its last words: " : "", (int)said.size, said.bytes);
}

static void hang_up(smoke *s) {
  if (s->open)
    process_end(&s->child);
  s->open = false;
}

/* ---- Start ---- */

static bool is_capability(const value *name) {
  unsigned need;
  return name->kind == VALUE_SCALAR && vector_need_find(value_text(name), &need);
}

static void check_capabilities(smoke *s, dloc_text line, const value *started) {
  const value *list = value_get(started, "capabilities");
  if (!list || list->kind != VALUE_LIST) {
    breach(s, RULE_STARTED_CAPABILITIES, line, "capabilities is %s", list ? "no list" : "missing");
    return;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    dloc_text name = value_text(&list->of.items[i]);
    if (!is_capability(&list->of.items[i]))
      breach(s, RULE_STARTED_CAPABILITIES, line, "'%.*s' is no op and no need", name.size < 80 ? (int)name.size : 80,
             name.size ? name.bytes : "");
  }
}

static void check_profile(smoke *s, dloc_text line, const value *started) {
  const value *profile = value_get(started, "profile");
  if (!value_is_null(profile) && !dloc_profile_find(value_text(profile)))
    breach(s, RULE_STARTED_PROFILE, line, "no built-in profile is named so");
}

/* True when it can be talked to on. */
static bool check_started(smoke *s, dloc_text line) {
  value_diagnostic diagnostic = {0};
  protocol_line parsed;
  dloc_status status = protocol_read(line, &s->line, &diagnostic, &parsed);
  if (status != DLOC_OK || parsed.kind != PROTOCOL_STARTED) {
    breach(s, RULE_STARTED_FIRST, line, "its first line does not answer start%s%s", status == DLOC_OK ? "" : ": ",
           status == DLOC_OK ? "" : diagnostic.message);
    return false;
  }
  if (!value_is(value_get(parsed.value, "started"), "1"))
    breach(s, RULE_STARTED_FIRST, line, "started is not 1, the version of the protocol");
  if (value_text(value_get(parsed.value, "implementation")).size == 0)
    breach(s, RULE_STARTED_NAME, line, "it names no implementation");
  check_capabilities(s, line, parsed.value);
  check_profile(s, line, parsed.value);
  return protocol_read_started(parsed.value, &diagnostic, &s->implementation) == DLOC_OK;
}

/* Start the adapter and see what it says of itself. */
static bool call(smoke *s, const char *profile_name) {
  int error = process_start_shell(s->command, 2 * (size_t)PROTOCOL_LINE_LIMIT, 1 << 16, &s->child);
  if (error)
    tool_fail("cannot start %s: %s", s->command, strerror(error));
  s->open = true;
  s->next_seq = 1;
  const dloc_profile *profile = dloc_profile_find(dloc_text_of(profile_name ? profile_name : "rfc"));
  run_settings settings = {.profile_name = profile_name, .profile = *profile};
  dloc_buffer lines = {0};
  protocol_write_start(&settings, &s->line, &lines);
  process_send(&s->child, &lines);
  dloc_text line;
  if (read_line(s, &line))
    return check_started(s, line);
  char end[400];
  describe_end(s, end, sizeof end);
  breach(s, RULE_STARTED_FIRST, (dloc_text){NULL, 0}, "it did not answer start: %s", end);
  return false;
}

static void print_capabilities(const run_implementation *implementation) {
  printf("fine:  it is %s %s; it does", implementation->name, implementation->version);
  for (unsigned need = 0; need < VECTOR_NEED_COUNT; need++)
    if (implementation->capabilities >> need & 1)
      printf(" %s", vector_need_name(need));
  putchar('\n');
}

/* ---- Questions ---- */

/* What one batch of questions is judged by. */
typedef struct batch {
  question *questions;
  size_t count;
  uint64_t first_seq;
  bool repeated; /* they have been answered before: the answers are compared */
  size_t open;
  bool *answered;
} batch;

/* The seq of question i. Far apart in the second half, so that large numbers are met. */
static uint64_t seq_of(const batch *b, size_t i) {
  return b->first_seq + i + (i >= b->count / 2 && b->count > 1 ? UINT64_C(1) << 40 : 0);
}

static bool find_question(const batch *b, uint64_t seq, size_t *ret) {
  for (size_t i = 0; i < b->count; i++)
    if (seq_of(b, i) == seq) {
      *ret = i;
      return true;
    }
  return false;
}

#define VECTOR_ID(v) (int)(v)->id.size, (v)->id.bytes

static void take_answer(smoke *s, batch *b, dloc_text line, const protocol_line *parsed) {
  size_t at;
  if (!find_question(b, parsed->seq, &at)) {
    breach(s, RULE_ANSWER_SEQ, line, "no open question has seq %" PRIu64, parsed->seq);
    return;
  }
  question *q = &b->questions[at];
  if (b->answered[at]) {
    breach(s, RULE_ANSWER_ONCE, line, "seq %" PRIu64 " (%.*s) is answered again", parsed->seq, VECTOR_ID(q->vector));
    return;
  }
  run_answer answer = {.severity = RUN_SEVERITY_UNKNOWN};
  value_diagnostic diagnostic = {0};
  run_outcome outcome;
  bool known = run_outcome_find(value_text(value_get(parsed->value, "outcome")), &outcome) && outcome != RUN_NONDET;
  dloc_status status = protocol_read_answer(parsed->value, q->vector, &s->line, &diagnostic, &answer);
  if (status != DLOC_OK)
    breach(s, known ? RULE_ANSWER_VALUE : RULE_ANSWER_OUTCOME, line, "the answer to %.*s is malformed: %s",
           VECTOR_ID(q->vector), diagnostic.message);
  else if (b->repeated && q->answer.outcome != RUN_UNANSWERED && !run_answer_same(&q->answer, &answer))
    breach(s, RULE_ANSWER_SAME, line, "%.*s was answered otherwise before", VECTOR_ID(q->vector));
  b->answered[at] = true;
  b->open--;
  run_answer_deinit(&q->answer);
  q->answer = answer;
}

/* One line while questions are open; true at the end of the batch. */
static bool take_line(smoke *s, batch *b, dloc_text line, uint64_t flush) {
  protocol_line parsed;
  value_diagnostic diagnostic = {0};
  value *document = NULL;
  dloc_status status = value_read_one(line, &s->line, &diagnostic, &document);
  if (status != DLOC_OK || document->kind != VALUE_MAP) {
    breach(s, RULE_LINE_OBJECT, line, "the line is no JSON object");
    return false;
  }
  status = protocol_read(line, &s->line, &diagnostic, &parsed);
  if (status != DLOC_OK || parsed.kind == PROTOCOL_STARTED)
    breach(s, RULE_LINE_KIND, line, "%s", status == DLOC_OK ? "it starts again" : diagnostic.message);
  else if (parsed.kind == PROTOCOL_ANSWER)
    take_answer(s, b, line, &parsed);
  else if (parsed.seq != flush)
    breach(s, RULE_FLUSH_NUMBER, line, "the flush has number %" PRIu64, flush);
  else
    return true;
  return false;
}

static void take_end(smoke *s, const batch *b) {
  char end[400];
  size_t first = 0;
  while (first < b->count && b->answered[first])
    first++;
  describe_end(s, end, sizeof end);
  s->deaths++;
  const char *how = s->child.timed_out ? "it fell silent" : "it ended";
  const dloc_text none = {NULL, 0};
  if (first < b->count)
    breach(s, RULE_ALIVE, none, "%s with %zu of %zu questions open, the first %.*s: %s", how, b->open, b->count,
           VECTOR_ID(b->questions[first].vector), end);
  else
    breach(s, b->count ? RULE_ALIVE : RULE_FLUSH_NUMBER, none, "%s at a flush: %s", how, end);
  hang_up(s);
}

static void send_batch(smoke *s, const batch *b, uint64_t flush) {
  dloc_buffer lines = {0};
  for (size_t i = 0; i < b->count; i++)
    protocol_write_run(b->questions[i].vector, seq_of(b, i), &s->line, &lines);
  protocol_write_flush(flush, &s->line, &lines);
  process_send(&s->child, &lines);
}

/* Ask, flush, and look at every line until `flushed`. False: the adapter is gone. */
static bool ask(smoke *s, question *questions, size_t count, bool repeated) {
  enum { MOST_LINES = 1000 };
  batch b = {questions, count, s->next_seq, repeated, count, memory_allocate(count, sizeof(bool))};
  uint64_t flush = s->next_seq + count + (UINT64_C(1) << 40);
  s->next_seq = flush + 1;
  send_batch(s, &b, flush);
  bool alive = true, flushed = false;
  for (size_t i = 0; alive && !flushed && i < MOST_LINES; i++) {
    dloc_text line;
    alive = read_line(s, &line);
    flushed = alive && take_line(s, &b, line, flush);
  }
  for (size_t i = 0; flushed && b.open && i < count; i++)
    if (!b.answered[i]) {
      breach(s, RULE_ANSWER_ALL, (dloc_text){NULL, 0}, "%zu of %zu questions have no answer, the first %.*s", b.open,
             count, VECTOR_ID(questions[i].vector));
      b.open = 0;
    }
  if (!flushed)
    take_end(s, &b);
  free(b.answered);
  return flushed;
}

/* After its death: start it again, unless it died too often. */
static bool call_again(smoke *s) { return s->open || (s->deaths < MOST_DEATHS && call(s, NULL)); }

/* ---- Choosing vectors ---- */

static bool is_claimed(const smoke *s, const vector *v) { return (v->needs & ~s->implementation.capabilities) == 0; }

/* Some of every operation that it claims, spread over the suite, half of them with layers where it claims these. */
static void choose(smoke *s) {
  const uint32_t layers = UINT32_C(1) << VECTOR_NEED_LAYERS;
  size_t there[VECTOR_OP_COUNT][2] = {{0}}, met[VECTOR_OP_COUNT][2] = {{0}};
  for (size_t i = 0; i < s->all_count; i++)
    there[s->all[i].op][(s->all[i].needs & layers) != 0] += is_claimed(s, &s->all[i]);
  s->questions = memory_allocate(s->all_count, sizeof *s->questions);
  for (size_t i = 0; i < s->all_count; i++) {
    const vector *v = &s->all[i];
    size_t all = there[v->op][(v->needs & layers) != 0], wanted = all < PER_OP / 2 ? all : PER_OP / 2;
    if (!is_claimed(s, v))
      continue;
    size_t at = met[v->op][(v->needs & layers) != 0]++;
    if (at * wanted / all != (at + 1) * wanted / all)
      s->questions[s->question_count++] = (question){.vector = v};
  }
}

static void count_right(smoke *s, const question *q, const dloc_profile *profile, dloc_context *context) {
  const vector_expectation *expectation = vector_expectation_for(q->vector, profile);
  run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  vector_answer stated;
  value_diagnostic diagnostic;
  if (!expectation || (q->answer.outcome != RUN_OK && q->answer.outcome != RUN_REJECT))
    return;
  s->answered[q->vector->op]++;
  value_arena_reset(&s->line);
  if (vector_expectation_answer(q->vector, expectation, context, &s->line, &diagnostic, &stated) == DLOC_OK &&
      run_answer_take(&wanted, context, &s->line, &stated) == DLOC_OK)
    s->right[q->vector->op] += run_answer_satisfies(&q->answer, &wanted);
  run_answer_deinit(&wanted);
}

static void tell_right(smoke *s) {
  const dloc_profile *own = dloc_profile_find(dloc_text_of(s->implementation.profile));
  const dloc_profile *profile = own ? own : dloc_profile_find(dloc_text_of("rfc"));
  dloc_context *context = memory_context();
  for (size_t i = 0; i < s->question_count; i++) {
    dloc_context_reset(context);
    count_right(s, &s->questions[i], profile, context);
  }
  dloc_context_destroy(context);
  for (int op = 0; op < VECTOR_OP_COUNT; op++)
    if (s->answered[op])
      printf("note:  %zu of %zu answers to '%s' are what profile %s expects\n", s->right[op], s->answered[op],
             vector_op_name((vector_op)op), profile->name);
}

/* ---- The conversation ---- */

static void talk_start(smoke *s) {
  size_t before = s->wrong;
  if (!call(s, NULL)) {
    hang_up(s);
    return;
  }
  if (s->implementation.capabilities == 0)
    breach(s, RULE_STARTED_CAPABILITIES, (dloc_text){NULL, 0}, "it claims nothing that a vector could ask");
  if (before == s->wrong)
    print_capabilities(&s->implementation);
}

static void talk_flush(smoke *s) {
  if (ask(s, NULL, 0, false))
    fine("it answers a flush without questions");
}

static void talk_each(smoke *s) {
  size_t before = s->wrong, asked = 0;
  for (; asked < s->question_count && call_again(s); asked++)
    ask(s, &s->questions[asked], 1, false);
  if (before == s->wrong)
    printf("fine:  it answers %zu vectors, one by one\n", asked);
}

static void talk_all(smoke *s) {
  size_t before = s->wrong;
  if (call_again(s) && ask(s, s->questions, s->question_count, true) && before == s->wrong)
    fine("it answers all of them at once, with large numbers, and as before");
}

static void reverse(question *questions, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    question swapped = questions[i];
    questions[i] = questions[count - 1 - i];
    questions[count - 1 - i] = swapped;
  }
}

static void talk_again(smoke *s) {
  size_t before = s->wrong;
  reverse(s->questions, s->question_count);
  if (call_again(s) && ask(s, s->questions, s->question_count, true) && before == s->wrong)
    fine("it answers them again, in the opposite order, and as before");
}

/* One vector of each operation that it does not claim. */
static void talk_unknown(smoke *s) {
  question strange[VECTOR_OP_COUNT];
  size_t count = 0, before = s->wrong;
  for (unsigned op = 0; op < VECTOR_OP_COUNT; op++)
    for (size_t i = 0; i < s->all_count && !(s->implementation.capabilities >> op & 1); i++)
      if (s->all[i].op == (vector_op)op) {
        strange[count++] = (question){.vector = &s->all[i]};
        break;
      }
  if (count == 0 || !call_again(s))
    return;
  ask(s, strange, count, false);
  for (size_t i = 0; i < count; i++) {
    run_outcome outcome = strange[i].answer.outcome;
    if (outcome == RUN_OK || outcome == RUN_REJECT || outcome == RUN_DEGRADED)
      breach(s, RULE_UNKNOWN, (dloc_text){NULL, 0}, "it claims no '%s', but answers %.*s with %s",
             vector_op_name(strange[i].vector->op), VECTOR_ID(strange[i].vector), run_outcome_name(outcome));
    run_answer_deinit(&strange[i].answer);
  }
  if (before == s->wrong)
    fine("it leaves out what it does not claim");
}

static void talk_stop(smoke *s) {
  dloc_buffer lines = {0};
  if (!call_again(s))
    return;
  protocol_write_stop(&s->line, &lines);
  process_send(&s->child, &lines);
  size_t before = s->wrong;
  s->child.input_ends = true;
  dloc_text line;
  while (s->breaches[RULE_STOP] < SHOWN && read_line(s, &line))
    breach(s, RULE_STOP, line, "it writes a line after stop");
  char end[400];
  process_kill(&s->child);
  describe_end(s, end, sizeof end);
  if (s->child.status != 0 && s->breaches[RULE_STOP] < SHOWN)
    breach(s, RULE_STOP, (dloc_text){NULL, 0}, "after stop: %s", end);
  hang_up(s);
  if (before == s->wrong)
    fine("it ends after stop");
}

/* With a profile that the user names, a line that is none of the protocol, and an end without stop. */
static void talk_end(smoke *s) {
  static const char garbage[] = "\001this is no JSON\n";
  size_t before = s->wrong;
  if (s->deaths >= MOST_DEATHS || !call(s, "rfc"))
    return;
  process_write(&s->child, garbage, sizeof garbage - 1);
  s->child.input_ends = true;
  dloc_text line;
  for (size_t i = 0; i < 100 && read_line(s, &line); i++)
    ;
  if (!s->child.exited || s->child.timed_out)
    breach(s, RULE_INPUT_END, (dloc_text){NULL, 0}, "it goes on without input");
  hang_up(s);
  if (before == s->wrong)
    fine("it starts with a profile, and ends with its input");
}

static int converse(smoke *s) {
  static void (*const talks[])(smoke *) = {talk_flush,   talk_each, talk_all, talk_again,
                                           talk_unknown, talk_stop, talk_end};
  printf("%s\n", s->command);
  talk_start(s);
  bool started = s->open;
  if (started)
    choose(s);
  for (size_t i = 0; started && i < sizeof talks / sizeof *talks; i++)
    if (s->open || i + 1 == sizeof talks / sizeof *talks || s->deaths)
      talks[i](s);
  hang_up(s);
  if (s->question_count)
    tell_right(s);
  if (s->wrong == 0)
    puts("nothing is wrong with it");
  else
    printf("%zu time%s wrong\n", s->wrong, s->wrong == 1 ? "" : "s");
  return s->wrong ? TOOL_VIOLATION : TOOL_FINE;
}

/* ---- The command ---- */

static void read_vectors(smoke *s, const char *path) {
  suite_error error;
  suite *input = NULL;
  bool end = false;
  if (suite_create(&path, 1, &error, &input) != DLOC_OK)
    tool_fail("cannot read %s", path);
  while (!end) {
    const char *file;
    vector next;
    if (suite_next_vector(input, &s->vectors, &error, &file, &next, &end) == DLOC_OK && !end)
      *MEMORY_ADD(s->all, s->all_count) = next;
  }
  suite_destroy(input);
  if (s->all_count == 0)
    tool_fail("there is no vector in %s", path);
}

static void forget(smoke *s) {
  for (size_t i = 0; i < s->question_count; i++)
    run_answer_deinit(&s->questions[i].answer);
  free(s->questions);
  s->questions = NULL;
}

static int try_each(smoke *s, char **commands, int count) {
  int worst = TOOL_FINE;
  for (int i = 0; i < count; i++) {
    smoke one = *s;
    one.command = commands[i];
    if (i)
      putchar('\n');
    if (strcmp(commands[i], "model") == 0 || strcmp(commands[i], "llvm") == 0)
      tool_fail("%s is a part of dloc and speaks no protocol; give a command", commands[i]);
    int status = converse(&one);
    worst = status > worst ? status : worst;
    forget(&one);
    s->line = one.line;
  }
  return worst;
}

static void print_rules(void) {
  for (int i = 0; i < RULES; i++)
    printf("- `%s`: %s\n", rule_names[i], rule_texts[i]);
}

int tool_smoke(int argc, char **argv) {
  const char *path = "vectors";
  uint64_t timeout = 10;
  bool rules = false;
  const tool_option options[] = {
      {TOOL_TEXT, "vectors", "PATH", "where its questions come from; default: vectors", &path},
      {TOOL_NUMBER, "timeout", "SECONDS", "for one line; default: 10", &timeout},
      {TOOL_FLAG, "rules", NULL, "only list the rules", &rules},
      {0}};
  int count = tool_parse(argc, argv, &usage, options);
  if (rules) {
    print_rules();
    return TOOL_FINE;
  }
  if (count == 0 || timeout < 1 || timeout > 86400)
    tool_fail(count ? "--timeout must be 1 to 86400" : "which adapter?");
  smoke s = {.timeout = (double)timeout};
  process_forward_signals();
  read_vectors(&s, path);
  int status = try_each(&s, argv, count);
  free(s.all);
  value_arena_deinit(&s.line);
  value_arena_deinit(&s.vectors);
  return status;
}
