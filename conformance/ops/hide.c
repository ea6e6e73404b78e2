/* hide.c - `hide`: locations as an LLVM that knows no layers carries them, and the table of them.
 * spec/hidden.md 17.1 */
#include "declare.h"
#include "hiding.h"

#include <string.h>

static dloc_status check(const reading *r, const term *args, const term *module, const term *value) {
  (void)args;
  if (value && !term_get(value, "sources") != !module)
    return WRONG(r, value->from, "vector.field", "sources stand in the value when there is a module");
  return DLOC_OK;
}

/* Named metadata of the vector's module. */
static dloc_status add_named(const dloc_module *from, dloc_module *module) {
  for (size_t i = 0; from && i < dloc_module_named_count(from); i++) {
    dloc_named_metadata list = dloc_module_named(from, i);
    for (size_t j = 0; j < list.operand_count; j++) {
      dloc_node operand = dloc_module_named_operand(from, &list, j);
      TRY(dloc_module_add_named(module, dloc_node_text(dloc_module_context(from), list.name), &operand, 1));
    }
  }
  return DLOC_OK;
}

/* The module's names, beside those of the table. */
static void describe_carried(query *q, const dloc_module *module, const dloc_module *table, term *value) {
  dloc_named_metadata own, stand_ins;
  if (!dloc_module_find_named(module, dloc_text_of("dloc.hidden"), &own) ||
      !dloc_module_find_named(table, dloc_text_of("dloc.hidden.carried"), &stand_ins) || !stand_ins.operand_count)
    return;
  dloc_node carrier = dloc_module_named_operand(module, &own, 0);
  term *list = term_set_list(q->arena, value, "carried", stand_ins.operand_count);
  for (size_t i = 0; i < stand_ins.operand_count; i++) {
    *term_set_node(q->arena, &list[i], "node") = dloc_operand(q->context, carrier, i + 1);
    *term_set_node(q->arena, &list[i], "stand-in") = dloc_module_named_operand(table, &stand_ins, i);
  }
}

static dloc_status describe(query *q, const dloc_module *module, const dloc_hidden *hidden, term *value) {
  size_t count = dloc_hidden_count(hidden), source_count;
  dloc_module *table = NULL;
  const dloc_node *sources = dloc_hidden_sources(hidden, &source_count);
  hiding_describe(q, q->args, term_list(q->args, "locations")->count, module, value);
  dloc_node *layers = term_set_nodes(q->arena, value, "layers", count);
  for (size_t i = 0; i < count; i++)
    layers[i] = dloc_hidden_at(hidden, i).layers;
  TRY(dloc_hidden_write(hidden, &table));
  describe_carried(q, module, table, value);
  dloc_module_destroy(table);
  dloc_node *texts = q->module ? term_set_nodes(q->arena, value, "sources", source_count) : NULL;
  if (texts && source_count)
    memcpy(texts, sources, source_count * sizeof *texts);
  return DLOC_OK;
}

static dloc_status hide(query *q, dloc_module *module, term *value) {
  dloc_hidden *hidden = NULL;
  TRY(add_named(q->module, module));
  TRY(hiding_run(q, q->args, module, &hidden));
  dloc_status status = describe(q, module, hidden, value);
  dloc_hidden_destroy(hidden);
  return status;
}

static dloc_status ask(query *q, term *value) {
  dloc_module *module = NULL;
  TRY(hiding_module(q, q->args, term_list(q->args, "locations"), &module));
  dloc_status status = hide(q, module, value);
  dloc_module_destroy(module);
  return status;
}

#define FOR_EACH(name)                                                                                                 \
  { .key = (name), .of = LIST(NODE), .optional = true, .as_many = (name) }
#define CARRIED MAP("a carried node", FIELD("node", NODE), FIELD("stand-in", NODE))

const operation op_hide = {
    .name = "hide",
    .forms = {{MAP(NULL, FIELD("locations", LIST(NODE)), OPTIONAL("records", LIST(NODE)), OPTIONAL("loops", LIST(NODE)),
                   HIDING_OPTIONS),
               MAP_AS(
                   NULL,
                   "results: #results\nrecords: #records\nloops: #loops\nlayers: #layers\ncarried: #carried\nsources: "
                   "#sources\n",
                   {.key = "results", .of = LIST(NODE), .as_many = "locations"}, FOR_EACH("records"), FOR_EACH("loops"),
                   FIELD("layers", LIST(NODE)), OPTIONAL("carried", LIST(CARRIED)), OPTIONAL("sources", LIST(NODE)),
                   NODES)}},
    .module = MODULE_NAMED_ONLY,
    .roots = "node",
    .check = check,
    .ask = ask,
    .args_cell =
        "`{locations: [a, null], records: [b], loops: [l], in: column, first: 5}`; `records`: locations of debug records; "
        "`loops`: loop ids; `in`: `discriminator` (default) or `column`; `first`: the first number (default 1); `module` "
        "(optional) with units and `llvm.intermediate_level_source`",
    .value_cell =
        "`results`, `records`, `loops`: one for each location, record and loop id; `layers: [...]`: what each number stands "
        "for; `carried: [{node, stand-in}]`, absent when there are none: what the module names, and what the table has for it; "
        "`sources: [...]`: the texts of the table, when there is a module",
};
