/* Printing a module: the text it was read from, with metadata from the model,
 * or a text made up for one that was built. */
#include "nodes/module.h"
#include "nodes/text.h"
#include "scan.h"

#include <string.h>

typedef struct writer {
  const dloc_module *module;
  dloc_context *context;
  dloc_sink sink;
  node_notes numbers; /* And 1, of the nodes that the text has no number for. */
  scratch fresh;      /* Those nodes, in the order of their numbers. */
  uint32_t next;      /* The next free number. */
  size_t named;       /* The definitions of named metadata behind the cursor. */
  bool in_place;      /* A node is being written inside another one. */
} writer;

/* ---- References ---- */

static dloc_status number_of(writer *w, dloc_node node, uint64_t *ret) {
  uint32_t number = 0;
  if (dloc_module_number_of(w->module, node, ret))
    return DLOC_OK;
  if (!note_get(&w->numbers, 0, node, &number)) {
    while (dloc_module_numbered(w->module, w->next))
      w->next++;
    if (w->fresh.count >= UINT32_MAX - w->module->definitions.count)
      return DLOC_LIMIT;
    number = ++w->next;
    TRY(note_set(w->context, &w->numbers, 0, node, number));
    TRY(scratch_push(w->context, &w->fresh, node));
  }
  *ret = number - 1;
  return DLOC_OK;
}

/* Inside a node that is written in place all others have numbers: nodes may nest without end. */
static dloc_status write_in_place(writer *w, dloc_sink sink, dloc_node node, dloc_write_reference *reference) {
  w->in_place = true;
  dloc_status status = dloc_print_node(w->context, node, reference, w, sink);
  w->in_place = false;
  return status;
}

static dloc_status write_reference(void *user, dloc_sink sink, dloc_node node) {
  writer *w = user;
  uint64_t number = 0;
  node = dloc_canonical(w->context, node);
  if (node == DLOC_NULL)
    return sink_string(sink, "null");
  if (dloc_node_kind(w->context, node) < DLOC_KIND_TUPLE)
    return dloc_print_node(w->context, node, write_reference, w, sink);
  if (!w->in_place && !dloc_module_number_of(w->module, node, &number) &&
      class_is_in_place(dloc_node_class(w->context, node)))
    return write_in_place(w, sink, node, write_reference);
  TRY(number_of(w, node, &number));
  TRY(sink_string(sink, "!"));
  return sink_number(sink, number);
}

static dloc_status write_numbered_text(writer *w, const char *before, uint64_t number, const char *behind) {
  TRY(sink_string(w->sink, before));
  TRY(sink_number(w->sink, number));
  return sink_string(w->sink, behind);
}

static dloc_status write_definition(writer *w, uint64_t number, dloc_node node) {
  map_get(&w->module->stand_ins, node, 0, &node);
  TRY(write_numbered_text(w, "!", number, " = "));
  return dloc_print_node(w->context, node, write_reference, w, w->sink);
}

/* Definitions of the nodes that got numbers while writing; they may add more. */
static dloc_status write_fresh(writer *w) {
  for (size_t i = 0; i < w->fresh.count; i++) {
    uint64_t number = 0;
    TRY(number_of(w, w->fresh.words[i], &number));
    TRY(write_definition(w, number, w->fresh.words[i]));
    TRY(sink_string(w->sink, "\n"));
  }
  return DLOC_OK;
}

/* The nodes of a module without text that have numbers: those of bitcode. */
static dloc_status write_numbered(writer *w) {
  for (size_t i = 0; i < w->module->definitions.count; i++) {
    uint32_t index = w->module->definitions.items[i];
    if (numbering_at(w->module, index)->node == DLOC_NULL)
      continue;
    TRY(write_definition(w, numbering_number(w->module, index), numbering_at(w->module, index)->node));
    TRY(sink_string(w->sink, "\n"));
  }
  return DLOC_OK;
}

/* ---- Names ---- */

