/* type.h - types as data: the shape of an op's args and value is declared once, in the op's row.
 *
 * read.c reads a document by its type, with diagnostics, and describe.c writes an answer as a document. A type also
 * gives the order of keys (vector/canonical.c), canonical text (canonical_text.c), the nodes that something uses
 * (vector/use.c) and the JSON Schemas (schema.c). declare.h has the words in which types are written. */
#pragma once

#include "document/value.h"

typedef enum type_kind {
  TYPE_NODE,    /* the name of a node, or null for none */
  TYPE_OPERAND, /* the same, or a string, constant or word */
  TYPE_TEXT,
  TYPE_NUMBER,
  TYPE_FLAG,
  TYPE_WORD,
  TYPE_LIST,
  TYPE_MAP,
  TYPE_NAMED, /* a map of any keys */
  /* Of documents only. */
  TYPE_NODES, /* definitions of nodes by name */
  TYPE_ARGS,  /* those of the vector's op */
  TYPE_VALUE, /* the same */
  TYPE_MODULE,
  TYPE_ANY
} type_kind;

typedef struct type type;
struct reading;
struct term;

typedef struct field {
  const char *key;
  const type *of;
  bool optional;
  const char *text;    /* its canonical text: canonical_text.c says how */
  const char *as_many; /* a list as long as this one of the args, or as the "args" themselves */
} field;

struct type {
  type_kind kind;
  const char *what;         /* For diagnostics, "a layer"; NULL: its key. */
  const char *text;         /* The canonical text of nodes that begin here. */
  const type *of;           /* Items. */
  const field *fields;      /* Of a map, in the order of keys; the last has no key. */
  const char *const *words; /* The last is NULL. */
  uint64_t limit;           /* The greatest number. */
  /* Checks the other rules about a term that is read; NULL: there are none. */
  dloc_status (*check)(const struct reading *r, const struct term *t);
  uint32_t count;  /* A list has exactly that many items; 0: any number. */
  bool or_null;    /* A number may be null. */
  bool on;         /* An absent flag is true. */
  bool short_form; /* A scalar stands for a map with the first field, or a list of one item. */
};
