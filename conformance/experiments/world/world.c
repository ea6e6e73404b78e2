/* world.c - building the small world: its module, and the DebugLocs over it. The tables below are all there is in it.
 */
#include "world.h"

#include "document/memory.h"

#include "try.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The module ---- */

/* Lines of scopes are 7, 8 and 9, those of calls 3 and 4, those of locations 0, 1 and 2: a line tells where it came
 * from. The first %s stands where key instructions are asked for, the second where a DIIntermediateScope is defined;
 * not every profile can read them. */
static const char module_text[] =
    "define void @f() !dbg !10 {\n  ret void\n}\n"
    "define void @g() !dbg !11 {\n  ret void\n}\n"
    "define void @no_subprogram() {\n  ret void\n}\n"
    "!llvm.dbg.cu = !{!1}\n!llvm.module.flags = !{!0}\n!" DLOC_SOURCE_LIST " = !{!6, !7}\n"
    "!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)\n"
    "!2 = !DIFile(filename: \"a.c\", directory: \"src\")\n"
    "!3 = !DIFile(filename: \"b.c\", directory: \"src\")\n"
    "!4 = !DIFile(filename: \"k.tile\", directory: \".\")\n"
    "!5 = !DIFile(filename: \"m.tile\", directory: \".\")\n"
    "!6 = !{!\"TileIR\", !4, !\"k\"}\n"
    "!7 = !{!\"TileIR\", !5, !\"m\"}\n"
    "!10 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 7, spFlags: DISPFlagDefinition, unit: !1%s)\n"
    "!11 = distinct !DISubprogram(name: \"g\", scope: !2, file: !2, line: 8, spFlags: DISPFlagDefinition, unit: !1%s)\n"
    "!12 = distinct !DILexicalBlock(scope: !10, file: !2, line: 9, column: 3)\n"
    "!13 = !DILexicalBlockFile(scope: !10, file: !3, discriminator: 0)\n"
    "!14 = !DILexicalBlockFile(scope: !10, file: !3, discriminator: 2)\n"
    "!15 = distinct !DILexicalBlock(scope: !10, line: 9)\n"
    "!16 = distinct !DILexicalBlock(scope: !13, file: !3, line: 9, column: 3)\n"
    "!17 = !DILexicalBlockFile(scope: !12, file: !2, discriminator: 2)\n"
    "!18 = distinct !DILexicalBlock(scope: !11, file: !2, line: 9, column: 3)\n"
    "!20 = !DILexicalBlockFile(scope: !10, file: !4, discriminator: 0)\n"
    "!21 = !DILexicalBlockFile(scope: !10, file: !5, discriminator: 0)\n"
    "!22 = distinct !DILexicalBlockFile(scope: !10, file: !4, discriminator: 0)\n"
    "!23 = !DILexicalBlockFile(scope: !11, file: !4, discriminator: 0)\n"
    "!30 = distinct !DILocation(line: 3, scope: !10)\n"
    "!31 = distinct !DILocation(line: 3, scope: !10)\n"
    "!32 = distinct !DILocation(line: 4, scope: !12)\n"
    "!33 = distinct !DILocation(line: 3, scope: !11, inlinedAt: !30)\n"
    "!34 = distinct !DILocation(line: 4, scope: !11)\n"
    "%s";
static const char intermediate_text[] = "!24 = !DIIntermediateScope(scope: !10, file: !4)\n";

typedef struct node_row {
  uint8_t number;
  const char *name;
} node_row;

static const node_row node_names[] = {
    {1, "unit"},      {2, "a-file"},          {3, "b-file"},      {4, "tile-file"},   {5, "other-tile-file"},
    {6, "entry"},     {7, "other-entry"},     {10, "f"},          {11, "g"},          {12, "block"},
    {13, "included"}, {14, "included-again"}, {15, "fileless"},   {16, "nested"},     {17, "discriminated"},
    {18, "g-block"},  {20, "tile"},           {21, "other-tile"}, {22, "tile-again"}, {23, "g-tile"},
    {24, "between"},  {30, "call"},           {31, "call-again"}, {32, "block-call"}, {33, "inner-call"},
    {34, "g-call"}};

enum { INTERMEDIATE_SCOPE = 24, NODE_NUMBERS = 35 };

/* ---- What DebugLocs are made of ---- */

