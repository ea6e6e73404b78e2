/* Rows of dloc_symbolizer.h. */
#include "contract.h"
#include "objects/dloc_symbolizer.h"

/* An executable whose table of a layer GNU ld has merged into .debug_line. */
static dloc_status open_executable(world *w, dloc_object **ret) {
  return dloc_object_open(w->context, (dloc_text){contract_executable.bytes, contract_executable.size}, &w->diagnostic,
                          ret);
}
static dloc_status open_symbolizer(world *w, dloc_object *object, dloc_symbolizer **ret) {
  return dloc_symbolizer_open(object, NULL, &w->diagnostic, ret);
}
static dloc_status keep_no_symbolizer(world *w, dloc_object *object, void *ret) {
  MADE(open_symbolizer(w, object, ret), dloc_symbolizer_close(*(dloc_symbolizer **)ret));
}
/* With an object for the call; result: of what is called. */
#define WITH_OBJECT(open, result)                                                                                      \
  dloc_object *object = NULL;                                                                                          \
  dloc_status status = (open);                                                                                         \
  if (status == DLOC_OK)                                                                                               \
    status = (result);                                                                                                 \
  dloc_object_close(object);                                                                                           \
  return status
CALL(dloc_object_address_at) {
  WITH_OBJECT(open_executable(w, &object), found(dloc_object_address_at(object, wrong ? 0x100000 : 0x1001, ret)));
}
CALL(dloc_symbolizer_open) {
  WITH_OBJECT(wrong ? contract_open_object(w, true, &object) : open_executable(w, &object),
              keep_no_symbolizer(w, object, ret));
}
static dloc_status ask(world *w, dloc_object *object, dloc_status (*call)(dloc_symbolizer *of, void *ret), void *ret) {
  dloc_symbolizer *symbolizer = NULL;
  dloc_status status = open_symbolizer(w, object, &symbolizer);
  if (status == DLOC_OK)
    status = call(symbolizer, ret);
  dloc_symbolizer_close(symbolizer);
  return status;
}
static dloc_status ask_address(dloc_symbolizer *symbolizer, void *ret) {
  return dloc_symbolizer_ask(symbolizer, 0x401001, ret);
}
MEMORY_CALL(dloc_symbolizer_ask) { WITH_OBJECT(open_executable(w, &object), ask(w, object, ask_address, ret)); }

MEMORY_CALL(dloc_object_unselect) {
  const dloc_text file = {contract_executable.bytes, contract_executable.size};
  dloc_buffer *bytes = ret;
  WITH_OBJECT(open_executable(w, &object),
              dloc_object_unselect(object, file, &w->diagnostic, bytes, (bool *)(bytes + 1)));
}

static dloc_status make_layer_lines(world *w, dloc_layer_lines **ret) {
  const dloc_layer_sections sections = {.of_all = {.address_size = 8}, .code = {.address_size = 8}};
  return dloc_layer_lines_create(w->context, &w->profile, &sections, NULL, NULL, ret);
}
MEMORY_CALL(dloc_layer_lines_create) {
  MADE(make_layer_lines(w, ret), dloc_layer_lines_destroy(*(dloc_layer_lines **)ret));
}
MEMORY_CALL(dloc_layer_lines_find) {
  dloc_layer_lines *lines = NULL;
  const dloc_layer_line **found_lines = ret;
  dloc_status status = make_layer_lines(w, &lines);
  if (status == DLOC_OK)
    status = dloc_layer_lines_find(lines, 0x401001, found_lines, (size_t *)(found_lines + 1));
  dloc_layer_lines_destroy(lines);
  return status;
}

static const contract_row rows[] = {
    ROW(dloc_object_address_at),         ROW(dloc_symbolizer_open),         MEMORY_ROW(dloc_symbolizer_ask),
    MEMORY_ROW(dloc_layer_lines_create), MEMORY_ROW(dloc_layer_lines_find), MEMORY_ROW(dloc_object_unselect),
};
const contract_rows contract_of_symbolizer = {rows, sizeof rows / sizeof *rows};
