/* fuzz_samples.c - any bytes as what `perf script` printed: each line gives at most one sample or is counted as bad,
 * each address is there once, and the most frequent comes first. And as addresses for `dloc symbolize`: each line that
 * is not empty is one, which is the same when it is written again, or is told. */
#include "require.h"
#include "lines/symbolize.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* A program of one segment. */
typedef struct program {
  Elf64_Ehdr header;
  Elf64_Phdr segment;
} program;

static const program elf = {
    .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
               .e_type = ET_DYN,
               .e_machine = EM_X86_64,
               .e_version = EV_CURRENT,
               .e_phoff = offsetof(program, segment),
               .e_ehsize = sizeof(Elf64_Ehdr),
               .e_phentsize = sizeof(Elf64_Phdr),
               .e_phnum = 1},
    .segment = {.p_type = PT_LOAD, .p_offset = 0x1000, .p_vaddr = 0x401000, .p_filesz = 0x1000, .p_memsz = 0x1000}};

static void check_samples(const symbolize_samples *samples, size_t lines) {
  uint64_t all = samples->bad_lines;
  for (size_t i = 0; i < samples->count; i++) {
    const symbolize_sample *sample = &samples->items[i];
    all += sample->count;
    require(sample->count > 0);
    require(!i || sample[-1].count > sample->count ||
            (sample[-1].count == sample->count && sample[-1].address < sample->address));
  }
  require(all <= lines);
}

/* ---- Addresses ---- */

static void take_line(void *user, size_t line, const char *text, symbolize_address *address) {
  size_t *last = user;
  char written[24];
  symbolize_address again;
  require(line > *last && (text ? !strpbrk(text, " \t\r\n") : !address));
  *last = line;
  if (!address)
    return;
  require(address->name.bytes == text && (!address->name.size || text[address->name.size] == '+'));
  snprintf(written, sizeof written, "0x%" PRIx64, address->offset);
  require(symbolize_read_address(written, &again) && again.offset == address->offset && again.shown == address->shown &&
          !again.name.size);
}

static void check_addresses(const uint8_t *bytes, size_t size, size_t lines) {
  FILE *file = tmpfile();
  size_t last = 0, too_long = 0;
  require(file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && lseek(fileno(file), 0, SEEK_SET) == 0);
  require(symbolize_read_addresses(fileno(file), take_line, &last, &too_long) == 0 && last <= lines && !too_long);
  fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const uint64_t base = 0x10000;
  dloc_context *context = dloc_context_create(NULL);
  dloc_diagnostic diagnostic;
  dloc_object *object = NULL;
  size_t lines = 1;
  require(context &&
          dloc_object_open(context, (dloc_text){(const char *)&elf, sizeof elf}, &diagnostic, &object) == DLOC_OK);
  for (size_t i = 0; i < size; i++)
    lines += bytes[i] == '\n';
  for (size_t i = 0; size && i < 2; i++) {
    FILE *file = fmemopen((void *)(uintptr_t)bytes, size, "r");
    require(file != NULL);
    symbolize_samples samples = symbolize_read_perf(file, "bin/app", object, i ? &base : NULL);
    check_samples(&samples, lines);
    free(samples.items);
    fclose(file);
  }
  check_addresses(bytes, size, lines);
  dloc_object_close(object);
  dloc_context_destroy(context);
  return 0;
}
