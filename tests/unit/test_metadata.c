/* Nodes, interning, forward references, fields, printing. */
#include "allocation.h"
#include "nodes/classes.h"
#include "nodes/metadata.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static dloc_context *context;

static int set_up(void **state) {
  (void)state;
  context = dloc_context_create(NULL);
  return context ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  dloc_context_destroy(context);
  return 0;
}

static dloc_node string(const char *bytes) {
  dloc_node node = DLOC_NULL;
  assert_int_equal(dloc_string(context, dloc_text_of(bytes), &node), DLOC_OK);
  return node;
}

static dloc_node token(const char *bytes) {
  dloc_node node = DLOC_NULL;
  assert_int_equal(dloc_token(context, dloc_text_of(bytes), &node), DLOC_OK);
  return node;
}

static dloc_node forward(void) {
  dloc_node node = DLOC_NULL;
  assert_int_equal(dloc_forward(context, &node), DLOC_OK);
  return node;
}

static dloc_node tuple(bool distinct, const dloc_node *operands, size_t count) {
  dloc_node node = DLOC_NULL;
  assert_int_equal(dloc_tuple(context, distinct, operands, count, &node), DLOC_OK);
  return node;
}

#define TUPLE(...) tuple(false, (dloc_node[]){__VA_ARGS__}, sizeof((dloc_node[]){__VA_ARGS__}) / sizeof(dloc_node))
#define DISTINCT(...) tuple(true, (dloc_node[]){__VA_ARGS__}, sizeof((dloc_node[]){__VA_ARGS__}) / sizeof(dloc_node))

static dloc_status specialised(const char *name, bool distinct, const dloc_field *fields, size_t count,
                               dloc_node_diagnosis *diagnosis, dloc_node *ret) {
  return dloc_specialised(context, dloc_text_of(name), distinct, fields, count, diagnosis, ret);
}

static dloc_node a_file(void) {
  dloc_field fields[] = {{token("filename"), string("a.c")}, {token("directory"), string("")}};
  dloc_node node = DLOC_NULL;
  assert_int_equal(specialised("DIFile", false, fields, 2, NULL, &node), DLOC_OK);
  return node;
}

static void assert_graph(dloc_node root, const char *expected) {
  dloc_buffer text = {0};
  assert_int_equal(dloc_print_graph(context, "!dbg", &root, 1, dloc_buffer_sink(&text)), DLOC_OK);
  assert_string_equal(text.bytes, expected);
  dloc_buffer_deinit(&text);
}

static void uniqued_nodes_are_one(void **state) {
  (void)state;
  assert_int_equal(string("x"), string("x"));
  assert_int_not_equal(string("x"), token("x"));
  assert_int_not_equal(string("x"), string("x2"));
  assert_int_equal(TUPLE(string("x"), DLOC_NULL), TUPLE(string("x"), DLOC_NULL));
  assert_int_not_equal(TUPLE(string("x")), TUPLE(string("x"), DLOC_NULL));
  assert_int_not_equal(TUPLE(string("x")), DISTINCT(string("x")));
  assert_int_not_equal(DISTINCT(string("x")), DISTINCT(string("x")));
}

/* A text that lives in the context itself may be copied from there. */
static void text_of_a_node_is_copied(void **state) {
  (void)state;
  dloc_node word = string("i32 7");
  for (int i = 0; i < 1000; i++) {
    dloc_node copy = DLOC_NULL;
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    string(name);
    assert_int_equal(dloc_constant(context, dloc_node_text(context, word), &copy), DLOC_OK);
    assert_true(dloc_text_equal(dloc_node_text(context, copy), dloc_text_of("i32 7")));
  }
}

static void location_key_is_every_field(void **state) {
  (void)state;
  dloc_location base = {.line = 1,
                        .column = 2,
                        .scope = string("s"),
                        .inlined_at = string("i"),
                        .implicit = true,
                        .atom_rank = 3,
                        .atom_group = 4};
  dloc_location other[8];
  for (size_t i = 0; i < 8; i++)
    other[i] = base;
  other[1].line = 9;
  other[2].column = 9;
  other[3].scope = string("t");
  other[4].inlined_at = DLOC_NULL;
  other[5].implicit = false;
  other[6].atom_rank = 2;
  other[7].atom_group = 9;
  dloc_node first = DLOC_NULL, node = DLOC_NULL;
  assert_int_equal(dloc_location_create(context, false, &base, &first), DLOC_OK);
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(dloc_location_create(context, false, &other[i], &node), DLOC_OK);
    assert_int_equal(node == first, i == 0);
  }
  dloc_location read = dloc_location_get(context, first);
  assert_int_equal(read.line, 1);
  assert_int_equal(read.column, 2);
  assert_int_equal(read.scope, base.scope);
  assert_int_equal(read.inlined_at, base.inlined_at);
  assert_true(read.implicit);
  assert_int_equal(read.atom_rank, 3);
  assert_int_equal(read.atom_group, 4);
}

