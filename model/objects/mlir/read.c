/* The reader: finds `loc(...)` and `#NAME = ...` in a text, and knows the grammar of what stands there. */
#include "mlir.h"

#include "ll/refuse.h"
#include "nodes/text.h"
#include "source.h"

enum { DEPTH = 500 }; /* of locations in locations, and of brackets in metadata */

/* `loc(#NAME)` of an alias that is not defined yet. */
typedef struct deferred {
  size_t use;
  dloc_node name;
} deferred;

typedef struct reader {
  dloc_mlir *m;
  const char *at, *end;
  dloc_diagnostic *diagnostic;
  ARRAY(dloc_mlir_number) parts; /* of the locations that are being read */
  ARRAY(deferred) deferred;
  unsigned depth;
} reader;

#define refuse(r, reason, at, ...)                                                                                     \
  refuse_text((r)->diagnostic, (r)->m->text.bytes, (reason), (size_t)((at) - (r)->m->text.bytes), __VA_ARGS__)

/* Something else stands where that was expected, or nothing. */
static dloc_status expected(const reader *r, const char *what) {
  bool ends = r->at == r->end;
  return refuse(r, ends ? DLOC_REASON_TEXT_TRUNCATED : DLOC_REASON_TEXT_SYNTAX, r->at, "%sexpected %s in a location",
                ends ? "end of text; " : "", what);
}

static dloc_status unclosed(const reader *r, const char *quote) {
  bool ends = !memchr(quote, '\n', (size_t)(r->end - quote));
  return refuse(r, ends ? DLOC_REASON_TEXT_TRUNCATED : DLOC_REASON_TEXT_SYNTAX, quote,
                "this string is not closed in its line");
}

/* ---- Tokens ---- */

static bool take(reader *r, const char *token) {
  r->at = mlir_space(r->at, r->end);
  if (!text_begins((dloc_text){r->at, (size_t)(r->end - r->at)}, token))
    return false;
  r->at += strlen(token);
  return true;
}

static dloc_status expect(reader *r, char token) {
  const char text[] = {token, 0}, quoted[] = {'`', token, '`', 0};
  return take(r, text) ? DLOC_OK : expected(r, quoted);
}

static bool take_word(reader *r, const char *word) {
  const char *begin = mlir_space(r->at, r->end), *behind = mlir_word(begin, r->end);
  if (!text_equals((dloc_text){begin, (size_t)(behind - begin)}, word))
    return false;
  r->at = behind;
  return true;
}

/* `loc` and a bracket; false leaves the text where it is. */
static bool take_loc(reader *r) {
  const char *begin = r->at;
  if (take_word(r, "loc") && take(r, "("))
    return true;
  r->at = begin;
  return false;
}

/* Decimal, or hexadecimal behind 0x. */
static dloc_status take_number(reader *r, const char *what, uint32_t *ret) {
  const char *begin = r->at = mlir_space(r->at, r->end);
  const char *behind = mlir_word(begin, r->end);
  const bool hexadecimal = behind - begin > 2 && begin[0] == '0' && begin[1] == 'x';
  uint64_t number = 0;
  for (const char *c = begin + 2 * hexadecimal; c < behind; c++) {
    const unsigned digit = hex_digit(*c), base = hexadecimal ? 16 : 10;
    if (digit >= base)
      return expected(r, what);
    number = number * base + digit;
    if (number > UINT32_MAX)
      return refuse(r, DLOC_REASON_TEXT_SYNTAX, begin, "%s does not fit into 32 bits", what);
  }
  if (begin == behind)
    return expected(r, what);
  r->at = behind;
  return *ret = (uint32_t)number, DLOC_OK;
}

/* Escapes are `\n`, `\t`, two hexadecimal digits, and `\` before the character itself. */
static dloc_status unescape(dloc_context *context, dloc_text text, dloc_node *ret) {
  if (!memchr(text.bytes, '\\', text.size))
    return dloc_string(context, text, ret);
  ALLOCATE(context, char, bytes, text.size);
  OWNED_MEMORY(context, &bytes);
  size_t size = 0;
  for (size_t i = 0; i < text.size; i++) {
    const char *c = text.bytes + i;
    if (*c == '\\' && text.size - i > 2 && (hex_digit(c[1]) | hex_digit(c[2])) < 16) {
      bytes[size++] = (char)(hex_digit(c[1]) << 4 | hex_digit(c[2]));
      i += 2;
    } else if (*c == '\\' && text.size - i > 1) {
      bytes[size++] = c[1] == 'n' ? '\n' : c[1] == 't' ? '\t' : c[1];
      i++;
    } else
      bytes[size++] = *c;
  }
  return dloc_string(context, (dloc_text){bytes, size}, ret);
}

