/* create.c - an adapter by the name of what it speaks for. */
#include "run/runner.h"

#include <string.h>

adapter *adapter_create(const char *implementation, const char *directory) {
  if (strcmp(implementation, "model") == 0)
    return adapter_model_create();
  if (strcmp(implementation, "llvm") == 0)
    return adapter_llvm_create(directory);
  if (strcmp(implementation, "dropin") == 0)
    return adapter_dropin_create(directory);
  return adapter_command_create(implementation);
}
