/* Any text as MLIR's, with the tag `t`: it is refused with a diagnostic, or the text that is written of it can be read
 * again. That has as many locations, and no tag is left in its primaries. The rest of it is as it was. */
#include "objects/mlir/places.h"
#include "require.h"

#include <string.h>

static dloc_text text_of(const dloc_buffer *buffer) {
  return (dloc_text){buffer->size ? buffer->bytes : "", buffer->size};
}

static dloc_mlir *read_again(dloc_context *context, const dloc_buffer *buffer) {
  dloc_diagnostic diagnostic;
  dloc_mlir *mlir = NULL;
  require(dloc_mlir_read(context, text_of(buffer), &diagnostic, &mlir) == DLOC_OK);
  return mlir;
}

/* Two texts are one but for the bytes of their locations. */
static void compare_rests(const dloc_mlir *a, dloc_text a_text, const dloc_mlir *b, dloc_text b_text) {
  size_t a_count, b_count, a_end = 0, b_end = 0;
  const dloc_mlir_use *a_uses = dloc_mlir_uses(a, &a_count), *b_uses = dloc_mlir_uses(b, &b_count);
  require(a_count == b_count);
  for (size_t i = 0; i <= a_count; i++) {
    const size_t a_at = i < a_count ? a_uses[i].at : a_text.size, b_at = i < b_count ? b_uses[i].at : b_text.size;
    require(dloc_text_equal((dloc_text){a_text.bytes + a_end, a_at - a_end},
                            (dloc_text){b_text.bytes + b_end, b_at - b_end}));
    a_end = i < a_count ? a_uses[i].end : a_at;
    b_end = i < b_count ? b_uses[i].end : b_at;
  }
}

static dloc_mlir_meaning *mean(dloc_context *context, dloc_mlir *mlir, dloc_node stand_in) {
  static const dloc_text tag = {"t", 1};
  const dloc_mlir_options options = {.tags = &tag, .tag_count = 1, .stand_in = stand_in};
  dloc_mlir_meaning *meaning = NULL;
  require(dloc_mlir_mean(context, mlir, &options, &meaning) == DLOC_OK);
  return meaning;
}

static void check_primary(dloc_context *context, dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_text text) {
  dloc_buffer once = {0}, twice = {0};
  require(dloc_mlir_write_primary(mlir, meaning, dloc_buffer_sink(&once)) == DLOC_OK);
  dloc_mlir *again = read_again(context, &once);
  dloc_mlir_meaning *its = mean(context, again, DLOC_NULL);
  compare_rests(mlir, text, again, text_of(&once));
  require(dloc_mlir_write_primary(again, its, dloc_buffer_sink(&twice)) == DLOC_OK);
  require(dloc_text_equal(text_of(&once), text_of(&twice)));
  dloc_mlir_meaning_destroy(its);
  dloc_mlir_destroy(again);
  dloc_buffer_deinit(&once);
  dloc_buffer_deinit(&twice);
}

static void check_ids(dloc_context *context, dloc_mlir *mlir, const dloc_mlir_meaning *meaning, dloc_hidden *table,
                      dloc_text text) {
  dloc_buffer ids = {0};
  dloc_diagnostic first;
  require(!dloc_mlir_left(mlir, meaning, &first) || (first.line && first.offset < text.size));
  require(dloc_mlir_write_ids(mlir, meaning, table, dloc_buffer_sink(&ids)) == DLOC_OK);
  dloc_mlir *again = read_again(context, &ids);
  compare_rests(mlir, text, again, text_of(&ids));
  dloc_mlir_destroy(again);
  dloc_buffer_deinit(&ids);
}

/* Each op that has a place is one of the text. */
static void check_places(dloc_context *context, dloc_text text, const dloc_mlir_ops *ops, bool is_read) {
  place_ops *places = NULL;
  dloc_diagnostic diagnostic;
  require((place_ops_create(context, text, &diagnostic, &places) == DLOC_OK) == is_read);
  for (uint32_t line = 0; is_read && line < 1000; line++) {
    place_op op = place_ops_at(places, line);
    require(op.line == 0 || (op.line == line && dloc_mlir_is_op(ops, op.line, op.column)));
  }
  place_ops_destroy(places);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const dloc_text text = {(const char *)data, size};
  dloc_diagnostic diagnostic;
  dloc_mlir *mlir = NULL;
  dloc_mlir_ops *ops = NULL;
  dloc_hidden *table = NULL;
  dloc_node stand_in = DLOC_NULL;
  dloc_context *context = dloc_context_create(NULL);
  require(context != NULL && dloc_hidden_create(context, &table) == DLOC_OK);
  require(dloc_hidden_begin(table, DLOC_HIDDEN_IN_LINE, 1) == DLOC_OK);
  require(dloc_hidden_stand_in(table, DLOC_NULL, &stand_in) == DLOC_OK);
  if (dloc_mlir_read(context, text, &diagnostic, &mlir) == DLOC_OK) {
    dloc_mlir_meaning *meaning = mean(context, mlir, stand_in);
    check_primary(context, mlir, meaning, text);
    check_ids(context, mlir, meaning, table, text);
    dloc_mlir_meaning_destroy(meaning);
  } else
    require(diagnostic.offset <= size && diagnostic.line > 0 && diagnostic.column > 0 && diagnostic.message[0]);
  require(dloc_mlir_ops_create(context, text, &ops) == DLOC_OK && !dloc_mlir_is_op(ops, 0, 1));
  check_places(context, text, ops, mlir != NULL);
  dloc_mlir_ops_destroy(ops);
  dloc_mlir_destroy(mlir);
  dloc_hidden_destroy(table);
  dloc_context_destroy(context);
  return 0;
}
