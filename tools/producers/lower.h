/* lower.h - the tools of MLIR and Flang, run one after the other, with a folder for what they write. */
#ifndef DLOC_TOOLS_LOWER_H
#define DLOC_TOOLS_LOWER_H

#include "document/buffer.h"
#include "hidden/join.h"

typedef struct lower_tools {
  const char *directory; /* of the tools; NULL: they are searched in PATH */
  uint64_t timeout;      /* seconds, for each run */
  bool verbose;          /* show each command line */
  unsigned release;      /* of the LLVM: 19 to 22 */
  char *package;         /* that has them, of Debian */
  char *folder;          /* a temporary one */
} lower_tools;

#define LOWER_TIMEOUT 300 /* seconds, by default */

/* The options of a command that lowers; t is a lower_tools *. */
#define LOWER_OPTIONS(t)                                                                                               \
  {TOOL_TEXT, "llvm", "DIR", "where its tools are, such as /usr/lib/llvm-22/bin; default: PATH", &(t)->directory},     \
      {TOOL_NUMBER, "timeout", "SECONDS", "for each run of a tool; default: 300", &(t)->timeout}, {                    \
    TOOL_FLAG, "v", NULL, "show the command line of each tool that is run", &(t)->verbose                              \
  }

/* Any failure in these ends the program, after a message. */

/* Make the folder, and ask a tool for its release. package is Debian's, with %u for the release. The source is the
 * program's file. */
void lower_begin(lower_tools *tools, const char *name, const char *package, const char *source);
/* Remove it. */
void lower_end(lower_tools *tools);
/* In the folder; the caller frees it. */
char *lower_path(const lower_tools *tools, const char *name);
/* Run a tool; arguments end with NULL, input goes to its standard input.
 * Returns what it wrote to its standard output. */
dloc_buffer lower_run(const lower_tools *tools, const char *name, const char *const *arguments, dloc_text input);

/* A program after its last stage, whose locations have the tags of all. */
typedef struct lowered {
  dloc_context *context;
  dloc_hidden *table;
  dloc_buffer primary, numbered; /* texts for the last steps */
  join_text *texts;              /* of the stages */
  size_t count;
} lowered;

/* Read the locations of a text, and the texts of the stages: STAGE.mlir in the folder, which are called STEM.STAGE.mlir
 * after the source. */
lowered lower_read(const lower_tools *tools, dloc_text text, const char *source, char *const *stages, size_t count);
/* The join of what came of the two texts, which then is the whole command's exit status; it ends what was read. */
int lower_join(lowered *lowered, join_request *request, const dloc_buffer *base, const dloc_buffer *numbered);

#endif
