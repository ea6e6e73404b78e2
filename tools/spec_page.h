/* spec_page.h - SPEC.md as one HTML page, with what stands behind each clause: its vectors, the mutants of the model,
 * the verdicts of runs; or why no test can reach it. */
#ifndef DLOC_TOOLS_SPEC_PAGE_H
#define DLOC_TOOLS_SPEC_PAGE_H

#include "tools.h"

typedef struct spec_page {
  const char *spec; /* paths */
  const char *const *vectors;
  size_t vector_count;
  tool_list runs;
  const char *mutants;         /* or NULL */
  const dloc_text *untestable; /* by clause: why no test can reach it, or empty */
  const char *report;          /* address of the page that `dloc report --html` wrote, or NULL */
} spec_page;

/* Returns an exit status, after a message if it is not TOOL_FINE. */
int spec_page_write(const spec_page *page, const char *path);

#endif
