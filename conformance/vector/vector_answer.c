/* vector_answer.c - answers: from a value, as canonical text, and as a value. */
#include "vector_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- Planning ---- */

static bool find_reason(dloc_text name, dloc_reason *ret) {
  for (int reason = DLOC_REASON_NONE + 1; reason < DLOC_REASON_COUNT; reason++)
    if (dloc_text_equal(dloc_text_of(dloc_reason_name((dloc_reason)reason)), name)) {
      *ret = (dloc_reason)reason;
      return true;
    }
  return false;
}

static dloc_status plan_rejection(const schema *s, const value *answer, struct vector_answer_plan *plan) {
  const value *reason = NULL, *severity = value_get(answer, "severity"), *v = value_get(answer, "value");
  plan->outcome = VECTOR_REJECT;
  if (v)
    return WRONG(s, v, "vector.field", "a rejection has no value");
  TRY(require(s, answer, "reason", &reason));
  if (!find_reason(value_text(reason), &plan->reason))
    return WRONG(s, reason, "vector.reason", "no reason is named '%.100s'", value_text(reason).bytes);
  plan->severity = dloc_reason_severity(plan->reason);
  for (int i = DLOC_SEVERITY_SOFT; severity && i <= DLOC_SEVERITY_PARSE; i++)
    if (value_is(severity, dloc_severity_name((dloc_severity)i))) {
      plan->severity = (dloc_severity)i;
      return DLOC_OK;
    }
  return severity ? WRONG(s, severity, "vector.field", "a severity is soft, hard or parse") : DLOC_OK;
}

static dloc_status plan_merge(const schema *s, const value *v, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"result", "nodes", NULL};
  const value *result = NULL;
  TRY(expect_map(s, v, "the value of merge or hoist", keys));
  TRY(require(s, v, "result", &result));
  return plan_reference(s, &plan->graph, result, &plan->result);
}

static dloc_status plan_equal(const schema *s, const value *v, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"equal", NULL};
  const value *equal = NULL;
  TRY(expect_map(s, v, "the value of equal", keys));
  TRY(require(s, v, "equal", &equal));
  return value_boolean(equal, &plan->equal) ? DLOC_OK : WRONG(s, equal, "vector.field", "equal is true or false");
}

static dloc_status plan_print(const schema *s, const value *v, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"text", NULL};
  const value *text = NULL;
  TRY(expect_map(s, v, "the value of print", keys));
  TRY(require(s, v, "text", &text));
  return read_text(s, text, "text", &plan->text);
}

static dloc_status plan_layers(const schema *s, const value *list, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"kind", "location", NULL};
  TRY(expect_list(s, list, "layers"));
  planned_layer *layers = value_arena_alloc(s->arena, list->count, sizeof *layers);
  if (!layers)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < list->count; i++) {
    const value *kind = NULL, *location = NULL;
    TRY(expect_map(s, &list->of.items[i], "a layer", keys));
    TRY(require(s, &list->of.items[i], "kind", &kind));
    TRY(require(s, &list->of.items[i], "location", &location));
    TRY(read_text(s, kind, "kind", &layers[i].kind));
    TRY(plan_reference(s, &plan->graph, location, &layers[i].location));
  }
  plan->layers = layers;
  plan->layer_count = list->count;
  return DLOC_OK;
}

static dloc_status plan_accessor(const schema *s, const value *v, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"primary", "layers", "nodes", NULL};
  const value *primary = NULL, *layers = NULL;
  TRY(expect_map(s, v, "the value of accessor", keys));
  TRY(require(s, v, "primary", &primary));
  TRY(require(s, v, "layers", &layers));
  TRY(plan_reference(s, &plan->graph, primary, &plan->result));
  return plan_layers(s, layers, plan);
}

/* The results of one inlined call; there must be as many as the call has instructions and records. */
static dloc_status plan_inlined(const schema *s, const value *v, const planned_call *call,
                                const struct vector_answer_plan *plan, planned_inlined *ret) {
  const value *results = NULL, *loop = value_get(v, "loop"), *records = value_get(v, "records");
  *ret = (planned_inlined){.has_loop = loop != NULL};
  TRY(require(s, v, "results", &results));
  TRY(expect_list(s, results, "results"));
  TRY(plan_references(s, &plan->graph, results, &ret->results, &ret->result_count));
  if (ret->result_count != call->callee_count)
    return WRONG(s, results, "vector.field", "results are as many as instructions of the callee");
  if (ret->has_loop != call->has_loop)
    return WRONG(s, v, "vector.field", "loop stands in the value when it stands in the args");
  TRY(plan_reference(s, &plan->graph, loop, &ret->loop));
  if (records) {
    TRY(expect_list(s, records, "records"));
    TRY(plan_references(s, &plan->graph, records, &ret->records, &ret->record_count));
  }
  if ((records != NULL) != call->has_records || ret->record_count != call->record_count)
    return WRONG(s, v, "vector.field", "records are as many as those of the callee");
  return DLOC_OK;
}

