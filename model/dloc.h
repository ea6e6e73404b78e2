/* dloc.h - the executable model of multi-level debug locations. This header is the manual.
 *
 * What it models: LLVM's metadata as far as debug locations need it, and the RFC's extension of `!dbg` from one
 * DILocation to a tuple `!{primary, !{kind, location}...}`. Clause anchors such as `merge.layer.pair-by-kind` name
 * statements of SPEC.md.
 *
 * Two libraries. libdloc has dloc.h (the rules) and dloc_formats.h (modules as text and bitcode), and needs libmd
 * alone. libdloc-objects has the other headers, dloc_dwarf.h to dloc_symbolizer.h, and needs libdloc, libdw and libelf.
 *
 * Conventions
 *   - A dloc_node is a handle into one dloc_context; DLOC_NULL (0) is LLVM's null operand. Handles are never freed
 *     singly: a context owns every node and string, and destroying it frees them all at once. Handles of different
 *     contexts do not mix.
 *   - Uniqued nodes are interned: equal content, equal handle. Distinct nodes are equal only to themselves.
 *   - Functions that can fail return dloc_status; the out parameter is last, is called ret, and is untouched on
 *     failure. DLOC_INVALID: a node is no DebugLoc or no entry of the list of sources, a chain is cyclic or broken, or
 *     what a comment says. Then *ret_reason says why where there is one; it may be NULL.
 *   - Callers keep to this: a pointer is NULL only where a comment says so; a list without items and a text without
 *     bytes may have a NULL one. A node is a handle of that context, or DLOC_NULL. An index is less than the count that
 *     it goes with, a number of an enumeration one of those that have a name. A borrowed object stays there, and
 *     unchanged, until its borrower is destroyed. Functions answer everything else that they are given.
 *   - After DLOC_NO_MEMORY an object can be used as before, unless a comment says that it can only be destroyed. An
 *     object borrows the profile that it is made with. Functions that destroy an object accept NULL; a trace may be NULL.
 *   - The library does no I/O, never exits and has no global state. One context must not be used by two threads at a
 *     time.
 *   - Pointers that a function returns into a context stay valid until the next call that creates nodes in that
 *     context. */
#ifndef DLOC_H
#define DLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Around the declarations of each header: the library offers them, also to C++. */
#if defined(__GNUC__)
#define DLOC_PRAGMA(text) _Pragma(text)
#else
#define DLOC_PRAGMA(text)
#endif
#ifdef __cplusplus
#define DLOC_BEGIN DLOC_PRAGMA("GCC visibility push(default)") extern "C" {
#define DLOC_END                                                                                                       \
  }                                                                                                                    \
  DLOC_PRAGMA("GCC visibility pop")
#else
#define DLOC_BEGIN DLOC_PRAGMA("GCC visibility push(default)")
#define DLOC_END DLOC_PRAGMA("GCC visibility pop")
#endif

DLOC_BEGIN

typedef enum dloc_status {
  DLOC_OK,
  DLOC_NO_MEMORY, /* An allocation failed; the context stays usable and can be destroyed. */
  DLOC_LIMIT,     /* The input needs more nodes, bytes or depth than a context can hold (2^32 - 1). */
  DLOC_INVALID,   /* The input breaks a rule; a dloc_diagnostic or dloc_violation says which. */
  DLOC_STOPPED,   /* A callback of the caller asked to stop. */
} dloc_status;

/* A short English text for a status, static storage. */
const char *dloc_status_text(dloc_status status);

/* The version of this library, "MAJOR.MINOR.PATCH", static storage. */
const char *dloc_version(void);

/* ---- Text that is not NUL-terminated ---- */

typedef struct dloc_text {
  const char *bytes;
  size_t size;
} dloc_text;

/* A dloc_text over a NUL-terminated string, which stays the caller's. */
dloc_text dloc_text_of(const char *c_string);
bool dloc_text_equal(dloc_text a, dloc_text b);
/* Less than 0, 0 or more, by bytes; a text comes before what it is the beginning of. */
int dloc_text_compare(dloc_text a, dloc_text b);
/* The bytes of the UTF-8 character at the start of a text, the character in *ret (may be NULL); 0 when there is none:
 * malformed, overlong, a surrogate, beyond U+10FFFF, or the end. */
size_t dloc_character(dloc_text text, uint32_t *ret);

/* Where printed output goes. write returns false to stop; the printing function then returns DLOC_STOPPED. */
typedef struct dloc_sink {
  bool (*write)(void *user, const char *bytes, size_t size);
  void *user;
} dloc_sink;

/* A sink that collects in memory. Zero-initialise; bytes are NUL-terminated when size > 0; release with
 * dloc_buffer_deinit. Without memory the printing function returns DLOC_NO_MEMORY. */
typedef struct dloc_buffer {
  char *bytes;
  size_t size;
  size_t capacity;
} dloc_buffer;

dloc_sink dloc_buffer_sink(dloc_buffer *buffer);
void dloc_buffer_deinit(dloc_buffer *buffer);

/* ---- Reason codes, clauses, choices, profiles ---- */

/* The build makes clauses.def from the clauses of all volumes, SPEC.md and those in spec/, and reasons.def, choices.def
 * and profiles.def from spec/choices.md; their order is that of the documents. An enumerator is a name in upper case:
 * `merge.layer.one-sided` is DLOC_CLAUSE_MERGE_LAYER_ONE_SIDED. */

/* Why something was rejected (spec/choices.md, chapter 10). Neutral names such as `shape.primary-not-location`. */
typedef enum dloc_reason {
  DLOC_REASON_NONE,
#define REASON(id, name, severity, text) DLOC_REASON_##id,
#include "reasons.def"
#undef REASON
  DLOC_REASON_COUNT
} dloc_reason;

/* What a violation costs (SPEC.md, verify): LLVM prints a soft one, strips the module's debug info and goes on with
 * exit status 0; a hard one rejects the module; a parse one means that the text is not read at all. */
typedef enum dloc_severity {
  DLOC_SEVERITY_SOFT,
  DLOC_SEVERITY_HARD,
  DLOC_SEVERITY_PARSE,
  DLOC_SEVERITY_WARNING /* no violation */
} dloc_severity;

const char *dloc_reason_name(dloc_reason reason);
/* The sentence as LLVM or PR 205453 words it; ours where neither has one. */
const char *dloc_reason_text(dloc_reason reason);
dloc_severity dloc_reason_severity(dloc_reason reason);
const char *dloc_severity_name(dloc_severity severity);

/* A normative statement of SPEC.md. */
typedef enum dloc_clause {
#define CLAUSE(id, anchor, level, origin, place, statement, source) DLOC_CLAUSE_##id,
#include "clauses.def"
#undef CLAUSE
  DLOC_CLAUSE_COUNT
} dloc_clause;

