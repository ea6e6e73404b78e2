/* llvm.h - what the files of the `llvm` adapter share.
 *
 * The adapter drives opt, llvm-as and llc as black boxes: it writes one module of up to thousands of vectors, runs one
 * tool, and reads every result back from what the tool printed. The file NAME.c of an op says how: a list of recipes,
 * each a row. The vector that made a batch fail is found by naming (the tool's messages show the instruction) and else by
 * splitting it. */
#pragma once

#include "run/worklist.h"
#include "document/buffer.h"
#include "document/memory.h"
#include "document/names.h"
#include "document/text.h"
#include "dloc_formats.h"
#include "ops/callee.h"
#include "run/process.h"
#include "run/runner.h"

#include <stdio.h>

/* ---- Modules as text ---- */

/* Metadata of many vectors in one module; starts as {0}. A node is printed once; nodes of the same text are one.
 * Distinct nodes of different vectors are shared as well, which no operation can notice, unless private_nodes is set;
 * those of one vector never are. */
typedef struct llvm_text {
  dloc_buffer code;
  dloc_buffer metadata; /* `!N = ...` lines */
  bool private_nodes;
  dloc_context *context; /* of the vector being written */
  uint64_t *numbers;     /* by node of that context: number + 1, 0: none yet */
  uint64_t next_number;
  uint64_t vector_number;
  names texts; /* of lines, which are shared; they are kept here: */
  value_arena kept;
  struct llvm_line *lines;
  size_t line_count;
  dloc_buffer scratch;
  dloc_buffer units; /* references for !llvm.dbg.cu */
  uint64_t own_unit; /* the adapter's, and its file: number + 1, 0: not there */
  uint64_t own_file;
  struct llvm_frame *stack;
  value_arena arena; /* of the vector being written */
} llvm_text;

