/* Reading functions: the header as far as it matters, then the body as a stream of tokens in which instructions begin
 * and end. Lines mean nothing in LLVM's text, so an instruction ends where the next one, a label, a record or the
 * function's end begins. */
#include "reader.h"

#include <string.h>

/* ---- Header ---- */

typedef struct header {
  uint32_t flags;       /* dloc_function_flag */
  unsigned items_ahead; /* of `prefix TYPE VALUE`: how many of the two are still to come; a `{` then is no body */
} header;

static void header_word(header *h, const char *at, const char *end) {
  static const char *const interposable[] = {"weak", "linkonce", "common", "extern_weak", NULL};
  static const char *const local[] = {"dso_local", "private", "internal", "hidden", "protected", NULL};
  h->flags |= scan_is_one_of(at, end, interposable) ? DLOC_FUNCTION_INTERPOSABLE : 0;
  h->flags |= scan_is_one_of(at, end, local) ? FUNCTION_DSO_LOCAL : 0;
}

dloc_status reader_attribute(reader *r, uint32_t *flags) {
  const char *start = r->at;
  if (*start == '"')
    TRY(reader_pass_string(r));
  else
    r->at = scan_word(start, r->end);
  if (scan_is(start, r->at, "alwaysinline"))
    *flags |= DLOC_FUNCTION_ALWAYS_INLINE;
  if (scan_is(start, r->at, "\"no-inline-line-tables\""))
    *flags |= DLOC_FUNCTION_NO_INLINE_LINE_TABLES;
  if (scan_is(start, r->at, "\"use-sample-profile\""))
    *flags |= DLOC_FUNCTION_SAMPLE_PROFILE;
  return DLOC_OK;
}

/* One operand of a list in brackets, at r->at; *ret is the comma or closing bracket behind it. */
static dloc_status read_operand_end(reader *r, bool metadata, char closing, const char **ret) {
  char expected[] = "'?' here";
  expected[1] = closing;
  TRY(reader_operand_end(r, metadata, ret));
  return *ret < r->end && (**ret == ',' || **ret == closing) ? DLOC_OK : reader_expected(r, *ret, expected);
}

/* At a bracket that opens: skip to behind the one that closes it. */
static dloc_status skip_group(reader *r) {
  char opening = *r->at;
  char closing = opening == '(' ? ')' : opening == '[' ? ']' : opening == '<' ? '>' : '}';
  const char *stop = r->at;
  do {
    r->at = stop + 1;
    TRY(read_operand_end(r, false, closing, &stop));
  } while (*stop == ',');
  r->at = stop + 1;
  return DLOC_OK;
}

/* Before the name: linkage, return type, and a declaration's attachments, which are kept on the reader's stack of
 * fields. */
static dloc_status read_before_name(reader *r, header *h) {
  for (;;) {
    r->at = scan_space(r->at, r->end);
    if (r->at >= r->end)
      return reader_expected(r, r->at, "function name");
    const char *word_end = scan_word(r->at, r->end);
    if (*r->at == '@')
      return DLOC_OK;
    if (word_end > r->at) {
      header_word(h, r->at, word_end);
      r->at = word_end;
    } else if (*r->at == '!' && reader_at_name(r)) {
      dloc_text kind;
      dloc_field attachment = {DLOC_NULL, DLOC_NULL};
      TRY(reader_attachment(r, &kind, &attachment.value));
      TRY(dloc_token(r->context, kind, &attachment.key));
      PUSH(r->context, r->fields, attachment);
    } else if (scan_class(*r->at) == CHAR_OPEN || scan_class(*r->at) == CHAR_ANGLE_OPEN) {
      TRY(skip_group(r));
    } else if (*r->at == '%' || *r->at == '*') {
      if (!(r->at = scan_name(r->at + 1, r->end)))
        return reader_unclosed(r, r->end);
    } else if (*r->at == '"') {
      TRY(reader_pass_string(r));
    } else if (*r->at == '=') {
      r->at++; /* "key"="value" */
    } else {
      return reader_expected(r, r->at, "function name");
    }
  }
}

