/* dloc mlir: layers out of what MLIR's tools make. */
#include "mlir.h"
#include "shell/tools.h"

#include <string.h>
#include <unistd.h>

int tool_mlir(int argc, char **argv) {
  static char ids[] = "mlir ids", primary[] = "mlir primary", join[] = "mlir join";
  static const struct {
    char *name;
    int (*run)(int argc, char **argv);
  } actions[] = {{ids, mlir_ids}, {primary, mlir_primary}, {join, mlir_join}};
  for (size_t i = 0; argc > 1 && i < sizeof actions / sizeof *actions; i++)
    if (strcmp(argv[1], actions[i].name + strlen("mlir ")) == 0) {
      argv[1] = actions[i].name; /* as messages have it */
      return actions[i].run(argc - 1, argv + 1);
    }
  if (argc == 2 && argv[1][0] != '-' && access(argv[1], F_OK) != 0) {
    tool_guess guess = {.wrong = argv[1]};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
      tool_guess_offer(&guess, actions[i].name + strlen("mlir "));
    tool_fail("there is no file '%s', and no such action of `dloc mlir`%s: ids, primary, join", argv[1],
              tool_guess_words(&guess));
  }
  return mlir_lower(argc, argv);
}