enum { NEVER = 255, PRIMARY = 0, LAYER = 1 };

/* A scope or an inlinedAt, by its number in the module's text, the function it belongs to, and its cost in a primary
 * and in a layer. Frame 0: none, the location belongs to the function of its scope. */
typedef struct block {
  uint8_t number;
  uint8_t home;
  uint8_t cost[2];
} block;

static const block scopes[] = {{10, WORLD_F, {0, 1}},     {12, WORLD_F, {1, NEVER}}, {13, WORLD_F, {1, NEVER}},
                               {11, WORLD_G, {1, NEVER}}, {14, WORLD_F, {2, NEVER}}, {15, WORLD_F, {2, NEVER}},
                               {16, WORLD_F, {2, NEVER}}, {17, WORLD_F, {2, NEVER}}, {18, WORLD_G, {2, NEVER}},
                               {20, WORLD_F, {NEVER, 0}}, {21, WORLD_F, {NEVER, 1}}, {22, WORLD_F, {NEVER, 1}},
                               {23, WORLD_G, {NEVER, 1}}, {24, WORLD_F, {NEVER, 2}}};
static const block frames[] = {{0, WORLD_F, {0, 0}},      {30, WORLD_F, {1, 2}},     {34, WORLD_G, {1, NEVER}},
                               {31, WORLD_F, {2, NEVER}}, {32, WORLD_F, {2, NEVER}}, {33, WORLD_F, {2, NEVER}}};

