/* mutants.c - `dloc mutants`: is there a vector that notices each deliberate mistake in the model? */
#include "shell/script.h"
#include "suite/side.h"
#include "vector/mutants.h"

static const tool_usage usage = {
    "dloc mutants [OPTION...] PATH...",
    "Run the model over the vectors once for each of its mutants: a mutant is the model with one deliberate\n"
    "mistake. A mutant is killed when an answer is not as expected, or when the model crashes or hangs.\n"
    "Vectors that name it in `kills` run first. Only the dloc that `make mutants` builds has mutants.\n"
    "Exit status: 0 every vector that names a mutant kills it, 1 one does not, 2 there are no mutants or the\n"
    "input is unreadable.\n"
    "\n"
    "After `make mutants`: build/mutants/dloc mutants --only merge.line.first vectors/merge\n",
    "dloc mutants --list\n", 0, -1};

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
  int count = tool_parse(argc, argv, &usage, options);
  if (!list && !mutants_present())
    tool_fail("this dloc has no mutants; `make mutants` builds one that has, build/mutants/dloc, and runs it");
  return script_become("lab/mutants.py", options, argv, count);
}