static dloc_status plan_inline(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const one_keys[] = {"results", "loop", "records", "nodes", NULL};
  static const char *const call_keys[] = {"results", "loop", "records", NULL};
  static const char *const many_keys[] = {"calls", "nodes", NULL};
  const value *list = NULL;
  bool many = v->plan->many_calls;
  TRY(expect_map(s, map, "the value of inline", many ? many_keys : one_keys));
  if (many) {
    TRY(require(s, map, "calls", &list));
    TRY(expect_list(s, list, "calls"));
    if (list->count != v->plan->call_count)
      return WRONG(s, list, "vector.field", "calls are as many as those of the args");
  }
  planned_inlined *calls = value_arena_alloc(s->arena, v->plan->call_count, sizeof *calls);
  if (!calls)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < v->plan->call_count; i++) {
    const value *one = many ? &list->of.items[i] : map;
    TRY(expect_map(s, one, "the value of an inlined call", many ? call_keys : one_keys));
    TRY(plan_inlined(s, one, &v->plan->calls[i], plan, &calls[i]));
  }
  plan->calls = calls;
  plan->call_count = v->plan->call_count;
  return DLOC_OK;
}

static dloc_status plan_entry(const schema *s, const value *v, const struct vector_answer_plan *plan,
                              planned_source *ret) {
  static const char *const keys[] = {"kind", "file", "text", "md5", NULL};
  const value *field[4] = {NULL};
  TRY(expect_map(s, v, "an entry", keys));
  for (size_t i = 0; i < 4; i++)
    TRY(require(s, v, keys[i], &field[i]));
  TRY(read_text(s, field[0], "kind", &ret->kind));
  TRY(plan_reference(s, &plan->graph, field[1], &ret->file));
  TRY(read_text(s, field[2], "text", &ret->text));
  return read_text(s, field[3], "md5", &ret->md5);
}

static dloc_status plan_source(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const list_keys[] = {"entries", "nodes", NULL};
  static const char *const find_keys[] = {"entry", NULL};
  const value *found = NULL;
  TRY(expect_map(s, map, "the value of source", v->plan->source_list ? list_keys : find_keys));
  TRY(require(s, map, v->plan->source_list ? "entries" : "entry", &found));
  plan->entry = VECTOR_NO_ENTRY;
  if (!v->plan->source_list) {
    bool fine = value_is_null(found) || value_unsigned(found, UINT32_MAX, &plan->entry);
    return fine ? DLOC_OK : WRONG(s, found, "vector.field", "entry is an index or null");
  }
  TRY(expect_list(s, found, "entries"));
  planned_source *entries = value_arena_alloc(s->arena, found->count, sizeof *entries);
  if (!entries)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < found->count; i++)
    TRY(plan_entry(s, &found->of.items[i], plan, &entries[i]));
  plan->entries = entries;
  plan->entry_count = found->count;
  return DLOC_OK;
}

static dloc_status plan_roundtrip(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  static const char *const keys[] = {"results", "nodes", NULL};
  const value *results = NULL;
  TRY(expect_map(s, map, "the value of roundtrip", keys));
  TRY(require(s, map, "results", &results));
  TRY(expect_list(s, results, "results"));
  if (results->count != v->plan->location_count)
    return WRONG(s, results, "vector.field", "results are as many as args");
  return plan_references(s, &plan->graph, results, &plan->results, &plan->result_count);
}

static dloc_status plan_value(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan) {
  switch (v->op) {
  case VECTOR_MERGE:
  case VECTOR_HOIST:
    return plan_merge(s, map, plan);
  case VECTOR_INLINE:
    return plan_inline(s, v, map, plan);
  case VECTOR_EQUAL:
    return plan_equal(s, map, plan);
  case VECTOR_PRINT:
    return plan_print(s, map, plan);
  case VECTOR_SOURCE:
    return plan_source(s, v, map, plan);
  case VECTOR_ROUNDTRIP:
    return plan_roundtrip(s, v, map, plan);
  case VECTOR_EMIT:
    return plan_emit(s, v, map, plan);
  case VECTOR_SECTION:
    return plan_section(s, v, map, plan);
  case VECTOR_LINK:
    return plan_link(s, map, plan);
  case VECTOR_STRIP:
    return plan_strip(s, v, map, plan);
  case VECTOR_OUTLINE:
    return plan_outline(s, v, map, plan);
  case VECTOR_ENCODE:
    return plan_encode(s, v, map, plan);
  default:
    return plan_accessor(s, map, plan);
  }
}

