/* smoke.c - `dloc smoke`: a conversation with an adapter that tells its author what is wrong with it. */
#include "document/buffer.h"
#include "document/text.h"
#include "help/smoke.h"
#include "run/process.h"
#include "run/protocol.h"
#include "shell/script.h"
#include "shell/vectors.h"

#include <stdarg.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum rule {
#define RULE(id, name, text) RULE_##id,
#include "smoke_rules.def"
  RULE_COUNT
} rule;

static const char *const rules[RULE_COUNT][2] = {
#define RULE(id, name, text) {name, text},
#include "smoke_rules.def"
};

enum {
  PER_GROUP = 3,     /* vectors asked of an operation with layers, and of one without */
  SHOWN = 2,         /* times that one rule's breach is shown */
  MOST_DEATHS = 3,   /* after that many, smoke asks no more */
  MOST_LINES = 1000, /* of one batch */
  MOST_TEXT = 1000,  /* bytes of a message */
  MOST_LINE = 200,   /* bytes of a line that is shown */
  OUTPUT_LIMIT = 32 << 20
};
#define LARGE (UINT64_C(1) << 40) /* so that large numbers are met */

typedef struct question {
  const vector *v;
  run_answer answer; /* of the last time; RUN_UNANSWERED: none */
} question;

typedef struct questions {
  question *items;
  size_t count;
} questions;

typedef struct smoke {
  const char *command;
  bool json;
  double timeout;
  const vector *vectors;
  size_t vector_count;
  process child;
  bool talks;               /* there is a child */
  size_t used;              /* bytes of its output that are done with */
  char name[160], end[500]; /* what it is, and how it ended */
  uint64_t capabilities;
  const dloc_profile *profile;
  questions chosen;
  unsigned breaches[RULE_COUNT], wrong, deaths;
  uint64_t next_seq;
  value_arena arena; /* of one line */
} smoke;

/* ---- What is said ---- */

/* A text from outside, so that it has no effect on a terminal. */
static void put_shown(value_arena *arena, value *map, const char *key, dloc_text text, size_t most) {
  OWNED(dloc_buffer_deinit) dloc_buffer shown = {0};
  dloc_text rest = {text.bytes, text.size < most ? text.size : most};
  while (rest.size) {
    size_t size = text_printable(rest), taken = size ? size : 1;
    if (size)
      buffer_put(&shown, (dloc_text){rest.bytes, size});
    else
      buffer_format(&shown, *rest.bytes == '\n' ? "\\n" : "\\x%02x", (unsigned char)*rest.bytes);
    rest = (dloc_text){rest.bytes + taken, rest.size - taken};
  }
  buffer_put(&shown, dloc_text_of(text.size > most ? "..." : ""));
  value_put_text(arena, map, key, buffer_text(&shown));
}

/* line and broken may be NULL. */
static void say(const smoke *s, const char *verdict, const char *text, const dloc_text *line, const rule *broken) {
  value map = {.kind = VALUE_MAP};
  OWNED(value_arena_deinit) value_arena arena = {0};
  value_put_text(&arena, &map, "verdict", dloc_text_of(verdict));
  put_shown(&arena, &map, "text", dloc_text_of(text), MOST_TEXT);
  if (line)
    put_shown(&arena, &map, "line", *line, MOST_LINE);
  if (broken) {
    OWNED(memory_release) char *told = text_format("%s: %s", rules[*broken][0], rules[*broken][1]);
    value_put_text(&arena, &map, "rule", dloc_text_of(told));
  }
  if (s->json)
    tool_print_json(&map);
  else
    printf("%s%s\n", broken ? "WRONG: " : *verdict == 'f' ? "fine:  " : "note:  ", map.of.entries[1].value.of.bytes);
  for (uint32_t i = 2; !s->json && i < map.count; i++)
    printf("  %s: %s\n", map.of.entries[i].key.bytes, map.of.entries[i].value.of.bytes);
  fflush(stdout);
}

