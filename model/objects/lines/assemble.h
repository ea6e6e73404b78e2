/* Private to model/: the way back, from rows to the instructions that assemblers write. spec/lines.md 12.7. */
#ifndef DLOC_LINES_ASSEMBLE_H
#define DLOC_LINES_ASSEMBLE_H

#include "objects/dloc_lines.h"

/* The registers of whoever will run what was written so far. */
typedef struct line_assembler {
  const dloc_profile *profile;
  const dloc_line_parameters *parameters;
  bool fixed; /* distances are not known before linking */
  bool open;  /* the sequence has an address */
  dloc_row row;
  dloc_row_call call;
} line_assembler;

enum { LINE_MOST_FOR_ROW = 16 }; /* instructions for one row */

line_assembler line_assembler_start(const dloc_profile *profile, const dloc_line_parameters *parameters, bool fixed);
/* How many instructions make the next row, which are put in ret. */
size_t line_assemble_row(line_assembler *a, const dloc_row *row, const dloc_row_call *call,
                         dloc_line_instruction ret[LINE_MOST_FOR_ROW]);

#endif
