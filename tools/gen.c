/* gen.c - `dloc gen`: dispatches to what can be generated. */
#include "gen.h"
#include "tools.h"

#include <string.h>

static const tool_usage usage = {
    "dloc gen FAMILY [OPTION...]",
    "Generate vectors, or tests from vectors. The families:\n"
    "  merge    vectors of merges over a small scope, from a seed\n"
    "  random   vectors of any operation at random, from a seed\n"
    "  pairwise vectors of any operation in which every two values of any two dimensions meet\n"
    "  lit      tests for LLVM's lit and FileCheck, from vectors\n"
    "`dloc gen FAMILY --help` tells more about one.\n",
    "dloc gen merge --seed 1 --count 3\ndloc gen lit --profile rfc+llvm-19 vectors/merge/n-way.yaml\n", 1, -1};

typedef struct family {
  const char *name;
  char *full_name;
  int (*run)(int argc, char **argv);
} family;

int tool_gen(int argc, char **argv) {
  static char merge[] = "gen merge", random[] = "gen random", pairwise[] = "gen pairwise", lit[] = "gen lit";
  static const family families[] = {{"merge", merge, gen_merge},
                                    {"random", random, gen_random},
                                    {"pairwise", pairwise, gen_pairwise},
                                    {"lit", lit, gen_lit}};
  for (size_t i = 0; argc > 1 && i < sizeof families / sizeof *families; i++) {
    if (strcmp(argv[1], families[i].name) != 0)
      continue;
    argv[1] = families[i].full_name;
    return families[i].run(argc - 1, argv + 1);
  }
  const tool_option none[] = {{0}};
  tool_parse(argc, argv, &usage, none);
  tool_fail("no family is named '%s'; there are: merge, random, pairwise, lit", argv[0]);
}
