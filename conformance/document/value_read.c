/* value_read.c - documents from YAML, through libyaml's events. */
#include "memory.h"
#include "nodes/text.h"
#include "nodes/try.h"
#include "value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A collection that is being read; its children stand on the reader's stack from first on. */
typedef struct frame {
  value_kind kind;
  bool has_key; /* of a map: the key of the next value has been read */
  uint32_t line;
  uint32_t column;
  uint32_t first;
} frame;

struct value_reader {
  yaml_parser_t parser;
  dloc_text text;
  uint32_t lines;    /* before it */
  size_t fed;        /* bytes that libyaml has got */
  size_t fed_before; /* of them, those it had at the last event */
  bool checked;      /* the text's encoding is */
  bool finished;
  bool too_long;
  frame frames[VALUE_DEPTH];
  uint32_t depth;
  value_entry *children;
  uint32_t child_count;
};

/* ---- Encoding ---- */

/* Why a character may not stand in a document; NULL when it may. Some are line ends in YAML 1.1 and not in 1.2. */
static const char *objection(uint32_t character) {
  if (character == '\r')
    return "carriage return; lines end with a line feed alone";
  if ((character < 0x20 && character != '\n' && character != '\t') || (character >= 0x7f && character < 0xa0))
    return "control character; write it as an escape in double quotes";
  if (character == 0x2028 || character == 0x2029)
    return "line separator; write it as an escape in double quotes";
  if (character == 0xfeff)
    return "byte order mark";
  if (character == 0xfffe || character == 0xffff)
    return "no character";
  return NULL;
}

static dloc_status diagnose_offset(const value_reader *reader, size_t offset, const char *message,
                                   value_diagnostic *diagnostic) {
  const dloc_text text = reader->text;
  uint32_t line = reader->lines + 1, column = 1;
  for (size_t i = 0; i < offset; i++) {
    bool end = text.bytes[i] == '\n';
    line += end;
    column = end ? 1 : column + ((text.bytes[i] & 0xc0) != 0x80);
  }
  return value_diagnose(diagnostic, line, column, "yaml.encoding", "%s", message);
}

static dloc_status check_encoding(const value_reader *reader, value_diagnostic *diagnostic) {
  const dloc_text text = reader->text;
  for (size_t i = 0; i < text.size;) {
    if (text.size - i >= 8 && text_eight_plain(text.bytes + i)) {
      i += 8;
      continue;
    }
    if ((text.bytes[i] >= 0x20 && text.bytes[i] < 0x7f) || text.bytes[i] == '\n') {
      i++;
      continue;
    }
    uint32_t character = 0;
    size_t length = dloc_character((dloc_text){text.bytes + i, text.size - i}, &character);
    const char *wrong = length ? objection(character) : "not valid UTF-8";
    if (wrong)
      return diagnose_offset(reader, i, wrong, diagnostic);
    i += length;
  }
  return DLOC_OK;
}

/* ---- The reader ---- */

/* libyaml's read handler. It ends the input when one token has become too long, so that memory is bounded. */
static int feed(void *user, unsigned char *buffer, size_t size, size_t *ret_size) {
  value_reader *reader = user;
  if (reader->fed - reader->fed_before > (size_t)VALUE_SCALAR_LIMIT) {
    reader->too_long = true;
    return 0;
  }
  size_t left = reader->text.size - reader->fed;
  *ret_size = left < size ? left : size;
  if (*ret_size)
    memcpy(buffer, reader->text.bytes + reader->fed, *ret_size);
  reader->fed += *ret_size;
  return 1;
}

value_reader *value_reader_create(dloc_text text, uint32_t lines) {
  value_reader *reader = memory_allocate(1, sizeof *reader);
  reader->text = text;
  reader->lines = lines;
  if (!yaml_parser_initialize(&reader->parser))
    memory_exhausted();
  yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input(&reader->parser, feed, reader);
  reader->parser.mark.line = lines;
  return reader;
}

void value_reader_destroy(value_reader *reader) {
  if (!reader)
    return;
  yaml_parser_delete(&reader->parser);
  free(reader->children);
  free(reader);
}

