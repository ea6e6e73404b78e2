/* value_lines.c - documents from JSON Lines. */
#include "text.h"
#include "value.h"

bool value_is_lines(const char *path, dloc_text text) {
  if (text_ends_with(path, ".jsonl"))
    return true;
  dloc_text line = text_take_line(&text);
  return !text_ends_with(path, ".yaml") && line.size >= 2 && line.bytes[0] == '{' && line.bytes[line.size - 1] == '}';
}

/* A document was read as if its line were the first. Recursion is bounded by VALUE_DEPTH. */
static void set_lines(value *v, uint32_t line) {
  v->line = line;
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    set_lines(&v->of.items[i], line);
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++) {
    v->of.entries[i].line = line;
    set_lines(&v->of.entries[i].value, line);
  }
}

dloc_status value_lines_next(value_lines *lines, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  *ret = NULL;
  while (lines->text.size) {
    dloc_text line = text_take_line(&lines->text);
    lines->line++;
    if (line.size == 0)
      continue;
    dloc_status status = value_read_one(line, arena, diagnostic, ret);
    if (status == DLOC_OK)
      set_lines(*ret, lines->line);
    else if (status == DLOC_INVALID && diagnostic)
      diagnostic->line = lines->line;
    return status;
  }
  return DLOC_OK;
}