const char *dloc_clause_anchor(dloc_clause clause);
const char *dloc_clause_level(dloc_clause clause);  /* "must", "should", "may", "undefined" or "record" */
const char *dloc_clause_origin(dloc_clause clause); /* "rfc", "stock", "dwarf" or "ours" */
const char *dloc_clause_place(dloc_clause clause);  /* where LLVM does it: functions and their file; annex B */
const char *dloc_clause_statement(dloc_clause clause);
/* The text behind it, a paragraph a line: the sentence of the RFC, the release or the document that it rests on. */
const char *dloc_clause_source(dloc_clause clause);
bool dloc_clause_find(dloc_text anchor, dloc_clause *ret);

/* A point where the text is silent or states disagree (spec/choices.md, chapter 9). Alternatives are numbered from 0
 * within their choice. */
typedef enum dloc_choice {
#define CHOICE(id, name, question, reason, consequence) DLOC_CHOICE_##id,
#define ALTERNATIVE(choice, id, name, meaning)
#include "choices.def"
#undef CHOICE
#undef ALTERNATIVE
  DLOC_CHOICE_COUNT
} dloc_choice;

const char *dloc_choice_name(dloc_choice choice);
const char *dloc_choice_question(dloc_choice choice);
const char *dloc_choice_reason(dloc_choice choice);      /* why the rfc profile takes the alternative it takes */
const char *dloc_choice_consequence(dloc_choice choice); /* what a user sees of it */
unsigned dloc_choice_alternatives(dloc_choice choice);
const char *dloc_alternative_name(dloc_choice choice, unsigned alternative);
const char *dloc_alternative_meaning(dloc_choice choice, unsigned alternative);
bool dloc_choice_find(dloc_text name, dloc_choice *ret);
bool dloc_alternative_find(dloc_choice choice, dloc_text name, unsigned *ret);

/* The alternatives by name, numbered from 0 within their choice: DLOC_MERGE_EMPTY_KEEP_COMPOSITE. */
enum dloc_alternative {
#define CHOICE(id, name, question, reason, consequence) DLOC_BEFORE_##id = -1,
#define ALTERNATIVE(choice, id, name, meaning) DLOC_##choice##_##id,
#include "choices.def"
#undef CHOICE
#undef ALTERNATIVE
  DLOC_AFTER_CHOICES
};

/* One alternative for every choice. Plain data: copy one and change it at will. */
typedef struct dloc_profile {
  const char *name;
  uint8_t alternative[DLOC_CHOICE_COUNT];
  const char *base;  /* the name of the profile that it is based on; empty: none */
  const char *about; /* whose rules it has */
} dloc_profile;

/* Whether a profile takes an alternative: DLOC_TAKES(profile, MERGE_PICK, ON). */
#define DLOC_TAKES(profile, choice, taken) ((profile)->alternative[DLOC_CHOICE_##choice] == DLOC_##choice##_##taken)

/* The built-in profiles, in the order of SPEC.md; the first is `rfc`. Static storage. */
size_t dloc_profile_count(void);
const dloc_profile *dloc_profile_at(size_t index);
const dloc_profile *dloc_profile_find(dloc_text name); /* NULL when there is none of that name */

/* ---- Metadata (SPEC.md, chapter 1) ---- */

typedef struct dloc_context dloc_context;
typedef uint32_t dloc_node;
#define DLOC_NULL ((dloc_node)0)

/* The allocator of a context; NULL functions stand for malloc's. realloc has realloc's contract, free accepts NULL. */
typedef struct dloc_allocator {
  void *(*realloc)(void *user, void *old, size_t size);
  void (*free)(void *user, void *old);
  void *user;
} dloc_allocator;

/* allocator may be NULL. NULL when memory is short. */
dloc_context *dloc_context_create(const dloc_allocator *allocator);
void dloc_context_destroy(dloc_context *context);

/* Forget every node but keep the memory, for the next of many small inputs. All handles become invalid; modules must be
 * destroyed first. */
void dloc_context_reset(dloc_context *context);

/* Sets the profile whose atom groups (`irlayers.atom-bits`) new locations have; at first `rfc`. */
void dloc_context_set_profile(dloc_context *context, const dloc_profile *profile);

/* Called with each MiB or so of a text, when dloc_read_ll has passed it, and with the rest. It must not use the context.
 * The text must stay readable, but whoever has mapped a file may give the part's pages back. */
typedef void dloc_passed(void *user, dloc_text part);
/* passed may be NULL, as it is at first. */
void dloc_context_set_passed(dloc_context *context, dloc_passed *passed, void *user);

/* What a node is. A specialised node that the model need not understand is DLOC_OTHER: its class name and fields stay
 * as they are. */
typedef enum dloc_kind {
  DLOC_KIND_NULL,
  DLOC_KIND_FORWARD,  /* named, not defined yet */
  DLOC_KIND_STRING,   /* an MDString: !"..." */
  DLOC_KIND_CONSTANT, /* a value as metadata, kept as text: i32 7 */
  DLOC_KIND_TOKEN,    /* a bare word or number as the value of a field: DW_TAG_member, 12, true */
  DLOC_KIND_TUPLE,    /* an MDTuple: !{...} */
  DLOC_KIND_LOCATION, /* DILocation */
  DLOC_KIND_FILE,
  DLOC_KIND_COMPILE_UNIT,
  DLOC_KIND_SUBPROGRAM,
  DLOC_KIND_LEXICAL_BLOCK,
  DLOC_KIND_LEXICAL_BLOCK_FILE,
  DLOC_KIND_INTERMEDIATE_SCOPE, /* DIIntermediateScope, the RFC's proposed class: a local scope with scope and file */
  DLOC_KIND_LAYER,              /* DILayerLoc: a layer of the form irlayers, without a scope */
  DLOC_KIND_LAYER_LIST,         /* DILayerLocList: such layers, as fields without keys */
  DLOC_KIND_OTHER
} dloc_kind;

dloc_kind dloc_node_kind(const dloc_context *context, dloc_node node);
bool dloc_node_is_distinct(const dloc_context *context, dloc_node node);
/* Number of handles given out so far; every valid handle is smaller. The size for a caller's table over nodes. */
uint32_t dloc_node_limit(const dloc_context *context);

/* Strings, constants and tokens; bytes are copied. Interned. A constant is a type, a blank and a value, as a text has
 * it; DLOC_INVALID: it cannot stand as one operand there. */
dloc_status dloc_string(dloc_context *context, dloc_text bytes, dloc_node *ret);
dloc_status dloc_constant(dloc_context *context, dloc_text text, dloc_node *ret);
dloc_status dloc_token(dloc_context *context, dloc_text text, dloc_node *ret);
/* The bytes of a string, constant or token; empty for any other node. */
dloc_text dloc_node_text(const dloc_context *context, dloc_node node);

/* A tuple. Operands may be DLOC_NULL or forward nodes. */
dloc_status dloc_tuple(dloc_context *context, bool distinct, const dloc_node *operands, size_t count, dloc_node *ret);

