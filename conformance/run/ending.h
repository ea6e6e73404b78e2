/* ending.h - what must go when this program ends, however it does: child processes, and files that are not complete.
 *
 * A signal that can be caught kills the children and removes the files before it ends the program. What ends it at once
 * (SIGKILL) is noticed by a guard, a process that was started before the first child: it kills the groups of children
 * and removes the folder. Files of a program that is gone are recognised, by their mode and as nobody holds their lock,
 * by the next one that writes the same file. */
#ifndef DLOC_ENDING_H
#define DLOC_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

/* At the beginning; later ones do nothing. It ends the program with a message when an input that is mapped becomes
 * shorter. */
void ending_prepare(void);

/* ---- Children ---- */

/* Before the first child: 0, or an errno. */
int ending_guard(void);
/* A group of processes that is killed in the end. */
void ending_add_group(pid_t group);
void ending_forget_group(pid_t group);
/* In a child that goes on as this program does: it ends with its parent. */
void ending_follow(pid_t parent);

/* ---- Files ---- */

/* Open a new file beside path, for writing, which is removed in the end unless it was forgotten; *ret is its name,
 * malloc's. Removes those that a program which is gone left there. -1: see errno. */
int ending_open_beside(const char *path, char **ret);
/* It is complete: an ordinary file, which no program removes, with the mode of what it replaces at path. */
void ending_unmark(int descriptor, const char *path);
void ending_forget_file(const char *path);
/* Make a folder for temporary files below parent, likewise; at most one at a time. NULL: see errno. */
char *ending_make_folder(const char *parent);
/* Remove it with the files in it. */
void ending_remove_folder(void);

/* ---- A program that ends by itself ---- */

/* From now on the first SIGINT, SIGTERM or SIGHUP kills the children and is remembered; the second one ends the
 * program. */
void ending_defer(void);
/* That signal; 0: there was none. */
int ending_signal(void);
/* End by it, if there was one. */
void ending_resume(void);

#endif
