/* Laws: the small world and its sizes, shards, witnesses, and that laws can fail. */
#include "vector/complete.h"
#include "experiments/laws/laws.h"
#include "experiments/world/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static laws_settings settings_for(const dloc_profile *profile, unsigned scope) {
  return (laws_settings){.profile = profile, .scope = scope, .shards = 1};
}

static void only(laws_settings *settings, law l) {
  for (unsigned i = 0; i < LAW_COUNT; i++)
    settings->skip[i] = i != (unsigned)l;
}

static law_result try_law(const dloc_profile *profile, law l, unsigned scope) {
  law_result results[LAW_COUNT];
  laws_settings settings = settings_for(profile, scope);
  only(&settings, l);
  laws_run(&settings, results);
  return results[l];
}

static dloc_profile changed(const char *name, dloc_choice choice, unsigned alternative) {
  dloc_profile profile = *dloc_profile_find(dloc_text_of(name));
  profile.alternative[choice] = (uint8_t)alternative;
  return profile;
}

/* ---- The world ---- */

static unsigned pool_size(const world *w, char letter, unsigned size) {
  const world_pool *pool = world_pool_of(w, letter);
  return pool->start[size + 1] - pool->start[size];
}

/* Counted by hand from the tables of world.c. Stock LLVM 19: one empty; at line 1 of f; then one step away from it: 2
 * scopes of f and g, calls in f (f) and g (f), 2 flags, 3 positions. */
static void world_of_stock_llvm(void **state) {
  (void)state;
  world *w = NULL;
  w = world_create(dloc_profile_find(dloc_text_of("llvm-19")), 3);
  assert_int_equal(pool_size(w, '*', 0), 1);
  assert_int_equal(pool_size(w, '*', 1), 1);
  assert_int_equal(pool_size(w, '*', 2), 3 + 2 + 2 + 3);
  assert_int_equal(pool_size(w, 'f', 2), 2 + 1 + 2 + 3);
  assert_int_equal(pool_size(w, 'g', 2), 2);
  world_destroy(w);
}

/* With layers: beside the bare ones (and an atom more) the tuple of one layer, at line 1. */
static void world_with_layers(void **state) {
  (void)state;
  world *rfc = NULL, *pr = NULL;
  rfc = world_create(dloc_profile_find(dloc_text_of("rfc")), 2);
  assert_int_equal(pool_size(rfc, '*', 2), 3 + 2 + 3 + 3 + 1);
  world_destroy(rfc);
  /* PR 205453 accepts a tuple without layers and an operand that is no layer. */
  pr = world_create(dloc_profile_find(dloc_text_of("pr205453")), 2);
  assert_int_equal(pool_size(pr, '*', 2), 3 + 2 + 3 + 3 + 2 + 1);
  world_destroy(pr);
}

/* Kinds are repeated only where the profile allows it. */
static void world_of_valid_locations(void **state) {
  (void)state;
  const dloc_profile allows = changed("rfc", DLOC_CHOICE_SHAPE_REPEATED_KIND, DLOC_SHAPE_REPEATED_KIND_ACCEPT);
  world *rfc = NULL, *more = NULL;
  rfc = world_create(dloc_profile_at(0), 4);
  more = world_create(&allows, 4);
  assert_int_equal(pool_size(more, '*', 3), pool_size(rfc, '*', 3));
  assert_int_equal(pool_size(more, '*', 4), pool_size(rfc, '*', 4) + 1);
  world_destroy(rfc);
  world_destroy(more);
}

/* Each DebugLoc is another one, and valid where it is at home. */
static void world_has_no_duplicates(void **state) {
  (void)state;
  world *w = NULL;
  w = world_create(dloc_profile_at(0), 4);
  const world_pool *pool = world_pool_of(w, '*');
  uint32_t count = pool->start[5];
  uint8_t *seen = calloc(1 << 20, 1);
  assert_non_null(seen);
  for (uint32_t i = 0; i < count; i++) {
    dloc_node node = world_node(w, pool->items[i]);
    assert_true(node < 1 << 20);
    assert_int_equal(seen[node]++, 0);
    assert_true(world_valid(w, world_home(w, pool->items[i]), node));
  }
  free(seen);
  world_destroy(w);
}

/* ---- Inputs ---- */