/* Give a distinct tuple another operand: distinct nodes are equal by identity, so this changes no other node.
 * DLOC_INVALID when the node is no distinct tuple or has no such operand, or when either is a forward node or not
 * resolved yet. */
dloc_status dloc_set_operand(dloc_context *context, dloc_node tuple, size_t index, dloc_node operand);

/* The content of a DILocation. scope is required; column is 16 bits, atom_group 61 bits, atom_rank 3 bits wide (clause
 * `metadata.location.limits`); the reader rejects or folds larger values. */
typedef struct dloc_location {
  uint32_t line;
  uint32_t column;
  dloc_node scope;
  dloc_node inlined_at;
  bool implicit;
  uint8_t atom_rank;
  uint64_t atom_group;
  dloc_node layers; /* irlayers: a DILayerLocList; DLOC_NULL: none. Anything else is a fault, `irlayers.operand` */
} dloc_location;

dloc_status dloc_location_create(dloc_context *context, bool distinct, const dloc_location *content, dloc_node *ret);
/* The content of a DILocation; all zero for any other node. */
dloc_location dloc_location_get(const dloc_context *context, dloc_node location);

/* One field of a specialised node. key is a token, DLOC_NULL for a positional value (DIExpression). value is a node:
 * numbers, words and booleans are tokens, strings are strings. */
typedef struct dloc_field {
  dloc_node key;
  dloc_node value;
} dloc_field;

/* A specialised node by class name ("DIFile", "DIBasicType", ...) and fields. "DILocation" is understood as well. For
 * the classes that classes.def knows, fields are put into LLVM's order; for those the model understands, defaults (0,
 * null, false, "") are left out. So equal nodes are equal. A string value is printed as `"text"`; a field whose value
 * is an MDString reference (`value: !"vector"`) is given as a token. DLOC_INVALID: the class or a key is no
 * name of letters, digits and `_`, a word cannot stand as an operand, a required field is missing, a field is repeated or malformed; *diagnosis then says
 * which reason and field. */
typedef struct dloc_node_diagnosis {
  dloc_reason reason;
  dloc_node field; /* the key it is about, or DLOC_NULL */
  uint64_t limit;  /* for "too large": the largest value allowed */
} dloc_node_diagnosis;

dloc_status dloc_specialised(dloc_context *context, dloc_text class_name, bool distinct, const dloc_field *fields,
                             size_t count, dloc_node_diagnosis *diagnosis, dloc_node *ret);
/* Shortcuts for the nodes that producers make most. Texts are copied; a node may be DLOC_NULL where it says so.
 * DLOC_INVALID: what must not be null is null, a column is greater than DLOC_COLUMN_LIMIT, or a language is no word. */
dloc_status dloc_file(dloc_context *context, dloc_text filename, dloc_text directory, dloc_node *ret);
/* Distinct, with full debug info; language is LLVM's word, DW_LANG_C11. */
dloc_status dloc_compile_unit(dloc_context *context, dloc_text language, dloc_node file, dloc_text producer,
                              dloc_node *ret);
/* The distinct one of a function's definition, in its file, of a type without types. LLVM asks for a unit, which may be DLOC_NULL here. */
dloc_status dloc_subprogram(dloc_context *context, dloc_text name, dloc_node file, uint32_t line, dloc_node unit,
                            dloc_node *ret);
/* Distinct; file may be DLOC_NULL. */
dloc_status dloc_lexical_block(dloc_context *context, dloc_node scope, dloc_node file, uint32_t line, uint32_t column,
                               dloc_node *ret);
/* Uniqued; file may be DLOC_NULL. With the file of a layer it is the scope of the layer's location
 * (`scope.layer.block-file`). */
dloc_status dloc_lexical_block_file(dloc_context *context, dloc_node scope, dloc_node file, uint32_t discriminator,
                                    dloc_node *ret);
/* A uniqued DILocation. */
dloc_status dloc_location_at(dloc_context *context, uint32_t line, uint32_t column, dloc_node scope, dloc_node *ret);
/* The class name of a specialised node, DILocation included; empty for any other node. */
dloc_text dloc_node_class(const dloc_context *context, dloc_node node);

/* Operands of a tuple, fields of a specialised node (a DILocation shows its fields too, as LLVM prints them, without
 * defaults). */
size_t dloc_operand_count(const dloc_context *context, dloc_node node);
dloc_node dloc_operand(const dloc_context *context, dloc_node node, size_t index);
size_t dloc_field_count(const dloc_context *context, dloc_node node);
/* Not for a DILocation: dloc_location_get has its content. */
dloc_field dloc_field_at(const dloc_context *context, dloc_node node, size_t index);
/* The value of the field of that name; DLOC_NULL when it is absent or null. */
dloc_node dloc_field_value(const dloc_context *context, dloc_node node, const char *name);
/* The same as an unsigned number; 0 when it is absent or no number. */
uint64_t dloc_field_number(const dloc_context *context, dloc_node node, const char *name);

/* The next node that a node refers to by number, from *index on, which is advanced past it; start with 0. False after
 * the last. A node refers to tuples, locations and specialised nodes: a tuple by its operands, a location by scope and
 * inlinedAt, any other by the values of its fields. */
bool dloc_next_reference(const dloc_context *context, dloc_node node, size_t *index, dloc_node *ret);

/* LLVM's classes, by the table classes.def. The value that a field of a class holds. The table may lack the class or the field:
 * then what the first field of that name holds, or a word. The name of a field without one is empty. */
typedef enum dloc_field_content { DLOC_CONTENT_WORD, DLOC_CONTENT_NODE, DLOC_CONTENT_TEXT } dloc_field_content;
dloc_field_content dloc_class_field_content(dloc_text class_name, dloc_text field);
/* A number that sorts the fields of a class whose fields the model understands as LLVM prints them; DLOC_NO_INDEX for
 * other fields. */
uint32_t dloc_class_field_order(dloc_text class_name, dloc_text field);

/* Forward references. A forward node is a handle that may be used as an operand before it is defined. After
 * dloc_resolve every operand in the context is a defined node, uniqued nodes of equal content have become one, and
 * dloc_canonical maps any earlier handle (a forward node, a duplicate) to the node that stands for it. Cost: linear in
 * the nodes made since the last call. dloc_resolve returns DLOC_INVALID and the first undefined forward node in
 * *ret_undefined (may be NULL) when one is left. */
dloc_status dloc_forward(dloc_context *context, dloc_node *ret);
dloc_status dloc_define(dloc_context *context, dloc_node forward, dloc_node definition);
dloc_status dloc_resolve(dloc_context *context, dloc_node *ret_undefined);
dloc_node dloc_canonical(const dloc_context *context, dloc_node node);

/* One node as LLVM prints it at the right of `!N = `, references written through the callback (which writes for
 * instance "!12"). Strings and constants are written in place. */
typedef dloc_status dloc_write_reference(void *user, dloc_sink sink, dloc_node node);
dloc_status dloc_print_node(const dloc_context *context, dloc_node node, dloc_write_reference *reference, void *user,
                            dloc_sink sink);
