/* read.c - the items of a text in PTX. The reader passes over all that locates no instruction, by its outer form: comments, strings,
 * brackets, `;`. */
#include "ll/refuse.h"
#include "nodes/metadata.h"
#include "nodes/text.h"
#include "ptx.h"

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_OTHER } token_kind;

enum { IN_MODULE = 1, IN_FUNCTION = 2, IN_SECTION = 4, IN_BLOCK = 8 };

typedef struct reader {
  dloc_context *context;
  dloc_text text;
  size_t at;         /* behind the token */
  token_kind token;  /* the one at hand */
  size_t start, end; /* its bytes; a string's without the quotes */
  bool begins_line;
  unsigned in, around; /* what stands around it, and around the section that it is in */
  uint64_t depth;      /* of braces in a function */
  bool is_cut;         /* a text without .source_end took the rest */
  ptx_visit *visit;
  void *user;
  dloc_diagnostic *diagnostic;
  ARRAY(char) string;
} reader;

void ptx_move(dloc_text text, uint64_t offset, dloc_place *place) {
  if (place->line == 0 || offset < place->offset)
    *place = (dloc_place){.line = 1, .column = 1};
  for (; place->offset < offset && place->offset < text.size; place->offset++) {
    bool ends_line = text.bytes[place->offset] == '\n';
    place->line += ends_line;
    place->column = ends_line ? 1 : place->column + 1;
  }
}

/* ---- Tokens ---- */

#define refuse(r, reason, at, ...) refuse_text((r)->diagnostic, (r)->text.bytes, (reason), (at), __VA_ARGS__)

static dloc_status expected(reader *r, const char *what) {
  dloc_reason reason = r->token == TOKEN_END ? DLOC_REASON_TEXT_TRUNCATED : DLOC_REASON_TEXT_SYNTAX;
  return refuse(r, reason, r->start, "expected %s", what);
}

static size_t behind_blanks(dloc_text text, size_t at, size_t end) {
  while (at < end && text_is_blank(text.bytes[at]))
    at++;
  return at;
}
static bool is_word(char c) {
  return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c != '\0' && strchr("._$%", c));
}

static bool stands_at(const reader *r, size_t at, const char *text) {
  size_t size = strlen(text);
  return r->text.size - at >= size && memcmp(r->text.bytes + at, text, size) == 0;
}

/* Where a text stands next from an offset on, or the end. */
static size_t find(const reader *r, size_t at, const char *text) {
  for (const char *found; at < r->text.size; at++) {
    found = memchr(r->text.bytes + at, text[0], r->text.size - at);
    at = found ? (size_t)(found - r->text.bytes) : r->text.size;
    if (!found || stands_at(r, at, text))
      break;
  }
  return at;
}

static dloc_status pass_blanks(reader *r) {
  for (;;) {
    while (r->at < r->text.size && text_is_blank(r->text.bytes[r->at]))
      r->begins_line |= r->text.bytes[r->at++] == '\n';
    if (stands_at(r, r->at, "//"))
      r->at = find(r, r->at, "\n");
    else if (!stands_at(r, r->at, "/*"))
      return DLOC_OK;
    else if ((r->end = find(r, r->at + 2, "*/")) == r->text.size)
      return refuse(r, DLOC_REASON_TEXT_TRUNCATED, r->at, "end of file in a comment");
    else
      r->at = r->end + 2;
  }
}

/* The end of the string that opens at r->start, which does not go over its line. */
static dloc_status pass_string(reader *r) {
  for (r->end = ++r->start; r->end < r->text.size && r->text.bytes[r->end] != '\n'; r->end++) {
    if (r->text.bytes[r->end] == '"') {
      r->token = TOKEN_STRING;
      r->at = r->end + 1;
      return DLOC_OK;
    }
    r->end += r->text.bytes[r->end] == '\\';
  }
  return refuse(r, DLOC_REASON_TEXT_TRUNCATED, r->start - 1, "the string has no closing quote");
}

