/* value_lines.c - documents from JSON Lines. */
#include "buffer.h"
#include "memory.h"
#include "nodes/try.h"
#include "text.h"
#include "value.h"

#include <regex.h>
#include <string.h>

/* ---- JSON alone ---- */

static void skip(dloc_text *t, size_t size) { *t = (dloc_text){t->bytes + size, t->size - size}; }

/* Between quotes, with JSON's escapes. The reader has looked at the rest. */
static bool take_string(dloc_text *t) {
  size_t size = 1;
  for (; size < t->size && t->bytes[size] != '"'; size++)
    if (t->bytes[size] == '\t' ||
        (t->bytes[size] == '\\' && (++size == t->size || !strchr("\"\\/bfnrtu", t->bytes[size]))))
      return false;
  skip(t, size < t->size ? size + 1 : size);
  return true;
}

static bool take_number(dloc_text *t) {
  static const char pattern[] = "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$";
  char number[256];
  size_t size = 0;
  for (; size < t->size && size + 1 < sizeof number && strchr("0123456789+-.eE", t->bytes[size]); size++)
    number[size] = t->bytes[size];
  number[size] = '\0';
  skip(t, size);
  regex_t compiled;
  bool found =
      regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0 && regexec(&compiled, number, 0, NULL, 0) == 0;
  regfree(&compiled);
  return found;
}

/* Whether a document was written as JSON: but for blanks, escapes and numbers as it would be written again. */
static bool is_json(dloc_text text, dloc_text again) {
  bool number = false; /* was the last scalar that is written between quotes: it is no key */
  while (text.size) {
    if (strchr(" \t\r\n", *text.bytes)) {
      skip(&text, 1);
    } else if (again.size && *again.bytes == '"') {
      number = *text.bytes != '"';
      if (!(number ? take_number(&text) : take_string(&text)) || !take_string(&again))
        return false;
    } else if (again.size == 0 || *text.bytes != *again.bytes || (number && *text.bytes == ':')) {
      return false;
    } else {
      skip(&text, 1);
      skip(&again, 1);
    }
  }
  return again.size == 0;
}

dloc_status value_read_json(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  OWNED(dloc_buffer_deinit) dloc_buffer again = {0};
  TRY(value_read_one(text, arena, diagnostic, ret));
  (void)!value_write_json(*ret, buffer_sink(&again));
  return is_json(text, buffer_text(&again))
             ? DLOC_OK
             : value_diagnose(diagnostic, 1, 1, "json.syntax", "this is YAML, but no JSON");
}

/* ---- Lines ---- */

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
    dloc_status status = value_read_json(line, arena, diagnostic, ret);
    if (status == DLOC_OK)
      set_lines(*ret, lines->line);
    else if (status == DLOC_INVALID && diagnostic)
      diagnostic->line = lines->line;
    return status;
  }
  return DLOC_OK;
}
