/* value.h - documents: maps, lists and scalars, read from YAML or JSON and written back.
 *
 * The subset of YAML that 1.1 and 1.2 read alike: no anchors, tags, merges or repeated keys, at most VALUE_DEPTH levels
 * deep, UTF-8, lines ended by \n. A JSON line is a document in the same subset and is read by the same reader. Scalars
 * are texts: what one means (a number, a word, the name of a node) is decided by the field it stands in, so "f" and f
 * are the same except for null.
 *
 * Everything a document consists of lives in one value_arena and goes with it. Reading returns DLOC_OK, or DLOC_INVALID
 * with a diagnostic that says where and why, with line and column counted from 1 (columns in characters). */
#pragma once

#include "nodes/hash.h"

enum {
  VALUE_DEPTH = 64,              /* levels of maps and lists */
  VALUE_SCALAR_LIMIT = 16 << 20, /* bytes of one scalar */
  VALUE_KEY_LIMIT = 128,         /* bytes of a key: escaped, it must fit into the 1024 characters that YAML allows */
  VALUE_COLUMNS = 150            /* width of canonical YAML: a subprogram and its key fit into a line */
};

/* ---- Memory: an arena for one unit of work, nothing is freed singly ---- */

typedef struct value_chunk value_chunk;

/* Starts as {0}. */
typedef struct value_arena {
  value_chunk *chunks; /* newest first */
  size_t used;         /* bytes of the newest chunk */
  hash_key key;        /* of the indexes of maps in it, once there is one */
} value_arena;

void value_arena_deinit(value_arena *arena);
/* Forget everything allocated so far, keep one chunk for reuse. Cheap: use one arena for many vectors. */
void value_arena_reset(value_arena *arena);
/* Zeroed memory for count elements, aligned for any type. Zero elements give a valid pointer. */
void *value_arena_alloc(value_arena *arena, size_t count, size_t size);
/* A NUL-terminated copy. */
dloc_text value_arena_copy(value_arena *arena, dloc_text text);

/* ---- Diagnostics ---- */

typedef struct value_diagnostic {
  uint32_t line; /* from 1; 0: about the file as a whole */
  uint32_t column;
  const char
      *code; /* static storage, such as "yaml.syntax" or "vector.field": the bracketed code of a diagnostic line */
  char message[256]; /* NUL-terminated UTF-8 */
} value_diagnostic;

/* Fill a diagnostic in (printf's format); returns DLOC_INVALID, so that
 * callers can return it. diagnostic may be NULL. */
