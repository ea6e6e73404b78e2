/* usage: lines-libdw FILE ROUNDS: times dwarf_getsrclines of every unit. */
#include "timing.h"

#include <elfutils/libdw.h>
#include <fcntl.h>

int main(int argc, char **argv) {
  int rounds = timing_rounds(argc, argv), file = open(argv[1], O_RDONLY);
  timing t = {0};
  for (int i = 0; i < rounds; i++) {
    Dwarf *dwarf = dwarf_begin(file, DWARF_C_READ);
    Dwarf_Off at = 0, next;
    size_t header, count;
    Dwarf_Lines *lines;
    Dwarf_Die die;
    if (!dwarf)
      timing_fail(argv[1], dwarf_errmsg(-1));
    timing_start(&t);
    for (; dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next)
      if (dwarf_offdie(dwarf, at + header, &die) && dwarf_getsrclines(&die, &lines, &count) == 0)
        t.rows += count;
    timing_stop(&t);
    dwarf_end(dwarf);
  }
  timing_print(&t, rounds);
  return 0;
}