static void forward_reference_becomes_its_definition(void **state) {
  (void)state;
  dloc_node later = forward();
  dloc_node user = TUPLE(later);
  dloc_node definition = TUPLE(string("x"));
  assert_int_equal(dloc_define(context, later, definition), DLOC_OK);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  assert_int_equal(dloc_canonical(context, later), definition);
  assert_int_equal(dloc_operand(context, dloc_canonical(context, user), 0), definition);
  assert_int_equal(TUPLE(definition), dloc_canonical(context, user));
}

/* !1 = !{!2}, !3 = !{!4}, and then !2 and !4 turn out to be equal: so are !1 and !3. */
static void duplicates_become_one_bottom_up(void **state) {
  (void)state;
  dloc_node two = forward(), four = forward();
  dloc_node one = TUPLE(two), three = TUPLE(four);
  assert_int_equal(dloc_define(context, two, TUPLE(string("x"))), DLOC_OK);
  assert_int_equal(dloc_define(context, four, TUPLE(string("x"))), DLOC_OK);
  assert_int_not_equal(one, three);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  assert_int_equal(dloc_canonical(context, one), dloc_canonical(context, three));
}

static void distinct_node_may_contain_itself(void **state) {
  (void)state;
  dloc_node self = forward();
  dloc_node loop = DISTINCT(self, string("x"));
  assert_int_equal(dloc_define(context, self, loop), DLOC_OK);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  assert_int_equal(dloc_operand(context, loop, 0), loop);
  assert_graph(loop, "!dbg !0\n!0 = distinct !{!0, !\"x\"}\n");
}

static void cycle_of_uniqued_nodes_resolves(void **state) {
  (void)state;
  dloc_node a = forward(), b = forward();
  assert_int_equal(dloc_define(context, a, TUPLE(b, string("a"))), DLOC_OK);
  assert_int_equal(dloc_define(context, b, TUPLE(a, string("b"))), DLOC_OK);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  assert_graph(dloc_canonical(context, a), "!dbg !0\n!0 = !{!1, !\"a\"}\n!1 = !{!0, !\"b\"}\n");
}

static void undefined_forward_is_found(void **state) {
  (void)state;
  dloc_node missing = forward(), found = DLOC_NULL;
  TUPLE(missing);
  assert_int_equal(dloc_resolve(context, &found), DLOC_INVALID);
  assert_int_equal(found, missing);
}

static void defining_twice_or_by_itself_is_refused(void **state) {
  (void)state;
  dloc_node f = forward();
  assert_int_equal(dloc_define(context, f, f), DLOC_INVALID);
  assert_int_equal(dloc_define(context, f, string("x")), DLOC_OK);
  assert_int_equal(dloc_define(context, f, string("y")), DLOC_INVALID);
}

static void fields_are_ordered_and_defaults_left_out(void **state) {
  (void)state;
  dloc_node scope = TUPLE(DLOC_NULL), one = DLOC_NULL, two = DLOC_NULL;
  dloc_field written[] = {{token("column"), token("0")}, {token("line"), token("7")}, {token("scope"), scope}};
  dloc_field other[] = {{token("scope"), scope}, {token("file"), DLOC_NULL}, {token("line"), token("7")}};
  assert_int_equal(specialised("DILexicalBlock", false, written, 3, NULL, &one), DLOC_OK);
  assert_int_equal(specialised("DILexicalBlock", false, other, 3, NULL, &two), DLOC_OK);
  assert_int_equal(one, two);
  assert_graph(one, "!dbg !0\n!0 = !DILexicalBlock(scope: !1, line: 7)\n!1 = !{null}\n");
}

static void unknown_class_is_kept_as_it_is(void **state) {
  (void)state;
  dloc_field fields[] = {{token("z"), token("DW_TAG_x")}, {token("a"), string("q\"\\\n")}, {DLOC_NULL, token("3")}};
  dloc_node node = DLOC_NULL;
  assert_int_equal(specialised("DIThing", true, fields, 2, NULL, &node), DLOC_OK);
  assert_graph(node, "!dbg !0\n!0 = distinct !DIThing(z: DW_TAG_x, a: \"q\\22\\\\\\0A\")\n");
  assert_int_equal(specialised("DIThing", true, fields, 3, NULL, &node), DLOC_INVALID); /* no text has it */
}

