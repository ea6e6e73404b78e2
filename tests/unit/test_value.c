/* Documents: what is read, what is rejected and where, what is written. */
#include "document/value.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static value_arena arena;

static int set_up(void **state) {
  (void)state;
  arena = (value_arena){0};
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  value_arena_deinit(&arena);
  return 0;
}

static const value *read_text(const char *text) {
  value *v = NULL;
  value_diagnostic diagnostic = {.line = 0};
  dloc_status status = value_read_one(dloc_text_of(text), &arena, &diagnostic, &v);
  if (status != DLOC_OK)
    print_error("%s\n%u:%u: %s\n", text, diagnostic.line, diagnostic.column, diagnostic.message);
  assert_int_equal(status, DLOC_OK);
  return v;
}

static const char *json(const value *v) {
  static dloc_buffer buffer;
  buffer.size = 0;
  assert_int_equal(value_write_json(v, dloc_buffer_sink(&buffer)), DLOC_OK);
  const char *copy = value_arena_copy(&arena, (dloc_text){buffer.bytes, buffer.size}).bytes;
  dloc_buffer_deinit(&buffer);
  return copy;
}

static bool nodes_in_block(dloc_text key) { return dloc_text_equal(key, dloc_text_of("nodes")); }

static const char *yaml(const value *v) {
  dloc_buffer buffer = {0};
  assert_int_equal(value_write_yaml(v, nodes_in_block, dloc_buffer_sink(&buffer)), DLOC_OK);
  const char *copy = value_arena_copy(&arena, (dloc_text){buffer.bytes, buffer.size}).bytes;
  dloc_buffer_deinit(&buffer);
  return copy;
}

/* ---- Reading ---- */

static void reads_maps_lists_and_scalars(void **state) {
  (void)state;
  const value *v = read_text("a: {b: [1, \"null\", null]}\nc: |\n  two\n  lines\n");
  assert_int_equal(v->kind, VALUE_MAP);
  const value *list = value_get(value_get(v, "a"), "b");
  assert_int_equal(list->kind, VALUE_LIST);
  assert_int_equal(list->count, 3);
  assert_int_equal(list->line, 1);
  assert_int_equal(list->column, 8);
  assert_true(value_is(&list->of.items[0], "1"));
  assert_false(value_is_null(&list->of.items[1]));
  assert_true(value_is_null(&list->of.items[2]));
  assert_true(value_is(value_get(v, "c"), "two\nlines\n"));
  assert_null(value_get(v, "d"));
  assert_null(value_get(list, "a"));
}

static void reads_numbers_and_flags(void **state) {
  (void)state;
  const value *v =
      read_text("[0, 255, 256, 01, -1, 18446744073709551615, 18446744073709551616, x, true, \"true\", \"\"]");
  uint64_t number = 7;
  bool flag = false;
  const value *items = v->of.items;
  assert_true(value_unsigned(&items[0], 255, &number) && number == 0);
  assert_true(value_unsigned(&items[1], 255, &number) && number == 255);
  assert_false(value_unsigned(&items[2], 255, &number));
  assert_false(value_unsigned(&items[3], 255, &number));
  assert_false(value_unsigned(&items[4], 255, &number));
  assert_true(value_unsigned(&items[5], UINT64_MAX, &number) && number == UINT64_MAX);
  assert_false(value_unsigned(&items[6], UINT64_MAX, &number));
  assert_false(value_unsigned(&items[7], UINT64_MAX, &number));
  assert_false(value_unsigned(&items[10], UINT64_MAX, &number));
  assert_false(value_unsigned(&items[1], 3, &number));
  assert_true(value_boolean(&items[8], &flag) && flag);
  assert_false(value_boolean(&items[9], &flag));
}

static void reads_a_stream_of_documents(void **state) {
  (void)state;
  value *v = NULL;
  value_diagnostic diagnostic;
  value_reader *reader = value_reader_create(dloc_text_of("a: 1\n---\n# comment\nb: 2\n...\n---\n[]\n"), 0);
  const char *expected[] = {"{\"a\":1}", "{\"b\":2}", "[]"};
  for (size_t i = 0; i < 3; i++) {
    assert_int_equal(value_read(reader, &arena, &diagnostic, &v), DLOC_OK);
    assert_string_equal(json(v), expected[i]);
  }
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(value_read(reader, &arena, &diagnostic, &v), DLOC_OK);
    assert_null(v);
  }
  value_reader_destroy(reader);
}

