/* Private to model/objects/dwarf: units of two-level line tables. spec/lines.md 15.5 */
#ifndef DLOC_DWARF_TWO_LEVEL_H
#define DLOC_DWARF_TWO_LEVEL_H

#include "objects/dloc_dwarf.h"

/* `two-level.header.version` */
enum { TWO_LEVEL_PROTOTYPE = 0xf006, TWO_LEVEL_ISSUE = 6 };

/* `two-level.header.fake-opcode`: an extended opcode of 2097151 bytes, for readers of version 4. */
#define TWO_LEVEL_FAKE_OPCODE "\0\xff\xff\x7f\x7f"
enum { TWO_LEVEL_FAKE_SIZE = 5 };

#endif
