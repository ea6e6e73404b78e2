/* gen_lit.h - what the files of `dloc gen lit` share: a test file under construction.
 *
 * The module that a tool prints is known before the tool runs: its metadata are the nodes that the vectors expect,
 * numbered as LLVM's printer does. So the checks are that module, with each number replaced by a FileCheck variable. */
#ifndef DLOC_TOOLS_GEN_LIT_H
#define DLOC_TOOLS_GEN_LIT_H

#include "vectors.h"

/* ---- Metadata of one file ---- */

typedef struct lit_node {
  dloc_node node;  /* the first handle of that content */
  dloc_buffer key; /* its text, operands by index; empty for a node of a cycle */
  bool distinct;
  uint64_t vector;     /* the last that uses it */
  char variable[16];   /* FileCheck's name for it */
  bool bound;          /* the variable has been defined in the text */
  uint32_t numbers[2]; /* in the input and in the output, + 1; 0: not in it */
} lit_node;

typedef enum lit_side { LIT_INPUT, LIT_OUTPUT } lit_side;

/* Nodes by index. Those of equal content are one; distinct ones are shared by vectors, but not within one. */
typedef struct lit_graph {
  dloc_context *context;
  uint32_t *indices; /* by handle: index + 1; 0: not added, LIT_OPEN: its operands are being added */
  size_t handle_room;
  lit_node *nodes;
  uint32_t count, room;
  uint64_t vector;
  bool own_subprograms; /* functions have them, so vectors must not share them */
  bool asks_directives; /* compile units of the input do */
  uint32_t *roots[2];   /* of the input and the output, in the order in which they are met */
  size_t root_count[2], root_room[2];
  uint32_t *order[2]; /* by number */
  uint32_t order_count[2];
  uint32_t flags;    /* the operand of !llvm.module.flags */
  dloc_buffer named; /* other named metadata of the input */
} lit_graph;

/* A node of the vector and all below it, as the next root of one side. LIT_OUTPUT: a distinct node that is not in the
 * input is new. */
dloc_status lit_root(lit_graph *g, lit_side side, dloc_node node);
/* Its index; it has been added. */
uint32_t lit_index(const lit_graph *g, dloc_node node);
/* Give every node its number on both sides, and its variable. The compile units come first, as !llvm.dbg.cu does. */
dloc_status lit_number(lit_graph *g);
void lit_graph_deinit(lit_graph *g);

/* ---- Text with references ---- */

/* Text in which nodes are marked: how they are written is known when the file is complete. */
dloc_status lit_put(dloc_buffer *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
dloc_status lit_put_text(dloc_buffer *text, dloc_text piece);
/* Any text, so that FileCheck takes it literally. */
dloc_status lit_put_literal(dloc_buffer *text, dloc_text literal);
/* Mark a node: `!7` of the input, or the variable of a node of the output. */
dloc_status lit_put_node(dloc_buffer *text, lit_side side, uint32_t index);
/* `!7`; the node becomes a root. */
dloc_status lit_put_root(lit_graph *g, dloc_buffer *text, lit_side side, dloc_node node);
/* `, !dbg !7`; nothing for DLOC_NULL. The same. */
dloc_status lit_put_dbg(lit_graph *g, dloc_buffer *text, lit_side side, dloc_node node);
/* `!7 = ...` for every node of the input; or a check for every one of the output. */
dloc_status lit_put_metadata(lit_graph *g, dloc_buffer *text, lit_side side);
/* Write the text with its marks replaced, to be done once. */
dloc_status lit_render(lit_graph *g, const dloc_buffer *text, dloc_sink sink);

/* ---- Vectors ---- */

typedef struct lit_case {
  const vector *vector;
  const vector_case *built;
  const vector_answer *expected;
} lit_case;

/* A vector's id, for "%.*s". */
#define LIT_ID(c) (int)(c)->vector->id.size, (c)->vector->id.bytes

/* The vectors of one test file. A recipe writes the input first: what is expected refers to its nodes. */
typedef struct lit_file {
  lit_graph graph;
  dloc_buffer runs;   /* RUN lines of single vectors */
  dloc_buffer body;   /* functions with their checks, or parts for split-file */
  dloc_buffer code;   /* of the vector that is being added */
  dloc_buffer checks; /* the same */
  dloc_buffer paths;  /* of files that directives name, in the order of their numbers: a line each */
  size_t count;       /* vectors */
} lit_file;

typedef struct lit_recipe {
  vector_op op;
  bool of_modules;  /* only vectors that have one */
  const char *name; /* in the test file's name: an op's, where that says enough */
  const char *runs; /* lines at the top */
  bool is_split;    /* each vector is a module of its own, a part for split-file; it has a RUN line of its own */
  bool has_nodes;   /* the module's metadata are those of the graph */
  const char *declarations; /* functions that all vectors use; may be NULL */
  bool checks_metadata;
  bool checks_paths;
  bool own_subprograms;
  bool asks_directives;
  /* Write a vector's code and checks; *ret_shown false: the tools cannot be asked about it. */
  dloc_status (*add)(lit_file *file, const lit_case *c, bool *ret_shown);
} lit_recipe;

enum { LIT_RECIPES = 9 };
extern const lit_recipe lit_recipes[LIT_RECIPES];
/* How a vector is shown; LIT_RECIPES when it cannot be. */
unsigned lit_recipe_for(const vector *v);

/* Of the op verify. */
dloc_status lit_add_verify(lit_file *file, const lit_case *c, bool *ret_shown);
/* By line directives. */
dloc_status lit_add_equal(lit_file *file, const lit_case *c, bool *ret_shown);
dloc_status lit_add_emit(lit_file *file, const lit_case *c, bool *ret_shown);
dloc_status lit_add_emit_texts(lit_file *file, const lit_case *c, bool *ret_shown);
dloc_status lit_put_paths(lit_file *file, dloc_buffer *text);

/* A DISubprogram for a function whose locations say nothing about it. */
dloc_status lit_subprogram(dloc_context *context, dloc_node *ret);

#endif