static dloc_status read_group_use(reader *r) {
  group_use use = {r->module->current_function, 0};
  r->at++;
  TRY(reader_number(r, &use.group));
  PUSH(r->context, r->uses, use);
  return DLOC_OK;
}

/* A token behind the parameters that is part of the type or value behind `prefix`, `prologue` or `personality`. */
static dloc_status read_constant_token(reader *r, header *h) {
  switch (scan_class(*r->at)) {
  case CHAR_OPEN:
  case CHAR_ANGLE_OPEN:
    /* A parameter list behind a return type makes the type longer; any other group is the type or the value. */
    if (*r->at != '(')
      h->items_ahead--;
    return skip_group(r);
  case CHAR_OTHER:
    r->at++;
    return DLOC_OK;
  default: {
    const char *name = *r->at == '@' || *r->at == '%' ? r->at + 1 : r->at;
    const char *name_end = scan_name(name, r->end);
    if (!name_end)
      return reader_unclosed(r, name);
    if (name_end == r->at)
      return reader_expected(r, r->at, "type");
    h->items_ahead -= !scan_is(r->at, name_end, "addrspace") && !scan_is(r->at, name_end, "c");
    r->at = name_end;
    return DLOC_OK;
  }
  }
}

/* A word or string behind the parameters. */
static dloc_status read_attribute(reader *r, header *h) {
  const char *start = r->at;
  TRY(reader_attribute(r, &h->flags));
  if (scan_is(start, r->at, "prefix") || scan_is(start, r->at, "prologue") || scan_is(start, r->at, "personality"))
    h->items_ahead = 2;
  return DLOC_OK;
}

/* Behind the parameters: attributes, section, comdat, prefix, attachments. Ends at the body, or where the next entity
 * begins. */
static dloc_status read_behind_parameters(reader *r, header *h, bool definition) {
  for (;;) {
    r->at = scan_space(r->at, r->end);
    if (r->at >= r->end)
      return definition ? reader_expected(r, r->at, "'{' in function body") : DLOC_OK;
    if (h->items_ahead) {
      TRY(read_constant_token(r, h));
      continue;
    }
    if (definition ? *r->at == '{' : reader_entity_starts(r, r->at))
      return DLOC_OK;
    switch (scan_class(*r->at)) {
    case CHAR_WORD:
    case CHAR_QUOTE:
      TRY(read_attribute(r, h));
      break;
    case CHAR_HASH:
      TRY(read_group_use(r));
      break;
    case CHAR_OPEN:
    case CHAR_ANGLE_OPEN:
      TRY(skip_group(r));
      break;
    case CHAR_BANG: {
      dloc_text kind;
      dloc_node node = DLOC_NULL;
      if (!definition || !reader_at_name(r))
        return reader_expected(r, r->at, definition ? "'{' in function body" : "top-level entity");
      TRY(reader_attachment(r, &kind, &node));
      TRY(dloc_module_add_function_attachment(r->module, kind, node));
      break;
    }
    case CHAR_OTHER:
    case CHAR_COMMA:
      r->at++;
      break;
    default:
      return reader_expected(r, r->at, definition ? "'{' in function body" : "top-level entity");
    }
  }
}

/* At the function's name. start is at `define` or `declare`, from behind it. */
static dloc_status begin_function(reader *r, const header *h, const char *start, const char *from) {
  const char *sigil = r->at++;
  dloc_text name;
  uint32_t index = 0;
  TRY(reader_name(r, &name));
  dloc_status status = dloc_module_begin_function(r->module, name, h->flags, reader_offset(r, start), &index);
  if (status == DLOC_INVALID)
    return reader_fail(r, DLOC_REASON_TEXT_FUNCTION_REDEFINED, sigil, "invalid redefinition of function '%.*s'",
                       name.size > 100 ? 100 : (int)name.size, name.bytes);
  TRY(status);
  PUSH(r->context, r->begun, (begun_function){index, 0});
  const char *list = scan_space(r->at, r->end);
  if (list >= r->end || *list != '(')
    return reader_expected(r, list, "'(' in function argument list");
  (void)reader_signature(r, from, sigil, list, &r->begun.items[r->begun.count - 1].signature);
  for (size_t i = 0; i < r->fields.count; i++)
    TRY(dloc_module_add_function_attachment(r->module, dloc_node_text(r->context, r->fields.items[i].key),
                                            r->fields.items[i].value));
  r->fields.count = 0;
  return DLOC_OK;
}

