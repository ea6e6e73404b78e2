/* dloc mlir: layers out of what MLIR's tools make. */
#include "mlir.h"
#include "tools.h"

#include <string.h>

static const tool_usage usage = {
    "dloc mlir ACTION [OPTION...] FILE...",
    "Layers of programs that MLIR lowers: its pass snapshot-op-locations with a tag writes the text of a stage,\n"
    "and gives each op its place there. LLVM IR cannot have these places; the actions make layers of them.\n"
    "\n"
    "  primary   the text without the places of snapshots: lower it, and it is the module that gets layers\n"
    "  ids       the text with a number for each location, and a table of what the numbers stand for\n"
    "\n"
    "`dloc mlir ACTION --help` tells more.\n"
    "\n"
    "Exit status: that of the action; 2 bad usage.\n",
    "dloc mlir primary --help\ndloc mlir ids --help\n", 1, -1};

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} actions[] = {{"ids", mlir_ids}, {"primary", mlir_primary}};

int tool_mlir(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof actions / sizeof *actions; i++)
    if (strcmp(argv[1], actions[i].name) == 0)
      return actions[i].run(argc - 1, argv + 1);
  const tool_option options[] = {{0}};
  tool_parse(argc, argv, &usage, options);
  tool_fail("unknown action '%s'; `dloc mlir --help` lists them", argv[0]);
}
