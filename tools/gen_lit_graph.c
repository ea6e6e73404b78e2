/* gen_lit_graph.c - the metadata of a test file: which nodes are one, what LLVM's printer numbers them, and how they
 * are written. */
#include "gen_lit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LIT_OPEN UINT32_MAX

/* ---- Operands ---- */

static bool is_numbered(const dloc_context *context, dloc_node node) {
  dloc_kind kind = dloc_node_kind(context, node);
  return kind == DLOC_KIND_TUPLE ||
         (kind >= DLOC_KIND_LOCATION && !dloc_text_equal(dloc_node_class(context, node), dloc_text_of("DIExpression")));
}

/* LLVM numbers operands in the order in which a node holds them; for these classes it is not the order in which it
 * prints them. */
static bool ordered_operand(const dloc_context *context, dloc_node node, size_t index, dloc_node *ret) {
  static const char *const names[] = {"file",           "scope",          "type",          "unit",        "declaration",
                                      "retainedNodes",  "enums",          "retainedTypes", "globals",     "imports",
                                      "containingType", "templateParams", "thrownTypes",   "annotations", "macros"};
  if (index >= sizeof names / sizeof *names)
    return false;
  *ret = dloc_field_value(context, node, names[index]);
  return true;
}

static bool operand_at(const dloc_context *context, dloc_node node, size_t index, dloc_node *ret) {
  *ret = DLOC_NULL;
  switch (dloc_node_kind(context, node)) {
  case DLOC_KIND_TUPLE:
    *ret = dloc_operand(context, node, index);
    return index < dloc_operand_count(context, node);
  case DLOC_KIND_LOCATION: {
    dloc_location content = dloc_location_get(context, node);
    *ret = index == 0 ? content.scope : content.inlined_at;
    return index < 2;
  }
  case DLOC_KIND_COMPILE_UNIT:
  case DLOC_KIND_SUBPROGRAM:
  case DLOC_KIND_LEXICAL_BLOCK:
  case DLOC_KIND_LEXICAL_BLOCK_FILE:
    return ordered_operand(context, node, index, ret);
  default:
    *ret = dloc_field_at(context, node, index).value;
    return index < dloc_field_count(context, node);
  }
}

/* The next operand from *index on that has a number; false after the last. */
static bool next_operand(const lit_graph *g, dloc_node node, size_t *index, dloc_node *ret) {
  while (operand_at(g->context, node, (*index)++, ret)) {
    *ret = dloc_canonical(g->context, *ret);
    if (*ret != DLOC_NULL && is_numbered(g->context, *ret))
      return true;
  }
  return false;
}

/* ---- Nodes ---- */

/* One more element of elements of that size; false when memory is short. */
static bool grow(void **elements, size_t *room, size_t count, size_t size) {
  if (count < *room)
    return true;
  size_t more = *room ? 2 * *room : 64;
  void *grown = realloc(*elements, more * size);
  if (!grown)
    return false;
  *elements = grown;
  *room = more;
  return true;
}

static dloc_status new_node(lit_graph *g, dloc_node node, uint32_t *ret) {
  void *nodes = g->nodes;
  size_t room = g->room;
  if (!grow(&nodes, &room, g->count, sizeof *g->nodes))
    return DLOC_NO_MEMORY;
  g->nodes = nodes;
  g->room = (uint32_t)room;
  g->nodes[g->count] = (lit_node){.node = node, .distinct = dloc_node_is_distinct(g->context, node)};
  g->nodes[g->count].vector = g->vector;
  *ret = g->count++;
  return DLOC_OK;
}

static dloc_status make_room(lit_graph *g) {
  size_t limit = dloc_node_limit(g->context);
  if (limit <= g->handle_room)
    return DLOC_OK;
  uint32_t *indices = realloc(g->indices, 2 * limit * sizeof *indices);
  if (!indices)
    return DLOC_NO_MEMORY;
  memset(indices + g->handle_room, 0, (2 * limit - g->handle_room) * sizeof *indices);
  g->indices = indices;
  g->handle_room = 2 * limit;
  return DLOC_OK;
}

