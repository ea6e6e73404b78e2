/* Vectors: schema, which expectation holds, comparison, answers as values, canonical form, suites. */
#include "vector/suite.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static value_arena arena;
static dloc_context *context;

static int set_up(void **state) {
  (void)state;
  context = dloc_context_create(NULL);
  return context ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  dloc_context_destroy(context);
  value_arena_deinit(&arena);
  return 0;
}

#define HEAD "id: t.x\nclauses: [merge.line]\nlevel: must\nsince: rfc\nneeds: [merge]\n"
#define FILE_F                                                                                                         \
  "  file: {node: DIFile, filename: a.c, directory: d}\n"                                                              \
  "  u: {node: DICompileUnit, distinct: true, language: DW_LANG_C99, file: file}\n"                                    \
  "  f: {node: DISubprogram, distinct: true, name: f, scope: file, file: file, line: 1, spFlags: DISPFlagDefinition, " \
  "unit: u}\n"
#define NODES                                                                                                          \
  "nodes:\n" FILE_F "  a: {node: DILocation, line: 2, column: 1, scope: f}\n"                                          \
  "  b: {node: DILocation, line: 3, column: 1, scope: f}\n"
#define MERGE "op: merge\nargs: [a, b]\n"
#define EXPECT "expect: {outcome: ok, value: {result: r, nodes: {r: {node: DILocation, line: 0, scope: f}}}}\n"

static dloc_status try_vector(const char *text, value_diagnostic *diagnostic, vector *ret) {
  value *document = NULL;
  *diagnostic = (value_diagnostic){.line = 0};
  dloc_status status = value_read_one(dloc_text_of(text), &arena, diagnostic, &document);
  return status == DLOC_OK ? vector_read(document, &arena, diagnostic, ret) : status;
}

static vector read_vector(const char *text) {
  vector v;
  value_diagnostic diagnostic;
  dloc_status status = try_vector(text, &diagnostic, &v);
  if (status != DLOC_OK)
    print_error("%u:%u: %s\n%s\n", diagnostic.line, diagnostic.column, diagnostic.message, text);
  assert_int_equal(status, DLOC_OK);
  return v;
}

static const char *text_of(dloc_context *where, const vector_answer *answer) {
  dloc_buffer buffer = {0};
  assert_int_equal(vector_answer_text(where, answer, dloc_buffer_sink(&buffer)), DLOC_OK);
  const char *copy = value_arena_copy(&arena, (dloc_text){buffer.bytes, buffer.size}).bytes;
  dloc_buffer_deinit(&buffer);
  return copy;
}

static const char *expected_text(const vector *v, const vector_expectation *expectation) {
  vector_answer answer;
  value_diagnostic diagnostic;
  dloc_context_reset(context);
  assert_int_equal(
      vector_expectation_answer(v, expectation, &(vector_case){.context = context}, &arena, &diagnostic, &answer),
      DLOC_OK);
  return text_of(context, &answer);
}

static const char *model_text(const vector *v, const char *profile) {
  vector_answer answer;
  dloc_context_reset(context);
  assert_int_equal(vector_evaluate(v, dloc_profile_find(dloc_text_of(profile)), context, &arena, NULL, &answer),
                   DLOC_OK);
  return text_of(context, &answer);
}

/* ---- Schema ---- */

typedef struct wrong {
  const char *from; /* replaced in a good vector ... */
  const char *to;   /* ... by this */
  const char *code;
  const char *message; /* part of it */
} wrong;

