/* witness.c - what was asked of one input, for people and as vectors. */
#include "document/buffer.h"
#include "document/memory.h"
#include "trial.h"
#include "vector/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Vectors ---- */

/* The clauses of the law, and the level of the first of them. */
static void put_clauses(law l, dloc_buffer *out) {
  dloc_clause first = DLOC_CLAUSE_COUNT;
  const char *anchors = law_clauses(l);
  buffer_format(out, "clauses: [");
  for (const char *c = anchors; *c; c++)
    buffer_format(out, *c == ' ' ? ", " : "%c", *c);
  dloc_clause_find((dloc_text){anchors, strcspn(anchors, " ")}, &first);
  buffer_format(out, "]\nlevel: %s\n", dloc_clause_level(first));
}

/* A profile's name as it may stand in an id. */
static void put_id(const trial *t, law l, size_t number, dloc_buffer *out) {
  buffer_format(out, "id: laws.%s.", law_name(l));
  for (const char *c = t->profile->name; *c; c++)
    buffer_format(out, "%c", *c == '+' ? '-' : *c);
  buffer_format(out, ".%zu\n", number);
}

static void put_question(const trial *t, law l, size_t number, dloc_buffer *out) {
  OWNED(dloc_buffer_deinit) dloc_buffer head = {0};
  char note[128];
  put_id(t, l, number, &head);
  put_clauses(l, &head);
  snprintf(note, sizeof note, "This input breaks the law %s under %s.", law_name(l), t->profile->name);
  question_write(t->world, &t->questions[number - 1], false, head.bytes, note, out);
}

/* The pick flag would change every merge. */
static bool is_listed(void *user, dloc_choice choice) {
  (void)user;
  return choice != DLOC_CHOICE_MERGE_PICK &&
         (strncmp(dloc_choice_name(choice), "merge.", 6) == 0 || choice == DLOC_CHOICE_HOIST_LAYERS);
}

void witness_write(const trial *t, law l, dloc_buffer *out) {
  OWNED(completer_deinit) completer c = {.lists = is_listed};
  value_diagnostic diagnostic;
  completer_init(&c);
  for (size_t i = 0; i < t->question_count; i++) {
    OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
    put_question(t, l, i + 1, &text);
    buffer_format(out, "%s", out->size ? "---\n" : "");
    complete_vector(&c, buffer_text(&text), &diagnostic, buffer_sink(out));
  }
}

/* ---- For people ---- */

/* Facts that the printed form of a location does not tell. */
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

/* The words of an implementation instead of an answer: its first line, or the text of its answer. */
static void explain_text(const char *text, dloc_buffer *out) {
  const char *from = strncmp(text, "outcome: ok\n", 12) == 0 ? text + 12 : text;
  buffer_format(out, ": ");
  for (; *from && from[1]; from++)
    buffer_format(out, *from == '\n' ? "; " : "%c", *from);
  buffer_format(out, "%s", *from == '\n' ? "" : from);
}

static void explain_results(const trial *t, const question *q, dloc_buffer *out) {
  if (q->refusal || q->text) {
    explain_text(q->refusal ? q->refusal : q->text, out);
    return;
  }
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

void witness_explain(const trial *t, dloc_buffer *out) {
  for (size_t i = 0; i < t->question_count; i++)
    explain_question(t, &t->questions[i], out);
}
