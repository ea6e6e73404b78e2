/* dloc_mlir.h - the locations of MLIR's text: read, understood as a primary with layers, and rewritten. spec/hidden.md,
 * chapter 19. The conventions are those of dloc.h. */
#ifndef DLOC_MLIR_H
#define DLOC_MLIR_H

#include "dloc_formats.h"
#include "dloc_hidden.h"

DLOC_BEGIN

/* ---- Locations of a text ---- */

typedef enum dloc_mlir_kind {
  DLOC_MLIR_UNKNOWN,   /* unknown */
  DLOC_MLIR_FILE,      /* "FILE":LINE:COLUMN, and as a range `to LINE:COLUMN` */
  DLOC_MLIR_NAME,      /* "NAME", or "NAME"(CHILD) */
  DLOC_MLIR_CALL_SITE, /* callsite(CALLEE at CALLER) */
  DLOC_MLIR_FUSED,     /* fused[PART, ...], or fused<METADATA>[PART, ...] */
  DLOC_MLIR_OPAQUE,    /* a dialect's own location, not understood */
  DLOC_MLIR_ALIAS,     /* #NAME */
  DLOC_MLIR_SCOPED, /* a dialect's own location, #D.NAME<PART in #SCOPE>, with or without anything behind the scope */
} dloc_mlir_kind;

/* A location by its number among those of a text, from 0. Equal ones have one number, aliases counting by name. Parts
 * have smaller numbers than what has them: what all locations mean is found in one loop, without recursion. */
typedef uint32_t dloc_mlir_number;

typedef struct dloc_mlir_location {
  dloc_mlir_kind kind;
  /* An MDString. FILE, NAME: of the file or the name, without quotes and escapes; FUSED: the metadata as it stands
   * between `<` and `>`, DLOC_NULL: none; OPAQUE, ALIAS: as it stands, with the `#`; SCOPED: so, without the part. */
  dloc_node text;
  uint32_t line, column;         /* FILE */
  uint32_t end_line, end_column; /* FILE: the same when it is no range */
  /* NAME: the child, or none; CALL_SITE: callee, caller; FUSED: its parts; ALIAS: what it stands for, or none that is
   * understood; SCOPED: one. */
  const dloc_mlir_number *parts;
  uint32_t part_count;
} dloc_mlir_location;

/* The locations of a text. */
typedef struct dloc_mlir dloc_mlir;
/* text is borrowed until dloc_mlir_destroy. DLOC_INVALID with *diagnostic: a location is malformed, an alias is missing
 * or stands for itself, a string is not closed. As in MLIR, `loc(#NAME)` may stand before the alias is defined; other
 * locations may not. Other text is not looked at. Cost: linear. */
dloc_status dloc_mlir_read(dloc_context *context, dloc_text text, dloc_diagnostic *diagnostic, dloc_mlir **ret);
void dloc_mlir_destroy(dloc_mlir *mlir);

/* How many there are, and each one; its parts are valid until meanings are made of them. */
size_t dloc_mlir_count(const dloc_mlir *mlir);
dloc_mlir_location dloc_mlir_at(const dloc_mlir *mlir, dloc_mlir_number number);

/* Where a location stands: its bytes between the brackets of `loc(...)`. */
typedef struct dloc_mlir_use {
  size_t at, end;
  dloc_mlir_number location;
  bool definition; /* of an alias: `#NAME = loc(...)` */
} dloc_mlir_use;
/* In the order of the text. */
const dloc_mlir_use *dloc_mlir_uses(const dloc_mlir *mlir, size_t *ret_count);

/* ---- What they mean (chapter 19) ---- */

/* A NameLoc of one of these names is a layer of that kind; a producer may have names of its own. */
typedef struct dloc_mlir_options {
  const dloc_text *tags;
  size_t tag_count;
  dloc_node
      stand_in; /* the subprogram that layers are in: dloc_hidden_stand_in; DLOC_NULL: only primaries are asked for */
} dloc_mlir_options;

/* The meanings of all locations of a text; more locations may be made for that. */
typedef struct dloc_mlir_meaning dloc_mlir_meaning;
dloc_status dloc_mlir_mean(dloc_context *context, dloc_mlir *mlir, const dloc_mlir_options *options,
                           dloc_mlir_meaning **ret);
void dloc_mlir_meaning_destroy(dloc_mlir_meaning *meaning);
/* A DebugLoc: the layers behind line 0 of the stand-in; that alone: there are none, or the location was made later. */
dloc_node dloc_mlir_layers(const dloc_mlir_meaning *meaning, dloc_mlir_number location);

/* ---- The text with other locations ---- */

/* Everything else is passed on byte for byte. An alias changes where it is defined. */
/* With its primaries. */
dloc_status dloc_mlir_write_primary(const dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_sink sink);
/* With numbers: each location of an op or a value becomes `"dloc":N:0`. The scope of its primary stays around the
 * number: metadata of a fused location, or a dialect's own location. table, one in lines that was begun, gets the
 * meaning of each number. Equal layers share a number, and so do all locations without layers. */
dloc_status dloc_mlir_write_ids(const dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_hidden *table,
                                dloc_sink sink);
/* How many locations get no number, as their scope is not understood; they become their primaries. ret_first says where
 * the first is, if there is one. */
size_t dloc_mlir_left(const dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_diagnostic *ret_first);

/* ---- Places of ops ---- */

/* Where the ops of a text begin, as MLIR prints it: each on a line of its own, with its results or its name. */
typedef struct dloc_mlir_ops dloc_mlir_ops;
/* text is needed during the call only. */
dloc_status dloc_mlir_ops_create(dloc_context *context, dloc_text text, dloc_mlir_ops **ret);
void dloc_mlir_ops_destroy(dloc_mlir_ops *ops);
/* Whether the place, line and column counting from 1, is the first character of an op. */
bool dloc_mlir_is_op(const dloc_mlir_ops *ops, uint32_t line, uint32_t column);

DLOC_END

#endif
