/* world.c - building the small world: its module, and the DebugLocs over it.
 * The tables below are all there is in it. */
#include "world.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "dloc_formats.h"

#include <stdlib.h>
#include <string.h>

/* ---- The module: a vector's ---- */

/* Lines of scopes are 7, 8 and 9, those of calls 3 and 4, those of locations 0, 1 and 2: a line tells where it came
 * from. Not every profile can read what `%s` stands for: key instructions, and a DIIntermediateScope. */
static const char nodes_text[] =
    "nodes:\n"
    "  a-file: {node: DIFile, filename: a.c, directory: src}\n"
    "  b-file: {node: DIFile, filename: b.c, directory: src}\n"
    "  tile-file: {node: DIFile, filename: k.tile, directory: .}\n"
    "  other-tile-file: {node: DIFile, filename: m.tile, directory: .}\n"
    "  unit: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: a-file, emissionKind: DebugDirectivesOnly}\n"
    "  type: {node: DISubroutineType, types: null}\n"
    "  entry: {node: tuple, operands: [{string: TileIR}, tile-file, {string: k}]}\n"
    "  other-entry: {node: tuple, operands: [{string: TileIR}, other-tile-file, {string: m}]}\n"
    "  f: {node: DISubprogram, distinct: true, name: f, scope: a-file, file: a-file, line: 7, type: type, "
    "spFlags: DISPFlagDefinition, unit: unit%s}\n"
    "  g: {node: DISubprogram, distinct: true, name: g, scope: a-file, file: a-file, line: 8, type: type, "
    "spFlags: DISPFlagDefinition, unit: unit%s}\n"
    "  block: {node: DILexicalBlock, distinct: true, scope: f, file: a-file, line: 9, column: 3}\n"
    "  included: {node: DILexicalBlockFile, scope: f, file: b-file, discriminator: 0}\n"
    "  included-again: {node: DILexicalBlockFile, scope: f, file: b-file, discriminator: 2}\n"
    "  fileless: {node: DILexicalBlock, distinct: true, scope: f, line: 9}\n"
    "  nested: {node: DILexicalBlock, distinct: true, scope: included, file: b-file, line: 9, column: 3}\n"
    "  discriminated: {node: DILexicalBlockFile, scope: block, file: a-file, discriminator: 2}\n"
    "  g-block: {node: DILexicalBlock, distinct: true, scope: g, file: a-file, line: 9, column: 3}\n"
    "  tile: {node: DILexicalBlockFile, scope: f, file: tile-file, discriminator: 0}\n"
    "  other-tile: {node: DILexicalBlockFile, scope: f, file: other-tile-file, discriminator: 0}\n"
    "  tile-again: {node: DILexicalBlockFile, distinct: true, scope: f, file: tile-file, discriminator: 0}\n"
    "  g-tile: {node: DILexicalBlockFile, scope: g, file: tile-file, discriminator: 0}\n"
    "  call: {node: DILocation, distinct: true, line: 3, scope: f}\n"
    "  call-again: {node: DILocation, distinct: true, line: 3, scope: f}\n"
    "  block-call: {node: DILocation, distinct: true, line: 4, scope: block}\n"
    "  inner-call: {node: DILocation, distinct: true, line: 3, scope: g, inlinedAt: call}\n"
    "  g-call: {node: DILocation, distinct: true, line: 4, scope: g}\n"
    "%s";
static const char between_text[] = "  between: {node: DIIntermediateScope, scope: f, file: tile-file}\n";

static const char head_text[] = "id: world\nclauses: [verify.subprogram]\nlevel: must\nsince: rfc\nneeds: [verify]\n";
/* Instruction i is that of function i. */
static const char module_text[] = "op: verify\nexpect: {outcome: ok}\n"
                                  "module:\n"
                                  "  functions:\n"
                                  "  - {name: f, subprogram: f, instructions: [{ret: true}]}\n"
                                  "  - {name: g, subprogram: g, instructions: [{ret: true}]}\n"
                                  "  - {name: no-subprogram, instructions: [{ret: true}]}\n"
                                  "  named: {" DLOC_SOURCE_LIST ": [entry, other-entry]}\n";

