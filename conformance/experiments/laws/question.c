/* question.c - a question as a vector without its answers. */
#include "trial.h"

#include "document/buffer.h"

enum { MOST_ROOTS = TRIAL_OPERANDS + 1 };

typedef struct writer {
  const world *world;
  const dloc_context *context;
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
    dloc_node primary = dloc_primary(w->context, operand(w->question, i));
    dloc_location at = dloc_location_get(w->context, primary);
    if (at.atom_group || at.atom_rank)
      return true;
  }
  return false;
}

static bool has_layers(const writer *w) {
  for (size_t i = 0; i <= w->question->count; i++)
    if (dloc_debug_loc_shape(w->context, operand(w->question, i)) == DLOC_SHAPE_COMPOSITE)
      return true;
  return false;
}

/* complete_vector leaves out those that nothing refers to. */
static void put_nodes(writer *w, bool with_atoms) {
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
  world_describe(w->world, with_atoms, roots, names, count, &w->arena, w->out);
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

void question_write(const world *world, const question *q, bool with_keys, const char *head, const char *note,
                    dloc_buffer *out) {
  writer w = {.world = world, .context = world_context(world), .question = q, .out = out};
  bool atoms = has_atoms(&w);
  buffer_format(out, "%ssince: %s\nneeds: [%s%s%s]\nnote: %s\n", head, q->profile->name, vector_op_name(q->op),
                has_layers(&w) ? ", layers" : "", atoms ? ", atoms" : "", note);
  put_nodes(&w, atoms || (with_keys && world_knows_atoms(world)));
  put_op(&w);
  /* complete_vector knows better. */
  buffer_format(out, "expect: {outcome: reject, reason: shape.not-a-location}\n");
  value_arena_deinit(&w.arena);
}