static void broken_fields_are_diagnosed(void **state) {
  (void)state;
  dloc_node scope = TUPLE(DLOC_NULL);
  const struct {
    const char *key;
    dloc_node value;
    dloc_reason reason;
  } cases[] = {
      {"column", token("65536"), DLOC_REASON_FIELD_TOO_LARGE},
      {"column", token("65535"), DLOC_REASON_NONE},
      {"line", token("4294967296"), DLOC_REASON_FIELD_TOO_LARGE},
      {"line", token("4294967295"), DLOC_REASON_NONE},
      {"line", token("-1"), DLOC_REASON_FIELD_NOT_UNSIGNED},
      {"line", string("1"), DLOC_REASON_FIELD_NOT_UNSIGNED},
      {"isImplicitCode", token("1"), DLOC_REASON_FIELD_NOT_BOOLEAN},
      {"inlinedAt", token("x"), DLOC_REASON_FIELD_NOT_NODE},
      {"foo", token("1"), DLOC_REASON_FIELD_UNKNOWN},
      {"scope", scope, DLOC_REASON_FIELD_REPEATED},
      {"atomRank", token("256"), DLOC_REASON_FIELD_TOO_LARGE},
      {"atomGroup", token("18446744073709551615"), DLOC_REASON_NONE},
      {"atomGroup", token("18446744073709551616"), DLOC_REASON_FIELD_TOO_LARGE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    dloc_field fields[] = {{token("scope"), scope}, {token(cases[i].key), cases[i].value}};
    dloc_node_diagnosis diagnosis = {DLOC_REASON_NONE, DLOC_NULL, 0};
    dloc_node node = DLOC_NULL;
    dloc_status status = specialised("DILocation", false, fields, 2, &diagnosis, &node);
    assert_int_equal(diagnosis.reason, cases[i].reason);
    assert_int_equal(status, cases[i].reason ? DLOC_INVALID : DLOC_OK);
    if (cases[i].reason)
      assert_int_equal(diagnosis.field, token(cases[i].key));
  }
}

static void names_that_no_text_has_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"", "\"", "1st", "a b", "a(", "DIFile\n", "!0", "a-b"};
  dloc_field field = {token("x"), string("text")};
  dloc_node node;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    dloc_node_diagnosis diagnosis = {0};
    dloc_field named = {token(wrong[i]), string("text")};
    assert_int_equal(specialised(wrong[i], false, &field, 1, &diagnosis, &node), DLOC_INVALID);
    assert_int_equal(diagnosis.reason, DLOC_REASON_FIELD_NOT_WORD);
    assert_int_equal(specialised("DIOther", false, &named, 1, &diagnosis, &node), DLOC_INVALID);
    assert_int_equal(diagnosis.field, named.key);
  }
  field.key = field.value; /* a string is no key */
  assert_int_equal(specialised("DIOther", false, &field, 1, NULL, &node), DLOC_INVALID);
  field.key = token("_x1");
  assert_int_equal(specialised("_Other2", false, &field, 1, NULL, &node), DLOC_OK);
}

static void required_fields_are_required(void **state) {
  (void)state;
  dloc_node_diagnosis diagnosis;
  dloc_node node = DLOC_NULL;
  dloc_field null_scope[] = {{token("scope"), DLOC_NULL}};
  assert_int_equal(specialised("DILocation", false, NULL, 0, &diagnosis, &node), DLOC_INVALID);
  assert_int_equal(diagnosis.reason, DLOC_REASON_FIELD_MISSING);
  assert_int_equal(diagnosis.field, token("scope"));
  assert_int_equal(specialised("DILocation", false, null_scope, 1, &diagnosis, &node), DLOC_INVALID);
  assert_int_equal(diagnosis.reason, DLOC_REASON_FIELD_NULL);
  dloc_field definition[] = {{token("spFlags"), token("DISPFlagLocalToUnit | DISPFlagDefinition")}};
  assert_int_equal(specialised("DISubprogram", false, definition, 1, &diagnosis, &node), DLOC_INVALID);
  assert_int_equal(diagnosis.reason, DLOC_REASON_SUBPROGRAM_NOT_DISTINCT);
}