/* ---- Body ---- */

/* The function body's state between tokens. The instruction being read is the module's last one. */
typedef struct body {
  size_t depth;       /* of brackets */
  bool open;          /* an instruction is being read */
  bool directive;     /* uselistorder is being read, which is none */
  bool expect_opcode; /* `%x =` or `tail` has been read */
  bool expect_callee;
  const char *operands; /* of a call: what stands behind its opcode */
  bool expect_count;    /* an alloca's type is being read; the next comma may be followed by an element count */
} body;

static dloc_instruction *last_instruction(reader *r) {
  return &r->module->instructions.items[r->module->instructions.count - 1];
}

static dloc_status begin_instruction(reader *r, body *b, const char *at) {
  dloc_instruction instruction = {.text = reader_offset(r, at), .callee = DLOC_NO_INDEX};
  TRY(dloc_module_add_instruction(r->module, &instruction));
  *b = (body){.open = true, .expect_opcode = true};
  return DLOC_OK;
}

/* Reads on from an operation's name; r->at is behind it. */
static void take_opcode(reader *r, body *b, opcode code) {
  dloc_instruction *instruction = last_instruction(r);
  b->expect_opcode = code == OPCODE_TAIL;
  b->operands = r->at;
  switch (code) {
  case OPCODE_CALL:
  case OPCODE_INVOKE:
    instruction->flags |= DLOC_INSTRUCTION_CALL | (code == OPCODE_INVOKE ? DLOC_INSTRUCTION_INVOKE : 0);
    b->expect_callee = true;
    break;
  case OPCODE_RET:
    instruction->flags |= DLOC_INSTRUCTION_RET;
    break;
  case OPCODE_ALLOCA: {
    const char *word = scan_space(r->at, r->end);
    if (!scan_is(word, scan_word(word, r->end), "inalloca"))
      instruction->flags |= DLOC_INSTRUCTION_ALLOCA;
    b->expect_count = true;
    break;
  }
  case OPCODE_ATOMICRMW: { /* its operation is called like an opcode */
    const char *word = scan_space(r->at, r->end);
    r->at = scan_word(word, r->end);
    if (scan_is(word, r->at, "volatile"))
      r->at = scan_word(scan_space(r->at, r->end), r->end);
    break;
  }
  default:
    break;
  }
}

/* Reads on from the first comma of an alloca: a count that is no constant makes it dynamic (`inline.alloca`). */
static void take_alloca_count(reader *r, body *b) {
  const char *word = scan_space(r->at, r->end);
  const char *word_end = scan_word(word, r->end);
  const char *value = scan_space(word_end, r->end);
  b->expect_count = false;
  if (word_end > word && value < r->end && *value == '%')
    last_instruction(r)->flags &= ~(uint32_t)DLOC_INSTRUCTION_ALLOCA;
}

/* Whether a colon behind a name makes it a label. */
static bool take_label(reader *r, body *b) {
  if (r->at >= r->end || *r->at != ':')
    return false;
  r->at++;
  *b = (body){.open = false};
  return true;
}

static dloc_status body_word(reader *r, body *b) {
  const char *word = r->at;
  const char *word_end = scan_word(word, r->end);
  r->at = word_end;
  if (take_label(r, b))
    return DLOC_OK;
  opcode code = scan_opcode(word, word_end);
  if (b->open && b->expect_opcode) {
    take_opcode(r, b, code);
    return DLOC_OK;
  }
  if (code == OPCODE_NONE)
    return b->open || b->directive ? DLOC_OK : reader_expected(r, word, "instruction opcode");
  if (b->open && code == OPCODE_CONSTANT && scan_is_constant_expression(word_end, r->end))
    return DLOC_OK;
  if (code == OPCODE_DIRECTIVE) {
    *b = (body){.directive = true};
    return DLOC_OK;
  }
  TRY(begin_instruction(r, b, word));
  take_opcode(r, b, code);
  return DLOC_OK;
}