dloc_status plan_answer(const schema *s, const vector *v, const value *answer, const struct vector_answer_plan **ret) {
  static const char *const keys[] = {"outcome", "reason", "severity", "value", NULL};
  const value *outcome = NULL, *map = NULL;
  struct vector_answer_plan *plan = value_arena_alloc(s->arena, 1, sizeof *plan);
  if (!plan)
    return DLOC_NO_MEMORY;
  *ret = plan;
  TRY(expect_map(s, answer, "an outcome", keys));
  TRY(require(s, answer, "outcome", &outcome));
  if (value_is(outcome, "reject"))
    return plan_rejection(s, answer, plan);
  if (!value_is(outcome, "ok"))
    return WRONG(s, outcome, "vector.field", "an outcome is ok or reject");
  if (value_get(answer, "reason") || value_get(answer, "severity"))
    return WRONG(s, answer, "vector.field", "only a rejection has a reason and a severity");
  map = value_get(answer, "value");
  if (v->op == VECTOR_VERIFY)
    return map ? WRONG(s, map, "vector.field", "verify has no value") : DLOC_OK;
  TRY(require(s, answer, "value", &map));
  TRY(plan_graph(s, value_get(map, "nodes"), &v->plan->graph, &plan->graph));
  return plan_value(s, v, map, plan);
}

/* ---- Building ---- */

static dloc_status build_layers(const struct vector_answer_plan *plan, const dloc_node *handles, value_arena *arena,
                                vector_answer *answer) {
  vector_layer *layers = value_arena_alloc(arena, plan->layer_count, sizeof *layers);
  if (!layers)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < plan->layer_count; i++)
    layers[i] = (vector_layer){plan->layers[i].kind, built_reference(&plan->layers[i].location, handles)};
  answer->layers = layers;
  answer->layer_count = plan->layer_count;
  return DLOC_OK;
}

static dloc_status build_inlined(const struct vector_answer_plan *plan, const dloc_node *handles, value_arena *arena,
                                 vector_answer *answer) {
  vector_inlined *calls = value_arena_alloc(arena, plan->call_count, sizeof *calls);
  if (!calls)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < plan->call_count; i++) {
    const planned_inlined *planned = &plan->calls[i];
    calls[i] = (vector_inlined){.results = built_references(planned->results, planned->result_count, handles, arena),
                                .result_count = planned->result_count,
                                .has_loop = planned->has_loop,
                                .loop = built_reference(&planned->loop, handles),
                                .records = built_references(planned->records, planned->record_count, handles, arena),
                                .record_count = planned->record_count};
    if (!calls[i].results || !calls[i].records)
      return DLOC_NO_MEMORY;
  }
  answer->calls = calls;
  answer->call_count = plan->call_count;
  return DLOC_OK;
}

static dloc_status build_entries(const struct vector_answer_plan *plan, const dloc_node *handles, value_arena *arena,
                                 vector_answer *answer) {
  vector_source *entries = value_arena_alloc(arena, plan->entry_count, sizeof *entries);
  if (!entries)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < plan->entry_count; i++)
    entries[i] = (vector_source){plan->entries[i].kind, built_reference(&plan->entries[i].file, handles),
                                 plan->entries[i].text, plan->entries[i].md5};
  answer->entries = entries;
  answer->entry_count = plan->entry_count;
  return DLOC_OK;
}

