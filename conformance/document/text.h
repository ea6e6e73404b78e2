/* text.h - taking texts apart. */
#pragma once

#include "dloc.h"

/* Take the first line off a text, and its line end with it; a text that has none is a line as a whole. */
dloc_text text_take_line(dloc_text *rest);
/* Take the next word, which ends at a blank; false at the end. */
bool text_take_word(dloc_text *rest, dloc_text *ret);
/* Where a text stands in another; NULL when it does not. */
const char *text_find(dloc_text text, const char *wanted);
bool text_ends_with(const char *text, const char *suffix);
/* The last line that is not empty, without blanks at its end; empty when there is none. */
dloc_text text_last_line(dloc_text text);
/* The size of the character at the start of a text; 0 when it is none, or one that a terminal might act on. */
size_t text_printable(dloc_text text);
/* Put `?` for all that is not printable, but for the characters to keep. */
void text_make_printable(char *text, const char *keep);
