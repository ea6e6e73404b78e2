/* dloc_formats.h - modules as files: LLVM's textual IR and bitcode, read and written. The conventions are those of
 * dloc.h. */
#ifndef DLOC_FORMATS_H
#define DLOC_FORMATS_H

#include "dloc.h"

DLOC_BEGIN

/* ---- LLVM's textual IR (model/ll) ---- */

/* Where and why a text could not be read. line and column count from 1, in bytes; offset is that of the column's byte.
 * In bitcode there are no lines: line and column are 0, and bit counts from the start of the file. */
typedef struct dloc_diagnostic {
  dloc_reason reason;
  size_t offset;
  uint64_t bit;
  uint32_t line;
  uint32_t column;
  char message[256]; /* NUL-terminated UTF-8 */
} dloc_diagnostic;

/* Read a module. text is borrowed and must stay unchanged as long as the module lives. Every `!dbg`, call's callee,
 * attachment, debug record and metadata node is understood; the rest of an instruction is opaque. DLOC_INVALID with
 * *diagnostic on a text that is no module. Metadata numbers are kept for printing. */
dloc_status dloc_read_ll(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, dloc_module **ret);
/* Print a module back: opaque text as it was read, metadata from the model. Nodes keep their numbers, new ones get the
 * next free. */
dloc_status dloc_write_ll(const dloc_module *module, dloc_sink sink);

/* The explanation of a violation for a person. It points into a text: the module's own or, where that does not have the node
 * (a node that was made, bitcode), the node as it is printed; then it has no place. Size 0: at one character.
 * text.bytes NULL: it points nowhere. */
typedef struct dloc_remark {
  dloc_text message;
  dloc_text text;
  size_t offset, size;
  bool placed;
  dloc_place place;
} dloc_remark;

enum { DLOC_NOTES = 3 };
typedef struct dloc_diagnosis {
  dloc_remark fault;
  dloc_text help; /* what to write instead, where that is certain; or empty */
  dloc_remark notes[DLOC_NOTES];
  size_t note_count;
} dloc_diagnosis;

/* Words and places for violations of one module. module and profile are borrowed. */
typedef struct dloc_diagnoser dloc_diagnoser;
dloc_status dloc_diagnoser_create(const dloc_module *module, const dloc_profile *profile, dloc_diagnoser **ret);
void dloc_diagnoser_destroy(dloc_diagnoser *diagnoser);
/* The diagnosis belongs to the diagnoser, until its next call. Cost: linear in the text of the nodes and instructions
 * that it is about; of all operands of one node, in their order, as much as of the last. */
dloc_status dloc_diagnose(dloc_diagnoser *diagnoser, const dloc_violation *violation, const dloc_diagnosis **ret);

/* The first difference between the code of two functions, base and made, which both have instructions. */
typedef struct dloc_code_difference {
  bool same;
  uint32_t base, made; /* unless same: the first instructions that differ; DLOC_NO_INDEX: before the first one, or
                          behind the last */
  size_t constants;    /* that differ and may */
} dloc_code_difference;
/* Compare functions by their indices in two modules. */
typedef dloc_status dloc_compare(void *user, size_t base, size_t made, dloc_code_difference *ret);

/* Compares the code of functions of two modules that were read from text, in one context. Both are borrowed.
 * DLOC_INVALID: one of them has functions, but no text. */
typedef struct dloc_code_comparer dloc_code_comparer;
/* constants_may_differ: arguments of calls, but for those of intrinsics, that are integers, or null or strings. */
dloc_status dloc_code_comparer_create(const dloc_module *base, const dloc_module *made, bool constants_may_differ,
                                      dloc_code_comparer **ret);
void dloc_code_comparer_destroy(dloc_code_comparer *comparer);
/* A dloc_compare whose user is the comparer: each token of base's function is that of the other. Locals are told apart
 * by where they stand, not by their names. Numbers of metadata and of attribute groups do not count, nor does anything
 * that is there for debugging: `!dbg`, `!DIAssignID`, debug records, calls of debug intrinsics. Cost: linear. */
dloc_status dloc_compare_code(void *comparer, size_t base, size_t made, dloc_code_difference *ret);

/* ---- Records of bitcode (SPEC.md, chapter 7.3; model/bitcode) ---- */

/* A record that locates an instruction, as it stands in a function's block behind the instruction. values belong to the
 * encoder, until its next call. */