/* Inputs of two DebugLocs: pairs whose sizes sum up to at most 4. */
static void inputs_are_all_pairs(void **state) {
  (void)state;
  const dloc_profile *profile = dloc_profile_find(dloc_text_of("llvm-22"));
  world *w = NULL;
  uint64_t pairs = 0;
  assert_int_equal(laws_scope_size(1), 4);
  w = world_create(profile, 4);
  for (unsigned a = 0; a <= 4; a++)
    for (unsigned b = 0; a + b <= 4; b++)
      pairs += (uint64_t)pool_size(w, 'f', a) * pool_size(w, 'f', b);
  world_destroy(w);
  assert_int_equal(try_law(profile, LAW_MERGE_CLOSURE, 1).tried, pairs);
}

static void shards_make_up_the_whole(void **state) {
  (void)state;
  law_result whole[LAW_COUNT], sum[LAW_COUNT], part[LAW_COUNT], parallel[LAW_COUNT];
  laws_settings settings = settings_for(dloc_profile_at(0), 1);
  laws_run(&settings, whole);
  laws_run_parallel(&settings, 3, parallel);
  for (unsigned i = 0; i < LAW_COUNT; i++)
    sum[i] = (law_result){.first = LAWS_NO_INPUT};
  settings.shards = 5;
  for (settings.shard = 0; settings.shard < settings.shards; settings.shard++) {
    laws_run_parallel(&settings, 1 + (unsigned)settings.shard % 2, part);
    laws_add(sum, part);
  }
  assert_memory_equal(whole, sum, sizeof whole);
  assert_memory_equal(whole, parallel, sizeof whole);
}

/* A larger scope begins with the inputs of a smaller one: the first that breaks a law is the same. */
static void first_is_a_smallest(void **state) {
  (void)state;
  law_result one = try_law(dloc_profile_at(0), LAW_MERGE_PRIMARY_EMPTY, 1);
  law_result two = try_law(dloc_profile_at(0), LAW_MERGE_PRIMARY_EMPTY, 2);
  assert_int_not_equal(one.first, LAWS_NO_INPUT);
  assert_int_equal(one.first, two.first);
  assert_true(two.broken > one.broken);
}

/* ---- Laws can fail ---- */

typedef struct breaker {
  law law;
  const char *profile;
  dloc_choice choice;
  unsigned alternative;
  unsigned scope;
} breaker;

/* A change of one choice breaks a law that holds without it. */
static const breaker breakers[] = {
#define BREAKS(law, profile, choice, alternative, scope)                                                               \
  { LAW_##law, profile, DLOC_CHOICE_##choice, DLOC_##choice##_##alternative, scope }
    BREAKS(MERGE_ZERO_COST, "rfc", MERGE_EMPTY, KEEP_OTHER, 1),
    BREAKS(MERGE_LAYER, "rfc", MERGE_LAYER_PAIRING, FIRST, 1),
    BREAKS(MERGE_KEPT, "rfc", MERGE_EMPTY, DROP, 1),
    BREAKS(MERGE_KEPT, "rfc", MERGE_LAYER_ONE_SIDED, DROP, 1),
    BREAKS(INLINE_LAYER, "rfc", INLINE_LAYERS, CHAIN, 2),
    BREAKS(MERGE_PRIMARY, "rfc", MERGE_DIVERGENT, EMPTY, 1),
    BREAKS(MERGE_FOLD, "rfc", MERGE_N_WAY, STOP_AT_EMPTY, 1),
    BREAKS(MERGE_COMMUTATIVE, "rfc", MERGE_PICK, ON, 1),
    BREAKS(MERGE_ABSORPTION, "llvm-19", MERGE_RULES, LLVM_22, 1),
    BREAKS(MERGE_ASSOCIATIVE, "llvm-19", MERGE_RULES, LLVM_22, 1),
    BREAKS(MERGE_ORDER, "llvm-19", MERGE_RULES, LLVM_22, 1),
    BREAKS(MERGE_NO_FABRICATION, "llvm-14", MERGE_RULES, LLVM_22, 1),
    BREAKS(MERGE_PRIMARY_EMPTY, "pr205453", MERGE_EMPTY, KEEP_COMPOSITE, 1),
    BREAKS(MERGE_ORDER_EMPTY, "pr205453", MERGE_EMPTY, KEEP_COMPOSITE, 1),
    BREAKS(MERGE_ASSOCIATIVE_EMPTY, "pr205453", MERGE_EMPTY, KEEP_COMPOSITE, 1),
    BREAKS(BITCODE_MERGE, "llvm-19", MERGE_RULES, LLVM_14, 1),
    BREAKS(INLINE_ZERO_COST, "rfc", INLINE_PSEUDO_PROBE, CALL, 1),
    BREAKS(INLINE_MERGE, "llvm-19", MERGE_RULES, LLVM_14, 2),
    BREAKS(BITCODE_ROUND_TRIP, "rfc", BITCODE_LAYERS, FIRST, 1),
    BREAKS(ACCESSOR_ROUND_TRIP, "rfc", EQUAL_IDENTITY, NODE, 1),
};

static void laws_can_fail(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof breakers / sizeof *breakers; i++) {
    const breaker *b = &breakers[i];
    const dloc_profile profile = changed(b->profile, b->choice, b->alternative);
    assert_int_equal(try_law(dloc_profile_find(dloc_text_of(b->profile)), b->law, b->scope).broken, 0);
    if (!try_law(&profile, b->law, b->scope).broken)
      fail_msg("%s=%s does not break %s", dloc_choice_name(b->choice), dloc_alternative_name(b->choice, b->alternative),
               law_name(b->law));
  }
}

