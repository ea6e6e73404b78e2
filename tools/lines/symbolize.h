/* symbolize.h - where `dloc symbolize` has its answers from: a source is a part of a file that knows the frames at an
 * address. A source has a file of its own, symbolize_NAME.c, and a row in the table of sources in symbolize.c.
 *
 * A source gets a line_file of its own, open, of which it may read what it needs; symbolize.c closes it. */
#pragma once

#include "objects/dloc_symbolizer.h"
#include "lines.h"

/* The question: an address, or one that counts from the start of something with a name. */
typedef struct symbolize_address {
  dloc_text name;   /* of a section or function, or a kernel of a cubin; empty: none */
  dloc_text kernel; /* the name in a cubin, whose kernels all begin at 0; else empty */
  uint64_t offset;  /* of the file, or the kernel */
  uint64_t shown;   /* as it was asked for */
} symbolize_address;

/* An answer, innermost first: until the source is asked again. Texts stay valid until it is closed. */
typedef struct symbolize_frames {
  const dloc_symbol_frame *items;
  size_t count;
  const dloc_layer_line *layers; /* of a source that knows them */
  size_t layer_count;
} symbolize_frames;

typedef struct symbolize_source {
  const char *name; /* "dies" */
  /* What it keeps; NULL: the file has no such part. */
  void *(*open)(line_file *file);
  /* Add the frames at an address to an empty answer; none: it knows nothing of it. */
  void (*ask)(void *source, const symbolize_address *address, symbolize_frames *ret);
  void (*close)(void *source);
  /* Why it cannot be asked for an address; NULL: it can. A source without this knows no kernels. */
  const char *(*refuse)(const void *source, const symbolize_address *address);
  bool knows_layers;
} symbolize_source;

/* symbolize_dies.c: stacks by DIEs; rows of the line table alone. */
extern const symbolize_source symbolize_dies, symbolize_rows;
/* symbolize_nvidia.c: stacks by contexts of a cubin, the only source that knows kernels. */
extern const symbolize_source symbolize_nvidia;

/* symbolize_two_level.c: stacks by the two-level line table of the file; by one that is made of its rows and DIEs,
 * which is asked by its name alone. */
extern const symbolize_source symbolize_two_level, symbolize_made;

/* ---- Output (symbolize_print.c) ---- */

/* demangle.c: the name for people of a function in C++ or Rust, or the name itself. text: where it may stand. */
dloc_text symbolize_demangle(dloc_text name, dloc_buffer *text);

typedef enum symbolize_format { SYMBOLIZE_TEXT, SYMBOLIZE_TSV, SYMBOLIZE_JSON } symbolize_format;

typedef struct symbolize_answer {
  const symbolize_address *address;
  const char *source; /* whose answer it is, when several are printed; else NULL */
  uint64_t count;     /* of samples; 0: it was asked for */
  const symbolize_frames *frames;
  const dloc_layer_line *layers;
  size_t layer_count;
  dloc_buffer *name; /* where names for people are put together; NULL: names stay as they are */
} symbolize_answer;
/* To standard output, at once: text is where it is put together. */
void symbolize_print(symbolize_format format, const symbolize_answer *answer, dloc_buffer *text);

/* ---- Addresses (symbolize_address.c) ---- */

/* Hexadecimal digits, as many as there are. Returns where they end; NULL: there is none, or the number is too large. */
const char *symbolize_read_digits(const char *at, uint64_t *ret);
/* Hexadecimal, behind a name and a plus, if there is one, and nothing else. */
bool symbolize_read_address(const char *text, symbolize_address *ret);
/* A line that is not empty, from 1; text: what stands there up to a blank, NULL where a NUL byte is in the line;
 * address: NULL where it is none. */
typedef void symbolize_take(void *user, size_t line, const char *text, symbolize_address *address);
/* A line at a time, as soon as it is there. Returns 0 or an errno.
 * *ret_line: a line that is too long, which ends it. */
enum { SYMBOLIZE_MOST_LINE = 1 << 20 };
int symbolize_read_addresses(int from, symbolize_take *take, void *user, size_t *ret_line);

/* ---- Samples (symbolize_perf.c) ---- */

typedef struct symbolize_sample {
  uint64_t address; /* of the file */
  uint64_t count;
} symbolize_sample;

typedef struct symbolize_samples {
  symbolize_sample *items; /* each address once, the most frequent first */
  size_t count;
  size_t bad_lines; /* what could not be read */
} symbolize_samples;
/* The samples of `perf script` for the program at a path. base: where it was loaded, or NULL. */
symbolize_samples symbolize_read_perf(FILE *from, const char *path, const dloc_object *object, const uint64_t *base);

/* ---- For sources ---- */

/* Make file->section the first section of that name, and read it as a line table: file->table. False: there is none. */
bool symbolize_read(line_file *file, const char *name, dloc_line_dialect dialect);
/* The path of a file of file->table. */
dloc_text symbolize_path(line_file *file, const dloc_line_unit *unit, uint64_t number);
/* A symbolizer of a file, whose problems are printed; close it before the file. */
dloc_symbolizer *symbolize_open(line_file *file, dloc_symbolizer_parts parts);