typedef struct flag {
  bool distinct;
  bool implicit;
  uint8_t group;
  uint8_t rank;
  uint8_t cost[2];
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

typedef struct shape {
  part parts[2];
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
  uint8_t scope;
  uint8_t frame;
  uint8_t flag;
  uint8_t position;
  uint8_t size;
} place;

enum { BARE = 254, EMPTY = 255 };

/* A DebugLoc, by the places it is made of. */
typedef struct recipe {
  uint32_t primary;
  uint32_t layers[2];
  uint8_t shape; /* of the tuple; BARE or EMPTY */
  bool distinct;
  uint8_t size;
} recipe;

typedef struct recipes {
  recipe *items;
  size_t count;
} recipes;

/* What is known in the context as it is now, by handle. */
enum { UNKNOWN, VALID, INVALID };
enum { CONTEXT_NODES = 1 << 13 /* by which the context may grow before it is emptied */ };

struct world {
  const dloc_profile *profile;
  unsigned size;
  char text[sizeof module_text + sizeof intermediate_text + 64];
  dloc_context *context;
  dloc_module *module;
  dloc_context *other; /* for world_reread */
  uint32_t base;       /* nodes of the module alone */
  dloc_node numbered[NODE_NUMBERS];
  place *places[2]; /* primaries, layers */
  uint32_t place_counts[2];
  dloc_node *place_nodes[2]; /* DLOC_NULL: not made yet */
  recipes recipes;
  dloc_node *nodes;  /* by recipe; DLOC_NULL: not made yet, or empty */
  uint8_t *verdicts; /* three for each handle, one for each world_function */
  size_t verdict_capacity;
  world_pool pools[3]; /* f, g, * */
};

/* ---- Places ---- */

static bool knows_atoms(const world *w) { return DLOC_TAKES(w->profile, METADATA_ATOMS, KNOWN); }

static bool knows_intermediate_scope(const world *w) {
  return DLOC_TAKES(w->profile, METADATA_INTERMEDIATE_SCOPE, KNOWN);
}

/* What the profile cannot read does not exist in its world. */
static bool is_readable(const world *w, size_t s, size_t fl) {
  return (knows_atoms(w) || !flags[fl].group) &&
         (knows_intermediate_scope(w) || scopes[s].number != INTERMEDIATE_SCOPE);
}

static bool cost_of(unsigned channel, size_t s, size_t fr, size_t fl, size_t p, uint8_t *ret) {
  uint8_t scope = scopes[s].cost[channel], frame = frames[fr].cost[channel], flag = flags[fl].cost[channel];
  *ret = (uint8_t)(1 + scope + frame + flag + positions[p].cost);
  return scope != NEVER && frame != NEVER && flag != NEVER;
}

static void list_places(world *w, unsigned channel) {
  place *places = w->places[channel];
  uint32_t count = 0;
  for (size_t s = 0; s < COUNT(scopes); s++)
    for (size_t fr = 0; fr < COUNT(frames); fr++)
      for (size_t fl = 0; fl < COUNT(flags); fl++)
        for (size_t p = 0; p < COUNT(positions); p++) {
          place at = {(uint8_t)s, (uint8_t)fr, (uint8_t)fl, (uint8_t)p, 0};
          if (cost_of(channel, s, fr, fl, p, &at.size) && at.size <= w->size && is_readable(w, s, fl))
            places[count++] = at;
        }
  w->place_counts[channel] = count;
}

static dloc_status place_node(world *w, unsigned channel, uint32_t index, dloc_node *ret) {
  dloc_node *made = &w->place_nodes[channel][index];
  const place *at = &w->places[channel][index];
  const flag *f = &flags[at->flag];
  dloc_location content = {.line = positions[at->position].line,
                           .column = positions[at->position].column,
                           .scope = w->numbered[scopes[at->scope].number],
                           .inlined_at = frames[at->frame].number ? w->numbered[frames[at->frame].number] : DLOC_NULL,
                           .implicit = f->implicit,
                           .atom_group = f->group,
                           .atom_rank = f->rank};
  if (!*made)
    TRY(dloc_location_create(w->context, f->distinct, &content, made));
  *ret = *made;
  return DLOC_OK;
}

/* ---- DebugLocs ---- */

static void add_recipe(world *w, recipe r) {
  if (r.size <= w->size)
    *MEMORY_ADD(w->recipes.items, w->recipes.count) = r;
}

static bool is_layer(part p) { return p == TILE || p == MLIR; }

/* The tuples of one shape with that primary: every choice of layers. */
static void add_tuples(world *w, recipe r) {
  const shape *s = &shapes[r.shape];
  uint32_t first_count = is_layer(s->parts[0]) ? w->place_counts[LAYER] : 1;
  uint32_t second_count = is_layer(s->parts[1]) ? w->place_counts[LAYER] : 1;
  unsigned size = w->places[PRIMARY][r.primary].size + s->cost + r.distinct;
  for (r.layers[0] = 0; r.layers[0] < first_count; r.layers[0]++) {
    unsigned first = is_layer(s->parts[0]) ? w->places[LAYER][r.layers[0]].size : 0;
    if (size + first > w->size)
      continue;
    for (r.layers[1] = 0; r.layers[1] < second_count; r.layers[1]++) {
      unsigned second = is_layer(s->parts[1]) ? w->places[LAYER][r.layers[1]].size : 0;
      unsigned sum = size + first + second;
      r.size = (uint8_t)(sum < NEVER ? sum : NEVER);
      add_recipe(w, r);
    }
  }
}

static void list_recipes(world *w) {
  add_recipe(w, (recipe){.shape = EMPTY});
  for (uint32_t p = 0; p < w->place_counts[PRIMARY]; p++) {
    add_recipe(w, (recipe){.primary = p, .shape = BARE, .size = w->places[PRIMARY][p].size});
    for (size_t s = 0; s < COUNT(shapes); s++)
      for (int distinct = 0; distinct < 2; distinct++)
        add_tuples(w, (recipe){.primary = p, .shape = (uint8_t)s, .distinct = distinct});
  }
}

static dloc_status part_node(world *w, part p, uint32_t layer, dloc_node *ret) {
  dloc_node pair[2] = {DLOC_NULL, DLOC_NULL};
  if (p == ODD)
    return dloc_string(w->context, dloc_text_of("odd"), ret);
  TRY(dloc_string(w->context, dloc_text_of(p == TILE ? "TileIR" : "MLIR"), &pair[0]));
  TRY(place_node(w, LAYER, layer, &pair[1]));
  return dloc_tuple(w->context, false, pair, 2, ret);
}

static dloc_status make_node(world *w, const recipe *r, dloc_node *ret) {
  dloc_node operands[3] = {DLOC_NULL, DLOC_NULL, DLOC_NULL};
  size_t count = 1;
  if (r->shape == EMPTY)
    return DLOC_OK;
  TRY(place_node(w, PRIMARY, r->primary, &operands[0]));
  if (r->shape == BARE) {
    *ret = operands[0];
    return DLOC_OK;
  }
  for (size_t i = 0; i < 2; i++)
    if (shapes[r->shape].parts[i] != NOTHING)
      TRY(part_node(w, shapes[r->shape].parts[i], r->layers[i], &operands[count++]));
  return dloc_tuple(w->context, r->distinct, operands, count, ret);
}

dloc_status world_node(world *w, uint32_t debug_loc, dloc_node *ret) {
  if (!w->nodes[debug_loc])
    TRY(make_node(w, &w->recipes.items[debug_loc], &w->nodes[debug_loc]));
  *ret = w->nodes[debug_loc];
  return DLOC_OK;
}

static world_function home_of(const world *w, const recipe *r) {
  if (r->shape == EMPTY)
    return WORLD_F;
  const place *at = &w->places[PRIMARY][r->primary];
  return (world_function)(frames[at->frame].number ? frames[at->frame].home : scopes[at->scope].home);
}

world_function world_home(const world *w, uint32_t debug_loc) { return home_of(w, &w->recipes.items[debug_loc]); }
bool world_is_empty(const world *w, uint32_t debug_loc) { return w->recipes.items[debug_loc].shape == EMPTY; }

/* ---- The context ---- */

/* `merge.atoms.counter`: locations are made when they are asked for, and no fresh group may be one of theirs. */
static dloc_status take_atom_groups(world *w) {
  dloc_node node = DLOC_NULL;
  const dloc_location content = {.line = 1, .scope = w->numbered[10], .atom_group = WORLD_FRESH_GROUP - 1};
  return knows_atoms(w) ? dloc_location_create(w->context, false, &content, &node) : DLOC_OK;
}

static dloc_status read_module(world *w) {
  dloc_diagnostic diagnostic;
  dloc_module_destroy(w->module);
  w->module = NULL;
  dloc_context_reset(w->context);
  TRY(dloc_read_ll(w->context, dloc_text_of(w->text), &diagnostic, &w->module));
  for (unsigned i = 0; i < NODE_NUMBERS; i++)
    w->numbered[i] = dloc_module_numbered(w->module, i);
  w->base = dloc_node_limit(w->context);
  for (unsigned channel = 0; channel < 2; channel++)
    memset(w->place_nodes[channel], 0, w->place_counts[channel] * sizeof *w->place_nodes[channel]);
  if (w->nodes)
    memset(w->nodes, 0, w->recipes.count * sizeof *w->nodes);
  if (w->verdicts)
    memset(w->verdicts, UNKNOWN, w->verdict_capacity);
  return take_atom_groups(w);
}

dloc_status world_tidy(world *w) {
  return dloc_node_limit(w->context) - w->base > CONTEXT_NODES ? read_module(w) : DLOC_OK;
}

dloc_context *world_context(const world *w) { return w->context; }

const char *world_name(const world *w, dloc_node node) {
  for (size_t i = 0; node && i < COUNT(node_names); i++)
    if (w->numbered[node_names[i].number] == node)
      return node_names[i].name;
  return NULL;
}

dloc_node world_named(const world *w, const char *name) {
  for (size_t i = 0; i < COUNT(node_names); i++)
    if (strcmp(node_names[i].name, name) == 0)
      return w->numbered[node_names[i].number];
  return DLOC_NULL;
}

dloc_node world_subprogram(const world *w, world_function function) {
  static const uint8_t numbers[] = {[WORLD_F] = 10, [WORLD_G] = 11};
  return function == WORLD_NO_SUBPROGRAM ? DLOC_NULL : w->numbered[numbers[function]];
}

/* ---- Validity ---- */

static void make_room_for_verdicts(world *w) {
  size_t needed = 3 * (size_t)dloc_node_limit(w->context);
  if (needed <= w->verdict_capacity)
    return;
  w->verdicts = memory_resize(w->verdicts, 2 * needed, sizeof *w->verdicts);
  memset(w->verdicts + w->verdict_capacity, UNKNOWN, 2 * needed - w->verdict_capacity);
  w->verdict_capacity = 2 * needed;
}

static bool go_on(void *user, const dloc_violation *violation) {
  (void)user;
  (void)violation;
  return true;
}

static dloc_status verify(world *w, world_function function, dloc_node debug_loc, bool *ret) {
  dloc_verdict verdict = {0, 0};
  TRY(dloc_module_set_debug_loc(w->module, function, debug_loc));
  dloc_status status = dloc_verify(w->module, w->profile, go_on, NULL, &verdict);
  TRY(dloc_module_set_debug_loc(w->module, function, DLOC_NULL));
  *ret = verdict.soft == 0 && verdict.hard == 0;
  return status;
}

dloc_status world_valid(world *w, world_function function, dloc_node debug_loc, bool *ret) {
  make_room_for_verdicts(w);
  uint8_t *known = &w->verdicts[3 * (size_t)debug_loc + function];
  if (*known == UNKNOWN) {
    bool valid = false;
    TRY(verify(w, function, debug_loc, &valid));
    *known = valid ? VALID : INVALID;
  }
  *ret = *known == VALID;
  return DLOC_OK;
}

dloc_status world_reread(world *w, dloc_node debug_loc, dloc_buffer *ret) {
  dloc_buffer text = {0};
  dloc_module *module = NULL;
  dloc_diagnostic diagnostic;
  dloc_context_reset(w->other);
  dloc_status status = dloc_module_set_debug_loc(w->module, WORLD_NO_SUBPROGRAM, debug_loc);
  if (status == DLOC_OK)
    status = dloc_write_ll(w->module, dloc_buffer_sink(&text));
  (void)dloc_module_set_debug_loc(w->module, WORLD_NO_SUBPROGRAM, DLOC_NULL);
  if (status == DLOC_OK)
    status = dloc_read_ll(w->other, (dloc_text){text.bytes, text.size}, &diagnostic, &module);
  if (status == DLOC_OK) {
    dloc_node again = dloc_module_instruction(module, WORLD_NO_SUBPROGRAM)->debug_loc;
    status = dloc_print_graph(w->other, "!dbg", &again, 1, dloc_buffer_sink(ret));
  }
  dloc_module_destroy(module);
  dloc_buffer_deinit(&text);
  return status;
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
static dloc_status drop_invalid(world *w) {
  size_t kept = 0;
  for (size_t i = 0; i < w->recipes.count; i++) {
    const recipe *r = &w->recipes.items[i];
    dloc_node node = DLOC_NULL;
    bool valid = false;
    TRY(world_tidy(w));
    TRY(make_node(w, r, &node));
    TRY(world_valid(w, home_of(w, r), node, &valid));
    if (valid)
      w->recipes.items[kept++] = *r;
  }
  w->recipes.count = kept;
  return DLOC_OK;
}

static dloc_status populate(world *w) {
  for (unsigned channel = 0; channel < 2; channel++) {
    size_t most = COUNT(scopes) * COUNT(frames) * COUNT(flags) * COUNT(positions);
    w->places[channel] = memory_allocate(most, sizeof *w->places[channel]);
    w->place_nodes[channel] = memory_allocate(most, sizeof *w->place_nodes[channel]);
    list_places(w, channel);
  }
  TRY(read_module(w));
  list_recipes(w);
  TRY(drop_invalid(w));
  w->nodes = memory_allocate(w->recipes.count, sizeof *w->nodes);
  fill_pool(w, 'f', &w->pools[0]);
  fill_pool(w, 'g', &w->pools[1]);
  fill_pool(w, '*', &w->pools[2]);
  return DLOC_OK;
}

dloc_status world_create(const dloc_profile *profile, unsigned size, world **ret) {
  world *w = memory_allocate(1, sizeof *w);
  w->profile = profile;
  w->size = size < WORLD_SIZE_LIMIT ? size : WORLD_SIZE_LIMIT;
  const char *key = knows_atoms(w) ? ", keyInstructions: true" : "";
  snprintf(w->text, sizeof w->text, module_text, key, key, knows_intermediate_scope(w) ? intermediate_text : "");
  w->context = memory_context();
  w->other = memory_context();
  dloc_status status = populate(w);
  if (status == DLOC_OK)
    *ret = w;
  else
    world_destroy(w);
  return status;
}

void world_destroy(world *w) {
  if (!w)
    return;
  dloc_module_destroy(w->module);
  dloc_context_destroy(w->context);
  dloc_context_destroy(w->other);
  for (unsigned channel = 0; channel < 2; channel++) {
    free(w->places[channel]);
    free(w->place_nodes[channel]);
  }
  for (size_t i = 0; i < COUNT(w->pools); i++)
    free(w->pools[i].items);
  free(w->recipes.items);
  free(w->nodes);
  free(w->verdicts);
  free(w);
}
