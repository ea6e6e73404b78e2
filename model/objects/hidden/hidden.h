/* Private to model/objects/hidden: how a table is kept, and graphs of nodes that become others. */
#pragma once

#include "objects/dloc_hidden.h"
#include "layers.h"

/* The numbers of one module. */
typedef struct hidden_part {
  uint64_t identity;    /* of the module's numbers, which `!dloc.hidden` names as well */
  uint32_t first, step; /* the first number, and how far it is to the next */
  size_t first_entry, entry_count;
  size_t first_carried, carried_count;
} hidden_part;

struct dloc_hidden {
  dloc_context *context;
  dloc_hidden_in in;
  ARRAY(hidden_part) parts;
  ARRAY(uint32_t) order;    /* the parts by their first numbers */
  ARRAY(dloc_node) entries; /* DebugLocs */
  ARRAY(dloc_node) carried; /* stand-ins of what modules carry, in their order */
  ARRAY(dloc_node) sources;
  ARRAY(dloc_node) kinds;
  map texts;                   /* Text -> the first part that has it, from 1. */
  map stand_ins;               /* The stand-ins of subprograms at hand. */
  map stand_ins_of_files;      /* File -> the subprogram that stands for those of the file. */
  map lines;                   /* (Directory and name of a file, line) -> its index among the counts. */
  map columns;                 /* (That index, number) -> index among the entries. */
  ARRAY(uint32_t) line_counts; /* The next number of a line. */
};

#define HIDDEN_MODULE "dloc.hidden" /* of a hidden module: `!{!"IDENTITY", carried...}` for each table */
#define HIDDEN_TABLE                                                                                                   \
  "dloc.hidden.table" /* of a table: `!{!"discriminator", i32 FIRST, !"IDENTITY"}`, and `i32 STEP` unless it is 1 */
#define HIDDEN_LAYERS "dloc.hidden.layers"
#define HIDDEN_CARRIED "dloc.hidden.carried"
#define HIDDEN_STAND_INS "dloc.hidden.subprograms"

dloc_status hidden_begin_part(dloc_hidden *hidden, uint64_t identity, uint32_t first, uint32_t step);
/* Behind all others, to the part that was begun last. DLOC_LIMIT: there is no number left. */
dloc_status hidden_add_entry(dloc_hidden *hidden, dloc_node debug_loc, uint32_t *ret_number);
dloc_status hidden_add_carried(dloc_hidden *hidden, dloc_node stand_in);
/* The mark that tells a module's numbers from those of another: a hash of the first number, the texts and the entries. */
#define HIDDEN_IDENTITY(first) ((uint64_t)(first)-1)
void hidden_mix_source(uint64_t *identity, const dloc_context *context, dloc_node source);
void hidden_mix_entry(uint64_t *identity, const dloc_context *context, dloc_node debug_loc);
/* "0123456789abcdef" as an MDString. */
dloc_status hidden_identity(dloc_context *context, uint64_t identity, dloc_node *ret);

/* In columns: the number counts within a line of a file. */
bool hidden_find_column(const dloc_hidden *hidden, dloc_node file, uint32_t line, uint32_t number,
                        dloc_hidden_entry *ret);

/* Hand a problem on; a soft reason goes on. */
dloc_status hidden_tell(dloc_hidden_problem *on_problem, void *user, dloc_reason reason, uint32_t instruction,
                        dloc_node node);

/* ---- Two modules of the same code (pairs.c) ---- */

/* Give a location of base, DLOC_NULL for none of them, the layers of the one that is there in made; *ret is base's. */
typedef dloc_status hidden_pair(void *user, uint32_t instruction, dloc_node base, dloc_node made, dloc_node *ret);
/* Every two locations that are at the same place: of instructions, in loop ids, and of debug records if they count. */
dloc_status hidden_visit_pairs(dloc_module *base, const dloc_module *made, const dloc_exact_options *options,
                               bool records, dloc_exact_report *report, hidden_pair *pair, void *user);

/* ---- Graphs (rewrite.c) ---- */

/* Nodes become others, and so do the uniqued nodes that refer to them: tuples, locations, scopes, layers. */
typedef struct rewriter {
  dloc_context *context;
  uint32_t salt; /* the subprogram at hand: what nodes become depends on it */
  node_notes done;
  scratch stack;
  /* The new node for one whose operands do not count; DLOC_NULL: it goes by its operands. */
  dloc_status (*leaf)(void *user, dloc_node node, dloc_node *ret);
  /* A distinct node that goes by its operands became another distinct one. */
  dloc_status (*distinct)(void *user, dloc_node node, dloc_node copy);
  void *user;
} rewriter;

/* DLOC_INVALID with DLOC_REASON_HIDE_CYCLE where uniqued nodes form a cycle. */
dloc_status rewrite(rewriter *r, dloc_node node, dloc_reason *ret_reason, dloc_node *ret);
void rewriter_deinit(rewriter *r);