void llvm_text_deinit(llvm_text *t);
/* Make room for the next vector: build its nodes in t->context and t->arena. */
void llvm_text_begin(llvm_text *t);
/* They are built. */
void llvm_text_built(llvm_text *t);
/* The number of a node, which is written if it was not. */
uint64_t llvm_text_node(llvm_text *t, dloc_node node);
/* A DISubprogram that the adapter makes up, in a unit that asks the back end for line directives only. */
uint64_t llvm_text_subprogram(llvm_text *t);
/* A node that the adapter makes up, as text; a new number. */
uint64_t llvm_text_made(llvm_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Finds a tuple whose first operand is a string; format is the rest: ", !%d}". */
uint64_t llvm_text_made_tuple(llvm_text *t, dloc_text kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Append to the code. */
void llvm_code(llvm_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void llvm_code_string(llvm_text *t, dloc_text text); /* in quotes */
/* The end of an instruction's line: ", !dbg !N", nothing for DLOC_NULL. */
void llvm_code_dbg(llvm_text *t, dloc_node debug_loc);
/* The first line of a function: format is "void @f(i32 %%x)"; with " !dbg !N" unless DLOC_NULL. */
void llvm_code_function(llvm_text *t, dloc_node subprogram, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Named metadata. */
void llvm_code_named(llvm_text *t, const char *name, const dloc_node *nodes, size_t count);
/* The list of sources as the module has it, if it has one. */
void llvm_code_sources(llvm_text *t, const dloc_module *module);
/* Append the metadata and the named nodes to the code: the module is complete. */
void llvm_text_finish(llvm_text *t);

/* ---- Recipes ---- */

/* Facts about an LLVM. */
enum llvm_fact {
  LLVM_HAS_DIRECTIVES = 1 << 0,  /* llc knows a target that shows line directives, NVPTX. */
  LLVM_OPAQUE_POINTERS = 1 << 1, /* A pointer has the type `ptr`. */
  LLVM_SPECIALISES = 1 << 2,     /* functions, by a pass of its own: until LLVM 16 */
  LLVM_MERGES_LINES = 1 << 3,    /* A merge keeps the line of both. */
  LLVM_MERGES_IMPLICIT = 1 << 4, /* A merge keeps isImplicitCode. */
  LLVM_LAYERS = 1 << 5,          /* It knows layers as tuples. */
  LLVM_LAYERS_ALONE = 1 << 6,    /* Their files need no texts. */
  LLVM_WRITES_TEXTS = 1 << 7,    /* llc embeds the texts of layers' files. */
  LLVM_NAMES_TEXTS = 1 << 8,     /* llc names these files by the hashes of the texts. */
  LLVM_IRLAYERS = 1 << 9,        /* It knows layers as lists of locations. */
  LLVM_IRLAYERS_ALONE = 1 << 10, /* Their files need no checksums. */
  LLVM_HOISTS_IRLAYERS = 1 << 11,
  LLVM_WRITES_IRLAYERS = 1 << 12, /* llc writes directives of lists. */
  LLVM_WANTS_TYPES = 1 << 13      /* A subprogram has a type. */
};

typedef struct llvm_adapter llvm_adapter;
typedef struct llvm_batch llvm_batch;

enum llvm_tool { LLVM_OPT, LLVM_AS, LLVM_DIS, LLVM_LLC, LLVM_LINK, LLVM_DWARFDUMP, LLVM_MC, LLVM_TOOL_COUNT };
enum {
  LLVM_MOST_OPTIONS = 6,
  LLVM_MOST_FILES = RUN_MODULES,
  LLVM_MOST_ARGUMENTS = LLVM_MOST_OPTIONS + LLVM_MOST_FILES + 6,
  LLVM_MOST_RECIPES = 6,    /* of one op, and the row that ends the list */
  LLVM_FIRST_FACTOR = 1000, /* of probes that are factors: small ones are simplified away */
  LLVM_OUTPUT_LIMIT = 1 << 30
};

/* An instruction whose location we want to see: it is a call with its index in this table as argument. */
typedef struct llvm_probe {
  size_t position; /* of its vector in the batch */
  uint32_t call;   /* of an inline vector */
  uint32_t index;  /* of the instruction, record or operand */
  uint8_t kind;    /* the recipe's */
  bool seen;
  dloc_node node; /* what was read back */
} llvm_probe;

/* The probes of one vector, each of which saw something. */
typedef struct llvm_seen {
  llvm_batch *batch;
  const dloc_module *module; /* that the tool printed */
  size_t position;
  const llvm_probe *probes;
  size_t count;
} llvm_seen;

typedef void llvm_take(const llvm_seen *seen, term *value);
typedef bool llvm_takes(const llvm_adapter *a, const vector *v);

typedef struct llvm_recipe {
  size_t most;         /* vectors in one batch; 0 ends the list of an op */
  enum llvm_tool tool; /* reads the module from stdin */
  const char *options[LLVM_MOST_OPTIONS];
  /* When it is taken: the first one of its op that can be, and that takes the vector. */
  const char *argument; /* The vector has it; NULL: any vector. */
  llvm_takes *takes;    /* NULL: any vector. */
  unsigned needs;       /* Facts (enum llvm_fact), all of which must be true of the implementation. */
  run_place place;      /* the layers that a vector shows are written there */
  bool may_pick;        /* Takes the pick flag when the profile asks for it. */
  bool verified;      /* the verifier sees the module; without this flag it does not, because one vector that it rejects
                       * would cost all of them their debug info */
  bool private_nodes; /* Distinct nodes are not shared: a subprogram is a function's. */
  bool object;        /* The tool reads no module: an object, which write_end makes, or assembly. */
  bool disassemble;   /* The tool writes bitcode: llvm-dis reads it, and its output is the result. */
  bool reads_errors;  /* The result is on stderr. */
  bool reads_any_end; /* The failure of a tool is a result as well. */
  /* Write what one vector asks about. False: it has been answered. NULL: the vector is the whole module. */
  bool (*write)(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built);
  const char *declarations; /* behind the functions; may be NULL */
  void (*write_end)(llvm_batch *b, llvm_text *t);
  void (*prepare)(llvm_batch *b); /* change the tool's output before it is read; may be NULL */
  /* The tool printed a module: find the probes in it (NULL: as calls of `dloc.case`), and fill in the value of a vector
   * whose probes were all seen. */
  void (*see)(llvm_batch *b, const dloc_module *module);
  llvm_take *take;
  /* Or: answer each vector from whatever the tool wrote. */
  void (*read)(llvm_batch *b);
} llvm_recipe;

#define LLVM(name) extern const llvm_recipe llvm_##name[LLVM_MOST_RECIPES];
#define NO_LLVM(name)
#define OP(id, name, seen) seen(name)
#include "ops/ops.def"
#undef LLVM
#undef NO_LLVM

#define LLVM_DECLARE_CASE "declare void @dloc.case(i32)\n@dloc.memory = external global i32\n"
/* Opt with its passes, which sees no verifier. */
#define LLVM_PASSES(...) .tool = LLVM_OPT, .options = {"-S", "-disable-verify", __VA_ARGS__}
/* Llc where it writes directives, and more is true of it. */
#define LLVM_DIRECTIVES(more)                                                                                          \
  .tool = LLVM_LLC, .place = RUN_IN_DIRECTIVES, .needs = LLVM_HAS_DIRECTIVES | (more),                                 \
  .options = {"-disable-verify", "-mtriple=nvptx64-nvidia-cuda", "-o", "-"}

/* ---- Batches ---- */

struct llvm_batch {
  llvm_adapter *adapter;
  const llvm_recipe *recipe;
  task task;
  const vector *const *vectors; /* of the run */
  run_answer *answers;
  process child;
  bool disassembling;           /* child is llvm-dis */
  FILE *files[LLVM_MOST_FILES]; /* more modules for the tool, or NULL */
  worklist later;               /* what it hands on; not before it has ended, because both would answer */
  llvm_probe *probes;
  size_t probe_count;
  dloc_buffer groups[16]; /* the recipe's own text, by number of operands */
  dloc_buffer table;      /* of the hidden module, if it is hidden */
  value_arena arena;      /* of the answer that is being made */
};

const vector *llvm_vector(const llvm_batch *b, size_t position);
run_answer *llvm_answer(const llvm_batch *b, size_t position);
/* Answer that a vector cannot be shown; false, for `return llvm_skip(...)` in a recipe's write. */
bool llvm_skip(llvm_batch *b, size_t position, const char *why);
/* A task's kind: a recipe of an op. */
int llvm_kind(vector_op op, unsigned recipe);
/* The kind that a vector belongs to; -1: it cannot be observed. */
int llvm_kind_of(const llvm_adapter *a, const vector *v);
const llvm_recipe *llvm_recipe_of(int kind);
/* Leave a vector to another recipe, after this batch. Until then it counts as answered. */
void llvm_hand_on(llvm_batch *b, size_t position, int kind);
/* Write the module of a batch; false: all of it has been answered. */
bool llvm_write_batch(llvm_batch *b, llvm_text *t);
void llvm_batch_deinit(llvm_batch *b);
/* Write a vector; false: it has been answered. */
bool llvm_write_vector(llvm_batch *b, llvm_text *t, size_t position);
/* A new probe; its number. */
uint32_t llvm_probe_add(llvm_batch *b, size_t position, uint32_t call, uint32_t index, uint8_t kind);
/* A call of `dloc.case` for each location, with a probe. With stores every second one is a store: what the pass does
 * must not depend on the class of an instruction. */
void llvm_write_calls(llvm_batch *b, llvm_text *t, size_t position, const term *locations, bool stores);
/* A function with them, of a vector whose args are the locations. */
bool llvm_write_list(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built);

/* Read the output of a batch and answer. */
void llvm_read(llvm_batch *b);
/* The tool failed, or ended well and dropped the module's debug info: answer the vectors that its messages name, and
 * one that is alone. */
void llvm_read_failure(llvm_batch *b, bool ended_well);
/* For each call of `dloc.case` in the output, see its probe: the location. A probe seen before is an error of its
 * vector with this text, or NULL. */
void llvm_see_calls(llvm_batch *b, const dloc_module *module, const char *seen_twice);
/* Takes: the location of the one probe as `result`, those of all as `results`; the list of sources as `sources`. */
llvm_take llvm_take_result, llvm_take_results, llvm_take_list;
llvm_takes llvm_has_module, llvm_has_atoms;
/* The form that a vector is about. */
bool llvm_needs_layers(const vector *v);
bool llvm_needs_irlayers(const vector *v);
/* Begin an answer `ok` in b->arena, which is emptied; */
vector_answer llvm_begin_answer(llvm_batch *b, size_t position);
/* give one, whose nodes live in context, which is NULL if it has none. */
void llvm_give(llvm_batch *b, size_t position, dloc_context *context, const vector_answer *given);

/* The number after a marker such as "@dloc.case(i32 " in the first line of text; false when it is not there. */
bool llvm_number_after(dloc_text text, const char *marker, uint32_t *ret);
dloc_text llvm_line_at(dloc_text text, size_t offset);
/* The line of an instruction in the output. */
dloc_text llvm_line_of(const llvm_batch *b, const dloc_instruction *instruction);
/* Whether a tool says that it dropped the module's debug info. */
bool llvm_is_stripped(dloc_text errors);

/* ---- The adapter ---- */

struct llvm_adapter {
  adapter base;
  const char *directory;
  char *tools[LLVM_TOOL_COUNT]; /* paths */
  bool has[LLVM_TOOL_COUNT];
  unsigned facts;                                   /* enum llvm_fact */
  bool wide_switch;                                 /* simplifycfg hoists from more than two successors. */
  bool merges_branches;                             /* The branches behind a merge keep their layers. */
  bool picks;                                       /* the profile asks for the pick flag */
  char *asked[VECTOR_OP_COUNT * LLVM_MOST_RECIPES]; /* a recipe's tool and options, by kind; made when it is taken */
  unsigned hangs[VECTOR_OP_COUNT * LLVM_MOST_RECIPES],
      crashes[VECTOR_OP_COUNT * LLVM_MOST_RECIPES]; /* of vectors alone */
  double start_cpu;                                 /* seconds of processor time that opt needs at least */
  bool hides;                                       /* modules are hidden before the tool and revealed after it */
};

/* ---- Layers as numbers (dropin.c) ---- */

/* Ops whose recipes print a module that can be revealed, and in which discriminators are left alone. */
bool dropin_shows(vector_op op);
/* The LLVM that was found: its name, and the profile that is nearest to it. */
void dropin_recognise(run_implementation *found);
/* Hide the module of a batch. False: it cannot be, and its vectors have been answered or left to later batches. */
bool dropin_hide(llvm_batch *b, dloc_buffer *code);
/* Reveal what the tool printed. */
void dropin_reveal(llvm_batch *b);

/* The recipes of an op; NULL: it cannot be observed. */
const llvm_recipe *llvm_recipes_of(vector_op op);
bool llvm_can_run(const llvm_adapter *a, const llvm_recipe *recipe);
extern const char llvm_pick_option[];
/* The name of a tool, without its folder. */
const char *llvm_tool_name(enum llvm_tool tool);
/* Find out what there is to test: adapter->start. */
bool llvm_start(adapter *a, run_implementation *ret);
/* Recognise again an LLVM that gave layers back after it had rejected all probes: adapter->correct. */
void llvm_correct(adapter *a, run_implementation *found);
/* A module with three calls to merge. */
extern const char llvm_three_calls[];
/* Facts about it, by questions, and the profile that is nearest to it. */
void llvm_recognise(llvm_adapter *a, run_implementation *found);
/* Run a tool on a small module to its end; it may hang. False: it cannot be started. The caller ends the process. */
bool llvm_ask(const llvm_adapter *a, char *const *argv, dloc_text module, process *ret);
/* Is this text in what a recipe's tool (NULL: opt, without a pass) makes of a module? */
bool llvm_shows(llvm_adapter *a, const llvm_recipe *recipe, const char *module, const char *text);
/* posix_spawn's argv is not const, but nothing writes to it. */
static inline char *llvm_argument(const char *text) { return (char *)(uintptr_t)text; }
/* The argv of a recipe's tool; ret has room for LLVM_MOST_ARGUMENTS. layered: for layers that the LLVM knows. */
void llvm_arguments(const llvm_adapter *a, const llvm_recipe *recipe, bool layered, bool disassembling, char **ret);
/* Reasons that a message of the verifier or the parser can stand for. */
bool llvm_reasons(dloc_text message, bool *reasons);
/* The first message of a tool that stands for a reason; empty when there is none. */
dloc_text llvm_first_message(dloc_text errors);
/* The module of a vector that is one; or its nodes as they stand in the vector, when some cannot exist. */
void llvm_write_whole(const vector *v, llvm_text *t);