static dloc_status build_answer(const vector *v, const struct vector_answer_plan *plan, const dloc_node *outer,
                                dloc_context *context, value_arena *arena, value_diagnostic *diagnostic,
                                vector_answer *ret) {
  vector_answer answer = {.op = v->op,
                          .outcome = plan->outcome,
                          .reason = plan->reason,
                          .severity = plan->severity,
                          .equal = plan->equal,
                          .text = plan->text,
                          .source_list = v->plan->source_list,
                          .entry = plan->entry,
                          .result_count = plan->result_count,
                          .source_count = plan->source_count,
                          .instructions = plan->instructions,
                          .instruction_count = plan->instruction_count,
                          .texts = plan->texts,
                          .text_count = plan->text_count,
                          .tables = plan->tables,
                          .table_count = plan->table_count,
                          .text_sections = plan->text_sections,
                          .text_section_count = plan->text_section_count};
  if (plan->outcome == VECTOR_OK && v->op != VECTOR_VERIFY) {
    const planned_node *failed = NULL;
    dloc_node_diagnosis diagnosis = {.reason = DLOC_REASON_NONE};
    dloc_node *handles = NULL;
    dloc_status status = build_graph(&plan->graph, outer, context, arena, &failed, &diagnosis, &handles);
    if (status == DLOC_INVALID)
      return value_diagnose(diagnostic, failed ? failed->line : 0, failed ? failed->column : 0,
                            dloc_reason_name(diagnosis.reason), "node '%.100s' cannot exist: %s",
                            failed ? failed->name.bytes : "", dloc_reason_text(diagnosis.reason));
    TRY(status);
    answer.nodes = handles + plan->graph.first;
    answer.result = built_reference(&plan->result, handles);
    TRY(build_layers(plan, handles, arena, &answer));
    TRY(build_inlined(plan, handles, arena, &answer));
    TRY(build_entries(plan, handles, arena, &answer));
    TRY(build_encode(plan, handles, context, arena, &answer));
    answer.results = built_references(plan->results, plan->result_count, handles, arena);
    answer.sources = built_references(plan->sources, plan->source_count, handles, arena);
    if (!answer.results || !answer.sources)
      return DLOC_NO_MEMORY;
  }
  *ret = answer;
  return DLOC_OK;
}

dloc_status vector_expectation_answer(const vector *v, const vector_expectation *expectation, dloc_context *context,
                                      value_arena *arena, value_diagnostic *diagnostic, vector_answer *ret) {
  return build_answer(v, expectation->plan, NULL, context, arena, diagnostic, ret);
}

dloc_status vector_expectation_in(const vector *v, const vector_expectation *expectation, const vector_case *built,
                                  value_arena *arena, value_diagnostic *diagnostic, vector_answer *ret) {
  return build_answer(v, expectation->plan, built->nodes, built->context, arena, diagnostic, ret);
}

dloc_status vector_answer_read(const vector *v, const value *answer, dloc_context *context, value_arena *arena,
                               value_diagnostic *diagnostic, vector_answer *ret) {
  const schema s = {arena, diagnostic};
  const struct vector_answer_plan *plan = NULL;
  TRY(plan_answer(&s, v, answer, &plan));
  return build_answer(v, plan, NULL, context, arena, diagnostic, ret);
}

/* ---- Canonical text ---- */

dloc_status print_text(dloc_sink sink, const char *text) {
  return sink.write(sink.user, text, strlen(text)) ? DLOC_OK : DLOC_STOPPED;
}

dloc_status print_quoted(dloc_sink sink, const char *label, dloc_text text) {
  TRY(print_text(sink, label));
  TRY(dloc_print_string(text, sink));
  return print_text(sink, "\n");
}

static dloc_status print_count(dloc_sink sink, const char *label, size_t count) {
  char line[64];
  snprintf(line, sizeof line, "%s: %zu\n", label, count);
  return print_text(sink, line);
}

static dloc_status print_rejection(const vector_answer *answer, dloc_sink sink) {
  TRY(print_text(sink, "outcome: reject\nreason: "));
  TRY(print_text(sink, dloc_reason_name(answer->reason)));
  TRY(print_text(sink, "\nseverity: "));
  TRY(print_text(sink, dloc_severity_name(answer->severity)));
  return print_text(sink, "\n");
}

static dloc_status print_accessor(dloc_context *context, value_arena *arena, const vector_answer *answer,
                                  dloc_sink sink) {
  dloc_node *roots = value_arena_alloc(arena, answer->layer_count + 1, sizeof *roots);
  if (!roots)
    return DLOC_NO_MEMORY;
  roots[0] = answer->result;
  for (size_t i = 0; i < answer->layer_count; i++) {
    TRY(print_quoted(sink, "layer: ", answer->layers[i].kind));
    roots[i + 1] = answer->layers[i].location;
  }
  return dloc_print_graph(context, "location", roots, answer->layer_count + 1, sink);
}

static size_t inlined_roots(const vector_inlined *call) {
  return call->result_count + call->has_loop + call->record_count;
}

static void add_roots(const vector_inlined *call, dloc_node *roots) {
  for (size_t i = 0; i < call->result_count; i++)
    *roots++ = call->results[i];
  if (call->has_loop)
    *roots++ = call->loop;
  for (size_t i = 0; i < call->record_count; i++)
    *roots++ = call->records[i];
}