/* A node that is referred to while its operands are being added is part of a cycle. It gets an index at once, and is
 * not shared. */
static dloc_status write_key_reference(void *user, dloc_sink sink, dloc_node node) {
  lit_graph *g = user;
  uint32_t *index = &g->indices[dloc_canonical(g->context, node)];
  if (*index == LIT_OPEN) {
    uint32_t made = 0;
    TRY(new_node(g, node, &made));
    *index = made + 1;
  }
  char text[16];
  int size = snprintf(text, sizeof text, "!%u", (unsigned)*index - 1);
  return sink.write(sink.user, text, (size_t)size) ? DLOC_OK : DLOC_NO_MEMORY;
}

static bool may_share(const lit_graph *g, const lit_node *found, lit_side side) {
  if (!found->distinct)
    return true;
  if (side == LIT_OUTPUT || found->vector == g->vector)
    return false;
  return !g->own_subprograms || dloc_node_kind(g->context, found->node) != DLOC_KIND_SUBPROGRAM;
}

static lit_node *find_node(const lit_graph *g, const dloc_buffer *key, lit_side side) {
  for (uint32_t i = 0; i < g->count; i++) {
    const dloc_buffer *other = &g->nodes[i].key;
    if (other->size == key->size && memcmp(other->bytes, key->bytes, key->size) == 0 &&
        may_share(g, &g->nodes[i], side))
      return &g->nodes[i];
  }
  return NULL;
}

static dloc_status add_node(lit_graph *g, lit_side side, dloc_node node);

static dloc_status add_operands(lit_graph *g, lit_side side, dloc_node node) {
  dloc_node operand;
  for (size_t i = 0; next_operand(g, node, &i, &operand);)
    if (g->indices[operand] == 0)
      TRY(add_node(g, side, operand));
  return DLOC_OK;
}

/* Its operands have been added: find the node that it is, or make it a new one. Takes the key. */
static dloc_status settle(lit_graph *g, lit_side side, dloc_node node, dloc_buffer *key) {
  TRY(dloc_print_node(g->context, node, write_key_reference, g, dloc_buffer_sink(key)));
  if (g->indices[node] != LIT_OPEN)
    return DLOC_OK;
  lit_node *found = find_node(g, key, side);
  uint32_t index = 0;
  if (found) {
    index = (uint32_t)(found - g->nodes);
  } else {
    TRY(new_node(g, node, &index));
    g->nodes[index].key = *key;
    *key = (dloc_buffer){NULL, 0, 0};
  }
  g->nodes[index].vector = g->vector;
  g->indices[node] = index + 1;
  return DLOC_OK;
}

static dloc_status add_node(lit_graph *g, lit_side side, dloc_node node) {
  dloc_buffer key = {NULL, 0, 0};
  g->indices[node] = LIT_OPEN;
  TRY(add_operands(g, side, node));
  dloc_status status = settle(g, side, node, &key);
  dloc_buffer_deinit(&key);
  return status;
}

dloc_status lit_root(lit_graph *g, lit_side side, dloc_node node) {
  node = dloc_canonical(g->context, node);
  TRY(make_room(g));
  if (g->indices[node] == 0)
    TRY(add_node(g, side, node));
  void *roots = g->roots[side];
  if (!grow(&roots, &g->root_room[side], g->root_count[side], sizeof *g->roots[side]))
    return DLOC_NO_MEMORY;
  g->roots[side] = roots;
  g->roots[side][g->root_count[side]++] = g->indices[node] - 1;
  return DLOC_OK;
}

uint32_t lit_index(const lit_graph *g, dloc_node node) { return g->indices[dloc_canonical(g->context, node)] - 1; }