static dloc_status body_local(reader *r, body *b) {
  const char *sigil = r->at;
  r->at = scan_name(sigil + 1, r->end);
  if (!r->at) {
    r->at = sigil;
    return reader_unclosed(r, sigil + 1);
  }
  if (b->depth)
    return DLOC_OK;
  const char *next = scan_space(r->at, r->end);
  if (next >= r->end || *next != '=')
    return DLOC_OK;
  r->at = next + 1;
  return begin_instruction(r, b, sigil);
}

/* ---- Records and calls of debug intrinsics ---- */

/* The arguments of a record or of a call of a debug intrinsic: where each begins. */
enum { MAX_ARGUMENTS = 8 };
typedef struct arguments {
  const char *at[MAX_ARGUMENTS];
  size_t count;
  const char *end; /* the closing bracket */
} arguments;

/* Behind `metadata`, if the argument at r->at is what a call calls metadata; NULL otherwise. */
static const char *metadata_argument(const reader *r, const char *at) {
  const char *word_end = scan_word(at, r->end);
  return scan_is(at, word_end, "metadata") ? scan_space(word_end, r->end) : NULL;
}

/* r->at is at the opening bracket, and afterwards behind the closing one. */
static dloc_status read_arguments(reader *r, bool record, arguments *ret) {
  arguments found = {.count = 0, .end = r->at};
  do {
    r->at = scan_space(found.end + 1, r->end);
    if (found.count == MAX_ARGUMENTS)
      return reader_fail(r, DLOC_REASON_TEXT_SYNTAX, r->at, "too many arguments specified");
    found.at[found.count++] = r->at;
    const char *operand = record ? r->at : metadata_argument(r, r->at);
    TRY(read_operand_end(r, operand && operand < r->end && *operand == '!', ')', &found.end));
  } while (*found.end == ',');
  r->at = found.end + 1;
  *ret = found;
  return DLOC_OK;
}

/* Keep the operand that begins at `at`: metadata, or a value. */
static dloc_status keep_operand(reader *r, const char *at) {
  uint32_t operand = DLOC_NULL;
  TRY(reader_elsewhere(r, at, reader_value_operand, &operand));
  return module_add_metadata_operand(r->module, operand);
}

/* How many arguments a record has; 0 for a kind that LLVM 14 to 24 do not have. */
static size_t record_arity(const char *kind, const char *end) {
  static const char *const four[] = {"dbg_value", "dbg_declare", "dbg_declare_value", NULL};
  return scan_is_one_of(kind, end, four)    ? 4
         : scan_is(kind, end, "dbg_assign") ? 7
                                            : 2 * scan_is(kind, end, "dbg_label");
}

/* `#dbg_value(...)` at r->at. */
static dloc_status read_record(reader *r, body *b) {
  const char *start = r->at;
  const char *kind_end = scan_word(start + 1, r->end);
  size_t arity = record_arity(start + 1, kind_end);
  if (arity == 0)
    return reader_expected(r, kind_end >= r->end ? r->end : start, "debug record type here");
  arguments found;
  dloc_instruction record = {.text = reader_offset(r, start), .flags = DLOC_INSTRUCTION_RECORD};
  r->at = scan_space(kind_end, r->end);
  if (r->at >= r->end || *r->at != '(')
    return reader_expected(r, r->at, "'(' here");
  TRY(read_arguments(r, true, &found));
  if (found.count < arity)
    return reader_fail(r, DLOC_REASON_TEXT_SYNTAX, found.end, "Expected ',' here");
  if (found.count > arity)
    return reader_fail(r, DLOC_REASON_TEXT_SYNTAX, found.at[arity] - 1, "Expected ')' here");
  if (arity == 2)
    record.flags |= DLOC_INSTRUCTION_LABEL_RECORD;
  TRY(reader_elsewhere(r, found.at[arity == 2 ? 0 : 1], reader_metadata_argument, &record.entity));
  TRY(reader_elsewhere(r, found.at[arity - 1], reader_metadata_argument, &record.debug_loc));
  *b = (body){.open = false};
  TRY(dloc_module_add_instruction(r->module, &record));
  for (size_t i = 0; arity > 2 && i + 1 < arity; i++)
    if (i != 1) /* the variable */
      TRY(keep_operand(r, found.at[i]));
  return DLOC_OK;
}