static dloc_status pass_string(reader *r) {
  const char *behind = mlir_string(r->at, r->end);
  if (!behind)
    return unclosed(r, r->at);
  r->at = behind;
  return DLOC_OK;
}

static dloc_status take_string(reader *r, dloc_node *ret) {
  const char *begin = r->at + 1;
  TRY(pass_string(r));
  return unescape(r->m->context, (dloc_text){begin, (size_t)(r->at - begin) - 1}, ret);
}

/* The bracket that closes what one opens; 0: it opens nothing. `<=` is none. */
static char closing(const char *at, const char *end) {
  switch (*at) {
  case '(':
    return ')';
  case '[':
    return ']';
  case '{':
    return '}';
  case '<':
    return end - at > 1 && at[1] == '=' ? 0 : '>';
  default:
    return 0;
  }
}

/* Takes metadata or a dialect's attribute, as far as the `>` that closes the `<` at first. Strings and comments stand there,
 * brackets in pairs, `->`, and comparisons in parentheses. */
static dloc_status take_group(reader *r, const char *first) {
  char open[DEPTH] = {'>'};
  size_t depth = 1;
  while (depth) {
    r->at = mlir_space(r->at, r->end);
    if (r->at == r->end)
      return refuse(r, DLOC_REASON_TEXT_TRUNCATED, first, "end of text; this `<` is not closed");
    char c = *r->at, closed_by = closing(r->at, r->end);
    if (c == '"') {
      TRY(pass_string(r));
      continue;
    }
    if (closed_by && depth == DEPTH)
      return refuse(r, DLOC_REASON_TEXT_LIMIT, r->at, "more than %d brackets in each other", DEPTH);
    if (closed_by)
      open[depth++] = closed_by;
    else if (c == '-' && r->end - r->at > 1 && r->at[1] == '>')
      r->at++;
    else if (c == open[depth - 1])
      depth--;
    else if (c == ')' || c == ']' || c == '}')
      return refuse(r, DLOC_REASON_TEXT_SYNTAX, r->at, "`%c` stands where `%c` is expected", c, open[depth - 1]);
    r->at++;
  }
  return DLOC_OK;
}

/* ---- Locations ---- */

static dloc_status read_location(reader *r, dloc_mlir_number *ret);

static dloc_status read_part(reader *r) {
  dloc_mlir_number part;
  TRY(read_location(r, &part));
  PUSH(r->m->context, r->parts, part);
  return DLOC_OK;
}

/* With the parts from first on, which are taken off again. */
static dloc_status add(reader *r, dloc_mlir_kind kind, dloc_node text, size_t first, dloc_mlir_number *ret) {
  const dloc_mlir_location location = {.kind = kind,
                                       .text = text,
                                       .parts = r->parts.items ? r->parts.items + first : NULL,
                                       .part_count = (uint32_t)(r->parts.count - first)};
  r->parts.count = first;
  return mlir_add(r->m, &location, ret);
}

static dloc_status read_string(reader *r, dloc_mlir_number *ret) {
  dloc_mlir_location location = {.kind = DLOC_MLIR_FILE};
  const size_t first = r->parts.count;
  TRY(take_string(r, &location.text));
  if (take(r, "(")) {
    TRY(read_part(r));
    TRY(expect(r, ')'));
    return add(r, DLOC_MLIR_NAME, location.text, first, ret);
  }
  if (!take(r, ":"))
    return add(r, DLOC_MLIR_NAME, location.text, first, ret);
  TRY(take_number(r, "a line", &location.line));
  if (take(r, ":")) /* MLIR 22 takes a line alone */
    TRY(take_number(r, "a column", &location.column));
  location.end_line = location.line;
  location.end_column = location.column;
  if (take_word(r, "to")) {
    if (!take(r, ":")) {
      TRY(take_number(r, "the line of the end", &location.end_line));
      TRY(expect(r, ':'));
    }
    TRY(take_number(r, "the column of the end", &location.end_column));
  }
  return mlir_add(r->m, &location, ret);
}