/* An MDString's bytes between quotes, escaped as LLVM does. */
dloc_status dloc_print_string(dloc_text bytes, dloc_sink sink);

/* Canonical form of the graph below roots: nodes numbered from 0 in the order met (a node, then its operands, depth
 * first), one line `!N = ...` each. Two graphs are the same, up to names, exactly when these texts are the same. roots
 * may contain DLOC_NULL. Writes one line per root first: `PREFIX !N` or `none` (PREFIX is "!dbg" in `dloc merge`). */
dloc_status dloc_print_graph(dloc_context *context, const char *prefix, const dloc_node *roots, size_t count,
                             dloc_sink sink);
/* The same, a root at a time, for texts that have more than a root in a line: the root as an operand, `!N`, then the
 * lines of all nodes that were met. No node of the context may change meanwhile; more may be made. */
typedef struct dloc_graph dloc_graph;
dloc_status dloc_graph_create(dloc_context *context, dloc_graph **ret);
void dloc_graph_destroy(dloc_graph *graph);
dloc_status dloc_graph_root(dloc_graph *graph, dloc_node root, dloc_sink sink);
dloc_status dloc_graph_nodes(dloc_graph *graph, dloc_sink sink);

/* ---- Scopes and locations (SPEC.md, chapters 1 and 2) ---- */

/* A local scope: DISubprogram, DILexicalBlock, DILexicalBlockFile, DIIntermediateScope. */
bool dloc_is_local_scope(const dloc_context *context, dloc_node node);
dloc_node dloc_scope_parent(const dloc_context *context, dloc_node scope); /* field `scope` */
dloc_node dloc_scope_file(const dloc_context *context, dloc_node scope);   /* field `file`; DLOC_NULL when absent */
/* The DISubprogram above a scope; DLOC_NULL when the chain ends elsewhere or is cyclic. */
dloc_node dloc_scope_subprogram(const dloc_context *context, dloc_node scope);
/* The discriminator of a location: that of its own scope when it is a DILexicalBlockFile, otherwise 0
 * (`metadata.discriminator`). */
uint32_t dloc_location_discriminator(const dloc_context *context, dloc_node location);

/* The largest column that LLVM takes. */
#define DLOC_COLUMN_LIMIT UINT16_MAX

/* A DebugLoc is what `!dbg` holds: DLOC_NULL (empty), a DILocation (bare) or a tuple (composite). */
typedef enum dloc_shape { DLOC_SHAPE_EMPTY, DLOC_SHAPE_BARE, DLOC_SHAPE_COMPOSITE, DLOC_SHAPE_NONE } dloc_shape;

/* The shape by the RFC's minimum (`shape.minimum`); DLOC_SHAPE_NONE when the node cannot be a DebugLoc at all. */
dloc_shape dloc_debug_loc_shape(const dloc_context *context, dloc_node debug_loc);
/* The primary location (`accessor.primary`): DebugLoc::get(). DLOC_NULL for empty. */
dloc_node dloc_primary(const dloc_context *context, dloc_node debug_loc);
/* Layers by index, in operand order (`accessor.layer`): those of a tuple, or of the list of a location, or of a list.
 * Operands that are not well-formed layers do not count. */
typedef struct dloc_layer {
  dloc_node kind;     /* an MDString; DLOC_NULL: a DILayerLoc without a kind */
  dloc_node location; /* a DILocation; in the form irlayers a DILayerLoc */
} dloc_layer;
size_t dloc_layer_count(const dloc_context *context, dloc_node debug_loc);
/* The layers one after the other, in time linear in their number: *cursor is 0 at first; false after the last. */
bool dloc_next_layer(const dloc_context *context, dloc_node debug_loc, size_t *cursor, dloc_layer *ret);
dloc_layer dloc_layer_at(const dloc_context *context, dloc_node debug_loc, size_t index);
/* Where a layer is, as far as every form says it. */
typedef struct dloc_layer_place {
  dloc_node file; /* DLOC_NULL: none */
  uint32_t line;
  uint32_t column;
} dloc_layer_place;
dloc_layer_place dloc_place_of_layer(const dloc_context *context, dloc_node location);
/* The first layer of that kind; DLOC_NULL when there is none. */
dloc_node dloc_layer_find(const dloc_context *context, dloc_node debug_loc, dloc_text kind);
/* In the form irlayers, the first list from a location outward along inlinedAt; DLOC_NULL when there is none. */
dloc_node dloc_innermost_layers(const dloc_context *context, dloc_node location);
/* Whether a context has a list of layers: its modules are of the form irlayers. Cost: one step for each node. */
bool dloc_has_lists(const dloc_context *context);
/* Put a DebugLoc together (`merge.tuple.rebuild`): a uniqued tuple, or the bare primary when count is 0. */
dloc_status dloc_debug_loc_create(dloc_context *context, dloc_node primary, const dloc_layer *layers, size_t count,
                                  dloc_node *ret);
/* Whether dloc_debug_loc_create makes this composite of its primary and layers, apart from being distinct itself: it
 * holds a layer, nothing but layers, and no distinct layer. */
bool dloc_debug_loc_is_plain(const dloc_context *context, dloc_node debug_loc);
/* Equality of two DebugLocs (`equal.*`), by the profile's alternatives. */
bool dloc_debug_loc_equal(const dloc_context *context, const dloc_profile *profile, dloc_node a, dloc_node b);
/* The same source location (`equal.position`); with layers, also the same layers (`equal.position.layers`). */
bool dloc_same_source(const dloc_context *context, const dloc_profile *profile, dloc_node a, dloc_node b, bool layers);
/* LLVM's form: `file:line:col @[ file:line:col ], kind: file:line:col` (`print.*`); `none` for empty.
 * DLOC_INVALID when a chain is cyclic. */
dloc_status dloc_debug_loc_print(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                 dloc_sink sink);

/* ---- Merge (SPEC.md, chapter 4) ---- */

/* Receives each clause that was applied and what it decided: `dloc merge --explain`. step must not merge in the context
 * of that merge. */
typedef struct dloc_trace {
  void (*step)(void *user, dloc_clause clause, const char *decision);
  void *user;
} dloc_trace;

/* Merge DebugLocs: count 0 gives empty, 1 the operand itself, more a left fold (`merge.n-way`).
 * Cost: for each location of both inlinedAt chains, one step for each scope between it and its subprogram. Fresh atom
 * groups come from the context's counter (`merge.atoms.fresh`). */
dloc_status dloc_merge(dloc_context *context, const dloc_profile *profile, const dloc_node *debug_locs, size_t count,
                       const dloc_trace *trace, dloc_reason *ret_reason, dloc_node *ret);

/* ---- Inline (SPEC.md, chapter 5) ---- */

