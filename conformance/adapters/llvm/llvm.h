/* llvm.h - what the files of the `llvm` adapter share.
 *
 * The adapter drives opt, llvm-as and llc as black boxes: it writes one module of up to thousands of vectors, runs one
 * tool, and reads every result back from what the tool printed. A kind of batch is one such recipe. What a failed batch
 * was about is found by naming (the tool's messages show the instruction) and else by splitting it. */
#ifndef DLOC_LLVM_H
#define DLOC_LLVM_H

#include "document/memory.h"
#include "run/process.h"
#include "run/runner.h"
#include "adapters/worklist.h"

#include <stdio.h>

/* ---- Modules as text ---- */

/* Metadata of many vectors in one module. A node is printed once; nodes of the same text are one. Distinct nodes of
 * different vectors are shared as well, which no operation can notice, unless private_nodes is set; those of one vector
 * never are. */
typedef struct llvm_text {
  dloc_buffer code;
  dloc_buffer metadata; /* `!N = ...` lines */
  bool private_nodes;
  dloc_context *context; /* of the vector being written, and some before it */
  unsigned context_uses;
  uint64_t *numbers; /* by node of that context: number + 1, 0: none yet */
  size_t number_room;
  uint64_t next_number;
  uint64_t vector_number;
  struct llvm_line *lines; /* open-addressed, by text */
  size_t line_count, line_room;
  dloc_buffer scratch;
  dloc_buffer units; /* references for !llvm.dbg.cu */
  uint64_t own_unit; /* the adapter's, and its file: number + 1, 0: not there */
  uint64_t own_file;
  dloc_node *stack;
  size_t stack_room;
  value_arena arena;  /* of the case that is open */
  dloc_status status; /* the first failure sticks */
} llvm_text;

