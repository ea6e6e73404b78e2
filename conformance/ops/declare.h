/* declare.h - what an op's file begins with: reading, terms, operations, and the words to write types with. */
#pragma once

#include "operation.h"

#define NODE (&(const type){.kind = TYPE_NODE})
#define OPERAND (&(const type){.kind = TYPE_OPERAND})
#define TEXT (&(const type){.kind = TYPE_TEXT})
#define FLAG (&(const type){.kind = TYPE_FLAG})
#define FLAG_ON (&(const type){.kind = TYPE_FLAG, .on = true})
#define NUMBER (&(const type){.kind = TYPE_NUMBER, .limit = UINT32_MAX})
#define LONG (&(const type){.kind = TYPE_NUMBER, .limit = UINT64_MAX})
#define NUMBER_OR_NULL (&(const type){.kind = TYPE_NUMBER, .limit = UINT32_MAX, .or_null = true})
#define WORD(says, ...)                                                                                                \
  (&(const type){.kind = TYPE_WORD, .what = (says), .words = (const char *const[]){__VA_ARGS__, NULL}})
#define LIST(item) (&(const type){.kind = TYPE_LIST, .of = (item)})
#define LIST_OF(number, item) (&(const type){.kind = TYPE_LIST, .of = (item), .count = (number)})
/* A list with a name of its own, or a text before its items. */
#define LIST_AS(says, begins, item) (&(const type){.kind = TYPE_LIST, .what = (says), .text = (begins), .of = (item)})
#define MAP(says, ...) MAP_AS(says, NULL, __VA_ARGS__)
#define MAP_AS(says, begins, ...) CHECKED_MAP(says, begins, NULL, __VA_ARGS__)
#define CHECKED_MAP(says, begins, checks, ...)                                                                         \
  (&(const type){.kind = TYPE_MAP,                                                                                     \
                 .what = (says),                                                                                       \
                 .text = (begins),                                                                                     \
                 .check = (checks),                                                                                    \
                 .fields = (const field[]){__VA_ARGS__, {.key = NULL}}})
/* An initialiser of a type, for one that several files use; and a map that may be its first field alone. */
#define MAP_TYPE(says, ...)                                                                                            \
  {                                                                                                                    \
    .kind = TYPE_MAP, .what = (says), .fields = (const field[]) {                                                      \
      __VA_ARGS__, { .key = NULL }                                                                                     \
    }                                                                                                                  \
  }
#define SHORT_MAP(says, ...)                                                                                           \
  (&(const type){                                                                                                      \
      .kind = TYPE_MAP, .what = (says), .short_form = true, .fields = (const field[]){__VA_ARGS__, {.key = NULL}}})

#define FIELD(name, type) FIELD_AS(name, type, NULL)
#define OPTIONAL(name, type) OPTIONAL_AS(name, type, NULL)
/* With its canonical text. */
#define FIELD_AS(name, type, shows)                                                                                    \
  { .key = (name), .of = (type), .text = (shows) }
#define OPTIONAL_AS(name, type, shows)                                                                                 \
  { .key = (name), .of = (type), .text = (shows), .optional = true }
/* A node for each item of a list of the args. */
#define FOR_EACH(name, list)                                                                                           \
  { .key = (name), .of = LIST(NODE), .as_many = (list) }
/* The nodes of a value. */
#define NODES OPTIONAL("nodes", (&(const type){.kind = TYPE_NODES}))
