/* lower.c - `dloc mlir FILE --pipeline PASSES` and `dloc flang`: from a program to a layered module. mlir.py and flang.py
 * run the tools of MLIR and Flang, and the other actions of `dloc mlir`. `dloc triton`: from what a compiler has left. */
#include "help/flang.h"
#include "help/mlir.h"
#include "help/triton.h"
#include "mlir.h"
#include "shell/script.h"

typedef struct request {
  const char *directory, *output;
  uint64_t timeout;
  bool counts, verbose;
  dloc_profile profile;
} request;

/* r is a request *. */
#define LOWER_OPTIONS(r)                                                                                               \
  {TOOL_OUTPUT, "o", NULL, &(r)->output}, {TOOL_FLAG, "counts", NULL, &(r)->counts},                                   \
      {TOOL_TEXT, "llvm", NULL, &(r)->directory},                                                                      \
      {TOOL_NUMBER, "timeout", "for each run of a tool; default: 300", &(r)->timeout},                                 \
      {TOOL_FLAG, "v", NULL, &(r)->verbose}, TOOL_PROFILE_OPTIONS(&(r)->profile)
enum { TIMEOUT = 300 };

int tool_triton(int argc, char **argv) {
  const char *located = NULL, *kernel = NULL, *samples = NULL, *output = NULL;
  tool_list folders = {0};
  bool module = false;
  dloc_profile profile;
  const tool_option options[] = {{TOOL_TEXT, "located", NULL, &located},
                                 {TOOL_TEXT, "kernel", NULL, &kernel},
                                 {TOOL_FLAG, "ll", NULL, &module},
                                 {TOOL_TEXT, "samples", "CSV, LINE,COUNT by line of the PTX", &samples},
                                 {TOOL_LIST, "source-dir", NULL, &folders},
                                 {TOOL_OUTPUT, "o", NULL, &output},
                                 TOOL_PROFILE_OPTIONS(&profile),
                                 {0}};
  int count = tool_parse(argc, argv, &triton_usage, options);
  return script_become("producers/triton.py", options, argv, count);
}

int mlir_lower(int argc, char **argv) {
  request request = {.timeout = TIMEOUT};
  const char *pipeline = NULL, *stages = NULL, *module = NULL;
  const tool_option options[] = {{TOOL_TEXT, "pipeline", NULL, &pipeline},
                                 {TOOL_TEXT, "stages", NULL, &stages},
                                 {TOOL_TEXT, "module", NULL, &module},
                                 LOWER_OPTIONS(&request),
                                 {0}};
  int count = tool_parse(argc, argv, &mlir_usage, options);
  if (!pipeline)
    tool_fail("option '--pipeline' is missing: the passes that lower FILE, with marks @NAME");
  return script_become("producers/mlir.py", options, argv, count);
}

int tool_flang(int argc, char **argv) {
  request request = {.timeout = TIMEOUT};
  tool_list flags = {0};
  const tool_option options[] = {{TOOL_LIST, "flag", NULL, &flags}, LOWER_OPTIONS(&request), {0}};
  int count = tool_parse(argc, argv, &flang_usage, options);
  return script_become("producers/flang.py", options, argv, count);
}