/* The facts about an instruction that the location rules need. */
typedef enum dloc_instruction_class {
  DLOC_INSTRUCTION_PLAIN,
  DLOC_INSTRUCTION_STATIC_ALLOCA, /* constant size, not inalloca: never receives the call's location */
  DLOC_INSTRUCTION_PSEUDO_PROBE,
  DLOC_INSTRUCTION_ANY_CALL /* of a function, an intrinsic or inline assembly: `inline.probe-discriminator` */
} dloc_instruction_class;

typedef struct dloc_call_site {
  dloc_node debug_loc;               /* of the call; DLOC_NULL: nothing is touched */
  bool callee_has_subprogram;        /* the callee has debug info */
  bool caller_no_inline_line_tables; /* the caller has the attribute "no-inline-line-tables" */
} dloc_call_site;

/* One inlined call: holds the distinct call-site node and the map of rebuilt chain nodes (`inline.call-site`,
 * `inline.chain`). Ask for the instructions, loops and records of the callee's body in order; each call site needs its
 * own dloc_inliner. */
typedef struct dloc_inliner dloc_inliner;

dloc_status dloc_inliner_create(dloc_context *context, const dloc_profile *profile, const dloc_call_site *site,
                                const dloc_trace *trace, dloc_inliner **ret);
void dloc_inliner_destroy(dloc_inliner *inliner);
/* The DebugLoc of the inlined copy of an instruction. */
dloc_status dloc_inline_instruction(dloc_inliner *inliner, dloc_instruction_class instruction, dloc_node debug_loc,
                                    dloc_node *ret);
/* The DILocation of the inlined copy of a debug record; DLOC_NULL: the record is deleted (`inline.no-line-tables`). */
dloc_status dloc_inline_record(dloc_inliner *inliner, dloc_node location, dloc_node *ret);
/* The loop id (`!llvm.loop`) of the inlined copy (`inline.loop`). */
dloc_status dloc_inline_loop(dloc_inliner *inliner, dloc_node loop, dloc_node *ret);

/* ---- Modules: what verification and the tools walk over ---- */

typedef struct dloc_module dloc_module;

typedef enum dloc_function_flag {
  DLOC_FUNCTION_DEFINITION = 1 << 0,
  DLOC_FUNCTION_ALWAYS_INLINE = 1 << 1,
  DLOC_FUNCTION_NO_INLINE_LINE_TABLES = 1 << 2,
  DLOC_FUNCTION_INTERPOSABLE = 1 << 3,  /* its definition may be replaced: weak, linkonce, common, extern_weak */
  DLOC_FUNCTION_INTRINSIC = 1 << 4,     /* the name starts with "llvm." */
  DLOC_FUNCTION_SAMPLE_PROFILE = 1 << 5 /* "use-sample-profile" */
} dloc_function_flag;

typedef enum dloc_instruction_flag {
  DLOC_INSTRUCTION_CALL = 1 << 0,     /* call, invoke, callbr */
  DLOC_INSTRUCTION_ALLOCA = 1 << 1,   /* static alloca */
  DLOC_INSTRUCTION_RECORD = 1 << 2,   /* not an instruction but a #dbg_* record standing before the next one */
  DLOC_INSTRUCTION_DBG_CALL = 1 << 3, /* call of llvm.dbg.declare/value/assign/label (the old form of a record) */
  DLOC_INSTRUCTION_RET = 1 << 4,
  DLOC_INSTRUCTION_LABEL_RECORD = 1 << 5, /* with RECORD or DBG_CALL: #dbg_label / llvm.dbg.label */
  DLOC_INSTRUCTION_INVOKE = 1 << 6,
  DLOC_INSTRUCTION_PROBE = 1 << 7, /* call of llvm.pseudoprobe */
  /* Any of these is about a variable or a label. */
  DLOC_INSTRUCTION_DEBUG = DLOC_INSTRUCTION_RECORD | DLOC_INSTRUCTION_DBG_CALL
} dloc_instruction_flag;

#define DLOC_NO_INDEX UINT32_MAX

/* LLVM's names: of three lists of a module, of a flag in the last of them, of the attachment of a loop. */
#define DLOC_SOURCE_LIST "llvm.intermediate_level_source"
#define DLOC_UNIT_LIST "llvm.dbg.cu"
#define DLOC_FLAG_LIST "llvm.module.flags"
#define DLOC_VERSION_FLAG "Debug Info Version"
#define DLOC_LOOP "llvm.loop"

/* An instruction or a debug record. text is the offset of its first byte in the text it was read from (0 when there is
 * none). With a flag of DLOC_INSTRUCTION_DEBUG it has an entity, otherwise a callee. */
typedef struct dloc_instruction {
  uint32_t text;
  uint32_t flags;      /* dloc_instruction_flag */
  dloc_node debug_loc; /* `!dbg`; for a record, its last operand */
  union {
    uint32_t callee;  /* index of the called function, or DLOC_NO_INDEX */
    dloc_node entity; /* the variable or label, or DLOC_NULL */
  };
  uint32_t attachments; /* index of the first other attachment of it (dloc_module_attachment) */
  uint32_t operands;    /* index of the first operand of it that is metadata */
} dloc_instruction;

typedef struct dloc_attachment {
  dloc_node kind; /* a token: the name without `!` */
  dloc_node node;
} dloc_attachment;

typedef struct dloc_function {
  dloc_node name;             /* a token: without `@`, unescaped */
  uint32_t flags;             /* dloc_function_flag */
  uint32_t text;              /* offset of `define` or `declare` */
  uint32_t first_instruction; /* index into the module's instructions; they are contiguous */
  uint32_t instruction_count;
  uint32_t first_attachment; /* of the function itself, `!dbg` included, in order */
  uint32_t attachment_count;
} dloc_function;

typedef struct dloc_named_metadata {
  dloc_node name; /* a token: the name without `!` */
  uint32_t first_operand;
  uint32_t operand_count;
} dloc_named_metadata;

dloc_status dloc_module_create(dloc_context *context, dloc_module **ret); /* context is borrowed */
void dloc_module_destroy(dloc_module *module);
dloc_context *dloc_module_context(const dloc_module *module);

/* Building, in this order for each function: the function, its attachments, then each instruction followed by its
 * attachments. dloc_module_function_named adds a function that is named before it is defined (a call). A later
 * dloc_module_begin_function of the same name gives it its content. Begin returns DLOC_INVALID when a function of that
 * name has content already; attachments and named metadata return it for an empty name. */
dloc_status dloc_module_function_named(dloc_module *module, dloc_text name, uint32_t *ret);
dloc_status dloc_module_begin_function(dloc_module *module, dloc_text name, uint32_t flags, uint32_t text,
                                       uint32_t *ret);
dloc_status dloc_module_add_function_attachment(dloc_module *module, dloc_text kind, dloc_node node);
/* Its fields attachments and operands are filled in. */
dloc_status dloc_module_add_instruction(dloc_module *module, const dloc_instruction *instruction);
dloc_status dloc_module_add_attachment(dloc_module *module, dloc_text kind, dloc_node node);
dloc_status dloc_module_add_named(dloc_module *module, dloc_text name, const dloc_node *operands, size_t count);
/* Make dloc_write_ll leave out that named metadata, if there is any. It stays in the module without operands;
 * dloc_write_ll prints operands that are added later. */
