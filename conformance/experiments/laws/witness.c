/* witness.c - what was asked of one input, for people and as vectors. */
#include "document/buffer.h"
#include "document/memory.h"
#include "search.h"
#include "vector/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Nodes as YAML ---- */

/* The graph below the operands of a question, each node once, with a name. */
typedef struct describer {
  const trial *trial;
  const question *question;
  dloc_buffer *out;
  char (*names)[20]; /* by handle; empty: not described yet */
  unsigned locations;
} describer;

static void describe(describer *d, dloc_node node, const char *name);

static const char *name_of(describer *d, dloc_node node) { return node ? d->names[node] : "null"; }

/* A node that an operand refers to, unless it stands there already. */
static void describe_part(describer *d, dloc_node node) {
  char name[20];
  dloc_kind kind = dloc_node_kind(d->trial->context, node);
  const char *known = world_name(d->trial->world, node);
  if (kind == DLOC_KIND_NULL || kind == DLOC_KIND_STRING || kind == DLOC_KIND_TOKEN || d->names[node][0])
    return;
  if (!known)
    snprintf(name, sizeof name, "n%u", ++d->locations);
  describe(d, node, known ? known : name);
}

static void put_location(describer *d, dloc_node node) {
  dloc_location at = dloc_location_get(d->trial->context, node);
  buffer_format(d->out, ", line: %" PRIu32 ", column: %" PRIu32 ", scope: %s", at.line, at.column,
                name_of(d, at.scope));
  if (at.inlined_at)
    buffer_format(d->out, ", inlinedAt: %s", name_of(d, at.inlined_at));
  if (at.implicit)
    buffer_format(d->out, ", isImplicitCode: true");
  if (at.atom_group)
    buffer_format(d->out, ", atomGroup: %" PRIu64, at.atom_group);
  if (at.atom_rank)
    buffer_format(d->out, ", atomRank: %u", at.atom_rank);
}

static bool has_atom(const describer *d, dloc_node debug_loc) {
  dloc_location primary = dloc_location_get(d->trial->context, dloc_primary(d->trial->context, debug_loc));
  return primary.atom_group || primary.atom_rank;
}

/* Only primaries have atoms in a world. */
static bool has_atoms(const describer *d) {
  bool atoms = has_atom(d, d->question->call);
  for (size_t i = 0; i < d->question->count; i++)
    atoms = atoms || has_atom(d, d->question->operands[i]);
  return atoms;
}

static void put_fields(describer *d, dloc_node node) {
  const dloc_context *context = d->trial->context;
  for (size_t i = 0; i < dloc_field_count(context, node); i++) {
    dloc_field field = dloc_field_at(context, node, i);
    dloc_text key = dloc_node_text(context, field.key), text = dloc_node_text(context, field.value);
    bool is_string = dloc_node_kind(context, field.value) == DLOC_KIND_STRING;
    if (dloc_text_equal(key, dloc_text_of("keyInstructions")) && !has_atoms(d))
      continue; /* releases without atoms cannot read it */
    buffer_format(d->out, ", %.*s: %s", (int)key.size, key.bytes, is_string ? "\"" : "");
    buffer_put(d->out, text.size ? text : dloc_text_of(name_of(d, field.value)));
    buffer_format(d->out, "%s", is_string ? "\"" : "");
  }
}

/* An operand of a tuple. */
static void put_operand(describer *d, dloc_node operand) {
  dloc_text text = dloc_node_text(d->trial->context, operand);
  if (dloc_node_kind(d->trial->context, operand) == DLOC_KIND_STRING)
    buffer_format(d->out, "{string: %.*s}", (int)text.size, text.bytes);
  else
    buffer_put(d->out, dloc_text_of(name_of(d, operand)));
}

static void put_layers(describer *d, dloc_node node) {
  const dloc_context *context = d->trial->context;
  buffer_format(d->out, ", primary: %s, layers: [", name_of(d, dloc_primary(context, node)));
  dloc_layer layer;
  const char *between = "";
  for (size_t cursor = 0; dloc_next_layer(context, node, &cursor, &layer); between = ", ") {
    dloc_text kind = dloc_node_text(context, layer.kind);
    buffer_format(d->out, "%s{kind: %.*s, location: %s}", between, (int)kind.size, kind.bytes,
                  name_of(d, layer.location));
  }
  buffer_format(d->out, "]");
}

static void put_operands(describer *d, dloc_node node) {
  buffer_format(d->out, ", operands: [");
  for (size_t i = 0; i < dloc_operand_count(d->trial->context, node); i++) {
    buffer_format(d->out, "%s", i ? ", " : "");
    put_operand(d, dloc_operand(d->trial->context, node, i));
  }
  buffer_format(d->out, "]");
}

