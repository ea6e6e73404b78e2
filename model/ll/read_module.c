/* Reading a module: top-level entities, and what can only be settled at the end of the text. */
#include "reader.h"

#include <string.h>

/* ---- Top-level entities ---- */

/* Behind the token that made it an entity. Metadata stands in attachments of global variables alone. */
static dloc_status read_to_next_entity(reader *r, bool attachments) {
  size_t depth = 0;
  for (r->at = scan_space(r->at, r->end); r->at < r->end; r->at = scan_space(r->at, r->end)) {
    char_class class = scan_class(*r->at);
    if (depth == 0 && reader_entity_starts(r, r->at))
      return DLOC_OK;
    if (class == CHAR_QUOTE) {
      TRY(reader_pass_string(r));
    } else if (class == CHAR_WORD) {
      r->at = scan_word(r->at, r->end);
    } else if (class == CHAR_BANG) {
      dloc_text kind;
      dloc_node node = DLOC_NULL;
      if (!attachments || depth || !reader_at_name(r))
        return reader_expected(r, r->at, "value token");
      TRY(reader_attachment(r, &kind, &node));
      TRY(module_add_global_attachment(r->module, kind, node));
    } else if (class == CHAR_BAD || (class == CHAR_CLOSE && depth == 0)) {
      return reader_expected(r, r->at, "top-level entity");
    } else {
      depth += class == CHAR_OPEN;
      depth -= class == CHAR_CLOSE;
      r->at++;
    }
  }
  return depth ? reader_expected(r, r->end, "a closing bracket") : DLOC_OK;
}

/* The opaque rest of a top-level entity: up to the next one. Attachments of global variables are kept. */
static dloc_status read_opaque(reader *r) {
  /* The first token and, behind a name, the `=`: an entity cannot end before them. */
  const char *name_end =
      scan_class(*r->at) == CHAR_WORD && *r->at != '$' ? scan_word(r->at, r->end) : scan_name(r->at + 1, r->end);
  if (!name_end)
    return reader_unclosed(r, r->at + 1);
  const char sigil = *r->at;
  r->at = name_end;
  if (sigil == '^' || sigil == '@' || sigil == '%' || sigil == '$')
    TRY(reader_take(r, '=', "'=' here"));
  return read_to_next_entity(r, sigil == '@');
}

/* `attributes #0 = { alwaysinline "no-inline-line-tables" }` */
static dloc_status read_attributes(reader *r) {
  uint32_t number = 0, flags = 0, position = 0;
  TRY(reader_take(r, '#', "attribute group id"));
  TRY(reader_number(r, &number));
  TRY(reader_take(r, '=', "'=' here"));
  TRY(reader_take(r, '{', "'{' here"));
  for (r->at = scan_space(r->at, r->end); r->at < r->end && *r->at != '}'; r->at = scan_space(r->at, r->end)) {
    const char *start = r->at;
    TRY(reader_attribute(r, &flags));
    r->at += r->at == start; /* an `=` */
  }
  TRY(reader_take(r, '}', "end of attribute group"));
  TRY(map_add(r->context, &r->group_numbers, number, 0, (uint32_t)r->groups.count, &position));
  if (position == r->groups.count)
    PUSH(r->context, r->groups, 0);
  r->groups.items[position] |= flags; /* a group that is defined twice has the attributes of both */
  return DLOC_OK;
}

