/* jobs.c - one search in several processes. */
#include "laws.h"

#include "document/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a job sends when it is done. */
typedef struct job_report {
  dloc_status status;
  law_result results[LAW_COUNT];
} job_report;

typedef struct job {
  pid_t pid; /* 0: not started */
  int pipe;  /* to be read from */
} job;

/* Part `index` of `jobs` of the shard: every input of the shard is in one of them. */
static laws_settings part_of(const laws_settings *settings, unsigned index, unsigned jobs) {
  laws_settings part = *settings;
  part.shard = settings->shard + settings->shards * index;
  part.shards = settings->shards * jobs;
  return part;
}

static bool write_all(int file, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size) {
    ssize_t written = write(file, at, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    at += written;
    size -= (size_t)written;
  }
  return true;
}

static bool read_all(int file, void *bytes, size_t size) {
  char *at = bytes;
  while (size) {
    ssize_t got = read(file, at, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

static void work(const laws_settings *part, int file) {
  job_report report;
  report.status = laws_run(part, report.results);
  _exit(write_all(file, &report, sizeof report) ? 0 : 1);
}

/* Processor time for the process from its start on; a job that exceeds it, or crashes, leaves no core file. */
static void allow(unsigned seconds) {
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, RLIM_INFINITY});
}

/* seconds: 0 for any number. False when there is no further process or pipe. */
static bool start(const laws_settings *part, unsigned seconds, job *ret) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  fflush(NULL); /* this process writes what is buffered */
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    if (seconds)
      allow(seconds);
    work(part, ends[1]);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return false;
  }
  *ret = (job){pid, ends[0]};
  return true;
}

/* What it sent; false when it died before. */
static bool await(job *j, job_report *ret) {
  bool sent = read_all(j->pipe, ret, sizeof *ret);
  close(j->pipe);
  while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  return sent;
}

/* Its results; a part that never started, or a job that died, is done here. */
static dloc_status finish(const laws_settings *part, job *j, law_result results[LAW_COUNT]) {
  job_report report;
  if (!j->pid || !await(j, &report))
    report.status = laws_run(part, report.results);
  laws_add(results, report.results);
  return report.status;
}

dloc_status laws_run_apart(const laws_settings *settings, unsigned seconds, law_result results[LAW_COUNT]) {
  job_report report;
  job alone;
  if (!start(settings, seconds, &alone))
    return DLOC_NO_MEMORY;
  if (!await(&alone, &report))
    return DLOC_STOPPED;
  memcpy(results, report.results, sizeof report.results);
  return report.status;
}

dloc_status laws_run_parallel(const laws_settings *settings, unsigned jobs, law_result results[LAW_COUNT]) {
  dloc_status status = DLOC_OK;
  job *running = memory_allocate(jobs, sizeof *running);
  for (unsigned i = 0; i < LAW_COUNT; i++)
    results[i] = (law_result){0, 0, LAWS_NO_INPUT};
  for (unsigned i = 1; i < jobs; i++) {
    laws_settings part = part_of(settings, i, jobs);
    if (!start(&part, 0, &running[i]))
      break;
  }
  for (unsigned i = 0; i < jobs; i++) { /* the first part is this process's own */
    laws_settings part = part_of(settings, i, jobs);
    dloc_status one = finish(&part, &running[i], results);
    status = status == DLOC_OK ? one : status;
  }
  free(running);
  return status;
}
