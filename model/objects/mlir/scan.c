/* The tokens of MLIR's text, as far as locations need them. */
#include "mlir.h"

#include <string.h>

static inline bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
}

const char *mlir_word(const char *at, const char *end) {
  while (at < end && is_word(*at))
    at++;
  return at;
}

const char *mlir_name(const char *at, const char *end) {
  while (at < end && (is_word(*at) || *at == '-'))
    at++;
  return at;
}

const char *mlir_comment(const char *at, const char *end) {
  if (end - at < 2 || at[0] != '/' || at[1] != '/')
    return NULL;
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline ? newline : end;
}

const char *mlir_space(const char *at, const char *end) {
  for (;;) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
      at++;
    const char *behind = mlir_comment(at, end);
    if (!behind)
      return at;
    at = behind;
  }
}

const char *mlir_string(const char *at, const char *end) {
  for (at++; at < end && *at != '\n'; at++) {
    if (*at == '"')
      return at + 1;
    if (*at == '\\' && ++at == end)
      break;
  }
  return NULL;
}
