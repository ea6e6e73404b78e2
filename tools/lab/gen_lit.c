/* gen_lit.c - `dloc gen lit`: tests for lit and FileCheck, from vectors.
 *
 * lit.py writes them. Here is what it reads, `dloc gen lit --json`: vectors with what is expected
 * under the profile, and their nodes as LLVM prints them. tools/pages/README.md describes it. */
#include "gen.h"
#include "shell/script.h"
#include "ops/callee.h"
#include "vector/inquiry.h"
#include "shell/vectors.h"
#include "help/gen_lit.h"

typedef struct lister {
  dloc_profile profile;
  const char *op; /* NULL: every op */
  vector_op wanted;
  tool_list only;
  vectors input;
  value_arena arena; /* of one vector */
  inquiry inquiry;
  dloc_context *context; /* the inquiry's */
  dloc_numbers *numbers; /* knows the order of operands */
  uint32_t *indices;     /* by handle: the index in the list of nodes + 1; 0: not in it */
  dloc_node *nodes;      /* the list */
  uint32_t count;
  dloc_status status; /* the first failure */
} lister;

static bool fine(lister *l, dloc_status status) {
  if (l->status == DLOC_OK)
    l->status = status;
  return l->status == DLOC_OK;
}

/* ---- A node: how LLVM prints it, and what it numbers below it ---- */

/* The index of a node, which comes into the list if it is not in it; or null. */
static value value_of_node(void *user, dloc_node node) {
  lister *l = user;
  if (node == DLOC_NULL)
    return value_of_word(&l->arena, "null");
  node = dloc_canonical(l->context, node);
  if (l->indices[node] == 0) {
    l->nodes[l->count++] = node;
    l->indices[node] = l->count;
  }
  return value_of_number(&l->arena, l->indices[node] - 1);
}

static void put_node(lister *l, value *map, const char *key, dloc_node node) {
  value_put_value(&l->arena, map, key, value_of_node(l, node));
}

static dloc_text class_of(const lister *l, dloc_node node) {
  switch (dloc_node_kind(l->context, node)) {
  case DLOC_KIND_STRING:
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    return dloc_text_of("value");
  case DLOC_KIND_TUPLE:
    return dloc_text_of(dloc_debug_loc_shape(l->context, node) == DLOC_SHAPE_COMPOSITE ? "composite" : "tuple");
  default:
    return dloc_node_class(l->context, node);
  }
}

static bool is_numbered(const lister *l, dloc_node node) {
  dloc_text name = class_of(l, node);
  return !dloc_text_equal(name, dloc_text_of("value")) && !dloc_text_equal(name, dloc_text_of("DIExpression"));
}

typedef struct node_writer {
  lister *lister;
  dloc_buffer piece; /* since the last reference */
  value list;
} node_writer;

static void end_piece(node_writer *w) {
  value_add(&w->lister->arena, &w->list, value_of_text(&w->lister->arena, (dloc_text){w->piece.bytes, w->piece.size}));
  w->piece.size = 0;
}

static dloc_status write_reference(void *user, dloc_sink sink, dloc_node node) {
  node_writer *w = user;
  (void)sink; /* of the piece */
  end_piece(w);
  value_add(&w->lister->arena, &w->list, value_of_node(w->lister, node));
  return DLOC_OK;
}

/* Texts and references by turns. */
static value value_of_printed(lister *l, dloc_node node) {
  node_writer w = {.lister = l, .list = {.kind = VALUE_LIST}};
  fine(l, dloc_print_node(l->context, node, write_reference, &w, dloc_buffer_sink(&w.piece)));
  end_piece(&w);
  dloc_buffer_deinit(&w.piece);
  return w.list;
}

static value value_of_operands(lister *l, dloc_node node) {
  value list = {.kind = VALUE_LIST};
  uint32_t cursor = 0;
  dloc_node operand;
  while (fine(l, dloc_numbers_operand(l->numbers, node, &cursor, &operand)) && operand != DLOC_NULL)
    if (is_numbered(l, operand))
      value_add(&l->arena, &list, value_of_node(l, operand));
  return list;
}

static value describe_node(lister *l, dloc_node node) {
  value map = {.kind = VALUE_MAP};
  value_put_text(&l->arena, &map, "class", class_of(l, node));
  if (dloc_node_is_distinct(l->context, node))
    value_put_word(&l->arena, &map, "distinct", "true");
  value_put_value(&l->arena, &map, "text", value_of_printed(l, node));
  value_put_value(&l->arena, &map, "operands", value_of_operands(l, node));
  dloc_node subprogram = instruction_subprogram(l->context, node);
  if (subprogram != DLOC_NULL)
    put_node(l, &map, "subprogram", subprogram);
  return map;
}

/* ---- What an op asks for beside its args and its value ---- */

