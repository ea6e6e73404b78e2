/* Private to model/bitcode: what is known of a module's bitcode once it was opened. Bodies of functions and
 * metadata are read when asked for. */
#pragma once

#include "nodes/module.h"
#include "stream.h"

enum block_id {
#define BLOCK(id, name) BLOCK_##name = id,
#include "codes.def"
};

/* Codes of records: of a module, of a function's block, and of metadata, beside those of classes.def. */
enum record_code {
#define MODULE_CODE(code, name) MODULE_##name = code,
#define FUNCTION_CODE(code, name, what) FUNC_##name = code,
#define METADATA_CODE(code, name) METADATA_##name = code,
#include "codes.def"
};

/* A type, by its record. */
typedef struct type {
  uint32_t code;
  uint32_t size;  /* bits of an integer; parameters of a function */
  uint32_t other; /* type that a function returns */
} type;

enum { TYPE_VOID = 2, TYPE_LABEL = 5, TYPE_INTEGER = 7, TYPE_POINTER = 8, TYPE_METADATA = 16, TYPE_FUNCTION = 21 };

typedef enum value_kind { VALUE_OTHER, VALUE_INTEGER, VALUE_NULL, VALUE_GLOBAL, VALUE_FUNCTION } value_kind;

/* A value that is no instruction: a global, a constant or an argument. */
typedef struct value {
  uint32_t type;
  uint8_t kind;
  uint32_t index; /* of a function */
  int64_t number; /* of an integer */
  dloc_text name; /* of a global that is no function */
} value;

typedef struct function {
  dloc_text name;
  uint32_t type;
  uint32_t flags; /* dloc_function_flag */
  bool has_body;
  block body;
} function;

/* An item with a number in a block of metadata: a string, at an offset, or the entry of a record. */
typedef struct metadata_entry {
  uint64_t at; /* byte of the stream, for a string; otherwise bit */
  uint32_t size;
  bool is_string;
} metadata_entry;

/* A block of metadata that is entered again for single records. */
typedef struct metadata_block {
  block b; /* end 0: there is none */
  bool indexed;
  abbreviation_list abbreviations;
} metadata_block;
enum { OF_MODULE, OF_FUNCTION };

/* The records of locations, by a profile's choices. */
typedef struct record_form {
  bool again_is_primary; /* `bitcode.again` */
  bool skips_more;       /* `bitcode.list.read.more` */
  bool takes_seven;      /* `bitcode.irlayers.seven` */
  bool kind_is_string;   /* `bitcode.irlayers.kind` */
} record_form;

struct dloc_bitcode {
  dloc_context *context;
  record_form form;
  stream s;
  dloc_node producer;  /* a string, DLOC_NULL when it is not said */
  bool has_version;    /* that which can be read, 2 */
  bool typed_pointers; /* LLVM 14: its text has `i8*` for `ptr` */
  dloc_text strtab;
  block module;
  ARRAY(type) types;
  ARRAY(value) values; /* of the module, then of the function that is being read */
  size_t module_values;
  size_t argument_count; /* of the function that is being read: they are numbered behind the module's values */
  ARRAY(function) functions;
  size_t next_body;           /* no function before it waits for its body */
  map groups;                 /* of attributes: id -> flags */
  ARRAY(uint32_t) attributes; /* flags of lists of groups */
  char *names;                /* of functions without one: "0" */
  uint32_t unnamed;           /* globals without name that LLVM counts before functions */

  /* Metadata. */
  block kinds;
  ARRAY(metadata_entry) entries;
  size_t module_entries;
  metadata_block blocks[2]; /* of the module, of the function that is being read */
  map kind_names;           /* id of a kind of attachment -> string */
};

/* ---- Opening: open.c ---- */

record_form bitcode_form(const dloc_profile *profile); /* NULL: `rfc` */

/* A stream over a file, behind its wrapper and magic number. */
dloc_status stream_open(stream *s, dloc_context *context, dloc_text bytes, dloc_diagnostic *diagnostic);