/* ---- What DebugLocs are made of ---- */

enum { NEVER = 255, PRIMARY = 0, LAYER = 1, CHANNELS = 2 };

/* A scope or an inlinedAt, by its name in the module, the function it belongs to, and its cost in a primary and in a
 * layer. The frame without a name: none, the location belongs to the function of its scope. */
typedef struct block {
  const char *name;
  world_function home;
  uint8_t cost[CHANNELS];
} block;

static const block scopes[] = {
    {"f", WORLD_F, {0, 1}},          {"block", WORLD_F, {1, NEVER}},          {"included", WORLD_F, {1, NEVER}},
    {"g", WORLD_G, {1, NEVER}},      {"included-again", WORLD_F, {2, NEVER}}, {"fileless", WORLD_F, {2, NEVER}},
    {"nested", WORLD_F, {2, NEVER}}, {"discriminated", WORLD_F, {2, NEVER}},  {"g-block", WORLD_G, {2, NEVER}},
    {"tile", WORLD_F, {NEVER, 0}},   {"other-tile", WORLD_F, {NEVER, 1}},     {"tile-again", WORLD_F, {NEVER, 1}},
    {"g-tile", WORLD_G, {NEVER, 1}}, {"between", WORLD_F, {NEVER, 2}}};
static const block frames[] = {{NULL, WORLD_F, {0, 0}},
                               {"call", WORLD_F, {1, 2}},
                               {"g-call", WORLD_G, {1, NEVER}},
                               {"call-again", WORLD_F, {2, NEVER}},
                               {"block-call", WORLD_F, {2, NEVER}},
                               {"inner-call", WORLD_F, {2, NEVER}}};

typedef struct flag {
  bool distinct;
  bool implicit;
  uint8_t group;
  uint8_t rank;
  uint8_t cost[CHANNELS];
} flag;

static const flag flags[] = {{false, false, 0, 0, {0, 0}},     {true, false, 0, 0, {1, 2}},
                             {false, true, 0, 0, {1, NEVER}},  {false, false, 1, 1, {1, NEVER}},
                             {false, false, 2, 1, {2, NEVER}}, {false, false, 1, 2, {2, NEVER}}};

typedef struct position {
  uint8_t line;
  uint8_t column;
  uint8_t cost;
} position;

static const position positions[] = {{1, 0, 0}, {2, 0, 1}, {0, 0, 1}, {1, 1, 1}, {2, 1, 2}, {0, 1, 2}};

/* The operands of a tuple after its primary: layers of the kinds "TileIR" and "MLIR", or an operand that is no layer.
 * Beside the cost stand those of the primary and of the layers; each location costs 1 more than its parts, a distinct
 * tuple 1 more. */
typedef enum part { NOTHING, TILE, MLIR, ODD } part;

enum { PARTS = 2 };

typedef struct shape {
  part parts[PARTS];
  uint8_t cost;
} shape;

static const shape shapes[] = {{{TILE, NOTHING}, 0}, {{TILE, MLIR}, 0}, {{NOTHING, NOTHING}, 1}, {{ODD, NOTHING}, 1},
                               {{MLIR, NOTHING}, 1}, {{MLIR, TILE}, 1}, {{TILE, TILE}, 1},       {{ODD, TILE}, 1}};

const world_mode world_modes[] = {
    {DLOC_INSTRUCTION_PLAIN, false, false, 0},        {DLOC_INSTRUCTION_PLAIN, true, false, 1},
    {DLOC_INSTRUCTION_PLAIN, false, true, 1},         {DLOC_INSTRUCTION_STATIC_ALLOCA, false, false, 1},
    {DLOC_INSTRUCTION_PSEUDO_PROBE, false, false, 1}, {DLOC_INSTRUCTION_STATIC_ALLOCA, true, false, 2},
    {DLOC_INSTRUCTION_STATIC_ALLOCA, false, true, 2}, {DLOC_INSTRUCTION_PSEUDO_PROBE, true, false, 2},
    {DLOC_INSTRUCTION_PSEUDO_PROBE, false, true, 2}};