static void breach(smoke *s, rule broken, const dloc_text *line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void breach(smoke *s, rule broken, const dloc_text *line, const char *format, ...) {
  va_list arguments;
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  s->wrong++;
  if (++s->breaches[broken] > SHOWN)
    return;
  va_start(arguments, format);
  buffer_format_list(&text, format, arguments);
  va_end(arguments);
  say(s, "wrong", text.bytes, line && line->size ? line : NULL, &broken);
}

/* Unless something was wrong meanwhile. */
static void praise(smoke *s, unsigned before, const char *text) {
  if (s->wrong == before)
    say(s, "fine", text, NULL, NULL);
}

/* ---- The adapter ---- */

static void hang_up(smoke *s) {
  if (s->talks)
    process_end(&s->child);
  s->talks = false;
}

/* The next line, until the next call; false: it ended, or said nothing within the time limit. */
static bool read_line(smoke *s, dloc_text *ret) {
  process *child = &s->child;
  dloc_buffer *output = &child->output;
  if (s->used)
    memmove(output->bytes, output->bytes + s->used, output->size - s->used);
  output->size -= s->used;
  s->used = 0;
  child->deadline = process_now() + s->timeout;
  for (;;) {
    const char *end = output->size ? memchr(output->bytes, '\n', output->size) : NULL;
    if (end) {
      *ret = (dloc_text){output->bytes, (size_t)(end - output->bytes)};
      s->used = ret->size + 1;
      return true;
    }
    if (child->exited)
      return false;
    process_pump(&child, 1, s->timeout);
  }
}

/* `exit status 1; its last words: ...` */
static const char *describe_end(smoke *s) {
  dloc_text said = process_last_words(&s->child);
  process_describe_end(&s->child, s->end, sizeof s->end);
  size_t size = strlen(s->end);
  if (said.size)
    snprintf(s->end + size, sizeof s->end - size, "; its last words: %.*s", (int)said.size, said.bytes);
  return s->end;
}

/* ---- Start ---- */

static void check_capabilities(smoke *s, const value *listed, const dloc_text *line) {
  if (!listed || listed->kind != VALUE_LIST)
    breach(s, RULE_STARTED_CAPABILITIES, line, "capabilities is %s", listed ? "no list" : "missing");
  for (uint32_t i = 0; listed && listed->kind == VALUE_LIST && i < listed->count; i++) {
    unsigned need;
    dloc_text name = value_text(&listed->of.items[i]);
    if (!vector_need_find(name, &need))
      breach(s, RULE_STARTED_CAPABILITIES, line, "'%.*s' is no op and no need", name.size < 80 ? (int)name.size : 80,
             name.size ? name.bytes : "");
  }
}

/* Whether it can be talked to on. */
static bool check_started(smoke *s, const dloc_text *line) {
  protocol_line told;
  value_diagnostic diagnostic = {0};
  value_arena_reset(&s->arena);
  bool read = protocol_read(*line, &s->arena, &diagnostic, &told) == DLOC_OK;
  if (!read || told.kind != PROTOCOL_STARTED) {
    breach(s, RULE_STARTED_FIRST, line, "its first line does not answer start%s%s", read ? "" : ": ",
           diagnostic.message);
    return false;
  }
  const value *name = value_get(told.value, "implementation"), *profile = value_get(told.value, "profile");
  if (!value_is(value_get(told.value, "started"), "1"))
    breach(s, RULE_STARTED_FIRST, line, "started is not 1, the version of the protocol");
  if (value_is_null(name) || value_text(name).size == 0)
    breach(s, RULE_STARTED_NAME, line, "it names no implementation");
  check_capabilities(s, value_get(told.value, "capabilities"), line);
  s->profile = value_is_null(profile) ? NULL : dloc_profile_find(value_text(profile));
  if (!value_is_null(profile) && !s->profile)
    breach(s, RULE_STARTED_PROFILE, line, "no built-in profile is named so");
  s->profile = s->profile ? s->profile : dloc_profile_at(0);
  run_implementation implementation;
  if (value_is_null(name) || protocol_read_started(told.value, &diagnostic, &implementation) != DLOC_OK)
    return false;
  snprintf(s->name, sizeof s->name, "%s %s", implementation.name, implementation.version);
  s->capabilities = implementation.capabilities;
  return true;
}

/* Start the adapter and see what it says of itself. profile may be NULL. */
static bool call(smoke *s, const char *profile) {
  const run_settings settings = {.profile_name = profile, .profile = *dloc_profile_at(0)};
  dloc_buffer lines = {0};
  dloc_text line;
  hang_up(s);
  int error = process_start_shell(s->command, OUTPUT_LIMIT, 1 << 16, &s->child);
  if (error)
    tool_fail("cannot run /bin/sh: %s", strerror(error));
  s->talks = true;
  s->next_seq = 1;
  s->used = 0;
  protocol_write_start(&settings, &s->arena, &lines);
  process_send(&s->child, &lines);
  if (read_line(s, &line))
    return check_started(s, &line);
  breach(s, RULE_STARTED_FIRST, NULL, "it did not answer start: %s", describe_end(s));
  return false;
}

/* After its death: start it again, unless it died too often. */
static bool call_again(smoke *s) { return s->talks || (s->deaths < MOST_DEATHS && call(s, NULL)); }

/* ---- Questions ---- */

/* The questions between two flushes. */
typedef struct batch {
  question **items;
  bool *open;
  size_t count, left;
  uint64_t first, flush;
  bool again; /* each was asked before */
} batch;

static uint64_t seq_of(const batch *b, size_t i) {
  return b->first + i + (b->count > 1 && i >= b->count / 2 ? LARGE : 0);
}

static const char *first_open(const batch *b) {
  for (size_t i = 0; i < b->count; i++)
    if (b->open[i])
      return b->items[i]->v->id.bytes;
  return NULL;
}

static void take_answer(smoke *s, batch *b, const protocol_line *told, const dloc_text *line) {
  size_t i = 0;
  while (i < b->count && seq_of(b, i) != told->seq)
    i++;
  if (i == b->count) {
    breach(s, RULE_ANSWER_SEQ, line, "no open question has seq %" PRIu64, told->seq);
    return;
  }
  question *q = b->items[i];
  if (!b->open[i]) {
    breach(s, RULE_ANSWER_ONCE, line, "seq %" PRIu64 " (%s) is answered again", told->seq, q->v->id.bytes);
    return;
  }
  b->open[i] = false;
  b->left--;
  OWNED(run_answer_deinit) run_answer before = q->answer;
  value_diagnostic diagnostic = {0};
  q->answer = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
  if (protocol_read_answer(told->value, q->v, &s->arena, &diagnostic, &q->answer) != DLOC_OK) {
    run_outcome outcome;
    bool known = run_outcome_find(value_text(value_get(told->value, "outcome")), &outcome) && outcome != RUN_NONDET;
    breach(s, known ? RULE_ANSWER_VALUE : RULE_ANSWER_OUTCOME, line, "the answer to %s is malformed: %s",
           q->v->id.bytes, diagnostic.message);
    run_answer_deinit(&q->answer);
    q->answer = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
  } else if (b->again && before.outcome && !run_answer_same(&before, &q->answer)) {
    breach(s, RULE_ANSWER_SAME, line, "%s was answered otherwise before", q->v->id.bytes);
  }
}

/* One line while questions are open; true at the end of the batch. */
static bool take_line(smoke *s, batch *b, const dloc_text *line) {
  protocol_line told;
  value *document = NULL;
  value_diagnostic diagnostic = {0};
  value_arena_reset(&s->arena);
  bool object = value_read_json(*line, &s->arena, &diagnostic, &document) == DLOC_OK && document->kind == VALUE_MAP;
  bool fine = object && protocol_read(*line, &s->arena, &diagnostic, &told) == DLOC_OK;
  if (!object)
    breach(s, RULE_LINE_OBJECT, line, "the line is no JSON object");
  else if (!fine || told.kind == PROTOCOL_STARTED)
    breach(s, RULE_LINE_KIND, line, "%s", fine ? "it starts again" : diagnostic.message);
  else if (told.kind == PROTOCOL_ANSWER)
    take_answer(s, b, &told, line);
  else if (told.seq != b->flush)
    breach(s, RULE_FLUSH_NUMBER, line, "the flush has number %" PRIu64, b->flush);
  else
    return true;
  return false;
}

static void take_end(smoke *s, const batch *b) {
  s->deaths++;
  process_kill(&s->child);
  const char *how = s->child.timed_out ? "it fell silent" : "it ended", *first = first_open(b), *end = describe_end(s);
  rule broken = b->count ? RULE_ALIVE : RULE_FLUSH_NUMBER;
  if (first)
    breach(s, broken, NULL, "%s with %zu of %zu questions open, the first %s: %s", how, b->left, b->count, first, end);
  else
    breach(s, broken, NULL, "%s at a flush: %s", how, end);
  hang_up(s);
}

static void talk_through(smoke *s, batch *b) {
  dloc_text line;
  for (int i = 0; i < MOST_LINES && read_line(s, &line); i++) {
    if (!take_line(s, b, &line))
      continue;
    if (b->left)
      breach(s, RULE_ANSWER_ALL, NULL, "%zu of %zu questions have no answer, the first %s", b->left, b->count,
             first_open(b));
    return;
  }
  take_end(s, b);
}

/* Ask, flush, and look at every line until `flushed`. backwards: the last question first. */
static void ask(smoke *s, question *asked, size_t count, bool again, bool backwards) {
  dloc_buffer lines = {0};
  batch b = {.items = memory_allocate(count + 1, sizeof *b.items),
             .open = memory_allocate(count + 1, sizeof *b.open),
             .count = count,
             .left = count,
             .first = s->next_seq,
             .flush = s->next_seq + count + LARGE,
             .again = again};
  s->next_seq = b.flush + 1;
  for (size_t i = 0; i < count; i++) {
    b.items[i] = &asked[backwards ? count - 1 - i : i];
    b.open[i] = true;
    protocol_write_run(b.items[i]->v, seq_of(&b, i), &s->arena, &lines);
  }
  protocol_write_flush(b.flush, &s->arena, &lines);
  process_send(&s->child, &lines);
  talk_through(s, &b);
  free(b.items);
  free(b.open);
}

static bool claims(const smoke *s, unsigned need) { return (s->capabilities & VECTOR_NEED_BIT(need)) != 0; }

static void add_question(questions *list, const vector *v) {
  *MEMORY_ADD(list->items, list->count) = (question){.v = v, .answer = {.severity = RUN_SEVERITY_UNKNOWN}};
}

static void free_questions(questions *list) {
  for (size_t i = 0; i < list->count; i++)
    run_answer_deinit(&list->items[i].answer);
  free(list->items);
  *list = (questions){0};
}

/* Some of every operation that it claims, spread over the suite; half with layers where it claims these. */
static void choose(smoke *s) {
  size_t sizes[VECTOR_OP_COUNT][2] = {{0}}, met[VECTOR_OP_COUNT][2] = {{0}};
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < s->vector_count; i++) {
      const vector *v = &s->vectors[i];
      bool layers = (v->needs & VECTOR_NEED_BIT(VECTOR_NEED_LAYERS)) != 0;
      if (v->needs & ~s->capabilities)
        continue;
      size_t *size = &sizes[v->op][layers], at = met[v->op][layers];
      size_t wanted = *size < PER_GROUP ? *size : PER_GROUP;
      if (pass == 0) {
        ++*size;
        continue;
      }
      met[v->op][layers]++;
      if (at * wanted / *size != (at + 1) * wanted / *size)
        add_question(&s->chosen, v);
    }
}

