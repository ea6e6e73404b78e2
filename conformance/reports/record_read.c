/* record_read.c - reads a run back from its JSON lines. Members that a later version adds are passed over. */
#include "record.h"

#include "try.h"

#include <stdlib.h>
#include <string.h>

/* The lines of a file, one at a time; texts that are kept are copied into the record's arena. */
typedef struct line_reader {
  record *record;
  value_arena scratch;
  value_diagnostic *diagnostic;
  dloc_text rest;
  uint32_t number;
  const value *line;
  size_t result_room;
  size_t finding_room;
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
  return *ret ? DLOC_OK : DLOC_NO_MEMORY;
}

static dloc_status read_text(line_reader *l, const value *map, const char *key, const char **ret) {
  dloc_status status = read_optional(l, map, key, ret);
  if (status == DLOC_OK && !*ret)
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no %s", key);
  return status;
}

static dloc_status read_texts(line_reader *l, const char *key, const char *const **ret, size_t *ret_count) {
  const value *list = value_get(l->line, key);
  if (!list || list->kind != VALUE_LIST)
    return value_diagnose(l->diagnostic, l->number, 1, "report.format", "the line has no list %s", key);
  const char **texts = value_arena_alloc(&l->record->arena, list->count, sizeof *texts);
  if (!texts)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++) {
    dloc_text text = value_text(&list->of.items[i]);
    if (list->of.items[i].kind != VALUE_SCALAR || memchr(text.bytes, '\0', text.size))
      return value_diagnose(l->diagnostic, l->number, 1, "report.format", "%s must be a list of texts", key);
    texts[i] = value_arena_copy(&l->record->arena, text).bytes;
    if (!texts[i])
      return DLOC_NO_MEMORY;
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

/* Room for one more in an array of the arena, which doubles. */
static void *grown(line_reader *l, void *items, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return items;
  size_t wanted = *room ? 2 * *room : 256;
  void *larger = value_arena_alloc(&l->record->arena, wanted, size);
  if (larger && count)
    memcpy(larger, items, count * size);
  if (larger)
    *room = wanted;
  return larger;
}

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
  record *r = l->record;
  record_result *results = grown(l, r->results, r->count, &l->result_room, sizeof *results);
  if (!results)
    return DLOC_NO_MEMORY;
  r->results = results;
  record_result *result = &results[r->count];
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
  r->count++;
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
  record *r = l->record;
  record_finding *findings = grown(l, r->findings, r->finding_count, &l->finding_room, sizeof *findings);
  if (!findings)
    return DLOC_NO_MEMORY;
  r->findings = findings;
  record_finding *finding = &findings[r->finding_count];
  TRY(read_text(l, l->line, "choice", &finding->choice));
  TRY(read_text(l, l->line, "alternatives", &finding->alternatives));
  TRY(read_follows(l, &finding->follows));
  TRY(read_texts(l, "witnesses", &finding->witnesses, &finding->witness_count));
  r->finding_count++;
  return DLOC_OK;
}

static dloc_status read_stale(line_reader *l) {
  const value *list = value_get(l->line, "stale");
  if (!list || list->kind != VALUE_LIST)
    return wrong(l, "the line has no list stale");
  record_stale *stale = value_arena_alloc(&l->record->arena, list->count, sizeof *stale);
  if (!stale)
    return DLOC_NO_MEMORY;
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
  if (status != DLOC_OK)
    return status;
  if (document->kind != VALUE_MAP)
    return wrong(l, "a line must be a JSON object");
  l->line = document;
  return read_line(l);
}

static dloc_status read_lines(line_reader *l) {
  dloc_status status = DLOC_OK;
  while (status == DLOC_OK && l->rest.size) {
    const char *end = memchr(l->rest.bytes, '\n', l->rest.size);
    size_t size = end ? (size_t)(end - l->rest.bytes) : l->rest.size;
    dloc_text line = {l->rest.bytes, size};
    size += end != NULL;
    l->rest = (dloc_text){l->rest.bytes + size, l->rest.size - size};
    l->number++;
    status = read_document(l, line);
  }
  if (status == DLOC_OK && !l->ended) {
    l->number++;
    status = wrong(l, "the file ends before the totals of the run");
  }
  return status;
}

/* ---- The whole ---- */

static int compare_ids(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Ids are what everything refers to. */
static dloc_status check_ids(line_reader *l) {
  record *r = l->record;
  const char **ids = calloc(r->count ? r->count : 1, sizeof *ids);
  if (!ids)
    return DLOC_NO_MEMORY;
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
  line_reader l = {.record = &r, .diagnostic = diagnostic, .rest = text};
  value_arena_init(&r.arena, NULL);
  value_arena_init(&l.scratch, NULL);
  dloc_status status = read_lines(&l);
  if (status == DLOC_OK)
    status = check_ids(&l);
  value_arena_deinit(&l.scratch);
  if (status == DLOC_OK)
    *ret = r;
  else
    record_deinit(&r);
  return status;
}
