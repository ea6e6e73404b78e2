/* Any bytes as what an assembler made of one of four modules without its layers: they are refused with a diagnostic, or
 * the layers are put in, and then the result is as sound as what was there before. The seeds, in corpus-assemble, are
 * what llvm-as made of each. */
#include "dloc_formats.h"
#include "mutate.h"
#include "require.h"

#include <stdio.h>
#include <string.h>

/* A module, and the profile whose form it has. */
typedef struct input {
  const char *path, *profile;
  char ll[8192];
  size_t size;
} input;

static input inputs[] = {{.path = "tests/lit/Inputs/layers.ll", .profile = "rfc"},
                         {.path = "tests/lit/Inputs/irlayers.ll", .profile = "pr215666"},
                         {.path = "tests/fuzz/assemble-tuple.ll", .profile = "rfc"},
                         {.path = "tests/fuzz/assemble-lists.ll", .profile = "pr215666"}};
enum { INPUTS = sizeof inputs / sizeof *inputs };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  for (size_t i = 0; i < INPUTS; i++) {
    FILE *file = fopen(inputs[i].path, "rb"); /* in the repository's folder */
    require(file != NULL);
    inputs[i].size = fread(inputs[i].ll, 1, sizeof inputs[i].ll, file);
    require(inputs[i].size > 0 && inputs[i].size < sizeof inputs[i].ll);
    fclose(file);
  }
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
  require(context != NULL);
  dloc_status status = dloc_bitcode_items(context, bytes, &diagnostic, pass_item, NULL);
  dloc_context_destroy(context);
  return status == DLOC_OK;
}

static bool can_be_read(dloc_text bytes) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_context *context = dloc_context_create(NULL);
  require(context != NULL);
  dloc_status status = dloc_read_bitcode(context, NULL, bytes, &diagnostic, &module, NULL);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
  return status == DLOC_OK;
}

static void assemble(const input *in, dloc_text bytes, dloc_buffer *ret) {
  dloc_diagnostic diagnostic;
  dloc_module *module = NULL;
  dloc_assembly *assembly = NULL;
  dloc_context *context = dloc_context_create(NULL);
  const dloc_profile *profile = dloc_profile_find(dloc_text_of(in->profile));
  require(profile && context && dloc_read_ll(context, (dloc_text){in->ll, in->size}, &diagnostic, &module) == DLOC_OK);
  require(dloc_assembly_create(module, profile, &assembly) == DLOC_OK);
  dloc_status status = dloc_assembly_bitcode(assembly, bytes, &diagnostic, dloc_buffer_sink(ret));
  require(status == DLOC_OK ||
          (status == DLOC_INVALID && diagnostic.reason != DLOC_REASON_NONE && diagnostic.message[0]));
  require((status == DLOC_OK) == (ret->bytes != NULL));
  dloc_assembly_destroy(assembly);
  dloc_module_destroy(module);
  dloc_context_destroy(context);
}

static void try_assembling(const input *in, dloc_text bytes) {
  dloc_buffer output = {0};
  assemble(in, bytes, &output);
  if (output.bytes) {
    dloc_text made = {output.bytes, output.size};
    require(has_sound_items(made) || !has_sound_items(bytes));
    require(can_be_read(made) || !can_be_read(bytes));
  }
  dloc_buffer_deinit(&output);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_mostly(mutate_bitcode, data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t i = 0; i < INPUTS; i++)
    try_assembling(&inputs[i], (dloc_text){(const char *)data, size});
  return 0;
}
