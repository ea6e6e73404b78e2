/* fork_server.h - processes of one command that reads its standard input, each forked from a process that has come so far.
 *
 * An LLVM takes 60 ms of processor time before it reads, and a fork of it 10. A tool for which this is not possible (a
 * script, a static program, one that has threads) is started as any other program; so is each with LD_PRELOAD in the
 * environment. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Between fork_server.c and preloaded.c. FORK_SERVER_WORDS: bytes of an environment. */
#define FORK_SERVER_VARIABLE "DLOC_FORK_SERVER"
enum { FORK_SERVER_PIPES = 3, FORK_SERVER_WORDS = 1 << 16 };

/* Start argv[0], a path, with these pipes as its stdin, stdout and stderr. The child leads a process group and is the
 * caller's own, as if it had been spawned. False: the caller has to spawn it. */
bool fork_server_start(char *const *argv, const int pipes[FORK_SERVER_PIPES], pid_t *ret);
