/* api.h - a generator of calls. A world is a context and what was made in it; each call of a public function takes its
 * arguments from there, as its header permits, and puts the result back. tests/public.py asks that none is missing. */
#ifndef DLOC_FUZZ_API_H
#define DLOC_FUZZ_API_H

#include "../require.h"
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"
#include "objects/dloc_mlir.h"
#include "objects/dloc_symbolizer.h"

/* ---- Choices ---- */

/* What decides: the bytes of an input, and behind their end numbers that follow from them. */
typedef struct chooser {
  const uint8_t *data;
  size_t size;
  uint64_t state;
} chooser;

uint64_t any_number(chooser *from);
size_t below(chooser *from, size_t count); /* 0 when count is 0 */
bool once_in(chooser *from, size_t count);
uint32_t edge_number(chooser *from); /* often one at which something may end */
dloc_text any_text(chooser *from);   /* static storage */
#define ANY_OF(from, list) ((list)[below((from), sizeof(list) / sizeof *(list))])

/* ---- Worlds ---- */

typedef enum thing_kind {
  MODULE,
  INLINER,
  STRIPPER,
  CONVERTER,
  EMITTER,
  ENCODER,
  NUMBERS,
  BITCODE,
  ASSEMBLY,
  DIAGNOSER,
  COMPARER,
  HIDDEN,
  LAYER_MAKER,
  ROWS,
  ROW_INDEX,
  STACKS,
  TWO_LEVEL,
  OBJECT,
  EDIT,
  DEBUG_INFO,
  LINE_TABLE,
  KERNELS,
  LAYER_TABLES,
  FULL,
  LAYER_LINES,
  SYMBOLIZER,
  MLIR,
  MEANING,
  MLIR_OPS
} thing_kind;

/* What a create function gave. It lives as long as others borrow it; what was lent to it, longer. */
typedef struct thing {
  thing_kind kind;
  void *it;
  struct thing *borrows[3];
  size_t borrowers;
  const void *with; /* what a later call must know of how it was made */
} thing;

enum { MOST_NODES = 512, MOST_THINGS = 24, MOST_LENT = 512 };

typedef struct world {
  chooser *from;
  dloc_context *context;
  dloc_profile profile; /* any alternatives */
  dloc_node nodes[MOST_NODES];
  size_t node_count;
  thing *things[MOST_THINGS]; /* in the order in which they were made */
  size_t thing_count;
  void *lent[MOST_LENT];
  size_t lent_count;
  size_t passed;       /* bytes that were told of as read */
  size_t live, budget; /* allocations: those that are not freed; those that are left before one fails, 0: any */
} world;

void world_begin(world *w, chooser *from);
void world_end(world *w);
void world_forget_nodes(world *w);

void add_node(world *w, dloc_node node);
/* Any node, DLOC_NULL too; one of a kind, where there is one; a DebugLoc, a scope. */
dloc_node any_node(world *w);
dloc_node node_of_kind(world *w, dloc_kind kind);
dloc_node any_debug_loc(world *w);
dloc_node any_scope(world *w);
const dloc_profile *any_profile(world *w);
const dloc_trace *any_trace(world *w);

/* NULL when there is none. */
thing *any_thing(world *w, thing_kind kind);
bool has_room(const world *w);
/* borrowed: NULL at the end, or before. */
thing *add_thing(world *w, thing_kind kind, void *it, thing *borrowed, thing *other, thing *third);
void destroy_thing(world *w, thing *t);
/* A copy that lives as long as the world. NULL when there is no room. */
void *lend(world *w, const void *bytes, size_t size);

/* ---- Results ---- */

/* Every *ret is this before a call, and afterwards unless it is DLOC_OK. */
#define UNTOUCHED_NODE ((dloc_node)0xa5a5a5a5U)
void take_node(world *w, dloc_status status, const dloc_node *ret);
/* Of a create function: whether there is a result; ret was NULL. */
#define take_thing(status, ret) (take_status(status), take_result(ret))
void take_status(dloc_status status);
bool take_result(const void *ret);
/* A list that is shown: each byte is read. */
void read_text(dloc_text text);
void check_status(dloc_status status);
dloc_reason *any_reason(world *w); /* where a reason goes, or NULL */
dloc_sink any_sink(world *w);      /* that stops at times */
dloc_status on_line_problem(void *user, dloc_reason reason, size_t at);
dloc_status on_hidden_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node);

/* Files of the repository. */
enum { OBJECT_FILES = 10 };
extern dloc_text object_files[OBJECT_FILES];
extern dloc_text bitcode_file, mlir_file;
void read_files(void);

/* ---- Calls ---- */

typedef void api_call(world *w);
typedef struct api_calls {
  api_call *const *calls;
  size_t count;
} api_calls;
extern const api_calls calls_of_metadata, calls_of_rules, calls_of_modules, calls_of_formats, calls_of_lines,
    calls_of_objects, calls_of_hidden, calls_of_mlir;
#define CALLS(name, list) const api_calls name = {(list), sizeof(list) / sizeof *(list)}

/* Of one file that others need. */
thing *build_rows(world *w);
size_t make_rows(world *w, dloc_row *rows, dloc_row_call *calls, size_t most);
size_t make_program(world *w, dloc_line_instruction *program, size_t most);
dloc_line_parameters any_parameters(world *w, dloc_line_dialect dialect);
dloc_stacks *any_stacks(world *w, thing **ret);

#endif
