/* json.c - a run as JSON Lines: the run, each result, each choice it tells of, the totals. Nothing in it depends on the
 * clock. One function names the members of each kind of line, for writing it and for reading it back; members that a
 * later version adds are passed over. */
#include "document/memory.h"
#include "document/names.h"
#include "document/text.h"
#include "report.h"
#include "writer.h"

#include <string.h>

/* A line. The record's arena keeps all that is read; the first fault ends the reading. */
typedef struct line {
  writer *w;     /* NULL: it is read */
  bool started;  /* a member is written */
  record record; /* as far as it is read */
  value_arena scratch;
  value_diagnostic *diagnostic;
  uint32_t number;
  const value *value;
  dloc_status status;
  bool ended; /* the totals are read */
} line;

#define COMPLAIN(l, ...)                                                                                               \
  ((void)((l)->status == DLOC_OK &&                                                                                    \
          ((l)->status = value_diagnose((l)->diagnostic, (l)->number, 1, "report.format", __VA_ARGS__))))

/* ---- Members ---- */

static void write_key(line *l, const char *key) {
  write_format(l->w, "%s\"%s\": ", l->started ? ", " : "{", key);
  l->started = true;
}

/* A text that is kept; NULL, after a complaint in printf's format, when it is none. A NUL would cut it. */
static const char *keep(line *l, const value *v, const char *complaint, const char *key) {
  dloc_text text = value_text(v);
  if (v->kind == VALUE_SCALAR && !memchr(text.bytes, '\0', text.size))
    return value_arena_copy(&l->record.arena, text).bytes;
  COMPLAIN(l, "%s must be %s", key, complaint);
  return NULL;
}

static void optional(line *l, const char *key, const char **text) {
  const value *v = l->w ? NULL : value_get(l->value, key);
  if (v) {
    *text = keep(l, v, "a text", key);
  } else if (l->w && *text) {
    write_key(l, key);
    write_json(l->w, *text);
  }
}

static void text(line *l, const char *key, const char **text) {
  optional(l, key, text);
  if (!*text)
    COMPLAIN(l, "the line has no %s", key);
}

/* NULL after a complaint. */
static const value *read_list(line *l, const char *key) {
  const value *list = value_get(l->value, key);
  if (list && list->kind == VALUE_LIST)
    return list;
  COMPLAIN(l, "the line has no list %s", key);
  return NULL;
}

static void write_texts(line *l, const char *key, const char *const *items, size_t count) {
  write_key(l, key);
  write_plain(l->w, "[");
  for (size_t i = 0; i < count; i++) {
    write_plain(l->w, i ? ", " : "");
    write_json(l->w, items[i]);
  }
  write_plain(l->w, "]");
}

static void texts(line *l, const char *key, const char *const **items, size_t *count) {
  if (l->w) {
    write_texts(l, key, *items, *count);
    return;
  }
  const value *list = read_list(l, key);
  *count = list ? list->count : 0;
  const char **kept = value_arena_alloc(&l->record.arena, *count, sizeof *kept);
  for (uint32_t i = 0; i < *count; i++)
    kept[i] = keep(l, &list->of.items[i], "a list of texts", key);
  *items = kept;
}

static void number(line *l, const char *key, size_t *number) {
  uint64_t read = 0;
  if (l->w) {
    write_key(l, key);
    write_format(l->w, "%zu", *number);
    return;
  }
  if (!value_unsigned(value_get(l->value, key), SIZE_MAX, &read))
    COMPLAIN(l, "the line has no number %s", key);
  *number = (size_t)read;
}

typedef enum words { OUTCOMES, VERDICTS, BASES, FOLLOWS } words;

/* NULL behind the last. */
static const char *word_of(words words, unsigned at) {
  switch (words) {
  case OUTCOMES:
    return at < RUN_OUTCOME_COUNT ? run_outcome_name((run_outcome)at) : NULL;
  case VERDICTS:
    return at <= RUN_DEGRADED_LAYERS ? record_verdict_name((run_verdict)at) : NULL;
  case BASES:
    return at <= RUN_BY_MODEL ? run_basis_name((run_basis)at) : NULL;
  default:
    return at <= RUN_FOLLOWS_MIXED ? run_follows_name((run_follows)at) : NULL;
  }
}

