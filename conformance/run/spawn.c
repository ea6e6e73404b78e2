/* spawn.c - a program in a new process. */
#include "spawn.h"

#include <signal.h>
#include <spawn.h>

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &defaults);
  posix_spawnattr_setpgroup(attributes, 0);
  return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

int spawn_program(char *const *argv, char *const *environment, const int pipes[3], pid_t *ret) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  int error = posix_spawnattr_init(&attributes);
  if (error)
    return error;
  error = posix_spawn_file_actions_init(&actions);
  if (!error) {
    error = set_attributes(&attributes);
    for (int i = 0; !error && i < 3; i++)
      error = posix_spawn_file_actions_adddup2(&actions, pipes[i], i);
    if (!error)
      error = posix_spawnp(ret, argv[0], &actions, &attributes, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}
