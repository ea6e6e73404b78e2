/* usage: libdw FILE: for each inlined row of NVIDIA's extended line map, as libdw tells it: address, line, function, the line of the row that is its
 * call site (0: none). */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

static int line_of(Dwarf_Line *line) {
  int number = 0;
  dwarf_lineno(line, &number);
  return number;
}

int main(int argc, char **argv) {
  Dwarf *dwarf = argc == 2 ? dwarf_begin(open(argv[1], O_RDONLY), DWARF_C_READ) : NULL;
  Dwarf_Off at = 0, next;
  Dwarf_CU *unit = NULL;
  Dwarf_Files *files;
  Dwarf_Lines *lines;
  size_t file_count, count;
  if (!dwarf)
    return 1;
  for (; dwarf_next_lines(dwarf, at, &next, &unit, &files, &file_count, &lines, &count) == 0; at = next)
    for (size_t i = 0; i < count; i++) {
      Dwarf_Line *line = dwarf_onesrcline(lines, i);
      const char *function = dwarf_linefunctionname(dwarf, line);
      Dwarf_Line *caller = dwarf_linecontext(lines, line);
      Dwarf_Addr address = 0;
      dwarf_lineaddr(line, &address);
      if (function)
        printf("%016" PRIx64 "\t%d\t%s\t%d\n", address, line_of(line), function, caller ? line_of(caller) : 0);
    }
  dwarf_end(dwarf);
  return 0;
}