static char *replaced(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  assert_non_null(at);
  size_t size = strlen(text) + strlen(to) + 1;
  char *result = malloc(size);
  assert_non_null(result);
  snprintf(result, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return result;
}

static void schema_errors_are_precise(void **state) {
  static const wrong cases[] = {
      {"id: t.x\n", "", "vector.field", "'id' is missing"},
      {"id: t.x", "id: T.x", "vector.id", "a-z"},
      {"id: t.x", "id: [t]", "vector.field", "id is a text"},
      {"id: t.x", "id: t.x\nfoo: 1", "vector.field", "'foo' is no field"},
      {"[merge.line]", "[]", "vector.clause", "at least one"},
      {"[merge.line]", "merge.line", "vector.field", "clauses is a list"},
      {"[merge.line]", "[merge.lin]", "vector.clause", "'merge.lin'"},
      {"level: must", "level: mus", "vector.field", "a level is"},
      {"since: rfc", "since: rfd", "vector.field", "no profile is named 'rfd'"},
      {"needs: [merge]", "needs: [fly]", "vector.field", "no capability is named 'fly'"},
      {"op: merge", "op: merg", "vector.field", "no operation is named 'merg'"},
      {"args: [a, b]\n", "", "vector.field", "'args' is missing"},
      {"args: [a, b]", "args: a", "vector.field", "args is a list"},
      {"args: [a, b]", "args: [a, c]", "vector.name", "no node is named 'c'"},
      {"args: [a, b]", "args: [a, {string: x}]", "vector.field", "the name of a node"},
      {"args: [a, b]", "args: [a, b]\nmodule: {}", "vector.field", "merge takes no module"},
      {"nodes:\n", "nodes:\n  A: {node: DIFile, filename: x, directory: y}\n", "vector.name", "a-z"},
      {"nodes:\n", "nodes:\n  c: x\n", "vector.field", "a node is a map"},
      {"nodes:\n", "nodes:\n  c: {line: 3}\n", "vector.field", "'node' is missing"},
      {"nodes:\n", "nodes:\n  c: {node: Location}\n", "vector.field", "no class of nodes"},
      {"nodes:\n", "nodes:\n  c: {node: tuple, operands: x}\n", "vector.field", "operands is a list"},
      {"nodes:\n", "nodes:\n  c: {node: tuple, operands: [x]}\n", "vector.name", "'x'"},
      {"nodes:\n", "nodes:\n  c: {node: tuple, operands: [{foo: x}]}\n", "vector.field", "'foo' is no form"},
      {"nodes:\n", "nodes:\n  c: {node: tuple, operands: [], line: 3}\n", "vector.field", "'line' is no field"},
      {"nodes:\n", "nodes:\n  c: {node: composite, primary: a, layers: []}\n", "vector.field", "at least one layer"},
      {"nodes:\n", "nodes:\n  c: {node: composite, primary: a, layers: [{kind: k}]}\n", "vector.field",
       "'location' is missing"},
      {"nodes:\n", "nodes:\n  c: {node: DILocation, distinct: yes, scope: f}\n", "vector.field", "true or false"},
      {"scope: f}\n  b", "scope: g}\n  b", "vector.name", "'g'"},
      {"outcome: ok", "outcome: fine", "vector.field", "ok or reject"},
      {"outcome: ok", "outcome: reject", "vector.field", "a rejection has no value"},
      {"outcome: ok", "outcome: ok, reason: shape.no-layers", "vector.field", "only a rejection"},
      {"result: r", "result: q", "vector.name", "'q'"},
      {"result: r", "results: [r]", "vector.field", "'results' is no field of the value of merge"},
      {"expect: ", "expec: ", "vector.field", "'expec'"},
      {"expect: ", "choices: {x: {y: {outcome: ok}}}\nexpect: ", "vector.choice", "no choice is named 'x'"},
      {"expect: ", "choices: {merge.empty: {y: {outcome: ok}}}\nexpect: ", "vector.choice", "no alternative 'y'"},
      {"expect: ", "choices: {merge.empty: {keep-composite: {outcome: ok}}}\nexpect: ", "vector.choice", "`expect`"},
      {"expect: ", "choices: {merge.empty: {}}\nexpect: ", "vector.choice", "map of alternatives"},
      {"expect: ", "choices: {merge.empty: {drop: {outcome: reject, reason: x}}}\nexpect: ", "vector.reason", "'x'"},
      {"expect: ", "choices: {merge.empty: {drop: {outcome: ok}}}\nexpect: ", "vector.field", "'value' is missing"},
      {"expect: ", "profiles: {rfc: {outcome: ok}}\nexpect: ", "vector.field", "`expect`"},
      {"expect: ", "profiles: {foo: {outcome: ok}}\nexpect: ", "vector.field", "no profile is named 'foo'"},
  };
  (void)state;
  static const char good[] = HEAD NODES MERGE EXPECT;
  read_vector(good);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vector v;
    value_diagnostic diagnostic;
    char *text = replaced(good, cases[i].from, cases[i].to);
    dloc_status status = try_vector(text, &diagnostic, &v);
    if (status != DLOC_INVALID || strcmp(diagnostic.code, cases[i].code) != 0 ||
        !strstr(diagnostic.message, cases[i].message) || diagnostic.line == 0)
      print_error("case %zu: %u:%u: %s [%s]\n", i, diagnostic.line, diagnostic.column, diagnostic.message,
                  diagnostic.code ? diagnostic.code : "");
    assert_int_equal(status, DLOC_INVALID);
    assert_string_equal(diagnostic.code, cases[i].code);
    assert_non_null(strstr(diagnostic.message, cases[i].message));
    assert_int_not_equal(diagnostic.line, 0);
    free(text);
  }
}

