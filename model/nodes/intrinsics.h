/* intrinsics.h - functions of LLVM that mean something for debug locations when they are called. */
#ifndef DLOC_INTRINSICS_H
#define DLOC_INTRINSICS_H

#include "dloc.h"

/* The flags (dloc_instruction_flag) that a call of the function of that name has; 0 for any other function. */
uint32_t intrinsic_flags(dloc_text name);

#endif
