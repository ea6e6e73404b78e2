#include "intrinsics.h"

#include <string.h>

uint32_t intrinsic_flags(dloc_text name) {
  static const struct {
    const char *name;
    uint32_t flags;
  } intrinsics[] = {
      {"llvm.dbg.declare", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.value", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.assign", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.addr", DLOC_INSTRUCTION_DBG_CALL},
      {"llvm.dbg.label", DLOC_INSTRUCTION_DBG_CALL | DLOC_INSTRUCTION_LABEL_RECORD},
      {"llvm.pseudoprobe", DLOC_INSTRUCTION_PROBE},
  };
  if (name.size < 5 || memcmp(name.bytes, "llvm.", 5) != 0)
    return 0;
  for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
    if (dloc_text_equal(name, dloc_text_of(intrinsics[i].name)))
      return intrinsics[i].flags;
  return 0;
}