static dloc_status read_call_site(reader *r, dloc_mlir_number *ret) {
  const size_t first = r->parts.count;
  TRY(expect(r, '('));
  TRY(read_part(r));
  if (!take_word(r, "at"))
    return expected(r, "`at`");
  TRY(read_part(r));
  TRY(expect(r, ')'));
  return add(r, DLOC_MLIR_CALL_SITE, DLOC_NULL, first, ret);
}

static dloc_status read_fused(reader *r, dloc_mlir_number *ret) {
  const size_t first = r->parts.count;
  dloc_node metadata = DLOC_NULL;
  if (take(r, "<")) {
    const char *begin = r->at;
    TRY(take_group(r, begin - 1));
    TRY(dloc_string(r->m->context, (dloc_text){begin, (size_t)(r->at - 1 - begin)}, &metadata));
  }
  TRY(expect(r, '['));
  if (!take(r, "]")) {
    do
      TRY(read_part(r));
    while (take(r, ","));
    TRY(expect(r, ']'));
  }
  return add(r, DLOC_MLIR_FUSED, metadata, first, ret);
}

/* `#NAME` of an alias; DLOC_NULL: something else stands there, such as a dialect's attribute. */
static dloc_status take_alias(reader *r, dloc_node *ret) {
  const char *begin = r->at, *behind = begin < r->end && *begin == '#' ? mlir_name(begin + 1, r->end) : begin;
  *ret = DLOC_NULL;
  if (behind - begin < 2 || memchr(begin, '.', (size_t)(behind - begin)) || (behind < r->end && *behind == '<'))
    return DLOC_OK;
  r->at = behind;
  return dloc_string(r->m->context, (dloc_text){begin, (size_t)(behind - begin)}, ret);
}

/* The location that an attribute begins with becomes a part; it may begin with anything else. */
static dloc_status read_attribute(reader *r) {
  dloc_node name;
  dloc_mlir_number alias;
  if (take_loc(r)) {
    TRY(read_part(r));
    return expect(r, ')');
  }
  const char *begin = r->at = mlir_space(r->at, r->end);
  if (begin == r->end || *begin != '#' || mlir_name(begin + 1, r->end) == begin + 1)
    return DLOC_OK;
  TRY(take_alias(r, &name));
  r->at = begin;
  if (name && !(map_get(&r->m->aliases, name, 0, &alias) && dloc_mlir_at(r->m, alias).part_count))
    return DLOC_OK;
  return read_part(r);
}

/* `mlir.dialect` */
static dloc_status read_dialect(reader *r, dloc_mlir_number *ret) {
  const char *begin = r->at, *open = mlir_name(begin + 1, r->end), *behind = open;
  const size_t first = r->parts.count;
  bool scoped = false;
  dloc_node text;
  r->at = open;
  if (open == begin + 1)
    return expected(r, "a name behind `#`");
  if (open < r->end && *open == '<') {
    r->at++;
    TRY(read_attribute(r));
    behind = r->at;
    scoped = r->parts.count > first && take_word(r, "in") && take(r, "#");
    TRY(take_group(r, open));
  }
  if (!scoped)
    r->parts.count = first;
  const char *split = scoped ? open + 1 : behind;
  const dloc_text around[] = {{begin, (size_t)(split - begin)}, {behind, (size_t)(r->at - behind)}};
  TRY(join_texts(r->m->context, around, 2, &text));
  return add(r, scoped ? DLOC_MLIR_SCOPED : DLOC_MLIR_OPAQUE, text, first, ret);
}

static dloc_status undefined(const reader *r, const char *at, dloc_node name) {
  dloc_text text = dloc_node_text(r->m->context, name);
  return refuse(r, DLOC_REASON_TEXT_UNDEFINED, at, "alias %.*s is not defined%s",
                text.size < 100 ? (int)text.size : 100, text.bytes,
                at < r->at ? " before it is used in a location" : "");
}