enum { DLOC_RECORD_DEBUG_LOC_AGAIN = 33, DLOC_RECORD_DEBUG_LOC = 35 };
typedef struct dloc_location_record {
  uint32_t code;
  bool abbreviated; /* by the abbreviation that there is for DEBUG_LOC, and for LOCATION */
  const uint64_t *values;
  size_t count;
} dloc_location_record;
/* 0 where there is none, here and below. */
static inline uint64_t dloc_location_record_value(const dloc_location_record *record, size_t index) {
  return index < record->count ? record->values[index] : 0;
}

/* The number of a node's metadata, from 0. The encoder asks for scopes, inlinedAt and kinds, never for DLOC_NULL, and
 * hands on a status other than DLOC_OK. */
typedef dloc_status dloc_metadata_number(void *user, dloc_node node, uint64_t *ret);

/* The writer of one module's records: knows the function's last location. Ask for the instructions of a function in
 * order; dloc_encoder_begin_function starts the next one, and a new encoder has begun one. */
typedef struct dloc_encoder dloc_encoder;

/* profile is borrowed until dloc_encoder_destroy. */
dloc_status dloc_encoder_create(dloc_context *context, const dloc_profile *profile, dloc_metadata_number *number,
                                void *user, dloc_encoder **ret);
void dloc_encoder_destroy(dloc_encoder *encoder);
void dloc_encoder_begin_function(dloc_encoder *encoder);
/* The records of the next instruction, none when it has no location. The list belongs to the encoder, until its next
 * call. DLOC_INVALID, with *ret_reason saying why, when the node is no DebugLoc. Cost: one step per
 * layer. */
dloc_status dloc_encode_instruction(dloc_encoder *encoder, dloc_node debug_loc, dloc_reason *ret_reason,
                                    const dloc_location_record **ret, size_t *ret_count);

/* The record of a node in a block of metadata, if it is a DILocation, a DILayerLoc or a DILayerLocList; NULL for any
 * other. It belongs to the encoder as above; the encoder asks for every node that the record names. A layer has code 51 and a list
 * 52, also where the profile's files have 50 and 51. */
dloc_status dloc_encode_node(dloc_encoder *encoder, dloc_node node, const dloc_location_record **ret);

/* ---- LLVM's bitcode (model/bitcode) ---- */

/* Does it start as bitcode does, wrapped or not? */
bool dloc_is_bitcode(dloc_text bytes);

/* Read a module that LLVM 14 to 24, or the patched LLVM of this project, wrote. It equals the module of the text which
 * llvm-dis gives, with three exceptions. Instructions have no place. Numbers of nodes are those of the module's own
 * metadata. Text that the rules do not look at (constants other than integers, names of numbers) is spelled differently.
 * bytes are needed during the call only. DLOC_INVALID with *diagnostic when the bitcode is not sound. profile says what
 * the records of layers mean; NULL is `rfc`. ret_numbers may be NULL; it gets the numbers that metadata has in the file:
 * those of a function's own values, its arguments and instructions, stand behind the others of its bucket. Destroy them
 * before the module. Cost and memory: linear in the size of the input. */
typedef struct dloc_numbers dloc_numbers;
dloc_status dloc_read_bitcode(dloc_context *context, const dloc_profile *profile, dloc_text bytes,
                              dloc_diagnostic *diagnostic, dloc_module **ret, dloc_numbers **ret_numbers);

/* The numbers that a module's metadata has in bitcode: the module's own from 0, then, for each function anew, those of
 * what only it uses. A record whose operands the module does not hold counts as one of `i32 0` with an empty
 * DIExpression. Cost: linear in instructions and metadata, cycles among it included.
 * module and profile are borrowed. Strings and values that stand in the fields of nodes are made in the module's
 * context. */
dloc_status dloc_numbers_create(const dloc_module *module, const dloc_profile *profile, dloc_numbers **ret);
void dloc_numbers_destroy(dloc_numbers *numbers);
/* What has a number, in order. function is DLOC_NO_INDEX: the module's own; otherwise the function's own, whose first
 * number is the count of the module's. */
const dloc_node *dloc_numbers_bucket(const dloc_numbers *numbers, uint32_t function, size_t *ret_count);
/* The operands of a node as LLVM keeps them, those that are not null: *cursor is 0 at first, and *ret DLOC_NULL after
 * the last. For numbers of dloc_numbers_create. */
