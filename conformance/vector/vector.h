/* vector.h - a golden vector: a typed view of one document of vectors/, what the model says about it, and comparison.
 *
 * The life of a vector, each step usable alone:
 *   value_read -> vector_read   checked against the format; borrows the document
 *   vector_expectation_for      what a built-in profile expects, by the rule of vectors/README.md; for any other one
 *                               see inquiry.h
 *   vector_build                its nodes, args and module in a fresh dloc_context: an adapter's starting point
 *   vector_evaluate             that, and the model's answer
 *   vector_answer_read          an expectation or an adapter's answer, from its value, in a fresh context
 *   vector_answer_text          canonical text: two answers are the same exactly when their texts are
 *   vector_answer_value         an answer as a value, nodes included: what the model adapter sends
 *
 * Memory: everything but the nodes lives in the value_arena that is passed, nodes live in the dloc_context. Use a fresh
 * context for each build, evaluation or answer (fresh atom groups count per context). */
#pragma once

#include "ops/operation.h"

/* The bits of vector.needs and of an implementation's capabilities. The ops come first, with their vector_op as number;
 * `source` is both. */
typedef enum vector_need {
  VECTOR_NEED_LAYERS = VECTOR_OP_COUNT,
  VECTOR_NEED_ATOMS,
  VECTOR_NEED_RECORDS,
  VECTOR_NEED_PICK,
  VECTOR_NEED_IRLAYERS,
  VECTOR_NEED_COUNT
} vector_need;

#define VECTOR_NEED_BIT(need) (UINT64_C(1) << (need))

const char *vector_op_name(vector_op op);
const char *vector_need_name(unsigned need);
bool vector_need_find(dloc_text name, unsigned *ret);

typedef enum vector_outcome { VECTOR_OK, VECTOR_REJECT } vector_outcome;

/* An expectation: `expect`, or an entry under `choices` or `profiles`; or what an adapter sent. */
typedef struct vector_expectation {
  const value *value; /* the map {outcome, reason, severity, value} */
  vector_outcome outcome;
  dloc_reason reason;     /* of a rejection */
  dloc_severity severity; /* the same */
  const term *read;       /* the value; NULL: none */
  const graph *graph;     /* of its nodes; NULL: no value */
} vector_expectation;

typedef struct vector_choice {
  dloc_choice choice;
  unsigned alternative;
  vector_expectation expect;
  uint32_t line; /* of the alternative's name */
  uint32_t column;
} vector_choice;

typedef struct vector_profile {
  const dloc_profile *profile;
  vector_expectation expect;
  uint32_t line;
  uint32_t column;
} vector_profile;

typedef struct vector {
  const value *document;
  dloc_text id;
  dloc_text digest;       /* empty when absent */
  const dloc_text *kills; /* the mutants of the model that it is responsible for (mutants.h), by name */
  size_t kill_count;
  dloc_text note; /* empty when absent */
  const dloc_clause *clauses;
  size_t clause_count;
  const char *level;         /* "must", ... static storage */
  const dloc_profile *since; /* a built-in one, or such a one with the alternatives under `with` */
  const vector_choice *with; /* expect is NULL */
  size_t with_count;
  uint64_t needs; /* VECTOR_NEED_BIT */
  vector_op op;
  const value *nodes;  /* a map, or NULL */
  const value *args;   /* or NULL */
  const value *module; /* a map, or NULL */
  vector_expectation expect;
  const vector_choice *choices;
  size_t choice_count;
  const vector_profile *profiles;
  size_t profile_count;
  const graph *graph;         /* of the nodes */
  const operation_form *form; /* of the op: what it takes here, and gives */
  const term *read_args;      /* the args and the module, names resolved; or NULL */
  const term *read_module;
} vector;

/* Check a document against the format and fill *ret in. document and arena must outlive it. */
dloc_status vector_read(const value *document, value_arena *arena, value_diagnostic *diagnostic, vector *ret);

/* An expectation, and the profile that somebody derived it for. */
typedef struct vector_point {
  dloc_profile profile;
  const vector_expectation *expect;
} vector_point;

/* The points that may say what a profile expects, nearest first; *at starts at 0. False behind the last. */
bool vector_next_point(const vector *v, const dloc_profile *profile, size_t *at, vector_point *ret);
/* The nearest of them, which holds for the built-in profiles (vectors/README.md, "Which expectation"); NULL when there
 * is none, or the vector does not apply to the profile. */