dloc_status value_diagnose(value_diagnostic *diagnostic, uint32_t line, uint32_t column, const char *code,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- Values ---- */

/* Of a large map: an open-addressed table of entry number + 1. */
typedef struct value_slots {
  hash_key key;
  uint32_t numbers[];
} value_slots;

typedef enum value_kind { VALUE_SCALAR, VALUE_LIST, VALUE_MAP } value_kind;

typedef struct value value;
typedef struct value_entry value_entry;

struct value {
  value_kind kind;
  bool quoted;   /* a scalar that was written between quotes (in JSON: any string) */
  uint32_t line; /* where it starts, from 1; 0 when it was not read */
  uint32_t column;
  uint32_t count; /* bytes of a scalar, items of a list, entries of a map */
  uint32_t room;  /* items or entries that fit: value_list_add, value_map_add */
  union {
    const char *bytes; /* NUL-terminated as well */
    value *items;
    value_entry *entries;
  } of;
  value_slots *index; /* NULL: the map is small, or was not read */
};

struct value_entry {
  dloc_text key;
  uint32_t line;
  uint32_t column;
  value value;
};

dloc_text value_text(const value *scalar);       /* the bytes of a scalar; empty for anything else */
bool value_is_null(const value *v);              /* NULL, or a scalar null without quotes */
bool value_is(const value *v, const char *text); /* a scalar with exactly this text */
/* The value of a key; NULL when v is no map or has no such key. Constant time. */
const value *value_get(const value *map, const char *key);
const value *value_find(const value *map, dloc_text key);
const value_entry *value_find_entry(const value *map, dloc_text key);
/* For the reader, once a map is complete: index it when it is large. Returns
 * an entry whose key is repeated, or NULL. */
const value_entry *value_index(value_arena *arena, value *map);
/* An unsigned decimal number without sign, leading zeros or blanks; false when v is none or it exceeds limit. */
bool value_unsigned(const value *v, uint64_t limit, uint64_t *ret);
/* true or false without quotes; false when v is neither. */
bool value_boolean(const value *v, bool *ret);

/* Building. Values may be copied by assignment; an empty list is {.kind = VALUE_LIST}, a map {.kind = VALUE_MAP}. A
 * text such as "null" or "3" stays a string in JSON; a word is null, true, false, a number or a name. Keys must be new;
 * they are copied. Maps built so are searched one by one: for small maps. */
value value_of_text(value_arena *arena, dloc_text text);
value value_of_word(value_arena *arena, const char *word);
value value_of_number(value_arena *arena, uint64_t number);
void value_add(value_arena *arena, value *list, value item);
void value_put(value_arena *arena, value *map, dloc_text key, value item);
void value_put_value(value_arena *arena, value *map, const char *key, value item);
void value_put_text(value_arena *arena, value *map, const char *key, dloc_text text);
void value_put_word(value_arena *arena, value *map, const char *key, const char *word);
void value_put_number(value_arena *arena, value *map, const char *key, uint64_t number);

/* ---- Reading ---- */

/* Reads a stream of YAML documents, one at a time. text is borrowed until value_reader_destroy. */
typedef struct value_reader value_reader;

/* lines: how many stand before the text, so that places are those of the whole. */
value_reader *value_reader_create(dloc_text text, uint32_t lines);
void value_reader_destroy(value_reader *reader); /* NULL is allowed */
/* The next document, in arena; *ret is NULL at the end of the stream. After a failure the reader has nothing more to
 * give. */
dloc_status value_read(value_reader *reader, value_arena *arena, value_diagnostic *diagnostic, value **ret);
/* One document that is the whole text, such as a line of JSON. An empty text or a second document is DLOC_INVALID. */
dloc_status value_read_one(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret);
/* The same, but YAML that is no JSON is DLOC_INVALID. */
dloc_status value_read_json(dloc_text text, value_arena *arena, value_diagnostic *diagnostic, value **ret);

/* JSON Lines: a document a line, empty lines left out. Lines of the documents and diagnostics are those of the text. */
typedef struct value_lines {
  dloc_text text; /* what is not read yet */
  uint32_t line;  /* that many lines are read */
} value_lines;

/* Whether a file's text is read so: its name ends in .jsonl, or it has another name than *.yaml and begins with a line
 * `{...}`. */
bool value_is_lines(const char *path, dloc_text text);
/* The next document, in arena; *ret is NULL at the end. After DLOC_INVALID one may go on with the next line. */
dloc_status value_lines_next(value_lines *lines, value_arena *arena, value_diagnostic *diagnostic, value **ret);

/* ---- Writing ---- */

/* A JSON string, with its quotes. */
dloc_status value_write_text(dloc_text text, dloc_sink sink);
/* One line of JSON without the line end. Unquoted null, true, false and integers of up to 15 digits are bare;
 * everything else is a string. */
dloc_status value_write_json(const value *v, dloc_sink sink);
/* Canonical YAML of a document, without `---`: block style at the top; a collection is in flow style when it fits into
 * VALUE_COLUMNS columns, unless it is, or holds, the value of a key that wants_block accepts (may be NULL). Ends with a
 * line end. */
dloc_status value_write_yaml(const value *v, bool (*wants_block)(dloc_text key), dloc_sink sink);