static dloc_status print_inline(dloc_context *context, value_arena *arena, const vector_answer *answer,
                                dloc_sink sink) {
  size_t count = 0, at = 0;
  for (size_t i = 0; i < answer->call_count; i++) {
    TRY(print_count(sink, "results", answer->calls[i].result_count));
    if (answer->calls[i].has_loop)
      TRY(print_text(sink, "loop\n"));
    if (answer->calls[i].record_count)
      TRY(print_count(sink, "records", answer->calls[i].record_count));
    count += inlined_roots(&answer->calls[i]);
  }
  dloc_node *roots = value_arena_alloc(arena, count, sizeof *roots);
  if (!roots)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < answer->call_count; i++) {
    add_roots(&answer->calls[i], roots + at);
    at += inlined_roots(&answer->calls[i]);
  }
  return dloc_print_graph(context, "result", roots, count, sink);
}

static dloc_status print_source(dloc_context *context, value_arena *arena, const vector_answer *answer,
                                dloc_sink sink) {
  if (!answer->source_list)
    return answer->entry == VECTOR_NO_ENTRY ? print_text(sink, "entry: null\n")
                                            : print_count(sink, "entry", (size_t)answer->entry);
  dloc_node *roots = value_arena_alloc(arena, answer->entry_count, sizeof *roots);
  if (!roots)
    return DLOC_NO_MEMORY;
  for (size_t i = 0; i < answer->entry_count; i++) {
    TRY(print_quoted(sink, "kind: ", answer->entries[i].kind));
    TRY(print_quoted(sink, "text: ", answer->entries[i].text));
    TRY(print_quoted(sink, "md5: ", answer->entries[i].md5));
    roots[i] = answer->entries[i].file;
  }
  return dloc_print_graph(context, "file", roots, answer->entry_count, sink);
}

dloc_status vector_answer_text(dloc_context *context, value_arena *arena, const vector_answer *answer, dloc_sink sink) {
  if (answer->outcome == VECTOR_REJECT)
    return print_rejection(answer, sink);
  TRY(print_text(sink, "outcome: ok\n"));
  switch (answer->op) {
  case VECTOR_MERGE:
  case VECTOR_HOIST:
    return dloc_print_graph(context, "result", &answer->result, 1, sink);
  case VECTOR_INLINE:
    return print_inline(context, arena, answer, sink);
  case VECTOR_EQUAL:
    return print_text(sink, answer->equal ? "equal: true\n" : "equal: false\n");
  case VECTOR_PRINT:
    return print_quoted(sink, "text: ", answer->text);
  case VECTOR_SOURCE:
    return print_source(context, arena, answer, sink);
  case VECTOR_ACCESSOR:
    return print_accessor(context, arena, answer, sink);
  case VECTOR_LINK:
    return dloc_print_graph(context, "entry", answer->sources, answer->source_count, sink);
  case VECTOR_STRIP:
    return print_strip(context, arena, answer, sink);
  case VECTOR_ROUNDTRIP:
  case VECTOR_OUTLINE:
    return dloc_print_graph(context, "result", answer->results, answer->result_count, sink);
  case VECTOR_EMIT:
    return print_emit(answer, sink);
  case VECTOR_SECTION:
    return print_section(answer, sink);
  case VECTOR_ENCODE:
    return print_encode(context, arena, answer, sink);
  default:
    return DLOC_OK;
  }
}

/* ---- As a value ---- */

/* Writes the nodes that an answer reaches and the vector does not name. Each gets a name when it is first referred to
 * and is described when its turn comes, so depth costs nothing. */
struct describer {
  const vector *v;
  dloc_context *context;
  value_arena *arena;
  dloc_text *names; /* by handle; bytes NULL: none yet */
  dloc_node *queue; /* named and not described */
  size_t queued;
  size_t described;
  unsigned next;
};

static dloc_status describer_init(describer *d, const vector *v, const vector_case *built, dloc_context *context,
                                  value_arena *arena) {
  uint32_t limit = dloc_node_limit(context);
  *d = (describer){.v = v, .context = context, .arena = arena};
  d->names = value_arena_alloc(arena, limit, sizeof *d->names);
  d->queue = value_arena_alloc(arena, limit, sizeof *d->queue);
  if (!d->names || !d->queue)
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; built && i < v->plan->graph.count; i++)
    if (built->nodes[i] != DLOC_NULL && !d->names[built->nodes[i]].bytes)
      d->names[built->nodes[i]] = v->plan->graph.nodes[i].name;
  return DLOC_OK;
}

static dloc_status new_name(describer *d, dloc_text *ret) {
  char name[32];
  do
    snprintf(name, sizeof name, "n%u", d->next++);
  while (value_get(d->v->nodes, name));
  *ret = value_arena_copy(d->arena, dloc_text_of(name));
  return ret->bytes ? DLOC_OK : DLOC_NO_MEMORY;
}

