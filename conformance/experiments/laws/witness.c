/* witness.c - what was asked of one input, for people and as vectors. */
#include "document/buffer.h"
#include "search.h"
#include "vector/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- A question as a vector without its answers ---- */

enum { MOST_ROOTS = TRIAL_OPERANDS + 1 };

typedef struct writer {
  const trial *trial;
  const question *question;
  dloc_buffer *out;
  value_arena arena;
  const char *names[MOST_ROOTS]; /* of the operands, and of the call */
} writer;

/* Operand i, from 0; behind the last of them the call. */
static dloc_node operand(const question *q, size_t i) { return i < q->count ? q->operands[i] : q->call; }

/* Only primaries have atoms in a world. */
static bool has_atoms(const writer *w) {
  for (size_t i = 0; i <= w->question->count; i++) {
    dloc_node primary = dloc_primary(w->trial->context, operand(w->question, i));
    dloc_location at = dloc_location_get(w->trial->context, primary);
    if (at.atom_group || at.atom_rank)
      return true;
  }
  return false;
}

static bool has_layers(const writer *w) {
  for (size_t i = 0; i <= w->question->count; i++)
    if (dloc_debug_loc_shape(w->trial->context, operand(w->question, i)) == DLOC_SHAPE_COMPOSITE)
      return true;
  return false;
}

/* complete_vector leaves out those that nothing refers to. */
static void put_nodes(writer *w) {
  static const char *const own[] = {"a", "b", "c"};
  const question *q = w->question;
  dloc_node roots[MOST_ROOTS];
  const char *names[MOST_ROOTS];
  size_t count = 0;
  for (size_t i = 0; i <= q->count; i++)
    if (operand(q, i)) {
      names[count] = i < q->count ? own[i] : "at";
      roots[count++] = operand(q, i);
    }
  world_describe(w->trial->world, has_atoms(w), roots, names, count, &w->arena, w->out);
  count = 0;
  for (size_t i = 0; i <= q->count; i++)
    w->names[i] = operand(q, i) ? names[count++] : "null";
}

static void put_callee(const writer *w) {
  static const char *const classes[] = {"plain", "static-alloca", "pseudo-probe"};
  const question *q = w->question;
  buffer_format(w->out, "args:\n  call: %s\n  callee: [", w->names[q->count]);
  for (size_t i = 0; i < q->count; i++)
    buffer_format(w->out, q->mode.instruction == DLOC_INSTRUCTION_PLAIN ? "%s%s" : "%s{location: %s, instruction: %s}",
                  i ? ", " : "", w->names[i], classes[q->mode.instruction]);
  buffer_format(w->out, "]\n%s%s", q->mode.callee_without_subprogram ? "  callee-subprogram: false\n" : "",
                q->mode.no_inline_line_tables ? "  no-inline-line-tables: true\n" : "");
}

static void put_module(const writer *w) {
  static const char *const functions[] = {
      [WORLD_F] = "name: f, subprogram: f", [WORLD_G] = "name: g, subprogram: g", [WORLD_NO_SUBPROGRAM] = "name: n"};
  buffer_format(w->out,
                "module:\n  functions:\n  - {%s, instructions: [{dbg: %s}]}\n  named:\n"
                "    " DLOC_SOURCE_LIST ": [entry, other-entry]\n",
                functions[w->question->way.function], w->names[0]);
}

static void put_hoisted(const writer *w) {
  const char *subprogram = world_subprogram_name(w->question->way.function);
  buffer_format(w->out, "args: {location: %s, call: %s%s%s}\n", w->names[0],
                w->question->way.is_call ? "true" : "false", subprogram ? ", function: " : "",
                subprogram ? subprogram : "");
}

static void put_list(const writer *w) {
  buffer_format(w->out, "args: [");
  for (size_t i = 0; i < w->question->count; i++)
    buffer_format(w->out, "%s%s", i ? ", " : "", w->names[i]);
  buffer_format(w->out, "]\n");
}

static void put_op(const writer *w) {
  vector_op op = w->question->op;
  buffer_format(w->out, "op: %s\n", vector_op_name(op));
  (op == VECTOR_VERIFY   ? put_module
   : op == VECTOR_INLINE ? put_callee
   : op == VECTOR_HOIST  ? put_hoisted
                         : put_list)(w);
}

/* The clauses of the law, and the level of the first of them. */
static void put_clauses(const writer *w, law l) {
  dloc_clause first = DLOC_CLAUSE_COUNT;
  const char *anchors = law_clauses(l);
  buffer_format(w->out, "clauses: [");
  for (const char *c = anchors; *c; c++)
    buffer_format(w->out, *c == ' ' ? ", " : "%c", *c);
  dloc_clause_find((dloc_text){anchors, strcspn(anchors, " ")}, &first);
  buffer_format(w->out, "]\nlevel: %s\n", dloc_clause_level(first));
}

/* A profile's name as it may stand in an id. */
static void put_id(const writer *w, law l, size_t number) {
  buffer_format(w->out, "id: laws.%s.", law_name(l));
  for (const char *c = w->trial->profile->name; *c; c++)
    buffer_format(w->out, "%c", *c == '+' ? '-' : *c);
  buffer_format(w->out, ".%zu\n", number);
}