static dloc_status read_alias(reader *r, dloc_mlir_number *ret) {
  const char *begin = r->at;
  dloc_node name;
  TRY(take_alias(r, &name));
  if (!name)
    return read_dialect(r, ret);
  return map_get(&r->m->aliases, name, 0, ret) ? DLOC_OK : undefined(r, begin, name);
}

static dloc_status read_any(reader *r, dloc_mlir_number *ret) {
  r->at = mlir_space(r->at, r->end);
  if (r->at < r->end && *r->at == '"')
    return read_string(r, ret);
  if (r->at < r->end && *r->at == '#')
    return read_alias(r, ret);
  if (take_word(r, "unknown"))
    return add(r, DLOC_MLIR_UNKNOWN, DLOC_NULL, r->parts.count, ret);
  if (take_word(r, "callsite"))
    return read_call_site(r, ret);
  if (take_word(r, "fused"))
    return read_fused(r, ret);
  return expected(r, "a string, `unknown`, `callsite`, `fused` or an alias");
}

static dloc_status read_location(reader *r, dloc_mlir_number *ret) {
  if (r->depth == DEPTH)
    return refuse(r, DLOC_REASON_TEXT_LIMIT, r->at, "more than %d locations in each other", DEPTH);
  r->depth++;
  TRY(read_any(r, ret));
  r->depth--;
  return DLOC_OK;
}

/* ---- The text ---- */

/* `#NAME)`, whose alias is not defined yet: only there it need not be. */
static dloc_status defer(reader *r, bool *ret) {
  const char *begin = r->at;
  dloc_node name;
  TRY(take_alias(r, &name));
  const char *behind = mlir_space(r->at, r->end);
  *ret = name && behind < r->end && *behind == ')' && !map_has(&r->m->aliases, name, 0);
  if (*ret)
    PUSH(r->m->context, r->deferred, (deferred){r->m->uses.count, name});
  else
    r->at = begin;
  return DLOC_OK;
}

/* The contents of `loc(...)`, from behind its bracket. */
static dloc_status read_use(reader *r, bool definition, dloc_mlir_number *ret) {
  dloc_mlir_use use = {.definition = definition};
  bool later = false;
  r->at = mlir_space(r->at, r->end);
  const char *begin = r->at;
  r->depth = 0;
  if (!definition)
    TRY(defer(r, &later));
  if (!later)
    TRY(read_location(r, &use.location));
  use.at = (size_t)(begin - r->m->text.bytes);
  use.end = (size_t)(r->at - r->m->text.bytes);
  TRY(expect(r, ')'));
  PUSH(r->m->context, r->m->uses, use);
  return *ret = use.location, DLOC_OK;
}

/* An alias may stand for a dialect's own location or an alias, without `loc(...)`. *ret_count is 0 for anything else. */
static dloc_status read_meant(reader *r, dloc_mlir_number *ret, uint32_t *ret_count) {
  const char *begin = mlir_space(r->at, r->end);
  TRY(read_attribute(r));
  if (!r->parts.count)
    return DLOC_OK;
  *ret = r->parts.items[--r->parts.count];
  const dloc_mlir_location location = dloc_mlir_at(r->m, *ret);
  *ret = location.kind == DLOC_MLIR_ALIAS ? location.parts[0] : *ret;
  *ret_count = location.kind != DLOC_MLIR_OPAQUE;
  if (location.kind == DLOC_MLIR_SCOPED)
    PUSH(r->m->context, r->m->uses,
         (dloc_mlir_use){(size_t)(begin - r->m->text.bytes), (size_t)(r->at - r->m->text.bytes), *ret, true});
  return DLOC_OK;
}

/* `#NAME`: of interest only where it is defined. */
static dloc_status read_definition(reader *r) {
  const char *begin = r->at;
  r->at = mlir_name(begin + 1, r->end);
  const dloc_text name = {begin, (size_t)(r->at - begin)};
  const char *behind = mlir_space(r->at, r->end);
  if (behind == r->end || *behind != '=')
    return DLOC_OK;
  r->at = behind + 1;
  dloc_mlir_number meant, number;
  dloc_mlir_location alias = {.kind = DLOC_MLIR_ALIAS, .parts = &meant};
  TRY(dloc_string(r->m->context, name, &alias.text));
  if (map_get(&r->m->aliases, alias.text, 0, &number))
    return refuse(r, DLOC_REASON_TEXT_REDEFINED, begin, "alias %.*s is already defined",
                  name.size < 100 ? (int)name.size : 100, name.bytes);
  if (take_loc(r)) {
    TRY(read_use(r, true, &meant));
    alias.part_count = 1;
  } else
    TRY(read_meant(r, &meant, &alias.part_count));
  TRY(mlir_add(r->m, &alias, &number));
  return map_add(r->m->context, &r->m->aliases, alias.text, 0, number, NULL);
}

