/* fork_server.c - one server for each command, which is started when the command is asked for the second time. The server
 * that was not asked for the longest time ends when there are too many.
 *
 * The library that makes a tool a server (preloaded.c) is a part of this program. A file in memory hands it to the
 * loader, so nothing has to be installed, and nothing has to be found. A server ends when its socket closes. */
#define _GNU_SOURCE /* memfd_create */
#include "fork_server.h"

#include "document/memory.h"
#include "ending.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The bytes of the library. */
__asm__(".pushsection .rodata\n"
        "preloaded_begin: .incbin \"" FORK_SERVER_LIBRARY "\"\n"
        "preloaded_end: .byte 0\n"
        ".popsection\n");
extern const char preloaded_begin[] __attribute__((visibility("hidden")));
extern const char preloaded_end[] __attribute__((visibility("hidden")));

enum { MOST_SERVERS = 24, MOST_REFUSED = 4, PATIENCE = 5 * 1000 /* ms, until it reads */ };

typedef struct server {
  char *command; /* the words of argv, each with a NUL */
  size_t size;
  pid_t pid;
  int socket; /* -1: this is none */
  bool tried;
} server;

/* The newest stands first. */
static server servers[MOST_SERVERS];
static size_t server_count, refused;
static pid_t owner; /* of the servers: a fork of this program has none */

/* ---- Starting one ---- */

static bool is_elf(const char *path) {
  char magic[4] = "";
  FILE *file = fopen(path, "rb");
  bool is = file && fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
  if (file)
    fclose(file);
  return is;
}

/* A descriptor of a file with the library; -1: there cannot be one. Children inherit it. */
static int library(void) {
  static int file = -1;
  size_t size = (size_t)(preloaded_end - preloaded_begin);
  if (file < 0)
    file = memfd_create("fork-server", 0);
  if (file >= 0 && lseek(file, 0, SEEK_END) == 0 && write(file, preloaded_begin, size) != (ssize_t)size)
    return -1;
  return file;
}

/* The library and its end of the socket are in the environment. Its pipes are pipes, as each fork's are, but empty. */
static int spawn_server(char *const *argv, int file, int socket, pid_t *ret) {
  char preload[40], asked[40];
  OWNED(memory_release) char **environment = NULL;
  size_t count = 0;
  int empty[2];
  snprintf(preload, sizeof preload, "LD_PRELOAD=/proc/self/fd/%d", file);
  snprintf(asked, sizeof asked, FORK_SERVER_VARIABLE "=%d", socket);
  *MEMORY_ADD(environment, count) = preload;
  *MEMORY_ADD(environment, count) = asked;
  for (char **variable = environ; *variable; variable++)
    *MEMORY_ADD(environment, count) = *variable;
  *MEMORY_ADD(environment, count) = NULL;
  if (pipe2(empty, O_CLOEXEC) != 0)
    return errno;
  int error = spawn_program(argv, environment, (int[]){empty[0], empty[1], empty[1]}, ret);
  close(empty[0]);
  close(empty[1]);
  return error;
}

/* The number that a server answers with; negative: an errno, or it has ended. */
static int32_t read_answer(int socket) {
  struct pollfd readable = {.fd = socket, .events = POLLIN};
  int32_t number = -ECHILD;
  while (poll(&readable, 1, PATIENCE) < 0 && errno == EINTR) {
  }
  return readable.revents & POLLIN && recv(socket, &number, sizeof number, 0) == sizeof number ? number : -ECHILD;
}

static void end_server(server *server) {
  if (server->socket >= 0) {
    close(server->socket);
    kill(-server->pid, SIGKILL);
    waitpid(server->pid, NULL, 0);
    ending_forget_group(server->pid);
  }
  server->socket = -1;
}

static void start_server(char *const *argv, server *ret) {
  int ends[2], file = library();
  ret->socket = -1;
  if (file < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
    return;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  int error = spawn_server(argv, file, ends[1], &ret->pid);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return;
  }
  ret->socket = ends[0];
  if (read_answer(ends[0]) != 0)
    end_server(ret);
}

/* ---- Finding one ---- */

/* A fork of this program leaves the servers to it. */
static void forget_inherited(void) {
  if (owner == getpid())
    return;
  for (size_t i = 0; i < server_count; i++) {
    if (servers[i].socket >= 0)
      close(servers[i].socket);
    free(servers[i].command);
  }
  server_count = 0;
  owner = getpid();
}

/* The server of a command, which moves to the front. */
static server *server_of(char *const *argv, dloc_text command) {
  size_t at = 0;
  server found = {0};
  forget_inherited();
  while (at < server_count &&
         (servers[at].size != command.size || memcmp(servers[at].command, command.bytes, command.size) != 0))
    at++;
  if (at < server_count) {
    found = servers[at];
    if (!found.tried && refused < MOST_REFUSED && !getenv("LD_PRELOAD") && is_elf(argv[0]))
      start_server(argv, &found);
    refused += !found.tried && found.socket < 0;
    found.tried = true;
  } else {
    if (at == MOST_SERVERS) {
      end_server(&servers[--at]);
      free(servers[at].command);
    } else {
      server_count++;
    }
    found = (server){.command = memory_copy(command), .size = command.size, .socket = -1};
  }
  memmove(servers + 1, servers, at * sizeof *servers);
  servers[0] = found;
  return &servers[0];
}

/* ---- Asking it ---- */

/* The words, each with a NUL; their size, 0: it is more than there is room for. */
static size_t join(char *const *words, char text[FORK_SERVER_WORDS]) {
  size_t size = 0;
  for (; *words; words++) {
    size_t length = strlen(*words) + 1;
    if (length > FORK_SERVER_WORDS - size)
      return 0;
    memcpy(text + size, *words, length);
    size += length;
  }
  return size;
}

static bool send_words(int socket, char *text, size_t size, const int pipes[FORK_SERVER_PIPES]) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int[FORK_SERVER_PIPES]))];
  } control = {.bytes = {0}};
  struct iovec part = {text, size};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int[FORK_SERVER_PIPES]));
  memcpy(CMSG_DATA(header), pipes, sizeof(int[FORK_SERVER_PIPES]));
  return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size;
}

bool fork_server_start(char *const *argv, const int pipes[FORK_SERVER_PIPES], pid_t *ret) {
  static char text[FORK_SERVER_WORDS];
  size_t size = strchr(argv[0], '/') ? join(argv, text) : 0;
  server *server = size ? server_of(argv, (dloc_text){text, size}) : NULL;
  if (!server || server->socket < 0 || !(size = join(environ, text)))
    return false;
  int32_t pid = send_words(server->socket, text, size, pipes) ? read_answer(server->socket) : -ECHILD;
  if (pid <= 0) {
    end_server(server);
    return false;
  }
  setpgid(pid, pid); /* the child does so as well: whoever is first */
  *ret = pid;
  return true;
}