static void definition_is_told_by_flags(void **state) {
  (void)state;
  const struct {
    dloc_field field;
    bool definition;
  } cases[] = {
      {{token("spFlags"), token("DISPFlagDefinition | DISPFlagOptimized")}, true},
      {{token("spFlags"), token("0")}, false},
      {{token("isDefinition"), token("false")}, false},
      {{token("isLocal"), token("true")}, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    dloc_node node = DLOC_NULL;
    assert_int_equal(specialised("DISubprogram", true, &cases[i].field, 1, NULL, &node), DLOC_OK);
    assert_int_equal(subprogram_is_definition(context, node), cases[i].definition);
  }
}

static void graph_numbers_nodes_in_the_order_met(void **state) {
  (void)state;
  dloc_node leaf = TUPLE(string("leaf")), file = a_file();
  dloc_node root = TUPLE(TUPLE(leaf, file), leaf, DLOC_NULL);
  assert_graph(root, "!dbg !0\n"
                     "!0 = !{!1, !2, null}\n"
                     "!1 = !{!2, !3}\n"
                     "!2 = !{!\"leaf\"}\n"
                     "!3 = !DIFile(filename: \"a.c\", directory: \"\")\n");
  assert_graph(DLOC_NULL, "none\n");
}

static void a_million_nodes_deep(void **state) {
  (void)state;
  dloc_node last = forward(), node = last;
  for (int i = 0; i < 1000000; i++)
    node = TUPLE(node);
  assert_int_equal(dloc_define(context, last, string("end")), DLOC_OK);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  dloc_buffer text = {0};
  assert_int_equal(dloc_print_graph(context, "!dbg", &node, 1, dloc_buffer_sink(&text)), DLOC_OK);
  assert_non_null(strstr(text.bytes, "!999999 = !{!\"end\"}\n"));
  dloc_buffer_deinit(&text);
}

static void reset_forgets_everything(void **state) {
  (void)state;
  uint32_t limit = dloc_node_limit(context);
  dloc_node before = string("x");
  dloc_location content = {.scope = before, .atom_group = 7};
  dloc_node node = DLOC_NULL;
  assert_int_equal(dloc_location_create(context, false, &content, &node), DLOC_OK);
  dloc_context_reset(context);
  assert_int_equal(dloc_node_limit(context), limit);
  assert_int_equal(string("y"), before);
  assert_int_equal(dloc_node_kind(context, before + 1), DLOC_KIND_NULL);
}

static void handles_out_of_range_are_null(void **state) {
  (void)state;
  assert_int_equal(dloc_node_kind(context, UINT32_MAX), DLOC_KIND_NULL);
  assert_int_equal(dloc_operand(context, UINT32_MAX, 3), DLOC_NULL);
  assert_int_equal(dloc_node_text(context, UINT32_MAX).size, 0);
}

static void operands_of_distinct_tuples_can_be_set(void **state) {
  (void)state;
  dloc_node a = string("a"), b = string("b"), f = forward();
  dloc_node loop = DISTINCT(f, a), other = DISTINCT(a), uniqued = TUPLE(a);
  assert_int_equal(dloc_set_operand(context, loop, 1, b), DLOC_INVALID); /* before dloc_resolve */
  assert_int_equal(dloc_define(context, f, loop), DLOC_OK);
  assert_int_equal(dloc_resolve(context, NULL), DLOC_OK);
  assert_int_equal(dloc_set_operand(context, loop, 1, b), DLOC_OK);
  assert_int_equal(dloc_operand(context, loop, 0), loop);
  assert_int_equal(dloc_operand(context, loop, 1), b);
  assert_int_equal(dloc_operand(context, other, 0), a);
  assert_int_equal(dloc_set_operand(context, other, 0, DLOC_NULL), DLOC_OK);
  assert_int_equal(dloc_operand(context, other, 0), DLOC_NULL);
  assert_int_equal(dloc_set_operand(context, loop, 2, b), DLOC_INVALID);
  assert_int_equal(dloc_set_operand(context, uniqued, 0, b), DLOC_INVALID);
  assert_int_equal(dloc_set_operand(context, a, 0, b), DLOC_INVALID);
  assert_int_equal(dloc_set_operand(context, UINT32_MAX, 0, b), DLOC_INVALID);
  assert_int_equal(dloc_set_operand(context, other, 0, f), DLOC_INVALID); /* a forward node, even a defined one */
}

static dloc_status build_something(const dloc_allocator *allocator) {
  dloc_context *c = dloc_context_create(allocator);
  if (!c)
    return DLOC_NO_MEMORY;
  dloc_node f = DLOC_NULL, name = DLOC_NULL, node = DLOC_NULL;
  dloc_status status = dloc_forward(c, &f);
  for (int i = 0; status == DLOC_OK && i < 300; i++) {
    char text[16];
    snprintf(text, sizeof text, "n%d", i);
    status = dloc_string(c, dloc_text_of(text), &name);
    if (status == DLOC_OK)
      status = dloc_tuple(c, false, (dloc_node[]){name, f}, 2, &node);
  }
  if (status == DLOC_OK)
    status = dloc_define(c, f, name);
  if (status == DLOC_OK)
    status = dloc_resolve(c, NULL);
  dloc_buffer text = {0};
  if (status == DLOC_OK)
    status = dloc_print_graph(c, "!dbg", &node, 1, dloc_buffer_sink(&text));
  dloc_buffer_deinit(&text);
  dloc_context_destroy(c);
  return status;
}

/* How far all entries are from where they belong. */
static size_t displacement(const map *m) {
  size_t sum = 0;
  for (size_t i = 0; i < m->capacity; i++) {
    const map_entry *e = &m->entries[i];
    size_t home = (size_t)hash_word(&m->key, hash_word(&m->key, m->key.start, e->key_high), e->key_low);
    if (e->generation == m->generation)
      sum += (i - home) & (m->capacity - 1);
  }
  return sum;
}

/* Keys that differ in bits which a fixed multiplication would lose, or that a fixed hash takes for one. */
static void no_keys_collide(void **state) {
  enum { COUNT = 100000 };
  (void)state;
  for (unsigned shift = 0; shift < 64; shift += 9) {
    map m = {0};
    for (uint64_t i = 0; i < COUNT; i++)
      assert_int_equal(map_add(context, &m, i << shift | i >> (64 - shift) % 64, (uint32_t)(i << shift / 2), 0, NULL),
                       DLOC_OK);
    assert_true(displacement(&m) < 3 * m.count);
    map_deinit(context, &m);
  }
}

/* Texts of one length that differ in one byte, and tuples that differ in one operand. */
static void no_nodes_collide(void **state) {
  enum { COUNT = 100000 };
  char text[32];
  dloc_node node = DLOC_NULL;
  (void)state;
  for (unsigned i = 0; i < COUNT; i++) {
    snprintf(text, sizeof text, "%0*u", (int)(5 + i % 20), i / 20);
    assert_int_equal(dloc_string(context, dloc_text_of(text), &node), DLOC_OK);
    assert_int_equal(dloc_tuple(context, false, (dloc_node[]){i, node}, 2, &node), DLOC_OK);
  }
  assert_true(context->interned.count > COUNT);
  const intern_table *t = &context->interned;
  size_t displaced = 0;
  for (size_t i = 0; i < t->capacity; i++)
    displaced += t->slots[i].node ? (i - t->slots[i].hash) & (t->capacity - 1) : 0;
  assert_true(displaced < 3 * t->count);
}

/* `(h ^ w) * C, folded by 32 bits` gives one hash to these pairs of words, whatever h is. */
static void differences_do_not_cancel(void **state) {
  size_t equal = 0;
  (void)state;
  for (uint64_t i = 1; i <= 1000; i++) {
    const uint64_t top = UINT64_C(1) << 63, both = top | UINT64_C(1) << 31;
    const hash_key *key = &context->hash_key;
    equal += hash_word(key, hash_word(key, key->start, i), i) ==
             hash_word(key, hash_word(key, key->start, i ^ top), i ^ both);
  }
  assert_int_equal(equal, 0);
}

static void contexts_hash_differently(void **state) {
  dloc_context *other = dloc_context_create(NULL);
  (void)state;
  assert_non_null(other);
  assert_int_not_equal(context->hash_key.factor, other->hash_key.factor);
  assert_int_not_equal(hash_bytes(&context->hash_key, context->hash_key.start, dloc_text_of("a name")),
                       hash_bytes(&other->hash_key, other->hash_key.start, dloc_text_of("a name")));
  dloc_context_destroy(other);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  fail_every_allocation(build_something);
}

/* Of each class in classes.def: operands are counted from 1 without a gap, and no two fields stand in one value of a
 * record, but for the two names of a unit's language. */
static void places_of_fields_are_their_own(void **state) {
  (void)state;
  for (const class_spec *class = class_specs; class < class_specs + CLASS_ROWS; class ++) {
    bool operand[UINT8_MAX + 1] = {false}, value[UINT8_MAX + 1] = {false};
    size_t operands = 0;
    for (size_t row = class->first; row < class[1].first; row++) {
      const field_spec *field = &field_specs[row];
      assert_false(field->operand && operand[field->operand]);
      assert_false(field->value && value[field->value] && field->type != FIELD_VERSIONED);
      operand[field->operand] = value[field->value] = true;
      operands += field->operand != 0;
    }
    for (size_t i = 1; i <= operands; i++)
      assert_true(operand[i]);
    assert_true(class->code == 0 || class_of_code(class->code) == class);
  }
}

/* Also of classes that are not understood; fields that classes.def lacks come last, as they were given. */
static void fields_are_in_order(void **state) {
  (void)state;
  dloc_field fields[] = {{token("newer"), token("1")},
                         {token("name"), string("n")},
                         {token("older"), token("2")},
                         {token("scope"), DLOC_NULL}};
  dloc_field ordered[] = {fields[1], fields[3], fields[0], fields[2]};
  dloc_node nodes[2];
  assert_int_equal(specialised("DINamespace", false, fields, 4, NULL, &nodes[0]), DLOC_OK);
  assert_int_equal(specialised("DINamespace", false, ordered, 4, NULL, &nodes[1]), DLOC_OK);
  assert_int_equal(nodes[0], nodes[1]);
  assert_int_equal(specialised("DINewType", false, fields, 4, NULL, &nodes[0]), DLOC_OK);
  assert_int_equal(specialised("DINewType", false, ordered, 4, NULL, &nodes[1]), DLOC_OK);
  assert_int_not_equal(nodes[0], nodes[1]);
}

static void what_a_field_holds_is_looked_up(void **state) {
  (void)state;
  static const struct {
    const char *class_name, *field;
    dloc_field_content content;
  } cases[] = {
      {"DISubprogram", "scope", DLOC_CONTENT_NODE},
      {"DISubprogram", "name", DLOC_CONTENT_TEXT},
      {"DISubprogram", "flags", DLOC_CONTENT_WORD},
      {"DICompileUnit", "flags", DLOC_CONTENT_TEXT},
      {"DIMacro", "type", DLOC_CONTENT_WORD},
      {"DINewType", "type", DLOC_CONTENT_NODE},
      {"DINewType", "flags", DLOC_CONTENT_WORD},
      {"DINewType", "newField", DLOC_CONTENT_WORD},
      {"DICompositeType", "vtableHolder", DLOC_CONTENT_NODE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(dloc_class_field_content(dloc_text_of(cases[i].class_name), dloc_text_of(cases[i].field)),
                     cases[i].content);
  dloc_text unit = dloc_text_of("DICompileUnit");
  assert_true(dloc_class_field_order(unit, dloc_text_of("file")) < dloc_class_field_order(unit, dloc_text_of("sdk")));
  assert_int_equal(dloc_class_field_order(dloc_text_of("DIBasicType"), dloc_text_of("name")), DLOC_NO_INDEX);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(uniqued_nodes_are_one),
      TEST(text_of_a_node_is_copied),
      TEST(location_key_is_every_field),
      TEST(forward_reference_becomes_its_definition),
      TEST(duplicates_become_one_bottom_up),
      TEST(distinct_node_may_contain_itself),
      TEST(cycle_of_uniqued_nodes_resolves),
      TEST(undefined_forward_is_found),
      TEST(defining_twice_or_by_itself_is_refused),
      TEST(fields_are_ordered_and_defaults_left_out),
      TEST(unknown_class_is_kept_as_it_is),
      TEST(broken_fields_are_diagnosed),
      TEST(names_that_no_text_has_are_refused),
      TEST(required_fields_are_required),
      TEST(definition_is_told_by_flags),
      TEST(graph_numbers_nodes_in_the_order_met),
      TEST(a_million_nodes_deep),
      TEST(reset_forgets_everything),
      TEST(handles_out_of_range_are_null),
      TEST(operands_of_distinct_tuples_can_be_set),
      TEST(no_keys_collide),
      TEST(no_nodes_collide),
      TEST(differences_do_not_cancel),
      TEST(contexts_hash_differently),
      TEST(every_allocation_may_fail),
      TEST(places_of_fields_are_their_own),
      TEST(fields_are_in_order),
      TEST(what_a_field_holds_is_looked_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
