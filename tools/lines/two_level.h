/* two_level.h - the two-level line table that is made of a file's rows and DIEs. spec/lines.md 15.6 */
#pragma once

#include "lines.h"

typedef struct two_level_table {
  dloc_buffer line; /* .debug_line */
  dloc_buffer str;  /* the names */
  size_t rows, logicals, actuals;
} two_level_table;

/* "issue" or "prototype", by the name of its dialect; another word ends the program. */
dloc_line_dialect two_level_form_of(const char *word);
void two_level_deinit(two_level_table *table);
/* Make file->table the table that is made of it. *made must live as long. */
void two_level_replace(line_file *file, dloc_line_dialect form, two_level_table *made);
/* Whether any unit of file->table has two levels. */
bool two_level_has(const line_file *file);

/* The logicals of a unit of two levels; *user has the file and the unit. */
typedef struct two_level_unit {
  const line_file *file;
  const dloc_line_unit *unit;
} two_level_unit;
dloc_logicals two_level_logicals(const two_level_unit *user);