static void put_module(lister *l, const dloc_module *module, value *map) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {NULL, 0, 0};
  fine(l, dloc_write_ll(module, dloc_buffer_sink(&text)));
  value_put_text(&l->arena, map, "module", (dloc_text){text.bytes, text.size});
  dloc_named_metadata named;
  if (!dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &named))
    return;
  value list = {.kind = VALUE_LIST};
  for (size_t i = 0; i < named.operand_count; i++)
    value_add(&l->arena, &list, value_of_node(l, dloc_module_named_operand(module, &named, i)));
  value_put_value(&l->arena, map, "sources", list);
}

/* For each call the first call of the same function, and its subprogram. */
static void put_callees(lister *l, const vector_case *built, value *map) {
  value list = {.kind = VALUE_LIST};
  const term *calls;
  size_t count = inlined_calls(built->args, &calls);
  for (uint32_t i = 0, callee; i < count; i++) {
    value item = {.kind = VALUE_MAP};
    if (!callee_find(l->context, built->args, i, &callee))
      return;
    value_put_number(&l->arena, &item, "call", callee);
    put_node(l, &item, "subprogram", callee_subprogram(l->context, &calls[i]));
    value_add(&l->arena, &list, item);
  }
  value_put_value(&l->arena, map, "callees", list);
}

/* The location whose primary and layers are expected. */
static dloc_node make_location(lister *l, const vector_answer *expected) {
  const term *given = term_list(expected->value, "layers");
  dloc_layer *layers = value_arena_alloc(&l->arena, given->count, sizeof *layers);
  dloc_node location = DLOC_NULL, primary = term_node(expected->value, "primary");
  for (uint32_t i = 0; i < given->count; i++) {
    layers[i].location = term_node(&given->of.items[i], "location");
    fine(l, dloc_string(l->context, term_text(&given->of.items[i], "kind"), &layers[i].kind));
  }
  if (given->count && dloc_node_kind(l->context, layers[0].location) == DLOC_KIND_LAYER)
    return primary; /* which has a list of them */
  if (primary != DLOC_NULL)
    fine(l, dloc_debug_loc_create(l->context, primary, layers, given->count, &location));
  return location;
}

/* ---- A vector ---- */

static value describe_expected(lister *l, const vector_answer *expected) {
  value map = {.kind = VALUE_MAP};
  value_put_word(&l->arena, &map, "outcome", expected->outcome == VECTOR_OK ? "ok" : "reject");
  if (expected->outcome == VECTOR_REJECT) {
    value_put_word(&l->arena, &map, "reason", dloc_reason_name(expected->reason));
    value_put_word(&l->arena, &map, "severity", dloc_severity_name(expected->severity));
    if (expected->severity != dloc_reason_severity(expected->reason))
      value_put_word(&l->arena, &map, "raised", "true");
    value_put_text(&l->arena, &map, "message", dloc_text_of(dloc_reason_text(expected->reason)));
  }
  if (expected->value)
    value_put_value(&l->arena, &map, "value", term_describe(expected->value, &l->arena, value_of_node, l));
  return map;
}

/* Nodes come into the list while others are described. */
static value describe_nodes(lister *l) {
  value list = {.kind = VALUE_LIST};
  for (uint32_t i = 0; i < l->count; i++)
    value_add(&l->arena, &list, describe_node(l, l->nodes[i]));
  return list;
}

static void put_case(lister *l, const vector_case *built, const vector_answer *expected, value *map) {
  const vector *v = &l->input.vector;
  dloc_node location = v->op == VECTOR_ACCESSOR ? make_location(l, expected) : DLOC_NULL;
  uint32_t limit = dloc_node_limit(l->context);
  l->count = 0;
  l->indices = value_arena_alloc(&l->arena, limit, sizeof *l->indices);
  l->nodes = value_arena_alloc(&l->arena, limit, sizeof *l->nodes);
  if (built->args)
    value_put_value(&l->arena, map, "args", term_describe(built->args, &l->arena, value_of_node, l));
  value_put_value(&l->arena, map, "expect", describe_expected(l, expected));
  if (v->op == VECTOR_ACCESSOR)
    put_node(l, map, "location", location);
  if (v->op == VECTOR_INLINE)
    put_callees(l, built, map);
  if (built->module)
    put_module(l, built->module, map);
  value_put_value(&l->arena, map, "nodes", describe_nodes(l));
}

static void put_expected(lister *l, const vector_answer *expected, value *map) {
  OWNED(release_dloc_module) dloc_module *empty = NULL;
  l->context = l->inquiry.context;
  if (fine(l, dloc_module_create(l->context, &empty)) && fine(l, dloc_numbers_create(empty, &l->profile, &l->numbers)))
    put_case(l, &l->inquiry.built, expected, map);
  dloc_numbers_destroy(l->numbers);
  l->numbers = NULL;
}