static void values_of_other_operations_are_checked(void **state) {
  static const char *const cases[] = {
      HEAD NODES "op: equal\nargs: [a]\nexpect: {outcome: ok, value: {equal: true}}\n",
      HEAD NODES "op: equal\nargs: [a, b]\nexpect: {outcome: ok, value: {equal: maybe}}\n",
      HEAD NODES "op: print\nargs: [a]\nexpect: {outcome: ok, value: {text: [x]}}\n",
      HEAD NODES "op: accessor\nargs: [a]\nexpect: {outcome: ok, value: {primary: a}}\n",
      HEAD NODES "op: inline\nargs: {call: a}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: inline\nargs: {call: a, callee: [b]}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: inline\nargs: {call: a, callee: [b], loop: b}\nexpect: {outcome: ok, value: {results: [b]}}\n",
      HEAD NODES "op: inline\nargs: {call: a, callee: [], records: [b]}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: inline\nargs: [{call: a, callee: []}]\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: inline\nargs: {call: a, callee: [{location: a, instruction: foo}]}\nexpect: {outcome: ok, value: "
                 "{results: [a]}}\n",
      HEAD NODES "op: verify\nargs: []\nmodule: {}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {functions: [{}]}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {functions: [{name: f}, {name: f}]}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {functions: [{name: f, linkage: odd}]}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {functions: [{name: f, instructions: [{record: x}]}]}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {named: {x: a}}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {debug-info-version: x}\nexpect: {outcome: ok}\n",
      HEAD NODES "op: verify\nmodule: {}\nexpect: {outcome: ok, value: {}}\n",
      HEAD NODES "op: verify\nmodule: {}\nexpect: {outcome: reject, reason: call.no-location, severity: mild}\n",
      HEAD NODES "op: source\nargs: {}\nmodule: {}\nexpect: {outcome: ok, value: {entry: null}}\n",
      HEAD NODES "op: source\nargs: {list: true, kind: x}\nmodule: {}\nexpect: {outcome: ok, value: {entries: []}}\n",
      HEAD NODES "op: source\nargs: {find: a}\nmodule: {}\nexpect: {outcome: ok, value: {entry: -1}}\n",
      HEAD NODES "op: source\nargs: {list: true}\nmodule: {}\nexpect: {outcome: ok, value: {entries: [{kind: k}]}}\n",
      HEAD NODES "op: roundtrip\nargs: [a]\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: roundtrip\nargs: [a]\nexpect: {outcome: ok, value: {results: a}}\n",
      HEAD NODES "op: roundtrip\nargs: [a]\nmodule: {}\nexpect: {outcome: ok, value: {results: [a]}}\n",
      HEAD NODES "op: emit\nargs: a\nexpect: {outcome: ok, value: {instructions: []}}\n",
      HEAD NODES "op: emit\nargs: [a]\nexpect: {outcome: ok, value: {instructions: []}}\n",
      HEAD NODES "op: emit\nargs: [a]\nexpect: {outcome: ok, value: {instructions: [null]}}\n",
      HEAD NODES "op: emit\nargs: [a]\nexpect: {outcome: ok, value: {instructions: [{layer: []}]}}\n",
      HEAD NODES "op: emit\nargs: [a]\nexpect: {outcome: ok, value: {instructions: [{primary: {file: f, line: 1}}]}}\n",
      HEAD NODES "op: emit\nargs: []\nexpect: {outcome: ok, value: {instructions: [], nodes: {}}}\n",
      HEAD NODES "op: emit\nargs: []\nexpect: {outcome: ok, value: {instructions: [], texts: [{kind: k, file: f}]}}\n",
      HEAD NODES "op: emit\nargs: []\nmodule: {functions: []}\nexpect: {outcome: ok, value: {instructions: []}}\n",
      HEAD NODES "op: print\nargs: [a]\nwith: {}\nexpect: {outcome: ok, value: {text: x}}\n",
      HEAD NODES "op: print\nargs: [a]\nwith: {merge.odd: drop}\nexpect: {outcome: ok, value: {text: x}}\n",
      HEAD NODES "op: print\nargs: [a]\nwith: {merge.empty: odd}\nexpect: {outcome: ok, value: {text: x}}\n",
      HEAD NODES "op: print\nargs: [a]\nwith: {merge.empty: keep-composite}\nexpect: {outcome: ok, value: {text: x}}\n",
      HEAD NODES "op: link\nargs: {lists: [a]}\nexpect: {outcome: ok, value: {sources: []}}\n",
      HEAD NODES "op: link\nargs: {lists: [[a]]}\nexpect: {outcome: ok, value: {sources: a}}\n",
      HEAD NODES "op: link\nargs: {lists: [[a]]}\nmodule: {}\nexpect: {outcome: ok, value: {sources: [a]}}\n",
      HEAD NODES "op: strip\nargs: [a]\nexpect: {outcome: ok, value: {results: [a]}}\n",
      HEAD NODES "op: strip\nargs: {locations: [a]}\nexpect: {outcome: ok, value: {results: [a]}}\n",
      HEAD NODES "op: strip\nargs: {locations: [a], keep: all}\nexpect: {outcome: ok, value: {results: [a]}}\n",
      HEAD NODES "op: strip\nargs: {locations: [a], keep: nothing}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES
      "op: strip\nargs: {locations: [], keep: nothing}\nmodule: {}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: outline\nargs: {function: a}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: outline\nargs: {locations: [a], function: [b]}\nexpect: {outcome: ok, value: {results: [a]}}\n",
      HEAD NODES "op: outline\nargs: {locations: [a]}\nexpect: {outcome: ok, value: {results: []}}\n",
      HEAD NODES "op: outline\nargs: {locations: [a]}\nmodule: {}\nexpect: {outcome: ok, value: {results: [a]}}\n",
      HEAD NODES "op: section\nargs: [a]\nexpect: {outcome: ok, value: {tables: []}}\n",
      HEAD NODES "op: section\nargs: {kinds: a}\nexpect: {outcome: ok, value: {tables: []}}\n",
      HEAD NODES "op: section\nargs: {kinds: [a]}\nexpect: {outcome: ok, value: {tables: []}}\n",
      HEAD NODES "op: section\nargs: {kinds: []}\nexpect: {outcome: ok, value: {tables: [], texts: x}}\n",
      HEAD NODES
      "op: encode\nargs: []\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: {functions: [{}]}}\n",
      HEAD NODES
      "op: encode\nargs: [frob]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: {functions: [{}]}}\n",
      HEAD NODES
      "op: encode\nargs: [records]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: {functions: []}}\n",
      HEAD NODES "op: encode\nargs: [records]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{functions: [{}]}}\n",
      HEAD NODES "op: encode\nargs: [records]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{functions: [{records: [], metadata: []}]}}\n",
      HEAD NODES "op: encode\nargs: [metadata]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{functions: [{metadata: []}]}}\n",
      HEAD NODES "op: encode\nargs: [records]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{functions: [{records: [[{}]]}]}}\n",
      HEAD NODES "op: encode\nargs: [records]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{functions: [{records: [[{DEBUG_LOC: [x]}]]}]}}\n",
      HEAD NODES "op: encode\nargs: [records]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{functions: [{records: [[{DEBUG_LOC: [], DEBUG_LOC_AGAIN: []}]]}]}}\n",
      HEAD NODES "op: encode\nargs: [metadata]\nmodule: {functions: [{name: f}]}\nexpect: {outcome: ok, value: "
                 "{metadata: [nobody], functions: [{metadata: []}]}}\n",
      HEAD NODES "op: encode\nargs: [records]\nexpect: {outcome: ok, value: {functions: []}}\n",
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    vector v;
    value_diagnostic diagnostic;
    dloc_status status = try_vector(cases[i], &diagnostic, &v);
    if (status != DLOC_INVALID)
      print_error("case %zu\n", i);
    assert_int_equal(status, DLOC_INVALID);
    assert_true(diagnostic.line > 0);
  }
}

