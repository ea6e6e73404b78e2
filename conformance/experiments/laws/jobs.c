/* jobs.c - one search in several processes. */
#include "laws.h"

#include "run/parallel.h"

typedef struct job {
  pid_t pid;
  laws_settings part;
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

static void run(void *user) {
  job *j = user;
  laws_run(&j->part, j->results);
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
  job *running = parallel_memory(jobs * sizeof *running);
  for (unsigned i = 0; i < LAW_COUNT; i++)
    results[i] = (law_result){.first = LAWS_NO_INPUT};
  for (unsigned i = 0; i < jobs; i++) {
    running[i].part = part_of(settings, i, jobs);
    running[i].pid = i ? parallel_start(run, &running[i]) : 0;
  }
  for (unsigned i = 0; i < jobs; i++) { /* this process does the first part, and those of jobs that died */
    if (!parallel_end(running[i].pid))
      run(&running[i]);
    laws_add(results, running[i].results);
  }
  parallel_forget(running, jobs * sizeof *running);
}