typedef struct rejected {
  const char *text;
  uint32_t line;
  uint32_t column;
  const char *code;
} rejected;

static void rejects_with_place_and_code(void **state) {
  static const rejected cases[] = {
      {"a: &x 1\n", 1, 4, "yaml.anchor"},
      {"a: *x\n", 1, 4, "yaml.anchor"},
      {"a: !!str 1\n", 1, 4, "yaml.tag"},
      {"a: !t {}\n", 1, 4, "yaml.tag"},
      {"<<: {a: 1}\n", 1, 1, "yaml.merge"},
      {"a: 1\nb: {c: 1, c: 2}\n", 2, 11, "yaml.repeated-key"},
      {"a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\ni: 9\na: 10\n", 10, 1, "yaml.repeated-key"},
      {"{a: 1, [b]: 2}\n", 1, 8, "yaml.key"},
      {"a:\nb: 1\n", 1, 3, "yaml.empty"},
      {"a: ~\n", 1, 4, "yaml.empty"},
      {"%YAML 1.1\n---\na: 1\n", 1, 1, "yaml.directive"},
      {"a: 'x\n", 2, 1, "yaml.syntax"},
      {"a: [1\nb: 2\n", 2, 2, "yaml.syntax"},
      {"", 1, 1, "yaml.syntax"},
      {"a: 1\n---\nb: 2\n", 3, 1, "yaml.syntax"},
      {"a: \xc3\xa4\xff\n", 1, 5, "yaml.encoding"},
      {"a: \xc0\x80\n", 1, 4, "yaml.encoding"},
      {"a: \xed\xa0\x80\n", 1, 4, "yaml.encoding"},
      {"a: \xf4\x90\x80\x80\n", 1, 4, "yaml.encoding"},
      {"a: \xe2\x82", 1, 4, "yaml.encoding"},
      {"a: 1\r\nb: 2\n", 1, 5, "yaml.encoding"},
      {"a: \x01\n", 1, 4, "yaml.encoding"},
      {"\xef\xbb\xbf"
       "a: 1\n",
       1, 1, "yaml.encoding"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    value *v = NULL;
    value_diagnostic diagnostic = {.line = 0};
    dloc_status status = value_read_one(dloc_text_of(cases[i].text), &arena, &diagnostic, &v);
    if (status != DLOC_INVALID || strcmp(diagnostic.code, cases[i].code) != 0 || diagnostic.line != cases[i].line ||
        diagnostic.column != cases[i].column)
      print_error("case %zu: %u:%u: %s [%s]\n", i, diagnostic.line, diagnostic.column, diagnostic.message,
                  diagnostic.code ? diagnostic.code : "");
    assert_int_equal(status, DLOC_INVALID);
    assert_string_equal(diagnostic.code, cases[i].code);
    assert_int_equal(diagnostic.line, cases[i].line);
    assert_int_equal(diagnostic.column, cases[i].column);
  }
}

static void rejects_nul_bytes(void **state) {
  (void)state;
  static const char text[] = "a: 1\0\n";
  value *v = NULL;
  value_diagnostic diagnostic;
  assert_int_equal(value_read_one((dloc_text){text, sizeof text - 1}, &arena, &diagnostic, &v), DLOC_INVALID);
  assert_string_equal(diagnostic.code, "yaml.encoding");
}

static char *repeated(const char *piece, size_t count) {
  size_t size = strlen(piece);
  char *text = malloc(size * count + 1);
  assert_non_null(text);
  for (size_t i = 0; i < count; i++)
    memcpy(text + i * size, piece, size);
  text[size * count] = '\0';
  return text;
}

static void limits_depth(void **state) {
  (void)state;
  char text[2 * VALUE_DEPTH + 4] = "";
  value *v = NULL;
  value_diagnostic diagnostic;
  memset(text, '[', VALUE_DEPTH);
  memset(text + VALUE_DEPTH, ']', VALUE_DEPTH);
  assert_int_equal(value_read_one(dloc_text_of(text), &arena, &diagnostic, &v), DLOC_OK);
  char *deep = repeated("[", 1000000);
  assert_int_equal(value_read_one(dloc_text_of(deep), &arena, &diagnostic, &v), DLOC_INVALID);
  assert_string_equal(diagnostic.code, "yaml.limit");
  assert_int_equal(diagnostic.column, VALUE_DEPTH + 1);
  free(deep);
}

static void limits_scalars_keys_and_comments(void **state) {
  static const char *const starts[] = {"a: ", "a: \"", "# ", "a: |\n  "};
  (void)state;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    char *text = repeated("x", (size_t)VALUE_SCALAR_LIMIT + 100000);
    value *v = NULL;
    value_diagnostic diagnostic;
    memcpy(text, starts[i], strlen(starts[i]));
    assert_int_equal(value_read_one(dloc_text_of(text), &arena, &diagnostic, &v), DLOC_INVALID);
    assert_string_equal(diagnostic.code, "yaml.limit");
    free(text);
  }
  char *key = repeated("k", VALUE_KEY_LIMIT + 3);
  value *v = NULL;
  value_diagnostic diagnostic;
  memcpy(key + VALUE_KEY_LIMIT, ": 1", 3);
  assert_int_equal(value_read_one(dloc_text_of(key), &arena, &diagnostic, &v), DLOC_OK);
  memcpy(key + VALUE_KEY_LIMIT, "k:\n", 3);
  key[VALUE_KEY_LIMIT + 2] = ' ';
  assert_int_equal(value_read_one((dloc_text){key, VALUE_KEY_LIMIT + 3}, &arena, &diagnostic, &v), DLOC_INVALID);
  free(key);
}

