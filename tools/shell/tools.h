/* tools.h - what the subcommands of `dloc` share: options, input, diagnostics and output.
 *
 * Conventions: a command prints results to stdout with stdio and messages to stderr with tool_error or tool_diagnose.
 * main flushes stdout and checks it, so commands need not. SIGXFSZ is ignored: code that starts a child process must
 * reset it there. SIGPIPE ends the program when nobody reads its output. */
#pragma once

#include "document/memory.h"
#include "document/value.h"
#include "dloc_formats.h"
#include "nodes/try.h"

#include <stdio.h>

/* The exit status of every command. */
enum tool_exit {
  TOOL_FINE = 0,
  TOOL_VIOLATION = 1, /* the input violates the rules, or differs from what was expected */
  TOOL_UNUSABLE = 2,  /* bad usage, unreadable input, unwritable output, no memory */
};

#define HEADING(text)
#define COMMAND(name, function, summary) int function(int argc, char **argv);
#include "commands.def"

/* ---- Options ---- */

typedef enum tool_option_kind {
  TOOL_FLAG = 1,    /* A bool *: set to true. */
  TOOL_TEXT,        /* A const char **: the last one counts. */
  TOOL_OUTPUT,      /* A const char **: a file to write. No other option has it, and but for -o no operand. */
  TOOL_JSON_OUTPUT, /* The same, of what --json writes: without --json, nothing goes to standard output by it. */
  TOOL_NUMBER,      /* A uint64_t *: decimal. */
  TOOL_LIST,        /* A tool_list *: may be given several times. */
  TOOL_PROFILE,     /* A dloc_profile *: a built-in profile by name. */
  TOOL_CHOICE       /* A dloc_profile *: NAME=ALTERNATIVE, applied after every TOOL_PROFILE. */
} tool_option_kind;

/* The values of an option that was given several times. Zero-initialise; items stay until the end of the program. */
typedef struct tool_list {
  const char **items;
  size_t count;
} tool_list;

/* `--name ARGUMENT` or `--name=ARGUMENT`; a name of one letter is `-n ARGUMENT` or `-nARGUMENT`, and one that begins
 * with a capital letter has one dash too. */
typedef struct tool_option {
  tool_option_kind kind; /* 0 ends the table */
  const char *name;      /* without dashes; options.def has a row for it */
  const char *help;      /* the command's own words; NULL: those of options.def */
  void *value;
} tool_option;

/* The two options of every command that takes a profile; p is a
 * dloc_profile *, which tool_parse sets to `rfc` first. */
#define TOOL_PROFILE_OPTIONS(p)                                                                                        \
  {TOOL_PROFILE, "profile", NULL, (p)}, { TOOL_CHOICE, "choice", NULL, (p) }

/* The text of `--help` and the operands of a command. */
typedef struct tool_usage {
  const char *synopsis; /* "dloc print [OPTION...] FILE" */
  const char *about;    /* one or a few lines, each ended by a newline */
  const char *example;  /* lines that work as typed in the repository */
  int least;            /* operands */
  int most;             /* -1: any number */
} tool_usage;

/* Parse argv: leaves the operands in its first elements and returns how many there are. --help, or bad usage after a
 * message, ends the program. Options may stand behind operands; `--` ends them; `-` is an operand. */
/* `I/N`, the I-th of N; *ret_shard counts from 0. NULL: all is one. */
void tool_read_shard(const char *text, uint64_t *ret_shard, uint64_t *ret_shards);
int tool_parse(int argc, char **argv, const tool_usage *usage, const tool_option *options);

/* The rules for modules with lists of layers, for PTX, and for objects that any linker links, choices included; NULL
 * when --profile names those for all. */
typedef enum tool_default { TOOL_FOR_LISTS, TOOL_FOR_PTX, TOOL_FOR_OBJECTS, TOOL_DEFAULTS } tool_default;
const dloc_profile *tool_profile_for(tool_default what);

/* The profile of that name; ends the program when there is none. */
const dloc_profile *tool_profile(const char *name);
/* Apply NAME=ALTERNATIVE to a profile; ends the program when there is no such choice or alternative. */
void tool_choose(const char *argument, dloc_profile *profile);