static dloc_status write_name(writer *w, dloc_text name) {
  bool plain = name.size > 0 && !scan_is_digit(name.bytes[0]);
  for (size_t i = 0; i < name.size; i++)
    plain &= scan_class(name.bytes[i]) == CHAR_WORD;
  TRY(sink_string(w->sink, "@"));
  return plain ? sink_text(w->sink, name) : dloc_print_string(name, w->sink);
}

static dloc_status write_metadata_name(writer *w, dloc_text name) {
  static const char hex[] = "0123456789ABCDEF";
  TRY(sink_string(w->sink, "!"));
  for (size_t i = 0; i < name.size; i++) {
    unsigned char c = (unsigned char)name.bytes[i];
    if (scan_class((char)c) == CHAR_WORD && (i > 0 || !scan_is_digit((char)c)))
      TRY(sink_bytes(w->sink, (const char *)&name.bytes[i], 1));
    else
      TRY(sink_bytes(w->sink, (char[]){'\\', hex[c >> 4], hex[c & 15]}, 3));
  }
  return DLOC_OK;
}

static dloc_status write_attachment(writer *w, const char *before, dloc_attachment attachment) {
  TRY(sink_string(w->sink, before));
  TRY(write_metadata_name(w, dloc_node_text(w->context, attachment.kind)));
  TRY(sink_string(w->sink, " "));
  return write_reference(w, w->sink, attachment.node);
}

static dloc_status write_dbg(writer *w, const dloc_instruction *instruction) {
  TRY(sink_string(w->sink, ", !dbg "));
  return write_reference(w, w->sink, instruction->debug_loc);
}

/* Operands of named metadata from the first-th on; LLVM adds those of a second definition to those of the first. */
static dloc_status write_named(writer *w, const dloc_named_metadata *named, uint32_t first) {
  TRY(write_metadata_name(w, dloc_node_text(w->context, named->name)));
  TRY(sink_string(w->sink, " = !{"));
  for (uint32_t i = first; i < named->operand_count; i++) {
    TRY(sink_string(w->sink, i > first ? ", " : ""));
    TRY(write_reference(w, w->sink, dloc_module_named_operand(w->module, named, i)));
  }
  return sink_string(w->sink, "}\n");
}

static dloc_status write_new_named(writer *w) {
  for (size_t i = 0; i < w->module->named.count; i++) {
    const named_list *list = &w->module->named.items[i];
    if (list->in_text < list->metadata.operand_count || (w->module->text.size == 0 && !list->dropped))
      TRY(write_named(w, &list->metadata, list->in_text));
  }
  return DLOC_OK;
}

/* ---- Text that was read ---- */

static const char *text_end(const dloc_module *module) { return module->text.bytes + module->text.size; }

/* The end of the definition whose `!N` is at `at`. */
static const char *definition_end(const char *at, const char *end) {
  return scan_group_end(scan_opening(at, end), end);
}

/* An instruction's tokens up to where something else begins. */
typedef struct extent {
  const char *cursor; /* text up to here is written */
  const char *last;   /* the end of the last token */
  const char *comma;  /* the last token if that is a comma, or NULL */
} extent;

static dloc_status write_until(writer *w, extent *e, const char *to) {
  TRY(sink_bytes(w->sink, e->cursor, (size_t)(to - e->cursor)));
  e->cursor = to;
  return DLOC_OK;
}

/* At a `!` outside of brackets: step over the attachment, and leave it out when it is the location. */
static dloc_status pass_attachment(writer *w, extent *e, const char *at, const char *end, const char **ret) {
  const char *name_end = scan_metadata_name(at + 1, end);
  const char *stop = scan_node_end(scan_space(name_end, end), end);
  if (scan_is(at + 1, name_end, "dbg")) {
    TRY(write_until(w, e, e->comma ? e->comma : at));
    e->cursor = stop;
    if (stop < end && scan_class(*stop) == CHAR_WORD) /* a label: the token before it must not become a part of it */
      TRY(sink_string(w->sink, " "));
  } else {
    e->last = stop;
  }
  *ret = stop;
  return DLOC_OK;
}

