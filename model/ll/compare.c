/* Whether two functions have the same code, by their texts: one token of each after the other. */
#include "dloc_formats.h"
#include "nodes/module.h"
#include "scan.h"

#include <string.h>

/* The sort of a module's name, as a part of a key. */
typedef enum name_class { NAME_TYPE, NAME_STRING_OF_BASE, NAME_STRING_OF_MADE } name_class;

struct dloc_code_comparer {
  dloc_context *context;
  const dloc_module *base, *made;
  bool constants_may_differ;
  map names;  /* name_class and token */
  map locals; /* of the functions at hand: a local of one -> that of the other, both ways */
};

/* ---- Tokens ---- */

typedef enum token_kind { TOKEN_END, TOKEN_PLAIN, TOKEN_STRING, TOKEN_LOCAL, TOKEN_LABEL, TOKEN_GLOBAL } token_kind;

typedef struct token {
  token_kind kind;
  dloc_text text; /* of a local, label, global: the name */
} token;

typedef struct stream {
  const dloc_module *module;
  const char *at, *end;
  uint32_t first, next, behind; /* instructions: the function's first one, that which begins next, behind the last */
  size_t depth;                 /* of brackets */
} stream;

static stream stream_of(const dloc_module *module, size_t function) {
  const dloc_function *f = &module->functions.items[function];
  return (stream){.module = module,
                  .at = module->text.bytes + f->text,
                  .end = module->text.bytes + module->text.size,
                  .first = f->first_instruction,
                  .next = f->first_instruction,
                  .behind = f->first_instruction + f->instruction_count};
}

static const dloc_instruction *instruction_at(const stream *s, uint32_t index) {
  return &s->module->instructions.items[index];
}

/* `!dbg` and `!DIAssignID` at `at` with their operand: where they end; NULL: something else is there. */
static const char *debug_attachment_end(const char *at, const char *end) {
  static const char *const kinds[] = {"dbg", "DIAssignID", NULL};
  if (at >= end || *at != '!')
    return NULL;
  const char *name_end = scan_metadata_name(at + 1, end);
  if (!scan_is_one_of(at + 1, name_end, kinds))
    return NULL;
  return scan_node_end(scan_space(name_end, end), end);
}

/* To the next token that counts: past debug records, calls of debug intrinsics, and attachments. */
static void skip_uncounted(stream *s) {
  for (;;) {
    s->at = scan_space(s->at, s->end);
    if (s->next < s->behind && s->at >= s->module->text.bytes + instruction_at(s, s->next)->text) {
      bool debug = instruction_at(s, s->next++)->flags & DLOC_INSTRUCTION_DEBUG;
      if (!debug || s->next == s->behind)
        continue;
      s->at = s->module->text.bytes + instruction_at(s, s->next)->text;
      continue;
    }
    const char *behind =
        debug_attachment_end(s->at < s->end && *s->at == ',' ? scan_space(s->at + 1, s->end) : s->at, s->end);
    if (!behind)
      return;
    s->at = behind;
  }
}

/* A token that ends at `end`; a colon behind it makes it a label. */
static token word_token(stream *s, const char *end, token_kind kind) {
  token t = {kind, {s->at, (size_t)(end - s->at)}};
  s->at = end;
  if (end < s->end && *end == ':' && s->depth == 1) {
    t.kind = TOKEN_LABEL;
    s->at++;
  }
  return t;
}

static token name_token(stream *s, token_kind kind) {
  const char *start = ++s->at, *end = scan_name(start, s->end);
  s->at = end ? end : s->end;
  return (token){kind, {start, (size_t)(s->at - start)}};
}

/* A character; numbers of metadata and of attribute groups behind it are skipped. `mode.code.debug` */
static token character_token(stream *s) {
  token t = {TOKEN_PLAIN, {s->at, 1}};
  char_class class = scan_class(*s->at++);
  if (class == CHAR_BANG || class == CHAR_HASH)
    s->at = scan_digits(s->at, s->end);
  if (class == CHAR_OPEN)
    s->depth++;
  if (class == CHAR_CLOSE && s->depth && --s->depth == 0 && s->next == s->behind && *t.text.bytes == '}')
    t.kind = TOKEN_END;
  return t;
}

