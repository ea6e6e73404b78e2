/* Merging and inlining through the API: errors, limits, traces, allocation failures. What they compute is the vectors'
 * business. */
#include "allocation.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Two subprograms in one file, a block, a file to include, and layers. */
typedef struct world {
  dloc_context *context;
  dloc_node file, f, g, block, tile;
  dloc_status status; /* the first failure */
} world;

static void note(world *w, dloc_status status) {
  if (w->status == DLOC_OK)
    w->status = status;
}

static dloc_node text_field(world *w, const char *text) {
  dloc_node node = DLOC_NULL;
  note(w, dloc_string(w->context, dloc_text_of(text), &node));
  return node;
}

static dloc_node key(world *w, const char *text) {
  dloc_node node = DLOC_NULL;
  note(w, dloc_token(w->context, dloc_text_of(text), &node));
  return node;
}

static dloc_node make(world *w, const char *class_name, bool distinct, const dloc_field *fields, size_t count) {
  dloc_node node = DLOC_NULL;
  if (w->status == DLOC_OK)
    note(w, dloc_specialised(w->context, dloc_text_of(class_name), distinct, fields, count, NULL, &node));
  return node;
}

static dloc_node file_named(world *w, const char *name) {
  dloc_field fields[] = {{key(w, "filename"), text_field(w, name)}, {key(w, "directory"), text_field(w, ".")}};
  return make(w, "DIFile", false, fields, 2);
}

static dloc_node subprogram(world *w, const char *name) {
  dloc_field fields[] = {{key(w, "name"), text_field(w, name)},
                         {key(w, "file"), w->file},
                         {key(w, "spFlags"), key(w, "DISPFlagDefinition")}};
  return make(w, "DISubprogram", true, fields, 3);
}

static dloc_node block_in(world *w, dloc_node scope, dloc_node file) {
  dloc_field fields[] = {{key(w, "scope"), scope}, {key(w, "file"), file}, {key(w, "line"), key(w, "3")}};
  return make(w, "DILexicalBlock", true, fields, 3);
}

static dloc_node location(world *w, uint32_t line, dloc_node scope, dloc_node inlined_at) {
  dloc_location content = {.line = line, .column = 1, .scope = scope, .inlined_at = inlined_at};
  dloc_node node = DLOC_NULL;
  if (w->status == DLOC_OK)
    note(w, dloc_location_create(w->context, false, &content, &node));
  return node;
}

static dloc_node composite(world *w, dloc_node primary, const char *kind, dloc_node layer) {
  dloc_layer layers[] = {{text_field(w, kind), layer}};
  dloc_node node = DLOC_NULL;
  if (w->status == DLOC_OK)
    note(w, dloc_debug_loc_create(w->context, primary, layers, 1, &node));
  return node;
}

static world world_create(const dloc_allocator *allocator) {
  world w = {.context = dloc_context_create(allocator)};
  if (!w.context) {
    w.status = DLOC_NO_MEMORY;
    return w;
  }
  w.file = file_named(&w, "a.py");
  w.f = subprogram(&w, "f");
  w.g = subprogram(&w, "g");
  w.block = block_in(&w, w.f, w.file);
  w.tile = block_in(&w, w.f, file_named(&w, "k.tile"));
  return w;
}

static const dloc_profile *rfc(void) { return dloc_profile_find(dloc_text_of("rfc")); }

static dloc_node merge(world *w, const dloc_profile *profile, dloc_node a, dloc_node b) {
  dloc_node merged = DLOC_NULL;
  note(w, dloc_merge(w->context, profile, (dloc_node[]){a, b}, 2, NULL, NULL, &merged));
  return merged;
}

static dloc_reason refusal(world *w, dloc_node a, dloc_node b) {
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_node merged = 12345;
  assert_int_equal(dloc_merge(w->context, rfc(), (dloc_node[]){a, b}, 2, NULL, &reason, &merged), DLOC_INVALID);
  assert_int_equal(merged, 12345); /* untouched */
  return reason;
}

