/* value_lines.c - documents from JSON Lines. */
#include "nodes/try.h"
#include "text.h"
#include "value.h"

#include <string.h>

/* ---- Which of the documents that the reader of YAML takes are JSON ---- */

/* The rest of a text. Each function takes from its start what it is named after, or returns false. */
typedef struct json_text {
  const char *at, *end;
} json_text;

static bool is_next(const json_text *t, const char *one_of) {
  return t->at < t->end && *t->at && strchr(one_of, *t->at);
}

static bool take(json_text *t, const char *one_of) {
  bool found = is_next(t, one_of);
  t->at += found;
  return found;
}

static bool take_all(json_text *t, const char *of) {
  bool found = false;
  while (take(t, of))
    found = true;
  return found;
}

static bool take_number(json_text *t) {
  static const char digits[] = "0123456789";
  take(t, "-");
  if ((!take(t, "0") && !take_all(t, digits)) || (take(t, ".") && !take_all(t, digits)))
    return false;
  if (!take(t, "eE"))
    return true;
  take(t, "+-");
  return take_all(t, digits);
}

static bool take_word(json_text *t) {
  static const char *const words[] = {"true", "false", "null"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if ((size_t)(t->end - t->at) >= strlen(words[i]) && memcmp(t->at, words[i], strlen(words[i])) == 0) {
      t->at += strlen(words[i]);
      return true;
    }
  return take_number(t);
}

/* The reader looks at its characters, and at the digits of escapes. */
static bool take_string(json_text *t) {
  bool fine = take(t, "\"");
  while (fine && t->at < t->end && *t->at != '"')
    fine = take(t, "\\") ? take(t, "\"\\/bfnrtu") : *t->at++ != '\t';
  return fine && take(t, "\"");
}

static bool take_blanks(json_text *t) {
  take_all(t, " \t\n\r");
  return true;
}

/* With the blanks around it. Recursion is bounded by VALUE_DEPTH. */
static bool take_json(json_text *t, unsigned depth) {
  take_blanks(t);
  bool is_map = is_next(t, "{");
  const char *close = is_map ? "}" : "]";
  if (!take(t, "{["))
    return (is_next(t, "\"") ? take_string(t) : take_word(t)) && take_blanks(t);
  if (take_blanks(t) && take(t, close))
    return take_blanks(t);
  do {
    bool has_key = !is_map || (take_blanks(t) && take_string(t) && take_blanks(t) && take(t, ":"));
    if (!has_key || depth == VALUE_DEPTH || !take_json(t, depth + 1))
      return false;
  } while (take(t, ","));
  return take(t, close) && take_blanks(t);
}

dloc_status value_read_json(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  json_text t = {text.bytes, text.bytes + text.size};
  TRY(value_read_one(text, arena, diagnostic, ret));
  if (take_json(&t, 0) && t.at == t.end)
    return DLOC_OK;
  return value_diagnose(diagnostic, 1, (uint32_t)(t.at - text.bytes) + 1, "json.syntax", "this is YAML, but no JSON");
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
