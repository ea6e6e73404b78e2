/* Preloaded into dloc, not into what dloc starts: an allocation that fails, calls that a signal interrupts, a clock that goes back.
 * HOSTILE_FAIL=N: the N-th allocation fails. HOSTILE_COUNT=FILE: write there how many there were. HOSTILE_EINTR=N: one in N calls of those below is
 * interrupted. HOSTILE_CLOCK: each look at the clock shows an earlier time. HOSTILE_KILL=N, HOSTILE_STOP=N: that signal comes before the N-th call that
 * concerns files. HOSTILE_NAMED: no file can be made without a name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static unsigned long fail_at, every, kill_at, stop_at, own;
static unsigned long *allocations = &own; /* in a file, so that it stays when the program becomes another one */
static int backwards, named;

__attribute__((constructor)) static void start(void) {
  if (strcmp(program_invocation_short_name, "dloc") != 0)
    return;
  fail_at = getenv("HOSTILE_FAIL") ? strtoul(getenv("HOSTILE_FAIL"), NULL, 10) : 0;
  every = getenv("HOSTILE_EINTR") ? strtoul(getenv("HOSTILE_EINTR"), NULL, 10) : 0;
  backwards = getenv("HOSTILE_CLOCK") != NULL;
  named = getenv("HOSTILE_NAMED") != NULL;
  int file = getenv("HOSTILE_COUNT") ? open(getenv("HOSTILE_COUNT"), O_RDWR | O_CREAT | O_CLOEXEC, 0644) : -1;
  if (file >= 0 && ftruncate(file, sizeof own) == 0)
    allocations = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  kill_at = getenv("HOSTILE_KILL") ? strtoul(getenv("HOSTILE_KILL"), NULL, 10) : 0;
  stop_at = getenv("HOSTILE_STOP") ? strtoul(getenv("HOSTILE_STOP"), NULL, 10) : 0;
}

__attribute__((noinline)) void hostile_failed(void) { __asm__(""); }

/* libdw ends the program when it gets no memory, or crashes in the next look at abbreviations. */
static int is_in_libdw(const void *code) {
  Dl_info in;
  return dladdr(code, &in) && strstr(in.dli_fname, "/libdw");
}

static int fails(const void *caller) {
  if (++*allocations != fail_at || is_in_libdw(caller))
    return 0;
  hostile_failed();
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size); }

static int interrupted(void) {
  static unsigned seed = 1;
  if (!every || rand_r(&seed) / 64 % every) /* not each n-th one: a loop of n calls would go on for ever */
    return 0;
  errno = EINTR;
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t read(int file, void *bytes, size_t size) { return interrupted() ? -1 : NEXT(read)(file, bytes, size); }
ssize_t write(int file, const void *bytes, size_t size) { return interrupted() ? -1 : NEXT(write)(file, bytes, size); }
int poll(struct pollfd *files, nfds_t count, int timeout) { return interrupted() ? -1 : NEXT(poll)(files, count, timeout); }
pid_t waitpid(pid_t process, int *status, int options) { return interrupted() ? -1 : NEXT(waitpid)(process, status, options); }

int clock_gettime(clockid_t clock, struct timespec *ret) {
  static time_t back;
  int status = NEXT(clock_gettime)(clock, ret);
  if (backwards)
    ret->tv_sec -= ++back;
  return status;
}

static void *argument(va_list arguments) {
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  return value;
}

static void come_to_call(void) {
  if (kill_at && !--kill_at)
    raise(SIGKILL);
  if (stop_at && !--stop_at)
    raise(SIGSTOP);
}

#define CALL(name, parameters, ...)                                                                                     \
  int name parameters {                                                                                                 \
    come_to_call();                                                                                                     \
    return NEXT(name)(__VA_ARGS__);                                                                                     \
  }

CALL(close, (int file), file)
CALL(dup, (int file), file)
CALL(fchmod, (int file, mode_t mode), file, mode)
CALL(fchown, (int file, uid_t owner, gid_t group), file, owner, group)
CALL(rename, (const char *old, const char *name), old, name)
CALL(linkat, (int from, const char *old, int to, const char *name, int flags), from, old, to, name, flags)
CALL(mkdir, (const char *path, mode_t mode), path, mode)
CALL(rmdir, (const char *path), path)
CALL(unlink, (const char *path), path)

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  come_to_call();
  if (named && (flags & O_TMPFILE) == O_TMPFILE) {
    va_end(arguments);
    errno = EOPNOTSUPP;
    return -1;
  }
  return NEXT(open)(path, flags, (mode_t)(size_t)argument(arguments));
}

int fcntl(int file, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  come_to_call();
  return NEXT(fcntl)(file, command, argument(arguments));
}
