/* reveal.c - `reveal`: layers again, of what a pass made of hidden locations. spec/hidden.md 17.2 */
#include "declare.h"
#include "hiding.h"
#include "line_terms.h"

#include <string.h>

#define HIDDEN_NAME "dloc.hidden"

typedef struct revealing {
  query *q;
  dloc_hidden *hidden;
  dloc_module *module; /* the linked one */
  dloc_node *made;     /* what was hidden, in order */
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
  dloc_module *table = NULL;
  TRY(dloc_hidden_write(hidden, &table));
  dloc_status status = dloc_hidden_read(r->hidden, table, &r->q->reason);
  dloc_module_destroy(table);
  return status;
}

/* `mode.lines`: the same entries, by numbers that are lines. */
static dloc_status add_lines(const dloc_hidden *hidden, uint32_t first, dloc_hidden *lines) {
  uint32_t number;
  TRY(dloc_hidden_begin(lines, DLOC_HIDDEN_IN_LINE, first ? first : 1));
  for (size_t i = 0; i < dloc_hidden_count(hidden); i++)
    TRY(dloc_hidden_add(lines, dloc_hidden_at(hidden, i).layers, &number));
  return DLOC_OK;
}

static dloc_status read_lines(revealing *r, const term *given, const dloc_hidden *hidden) {
  dloc_hidden *lines = NULL;
  TRY(dloc_hidden_create(r->q->context, &lines));
  dloc_status status = add_lines(hidden, (uint32_t)term_number(given, "first"), lines);
  if (status == DLOC_OK)
    status = read_table(r, lines);
  dloc_hidden_destroy(lines);
  return status;
}

static dloc_status hide_into(revealing *r, const term *given, dloc_module *module) {
  const term *locations = term_list(given, "locations"), *sources = term_list(given, "sources");
  dloc_hidden *hidden = NULL;
  if (sources->count)
    TRY(dloc_module_add_named(module, dloc_text_of(DLOC_SOURCE_LIST), sources->of.nodes, sources->count));
  TRY(hiding_run(r->q, given, module, &hidden));
  for (uint32_t i = 0; i < locations->count; i++)
    r->made[r->made_count++] = hiding_location(module, i);
  bool lines = term_flag(given, "lines");
  dloc_status status = term_flag(given, "missing") ? DLOC_OK
                       : lines                     ? read_lines(r, given, hidden)
                                                   : read_table(r, hidden);
  if (status == DLOC_OK && !lines && !term_flag(given, "unnamed"))
    status = take_carrier(r, module);
  dloc_hidden_destroy(hidden);
  return status;
}

static dloc_status hide_one(revealing *r, const term *given) {
  dloc_module *module = NULL;
  TRY(hiding_module(r->q, NULL, term_list(given, "locations"), &module));
  dloc_status status = hide_into(r, given, module);
  dloc_module_destroy(module);
  return status;
}

static dloc_status add_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  revealing *r = user;
  (void)node;
  r->q->reason = reason;
  return dloc_reason_severity(reason) == DLOC_SEVERITY_SOFT ? line_problem_add(&r->problems, reason, instruction)
                                                            : DLOC_OK;
}

static void describe(revealing *r, size_t count, term *value) {
  dloc_named_metadata list = {.operand_count = 0};
  dloc_node *results = term_set_nodes(r->q->arena, value, "results", count);
  for (size_t i = 0; i < count; i++)
    results[i] = hiding_location(r->module, i);
  if (dloc_module_find_named(r->module, dloc_text_of(DLOC_SOURCE_LIST), &list) && list.operand_count) {
    dloc_node *sources = term_set_nodes(r->q->arena, value, "sources", list.operand_count);
    for (size_t i = 0; i < list.operand_count; i++)
      sources[i] = dloc_module_named_operand(r->module, &list, i);
  }
}

static dloc_status reveal(revealing *r, term *value) {
  const term *tables = term_list(r->q->args, "hidden"), *given = term_get(r->q->args, "locations");
  size_t room = 0;
  for (uint32_t i = 0; i < tables->count; i++)
    room += term_list(&tables->of.items[i], "locations")->count;
  r->made = value_arena_alloc(r->q->arena, room, sizeof *r->made);
  r->carriers = value_arena_alloc(r->q->arena, tables->count, sizeof *r->carriers);
  for (uint32_t i = 0; i < tables->count; i++)
    TRY(hide_one(r, &tables->of.items[i]));
  const term made = {.count = (uint32_t)r->made_count, .of.nodes = r->made};
  TRY(hiding_module(r->q, r->q->args, given ? given : &made, &r->module));
  if (r->carrier_count)
    TRY(dloc_module_add_named(r->module, dloc_text_of(HIDDEN_NAME), r->carriers, r->carrier_count));
  if (term_get(r->q->args, "onto"))
    return onto_reveal(&(onto){r->q, r->hidden, r->module, add_problem, r}, value);
  TRY(dloc_reveal(r->module, r->hidden, add_problem, r));
  describe(r, given ? given->count : made.count, value);
  return DLOC_OK;
}

static dloc_status ask(query *q, term *value) {
  revealing r = {.q = q};
  TRY(dloc_hidden_create(q->context, &r.hidden));
  dloc_status status = reveal(&r, value);
  line_problems_describe(q->arena, value, &r.problems);
  dloc_module_destroy(r.module);
  dloc_hidden_destroy(r.hidden);
  return status;
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
    .args_cell =
        "`{hidden: [{locations: [a], in: column, first: 5, sources: [t], unnamed: true}], locations: [x], lost: [g]}`; "
        "`hidden`: the modules that were hidden and linked, with options as of `hide`; of one that is `unnamed` the linked "
        "module has lost the name, of one that is `missing` there is no table; `locations`: what a pass made, by default what was hidden; `lost`: carried nodes that the "
        "pass lost; or `{hidden: ..., onto: {locations: [b], strict: true}, records: [r], loops: [l]}`: layers for a "
        "module without, of a function that `differs`, with `line-0` for instructions without location; with `kinds: [{kind: "
        "TileIR, locations: [k]}]` of modules that have one kind each; of what is hidden with `lines: true` the table is one in "
        "lines",
    .value_cell =
        "`results: [...]`: one for each location; `sources: [...]`: the list of texts, absent when there is none; `problems: "
        "[{reason, at}]` if there are any, at being the index of a location; with `onto`, `records` and `loops` as well",
};