const size_t world_mode_count = sizeof world_modes / sizeof *world_modes;

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---- Recipes ---- */

/* A location, by the rows it is made of. */
typedef struct place {
  const block *scope, *frame;
  const flag *flag;
  const position *position;
  unsigned size;
  dloc_node node; /* DLOC_NULL: not made yet */
} place;

typedef struct places {
  place *items;
  size_t count;
} places;

enum { BARE = 254, EMPTY = 255 };

/* A DebugLoc, by the places it is made of. */
typedef struct recipe {
  uint32_t primary;
  uint32_t layers[PARTS];
  uint8_t shape; /* of the tuple; BARE or EMPTY */
  bool distinct;
  uint8_t size;
  dloc_node node; /* DLOC_NULL: not made yet, or empty */
} recipe;

typedef struct recipes {
  recipe *items;
  size_t count;
} recipes;

enum {
  CONTEXT_NODES = 1 << 13, /* by which the context may grow before it is emptied */
  KNOWN_NODES = 2 * CONTEXT_NODES
};
/* The measure of a DebugLoc in the context as it is now. */
typedef enum validity { UNKNOWN, VALID, INVALID } validity;

struct world {
  const dloc_profile *profile;
  unsigned size;
  value_arena arena;   /* of the vector */
  value_arena scratch; /* of building it */
  vector vector;
  vector_case built;
  dloc_context *context;
  dloc_context *other; /* for world_rereads */
  uint32_t base;       /* nodes of the module alone */
  places places[CHANNELS];
  recipes recipes;
  uint8_t validity[WORLD_FUNCTIONS][KNOWN_NODES]; /* by handle */
  world_pool pools[3];                            /* f, g, * */
};

bool world_knows_atoms(const world *w) { return DLOC_TAKES(w->profile, METADATA_ATOMS, KNOWN); }

/* ---- The context ---- */

static void put_nodes(const world *w, bool with_atoms, dloc_buffer *out) {
  const char *key = with_atoms ? ", keyInstructions: true" : "";
  buffer_format(out, nodes_text, key, key,
                DLOC_TAKES(w->profile, METADATA_INTERMEDIATE_SCOPE, KNOWN) ? between_text : "");
}

static void read_vector(world *w) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  value *document = NULL;
  buffer_format(&text, "%s", head_text);
  put_nodes(w, world_knows_atoms(w), &text);
  buffer_format(&text, "%s", module_text);
  value_read_one(buffer_text(&text), &w->arena, NULL, &document);
  vector_read(document, &w->arena, NULL, &w->vector);
}

static dloc_node node_named(const world *w, const char *name) {
  const value_entry *entry = name ? value_find_entry(w->vector.nodes, dloc_text_of(name)) : NULL;
  return entry ? w->built.nodes[entry - w->vector.nodes->of.entries] : DLOC_NULL;
}

/* `merge.atoms.counter`: locations are made when they are asked for, and no fresh group may be one of theirs. */
static void take_atom_groups(world *w) {
  dloc_node node = DLOC_NULL;
  const dloc_location content = {.line = 1, .scope = node_named(w, "f"), .atom_group = WORLD_FRESH_GROUP - 1};
  if (world_knows_atoms(w))
    dloc_location_create(w->context, false, &content, &node);
}