const vector_expectation *vector_expectation_for(const vector *v, const dloc_profile *profile);
/* The profile in which an entry under `choices` is judged: that of `expect` with that alternative. */
dloc_profile vector_choice_profile(const vector *v, const vector_choice *choice);

/* ---- Building ---- */

typedef struct vector_case {
  dloc_context *context;
  const dloc_node *nodes; /* entry i of the vector's nodes */
  const term *args;       /* or NULL */
  dloc_module *module;    /* or NULL; destroyed by vector_case_deinit, before the context */
  /* Why a node cannot exist (a column of 17 bits, a missing field): then the rest is NULL, and a rejection for this
   * reason is the answer. */
  dloc_reason rejected;
} vector_case;

typedef struct vector_answer vector_answer;

/* Build into context. */
dloc_status vector_build(const vector *v, dloc_context *context, value_arena *arena, vector_case *ret);
void vector_case_deinit(vector_case *built);

/* ---- Answers ---- */

/* The reason of that name. */
bool vector_reason_find(dloc_text name, dloc_reason *ret);

/* An implementation's answer to a vector. */
struct vector_answer {
  vector_op op;
  vector_outcome outcome;
  dloc_reason reason;     /* reject */
  dloc_severity severity; /* reject */
  term *value;            /* ok, of the type that the op gives; NULL: none */
};

/* An answer `ok` to a vector, its value to be filled in. */
vector_answer vector_ok(const vector *v, value_arena *arena);

/* The model's answer under a profile. context must be fresh. trace may be NULL. */
dloc_status vector_evaluate(const vector *v, const dloc_profile *profile, dloc_context *context, value_arena *arena,
                            const dloc_trace *trace, vector_answer *ret);
/* Asks about a case that has been built, and may be asked again: only fresh atom groups depend on what was asked
 * before, and only atom groups on dloc_context_set_profile; a vector without atoms needs to be built but once. */
dloc_status vector_ask(const vector *v, const vector_case *built, const dloc_profile *profile, value_arena *arena,
                       const dloc_trace *trace, vector_answer *ret);
bool vector_has_atoms(const vector *v);
/* The answer that an expectation of the vector states, in the context of a case that has been built; a case with a fresh
 * context alone will do. DLOC_INVALID with a diagnostic when one of its nodes cannot exist. */
dloc_status vector_expectation_answer(const vector *v, const vector_expectation *e, const vector_case *built,
                                      value_arena *arena, value_diagnostic *diagnostic, vector_answer *ret);
/* Read an answer {outcome, reason, severity, value}: an expectation's value, or what an adapter sent. Names refer to
 * value.nodes first, then to the vector's nodes. context must be fresh. DLOC_INVALID with a diagnostic when it is
 * malformed. */
dloc_status vector_answer_read(const vector *v, const value *answer, dloc_context *context, value_arena *arena,
                               value_diagnostic *diagnostic, vector_answer *ret);
/* Both are of one context, and the same in every node: so their texts are the same. Answers with new nodes may have
 * the same text and not be equal. */
bool vector_answer_equal(const vector_answer *a, const vector_answer *b);
/* Canonical text, several lines: outcome, what is not a node, then the graph.
 * Independent of names and of the context. */
dloc_status vector_answer_text(dloc_context *context, const vector_answer *answer, dloc_sink sink);
/* {outcome, reason, severity, value: {..., nodes}}. Nodes that the vector names keep their name; pass the case it was
 * built from, or NULL. */
dloc_status vector_answer_value(const vector *v, const vector_case *built, dloc_context *context, value_arena *arena,
                                const vector_answer *answer, value *ret);

/* ---- For lint ---- */

/* Calls report for each node, of the vector and of its expectations, that nothing refers to. */
typedef void vector_unused_report(void *user, dloc_text name, uint32_t line, uint32_t column);
dloc_status vector_unused(const vector *v, value_arena *arena, vector_unused_report *report, void *user);
/* Whether a node of the vector is a composite. */
bool vector_has_layers(const vector *v);
bool vector_has_irlayers(const vector *v);

/* ---- Canonical form (fmt, lint, gen) ---- */

/* A copy of the document with its keys in canonical order and its digest set. */
void vector_canonical(const value *document, value_arena *arena, value *ret);
/* The digest: MD5 in hexadecimal of the canonical document as a JSON line, without `digest`, `kills` and `note`.
 * NUL-terminated. */
void vector_digest(const value *canonical, value_arena *arena, char ret[33]);
/* The MD5 of a text, likewise. */
void text_digest(dloc_text text, char ret[33]);
/* Canonical YAML of a canonical document. */
dloc_status vector_write(const value *canonical, dloc_sink sink);