/* ---- What is right ---- */

/* Whether the profile says what holds, and whether an answer is that. */
static bool is_judged(const smoke *s, const question *q, value_arena *arena, bool *right) {
  const vector_expectation *expectation = vector_expectation_for(q->v, s->profile);
  OWNED(run_answer_deinit) run_answer wanted = {.severity = RUN_SEVERITY_UNKNOWN};
  vector_answer stated;
  value_diagnostic diagnostic;
  if (!expectation || (q->answer.outcome != RUN_OK && q->answer.outcome != RUN_REJECT))
    return false;
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  *right = vector_expectation_answer(q->v, expectation, &(vector_case){.context = context}, arena, &diagnostic,
                                     &stated) == DLOC_OK &&
           run_answer_take(&wanted, context, &stated) == DLOC_OK && run_answer_satisfies(&q->answer, &wanted);
  return true;
}

static void tell_right(smoke *s) {
  for (unsigned op = 0; op < VECTOR_OP_COUNT; op++) {
    size_t all = 0, good = 0;
    for (size_t i = 0; i < s->chosen.count; i++) {
      bool right = false;
      value_arena_reset(&s->arena);
      if ((unsigned)s->chosen.items[i].v->op == op && is_judged(s, &s->chosen.items[i], &s->arena, &right)) {
        all++;
        good += right;
      }
    }
    if (!all)
      continue;
    OWNED(memory_release)
    char *text = text_format("%zu of %zu answers to '%s' are what profile %s expects", good, all,
                             vector_op_name((vector_op)op), s->profile->name);
    say(s, "note", text, NULL, NULL);
  }
}

