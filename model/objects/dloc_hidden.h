/* dloc_hidden.h - layers on an LLVM that does not know them: a module's layers become numbers that any LLVM carries,
 * and come back. spec/hidden.md, chapters 17 and 18. The conventions are those of dloc.h. */
#ifndef DLOC_HIDDEN_H
#define DLOC_HIDDEN_H

#include "dloc_formats.h"
#include "dloc_lines.h"

DLOC_BEGIN

/* ---- Tables ---- */

/* Where a location has its number: In the discriminator of a DILexicalBlockFile around its scope. In its column, where
 * it counts among the locations of its line. Or it is nothing but a number, the line of a location without column,
 * in a file of the name DLOC_HIDDEN_FILE. A module of such lines names no table, and has no
 * primaries: dloc_reveal_exact takes it. */
typedef enum dloc_hidden_in { DLOC_HIDDEN_IN_DISCRIMINATOR, DLOC_HIDDEN_IN_COLUMN, DLOC_HIDDEN_IN_LINE } dloc_hidden_in;
#define DLOC_HIDDEN_FILE "dloc"

/* The line of a hidden location whose primary has line 0, as LLVM writes no discriminator there (`hide.line-0`). */
#define DLOC_HIDDEN_LINE_0 0x3fffffffU

/* The table of the numbers of one module, or of several that were linked. Layers are DebugLocs of the table's own:
 * their primary is a stand-in, a location in a subprogram that stands for the one at hand. */
typedef struct dloc_hidden dloc_hidden;
dloc_status dloc_hidden_create(dloc_context *context, dloc_hidden **ret); /* without numbers */
void dloc_hidden_destroy(dloc_hidden *hidden);
dloc_hidden_in dloc_hidden_where(const dloc_hidden *hidden);

/* A table as a module without functions, for dloc_write_ll; and back. read adds the numbers of a table to those that
 * hidden has: DLOC_INVALID with a reason when the module is no table, or has numbers that are there already;
 * hidden is then as it was. DLOC_LIMIT: there is no number for the entry behind those that dloc_hidden_count counts.
 * After any failure but DLOC_INVALID it can only be destroyed. */
dloc_status dloc_hidden_write(const dloc_hidden *hidden, dloc_module **ret);
dloc_status dloc_hidden_read(dloc_hidden *hidden, const dloc_module *table, dloc_reason *ret_reason);

/* The meaning of a number. */
typedef struct dloc_hidden_entry {
  dloc_node layers;       /* a DebugLoc, for dloc_next_layer and dloc_place_of_layer; it may have no layers */
  uint32_t discriminator; /* that the location had itself; 0: none */
  uint32_t column;        /* in columns: that the location had itself */
} dloc_hidden_entry;
/* In discriminators and lines. False: there is no such number. */
bool dloc_hidden_find(const dloc_hidden *hidden, uint32_t number, dloc_hidden_entry *ret);
/* The number of entries, and each one by its index; but in columns, the numbers of one table follow each other. */
size_t dloc_hidden_count(const dloc_hidden *hidden);
dloc_hidden_entry dloc_hidden_at(const dloc_hidden *hidden, size_t index);
/* The kinds of all layers, each once, in the order of the entries; they belong to the table, until the next call. */
dloc_status dloc_hidden_kinds(dloc_hidden *hidden, const dloc_node **ret, size_t *ret_count);
/* The file of the layers of a kind that a text is of: the last one whose name, without folders, is that of the text, or
 * else the last one. DLOC_NULL: no layer of the kind is in a file. */
dloc_node dloc_hidden_file(const dloc_hidden *hidden, dloc_node kind, dloc_text name);
/* Begin a table that is none of a module: dloc_hidden_add counts on from `first`. Not in columns. */
dloc_status dloc_hidden_begin(dloc_hidden *hidden, dloc_hidden_in in, uint32_t first);
/* The stand-ins of the current subprogram, as scopes of the primary and of layers: one for each file, which may
 * be DLOC_NULL. */
dloc_status dloc_hidden_stand_in(dloc_hidden *hidden, dloc_node file, dloc_node *ret);
/* A number more in the table that was read or begun last, not in columns: of a DebugLoc whose layers alone count.
 * DLOC_LIMIT: there is none left. */
dloc_status dloc_hidden_add(dloc_hidden *hidden, dloc_node debug_loc, uint32_t *ret_number);
/* The embedded texts: entries of !llvm.intermediate_level_source. They belong to the table. */
const dloc_node *dloc_hidden_sources(const dloc_hidden *hidden, size_t *ret_count);

/* ---- Hide and reveal (chapter 17) ---- */

