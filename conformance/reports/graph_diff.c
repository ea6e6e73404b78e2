/* graph_diff.c - in which lines two canonical texts differ, as graphs. */
#include "graph_diff.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"

#include <stdlib.h>
#include <string.h>

/* Behind so many operands of a line only their place counts; a line is looked for so many lines ahead. */
enum { MOST_COMPARED = 256, MOST_AHEAD = 1000 };

#define NO_NODE UINT32_MAX

/* ---- A text as a graph ---- */

/* `!12` in a line. */
typedef struct reference {
  uint32_t node;
  size_t at, end;
  dloc_text
      name; /* what stands before it since the last comma or bracket: "scope: "; of an operand of a tuple: empty */
} reference;

typedef struct line {
  dloc_text text;
  reference *references; /* that of a node begins with its own number */
  size_t count;
} line;

/* A canonical text: lines that may refer to nodes, and behind them those that define node 0, 1, ... in this order. */
typedef struct graph {
  line *lines;
  size_t count;
  const line *nodes;
  uint32_t node_count;
  uint32_t *partner; /* the number of each node in the other graph; NO_NODE: it has none */
} graph;

/* Where the reference at a place ends; the place itself: there is none. */
static size_t read_reference(dloc_text text, size_t at, uint32_t *ret) {
  size_t end = at + 1;
  uint64_t number = 0;
  while (text.bytes[at] == '!' && end < text.size && end < at + 10 && text.bytes[end] >= '0' && text.bytes[end] <= '9')
    number = number * 10 + (uint64_t)(text.bytes[end++] - '0');
  *ret = (uint32_t)number;
  return end > at + 1 ? end : at;
}

static line parse(dloc_text text) {
  line l = {.text = text};
  size_t name = 0; /* where the current one begins */
  bool quoted = false;
  for (size_t at = 0; at < text.size;) {
    uint32_t node;
    size_t end = quoted ? at : read_reference(text, at, &node);
    char byte = text.bytes[at];
    if (end > at) {
      *MEMORY_ADD(l.references, l.count) = (reference){node, at, end, {text.bytes + name, at - name}};
      name = at = end;
      continue;
    }
    at++;
    quoted ^= byte == '"';
    if (!quoted && (byte == ',' || byte == '(' || byte == '{'))
      name = at + (byte == ',' && at < text.size && text.bytes[at] == ' ');
  }
  return l;
}

static bool defines(const line *l, size_t node) {
  const reference *own = l->references;
  return l->count && own->at == 0 && own->node == node && l->text.size > own->end + 2 &&
         memcmp(l->text.bytes + own->end, " = ", 3) == 0;
}

static graph graph_of(dloc_text text) {
  graph g = {.count = 0};
  size_t first = 0;
  while (text.size) {
    line parsed = parse(text_take_line(&text));
    *MEMORY_ADD(g.lines, g.count) = parsed;
  }
  while (first < g.count && !defines(&g.lines[first], 0))
    first++;
  for (size_t i = first; i < g.count; i++)
    if (!defines(&g.lines[i], i - first))
      first = g.count; /* no canonical text: one without nodes */
  g.nodes = first ? g.lines + first : g.lines;
  g.node_count = (uint32_t)(g.count - first);
  g.partner = memory_allocate(g.node_count, sizeof *g.partner);
  memset(g.partner, 0xff, g.node_count * sizeof *g.partner); /* NO_NODE */
  return g;
}

static void graph_deinit(graph *g) {
  for (size_t i = 0; i < g->count; i++)
    free(g->lines[i].references);
  free(g->lines);
  free(g->partner);
}

/* ---- Which node is which ---- */

typedef struct matching {
  const graph *expected, *actual;
  uint32_t *queue; /* nodes of expected whose operands are still to be matched */
  size_t queued;
} matching;

static bool is_open(const graph *g, uint32_t node) { return node < g->node_count && g->partner[node] == NO_NODE; }

static void match(matching *m, uint32_t expected, uint32_t actual) {
  m->expected->partner[expected] = actual;
  m->actual->partner[actual] = expected;
  m->queue[m->queued++] = expected;
}

/* What a node says before its first operand: a layer's kind, a location's line and column. */
static dloc_text beginning_of(const line *node) {
  size_t from = node->references[0].end, to = node->count > 1 ? node->references[1].at : node->text.size;
  return (dloc_text){node->text.bytes + from, to - from};
}

static bool alike(const matching *m, const reference *expected, const reference *actual, bool by_content) {
  return is_open(m->actual, actual->node) && dloc_text_equal(expected->name, actual->name) &&
         (!by_content || dloc_text_equal(beginning_of(&m->expected->nodes[expected->node]),
                                         beginning_of(&m->actual->nodes[actual->node])));
}

