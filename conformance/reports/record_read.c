/* record_read.c - reads a run back from its JSON lines. Members that a later version adds are passed over. */
#include "record.h"

#include "document/memory.h"
#include "try.h"

#include <stdlib.h>
#include <string.h>

/* The lines of a file, one at a time; texts that are kept are copied into the record's arena. */
typedef struct line_reader {
  record *record;
  value_arena scratch;
  value_diagnostic *diagnostic;
  uint32_t number;
  const value *line;
  record_result *results; /* malloc's, until all are known */
  record_finding *findings;
  bool ended;
} line_reader;

static dloc_status wrong(const line_reader *l, const char *message) {
  return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s", message);
}

/* ---- Members ---- */

/* A text of the current line; NULL in *ret when it is absent. A NUL would cut it. */
static dloc_status read_optional(line_reader *l, const value *map, const char *key, const char **ret) {
  const value *v = value_get(map, key);
  *ret = NULL;
  if (!v)
    return DLOC_OK;
  dloc_text text = value_text(v);
  if (v->kind != VALUE_SCALAR || memchr(text.bytes, '\0', text.size))
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s must be a text", key);
  *ret = value_arena_copy(&l->record->arena, text).bytes;
  return DLOC_OK;
}

static dloc_status read_text(line_reader *l, const value *map, const char *key, const char **ret) {
  TRY(read_optional(l, map, key, ret));
  if (!*ret)
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no %s", key);
  return DLOC_OK;
}

static dloc_status read_texts(line_reader *l, const char *key, const char *const **ret, size_t *ret_count) {
  const value *list = value_get(l->line, key);
  if (!list || list->kind != VALUE_LIST)
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no list %s", key);
  const char **texts = value_arena_alloc(&l->record->arena, list->count, sizeof *texts);
  for (uint32_t i = 0; i < list->count; i++) {
    dloc_text text = value_text(&list->of.items[i]);
    if (list->of.items[i].kind != VALUE_SCALAR || memchr(text.bytes, '\0', text.size))
      return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s must be a list of texts", key);
    texts[i] = value_arena_copy(&l->record->arena, text).bytes;
  }
  *ret = texts;
  *ret_count = list->count;
  return DLOC_OK;
}

static dloc_status read_number(line_reader *l, const value *map, const char *key, size_t *ret) {
  uint64_t number;
  if (!value_unsigned(value_get(map, key), SIZE_MAX, &number))
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no number %s", key);
  *ret = (size_t)number;
  return DLOC_OK;
}

/* ---- Lines ---- */

static dloc_status read_run(line_reader *l) {
  TRY(read_text(l, l->line, "implementation", &l->record->implementation));
  TRY(read_text(l, l->line, "version", &l->record->version));
  TRY(read_text(l, l->line, "profile", &l->record->profile));
  return read_texts(l, "choices", &l->record->choices, &l->record->choice_count);
}

static dloc_status read_verdict(line_reader *l, run_verdict *ret) {
  static const struct {
    run_verdict verdict;
    const char *name;
  } verdicts[] = {
#define VERDICT(id, name) {RUN_##id, name},
      RECORD_VERDICTS(VERDICT)
#undef VERDICT
  };
  for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    if (value_is(value_get(l->line, "verdict"), verdicts[i].name)) {
      *ret = verdicts[i].verdict;
      return DLOC_OK;
    }
  return wrong(l, "the line has no known verdict");
}

static dloc_status read_result(line_reader *l) {
  record_result *result = MEMORY_ADD(l->results, l->record->count);
  TRY(read_text(l, l->line, "id", &result->id));
  TRY(read_texts(l, "clauses", &result->clauses, &result->clause_count));
  TRY(read_text(l, l->line, "level", &result->level));
  TRY(read_text(l, l->line, "op", &result->op));
  TRY(read_text(l, l->line, "digest", &result->digest));
  TRY(read_optional(l, l->line, "path", &result->path));
  TRY(read_optional(l, l->line, "expected", &result->expected));
  TRY(read_optional(l, l->line, "actual", &result->actual));
  TRY(read_optional(l, l->line, "known", &result->known));
  TRY(read_verdict(l, &result->verdict));
  if (result->clause_count == 0)
    return wrong(l, "the result names no clause");
  if (!run_outcome_find(value_text(value_get(l->line, "outcome")), &result->outcome))
    return wrong(l, "the line has no known outcome");
  return DLOC_OK;
}

