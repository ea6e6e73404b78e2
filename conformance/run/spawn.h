/* spawn.h - a program in a new process. */
#pragma once

#include <sys/types.h>

/* Start argv[0], searched in PATH, with these as its stdin, stdout and stderr. It leads a process group, which
 * ending.h knows; no signal is blocked, and SIGPIPE and SIGXFSZ have their default actions. Returns 0 or an errno. */
int spawn_program(char *const *argv, char *const *environment, const int pipes[3], pid_t *ret);