/* The nodes that it is made of; of a composite, not the pairs of kind and location. */
static void describe_parts(describer *d, dloc_node node) {
  const dloc_context *context = d->trial->context;
  if (dloc_debug_loc_is_plain(d->trial->context, node)) {
    describe_part(d, dloc_primary(context, node));
    dloc_layer layer;
    for (size_t cursor = 0; dloc_next_layer(context, node, &cursor, &layer);)
      describe_part(d, layer.location);
  } else if (dloc_node_kind(context, node) == DLOC_KIND_LOCATION) {
    dloc_location at = dloc_location_get(context, node);
    describe_part(d, at.scope);
    describe_part(d, at.inlined_at);
  } else {
    for (size_t i = 0; i < dloc_field_count(context, node); i++)
      describe_part(d, dloc_field_at(context, node, i).value);
    for (size_t i = 0; i < dloc_operand_count(context, node); i++)
      describe_part(d, dloc_operand(context, node, i));
  }
}

/* No cycle can be met: a world has none, and neither merging nor inlining makes one. */
static void describe(describer *d, dloc_node node, const char *name) {
  const dloc_context *context = d->trial->context;
  dloc_kind kind = dloc_node_kind(context, node);
  bool composite = dloc_debug_loc_is_plain(
      d->trial->context, node); /* a tuple of layers alone; any other is written as the tuple that it is */
  dloc_text tuple = dloc_text_of(composite ? "composite" : "tuple");
  dloc_text class_name = kind == DLOC_KIND_TUPLE ? tuple : dloc_node_class(context, node);
  describe_parts(d, node);
  snprintf(d->names[node], sizeof d->names[node], "%s", name);
  buffer_format(d->out, "  %s: {node: %.*s%s", name, (int)class_name.size, class_name.bytes,
                dloc_node_is_distinct(context, node) ? ", distinct: true" : "");
  if (composite)
    put_layers(d, node);
  else if (kind == DLOC_KIND_TUPLE)
    put_operands(d, node);
  else if (kind == DLOC_KIND_LOCATION)
    put_location(d, node);
  else
    put_fields(d, node);
  buffer_format(d->out, "}\n");
}

/* ---- A question as a vector without its answers ---- */

/* The subprogram of the function that a question is about; NULL: it has none. */
static const char *subprogram_name(const question *q) {
  static const char *const names[] = {[WORLD_F] = "f", [WORLD_G] = "g", [WORLD_NO_SUBPROGRAM] = NULL};
  return names[q->function];
}

/* The subprogram and the list of sources that the module of a `verify` has. */
static void describe_module(describer *d) {
  const char *const wanted[] = {subprogram_name(d->question), "entry", "other-entry"};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (wanted[i])
      describe_part(d, world_named(d->trial->world, wanted[i]));
}

static void put_nodes(describer *d) {
  static const char *const names[] = {"a", "b", "c"};
  const question *q = d->question;
  if (q->op == VECTOR_VERIFY)
    describe_module(d);
  if (q->op == VECTOR_HOIST && subprogram_name(q))
    describe_part(d, world_named(d->trial->world, subprogram_name(q)));
  if (q->call)
    describe(d, q->call, "at");
  for (size_t i = 0; i < q->count; i++)
    if (q->operands[i] && !d->names[q->operands[i]][0])
      describe(d, q->operands[i], names[i]);
}

static void put_callee(describer *d) {
  static const char *const classes[] = {"plain", "static-alloca", "pseudo-probe"};
  const question *q = d->question;
  bool plain = q->mode.instruction == DLOC_INSTRUCTION_PLAIN;
  buffer_format(d->out, "args:\n  call: %s\n  callee: [", name_of(d, q->call));
  for (size_t i = 0; i < q->count; i++)
    if (plain)
      buffer_format(d->out, "%s%s", i ? ", " : "", name_of(d, q->operands[i]));
    else
      buffer_format(d->out, "%s{location: %s, instruction: %s}", i ? ", " : "", name_of(d, q->operands[i]),
                    classes[q->mode.instruction]);
  buffer_format(d->out, "]\n");
  if (q->mode.callee_without_subprogram)
    buffer_format(d->out, "  callee-subprogram: false\n");
  if (q->mode.no_inline_line_tables)
    buffer_format(d->out, "  no-inline-line-tables: true\n");
}

static void put_module(describer *d) {
  static const char *const functions[] = {
      [WORLD_F] = "name: f, subprogram: f", [WORLD_G] = "name: g, subprogram: g", [WORLD_NO_SUBPROGRAM] = "name: n"};
  buffer_format(d->out,
                "module:\n  functions:\n  - {%s, instructions: [{dbg: %s}]}\n  named:\n"
                "    " DLOC_SOURCE_LIST ": [entry, other-entry]\n",
                functions[d->question->function], name_of(d, d->question->operands[0]));
}