/* A reference by name: null, or the node's name. */
static dloc_status describe_reference(describer *d, dloc_node node, value *ret) {
  if (node == DLOC_NULL)
    return value_set_word(d->arena, "null", ret);
  if (!d->names[node].bytes) {
    TRY(new_name(d, &d->names[node]));
    d->queue[d->queued++] = node;
  }
  return value_set_text(d->arena, d->names[node], ret);
}

static dloc_status add_text(describer *d, value *map, const char *key, dloc_text text) {
  value scalar;
  TRY(value_set_text(d->arena, text, &scalar));
  return value_map_add(d->arena, map, key, &scalar);
}

static dloc_status add_reference(describer *d, value *map, const char *key, dloc_node node) {
  value name;
  TRY(describe_reference(d, node, &name));
  return value_map_add(d->arena, map, key, &name);
}

static dloc_status add_word(describer *d, value *map, const char *key, const char *word) {
  value scalar;
  TRY(value_set_word(d->arena, word, &scalar));
  return value_map_add(d->arena, map, key, &scalar);
}

static dloc_status add_number(describer *d, value *map, const char *key, uint64_t number) {
  value scalar;
  if (number == 0)
    return DLOC_OK;
  TRY(value_set_number(d->arena, number, &scalar));
  return value_map_add(d->arena, map, key, &scalar);
}

static dloc_status describe_explicit(describer *d, const char *form, dloc_text text, value *ret) {
  value_set_map(ret);
  return add_text(d, ret, form, text);
}

static dloc_status set_word_text(describer *d, dloc_text text, value *ret) {
  TRY(value_set_text(d->arena, text, ret));
  ret->quoted = false;
  return DLOC_OK;
}

/* An operand of a tuple or the value of a field of that type. */
static dloc_status describe_operand(describer *d, dloc_node node, field_type type, value *ret) {
  dloc_text text = dloc_node_text(d->context, node);
  switch (dloc_node_kind(d->context, node)) {
  case DLOC_KIND_STRING:
    return type == TYPE_TEXT ? value_set_text(d->arena, text, ret) : describe_explicit(d, "string", text, ret);
  case DLOC_KIND_CONSTANT:
    return describe_explicit(d, "constant", text, ret);
  case DLOC_KIND_TOKEN:
    return type == TYPE_WORD ? set_word_text(d, text, ret) : describe_explicit(d, "word", text, ret);
  default:
    break;
  }
  TRY(describe_reference(d, node, ret));
  if (node == DLOC_NULL || type == TYPE_NODE)
    return DLOC_OK;
  value name = *ret;
  value_set_map(ret);
  return value_map_add(d->arena, ret, "name", &name);
}

dloc_status describe_value_of(describer *d, dloc_node node, value *ret) {
  return describe_operand(d, node, TYPE_NODE, ret);
}

static dloc_status begin_node(describer *d, dloc_node node, const char *class_name, value *map) {
  value_set_map(map);
  TRY(add_text(d, map, "node", dloc_text_of(class_name)));
  return dloc_node_is_distinct(d->context, node) ? add_word(d, map, "distinct", "true") : DLOC_OK;
}

static dloc_status describe_location(describer *d, dloc_node node, value *map) {
  dloc_location location = dloc_location_get(d->context, node);
  value line;
  TRY(begin_node(d, node, "DILocation", map));
  TRY(value_set_number(d->arena, location.line, &line));
  TRY(value_map_add(d->arena, map, "line", &line));
  TRY(add_number(d, map, "column", location.column));
  TRY(add_reference(d, map, "scope", location.scope));
  if (location.inlined_at)
    TRY(add_reference(d, map, "inlinedAt", location.inlined_at));
  if (location.implicit)
    TRY(add_word(d, map, "isImplicitCode", "true"));
  TRY(add_number(d, map, "atomGroup", location.atom_group));
  return add_number(d, map, "atomRank", location.atom_rank);
}

static dloc_status describe_operands(describer *d, dloc_node node, value *map) {
  value list, operand;
  value_set_list(&list);
  for (size_t i = 0; i < dloc_operand_count(d->context, node); i++) {
    TRY(describe_operand(d, dloc_operand(d->context, node, i), TYPE_NODE, &operand));
    TRY(value_list_add(d->arena, &list, &operand));
  }
  return value_map_add(d->arena, map, "operands", &list);
}

static bool is_plain_layer(const describer *d, dloc_node node) {
  return dloc_node_kind(d->context, node) == DLOC_KIND_TUPLE && !dloc_node_is_distinct(d->context, node) &&
         dloc_operand_count(d->context, node) == 2 &&
         dloc_node_kind(d->context, dloc_operand(d->context, node, 0)) == DLOC_KIND_STRING &&
         dloc_node_kind(d->context, dloc_operand(d->context, node, 1)) == DLOC_KIND_LOCATION;
}

