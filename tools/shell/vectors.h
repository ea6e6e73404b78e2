/* vectors.h - what the subcommands over vectors share: check, fmt, lint, list, gen, spec. */
#pragma once

#include "reports/record.h"
#include "vector/suite.h"
#include "tools.h"

/* Where a line of a file begins, so that looking for a later one need not begin at the top. Zero-initialise. */
typedef struct vectors_mark {
  const char *path;
  size_t at;
  uint32_t line;
} vectors_mark;

/* Print FILE:LINE:COL: error: MESSAGE [CODE] with the source line. text is the file's, or empty. mark is that of the
 * diagnostic before (a path is one file's as long as its pointer is the same); may be NULL. */
void vectors_diagnose(const char *path, dloc_text text, vectors_mark *mark, const value_diagnostic *diagnostic);

/* The vectors below some paths, one at a time, with diagnostics for everything that is none. */
typedef struct vectors {
  suite *suite;
  value_arena arena; /* of the document; reset by vectors_next */
  bool keep;         /* set it after vectors_open: arena is not reset, and every vector stays valid */
  const char *path;
  vector vector;
  vectors_mark mark;
  int status;   /* an enum tool_exit: the worst that happened */
  size_t count; /* vectors read */
} vectors;

/* The operands of a command, or where there are none, script_vectors as the only one: how many there are. */
int vectors_operands(int count, char **argv);
/* Ends the program, after a message, when there are no vectors. */
void vectors_open(vectors *v, const char *const *paths, size_t count);
/* The next vector in v->vector; false at the end. Documents that are no vector are reported and left out. */
bool vectors_next(vectors *v);
/* Report something about the current vector; makes v->status a violation. line 0: where the vector starts. */
void vectors_report(vectors *v, uint32_t line, uint32_t column, const char *code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Something failed for no fault of the vector's: prints a message; v->status becomes unusable. */
void vectors_fail(vectors *v, dloc_status status);
/* Make v->status at least as bad as this. */
void vectors_worsen(vectors *v, int status);
/* Whether an id of suite_only is no vector's; says so, and which is near. */
OWNER(suite)
bool vectors_are_missing(const suite *s);
/* At the end: v->status, which is unusable, after a message, when an id of suite_only is no vector's. */
int vectors_all_met(vectors *v);
void vectors_close(vectors *v);

/* Whether one of its expectations is a rejection for that reason, or a value that names the reason. */
bool vectors_expects_reason(const vector *v, dloc_reason reason);

/* The operation of that name; ends the program, after a message, when there is none. */
vector_op vectors_find_op(const char *name);

/* The number of the mutant of that name, from 1; ends the program, after a message, when this one has none such. NULL: 0,
 * if it has any. */
unsigned vectors_find_mutant(const char *name);

/* A list of expected failures or of its form, `ID: REASON`. Ends the program, after a message, when it is none. */
expected_list vectors_read_expected(const char *path, tool_input *input);

/* Lets a script tell people of a run, with so many differences in full. False after a message. */
bool vectors_tell_run(const record *r, size_t most_shown);
/* Lets a script write a run to a file; path NULL: does nothing. False after a message. */
bool vectors_write_run(const char *script, const record *r, const char *path);

/* A document in canonical form, as YAML or as a line of JSON; DLOC_STOPPED when the sink stopped. */
dloc_status vectors_write(const value *document, value_arena *arena, bool as_line, dloc_sink sink);

/* The canonical form of a file's text: every document formatted, with its digest. Leading comments of a document stay;
 * DLOC_INVALID on any other comment, and on what is no YAML. out is appended to. */
dloc_status vectors_format(const char *path, dloc_text text, dloc_buffer *out, value_diagnostic *diagnostic);
