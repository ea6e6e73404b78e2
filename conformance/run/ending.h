/* ending.h - what must go when this program ends, however it does: child processes, and what temporary.h makes.
 *
 * A signal that can be caught kills the children and removes the files before it ends the program. A guard, a process
 * that was started before the first child, notices SIGKILL: it kills the groups of children. */
#pragma once

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
/* In a child: it gets the signal when its parent ends. */
void ending_follow(pid_t parent, int signal);

/* ---- Files: for temporary.c ---- */

/* A file that is removed in the end. The text remains the caller's. */
void ending_add_file(const char *path);
void ending_forget_file(const char *path);

/* ---- A program that ends by itself ---- */

/* From now on the first SIGINT, SIGTERM or SIGHUP kills the children and is remembered; the second one ends the
 * program. */
void ending_defer(void);
/* That signal; 0: there was none. */
int ending_signal(void);
/* End by it, if there was one. */
void ending_resume(void);