static void finds_keys_of_large_maps(void **state) {
  (void)state;
  dloc_buffer text = {0};
  dloc_sink sink = dloc_buffer_sink(&text);
  char piece[32];
  for (unsigned i = 0; i < 5000; i++) {
    snprintf(piece, sizeof piece, "k%u: %u\n", i, i);
    assert_true(sink.write(sink.user, piece, strlen(piece)));
  }
  const value *v = read_text(text.bytes);
  for (unsigned i = 0; i < 5000; i += 7) {
    uint64_t number = 0;
    snprintf(piece, sizeof piece, "k%u", i);
    assert_true(value_unsigned(value_get(v, piece), UINT32_MAX, &number));
    assert_int_equal(number, i);
  }
  assert_null(value_get(v, "k5000"));
  dloc_buffer_deinit(&text);
}

enum { BLOCK = 8, STAGES = 13, FLOOD = 1 << STAGES, TRIES = 1 << 19 };

static uint32_t fnv1a(uint32_t hash, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
  return hash;
}

/* Two blocks that FNV-1a takes from one state to the same one, which *state then is. */
static void collide(uint32_t *state, char ret[2][BLOCK + 1]) {
  uint32_t *seen = calloc(TRIES, sizeof *seen);
  bool found = false;
  for (uint32_t i = 1; i < TRIES && !found; i++) {
    snprintf(ret[1], BLOCK + 1, "%08x", (unsigned)i * 0x9e3779b1u);
    const uint32_t hash = fnv1a(*state, ret[1], BLOCK);
    uint32_t at = hash % TRIES;
    for (; seen[at] && !found; at = (at + 1) % TRIES) {
      snprintf(ret[0], BLOCK + 1, "%08x", (unsigned)seen[at] * 0x9e3779b1u);
      found = fnv1a(*state, ret[0], BLOCK) == hash;
    }
    seen[at] = i;
    if (found)
      *state = hash;
  }
  free(seen);
  assert_true(found);
}

/* Keys of one length that a hash without a key, FNV-1a, gives one value: finding all of them looks at few slots each.
 * Another arena has another key, and writes the same. */
static void no_keys_collide(void **state) {
  (void)state;
  char blocks[STAGES][2][BLOCK + 1];
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < STAGES; i++)
    collide(&hash, blocks[i]);
  dloc_buffer text = {0};
  for (unsigned i = 0; i < FLOOD; i++) {
    for (unsigned j = 0; j < STAGES; j++)
      assert_true(dloc_buffer_sink(&text).write(&text, blocks[j][i >> j & 1], BLOCK));
    assert_int_equal(fnv1a(2166136261u, text.bytes + text.size - STAGES * BLOCK, STAGES * BLOCK), hash);
    assert_true(dloc_buffer_sink(&text).write(&text, ": 1\n", 4));
  }
  const value *v = read_text(text.bytes);
  size_t moved = 0;
  for (uint32_t at = 0; at < 2 * FLOOD; at++)
    if (v->index->numbers[at]) {
      const value_entry *entry = &v->of.entries[v->index->numbers[at] - 1];
      assert_ptr_equal(value_find_entry(v, entry->key), entry);
      moved += (at - hash_bytes(&v->index->key, v->index->key.start, entry->key)) & (2 * FLOOD - 1);
    }
  assert_int_equal(v->count, FLOOD);
  assert_true(moved < 2 * FLOOD);
  value_arena first = arena;
  arena = (value_arena){0};
  const value *again = read_text(text.bytes);
  assert_int_not_equal(again->index->key.factor, v->index->key.factor);
  assert_string_equal(json(again), json(v));
  value_arena_deinit(&first);
  dloc_buffer_deinit(&text);
}