static void put_hoisted(describer *d) {
  const question *q = d->question;
  buffer_format(d->out, "args: {location: %s, call: %s", name_of(d, q->operands[0]), q->is_call ? "true" : "false");
  if (subprogram_name(q))
    buffer_format(d->out, ", function: %s", subprogram_name(q));
  buffer_format(d->out, "}\n");
}

static void put_list(describer *d) {
  buffer_format(d->out, "args: [");
  for (size_t i = 0; i < d->question->count; i++)
    buffer_format(d->out, "%s%s", i ? ", " : "", name_of(d, d->question->operands[i]));
  buffer_format(d->out, "]\n");
}

static void put_op(describer *d) {
  buffer_format(d->out, "op: %s\n", vector_op_name(d->question->op));
  switch (d->question->op) {
  case VECTOR_VERIFY:
    put_module(d);
    break;
  case VECTOR_INLINE:
    put_callee(d);
    break;
  case VECTOR_HOIST:
    put_hoisted(d);
    break;
  default:
    put_list(d);
    break;
  }
}

/* ---- A question as a whole vector ---- */

static bool has_layers(const describer *d) {
  bool layers = dloc_debug_loc_shape(d->trial->context, d->question->call) == DLOC_SHAPE_COMPOSITE;
  for (size_t i = 0; i < d->question->count; i++)
    layers = layers || dloc_debug_loc_shape(d->trial->context, d->question->operands[i]) == DLOC_SHAPE_COMPOSITE;
  return layers;
}

/* The clauses of the law, and the level of the first of them. */
static void put_clauses(describer *d, law l) {
  dloc_clause first = DLOC_CLAUSE_COUNT;
  const char *word = law_clauses(l);
  buffer_format(d->out, "clauses: [");
  for (const char *next = word; *next; next += strspn(next, " ")) {
    buffer_format(d->out, "%s%.*s", next == word ? "" : ", ", (int)strcspn(next, " "), next);
    next += strcspn(next, " ");
  }
  if (dloc_clause_find((dloc_text){word, strcspn(word, " ")}, &first))
    buffer_format(d->out, "]\nlevel: %s\n", dloc_clause_level(first));
}

/* A profile's name as it may stand in an id. */
static void put_id(describer *d, law l, size_t number) {
  buffer_format(d->out, "id: laws.%s.", law_name(l));
  for (const char *c = d->trial->profile->name; *c; c++)
    buffer_format(d->out, "%c", *c == '+' ? '-' : *c);
  buffer_format(d->out, ".%zu\n", number);
}

/* The question as a vector in YAML. */
static void put_question(describer *d, law l, size_t number, dloc_buffer *nodes) {
  dloc_buffer *text = d->out;
  d->out = nodes;
  put_nodes(d);
  d->out = text;
  put_id(d, l, number);
  put_clauses(d, l);
  buffer_format(d->out, "since: %s\nneeds: [%s%s%s]\nnote: This input breaks the law %s under %s.\n",
                d->question->profile->name, vector_op_name(d->question->op), has_layers(d) ? ", layers" : "",
                has_atoms(d) ? ", atoms" : "", law_name(l), d->trial->profile->name);
  if (nodes->size)
    buffer_put(d->out, dloc_text_of("nodes:\n"));
  buffer_put(d->out, buffer_text(nodes));
  put_op(d);
  /* complete_vector knows better. */
  buffer_format(d->out, "expect: {outcome: reject, reason: shape.not-a-location}\n");
}

static dloc_status write_question(const reenactment *r, size_t index, law l, completer *c, dloc_sink sink) {
  dloc_buffer text = {0}, nodes = {0};
  value_diagnostic diagnostic;
  describer d = {.trial = &r->trial, .question = &r->trial.questions[index], .out = &text};
  d.names = memory_allocate(dloc_node_limit(r->trial.context), sizeof *d.names);
  put_question(&d, l, index + 1, &nodes);
  dloc_status status = complete_vector(c, buffer_text(&text), &diagnostic, sink);
  free(d.names);
  dloc_buffer_deinit(&text);
  dloc_buffer_deinit(&nodes);
  return status;
}

/* The pick flag would change every merge. */
static bool is_listed(void *user, dloc_choice choice) {
  (void)user;
  return choice != DLOC_CHOICE_MERGE_PICK &&
         (strncmp(dloc_choice_name(choice), "merge.", 6) == 0 || choice == DLOC_CHOICE_HOIST_LAYERS);
}