/* ---- The conversation ---- */

static void talk_start(smoke *s) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  unsigned before = s->wrong;
  if (!call(s, NULL)) {
    hang_up(s);
    return;
  }
  if (!s->capabilities)
    breach(s, RULE_STARTED_CAPABILITIES, NULL, "it claims nothing that a vector could ask");
  buffer_format(&text, "it is %s; it does", s->name);
  for (unsigned need = 0; need < VECTOR_NEED_COUNT; need++)
    if (claims(s, need))
      buffer_format(&text, " %s", vector_need_name(need));
  praise(s, before, text.bytes);
}

static void talk_flush(smoke *s) {
  unsigned before = s->wrong;
  ask(s, NULL, 0, false, false);
  praise(s, before, "it answers a flush without questions");
}

static void talk_each(smoke *s) {
  unsigned before = s->wrong;
  for (size_t i = 0; i < s->chosen.count && call_again(s); i++)
    ask(s, &s->chosen.items[i], 1, false, false);
  OWNED(memory_release) char *text = text_format("it answers %zu vectors, one by one", s->chosen.count);
  praise(s, before, text);
}

static void talk_again(smoke *s, bool backwards, const char *well) {
  unsigned before = s->wrong;
  if (!call_again(s))
    return;
  ask(s, s->chosen.items, s->chosen.count, true, backwards);
  praise(s, before, well);
}