/* The argument of a debug intrinsic that is its variable or label. Before LLVM 6 an offset stood before a value's
 * variable; with any but 0 the call is dropped when it is read. */
static bool subject_position(const reader *r, const arguments *found, bool label, size_t *ret) {
  *ret = label ? 0 : 1;
  if (label || found->count != 4 || !scan_is(found->at[1], scan_word(found->at[1], r->end), "i64"))
    return true;
  *ret = 2;
  const char *offset = scan_space(scan_word(found->at[1], r->end), r->end);
  return scan_is(offset, scan_word(offset, r->end), "0");
}

/* Behind the name of a debug intrinsic, at its arguments: `metadata VALUE, metadata VARIABLE, ...`. */
static dloc_status read_debug_call(reader *r, uint32_t flags) {
  arguments found;
  dloc_node subject = DLOC_NULL;
  TRY(read_arguments(r, false, &found));
  size_t position = 0;
  if (!subject_position(r, &found, flags & DLOC_INSTRUCTION_LABEL_RECORD, &position))
    return DLOC_OK;
  if (position < found.count) {
    const char *operand = metadata_argument(r, found.at[position]);
    /* A string is no node; what stands there instead of a node is the verifier's concern. */
    if (operand && operand + 1 < r->end && *operand == '!' && operand[1] != '"')
      TRY(reader_elsewhere(r, operand, reader_metadata_operand, &subject));
  }
  for (size_t i = 0; i < found.count; i++) {
    const char *operand = metadata_argument(r, found.at[i]);
    if (operand)
      TRY(keep_operand(r, operand));
  }
  dloc_instruction *instruction = last_instruction(r);
  instruction->flags |= flags;
  instruction->entity = subject;
  return DLOC_OK;
}

/* A direct call of the function that is named at the sigil; its arguments are at list. */
static dloc_status take_callee(reader *r, const body *b, const char *sigil, const char *list, dloc_text name,
                               uint32_t flags) {
  call_use use = {(uint32_t)r->module->instructions.count - 1, 0};
  uint32_t callee = DLOC_NO_INDEX;
  if (!reader_signature(r, b->operands, sigil, list, &use.signature))
    return DLOC_OK;
  last_instruction(r)->flags |= flags;
  TRY(dloc_module_function_named(r->module, name, &callee));
  last_instruction(r)->callee = callee;
  PUSH(r->context, r->calls, use);
  return DLOC_OK;
}

/* `@name` in a body: the callee, if it stands before the arguments of a call. A callee behind a cast is none, as in
 * LLVM. */
static dloc_status body_global(reader *r, body *b) {
  const char *sigil = r->at++;
  const char *name_end = scan_name(r->at, r->end);
  if (!name_end)
    return reader_unclosed(r, sigil + 1);
  const char *list = scan_space(name_end, r->end);
  if (b->depth || !b->expect_callee || list >= r->end || *list != '(') {
    r->at = name_end;
    return DLOC_OK;
  }
  dloc_text name;
  b->expect_callee = false;
  TRY(reader_name(r, &name));
  r->at = list;
  uint32_t flags = intrinsic_flags(name);
  return flags & DLOC_INSTRUCTION_DBG_CALL ? read_debug_call(r, flags) : take_callee(r, b, sigil, list, name, flags);
}

static dloc_status body_bang(reader *r, body *b) {
  const char *next = r->at + 1;
  uint32_t node = 0;
  dloc_text kind;
  if (b->depth || !b->open || next >= r->end || !scan_is_metadata_name(*next))
    return reader_expected(r, r->at, "value token");
  TRY(reader_attachment(r, &kind, &node));
  if (kind.size == 3 && memcmp(kind.bytes, "dbg", 3) == 0) {
    dloc_instruction *instruction = last_instruction(r);
    instruction->flags |= instruction->debug_loc ? INSTRUCTION_CHANGED : 0; /* of two the last counts, and is written */
    instruction->debug_loc = node;
    return DLOC_OK;
  }
  return dloc_module_add_attachment(r->module, kind, node);
}

