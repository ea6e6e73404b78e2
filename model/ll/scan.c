/* The tokens of LLVM's textual IR. */
#include "scan.h"

#include <string.h>

#define AT(c, class) [c] = CHAR_##class
#define WORD_5(c) AT(c, WORD), AT(c + 1, WORD), AT(c + 2, WORD), AT(c + 3, WORD), AT(c + 4, WORD)
#define WORD_26(c) WORD_5(c), WORD_5(c + 5), WORD_5(c + 10), WORD_5(c + 15), WORD_5(c + 20), AT(c + 25, WORD)

const uint8_t scan_classes[256] = {
    WORD_5('0'),    WORD_5('5'),     WORD_26('a'),   WORD_26('A'),     AT('-', WORD),       AT('.', WORD),
    AT('_', WORD),  AT('$', WORD),   AT(' ', SPACE), AT('\t', SPACE),  AT('\n', SPACE),     AT('\r', SPACE),
    AT('%', LOCAL), AT('@', GLOBAL), AT('"', QUOTE), AT(';', COMMENT), AT('(', OPEN),       AT('[', OPEN),
    AT('{', OPEN),  AT(')', CLOSE),  AT(']', CLOSE), AT('}', CLOSE),   AT('<', ANGLE_OPEN), AT('>', ANGLE_CLOSE),
    AT('!', BANG),  AT('#', HASH),   AT(',', COMMA), AT('=', OTHER),   AT('*', OTHER),      AT('|', OTHER),
    AT(':', OTHER), AT('^', OTHER),  AT('+', OTHER), AT('/', OTHER),   AT('&', OTHER),      AT('\\', OTHER)};

const char *scan_comment(const char *at, const char *end) {
  while (at < end && *at != '\n' && *at != '\r')
    at++;
  return at;
}

const char *scan_long_space(const char *at, const char *end) {
  while (at < end) {
    if (*at == ' ' || scan_class(*at) == CHAR_SPACE)
      at++;
    else if (*at == ';')
      at = scan_comment(at, end);
    else
      break;
  }
  return at;
}

const char *scan_string(const char *at, const char *end) {
  const char *closing = at < end ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
  return closing ? closing + 1 : NULL;
}

const char *scan_name(const char *at, const char *end) {
  return at < end && *at == '"' ? scan_string(at, end) : scan_word(at, end);
}

const char *scan_metadata_name(const char *at, const char *end) {
  while (at < end && (scan_class(*at) == CHAR_WORD || *at == '\\'))
    at++;
  return at;
}

bool scan_is_one_of(const char *at, const char *end, const char *const *words) {
  while (*words && !scan_is(at, end, *words))
    words++;
  return *words;
}

dloc_status scan_operand(const char *at, const char *end, scan_visit *visit, void *user, const char **ret) {
  size_t depth = 0;
  while (at < end) {
    switch (scan_class(*at)) {
    case CHAR_QUOTE:
      if (!(at = scan_string(at, end)))
        return DLOC_INVALID;
      continue;
    case CHAR_COMMENT:
      at = scan_comment(at, end);
      continue;
    case CHAR_OPEN:
    case CHAR_ANGLE_OPEN:
      depth++;
      break;
    case CHAR_CLOSE:
    case CHAR_ANGLE_CLOSE:
      if (depth == 0)
        goto found;
      depth--;
      break;
    case CHAR_COMMA:
      if (depth == 0)
        goto found;
      break;
    case CHAR_BANG:
      if (visit) {
        dloc_status status = visit(user, at);
        if (status != DLOC_OK)
          return status;
      }
      break;
    default:
      break;
    }
    at++;
  }
found:
  *ret = at;
  return DLOC_OK;
}

const char *scan_group_end(const char *at, const char *end) {
  do {
    if (scan_operand(at + 1, end, NULL, NULL, &at) != DLOC_OK)
      return end;
  } while (at < end && *at == ',');
  return at < end ? at + 1 : end;
}

const char *scan_opening(const char *at, const char *end) {
  while (at && at < end && scan_class(*at) != CHAR_OPEN)
    at = *at == '"' ? scan_string(at, end) : *at == ';' ? scan_comment(at, end) : at + 1;
  return at ? at : end;
}

const char *scan_node_end(const char *at, const char *end) {
  if (end - at > 1 && scan_is_digit(at[1]))
    return scan_digits(at + 1, end);
  const char *name_end = at < end ? scan_metadata_name(at + 1, end) : end, *opening = scan_space(name_end, end);
  return opening < end && scan_class(*opening) == CHAR_OPEN ? scan_group_end(opening, end) : name_end;
}

/* ---- Opcodes ---- */

typedef struct opcode_row {
  const char *word;
  uint8_t size;
  uint8_t code;
} opcode_row;

static const opcode_row opcode_rows[] = {
#define OPCODE(word, class) {#word, sizeof #word - 1, OPCODE_##class},
#include "opcodes.def"
#undef OPCODE
};

enum {
#define OPCODE(word, class) ROW_##word,
#include "opcodes.def"
#undef OPCODE
  ROW_COUNT
};

/* The rows of each first letter; letters without opcodes have none. The order of opcodes.def matters here. */
static const uint8_t first_row[27] = {
    ROW_add,    ROW_bitcast, ROW_call,       ROW_extractelement, ROW_extractelement, ROW_fadd,  ROW_getelementptr,
    ROW_icmp,   ROW_icmp,    ROW_landingpad, ROW_landingpad,     ROW_landingpad,     ROW_mul,   ROW_notail,
    ROW_or,     ROW_phi,     ROW_resume,     ROW_resume,         ROW_sdiv,           ROW_tail,  ROW_udiv,
    ROW_va_arg, ROW_xor,     ROW_xor,        ROW_zext,           ROW_zext,           ROW_COUNT,
};

opcode scan_opcode(const char *at, const char *end) {
  if (*at < 'a' || *at > 'z')
    return OPCODE_NONE;
  size_t size = (size_t)(end - at);
  const opcode_row *stop = &opcode_rows[0] + first_row[*at - 'a' + 1];
  for (const opcode_row *row = &opcode_rows[0] + first_row[*at - 'a']; row < stop; row++)
    if (row->size == size && memcmp(row->word, at, size) == 0)
      return (opcode)row->code;
  return OPCODE_NONE;
}

bool scan_is_constant_expression(const char *at, const char *end) {
  static const char *const flags[] = {"inbounds", "nuw", "nsw", "nusw", "exact", "inrange", "disjoint", "nneg",
                                      "samesign", "eq",  "ne",  "ugt",  "uge",   "ult",     "ule",      "sgt",
                                      "sge",      "slt", "sle", "oeq",  "ogt",   "oge",     "olt",      "ole",
                                      "one",      "ord", "ueq", "une",  "uno",   "true",    "false",    NULL};
  for (;;) {
    at = scan_space(at, end);
    if (at < end && *at == '(')
      return true;
    const char *word_end = scan_word(at, end);
    if (!scan_is_one_of(at, word_end, flags))
      return false;
    at = word_end;
  }
}