/* ---- Misspelt names ---- */

/* Finds the name that a wrong one means, among names that are offered one by one: {.wrong = text}. */
enum { TOOL_GUESS_SIZE = 128 };
typedef struct tool_guess {
  const char *wrong;
  char name[TOOL_GUESS_SIZE]; /* the nearest; empty: none is near */
  unsigned edits;
  bool tied; /* another one is as near */
  char words[TOOL_GUESS_SIZE + 32];
} tool_guess;

void tool_guess_offer(tool_guess *guess, const char *name);
/* " (did you mean 'NAME'?)", or nothing. */
const char *tool_guess_words(tool_guess *guess);

/* The clause, or choice, of that name; ends the program when there is none. */
dloc_clause tool_clause(const char *anchor);
dloc_choice tool_choice(dloc_text name);

/* ---- Messages ---- */

/* "dloc: " and the text and a newline, to stderr. Bytes that are no printable characters are shown as `?`. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* tool_error, and the end of the program: TOOL_UNUSABLE. For what a command cannot go on without. */
_Noreturn void tool_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The end of the program: with that status, or another one when standard output could not be written. The end frees
 * everything: temporary files are removed, child processes killed. */
_Noreturn void tool_exit(int status);

/* There are no more lines: unless standard input has ended, the program fails. */
void tool_stdin_ended(void);

/* The message for a status other than DLOC_OK, and the exit status for it: `return tool_failure(status, path)`. about
 * may be NULL. */
int tool_failure(dloc_status status, const char *about);
/* The end of the program as well, unless the status is DLOC_OK. */
void tool_require(dloc_status status, const char *about);

/* ---- Input ---- */

struct tool_module;

/* A file in memory: mapped if it is a regular file, otherwise read. name is what diagnostics call it. */
typedef struct tool_input {
  const char *name;
  dloc_text text;
  bool mapped;
  bool lent; /* the text is another one's */
} tool_input;

/* `-` is stdin. Prints a message and returns false on failure. */
bool tool_input_open(const char *path, tool_input *ret);
/* Ends the program on failure. */
tool_input tool_input_required(const char *path);
void tool_input_close(tool_input *input);
/* The same text for another reader; the input that lends it is closed after it. */
tool_input tool_input_lend(const tool_input *input);
/* Whether a file can be read a second time; `-` cannot. */
bool tool_is_regular(const char *path);
/* Ends the program for what can be read once alone: standard input, a pipe, a device. A folder is fine; who reads what
 * is missing says so. */
void tool_require_rereadable(const char *path);

/* --color: auto, always or never; auto is for a terminal, unless NO_COLOR is set. Ends the program on another word. */
void tool_colour(const char *when);

/* FILE:LINE:COL: LEVEL: MESSAGE [REASON], the source line and a caret; in bitcode FILE:bit N: alone. place may be NULL:
 * then FILE: LEVEL: ... alone. level is "error", "warning" or "note"; reason may be NULL. */
void tool_diagnose(const tool_input *input, const dloc_place *place, const char *level, const char *message,
                   const char *reason);

/* Whether tool_diagnose writes lines of JSON to standard output instead: --json of check, lint and emit. */
extern bool tool_diagnoses_json;
/* Such a line; place and reason may be NULL. tool_finding is it as a value, to which more can be added. */
void tool_write_finding(const char *file, const dloc_place *place, const char *level, dloc_text message,
                        const char *reason);
value tool_finding(value_arena *arena, const char *file, const dloc_place *place, const char *level, dloc_text message,
                   const char *reason);
/* A line of JSON to standard output. */
void tool_print_json(const value *line);

/* Shows dloc_diagnose's explanation of a violation in the input, with its notes. */
void tool_show(const tool_input *input, const char *level, const dloc_diagnosis *diagnosis, const char *reason);

/* Shows a fault that the reader found in the input, as a diagnosis. */
dloc_diagnosis tool_diagnosis_of(const tool_input *input, const dloc_diagnostic *diagnostic);