static inline dloc_status bitcode_fail_id(dloc_bitcode *b, uint64_t bit, const char *what, uint64_t id) {
  return STREAM_FAIL(&b->s, ID, bit, "there is no %s %" PRIu64, what, id);
}
static inline dloc_status bitcode_fail_count(dloc_bitcode *b, const record *r, const char *what) {
  return STREAM_FAIL(&b->s, RECORD, r->bit, "%s cannot have %zu values", what, r->count);
}
/* Ids end at a limit; a record has at least so many values. */
static inline dloc_status bitcode_check_id(dloc_bitcode *b, uint64_t bit, const char *what, uint64_t id, size_t limit) {
  return id < limit ? DLOC_OK : bitcode_fail_id(b, bit, what, id);
}
static inline dloc_status bitcode_check_function_type(dloc_bitcode *b, uint64_t bit, uint64_t id) {
  bool fine = id < b->types.count && b->types.items[id].code == TYPE_FUNCTION;
  return fine ? DLOC_OK : bitcode_fail_id(b, bit, "function type", id);
}
static inline dloc_status bitcode_check_count(dloc_bitcode *b, const record *r, const char *what, size_t least) {
  return r->count >= least ? DLOC_OK : bitcode_fail_count(b, r, what);
}

/* Constants of the module or of a function: values are added. */
dloc_status bitcode_read_constants(dloc_bitcode *b, const block *header);

/* ---- Numbers of metadata: numbers.c ---- */

/* Numbers that were read: nodes in their order, and where the bucket of the module and that of each function ends among
 * them. */
dloc_status numbers_list(const dloc_module *module, const scratch *nodes, const scratch *ends, dloc_numbers **ret);

/* ---- What codes of metadata mean: meaning.c ---- */

/* The pull requests' code of a layer; main's codes of a layer and of a list: `bitcode.list.codes`. */
enum { CODE_LAYER_FIRST = 50, CODE_LAYER = 51, CODE_LAYER_LIST = 52 };

/* The code of a record of metadata as classes.def has it, which is main's. A file says by its records whose codes it has. */
dloc_status bitcode_meaning(stream *s, uint32_t code, uint32_t *ret);
/* The numbers of a list's entries, in the record that was read last, become numbers plus 1, as the pull requests write them. */
void bitcode_bias_entries(stream *s, const record *r);
/* Both, for a record of metadata that was read last. */
static inline dloc_status bitcode_understand(stream *s, record *r) {
  dloc_status status = bitcode_meaning(s, r->code, &r->code);
  if (status == DLOC_OK)
    bitcode_bias_entries(s, r);
  return status;
}

/* ---- Metadata: metadata.c ---- */

/* Number the metadata of the module, and of the function that is being read; nothing when that was done. */
dloc_status bitcode_index(dloc_bitcode *b);
/* A block of metadata of the module or of that function was met; and: the function ends. */
dloc_status bitcode_take_metadata(dloc_bitcode *b, size_t owner, const block *header);
void bitcode_forget_local(dloc_bitcode *b);
/* The record of a number, which is none of a string. */
dloc_status bitcode_metadata_record(dloc_bitcode *b, uint64_t id, record *ret);
/* The values of a record from the first-th on, which are characters, as a string. */
dloc_status bitcode_string(dloc_bitcode *b, const record *r, size_t first, dloc_node *ret);
/* The name of a kind of attachment: a string. */
dloc_status bitcode_kind_name(dloc_bitcode *b, uint64_t bit, uint64_t kind, dloc_node *ret);
dloc_status bitcode_read_kinds(dloc_bitcode *b);
/* Enter a block of metadata that was numbered, to read its records again. */
dloc_status bitcode_enter_metadata(dloc_bitcode *b, const metadata_block *m);

/* ---- Bodies: body.c ---- */

