/* nvidia_ptx.h - the layer PTX of a cubin, for `dloc lines` and `dloc symbolize`. */
#pragma once

#include "document/names.h"
#include "lines.h"
#include "objects/dloc_symbolizer.h"

/* A section of PTX, by its lines. */
typedef struct nvidia_text {
  char *section;
  char *bytes; /* with blanks for tabs */
  dloc_text *lines;
  size_t count;
} nvidia_text;

typedef struct nvidia_ptx {
  line_file *file;
  line_file sass;        /* the same file; its table is .nv_debug_line_sass */
  dloc_kernels *kernels; /* NULL: there is none */
  names sections;
  nvidia_text *texts;
  size_t text_count;
} nvidia_ptx;

/* file is of NVIDIA's dialect, and outlives it. Problems of the table are its own. */
void nvidia_ptx_open(nvidia_ptx *ptx, line_file *file);
void nvidia_ptx_close(nvidia_ptx *ptx);
/* Where an address of a kernel is in PTX, which may be line 0; false: nowhere. */
bool nvidia_ptx_find(nvidia_ptx *ptx, dloc_text kernel, uint64_t address, dloc_layer_line *ret);
/* The symbol of a relocation of the file's section: a dloc_symbol_at whose user is a line_file. */
dloc_text nvidia_symbol_at(void *file, size_t offset);