void lit_graph_deinit(lit_graph *g) {
  for (uint32_t i = 0; i < g->count; i++)
    dloc_buffer_deinit(&g->nodes[i].key);
  free(g->nodes);
  free(g->indices);
  for (int side = LIT_INPUT; side <= LIT_OUTPUT; side++) {
    free(g->roots[side]);
    free(g->order[side]);
  }
  dloc_buffer_deinit(&g->named);
  dloc_context_destroy(g->context);
  *g = (lit_graph){.context = NULL};
}

/* ---- Numbers ---- */

/* Depth first, a node before its operands: as LLVM's SlotTracker does. */
static void number_node(lit_graph *g, lit_side side, uint32_t index) {
  lit_node *n = &g->nodes[index];
  if (n->numbers[side])
    return;
  g->order[side][g->order_count[side]++] = index;
  n->numbers[side] = g->order_count[side];
  dloc_node operand;
  for (size_t i = 0; next_operand(g, n->node, &i, &operand);)
    number_node(g, side, lit_index(g, operand));
}

static bool is_unit(const lit_graph *g, uint32_t index) {
  return dloc_node_kind(g->context, g->nodes[index].node) == DLOC_KIND_COMPILE_UNIT;
}

/* Operands of named metadata come first. */
static dloc_status number_side(lit_graph *g, lit_side side) {
  g->order[side] = malloc((g->count + 1) * sizeof *g->order[side]);
  if (!g->order[side])
    return DLOC_NO_MEMORY;
  for (uint32_t i = 0; i < g->count; i++)
    if (is_unit(g, i))
      number_node(g, side, i);
  number_node(g, side, g->flags);
  for (size_t i = 0; i < g->root_count[side]; i++)
    number_node(g, side, g->roots[side][i]);
  return DLOC_OK;
}

/* What the names of variables begin with. */
static const char *variable_stem(const lit_graph *g, uint32_t index) {
  dloc_node node = g->nodes[index].node;
  if (index == g->flags)
    return "FLAGS";
  switch (dloc_node_kind(g->context, node)) {
  case DLOC_KIND_TUPLE:
    if (dloc_debug_loc_shape(g->context, node) == DLOC_SHAPE_COMPOSITE)
      return "DBG";
    return dloc_node_kind(g->context, dloc_operand(g->context, node, 0)) == DLOC_KIND_STRING ? "LAYER" : "NODE";
  case DLOC_KIND_LOCATION:
    return "LOC";
  case DLOC_KIND_FILE:
    return "FILE";
  case DLOC_KIND_COMPILE_UNIT:
    return "CU";
  case DLOC_KIND_SUBPROGRAM:
    return "SP";
  case DLOC_KIND_LEXICAL_BLOCK:
  case DLOC_KIND_LEXICAL_BLOCK_FILE:
    return "SCOPE";
  default:
    return "NODE";
  }
}

/* Counted by stem, in the order of the output. */
static void name_variables(lit_graph *g) {
  for (uint32_t i = 0; i < g->order_count[LIT_OUTPUT]; i++) {
    uint32_t index = g->order[LIT_OUTPUT][i], count = 1;
    const char *stem = variable_stem(g, index);
    for (uint32_t j = 0; j < i; j++)
      count += strcmp(variable_stem(g, g->order[LIT_OUTPUT][j]), stem) == 0;
    snprintf(g->nodes[index].variable, sizeof g->nodes[index].variable, "%s%u", stem, (unsigned)count);
  }
}

static dloc_status add_flags(lit_graph *g) {
  dloc_node operands[3], flags;
  TRY(dloc_constant(g->context, dloc_text_of("i32 2"), &operands[0]));
  TRY(dloc_string(g->context, dloc_text_of("Debug Info Version"), &operands[1]));
  TRY(dloc_constant(g->context, dloc_text_of("i32 3"), &operands[2]));
  TRY(dloc_tuple(g->context, false, operands, 3, &flags));
  TRY(make_room(g));
  if (g->indices[flags] == 0)
    TRY(add_node(g, LIT_INPUT, flags));
  g->flags = lit_index(g, flags);
  return DLOC_OK;
}

