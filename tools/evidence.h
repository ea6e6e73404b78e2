/* evidence.h - where the expectations of vectors come from: which LLVMs confirm them (the file CONFIRMED of a folder of
 * vectors, written by conformance/llvm/confirm), and how those were derived that no LLVM confirms (DERIVED). */
#ifndef DLOC_TOOLS_EVIDENCE_H
#define DLOC_TOOLS_EVIDENCE_H

#include "run/expected.h"
#include "tools.h"

/* A line `ID DIGEST LLVM...` */
typedef struct evidence_line {
  dloc_text id;
  dloc_text digest;
  dloc_text llvms; /* separated by blanks */
  uint32_t line;
} evidence_line;

typedef struct evidence {
  bool present; /* the folder has a CONFIRMED */
  char confirmed_path[4096];
  char derived_path[4096];
  tool_input confirmed;
  tool_input derived;
  evidence_line *lines; /* sorted by id */
  size_t count;
  expected_list derivations;
} evidence;

/* The evidence of a folder: none when it has no CONFIRMED. Ends the program, after a message, when it cannot be read.
 */
void evidence_open(const char *folder, evidence *ret);
/* The LLVMs that confirm the vector as it is; empty when none does. */
dloc_text evidence_llvms(const evidence *e, dloc_text id, dloc_text digest);
/* How its expectation follows from the clauses, in words; empty when that is not written down. */
dloc_text evidence_derivation(evidence *e, dloc_text id);
void evidence_close(evidence *e);

#endif
