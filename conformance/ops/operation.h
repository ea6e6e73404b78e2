/* operation.h - what an operation of the vectors is: one row of data, and the model's answer. A new one is a line in
 * ops.def and a file NAME.c here; to ask LLVM as well, a file of recipes in adapters/llvm/. */
#pragma once

#include "dloc_formats.h"
#include "term.h"

typedef enum vector_op {
#define OP(id, name, seen) VECTOR_##id,
#include "ops.def"
  VECTOR_OP_COUNT
} vector_op;

/* The question to the model. */
typedef struct query {
  const dloc_profile *profile;
  const dloc_trace *trace; /* may be NULL */
  dloc_context *context;
  const dloc_module *module; /* of the vector, or NULL */
  const term *args;          /* built; NULL: the op takes none */
  value_arena *arena;
  dloc_reason reason;         /* why the model refuses, with DLOC_INVALID */
  dloc_diagnostic diagnostic; /* the same, of a text */
  int severity;               /* other than the reason's, or -1 */
} query;

/* The args of an op, and its value. */
typedef struct operation_form {
  const type *args;  /* NULL: none */
  const type *value; /* a map; NULL: none */
} operation_form;

typedef enum module_use { MODULE_NO, MODULE_NAMED_ONLY, MODULE_WHOLE } module_use;

typedef struct operation {
  const char *name;
  /* The first whose args can be meant: a list or a map, and of two maps the one with its first key. */
  operation_form forms[2];
  module_use module;   /* none; optional and without functions; required */
  const char *roots;   /* what canonical text calls the nodes of a value */
  bool takes_any_node; /* layers and unknown records are no reason to refuse what it reads */
  /* What the value's type cannot say. module: as it was read, or NULL. */
  dloc_status (*check)(const reading *r, const term *args, const term *module, const term *value);
  /* The model's answer. value is NULL if the form has none. */
  dloc_status (*ask)(query *q, term *value);
} operation;

extern const operation *const operations[VECTOR_OP_COUNT];
#define OP(id, name, seen) extern const operation op_##name;
#include "ops.def"

bool operation_find(dloc_text name, vector_op *ret);
const operation_form *operation_form_of(const operation *op, const value *args);
/* Read the args, or the value that answers these. */
dloc_status operation_read_args(const reading *r, const graph *g, const operation *op, const value *args, term *ret);
dloc_status operation_read_value(const reading *r, const graph *g, const operation *op, const operation_form *form,
                                 const value *v, const term *args, const term *module, term *ret);

/* Canonical text: what is not a node, then the graph below the nodes. Two values are the same exactly when their texts
 * are. */
dloc_status operation_print(const operation *op, dloc_context *context, const term *value, dloc_sink sink);
/* A term as a document, built; how operands stand in it is the caller's to say. */
typedef value describe_operand(void *user, dloc_node node);
value term_describe(const term *t, value_arena *arena, describe_operand *operand, void *user);
/* A value as a document, `nodes` included. Nodes with a name in names keep it; handles are theirs, or NULL. */
void operation_describe(dloc_context *context, const term *t, const graph *names, const dloc_node *handles,
                        value_arena *arena, value *ret);
/* {nodes: ...}: nodes under those names, and what they consist of, without the nodes that names has. A root that has a
 * name already keeps it: root_names[i] becomes the one that it has. */
void operation_describe_nodes(dloc_context *context, const dloc_node *roots, const char **root_names, size_t count,
                              const graph *names, const dloc_node *handles, value_arena *arena, value *ret);

/* `marks` of a value of `emit`: what stands before and behind a text. */
void emit_marks(value_arena *arena, bool in_angles, term *value);

/* ---- JSON Schemas, for `dloc schema` (schema.c) ---- */

value schema_of_type(value_arena *arena, const type *t);
/* {op, module: no|named|whole, forms: [{args, value}]} */
value schema_of_operation(value_arena *arena, const operation *op);

/* ---- Modules (module.c) ---- */

extern const type *const module_type;
dloc_status module_read(const reading *r, const graph *g, const value *v, term *ret);
dloc_status module_build(const term *module, const graph *g, const dloc_node *handles, dloc_context *context,
                         value_arena *arena, dloc_module **ret);

/* Named metadata of the vector's module, if there is one, for another module: convert.c. */
dloc_status operation_add_named(const dloc_module *from, dloc_module *module);
