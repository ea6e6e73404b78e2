/* fuzz_hidden.c - any text as modules and tables of hidden layers, one behind the other, each from a line `;---` on. A
 * module that breaks no rule is as before when it is hidden and revealed. A table that is read is written the same. Any
 * module can be revealed by any tables, as itself or onto another module, and written and read again. */
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"
#include "mutate.h"
#include "require.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 4 };

static dloc_text text_of(const dloc_buffer *buffer) {
  return (dloc_text){buffer->size ? buffer->bytes : "", buffer->size};
}

static dloc_module *read_module(dloc_context *context, dloc_text text) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  return dloc_read_ll(context, text, &diagnostic, &module) == DLOC_OK ? module : NULL;
}

static dloc_buffer written(const dloc_module *module) {
  dloc_buffer text = {0};
  require(dloc_write_ll(module, dloc_buffer_sink(&text)) == DLOC_OK);
  return text;
}

static dloc_hidden *new_table(dloc_context *context) {
  dloc_hidden *hidden = NULL;
  require(dloc_hidden_create(context, &hidden) == DLOC_OK);
  return hidden;
}

static dloc_status take_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  (void)instruction, (void)node;
  require(reason != DLOC_REASON_NONE);
  *(dloc_reason *)user = reason;
  return DLOC_OK;
}

/* ---- There and back ---- */

/* What instructions and the list of texts refer to. */
static dloc_node *roots_of(const dloc_module *module, size_t *ret_count) {
  dloc_named_metadata list = {.operand_count = 0};
  (void)dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list);
  size_t count = 0, instructions = dloc_module_instruction_count(module);
  dloc_node *roots = calloc(instructions + list.operand_count + 1, sizeof *roots);
  require(roots != NULL);
  for (size_t i = 0; i < instructions; i++)
    roots[count++] = dloc_module_instruction(module, i)->debug_loc;
  for (size_t i = 0; i < list.operand_count; i++)
    roots[count++] = dloc_module_named_operand(module, &list, i);
  *ret_count = count;
  return roots;
}

/* All below these: names of nodes do not count. */
static dloc_buffer graph_of(const dloc_module *module) {
  dloc_buffer text = {0};
  size_t count = 0;
  dloc_node *roots = roots_of(module, &count);
  require(dloc_print_graph(dloc_module_context(module), "!dbg", roots, count, dloc_buffer_sink(&text)) == DLOC_OK);
  free(roots);
  return text;
}

/* The graph of a module that is written and read again. */
static dloc_buffer graph_again(const dloc_module *module) {
  dloc_buffer text = written(module);
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *again = read_module(context, text_of(&text));
  require(again != NULL);
  dloc_buffer graph = graph_of(again);
  dloc_module_destroy(again);
  dloc_context_destroy(context);
  dloc_buffer_deinit(&text);
  return graph;
}

static bool count_violation(void *user, const dloc_violation *violation) {
  (void)user, (void)violation;
  return true;
}

typedef struct walk {
  const dloc_context *context;
  uint8_t *met; /* by node: 1 met, 2 met below a node of another class */
  size_t size;
  dloc_node *stack;
  size_t count, capacity;
} walk;

static void meet(walk *w, dloc_node node, uint8_t how) {
  if (node >= w->size) {
    size_t size = 2 * (size_t)node + 64;
    require((w->met = realloc(w->met, size)) != NULL);
    memset(w->met + w->size, 0, size - w->size);
    w->size = size;
  }
  if ((w->met[node] | how) == w->met[node])
    return;
  w->met[node] |= how;
  if (w->count == w->capacity) {
    w->capacity = 2 * w->capacity + 64;
    require((w->stack = realloc(w->stack, w->capacity * sizeof *w->stack)) != NULL);
  }
  w->stack[w->count++] = node;
}

static bool is_of_location(dloc_kind kind) {
  return kind == DLOC_KIND_TUPLE || kind == DLOC_KIND_LOCATION ||
         (kind >= DLOC_KIND_LEXICAL_BLOCK && kind < DLOC_KIND_OTHER);
}

/* `hide.loop`: hiding changes locations where a location or a layer names them;
 * below other nodes they stay as they are. */
