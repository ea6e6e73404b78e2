/* Private to model/objects/dwarf: numbers of DWARF as bytes, and what two-level tables share with line tables. */
#pragma once

#include "objects/dloc_dwarf.h"
#include "bytes.h"
#include "objects/lines/machine.h"

/* Where bytes go, and which end of a number comes first. */
typedef struct byte_sink {
  dloc_sink sink;
  bool big_endian;
} byte_sink;

dloc_status put_fixed(byte_sink to, uint64_t value, size_t size);
dloc_status put_unsigned(byte_sink to, uint64_t value); /* LEB128 */
dloc_status put_string(byte_sink to, dloc_text text);   /* and a 0 */

/* Instructions. DLOC_INVALID: one of them has no bytes under these parameters (`lines.write.bytes`). */
dloc_status put_program(byte_sink to, const dloc_line_parameters *parameters, const dloc_line_instruction *program,
                        size_t count);
/* From minimum_instruction_length to standard_opcode_lengths. */
dloc_status put_parameters(byte_sink to, const dloc_line_parameters *parameters);
/* Directories and files. */
dloc_status put_entries_v2(byte_sink to, const dloc_line_unit_parts *parts);
dloc_status put_entries_v5(byte_sink to, const dloc_line_unit_parts *parts);
/* A whole unit; neither byte order nor program are those of parts. */
dloc_status put_whole_unit(byte_sink to, const dloc_line_unit_parts *parts, dloc_text program);
/* A length, and bytes of that many; 64-bit DWARF has offset_size 8. */
dloc_status put_sized(byte_sink to, uint8_t offset_size, dloc_text bytes);
