/* ending.c - what must go when this program ends. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "ending.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_GROUPS = 128, MOST_FILES = 64 }; /* 64 children, and the fork servers */

static volatile sig_atomic_t own[MOST_GROUPS], *groups = own; /* 0: unused; shared with the guard, once there is one */
static const char *volatile files[MOST_FILES];
static pid_t owner; /* a child may have a copy of all this, but nothing of it is its own */
static pid_t guard;
static volatile sig_atomic_t is_deferred, deferred;

static void kill_groups(void) {
  for (size_t i = 0; i < MOST_GROUPS; i++)
    if (groups[i] > 0)
      kill(-(pid_t)groups[i], SIGKILL);
}

static void remove_files(void) {
  for (size_t i = 0; i < MOST_FILES; i++)
    if (files[i])
      unlink(files[i]);
}

/* ---- Signals ---- */

/* A file that is mapped has lost the page: somebody made it shorter. */
static _Noreturn void end_by_truncation(void) {
  static const char message[] = "dloc: an input became shorter while it was read\n";
  (void)!write(STDERR_FILENO, message, sizeof message - 1);
  remove_files();
  _exit(2);
}

static void on_signal(int number, siginfo_t *info, void *state) {
  (void)state;
  bool may_wait = number == SIGINT || number == SIGTERM || number == SIGHUP;
  int error = errno; /* whoever is interrupted has not looked at it yet */
  if (getpid() == owner) {
    kill_groups();
    if (is_deferred && !deferred && may_wait) {
      deferred = number;
      errno = error;
      return;
    }
    if (number == SIGBUS && info->si_code == BUS_ADRERR)
      end_by_truncation();
    remove_files();
  }
  signal(number, SIG_DFL);
  raise(number);
}

static void on_exit_of_program(void) {
  if (getpid() != owner)
    return;
  kill_groups();
  remove_files();
  if (guard > 0) {
    kill(guard, SIGKILL);
    waitpid(guard, NULL, 0);
  }
}

/* Signals that would end this program. Its stack may be what is used up. */
void ending_prepare(void) {
  static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,    SIGFPE,  SIGUSR1,
                                SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGSYS};
  static char stack[1 << 14];
  if (owner)
    return;
  owner = getpid();
  atexit(on_exit_of_program);
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action = {.sa_flags = SA_ONSTACK | SA_SIGINFO}, old;
    action.sa_sigaction = on_signal;
    sigemptyset(&action.sa_mask);
    if (sigaction(signals[i], NULL, &old) == 0 && (old.sa_handler == SIG_DFL || signals[i] == SIGBUS))
      sigaction(signals[i], &action, NULL);
  }
}

void ending_defer(void) {
  ending_prepare();
  is_deferred = true;
}

int ending_signal(void) { return deferred; }

void ending_resume(void) {
  is_deferred = false;
  if (deferred)
    raise(deferred);
}

/* ---- Children ---- */

void ending_follow(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() != parent)
    _exit(1);
}

/* Every signal is blocked. It has a group of its own, so that what kills this program's leaves it alone. */
static _Noreturn void watch_over(pid_t parent) {
  sigset_t ended;
  int number;
  sigemptyset(&ended);
  sigaddset(&ended, SIGTERM);
  for (int descriptor = 0; descriptor < 256; descriptor++)
    close(descriptor); /* the reader of our output must not wait for the guard as well */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  while (getppid() == parent)
    sigwait(&ended, &number);
  kill_groups();
  _exit(0);
}

int ending_guard(void) {
  if (guard > 0)
    return 0;
  ending_prepare();
  if (groups == own) { /* otherwise a guard could not be started before */
    void *seen_by_both = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen_by_both == MAP_FAILED)
      return errno;
    groups = seen_by_both;
  }
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t parent = getpid();
  guard = fork();
  int error = guard < 0 ? errno : 0;
  if (guard == 0)
    watch_over(parent);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return error;
}

static void replace_group(pid_t old, pid_t group) {
  for (size_t i = 0; i < MOST_GROUPS; i++)
    if (groups[i] == (sig_atomic_t)old) {
      groups[i] = (sig_atomic_t)group;
      return;
    }
}

void ending_add_group(pid_t group) { replace_group(0, group); }

void ending_forget_group(pid_t group) { replace_group(group, 0); }

/* ---- Files ---- */

static void replace_file(const char *old, const char *path) {
  for (size_t i = 0; i < MOST_FILES; i++)
    if (files[i] == old) {
      files[i] = path;
      return;
    }
}

void ending_add_file(const char *path) { replace_file(NULL, path); }

void ending_forget_file(const char *path) { replace_file(path, NULL); }
