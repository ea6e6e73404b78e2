/* parallel.c - parts of one task in processes of their own. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "parallel.h"

#include "document/memory.h"
#include "ending.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *parallel_memory(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    memory_exhausted();
  return memory;
}

void parallel_forget(void *memory, size_t size) { munmap(memory, size); }

pid_t parallel_start(void (*part)(void *user), void *user) {
  fflush(NULL); /* this process writes what is buffered */
  pid_t parent = getpid(), child = fork();
  if (child != 0)
    return child;
  ending_follow(parent, SIGKILL);
  part(user);
  _exit(0);
}

bool parallel_end(pid_t child) {
  int status = 1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && status == 0;
}