static token next_token(stream *s) {
  skip_uncounted(s);
  if (s->at >= s->end)
    return (token){TOKEN_END, {NULL, 0}};
  switch (scan_class(*s->at)) {
  case CHAR_WORD:
    return word_token(s, scan_word(s->at, s->end), TOKEN_PLAIN);
  case CHAR_QUOTE: {
    const char *end = scan_string(s->at, s->end);
    return word_token(s, end ? end : s->end, TOKEN_STRING);
  }
  case CHAR_LOCAL:
    return name_token(s, TOKEN_LOCAL);
  case CHAR_GLOBAL:
    return name_token(s, TOKEN_GLOBAL);
  default:
    return character_token(s);
  }
}

/* ---- Names ---- */

static bool is_named(dloc_code_comparer *c, name_class class, dloc_node name) {
  uint32_t known;
  return map_get(&c->names, class, name, &known);
}

/* Behind `@name =`: a constant array of bytes? */
static bool is_string_constant(const char *at, const char *end) {
  while (at < end && scan_class(*at) == CHAR_WORD && !scan_is(at, scan_word(at, end), "constant")) {
    at = scan_space(scan_word(at, end), end);
    if (at < end && *at == '(')
      at = scan_space(scan_group_end(at, end), end);
  }
  const char *type = scan_space(scan_word(at, end), end);
  if (at >= end || scan_class(*at) != CHAR_WORD || type >= end || *type != '[')
    return false;
  at = scan_space(scan_digits(scan_space(type + 1, end), end), end);
  const char *element = scan_space(scan_word(at, end), end);
  return scan_is(at, scan_word(at, end), "x") && scan_is(element, scan_word(element, end), "i8");
}

/* The name that a line defines, if it begins with a sigil. */
static dloc_status note_definition(dloc_code_comparer *c, const char *sigil, const char *end, name_class string) {
  const char *name_end = scan_name(sigil + 1, end);
  dloc_node name = DLOC_NULL;
  const char *at = name_end ? scan_space(name_end, end) : end;
  if (at >= end || *at != '=')
    return DLOC_OK;
  at = scan_space(at + 1, end);
  bool type = *sigil == '%' && scan_is(at, scan_word(at, end), "type");
  if (!type && (*sigil != '@' || !is_string_constant(at, end)))
    return DLOC_OK;
  TRY(dloc_token(c->context, (dloc_text){sigil + 1, (size_t)(name_end - sigil - 1)}, &name));
  return map_add(c->context, &c->names, type ? NAME_TYPE : string, name, 0, NULL);
}

static dloc_status note_names(dloc_code_comparer *c, const dloc_module *module, name_class string) {
  const char *at = module->text.bytes, *end = at + module->text.size;
  while (at && at < end) {
    if (*at == '%' || *at == '@')
      TRY(note_definition(c, at, end, string));
    at = memchr(at, '\n', (size_t)(end - at));
    at = at ? at + 1 : NULL;
  }
  return DLOC_OK;
}

/* Locals are the same when each stands wherever the other does. Types have names, too, which
 * are their own. `mode.code.local` */
static dloc_status same_local(dloc_code_comparer *c, token base, token made, bool *ret) {
  dloc_node one = DLOC_NULL, other = DLOC_NULL, forth = DLOC_NULL, back = DLOC_NULL;
  TRY(dloc_token(c->context, base.text, &one));
  TRY(dloc_token(c->context, made.text, &other));
  *ret = one == other;
  if (base.kind == TOKEN_LOCAL && (is_named(c, NAME_TYPE, one) || is_named(c, NAME_TYPE, other)))
    return DLOC_OK;
  TRY(map_add(c->context, &c->locals, 0, one, other, &forth));
  TRY(map_add(c->context, &c->locals, 1, other, one, &back));
  *ret = forth == other && back == one;
  return DLOC_OK;
}

/* ---- Constants ---- */

/* Where the tokens before are in base: among the arguments of a call that is none of an intrinsic? */
typedef struct arguments {
  token last;
  size_t depth; /* of the brackets around them; 0: not in arguments */
} arguments;

static void follow(arguments *a, const stream *s, token t) {
  bool call = s->next > s->first && instruction_at(s, s->next - 1)->flags & DLOC_INSTRUCTION_CALL;
  bool callee = a->last.kind == TOKEN_LOCAL || a->last.kind == TOKEN_GLOBAL;
  bool intrinsic = a->last.text.size > 5 && memcmp(a->last.text.bytes, "llvm.", 5) == 0;
  if (t.kind == TOKEN_PLAIN && *t.text.bytes == '(' && s->depth == 2)
    a->depth = call && callee && !intrinsic ? 2 : 0;
  else if (s->depth < 2)
    a->depth = 0;
  a->last = t;
}

