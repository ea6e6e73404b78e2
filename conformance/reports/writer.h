/* writer.h - what the reports write with: a sink that remembers that it stopped, and the escapes of the formats. */
#pragma once

#include "dloc.h"

/* A report reads as one sequence: after the sink stopped, nothing more is written. */
typedef struct writer {
  dloc_sink sink;
  bool stopped;
} writer;

void write_plain(writer *w, const char *text);
/* printf's format. */
void write_format(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
dloc_status write_finish(const writer *w);

/* Text from outside as a JSON string, with its quotes. NULL is empty. */
void write_json(writer *w, const char *text);
void write_json_text(writer *w, dloc_text text);
/* `{"key": "text"`, the beginning of a line; */
void write_first_member(writer *w, const char *key, const char *text);
/* and `, "key": "text"` */
void write_member(writer *w, const char *key, const char *text);
void write_member_text(writer *w, const char *key, dloc_text text);
