/* temporary.h - files that appear when they are complete, and a folder for what only this program needs.
 *
 * A file is written beside its place, under a name that ends in .dloc- and six characters, and renamed. What is not
 * complete goes with the program (ending.h). What one that was killed left is known by its mode, which no file of a
 * user's has by chance, and as nobody has its lock; the next program that writes the same file removes it. It has that
 * mode and that lock from the first until it has its own name. */
#ifndef DLOC_TEMPORARY_H
#define DLOC_TEMPORARY_H

#include <stdbool.h>

typedef struct temporary {
  int descriptor; /* the caller's, who closes it after temporary_keep, and before temporary_end */
  char *name;     /* NULL: kept */
  char *target;   /* what is replaced: where the links at the path lead to */
} temporary;

/* Open a new file for what is to be at path. What may not be written is not replaced. NULL: see errno. */
temporary *temporary_open(const char *path);
/* It is complete: put it in its place, with the owner, the group and the mode of what it replaces, or with less rights.
 * False: see errno. */
bool temporary_keep(temporary *file);
/* Remove it if it was not kept. NULL is allowed. */
void temporary_end(temporary *file);

/* Make a folder below parent; at most one at a time. NULL: see errno. */
char *temporary_make_folder(const char *parent);
/* Remove it with the files in it, and free its name. */
void temporary_remove_folder(char *folder);

#endif
