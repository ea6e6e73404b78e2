/* Where the ops of a text begin, as MLIR prints it. */
#include "mlir.h"

#include "nodes/text.h"

struct dloc_mlir_ops {
  dloc_context *context;
  ARRAY(uint32_t) columns; /* of each line's op, from 1; 0: it has none */
};

/* `%NAME, %NAME:COUNT =` */
static bool has_results(const char *at, const char *end) {
  const char *equals = memchr(at, '=', (size_t)(end - at));
  while (equals && at < equals && *at == '%') {
    at = mlir_name(at + 1, equals);
    if (at < equals && *at == ':')
      at = mlir_word(at + 1, equals);
    at = mlir_space(at, equals);
    if (at < equals && *at == ',')
      at = mlir_space(at + 1, equals);
  }
  return equals && at == equals;
}

/* A name, not the label of a switch's case, which `:` or a region follows. */
static bool has_name(const char *at, const char *end) {
  const char *behind = mlir_word(at, end);
  const dloc_text word = {at, (size_t)(behind - at)};
  bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_';
  return letter && !(behind < end && *behind == ':') && !text_equals(word, "case") && !text_equals(word, "default");
}

static bool is_op(const char *at, const char *end) {
  if (*at == '%')
    return has_results(at, end);
  if (*at != '"')
    return has_name(at, end);
  const char *behind = mlir_string(at, end);
  return behind && behind < end && *behind == '(';
}

static dloc_status read_lines(dloc_mlir_ops *ops, dloc_text text) {
  const char *end = text.bytes + text.size;
  for (const char *line = text.bytes, *next; line < end; line = next) {
    const char *newline = memchr(line, '\n', (size_t)(end - line)), *at = line;
    const char *stop = newline ? newline : end;
    next = newline ? newline + 1 : end;
    while (at < stop && (*at == ' ' || *at == '\t'))
      at++;
    PUSH(ops->context, ops->columns, at < stop && is_op(at, stop) ? (uint32_t)(at - line) + 1 : 0);
  }
  return DLOC_OK;
}

dloc_status dloc_mlir_ops_create(dloc_context *context, dloc_text text, dloc_mlir_ops **ret) {
  CREATE(context, dloc_mlir_ops, ops, .context = context);
  RETURN_MADE(text.size ? read_lines(ops, text) : DLOC_OK, ops, dloc_mlir_ops_destroy, ret);
}

void dloc_mlir_ops_destroy(dloc_mlir_ops *ops) {
  if (ops)
    CONTEXT_FREE(ops->context, ops->columns.items, ops);
}

uint32_t mlir_op_column(const dloc_mlir_ops *ops, uint32_t line) {
  return line && line <= ops->columns.count ? ops->columns.items[line - 1] : 0;
}

bool dloc_mlir_is_op(const dloc_mlir_ops *ops, uint32_t line, uint32_t column) {
  return column && mlir_op_column(ops, line) == column;
}
