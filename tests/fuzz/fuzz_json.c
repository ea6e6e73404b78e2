/* fuzz_json.c - any bytes as the playground's JSON: a diagnostic, or a document that is written and read the same
 * again. */
#define value_read_one read_json /* libyaml reads the program's own documents */
#include "../../playground/libc/json.c"

#include "document/buffer.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool read_and_write(dloc_text text, dloc_buffer *ret) {
  value_arena arena = {0};
  value_diagnostic diagnostic = {.line = 0};
  value *document = NULL;
  dloc_status status = read_json(text, &arena, &diagnostic, &document);
  require(status == DLOC_OK || (status == DLOC_INVALID && diagnostic.line && diagnostic.column <= text.size + 1));
  require(status != DLOC_OK || value_write_json(document, buffer_sink(ret)) == DLOC_OK);
  value_arena_deinit(&arena);
  return status == DLOC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  dloc_buffer first = {0}, second = {0};
  if (read_and_write((dloc_text){(const char *)bytes, size}, &first)) {
    require(read_and_write(buffer_text(&first), &second));
    require(dloc_text_equal(buffer_text(&first), buffer_text(&second)));
  }
  dloc_buffer_deinit(&first);
  dloc_buffer_deinit(&second);
  return 0;
}