static bool is_composite(const describer *d, dloc_node node) {
  size_t count = dloc_operand_count(d->context, node);
  bool composite = count > 1 && dloc_node_kind(d->context, dloc_operand(d->context, node, 0)) == DLOC_KIND_LOCATION;
  for (size_t i = 1; composite && i < count; i++)
    composite = is_plain_layer(d, dloc_operand(d->context, node, i));
  return composite;
}

static dloc_status describe_layer(describer *d, dloc_text kind, dloc_node location, value *layers) {
  value layer;
  value_set_map(&layer);
  TRY(add_text(d, &layer, "kind", kind));
  TRY(add_reference(d, &layer, "location", location));
  return value_list_add(d->arena, layers, &layer);
}

static dloc_status describe_composite(describer *d, dloc_node node, value *map) {
  value layers;
  TRY(begin_node(d, node, "composite", map));
  TRY(add_reference(d, map, "primary", dloc_operand(d->context, node, 0)));
  value_set_list(&layers);
  for (size_t i = 1; i < dloc_operand_count(d->context, node); i++) {
    dloc_node layer = dloc_operand(d->context, node, i);
    TRY(describe_layer(d, dloc_node_text(d->context, dloc_operand(d->context, layer, 0)),
                       dloc_operand(d->context, layer, 1), &layers));
  }
  return value_map_add(d->arena, map, "layers", &layers);
}

static dloc_status describe_fields(describer *d, dloc_node node, value *map) {
  dloc_text class_name = value_arena_copy(d->arena, dloc_node_class(d->context, node));
  value list, v;
  if (!class_name.bytes)
    return DLOC_NO_MEMORY;
  TRY(begin_node(d, node, class_name.bytes, map));
  value_set_list(&list);
  for (size_t i = 0; i < dloc_field_count(d->context, node); i++) {
    dloc_field field = dloc_field_at(d->context, node, i);
    dloc_text key = dloc_node_text(d->context, field.key);
    TRY(describe_operand(d, field.value, field.key ? field_type_of(class_name, key) : TYPE_WORD, &v));
    TRY(field.key ? value_map_add_text(d->arena, map, key, &v) : value_list_add(d->arena, &list, &v));
  }
  return list.count ? value_map_add(d->arena, map, "operands", &list) : DLOC_OK;
}

static dloc_status describe_node(describer *d, dloc_node node, value *map) {
  dloc_text text = dloc_node_text(d->context, node);
  switch (dloc_node_kind(d->context, node)) {
  case DLOC_KIND_STRING:
    TRY(begin_node(d, node, "string", map));
    return add_text(d, map, "value", text);
  case DLOC_KIND_CONSTANT:
    TRY(begin_node(d, node, "constant", map));
    return add_text(d, map, "value", text);
  case DLOC_KIND_TUPLE:
    if (is_composite(d, node))
      return describe_composite(d, node, map);
    TRY(begin_node(d, node, "tuple", map));
    return describe_operands(d, node, map);
  case DLOC_KIND_LOCATION:
    return describe_location(d, node, map);
  default:
    return describe_fields(d, node, map);
  }
}

static dloc_status describe_queue(describer *d, value *map) {
  value nodes, node;
  value_set_map(&nodes);
  while (d->described < d->queued) {
    dloc_node next = d->queue[d->described++];
    TRY(describe_node(d, next, &node));
    TRY(value_map_add_text(d->arena, &nodes, d->names[next], &node));
  }
  return nodes.count ? value_map_add(d->arena, map, "nodes", &nodes) : DLOC_OK;
}

static dloc_status describe_list(describer *d, const dloc_node *nodes, size_t count, const char *key, value *map) {
  value list, name;
  value_set_list(&list);
  for (size_t i = 0; i < count; i++) {
    TRY(describe_reference(d, nodes[i], &name));
    TRY(value_list_add(d->arena, &list, &name));
  }
  return value_map_add(d->arena, map, key, &list);
}

static dloc_status describe_accessor(describer *d, const vector_answer *answer, value *map) {
  value layers;
  value_set_list(&layers);
  TRY(add_reference(d, map, "primary", answer->result));
  for (size_t i = 0; i < answer->layer_count; i++)
    TRY(describe_layer(d, answer->layers[i].kind, answer->layers[i].location, &layers));
  return value_map_add(d->arena, map, "layers", &layers);
}

static dloc_status describe_call(describer *d, const vector_inlined *call, bool has_records, value *map) {
  TRY(describe_list(d, call->results, call->result_count, "results", map));
  if (call->has_loop)
    TRY(add_reference(d, map, "loop", call->loop));
  return has_records ? describe_list(d, call->records, call->record_count, "records", map) : DLOC_OK;
}