dloc_status lit_number(lit_graph *g) {
  TRY(add_flags(g));
  TRY(number_side(g, LIT_INPUT));
  TRY(number_side(g, LIT_OUTPUT));
  name_variables(g);
  return DLOC_OK;
}

/* ---- Text with marks ---- */

/* A mark is one of these bytes, which occur in no other text, the index in decimal, and the byte again. */
static const char marks[] = {1, 2};

dloc_status lit_put_text(dloc_buffer *text, dloc_text piece) {
  dloc_sink sink = dloc_buffer_sink(text);
  return piece.size == 0 || sink.write(sink.user, piece.bytes, piece.size) ? DLOC_OK : DLOC_NO_MEMORY;
}

dloc_status lit_put(dloc_buffer *text, const char *format, ...) {
  char piece[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof piece)
    return DLOC_LIMIT;
  return lit_put_text(text, (dloc_text){piece, (size_t)length});
}

static bool begins(dloc_text text, size_t at, const char *wanted) {
  size_t size = strlen(wanted);
  return at + size <= text.size && memcmp(text.bytes + at, wanted, size) == 0;
}

/* Two brackets or braces begin a pattern. */
dloc_status lit_put_literal(dloc_buffer *text, dloc_text literal) {
  static const struct { const char *from, *to; } escapes[] = {{"[[", "{{\\[\\[}}"}, {"{{", "{{\\{\\{}}"}};
  for (size_t i = 0; i < literal.size;) {
    size_t e = 0;
    while (e < sizeof escapes / sizeof *escapes && !begins(literal, i, escapes[e].from))
      e++;
    bool found = e < sizeof escapes / sizeof *escapes;
    TRY(lit_put_text(text, found ? dloc_text_of(escapes[e].to) : (dloc_text){literal.bytes + i, 1}));
    i += found ? strlen(escapes[e].from) : 1;
  }
  return DLOC_OK;
}

dloc_status lit_put_node(dloc_buffer *text, lit_side side, uint32_t index) {
  return lit_put(text, "%c%u%c", marks[side], (unsigned)index, marks[side]);
}

dloc_status lit_put_root(lit_graph *g, dloc_buffer *text, lit_side side, dloc_node node) {
  TRY(lit_root(g, side, node));
  return lit_put_node(text, side, lit_index(g, node));
}

dloc_status lit_put_dbg(lit_graph *g, dloc_buffer *text, lit_side side, dloc_node node) {
  if (node == DLOC_NULL)
    return DLOC_OK;
  TRY(lit_put(text, ", !dbg "));
  return lit_put_root(g, text, side, node);
}

static dloc_status render_mark(lit_graph *g, lit_side side, uint32_t index, dloc_sink sink) {
  lit_node *n = &g->nodes[index];
  char text[48];
  int size;
  if (side == LIT_INPUT)
    size = snprintf(text, sizeof text, "!%u", (unsigned)n->numbers[side] - 1);
  else
    size = snprintf(text, sizeof text, n->bound ? "[[%s]]" : "[[%s:![0-9]+]]", n->variable);
  n->bound |= side == LIT_OUTPUT;
  return sink.write(sink.user, text, (size_t)size) ? DLOC_OK : DLOC_STOPPED;
}

dloc_status lit_render(lit_graph *g, const dloc_buffer *text, dloc_sink sink) {
  const char *end = text->bytes + text->size;
  for (const char *at = text->bytes, *next; at < end; at = next) {
    for (next = at; next < end && *next != marks[0] && *next != marks[1];)
      next++;
    if (next > at && !sink.write(sink.user, at, (size_t)(next - at)))
      return DLOC_STOPPED;
    if (next == end)
      break;
    char *mark_end = NULL;
    unsigned long index = strtoul(next + 1, &mark_end, 10);
    TRY(render_mark(g, *next == marks[LIT_INPUT] ? LIT_INPUT : LIT_OUTPUT, (uint32_t)index, sink));
    next = mark_end + 1;
  }
  return DLOC_OK;
}