void dloc_module_drop_named(dloc_module *module, dloc_text name);
/* Take away the numbered nodes that nothing in the module uses any more: their definitions are not written. */
dloc_status dloc_module_drop_unused(dloc_module *module);
/* Map every node the module holds to its canonical node: call once, after dloc_resolve. */
dloc_status dloc_module_resolve(dloc_module *module);

size_t dloc_module_function_count(const dloc_module *module);
const dloc_function *dloc_module_function(const dloc_module *module, size_t index);
bool dloc_module_find_function(const dloc_module *module, dloc_text name, uint32_t *ret);
/* The first `!dbg` of a function; DLOC_NULL when it has none. */
dloc_node dloc_function_subprogram(const dloc_module *module, size_t index);
size_t dloc_module_instruction_count(const dloc_module *module);
const dloc_instruction *dloc_module_instruction(const dloc_module *module, size_t index);
dloc_status dloc_module_set_debug_loc(dloc_module *module, size_t instruction, dloc_node debug_loc);
/* Give every location that an instruction has another one: in its `!dbg`, in a debug record, in its loop metadata, of
 * which each is visited once. DLOC_NULL is not visited; change's status stops when it is not DLOC_OK. */
typedef dloc_status dloc_change_location(void *user, uint32_t instruction, dloc_node location, dloc_node *ret);
dloc_status dloc_module_change_locations(dloc_module *module, dloc_change_location *change, void *user);
/* Attachments other than an instruction's !dbg; instruction i has those from its .attachments up to those of i + 1 (or
 * the end). */
size_t dloc_module_attachment_count(const dloc_module *module, size_t instruction);
dloc_attachment dloc_module_attachment(const dloc_module *module, size_t instruction, size_t index);
size_t dloc_module_named_count(const dloc_module *module);
dloc_named_metadata dloc_module_named(const dloc_module *module, size_t index);
bool dloc_module_find_named(const dloc_module *module, dloc_text name, dloc_named_metadata *ret);
dloc_node dloc_module_named_operand(const dloc_module *module, const dloc_named_metadata *named, size_t index);

/* ---- Verify (SPEC.md, chapter 3) ---- */

typedef struct dloc_violation {
  dloc_reason reason;
  dloc_clause clause;
  dloc_severity severity; /* under the profile in force */
  uint32_t function;      /* index, or DLOC_NO_INDEX */
  uint32_t instruction;   /* index, or DLOC_NO_INDEX */
  dloc_node node;         /* the node it is about, or DLOC_NULL */
  /* For dloc_diagnose. */
  uint32_t operand; /* the layer, entry or element of the node that is at fault, from 0; DLOC_NO_INDEX */
  dloc_node other;  /* what it repeats or contradicts: a node, and the operand in it; DLOC_NULL */
  uint32_t other_operand;
  uint32_t met_function; /* where the node was met: DLOC_NO_INDEX, also where it was met in no function; */
  uint32_t met_instruction;
  uint32_t met_named; /* then in this named metadata, or DLOC_NO_INDEX */
} dloc_violation;
/* A report about an instruction or DLOC_NO_INDEX, and a node or DLOC_NULL; clause is DLOC_CLAUSE_COUNT. */
dloc_violation dloc_violation_of(dloc_reason reason, uint32_t instruction, dloc_node node);

/* Returns false to stop the verification. */
typedef bool dloc_report(void *user, const dloc_violation *violation);

typedef struct dloc_verdict {
  uint64_t soft;
  uint64_t hard;
} dloc_verdict;

/* Check every rule about debug locations (`shape.*`, `verify.*`, `source.*`) and report every violation, one per node
 * and rule. Cost: linear in instructions and metadata; cycles of inlinedAt and scopes are violations, not hangs.
 * DLOC_OK whether or not there are violations. */
dloc_status dloc_verify(const dloc_module *module, const dloc_profile *profile, dloc_report *report, void *user,
                        dloc_verdict *ret);
/* Report what the rules permit and hardly any producer means (`warning.*`), each with the severity warning. Strings may
 * be added to the context. DLOC_INVALID when a location has layers and the profile rejects them. Cost: linear in layers
 * and texts. */
dloc_status dloc_warn(const dloc_module *module, const dloc_profile *profile, dloc_report *report, void *user);

/* The node of `!number` in the text a module was read from; DLOC_NULL when there is none. And the reverse, false when
 * it has none. */
dloc_node dloc_module_numbered(const dloc_module *module, uint64_t number);
bool dloc_module_number_of(const dloc_module *module, dloc_node node, uint64_t *ret);
/* The place of an instruction, function or numbered node in the text that was read; false when it has none. */
typedef struct dloc_place {
  size_t offset;
  uint32_t line; /* 0 in bitcode, where bit says the place */
  uint32_t column;
  uint64_t bit;
} dloc_place;
bool dloc_violation_place(const dloc_module *module, const dloc_violation *violation, dloc_place *ret);

/* ---- Hoist (spec/transformations.md, chapter 5.6) ---- */

/* The instruction that is moved: an intrinsic is a call that never becomes a function call. */
typedef enum dloc_hoisted { DLOC_HOISTED_OTHER, DLOC_HOISTED_CALL, DLOC_HOISTED_INTRINSIC } dloc_hoisted;
/* Where to: out of a loop that may not run, or elsewhere, as sunk and speculated code is. */
typedef enum dloc_move { DLOC_MOVE_HOISTED, DLOC_MOVE_OTHER } dloc_move;

/* Set `*ret` to the location of an instruction that a pass moved to where it would not have run: LLVM's
 * Instruction::updateLocationAfterHoist and dropLocation. subprogram is that of the instruction's function, or
 * DLOC_NULL. */
dloc_status dloc_hoist(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_hoisted hoisted,
                       dloc_move move, dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret);

/* Hoists the first of several instructions with these locations, in place of all of them (GVNHoist): `hoist.merged`. */
dloc_status dloc_hoist_merged(dloc_context *context, const dloc_profile *profile, const dloc_node *debug_locs,
                              size_t count, dloc_hoisted hoisted, dloc_node subprogram, dloc_reason *ret_reason,
                              dloc_node *ret);

/* Set `*ret` to the location of an instruction that a pass copied before the branch of an earlier block, which it folds
 * with its own (FoldBranchToCommonDest): `hoist.branch`. */
dloc_status dloc_hoist_before_branch(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                     dloc_node branch, dloc_node subprogram, dloc_reason *ret_reason, dloc_node *ret);
/* The location of that earlier branch afterwards: `hoist.branch.folded`. `copied` are the locations, in the later
 * block, of the instructions that were copied before it. */
