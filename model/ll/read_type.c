/* Types of functions and calls, as far as it takes to know whether LLVM sees a direct call: the types are compared as
 * text. */
#include "reader.h"

#include <string.h>

static bool is_word(const char *at, const char *end, const char *word) { return scan_is(at, scan_word(at, end), word); }

bool reader_type_begins(const char *at, const char *end) {
  static const char *const names[] = {"ptr",       "void",    "half",     "bfloat", "float",
                                      "double",    "fp128",   "x86_fp80", "label",  "token",
                                      "ppc_fp128", "x86_mmx", "x86_amx",  "target", "metadata"};
  const char *word_end = scan_word(at, end);
  if (word_end == at)
    return at < end && memchr("%<[{", *at, 4);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (scan_is(at, word_end, names[i]))
      return true;
  bool numbered = *at == 'i' || *at == 'b'; /* LLVM 23 has bytes: `b8` */
  return numbered && ++at < word_end && scan_digits(at, word_end) == word_end;
}

/* The sort of a type's first token; `target("name")` has a group of its own. */
static const char *type_head(const char *at, const char *end) {
  if (at >= end)
    return at;
  if (*at == '%') {
    const char *name_end = scan_name(at + 1, end);
    return name_end ? name_end : end;
  }
  if (scan_class(*at) == CHAR_OPEN || *at == '<')
    return scan_group_end(at, end);
  const char *word_end = scan_word(at, end);
  return scan_is(at, word_end, "target") ? scan_group_end(scan_space(word_end, end), end) : word_end;
}

/* The end of the type at `at`: its head, then `*`, `addrspace(N)` and, of a pointer to a function, the parameters. */
static const char *type_end(const char *at, const char *end) {
  at = type_head(at, end);
  for (;;) {
    const char *next = scan_space(at, end);
    if (next < end && *next == '*') {
      at = next + 1;
    } else if (is_word(next, end, "addrspace")) {
      at = scan_group_end(scan_space(scan_word(next, end), end), end);
    } else if (next < end && *next == '(') {
      const char *behind = scan_group_end(next, end);
      const char *star = scan_space(behind, end);
      if (star >= end || (*star != '*' && !is_word(star, end, "addrspace")))
        return at;
      at = behind;
    } else {
      return at;
    }
  }
}

static uint64_t hash_text(const hash_key *key, uint64_t hash, const char *at, const char *end) {
  for (at = scan_space(at, end); at < end; at = scan_space(at + 1, end))
    hash = hash_word(key, hash, (unsigned char)*at);
  return hash_word(key, hash, ',');
}

/* The types of the parameters or arguments in the list that opens at `at`. */
static uint64_t hash_list(const hash_key *key, uint64_t hash, const char *at, const char *end) {
  do {
    at = scan_space(at + 1, end);
    if (at < end && *at != ')')
      hash = hash_text(key, hash, at, type_end(at, end));
    if (scan_operand(at, end, NULL, NULL, &at) != DLOC_OK)
      return hash;
  } while (at < end && *at == ',');
  return hash;
}

/* The text before a function's name: linkage, attributes, the result's type and, in a call, perhaps a whole function
 * type. */
typedef struct prelude {
  const char *type;       /* the last thing that can be the result's type */
  const char *parameters; /* the list right before the name; NULL when there is none */
} prelude;

static prelude read_prelude(const char *at, const char *name) {
  prelude found = {at, NULL};
  for (at = scan_space(at, name); at < name; at = scan_space(at, name)) {
    char_class class = scan_class(*at);
    found.parameters = *at == '(' ? at : NULL;
    if (is_word(at, name, "addrspace")) {
      at = scan_group_end(scan_space(scan_word(at, name), name), name);
    } else if (class == CHAR_WORD || class == CHAR_LOCAL || class == CHAR_ANGLE_OPEN || *at == '[' || *at == '{') {
      found.type = at;
      at = type_head(at, name);
    } else if (*at == '(') {
      at = scan_group_end(at, name);
    } else if (class == CHAR_QUOTE) {
      const char *string_end = scan_string(at, name);
      at = string_end ? string_end : name;
    } else {
      at++;
    }
  }
  return found;
}

bool reader_signature(const reader *r, const char *from, const char *name, const char *list, uint64_t *ret) {
  const hash_key *key = &r->context->hash_key;
  prelude found = read_prelude(from, name);
  if (is_word(found.type, name, "no_cfi") || is_word(found.type, name, "dso_local_equivalent"))
    return false;
  uint64_t hash = hash_text(key, key->start, found.type, found.parameters ? found.parameters : name);
  *ret = found.parameters ? hash_list(key, hash, found.parameters, name) : hash_list(key, hash, list, r->end);
  return true;
}
