/* suite.h - the vectors below some paths, one after the other.
 *
 * Directories are walked in byte order of names and give their *.yaml and *.jsonl files (JSON Lines); a file named
 * directly is read whatever its name; `-` is standard input. One file is held in memory at a time, one vector at a time
 * is held as a document. */
#pragma once

#include "vector.h"

enum { SUITE_FILE_LIMIT = 1 << 30, SUITE_DEPTH = 64 };

typedef struct suite suite;

/* Why a suite stopped. path is valid until suite_destroy. */
typedef struct suite_error {
  const char *path;
  value_diagnostic at;
  bool unreadable; /* the file or directory could not be read (exit status 2); if false, its content is wrong (1) */
} suite_error;

/* Collect the files. Links are followed; a folder below one path is read once. DLOC_INVALID with *error when a path
 * does not exist or cannot be read; path is then one of paths. */
dloc_status suite_create(const char *const *paths, size_t count, suite_error *error, suite **ret);
void suite_destroy(suite *s); /* NULL is allowed */
size_t suite_file_count(const suite *s);
/* suite_next_vector gives the vectors of these ids alone, which are borrowed; none: all of them. */
void suite_only(suite *s, const char *const *ids, size_t count);
/* After the end: one of these ids that no vector has; or NULL. */
const char *suite_missing(const suite *s);
const char *suite_file(const suite *s, size_t index);
/* How many bytes the files have; 0 when one is no regular file, so that it can be read but once. */
uint64_t suite_bytes(const suite *s);
/* From now on suite_next gives only the documents that begin at one of these bytes of all files, before `to`. */
void suite_part(suite *s, uint64_t from, uint64_t to);

/* The next document, allocated in arena (reset it before, or keep several); *ret is NULL at the end. *path stays valid
 * until suite_destroy. DLOC_INVALID with *error on a file that cannot be read or is not YAML: the rest of that file is
 * skipped, and one may go on. */
dloc_status suite_next(suite *s, value_arena *arena, suite_error *error, const char **path, value **ret);
/* The same as a vector. DLOC_INVALID also on a document that is no vector; only that document is skipped. *ret_end is
 * true at the end. */
dloc_status suite_next_vector(suite *s, value_arena *arena, suite_error *error, const char **path, vector *ret,
                              bool *ret_end);
/* The text of the file that the last document came from; until the next call. */
dloc_text suite_text(const suite *s);