typedef enum char_class {
  CHAR_OTHER,
  CHAR_WORD,
  CHAR_SIGIL,
  CHAR_HASH,
  CHAR_QUOTE,
  CHAR_SLASH,
  CHAR_BRACKET
} char_class;

static char_class class_of(char c) {
  static const struct {
    const char *bytes;
    char_class class;
  } classes[] = {
      {"%@^!", CHAR_SIGIL}, {"#", CHAR_HASH}, {"\"", CHAR_QUOTE}, {"/", CHAR_SLASH}, {"()[]{}", CHAR_BRACKET}};
  for (size_t i = 0; c && i < sizeof classes / sizeof *classes; i++)
    if (strchr(classes[i].bytes, c))
      return classes[i].class;
  return mlir_word(&c, &c + 1) > &c ? CHAR_WORD : CHAR_OTHER;
}

/* One token. `mlir.text` */
static dloc_status read_token(reader *r, char_class class) {
  const char *begin = r->at, *behind;
  dloc_mlir_number number;
  switch (class) {
  case CHAR_WORD:
    if (*begin == 'l' && take_loc(r))
      return read_use(r, false, &number);
    r->at = mlir_word(begin, r->end);
    return DLOC_OK;
  case CHAR_SIGIL:
    r->at = mlir_name(begin + 1, r->end);
    return DLOC_OK;
  case CHAR_HASH:
    return read_definition(r);
  case CHAR_QUOTE:
    return pass_string(r);
  case CHAR_SLASH:
    behind = mlir_comment(begin, r->end);
    r->at = behind ? behind : begin + 1;
    return DLOC_OK;
  default:
    r->at++;
    return DLOC_OK;
  }
}

static dloc_status read_text(reader *r) {
  size_t brackets = 0;
  uint8_t classes[256];
  for (unsigned i = 0; i < 256; i++)
    classes[i] = (uint8_t)class_of((char)i);
  while (r->at < r->end) {
    const char c = *r->at;
    const char_class class = (char_class)classes[(unsigned char)c];
    if (class == CHAR_BRACKET && (c == '(' || c == '[' || c == '{'))
      brackets++;
    else if (class == CHAR_BRACKET && brackets-- == 0)
      return refuse(r, DLOC_REASON_TEXT_SYNTAX, r->at, "`%c` closes nothing", c);
    if (class == CHAR_OTHER || class == CHAR_BRACKET)
      r->at++;
    else
      TRY(read_token(r, class));
  }
  if (brackets)
    return refuse(r, DLOC_REASON_TEXT_TRUNCATED, r->end, "end of text in brackets");
  for (size_t i = 0; i < r->deferred.count; i++) {
    const deferred *d = &r->deferred.items[i];
    dloc_mlir_use *use = &r->m->uses.items[d->use];
    if (!map_get(&r->m->aliases, d->name, 0, &use->location)) {
      r->at = r->m->text.bytes + use->at;
      return undefined(r, r->at, d->name);
    }
  }
  return DLOC_OK;
}

dloc_status dloc_mlir_read(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, dloc_mlir **ret) {
  CREATE(context, dloc_mlir, mlir, .context = context, .text = text);
  reader r = {.m = mlir, .at = text.bytes, .end = text.bytes + text.size, .diagnostic = diagnostic};
  OWNED_MEMORY(context, &r.parts.items, &r.deferred.items);
  RETURN_MADE(text.size > 0 ? read_text(&r) : DLOC_OK, mlir, dloc_mlir_destroy, ret);
}

void dloc_mlir_destroy(dloc_mlir *mlir) {
  if (mlir)
    CONTEXT_FREE(mlir->context, mlir->locations.items, mlir->parts.items, mlir->known.entries, mlir->aliases.entries,
                 mlir->uses.items, mlir);
}
