/* usage: libdw FILE: the rows of each line table as libdw keeps them, sorted by address, in the form of `dloc lines
 * --tsv`. Sections of relocatable objects stand at address 0. */
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *why) {
  fprintf(stderr, "libdw: %s: %s\n", what, why);
  exit(1);
}

/* Relative to its section in a relocatable object; the end of a sequence is
 * the start of what libdwfl puts behind it. */
static Dwarf_Addr place(Dwfl_Module *module, Dwarf_Addr address, bool end) {
  Dwarf_Addr result = address - end;
  return dwfl_module_relocations(module) > 1 && dwfl_module_relocate_address(module, &result) >= 0 ? result + end
                                                                                                   : address;
}

static void print_row(Dwfl_Module *module, Dwarf_Line *line) {
  Dwarf_Addr address = 0;
  int number = 0, column = 0;
  unsigned discriminator = 0;
  bool statement = false, block = false, prologue = false, epilogue = false, end = false;
  dwarf_lineaddr(line, &address);
  dwarf_lineno(line, &number);
  dwarf_linecol(line, &column);
  dwarf_linediscriminator(line, &discriminator);
  dwarf_linebeginstatement(line, &statement);
  dwarf_lineblock(line, &block);
  dwarf_lineprologueend(line, &prologue);
  dwarf_lineepiloguebegin(line, &epilogue);
  dwarf_lineendsequence(line, &end);
  const char *file = dwarf_linesrc(line, NULL, NULL); /* "???" is number 0 of versions before 5 */
  bool has_file = file && strcmp(file, "???") != 0;
  if (!file)
    (void)dwarf_errno(); /* forget it: there is no file of that number */
  printf("%016" PRIx64 "\t%s\t%d\t%d\t%u\t%s%s%s%s%s\n", place(module, address, end), has_file ? file : "", number,
         column, discriminator, statement ? "s" : "", block ? "b" : "", prologue ? "p" : "", epilogue ? "e" : "",
         end ? "E" : "");
}

int main(int argc, char **argv) {
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = dwfl_offline_section_address};
  if (argc != 2)
    stop("usage", "libdw FILE");
  Dwfl *dwfl = dwfl_begin(&callbacks);
  Dwfl_Module *module = dwfl ? dwfl_report_offline(dwfl, "", argv[1], -1) : NULL;
  Dwarf_Addr bias;
  Dwarf *dwarf = module ? dwfl_module_getdwarf(module, &bias) : NULL;
  if (!dwarf)
    stop(argv[1], dwfl_errmsg(-1));
  Dwarf_CU *unit = NULL;
  Dwarf_Files *files;
  Dwarf_Lines *lines;
  size_t count;
  for (Dwarf_Off at = 0, next; dwarf_next_lines(dwarf, at, &next, &unit, &files, NULL, &lines, &count) == 0; at = next)
    for (size_t i = 0; i < count; i++)
      print_row(module, dwarf_onesrcline(lines, i));
  int error = dwarf_errno();
  if (error)
    stop(argv[1], dwarf_errmsg(error));
  dwfl_end(dwfl);
  return 0;
}
