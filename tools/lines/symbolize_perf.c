/* dloc symbolize: samples as `perf script` prints them.
 *
 * Lines are read, of whatever fields, that end in `ADDRESS SYMBOL (PROGRAM)`, or a part of it; the address is the first
 * field, or the one behind the name of an event and a colon. With call chains an empty line ends a sample, and its
 * first address counts. Lines with PERF_RECORD_MMAP tell where a program was loaded. */
#include "document/memory.h"
#include "symbolize.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where a part of the file was loaded. */
typedef struct mapping {
  uint64_t start, size, offset;
} mapping;

typedef struct reader {
  const dloc_object *object;
  const char *program;  /* the last part of the file's name */
  const uint64_t *base; /* NULL: not told */
  mapping *mappings;
  size_t mapping_count;
  bool in_chain; /* the sample's own address was met */
  bool chains;   /* a line of an event had no address */
  symbolize_samples samples;
} reader;

/* ---- Lines ---- */

/* Whether a path, and nothing behind it up to end, is that of the program, wherever it was. */
static bool is_program(const reader *r, const char *path, const char *end) {
  const char *name = end;
  while (name > path && name[-1] != '/')
    name--;
  return strlen(r->program) == (size_t)(end - name) && memcmp(r->program, name, (size_t)(end - name)) == 0;
}

/* "PERF_RECORD_MMAP2 1/1: [0x1000(0x2000) @ 0x3000 08:01 4 5]: r-xp /a/program" */
static bool read_mapping(reader *r, const char *line) {
  const char *record = strstr(line, "PERF_RECORD_MMAP"), *at = record ? strchr(record, '[') : NULL;
  const char *behind = at ? strstr(at, "]: ") : NULL, *path = behind ? strpbrk(behind + 3, " \t") : NULL;
  mapping m;
  if (path && is_program(r, path + 1, path + strlen(path)) &&
      sscanf(at, "[0x%" SCNx64 "(0x%" SCNx64 ") @ %" SCNi64, &m.start, &m.size, (int64_t *)&m.offset) == 3)
    *MEMORY_ADD(r->mappings, r->mapping_count) = m;
  return record != NULL;
}

/* "cycles:u:", but neither "12.345678:" nor "5/5:". */
static bool is_event(const char *field, size_t size) {
  bool letter = false;
  for (size_t i = 0; i < size; i++)
    letter = letter || isalpha((unsigned char)field[i]);
  return letter && field[size - 1] == ':';
}

typedef enum line_kind { LINE_OTHER, LINE_EVENT, LINE_ADDRESS } line_kind;

/* The first field, or the one behind an event; LINE_EVENT: an event, with nothing behind it. */
static line_kind find_address(const char *line, uint64_t *ret) {
  bool behind_event = false;
  for (size_t number = 0; *(line += strspn(line, " \t")); number++) {
    size_t size = strcspn(line, " \t");
    if ((number == 0 || behind_event) && size <= 16 && symbolize_read_digits(line, ret) == line + size &&
        (number || !strstr(line, ": ")))
      return LINE_ADDRESS;
    if (behind_event)
      return LINE_OTHER;
    behind_event = is_event(line, size);
    line += size;
  }
  return behind_event ? LINE_EVENT : LINE_OTHER;
}

/* The text between the last parentheses; without any, it is of the file. */
static bool is_of_file(const reader *r, const char *line) {
  const char *end = strrchr(line, ')'), *begin = end && !end[1] ? end : NULL;
  for (size_t depth = 0; begin; begin--) {
    depth += *begin == ')';
    depth -= *begin == '(';
    if (!depth || begin == line)
      break;
  }
  return !begin || is_program(r, begin + 1, end);
}

/* ---- Samples ---- */

/* The address in the file for one of a process; an address that was not loaded is one already. */
static uint64_t address_of_file(const reader *r, uint64_t address) {
  uint64_t ret;
  for (size_t i = r->mapping_count; i-- > 0;) {
    const mapping *m = &r->mappings[i];
    if (address >= m->start && address - m->start < m->size &&
        dloc_object_address_at(r->object, address - m->start + m->offset, &ret))
      return ret;
  }
  return r->base && address >= *r->base ? address - *r->base + dloc_object_base(r->object) : address;
}

static void read_line(reader *r, char *line) {
  uint64_t address;
  line[strcspn(line, "\r\n")] = '\0';
  for (size_t size = strlen(line); size && isspace((unsigned char)line[size - 1]);)
    line[--size] = '\0';
  if (!line[0]) {
    r->in_chain = false;
    return;
  }
  if (read_mapping(r, line))
    return;
  line_kind kind = find_address(line, &address);
  r->chains = r->chains || kind == LINE_EVENT || (kind == LINE_ADDRESS && line[0] == '\t');
  if (kind != LINE_ADDRESS)
    r->samples.bad_lines += kind == LINE_OTHER && line[0] != '#';
  else if (!r->in_chain && is_of_file(r, line))
    *MEMORY_ADD(r->samples.items, r->samples.count) = (symbolize_sample){address_of_file(r, address), 1};
  r->in_chain = kind == LINE_ADDRESS && r->chains;
}

static int by_address(const void *a, const void *b) {
  const symbolize_sample *x = a, *y = b;
  return (x->address > y->address) - (x->address < y->address);
}

/* The most frequent first. */
static int by_count(const void *a, const void *b) {
  const symbolize_sample *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : by_address(a, b);
}

static void sum(symbolize_samples *samples) {
  size_t count = 0;
  if (!samples->count)
    return;
  qsort(samples->items, samples->count, sizeof *samples->items, by_address);
  for (size_t i = 0; i < samples->count; i++)
    if (count && samples->items[count - 1].address == samples->items[i].address)
      samples->items[count - 1].count++;
    else
      samples->items[count++] = samples->items[i];
  samples->count = count;
  qsort(samples->items, count, sizeof *samples->items, by_count);
}

symbolize_samples symbolize_read_perf(FILE *from, const char *path, const dloc_object *object, const uint64_t *base) {
  const char *slash = strrchr(path, '/');
  reader r = {.object = object, .program = slash ? slash + 1 : path, .base = base};
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, from) >= 0)
    read_line(&r, line);
  free(line);
  free(r.mappings);
  sum(&r.samples);
  return r.samples;
}