void llvm_text_init(llvm_text *t);
void llvm_text_deinit(llvm_text *t);
/* Make room for the next vector: its nodes are to be built in t->context and t->arena. */
bool llvm_text_begin(llvm_text *t);
/* They are built. */
bool llvm_text_built(llvm_text *t);
/* The number of a node, which is written if it was not. */
uint64_t llvm_text_node(llvm_text *t, dloc_node node);
/* A DISubprogram that the adapter makes up, in a unit that asks the back end for line directives only. */
uint64_t llvm_text_subprogram(llvm_text *t);
/* A node that the adapter makes up, as text; a new number. */
uint64_t llvm_text_made(llvm_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of a tuple whose first operand is a string; format is the rest: ", !%d}". */
uint64_t llvm_text_made_tuple(llvm_text *t, dloc_text kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Append to the code. */
void llvm_code(llvm_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* ", !dbg !N"; nothing for DLOC_NULL. */
void llvm_code_dbg(llvm_text *t, dloc_node debug_loc);
/* " !dbg !N": the attachment of a function. */
void llvm_code_dbg_of_function(llvm_text *t, dloc_node subprogram);
/* Append the metadata and the named nodes to the code: the module is complete. */
void llvm_text_finish(llvm_text *t);

/* ---- Batches ---- */

typedef struct llvm_adapter llvm_adapter;
typedef struct llvm_batch llvm_batch;

enum llvm_tool { LLVM_OPT, LLVM_AS, LLVM_DIS, LLVM_LLC, LLVM_LINK, LLVM_TOOL_COUNT };
enum {
  LLVM_MOST_OPTIONS = 6,
  LLVM_MOST_FILES = 3,
  LLVM_MOST_ARGUMENTS = LLVM_MOST_OPTIONS + LLVM_MOST_FILES + 6,
  LLVM_OUTPUT_LIMIT = 1 << 30
};

/* An instruction whose location is to be seen: it is a call with its index in this table as argument. */
typedef struct llvm_probe {
  size_t position; /* of its vector in the batch */
  uint32_t call;   /* of an inline vector */
  uint32_t index;  /* of the instruction, record or operand */
  uint8_t kind;    /* the recipe's */
  bool seen;
  dloc_node node; /* what was read back */
} llvm_probe;

typedef struct llvm_recipe {
  const char *name;
  enum llvm_tool tool; /* reads the module from stdin */
  const char *options[LLVM_MOST_OPTIONS];
  bool may_pick; /* takes the pick flag when the profile asks for it */
  bool verified; /* the verifier is to see the module; else it would lose its debug info for what it holds against one
                    vector */
  bool private_nodes; /* distinct nodes are not shared: a subprogram is a function's */
  bool whole;         /* `write` writes the named metadata as well */
  bool disassemble;   /* the tool writes bitcode: llvm-dis reads it, and its output is the result */
  size_t most;        /* vectors in one batch */
  /* Write what is to be seen of one vector. False: it has been answered (or t->status is set). */
  bool (*write)(llvm_batch *b, llvm_text *t, size_t position);
  /* Functions around it; may be NULL. */
  void (*write_end)(llvm_batch *b, llvm_text *t);
  /* Read the tool's output and answer each vector that has no answer. */
  dloc_status (*read)(llvm_batch *b);
  bool errors_are_output; /* the result is on stderr */
} llvm_recipe;

struct llvm_batch {
  llvm_adapter *adapter;
  const llvm_recipe *recipe;
  task task;
  const vector *const *vectors; /* of the run */
  run_answer *answers;
  process child;
  bool disassembling;           /* child is llvm-dis */
  FILE *files[LLVM_MOST_FILES]; /* more modules for the tool, or NULL */
  worklist later;               /* what it hands on; not before it has ended, as both would answer */
  llvm_probe *probes;
  size_t probe_count, probe_room;
  dloc_buffer groups[16]; /* the recipe's own text, by number of operands */
};

/* A recipe's `write` for one vector that is a module. */
bool llvm_write_whole(llvm_batch *b, llvm_text *t, size_t position);
const vector *llvm_vector(const llvm_batch *b, size_t position);
run_answer *llvm_answer(const llvm_batch *b, size_t position);
/* A new probe; its number, or UINT32_MAX with t->status set. */
uint32_t llvm_probe_add(llvm_batch *b, llvm_text *t, size_t position, uint32_t call, uint32_t index, uint8_t kind);
/* Build a vector in the text's context; one at a time. False: it cannot be built; then it has been answered. */
typedef struct llvm_case {
  dloc_context *context;
  vector_case built;
} llvm_case;
/* Leave a vector to another recipe, after this batch. Until then it counts as answered. */
void llvm_hand_on(llvm_batch *b, llvm_text *t, size_t position, int kind);
bool llvm_case_open(llvm_batch *b, llvm_text *t, size_t position, llvm_case *ret);
void llvm_case_close(llvm_case *c);

/* A module that a tool printed. */
typedef struct llvm_output {
  dloc_context *context;
  dloc_module *module;
  value_arena arena;
} llvm_output;
dloc_status llvm_output_read(llvm_batch *b, dloc_text text, llvm_output *ret);
void llvm_output_close(llvm_output *output);
/* For recipes whose result is one location for each probe: read the output, let `see` find them, and answer. */
dloc_status llvm_read_results(llvm_batch *b, void (*see)(llvm_batch *b, const llvm_output *output));
/* For recipes whose vectors have a call of `dloc.case` for each location: read the output, and let `take` make the
 * answer of each vector from its probes. */
typedef void llvm_take(llvm_batch *b, llvm_output *output, const llvm_probe *probes, size_t count, term *ret);
dloc_status llvm_read_groups(llvm_batch *b, llvm_take *take);
/* The locations of probes as `results`. */
void llvm_take_results(llvm_output *output, const llvm_probe *probes, size_t count, term *ret);
/* The operands of the module's list of sources as `sources`. */
void llvm_take_list(llvm_output *output, term *ret);
/* The number after a marker such as "@dloc.case(i32 " in the first line of text; false when it is not there. */
bool llvm_number_after(dloc_text text, const char *marker, uint32_t *ret);
dloc_text llvm_line_at(dloc_text text, size_t offset);
/* Where a text stands in another; NULL when it does not. */
const char *llvm_find(dloc_text text, const char *wanted);
dloc_text llvm_text_of(const dloc_buffer *buffer);
/* The last line that is not blank: mostly it says what is wrong. */
void llvm_last_line(dloc_text text, char *ret, size_t size);
/* Whether a tool says that it dropped the module's debug info. */
bool llvm_is_stripped(dloc_text errors);
/* For each call of `dloc.case` in the output, see its probe: the location. A probe seen before is an error of its
 * vector with this text, or NULL. */
void llvm_see_calls(llvm_batch *b, const llvm_output *output, const char *seen_twice);

struct llvm_adapter {
  adapter base;
  const char *directory;
  char *tools[LLVM_TOOL_COUNT]; /* paths */
  unsigned major;
  bool has_llc, has_dis, has_link;
  bool has_directives; /* llc knows a target that shows line directives, NVPTX */
  bool knows_layers;
  bool wide_switch; /* simplifycfg hoists from more than two successors */
  bool opaque_pointers;
  bool picks; /* the profile asks for the pick flag */
  run_implementation implementation;
};

enum llvm_kind {
  KIND_MERGE,
  KIND_MERGE_ATOMS,
  KIND_MERGE_MANY,
  KIND_INLINE,
  KIND_HOIST,
  KIND_STRIP,
  KIND_STRIP_SOURCES,
  KIND_STRIP_ALL,
  KIND_OUTLINE,
  KIND_LINK,
  KIND_EQUAL,
  KIND_EQUAL_LAYERS,
  KIND_PRINT,
  KIND_BITCODE,
  KIND_SOURCE,
  KIND_EMIT,
  KIND_EMIT_TEXTS,
  KIND_VERIFY,
  KIND_ENCODE,
  KIND_COUNT
};

extern const llvm_recipe llvm_merge, llvm_merge_atoms, llvm_merge_many, llvm_inline, llvm_equal, llvm_equal_layers,
    llvm_print, llvm_bitcode, llvm_hoist, llvm_strip, llvm_strip_sources, llvm_strip_all, llvm_outline, llvm_link,
    llvm_source, llvm_emit, llvm_emit_texts, llvm_verify, llvm_encode;
/* Find out what there is to test: adapter->start. */
bool llvm_start(adapter *a, run_implementation *ret);
/* The argv of a recipe's tool; ret has room for LLVM_MOST_ARGUMENTS. */
void llvm_arguments(const llvm_adapter *a, const llvm_recipe *recipe, bool disassembling, char **ret);
/* Reasons that a message of the verifier or the parser can stand for. */
bool llvm_reasons(dloc_text message, bool *reasons);
/* The first message of a tool that stands for a reason; empty when there is none. */
dloc_text llvm_first_message(dloc_text errors);

#endif
