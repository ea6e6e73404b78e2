/* graph_diff.c - in which lines two canonical texts differ, as graphs. */
#include "graph_diff.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"

#include <stdlib.h>
#include <string.h>

/* Operands of one line that are compared by content; behind these only their place counts. */
enum { MOST_COMPARED = 256 };

#define NO_NODE UINT32_MAX

/* ---- A text as a graph ---- */

/* A canonical text: lines that define node 0, 1, ... in this order, and before them lines that may refer to nodes. */
typedef struct graph {
  dloc_text heading;
  dloc_text *nodes; /* whole lines */
  uint32_t count;
  uint32_t *partner; /* the number of each node in the other graph; NO_NODE: it has none */
} graph;

/* `!12` at text: its number and its length, or 0. */
static size_t read_reference(dloc_text text, uint32_t *ret) {
  size_t size = 1;
  uint64_t number = 0;
  if (text.size < 2 || text.bytes[0] != '!')
    return 0;
  while (size < text.size && size < 10 && text.bytes[size] >= '0' && text.bytes[size] <= '9')
    number = number * 10 + (uint64_t)(text.bytes[size++] - '0');
  *ret = (uint32_t)number;
  return size > 1 ? size : 0;
}

static dloc_text rest_of(dloc_text text, size_t at) { return (dloc_text){text.bytes + at, text.size - at}; }

static bool defines(dloc_text line, uint32_t number) {
  uint32_t defined;
  size_t size = read_reference(line, &defined);
  return size && defined == number && line.size > size + 2 && memcmp(line.bytes + size, " = ", 3) == 0;
}

static void graph_deinit(graph *g) {
  free(g->nodes);
  free(g->partner);
}

static graph graph_of(dloc_text text) {
  graph g = {.heading = {text.bytes, 0}};
  dloc_text rest = text;
  while (rest.size) {
    dloc_text line = text_take_line(&rest);
    if (defines(line, g.count)) {
      *MEMORY_ADD(g.nodes, g.count) = line;
    } else if (g.count) { /* no canonical text: one without nodes */
      g.count = 0;
      g.heading = text;
      break;
    } else {
      g.heading = (dloc_text){text.bytes, (size_t)(line.bytes + line.size - text.bytes)};
    }
  }
  g.partner = memory_allocate(g.count, sizeof *g.partner);
  for (uint32_t i = 0; i < g.count; i++)
    g.partner[i] = NO_NODE;
  return g;
}

/* ---- References of a line ---- */

typedef struct reference {
  dloc_text
      name; /* what stands before it since the last comma or bracket: "scope: "; of an operand of a tuple: empty */
  uint32_t node;
} reference;

typedef struct cursor {
  dloc_text line;
  size_t at;
  size_t name; /* where the current name begins */
  bool quoted;
} cursor;

/* The next reference; *ret_at is where it stands. */
static bool next_reference(cursor *c, reference *ret, size_t *ret_at, size_t *ret_size) {
  for (; c->at < c->line.size; c->at++) {
    char byte = c->line.bytes[c->at];
    size_t size = c->quoted ? 0 : read_reference(rest_of(c->line, c->at), &ret->node);
    if (size) {
      ret->name = (dloc_text){c->line.bytes + c->name, c->at - c->name};
      *ret_at = c->at;
      *ret_size = size;
      c->at += size;
      return true;
    }
    c->quoted ^= byte == '"';
    if (!c->quoted && (byte == ',' || byte == '(' || byte == '{'))
      c->name = c->at + 1 + (byte == ',');
  }
  return false;
}

typedef struct references {
  reference *items;
  size_t count;
} references;

static references gather(dloc_text line, size_t from) {
  cursor c = {.line = rest_of(line, from)};
  references found = {NULL, 0};
  reference next;
  size_t at, size;
  while (next_reference(&c, &next, &at, &size))
    *MEMORY_ADD(found.items, found.count) = next;
  return found;
}

/* ---- Which node is which ---- */

typedef struct matching {
  graph *expected, *actual;
  uint32_t *queue; /* nodes of expected whose operands are still to be matched */
  size_t queued;
} matching;

static void match(matching *m, uint32_t expected, uint32_t actual) {
  if (expected >= m->expected->count || actual >= m->actual->count || m->expected->partner[expected] != NO_NODE ||
      m->actual->partner[actual] != NO_NODE)
    return;
  m->expected->partner[expected] = actual;
  m->actual->partner[actual] = expected;
  m->queue[m->queued++] = expected;
}

/* What a node says before its first reference, its number aside: a layer's kind, a location's line and column. */
static dloc_text beginning_of(const graph *g, uint32_t node) {
  if (node >= g->count)
    return (dloc_text){"", 0};
  dloc_text line = g->nodes[node];
  size_t number = 0, at, size;
  while (line.bytes[number] != '=')
    number++;
  cursor c = {.line = rest_of(line, number)};
  reference first;
  return next_reference(&c, &first, &at, &size) ? (dloc_text){c.line.bytes, at} : c.line;
}

