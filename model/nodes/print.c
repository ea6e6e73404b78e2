/* Nodes and graphs as text (SPEC.md, chapter 1): LLVM's form of a node, and the canonical form of a graph. */
#include "metadata.h"

#include <string.h>

static bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

dloc_status dloc_print_string(dloc_text bytes, dloc_sink sink) {
  static const char hex[] = "0123456789ABCDEF";
  TRY(sink_bytes(sink, "\"", 1));
  for (size_t i = 0, start = 0; i <= bytes.size; i++) {
    if (i < bytes.size && is_plain((unsigned char)bytes.bytes[i]))
      continue;
    if (start < i)
      TRY(sink_bytes(sink, bytes.bytes + start, i - start));
    start = i + 1;
    if (i == bytes.size)
      break;
    unsigned char c = (unsigned char)bytes.bytes[i];
    if (c == '\\')
      TRY(sink_bytes(sink, "\\\\", 2));
    else
      TRY(sink_bytes(sink, (char[]){'\\', hex[c >> 4], hex[c & 15]}, 3));
  }
  return sink_bytes(sink, "\"", 1);
}

size_t text_unescape(dloc_text text, char *bytes) {
  const char *at = text.bytes, *end = at + text.size;
  size_t count = 0;
  while (at < end) {
    if (*at == '\\' && end - at >= 2 && at[1] == '\\') {
      bytes[count++] = '\\';
      at += 2;
    } else if (*at == '\\' && end - at >= 3 && (hex_digit(at[1]) | hex_digit(at[2])) < 16) {
      bytes[count++] = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
      at += 3;
    } else {
      bytes[count++] = *at++;
    }
  }
  return count;
}

typedef struct printer {
  const dloc_context *context;
  dloc_write_reference *reference;
  void *user;
  dloc_sink sink;
} printer;

static dloc_status print_operand(const printer *p, dloc_node operand) {
  switch (dloc_node_kind(p->context, operand)) {
  case DLOC_KIND_NULL:
    return sink_string(p->sink, "null");
  case DLOC_KIND_STRING:
    TRY(sink_string(p->sink, "!"));
    return dloc_print_string(dloc_node_text(p->context, operand), p->sink);
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    return sink_text(p->sink, dloc_node_text(p->context, operand));
  default:
    return p->reference(p->user, p->sink, operand);
  }
}

static dloc_status print_tuple(const printer *p, dloc_node handle) {
  TRY(sink_string(p->sink, "!{"));
  for (size_t i = 0; i < dloc_operand_count(p->context, handle); i++) {
    if (i)
      TRY(sink_string(p->sink, ", "));
    TRY(print_operand(p, dloc_operand(p->context, handle, i)));
  }
  return sink_string(p->sink, "}");
}

static dloc_status print_number_field(const printer *p, const char *name, uint64_t number) {
  if (number == 0)
    return DLOC_OK;
  TRY(sink_string(p->sink, name));
  return sink_number(p->sink, number);
}

static dloc_status print_node_field(const printer *p, const char *name, dloc_node value) {
  if (value == DLOC_NULL)
    return DLOC_OK;
  TRY(sink_string(p->sink, name));
  return print_operand(p, value);
}

/* As LLVM prints it: the line always, other fields unless they are 0, null or false (`metadata.location.defaults`). */
static dloc_status print_location_fields(const printer *p, dloc_node handle) {
  dloc_location content = dloc_location_get(p->context, handle);
  TRY(sink_string(p->sink, "!DILocation(line: "));
  TRY(sink_number(p->sink, content.line));
  TRY(print_number_field(p, ", column: ", content.column));
  TRY(sink_string(p->sink, ", scope: "));
  TRY(print_operand(p, content.scope));
  TRY(print_node_field(p, ", inlinedAt: ", content.inlined_at));
  if (content.implicit)
    TRY(sink_string(p->sink, ", isImplicitCode: true"));
  TRY(print_number_field(p, ", atomGroup: ", content.atom_group));
  TRY(print_number_field(p, ", atomRank: ", content.atom_rank));
  TRY(print_node_field(p, ", irlayers: ", content.layers));
  return sink_string(p->sink, ")");
}

static dloc_status print_field(const printer *p, dloc_field field) {
  if (!field.key)
    return print_operand(p, field.value);
  TRY(sink_text(p->sink, dloc_node_text(p->context, field.key)));
  TRY(sink_string(p->sink, ": "));
  if (dloc_node_kind(p->context, field.value) == DLOC_KIND_STRING ||
      (field.value == DLOC_NULL && field.key == p->context->field_keys[FIELD_LAYER_kind]))
    return dloc_print_string(dloc_node_text(p->context, field.value), p->sink);
  return print_operand(p, field.value);
}

