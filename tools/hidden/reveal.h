/* reveal.h - what `dloc reveal` makes of each kind of file: a file reveal_NAME.c and a row in the table of reveal.c. */
#pragma once

#include "objects/dloc_hidden.h"
#include "shell/llvm.h"

typedef struct reveal_request {
  dloc_profile profile; /* names of sections */
  tool_list tables;
  const char *output; /* NULL or "-": standard output */
  llvm_tools llvm;
  const char *base; /* the object or module without layers that shall get them; NULL: the one that is revealed */
  const char *full; /* the directory with a file for each kind of layer; NULL: numbers are in the file itself */
} reveal_request;

/* Read every table that was given, into a context. Ends the program, after the diagnostic, when one cannot be read. The
 * caller destroys it. */
OWNER(dloc_hidden)
dloc_hidden *reveal_tables(const reveal_request *request, dloc_context *context);

/* Reveal what was opened; returns the exit status of the command. */
typedef int reveal_file(const reveal_request *request, tool_input *input);
reveal_file reveal_module;   /* .ll */
reveal_file reveal_assembly; /* .s */
reveal_file reveal_ptx;
reveal_file reveal_object; /* relocatable ELF files */
