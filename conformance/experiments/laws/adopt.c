/* adopt.c - from the text of an answer to nodes of the world.
 *
 * The text is canonical: roots first, then a numbered line for each node. It becomes a module, which the reader of .ll
 * reads in a context of its own; from there every node is made again in the world, operands first. */
#include "answers.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "dloc_formats.h"
#include "nodes/try.h"

#include <stdlib.h>
#include <string.h>

/* ---- A distinct node of the question, or of the answer ---- */

typedef struct candidate {
  dloc_node node; /* of the question */
  dloc_buffer text;
  bool taken;
  bool is_call; /* a location of the call */
} candidate;

typedef struct nodes {
  dloc_node *items;
  size_t count;
} nodes;

typedef struct adoption {
  dloc_context *to, *from;
  const question *question;
  candidate *candidates;
  size_t candidate_count;
  dloc_node *adopted; /* by node of `from`; DLOC_NULL: not yet */
  bool *is_site;      /* by node of `from`: an inlinedAt */
  nodes stack;
} adoption;

static dloc_buffer text_of(dloc_context *context, dloc_node node) {
  dloc_buffer text = {0};
  (void)!dloc_print_graph(context, "", &node, 1, buffer_sink(&text));
  return text;
}

static void meet(nodes *met, dloc_node node) {
  for (size_t i = 0; i < met->count; i++)
    if (met->items[i] == node)
      return;
  if (node)
    *MEMORY_ADD(met->items, met->count) = node;
}

static bool is_call_location(const adoption *a, dloc_node node) {
  dloc_layer layer;
  bool is = node == dloc_primary(a->to, a->question->call);
  for (size_t cursor = 0; dloc_next_layer(a->to, a->question->call, &cursor, &layer);)
    is |= node == layer.location;
  return is;
}

static void list_candidates(adoption *a) {
  nodes met = {.count = 0};
  for (size_t i = 0; i < a->question->count; i++)
    meet(&met, a->question->operands[i]);
  meet(&met, a->question->call);
  for (size_t i = 0; i < met.count; i++) {
    dloc_node node = met.items[i], next;
    for (size_t at = 0; dloc_next_reference(a->to, node, &at, &next);)
      meet(&met, next);
    if (dloc_node_is_distinct(a->to, node))
      *MEMORY_ADD(a->candidates, a->candidate_count) =
          (candidate){node, text_of(a->to, node), false, is_call_location(a, node)};
  }
  free(met.items);
}

/* The node of the question with the content of a distinct one; of several each once, in order. */
static dloc_node find_candidate(adoption *a, dloc_node node) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = text_of(a->from, node);
  dloc_node found = DLOC_NULL;
  for (size_t i = 0; i < a->candidate_count && !found; i++) {
    candidate *c = &a->candidates[i];
    if (c->taken || (c->is_call && a->is_site[node]) || !dloc_text_equal(buffer_text(&c->text), buffer_text(&text)))
      continue;
    c->taken = true;
    found = c->node;
  }
  return found;
}

/* ---- Making it again ---- */

/* Atom groups that no operand has are fresh. */
static uint64_t adopt_group(const adoption *a, uint64_t group) {
  bool known = group == 0 || group >= WORLD_FRESH_GROUP;
  for (size_t i = 0; i < a->question->count; i++)
    known |= dloc_location_get(a->to, dloc_primary(a->to, a->question->operands[i])).atom_group == group;
  known |= dloc_location_get(a->to, dloc_primary(a->to, a->question->call)).atom_group == group;
  return known ? group : group + WORLD_FRESH_GROUP;
}

static dloc_status adopt_location(const adoption *a, dloc_node node, dloc_node *ret) {
  dloc_location content = dloc_location_get(a->from, node);
  content.scope = a->adopted[content.scope];
  content.inlined_at = a->adopted[content.inlined_at];
  content.layers = a->adopted[content.layers];
  content.atom_group = adopt_group(a, content.atom_group);
  return dloc_location_create(a->to, dloc_node_is_distinct(a->from, node), &content, ret);
}

static dloc_status adopt_tuple(const adoption *a, dloc_node node, dloc_node *ret) {
  nodes operands = {.count = 0};
  for (size_t i = 0; i < dloc_operand_count(a->from, node); i++)
    *MEMORY_ADD(operands.items, operands.count) = a->adopted[dloc_operand(a->from, node, i)];
  dloc_status status = dloc_tuple(a->to, dloc_node_is_distinct(a->from, node), operands.items, operands.count, ret);
  free(operands.items);
  return status;
}

static dloc_status adopt_fields(const adoption *a, dloc_node node, dloc_node *ret) {
  size_t count = dloc_field_count(a->from, node);
  dloc_node_diagnosis diagnosis;
  OWNED(memory_release) dloc_field *fields = memory_allocate(count, sizeof *fields);
  for (size_t i = 0; i < count; i++) {
    dloc_field field = dloc_field_at(a->from, node, i);
    fields[i] = (dloc_field){a->adopted[field.key], a->adopted[field.value]};
  }
  return dloc_specialised(a->to, dloc_node_class(a->from, node), dloc_node_is_distinct(a->from, node), fields, count,
                          &diagnosis, ret);
}

