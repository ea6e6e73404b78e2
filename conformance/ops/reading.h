/* reading.h - reading documents: where the result goes, and what is wrong. */
#ifndef DLOC_OPS_READING_H
#define DLOC_OPS_READING_H

#include "document/value.h"
#include "nodes/try.h"

typedef struct reading reading;
struct reading {
  value_arena *arena;
  value_diagnostic *diagnostic;
  value_arena *aside; /* what only this reading needs */
};

#define WRONG(r, at, code, ...) value_diagnose((r)->diagnostic, (at)->line, (at)->column, code, __VA_ARGS__)

dloc_status expect_list(const reading *r, const value *v, const char *what);
/* The value of a required key. */
dloc_status require(const reading *r, const value *map, const char *key, const value **ret);
dloc_status read_text(const reading *r, const value *v, const char *what, dloc_text *ret);
/* Absent means the default. */
dloc_status read_flag(const reading *r, const value *map, const char *key, bool absent, bool *ret);

#endif