/* `!name = !{!0, !1}`: the operands are references, or expressions in place. */
static dloc_status read_named(reader *r) {
  const char *name = r->at + 1;
  const char *name_end = scan_metadata_name(name, r->end);
  dloc_text text;
  r->at = name_end;
  TRY(reader_take(r, '=', "'=' here"));
  TRY(reader_take(r, '!', "'!' here"));
  TRY(reader_take(r, '{', "'{' here"));
  r->operands.count = 0;
  r->at = scan_space(r->at, r->end);
  while (r->at < r->end && *r->at != '}') {
    uint32_t operand = 0;
    if (r->operands.count) {
      TRY(reader_take(r, ',', "end of metadata node"));
      r->at = scan_space(r->at, r->end);
    }
    if (r->at >= r->end || *r->at != '!')
      return r->at >= r->end ? reader_expected(r, r->at, "end of metadata node")
                             : reader_fail(r, DLOC_REASON_TEXT_SYNTAX, r->at, "Expected '!' here");
    size_t kept = r->operands.count; /* a node in place uses the same stack */
    TRY(reader_metadata_operand(r, &operand));
    r->operands.count = kept;
    PUSH(r->context, r->operands, operand);
    r->at = scan_space(r->at, r->end);
  }
  TRY(reader_take(r, '}', "end of metadata node"));
  TRY(reader_unescape(r, name, name_end, &text));
  TRY(module_note_named(r->module, text, (uint32_t)(name - 1 - r->begin)));
  TRY(dloc_module_add_named(r->module, text, r->operands.items, r->operands.count));
  r->operands.count = 0;
  return DLOC_OK;
}

static dloc_status read_keyword(reader *r) {
  const char *word = r->at;
  const char *word_end = scan_word(word, r->end);
  if (*word == '$')
    return reader_entity_starts(r, word) ? read_opaque(r) : reader_expected(r, word, "top-level entity");
  r->at = word_end;
  if (scan_is(word, word_end, "define"))
    return read_function(r, word, true);
  if (scan_is(word, word_end, "declare"))
    return read_function(r, word, false);
  if (scan_is(word, word_end, "attributes"))
    return read_attributes(r);
  r->at = word;
  return reader_is_keyword(word, word_end, r->end) ? read_opaque(r) : reader_expected(r, word, "top-level entity");
}

/* Where the lines of a summary begin that nothing else follows. */
static void note_summary(reader *r) {
  size_t *place = &r->module->summary;
  *place = *r->at != '^' ? 0 : *place ? *place : reader_offset(r, r->at);
}

static dloc_status read_entity(reader *r) {
  note_summary(r);
  switch (*r->at) {
  case '!':
    if (reader_at_number(r))
      return read_definition(r);
    return reader_at_name(r) ? read_named(r) : reader_expected(r, r->at, "top-level entity");
  case '@':
  case '%':
  case '^':
    return reader_entity_starts(r, r->at) ? read_opaque(r) : reader_expected(r, r->at, "top-level entity");
  default:
    return scan_class(*r->at) == CHAR_WORD ? read_keyword(r) : reader_expected(r, r->at, "top-level entity");
  }
}

/* ---- At the end of the text ---- */

static bool is_undefined(const slot *s) { return s->node ? (s->node & SLOT_UNDEFINED) != 0 : s->place != 0; }

static slot *slot_of(const numbering *n, size_t i) {
  return i < n->flat.count ? &n->flat.items[i] : &n->sparse.items[i - n->flat.count];
}

/* LLVM reports the lowest number, where it was first met. */
static dloc_status check_defined(reader *r) {
  const numbering *n = &r->module->numbers;
  const slot *found = NULL;
  uint64_t number = 0;
  for (size_t i = 0; i < n->flat.count + n->sparse.count; i++) {
    const slot *s = slot_of(n, i);
    uint64_t own = i < n->flat.count ? i : n->sparse_numbers.items[i - n->flat.count];
    if (is_undefined(s) && (!found || own < number)) {
      found = s;
      number = own;
    }
  }
  if (!found)
    return DLOC_OK;
  return reader_fail(r, DLOC_REASON_TEXT_UNDEFINED, r->begin + found->place, "use of undefined metadata '!%lu'",
                     (unsigned long)number);
}

static dloc_status settle(void *user, dloc_node *node) {
  const dloc_module *module = user;
  *node = *node & REFERENCE ? numbering_at(module, *node & ~REFERENCE)->node : dloc_canonical(module->context, *node);
  return DLOC_OK;
}