static dloc_status step(reader *r) {
  r->begins_line = false;
  TRY(pass_blanks(r));
  r->start = r->end = r->at;
  r->token = TOKEN_END;
  if (r->at == r->text.size)
    return DLOC_OK;
  unsigned char c = (unsigned char)r->text.bytes[r->at];
  if (c == '"')
    return pass_string(r);
  if (c < 0x20 || c >= 0x7f)
    return refuse(r, DLOC_REASON_TEXT_ENCODING, r->at, "byte 0x%02x cannot stand here", c);
  r->token = is_word((char)c) ? TOKEN_WORD : TOKEN_OTHER;
  do
    r->at++;
  while (r->token == TOKEN_WORD && r->at < r->text.size && is_word(r->text.bytes[r->at]));
  r->end = r->at;
  return DLOC_OK;
}

static dloc_text token_text(const reader *r) { return (dloc_text){r->text.bytes + r->start, r->end - r->start}; }
static bool token_is(const reader *r, const char *text) {
  return r->token != TOKEN_STRING && dloc_text_equal(token_text(r), dloc_text_of(text));
}

/* Pass everything up to a token and the token. */
static dloc_status pass_to(reader *r, const char *text, const char *what) {
  while (r->token != TOKEN_END && !token_is(r, text))
    TRY(step(r));
  return r->token == TOKEN_END ? expected(r, what) : step(r);
}

static dloc_status give(const reader *r, ptx_kind kind, size_t at, dloc_text text) {
  return r->visit(r->user, &(const ptx_item){.kind = kind, .at = at, .text = text});
}

/* ---- Parts of directives ---- */

static dloc_status take_number(reader *r, uint32_t *ret) {
  uint64_t number = 0;
  size_t at = r->start;
  for (; r->token == TOKEN_WORD && at < r->end && text_is_digit(r->text.bytes[at]) && number <= UINT32_MAX; at++)
    number = number * 10 + (uint64_t)(r->text.bytes[at] - '0');
  if (number > UINT32_MAX)
    return refuse(r, DLOC_REASON_TEXT_LIMIT, r->start, "expected 32-bit integer (too large)");
  if (at == r->start || at != r->end)
    return expected(r, "integer");
  *ret = (uint32_t)number;
  return step(r);
}

size_t ptx_unescape(dloc_text text, char *ret) {
  size_t count = 0;
  for (size_t i = 0, size; i < text.size; i += size) {
    const char *c = text.bytes + i;
    bool escaped = *c == '\\' && i + 1 < text.size;
    bool octal = escaped && text.size - i > 3 && text_is_digit(c[1]) && text_is_digit(c[2]) && text_is_digit(c[3]);
    ret[count++] = octal ? (char)((c[1] - '0') * 64 + (c[2] - '0') * 8 + c[3] - '0') : c[escaped];
    size = octal ? 4 : 1 + (size_t)escaped;
  }
  return count;
}

static dloc_status take_string(reader *r, dloc_text *ret) {
  dloc_text text = token_text(r);
  if (r->token != TOKEN_STRING)
    return expected(r, "a string");
  RESERVE(r->context, r->string, text.size + 1);
  *ret = (dloc_text){r->string.items, ptx_unescape(text, r->string.items)};
  return step(r);
}

/* The line `.source_end`, blanks aside, from an offset on: where it begins, or the end. r->at is behind it. */
static size_t find_source_end(reader *r, size_t from) {
  for (size_t line_end, at; from < r->text.size; from = line_end + 1) {
    line_end = find(r, from, "\n");
    at = behind_blanks(r->text, from, line_end);
    if (!stands_at(r, at, ".source_end"))
      continue;
    r->at = at + strlen(".source_end");
    if (behind_blanks(r->text, r->at, line_end) == line_end)
      return from;
  }
  return r->text.size;
}

bool ptx_ends_itself(dloc_text text) { return find_source_end(&(reader){.text = text}, 0) < text.size; }

/* Another part of the block, its end or a comment follows a text; or else the text goes on. */
static bool text_goes_on(const reader *r) {
  size_t at = behind_blanks(r->text, r->at, r->text.size);
  return at < r->text.size && !strchr("}./", r->text.bytes[at]);
}

/* The lines of a text, from behind `.source_begin`. */
static dloc_status take_lines(reader *r, ptx_item *item) {
  size_t line_end = find(r, r->at, "\n"), from = line_end + (line_end < r->text.size);
  size_t to = find_source_end(r, from), behind = r->at, further = to;
  while (further < r->text.size && text_goes_on(r)) {
    behind = r->at;
    further = find_source_end(r, behind);
    if (further < r->text.size) {
      to = further;
      behind = r->at;
      item->has_more = true;
    }
  }
  item->is_open = r->is_cut = to == r->text.size;
  r->at = r->is_cut ? to : behind;
  item->text = (dloc_text){r->text.bytes + from, to - from - (to > from && !r->is_cut)};
  return step(r);
}