/* ---- Which expectation ---- */

static void expectations_follow_the_profile(void **state) {
  (void)state;
  const vector v =
      read_vector(HEAD NODES MERGE EXPECT "choices:\n  merge.rules: {llvm-14: {outcome: ok, value: {result: a}}}\n"
                                          "  merge.empty: {drop: {outcome: ok, value: {result: b}}}\n"
                                          "profiles:\n  llvm-19: {outcome: ok, value: {result: null}}\n");
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("rfc"))), &v.expect);
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("llvm-14"))), &v.choices[0].expect);
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("llvm-22"))), &v.choices[1].expect);
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("llvm-19"))), &v.profiles[0].expect);
  dloc_profile changed = vector_choice_profile(&v, &v.choices[1]);
  assert_ptr_equal(vector_expectation_for(&v, &changed), &v.choices[1].expect);
}

/* llvm-14 is based on llvm-19, and takes other rules of merging. pr215666 is based on llvm-22, pr211390 on pr215666. */
static void profiles_inherit_expectations(void **state) {
  (void)state;
  const vector v =
      read_vector(HEAD NODES MERGE EXPECT "choices:\n  merge.empty: {drop: {outcome: ok, value: {result: b}}}\n"
                                          "profiles:\n  llvm-22: {outcome: ok, value: {result: null}}\n"
                                          "  pr215666: {outcome: ok, value: {result: a}}\n");
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("llvm-14"))), &v.profiles[0].expect);
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("pr211390"))), &v.profiles[1].expect);
  const vector w =
      read_vector(HEAD NODES MERGE EXPECT "choices:\n  merge.rules: {llvm-14: {outcome: ok, value: {result: b}}}\n"
                                          "profiles:\n  llvm-22: {outcome: ok, value: {result: null}}\n");
  assert_ptr_equal(vector_expectation_for(&w, dloc_profile_find(dloc_text_of("pr215666"))), &w.profiles[0].expect);
  assert_ptr_equal(vector_expectation_for(&w, dloc_profile_find(dloc_text_of("llvm-14"))), &w.choices[0].expect);
}

static void layers_do_not_apply_to_stock_profiles(void **state) {
  (void)state;
  char *text = replaced(HEAD NODES MERGE EXPECT, "[merge]", "[merge, layers]");
  const vector v = read_vector(text);
  assert_null(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("llvm-22"))));
  assert_ptr_equal(vector_expectation_for(&v, dloc_profile_find(dloc_text_of("pr205453"))), &v.expect);
  free(text);
  text = replaced(HEAD NODES MERGE EXPECT
                  "choices: {shape.tuple: {reject: {outcome: reject, reason: shape.tuple-rejected}}}\n",
                  "[merge]", "[merge, layers]");
  const vector w = read_vector(text);
  assert_ptr_equal(vector_expectation_for(&w, dloc_profile_find(dloc_text_of("llvm-22"))), &w.choices[0].expect);
  free(text);
}

/* ---- Comparing ---- */

static const char *answer_text(const vector *v, const char *answer) {
  value *read = NULL;
  value_diagnostic diagnostic;
  vector_answer given;
  assert_int_equal(value_read_one(dloc_text_of(answer), &arena, &diagnostic, &read), DLOC_OK);
  dloc_context_reset(context);
  dloc_status status = vector_answer_read(v, read, context, &arena, &diagnostic, &given);
  if (status != DLOC_OK)
    print_error("%s\n", diagnostic.message);
  assert_int_equal(status, DLOC_OK);
  return text_of(context, &given);
}

static void the_model_finds_a_wrong_expectation(void **state) {
  (void)state;
  const vector good = read_vector(HEAD NODES MERGE EXPECT);
  assert_string_equal(expected_text(&good, &good.expect), model_text(&good, "rfc"));
  char *text = replaced(HEAD NODES MERGE EXPECT, "line: 0", "line: 2");
  const vector bad = read_vector(text);
  assert_string_not_equal(expected_text(&bad, &bad.expect), model_text(&bad, "rfc"));
  free(text);
}