static dloc_status parser_failure(const value_reader *reader, value_diagnostic *diagnostic) {
  const yaml_parser_t *parser = &reader->parser;
  if (parser->error == YAML_MEMORY_ERROR)
    memory_exhausted();
  uint32_t line = (uint32_t)parser->mark.line + 1, column = (uint32_t)parser->mark.column + 1;
  if (reader->too_long)
    return value_diagnose(diagnostic, line, column, "yaml.limit", "longer than %d bytes", VALUE_SCALAR_LIMIT);
  if (parser->error == YAML_SCANNER_ERROR || parser->error == YAML_PARSER_ERROR) {
    line = (uint32_t)parser->problem_mark.line + 1;
    column = (uint32_t)parser->problem_mark.column + 1;
  }
  return value_diagnose(diagnostic, line, column, "yaml.syntax", "%s%s%s", parser->context ? parser->context : "",
                        parser->context ? ": " : "", parser->problem ? parser->problem : "syntax error");
}

static dloc_status event_error(const yaml_event_t *event, value_diagnostic *diagnostic, const char *code,
                               const char *message) {
  return value_diagnose(diagnostic, (uint32_t)event->start_mark.line + 1, (uint32_t)event->start_mark.column + 1, code,
                        "%s", message);
}

/* ---- Collections ---- */

/* A value has been read: the root, or a child of the innermost open collection. */
static void place(value_reader *reader, const value *v, value *root) {
  frame *parent = reader->depth ? &reader->frames[reader->depth - 1] : NULL;
  if (!parent) {
    *root = *v;
  } else if (parent->kind == VALUE_MAP) { /* the entry was added with its key */
    reader->children[reader->child_count - 1].value = *v;
    parent->has_key = false;
  } else {
    *MEMORY_ADD(reader->children, reader->child_count) = (value_entry){.value = *v};
  }
}

static bool expects_key(const value_reader *reader) {
  return reader->depth && reader->frames[reader->depth - 1].kind == VALUE_MAP &&
         !reader->frames[reader->depth - 1].has_key;
}

static dloc_status begin_collection(value_reader *reader, const yaml_event_t *event, value_kind kind,
                                    value_diagnostic *diagnostic) {
  if (expects_key(reader))
    return event_error(event, diagnostic, "yaml.key", "a key must be a scalar");
  if (reader->depth == VALUE_DEPTH)
    return event_error(event, diagnostic, "yaml.limit", "nested more than 64 levels deep");
  reader->frames[reader->depth++] = (frame){.kind = kind,
                                            .line = (uint32_t)event->start_mark.line + 1,
                                            .column = (uint32_t)event->start_mark.column + 1,
                                            .first = reader->child_count};
  return DLOC_OK;
}

static dloc_status end_collection(value_reader *reader, value_arena *arena, value_diagnostic *diagnostic, value *root) {
  frame open = reader->frames[--reader->depth];
  uint32_t count = reader->child_count - open.first;
  value collection = {.kind = open.kind, .line = open.line, .column = open.column, .count = count, .room = count};
  const value_entry *children = count ? reader->children + open.first : NULL;
  if (open.kind == VALUE_LIST) {
    collection.of.items = value_arena_alloc(arena, count, sizeof *collection.of.items);
    for (uint32_t i = 0; i < count; i++)
      collection.of.items[i] = children[i].value;
  } else {
    collection.of.entries = value_arena_alloc(arena, count, sizeof *children);
    if (count)
      memcpy(collection.of.entries, children, count * sizeof *children);
    const value_entry *repeated = value_index(arena, &collection);
    if (repeated)
      return value_diagnose(diagnostic, repeated->line, repeated->column, "yaml.repeated-key",
                            "key '%.100s' is repeated", repeated->key.bytes);
  }
  reader->child_count = open.first;
  place(reader, &collection, root);
  return DLOC_OK;
}

/* ---- Scalars ---- */

