/* vector_internal.h - plans: what a vector says with every name resolved, so that building it again and again is cheap.
 *
 * vector.c reads a document; vector_graph.c its nodes, vector_case.c its args and module, vector_answer.c answers,
 * vector_emit.c and vector_encode.c those of the ops emit and encode. Each part is first made into a plan, with
 * diagnostics, and then built into a context, without any. */
#ifndef DLOC_CONFORMANCE_VECTOR_INTERNAL_H
#define DLOC_CONFORMANCE_VECTOR_INTERNAL_H

#include "vector.h"
#include "try.h"

/* Where plans go and what is wrong with them. */
typedef struct schema {
  value_arena *arena;
  value_diagnostic *diagnostic;
} schema;

#define WRONG(s, at, code, ...) value_diagnose((s)->diagnostic, (at)->line, (at)->column, code, __VA_ARGS__)

/* ---- Nodes ---- */

typedef enum operand_kind { OPERAND_NULL, OPERAND_NODE, OPERAND_STRING, OPERAND_CONSTANT, OPERAND_WORD } operand_kind;

typedef struct operand {
  operand_kind kind;
  uint32_t node;  /* index of a node */
  dloc_text text; /* of a string, constant or word */
} operand;

typedef struct planned_field {
  dloc_text key; /* the layer's kind in a composite; empty in a tuple and for a positional value */
  operand value;
} planned_field;

typedef enum node_form { FORM_SPECIALISED, FORM_TUPLE, FORM_COMPOSITE, FORM_STRING, FORM_CONSTANT } node_form;

typedef struct planned_node {
  dloc_text name;
  node_form form;
  bool distinct;
  dloc_text class_name; /* the text of a string or constant */
  const planned_field *fields;
  uint32_t field_count;
  uint32_t line;
  uint32_t column;
} planned_node;

/* Nodes by name: those of an answer's value, and outside it those of the vector. Indices go on from the outer ones. */
typedef struct node_graph {
  const struct node_graph *outer;
  const value *names; /* the map, or NULL */
  const planned_node *nodes;
  uint32_t first;
  uint32_t count;
} node_graph;

typedef enum field_type { TYPE_WORD, TYPE_NODE, TYPE_TEXT } field_type;

field_type field_type_of(dloc_text class_name, dloc_text field);
dloc_status plan_graph(const schema *s, const value *names, const node_graph *outer, node_graph *ret);
bool graph_find(const node_graph *graph, dloc_text name, uint32_t *ret);
/* A location in args or a value: null or the name of a node. */
dloc_status plan_reference(const schema *s, const node_graph *graph, const value *v, operand *ret);
dloc_status plan_references(const schema *s, const node_graph *graph, const value *list, const operand **ret,
                            size_t *ret_count);

/* The same where a string or a value may stand as well. */
dloc_status plan_operands(const schema *s, const node_graph *graph, const value *list, const operand **ret,
                          size_t *ret_count);

/* Build the nodes of a graph and of those outside it, unless outer has the handles of these already. On DLOC_INVALID
 * *ret_failed is the node and *diagnosis says why it cannot exist. */
dloc_status build_graph(const node_graph *graph, const dloc_node *outer, dloc_context *context, value_arena *arena,
                        const planned_node **ret_failed, dloc_node_diagnosis *diagnosis, dloc_node **ret);
/* The handle of a planned reference. */
dloc_node built_reference(const operand *reference, const dloc_node *handles);
/* The same of what plan_operands planned. */
dloc_status build_value(dloc_context *context, const operand *planned, const dloc_node *handles, dloc_node *ret);
/* Handles of planned references; NULL when memory is short. */
dloc_node *built_references(const operand *references, size_t count, const dloc_node *handles, value_arena *arena);

/* ---- Args and modules ---- */

typedef struct planned_callee {
  dloc_instruction_class instruction;
  operand location;
} planned_callee;

typedef struct planned_call {
  operand location;
  bool callee_has_subprogram;
  bool no_inline_line_tables;
  const planned_callee *callee;
  size_t callee_count;
  bool has_loop;
  operand loop;
  bool has_records;
  const operand *records;
  size_t record_count;
} planned_call;

typedef struct planned_instruction {
  uint32_t flags; /* dloc_instruction_flag */
  operand location;
  dloc_text callee; /* of a call */
  operand variable; /* of a record */
  bool has_loop;
  operand loop;
  dloc_text attach; /* empty: none */
  operand attached;
} planned_instruction;

typedef struct planned_function {
  dloc_text name;
  uint32_t flags; /* dloc_function_flag */
  const operand *subprograms;
  size_t subprogram_count;
  const planned_instruction *instructions;
  size_t instruction_count;
} planned_function;

typedef struct planned_named {
  dloc_text name;
  const operand *operands;
  size_t operand_count;
} planned_named;

typedef struct planned_module {
  const planned_function *functions;
  size_t function_count;
  const planned_named *named;
  size_t named_count;
  const operand *units;
  size_t unit_count;
  bool has_version;
  uint64_t version;
} planned_module;

typedef struct planned_list {
  const operand *entries;
  size_t count;
} planned_list;

struct vector_plan {
  node_graph graph;
  const operand *locations;
  size_t location_count;
  const planned_call *calls;
  size_t call_count;
  bool many_calls; /* args of inline are a list */
  bool hoist_call;
  dloc_strip_keep keep;
  operand function;
  bool source_list;
  operand source_file;
  dloc_text source_kind;
  const planned_list *lists;
  size_t list_count;
  const dloc_text *kinds;
  size_t kind_count;
  bool shows_metadata; /* args of encode */
  bool shows_records;
  bool has_module;
  planned_module module;
};