/* The text of a reason, with its count if that is more than one; malloc's. */
char *tool_counted(dloc_reason reason, size_t count);
/* Say which rule an input breaks, and return the exit status for that. place may be NULL. */
int tool_reject(const tool_input *input, const dloc_place *place, dloc_reason reason);

/* Shows a reason at an instruction (DLOC_NO_INDEX: at none) or a node of a tool_module that was read, as an error or,
 * when the reason is soft, a warning. A dloc_hidden_problem: goes on. */
dloc_status tool_diagnose_node(void *module, dloc_reason reason, uint32_t instruction, dloc_node node);
/* Shows it with another level. */
void tool_diagnose_as(struct tool_module *module, const char *level, dloc_reason reason, uint32_t instruction,
                      dloc_node node);

/* The exit status for a text that was not read: unusable when it is no module at all, a violation when it breaks a rule
 * of one. */
int tool_reason_status(dloc_reason reason);

/* Say why an input was not read, and return the exit status for it. */
int tool_explain(dloc_status status, const tool_input *input, const dloc_diagnostic *diagnostic);

/* A module with its text and context. */
typedef struct tool_module {
  tool_input input;
  dloc_context *context;
  dloc_module *module;
  const dloc_profile *profile; /* the rules for it: those it was read with, or that its form of layers asks for */
  dloc_diagnoser *diagnoser;   /* NULL: nothing was diagnosed */
} tool_module;

/* Read a `.ll` or `.bc` file, told apart by how it begins; profile is as for dloc_read_bitcode. Ends the program, after
 * the diagnostic, when it cannot be read. */
tool_module tool_module_open(const char *path, const dloc_profile *profile);
/* tool_parse, then tool_module_open for the first operand. */
tool_module tool_parse_module(int argc, char **argv, const tool_usage *usage, const tool_option *options,
                              const dloc_profile *profile);
/* For commands that print the module with its instructions: bitcode ends the program as well. */
tool_module tool_module_open_text(const char *path, const dloc_profile *profile);
/* For the end of a command: returns its exit status. */
int tool_module_close(tool_module *module, int status);
/* Read an opened input, without a message: the caller explains, and closes the module in any case. */
dloc_status tool_module_read(tool_module *module, const dloc_profile *profile, dloc_diagnostic *diagnostic);
/* The same, which ends the program as tool_module_open does. */
void tool_module_require(tool_module *module, const dloc_profile *profile);

/* ---- Output ---- */

/* A sink that writes to a stdio stream. */
dloc_sink tool_file_sink(FILE *file);

/* A name as it stands; tabs, backslashes, what a terminal might act on and what is no UTF-8 are shown as \XX. */
dloc_status tool_write_name(dloc_text name, dloc_sink sink);
/* How many bytes of it can stand as they are. */
size_t tool_plain_size(dloc_text name);
/* The same to a stream, and what is put behind it. */
void tool_print_name(FILE *file, dloc_text name, const char *behind);

/* An output file that appears only when it is complete (run/temporary.h). path NULL or "-" is stdout. */
typedef struct tool_output {
  FILE *file;
  const char *path;
  struct temporary *temporary; /* NULL for stdout, devices and pipes */
} tool_output;

/* Ends the program when it cannot be written, after a message; */
tool_output tool_output_open(const char *path);
/* or returns false. */
bool tool_output_try(const char *path, tool_output *ret);
/* Between these, files that are closed wait for their places. At the end they get them in the order in which they were
 * closed, all or, unless the result is TOOL_FINE, none: the first is the one that others need. Returns the result. */
void tool_outputs_begin(void);
int tool_outputs_end(int result);
/* Complete the file, or drop it when keep is false. Returns false, with a message, when it could not be written. */
bool tool_output_close(tool_output *output, bool keep);
/* The same by what came of writing, as the exit status; about is what a failure is about. */
int tool_output_finish(tool_output *output, dloc_status status, const char *about);
/* Make a folder, unless it is there; ends the program when it cannot be made. */
void tool_make_folder(const char *path);
/* A text as such a file; false after a message. */
bool tool_write_text(const char *path, dloc_text text);
/* The module's text as such a file. */
int tool_write_module(const tool_module *module, const char *path);
