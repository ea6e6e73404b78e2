/* process.c - child processes with their pipes, under time limits. */
#define _GNU_SOURCE /* pipe2 */
#include "process.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "document/text.h"
#include "ending.h"
#include "fork_server.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST_CHILDREN = 64, CHUNK = 1 << 16 };

double process_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds of processor time that it has used; of those that it started nothing. */
static double process_cpu(const process *process) {
  clockid_t clock;
  struct timespec used;
  if (process->exited || clock_getcpuclockid(process->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return 0;
  return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* ---- Starting ---- */

static void close_end(int *end) {
  if (*end >= 0)
    close(*end);
  *end = -1;
}

/* Pipes for stdin, stdout and stderr: ends[i][0] is the child's end, ends[i][1] ours, which no child inherits and never
 * blocks. */
static int open_pipes(int ends[3][2]) {
  for (int i = 0; i < 3; i++) {
    int both[2];
    if (pipe2(both, O_CLOEXEC) != 0)
      return errno;
    ends[i][0] = both[i != 0];
    ends[i][1] = both[i == 0];
    if (fcntl(ends[i][1], F_SETFL, O_NONBLOCK) != 0)
      return errno;
  }
  return 0;
}

static char *const *words_before;

void process_start_behind(char *const *words) { words_before = words; }

/* A new array of the same words, and argv behind them. */
static char **behind_words(char *const *argv) {
  char **all = NULL;
  size_t count = 0;
  for (char *const *word = words_before; word && *word; word++)
    *MEMORY_ADD(all, count) = *word;
  do
    *MEMORY_ADD(all, count) = *argv;
  while (*argv++);
  return all;
}

/* A fork server knows nothing of words before the tool. */
static int start(char *const *argv, const int pipes[3], bool forked, pid_t *ret) {
  if (forked && !words_before && fork_server_start(argv, pipes, ret)) {
    ending_add_group(*ret);
    return 0;
  }
  OWNED(memory_release) char **all = behind_words(argv);
  return spawn_program(all, environ, pipes, ret);
}

static int start_process(char *const *argv, bool forked, size_t output_limit, size_t errors_limit, process *ret) {
  int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  pid_t pid = 0;
  sigset_t all, before;
  int error = ending_guard(); /* before there are pipes, whose ends it would hold */
  if (error)
    return error;
  error = open_pipes(ends);
  if (!error) {
    /* No signal may end this program while the child runs and its group is not yet remembered. */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    error = start(argv, (int[]){ends[0][0], ends[1][0], ends[2][0]}, forked, &pid);
    sigprocmask(SIG_SETMASK, &before, NULL);
  }
  for (int i = 0; i < 3; i++) {
    close_end(&ends[i][0]);
    if (error)
      close_end(&ends[i][1]);
  }
  if (error)
    return error;
  *ret = (process){.pid = pid,
                   .in = ends[0][1],
                   .out = ends[1][1],
                   .err = ends[2][1],
                   .output_limit = output_limit,
                   .errors_limit = errors_limit};
  return 0;
}

int process_start(char *const *argv, size_t output_limit, size_t errors_limit, process *ret) {
  return start_process(argv, false, output_limit, errors_limit, ret);
}

int process_start_forked(char *const *argv, size_t output_limit, size_t errors_limit, process *ret) {
  return start_process(argv, true, output_limit, errors_limit, ret);
}

int process_start_shell(const char *command, size_t output_limit, size_t errors_limit, process *ret) {
  char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, (char *)(uintptr_t)command, NULL};
  return process_start(argv, output_limit, errors_limit, ret);
}

void process_write(process *process, const char *bytes, size_t size) {
  if (process->written == process->input.size)
    process->written = process->input.size = 0;
  buffer_put(&process->input, (dloc_text){bytes, size});
}

void process_send(process *process, dloc_buffer *lines) {
  process_write(process, lines->bytes, lines->size);
  dloc_buffer_deinit(lines);
}

/* ---- Moving bytes ---- */

static bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

/* A child that reads no more is no reason to end: the signal for it is taken back. */
static ssize_t write_unharmed(int descriptor, const char *bytes, size_t size) {
  sigset_t broken, before;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  sigprocmask(SIG_BLOCK, &broken, &before);
  ssize_t n = write(descriptor, bytes, size);
  int error = errno;
  if (n < 0 && error == EPIPE)
    sigtimedwait(&broken, NULL, &(struct timespec){0});
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return n;
}

static void move_input(process *process) {
  while (process->written < process->input.size) {
    ssize_t n =
        write_unharmed(process->in, process->input.bytes + process->written, process->input.size - process->written);
    if (n > 0) {
      process->written += (size_t)n;
    } else {
      if (!is_temporary(errno))
        close_end(&process->in); /* it reads no more; how it ends tells why */
      return;
    }
  }
  if (process->input_ends)
    close_end(&process->in);
}

/* Store what was read; false when it must be killed for it. */
static bool store(process *process, dloc_buffer *buffer, size_t limit, const char *bytes, size_t size) {
  size_t room = buffer->size < limit ? limit - buffer->size : 0;
  size_t kept = size < room ? size : room;
  buffer_put(buffer, (dloc_text){bytes, kept});
  process->overflowed |= kept < size && buffer == &process->output;
  return !process->overflowed;
}

/* Read what is there; returns the number of bytes. */
static size_t move_output(process *process, int *end, dloc_buffer *buffer, size_t limit) {
  char chunk[CHUNK];
  size_t total = 0;
  while (*end >= 0) {
    ssize_t n = read(*end, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && is_temporary(errno))
      break;
    if (n <= 0) {
      close_end(end);
      break;
    }
    total += (size_t)n;
    if (!store(process, buffer, limit, chunk, (size_t)n)) {
      process_kill(process);
      break;
    }
    if (total >= 16 * (size_t)CHUNK)
      break; /* the others want their turn */
  }
  return total;
}

static size_t move_outputs(process *process) {
  return move_output(process, &process->out, &process->output, process->output_limit) +
         move_output(process, &process->err, &process->errors, process->errors_limit);
}

/* A child that has exited may have left helpers that hold its pipes open:
 * what is in the pipes now is all that counts. */
static bool reap(process *process, int options) {
  if (process->exited)
    return true;
  pid_t pid;
  do
    pid = waitpid(process->pid, &process->status, options);
  while (pid < 0 && errno == EINTR);
  if (pid == 0)
    return false;
  process->exited = true;
  int code = WIFEXITED(process->status) ? WEXITSTATUS(process->status) : 0;
  if (code > 128 && code <= 128 + SIGRTMAX) /* a shell tells of a signal so, */
    process->status = code - 128;           /* and waitpid so */
  kill(-process->pid, SIGKILL);
  ending_forget_group(process->pid);
  return true;
}

static void settle(process *process) {
  if (!process->exited && reap(process, WNOHANG)) {
    move_outputs(process); /* all that pipes hold; a helper may write on for ever */
    close_end(&process->in);
    close_end(&process->out);
    close_end(&process->err);
  } else if (!process->exited && ((process->deadline > 0 && process_now() >= process->deadline) ||
                                  (process->most_cpu > 0 && process_cpu(process) >= process->most_cpu))) {
    process->timed_out = true;
    process_kill(process);
  }
}

static void watch(const process *process, struct pollfd *fds) {
  bool writes = process->written < process->input.size || process->input_ends;
  fds[0] = (struct pollfd){writes ? process->in : -1, POLLOUT, 0};
  fds[1] = (struct pollfd){process->out, POLLIN, 0};
  fds[2] = (struct pollfd){process->err, POLLIN, 0};
}

static void serve(process *process, const struct pollfd *fds) {
  if (process->exited)
    return;
  if (fds[0].revents && process->in >= 0)
    move_input(process);
  if (fds[1].revents || fds[2].revents)
    move_outputs(process);
  settle(process);
}

/* How long poll may wait, in ms. A child that closed its pipes but lives shows its exit to waitpid only: look every few
 * ms then. */
static int poll_time(process *const *processes, size_t count, double seconds, bool all_open) {
  double now = process_now(), most = all_open ? 0.1 : 0.005, wait = seconds < most ? seconds : most;
  for (size_t i = 0; i < count; i++)
    if (!processes[i]->exited && processes[i]->deadline > 0 && processes[i]->deadline - now < wait)
      wait = processes[i]->deadline - now;
  return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

void process_pump(process *const *processes, size_t count, double seconds) {
  struct pollfd fds[MOST_CHILDREN][3];
  bool changed = count == 0;
  if (count > MOST_CHILDREN)
    count = MOST_CHILDREN;
  for (double until = process_now() + seconds; !changed;) {
    bool all_open = true, ended = false;
    for (size_t i = 0; i < count; i++) {
      watch(processes[i], fds[i]);
      all_open &= processes[i]->exited || fds[i][1].fd >= 0;
      ended |= processes[i]->exited;
    }
    int time = ended ? 0 : poll_time(processes, count, until - process_now(), all_open);
    int ready = poll(fds[0], (nfds_t)(3 * count), time);
    changed = ready > 0 || ended;
    for (size_t i = 0; i < count; i++) {
      bool exited = processes[i]->exited;
      if (ready < 0)
        memset(fds[i], 0, sizeof fds[i]);
      serve(processes[i], fds[i]);
      changed |= processes[i]->exited != exited;
    }
    changed |= process_now() >= until;
  }
}

void process_await(process *process) {
  while (!process->exited)
    process_pump(&process, 1, 1);
}

/* ---- Ending ---- */

void process_kill(process *process) {
  if (!process->exited) {
    kill(-process->pid, SIGKILL);
    kill(process->pid, SIGKILL); /* in case it is not yet in its group */
    reap(process, 0);
  }
  close_end(&process->in);
  close_end(&process->out);
  close_end(&process->err);
}

void process_end(process *process) {
  if (process->pid > 0)
    process_kill(process);
  dloc_buffer_deinit(&process->input);
  dloc_buffer_deinit(&process->output);
  dloc_buffer_deinit(&process->errors);
  *process = (struct process){0};
}

int process_run(char *const *argv, dloc_text input, double seconds, size_t output_limit, process *ret) {
  int error = process_start(argv, output_limit, 1 << 20, ret);
  if (error)
    return error;
  ret->deadline = process_now() + seconds;
  ret->input_ends = true;
  process_write(ret, input.bytes, input.size);
  process_await(ret);
  return 0;
}

bool process_ended_well(const process *process) {
  return !process->timed_out && !process->overflowed && WIFEXITED(process->status) && WEXITSTATUS(process->status) == 0;
}

bool process_crashed(const process *process) {
  return !WIFEXITED(process->status) || WEXITSTATUS(process->status) >= 128;
}

void process_describe_end(const process *process, char *text, size_t size) {
  if (process->timed_out)
    snprintf(text, size, "no answer within the time limit");
  else if (process->overflowed)
    snprintf(text, size, "more output than the limit of %zu bytes", process->output_limit);
  else if (WIFSIGNALED(process->status))
    snprintf(text, size, "killed by signal %d", WTERMSIG(process->status));
  else
    snprintf(text, size, "exit status %d", WEXITSTATUS(process->status));
}

static bool tells_error(dloc_text line) {
  static const char *const marks[] = {"Assertion ",      "LLVM ERROR: ", "UNREACHABLE executed", "error: ",
                                      "runtime error: ", "SUMMARY: ",    "terminate called"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (text_find(line, marks[i]))
      return true;
  return false;
}

/* LLVM writes such a line to stderr at any crash: advice, or a frame of the stack that is of its handler or has no name. */
static bool is_boilerplate(dloc_text line) {
  static const char *const marks[] = {"PLEASE submit a bug report", "Stack dump", " llvm::sys::", "SignalHandler"};
  const char *address = text_find(line, "#") ? text_find(line, " 0x") : NULL;
  bool found = address && strncmp(address + 1 + strspn(address + 1, "0123456789abcdefx"), " (", 2) == 0;
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    found |= text_find(line, marks[i]) != NULL;
  return found;
}

dloc_text process_last_words(const process *process) {
  enum { MOST = 299 };
  dloc_text rest = buffer_text(&process->errors), line = text_last_line(rest);
  bool told = false;
  while (rest.size) {
    dloc_text other = text_take_line(&rest);
    bool tells = tells_error(other), is_frame = text_find(other, "#") && text_find(other, " 0x");
    if (tells || (!told && text_last_line(other).size && !is_frame && !is_boilerplate(other)))
      line = text_last_line(other);
    told |= tells;
  }
  return (dloc_text){line.bytes, line.size < MOST ? line.size : MOST};
}