/* Operands of the same name are the same node; of several of one name first those that begin alike, then those at the
 * same place. */
static void match_references(matching *m, const line *expected, const line *actual, bool by_content) {
  for (size_t i = 0; i < expected->count; i++) {
    size_t j = by_content ? 0 : i, end = by_content || i >= actual->count ? actual->count : i + 1;
    if (!is_open(m->expected, expected->references[i].node))
      continue;
    while (j < end && !alike(m, &expected->references[i], &actual->references[j], by_content))
      j++;
    if (j < end)
      match(m, expected->references[i].node, actual->references[j].node);
  }
}

static void match_lines(matching *m, const line *expected, const line *actual) {
  if (expected->count <= MOST_COMPARED && actual->count <= MOST_COMPARED)
    match_references(m, expected, actual, true);
  match_references(m, expected, actual, false);
}

/* Nodes that only the second graph has get the numbers after the first graph's. */
static void match_graphs(const graph *expected, const graph *actual) {
  matching m = {expected, actual, memory_allocate(expected->node_count, sizeof *m.queue), 0};
  for (const line *e = expected->lines, *a = actual->lines; e < expected->nodes && a < actual->nodes; e++, a++)
    match_lines(&m, e, a);
  for (size_t i = 0; i < m.queued; i++)
    match_lines(&m, &expected->nodes[m.queue[i]], &actual->nodes[expected->partner[m.queue[i]]]);
  free(m.queue);
  for (uint32_t i = 0, next = expected->node_count; i < actual->node_count; i++)
    if (actual->partner[i] == NO_NODE)
      actual->partner[i] = next++;
}

/* ---- The second graph with the numbers of the first ---- */

static dloc_buffer renumber(const graph *g, const line *l) {
  dloc_buffer text = {0};
  size_t done = 0;
  for (size_t i = 0; i < l->count; i++) {
    const reference *r = &l->references[i];
    buffer_put(&text, (dloc_text){l->text.bytes + done, r->at - done});
    buffer_format(&text, "!%u", (unsigned)(r->node < g->node_count ? g->partner[r->node] : r->node));
    done = r->end;
  }
  buffer_put(&text, (dloc_text){l->text.bytes + done, l->text.size - done});
  return text;
}

typedef struct telling {
  graph_diff_line *line;
  void *user;
  const graph *expected;
  const dloc_buffer *actual; /* its lines */
  size_t actual_nodes;       /* the first of these that defines a node */
} telling;

static bool is_same(const telling *t, const line *expected, size_t actual) {
  return dloc_text_equal(expected->text, buffer_text(&t->actual[actual]));
}

static void tell_added(const telling *t, size_t actual) { t->line(t->user, '+', buffer_text(&t->actual[actual])); }

static void tell_heading(const telling *t) {
  size_t next = 0;
  for (const line *l = t->expected->lines; l < t->expected->nodes; l++) {
    size_t same = next;
    while (same < t->actual_nodes && same < next + MOST_AHEAD && !is_same(t, l, same))
      same++;
    bool found = same < t->actual_nodes && same < next + MOST_AHEAD;
    while (found && next < same)
      tell_added(t, next++);
    t->line(t->user, found ? ' ' : '-', l->text);
    next += found;
  }
  while (next < t->actual_nodes)
    tell_added(t, next++);
}

static void tell_nodes(const telling *t, const graph *actual) {
  for (uint32_t i = 0; i < t->expected->node_count; i++) {
    uint32_t partner = t->expected->partner[i];
    bool same = partner != NO_NODE && is_same(t, &t->expected->nodes[i], t->actual_nodes + partner);
    t->line(t->user, same ? ' ' : '-', t->expected->nodes[i].text);
    if (!same && partner != NO_NODE)
      tell_added(t, t->actual_nodes + partner);
  }
  for (uint32_t i = 0; i < actual->node_count; i++)
    if (actual->partner[i] >= t->expected->node_count)
      tell_added(t, t->actual_nodes + i);
}

void graph_diff(dloc_text expected, dloc_text actual, graph_diff_line *line, void *user) {
  graph left = graph_of(expected), right = graph_of(actual);
  match_graphs(&left, &right);
  dloc_buffer *texts = memory_allocate(right.count, sizeof *texts);
  for (size_t i = 0; i < right.count; i++)
    texts[i] = renumber(&right, &right.lines[i]);
  const telling t = {line, user, &left, texts, right.count - right.node_count};
  tell_heading(&t);
  tell_nodes(&t, &right);
  for (size_t i = 0; i < right.count; i++)
    dloc_buffer_deinit(&texts[i]);
  free(texts);
  graph_deinit(&left);
  graph_deinit(&right);
}