static void names_do_not_matter_content_does(void **state) {
  (void)state;
  const vector v = read_vector(HEAD NODES MERGE EXPECT);
  const char *expected = expected_text(&v, &v.expect);
  assert_string_equal(
      expected,
      answer_text(&v, "{outcome: ok, value: {result: z, nodes: {z: {node: DILocation, column: 0, scope: f}}}}"));
  /* Names of the vector can be shadowed and whole graphs sent. */
  assert_string_equal(
      expected,
      answer_text(
          &v,
          "{\"outcome\":\"ok\",\"value\":{\"result\":\"a\",\"nodes\":{"
          "\"a\":{\"node\":\"DILocation\",\"scope\":\"f\"},"
          "\"q\":{\"node\":\"DIFile\",\"filename\":\"a.c\",\"directory\":\"d\"},"
          "\"w\":{\"node\":\"DICompileUnit\",\"distinct\":true,\"language\":\"DW_LANG_C99\",\"file\":\"q\"},"
          "\"f\":{\"node\":\"DISubprogram\",\"distinct\":true,\"name\":\"f\",\"scope\":\"q\",\"file\":\"q\",\"line\":1,"
          "\"spFlags\":\"DISPFlagDefinition\",\"unit\":\"w\"}}}}"));
  assert_string_not_equal(expected, answer_text(&v, "{outcome: ok, value: {result: null}}"));
  assert_string_not_equal(expected, answer_text(&v, "{outcome: ok, value: {result: a}}"));
  assert_string_not_equal(expected, answer_text(&v, "{outcome: reject, reason: operand.not-debug-loc}"));
}

static void distinctness_matters(void **state) {
  (void)state;
  const vector v = read_vector(HEAD NODES MERGE EXPECT);
  assert_string_not_equal(
      expected_text(&v, &v.expect),
      answer_text(&v, "{outcome: ok, value: {result: r, nodes: {r: {node: DILocation, distinct: true, scope: f}}}}"));
}

/* Two results at one call site, and two results at two call sites that say the same. */
static void sharing_matters(void **state) {
  (void)state;
  const vector v = read_vector("id: t.i\nclauses: [inline.call-site]\nlevel: must\nsince: rfc\nneeds: [inline]\n" NODES
                               "op: inline\nargs: {call: a, callee: [a, b]}\n"
                               "expect: {outcome: ok, value: {results: [x, y], nodes: {s: {node: DILocation, distinct: "
                               "true, line: 2, column: 1, scope: f},\n"
                               "  x: {node: DILocation, line: 2, column: 1, scope: f, inlinedAt: s}, y: {node: "
                               "DILocation, line: 3, column: 1, scope: f, inlinedAt: s}}}}\n");
  const char *expected = expected_text(&v, &v.expect);
  assert_string_equal(expected, model_text(&v, "rfc"));
  assert_string_not_equal(expected,
                          answer_text(&v, "{outcome: ok, value: {results: [x, y], nodes: {s: {node: DILocation, "
                                          "distinct: true, line: 2, column: 1, scope: f},"
                                          " t: {node: DILocation, distinct: true, line: 2, column: 1, scope: f},"
                                          " x: {node: DILocation, line: 2, column: 1, scope: f, inlinedAt: s}, y: "
                                          "{node: DILocation, line: 3, column: 1, scope: f, inlinedAt: t}}}}"));
  assert_string_not_equal(expected,
                          answer_text(&v, "{outcome: ok, value: {results: [y, x], nodes: {s: {node: DILocation, "
                                          "distinct: true, line: 2, column: 1, scope: f},"
                                          " x: {node: DILocation, line: 2, column: 1, scope: f, inlinedAt: s}, y: "
                                          "{node: DILocation, line: 3, column: 1, scope: f, inlinedAt: s}}}}"));
}

static void nodes_that_cannot_exist_are_a_parse_rejection(void **state) {
  (void)state;
  char *text = replaced(HEAD NODES MERGE EXPECT, "line: 2, column: 1", "line: 2, column: 65536");
  const vector v = read_vector(text);
  assert_string_equal(model_text(&v, "rfc"), "outcome: reject\nreason: field.too-large\nseverity: parse\n");
  free(text);
  text = replaced(HEAD NODES MERGE EXPECT, "line: 0,", "line: 0, column: 65536,");
  const vector w = read_vector(text);
  vector_answer answer;
  value_diagnostic diagnostic;
  dloc_context_reset(context);
  assert_int_equal(
      vector_expectation_answer(&w, &w.expect, &(vector_case){.context = context}, &arena, &diagnostic, &answer),
      DLOC_INVALID);
  assert_string_equal(diagnostic.code, "field.too-large");
  assert_int_equal(diagnostic.line, 14);
  free(text);
}