/* Whether an instruction that is being passed ends before `at`, which is outside of brackets. */
static bool ends_before(const char *at, const char *end) {
  if (*at == '}')
    return true;
  if (*at == '#')
    return end - at > 4 && memcmp(at, "#dbg", 4) == 0;
  const char *word_end = *at == '"' ? scan_string(at, end) : scan_word(at, end);
  if (!word_end || word_end == at)
    return false;
  return (word_end < end && *word_end == ':') || scan_opcode(at, word_end) == OPCODE_DIRECTIVE;
}

/* The place behind the bracket that closes the one at `at`. Inside of an instruction `<` is no bracket, as when it is read. */
static const char *brackets_end(const char *at, const char *end) {
  size_t depth = 0;
  do {
    char_class class = scan_class(*at);
    const char *string_end = class == CHAR_QUOTE ? scan_string(at, end) : NULL;
    depth += class == CHAR_OPEN;
    depth -= class == CHAR_CLOSE;
    at = string_end ? string_end : at + 1;
    if (depth == 0)
      return at;
    at = scan_space(at, end);
  } while (at < end);
  return at;
}

/* Tokens end where they do when an instruction is read. */
static const char *token_end(const char *at, const char *end) {
  switch (scan_class(*at)) {
  case CHAR_WORD:
    return scan_word(at, end);
  case CHAR_QUOTE:
    return scan_string(at, end);
  case CHAR_LOCAL:
  case CHAR_GLOBAL:
    return scan_name(at + 1, end);
  case CHAR_OPEN:
    return brackets_end(at, end);
  case CHAR_HASH:
  case CHAR_BANG:
    return scan_digits(at + 1, end);
  default:
    return at + 1;
  }
}

/* An instruction between start and the next one's start, with another location. */
static dloc_status write_instruction(writer *w, const dloc_instruction *instruction, const char *start, const char *end,
                                     const char **ret) {
  extent e = {start, start, NULL};
  for (const char *at = start; at < end && !ends_before(at, end); at = scan_space(at, end)) {
    if (*at == '!' && at + 1 < end && scan_is_metadata_name(at[1])) {
      TRY(pass_attachment(w, &e, at, end, &at));
      e.comma = NULL;
      continue;
    }
    e.comma = *at == ',' ? at : NULL;
    at = token_end(at, end);
    if (!at)
      return DLOC_INVALID;
    if (!e.comma)
      e.last = at;
  }
  if (e.last > e.cursor)
    TRY(write_until(w, &e, e.last));
  if (instruction->debug_loc) {
    TRY(write_dbg(w, instruction));
    if (e.cursor < end && scan_class(*e.cursor) == CHAR_WORD)
      TRY(sink_string(w->sink, " "));
  }
  *ret = e.cursor;
  return DLOC_OK;
}

/* A record at start with another location; without one it is left out. */
static dloc_status write_record(writer *w, const dloc_instruction *record, const char *start, const char *end,
                                const char **ret) {
  const char *at = scan_space(scan_word(start + 1, end), end); /* its opening bracket */
  const char *operand = at;
  do {
    operand = at + 1;
    if (scan_operand(operand, end, NULL, NULL, &at) != DLOC_OK)
      return DLOC_INVALID;
  } while (at < end && *at == ',');
  *ret = at + 1;
  if (!record->debug_loc)
    return DLOC_OK;
  TRY(sink_bytes(w->sink, start, (size_t)(scan_space(operand, end) - start)));
  TRY(write_reference(w, w->sink, record->debug_loc));
  return sink_string(w->sink, ")");
}

static dloc_status write_changed(writer *w, size_t index, const char **ret) {
  const dloc_module *module = w->module;
  const dloc_instruction *instruction = &module->instructions.items[index];
  const char *start = module->text.bytes + instruction->text;
  const char *end = index + 1 < module->instructions.count && instruction[1].text > instruction->text
                        ? module->text.bytes + instruction[1].text
                        : text_end(module);
  if (instruction->flags & DLOC_INSTRUCTION_RECORD)
    return write_record(w, instruction, start, end, ret);
  return write_instruction(w, instruction, start, end, ret);
}

/* The next changed instruction from index on that has a place in the text. */
static size_t next_changed(const dloc_module *module, size_t index) {
  size_t count = module->instructions.count;
  while (index < count && (!(module->instructions.items[index].flags & INSTRUCTION_CHANGED) ||
                           module->instructions.items[index].text == 0))
    index++;
  return index;
}

