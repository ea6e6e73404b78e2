/* reveal.c - `reveal`: layers again, of what a pass made of hidden locations. spec/hidden.md 17.2 */
#include "declare.h"
#include "hiding.h"
#include "line_terms.h"

#define HIDDEN_NAME "dloc.hidden"

typedef struct revealing {
  query *q;
  dloc_hidden *hidden;
  dloc_node *made; /* what was hidden, in order */
  size_t made_count;
  dloc_node *carriers;
  size_t carrier_count;
  line_problems problems;
} revealing;

/* `reveal.carried`: a pass may have lost nodes. */
static dloc_status take_carrier(revealing *r, const dloc_module *module) {
  const term *lost = term_list(r->q->args, "lost");
  dloc_context *context = r->q->context;
  dloc_named_metadata list;
  if (!dloc_module_find_named(module, dloc_text_of(HIDDEN_NAME), &list))
    return DLOC_OK;
  dloc_node carrier = dloc_module_named_operand(module, &list, 0);
  size_t count = dloc_operand_count(context, carrier);
  dloc_node *operands = value_arena_alloc(r->q->arena, count, sizeof *operands);
  bool *is_lost = value_arena_alloc(r->q->arena, dloc_node_limit(context), sizeof *is_lost);
  for (uint32_t j = 0; j < lost->count; j++)
    is_lost[lost->of.nodes[j]] = true;
  for (size_t i = 0; i < count; i++) {
    dloc_node operand = dloc_operand(context, carrier, i);
    operands[i] = is_lost[operand] ? DLOC_NULL : operand;
  }
  return dloc_tuple(context, false, operands, count, &r->carriers[r->carrier_count++]);
}

static dloc_status read_table(revealing *r, const dloc_hidden *hidden) {
  OWNED(release_dloc_module) dloc_module *table = NULL;
  TRY(dloc_hidden_write(hidden, &table));
  return dloc_hidden_read(r->hidden, table, &r->q->reason);
}

/* `mode.lines`: the same entries, by numbers that are lines. */
static dloc_status read_lines(revealing *r, const term *given, const dloc_hidden *hidden) {
  OWNED(release_dloc_hidden) dloc_hidden *lines = NULL;
  uint32_t first = (uint32_t)term_number(given, "first"), number;
  TRY(dloc_hidden_create(r->q->context, &lines));
  TRY(dloc_hidden_begin(lines, DLOC_HIDDEN_IN_LINE, first ? first : 1));
  for (size_t i = 0; i < dloc_hidden_count(hidden); i++)
    TRY(dloc_hidden_add(lines, dloc_hidden_at(hidden, i).layers, &number));
  return read_table(r, lines);
}

static dloc_status hide_one(revealing *r, const term *given) {
  const term *locations = term_list(given, "locations"), *sources = term_list(given, "sources");
  OWNED(release_dloc_module) dloc_module *module = NULL;
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  bool lines = term_flag(given, "lines");
  TRY(hiding_module(r->q, NULL, locations, &module));
  if (sources->count)
    TRY(dloc_module_add_named(module, dloc_text_of(DLOC_SOURCE_LIST), sources->of.nodes, sources->count));
  TRY(hiding_run(r->q, given, module, &hidden));
  for (uint32_t i = 0; i < locations->count; i++)
    r->made[r->made_count++] = hiding_location(module, i);
  if (!term_flag(given, "missing"))
    TRY(lines ? read_lines(r, given, hidden) : read_table(r, hidden));
  return lines || term_flag(given, "unnamed") ? DLOC_OK : take_carrier(r, module);
}

static dloc_status hide_all(revealing *r) {
  const term *tables = term_list(r->q->args, "hidden");
  size_t room = 0;
  for (uint32_t i = 0; i < tables->count; i++)
    room += term_list(&tables->of.items[i], "locations")->count;
  r->made = value_arena_alloc(r->q->arena, room, sizeof *r->made);
  r->carriers = value_arena_alloc(r->q->arena, tables->count, sizeof *r->carriers);
  for (uint32_t i = 0; i < tables->count; i++)
    TRY(hide_one(r, &tables->of.items[i]));
  return DLOC_OK;
}

static dloc_status add_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  revealing *r = user;
  (void)node;
  r->q->reason = reason;
  return dloc_reason_severity(reason) == DLOC_SEVERITY_SOFT ? line_problem_add(&r->problems, reason, instruction)
                                                            : DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  OWNED(release_dloc_hidden) dloc_hidden *hidden = NULL;
  OWNED(release_dloc_module) dloc_module *module = NULL; /* the linked one */
  TRY(dloc_hidden_create(q->context, &hidden));
  revealing r = {.q = q, .hidden = hidden, .problems = {q->arena, value}};
  TRY(hide_all(&r));
  const term made = {.count = (uint32_t)r.made_count, .of.nodes = r.made}, *given = term_get(q->args, "locations");
  given = given ? given : &made;
  TRY(hiding_module(q, q->args, given, &module));
  if (r.carrier_count)
    TRY(dloc_module_add_named(module, dloc_text_of(HIDDEN_NAME), r.carriers, r.carrier_count));
  if (term_get(q->args, "onto"))
    return onto_reveal(&(onto){q, hidden, module, add_problem, &r}, value);
  TRY(dloc_reveal(module, hidden, add_problem, &r));
  dloc_node *results = term_set_nodes(q->arena, value, "results", given->count);
  for (uint32_t i = 0; i < given->count; i++)
    results[i] = hiding_location(module, i);
  hiding_describe_sources(q, module, value);
  return DLOC_OK;
}

#define HIDDEN                                                                                                         \
  MAP("a hidden module", FIELD("locations", LIST(NODE)), HIDING_OPTIONS, OPTIONAL("sources", LIST(NODE)),              \
      OPTIONAL("unnamed", FLAG), OPTIONAL("missing", FLAG), OPTIONAL("lines", FLAG))

const operation op_reveal = {
    .name = "reveal",
    .forms =
        {{MAP(NULL, FIELD("onto", ONTO), FIELD("hidden", LIST(HIDDEN)), OPTIONAL("locations", LIST(NODE)),
              OPTIONAL("records", LIST(NODE)), OPTIONAL("loops", LIST(NODE)), OPTIONAL("kinds", LIST(ONTO_KIND))),
          MAP_AS(NULL, "results: #results\nrecords: #records\nloops: #loops\n", HIDING_RESULTS, LINE_PROBLEMS, NODES)},
         {MAP(NULL, FIELD("hidden", LIST(HIDDEN)), OPTIONAL("locations", LIST(NODE)), OPTIONAL("lost", LIST(NODE))),
          MAP_AS(NULL, "results: #results\nsources: #sources\n", FIELD("results", LIST(NODE)),
                 OPTIONAL("sources", LIST(NODE)), LINE_PROBLEMS, NODES)}},
    .roots = "node",
    .ask = ask,
};