static dloc_status read_follows(line_reader *l, run_follows *ret) {
  static const char *const names[] = {"unknown", "one", "several", "mixed"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (value_is(value_get(l->line, "follows"), names[i])) {
      *ret = (run_follows)i;
      return DLOC_OK;
    }
  return wrong(l, "follows must be unknown, one, several or mixed");
}

static dloc_status read_finding(line_reader *l) {
  record_finding *finding = MEMORY_ADD(l->findings, l->record->finding_count);
  TRY(read_text(l, l->line, "choice", &finding->choice));
  TRY(read_text(l, l->line, "alternatives", &finding->alternatives));
  TRY(read_follows(l, &finding->follows));
  return read_texts(l, "witnesses", &finding->witnesses, &finding->witness_count);
}

static dloc_status read_stale(line_reader *l) {
  const value *list = value_get(l->line, "stale");
  if (!list || list->kind != VALUE_LIST)
    return wrong(l, "the line has no list stale");
  record_stale *stale = value_arena_alloc(&l->record->arena, list->count, sizeof *stale);
  for (uint32_t i = 0; i < list->count; i++) {
    const value *entry = &list->of.items[i];
    uint64_t line;
    TRY(read_text(l, entry, "id", &stale[i].id));
    if (!value_unsigned(value_get(entry, "line"), UINT32_MAX, &line) ||
        !value_boolean(value_get(entry, "seen"), &stale[i].seen))
      return wrong(l, "an entry of stale has no line, or no seen");
    stale[i].line = (uint32_t)line;
  }
  l->record->stale = stale;
  l->record->stale_count = list->count;
  return DLOC_OK;
}

/* What the results do not tell themselves. A number of vectors that is not theirs means that lines are missing. */
static dloc_status read_totals(line_reader *l) {
  record *r = l->record;
  size_t vectors;
  TRY(read_number(l, l->line, "vectors", &vectors));
  if (vectors != r->count)
    return wrong(l, "the file has another number of results than its last line says");
  TRY(read_number(l, l->line, "not-applicable", &r->not_applicable));
  TRY(read_number(l, l->line, "unreadable", &r->unreadable));
  TRY(read_number(l, l->line, "layers-lost-as-expected", &r->layers_lost_as_expected));
  TRY(read_number(l, l->line, "restarts", &r->restarts));
  TRY(read_number(l, l->line, "fault-count", &r->fault_count));
  TRY(read_stale(l));
  TRY(read_texts(l, "faults", &r->faults, &r->faults_kept));
  if (r->faults_kept > r->fault_count)
    return wrong(l, "there are more faults than fault-count says");
  l->ended = true;
  return DLOC_OK;
}

static dloc_status read_line(line_reader *l) {
  if (l->ended)
    return wrong(l, "nothing may follow the totals");
  if (!l->record->implementation)
    return value_get(l->line, "implementation") ? read_run(l) : wrong(l, "the first line must name the implementation");
  if (value_get(l->line, "id"))
    return read_result(l);
  if (value_get(l->line, "choice"))
    return read_finding(l);
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
    const char *end = memchr(rest.bytes, '\n', rest.size);
    dloc_text line = {rest.bytes, end ? (size_t)(end - rest.bytes) : rest.size};
    size_t size = line.size + (end != NULL);
    rest = (dloc_text){rest.bytes + size, rest.size - size};
    l->number++;
    TRY(read_document(l, line));
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

/* A malloc'd array as one of the arena. */
static void *settle(record *r, void *items, size_t count, size_t size) {
  void *settled = value_arena_alloc(&r->arena, count, size);
  if (count)
    memcpy(settled, items, count * size);
  free(items);
  return settled;
}

dloc_status record_read(dloc_text text, value_diagnostic *diagnostic, record *ret) {
  record r = {.seconds = -1};
  line_reader l = {.record = &r, .diagnostic = diagnostic};
  dloc_status status = read_lines(&l, text);
  r.results = settle(&r, l.results, r.count, sizeof *r.results);
  r.findings = settle(&r, l.findings, r.finding_count, sizeof *r.findings);
  if (status == DLOC_OK)
    status = check_ids(&l);
  value_arena_deinit(&l.scratch);
  if (status == DLOC_OK)
    *ret = r;
  else
    record_deinit(&r);
  return status;
}