/* Something is wrong, or lost, at a node of an instruction (DLOC_NO_INDEX: of none). A status other than DLOC_OK stops;
 * a hard reason stops anyway. */
typedef dloc_status dloc_hidden_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node);

typedef struct dloc_hide_options {
  dloc_hidden_in in;
  uint32_t first;                  /* number in discriminators; 0 counts as 1 */
  uint32_t step;                   /* to the next number, not in columns; 0 counts as 1 */
  dloc_hidden_problem *on_problem; /* may be NULL */
  void *user;
} dloc_hide_options;

/* Make a module one that any LLVM reads: its layers and embedded texts go into *ret. The module names what the table
 * cannot hold, distinct nodes, in `!dloc.hidden`. Cost: linear in instructions and metadata. */
dloc_status dloc_hide(dloc_module *module, const dloc_hide_options *options, dloc_hidden **ret);
/* The way back: of the module, or of what an LLVM made of it. */
dloc_status dloc_reveal(dloc_module *module, const dloc_hidden *hidden, dloc_hidden_problem *on_problem, void *user);

typedef struct dloc_exact_options {
  dloc_compare *compare; /* the code of a function of base and one of made; dloc_compare_code */
  void *comparer;
  bool strict; /* nothing is revealed when a function of either module
                * differs: DLOC_INVALID, and the report says where */
  bool line_0; /* an instruction of base without location that has layers is at line 0 of its function's subprogram */
  dloc_hidden_problem *on_problem; /* may be NULL */
  void *user;
} dloc_exact_options;

/* What was done. A function is one that has instructions; debug records and calls of debug intrinsics do not count. */
typedef struct dloc_exact_report {
  size_t functions, differing; /* of base */
  size_t instructions;         /* of functions that do not differ */
  size_t layered;              /* instructions that got layers */
  size_t bare;                 /* of these, those that had no location */
  size_t constants;            /* that differ and may */
  uint32_t base, made;         /* functions of the first difference; DLOC_NO_INDEX: the other module has none such */
  dloc_code_difference first;
} dloc_exact_report;

/* Reveal onto the module that the same passes made of the one without layers (base): locations stay, and get the layers
 * that `made` has at the same instruction, as call site and in its loop. Both are of one context. A function whose code
 * differs gets no layers: DLOC_REASON_REVEAL_FUNCTION, soft, unless `strict`. The report may be NULL. */
dloc_status dloc_reveal_exact(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden,
                              const dloc_exact_options *options, dloc_exact_report *report);

/* Give base, or what it has become, the layers of one more kind (a text): `made` is what the same passes made of the
 * module with them as primaries, in a file of a layer of that kind. Otherwise as dloc_reveal_exact. Texts stay in the
 * table. Cost: linear in both and the table. */
dloc_status dloc_reveal_kind(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden, dloc_text kind,
                             const dloc_exact_options *options, dloc_exact_report *report);

/* ---- Rows (chapter 18) ---- */

/* A file of a kind's rows. */
typedef struct dloc_layer_file {
  dloc_node file;
  dloc_node entry; /* with its text, as dloc_section_text takes it; DLOC_NULL: the file has none */
} dloc_layer_file;

/* The rows of a kind, or the primary's. Files have their numbers in this order: from 0 in version 5, from 1 before. */
typedef struct dloc_layer_lines {
  dloc_node kind;
  const dloc_row *rows;
  size_t row_count;
  const dloc_sequence *sequences; /* set_address: of the sequence that they were made of */
  size_t sequence_count;
  const dloc_layer_file *files;
  size_t file_count;
} dloc_layer_lines;

/* Makes the rows of layers and of the primary from the rows of a unit whose discriminators are numbers. The
 * parameters are the unit's; they and hidden are borrowed. on_problem may be NULL; `at` is a row's number among all. */
typedef struct dloc_layer_maker dloc_layer_maker;
dloc_status dloc_layer_maker_create(dloc_context *context, const dloc_profile *profile,
                                    const dloc_line_parameters *parameters, const dloc_hidden *hidden,
                                    dloc_line_problem *on_problem, void *user, dloc_layer_maker **ret);
void dloc_layer_maker_destroy(dloc_layer_maker *maker);
/* One sequence more. Cost: linear in its rows and their layers. */
dloc_status dloc_layer_maker_add(dloc_layer_maker *maker, const dloc_row *rows, size_t count, size_t set_address);
/* The rows so far, until more are added. Kinds have the order of their first layers; one may have no rows. */
dloc_layer_lines dloc_layer_maker_primary(const dloc_layer_maker *maker);
size_t dloc_layer_maker_kinds(const dloc_layer_maker *maker);
dloc_layer_lines dloc_layer_maker_kind(const dloc_layer_maker *maker, size_t index);

DLOC_END

#endif
