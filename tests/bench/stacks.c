/* usage: stacks FILE [LOOKUPS [addresses]]
 *
 * Looks up addresses in FILE by libdloc and by libdwfl of elfutils: random ones in its code, the same in every run.
 *
 *   dloc-rows       dloc_symbolizer_ask: rows and layers.
 *   dloc-stacks     dloc_symbolizer_ask: frames and layers.
 *   libdwfl-rows    dwfl_module_getsrc and dwfl_lineinfo.
 *   libdwfl-stacks  The same, with dwfl_module_addrdie and dwarf_getscopes.
 *
 * Each has a line: the name, how many lookups, how many found a row, how many frames, the seconds of the processor that
 * they took, and how many layers, tabs between. A lookup of every hundredth address comes before, so that each library
 * has read all that it reads only once. With the word `addresses` it prints the addresses, and does nothing else. */
#include "objects/dloc_symbolizer.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t *addresses;
static size_t count = 1000000, layers;

static void fail(const char *what) {
  fprintf(stderr, "stacks: %s\n", what);
  exit(2);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns how many frames an address has, and whether it has a row. */
typedef size_t lookup(void *user, uint64_t address, size_t *rows);

/* A lookup that takes milliseconds is not done a million times. */
static void measure(const char *name, lookup *look, void *user) {
  size_t rows = 0, frames = 0, done = 0;
  for (size_t i = 0; i < count; i += 100)
    frames += look(user, addresses[i], &rows);
  rows = frames = layers = 0;
  double start = seconds();
  for (; done < count && (done % 1000 || seconds() - start < 5); done++)
    frames += look(user, addresses[done], &rows);
  printf("%s\t%zu\t%zu\t%zu\t%.6f\t%zu\n", name, done, rows, frames, seconds() - start, layers);
  fflush(stdout);
}

/* ---- libdloc ---- */

static size_t our_answer(void *user, uint64_t address, size_t *rows) {
  dloc_symbol symbol;
  if (dloc_symbolizer_ask(user, address, &symbol) != DLOC_OK)
    fail("libdloc");
  *rows += symbol.frame_count && symbol.frames[0].line;
  layers += symbol.layer_count;
  return symbol.frame_count;
}

static void measure_ours(dloc_text bytes) {
  static const struct {
    const char *name;
    dloc_symbolizer_parts parts;
  } modes[] = {{"dloc-rows", DLOC_SYMBOLIZE_ROWS}, {"dloc-stacks", DLOC_SYMBOLIZE_ALL}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    const dloc_symbolizer_options options = {.parts = modes[i].parts};
    dloc_context *context = dloc_context_create(NULL);
    dloc_object *object;
    dloc_symbolizer *symbolizer;
    dloc_diagnostic diagnostic;
    if (!context || dloc_object_open(context, bytes, &diagnostic, &object) != DLOC_OK ||
        dloc_symbolizer_open(object, &options, &diagnostic, &symbolizer) != DLOC_OK)
      fail("libdloc: the file");
    measure(modes[i].name, our_answer, symbolizer);
    dloc_symbolizer_close(symbolizer);
    dloc_object_close(object);
    dloc_context_destroy(context);
  }
}

/* ---- libdwfl ---- */

typedef struct theirs {
  Dwfl_Module *module;
  GElf_Addr bias;
} theirs;

/* With its path, line and column, as libdloc gives them. */
static size_t their_row(void *user, uint64_t address, size_t *rows) {
  theirs *t = user;
  int line, column;
  Dwfl_Line *found = dwfl_module_getsrc(t->module, address + t->bias);
  *rows += found && dwfl_lineinfo(found, NULL, &line, &column, NULL, NULL);
  return 0;
}

static size_t their_frames(void *user, uint64_t address, size_t *rows) {
  theirs *t = user;
  Dwarf_Addr bias;
  Dwarf_Die *scopes = NULL, *unit = dwfl_module_addrdie(t->module, address + t->bias, &bias);
  size_t frames = 0;
  (void)their_row(user, address, rows);
  int found = unit ? dwarf_getscopes(unit, address + t->bias - bias, &scopes) : 0;
  for (int i = 0; i < found; i++) {
    int tag = dwarf_tag(&scopes[i]);
    frames += tag == 0x1d || tag == 0x2e; /* inlined_subroutine, subprogram */
  }
  free(scopes);
  return frames;
}

static void measure_theirs(const char *path) {
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = dwfl_offline_section_address};
  Dwfl *dwfl = dwfl_begin(&callbacks);
  theirs t;
  Dwarf_Addr bias;
  if (!dwfl || !(t.module = dwfl_report_offline(dwfl, path, path, -1)) || dwfl_report_end(dwfl, NULL, NULL) ||
      !dwfl_module_getelf(t.module, &t.bias) || !dwfl_module_getdwarf(t.module, &bias))
    fail("libdwfl");
  measure("libdwfl-rows", their_row, &t);
  measure("libdwfl-stacks", their_frames, &t);
  dwfl_end(dwfl);
}

/* ---- Addresses ---- */

/* In .text; a fixed sequence of random numbers. */
static void choose_addresses(char *bytes, size_t size) {
  elf_version(EV_CURRENT);
  Elf *elf = elf_memory(bytes, size);
  GElf_Shdr header, text = {.sh_size = 0};
  size_t names;
  if (!elf || elf_getshdrstrndx(elf, &names))
    fail("this is no ELF file");
  for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
    if (gelf_getshdr(s, &header) && !strcmp(elf_strptr(elf, names, header.sh_name), ".text"))
      text = header;
  uint64_t random = 88172645463325252;
  addresses = malloc(count * sizeof *addresses);
  if (!addresses || !text.sh_size)
    fail("there is no .text");
  for (size_t i = 0; i < count; i++) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    addresses[i] = text.sh_addr + random % text.sh_size;
  }
  elf_end(elf);
}

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file || fseek(file, 0, SEEK_END))
    fail("usage: stacks FILE [LOOKUPS]");
  if (argc > 2)
    count = strtoul(argv[2], NULL, 10);
  size_t size = (size_t)ftell(file);
  char *bytes = malloc(size + 1);
  rewind(file);
  if (!bytes || !count || fread(bytes, 1, size, file) != size)
    fail("the file cannot be read");
  fclose(file);
  choose_addresses(bytes, size);
  for (size_t i = 0; argc > 3 && i < count; i++)
    printf("0x%llx\n", (unsigned long long)addresses[i]);
  if (argc <= 3) {
    measure_ours((dloc_text){bytes, size});
    measure_theirs(argv[1]);
  }
  free(addresses);
  free(bytes);
}
