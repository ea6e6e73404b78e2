/* json.c - a run as JSON Lines, written and read back: the run, each result, each choice it tells of, the totals.
 * Nothing in it depends on the clock. Members that a later version adds are passed over. */
#include "document/memory.h"
#include "document/text.h"
#include "report.h"
#include "try.h"
#include "writer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the lines hold ---- */

typedef enum field_kind {
  FIELD_TEXT,
  FIELD_OPTIONAL, /* a text; absent when it is NULL */
  FIELD_TEXTS,
  FIELD_NUMBER,
  FIELD_OUTCOME,
  FIELD_VERDICT,
  FIELD_FOLLOWS
} field_kind;

/* A member of a line, and where its value stands in the struct that the line tells. */
typedef struct member {
  field_kind kind;
  const char *key; /* NULL ends the table */
  size_t offset;
  size_t count; /* of texts: where their number stands */
} member;

#define FIELD(kind, key, type, name)                                                                                   \
  { FIELD_##kind, key, offsetof(type, name), 0 }
#define TEXTS(key, type, name, number)                                                                                 \
  { FIELD_TEXTS, key, offsetof(type, name), offsetof(type, number) }

static const member run_fields[] = {FIELD(TEXT, "implementation", record, implementation),
                                    FIELD(TEXT, "version", record, version),
                                    FIELD(TEXT, "profile", record, profile),
                                    TEXTS("choices", record, choices, choice_count),
                                    {0}};

static const member result_fields[] = {FIELD(TEXT, "id", run_result, id),
                                       TEXTS("clauses", run_result, clauses, clause_count),
                                       FIELD(TEXT, "level", run_result, level),
                                       FIELD(TEXT, "op", run_result, op),
                                       FIELD(OUTCOME, "outcome", run_result, outcome),
                                       FIELD(VERDICT, "verdict", run_result, verdict),
                                       FIELD(OPTIONAL, "path", run_result, path),
                                       FIELD(TEXT, "digest", run_result, digest),
                                       FIELD(OPTIONAL, "expected", run_result, expected),
                                       FIELD(OPTIONAL, "actual", run_result, actual),
                                       FIELD(OPTIONAL, "known", run_result, known),
                                       {0}};

static const member finding_fields[] = {FIELD(TEXT, "choice", record_finding, choice),
                                        FIELD(FOLLOWS, "follows", record_finding, follows),
                                        FIELD(TEXT, "alternatives", record_finding, alternatives),
                                        TEXTS("witnesses", record_finding, witnesses, witness_count),
                                        {0}};

/* The totals that the results do not tell; those that they do are written for other programs. */
static const member total_fields[] = {FIELD(NUMBER, "not-applicable", record, not_applicable),
                                      FIELD(NUMBER, "unreadable", record, unreadable),
                                      FIELD(NUMBER, "layers-lost-as-expected", record, layers_lost_as_expected),
                                      FIELD(NUMBER, "restarts", record, restarts),
                                      {0}};

static const member fault_fields[] = {
    TEXTS("faults", record, faults, faults_kept), FIELD(NUMBER, "fault-count", record, fault_count), {0}};

/* The names of an outcome, a verdict, or what is followed; NULL behind the last. */
static const char *word_of(field_kind kind, unsigned value) {
  switch (kind) {
  case FIELD_OUTCOME:
    return value < RUN_OUTCOME_COUNT ? run_outcome_name((run_outcome)value) : NULL;
  case FIELD_VERDICT:
    return value <= RUN_DEGRADED_LAYERS ? record_verdict_name((run_verdict)value) : NULL;
  default:
    return value <= RUN_FOLLOWS_MIXED ? run_follows_name((run_follows)value) : NULL;
  }
}

_Static_assert(sizeof(run_outcome) == sizeof(unsigned) && sizeof(run_verdict) == sizeof(unsigned) &&
                   sizeof(run_follows) == sizeof(unsigned),
               "words are read and written as unsigned numbers");

/* ---- Writing ---- */

static void write_texts(writer *w, const char *const *texts, size_t count) {
  write_plain(w, "[");
  for (size_t i = 0; i < count; i++) {
    write_plain(w, i ? ", " : "");
    write_json(w, texts[i]);
  }
  write_plain(w, "]");
}

static void write_value(writer *w, const member *f, const void *object) {
  const void *at = (const char *)object + f->offset;
  unsigned word;
  switch (f->kind) {
  case FIELD_TEXT:
  case FIELD_OPTIONAL:
    write_json(w, *(const char *const *)at);
    break;
  case FIELD_TEXTS: {
    const void *count = (const char *)object + f->count;
    write_texts(w, *(const char *const *const *)at, *(const size_t *)count);
    break;
  }
  case FIELD_NUMBER:
    write_format(w, "%zu", *(const size_t *)at);
    break;
  default:
    memcpy(&word, at, sizeof word);
    write_json(w, word_of(f->kind, word));
  }
}

/* The members of a line; start stands before the first. */
static void write_fields(writer *w, const char *start, const member *fields, const void *object) {
  for (const member *f = fields; f->key; f++) {
    const void *at = (const char *)object + f->offset;
    if (f->kind == FIELD_OPTIONAL && !*(const char *const *)at)
      continue;
    write_format(w, "%s\"%s\": ", f == fields ? start : ", ", f->key);
    write_value(w, f, object);
  }
}

static void write_line_of(writer *w, const member *fields, const void *object) {
  write_fields(w, "{", fields, object);
  write_plain(w, "}\n");
}

static void write_outcomes(writer *w, const record *r) {
  size_t counts[RUN_OUTCOME_COUNT];
  record_outcomes(r, counts);
  write_plain(w, ", \"outcomes\": {");
  for (int i = RUN_UNANSWERED + 1; i < RUN_OUTCOME_COUNT; i++)
    write_format(w, "%s\"%s\": %zu", i > 1 ? ", " : "", run_outcome_name((run_outcome)i), counts[i]);
  write_plain(w, "}");
}

static void write_stale(writer *w, const record *r) {
  write_plain(w, ", \"stale\": [");
  for (size_t i = 0; i < r->stale_count; i++) {
    write_format(w, "%s{\"line\": %u, \"seen\": %s", i ? ", " : "", (unsigned)r->stale[i].line,
                 r->stale[i].seen ? "true" : "false");
    write_member(w, "id", r->stale[i].id);
    write_plain(w, "}");
  }
  write_plain(w, "]");
}

static void write_totals(writer *w, const record *r) {
  record_counts counts = record_totals(r);
  write_format(w,
               "{\"vectors\": %zu, \"as-expected\": %zu, \"different\": %zu, \"known\": %zu, \"skipped\": %zu, "
               "\"not-judged\": %zu",
               r->count, counts.as_expected, counts.different, counts.known, counts.skipped, counts.not_judged);
  write_fields(w, ", ", total_fields, r);
  write_outcomes(w, r);
  write_stale(w, r);
  write_fields(w, ", ", fault_fields, r);
  write_format(w, ", \"good\": %s}\n", record_good(r) ? "true" : "false");
}

dloc_status report_json(const record *r, dloc_sink sink) {
  writer w = {sink, false};
  write_line_of(&w, run_fields, r);
  for (size_t i = 0; i < r->count; i++)
    write_line_of(&w, result_fields, &r->results[i]);
  for (size_t i = 0; i < r->finding_count; i++)
    write_line_of(&w, finding_fields, &r->findings[i]);
  write_totals(&w, r);
  return write_finish(&w);
}

/* ---- Reading members ---- */

/* The lines of a file, one at a time; texts that are kept are copied into the record's arena. */
typedef struct line_reader {
  record *record;
  value_arena scratch;
  value_diagnostic *diagnostic;
  uint32_t number;
  const value *line;
  bool ended;
} line_reader;

static dloc_status wrong(const line_reader *l, const char *message) {
  return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s", message);
}

/* A text that is kept. A NUL would cut it. */
static bool keep_text(line_reader *l, const value *v, const char **ret) {
  dloc_text text = value_text(v);
  if (v->kind != VALUE_SCALAR || memchr(text.bytes, '\0', text.size))
    return false;
  *ret = value_arena_copy(&l->record->arena, text).bytes;
  return true;
}

static dloc_status read_text(line_reader *l, const value *map, const char *key, bool optional, const char **ret) {
  const value *v = value_get(map, key);
  *ret = NULL;
  if (!v && !optional)
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no %s", key);
  if (v && !keep_text(l, v, ret))
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s must be a text", key);
  return DLOC_OK;
}

static dloc_status read_list(const line_reader *l, const char *key, const value **ret) {
  *ret = value_get(l->line, key);
  if (!*ret || (*ret)->kind != VALUE_LIST)
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no list %s", key);
  return DLOC_OK;
}

static dloc_status read_texts(line_reader *l, const char *key, const char *const **ret, size_t *ret_count) {
  const value *list;
  TRY(read_list(l, key, &list));
  const char **texts = value_arena_alloc(&l->record->arena, list->count, sizeof *texts);
  for (uint32_t i = 0; i < list->count; i++)
    if (!keep_text(l, &list->of.items[i], &texts[i]))
      return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s must be a list of texts", key);
  *ret = texts;
  *ret_count = list->count;
  return DLOC_OK;
}

static dloc_status read_number(const line_reader *l, const char *key, size_t *ret) {
  uint64_t number;
  if (!value_unsigned(value_get(l->line, key), SIZE_MAX, &number))
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no number %s", key);
  *ret = (size_t)number;
  return DLOC_OK;
}

static dloc_status read_word(const line_reader *l, const member *f, void *ret) {
  const char *name;
  /* No result of a file is unanswered. */
  for (unsigned word = f->kind == FIELD_OUTCOME; (name = word_of(f->kind, word)); word++)
    if (value_is(value_get(l->line, f->key), name)) {
      memcpy(ret, &word, sizeof word);
      return DLOC_OK;
    }
  if (f->kind == FIELD_FOLLOWS)
    return wrong(l, "follows must be unknown, one, several or mixed");
  return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no known %s", f->key);
}

static dloc_status read_fields(line_reader *l, const member *fields, void *object) {
  for (const member *f = fields; f->key; f++) {
    void *at = (char *)object + f->offset, *count = (char *)object + f->count;
    switch (f->kind) {
    case FIELD_TEXT:
    case FIELD_OPTIONAL:
      TRY(read_text(l, l->line, f->key, f->kind == FIELD_OPTIONAL, at));
      break;
    case FIELD_TEXTS:
      TRY(read_texts(l, f->key, at, count));
      break;
    case FIELD_NUMBER:
      TRY(read_number(l, f->key, at));
      break;
    default:
      TRY(read_word(l, f, at));
    }
  }
  return DLOC_OK;
}

/* ---- Reading lines ---- */

static dloc_status read_result(line_reader *l) {
  run_result *result = &l->record->results[l->record->count++];
  TRY(read_fields(l, result_fields, result));
  return result->clause_count ? DLOC_OK : wrong(l, "the result names no clause");
}

static dloc_status read_stale(line_reader *l) {
  const value *list;
  TRY(read_list(l, "stale", &list));
  record_stale *stale = value_arena_alloc(&l->record->arena, list->count, sizeof *stale);
  for (uint32_t i = 0; i < list->count; i++) {
    const value *entry = &list->of.items[i];
    uint64_t line;
    TRY(read_text(l, entry, "id", false, &stale[i].id));
    if (!value_unsigned(value_get(entry, "line"), UINT32_MAX, &line) ||
        !value_boolean(value_get(entry, "seen"), &stale[i].seen))
      return wrong(l, "an entry of stale has no line, or no seen");
    stale[i].line = (uint32_t)line;
  }
  l->record->stale = stale;
  l->record->stale_count = list->count;
  return DLOC_OK;
}

/* A number of vectors that is not that of the results means that lines are missing. */
static dloc_status read_totals(line_reader *l) {
  record *r = l->record;
  size_t vectors;
  TRY(read_number(l, "vectors", &vectors));
  if (vectors != r->count)
    return wrong(l, "the file has another number of results than its last line says");
  TRY(read_fields(l, total_fields, r));
  TRY(read_stale(l));
  TRY(read_fields(l, fault_fields, r));
  if (r->faults_kept > r->fault_count)
    return wrong(l, "there are more faults than fault-count says");
  l->ended = true;
  return DLOC_OK;
}

static dloc_status read_line(line_reader *l) {
  record *r = l->record;
  if (l->ended)
    return wrong(l, "nothing may follow the totals");
  if (!r->implementation)
    return value_get(l->line, "implementation") ? read_fields(l, run_fields, r)
                                                : wrong(l, "the first line must name the implementation");
  if (value_get(l->line, "id"))
    return read_result(l);
  if (value_get(l->line, "choice"))
    return read_fields(l, finding_fields, &r->findings[r->finding_count++]);
  if (value_get(l->line, "vectors"))
    return read_totals(l);
  return wrong(l, "the line is neither a result nor a choice nor the totals of a run");
}

static dloc_status read_document(line_reader *l, dloc_text line) {
  value *document = NULL;
  value_arena_reset(&l->scratch);
  dloc_status status = value_read_one(line, &l->scratch, l->diagnostic, &document);
  if (status == DLOC_INVALID && l->diagnostic)
    l->diagnostic->line = l->number;
  TRY(status);
  if (document->kind != VALUE_MAP)
    return wrong(l, "a line must be a JSON object");
  l->line = document;
  return read_line(l);
}

static dloc_status read_lines(line_reader *l, dloc_text rest) {
  while (rest.size) {
    l->number++;
    TRY(read_document(l, text_take_line(&rest)));
  }
  l->number++;
  return l->ended ? DLOC_OK : wrong(l, "the file ends before the totals of the run");
}

/* ---- The whole ---- */

static int compare_ids(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Ids are what everything refers to. */
static dloc_status check_ids(const line_reader *l) {
  const record *r = l->record;
  const char **ids = memory_allocate(r->count, sizeof *ids);
  for (size_t i = 0; i < r->count; i++)
    ids[i] = r->results[i].id;
  qsort(ids, r->count, sizeof *ids, compare_ids);
  dloc_status status = DLOC_OK;
  for (size_t i = 1; status == DLOC_OK && i < r->count; i++)
    if (strcmp(ids[i - 1], ids[i]) == 0)
      status = value_diagnose(l->diagnostic, l->number, 1, "report.format", "two results of %.200s", ids[i]);
  free(ids);
  return status;
}

dloc_status record_read(dloc_text text, value_diagnostic *diagnostic, record *ret) {
  record r = {.seconds = -1};
  line_reader l = {.record = &r, .diagnostic = diagnostic};
  size_t lines = 0;
  for (dloc_text rest = text; rest.size; lines++)
    text_take_line(&rest);
  r.results = value_arena_alloc(&r.arena, lines, sizeof *r.results);
  r.findings = value_arena_alloc(&r.arena, lines, sizeof *r.findings);
  dloc_status status = read_lines(&l, text);
  if (status == DLOC_OK)
    status = check_ids(&l);
  value_arena_deinit(&l.scratch);
  if (status == DLOC_OK)
    *ret = r;
  else
    record_deinit(&r);
  return status;
}
