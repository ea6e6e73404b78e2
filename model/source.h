/* Private to model/: what source.c (the list of embedded texts) and emit.c (what is written of it) share. */
#pragma once

#include "layers.h"

/* The next well-formed entry of the list, at or after operand *index, which is advanced past it; false after the last. */
bool source_next(const dloc_module *module, size_t *index, dloc_source *ret);
/* An entry of the list; false when it is not well-formed. */
bool source_read(const dloc_context *context, dloc_node entry, dloc_source *ret) PRIVATE(source_read);
/* The text of a DILayerLoc's file; false when it has none (`source.file`). */
bool source_of_layer(const dloc_context *context, dloc_node layer, dloc_source *ret) PRIVATE(source_of_layer);

/* `source.link`, by `source.match`: a file belongs to an entry when the links of both files are the same node and, if
 * kinds count, the kinds are the same. */
bool source_links_kind(const dloc_profile *profile) PRIVATE(source_links_kind);

/* Texts one behind the other, as a string. */
dloc_status join_texts(dloc_context *context, const dloc_text *parts, size_t count, dloc_node *ret) PRIVATE(join_texts);
/* The MD5 of texts one behind the other, as hexadecimal digits in ret. */
dloc_text source_digest(const dloc_text *parts, size_t count, char ret[33]) PRIVATE(source_digest);
