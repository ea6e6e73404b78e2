/* Private to model/ll: the tokens of LLVM's textual IR. Every function takes where to start and where the text
 * ends, and returns where the token ends; the text is not NUL-terminated. */
#pragma once

#include "dloc_formats.h"

#include <string.h>

typedef enum char_class {
  CHAR_BAD, /* cannot stand outside of strings and comments */
  CHAR_SPACE,
  CHAR_WORD,   /* letters, digits, `-`, `.`, `_`, `$` */
  CHAR_LOCAL,  /* % */
  CHAR_GLOBAL, /* @ */
  CHAR_QUOTE,
  CHAR_COMMENT,
  CHAR_OPEN,
  CHAR_CLOSE,
  CHAR_ANGLE_OPEN,
  CHAR_ANGLE_CLOSE,
  CHAR_BANG,
  CHAR_HASH,
  CHAR_COMMA,
  CHAR_OTHER
} char_class;

extern const uint8_t scan_classes[256];

static inline char_class scan_class(char c) { return (char_class)scan_classes[(unsigned char)c]; }
static inline bool scan_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline dloc_text scan_text(const char *at, const char *end) { return (dloc_text){at, (size_t)(end - at)}; }

static inline const char *scan_digits(const char *at, const char *end) {
  while (at < end && scan_is_digit(*at))
    at++;
  return at;
}

/* A number in decimal; NULL when it is larger than the limit. */
static inline const char *scan_number(const char *at, const char *end, uint32_t limit, uint32_t *ret) {
  uint64_t number = 0;
  for (; at < end && scan_is_digit(*at) && number <= limit; at++)
    number = number * 10 + (uint64_t)(*at - '0');
  *ret = (uint32_t)number;
  return number <= limit ? at : NULL;
}

/* White space and comments. Mostly there is none, or one space. */
const char *scan_long_space(const char *at, const char *end);
static inline const char *scan_space(const char *at, const char *end) {
  if (at < end && *at == ' ')
    at++;
  return at < end && (scan_class(*at) == CHAR_SPACE || *at == ';') ? scan_long_space(at, end) : at;
}
/* A comment, from its `;` to before the end of its line. */
const char *scan_comment(const char *at, const char *end);
/* A string from its opening quote to behind its closing one; NULL when it is not closed. */
const char *scan_string(const char *at, const char *end);
static inline const char *scan_word(const char *at, const char *end) {
  while (at < end && scan_class(*at) == CHAR_WORD)
    at++;
  return at;
}
/* The name behind `@`, `%` or `$`: a word or a string. NULL when a string is not closed. */
const char *scan_name(const char *at, const char *end);
/* The name behind `!`: letters, digits, `-`, `.`, `_`, `$` and `\`. */
const char *scan_metadata_name(const char *at, const char *end);
static inline bool scan_is_metadata_name(char c) {
  return (scan_class(c) == CHAR_WORD && !scan_is_digit(c)) || c == '\\';
}
static inline bool scan_is(const char *at, const char *end, const char *word) {
  size_t size = strlen(word); /* mostly known to the compiler */
  return (size_t)(end - at) == size && memcmp(at, word, size) == 0;
}
/* One of the words of a list that NULL ends. */
bool scan_is_one_of(const char *at, const char *end, const char *const *words);

/* One operand: from at to before the `,` or the closing bracket at its own level. NULL when a string is not closed.
 * Without visit, a failed scan is the only result; with it, visit gets each `!` met, and its status stops the scan. */
typedef dloc_status scan_visit(void *user, const char *bang);
dloc_status scan_operand(const char *at, const char *end, scan_visit *visit, void *user, const char **ret);

/* The end of the group that opens at `at`, or the end of the text. */
const char *scan_group_end(const char *at, const char *end);
/* The first bracket from `at` on that opens, or the end of the text. */
const char *scan_opening(const char *at, const char *end);
/* The end of an attachment's operand, `!N` or a node in place, whose `!` is at `at`. */
const char *scan_node_end(const char *at, const char *end);

/* Opcodes. */
typedef enum opcode {
  OPCODE_NONE,
  OPCODE_PLAIN,
  OPCODE_CONSTANT,
  OPCODE_ALLOCA,
  OPCODE_ATOMICRMW,
  OPCODE_CALL,
  OPCODE_INVOKE,
  OPCODE_RET,
  OPCODE_TAIL,
  OPCODE_DIRECTIVE /* no instruction: uselistorder */
} opcode;

opcode scan_opcode(const char *at, const char *end);
/* Whether the opcode that ends at `at` is part of a constant expression: flags and predicates, then `(`. */
bool scan_is_constant_expression(const char *at, const char *end);