static void what_is_no_debug_loc_is_refused(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node good = location(&w, 1, w.f, DLOC_NULL);
  assert_int_equal(refusal(&w, w.f, good), DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  assert_int_equal(refusal(&w, good, text_field(&w, "x")), DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  assert_int_equal(refusal(&w, good, location(&w, 1, w.file, DLOC_NULL)), DLOC_REASON_OPERAND_BROKEN_SCOPE);
  assert_int_equal(refusal(&w, good, location(&w, 1, w.f, w.f)), DLOC_REASON_LOCATION_INLINED_AT);
  dloc_context_destroy(w.context);
}

/* A location whose chain of inlinedAt leads back to itself, and a block in itself. */
static void cycles_are_refused(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node good = location(&w, 1, w.f, DLOC_NULL), self = DLOC_NULL;
  assert_int_equal(dloc_forward(w.context, &self), DLOC_OK);
  dloc_node looped = location(&w, 2, w.f, self);
  assert_int_equal(dloc_define(w.context, self, looped), DLOC_OK);
  assert_int_equal(dloc_forward(w.context, &self), DLOC_OK);
  dloc_node block = block_in(&w, self, w.file);
  assert_int_equal(dloc_define(w.context, self, block), DLOC_OK);
  assert_int_equal(dloc_resolve(w.context, NULL), DLOC_OK);
  looped = dloc_canonical(w.context, looped);
  assert_int_equal(refusal(&w, good, looped), DLOC_REASON_LOCATION_INLINED_AT_CYCLE);
  assert_int_equal(refusal(&w, looped, good), DLOC_REASON_LOCATION_INLINED_AT_CYCLE);
  assert_int_equal(refusal(&w, location(&w, 1, block, DLOC_NULL), good), DLOC_REASON_OPERAND_BROKEN_SCOPE);
  dloc_buffer text = {0};
  assert_int_equal(dloc_debug_loc_print(w.context, dloc_profile_at(0), looped, dloc_buffer_sink(&text)), DLOC_INVALID);
  dloc_buffer_deinit(&text);
  dloc_context_destroy(w.context);
}

static void cyclic_scopes_are_refused_under_every_profile(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node self = DLOC_NULL;
  assert_int_equal(dloc_forward(w.context, &self), DLOC_OK);
  dloc_node block = block_in(&w, self, w.file);
  assert_int_equal(dloc_define(w.context, self, block), DLOC_OK);
  assert_int_equal(dloc_resolve(w.context, NULL), DLOC_OK);
  dloc_node locations[] = {location(&w, 1, block, DLOC_NULL), location(&w, 1, w.f, DLOC_NULL)};
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    dloc_node merged = DLOC_NULL;
    assert_int_equal(dloc_merge(w.context, dloc_profile_at(i), locations, 2, NULL, NULL, &merged), DLOC_INVALID);
  }
  dloc_context_destroy(w.context);
}

static void a_million_frames_deep(void **state) {
  (void)state;
  world w = world_create(NULL);
  enum { PROFILE_FRAMES = 100000 }; /* for each profile: a million of each would take seconds */
  dloc_node a = location(&w, 1, w.f, DLOC_NULL), b = location(&w, 2, w.f, DLOC_NULL), x = a, y = b;
  for (uint32_t i = 0; i < 1000000; i++) {
    a = location(&w, i, w.f, a);
    b = location(&w, i, w.f, b);
    x = i < PROFILE_FRAMES ? a : x;
    y = i < PROFILE_FRAMES ? b : y;
  }
  dloc_node merged = merge(&w, rfc(), a, b);
  assert_int_equal(w.status, DLOC_OK);
  size_t frames = 0;
  for (dloc_node n = merged; n; n = dloc_location_get(w.context, n).inlined_at)
    frames++;
  assert_int_equal(frames, 1000001);
  for (size_t i = 0; i < dloc_profile_count(); i++)
    assert_true(merge(&w, dloc_profile_at(i), x, y) != DLOC_NULL);
  assert_int_equal(w.status, DLOC_OK);
  dloc_context_destroy(w.context);
}

static void a_hundred_thousand_scopes_and_layers(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node scope = w.f, other = file_named(&w, "b.h");
  enum { MANY = 100000 };
  dloc_layer *layers = calloc(MANY, sizeof *layers);
  assert_non_null(layers);
  for (uint32_t i = 0; i < MANY; i++) {
    char kind[16];
    snprintf(kind, sizeof kind, "k%u", (unsigned)i);
    scope = block_in(&w, scope, i % 2 ? w.file : other);
    layers[i] = (dloc_layer){text_field(&w, kind), location(&w, i, w.f, DLOC_NULL)};
  }
  dloc_node a = DLOC_NULL, b = DLOC_NULL;
  note(&w, dloc_debug_loc_create(w.context, location(&w, 1, scope, DLOC_NULL), layers, MANY, &a));
  note(&w, dloc_debug_loc_create(w.context, location(&w, 1, w.block, DLOC_NULL), layers, MANY, &b));
  dloc_node merged = merge(&w, rfc(), a, b);
  assert_int_equal(w.status, DLOC_OK);
  assert_int_equal(dloc_layer_count(w.context, merged), MANY);
  free(layers);
  dloc_context_destroy(w.context);
}

typedef struct steps {
  size_t count;
  bool paired;
} steps;

/* What is known of scopes goes when nodes go: the handles of the next input are those of the last one. */
static void scopes_are_forgotten_with_the_nodes(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node inner = block_in(&w, w.tile, w.file);
  dloc_node merged = merge(&w, rfc(), location(&w, 1, inner, DLOC_NULL), location(&w, 2, w.tile, DLOC_NULL));
  assert_int_equal(dloc_location_get(w.context, merged).scope, w.tile);
  dloc_context_reset(w.context);
  w.file = file_named(&w, "a.py");
  w.f = subprogram(&w, "f");
  w.g = subprogram(&w, "g");
  w.block = block_in(&w, w.f, w.file);
  w.tile = block_in(&w, w.f, file_named(&w, "k.tile"));
  assert_int_equal(block_in(&w, w.f, w.file), inner);
  merged = merge(&w, rfc(), location(&w, 1, inner, DLOC_NULL), location(&w, 2, w.block, DLOC_NULL));
  assert_int_equal(dloc_location_get(w.context, merged).scope, w.f);
  assert_int_equal(w.status, DLOC_OK);
  dloc_context_destroy(w.context);
}

static void count_step(void *user, dloc_clause clause, const char *decision) {
  steps *s = user;
  s->count++;
  s->paired |= clause == DLOC_CLAUSE_MERGE_LAYER_PAIR_BY_KIND && strstr(decision, "TileIR");
}

static void trace_names_the_clauses(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node a = composite(&w, location(&w, 1, w.f, DLOC_NULL), "TileIR", location(&w, 7, w.tile, DLOC_NULL));
  dloc_node b = composite(&w, location(&w, 2, w.f, DLOC_NULL), "TileIR", location(&w, 8, w.tile, DLOC_NULL));
  steps s = {0};
  dloc_trace trace = {count_step, &s};
  dloc_node merged = DLOC_NULL;
  assert_int_equal(dloc_merge(w.context, rfc(), (dloc_node[]){a, b}, 2, &trace, NULL, &merged), DLOC_OK);
  assert_true(s.paired);
  assert_true(s.count > 4);
  dloc_context_destroy(w.context);
}

static void stock_profiles_refuse_composites(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node bare = location(&w, 1, w.f, DLOC_NULL);
  dloc_node a = composite(&w, bare, "TileIR", location(&w, 7, w.tile, DLOC_NULL));
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_node merged = DLOC_NULL;
  const dloc_profile *stock = dloc_profile_find(dloc_text_of("llvm-22"));
  assert_int_equal(dloc_merge(w.context, stock, (dloc_node[]){bare, a}, 2, NULL, &reason, &merged), DLOC_INVALID);
  assert_int_equal(reason, DLOC_REASON_SHAPE_TUPLE_REJECTED);
  dloc_context_destroy(w.context);
}

static void inlining_a_cyclic_chain_is_refused(void **state) {
  (void)state;
  world w = world_create(NULL);
  dloc_node self = DLOC_NULL, inlined = DLOC_NULL;
  assert_int_equal(dloc_forward(w.context, &self), DLOC_OK);
  dloc_node looped = location(&w, 2, w.g, self);
  assert_int_equal(dloc_define(w.context, self, looped), DLOC_OK);
  assert_int_equal(dloc_resolve(w.context, NULL), DLOC_OK);
  dloc_call_site site = {.debug_loc = location(&w, 1, w.f, DLOC_NULL), .callee_has_subprogram = true};
  dloc_inliner *inliner = NULL;
  assert_int_equal(dloc_inliner_create(w.context, rfc(), &site, NULL, &inliner), DLOC_OK);
  assert_int_equal(dloc_inline_instruction(inliner, DLOC_INSTRUCTION_PLAIN, looped, &inlined), DLOC_INVALID);
  assert_int_equal(dloc_inline_instruction(inliner, DLOC_INSTRUCTION_PLAIN, w.f, &inlined), DLOC_INVALID);
  dloc_inliner_destroy(inliner);
  dloc_context_destroy(w.context);
}

/* Merges of every kind, under every profile, with an allocator that fails. */
static dloc_status merge_something(const dloc_allocator *allocator) {
  world w = world_create(allocator);
  if (!w.context)
    return DLOC_NO_MEMORY;
  dloc_node call = location(&w, 9, w.f, DLOC_NULL);
  dloc_node a = composite(&w, location(&w, 1, w.g, call), "TileIR", location(&w, 7, w.tile, DLOC_NULL));
  dloc_node b = composite(&w, location(&w, 2, w.block, DLOC_NULL), "MLIR", location(&w, 8, w.tile, DLOC_NULL));
  dloc_node c = composite(&w, location(&w, 2, w.tile, DLOC_NULL), "TileIR", location(&w, 8, w.block, DLOC_NULL));
  for (size_t i = 0; i < 2 && w.status == DLOC_OK; i++) {
    (void)merge(&w, dloc_profile_at(i), a, b);
    (void)merge(&w, dloc_profile_at(i), a, c);
    (void)merge(&w, dloc_profile_at(i), b, c);
  }
  (void)merge(&w, dloc_profile_find(dloc_text_of("llvm-14")), call, location(&w, 1, w.g, call));
  dloc_call_site site = {.debug_loc = b, .callee_has_subprogram = true};
  dloc_inliner *inliner = NULL;
  dloc_node inlined = DLOC_NULL;
  if (w.status == DLOC_OK)
    note(&w, dloc_inliner_create(w.context, dloc_profile_find(dloc_text_of("pr205453")), &site, NULL, &inliner));
  if (w.status == DLOC_OK)
    note(&w, dloc_inline_instruction(inliner, DLOC_INSTRUCTION_PLAIN, a, &inlined));
  dloc_node loop = DLOC_NULL;
  if (w.status == DLOC_OK)
    note(&w, dloc_tuple(w.context, true, (dloc_node[]){DLOC_NULL, call, a}, 3, &loop));
  if (w.status == DLOC_OK)
    note(&w, dloc_inline_loop(inliner, loop, &inlined));
  dloc_inliner_destroy(inliner);
  dloc_context_destroy(w.context);
  return w.status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  fail_every_allocation(merge_something);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_debug_loc_is_refused),
      cmocka_unit_test(cycles_are_refused),
      cmocka_unit_test(cyclic_scopes_are_refused_under_every_profile),
      cmocka_unit_test(a_million_frames_deep),
      cmocka_unit_test(a_hundred_thousand_scopes_and_layers),
      cmocka_unit_test(scopes_are_forgotten_with_the_nodes),
      cmocka_unit_test(trace_names_the_clauses),
      cmocka_unit_test(stock_profiles_refuse_composites),
      cmocka_unit_test(inlining_a_cyclic_chain_is_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
