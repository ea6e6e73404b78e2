/* usage: lines-libdwarf FILE ROUNDS: times dwarf_srclines of every unit. */
#include "timing.h"

#include <fcntl.h>
#include <libdwarf/libdwarf.h>
#include <unistd.h>

static size_t rows_of_units(Dwarf_Debug dwarf) {
  size_t rows = 0;
  Dwarf_Unsigned length, abbreviations, next, type, version;
  Dwarf_Half form, address_size, offset_size, extension, kind;
  Dwarf_Sig8 signature;
  (void)version;
  while (dwarf_next_cu_header_d(dwarf, 1, &length, &form, &abbreviations, &address_size, &offset_size, &extension,
                                &signature, &type, &next, &kind, NULL) == DW_DLV_OK) {
    Dwarf_Die die;
    Dwarf_Line_Context context;
    Dwarf_Line *lines;
    Dwarf_Signed count;
    Dwarf_Small tables;
    if (dwarf_siblingof_b(dwarf, NULL, 1, &die, NULL) != DW_DLV_OK)
      continue;
    if (dwarf_srclines_b(die, &version, &tables, &context, NULL) == DW_DLV_OK &&
        dwarf_srclines_from_linecontext(context, &lines, &count, NULL) == DW_DLV_OK)
      rows += (size_t)count;
    dwarf_dealloc(dwarf, die, DW_DLA_DIE);
  }
  return rows;
}

int main(int argc, char **argv) {
  int rounds = timing_rounds(argc, argv);
  timing t = {0};
  for (int i = 0; i < rounds; i++) {
    int file = open(argv[1], O_RDONLY);
    Dwarf_Debug dwarf;
    if (dwarf_init_b(file, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, &dwarf, NULL) != DW_DLV_OK)
      timing_fail(argv[1], "unreadable");
    timing_start(&t);
    t.rows = rows_of_units(dwarf);
    timing_stop(&t);
    dwarf_finish(dwarf, NULL);
    close(file);
  }
  timing_print(&t, rounds);
  return 0;
}
