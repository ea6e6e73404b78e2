/* side.h - an implementation that a command asks: `dloc run`, `dloc fuzz`, `dloc laws --impl`. */
#pragma once

#include "experiments/fuzz/fuzz.h"
#include "shell/tools.h"

typedef struct side_options {
  const char *implementation;
  const char *llvm;
  const char *profile; /* NULL: its own, or rfc */
  tool_list choices;
  uint64_t timeout, jobs;
} side_options;

/* The default of --jobs. */
uint64_t side_jobs(void);
/* The questions that these options ask; ends the program when they are wrong. */
run_settings side_settings(const side_options *o);
/* Start it and settle its profile; ends the program when it cannot be. The options' texts are borrowed. */
void side_start(fuzz_side *side, const side_options *o);
void side_end(fuzz_side *side);
