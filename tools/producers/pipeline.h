/* pipeline.h - MLIR's pipelines of passes, with marks where a stage's text is taken. */
#ifndef DLOC_TOOLS_PIPELINE_H
#define DLOC_TOOLS_PIPELINE_H

#include "dloc.h"

/* The stages of a pipeline, in its order; the caller frees both. */
typedef struct pipeline {
  char *passes; /* with a snapshot for each stage */
  char **stages;
  size_t count;
} pipeline;

/* Make a snapshot of each mark `@STAGE` of a pipeline, as a list of passes or as `builtin.module(...)`; a stage's text
 * goes into folder/STAGE.mlir, and its tag is STAGE. stages has their names, with commas, of those that are wanted;
 * NULL: all. Ends the program, after a message, when a mark stands where it cannot, or is missing. */
pipeline pipeline_expand(const char *text, const char *stages, const char *folder);
void pipeline_free(pipeline *pipeline);

#endif
