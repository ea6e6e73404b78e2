/* process.h - child processes with their pipes, under time limits.
 *
 * One poll loop drives any number of children, so none of them can block another or the caller: input is queued, output
 * is collected in memory up to a limit. Each child leads a process group of its own; ending it ends everything it
 * started. SIGPIPE has its default action in children. */
#pragma once

#include "dloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Starts as {0}. */
typedef struct process {
  pid_t pid;
  int in, out, err;  /* our ends of its pipes; -1 once closed */
  dloc_buffer input; /* queued for its stdin; the first `written` bytes are gone */
  size_t written;
  bool input_ends;    /* close its stdin when the queue is empty */
  dloc_buffer output; /* what it wrote to stdout; the consumer may cut it */
  dloc_buffer errors; /* the beginning of what it wrote to stderr */
  size_t output_limit;
  size_t errors_limit;
  double deadline; /* process_now() after which it is killed; 0: none */
  double most_cpu; /* seconds of processor time after which it is killed: a loaded machine makes nothing late; 0: any */
  bool exited;
  int status;      /* waitpid's, once exited; an exit status of 128 and a signal counts as that signal */
  bool timed_out;  /* killed at its deadline */
  bool overflowed; /* killed because it wrote more than output_limit */
} process;

/* Seconds of a clock that never goes back. */
double process_now(void);

/* Start argv[0], searched in PATH, with the limits on what is kept of its output (stderr is cut silently). Returns 0 or
 * an errno; after success the caller gives *ret to process_end. Two processes may not be started at a time by different
 * threads. */
int process_start(char *const *argv, size_t output_limit, size_t errors_limit, process *ret);

/* Prefixes every command from now on with these words, such as `prlimit --as=N --`; they stay the caller's. NULL ends them.
 * With such words no command is forked. */
void process_start_behind(char *const *words);

/* process_start for a command that reads its stdin and is started many times: by a fork server, if the command can be
 * one (fork_server.h). */
int process_start_forked(char *const *argv, size_t output_limit, size_t errors_limit, process *ret);

/* process_start for a shell command. */
int process_start_shell(const char *command, size_t output_limit, size_t errors_limit, process *ret);

/* Queue bytes for its stdin. */
void process_write(process *process, const char *bytes, size_t size);
/* The same; lines is released. */
void process_send(process *process, dloc_buffer *lines);

/* Wait until something happened to one of the processes (bytes moved, an exit, a deadline), at most `seconds`; move
 * what can be moved. */
void process_pump(process *const *processes, size_t count, double seconds);

/* Until it has ended. */
void process_await(process *process);

/* Kill the whole process group, if it is still there, and wait for the child. */
void process_kill(process *process);

/* process_kill, then release everything; the struct may be used again afterwards. */
void process_end(process *process);

/* Run a program to its end: input to its stdin, its output into *ret. Returns 0 or process_start's errno. */
int process_run(char *const *argv, dloc_text input, double seconds, size_t output_limit, process *ret);

/* With the exit status 0, in time and within its limits. */
bool process_ended_well(const process *process);
/* By a signal, or as a shell tells of one. */
bool process_crashed(const process *process);
/* How it ended, for people: "exit status 1", "killed by signal 11", "no answer within 10 s". Written to text. */
void process_describe_end(const process *process, char *text, size_t size);

/* The line of what it wrote to stderr that says most, borrowed: a failed assertion or an error, otherwise the last one;
 * at most 299 bytes of it. */
dloc_text process_last_words(const process *process);