/* A node whose operands are adopted. */
static dloc_status adopt_node(adoption *a, dloc_node node, dloc_node *ret) {
  dloc_text text = dloc_node_text(a->from, node);
  if (dloc_node_is_distinct(a->from, node) && (*ret = find_candidate(a, node)))
    return DLOC_OK;
  switch (dloc_node_kind(a->from, node)) {
  case DLOC_KIND_STRING:
    return dloc_string(a->to, text, ret);
  case DLOC_KIND_CONSTANT:
    return dloc_constant(a->to, text, ret);
  case DLOC_KIND_TOKEN:
    return dloc_token(a->to, text, ret);
  case DLOC_KIND_TUPLE:
    return adopt_tuple(a, node, ret);
  case DLOC_KIND_LOCATION:
    return adopt_location(a, node, ret);
  default:
    return adopt_fields(a, node, ret);
  }
}

/* The next part of a node, texts included; false behind the last. */
static bool next_part(const adoption *a, dloc_node node, size_t *at, dloc_node *ret) {
  bool is_tuple = dloc_node_kind(a->from, node) == DLOC_KIND_TUPLE;
  if (is_tuple && *at < dloc_operand_count(a->from, node)) {
    *ret = dloc_operand(a->from, node, (*at)++);
    return true;
  }
  if (is_tuple || dloc_node_kind(a->from, node) == DLOC_KIND_LOCATION)
    return !is_tuple && dloc_next_reference(a->from, node, at, ret);
  if (*at >= 2 * dloc_field_count(a->from, node))
    return false;
  dloc_field field = dloc_field_at(a->from, node, *at / 2);
  *ret = (*at)++ % 2 ? field.value : field.key;
  return true;
}

/* Operands first. A node that is met again below itself stays DLOC_NULL there: no answer to a law has cycles. */
static dloc_status adopt(adoption *a, dloc_node root, dloc_node *ret) {
  a->stack.count = 0;
  OWNED(memory_release) size_t *at = memory_allocate(dloc_node_limit(a->from), sizeof *at);
  dloc_status status = DLOC_OK;
  for (meet(&a->stack, root); a->stack.count && status == DLOC_OK;) {
    dloc_node node = a->stack.items[a->stack.count - 1], part = DLOC_NULL;
    if (!a->adopted[node] && next_part(a, node, &at[node], &part)) {
      if (part && !a->adopted[part])
        meet(&a->stack, part);
      continue;
    }
    if (!a->adopted[node])
      status = adopt_node(a, node, &a->adopted[node]);
    a->stack.count--;
  }
  *ret = a->adopted[root];
  return status;
}

/* ---- The text ---- */

/* The module of an answer, whose named metadata `roots` are its roots that are not empty; is_empty tells which are. */
static size_t make_module(const char *text, bool *is_empty, size_t most, dloc_buffer *out) {
  OWNED(dloc_buffer_deinit) dloc_buffer roots = {0};
  size_t count = 0;
  for (const char *line = text; *line;) {
    int size = (int)strcspn(line, "\n");
    const char *number = memchr(line, '!', (size_t)size);
    bool none = strncmp(line, "none\n", 5) == 0, is_root = strncmp(line, "result !", 8) == 0;
    if (*line == '!')
      buffer_format(out, "%.*s\n", size, line);
    if (is_root)
      buffer_format(&roots, "%s%.*s", roots.size ? ", " : "", (int)(line + size - number), number);
    if ((none || is_root) && count < most)
      is_empty[count++] = none;
    line += size + (line[size] == '\n');
  }
  buffer_format(out, "!roots = !{%s}\n", roots.size ? roots.bytes : "");
  return count;
}

static bool adopt_roots(adoption *a, const dloc_module *module, const bool *is_empty, size_t count, dloc_node *ret) {
  dloc_named_metadata roots;
  bool fine = dloc_module_find_named(module, dloc_text_of("roots"), &roots);
  a->adopted = memory_allocate(dloc_node_limit(a->from), sizeof *a->adopted);
  list_candidates(a);
  a->is_site = memory_allocate(dloc_node_limit(a->from), sizeof *a->is_site);
  for (dloc_node node = 1; node < dloc_node_limit(a->from); node++)
    a->is_site[dloc_location_get(a->from, node).inlined_at] = true;
  for (size_t i = 0, root = 0; fine && i < count; i++)
    fine = is_empty[i] || adopt(a, dloc_module_named_operand(module, &roots, root++), &ret[i]) == DLOC_OK;
  for (size_t i = 0; i < a->candidate_count; i++)
    dloc_buffer_deinit(&a->candidates[i].text);
  free(a->candidates);
  free(a->adopted);
  free(a->is_site);
  free(a->stack.items);
  return fine;
}

bool adopt_results(world *w, dloc_context *scratch, const question *q, const char *text, dloc_node *ret, size_t most) {
  bool is_empty[TRIAL_OPERANDS] = {false};
  OWNED(dloc_buffer_deinit) dloc_buffer source = {0};
  OWNED(release_dloc_module) dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_context_reset(scratch);
  size_t count = make_module(text, is_empty, most < TRIAL_OPERANDS ? most : TRIAL_OPERANDS, &source);
  adoption a = {.to = world_context(w), .from = scratch, .question = q};
  bool fine = dloc_read_ll(scratch, buffer_text(&source), &diagnostic, &module) == DLOC_OK &&
              adopt_roots(&a, module, is_empty, count, ret);
  return fine && count == (q->op == VECTOR_INLINE ? q->count : 1);
}
