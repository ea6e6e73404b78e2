/* confine.h - limits on what the implementation under test may use:
 * util-linux (prlimit, unshare, setpriv) starts it. */
#ifndef DLOC_CONFINE_H
#define DLOC_CONFINE_H

#include <stddef.h>

/* The words before a command, for process_start_behind. limits: "default", or "memory=MB,files=N,processes=N,size=MB,
 * network=yes|no", each of which may be left out. NULL when *ret_wrong says what is wrong, for people. *ret_warning:
 * NULL, or what cannot be kept from the command here. Starts processes, to see what is permitted. */
char **confine(const char *limits, const char **ret_wrong, const char **ret_warning);
void confine_free(char **words); /* NULL is allowed */

#endif