static unsigned word(line *l, const char *key, words words, unsigned written) {
  if (l->w) {
    write_key(l, key);
    write_json(l->w, word_of(words, written));
    return written;
  }
  unsigned first = words == OUTCOMES ? RUN_UNANSWERED + 1 : 0;
  for (unsigned i = first; word_of(words, i); i++)
    if (value_is(value_get(l->value, key), word_of(words, i)))
      return i;
  if (words == FOLLOWS)
    COMPLAIN(l, "follows must be unknown, one, several or mixed");
  COMPLAIN(l, "the line has no known %s", key);
  return first;
}

/* ---- Lines ---- */

static void run_line(line *l, record *r) {
  text(l, "implementation", &r->implementation);
  text(l, "version", &r->version);
  optional(l, "revision", &r->revision);
  optional(l, "label", &r->label);
  optional(l, "command", &r->command);
  optional(l, "doubt", &r->doubt);
  optional(l, "remark", &r->remark);
  text(l, "profile", &r->profile);
  texts(l, "choices", &r->choices, &r->choice_count);
}

static void result_line(line *l, run_result *result) {
  text(l, "id", &result->id);
  texts(l, "clauses", &result->clauses, &result->clause_count);
  text(l, "level", &result->level);
  text(l, "op", &result->op);
  result->outcome = (run_outcome)word(l, "outcome", OUTCOMES, result->outcome);
  result->verdict = (run_verdict)word(l, "verdict", VERDICTS, result->verdict);
  if (l->w || value_get(l->value, "basis")) /* earlier versions did not tell */
    result->basis = (run_basis)word(l, "basis", BASES, result->basis);
  optional(l, "path", &result->path);
  if (result->line || (!l->w && value_get(l->value, "line")))
    number(l, "line", &result->line);
  text(l, "digest", &result->digest);
  optional(l, "expected", &result->expected);
  optional(l, "actual", &result->actual);
  optional(l, "known", &result->known);
  optional(l, "answer", &result->answer);
  optional(l, "listed", &result->listed);
  optional(l, "note", &result->note);
  optional(l, "asked", &result->asked);
  optional(l, "through", &result->through);
  optional(l, "module", &result->module);
  optional(l, "errors", &result->errors);
  if (result->clause_count == 0)
    COMPLAIN(l, "the result names no clause");
}

static void finding_line(line *l, record_finding *finding) {
  text(l, "choice", &finding->choice);
  finding->follows = (run_follows)word(l, "follows", FOLLOWS, finding->follows);
  text(l, "alternatives", &finding->alternatives);
  optional(l, "profile", &finding->profile);
  texts(l, "witnesses", &finding->witnesses, &finding->witness_count);
}

/* The results again, for other programs. */
static void write_counts(line *l, const record *r) {
  record_counts counts = record_totals(r);
  number(l, "as-expected", &counts.as_expected);
  number(l, "different", &counts.different);
  number(l, "known", &counts.known);
  number(l, "skipped", &counts.skipped);
  number(l, "not-judged", &counts.not_judged);
  number(l, "by-model", &counts.by_model);
}

static void write_outcomes(line *l, const record *r) {
  size_t counts[RUN_OUTCOME_COUNT];
  record_outcomes(r, counts);
  write_key(l, "outcomes");
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    write_format(l->w, "%s\"%s\": %zu", i > 1 ? ", " : "{", run_outcome_name((run_outcome)i), counts[i]);
  write_plain(l->w, "}");
}

static void write_stale(line *l, const record *r) {
  write_key(l, "stale");
  write_plain(l->w, "[");
  for (size_t i = 0; i < r->stale_count; i++) {
    write_format(l->w, "%s{\"line\": %u, \"seen\": %s", i ? ", " : "", (unsigned)r->stale[i].line,
                 r->stale[i].seen ? "true" : "false");
    write_member(l->w, "id", r->stale[i].id);
    write_plain(l->w, "}");
  }
  write_plain(l->w, "]");
}

static void read_stale(line *l, record *r) {
  const value *list = read_list(l, "stale");
  r->stale_count = list ? list->count : 0;
  r->stale = value_arena_alloc(&l->record.arena, r->stale_count, sizeof *r->stale);
  for (uint32_t i = 0; i < r->stale_count && l->status == DLOC_OK; i++) {
    uint64_t at = 0;
    l->value = &list->of.items[i];
    text(l, "id", &r->stale[i].id);
    if (!value_unsigned(value_get(l->value, "line"), UINT32_MAX, &at) ||
        !value_boolean(value_get(l->value, "seen"), &r->stale[i].seen))
      COMPLAIN(l, "an entry of stale has no line, or no seen");
    r->stale[i].line = (uint32_t)at;
  }
}