static void answers_are_checked_like_expectations(void **state) {
  static const char *const cases[] = {"{}",
                                      "[]",
                                      "{outcome: ok}",
                                      "{outcome: ok, value: {}}",
                                      "{outcome: ok, value: {result: r}}",
                                      "{outcome: reject}",
                                      "{outcome: ok, value: {result: r, nodes: {r: {node: DILocation, scope: x}}}}",
                                      "{outcome: ok, value: {result: r, nodes: {r: {node: DILocation}}}}"};
  (void)state;
  const vector v = read_vector(HEAD NODES MERGE EXPECT);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    value *read = NULL;
    value_diagnostic diagnostic;
    vector_answer given;
    assert_int_equal(value_read_one(dloc_text_of(cases[i]), &arena, &diagnostic, &read), DLOC_OK);
    dloc_context_reset(context);
    assert_int_equal(vector_answer_read(&v, read, context, &arena, &diagnostic, &given), DLOC_INVALID);
  }
}

/* Fresh atom groups are counted from what has been created before. */
static void a_vector_with_atoms_says_so(void **state) {
  (void)state;
  const vector without = read_vector(HEAD NODES MERGE EXPECT);
  assert_false(vector_has_atoms(&without));
  char *text =
      replaced(HEAD NODES MERGE EXPECT, "column: 1, scope: f}", "column: 1, scope: f, atomGroup: 2, atomRank: 1}");
  const vector with = read_vector(text);
  assert_true(vector_has_atoms(&with));
  free(text);
}

/* ---- Canonical form ---- */

static const char *canonical_text(const char *text) {
  value *document = NULL;
  value canonical;
  value_diagnostic diagnostic;
  dloc_buffer buffer = {0};
  assert_int_equal(value_read_one(dloc_text_of(text), &arena, &diagnostic, &document), DLOC_OK);
  vector_canonical(document, &arena, &canonical);
  assert_int_equal(vector_write(&canonical, dloc_buffer_sink(&buffer)), DLOC_OK);
  const char *copy = value_arena_copy(&arena, (dloc_text){buffer.bytes, buffer.size}).bytes;
  dloc_buffer_deinit(&buffer);
  return copy;
}

static void canonical_form_is_one(void **state) {
  (void)state;
  const char *one = canonical_text("args: [x]\nop: print\nnodes: {x: {scope: f, node: DILocation, column: 2, line: 1, "
                                   "distinct: true}, f: {node: DIFoo, z: 1, a: \"2\"}}\nclauses: [c]\n"
                                   "note: why\nid: t.x\nexpect: {value: {text: \"y\"}, outcome: ok}\n");
  assert_string_equal(
      one, "id: t.x\nnote: why\nnodes:\n"
           "  x: {node: DILocation, distinct: true, line: 1, column: 2, scope: f}\n"
           "  f: {node: DIFoo, z: 1, a: \"2\"}\nop: print\nargs: [x]\nexpect: {outcome: ok, value: {text: \"y\"}}\n"
           "digest: \"5eb939d2d50040e98ba6882b089b1d80\"\nclauses: [c]\n");
  assert_string_equal(canonical_text(one), one);
}

/* A document of a type, its keys in the wrong order. */
static value backwards(const type *t) {
  value made = {.kind = t->kind == TYPE_LIST ? VALUE_LIST : VALUE_MAP};
  size_t count = 0;
  if (t->kind == TYPE_LIST)
    value_add(&arena, &made, backwards(t->of));
  if (t->kind != TYPE_LIST && t->kind != TYPE_MAP)
    return value_of_word(&arena, "x");
  for (const field *f = t->fields; f && f->key; f++)
    count++;
  for (; count > 0; count--)
    value_put_value(&arena, &made, t->fields[count - 1].key, backwards(t->fields[count - 1].of));
  return made;
}

static void assert_in_order(const type *t, const value *v) {
  if (t->kind == TYPE_LIST)
    assert_in_order(t->of, &v->of.items[0]);
  for (uint32_t i = 0; t->kind == TYPE_MAP && i < v->count; i++) {
    assert_string_equal(v->of.entries[i].key.bytes, t->fields[i].key);
    assert_in_order(t->fields[i].of, &v->of.entries[i].value);
  }
}

/* Also hoist's `location` and `function`: one content has one digest. */
static void fmt_orders_every_key_of_every_op(void **state) {
  (void)state;
  for (int op = 0; op < VECTOR_OP_COUNT; op++)
    for (size_t i = 0; i < 2 && operations[op]->forms[i].args; i++) {
      const operation_form *form = &operations[op]->forms[i];
      value document = {.kind = VALUE_MAP}, expect = {.kind = VALUE_MAP}, canonical;
      value_put_value(&arena, &expect, "value", backwards(form->value));
      value_put_value(&arena, &document, "expect", expect);
      value_put_value(&arena, &document, "args", backwards(form->args));
      value_put_text(&arena, &document, "op", dloc_text_of(operations[op]->name));
      value_put_value(&arena, &document, "module", backwards(module_type));
      vector_canonical(&document, &arena, &canonical);
      assert_string_equal(canonical.of.entries[0].key.bytes, "module");
      assert_in_order(module_type, value_get(&canonical, "module"));
      assert_in_order(form->args, value_get(&canonical, "args"));
      assert_in_order(form->value, value_get(value_get(&canonical, "expect"), "value"));
    }
}