static dloc_status write_questions(const reenactment *r, law l, dloc_sink sink, size_t *count) {
  completer c = {.lists = is_listed};
  dloc_status status = DLOC_OK;
  completer_init(&c);
  for (size_t i = 0; status == DLOC_OK && i < r->trial.question_count; i++) {
    if ((*count)++ && !sink.write(sink.user, "---\n", 4))
      status = DLOC_STOPPED;
    if (status == DLOC_OK)
      status = write_question(r, i, l, &c, sink);
  }
  completer_deinit(&c);
  return status;
}

dloc_status laws_write_witness(const laws_settings *settings, law l, uint64_t input, dloc_sink sink, size_t *count) {
  reenactment r;
  dloc_status status = search_reenact(settings, l, input, &r);
  if (status == DLOC_OK)
    status = write_questions(&r, l, sink, count);
  reenactment_end(&r);
  return status;
}

/* ---- For people ---- */

/* What the printed form of a location does not tell. */
static void explain_hidden(const reenactment *r, dloc_node location, dloc_buffer *out) {
  dloc_location at = dloc_location_get(r->trial.context, location);
  const char *scope = world_name(r->world, at.scope);
  if (scope && strcmp(scope, "f") != 0 && strcmp(scope, "tile") != 0)
    buffer_format(out, " in %s", scope);
  if (dloc_node_is_distinct(r->trial.context, location))
    buffer_format(out, " distinct");
  if (at.implicit)
    buffer_format(out, " implicit");
  if (at.atom_group)
    buffer_format(out, " atom %" PRIu64 ".%u", at.atom_group, at.atom_rank);
}

static void explain_location(const reenactment *r, dloc_node location, dloc_buffer *out) {
  dloc_debug_loc_print(r->trial.context, location, buffer_sink(out));
  explain_hidden(r, location, out);
}

static void explain_debug_loc(const reenactment *r, dloc_node debug_loc, dloc_buffer *out) {
  const dloc_context *context = r->trial.context;
  if (dloc_debug_loc_shape(context, debug_loc) != DLOC_SHAPE_COMPOSITE) {
    explain_location(r, debug_loc, out);
    return;
  }
  buffer_format(out, "%s{", dloc_node_is_distinct(context, debug_loc) ? "distinct " : "");
  explain_location(r, dloc_primary(context, debug_loc), out);
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(context, debug_loc, &cursor, &layer);) {
    dloc_text kind = dloc_node_text(context, layer.kind);
    buffer_format(out, ", %.*s: ", (int)kind.size, kind.bytes);
    explain_location(r, layer.location, out);
  }
  buffer_format(out, "}");
}

static void explain_results(const reenactment *r, const question *q, dloc_buffer *out) {
  size_t count = q->op == VECTOR_MERGE || q->op == VECTOR_ROUNDTRIP ? 1 : q->count;
  if (q->op == VECTOR_EQUAL || q->op == VECTOR_VERIFY)
    buffer_format(out, ": %s", q->verdict ? "yes" : "no");
  if (q->op == VECTOR_EQUAL || q->op == VECTOR_VERIFY || q->op == VECTOR_PRINT || q->op == VECTOR_EMIT)
    return;
  for (size_t i = 0; i < count; i++) {
    buffer_format(out, i ? ", " : ": ");
    explain_debug_loc(r, q->results[i], out);
  }
}

static void explain_question(const reenactment *r, const question *q, dloc_buffer *out) {
  buffer_format(out, "    %s", vector_op_name(q->op));
  for (size_t i = 0; i < q->count; i++) {
    buffer_format(out, i ? ", " : " ");
    explain_debug_loc(r, q->operands[i], out);
  }
  if (q->op == VECTOR_INLINE) {
    buffer_format(out, " at ");
    explain_debug_loc(r, q->call, out);
  }
  if (q->op == VECTOR_HOIST)
    buffer_format(out, ", %s", q->is_call ? "a call" : "no call");
  if (q->op == VECTOR_VERIFY || q->op == VECTOR_HOIST)
    buffer_format(out, " in %s", subprogram_name(q) ? subprogram_name(q) : "a function without subprogram");
  explain_results(r, q, out);
  buffer_format(out, "\n");
}

dloc_status laws_explain(const laws_settings *settings, law l, uint64_t input, dloc_sink sink) {
  reenactment r;
  dloc_buffer text = {0};
  dloc_status status = search_reenact(settings, l, input, &r);
  for (size_t i = 0; status == DLOC_OK && i < r.trial.question_count; i++)
    explain_question(&r, &r.trial.questions[i], &text);
  if (status == DLOC_OK && text.size && !sink.write(sink.user, text.bytes, text.size))
    status = DLOC_STOPPED;
  reenactment_end(&r);
  dloc_buffer_deinit(&text);
  return status;
}