static bool others_name_locations(const dloc_module *module) {
  walk w = {.context = dloc_module_context(module)};
  size_t count = 0;
  dloc_node *roots = roots_of(module, &count);
  bool found = false;
  for (size_t i = 0; i < count; i++)
    meet(&w, roots[i], 1);
  while (w.count && !found) {
    dloc_node node = w.stack[--w.count], operand;
    dloc_kind kind = dloc_node_kind(w.context, node);
    uint8_t how = w.met[node] | (is_of_location(kind) ? 0 : 2);
    found = kind == DLOC_KIND_LOCATION && how & 2;
    for (size_t i = 0; dloc_next_reference(w.context, node, &i, &operand);)
      meet(&w, operand, how);
  }
  free(roots);
  free(w.met);
  free(w.stack);
  return found;
}

/* In one of the forms. What breaks a rule may name in other places what hiding changes. */
static bool is_sound(const dloc_module *module) {
  static const char *const profiles[] = {"rfc", "pr215666"};
  bool sound = false;
  for (size_t i = 0; i < 2 && !sound; i++) {
    dloc_verdict verdict;
    const dloc_profile *profile = dloc_profile_find(dloc_text_of(profiles[i]));
    require(dloc_verify(module, profile, count_violation, NULL, &verdict) == DLOC_OK);
    sound = verdict.soft + verdict.hard == 0;
  }
  return sound && !others_name_locations(module);
}

/* Written down, and read in another context. */
static void check_comes_back(dloc_text plain, dloc_text table, bool sound, const dloc_buffer *expected) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_hidden *hidden = new_table(context);
  dloc_module *module = read_module(context, plain), *layers = read_module(context, table);
  require(module && layers && dloc_hidden_read(hidden, layers, &reason) == DLOC_OK);
  dloc_status status = dloc_reveal(module, hidden, take_problem, &reason);
  require(!sound || (status == DLOC_OK && reason == DLOC_REASON_NONE));
  dloc_buffer graph = graph_again(module);
  require(!sound || dloc_text_equal(text_of(&graph), text_of(expected)));
  dloc_buffer_deinit(&graph);
  dloc_module_destroy(module);
  dloc_module_destroy(layers);
  dloc_hidden_destroy(hidden);
  dloc_context_destroy(context);
}

static void hide_and_reveal(dloc_text text, dloc_hidden_in in) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *module = read_module(context, text), *layers = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_hidden *hidden = NULL;
  const dloc_hide_options options = {
      .in = in, .first = (uint32_t)(1 + text.size % 9), .on_problem = take_problem, .user = &reason};
  require(module != NULL);
  const bool sound = is_sound(module);
  dloc_buffer before = graph_again(module);
  dloc_status status = dloc_hide(module, &options, &hidden);
  require(status == DLOC_OK || (status == DLOC_INVALID && reason != DLOC_REASON_NONE));
  if (status == DLOC_OK) {
    require(dloc_hidden_write(hidden, &layers) == DLOC_OK);
    dloc_buffer plain = written(module), table = written(layers);
    check_comes_back(text_of(&plain), text_of(&table), sound, &before);
    dloc_buffer_deinit(&plain);
    dloc_buffer_deinit(&table);
    dloc_module_destroy(layers);
    dloc_hidden_destroy(hidden);
  }
  dloc_buffer_deinit(&before);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
}

/* ---- Tables ---- */

static dloc_buffer table_of(const dloc_hidden *hidden) {
  dloc_module *table = NULL;
  require(dloc_hidden_write(hidden, &table) == DLOC_OK);
  dloc_buffer text = written(table);
  dloc_module_destroy(table);
  return text;
}

static void check_table(const dloc_hidden *hidden) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_hidden *again = new_table(context);
  dloc_buffer first = table_of(hidden);
  dloc_module *table = read_module(context, text_of(&first));
  require(table && dloc_hidden_read(again, table, NULL) == DLOC_OK);
  dloc_buffer second = table_of(again);
  require(dloc_hidden_count(again) == dloc_hidden_count(hidden) && dloc_text_equal(text_of(&first), text_of(&second)));
  dloc_module_destroy(table);
  dloc_buffer_deinit(&first);
  dloc_buffer_deinit(&second);
  dloc_hidden_destroy(again);
  dloc_context_destroy(context);
}

