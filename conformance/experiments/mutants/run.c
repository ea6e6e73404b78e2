/* mutants_run.c - the model under each mutant, in a process of its own: it may crash, loop or eat memory. */
#include "session.h"

#include "document/buffer.h"
#include "document/memory.h"
#include "run/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

enum {
  SECONDS_FOR_A_VECTOR = 2, /* of processor time; one takes well under a millisecond */
  MEMORY_LIMIT = 1 << 30
};

/* ---- One vector, in the child ---- */

typedef struct trial {
  const mutant_vector *subject;
  unsigned mutant;
  dloc_context *context;
  value_arena arena;
  dloc_buffer actual;
} trial;

/* The mutated model answers; what it says is written down by the unmutated one. */
static dloc_status answer_under(trial *t, const dloc_profile *profile, vector_answer *ret) {
  dloc_context_reset(t->context);
  value_arena_reset(&t->arena);
  mutant_selected = t->mutant;
  dloc_status status = vector_evaluate(&t->subject->vector, profile, t->context, &t->arena, NULL, ret);
  mutant_selected = 0;
  return status;
}

static bool answers_as_expected(trial *t, const mutant_comparison *comparison) {
  vector_answer answer;
  t->actual.size = 0;
  return answer_under(t, &comparison->profile, &answer) == DLOC_OK &&
         vector_answer_text(t->context, &t->arena, &answer, buffer_sink(&t->actual)) == DLOC_OK &&
         dloc_text_equal(comparison->expected, buffer_text(&t->actual));
}

static mutant_verdict judge(trial *t) {
  for (size_t i = 0; i < t->subject->comparison_count; i++)
    if (!answers_as_expected(t, &t->subject->comparisons[i]))
      return MUTANT_NOTICED;
  return MUTANT_UNNOTICED;
}

/* The limit counts from the start of the process. */
static void allow_time(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  rlim_t seconds = (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + 1 + SECONDS_FOR_A_VECTOR;
  setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, RLIM_INFINITY});
}

static void bound_process(void) {
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#ifndef SANITIZED /* the sanitizer's shadow is larger than any limit */
  setrlimit(RLIMIT_DATA, &(struct rlimit){MEMORY_LIMIT, MEMORY_LIMIT});
#endif
}

/* First every vector that names the mutant, then, unless that is enough, the others. */
static void run_vectors(const mutant_session *session, const mutant_task *task, trial *t, bool named) {
  const char *name = mutant_at(task->mutant)->name;
  bool noticed = memchr(task->verdicts, MUTANT_NOTICED, session->vector_count) ||
                 memchr(task->verdicts, MUTANT_CRASHED, session->vector_count);
  for (size_t i = 0; i < session->vector_count && (named || session->all || !noticed); i++) {
    t->subject = &session->vectors[i];
    if (task->verdicts[i] != MUTANT_NOT_RUN || mutant_names(&t->subject->vector, name) != named)
      continue;
    allow_time();
    task->verdicts[i] = MUTANT_RUNNING;
    task->verdicts[i] = (uint8_t)judge(t);
    noticed = noticed || task->verdicts[i] == MUTANT_NOTICED;
  }
}

static _Noreturn void run_child(const mutant_session *session, const mutant_task *task) {
  trial t = {.mutant = (unsigned)(task->mutant + 1)};
  bound_process();
  t.context = dloc_context_create(NULL); /* running out of memory is an answer that is not as expected */
  if (!t.context)
    _exit(1);
  run_vectors(session, task, &t, true);
  run_vectors(session, task, &t, false);
  _exit(0);
}

/* ---- The processes ---- */

typedef struct crew {
  mutant_session *session;
  pid_t *children; /* one for each job; 0: idle */
  size_t *tasks;   /* what each is at */
  size_t next;
  size_t done;
  double shown;
} crew;

static bool fail(crew *c, const char *what, const char *why) {
  snprintf(c->session->error, sizeof c->session->error, "%s: %s", what, why);
  return false;
}

static bool start(crew *c, size_t job, size_t task) {
  pid_t child = fork();
  if (child == 0)
    run_child(c->session, &c->session->tasks[task]);
  if (child < 0) {
    return fail(c, "cannot start a process", strerror(errno));
  }
  c->children[job] = child;
  c->tasks[job] = task;
  return true;
}

static bool start_idle(crew *c) {
  for (size_t job = 0; job < c->session->jobs && c->next < c->session->task_count; job++)
    if (!c->children[job] && !start(c, job, c->next++))
      return false;
  return true;
}

/* A child that ended in the middle of a vector was killed by it; another goes on with the rest. */
static bool finish(crew *c, size_t job, int status) {
  mutant_task *task = &c->session->tasks[c->tasks[job]];
  uint8_t *running = memchr(task->verdicts, MUTANT_RUNNING, c->session->vector_count);
  c->children[job] = 0;
  if (running) {
    *running = MUTANT_CRASHED;
    return start(c, job, c->tasks[job]);
  }
  if (status != 0) {
    return fail(c, mutant_at(task->mutant)->name, "the process could not do its work");
  }
  c->done++;
  return true;
}

static void show_progress(crew *c) {
  double now = process_now();
  if (!c->session->terminal || now - c->shown < 0.1)
    return;
  c->shown = now;
  fprintf(stderr, "\r\033[K%zu of %zu mutants", c->done, c->session->task_count);
}

static bool await_one(crew *c) {
  int status = 0;
  pid_t child = waitpid(-1, &status, 0);
  if (child < 0 && errno == EINTR)
    return true;
  for (size_t job = 0; child > 0 && job < c->session->jobs; job++)
    if (c->children[job] == child)
      return finish(c, job, status);
  return fail(c, "cannot wait for a process", strerror(errno));
}

static void stop_all(crew *c) {
  for (size_t job = 0; job < c->session->jobs; job++)
    if (c->children[job]) {
      kill(c->children[job], SIGKILL);
      waitpid(c->children[job], NULL, 0);
    }
}

bool mutants_run(mutant_session *session) {
  crew c = {.session = session};
  c.children = memory_allocate(session->jobs, sizeof *c.children);
  c.tasks = memory_allocate(session->jobs, sizeof *c.tasks);
  bool fine = true;
  fflush(NULL); /* this process writes what is buffered */
  while (fine && c.done < session->task_count) {
    fine = start_idle(&c) && await_one(&c);
    show_progress(&c);
  }
  if (!fine)
    stop_all(&c);
  if (c.shown > 0)
    fputs("\r\033[K", stderr);
  free(c.children);
  free(c.tasks);
  return fine;
}
