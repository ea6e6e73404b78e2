/* jobs.c - one search in several processes, which share the memory of its results. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "laws.h"

#include "document/memory.h"
#include "run/ending.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct job {
  pid_t pid; /* at most 0: it was not started */
  law_result results[LAW_COUNT];
} job;

/* Part `index` of `jobs` of the shard: every input of the shard is in one of them. */
static laws_settings part_of(const laws_settings *settings, unsigned index, unsigned jobs) {
  laws_settings part = *settings;
  part.shard = settings->shard + settings->shards * index;
  part.shards = settings->shards * jobs;
  part.progress = index ? NULL : settings->progress; /* of this process: the others are about as far */
  return part;
}

static void start(const laws_settings *part, job *ret) {
  fflush(NULL); /* this process writes what is buffered */
  pid_t parent = getpid(), pid = fork();
  if (pid != 0) {
    ret->pid = pid; /* which is no other's to write */
    return;
  }
  ending_follow(parent, SIGKILL);
  laws_run(part, ret->results);
  _exit(0);
}

static bool ends_well(const job *j) {
  int status = 1;
  return j->pid > 0 && waitpid(j->pid, &status, 0) == j->pid && status == 0;
}

void laws_add(law_result results[LAW_COUNT], const law_result more[LAW_COUNT]) {
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    results[i].tried += more[i].tried;
    results[i].broken += more[i].broken;
    if (more[i].first < results[i].first)
      results[i].first = more[i].first;
  }
}

void laws_run_parallel(const laws_settings *settings, unsigned jobs, law_result results[LAW_COUNT]) {
  job *running = mmap(NULL, jobs * sizeof *running, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (running == MAP_FAILED)
    memory_exhausted();
  for (unsigned i = 0; i < LAW_COUNT; i++)
    results[i] = (law_result){.first = LAWS_NO_INPUT};
  for (unsigned i = 1; i < jobs; i++) {
    laws_settings part = part_of(settings, i, jobs);
    start(&part, &running[i]);
  }
  for (unsigned i = 0; i < jobs; i++) { /* this process does the first part, and those of jobs that died */
    laws_settings part = part_of(settings, i, jobs);
    if (!ends_well(&running[i]))
      laws_run(&part, running[i].results);
    laws_add(results, running[i].results);
  }
  munmap(running, jobs * sizeof *running);
}
