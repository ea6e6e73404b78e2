/* Private to model/ll: the state of reading one text. */
#pragma once

#include "nodes/module.h"
#include "refuse.h"
#include "scan.h"

/* While a text is read, the module holds `!N` that stands outside of metadata as the index of its slot with this bit;
 * so an instruction that mentions a node before its definition needs no forward node. The last step of reading puts the
 * nodes in. */
#define REFERENCE ((uint32_t)1 << 31)

/* A node whose operands are being read: there is no recursion. */
typedef struct frame {
  const char *start;      /* its `!` */
  const char *class_name; /* NULL for a tuple */
  uint32_t class_size;
  uint32_t base; /* where its operands or fields begin */
  dloc_node key; /* of the field whose value is being read */
  bool distinct;
  bool positional; /* fields without keys */
  bool list;       /* such fields are operands, none of them null */
  bool need_more;  /* the last token was a comma */
} frame;

/* Words are interned often, the same few again and again: a small cache by their bytes. */
enum { WORD_CACHE = 1024 };
typedef struct cached_word {
  const char *bytes;
  uint64_t head; /* the first of them */
  uint32_t size;
  dloc_node node;
} cached_word;

/* Function `function` has attribute group `group`; groups are known at the end only. */
typedef struct group_use {
  uint32_t function;
  uint32_t group;
} group_use;

/* The type of a call. LLVM knows no callee when the function has another type. */
typedef struct call_use {
  uint32_t instruction;
  uint64_t signature;
} call_use;

/* A function of the text, and its type. */
typedef struct begun_function {
  uint32_t index;
  uint64_t signature;
} begun_function;

typedef struct reader {
  dloc_context *context;
  dloc_module *module;
  dloc_diagnostic *diagnostic;
  const char *begin;
  const char *at;
  const char *end;
  const char *passed; /* what is before it was told to the caller */
  ARRAY(frame) frames;
  ARRAY(dloc_node) operands; /* of the tuples in frames */
  ARRAY(dloc_field) fields;  /* of the specialised nodes in frames */
  ARRAY(char) bytes;         /* for one string without its escapes */
  ARRAY(group_use) uses;
  map group_numbers;      /* of attributes -> position of their flags */
  ARRAY(uint32_t) groups; /* dloc_function_flag */
  ARRAY(call_use) calls;
  ARRAY(begun_function) begun; /* in the order of the text */
  cached_word words[WORD_CACHE];
} reader;

static inline uint32_t reader_offset(const reader *r, const char *at) { return (uint32_t)(at - r->begin); }

/* Whether r->at is at the `!` of a number, of a name. */
static inline bool reader_at_number(const reader *r) { return r->at + 1 < r->end && scan_is_digit(r->at[1]); }
static inline bool reader_at_name(const reader *r) { return r->at + 1 < r->end && scan_is_metadata_name(r->at[1]); }

/* Fill in the diagnostic and return DLOC_INVALID. */
#define reader_fail(r, reason, at, ...)                                                                                \
  refuse_text((r)->diagnostic, (r)->begin, (reason), (size_t)((at) - (r)->begin), __VA_ARGS__)
/* "expected WHAT", as a syntax error or, at the end, a truncated text. */
dloc_status reader_expected(reader *r, const char *at, const char *what);
dloc_status reader_unclosed(reader *r, const char *string);

/* Skip white space and then the character c, or fail with "expected WHAT". */
dloc_status reader_take(reader *r, char c, const char *what);
/* Pass the string that opens at r->at. */
dloc_status reader_pass_string(reader *r);
/* The number at r->at: 32 bits, LLVM's limit. */
dloc_status reader_number(reader *r, uint32_t *ret);
/* The bytes of a name or string between from and to, without escapes; valid until the next call. */
dloc_status reader_unescape(reader *r, const char *from, const char *to, dloc_text *ret);
/* The name behind a sigil at r->at, unquoted and unescaped; valid until the next call. */
dloc_status reader_name(reader *r, dloc_text *ret);
/* A token, through the cache. */
dloc_status reader_word(reader *r, const char *at, const char *end, dloc_node *ret);

/* Where the operand at r->at ends: metadata with its references, or a value, which has none. */
dloc_status reader_operand_end(reader *r, bool metadata, const char **ret);
/* An attachment's or record's operand at r->at: `!N` as REFERENCE, or a node written in place. */
dloc_status reader_metadata_operand(reader *r, uint32_t *ret);
/* The same as an argument: a comma or bracket ends it. */
dloc_status reader_metadata_argument(reader *r, uint32_t *ret);
/* An argument that may be a string or a value: DLOC_NULL for a value of the function's own. */
dloc_status reader_value_operand(reader *r, uint32_t *ret);
/* Reads at another place; r->at stays. */
dloc_status reader_elsewhere(reader *r, const char *at, dloc_status (*read)(reader *r, uint32_t *ret), uint32_t *ret);
/* `!name OPERAND` at r->at; the name may have escapes. */
dloc_status reader_attachment(reader *r, dloc_text *ret_kind, uint32_t *ret);

/* `!N = ...` at r->at. */
dloc_status read_definition(reader *r);

/* Pass an attribute, a word or string at r->at, and add its dloc_function_flag, if it has one. */
dloc_status reader_attribute(reader *r, uint32_t *flags);
/* Behind `define` or `declare`, which stands at start. */
dloc_status read_function(reader *r, const char *start, bool definition);
/* Whether what begins at `at` is a type. */
bool reader_type_begins(const char *at, const char *end);
/* A hash of a function's or call's type: from is behind `define`, `declare` or `call`, name at the `@`, list at the
 * bracket behind the name. False when what is called is not the function itself. */
bool reader_signature(const reader *r, const char *from, const char *name, const char *list, uint64_t *ret);
/* Whether a word begins a top-level entity. */
bool reader_is_keyword(const char *at, const char *word_end, const char *end);
/* Whether a top-level entity starts at `at`. */
bool reader_entity_starts(const reader *r, const char *at);