static void the_digest_is_of_the_content(void **state) {
  (void)state;
  const char *one = canonical_text("id: t.x\nop: print\nargs: [x]\nclauses: [c]\n");
  const char *note = canonical_text("id: t.x\nop: print\nnote: other\ndigest: wrong\nargs: [x]\nclauses: [c]\n");
  const char *other = canonical_text("id: t.x\nop: print\nargs: [y]\nclauses: [c]\n");
  assert_non_null(strstr(one, "digest: "));
  const char *digest = strstr(one, "digest: ");
  assert_memory_equal(digest, strstr(note, "digest: "), 40);
  assert_memory_not_equal(digest, strstr(other, "digest: "), 40);
}

static void count_unused(void *user, dloc_text name, uint32_t line, uint32_t column) {
  assert_true(line > 0 && column > 0 && name.size > 0);
  ++*(unsigned *)user;
}

static void unused_nodes_are_found(void **state) {
  (void)state;
  unsigned count = 0;
  const vector none = read_vector(HEAD NODES MERGE EXPECT);
  assert_int_equal(vector_unused(&none, &arena, count_unused, &count), DLOC_OK);
  assert_int_equal(count, 0);
  char *text = replaced(HEAD NODES MERGE EXPECT, "args: [a, b]", "args: [a, a]");
  const vector one = read_vector(text);
  assert_int_equal(vector_unused(&one, &arena, count_unused, &count), DLOC_OK);
  assert_int_equal(count, 1);
  free(text);
}

/* ---- Suites ---- */

/* Every vector of the project: what the model answers survives being sent as a line of JSON, under every profile;
 * alone: with all nodes, also those of the question. */
static void answers_survive_json(const vector *v, bool alone) {
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    vector_case built;
    vector_answer answer;
    value described;
    dloc_buffer line = {0};
    dloc_context_reset(context);
    assert_int_equal(vector_build(v, context, &arena, &built), DLOC_OK);
    assert_int_equal(vector_ask(v, &built, dloc_profile_at(i), &arena, NULL, &answer), DLOC_OK);
    const char *text = text_of(context, &answer);
    assert_int_equal(
        vector_answer_value(v, built.rejected || alone ? NULL : &built, context, &arena, &answer, &described), DLOC_OK);
    assert_int_equal(value_write_json(&described, dloc_buffer_sink(&line)), DLOC_OK);
    vector_case_deinit(&built);
    assert_string_equal(answer_text(v, line.bytes), text);
    dloc_buffer_deinit(&line);
  }
}

#define ANYTHING "expect: {outcome: reject, reason: bitcode.id}\n" /* not looked at */

