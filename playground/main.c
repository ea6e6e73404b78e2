/* main.c - `dloc COMMAND ...` of the playground: the commands that read a module, and `vector`. */
#include "playground.h"
#include "shell/tools.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
} commands[] = {{"print", tool_print},         {"verify", tool_verify},       {"merge", tool_merge},
                {"inline", tool_inline},       {"emit", tool_emit},           {"encode", tool_encode},
                {"source", tool_source},       {"convert", tool_convert},     {"project", tool_project},
                {"vector", playground_vector}, {"answer", playground_answer}, {"module", playground_module}};

int main(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
    if (strcmp(commands[i].name, argv[1]) == 0)
      tool_exit(commands[i].run(argc - 1, argv + 1));
  tool_fail("the playground has no command '%s'", argc > 1 ? argv[1] : "");
}
