/* usage: stacks FILE [LOOKUPS]
 *
 * Lookups by address in FILE, by libdloc and by libdwfl of elfutils, of the same addresses: random ones in its code, the
 * same in every run. For each of
 *   dloc-rows, dloc-stacks      the row alone; the row and the frames
 *   libdwfl-rows, libdwfl-stacks  dwfl_module_getsrc; that, dwfl_module_addrdie and dwarf_getscopes
 * a line: the name, how many lookups, how many found a row, how many frames, and the seconds of the processor that they
 * took, tabs between. What a library reads once is read before, by a lookup of every hundredth address. */
#include "formats/dloc_dwarf.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t *addresses;
static size_t count = 1000000;

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
  rows = frames = 0;
  double start = seconds();
  for (; done < count && (done % 1000 || seconds() - start < 5); done++)
    frames += look(user, addresses[done], &rows);
  printf("%s\t%zu\t%zu\t%zu\t%.6f\n", name, done, rows, frames, seconds() - start);
  fflush(stdout);
}

/* ---- libdloc ---- */

typedef struct ours {
  dloc_context *context;
  dloc_object *object;
  dloc_line_table *table;
  dloc_row_index *rows;
  const dloc_row *row;
  dloc_debug_info *info;
} ours;

static size_t our_row(void *user, uint64_t address, size_t *rows) {
  ours *o = user;
  size_t row;
  *rows += dloc_row_index_find(o->rows, address, &row);
  return 0;
}

static size_t our_frames(void *user, uint64_t address, size_t *rows) {
  ours *o = user;
  dloc_stacks *stacks = dloc_debug_info_stacks(o->info);
  const dloc_frame *frames;
  size_t row, frame_count = 0;
  bool found = dloc_row_index_find(o->rows, address, &row);
  *rows += found;
  if (dloc_stacks_frames(stacks, dloc_stacks_unit(stacks, address), address, found ? &o->row[row] : NULL, &frames,
                         &frame_count) != DLOC_OK)
    fail("libdloc");
  return frame_count;
}

static dloc_text section(ours *o, const char *name) {
  dloc_diagnostic diagnostic;
  dloc_object_section found;
  bool ignored;
  if (dloc_object_section_find(o->object, dloc_text_of(name), &diagnostic, &found, &ignored) != DLOC_OK)
    fail("libdloc: a section");
  return found.bytes;
}

static void measure_ours(dloc_text bytes) {
  static ours o;
  const dloc_profile *profile = dloc_profile_at(0);
  dloc_diagnostic diagnostic;
  size_t sequences, rows;
  o.context = dloc_context_create(NULL);
  if (!o.context || dloc_object_open(o.context, bytes, &diagnostic, &o.object) != DLOC_OK)
    fail("libdloc: the file");
  dloc_object_kind kind = dloc_object_kind_of(o.object);
  const dloc_code code = dloc_object_code(o.object);
  const dloc_line_sections sections = {.line = section(&o, ".debug_line"),
                                       .str = section(&o, ".debug_str"),
                                       .line_str = section(&o, ".debug_line_str"),
                                       .big_endian = kind.big_endian,
                                       .address_size = kind.address_size};
  if (dloc_line_table_read(o.context, profile, &sections, NULL, NULL, &o.table) != DLOC_OK)
    fail("libdloc: the line table");
  const dloc_rows *all = dloc_line_table_rows(o.table);
  (void)dloc_rows_sequences(all, &sequences);
  o.row = dloc_rows_list(all, &rows);
  if (dloc_row_index_create(o.context, profile, &code, all, 0, sequences, &o.rows) != DLOC_OK ||
      dloc_debug_info_open(o.object, profile, NULL, NULL, &diagnostic, &o.info) != DLOC_OK)
    fail("libdloc: the DIEs");
  measure("dloc-rows", our_row, &o);
  measure("dloc-stacks", our_frames, &o);
  dloc_debug_info_close(o.info);
  dloc_row_index_destroy(o.rows);
  dloc_line_table_destroy(o.table);
  dloc_object_close(o.object);
  dloc_context_destroy(o.context);
}

/* ---- libdwfl ---- */

typedef struct theirs {
  Dwfl_Module *module;
  GElf_Addr bias;
} theirs;

static size_t their_row(void *user, uint64_t address, size_t *rows) {
  theirs *t = user;
  *rows += dwfl_module_getsrc(t->module, address + t->bias) != NULL;
  return 0;
}

static size_t their_frames(void *user, uint64_t address, size_t *rows) {
  theirs *t = user;
  Dwarf_Addr bias;
  Dwarf_Die *scopes = NULL, *unit = dwfl_module_addrdie(t->module, address + t->bias, &bias);
  size_t frames = 0;
  *rows += dwfl_module_getsrc(t->module, address + t->bias) != NULL;
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
  measure_ours((dloc_text){bytes, size});
  measure_theirs(argv[1]);
  free(addresses);
  free(bytes);
}
