/* page.h - the frame of the HTML pages: one file each, with style and script inside, that asks nothing of the network. */
#ifndef DLOC_REPORTS_PAGE_H
#define DLOC_REPORTS_PAGE_H

#include "writer.h"

void page_begin(writer *w, const char *title);
void page_end(writer *w);

#endif