/* One vector of each operation that it does not claim. */
static questions find_strange(const smoke *s) {
  questions strange = {0};
  for (unsigned op = 0; op < VECTOR_OP_COUNT; op++)
    for (size_t i = 0; !claims(s, op) && i < s->vector_count; i++)
      if ((unsigned)s->vectors[i].op == op) {
        add_question(&strange, &s->vectors[i]);
        break;
      }
  return strange;
}

static void talk_unknown(smoke *s) {
  OWNED(free_questions) questions strange = find_strange(s);
  unsigned before = s->wrong;
  if (strange.count && call_again(s)) {
    ask(s, strange.items, strange.count, false, false);
    for (size_t i = 0; i < strange.count; i++) {
      const question *q = &strange.items[i];
      run_outcome outcome = q->answer.outcome;
      if (outcome == RUN_OK || run_is_rejection(outcome))
        breach(s, RULE_UNKNOWN, NULL, "it claims no '%s', but answers %s with %s", vector_op_name(q->v->op),
               q->v->id.bytes, run_outcome_name(outcome));
    }
    praise(s, before, "it leaves out what it does not claim");
  }
}

static void talk_stop(smoke *s) {
  dloc_buffer lines = {0};
  dloc_text line;
  unsigned before = s->wrong;
  if (!call_again(s))
    return;
  protocol_write_stop(&s->arena, &lines);
  process_send(&s->child, &lines);
  s->child.input_ends = true;
  while (s->breaches[RULE_STOP] < SHOWN && read_line(s, &line))
    breach(s, RULE_STOP, &line, "it writes a line after stop");
  process_kill(&s->child);
  if ((s->child.timed_out || s->child.overflowed || s->child.status) && s->breaches[RULE_STOP] < SHOWN)
    breach(s, RULE_STOP, NULL, "after stop: %s", describe_end(s));
  hang_up(s);
  praise(s, before, "it ends after stop");
}

