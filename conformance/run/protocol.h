/* protocol.h - the lines of PROTOCOL.md: what the runner writes, and reading what an adapter answers. No processes
 * here. */
#pragma once

#include "runner.h"

enum { PROTOCOL_VERSION = 1, PROTOCOL_LINE_LIMIT = 16 << 20 };

/* Each appends one line to out. arena is scratch and is reset. */
void protocol_write_start(const run_settings *settings, value_arena *arena, dloc_buffer *out);
void protocol_write_run(const vector *v, uint64_t seq, value_arena *arena, dloc_buffer *out);
void protocol_write_flush(uint64_t seq, value_arena *arena, dloc_buffer *out);
void protocol_write_stop(value_arena *arena, dloc_buffer *out);

typedef enum protocol_kind { PROTOCOL_STARTED, PROTOCOL_ANSWER, PROTOCOL_FLUSHED } protocol_kind;

typedef struct protocol_line {
  protocol_kind kind;
  uint64_t seq;       /* of an answer or a flush */
  const value *value; /* the document, in arena */
} protocol_line;

/* Read one line, without its line end. DLOC_INVALID with the diagnostic when it is none of the three. */
dloc_status protocol_read(dloc_text line, value_arena *arena, value_diagnostic *diagnostic, protocol_line *ret);
/* The declarations of a started line. DLOC_INVALID with the diagnostic. */
dloc_status protocol_read_started(const value *line, value_diagnostic *diagnostic, run_implementation *ret);
/* The contents of an answer to a vector. DLOC_INVALID with the diagnostic when it is malformed. */
dloc_status protocol_read_answer(const value *line, const vector *v, value_arena *arena, value_diagnostic *diagnostic,
                                 run_answer *ret);