/* For people to read. The script walks nodes by recursion and makes names of ids. */
static bool is_readable(const vector *v) {
  enum { MOST_NODES = 4096, LONGEST_ID = 128 };
  return (!v->nodes || v->nodes->count <= MOST_NODES) && v->id.size <= LONGEST_ID;
}

/* Nothing but the basis when its nodes cannot exist. */
static void put_built(lister *l, value *map) {
  const vector_expectation *expectation = NULL;
  vector_answer expected;
  value_diagnostic diagnostic;
  inquiry_begin(&l->inquiry, &l->input.vector);
  if (!fine(l, inquiry_expectation(&l->inquiry, &l->profile, &expectation)))
    return;
  inquiry_begin(&l->inquiry, &l->input.vector); /* without the nodes of the model's answers */
  value_put_text(&l->arena, map, "basis", dloc_text_of(run_basis_name(expectation ? RUN_DERIVED : RUN_BY_MODEL)));
  if (fine(l, expectation ? inquiry_state(&l->inquiry, expectation, &diagnostic, &expected)
                          : inquiry_ask(&l->inquiry, &l->profile, &expected)) &&
      !l->inquiry.built.rejected)
    put_expected(l, &expected, map);
}

static bool is_list_form(const vector *v) { return v->needs >> VECTOR_NEED_IRLAYERS & 1; }

/* Needs layers in the form of the profile, or embeds sources. */
static bool is_of_interest(const vector *v, const dloc_profile *profile) {
  const value *named = v->module ? value_get(v->module, "named") : NULL;
  if (DLOC_TAKES(profile, METADATA_IRLAYERS, KNOWN))
    return is_list_form(v);
  return v->needs & VECTOR_NEED_BIT(VECTOR_NEED_LAYERS) || (named && value_get(named, DLOC_SOURCE_LIST));
}

static void write_vector(lister *l) {
  bool applies = vector_expectation_for(&l->input.vector, &l->profile) != NULL;
  const vector *v = &l->input.vector;
  value map = {.kind = VALUE_MAP};
  value_put_text(&l->arena, &map, "file", dloc_text_of(l->input.path));
  value_put_text(&l->arena, &map, "id", v->id);
  value_put_text(&l->arena, &map, "op", dloc_text_of(vector_op_name(v->op)));
  value_put_text(&l->arena, &map, "note", v->note);
  value_put_value(&l->arena, &map, "clauses", *value_get(v->document, "clauses"));
  value_put_word(&l->arena, &map, "applies", applies ? "true" : "false");
  if (is_list_form(v))
    value_put_word(&l->arena, &map, "irlayers", "true");
  if (applies && is_readable(v))
    put_built(l, &map);
  if (fine(l, value_write_json(&map, tool_file_sink(stdout))))
    putchar('\n');
}

static int write_vectors(lister *l, const char *const *paths, size_t count) {
  vectors_open(&l->input, paths, count);
  suite_only(l->input.suite, l->only.items, l->only.count);
  printf("{\"profile\": \"%s\"}\n", l->profile.name);
  while (l->status == DLOC_OK && vectors_next(&l->input)) {
    const vector *v = &l->input.vector;
    value_arena_reset(&l->arena);
    if (is_of_interest(v, &l->profile) && (!l->op || v->op == l->wanted))
      write_vector(l);
  }
  inquiry_deinit(&l->inquiry);
  value_arena_deinit(&l->arena);
  /* main finds out about standard output */
  bool done = l->status == DLOC_OK || l->status == DLOC_STOPPED;
  int status = done ? vectors_all_met(&l->input) : tool_failure(l->status, l->input.path);
  vectors_close(&l->input);
  return status;
}

/* ---- The command ---- */

int gen_lit(int argc, char **argv) {
  lister l = {.op = NULL};
  tool_list choices = {NULL, 0};
  const char *directory = NULL; /* NULL: stdout */
  bool json = false;
  const tool_option options[] = {
      {TOOL_PROFILE, "profile", NULL, &l.profile},
      {TOOL_LIST, "choice", NULL, &choices},
      {TOOL_TEXT, "op", NULL, &l.op},
      {TOOL_LIST, "only", NULL, &l.only},
      {TOOL_TEXT, "o", "write files into this directory instead of to stdout", &directory},
      {TOOL_FLAG, "json", "write what the tests are made from, as JSON Lines (tools/pages/README.md)", &json},
      {0}};
  int count = tool_parse(argc, argv, &gen_lit_usage, options);
  for (size_t i = 0; i < choices.count; i++)
    tool_choose(choices.items[i], &l.profile);
  if (l.op)
    l.wanted = vectors_find_op(l.op);
  return json ? write_vectors(&l, (const char *const *)argv, (size_t)count)
              : script_become("lab/lit.py", options, argv, count);
}
