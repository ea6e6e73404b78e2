/* llvm.h - modules as bitcode, by way of the llvm-as and llvm-dis of an LLVM. */
#pragma once

#include "tools.h"

typedef struct llvm_tools {
  const char *directory; /* of the tools; NULL: they are searched in PATH */
  uint64_t timeout;
  bool text; /* a module is written as text, whatever its file is called */
} llvm_tools;

#define LLVM_TOOLS_TIMEOUT 300 /* seconds, by default */

/* The options of a command that may run them; t is an llvm_tools *. */
#define LLVM_TOOLS_OPTIONS(t)                                                                                          \
  {TOOL_TEXT, "llvm", NULL, &(t)->directory}, {                                                                        \
    TOOL_NUMBER, "timeout", "for a run of llvm-as or llvm-dis; default: 300", &(t)->timeout                            \
  }

/* The bitcode of a module with its layers, as profile says. The module loses
 * them. Returns the command's exit status. */
int llvm_write_bitcode(tool_module *module, const dloc_profile *profile, const llvm_tools *tools, const char *path);
/* The same where the name of the output ends in `.bc` and no text is asked for, otherwise the module's text. */
int llvm_write_module(tool_module *module, const dloc_profile *profile, const llvm_tools *tools, const char *path);

/* Make text of an input that is bitcode, and leave any other one. Returns false, after a message, on failure. */
bool llvm_disassemble(const llvm_tools *tools, tool_input *input);
/* tool_module_open, of bitcode with the text that llvm-dis prints. It ends the program as well when that has fewer
 * layers than the bitcode: an LLVM that does not know them may pass over them, or take them for primaries. */
tool_module llvm_module_open(const llvm_tools *tools, const char *path);
