/* The layer PTX of a cubin: spec/lines.md, 16.5. */
#include "nvidia_ptx.h"

#include <stdlib.h>

dloc_text nvidia_symbol_at(void *user, size_t offset) {
  line_file *file = user;
  return dloc_object_relocation_name(file->object, file->section.index, offset);
}

void nvidia_ptx_open(nvidia_ptx *ptx, line_file *file) {
  *ptx = (nvidia_ptx){.file = file, .sass = *file};
  ptx->sass.table = NULL, ptx->sass.paths = NULL, ptx->sass.several = false;
  if (!line_file_section(&ptx->sass, ".nv_debug_line_sass", 0, &ptx->sass.section))
    return;
  line_file_read(&ptx->sass, DLOC_DIALECT_NVIDIA);
  file->errors = ptx->sass.errors;
  file->problems = ptx->sass.problems;
  tool_require(dloc_kernels_create(file->context, ptx->sass.table, nvidia_symbol_at, &ptx->sass, &ptx->kernels),
               file->input.name);
}

static const nvidia_text *text_of(nvidia_ptx *ptx, dloc_text section) {
  size_t number = names_number(&ptx->sections, section);
  if (number < ptx->text_count)
    return &ptx->texts[number];
  nvidia_text *text = MEMORY_ADD(ptx->texts, ptx->text_count);
  *text = (nvidia_text){.section = memory_copy(section)};
  dloc_object_section found;
  (void)line_file_section(ptx->file, text->section, 0, &found);
  text->bytes = memory_copy(found.bytes);
  for (size_t i = 0; i < found.bytes.size; i++)
    text->bytes[i] = (char)(text->bytes[i] == '\t' ? ' ' : text->bytes[i]);
  const dloc_text bytes = {text->bytes, found.bytes.size};
  text->count = dloc_ptx_lines(bytes, 0, NULL);
  text->lines = memory_allocate(text->count, sizeof *text->lines);
  (void)dloc_ptx_lines(bytes, text->count, text->lines);
  return text;
}

bool nvidia_ptx_find(nvidia_ptx *ptx, dloc_text kernel, uint64_t address, dloc_layer_line *ret) {
  const dloc_line_unit *unit;
  const dloc_row *row;
  if (!ptx->kernels || !dloc_kernels_find(ptx->kernels, kernel, address, &unit, &row))
    return false;
  const nvidia_text *text = text_of(ptx, dloc_ptx_section(ptx->sass.table, unit, row));
  *ret = (dloc_layer_line){.kind = dloc_text_of("PTX"),
                           .file = dloc_text_of(text->section),
                           .line = row->line,
                           .column = row->column,
                           .text = DLOC_NO_TEXT,
                           .has = DLOC_LAYER_TEXT_BEYOND};
  if (!row->line || row->line > text->count)
    return true;
  ret->has = DLOC_LAYER_TEXT_LINE;
  ret->source = text->lines[row->line - 1];
  return true;
}

void nvidia_ptx_close(nvidia_ptx *ptx) {
  for (size_t i = 0; i < ptx->text_count; i++) {
    free(ptx->texts[i].lines);
    free(ptx->texts[i].section);
    free(ptx->texts[i].bytes);
  }
  free(ptx->texts);
  names_deinit(&ptx->sections);
  dloc_kernels_destroy(ptx->kernels);
  line_file_forget(&ptx->sass);
}