/* Begin with a context that has the module alone. */
void world_renew(world *w) {
  vector_case_deinit(&w->built);
  dloc_context_reset(w->context);
  value_arena_reset(&w->scratch);
  vector_build(&w->vector, w->context, &w->scratch, &w->built);
  w->base = dloc_node_limit(w->context);
  for (unsigned channel = 0; channel < CHANNELS; channel++)
    for (size_t i = 0; i < w->places[channel].count; i++)
      w->places[channel].items[i].node = DLOC_NULL;
  for (size_t i = 0; i < w->recipes.count; i++)
    w->recipes.items[i].node = DLOC_NULL;
  memset(w->validity, UNKNOWN, sizeof w->validity);
  take_atom_groups(w);
}

void world_tidy(world *w) {
  if (dloc_node_limit(w->context) - w->base > CONTEXT_NODES)
    world_renew(w);
}

dloc_context *world_context(const world *w) { return w->context; }

const char *world_name(const world *w, dloc_node node) {
  for (size_t i = 0; node && i < w->vector.nodes->count; i++)
    if (w->built.nodes[i] == node)
      return w->vector.nodes->of.entries[i].key.bytes;
  return NULL;
}

const char *world_subprogram_name(world_function function) {
  static const char *const names[] = {[WORLD_F] = "f", [WORLD_G] = "g", [WORLD_NO_SUBPROGRAM] = NULL};
  return names[function];
}

dloc_node world_subprogram(const world *w, world_function function) {
  return node_named(w, world_subprogram_name(function));
}

void world_describe(const world *w, bool with_atoms, const dloc_node *roots, const char **names, size_t count,
                    value_arena *arena, dloc_buffer *out) {
  value described;
  operation_describe_nodes(w->context, roots, names, count, w->vector.graph, w->built.nodes, arena, &described);
  const value *nodes = value_get(&described, "nodes");
  put_nodes(w, with_atoms, out);
  for (uint32_t i = 0; nodes && i < nodes->count; i++) {
    buffer_format(out, "  %s: ", nodes->of.entries[i].key.bytes);
    value_write_json(&nodes->of.entries[i].value, buffer_sink(out));
    buffer_format(out, "\n");
  }
}

/* ---- Places ---- */

/* The world of a profile has no input that the profile cannot read. */
static bool is_readable(const world *w, const place *p) {
  return (world_knows_atoms(w) || !p->flag->group) && node_named(w, p->scope->name);
}

static void add_place(world *w, unsigned channel, place p) {
  uint8_t scope = p.scope->cost[channel], frame = p.frame->cost[channel], flag = p.flag->cost[channel];
  p.size = 1u + scope + frame + flag + p.position->cost;
  if (p.size <= w->size && is_readable(w, &p))
    *MEMORY_ADD(w->places[channel].items, w->places[channel].count) = p;
}

static void list_places(world *w, unsigned channel) {
  for (size_t s = 0; s < COUNT(scopes); s++)
    for (size_t fr = 0; fr < COUNT(frames); fr++)
      for (size_t fl = 0; fl < COUNT(flags); fl++)
        for (size_t p = 0; p < COUNT(positions); p++)
          add_place(w, channel, (place){&scopes[s], &frames[fr], &flags[fl], &positions[p], 0, DLOC_NULL});
}

static dloc_node place_node(world *w, unsigned channel, uint32_t index) {
  place *p = &w->places[channel].items[index];
  if (p->node)
    return p->node;
  const dloc_location content = {.line = p->position->line,
                                 .column = p->position->column,
                                 .scope = node_named(w, p->scope->name),
                                 .inlined_at = node_named(w, p->frame->name),
                                 .implicit = p->flag->implicit,
                                 .atom_group = p->flag->group,
                                 .atom_rank = p->flag->rank};
  dloc_location_create(w->context, p->flag->distinct, &content, &p->node);
  return p->node;
}

/* ---- DebugLocs ---- */

static bool is_layer(part p) { return p == TILE || p == MLIR; }

