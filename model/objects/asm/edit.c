/* edit.c - an assembler text whose lines change. */
#include "asm.h"
#include "nodes/metadata.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

dloc_status asm_edit_add(dloc_context *context, asm_edits *edits, size_t at, size_t end, dloc_text text) {
  PUSH(context, edits->items, (asm_edit){at, end, edits->bytes.size, text.size});
  return sink_text(dloc_buffer_sink(&edits->bytes), text);
}

dloc_status asm_edit_value(dloc_context *context, asm_edits *edits, const asm_value *parts, size_t count,
                           uint64_t number) {
  size_t size = parts->size == 1 ? count : parts->size;
  bool fits = size >= 8 || number >> 8 * size == 0;
  for (size_t i = 0; i < count; i++) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, fits ? parts->size == 1 ? number >> 8 * i & 0xff : number : 0);
    TRY(asm_edit_add(context, edits, parts[i].at, parts[i].end, dloc_text_of(text)));
  }
  return DLOC_OK;
}

dloc_status asm_print(dloc_sink sink, const char *format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return sink_bytes(sink, text, (size_t)size);
}

dloc_status asm_print_string(dloc_text text, dloc_sink sink) {
  TRY(sink_bytes(sink, "\"", 1));
  for (size_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.bytes[i];
    char escape[5] = {'\\', (char)c};
    if (c < 0x20 || c >= 0x7f)
      snprintf(escape, sizeof escape, "\\%03o", c);
    bool plain = c != '"' && c != '\\' && c >= 0x20 && c < 0x7f;
    TRY(sink_string(sink, plain ? escape + 1 : escape));
  }
  return sink_bytes(sink, "\"", 1);
}

/* Sorted by place; those of one place stay in the order of their addition. */
static int compare(const void *a, const void *b) {
  const asm_edit *left = a, *right = b;
  int order = ORDER(left->at, right->at);
  return order ? order : ORDER(left->first, right->first);
}

dloc_status asm_edits_write(asm_edits *edits, dloc_text text, dloc_sink sink) {
  size_t at = 0;
  SORT(edits->items, compare);
  for (size_t i = 0; i < edits->items.count; i++) {
    const asm_edit *edit = &edits->items.items[i];
    if (edit->at > at)
      TRY(sink_bytes(sink, text.bytes + at, edit->at - at));
    if (edit->size)
      TRY(sink_bytes(sink, edits->bytes.bytes + edit->first, edit->size));
    if (edit->end > at)
      at = edit->end;
  }
  return at < text.size ? sink_bytes(sink, text.bytes + at, text.size - at) : DLOC_OK;
}

void asm_edits_deinit(dloc_context *context, asm_edits *edits) {
  context_free(context, edits->items.items);
  dloc_buffer_deinit(&edits->bytes);
}