/* ---- JSON ---- */

static void reads_json_lines(void **state) {
  (void)state;
  const value *v = read_text("{\"a\":[1,true,null,\"x\",{}],\"s\":\"\\/ \\\\ \\\" \\n \\u00e4 \\ud83d\\ude00\"}\r\n");
  assert_string_equal(json(v), "{\"a\":[1,true,null,\"x\",{}],\"s\":\"/ \\\\ \\\" \\n \xc3\xa4 \xf0\x9f\x98\x80\"}");
  assert_true(value_is(read_text("\"\\\\ud83d\""), "\\ud83d"));
  assert_true(value_is(read_text("\"a\xe2\x80\xa8\x62\""), "a\xe2\x80\xa8\x62"));
  value *none = NULL;
  value_diagnostic diagnostic;
  assert_int_equal(value_read_one(dloc_text_of("\"\\ud83d x\""), &arena, &diagnostic, &none), DLOC_INVALID);
}

static void tells_json_from_yaml(void **state) {
  static const char *const json[] = {"{}", " [ ] ", "{\"a\": [1, -0.5e+10, 1E2, true, false, null], \"b\":{}}",
                                     "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"", "{}\r\n"};
  static const char *const yaml[] = {
      "{a: 1}",     "{'a': 1}", "{\"a\": b}",  "{\"a\": 1,}", "[1,]",       "{} # hello", "- 1",           "\"a\": 1",
      "[\"a\": 1]", "[1 2]",    "[01]",        "[1.]",        "[.5]",       "[+1]",       "[-]",           "[1e]",
      "[NaN]",      "[truest]", "[\"\\x41\"]", "[\"a\tb\"]",  "{1: \"a\"}", "---\n{}",    "[\"a\\\n  b\"]"};
  (void)state;
  value *v = NULL;
  value_diagnostic diagnostic;
  for (size_t i = 0; i < sizeof json / sizeof *json; i++)
    assert_int_equal(value_read_json(dloc_text_of(json[i]), &arena, &diagnostic, &v), DLOC_OK);
  for (size_t i = 0; i < sizeof yaml / sizeof *yaml; i++) {
    assert_int_equal(value_read_one(dloc_text_of(yaml[i]), &arena, &diagnostic, &v), DLOC_OK);
    assert_int_equal(value_read_json(dloc_text_of(yaml[i]), &arena, &diagnostic, &v), DLOC_INVALID);
    assert_string_equal(diagnostic.code, "json.syntax");
  }
}

static void writes_json_so_that_types_are_kept(void **state) {
  (void)state;
  const value *v = read_text("[null, \"null\", 3, \"3\", 03, 1e3, 123456789012345, 1234567890123456, -0, -5, True, x]");
  assert_string_equal(
      json(v), "[null,\"null\",3,\"3\",\"03\",\"1e3\",123456789012345,\"1234567890123456\",\"-0\",-5,\"True\",\"x\"]");
}

/* ---- Canonical YAML ---- */

static void quotes_what_versions_read_differently(void **state) {
  (void)state;
  const value *v = read_text("[y, No, oN, \"true\", \"3\", \"x\", 0x10, 1_000, 12:30, .5, \"a: b\", \"a #b\", i32 3, "
                             "\"#\", \"a,b\", \" a\", \"~\"]");
  assert_string_equal(
      yaml(v), "- \"y\"\n- \"No\"\n- \"oN\"\n- \"true\"\n- \"3\"\n- x\n- \"0x10\"\n- \"1_000\"\n- \"12:30\"\n- \".5\"\n"
               "- \"a: b\"\n- \"a #b\"\n- i32 3\n- \"#\"\n- a,b\n- \" a\"\n- \"~\"\n");
}

static void writes_flow_only_where_it_fits(void **state) {
  (void)state;
  const value *v = read_text(
      "nodes: {a: {x: 1}, b: {}}\nlist: [[1, 2], {z: [3]}]\n"
      "long: {k1: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, k2: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,"
      " k3: ccccccccccccccccccccccccccccccccccccccccccccccccc}\nempty: []\n");
  const char *expected =
      "nodes:\n  a: {x: 1}\n  b: {}\nlist: [[1, 2], {z: [3]}]\n"
      "long:\n  k1: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n  k2: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
      "  k3: ccccccccccccccccccccccccccccccccccccccccccccccccc\nempty: []\n";
  assert_string_equal(yaml(v), expected);
  assert_string_equal(yaml(read_text(expected)), expected);
}

static void a_line_has_at_most_150_columns(void **state) {
  (void)state;
  char text[180] = "a: [";
  for (size_t length = 140; length < 150; length++) {
    memset(text + 4, 'x', length);
    strcpy(text + 4 + length, "]");
    const char *written = yaml(read_text(text));
    size_t columns = strcspn(written, "\n");
    assert_true(columns <= VALUE_COLUMNS);
    assert_int_equal(columns == 2, length + 5 > VALUE_COLUMNS);
  }
}

/* ---- Building and memory ---- */

static void builds_values(void **state) {
  (void)state;
  value map = {.kind = VALUE_MAP}, list = {.kind = VALUE_LIST};
  for (unsigned i = 0; i < 100; i++)
    value_add(&arena, &list, value_of_number(&arena, i));
  value_put_value(&arena, &map, "list", list);
  value_put_text(&arena, &map, "text", dloc_text_of("null"));
  value_put_word(&arena, &map, "word", "null");
  value_put_number(&arena, &map, "number", 12);
  assert_int_equal(value_get(&map, "list")->count, 100);
  assert_true(value_is(&value_get(&map, "list")->of.items[99], "99"));
  assert_false(value_is_null(value_get(&map, "text")));
  assert_true(value_is_null(value_get(&map, "word")));
  assert_true(value_is(value_get(&map, "number"), "12"));
}

static void an_arena_can_be_reset(void **state) {
  (void)state;
  value_arena own = {0};
  for (int round = 0; round < 3; round++) {
    for (size_t size = 1; size < 300000; size *= 3) {
      unsigned char *bytes = value_arena_alloc(&own, size, 1);
      assert_non_null(bytes);
      assert_int_equal(bytes[0] | bytes[size - 1], 0);
      memset(bytes, 0xff, size);
    }
    value_arena_reset(&own);
  }
  assert_non_null(value_arena_alloc(&own, 0, 4));
  value_arena_deinit(&own);
}

static bool refuse(void *user, const char *bytes, size_t size) {
  (void)user;
  (void)bytes;
  (void)size;
  return false;
}

static void a_sink_that_stops_is_reported(void **state) {
  (void)state;
  const value *v = read_text("{a: [b, c]}");
  assert_int_equal(value_write_json(v, (dloc_sink){refuse, NULL}), DLOC_STOPPED);
  assert_int_equal(value_write_yaml(v, NULL, (dloc_sink){refuse, NULL}), DLOC_STOPPED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(reads_maps_lists_and_scalars, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reads_numbers_and_flags, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reads_a_stream_of_documents, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rejects_with_place_and_code, set_up, tear_down),
      cmocka_unit_test_setup_teardown(rejects_nul_bytes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(limits_depth, set_up, tear_down),
      cmocka_unit_test_setup_teardown(limits_scalars_keys_and_comments, set_up, tear_down),
      cmocka_unit_test_setup_teardown(finds_keys_of_large_maps, set_up, tear_down),
      cmocka_unit_test_setup_teardown(no_keys_collide, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reads_json_lines, set_up, tear_down),
      cmocka_unit_test_setup_teardown(tells_json_from_yaml, set_up, tear_down),
      cmocka_unit_test_setup_teardown(writes_json_so_that_types_are_kept, set_up, tear_down),
      cmocka_unit_test_setup_teardown(quotes_what_versions_read_differently, set_up, tear_down),
      cmocka_unit_test_setup_teardown(writes_flow_only_where_it_fits, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_line_has_at_most_150_columns, set_up, tear_down),
      cmocka_unit_test_setup_teardown(builds_values, set_up, tear_down),
      cmocka_unit_test_setup_teardown(an_arena_can_be_reset, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_sink_that_stops_is_reported, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