/* The tuples of one shape with that primary: every choice of layers for the parts from `slot` on. */
static void add_recipes(world *w, recipe r, unsigned slot) {
  if (r.size > w->size)
    return;
  if (slot == PARTS) {
    *MEMORY_ADD(w->recipes.items, w->recipes.count) = r;
    return;
  }
  bool layer = is_layer(shapes[r.shape].parts[slot]);
  for (uint32_t i = 0; i < (layer ? w->places[LAYER].count : 1); i++) {
    recipe next = r;
    next.layers[slot] = i;
    next.size = (uint8_t)(r.size + (layer ? w->places[LAYER].items[i].size : 0));
    add_recipes(w, next, slot + 1);
  }
}

static void list_recipes(world *w) {
  add_recipes(w, (recipe){.shape = EMPTY}, PARTS);
  for (uint32_t p = 0; p < w->places[PRIMARY].count; p++) {
    unsigned size = w->places[PRIMARY].items[p].size;
    add_recipes(w, (recipe){.primary = p, .shape = BARE, .size = (uint8_t)size}, PARTS);
    for (uint8_t s = 0; s < COUNT(shapes); s++)
      for (unsigned distinct = 0; distinct < 2; distinct++)
        add_recipes(w, (recipe){p, {0}, s, distinct, (uint8_t)(size + shapes[s].cost + distinct), DLOC_NULL}, 0);
  }
}

static dloc_node part_node(world *w, part p, uint32_t layer) {
  dloc_node node = DLOC_NULL, pair[2] = {DLOC_NULL, DLOC_NULL};
  if (p == ODD) {
    dloc_string(w->context, dloc_text_of("odd"), &node);
    return node;
  }
  dloc_string(w->context, dloc_text_of(p == TILE ? "TileIR" : "MLIR"), &pair[0]);
  pair[1] = place_node(w, LAYER, layer);
  dloc_tuple(w->context, false, pair, 2, &node);
  return node;
}

static dloc_node make_node(world *w, const recipe *r) {
  if (r->shape == EMPTY)
    return DLOC_NULL;
  dloc_node node = DLOC_NULL, operands[1 + PARTS] = {place_node(w, PRIMARY, r->primary)};
  size_t count = 1;
  if (r->shape == BARE)
    return operands[0];
  for (size_t i = 0; i < PARTS; i++)
    if (shapes[r->shape].parts[i] != NOTHING)
      operands[count++] = part_node(w, shapes[r->shape].parts[i], r->layers[i]);
  dloc_tuple(w->context, r->distinct, operands, count, &node);
  return node;
}

dloc_node world_node(world *w, uint32_t debug_loc) {
  recipe *r = &w->recipes.items[debug_loc];
  if (!r->node)
    r->node = make_node(w, r);
  return r->node;
}

static world_function home_of(const world *w, const recipe *r) {
  if (r->shape == EMPTY)
    return WORLD_F;
  const place *primary = &w->places[PRIMARY].items[r->primary];
  return (primary->frame->name ? primary->frame : primary->scope)->home;
}

world_function world_home(const world *w, uint32_t debug_loc) { return home_of(w, &w->recipes.items[debug_loc]); }
bool world_is_empty(const world *w, uint32_t debug_loc) { return w->recipes.items[debug_loc].shape == EMPTY; }

/* ---- What becomes of the module with a DebugLoc ---- */

static bool go_on(void *user, const dloc_violation *violation) {
  (void)user;
  (void)violation;
  return true;
}

static validity verify(const world *w, world_function function, dloc_node debug_loc) {
  dloc_verdict verdict = {0, 0};
  dloc_module_set_debug_loc(w->built.module, function, debug_loc);
  dloc_status status = dloc_verify(w->built.module, w->profile, go_on, NULL, &verdict);
  dloc_module_set_debug_loc(w->built.module, function, DLOC_NULL);
  return status == DLOC_OK && verdict.soft == 0 && verdict.hard == 0 ? VALID : INVALID;
}

bool world_valid(world *w, world_function function, dloc_node debug_loc) {
  uint8_t none = UNKNOWN, *known = debug_loc < KNOWN_NODES ? &w->validity[function][debug_loc] : &none;
  if (*known == UNKNOWN)
    *known = (uint8_t)verify(w, function, debug_loc);
  return *known == VALID;
}