static dloc_status begin_entry(value_reader *reader, const yaml_event_t *event, const value *key, bool plain,
                               value_diagnostic *diagnostic) {
  if (plain && value_is(key, "<<"))
    return event_error(event, diagnostic, "yaml.merge", "merge keys are not allowed");
  if (key->count > VALUE_KEY_LIMIT)
    return event_error(event, diagnostic, "yaml.limit", "key longer than 128 bytes");
  *MEMORY_ADD(reader->children, reader->child_count) =
      (value_entry){.key = value_text(key), .line = key->line, .column = key->column};
  reader->frames[reader->depth - 1].has_key = true;
  return DLOC_OK;
}

static dloc_status read_scalar(value_reader *reader, value_arena *arena, const yaml_event_t *event,
                               value_diagnostic *diagnostic, value *root) {
  bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  dloc_text text = {(const char *)event->data.scalar.value, event->data.scalar.length};
  if (text.size > VALUE_SCALAR_LIMIT)
    return event_error(event, diagnostic, "yaml.limit", "scalar longer than 16 MiB");
  if (plain && (text.size == 0 || (text.size == 1 && text.bytes[0] == '~')))
    return event_error(event, diagnostic, "yaml.empty", "no value; write null, or \"\" for an empty text");
  dloc_text copy = value_arena_copy(arena, text);
  value scalar = {.kind = VALUE_SCALAR,
                  .quoted = !plain,
                  .line = (uint32_t)event->start_mark.line + 1,
                  .column = (uint32_t)event->start_mark.column + 1,
                  .count = (uint32_t)copy.size,
                  .of.bytes = copy.bytes};
  if (expects_key(reader))
    return begin_entry(reader, event, &scalar, plain, diagnostic);
  place(reader, &scalar, root);
  return DLOC_OK;
}

/* ---- Documents ---- */

static dloc_status reject_extras(const yaml_event_t *event, value_diagnostic *diagnostic) {
  const yaml_char_t *anchor = NULL, *tag = NULL;
  switch (event->type) {
  case YAML_ALIAS_EVENT:
    return event_error(event, diagnostic, "yaml.anchor", "aliases are not allowed");
  case YAML_SCALAR_EVENT:
    anchor = event->data.scalar.anchor;
    tag = event->data.scalar.tag;
    break;
  case YAML_SEQUENCE_START_EVENT:
    anchor = event->data.sequence_start.anchor;
    tag = event->data.sequence_start.tag;
    break;
  case YAML_MAPPING_START_EVENT:
    anchor = event->data.mapping_start.anchor;
    tag = event->data.mapping_start.tag;
    break;
  case YAML_DOCUMENT_START_EVENT:
    if (event->data.document_start.version_directive ||
        event->data.document_start.tag_directives.start != event->data.document_start.tag_directives.end)
      return event_error(event, diagnostic, "yaml.directive", "directives are not allowed");
    break;
  default:
    break;
  }
  if (anchor)
    return event_error(event, diagnostic, "yaml.anchor", "anchors are not allowed");
  if (tag)
    return event_error(event, diagnostic, "yaml.tag", "tags are not allowed");
  return DLOC_OK;
}

static dloc_status take_event(value_reader *reader, value_arena *arena, const yaml_event_t *event,
                              value_diagnostic *diagnostic, value *root) {
  TRY(reject_extras(event, diagnostic));
  switch (event->type) {
  case YAML_SCALAR_EVENT:
    return read_scalar(reader, arena, event, diagnostic, root);
  case YAML_SEQUENCE_START_EVENT:
    return begin_collection(reader, event, VALUE_LIST, diagnostic);
  case YAML_MAPPING_START_EVENT:
    return begin_collection(reader, event, VALUE_MAP, diagnostic);
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    return end_collection(reader, arena, diagnostic, root);
  default:
    return DLOC_OK;
  }
}

