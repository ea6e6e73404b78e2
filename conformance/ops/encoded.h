/* encoded.h - a module as bitcode has it: the numbers of its metadata and the records that locate its instructions. The
 * model says what they should be, and a file what they are. */
#pragma once

#include "dloc_formats.h"
#include "term.h"

#define RECORD_VALUE (&(const type){.kind = TYPE_NUMBER, .what = "a value of a record", .limit = UINT64_MAX})
#define RECORD_VALUES LIST_AS("the values of a record", NULL, RECORD_VALUE)

/* Codes of records of metadata. */
enum { ENCODED_LOCATION = 7, ENCODED_LAYERLOC = 51, ENCODED_LAYERLOCLIST = 52 };
/* "LOCATION", of these and of records of instructions. */
const char *encoded_name(uint32_t code);

typedef dloc_location_record encoded_record; /* of any kind */

/* The records behind one instruction. */
typedef struct encoded_instruction {
  const encoded_record *records;
  size_t count;
} encoded_instruction;

/* The module's own metadata, or that of a function and its instructions, debug records not among them. */
typedef struct encoded_part {
  const dloc_node *metadata; /* in the order of its numbers */
  size_t metadata_count;
  const encoded_record *locations; /* records of locations, layers and lists, in that order */
  size_t location_count;
  const encoded_instruction *instructions;
  size_t instruction_count;
} encoded_part;

/* The module itself, then each of its functions. */
typedef struct encoded {
  const encoded_part *parts;
  size_t count;
} encoded;

/* What the model says. DLOC_INVALID, with *ret_reason (may be NULL) saying why, when an instruction's `!dbg` is no
 * DebugLoc. */
dloc_status encoded_model(const dloc_module *module, const dloc_profile *profile, value_arena *arena,
                          dloc_reason *ret_reason, encoded *ret);
/* The contents of a file of bitcode; its nodes are made in context. profile is as for dloc_read_bitcode. */
dloc_status encoded_file(dloc_context *context, const dloc_profile *profile, dloc_text bytes, value_arena *arena,
                         dloc_diagnostic *diagnostic, encoded *ret);
/* The answer to the args of `encode`, as its value. */
void encoded_take(const encoded *given, const term *args, value_arena *arena, term *value);