/* The instruction without a subprogram's module, printed and read in the other context; NULL: it cannot be read. */
static dloc_module *reread(world *w, dloc_node debug_loc) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_context_reset(w->other);
  dloc_module_set_debug_loc(w->built.module, WORLD_NO_SUBPROGRAM, debug_loc);
  dloc_write_ll(w->built.module, buffer_sink(&text));
  dloc_module_set_debug_loc(w->built.module, WORLD_NO_SUBPROGRAM, DLOC_NULL);
  dloc_read_ll(w->other, buffer_text(&text), &diagnostic, &module);
  return module;
}

bool world_rereads(world *w, dloc_node debug_loc) {
  OWNED(dloc_buffer_deinit) dloc_buffer here = {0}, there = {0};
  OWNED(release_dloc_module) dloc_module *module = reread(w, debug_loc);
  if (!module)
    return false;
  dloc_node again = dloc_module_instruction(module, WORLD_NO_SUBPROGRAM)->debug_loc;
  dloc_print_graph(w->context, "!dbg", &debug_loc, 1, buffer_sink(&here));
  dloc_print_graph(w->other, "!dbg", &again, 1, buffer_sink(&there));
  return dloc_text_equal(buffer_text(&here), buffer_text(&there));
}

/* ---- Pools ---- */

static bool belongs(const world *w, const recipe *r, char letter) {
  return letter == '*' || r->shape == EMPTY || home_of(w, r) == (letter == 'g' ? WORLD_G : WORLD_F);
}

static void fill_pool(world *w, char letter, world_pool *pool) {
  uint32_t count = 0;
  pool->items = memory_allocate(w->recipes.count, sizeof *pool->items);
  for (unsigned size = 0; size <= w->size; size++) {
    pool->start[size] = count;
    for (uint32_t i = 0; i < w->recipes.count; i++)
      if (w->recipes.items[i].size == size && belongs(w, &w->recipes.items[i], letter))
        pool->items[count++] = i;
  }
  pool->start[w->size + 1] = count;
}

const world_pool *world_pool_of(const world *w, char letter) {
  return &w->pools[letter == '*' ? 2 : letter == 'g' ? 1 : 0];
}

/* Keep the DebugLocs that an instruction of their own function may have. */
static void drop_invalid(world *w) {
  size_t kept = 0;
  for (size_t i = 0; i < w->recipes.count; i++) {
    const recipe r = w->recipes.items[i];
    world_tidy(w);
    if (world_valid(w, home_of(w, &r), make_node(w, &r)))
      w->recipes.items[kept++] = r;
  }
  w->recipes.count = kept;
}

world *world_create(const dloc_profile *profile, unsigned size) {
  static const char letters[] = {'f', 'g', '*'};
  world *w = memory_allocate(1, sizeof *w);
  w->profile = profile;
  w->size = size < WORLD_SIZE_LIMIT ? size : WORLD_SIZE_LIMIT;
  w->context = memory_context();
  w->other = memory_context();
  read_vector(w);
  world_renew(w);
  list_places(w, PRIMARY);
  list_places(w, LAYER);
  list_recipes(w);
  drop_invalid(w);
  for (size_t i = 0; i < COUNT(letters); i++)
    fill_pool(w, letters[i], &w->pools[i]);
  return w;
}

void world_destroy(world *w) {
  if (!w)
    return;
  vector_case_deinit(&w->built);
  dloc_context_destroy(w->context);
  dloc_context_destroy(w->other);
  value_arena_deinit(&w->arena);
  value_arena_deinit(&w->scratch);
  for (size_t i = 0; i < COUNT(w->pools); i++)
    free(w->pools[i].items);
  free(w->places[PRIMARY].items);
  free(w->places[LAYER].items);
  free(w->recipes.items);
  free(w);
}