/* Put nodes in the place of references. */
static void settle_references(dloc_module *module) {
  numbering *n = &module->numbers;
  for (size_t i = 0; i < n->flat.count + n->sparse.count; i++)
    slot_of(n, i)->node = dloc_canonical(module->context, slot_of(n, i)->node);
  (void)module_visit_nodes(module, settle, module);
  for (size_t i = 0; i < module->named.count; i++)
    module->named.items[i].in_text = module->named.items[i].metadata.operand_count;
}

static void settle_attributes(reader *r) {
  uint32_t position = 0;
  for (size_t i = 0; i < r->uses.count; i++)
    if (map_get(&r->group_numbers, r->uses.items[i].group, 0, &position))
      r->module->functions.items[r->uses.items[i].function].flags |= r->groups.items[position];
}

/* A call whose type is not the function's: LLVM sees no direct call in it. */
static dloc_status settle_callees(reader *r) {
  dloc_module *module = r->module;
  size_t count = module->functions.count;
  if (r->calls.count == 0)
    return DLOC_OK;
  ALLOCATE(r->context, uint64_t, signatures, count);
  OWNED_MEMORY(r->context, &signatures);
  for (size_t i = 0; i < r->begun.count; i++)
    signatures[r->begun.items[i].index] = r->begun.items[i].signature;
  for (size_t i = 0; i < r->calls.count; i++) {
    dloc_instruction *call = &module->instructions.items[r->calls.items[i].instruction];
    if ((module->functions.items[call->callee].flags & FUNCTION_BEGUN) &&
        signatures[call->callee] != r->calls.items[i].signature)
      call->callee = DLOC_NO_INDEX;
  }
  return DLOC_OK;
}

static void renumber_callees(dloc_module *module, const uint32_t *position) {
  for (size_t i = 0; i < module->instructions.count; i++) {
    dloc_instruction *instruction = &module->instructions.items[i];
    if (!(instruction->flags & DLOC_INSTRUCTION_DEBUG) && instruction->callee != DLOC_NO_INDEX)
      instruction->callee = position[instruction->callee];
  }
}

/* Functions were added when first met, in a call perhaps; put them in the order of the text, those without one last. */
static dloc_status order_functions(reader *r) {
  dloc_module *module = r->module;
  size_t count = module->functions.count, next = 0;
  if (count == 0)
    return DLOC_OK;
  ALLOCATE(r->context, uint32_t, position, count);
  OWNED_MEMORY(r->context, &position);
  ALLOCATE(r->context, dloc_function, ordered, count);
  for (size_t i = 0; i < r->begun.count; i++)
    position[r->begun.items[i].index] = (uint32_t)next++;
  for (size_t i = 0; i < count; i++)
    if (!(module->functions.items[i].flags & FUNCTION_BEGUN))
      position[i] = (uint32_t)next++;
  for (size_t i = 0; i < count; i++)
    ordered[position[i]] = module->functions.items[i];
  renumber_callees(module, position);
  context_free(r->context, module->functions.items);
  module->functions.items = ordered;
  module->functions.capacity = count;
  module->current_function = DLOC_NO_INDEX;
  return module_index_functions(module);
}

static dloc_status finish(reader *r) {
  dloc_node undefined = DLOC_NULL;
  TRY(check_defined(r));
  dloc_status status = dloc_resolve(r->context, &undefined);
  if (status == DLOC_INVALID) /* a forward node that the caller left in the context */
    return reader_fail(r, DLOC_REASON_TEXT_UNDEFINED, r->end, "the context has an undefined node");
  TRY(status);
  settle_references(r->module);
  settle_attributes(r);
  module_settle_interposition(r->module);
  TRY(settle_callees(r));
  TRY(order_functions(r));
  r->module->functions_in_text = r->begun.count;
  return DLOC_OK;
}

