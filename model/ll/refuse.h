/* Private to model/: why a text cannot be read, and where. */
#pragma once

#include "dloc_formats.h"
#include "nodes/private.h"

/* Fill in the diagnostic, with line and column of an offset of the text, and return DLOC_INVALID. */
dloc_status refuse_text(dloc_diagnostic *diagnostic, const char *text, dloc_reason reason, size_t at,
                        const char *format, ...) PRIVATE(refuse_text) __attribute__((format(printf, 5, 6)));