static dloc_status body_string(reader *r, body *b) {
  const char *start = r->at;
  TRY(reader_pass_string(r));
  if (b->depth == 0 && take_label(r, b))
    return DLOC_OK;
  return b->open || b->directive ? DLOC_OK : reader_expected(r, start, "instruction opcode");
}

static dloc_status body_hash(reader *r, body *b) {
  if (b->depth == 0 && r->end - r->at > 4 && memcmp(r->at, "#dbg", 4) == 0)
    return read_record(r, b);
  if (!b->open && !b->directive)
    return reader_expected(r, r->at, "instruction opcode");
  r->at = scan_digits(r->at + 1, r->end);
  return DLOC_OK;
}

/* A token that can stand inside of an instruction only. */
static dloc_status body_inner(reader *r, body *b) {
  char_class class = scan_class(*r->at);
  bool closes = class == CHAR_CLOSE;
  if ((!b->open && !b->directive) || *r->at == ':' || class == CHAR_BAD || (closes && b->depth == 0))
    return reader_expected(r, r->at, "instruction opcode");
  if (class == CHAR_GLOBAL)
    return body_global(r, b);
  if (class == CHAR_BANG)
    return body_bang(r, b);
  b->depth += class == CHAR_OPEN;
  b->depth -= closes;
  r->at++;
  if (class == CHAR_COMMA && b->expect_count && b->depth == 0)
    take_alloca_count(r, b);
  return DLOC_OK;
}

/* A word in brackets: `metadata` before an operand of a call, or a type. */
static dloc_status body_inner_word(reader *r, const body *b) {
  const char *word = r->at;
  r->at = scan_word(word, r->end);
  if (!b->open || !scan_is(word, r->at, "metadata"))
    return DLOC_OK;
  const char *operand = scan_space(r->at, r->end);
  bool type = operand >= r->end || *operand == ',' || scan_class(*operand) == CHAR_CLOSE;
  if (type || *operand != '!')
    return type ? DLOC_OK : keep_operand(r, operand);
  uint32_t node = DLOC_NULL;
  r->at = operand;
  TRY(reader_value_operand(r, &node));
  return module_add_metadata_operand(r->module, node);
}

/* From behind the `{` to behind the `}`. */
static dloc_status read_body(reader *r) {
  body b = {.open = false};
  for (r->at = scan_space(r->at, r->end); r->at < r->end; r->at = scan_space(r->at, r->end)) {
    switch (scan_class(*r->at)) {
    case CHAR_WORD:
      TRY(b.depth ? body_inner_word(r, &b) : body_word(r, &b));
      break;
    case CHAR_LOCAL:
      TRY(body_local(r, &b));
      break;
    case CHAR_QUOTE:
      TRY(body_string(r, &b));
      break;
    case CHAR_HASH:
      TRY(body_hash(r, &b));
      break;
    default:
      if (b.depth == 0 && *r->at == '}') {
        r->at++;
        return DLOC_OK;
      }
      TRY(body_inner(r, &b));
      break;
    }
  }
  return reader_fail(r, DLOC_REASON_TEXT_TRUNCATED, r->end, "found end of file when expecting more instructions");
}

dloc_status read_function(reader *r, const char *start, bool definition) {
  header h = {.flags = definition ? DLOC_FUNCTION_DEFINITION : 0};
  const char *from = r->at;
  TRY(read_before_name(r, &h));
  TRY(begin_function(r, &h, start, from));
  r->at = scan_space(r->at, r->end);
  TRY(skip_group(r));
  uint32_t index = r->module->current_function;
  h.flags = 0;
  TRY(read_behind_parameters(r, &h, definition));
  r->module->functions.items[index].flags |= h.flags;
  if (!definition)
    return DLOC_OK;
  r->at++;
  return read_body(r);
}
