/* Any bytes as what an assembler made of tests/lit/Inputs/layers.ll without its layers: they are refused with a
 * diagnostic, or the layers are put in, and then the result is as sound as what was there before. The seed, in
 * corpus-assemble, is what llvm-as made of it. */
#include "formats/dloc_formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char ll[8192];
static size_t ll_size;

static void check(bool condition) {
  if (!condition)
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  FILE *file = fopen("tests/lit/Inputs/layers.ll", "rb"); /* in the repository's folder */
  (void)argc;
  (void)argv;
  check(file != NULL);
  ll_size = fread(ll, 1, sizeof ll, file);
  check(ll_size > 0 && ll_size < sizeof ll);
  fclose(file);
  return 0;
}

static dloc_status pass_item(void *user, const dloc_bitcode_item *item) {
  (void)user;
  (void)item;
  return DLOC_OK;
}

static bool has_sound_items(dloc_text bytes) {
  dloc_diagnostic diagnostic;
  dloc_context *context = dloc_context_create(NULL);
  check(context != NULL);
  dloc_status status = dloc_bitcode_items(context, bytes, &diagnostic, pass_item, NULL);
  dloc_context_destroy(context);
  return status == DLOC_OK;
}

static bool can_be_read(dloc_text bytes) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_context *context = dloc_context_create(NULL);
  check(context != NULL);
  dloc_status status = dloc_read_bitcode(context, NULL, bytes, &diagnostic, &module);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status == DLOC_OK;
}

static void assemble(dloc_text bytes, dloc_buffer *ret) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_assembly *assembly = NULL;
  dloc_context *context = dloc_context_create(NULL);
  check(context && dloc_read_ll(context, (dloc_text){ll, ll_size}, &diagnostic, &module) == DLOC_OK);
  check(dloc_assembly_create(module, dloc_profile_at(0), &assembly) == DLOC_OK);
  dloc_status status = dloc_assembly_bitcode(assembly, bytes, &diagnostic, dloc_buffer_sink(ret));
  check(status == DLOC_OK ||
        (status == DLOC_INVALID && diagnostic.reason != DLOC_REASON_NONE && diagnostic.message[0]));
  check((status == DLOC_OK) == (ret->bytes != NULL));
  dloc_assembly_destroy(assembly);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  dloc_text bytes = {(const char *)data, size};
  dloc_buffer output = {0};
  assemble(bytes, &output);
  if (output.bytes) {
    dloc_text made = {output.bytes, output.size};
    check(has_sound_items(made) || !has_sound_items(bytes));
    check(can_be_read(made) || !can_be_read(bytes));
  }
  dloc_buffer_deinit(&output);
  return 0;
}