/* With a profile that the user names, a line that is none of the protocol, and an end without stop. */
static void talk_end(smoke *s) {
  static const char nonsense[] = "\1this is no JSON\n";
  dloc_text line;
  bool goes_on = true;
  if (s->deaths >= MOST_DEATHS || !call(s, "rfc"))
    return;
  unsigned before = s->wrong;
  process_write(&s->child, nonsense, sizeof nonsense - 1);
  s->child.input_ends = true;
  for (int i = 0; i < 100 && goes_on; i++)
    goes_on = read_line(s, &line);
  if (goes_on || s->child.timed_out)
    breach(s, RULE_INPUT_END, NULL, "it goes on without input");
  hang_up(s);
  praise(s, before, "it starts with a profile, and ends with its input");
}

static void converse(smoke *s) {
  talk_start(s);
  if (s->talks) {
    choose(s);
    talk_flush(s);
    talk_each(s);
    talk_again(s, false, "it answers all of them at once, with large numbers, and as before");
    talk_again(s, true, "it answers them again, in the opposite order, and as before");
    talk_unknown(s);
    talk_stop(s);
    talk_end(s);
  }
  hang_up(s);
  tell_right(s);
}

/* ---- The command ---- */

static int try_adapter(smoke *s) {
  value map = {.kind = VALUE_MAP};
  OWNED(value_arena_deinit) value_arena arena = {0};
  if (strcmp(s->command, "model") == 0 || strcmp(s->command, "llvm") == 0)
    tool_fail("%s is a part of dloc and speaks no protocol; give a command", s->command);
  value_put_text(&arena, &map, "adapter", dloc_text_of(s->command));
  if (s->json)
    tool_print_json(&map);
  else
    puts(s->command);
  converse(s);
  if (s->json)
    printf("{\"wrong\":%u}\n", s->wrong);
  else if (s->wrong)
    printf("%u time%s wrong\n", s->wrong, s->wrong == 1 ? "" : "s");
  else
    puts("nothing is wrong with it");
  free_questions(&s->chosen);
  value_arena_deinit(&s->arena);
  return s->wrong ? TOOL_VIOLATION : TOOL_FINE;
}

static int try_all(const smoke *how, const char *path, char **adapters, int count) {
  OWNED(vectors_close) vectors v;
  OWNED(memory_release) vector *kept = NULL;
  size_t kept_count = 0;
  int worst = TOOL_FINE;
  vectors_open(&v, &path, 1);
  v.keep = true;
  while (vectors_next(&v))
    *MEMORY_ADD(kept, kept_count) = v.vector;
  if (v.status == TOOL_FINE && !kept_count)
    tool_fail("there is no vector in %s", path);
  for (int i = 0; v.status == TOOL_FINE && i < count; i++) {
    smoke s = *how;
    s.command = adapters[i];
    s.vectors = kept;
    s.vector_count = kept_count;
    fputs(i && !s.json ? "\n" : "", stdout);
    int status = try_adapter(&s);
    worst = status > worst ? status : worst;
  }
  return v.status > worst ? v.status : worst;
}

int tool_smoke(int argc, char **argv) {
  const char *path = script_vectors();
  uint64_t timeout = 10;
  bool list = false;
  smoke s = {.profile = dloc_profile_at(0)};
  const tool_option options[] = {{TOOL_TEXT, "vectors", NULL, &path},
                                 {TOOL_NUMBER, "timeout", "for one line; default: 10", &timeout},
                                 {TOOL_FLAG, "json", NULL, &s.json},
                                 {TOOL_FLAG, "list", "only list the rules", &list},
                                 {0}};
  int count = tool_parse(argc, argv, &smoke_usage, options);
  for (int i = 0; list && i < RULE_COUNT; i++)
    printf("- `%s`: %s\n", rules[i][0], rules[i][1]);
  if (list)
    return TOOL_FINE;
  if (count == 0 || timeout < 1 || timeout > 86400)
    tool_fail(count ? "--timeout must be 1 to 86400" : "which adapter?");
  s.timeout = (double)timeout;
  tool_require_rereadable(path);
  return try_all(&s, path, argv, count);
}
