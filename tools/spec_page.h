/* spec_page.h - SPEC.md as one HTML page, with what stands behind each clause. */
#ifndef DLOC_TOOLS_SPEC_PAGE_H
#define DLOC_TOOLS_SPEC_PAGE_H

#include "spec_trace.h"

/* markdown is the text of SPEC.md; report the address of the page that `dloc report --html` wrote, for links to
 * vectors, or NULL. */
dloc_status spec_page_write(dloc_text markdown, const trace *t, const char *report, dloc_sink sink);

#endif