/* ---- Definitions ---- */

typedef struct reference_writer {
  lit_graph *graph;
  lit_side side;
} reference_writer;

static dloc_status write_reference(void *user, dloc_sink sink, dloc_node node) {
  const reference_writer *w = user;
  return lit_put_node(sink.user, w->side, lit_index(w->graph, node));
}

/* LLVM prints some fields of a unit whatever they hold. */
static dloc_status put_unit_check(lit_graph *g, dloc_buffer *text, uint32_t index) {
  dloc_node file = dloc_field_value(g->context, g->nodes[index].node, "file");
  TRY(lit_put(text, "distinct !DICompileUnit({{.*}}"));
  if (file != DLOC_NULL) {
    TRY(lit_put(text, "file: "));
    TRY(lit_put_node(text, LIT_OUTPUT, lit_index(g, file)));
    TRY(lit_put(text, ", {{.*}}"));
  }
  return lit_put(text, ")");
}

static dloc_status put_definition(lit_graph *g, dloc_buffer *text, lit_side side, uint32_t index) {
  if (side == LIT_OUTPUT && is_unit(g, index))
    return put_unit_check(g, text, index);
  reference_writer w = {g, side};
  dloc_buffer definition = {NULL, 0, 0};
  dloc_status status =
      dloc_print_node(g->context, g->nodes[index].node, write_reference, &w, dloc_buffer_sink(&definition));
  dloc_text piece = {definition.bytes, definition.size};
  bool asks = is_unit(g, index) && g->asks_directives && piece.size > 0 &&
              dloc_field_value(g->context, g->nodes[index].node, "emissionKind") == DLOC_NULL;
  piece.size -= asks;
  if (status == DLOC_OK)
    status = side == LIT_OUTPUT ? lit_put_literal(text, piece) : lit_put_text(text, piece);
  dloc_buffer_deinit(&definition);
  return asks && status == DLOC_OK ? lit_put(text, ", emissionKind: DebugDirectivesOnly)") : status;
}

static dloc_status put_units(lit_graph *g, dloc_buffer *text, lit_side side) {
  bool first = true;
  TRY(lit_put(text, "!llvm.dbg.cu = !{"));
  for (uint32_t i = 0; i < g->order_count[side]; i++) {
    if (!is_unit(g, g->order[side][i]))
      continue;
    TRY(lit_put(text, "%s", first ? "" : ", "));
    TRY(lit_put_node(text, side, g->order[side][i]));
    first = false;
  }
  return lit_put(text, "}\n");
}

static dloc_status put_flags(lit_graph *g, dloc_buffer *text, lit_side side) {
  TRY(lit_put(text, "!llvm.module.flags = !{"));
  TRY(lit_put_node(text, side, g->flags));
  return lit_put(text, "}\n");
}

dloc_status lit_put_metadata(lit_graph *g, dloc_buffer *text, lit_side side) {
  const char *first = side == LIT_OUTPUT ? "; CHECK: " : "", *next = side == LIT_OUTPUT ? "; CHECK-NEXT: " : "";
  TRY(lit_put(text, "\n%s", first));
  TRY(put_units(g, text, side));
  TRY(lit_put(text, "%s", next));
  TRY(put_flags(g, text, side));
  if (side == LIT_INPUT)
    TRY(lit_put_text(text, (dloc_text){g->named.bytes, g->named.size}));
  for (uint32_t i = 0; i < g->order_count[side]; i++) {
    uint32_t index = g->order[side][i];
    TRY(lit_put(text, "%s%s", i || side == LIT_INPUT ? "" : "\n", i ? next : first));
    TRY(lit_put_node(text, side, index));
    TRY(lit_put(text, " = "));
    TRY(put_definition(g, text, side, index));
    TRY(lit_put(text, "\n"));
  }
  return DLOC_OK;
}
