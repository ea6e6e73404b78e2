/* mutants.c - `dloc mutants`: is there a vector that notices each deliberate mistake in the model? */
#include "help/mutants.h"
#include "shell/script.h"
#include "suite/side.h"
#include "vector/mutants.h"

int tool_mutants(int argc, char **argv) {
  uint64_t jobs = side_jobs();
  tool_list names = {0};
  const char *output = NULL;
  bool list = false, all = false, json = false;
  const tool_option options[] = {
      {TOOL_LIST, "only", NULL, &names},
      {TOOL_FLAG, "all", "run every vector, also under a mutant that is killed already", &all},
      {TOOL_NUMBER, "jobs", NULL, &jobs},
      {TOOL_OUTPUT, "o", NULL, &output},
      {TOOL_FLAG, "json", NULL, &json},
      {TOOL_FLAG, "list", "print the mutants: name, clause, what is wrong; no PATH", &list},
      {0}};
  int count = tool_parse(argc, argv, &mutants_usage, options);
  if (!list && !mutants_present())
    tool_fail("this dloc has no mutants; `make mutants` builds one that has, build/mutants/dloc, and runs it");
  return script_become("lab/mutants.py", options, argv, count);
}