/* `<<< TEXT >>>`, with a blank on either side of the text, which may hold `>>>`. */
static dloc_status take_angles(reader *r, ptx_item *item) {
  size_t from = r->start + 3 + stands_at(r, r->start + 3, " "), to = r->start + 3;
  do {
    to = find(r, to, ">>>");
    if (to == r->text.size)
      return refuse(r, DLOC_REASON_TEXT_TRUNCATED, (size_t)item->at, "the text has no '>>>'");
    r->at = to += 3;
  } while (text_goes_on(r));
  to -= 3;
  to -= to > from && r->text.bytes[to - 1] == ' ';
  item->in_angles = true;
  item->text = (dloc_text){r->text.bytes + from, to > from ? to - from : 0};
  return step(r);
}

/* The rest of a directive that ends with its line. */
static dloc_status pass_line(reader *r, bool *ret_any) {
  for (*ret_any = false; r->token != TOKEN_END && !r->begins_line; *ret_any = true)
    TRY(step(r));
  return DLOC_OK;
}

/* `NAME { ... }` */
static dloc_status pass_section(reader *r) {
  TRY(pass_to(r, "{", "'{'"));
  for (uint64_t depth = 1; depth > 0;) {
    if (r->token == TOKEN_END)
      return expected(r, "'}'");
    depth = depth + token_is(r, "{") - token_is(r, "}");
    TRY(step(r));
  }
  return DLOC_OK;
}

/* ---- Directives ---- */

/* A directive, where it may stand, and its parts behind the name: `n` a number, `s` a string, `t` the lines of a text,
 * `<` a text in angles, `l` the rest of the line, `b` a name and something in braces; others stand for themselves. */
typedef struct directive {
  const char *name;
  unsigned where;
  ptx_kind kind;
  const char *parts;
} directive;

static const directive directives[] = {
    {".file", IN_MODULE | IN_FUNCTION, PTX_FILE, "nsl"},
    {".loc", IN_MODULE | IN_FUNCTION, PTX_LOC, "nnnl"},
    {".loc_intermediate", IN_MODULE | IN_FUNCTION, PTX_LOC_INTERMEDIATE, "nnnl"},
    {".section", IN_MODULE | IN_FUNCTION, PTX_OTHER, "b"},
    {".version", IN_MODULE, PTX_OTHER, "l"},
    {".target", IN_MODULE, PTX_OTHER, "l"},
    {".address_size", IN_MODULE, PTX_OTHER, "l"},
    {".nv_intermediate_source_section", IN_MODULE | IN_FUNCTION, PTX_SECTION, "{"},
    {".code_block", IN_SECTION, PTX_BLOCK, "{"},
    {".ir_name", IN_BLOCK, PTX_IR_NAME, ":s"},
    {".sourceFileName", IN_BLOCK, PTX_SOURCE_FILE, ":n"},
    {".source", IN_BLOCK, PTX_TEXT, ":<"},
    {".source_begin", IN_BLOCK, PTX_TEXT, "t"},
    {".source_end", IN_BLOCK, PTX_TEXT_END, ""},
};

static dloc_status take_part(reader *r, char part, uint32_t *number, ptx_item *item) {
  const char wanted[] = {'\'', part, '\'', '\0'};
  switch (part) {
  case 'n':
    return take_number(r, number);
  case 's':
    return take_string(r, &item->text);
  case 't':
    return take_lines(r, item);
  case '<':
    return stands_at(r, r->start, "<<<") ? take_angles(r, item) : expected(r, "'<<<'");
  case 'l':
    return pass_line(r, &item->has_more);
  case 'b':
    return pass_section(r);
  default:
    return r->token == TOKEN_OTHER && r->text.bytes[r->start] == part ? step(r) : expected(r, wanted);
  }
}

