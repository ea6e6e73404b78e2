/* fuzz_api.c - any bytes as calls of the public functions, in two contexts by turns; allocations of some fail. The
 * bytes choose calls and arguments; behind their end, numbers that follow from them. */
#include "api/api.h"

static const api_calls *const groups[] = {&calls_of_metadata, &calls_of_rules,   &calls_of_modules, &calls_of_formats,
                                          &calls_of_lines,    &calls_of_objects, &calls_of_hidden,  &calls_of_mlir};
enum { GROUPS = sizeof groups / sizeof *groups, MOST_CALLS = 200 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  read_files();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static _Thread_local world worlds[2];
  chooser from = {data, size, 0x9e3779b97f4a7c15};
  for (size_t i = 0; i < 2; i++)
    world_begin(&worlds[i], &from);
  /* What most rules need; a sequence is mostly about a few groups. */
  size_t count = 20 + below(&from, MOST_CALLS), usual = below(&from, GROUPS);
  for (size_t i = 0; i < count; i++) {
    size_t at = once_in(&from, 3) ? 0 : once_in(&from, 2) ? usual : below(&from, GROUPS);
    world *w = &worlds[once_in(&from, 4)];
    groups[at]->calls[below(&from, groups[at]->count)](w);
  }
  for (size_t i = 0; i < 2; i++)
    world_end(&worlds[i]);
  return 0;
}