/* Whether a name with the string that `from` opens and `to` closes holds a NUL. */
static dloc_status check_name(reader *r, const char *from, const char *to) {
  dloc_text name;
  bool behind_sigil = from > r->begin && (from[-1] == '@' || from[-1] == '%' || from[-1] == '$');
  bool is_label = to + 1 < r->end && to[1] == ':';
  if (!behind_sigil && !is_label)
    return DLOC_OK;
  TRY(reader_unescape(r, from + 1, to, &name));
  if (memchr(name.bytes, 0, name.size))
    return reader_fail(r, DLOC_REASON_TEXT_ENCODING, from - behind_sigil, "NUL character is not allowed in names");
  return DLOC_OK;
}

static const char *find_byte(const char *at, const char *end, char byte) {
  const char *found = memchr(at, byte, (size_t)(end - at));
  return found ? found : end;
}

/* LLVM's lexer refuses `\00` in the names of values, types, comdats and labels, wherever they stand. */
static dloc_status check_names(reader *r, const char *at, const char *end) {
  const char *quote = find_byte(at, end, '"'), *comment = find_byte(at, end, ';');
  while (quote < end) {
    const char *behind = comment < quote ? scan_comment(comment, end) : scan_string(quote, end);
    if (!behind)
      return DLOC_OK; /* told where the string is needed */
    if (quote < comment)
      TRY(check_name(r, quote, behind - 1));
    quote = quote < behind ? find_byte(behind, end, '"') : quote;
    comment = comment < behind ? find_byte(behind, end, ';') : comment;
  }
  return DLOC_OK;
}

/* Checks the bytes from r->passed to `end`, which were read, and tells the caller of them. */
static dloc_status pass(reader *r, const char *end) {
  dloc_text part = {r->passed, (size_t)(end - r->passed)};
  const char *nul = part.size ? memchr(part.bytes, 0, part.size) : NULL;
  if (nul)
    return reader_fail(r, DLOC_REASON_TEXT_ENCODING, nul, "NUL byte in text");
  TRY(check_names(r, part.bytes, end));
  if (r->context->passed)
    r->context->passed(r->context->passed_user, part);
  r->passed = end;
  return DLOC_OK;
}

static dloc_status read_entities(reader *r) {
  enum { PASSED_AT_ONCE = 1 << 20 };
  for (r->at = scan_space(r->at, r->end); r->at < r->end; r->at = scan_space(r->at, r->end)) {
    TRY(read_entity(r));
    if (r->at - r->passed >= PASSED_AT_ONCE)
      TRY(pass(r, r->at));
  }
  return pass(r, r->end);
}

/* Tells the first fault in the text, if there are several. */
static dloc_status read_text(reader *r) {
  dloc_status status = read_entities(r);
  const char *fault = r->begin + r->diagnostic->offset;
  if (status == DLOC_INVALID && fault > r->passed)
    TRY(pass(r, fault + (fault < r->end)));
  TRY(status);
  return finish(r);
}

dloc_status dloc_read_ll(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, dloc_module **ret) {
  dloc_module *module = NULL;
  ALLOCATE(context, reader, r, 1);
  const char *begin = text.size ? text.bytes : "";
  *diagnostic = (dloc_diagnostic){.reason = DLOC_REASON_NONE};
  *r = (reader){.context = context,
                .diagnostic = diagnostic,
                .begin = begin,
                .at = begin,
                .end = begin + text.size,
                .passed = begin};
  dloc_status status = dloc_module_create(context, &module);
  if (status == DLOC_OK) {
    r->module = module;
    module->text = (dloc_text){begin, text.size};
    /* A definition takes more than four bytes, so the array is never larger than twice the text. */
    module->numbers.flat_limit = text.size / 4 + 1;
    status = text.size >= REFERENCE
                 ? reader_fail(r, DLOC_REASON_TEXT_LIMIT, begin, "the text is too long: the limit is 2 GiB")
                 : read_text(r);
  }
  CONTEXT_FREE(context, r->frames.items, r->operands.items, r->fields.items, r->bytes.items, r->uses.items,
               r->group_numbers.entries, r->groups.items, r->calls.items, r->begun.items, r);
  RETURN_MADE(status, module, dloc_module_destroy, ret);
}
