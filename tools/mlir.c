/* dloc mlir: layers out of what MLIR's tools make. */
#include "mlir.h"
#include "tools.h"

#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} actions[] = {{"ids", mlir_ids}, {"primary", mlir_primary}, {"join", mlir_join}};

int tool_mlir(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof actions / sizeof *actions; i++)
    if (strcmp(argv[1], actions[i].name) == 0)
      return actions[i].run(argc - 1, argv + 1);
  return mlir_run(argc, argv);
}