static dloc_status describe_inline(describer *d, const vector_answer *answer, value *map) {
  const struct vector_plan *plan = d->v->plan;
  if (!plan->many_calls)
    return describe_call(d, &answer->calls[0], plan->calls[0].has_records, map);
  value list;
  value_set_list(&list);
  for (size_t i = 0; i < answer->call_count; i++) {
    value call;
    value_set_map(&call);
    TRY(describe_call(d, &answer->calls[i], plan->calls[i].has_records, &call));
    TRY(value_list_add(d->arena, &list, &call));
  }
  return value_map_add(d->arena, map, "calls", &list);
}

static dloc_status describe_entries(describer *d, const vector_answer *answer, value *map) {
  value list, entry;
  value_set_list(&list);
  for (size_t i = 0; i < answer->entry_count; i++) {
    const vector_source *source = &answer->entries[i];
    value_set_map(&entry);
    TRY(add_text(d, &entry, "kind", source->kind));
    TRY(add_reference(d, &entry, "file", source->file));
    TRY(add_text(d, &entry, "text", source->text));
    TRY(add_text(d, &entry, "md5", source->md5));
    TRY(value_list_add(d->arena, &list, &entry));
  }
  return value_map_add(d->arena, map, "entries", &list);
}

static dloc_status describe_source(describer *d, const vector_answer *answer, value *map) {
  if (answer->source_list)
    return describe_entries(d, answer, map);
  value entry;
  TRY(answer->entry == VECTOR_NO_ENTRY ? value_set_word(d->arena, "null", &entry)
                                       : value_set_number(d->arena, answer->entry, &entry));
  return value_map_add(d->arena, map, "entry", &entry);
}

static dloc_status describe_value(describer *d, const vector_answer *answer, value *map) {
  switch (answer->op) {
  case VECTOR_MERGE:
  case VECTOR_HOIST:
    return add_reference(d, map, "result", answer->result);
  case VECTOR_INLINE:
    return describe_inline(d, answer, map);
  case VECTOR_EQUAL:
    return add_word(d, map, "equal", answer->equal ? "true" : "false");
  case VECTOR_PRINT:
    return add_text(d, map, "text", answer->text);
  case VECTOR_SOURCE:
    return describe_source(d, answer, map);
  case VECTOR_ROUNDTRIP:
  case VECTOR_OUTLINE:
    return describe_list(d, answer->results, answer->result_count, "results", map);
  case VECTOR_LINK:
    return describe_list(d, answer->sources, answer->source_count, "sources", map);
  case VECTOR_STRIP:
    TRY(describe_list(d, answer->results, answer->result_count, "results", map));
    return d->v->plan->has_module ? describe_list(d, answer->sources, answer->source_count, "sources", map) : DLOC_OK;
  case VECTOR_EMIT:
    return describe_emit(d->arena, answer, map);
  case VECTOR_SECTION:
    return describe_section(d->arena, answer, map);
  case VECTOR_ENCODE:
    return describe_encode(d, d->v, d->arena, answer, map);
  default:
    return describe_accessor(d, answer, map);
  }
}

static dloc_status describe_rejection(value_arena *arena, const vector_answer *answer, value *ret) {
  value reason, severity;
  TRY(value_set_text(arena, dloc_text_of(dloc_reason_name(answer->reason)), &reason));
  TRY(value_map_add(arena, ret, "reason", &reason));
  if (answer->severity == dloc_reason_severity(answer->reason))
    return DLOC_OK;
  TRY(value_set_text(arena, dloc_text_of(dloc_severity_name(answer->severity)), &severity));
  return value_map_add(arena, ret, "severity", &severity);
}

dloc_status vector_answer_value(const vector *v, const vector_case *built, dloc_context *context, value_arena *arena,
                                const vector_answer *answer, value *ret) {
  value map, outcome;
  value_set_map(ret);
  TRY(value_set_text(arena, dloc_text_of(answer->outcome == VECTOR_OK ? "ok" : "reject"), &outcome));
  TRY(value_map_add(arena, ret, "outcome", &outcome));
  if (answer->outcome == VECTOR_REJECT)
    return describe_rejection(arena, answer, ret);
  if (answer->op == VECTOR_VERIFY)
    return DLOC_OK;
  describer d;
  TRY(describer_init(&d, v, built, context, arena));
  value_set_map(&map);
  TRY(describe_value(&d, answer, &map));
  TRY(describe_queue(&d, &map));
  return value_map_add(arena, ret, "value", &map);
}
