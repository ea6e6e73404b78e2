/* spawn.c - a program in a new process. */
#define _GNU_SOURCE /* vfork, execvpe */
#include "spawn.h"

#include "ending.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child, which has the memory of its parent until it is another program. The parent may be killed before it goes on:
 * the child remembers the group itself, and ends if nobody is left to kill it. */
static void become(pid_t parent, char *const *argv, char *const *environment, const int pipes[3]) {
  sigset_t none;
  sigemptyset(&none);
  setpgid(0, 0);
  ending_add_group(getpid());
  ending_follow(parent, SIGKILL);
  for (int i = 0; i < 3; i++)
    if (dup2(pipes[i], i) < 0)
      return;
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvpe(argv[0], argv, environment);
}

int spawn_program(char *const *argv, char *const *environment, const int pipes[3], pid_t *ret) {
  volatile int error = 0;
  pid_t parent = getpid(), child = vfork();
  if (child == 0) {
    become(parent, argv, environment, pipes);
    error = errno;
    _exit(127);
  }
  *ret = child;
  if (child < 0 || !error)
    return child < 0 ? errno : 0;
  ending_forget_group(child);
  waitpid(child, NULL, 0);
  return error;
}
