/* lines.h - what the views of `dloc lines` share: the file that is open, its line table, what is wrong in it.
 *
 * A view prints to stdout what it shows. It has a file of its own, lines_NAME.c, and a row in the table of views in
 * lines.c; lines.c opens the file, reads each section of the name asked for, and calls the view for each. */
#pragma once

#include "objects/dloc_dwarf.h"
#include "shell/tools.h"

typedef struct line_paths line_paths;

typedef struct line_file {
  tool_input input;
  dloc_profile profile;
  dloc_context *context;
  dloc_object *object;
  dloc_object_kind kind;
  dloc_object_section section; /* the section that is read */
  bool several;                /* there are more sections of its name */
  const char *argument;        /* of the view's option: a form of two levels; or NULL */
  dloc_line_sections sections;
  dloc_line_table *table;
  line_paths *paths;
  size_t errors;   /* problems that are no warnings */
  size_t problems; /* all; of very many the first ones are shown */
} line_file;

/* Open an ELF file. Ends the program, after the diagnostic, when it cannot be read. */
line_file line_file_open(const char *path, const dloc_profile *profile);
/* Takes an input that is open, which then belongs to the line_file. */
line_file line_file_of(tool_input *input, const dloc_profile *profile);
/* Ends the program, after the diagnostic, unless the status is DLOC_OK. */
void line_file_require(const line_file *file, dloc_status status, const dloc_diagnostic *diagnostic);
/* The exit status of the command. */
int line_file_close(line_file *file);
/* The first section of a name behind section `after`, 0 for any; false when there is none. */
bool line_file_section(line_file *file, const char *name, uint32_t after, dloc_object_section *ret);
/* Say which other file has the debugging information that this one lacks, if it tells: by a debug link, by a build ID. */
void line_file_tell_elsewhere(line_file *file);
/* The name of file->section, and [its number] when there are several of it; malloc's. */
char *line_file_label(const line_file *file);
/* Read file->section as a line table in a dialect: file->table. Problems are printed. A cubin has the dialect NVIDIA
 * where the standard one is asked for. */
void line_file_read(line_file *file, dloc_line_dialect dialect);
void line_file_forget(line_file *file);

/* Say what is wrong at an offset of file->section: FILE: SECTION+0xOFFSET: error: TEXT [REASON]. A soft reason is a
 * warning. A dloc_line_problem, with the line_file as its user. */
dloc_status line_file_problem(void *file, dloc_reason reason, size_t at);
/* One that occurs so many times, the first time there, told once. */
void line_file_problems(line_file *file, dloc_reason reason, size_t at, size_t count);

/* The path of a file of a unit, with what a terminal would act on as \XX. Valid until the next call. */
dloc_text line_file_path(line_file *file, const dloc_line_unit *unit, uint64_t number);

/* ---- Views ---- */

typedef void line_view(line_file *file);
line_view lines_text, lines_tsv, lines_raw, lines_json, lines_discriminators;
line_view lines_nvidia;    /* dialect NVIDIA */
line_view lines_two_level; /* reads the table itself */