static void put_question(writer *w, law l, size_t number) {
  put_id(w, l, number);
  put_clauses(w, l);
  buffer_format(w->out, "since: %s\nneeds: [%s%s%s]\nnote: This input breaks the law %s under %s.\n",
                w->question->profile->name, vector_op_name(w->question->op), has_layers(w) ? ", layers" : "",
                has_atoms(w) ? ", atoms" : "", law_name(l), w->trial->profile->name);
  put_nodes(w);
  put_op(w);
  /* complete_vector knows better. */
  buffer_format(w->out, "expect: {outcome: reject, reason: shape.not-a-location}\n");
}

/* The pick flag would change every merge. */
static bool is_listed(void *user, dloc_choice choice) {
  (void)user;
  return choice != DLOC_CHOICE_MERGE_PICK &&
         (strncmp(dloc_choice_name(choice), "merge.", 6) == 0 || choice == DLOC_CHOICE_HOIST_LAYERS);
}

void laws_write_witness(const laws_settings *settings, law l, uint64_t input, dloc_buffer *out) {
  completer c = {.lists = is_listed};
  dloc_profile stock;
  trial t;
  value_diagnostic diagnostic;
  completer_init(&c);
  search_reenact(settings, l, input, &stock, &t);
  for (size_t i = 0; i < t.question_count; i++) {
    dloc_buffer text = {0};
    writer w = {.trial = &t, .question = &t.questions[i], .out = &text};
    put_question(&w, l, i + 1);
    buffer_format(out, "%s", out->size ? "---\n" : "");
    complete_vector(&c, buffer_text(&text), &diagnostic, buffer_sink(out));
    value_arena_deinit(&w.arena);
    dloc_buffer_deinit(&text);
  }
  completer_deinit(&c);
  search_end(&t);
}

/* ---- For people ---- */

/* What the printed form of a location does not tell. */
static void explain_hidden(const trial *t, dloc_node location, dloc_buffer *out) {
  dloc_location at = dloc_location_get(t->context, location);
  const char *scope = world_name(t->world, at.scope);
  if (scope && strcmp(scope, "f") != 0 && strcmp(scope, "tile") != 0)
    buffer_format(out, " in %s", scope);
  if (dloc_node_is_distinct(t->context, location))
    buffer_format(out, " distinct");
  if (at.implicit)
    buffer_format(out, " implicit");
  if (at.atom_group)
    buffer_format(out, " atom %" PRIu64 ".%u", at.atom_group, at.atom_rank);
}

static void explain_location(const trial *t, dloc_node location, dloc_buffer *out) {
  dloc_debug_loc_print(t->context, t->profile, location, buffer_sink(out));
  explain_hidden(t, location, out);
}

static void explain_debug_loc(const trial *t, dloc_node debug_loc, dloc_buffer *out) {
  const dloc_context *context = t->context;
  if (dloc_debug_loc_shape(context, debug_loc) != DLOC_SHAPE_COMPOSITE) {
    explain_location(t, debug_loc, out);
    return;
  }
  buffer_format(out, "%s{", dloc_node_is_distinct(context, debug_loc) ? "distinct " : "");
  explain_location(t, dloc_primary(context, debug_loc), out);
  dloc_layer layer;
  for (size_t cursor = 0; dloc_next_layer(context, debug_loc, &cursor, &layer);) {
    dloc_text kind = dloc_node_text(context, layer.kind);
    buffer_format(out, ", %.*s: ", (int)kind.size, kind.bytes);
    explain_location(t, layer.location, out);
  }
  buffer_format(out, "}");
}

static void explain_results(const trial *t, const question *q, dloc_buffer *out) {
  size_t count = q->op == VECTOR_MERGE || q->op == VECTOR_ROUNDTRIP ? 1 : q->count;
  if (q->op == VECTOR_EQUAL || q->op == VECTOR_VERIFY)
    buffer_format(out, ": %s", q->verdict ? "yes" : "no");
  if (q->op == VECTOR_EQUAL || q->op == VECTOR_VERIFY || q->op == VECTOR_PRINT || q->op == VECTOR_EMIT)
    return;
  for (size_t i = 0; i < count; i++) {
    buffer_format(out, i ? ", " : ": ");
    explain_debug_loc(t, q->results[i], out);
  }
}

static void explain_question(const trial *t, const question *q, dloc_buffer *out) {
  buffer_format(out, "    %s", vector_op_name(q->op));
  for (size_t i = 0; i < q->count; i++) {
    buffer_format(out, i ? ", " : " ");
    explain_debug_loc(t, q->operands[i], out);
  }
  if (q->op == VECTOR_INLINE) {
    buffer_format(out, " at ");
    explain_debug_loc(t, q->call, out);
  }
  if (q->op == VECTOR_HOIST)
    buffer_format(out, ", %s", q->way.is_call ? "a call" : "no call");
  if (q->op == VECTOR_VERIFY || q->op == VECTOR_HOIST)
    buffer_format(out, " in %s",
                  world_subprogram_name(q->way.function) ? world_subprogram_name(q->way.function)
                                                         : "a function without subprogram");
  explain_results(t, q, out);
  buffer_format(out, "\n");
}

void laws_explain(const laws_settings *settings, law l, uint64_t input, dloc_buffer *out) {
  dloc_profile stock;
  trial t;
  search_reenact(settings, l, input, &stock, &t);
  for (size_t i = 0; i < t.question_count; i++)
    explain_question(&t, &t.questions[i], out);
  search_end(&t);
}