dloc_status dloc_numbers_operand(dloc_numbers *numbers, dloc_node node, uint32_t *cursor, dloc_node *ret);
/* A dloc_metadata_number whose user is the dloc_numbers. DLOC_INVALID: it has none. */
dloc_status dloc_number_of(void *numbers, dloc_node node, uint64_t *ret);

/* The node that a reader makes of a single record: of metadata, or a DEBUG_LOC. metadata has a node for each
 * number, or DLOC_NULL. DLOC_INVALID, with *ret_reason saying why, when a reader rejects it. */
dloc_status dloc_decode_record(dloc_context *context, const dloc_profile *profile, const dloc_node *metadata,
                               size_t count, const dloc_location_record *record, dloc_reason *ret_reason,
                               dloc_node *ret);

/* Bitcode as it is, read on demand. bytes and diagnostic are borrowed until dloc_bitcode_close; the diagnostic is
 * filled in whenever a function returns DLOC_INVALID. profile is as for dloc_read_bitcode. Nothing is made in the
 * context but memory. */
typedef struct dloc_bitcode dloc_bitcode;
dloc_status dloc_bitcode_open(dloc_context *context, const dloc_profile *profile, dloc_text bytes,
                              dloc_diagnostic *diagnostic, dloc_bitcode **ret);
void dloc_bitcode_close(dloc_bitcode *bitcode);
dloc_text dloc_bitcode_producer(const dloc_bitcode *bitcode); /* "LLVM22.1.8"; empty when it does not say */

typedef struct dloc_bitcode_function {
  dloc_text name;
  uint32_t flags; /* dloc_function_flag */
  uint64_t bit;   /* where its body is in the file; 0: it has none */
} dloc_bitcode_function;
size_t dloc_bitcode_function_count(const dloc_bitcode *bitcode);
dloc_bitcode_function dloc_bitcode_function_at(const dloc_bitcode *bitcode, size_t index); /* below the count */

typedef enum dloc_bitcode_form {
  DLOC_BITCODE_LOCATION, /* DEBUG_LOC: a primary */
  DLOC_BITCODE_LAYER, /* a DEBUG_LOC with 8 values: a layer of the location before it; or 8 more values of a record */
  DLOC_BITCODE_AGAIN  /* DEBUG_LOC_AGAIN: the function's last location; its primary alone when layers follow it */
} dloc_bitcode_form;

/* A record that locates an instruction. Numbers of metadata are biased as in the record: 0 is none, any other is the
 * number + 1. */
typedef struct dloc_bitcode_location {
  dloc_bitcode_form form;
  uint32_t instruction; /* of the function, from 0; debug records are not counted */
  uint64_t bit;         /* of the record in the file */
  uint32_t line;
  uint32_t column;
  uint64_t scope;
  uint64_t inlined_at;
  uint64_t atom_group;
  uint8_t atom_rank;
  bool implicit;
  uint64_t irlayers;
  uint64_t kind; /* of a layer: an MDString */
} dloc_bitcode_location;

/* Every record of a function that locates an instruction, in order. visit's status stops the visit when it is not
 * DLOC_OK. Metadata that is looked at in visit may be the function's own. *ret_instructions: how many instructions it
 * has. DLOC_INVALID without a diagnostic when there is no such function. */
typedef dloc_status dloc_bitcode_visit(void *user, const dloc_bitcode_location *location);
dloc_status dloc_bitcode_locate(dloc_bitcode *bitcode, size_t function, dloc_bitcode_visit *visit, void *user,
                                uint32_t *ret_instructions);

/* A node that a location's record names: a scope, file, location, list, layer or string. Numbers of metadata are biased: 0 is
 * none, any other is the number + 1. */
typedef struct dloc_bitcode_metadata {
  const char *class_name; /* "DILexicalBlock"; "" for a string, "MDTuple", "value" */
  uint64_t bit;           /* of its record in the file; of a string, where it begins */
  bool local;             /* the function's own: its number means something else in another function */
  bool distinct;
  uint32_t line;
  uint32_t column;
  uint32_t discriminator;
  uint64_t scope;
  uint64_t file;
  uint64_t inlined_at;
  uint64_t irlayers;
  const uint64_t *entries; /* of a list; they belong to the reader, until it is used again */
  size_t entry_count;
  dloc_text name;      /* of a subprogram; of a file; the kind of a layer; the bytes of a string */
  dloc_text directory; /* of a file */
} dloc_bitcode_metadata;
static inline uint64_t dloc_bitcode_metadata_entry(const dloc_bitcode_metadata *list, size_t index) {
  return index < list->entry_count ? list->entries[index] : 0;
}
dloc_status dloc_bitcode_metadata_at(dloc_bitcode *bitcode, uint64_t number, dloc_bitcode_metadata *ret);