/* All parts that are tables, as of modules that were linked. */
static dloc_hidden *read_tables(dloc_context *context, const dloc_text *parts, size_t count) {
  dloc_hidden *hidden = new_table(context);
  size_t taken = 0;
  for (size_t i = 0; i < count; i++) {
    dloc_module *table = read_module(context, parts[i]);
    dloc_reason reason = DLOC_REASON_NONE;
    size_t before = dloc_hidden_count(hidden);
    dloc_status status = table ? dloc_hidden_read(hidden, table, &reason) : DLOC_INVALID;
    require(status == DLOC_OK || status == DLOC_LIMIT ||
            (dloc_hidden_count(hidden) == before && (!table || reason != DLOC_REASON_NONE)));
    if (status == DLOC_LIMIT) { /* it can only be destroyed */
      dloc_hidden_destroy(hidden);
      hidden = new_table(context);
    }
    taken += status == DLOC_OK;
    if (status == DLOC_OK && taken == 1)
      check_table(hidden);
    dloc_module_destroy(table);
  }
  return hidden;
}

/* ---- Any module, any table ---- */

typedef dloc_status reveal(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden,
                           const dloc_exact_options *options, dloc_exact_report *report);

static dloc_status reveal_itself(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden,
                                 const dloc_exact_options *options, dloc_exact_report *report) {
  (void)made, (void)report;
  return dloc_reveal(base, hidden, options->on_problem, options->user);
}

static dloc_status reveal_kind(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden,
                               const dloc_exact_options *options, dloc_exact_report *report) {
  const dloc_context *context = dloc_module_context(base);
  dloc_layer layer = {.kind = DLOC_NULL};
  for (size_t i = 0; !layer.kind && i < dloc_hidden_count(hidden); i++)
    (void)dloc_next_layer(context, dloc_hidden_at(hidden, i).layers, &(size_t){0}, &layer);
  return layer.kind ? dloc_reveal_kind(base, made, hidden, dloc_node_text(context, layer.kind), options, report)
                    : DLOC_INVALID;
}

static void check_revealed(const dloc_text *parts, size_t count, reveal *reveal, bool strict) {
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *base = read_module(context, parts[0]), *made = read_module(context, parts[count > 1]);
  dloc_hidden *hidden = read_tables(context, parts, count);
  dloc_code_comparer *comparer = NULL;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_exact_report report = {.functions = 0};
  if (base && made) {
    require(dloc_code_comparer_create(base, made, strict, &comparer) == DLOC_OK);
    const dloc_exact_options options = {.compare = dloc_compare_code,
                                        .comparer = comparer,
                                        .strict = strict,
                                        .line_0 = strict,
                                        .on_problem = take_problem,
                                        .user = &reason};
    size_t instructions = dloc_module_instruction_count(base);
    dloc_status status = reveal(base, made, hidden, &options, &report);
    require(status == DLOC_OK || status == DLOC_INVALID);
    require(report.differing <= report.functions && report.layered <= report.instructions &&
            report.instructions <= instructions && dloc_module_instruction_count(base) == instructions);
    if (status == DLOC_OK) {
      dloc_buffer graph = graph_again(base);
      dloc_buffer_deinit(&graph);
    }
  }
  dloc_code_comparer_destroy(comparer);
  dloc_hidden_destroy(hidden);
  dloc_module_destroy(base);
  dloc_module_destroy(made);
  dloc_context_destroy(context);
}

/* ---- Parts ---- */

static size_t split(dloc_text text, dloc_text *parts) {
  static const char mark[] = "\n;---\n";
  size_t count = 0, start = 0;
  for (size_t at = 0; at + sizeof mark - 1 <= text.size && count + 1 < MOST_PARTS; at++)
    if (memcmp(text.bytes + at, mark, sizeof mark - 1) == 0) {
      parts[count++] = (dloc_text){text.bytes + start, at + 1 - start};
      start = at + 1;
    }
  parts[count++] = (dloc_text){text.bytes + start, text.size - start};
  return count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_ll, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  dloc_text parts[MOST_PARTS];
  size_t count = split((dloc_text){(const char *)data, size}, parts);
  dloc_context *context = dloc_context_create(NULL);
  dloc_module *first = read_module(context, parts[0]);
  bool sound = first != NULL;
  dloc_module_destroy(first);
  dloc_context_destroy(context);
  if (!sound)
    return 0;
  hide_and_reveal(parts[0], DLOC_HIDDEN_IN_DISCRIMINATOR);
  hide_and_reveal(parts[0], DLOC_HIDDEN_IN_COLUMN);
  check_revealed(parts, count, reveal_itself, false);
  check_revealed(parts, count, dloc_reveal_exact, false);
  check_revealed(parts, count, dloc_reveal_exact, true);
  check_revealed(parts, count, reveal_kind, false);
  return 0;
}
