/* Preloaded into dloc, not into what dloc starts: an allocation that fails, calls that a signal interrupts, a clock that goes back.
 * HOSTILE_FAIL=N: the N-th allocation fails. HOSTILE_COUNT=FILE: write there how many there were. HOSTILE_EINTR=N: one in N calls of those below is
 * interrupted. HOSTILE_CLOCK: each look at the clock shows an earlier time. HOSTILE_KILL=N, HOSTILE_STOP=N: that signal comes before the N-th call that
 * concerns files. HOSTILE_NAMED: no file can be made without a name. HOSTILE_REFUSE=N: the N-th such call fails, and HOSTILE_REFUSED=FILE is made then.
 * HOSTILE_SIZE=N: no file can get more bytes. */
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static unsigned long fail_at, every, kill_at, stop_at, refuse_at, own;
static const char *refused;
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
  refuse_at = getenv("HOSTILE_REFUSE") ? strtoul(getenv("HOSTILE_REFUSE"), NULL, 10) : 0;
  refused = getenv("HOSTILE_REFUSED");
  if (getenv("HOSTILE_SIZE")) {
    const rlim_t most = strtoul(getenv("HOSTILE_SIZE"), NULL, 10);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
    signal(SIGXFSZ, SIG_IGN);
  }
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

/* Whether it fails. */
static int come_to_call(void) {
  if (kill_at && !--kill_at)
    raise(SIGKILL);
  if (stop_at && !--stop_at)
    raise(SIGSTOP);
  if (!refuse_at || --refuse_at)
    return 0;
  if (refused)
    NEXT(close)(NEXT(open)(refused, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  errno = EIO;
  return 1;
}

#define CALL(name, parameters, ...)                                                                                     \
  int name parameters { return come_to_call() ? -1 : NEXT(name)(__VA_ARGS__); }
/* What takes something away does so all the same. */
#define CALL_ANYWAY(name, parameters, ...)                                                                              \
  int name parameters {                                                                                                 \
    int fails = come_to_call(), error = errno, status = NEXT(name)(__VA_ARGS__);                                        \
    errno = fails ? error : errno;                                                                                      \
    return fails ? -1 : status;                                                                                         \
  }

CALL_ANYWAY(close, (int file), file)
CALL_ANYWAY(fclose, (FILE *file), file)
CALL(fsync, (int file), file)
CALL(dup, (int file), file)
CALL(fchmod, (int file, mode_t mode), file, mode)
CALL(fchown, (int file, uid_t owner, gid_t group), file, owner, group)
CALL(rename, (const char *old, const char *name), old, name)
CALL(renameat2, (int from, const char *old, int to, const char *name, unsigned flags), from, old, to, name, flags)
CALL(linkat, (int from, const char *old, int to, const char *name, int flags), from, old, to, name, flags)
CALL(mkdir, (const char *path, mode_t mode), path, mode)
CALL_ANYWAY(rmdir, (const char *path), path)
CALL_ANYWAY(unlink, (const char *path), path)

/* Standard output remembers a real failure, and dloc tells of it at its end. */
int fflush(FILE *file) { return file && file != stdout && come_to_call() ? EOF : NEXT(fflush)(file); }

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  refuse_at += refuse_at && !(flags & (O_WRONLY | O_RDWR)); /* to read a file, it can always be opened */
  if (come_to_call()) {
    va_end(arguments);
    return -1;
  }
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
  if (come_to_call()) {
    va_end(arguments);
    return -1;
  }
  return NEXT(fcntl)(file, command, argument(arguments));
}