static bool alike(const matching *m, const reference *expected, const reference *actual, bool by_content) {
  return dloc_text_equal(expected->name, actual->name) &&
         (!by_content ||
          dloc_text_equal(beginning_of(m->expected, expected->node), beginning_of(m->actual, actual->node)));
}

static bool is_open(const graph *g, uint32_t node) { return node < g->count && g->partner[node] == NO_NODE; }

/* Operands of the same name are the same node; of several of one name first those that begin alike, then those at the
 * same place. */
static void match_references(matching *m, const references *expected, const references *actual, bool by_content) {
  for (size_t i = 0; i < expected->count; i++) {
    if (!is_open(m->expected, expected->items[i].node))
      continue;
    size_t first = by_content ? 0 : i, end = by_content ? actual->count : i + 1;
    for (size_t j = first; j < end && j < actual->count; j++)
      if (is_open(m->actual, actual->items[j].node) && alike(m, &expected->items[i], &actual->items[j], by_content)) {
        match(m, expected->items[i].node, actual->items[j].node);
        break;
      }
  }
}

static void match_lines(matching *m, dloc_text expected, size_t expected_from, dloc_text actual, size_t actual_from) {
  references left = gather(expected, expected_from), right = gather(actual, actual_from);
  if (left.count <= MOST_COMPARED && right.count <= MOST_COMPARED)
    match_references(m, &left, &right, true);
  match_references(m, &left, &right, false);
  free(left.items);
  free(right.items);
}

static size_t after_number(dloc_text line) {
  uint32_t number;
  return read_reference(line, &number);
}

static void match_graphs(graph *expected, graph *actual) {
  matching m = {expected, actual, memory_allocate(expected->count, sizeof *m.queue), 0};
  dloc_text left = expected->heading, right = actual->heading;
  while (left.size && right.size)
    match_lines(&m, text_take_line(&left), 0, text_take_line(&right), 0);
  for (size_t i = 0; i < m.queued; i++) {
    dloc_text node = expected->nodes[m.queue[i]], other = actual->nodes[expected->partner[m.queue[i]]];
    match_lines(&m, node, after_number(node), other, after_number(other));
  }
  free(m.queue);
}

/* ---- The second graph with the numbers of the first ---- */

static dloc_buffer renumber(const graph *g, dloc_text line) {
  dloc_buffer text = {0};
  cursor c = {.line = line};
  reference r;
  size_t at, size, done = 0;
  while (next_reference(&c, &r, &at, &size)) {
    buffer_put(&text, (dloc_text){line.bytes + done, at - done});
    buffer_format(&text, "!%u", (unsigned)(r.node < g->count ? g->partner[r.node] : r.node));
    done = at + size;
  }
  buffer_put(&text, (dloc_text){line.bytes + done, line.size - done});
  return text;
}

/* Nodes that only the second graph has get the numbers after the first graph's. */
static void number_the_rest(const graph *expected, graph *actual) {
  uint32_t next = expected->count;
  for (uint32_t i = 0; i < actual->count; i++)
    if (actual->partner[i] == NO_NODE)
      actual->partner[i] = next++;
}

typedef struct telling {
  text_diff_line *line;
  void *user;
} telling;

/* Tell a node of the second graph; expected is its line in the first, NULL when it has none. */
static void tell_actual(const telling *t, const graph *actual, uint32_t node, const dloc_text *expected) {
  dloc_buffer line = renumber(actual, actual->nodes[node]);
  bool same = expected && dloc_text_equal(*expected, buffer_text(&line));
  if (expected)
    t->line(t->user, same ? TEXT_DIFF_SAME : TEXT_DIFF_REMOVED, *expected);
  if (!same)
    t->line(t->user, TEXT_DIFF_ADDED, buffer_text(&line));
  dloc_buffer_deinit(&line);
}

static void tell_nodes(const telling *t, const graph *expected, const graph *actual) {
  for (uint32_t i = 0; i < expected->count; i++)
    if (expected->partner[i] == NO_NODE)
      t->line(t->user, TEXT_DIFF_REMOVED, expected->nodes[i]);
    else
      tell_actual(t, actual, expected->partner[i], &expected->nodes[i]);
  for (uint32_t i = 0; i < actual->count; i++)
    if (actual->partner[i] >= expected->count)
      tell_actual(t, actual, i, NULL);
}

void graph_diff(dloc_text expected, dloc_text actual, text_diff_line *line, void *user) {
  graph left = graph_of(expected), right = graph_of(actual);
  match_graphs(&left, &right);
  number_the_rest(&left, &right);
  dloc_buffer heading = renumber(&right, right.heading);
  text_diff(left.heading, buffer_text(&heading), line, user);
  tell_nodes(&(telling){line, user}, &left, &right);
  dloc_buffer_deinit(&heading);
  graph_deinit(&left);
  graph_deinit(&right);
}