dloc_status dloc_hoist_folded_branch(dloc_context *context, const dloc_profile *profile, dloc_node branch,
                                     dloc_node folded, const dloc_node *copied, size_t count, dloc_reason *ret_reason,
                                     dloc_node *ret);

/* ---- Strip (spec/transformations.md, chapter 5.7) ---- */

/* Stripping keeps nothing, as strip-debug, or line tables, as strip-nonlinetable-debuginfo. */
typedef enum dloc_strip_keep { DLOC_STRIP_KEEP_NOTHING, DLOC_STRIP_KEEP_LINE_TABLES } dloc_strip_keep;

/* The stripping of one module: it knows what each subprogram, unit and call site became (`strip.shared`). */
typedef struct dloc_stripper dloc_stripper;
dloc_status dloc_stripper_create(dloc_context *context, const dloc_profile *profile, dloc_strip_keep keep,
                                 dloc_stripper **ret);
void dloc_stripper_destroy(dloc_stripper *stripper);
/* The DebugLoc of an instruction afterwards. Cost: one step for each location of the chains and each layer. */
dloc_status dloc_strip_instruction(dloc_stripper *stripper, dloc_node debug_loc, dloc_reason *ret_reason,
                                   dloc_node *ret);
/* An entry of the list of sources afterwards; DLOC_NULL when it goes (`strip.sources`). */
dloc_status dloc_strip_source(dloc_stripper *stripper, dloc_node entry, dloc_node *ret);

/* ---- Outline (spec/transformations.md, chapter 5.8) ---- */

/* Set `*ret` to the DebugLoc of an instruction that was moved into a function of its own: what LLVM's CodeExtractor
 * does for hot-cold splitting, partial inlining and the IR outliner. subprogram is that of the new function; DLOC_NULL:
 * the old one has none. Cost: one step for each location of the chain, and for each scope above the last one that was
 * not outlined yet. */
dloc_status dloc_outline(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_node subprogram,
                         dloc_reason *ret_reason, dloc_node *ret);

/* ---- Conversion between the forms of layers (spec/irlayers.md, chapter 5.11) ---- */

typedef enum dloc_form { DLOC_FORM_TUPLE, DLOC_FORM_IRLAYERS } dloc_form;

/* A fact that the other form cannot say, and the node that says it: true goes on without it (`convert.loss`). */
typedef bool dloc_loss(void *user, dloc_reason reason, dloc_node node);

/* The conversion of one module to a form. module has the list of sources, and is borrowed; NULL: there is none. profile
 * says which entry a file belongs to (`source.match`). loss may be NULL: nothing may be lost. */
typedef struct dloc_converter dloc_converter;
dloc_status dloc_converter_create(dloc_context *context, const dloc_profile *profile, const dloc_module *module,
                                  dloc_form to, dloc_loss *loss, void *user, dloc_converter **ret);
void dloc_converter_destroy(dloc_converter *converter);
/* A DebugLoc in that form; what has no layers, or has that form already, stays itself. DLOC_INVALID, too, when
 * something would be lost. */
dloc_status dloc_convert(dloc_converter *converter, dloc_node debug_loc, dloc_reason *ret_reason, dloc_node *ret);
/* Convert what no instruction has, but metadata of the module reaches; it is printed in that form (`convert.left`). */
dloc_status dloc_convert_left(dloc_converter *converter, dloc_module *module, dloc_reason *ret_reason);
/* The entries of the list of sources that belong to what was converted: none for irlayers. They live until the
 * converter does more. DLOC_INVALID when an entry of the module is lost (`convert.unused`). */
dloc_status dloc_convert_sources(dloc_converter *converter, dloc_reason *ret_reason, const dloc_node **ret,
                                 size_t *ret_count);

/* ---- Discriminators (spec/transformations.md, chapter 5.9) ---- */

/* The parts that LLVM puts into one number; 0 for an absent part. */
typedef struct dloc_discriminator {
  uint32_t base, duplication, copy;
} dloc_discriminator;
dloc_discriminator dloc_discriminator_decode(uint32_t encoded);

typedef enum dloc_discriminator_part {
  DLOC_DISCRIMINATOR_BASE,
  DLOC_DISCRIMINATOR_DUPLICATION
} dloc_discriminator_part;

/* The DebugLoc of an instruction whose primary gets another base discriminator, as by add-discriminators, or whose
 * duplication factor is multiplied, as by unrolling; the same node when nothing changes. */
dloc_status dloc_discriminate(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                              dloc_discriminator_part part, uint32_t number, dloc_reason *ret_reason, dloc_node *ret);

/* ---- Copies (spec/transformations.md, chapter 5.10) ---- */

/* The DebugLoc of a copy of an instruction: what setDebugLoc is given, the DebugLoc or its primary alone. */
dloc_status dloc_copy_instruction(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                                  bool primary_alone, dloc_reason *ret_reason, dloc_node *ret);
/* The DebugLocs of the instructions of a copied function, count of them into ret, which the caller provides.
 * subprogram is that of the function that is copied, DLOC_NULL: none. DLOC_INVALID, too, when a scope is broken. Cost:
 * one step for each location of the chains, scope and layer. */
dloc_status dloc_copy_function(dloc_context *context, const dloc_profile *profile, dloc_node subprogram,
                               const dloc_node *debug_locs, size_t count, dloc_reason *ret_reason, dloc_node *ret);

/* ---- Channels (spec/transformations.md, chapters 5.12 and 5.13) ---- */

typedef struct dloc_projection {
  dloc_text kind;    /* of the layers; bytes NULL: the primaries */
  bool like_primary; /* as `project.place` says, so that LLVM takes it and no line table goes on with the line before */
} dloc_projection;
/* Make the layers of a kind, or the primaries, the only locations of a module (`project.location`), without the list of
 * sources. Nodes that nothing uses any more stay, but for those of lists. After a failure the module is projected in part. Cost: linear. */
dloc_status dloc_project(dloc_module *module, const dloc_projection *projection);
/* Make each location a primary without layers, its call sites too, and take away the list of sources and what nothing
 * uses. */
dloc_status dloc_drop_layers(dloc_module *module);

/* A layer for each instruction that has a location (`annotate.place`). */
typedef struct dloc_annotation {
  dloc_text kind; /* The kind of the layers; not empty. */
  dloc_text file; /* The name of the file that they are in. */
  dloc_text text; /* The text of that file, to embed; may be empty. */
  bool all;       /* Also instructions without location (`annotate.empty`). */
  bool loops;     /* Also locations in loop metadata. */
  bool origin;    /* The place of the function, not of the instruction (`annotate.origin`). */
  bool replace;   /* Replace layers and sources of that kind. */
  /* Where an instruction is in the file; DLOC_NO_INDEX: the function. Line 0: it gets no layer. NULL:
   * where it is in the module's own text. */
  dloc_place (*place)(void *user, uint32_t function, uint32_t instruction);
  void *user;
} dloc_annotation;
/* DLOC_INVALID with a reason: the `!dbg` of *ret_instruction is no location or, without `replace`, has a layer of that
 * kind (`shape.repeated-kind`). After a failure some instructions have the layer. Cost: linear. */