/* Read events up to the end of a document; *ret_end is true when the stream ended instead. */
static dloc_status read_document(value_reader *reader, value_arena *arena, value_diagnostic *diagnostic, value *root,
                                 bool *ret_end) {
  for (;;) {
    OWNED(yaml_event_delete) yaml_event_t event; /* libyaml clears it */
    if (!yaml_parser_parse(&reader->parser, &event))
      return parser_failure(reader, diagnostic);
    reader->fed_before = reader->fed;
    yaml_event_type_t type = event.type;
    TRY(take_event(reader, arena, &event, diagnostic, root));
    if (type == YAML_DOCUMENT_END_EVENT || type == YAML_STREAM_END_EVENT || type == YAML_NO_EVENT) {
      *ret_end = type != YAML_DOCUMENT_END_EVENT;
      return DLOC_OK;
    }
  }
}

dloc_status value_read(value_reader *reader, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  bool end = reader->finished;
  value *root = value_arena_alloc(arena, 1, sizeof *root);
  dloc_status status = reader->checked ? DLOC_OK : check_encoding(reader, diagnostic);
  reader->checked = true;
  if (status == DLOC_OK && !end)
    status = read_document(reader, arena, diagnostic, root, &end);
  reader->finished = end || status != DLOC_OK;
  TRY(status);
  *ret = end ? NULL : root;
  return DLOC_OK;
}

/* ---- One document ---- */

static bool is_surrogate(const char *at, const char *end, char from, char to) {
  return end - at >= 6 && at[0] == '\\' && at[1] == 'u' && (at[2] | 0x20) == 'd' && (at[3] | 0x20) >= from &&
         (at[3] | 0x20) <= to;
}

static bool is_separator(const char *at, const char *end) {
  return end - at >= 3 && memcmp(at, "\xe2\x80", 2) == 0 && ((unsigned char)at[2] & 0xfe) == 0xa8;
}

/* JSON's parts that YAML reads otherwise: escapes in two halves and line separators in strings. Each becomes an escape
 * of YAML that is at most twice as long. Copies anything else; returns the bytes read. */
static size_t translate(const char *at, const char *end, char *out, size_t *ret_written) {
  char high[5] = "", low[5] = "";
  if (is_surrogate(at, end, '8', 'b') && is_surrogate(at + 6, end, 'c', 'f')) {
    memcpy(high, at + 2, 4);
    memcpy(low, at + 8, 4);
    unsigned long character = 0x10000 + ((strtoul(high, NULL, 16) & 0x3ff) << 10) + (strtoul(low, NULL, 16) & 0x3ff);
    *ret_written = (size_t)snprintf(out, 12, "\\U%08lX", character);
    return 12;
  }
  if (is_separator(at, end)) {
    *ret_written = (size_t)snprintf(out, 8, "\\u%04X", 0x2028u + ((unsigned char)at[2] & 1));
    return 3;
  }
  size_t length = at[0] == '\\' && end - at >= 2 ? 2 : 1;
  memcpy(out, at, length);
  *ret_written = length;
  return length;
}

/* malloc's. */
static dloc_text from_json(dloc_text text) {
  char *copy = memory_resize(NULL, text.size + 8, 2);
  const char *end = text.bytes + text.size;
  size_t size = 0;
  for (const char *at = text.bytes; at < end;) {
    size_t written = 0;
    at += translate(at, end, copy + size, &written);
    size += written;
  }
  return (dloc_text){copy, size};
}

OWNER(value_reader)

static dloc_status read_only_document(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  OWNED(release_value_reader) value_reader *reader = value_reader_create(text, 0);
  value *first = NULL, *second = NULL;
  TRY(value_read(reader, arena, diagnostic, &first));
  if (!first)
    return value_diagnose(diagnostic, 1, 1, "yaml.syntax", "no document");
  TRY(value_read(reader, arena, diagnostic, &second));
  if (second)
    return value_diagnose(diagnostic, second->line, second->column, "yaml.syntax", "more than one document");
  *ret = first;
  return DLOC_OK;
}

dloc_status value_read_one(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret) {
  if (text.size >= 2 && memcmp(text.bytes + text.size - 2, "\r\n", 2) == 0)
    text.size -= 2; /* a line that a program on another system sent */
  dloc_text translated = from_json(text);
  dloc_status status = read_only_document(translated, arena, diagnostic, ret);
  free((char *)translated.bytes);
  return status;
}