/* The next definition of named metadata that was dropped and stands before `to`; NULL when there is none. */
static const char *next_dropped(writer *w, const char *to) {
  const dloc_module *module = w->module;
  for (; w->named < module->named_places.count; w->named++) {
    const named_place *named = &module->named_places.items[w->named];
    const char *place = module->text.bytes + named->place;
    if (place >= to)
      return NULL;
    if (module->named.items[named->list].dropped) {
      w->named++;
      return place;
    }
  }
  return NULL;
}

/* The text up to `to`, which ends no definition in two, without the named metadata that was dropped and the line ends
 * behind it. */
static dloc_status copy_text(writer *w, const char **cursor, const char *to) {
  const char *end = text_end(w->module);
  for (const char *dropped = next_dropped(w, to); dropped; dropped = next_dropped(w, to)) {
    TRY(sink_bytes(w->sink, *cursor, (size_t)(dropped - *cursor)));
    *cursor = definition_end(dropped, end);
    if (*cursor < end && **cursor == '\n')
      ++*cursor;
  }
  TRY(sink_bytes(w->sink, *cursor, (size_t)(to - *cursor)));
  *cursor = to;
  return DLOC_OK;
}

/* LLVM reads no specialised node behind a summary: what is new stands in front of it. */
static const char *summary_of(const dloc_module *module) {
  return module->summary ? module->text.bytes + module->summary : text_end(module);
}

/* The text up to `end`, with changed instructions and all definitions replaced. Both are in the order of the text. */
static dloc_status write_text(writer *w, const char *end) {
  const dloc_module *module = w->module;
  const char *cursor = module->text.bytes;
  size_t changed = next_changed(module, 0);
  for (size_t i = 0; i <= module->definitions.count; i++) {
    const slot *s = i < module->definitions.count ? numbering_at(module, module->definitions.items[i]) : NULL;
    const char *definition = s ? module->text.bytes + s->place : end;
    while (changed < module->instructions.count &&
           module->text.bytes + module->instructions.items[changed].text < definition) {
      TRY(copy_text(w, &cursor, module->text.bytes + module->instructions.items[changed].text));
      TRY(write_changed(w, changed, &cursor));
      changed = next_changed(module, changed + 1);
    }
    TRY(copy_text(w, &cursor, definition));
    if (s)
      cursor = definition_end(definition, end);
    if (s && s->node)
      TRY(write_definition(w, numbering_number(module, module->definitions.items[i]), s->node));
    else if (s && cursor < end && *cursor == '\n')
      cursor++;
  }
  return module->text.size && end[-1] != '\n' ? sink_string(w->sink, "\n") : DLOC_OK;
}

/* ---- Functions that were built ---- */

/* LLVM takes these with instructions of one class only, for which a simple one stands. */
static const char of_one_class[] = "tbaa tbaa.struct prof fpmath range nonnull noundef align dereferenceable "
                                   "dereferenceable_or_null invariant.group nofpclass captures callees callee_type "
                                   "memprof callsite noalias.addrspace nofree alloc_token DIAssignID";

static dloc_status write_line_end(writer *w, const dloc_instruction *instruction, size_t index) {
  if (instruction->debug_loc)
    TRY(write_dbg(w, instruction));
  for (size_t i = 0; i < dloc_module_attachment_count(w->module, index); i++) {
    dloc_attachment attachment = dloc_module_attachment(w->module, index, i);
    if (!text_is_among(dloc_node_text(w->context, attachment.kind), of_one_class))
      TRY(write_attachment(w, ", ", attachment));
  }
  return sink_string(w->sink, "\n");
}

static dloc_status write_built_record(writer *w, const dloc_instruction *record) {
  bool label = record->flags & DLOC_INSTRUCTION_LABEL_RECORD;
  TRY(sink_string(w->sink, label ? "    #dbg_label(" : "    #dbg_value(i32 0, "));
  TRY(write_reference(w, w->sink, record->entity));
  TRY(sink_string(w->sink, label ? ", " : ", !DIExpression(), "));
  TRY(write_reference(w, w->sink, record->debug_loc));
  return sink_string(w->sink, ")\n");
}

