/* gen.c - `dloc gen`: families of vectors. */
#include "experiments/families/families.h"
#include "experiments/world/scene.h"
#include "gen.h"
#include "help/gen.h"
#include "help/gen_merge.h"
#include "help/gen_pairwise.h"
#include "help/gen_random.h"
#include "shell/script.h"
#include "shell/vectors.h"

#include <inttypes.h>
#include <string.h>

/* main reports when writing to stdout failed. */
static int finish(dloc_status status, const char *family) {
  bool stopped = status == DLOC_STOPPED && ferror(stdout);
  return status == DLOC_OK || stopped ? TOOL_FINE : tool_failure(status, family);
}

/* gen_merge.py draws the questions. */
static int gen_merge(int argc, char **argv) {
  uint64_t seed = 1, count = 1000;
  bool layers = false, answers = false;
  const tool_option options[] = {{TOOL_NUMBER, "seed", NULL, &seed},
                                 {TOOL_NUMBER, "count", NULL, &count},
                                 {TOOL_FLAG, "layers", NULL, &layers},
                                 {TOOL_FLAG, "answers", NULL, &answers},
                                 {0}};
  tool_parse(argc, argv, &gen_merge_usage, options);
  if (!answers)
    return script_become("lab/gen_merge.py", options, argv, 0);
  printf("# generated: dloc gen merge --seed %" PRIu64 " --count %" PRIu64 "%s\n", seed, count,
         layers ? " --layers" : "");
  return finish(family_of_merges(stdin, layers, tool_file_sink(stdout)), "gen merge");
}

static vector_op find_op(const char *name) {
  if (!name)
    tool_fail("which operation? Give --op");
  vector_op op = vectors_find_op(name);
  if (!scene_has_op(op))
    tool_fail("'%s' is about no location; there is nothing to generate", name);
  return op;
}

static int gen_random(int argc, char **argv) {
  uint64_t seed = 1, count = 1000;
  bool as_lines = false;
  const char *op = NULL;
  const tool_option options[] = {{TOOL_TEXT, "op", "merge, inline, equal, print, verify, source, ...", &op},
                                 {TOOL_NUMBER, "seed", NULL, &seed},
                                 {TOOL_NUMBER, "count", NULL, &count},
                                 {TOOL_FLAG, "jsonl", NULL, &as_lines},
                                 {0}};
  tool_parse(argc, argv, &gen_random_usage, options);
  vector_op found = find_op(op);
  if (!as_lines)
    printf("# generated: dloc gen random --op %s --seed %" PRIu64 " --count %" PRIu64 "\n", op, seed, count);
  return finish(family_random(found, seed, count, as_lines, tool_file_sink(stdout)), "random");
}

static int gen_pairwise(int argc, char **argv) {
  uint64_t seed = 1, strength = 2;
  const char *op = NULL;
  bool dimensions = false, as_lines = false;
  const tool_option options[] = {{TOOL_TEXT, "op", "merge, inline, equal, print, verify, source, ...", &op},
                                 {TOOL_NUMBER, "strength", NULL, &strength},
                                 {TOOL_NUMBER, "seed", NULL, &seed},
                                 {TOOL_FLAG, "jsonl", NULL, &as_lines},
                                 {TOOL_FLAG, "dimensions", NULL, &dimensions},
                                 {0}};
  tool_parse(argc, argv, &gen_pairwise_usage, options);
  vector_op found = find_op(op);
  if (strength < 2 || strength > FAMILY_STRENGTH_LIMIT)
    tool_fail("--strength must be 2 or 3");
  if (dimensions) {
    for (int d = 0; d < SCENE_FAMILY_DIMENSIONS; d++)
      if (scene_op_has(found, (scene_dimension)d))
        printf("%u\t%s\n", scene_values((scene_dimension)d), scene_dimension_name((scene_dimension)d));
    return TOOL_FINE;
  }
  if (!as_lines)
    printf("# generated: dloc gen pairwise --op %s --strength %" PRIu64 " --seed %" PRIu64 "\n", op, strength, seed);
  return finish(family_pairwise(found, (unsigned)strength, seed, as_lines, tool_file_sink(stdout)),
                strength == 3 ? "triples" : "pairwise");
}

/* ---- The command ---- */

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
  tool_parse(argc, argv, &gen_usage, none);
  tool_fail("no family is named '%s'; there are: merge, random, pairwise, lit", argv[0]);
}
