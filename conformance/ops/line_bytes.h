/* line_bytes.h - sections in args: a list of rows of bytes, `0a00 'a.c' 00`, of pairs of hexadecimal digits, texts
 * between quotes, and blanks. */
#ifndef DLOC_OPS_LINE_BYTES_H
#define DLOC_OPS_LINE_BYTES_H

#include "declare.h"
#include "reading.h"
#include "term.h"

#define LINE_BYTES LIST(TEXT)

/* keys: of fields of a map that are such lists, if they are there; the last is NULL. */
dloc_status line_bytes_check(const reading *r, const term *map, const char *const *keys);
/* The bytes of one of them, in the arena; none when it is absent. */
dloc_text line_bytes_of(value_arena *arena, const term *map, const char *key);

#endif