/* ---- Tables ---- */

static void clauses_exist(void **state) {
  (void)state;
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    law found = LAW_COUNT;
    assert_true(law_find(dloc_text_of(law_name((law)i)), &found));
    assert_int_equal(found, i);
    for (const char *word = law_clauses((law)i); *word; word += strspn(word, " ")) {
      dloc_clause clause;
      size_t size = strcspn(word, " ");
      if (!dloc_clause_find((dloc_text){word, size}, &clause))
        fail_msg("%s names no clause: %.*s", law_name((law)i), (int)size, word);
      word += size;
    }
  }
  assert_false(law_find(dloc_text_of("merge"), &(law){LAW_COUNT}));
}

static void expectations_are_by_scope(void **state) {
  (void)state;
  assert_non_null(law_expected(LAW_MERGE_PRIMARY_EMPTY, "rfc", 1));
  assert_null(law_expected(LAW_MERGE_PRIMARY_EMPTY, "llvm-22", 3));
  assert_null(law_expected(LAW_MERGE_NO_FABRICATION_LAYER, "rfc", 1));
  assert_non_null(law_expected(LAW_MERGE_NO_FABRICATION_LAYER, "rfc", 3));
}

/* ---- Witnesses ---- */

static void witness_is_a_vector(void **state) {
  (void)state;
  law_told told = {{0}, {0}};
  const dloc_buffer *text = &told.witness;
  value_arena arena = {0};
  value *document = NULL;
  value_diagnostic diagnostic;
  vector v;
  laws_settings settings = settings_for(dloc_profile_at(0), 1);
  law_result found = try_law(settings.profile, LAW_MERGE_PRIMARY_EMPTY, 1);
  laws_show(&settings, LAW_MERGE_PRIMARY_EMPTY, found.first, &told);
  char *second = strstr(text->bytes, "---\n"); /* behind the primaries alone: the whole */
  assert_non_null(second);
  assert_null(strstr(second + 1, "---\n"));
  *second = '\0';
  assert_int_equal(value_read_one(dloc_text_of(text->bytes), &arena, &diagnostic, &document), DLOC_OK);
  assert_int_equal(vector_read(document, &arena, &diagnostic, &v), DLOC_OK);
  assert_int_equal(v.op, VECTOR_MERGE);
  assert_ptr_equal(v.since, dloc_profile_at(0));
  laws_show(&settings, LAW_MERGE_PRIMARY_EMPTY, UINT64_MAX, &told); /* there is no such input */
  assert_int_equal(text->size, 0);
  value_arena_deinit(&arena);
  dloc_buffer_deinit(&told.questions);
  dloc_buffer_deinit(&told.witness);
}

static void completing_bad_text(void **state) {
  (void)state;
  completer c = {.lists = NULL};
  dloc_buffer text = {0};
  value_diagnostic diagnostic = {.line = 0};
  completer_init(&c);
  assert_int_equal(complete_vector(&c, dloc_text_of("id: x\n"), &diagnostic, dloc_buffer_sink(&text)), DLOC_INVALID);
  assert_int_equal(complete_vector(&c, dloc_text_of("id: [\n"), &diagnostic, dloc_buffer_sink(&text)), DLOC_INVALID);
  assert_int_equal(text.size, 0);
  completer_deinit(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(world_of_stock_llvm),
      cmocka_unit_test(world_with_layers),
      cmocka_unit_test(world_of_valid_locations),
      cmocka_unit_test(world_has_no_duplicates),
      cmocka_unit_test(inputs_are_all_pairs),
      cmocka_unit_test(shards_make_up_the_whole),
      cmocka_unit_test(first_is_a_smallest),
      cmocka_unit_test(laws_can_fail),
      cmocka_unit_test(clauses_exist),
      cmocka_unit_test(expectations_are_by_scope),
      cmocka_unit_test(witness_is_a_vector),
      cmocka_unit_test(completing_bad_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
