/* case.c - the nodes, args and module of a vector in a context, and the model's answer. */
#include "document/memory.h"
#include "format.h"

static dloc_status build_question(const vector *v, const dloc_node *handles, value_arena *arena, vector_case *built) {
  term *args = v->read_args ? value_arena_alloc(arena, 1, sizeof *args) : NULL;
  if (args)
    TRY(term_build(v->read_args, handles, built->context, arena, args));
  built->nodes = handles;
  built->args = args;
  return v->read_module ? module_build(v->read_module, v->graph, handles, built->context, arena, &built->module)
                        : DLOC_OK;
}

dloc_status vector_build(const vector *v, dloc_context *context, value_arena *arena, vector_case *ret) {
  const graph_node *failed = NULL;
  dloc_node_diagnosis diagnosis = {.reason = DLOC_REASON_NONE};
  dloc_node *handles = NULL;
  vector_case built = {.context = context};
  dloc_status status = graph_build(v->graph, NULL, context, arena, &failed, &diagnosis, &handles);
  if (status == DLOC_INVALID) {
    built.rejected = diagnosis.reason;
  } else {
    TRY(status);
    TRY(build_question(v, handles, arena, &built));
  }
  *ret = built;
  return DLOC_OK;
}

void vector_case_deinit(vector_case *built) {
  dloc_module_destroy(built->module);
  built->module = NULL;
}

/* ---- The model's answer ---- */

vector_answer vector_ok(const vector *v, value_arena *arena) {
  return (vector_answer){
      .op = v->op, .outcome = VECTOR_OK, .value = v->form->value ? term_make(arena, v->form->value) : NULL};
}

/* A vector with a node of a class that the profile does not know, or with a location that it rejects for its layers,
 * cannot be read, whatever is done with it: *ret is the answer. */
static bool vector_is_unreadable(const vector *v, const dloc_profile *profile, vector_answer *ret) {
  bool unknown_class =
      (DLOC_TAKES(profile, METADATA_INTERMEDIATE_SCOPE, UNKNOWN) && graph_has_class(v->graph, "DIIntermediateScope")) ||
      (DLOC_TAKES(profile, METADATA_IRLAYERS, UNKNOWN) && vector_has_irlayers(v));
  bool rejected = v->needs >> VECTOR_NEED_LAYERS & 1 && !operations[v->op]->takes_any_node &&
                  !DLOC_TAKES(profile, SHAPE_TUPLE, ACCEPT);
  if (unknown_class || rejected)
    *ret = vector_rejection(v->op, unknown_class ? DLOC_REASON_UNKNOWN_CLASS : DLOC_REASON_SHAPE_TUPLE_REJECTED);
  return unknown_class || rejected;
}

dloc_status vector_ask(const vector *v, const vector_case *built, const dloc_profile *profile, value_arena *arena,
                       const dloc_trace *trace, vector_answer *ret) {
  if (vector_is_unreadable(v, profile, ret))
    return DLOC_OK;
  if (built->rejected) {
    *ret = vector_rejection(v->op, built->rejected);
    return DLOC_OK;
  }
  query q = {.profile = profile,
             .trace = trace,
             .context = built->context,
             .module = built->module,
             .args = built->args,
             .arena = arena,
             .severity = -1};
  vector_answer answer = vector_ok(v, arena);
  dloc_status status = operations[v->op]->ask(&q, answer.value);
  if (status == DLOC_INVALID) {
    answer = vector_rejection(v->op, q.reason ? q.reason : q.diagnostic.reason);
    answer.severity = q.severity >= 0 ? (dloc_severity)q.severity : answer.severity;
  } else {
    TRY(status);
  }
  *ret = answer;
  return DLOC_OK;
}

dloc_status vector_evaluate(const vector *v, const dloc_profile *profile, dloc_context *context, value_arena *arena,
                            const dloc_trace *trace, vector_answer *ret) {
  OWNED(vector_case_deinit) vector_case built = {.context = context};
  dloc_context_set_profile(context, profile);
  TRY(vector_build(v, context, arena, &built));
  return vector_ask(v, &built, profile, arena, trace, ret);
}

bool vector_has_atoms(const vector *v) {
  for (uint32_t i = 0; i < v->graph->count; i++)
    if (graph_node_has_atom(&v->graph->nodes[i]))
      return true;
  return false;
}
