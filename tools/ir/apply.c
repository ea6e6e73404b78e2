/* dloc apply: an operation of the vectors on locations of a module. */
#include "help/apply.h"
#include "location.h"
#include "ops/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const vector_op takes_locations[] = {VECTOR_HOIST, VECTOR_STRIP, VECTOR_OUTLINE, VECTOR_COPY,
                                            VECTOR_DISCRIMINATOR};

/* The args as a document. Each node that the command line names has a name of its own there. */
typedef struct question {
  tool_module *module;
  const operation *op;
  value_arena arena;
  value args, names; /* of nodes, as keys */
  dloc_node *nodes;  /* of each name */
  size_t count;
} question;

static const operation *find_operation(const char *name) {
  vector_op op = VECTOR_OP_COUNT;
  tool_guess guess = {.wrong = name};
  (void)operation_find(dloc_text_of(name), &op);
  for (size_t i = 0; i < sizeof takes_locations / sizeof *takes_locations; i++) {
    tool_guess_offer(&guess, operations[takes_locations[i]]->name);
    if (op == takes_locations[i])
      return operations[op];
  }
  tool_fail("'%s' is no operation on locations%s; `dloc apply --help` lists them", name, tool_guess_words(&guess));
}

/* The field of that name in either form; NULL: there is none. */
static const field *find_field(const operation *op, dloc_text name) {
  const field *found = type_field(op->forms[0].args, name);
  return found || !op->forms[1].args ? found : type_field(op->forms[1].args, name);
}

static bool has_nodes(const type *t) {
  return t->kind == TYPE_NODE || (t->kind == TYPE_LIST && t->of->kind == TYPE_NODE);
}

static value name_node(question *q, const char *text, bool is_location) {
  dloc_node node = is_location ? tool_location_named(q->module, text) : tool_node_named(q->module, text);
  if (node == DLOC_NULL)
    return value_of_word(&q->arena, "null");
  if (!is_location && !dloc_text_equal(dloc_node_class(q->module->context, node), dloc_text_of("DISubprogram")))
    tool_fail("%s: %s is no DISubprogram", q->module->input.name, text);
  char name[32];
  snprintf(name, sizeof name, "n%zu", q->count);
  *MEMORY_ADD(q->nodes, q->count) = node;
  value named = value_of_text(&q->arena, dloc_text_of(name));
  value_put(&q->arena, &q->names, value_text(&named), (value){.kind = VALUE_MAP});
  return named;
}

/* `!4,!5`, or one node. */
static value name_nodes(question *q, const type *t, const char *text, bool is_location) {
  if (t->kind == TYPE_NODE)
    return name_node(q, text, is_location);
  value list = {.kind = VALUE_LIST};
  for (const char *end; *text; text = *end ? end + 1 : end) {
    end = text + strcspn(text, ",");
    dloc_text one = value_arena_copy(&q->arena, (dloc_text){text, (size_t)(end - text)});
    value_add(&q->arena, &list, name_node(q, one.bytes, is_location));
  }
  return list;
}

/* FIELD=VALUE */
static void add_field(question *q, const char *argument) {
  size_t size = strcspn(argument, "=");
  dloc_text key = value_arena_copy(&q->arena, (dloc_text){argument, size});
  const field *f = find_field(q->op, key);
  if (!f || strncmp(f->key, "location", strlen("location")) == 0)
    tool_fail("'%s' is no field of %s", key.bytes, q->op->name);
  if (value_get(&q->args, f->key))
    tool_fail("%s stands twice", f->key);
  const char *text = argument + size + 1;
  bool is_function = strcmp(f->key, "function") == 0;
  value_put_value(&q->arena, &q->args, f->key,
                  has_nodes(f->of) ? name_nodes(q, f->of, text, !is_function) : value_of_word(&q->arena, text));
}

/* The one location of an operation on one, else the list. */
static void add_locations(question *q, char **texts, size_t count) {
  const bool alone = count == 1 && find_field(q->op, dloc_text_of("location"));
  value list = {.kind = VALUE_LIST};
  for (size_t i = 0; i < count; i++)
    value_add(&q->arena, &list, name_node(q, texts[i], true));
  if (alone)
    value_put_value(&q->arena, &q->args, "location", list.of.items[0]);
  else
    value_put_value(&q->arena, &q->args, "locations", list);
}

static dloc_status read_args(question *q, value_diagnostic *diagnostic, term *ret) {
  (void)value_index(&q->arena, &q->names);
  const reading r = {&q->arena, diagnostic, &q->arena};
  const graph g = {.names = &q->names, .count = (uint32_t)q->count};
  term args;
  TRY(operation_read_args(&r, &g, q->op, &q->args, &args));
  return term_build(&args, q->nodes, q->module->context, &q->arena, ret);
}

/* One result for each location, in their order, and for each copy of them. */
static dloc_status print_results(const question *q, const term *value) {
  OWNED(memory_release) dloc_node *roots = NULL;
  size_t count = 0;
  for (uint32_t i = 0; i < value->count; i++)
    for (uint32_t at = 0; at < value->of.items[i].count; at++)
      *MEMORY_ADD(roots, count) = value->of.items[i].of.nodes[at];
  return dloc_print_graph(q->module->context, "!dbg", roots, count, tool_file_sink(stdout));
}

static dloc_status print_value(question *q, const term *value, bool json) {
  static const graph nothing = {.names = NULL};
  struct value document;
  if (!json)
    return print_results(q, value);
  operation_describe(q->module->context, value, &nothing, NULL, &q->arena, &document);
  tool_print_json(&document);
  return DLOC_OK;
}

static int apply(question *q, bool json) {
  value_diagnostic diagnostic = {.line = 0};
  term args;
  dloc_status status = read_args(q, &diagnostic, &args);
  if (status == DLOC_INVALID)
    tool_fail("%s: %s", q->op->name, diagnostic.message);
  tool_require(status, NULL);
  term *value = term_make(&q->arena, operation_form_of(q->op, &q->args)->value);
  query asked = {
      .profile = q->module->profile, .context = q->module->context, .args = &args, .arena = &q->arena, .severity = -1};
  status = q->op->ask(&asked, value);
  if (status == DLOC_OK)
    status = print_value(q, value, json);
  if (status == DLOC_OK)
    return TOOL_FINE;
  return status == DLOC_INVALID && asked.reason ? tool_reject(&q->module->input, NULL, asked.reason)
                                                : tool_failure(status, q->module->input.name);
}

int tool_apply(int argc, char **argv) {
  dloc_profile profile = {0};
  bool json = false;
  const tool_option options[] = {TOOL_PROFILE_OPTIONS(&profile), {TOOL_FLAG, "json", NULL, &json}, {0}};
  int count = tool_parse(argc, argv, &apply_usage, options), first = 2, fields;
  question q = {.op = find_operation(argv[0]), .args = {.kind = VALUE_MAP}, .names = {.kind = VALUE_MAP}};
  tool_module module = tool_module_open(argv[1], &profile);
  q.module = &module;
  for (fields = first; fields < count && !strchr(argv[fields], '='); fields++) {
  }
  if (fields == first)
    tool_fail("%s: a location stands before the fields", q.op->name);
  for (int i = fields; i < count; i++)
    add_field(&q, argv[i]);
  add_locations(&q, argv + first, (size_t)(fields - first));
  int status = apply(&q, json);
  free(q.nodes);
  value_arena_deinit(&q.arena);
  return tool_module_close(&module, status);
}
