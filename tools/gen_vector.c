/* gen_vector.c - vectors from text that is put together piece by piece. */
#include "gen_vector.h"

#include "document/buffer.h"

void vector_maker_init(vector_maker *g) {
  *g = (vector_maker){.completer = {.traces = true}};
  completer_init(&g->completer);
}

void vector_maker_deinit(vector_maker *g) {
  completer_deinit(&g->completer);
  dloc_buffer_deinit(&g->text);
}

void vector_maker_begin(vector_maker *g) {
  g->text.size = 0;
  value_arena_reset(&g->completer.arena);
}

dloc_status vector_maker_read(vector_maker *g, value **ret_document, vector *ret) {
  value_diagnostic diagnostic;
  return complete_read(&g->completer, buffer_text(&g->text), &diagnostic, ret_document, ret);
}

uint64_t vector_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}
