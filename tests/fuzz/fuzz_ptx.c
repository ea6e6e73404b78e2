/* Any text: reading it as PTX gives a diagnostic, or items in the order of the text; every rule that is broken has a
 * place in it. */
#include "objects/ptx/ptx.h"
#include "require.h"

typedef struct state {
  dloc_text text;
  ptx_checker *checker;
  uint64_t last;
  char seen;
} state;

static dloc_status on_broken(void *user, dloc_reason reason, uint64_t at) {
  const state *s = user;
  dloc_place place = {0};
  ptx_move(s->text, at, &place);
  require(reason != DLOC_REASON_NONE && at <= s->text.size && place.offset == at && place.line > 0 && place.column > 0);
  return DLOC_OK;
}

static dloc_status visit(void *user, const ptx_item *item) {
  state *s = user;
  require(item->at >= s->last && item->at <= s->text.size);
  s->last = item->at;
  if (item->text.size) /* it can be read to its end */
    s->seen ^= item->text.bytes[0] ^ item->text.bytes[item->text.size - 1];
  return ptx_check(s->checker, item);
}

/* What a module's directives would be: of two instructions, one of which has a layer. */
static void expect(dloc_context *context, ptx_comparison *comparison) {
  dloc_directive primary = {.line = 5, .column = 1}, layer = {.line = 3, .column = 6};
  require(dloc_string(context, dloc_text_of("/src/k.py"), &primary.file) == DLOC_OK &&
          dloc_string(context, dloc_text_of("k.tileir"), &layer.file) == DLOC_OK &&
          dloc_string(context, dloc_text_of("TileIR"), &layer.kind) == DLOC_OK);
  const dloc_emitted alone = {.has_primary = true, .primary = primary};
  dloc_emitted emitted = alone;
  emitted.has_layers = true;
  emitted.layers = &layer;
  emitted.layer_count = 1;
  require(ptx_expect(comparison, dloc_text_of("f"), 0, &emitted, &alone) == DLOC_OK &&
          ptx_expect(comparison, dloc_text_of("a.b"), 1, &alone, &alone) == DLOC_OK &&
          ptx_expect_text(comparison, dloc_text_of("TileIR"), layer.file, dloc_text_of("a\nb")) == DLOC_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  state s = {.text = {(const char *)data, size}};
  dloc_diagnostic diagnostic;
  dloc_context *context = dloc_context_create(NULL);
  ptx_comparison *comparison = NULL;
  require(context && ptx_checker_create(context, on_broken, &s, &s.checker) == DLOC_OK);
  require(ptx_comparison_create(context, on_broken, &s, &comparison) == DLOC_OK);
  expect(context, comparison);
  dloc_status status = ptx_read(context, s.text, visit, &s, &diagnostic);
  if (status == DLOC_OK)
    require(ptx_read(context, s.text, ptx_compare_files, comparison, &diagnostic) == DLOC_OK &&
            ptx_read(context, s.text, ptx_compare, comparison, &diagnostic) == DLOC_OK);
  else
    require(status == DLOC_INVALID && diagnostic.offset <= size && diagnostic.line > 0 && diagnostic.message[0]);
  ptx_checker_destroy(s.checker);
  ptx_comparison_destroy(comparison);
  dloc_context_destroy(context);
  return 0;
}