static dloc_status read_directive(reader *r, const directive *d) {
  ptx_item item = {.kind = d->kind, .at = r->start};
  uint32_t *const numbers[] = {&item.number, &item.line, &item.column}, *const *number = numbers;
  if (*d->parts != 't') /* where the bytes that follow are no tokens */
    TRY(step(r));
  for (const char *part = d->parts; *part; part++)
    TRY(take_part(r, *part, *part == 'n' ? *number++ : NULL, &item));
  if (d->kind == PTX_SECTION)
    r->around = r->in;
  if (d->kind == PTX_SECTION || d->kind == PTX_BLOCK)
    r->in = d->kind == PTX_SECTION ? IN_SECTION : IN_BLOCK;
  return r->visit(r->user, &item);
}

/* ---- Statements ---- */

/* A function or a variable at the level of the module. */
static dloc_status read_declaration(reader *r) {
  bool is_function = false;
  ptx_item item = {.kind = PTX_FUNCTION, .at = r->start, .text = {"", 0}};
  for (uint64_t depth = 0; !token_is(r, ";") && !(is_function && token_is(r, "{"));) {
    if (r->token == TOKEN_END)
      return expected(r, "';'");
    is_function |= token_is(r, ".func") || token_is(r, ".entry");
    depth = depth + token_is(r, "(") - (depth > 0 && token_is(r, ")"));
    char first = r->text.bytes[r->start];
    if (is_function && depth == 0 && !item.text.size && r->token == TOKEN_WORD && first != '.' &&
        !text_is_digit(first)) {
      item.text = token_text(r);
      item.at = r->start;
    }
    TRY(step(r));
  }
  if (token_is(r, "{")) {
    r->in = IN_FUNCTION;
    r->depth = 1;
    TRY(r->visit(r->user, &item));
  }
  return step(r);
}

static dloc_status close(reader *r) {
  ptx_kind kind = r->in == IN_BLOCK ? PTX_BLOCK_END : PTX_OTHER;
  if (r->in == IN_FUNCTION && --r->depth == 0) {
    kind = PTX_FUNCTION_END;
    r->in = IN_MODULE;
  } else if (r->in != IN_FUNCTION) {
    r->in = r->in == IN_BLOCK ? IN_SECTION : r->around;
  }
  TRY(give(r, kind, r->start, (dloc_text){"", 0}));
  return step(r);
}

/* In a function: a label, or up to `;`. A name that begins with a dot is a declaration. */
static dloc_status read_statement(reader *r) {
  size_t start = r->start;
  bool opens = token_is(r, "{"), is_instruction = r->text.bytes[start] != '.';
  if (token_is(r, ";"))
    return step(r);
  if (r->token != TOKEN_WORD && !token_is(r, "@") && !opens)
    return expected(r, "an instruction");
  TRY(step(r));
  bool is_label = token_is(r, ":");
  TRY(give(r, is_instruction && !is_label && !opens ? PTX_INSTRUCTION : PTX_OTHER, start, (dloc_text){"", 0}));
  r->depth += opens;
  return opens ? DLOC_OK : is_label ? step(r) : pass_to(r, ";", "';'");
}

static dloc_status read_next(reader *r) {
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
    if ((directives[i].where & r->in) && token_is(r, directives[i].name))
      return read_directive(r, &directives[i]);
  if (r->in != IN_MODULE && token_is(r, "}"))
    return close(r);
  if (r->in == IN_FUNCTION)
    return read_statement(r);
  if (r->in == IN_MODULE && r->token == TOKEN_WORD && r->text.bytes[r->start] == '.')
    return read_declaration(r);
  return expected(r, r->in == IN_MODULE ? "a directive of PTX" : "'}' or a directive of the section");
}

bool ptx_is_text(dloc_text text) {
  size_t at = behind_blanks(text, 0, text.size);
  return at < text.size && (text.bytes[at] == '.' || text.bytes[at] == '/');
}

static dloc_status read_all(reader *r) {
  TRY(step(r));
  while (r->token != TOKEN_END)
    TRY(read_next(r));
  if (r->in != IN_MODULE && !r->is_cut)
    return expected(r, "'}'");
  return give(r, PTX_END, r->start, (dloc_text){"", 0});
}

dloc_status ptx_read(dloc_context *context, dloc_text text, ptx_visit *visit, void *user, dloc_diagnostic *diagnostic) {
  reader r = {
      .context = context, .text = text, .in = IN_MODULE, .visit = visit, .user = user, .diagnostic = diagnostic};
  OWNED_MEMORY(context, &r.string.items);
  return read_all(&r);
}