/* A number of vectors that is not that of the results means that lines are missing. */
static void totals_line(line *l, record *r) {
  const value *whole = l->value;
  size_t vectors = r->count;
  number(l, "vectors", &vectors);
  if (vectors != r->count)
    COMPLAIN(l, "the file has another number of results than its last line says");
  if (l->w)
    write_counts(l, r);
  number(l, "not-applicable", &r->not_applicable);
  number(l, "unreadable", &r->unreadable);
  number(l, "layers-lost-as-expected", &r->layers_lost_as_expected);
  number(l, "restarts", &r->restarts);
  const value *partial = l->w ? NULL : value_get(l->value, "partial");
  if (partial && !value_boolean(partial, &r->partial))
    COMPLAIN(l, "partial must be true or false");
  if (l->w && r->partial) {
    write_key(l, "partial");
    write_plain(l->w, "true");
  }
  if (l->w) {
    write_outcomes(l, r);
    write_stale(l, r);
  } else {
    read_stale(l, r);
    l->value = whole;
  }
  texts(l, "faults", &r->faults, &r->faults_kept);
  number(l, "fault-count", &r->fault_count);
  if (r->faults_kept > r->fault_count)
    COMPLAIN(l, "there are more faults than fault-count says");
}

/* ---- Writing ---- */

static void end_line(line *l) {
  write_plain(l->w, "}\n");
  l->started = false;
}

dloc_status report_json(const record *r, dloc_sink sink) {
  writer w = {.sink = sink};
  line l = {.w = &w};
  record copy = *r;
  run_line(&l, &copy);
  for (size_t i = 0; i < r->count; i++) {
    end_line(&l);
    result_line(&l, &copy.results[i]);
  }
  for (size_t i = 0; i < r->finding_count; i++) {
    end_line(&l);
    finding_line(&l, &copy.findings[i]);
  }
  end_line(&l);
  totals_line(&l, &copy);
  write_format(&w, ", \"good\": %s}\n", record_good(r) ? "true" : "false");
  return write_finish(&w);
}

/* ---- Reading ---- */

static void read_line(line *l) {
  record *r = &l->record;
  if (l->ended) {
    COMPLAIN(l, "nothing may follow the totals");
  } else if (!r->implementation) {
    if (!value_get(l->value, "implementation"))
      COMPLAIN(l, "the first line must name the implementation");
    run_line(l, r);
  } else if (value_get(l->value, "id")) {
    result_line(l, &r->results[r->count++]);
  } else if (value_get(l->value, "choice")) {
    finding_line(l, &r->findings[r->finding_count++]);
  } else if (value_get(l->value, "vectors")) {
    totals_line(l, r);
    l->ended = true;
  } else {
    COMPLAIN(l, "the line is neither a result nor a choice nor the totals of a run");
  }
}

static void read_lines(line *l, dloc_text rest) {
  while (rest.size && l->status == DLOC_OK) {
    value *document = NULL;
    value_arena_reset(&l->scratch);
    l->number++;
    l->status = value_read_json(text_take_line(&rest), &l->scratch, l->diagnostic, &document);
    if (l->status == DLOC_INVALID && l->diagnostic)
      l->diagnostic->line = l->number;
    if (document && document->kind != VALUE_MAP)
      COMPLAIN(l, "a line must be a JSON object");
    l->value = document;
    if (l->status == DLOC_OK)
      read_line(l);
  }
  l->number += l->status == DLOC_OK;
  if (!l->ended)
    COMPLAIN(l, "the file ends before the totals of the run");
}

/* Ids are what everything refers to. */
static void check_ids(line *l) {
  OWNED(names_deinit) names ids = {0};
  for (size_t i = 0; i < l->record.count; i++)
    if (names_number(&ids, dloc_text_of(l->record.results[i].id)) != i)
      COMPLAIN(l, "two results of %.200s", l->record.results[i].id);
}

dloc_status record_read(dloc_text text, value_diagnostic *diagnostic, record *ret) {
  line l = {.record = {.seconds = -1}, .diagnostic = diagnostic};
  size_t lines = 0;
  for (dloc_text rest = text; rest.size; lines++)
    text_take_line(&rest);
  l.record.results = value_arena_alloc(&l.record.arena, lines, sizeof *l.record.results);
  l.record.findings = value_arena_alloc(&l.record.arena, lines, sizeof *l.record.findings);
  read_lines(&l, text);
  if (l.status == DLOC_OK)
    check_ids(&l);
  value_arena_deinit(&l.scratch);
  if (l.status == DLOC_OK)
    *ret = l.record;
  else
    record_deinit(&l.record);
  return l.status;
}
