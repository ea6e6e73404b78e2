/* temporary.h - files that appear when they are complete.
 *
 * A new file has no name until it is complete: a program that is killed leaves nothing behind. Then it gets a name
 * beside its place, which ends in .dloc- and six characters, and is renamed. Where the file system cannot make a file
 * without a name, it has that name from the first, and goes with the program (ending.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct temporary {
  int descriptor; /* the caller's, who closes it before temporary_keep and temporary_end */
  char *name;     /* room for one beside the target */
  char *target;   /* the file that is replaced: where the links at the path lead to */
  bool is_named, is_exchanged;
} temporary;

/* Whether a new file takes the place of what is at path. A device, a pipe, and what a path like /dev/stdout or /dev/fd/7
 * leads to are written to instead. ret_own: the descriptor of this program that it leads to; -1: none. */
bool temporary_replaces(const char *path, int *ret_own);
/* Open a new file for the place at path. A file that may not be written is not replaced. NULL: see errno. */
temporary *temporary_open(const char *path);
/* All of it is written: give it a name, and the owner, the group and the mode of what it replaces, or less rights.
 * False: see errno. */
bool temporary_complete(temporary *file);
/* Put complete files in their places, one after the other. False: see errno; none of them is there, as far as the file
 * system can exchange files, and ret_failed says which could not be moved. */
bool temporary_keep(temporary *const *files, size_t count, size_t *ret_failed);
/* Remove it if it was not kept. NULL is allowed. */
void temporary_end(temporary *file);