/* Nodes that no module can have, or only a broken one: what is told of them is an answer, or a reason. */
static void a_node_of_another_class_has_an_answer_or_a_reason(void **state) {
  (void)state;
  static const struct {
    const char *text, *told;
  } rows[] = {
      /* A cyclic chain has no text. */
      {HEAD "nodes:\n" FILE_F
            "  a: {node: DILocation, line: 2, scope: f, inlinedAt: a}\nop: print\nargs: [a]\n" ANYTHING,
       "location.inlined-at-cycle"},
      /* The unit is a file, and stays. */
      {HEAD
       "nodes:\n  file: {node: DIFile, filename: a.c, directory: d}\n"
       "  f: {node: DISubprogram, distinct: true, name: f, scope: file, file: file, unit: file}\n"
       "  a: {node: DILocation, line: 2, scope: f}\nop: strip\nargs: {locations: [a], keep: line-tables}\n" ANYTHING,
       "outcome: ok"},
      /* A distinct composite loses its only layer, whose location is a file, and is bare then. */
      {HEAD "nodes:\n" FILE_F "  p: {node: DILocation, line: 2, scope: f}\n"
            "  a: {node: composite, distinct: true, primary: p, layers: [{kind: K, location: file}]}\n"
            "op: copy\nargs: {function: f, locations: [a]}\n" ANYTHING,
       "outcome: ok"},
      /* Number 1, the scope, has no node. */
      {HEAD "nodes:\n" FILE_F "op: decode\n"
            "args: {metadata: [f, null], records: [{LOCATION: [0, 4, 2, 1, 0, 0]}]}\n" ANYTHING,
       "bitcode.id"},
      /* A class whose fields are kept as they are. */
      {HEAD
       "nodes:\n" FILE_F "  t: {node: DIBasicType, tag: DW_TAG_unspecified_type, file: null}\n"
       "module:\n  functions:\n    - {name: f, subprogram: f}\n  named:\n    kept: [t]\nop: encode\nargs: [metadata]\n" ANYTHING,
       "file: null"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const vector v = read_vector(rows[i].text);
    const char *text = model_text(&v, "rfc");
    answers_survive_json(&v, true);
    if (!strstr(text, rows[i].told))
      fail_msg("%s\n%s", rows[i].text, text);
  }
}

static void every_answer_of_the_suite_survives_json(void **state) {
  (void)state;
  const char *const paths[] = {"vectors"};
  suite *s = NULL;
  suite_error error;
  if (access("vectors", R_OK) != 0)
    skip(); /* run elsewhere than in the repository */
  assert_int_equal(suite_create(paths, 1, &error, &s), DLOC_OK);
  for (bool end = false; !end;) {
    const char *path = NULL;
    vector v;
    value_arena_reset(&arena);
    dloc_status status = suite_next_vector(s, &arena, &error, &path, &v, &end);
    if (status == DLOC_OK && !end)
      answers_survive_json(&v, false);
  }
  suite_destroy(s);
}

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

static void suites_are_read_in_order(void **state) {
  (void)state;
  char folder[] = "/tmp/dloc-suite-XXXXXX", first[64], second[64], other[64];
  assert_non_null(mkdtemp(folder));
  snprintf(first, sizeof first, "%s/a.yaml", folder);
  snprintf(second, sizeof second, "%s/b.yaml", folder);
  snprintf(other, sizeof other, "%s/c.txt", folder);
  write_file(second, "id: three\n");
  write_file(first, "id: one\n---\nid: two\n---\nid: [\n");
  write_file(other, "id: none\n");
  const char *const paths[] = {folder};
  suite *s = NULL;
  suite_error error;
  assert_int_equal(suite_create(paths, 1, &error, &s), DLOC_OK);
  assert_int_equal(suite_file_count(s), 2);
  const char *path = NULL;
  value *document = NULL;
  const char *expected[] = {"one", "two", NULL, "three"};
  for (size_t i = 0; i < 4; i++) {
    dloc_status status = suite_next(s, &arena, &error, &path, &document);
    assert_int_equal(status, expected[i] ? DLOC_OK : DLOC_INVALID); /* what is broken is reported, the next file read */
    if (expected[i])
      assert_true(value_is(value_get(document, "id"), expected[i]));
    else
      assert_true(!error.unreadable && strcmp(error.path, first) == 0 && error.at.line == 6);
  }
  assert_int_equal(suite_next(s, &arena, &error, &path, &document), DLOC_OK);
  assert_null(document);
  suite_destroy(s);
  const char *const missing[] = {"/nonexistent/x.yaml"};
  assert_int_equal(suite_create(missing, 1, &error, &s), DLOC_INVALID);
  assert_true(error.unreadable);
  unlink(first);
  unlink(second);
  unlink(other);
  rmdir(folder);
}

/* Appends the ids of a part's documents, and their lines. */
static void list_part(suite *s, char *list) {
  suite_error error;
  const char *path = NULL;
  for (value *document = NULL;;) {
    assert_int_equal(suite_next(s, &arena, &error, &path, &document), DLOC_OK);
    if (!document)
      return;
    dloc_text id = value_text(value_get(document, "id"));
    sprintf(list + strlen(list), " %.*s:%u", (int)id.size, id.bytes, (unsigned)value_get(document, "id")->line);
  }
}

static void parts_of_a_suite_have_each_document_once(void **state) {
  (void)state;
  char folder[] = "/tmp/dloc-suite-XXXXXX", yaml[64], lines[64], empty[64];
  assert_non_null(mkdtemp(folder));
  snprintf(yaml, sizeof yaml, "%s/a.yaml", folder);
  snprintf(empty, sizeof empty, "%s/b.yaml", folder);
  snprintf(lines, sizeof lines, "%s/c.jsonl", folder);
  write_file(yaml, "# one\nid: a\n---\n\nid: b\ntext: |\n  x\n  ---\n  y\n--- {id: c}\n---\t\n---x: 1\nid: d\n"
                   "...\n# to\n---\nid: e\ntext: \"--- \"\n---\nid: f\n");
  write_file(empty, "");
  write_file(lines, "{\"id\":\"g\"}\n\n{\"id\":\"h\"}\n{\"id\":\"i\"}");
  const char *const paths[] = {folder};
  char whole[256] = "";
  for (unsigned parts = 1; parts < 200; parts++) {
    char list[256] = "";
    for (unsigned i = 0; i < parts; i++) {
      suite *s = NULL;
      suite_error error;
      assert_int_equal(suite_create(paths, 1, &error, &s), DLOC_OK);
      const uint64_t bytes = suite_bytes(s);
      assert_true(bytes > 100);
      if (parts > 1)
        suite_part(s, bytes * i / parts, i + 1 < parts ? bytes * (i + 1) / parts : UINT64_MAX);
      list_part(s, parts > 1 ? list : whole);
      suite_destroy(s);
    }
    if (parts > 1)
      assert_string_equal(list, whole);
  }
  unlink(yaml);
  unlink(empty);
  unlink(lines);
  rmdir(folder);
}

/* ---- Memory ---- */

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(schema_errors_are_precise),
      TEST(values_of_other_operations_are_checked),
      TEST(expectations_follow_the_profile),
      TEST(profiles_inherit_expectations),
      TEST(layers_do_not_apply_to_stock_profiles),
      TEST(the_model_finds_a_wrong_expectation),
      TEST(names_do_not_matter_content_does),
      TEST(distinctness_matters),
      TEST(sharing_matters),
      TEST(nodes_that_cannot_exist_are_a_parse_rejection),
      TEST(answers_are_checked_like_expectations),
      TEST(a_vector_with_atoms_says_so),
      TEST(canonical_form_is_one),
      TEST(fmt_orders_every_key_of_every_op),
      TEST(the_digest_is_of_the_content),
      TEST(unused_nodes_are_found),
      TEST(a_node_of_another_class_has_an_answer_or_a_reason),
      TEST(every_answer_of_the_suite_survives_json),
      TEST(suites_are_read_in_order),
      TEST(parts_of_a_suite_have_each_document_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
