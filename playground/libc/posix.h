/* posix.h - what WASI lacks of POSIX: declared for code that the playground does not reach. */
#ifndef PLAYGROUND_POSIX_H
#define PLAYGROUND_POSIX_H

#include <sys/types.h>

#define MADV_DONTNEED 4
#define F_DUPFD_CLOEXEC 1030
#define madvise(address, size, advice) ((void)(address), (void)(size))

int mkstemp(char *path);
int fchmod(int descriptor, mode_t mode);
mode_t umask(mode_t mask);

#endif