static bool is_number(token t) {
  size_t sign = t.text.size && *t.text.bytes == '-';
  return t.kind == TOKEN_PLAIN && t.text.size > sign &&
         scan_digits(t.text.bytes + sign, t.text.bytes + t.text.size) == t.text.bytes + t.text.size;
}

/* null, or the address of a string. */
static dloc_status is_text(dloc_code_comparer *c, token t, name_class string, bool *ret) {
  dloc_node name = DLOC_NULL;
  *ret = t.kind == TOKEN_PLAIN && dloc_text_equal(t.text, dloc_text_of("null"));
  if (t.kind != TOKEN_GLOBAL)
    return DLOC_OK;
  TRY(dloc_token(c->context, t.text, &name));
  *ret = is_named(c, string, name);
  return DLOC_OK;
}

/* `mode.code.constant` */
static dloc_status both_constants(dloc_code_comparer *c, const arguments *a, const stream *s, token base, token made,
                                  bool *ret) {
  bool one = false, other = false;
  *ret = false;
  if (!c->constants_may_differ || a->depth == 0 || s->depth != a->depth ||
      dloc_text_equal(a->last.text, dloc_text_of("align")))
    return DLOC_OK;
  TRY(is_text(c, base, NAME_STRING_OF_BASE, &one));
  TRY(is_text(c, made, NAME_STRING_OF_MADE, &other));
  *ret = (one && other) || (is_number(base) && is_number(made));
  return DLOC_OK;
}

/* ---- Functions ---- */

/* `mode.code` */
static dloc_status same_token(dloc_code_comparer *c, token base, token made, bool *ret) {
  *ret = base.kind == made.kind;
  if (*ret && (base.kind == TOKEN_LOCAL || base.kind == TOKEN_LABEL))
    return same_local(c, base, made, ret);
  *ret = *ret && (base.kind == TOKEN_END || dloc_text_equal(base.text, made.text));
  return DLOC_OK;
}

/* The instruction of a token. */
static uint32_t instruction_of(const stream *s, token t) {
  if (t.kind == TOKEN_END)
    return DLOC_NO_INDEX;
  if (t.kind == TOKEN_LABEL && s->next < s->behind)
    return s->next;
  return s->next > s->first ? s->next - 1 : DLOC_NO_INDEX;
}

static dloc_status compare(dloc_code_comparer *c, stream *base, stream *made, dloc_code_difference *ret) {
  arguments a = {.depth = 0};
  map_clear(&c->locals);
  for (;;) {
    token one = next_token(base), other = next_token(made);
    bool same = false, constants = false;
    TRY(same_token(c, one, other, &same));
    if (!same)
      TRY(both_constants(c, &a, base, one, other, &constants));
    ret->constants += constants;
    if (!same && !constants) {
      ret->base = instruction_of(base, one);
      ret->made = instruction_of(made, other);
      return DLOC_OK;
    }
    if (one.kind == TOKEN_END) {
      ret->same = true;
      return DLOC_OK;
    }
    follow(&a, base, one);
  }
}

dloc_status dloc_compare_code(void *comparer, size_t base, size_t made, dloc_code_difference *ret) {
  dloc_code_comparer *c = comparer;
  stream one = stream_of(c->base, base), other = stream_of(c->made, made);
  dloc_code_difference found = {.base = DLOC_NO_INDEX, .made = DLOC_NO_INDEX};
  TRY(compare(c, &one, &other, &found));
  *ret = found;
  return DLOC_OK;
}

dloc_status dloc_code_comparer_create(const dloc_module *base, const dloc_module *made, bool constants_may_differ,
                                      dloc_code_comparer **ret) {
  if ((!base->text.size && base->functions.count) || (!made->text.size && made->functions.count))
    return DLOC_INVALID;
  CREATE(base->context, dloc_code_comparer, c, .context = base->context, .base = base, .made = made,
         .constants_may_differ = constants_may_differ);
  dloc_status status = note_names(c, base, NAME_STRING_OF_BASE);
  if (status == DLOC_OK)
    status = note_names(c, made, NAME_STRING_OF_MADE);
  RETURN_MADE(status, c, dloc_code_comparer_destroy, ret);
}

void dloc_code_comparer_destroy(dloc_code_comparer *comparer) {
  if (comparer)
    CONTEXT_FREE(comparer->context, comparer->names.entries, comparer->locals.entries, comparer);
}