dloc_status dloc_annotate(dloc_module *module, const dloc_annotation *annotation, dloc_reason *ret_reason,
                          uint32_t *ret_instruction);

/* ---- Source (SPEC.md, chapter 6) ---- */

/* One entry of `!llvm.intermediate_level_source`: !{kind, file, text}. In the form irlayers the text of a file. */
typedef struct dloc_source {
  dloc_text kind;
  dloc_node file; /* a DIFile */
  dloc_text text;
  dloc_node entry; /* in the form irlayers a DILayerLoc of that file */
} dloc_source;

/* The well-formed entries, in order. dloc_source_count counts them; dloc_source_list writes the first `limit` of them
 * and returns how many it wrote. */
size_t dloc_source_count(const dloc_module *module);
size_t dloc_source_list(const dloc_module *module, size_t limit, dloc_source *ret);
/* The texts of the files that layers name in the form irlayers, one for each DIFile, in the order of the instructions:
 * writes the first `limit` of them, and *ret_count is how many there are. Cost: linear in instructions, locations and
 * layers. */
dloc_status dloc_source_of_layers(const dloc_module *module, size_t limit, dloc_source *ret, size_t *ret_count);
/* The entry that embeds the text of a layer's file, by the profile's `source.match`. kind may be empty: any kind. */
bool dloc_source_find(const dloc_module *module, const dloc_profile *profile, dloc_node file, dloc_text kind,
                      dloc_source *ret);
/* The list of sources of a linked module, from the entries of all its inputs in order: ret[0..*ret_count-1], at most
 * count. Cost: one step for each entry. */
dloc_status dloc_link_sources(dloc_context *context, const dloc_profile *profile, const dloc_node *entries,
                              size_t count, dloc_node *ret, size_t *ret_count);
/* The name of the text in an object, by the profile's `source.hash`: a MD5 in lower-case hexadecimal, which stands in
 * buffer, or a checksum or name of the file. */
dloc_text dloc_source_hash(const dloc_context *context, const dloc_profile *profile, const dloc_source *source,
                           char buffer[33]);

/* ---- Bitcode (SPEC.md, chapter 7) ---- */

/* The DebugLoc that an instruction has after its module was written as bitcode and read back: uniqued, with the same
 * primary and the layers that the profile's `bitcode.layers` writes; its locations refer to the same nodes. Neighbours
 * make no difference: a location that repeats comes back the same (`bitcode.repeat`). */
dloc_status dloc_round_trip(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                            dloc_reason *ret_reason, dloc_node *ret);

/* ---- Directives (SPEC.md, chapter 8) ---- */

/* A place as a directive names it. file is an MDString: directory and name of the file as in the assembler's `.file`. */
typedef struct dloc_directive {
  dloc_node kind; /* of the layer, whose line table gets the row; DLOC_NULL: a primary's */
  dloc_node file;
  uint32_t line;
  uint32_t column;
} dloc_directive;

/* The directives that stand before one instruction. layers belong to the emitter, until its next call. */
typedef struct dloc_emitted {
  bool has_layers;  /* whether the location has layers at all, or a call site for it */
  bool has_primary; /* false: no primary directive is written */
  dloc_directive primary;
  const dloc_directive *layers; /* the secondary directives */
  size_t layer_count;
} dloc_emitted;

/* An embedded text that is written: MDStrings, file as in dloc_directive; kind may be DLOC_NULL, as a layer's. entry is
 * that of the module's list, or the DILayerLoc that led to the text first. */
typedef struct dloc_emitted_text {
  dloc_node kind;
  dloc_node file;
  dloc_node text;
  dloc_node entry;
} dloc_emitted_text;

/* The code of one module: knows what was written last, and which files the secondary directives used. Ask for the
 * instructions of a function in order; dloc_emitter_begin_function starts the next one. */
typedef struct dloc_emitter dloc_emitter;

/* module is only asked for its list of sources, and may be NULL: there is none. */
dloc_status dloc_emitter_create(dloc_context *context, const dloc_profile *profile, const dloc_module *module,
                                const dloc_trace *trace, dloc_emitter **ret);
void dloc_emitter_destroy(dloc_emitter *emitter);
/* Forget what was written last: the next instruction follows one at another line, without layers (SPEC.md, chapter 8).
 * A new emitter has begun one. */
void dloc_emitter_begin_function(dloc_emitter *emitter);
/* The directives before the next instruction. Cost: one step per layer, and per kind of layer in the function so far. */
dloc_status dloc_emit_instruction(dloc_emitter *emitter, dloc_node debug_loc, dloc_reason *ret_reason,
                                  dloc_emitted *ret);
/* The secondary directives of a location whose primary directive somebody else wrote; DLOC_NULL has no layers. */
dloc_status dloc_emit_layers(dloc_emitter *emitter, dloc_node debug_loc, dloc_reason *ret_reason, dloc_emitted *ret);
/* The embedded texts that are written after the last instruction, in order (`emit.texts`). The list belongs to the
 * emitter, until its next call. */
dloc_status dloc_emit_texts(dloc_emitter *emitter, const dloc_emitted_text **ret, size_t *ret_count);
/* `emit.texts.place`: whether the texts stand before the directives that name files. */
bool dloc_emit_texts_stand_first(const dloc_emitter *emitter);
/* `emit.texts.form`: whether a text stands as `.source: <<< TEXT >>>`, not between `.source_begin` and `.source_end`. */
bool dloc_emit_texts_in_angles(const dloc_emitter *emitter);

/* ---- Sections (SPEC.md, chapter 8.4) ---- */

/* Set ret[0..count-1] to what stands for each kind in names of sections: MDStrings. kinds are MDStrings: all those of
 * one object file, because two kinds may want the same name (`section.collision`). DLOC_INVALID, with *ret_reason
 * saying why, when a kind gives no name or collides. Cost: linear in the bytes of the kinds. */
dloc_status dloc_section_names(dloc_context *context, const dloc_profile *profile, const dloc_node *kinds, size_t count,
                               dloc_reason *ret_reason, dloc_node *ret);
/* The section of the line table of the kind of that name: `.debug_line.NAME` (`section.table`), an MDString. */
dloc_status dloc_section_table(dloc_context *context, const dloc_profile *profile, dloc_node name, dloc_node *ret);
/* The section of an entry's text when its kind has that name: `.debug_txt.NAME.HASH`, an MDString. */
dloc_status dloc_section_text(dloc_context *context, const dloc_profile *profile, dloc_node name, dloc_node entry,
                              dloc_node *ret);
/* The signature of the COMDAT group of that section (`section.group`), an MDString. */
dloc_status dloc_section_group(dloc_context *context, const dloc_profile *profile, dloc_node section, dloc_node entry,
                               dloc_node *ret);

DLOC_END

#endif