static dloc_status print_specialised(const printer *p, dloc_node handle) {
  TRY(sink_string(p->sink, "!"));
  TRY(sink_text(p->sink, dloc_node_class(p->context, handle)));
  TRY(sink_string(p->sink, "("));
  for (size_t i = 0; i < dloc_field_count(p->context, handle); i++) {
    if (i)
      TRY(sink_string(p->sink, ", "));
    TRY(print_field(p, dloc_field_at(p->context, handle, i)));
  }
  return sink_string(p->sink, ")");
}

dloc_status dloc_print_node(const dloc_context *context, dloc_node handle, dloc_write_reference *reference, void *user,
                            dloc_sink sink) {
  printer p = {context, reference, user, sink};
  if (dloc_node_is_distinct(context, handle))
    TRY(sink_string(sink, "distinct "));
  switch (dloc_node_kind(context, handle)) {
  case DLOC_KIND_TUPLE:
    return print_tuple(&p, handle);
  case DLOC_KIND_LOCATION:
    return print_location_fields(&p, handle);
  case DLOC_KIND_NULL:
  case DLOC_KIND_STRING:
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    return print_operand(&p, handle);
  case DLOC_KIND_FORWARD:
    return DLOC_INVALID;
  default:
    return print_specialised(&p, handle);
  }
}

/* ---- Canonical graphs ---- */

struct dloc_graph {
  dloc_context *context;
  map numbers;   /* node -> number */
  scratch order; /* nodes by number */
  scratch stack; /* pairs: node, next operand */
};

static dloc_status graph_meet(dloc_graph *g, dloc_node handle) {
  uint32_t known = 0;
  if (!node_is_numbered(g->context, handle) || map_get(&g->numbers, handle, 0, &known))
    return DLOC_OK;
  TRY(map_add(g->context, &g->numbers, handle, 0, (uint32_t)g->order.count, NULL));
  TRY(scratch_push(g->context, &g->order, handle));
  TRY(scratch_push(g->context, &g->stack, handle));
  return scratch_push(g->context, &g->stack, 0);
}

static dloc_status graph_walk(dloc_graph *g, dloc_node root) {
  TRY(graph_meet(g, root));
  while (g->stack.count) {
    dloc_node handle = g->stack.words[g->stack.count - 2];
    size_t next = g->stack.words[g->stack.count - 1];
    dloc_node operand = DLOC_NULL;
    if (dloc_next_reference(g->context, handle, &next, &operand)) {
      g->stack.words[g->stack.count - 1] = (uint32_t)next;
      TRY(graph_meet(g, operand));
    } else {
      g->stack.count -= 2;
    }
  }
  return DLOC_OK;
}

static dloc_status graph_reference(void *user, dloc_sink sink, dloc_node handle) {
  dloc_graph *g = user;
  uint32_t number = 0;
  if (!map_get(&g->numbers, handle, 0, &number))
    return DLOC_INVALID;
  TRY(sink_string(sink, "!"));
  return sink_number(sink, number);
}

static dloc_status graph_print(dloc_graph *g, const char *prefix, const dloc_node *roots, size_t count,
                               dloc_sink sink) {
  for (size_t i = 0; i < count; i++) {
    TRY(sink_string(sink, roots[i] ? prefix : "none"));
    TRY(sink_string(sink, roots[i] ? " " : ""));
    if (roots[i])
      TRY(dloc_graph_root(g, roots[i], sink));
    TRY(sink_string(sink, "\n"));
  }
  return dloc_graph_nodes(g, sink);
}

OWNER(dloc_graph)

dloc_status dloc_print_graph(dloc_context *context, const char *prefix, const dloc_node *roots, size_t count,
                             dloc_sink sink) {
  OWNED(release_dloc_graph) dloc_graph *graph = NULL;
  TRY(dloc_graph_create(context, &graph));
  return graph_print(graph, prefix, roots, count, sink);
}

dloc_status dloc_graph_root(dloc_graph *graph, dloc_node root, dloc_sink sink) {
  TRY(graph_walk(graph, root));
  printer p = {graph->context, graph_reference, graph, sink};
  return print_operand(&p, root);
}

dloc_status dloc_graph_nodes(dloc_graph *graph, dloc_sink sink) {
  for (size_t i = 0; i < graph->order.count; i++) {
    TRY(sink_string(sink, "!"));
    TRY(sink_number(sink, i));
    TRY(sink_string(sink, " = "));
    TRY(dloc_print_node(graph->context, graph->order.words[i], graph_reference, graph, sink));
    TRY(sink_string(sink, "\n"));
  }
  return DLOC_OK;
}

dloc_status dloc_graph_create(dloc_context *context, dloc_graph **ret) {
  CREATE(context, dloc_graph, graph, .context = context);
  *ret = graph;
  return DLOC_OK;
}

void dloc_graph_destroy(dloc_graph *graph) {
  if (graph)
    CONTEXT_FREE(graph->context, graph->numbers.entries, graph->order.words, graph->stack.words, graph);
}