static dloc_status write_built_debug_call(writer *w, const dloc_instruction *call) {
  bool label = call->flags & DLOC_INSTRUCTION_LABEL_RECORD;
  TRY(sink_string(w->sink, label ? "  call void @llvm.dbg.label(metadata "
                                 : "  call void @llvm.dbg.value(metadata i32 0, metadata "));
  TRY(write_reference(w, w->sink, call->entity));
  return sink_string(w->sink, label ? ")" : ", metadata !DIExpression())");
}

/* LLVM knows the parameters of these, and we do not. */
static bool is_intrinsic(const dloc_function *function) {
  return !(function->flags & DLOC_FUNCTION_DEFINITION) && function->flags & DLOC_FUNCTION_INTRINSIC;
}

static dloc_status write_built_call(writer *w, const dloc_instruction *call) {
  const dloc_module *module = w->module;
  if (call->flags & DLOC_INSTRUCTION_PROBE)
    return sink_string(w->sink, "  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)");
  if (call->callee >= module->functions.count || is_intrinsic(&module->functions.items[call->callee]))
    return sink_string(w->sink, "  call void undef()");
  TRY(sink_string(w->sink, "  call void "));
  TRY(write_name(w, dloc_node_text(w->context, module->functions.items[call->callee].name)));
  return sink_string(w->sink, "()");
}

/* A simple instruction of the same class; number is its position in the function. */
static dloc_status write_built_instruction(writer *w, size_t index, size_t number) {
  const dloc_instruction *instruction = &w->module->instructions.items[index];
  if (instruction->flags & DLOC_INSTRUCTION_RECORD)
    return write_built_record(w, instruction);
  if (instruction->flags & DLOC_INSTRUCTION_DBG_CALL)
    TRY(write_built_debug_call(w, instruction));
  else if (instruction->flags & (DLOC_INSTRUCTION_CALL | DLOC_INSTRUCTION_INVOKE | DLOC_INSTRUCTION_PROBE))
    TRY(write_built_call(w, instruction));
  else if (instruction->flags & DLOC_INSTRUCTION_RET)
    TRY(sink_string(w->sink, "  ret void"));
  else
    TRY(write_numbered_text(w, "  %i", number,
                            instruction->flags & DLOC_INSTRUCTION_ALLOCA ? " = alloca i32" : " = add i32 0, 0"));
  return write_line_end(w, instruction, index);
}

/* Instructions behind a `ret` go into a block of their own, and the last block needs an end. */
static dloc_status write_built_body(writer *w, const dloc_function *function) {
  bool ended = false;
  TRY(sink_string(w->sink, " {\n"));
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    size_t index = (size_t)function->first_instruction + i;
    if (ended) {
      TRY(write_numbered_text(w, "b", i, ":\n"));
    }
    ended = w->module->instructions.items[index].flags & DLOC_INSTRUCTION_RET;
    TRY(write_built_instruction(w, index, i));
  }
  return sink_string(w->sink, ended ? "}\n\n" : "  unreachable\n}\n\n");
}

static dloc_status write_built_attachments(writer *w, size_t index) {
  for (size_t i = 0; i < w->module->functions.items[index].attachment_count; i++)
    TRY(write_attachment(w, " ", module_function_attachment(w->module, index, i)));
  return DLOC_OK;
}

