/* fuzz_run.c - any bytes as the JSON lines of a run: nothing crashes, and what is read back is written the same again,
 * as are the sections of pages. */
#include "reports/report.h"
#include "require.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static dloc_buffer json_of(const record *r) {
  dloc_buffer text = {0};
  require(report_json(r, dloc_buffer_sink(&text)) == DLOC_OK);
  return text;
}

static void read_again(const record *r) {
  record again;
  dloc_buffer first = json_of(r);
  require(record_read((dloc_text){first.bytes, first.size}, NULL, &again) == DLOC_OK);
  dloc_buffer second = json_of(&again);
  require(first.size == second.size && memcmp(first.bytes, second.bytes, first.size) == 0);
  record_deinit(&again);
  dloc_buffer_deinit(&first);
  dloc_buffer_deinit(&second);
}

static void write_all(const record *r) {
  dloc_buffer other = {0};
  writer w = {.sink = dloc_buffer_sink(&other)};
  page_run(&w, "run", r);
  page_run(&w, "earlier", r);
  require(write_finish(&w) == DLOC_OK);
  dloc_buffer_deinit(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  record r;
  value_diagnostic diagnostic;
  if (record_read((dloc_text){(const char *)bytes, size}, &diagnostic, &r) != DLOC_OK)
    return 0;
  read_again(&r);
  write_all(&r);
  record_deinit(&r);
  return 0;
}
