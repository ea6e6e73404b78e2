/* preloaded.c - a tool that starts once and reads many inputs.
 *
 * fork_server.c puts this library into a tool with LD_PRELOAD. The tool loads its libraries, reads its options and makes
 * all that it needs, which takes an LLVM longer than most modules do, and stops where it first reads its standard input.
 * Each request is an environment, with pipes; a fork goes on with them. The fork is a child of who asks (CLONE_PARENT),
 * who waits for it, kills it and measures it like any other child of its own.
 *
 * The first message is a zero: there is one thread alone, so a fork has all that the tool has. */
#define _GNU_SOURCE /* CLONE_PARENT */
#include "fork_server.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int server_socket;

static bool has_one_thread(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = 0;
  while (tasks && readdir(tasks))
    count++;
  if (tasks)
    closedir(tasks);
  return count == 3; /* with . and .. */
}

/* The size of the words of an environment; 0: there is nobody who asks. */
static size_t receive(char text[FORK_SERVER_WORDS], int pipes[FORK_SERVER_PIPES]) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int[FORK_SERVER_PIPES]))];
  } control;
  struct iovec part = {text, FORK_SERVER_WORDS};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
  ssize_t size;
  do
    size = recvmsg(server_socket, &message, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  const struct cmsghdr *received = CMSG_FIRSTHDR(&message);
  if (size <= 0 || !received || received->cmsg_len != CMSG_LEN(sizeof(int[FORK_SERVER_PIPES])))
    return 0;
  memcpy(pipes, CMSG_DATA(received), sizeof(int[FORK_SERVER_PIPES]));
  return (size_t)size;
}

static void answer(int32_t number) { (void)!send(server_socket, &number, sizeof number, MSG_NOSIGNAL); }

/* In the fork: its group, pipes and environment. The text remains. */
static void begin(char *text, size_t size, const int pipes[FORK_SERVER_PIPES]) {
  setpgid(0, 0);
  close(server_socket);
  for (int i = 0; i < FORK_SERVER_PIPES; i++) {
    dup2(pipes[i], i);
    close(pipes[i]);
  }
  clearenv();
  for (char *word = text; word < text + size; word += strlen(word) + 1)
    putenv(word);
}

/* Returns in each fork; the server itself ends here. */
static void serve(void) {
  static char text[FORK_SERVER_WORDS];
  int pipes[FORK_SERVER_PIPES];
  if (!has_one_thread())
    _exit(1);
  answer(0);
  for (size_t size; (size = receive(text, pipes)) > 0;) {
    long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
      begin(text, size, pipes);
      return;
    }
    answer(child < 0 ? -errno : (int32_t)child);
    for (int i = 0; i < FORK_SERVER_PIPES; i++)
      close(pipes[i]);
  }
  _exit(0);
}

/* The C library's. FORK_SERVER_VARIABLE is a descriptor, in decimal. */
ssize_t read(int descriptor, void *bytes, size_t size) {
  const char *asked = descriptor == STDIN_FILENO ? getenv(FORK_SERVER_VARIABLE) : NULL;
  if (asked) {
    server_socket = atoi(asked);
    serve();
  }
  return syscall(SYS_read, descriptor, bytes, size);
}