/* The question to a body. A callback that is NULL makes reading it cheaper. All return a status, which is handed on
 * when it is not OK. */
typedef struct body_visitor {
  void *user;
  /* An instruction; flags and callee as in dloc_instruction: the function called, or the variable of a debug
   * intrinsic's call as a metadata number + 1. */
  dloc_status (*instruction)(void *user, uint32_t flags, uint32_t callee);
  dloc_status (*location)(void *user, const dloc_bitcode_location *location);
  /* A debug record: flags, number of its location, and + 1 of its variable or label. */
  dloc_status (*record)(void *user, uint64_t bit, uint32_t flags, uint64_t location, uint64_t variable);
  /* An attachment of an instruction, or of the function when instruction is DLOC_NO_INDEX. */
  dloc_status (*attachment)(void *user, uint64_t bit, uint32_t instruction, uint64_t kind, uint64_t node);
  /* The function's own metadata was numbered: entries from module_entries on. */
  dloc_status (*metadata)(void *user);
} body_visitor;

/* A constant or global by number; NULL for an argument, an instruction, or what is out of range. */
const value *bitcode_value(const dloc_bitcode *b, uint64_t id);

dloc_status bitcode_walk(dloc_bitcode *b, size_t function, const body_visitor *visitor, uint32_t *ret_instructions);
/* The contents of a DEBUG_LOC that is no layer. */
dloc_status bitcode_location(dloc_bitcode *b, const record *r, dloc_bitcode_location *ret);

/* ---- From records of metadata to nodes: nodes.c ---- */

typedef struct node_maker {
  dloc_bitcode *b;
  dloc_context *context;
  ARRAY(dloc_node) nodes;    /* by number; DLOC_NULL for what was neither made nor referred to yet */
  ARRAY(dloc_node) operands; /* of the tuple that is being made */
  ARRAY(dloc_field) fields;
} node_maker;

void maker_deinit(node_maker *m);
/* Room for as many nodes as have numbers; those above them are forgotten. */
dloc_status maker_resize(node_maker *m);
/* The node of a number, a forward node if need be. DLOC_INVALID when there is no such number. */
dloc_status maker_reference(node_maker *m, uint64_t bit, uint64_t id, dloc_node *ret);
/* The node of a number + 1; DLOC_NULL for 0. */
dloc_status maker_operand(node_maker *m, uint64_t bit, uint64_t id_and_1, dloc_node *ret);
/* The location of an instruction. */
dloc_status maker_location(node_maker *m, const dloc_bitcode_location *l, dloc_node *ret);
/* Make the node of a record, whose number is id. */
dloc_status maker_make(node_maker *m, uint64_t id, const record *r);
/* Make the nodes of all numbers from first on. */
dloc_status maker_make_all(node_maker *m, size_t first);

/* ---- A file with a few records changed, and what stands behind them moved: rewrite.c ---- */

typedef enum edit_action {
  EDIT_KEEP,  /* the record stays */
  EDIT_DROP,  /* it goes */
  EDIT_REPEAT /* in its place stands the last DEBUG_LOC of the function that was there before all edits */
} edit_action;

/* The edit at a record, and how many records follow it. */
typedef struct edit {
  uint64_t bit; /* of the record in the stream */
  edit_action action;
  size_t added;
} edit;

/* Edits in the order of the file, with the records that they add: each its code, whether it is abbreviated, the number of
 * its values, and the values. */
typedef struct edit_list {
  ARRAY(edit) edits;
  ARRAY(uint64_t) values;
} edit_list;
enum { EDIT_CODE, EDIT_ABBREVIATED, EDIT_COUNT, EDIT_VALUES };

/* The whole file. All but what was edited stays as it is, bit for bit, as far as it can: lengths of blocks, the offsets
 * of functions and of the symbol table, and a wrapper's length are those of the new file. */
dloc_status bitcode_rewrite(dloc_bitcode *b, dloc_text bytes, const edit_list *edits, dloc_sink sink);