/* The raw view: every block, abbreviation and record of a file in order, of whatever meaning. */
typedef enum dloc_bitcode_item_kind {
  DLOC_BITCODE_ENTER,
  DLOC_BITCODE_LEAVE,
  DLOC_BITCODE_ABBREVIATION,
  DLOC_BITCODE_RECORD
} dloc_bitcode_item_kind;

typedef struct dloc_bitcode_item {
  dloc_bitcode_item_kind kind;
  uint64_t bit;   /* in the file */
  size_t depth;   /* of the block it is about or in, from 1 */
  uint32_t block; /* id */
  uint64_t size;  /* ENTER: of the block's content, in bytes */
  /* RECORD */
  uint32_t abbreviation; /* id it was written with: 3 is none */
  uint32_t code;
  uint32_t
      meaning; /* for dloc_bitcode_code_name: the same, but that layers and lists have the codes of LLVM's main branch */
  const uint64_t *values; /* until the next item */
  size_t value_count;
  bool has_blob;
  dloc_text blob;
} dloc_bitcode_item;
static inline uint64_t dloc_bitcode_item_value(const dloc_bitcode_item *item, size_t index) {
  return index < item->value_count ? item->values[index] : 0;
}

typedef dloc_status dloc_bitcode_item_visit(void *user, const dloc_bitcode_item *item);
dloc_status dloc_bitcode_items(dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic,
                               dloc_bitcode_item_visit *visit, void *user);
/* LLVM's names, static storage: "FUNCTION_BLOCK", "DEBUG_LOC". NULL for what has none here. */
const char *dloc_bitcode_block_name(uint32_t block);
const char *dloc_bitcode_code_name(uint32_t block, uint32_t code);

/* Writing. Only LLVM's own assembler knows how to encode instructions, so bitcode is made in three steps.
 * First dloc_assembly_create takes the layers out of a module. Then dloc_write_ll prints the rest, and any
 * llvm-as makes bitcode of it. Last dloc_assembly_bitcode puts the layers in. The module gets one more named metadata, the carrier, so
 * that what layers of tuples name has numbers in the bitcode; the last step takes it out again. Where lists or layers of
 * lists have to be numbered, dloc_assembly_stand_in comes second, and dloc_write_ll prints a second text. */
typedef struct dloc_assembly dloc_assembly;

/* Afterwards the module's instructions have no layers, also when it fails; debug records and calls of debug intrinsics
 * lose theirs, as they place variables. The module is borrowed until dloc_assembly_destroy, and so is profile, which
 * says how layers are written. */
dloc_status dloc_assembly_create(dloc_module *module, const dloc_profile *profile, dloc_assembly **ret);
void dloc_assembly_destroy(dloc_assembly *assembly);
/* Whether the module has nodes that the assembler does not know. If so, the text has other nodes in their place from now
 * on, of the same operands, and the bitcode is to be that of this text. Where they stand no verifier accepts them:
 * llvm-as verifies the text before, and takes this one with -disable-verify. It must be a build without assertions.
 * DLOC_INVALID: a location names a string as its list. DLOC_LIMIT: the module has a node that looks like one of those. */
dloc_status dloc_assembly_stand_in(dloc_assembly *assembly, bool *ret_any);
/* The bitcode of the module with its layers, from that of the module without them. Only records that locate
 * instructions change, and the offsets of what moves; a function or a module without layers stays bit for bit.
 * Instructions are matched by counting, and their locations compared: DLOC_INVALID with *diagnostic when the bitcode is
 * not that of the module, or is not sound. The sink is written to at the end. Cost and memory: linear in the size of
 * the module and of the result. */
dloc_status dloc_assembly_bitcode(dloc_assembly *assembly, dloc_text bytes, dloc_diagnostic *diagnostic,
                                  dloc_sink sink);

DLOC_END

#endif