dloc_status plan_args(const schema *s, const vector *v, struct vector_plan *plan);
dloc_status plan_module(const schema *s, const vector *v, struct vector_plan *plan);

/* ---- Answers ---- */

typedef struct planned_layer {
  dloc_text kind;
  operand location;
} planned_layer;

typedef struct planned_inlined {
  const operand *results;
  size_t result_count;
  bool has_loop;
  operand loop;
  const operand *records;
  size_t record_count;
} planned_inlined;

typedef struct planned_source {
  dloc_text kind;
  operand file;
  dloc_text text;
  dloc_text md5;
} planned_source;

/* The module or a function: the op encode. */
typedef struct planned_part {
  const operand *metadata;
  size_t metadata_count;
  const encoded_instruction *instructions; /* no nodes: planned is built */
  size_t instruction_count;
} planned_part;

struct vector_answer_plan {
  vector_outcome outcome;
  dloc_reason reason;
  dloc_severity severity;
  node_graph graph;
  operand result;
  bool equal;
  dloc_text text;
  const planned_layer *layers;
  size_t layer_count;
  const planned_inlined *calls;
  size_t call_count;
  const planned_source *entries;
  size_t entry_count;
  uint64_t entry;
  const operand *results;
  size_t result_count;
  const operand *sources;
  size_t source_count;
  const vector_emitted *instructions; /* no nodes: planned is built */
  size_t instruction_count;
  const vector_text *texts;
  size_t text_count;
  const dloc_text *tables;
  size_t table_count;
  const dloc_text *text_sections;
  size_t text_section_count;
  const planned_part *parts;
  size_t part_count;
};

dloc_status plan_answer(const schema *s, const vector *v, const value *answer, const struct vector_answer_plan **ret);

/* The op emit (vector_emit.c): its value, its canonical text, and the model's answer. */
dloc_status plan_emit(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan);
dloc_status describe_emit(value_arena *arena, const vector_answer *answer, value *map);
dloc_status print_emit(const vector_answer *answer, dloc_sink sink);
dloc_status evaluate_emit(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                          const dloc_trace *trace, vector_answer *answer);

/* The op section (vector_section.c), in the same way, and its args. */
dloc_status plan_section_args(const schema *s, const value *args, struct vector_plan *plan);
dloc_status plan_section(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan);
dloc_status describe_section(value_arena *arena, const vector_answer *answer, value *map);
dloc_status print_section(const vector_answer *answer, dloc_sink sink);
dloc_status evaluate_section(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                             vector_answer *answer);

/* The ops strip and outline (vector_moved.c). */
dloc_status plan_strip_args(const schema *s, const value *args, struct vector_plan *plan);
dloc_status plan_outline_args(const schema *s, const value *args, struct vector_plan *plan);
dloc_status plan_strip(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan);
dloc_status plan_outline(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan);
dloc_status print_strip(dloc_context *context, value_arena *arena, const vector_answer *answer, dloc_sink sink);
dloc_status evaluate_strip(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                           vector_answer *answer);
dloc_status evaluate_outline(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                             vector_answer *answer);
/* Writes the nodes of a value (vector_answer.c). */
typedef struct describer describer;
/* A string, a value or a node, by its name. */
dloc_status describe_value_of(describer *d, dloc_node node, value *ret);

/* The op encode (vector_encode.c): its args; its value, as a plan and built; and as above. */
dloc_status plan_encode_args(const schema *s, const value *args, struct vector_plan *plan);
dloc_status plan_encode(const schema *s, const vector *v, const value *map, struct vector_answer_plan *plan);
dloc_status build_encode(const struct vector_answer_plan *plan, const dloc_node *handles, dloc_context *context,
                         value_arena *arena, vector_answer *answer);
dloc_status describe_encode(describer *d, const vector *v, value_arena *arena, const vector_answer *answer, value *map);
dloc_status print_encode(dloc_context *context, value_arena *arena, const vector_answer *answer, dloc_sink sink);
dloc_status evaluate_encode(const vector *v, const vector_case *built, const dloc_profile *profile, value_arena *arena,
                            vector_answer *answer);

/* The answer that refuses. */
vector_answer vector_rejection(vector_op op, dloc_reason reason);

/* The op link (vector_link.c). */
dloc_status plan_link_args(const schema *s, const value *args, struct vector_plan *plan);
dloc_status plan_link(const schema *s, const value *map, struct vector_answer_plan *plan);
dloc_status build_lists(const struct vector_plan *plan, const dloc_node *handles, value_arena *arena, vector_case *ret);
dloc_status evaluate_link(const vector_case *built, const dloc_profile *profile, value_arena *arena,
                          vector_answer *answer);

/* What the model did, or, when it refused with this reason, the answer that says so. */
dloc_status settle(dloc_status status, dloc_reason reason, vector_answer *answer);

/* Canonical text (vector_answer.c). */
dloc_status print_text(dloc_sink sink, const char *text);
dloc_status print_quoted(dloc_sink sink, const char *label, dloc_text text); /* and a line end */

/* ---- Schema helpers (vector.c) ---- */

/* The value is a map with no other keys than these (NULL-terminated). */
dloc_status expect_map(const schema *s, const value *v, const char *what, const char *const *keys);
dloc_status expect_list(const schema *s, const value *v, const char *what);
/* The value of a required key. */
dloc_status require(const schema *s, const value *map, const char *key, const value **ret);
dloc_status read_text(const schema *s, const value *v, const char *what, dloc_text *ret);
/* Absent means the default. */
dloc_status read_flag(const schema *s, const value *map, const char *key, bool absent, bool *ret);

#endif