static dloc_status write_built_function(writer *w, size_t index) {
  const dloc_function *function = &w->module->functions.items[index];
  bool definition = function->flags & DLOC_FUNCTION_DEFINITION;
  bool weak = function->flags & DLOC_FUNCTION_INTERPOSABLE;
  if (is_intrinsic(function))
    return DLOC_OK; /* those that are called are declared with their parameters, see write_built */
  TRY(sink_string(w->sink, definition ? "define" : "declare"));
  if (!definition)
    TRY(write_built_attachments(w, index));
  TRY(sink_string(w->sink, !weak ? " void " : definition ? " weak void " : " extern_weak void "));
  TRY(write_name(w, dloc_node_text(w->context, function->name)));
  TRY(sink_string(w->sink, "()"));
  TRY(sink_string(w->sink, function->flags & DLOC_FUNCTION_ALWAYS_INLINE ? " alwaysinline" : ""));
  bool no_tables = function->flags & DLOC_FUNCTION_NO_INLINE_LINE_TABLES;
  TRY(sink_string(w->sink, no_tables ? " \"no-inline-line-tables\"" : ""));
  if (!definition)
    return sink_string(w->sink, "\n\n");
  TRY(write_built_attachments(w, index));
  return write_built_body(w, function);
}

/* The declarations that the calls of intrinsics need. */
static dloc_status write_intrinsics(writer *w) {
  bool value = false, label = false, probe = false;
  for (size_t i = 0; i < w->module->instructions.count; i++) {
    uint32_t flags = w->module->instructions.items[i].flags;
    bool call = flags & DLOC_INSTRUCTION_DBG_CALL, of_label = flags & DLOC_INSTRUCTION_LABEL_RECORD;
    value |= call && !of_label;
    label |= call && of_label;
    probe |= (flags & DLOC_INSTRUCTION_PROBE) != 0;
  }
  TRY(sink_string(w->sink, value ? "declare void @llvm.dbg.value(metadata, metadata, metadata)\n\n" : ""));
  TRY(sink_string(w->sink, label ? "declare void @llvm.dbg.label(metadata)\n\n" : ""));
  return sink_string(w->sink, probe ? "declare void @llvm.pseudoprobe(i64, i64, i32, i64)\n\n" : "");
}

/* Globals that metadata of bitcode names; functions are declared anyway. */
static dloc_status write_named_globals(writer *w) {
  enum { BEGIN = sizeof "ptr @\"" - 1 };
  for (dloc_node node = 1; node < dloc_node_limit(w->context); node++) {
    dloc_text text = dloc_node_text(w->context, node);
    uint32_t function;
    bool names = text_begins(text, "ptr @\"") || text_begins(text, "i8* @\"");
    if (dloc_node_kind(w->context, node) != DLOC_KIND_CONSTANT || !names ||
        dloc_module_find_function(w->module, (dloc_text){text.bytes + BEGIN, text.size - BEGIN - 1}, &function))
      continue;
    TRY(sink_bytes(w->sink, text.bytes + BEGIN - 2, text.size - BEGIN + 2));
    TRY(sink_string(w->sink, " = external global i8\n\n"));
  }
  return DLOC_OK;
}

static dloc_status write_built(writer *w) {
  const dloc_module *module = w->module;
  TRY(write_named_globals(w));
  for (size_t i = 0; i < module->global_attachments.count; i++) {
    TRY(write_numbered_text(w, "@g", i, " = global i32 0"));
    TRY(write_attachment(w, ", ", module->global_attachments.items[i]));
    TRY(sink_string(w->sink, "\n\n"));
  }
  for (size_t i = 0; i < module->functions.count; i++)
    TRY(write_built_function(w, i));
  return write_intrinsics(w);
}

dloc_status dloc_write_ll(const dloc_module *module, dloc_sink sink) {
  writer w = {.module = module, .context = module->context, .sink = sink};
  w.next = (uint32_t)module->numbers.flat.count;
  OWNED_MEMORY(w.context, &w.numbers.items, &w.fresh.words);
  const char *summary = module->text.size ? summary_of(module) : NULL;
  TRY(summary ? write_text(&w, summary) : write_built(&w));
  /* Functions that were added to a module that was read. Those it has by name only, from a call of an alias, are in the
   * text. */
  for (size_t i = module->functions_in_text; module->text.size && i < module->functions.count; i++)
    if (module->functions.items[i].flags & FUNCTION_BEGUN)
      TRY(write_built_function(&w, i));
  TRY(write_new_named(&w));
  if (!summary)
    TRY(write_numbered(&w));
  TRY(write_fresh(&w));
  return summary ? sink_bytes(sink, summary, (size_t)(text_end(module) - summary)) : DLOC_OK;
}
