/* command.c - an adapter that is a program at the other end of the protocol. */
#include "document/buffer.h"
#include "document/memory.h"
#include "run/ending.h"
#include "run/process.h"
#include "run/protocol.h"
#include "run/runner.h"
#include "run/worklist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BATCH = 4096,         /* questions before a flush */
  MOST_FAILURES = 20,   /* crashes of one operation: then it is not asked any more */
  MOST_IN_ALL = 100,    /* crashes of all operations: then nothing is asked any more */
  HANG_WEIGHT = 7,      /* a hang counts as that many crashes, because it costs more time */
  MOST_BAD_LINES = 1000 /* in one life of the program */
};

/* One running copy of the program, and the questions it has. */
typedef struct session {
  process child;
  bool alive;
  task task;
  bool *answered; /* for each item of the task */
  size_t pending;
  uint64_t first_seq; /* of the task's items */
  size_t scanned;     /* bytes of child.output known to hold no line end */
  size_t bad_lines;
  size_t tasks; /* in this life of the program */
} session;

/* The state of one call of run. */
typedef struct work {
  const vector *const *vectors;
  run_answer *answers;
  worklist list;
  size_t done;
} work;

typedef struct command_adapter {
  adapter base;
  const char *command;
  session *sessions;
  size_t session_count;
  run_implementation implementation;
  uint64_t next_seq;
  size_t failures[VECTOR_OP_COUNT]; /* crashes and hangs that were attributed, weighted */
  size_t all_failures;
  size_t deaths; /* with several questions open, or after it had answered others */
  value_arena arena;
} command_adapter;

/* ---- One line ---- */

static void bad_line(command_adapter *self, session *s, dloc_text line, const char *why) {
  s->bad_lines++;
  adapter_note(&self->base, "%s: '%.*s%s'", why, line.size < 80 ? (int)line.size : 80, line.size ? line.bytes : "",
               line.size > 80 ? "..." : "");
}

static void take_answer(command_adapter *self, session *s, work *w, dloc_text line, const protocol_line *parsed) {
  size_t position = (size_t)(parsed->seq - s->first_seq);
  if (parsed->seq < s->first_seq || position >= s->task.count) {
    bad_line(self, s, line, parsed->seq < self->next_seq && parsed->seq > 0 ? "late or second answer" : "unknown seq");
    return;
  }
  run_answer *answer = &w->answers[s->task.items[position]];
  if (s->answered[position]) {
    bad_line(self, s, line, "second answer");
    run_answer_set(answer, RUN_ERRORED, "answered twice");
    return;
  }
  const vector *v = w->vectors[s->task.items[position]];
  value_diagnostic diagnostic = {0};
  if (protocol_read_answer(parsed->value, v, &self->arena, &diagnostic, answer) != DLOC_OK) {
    bad_line(self, s, line, diagnostic.message);
    run_answer_set(answer, RUN_ERRORED, "malformed answer: %s", diagnostic.message);
  }
  s->answered[position] = true;
  s->pending--;
  w->done++;
  if (self->base.settings->timeout > 0)
    s->child.deadline = process_now() + self->base.settings->timeout;
}

/* A flush that passed over questions: each is asked once more, alone. */
static void take_flush(session *s, work *w, uint64_t seq) {
  if (seq != s->first_seq + s->task.count || s->pending == 0)
    return;
  bool alone = s->task.count == 1;
  for (size_t i = 0; i < s->task.count; i++)
    if (!s->answered[i]) {
      size_t item = s->task.items[i];
      if (alone)
        run_answer_set(&w->answers[item], RUN_ERRORED, "no answer");
      else
        worklist_add(&w->list, &item, 1, 0);
      w->done += alone;
    }
  s->pending = 0;
}

static void take_line(command_adapter *self, session *s, work *w, dloc_text line) {
  value_arena_reset(&self->arena);
  protocol_line parsed;
  value_diagnostic diagnostic = {0};
  if (protocol_read(line, &self->arena, &diagnostic, &parsed) != DLOC_OK)
    bad_line(self, s, line, diagnostic.message);
  else if (parsed.kind == PROTOCOL_ANSWER)
    take_answer(self, s, w, line, &parsed);
  else if (parsed.kind == PROTOCOL_FLUSHED)
    take_flush(s, w, parsed.seq);
  else
    bad_line(self, s, line, "started again");
}

/* The next whole line of what the child wrote; `used` bytes before it are done with. */
static bool next_line(session *s, size_t used, dloc_text *ret) {
  const dloc_buffer *output = &s->child.output;
  size_t from = s->scanned > used ? s->scanned : used;
  const char *end = from < output->size ? memchr(output->bytes + from, '\n', output->size - from) : NULL;
  if (!end) {
    s->scanned = output->size;
    return false;
  }
  *ret = (dloc_text){output->bytes + used, (size_t)(end - output->bytes) - used};
  return true;
}

static void drop_output(session *s, size_t used) {
  dloc_buffer *output = &s->child.output;
  if (used == 0)
    return;
  memmove(output->bytes, output->bytes + used, output->size - used);
  output->size -= used;
  s->scanned = s->scanned > used ? s->scanned - used : 0;
}

static void take_lines(command_adapter *self, session *s, work *w) {
  size_t used = 0;
  dloc_text line;
  while (s->bad_lines < MOST_BAD_LINES && next_line(s, used, &line)) {
    used += line.size + 1;
    take_line(self, s, w, line);
  }
  drop_output(s, used);
}

/* ---- Life and death of the program ---- */

/* "exit status 1: the last line it wrote to stderr" */
static void describe_death(const session *s, char *text, size_t size) {
  char end[100];
  dloc_text said = process_last_words(&s->child);
  process_describe_end(&s->child, end, sizeof end);
  snprintf(text, size, "%s%s%.*s", s->bad_lines >= MOST_BAD_LINES ? "too many lines that are no answers" : end,
           said.size ? ": " : "", (int)said.size, said.bytes);
}

/* Wait for the line that answers start. */
static bool await_start(command_adapter *self, session *s, run_implementation *ret) {
  process *child = &s->child;
  dloc_text line;
  while (!next_line(s, 0, &line)) {
    if (child->exited) {
      char end[400];
      describe_death(s, end, sizeof end);
      return adapter_fail(&self->base, "the adapter did not start: %s", end);
    }
    process_pump(&child, 1, 1);
  }
  value_arena_reset(&self->arena);
  protocol_line parsed;
  value_diagnostic diagnostic = {0};
  dloc_status status = protocol_read(line, &self->arena, &diagnostic, &parsed);
  if (status == DLOC_OK && parsed.kind != PROTOCOL_STARTED)
    status = value_diagnose(&diagnostic, 1, 1, "protocol", "expected the answer to start");
  if (status == DLOC_OK)
    status = protocol_read_started(parsed.value, &diagnostic, ret);
  if (status != DLOC_OK)
    return adapter_fail(&self->base, "the adapter's first line is none of the protocol: %s", diagnostic.message);
  drop_output(s, line.size + 1);
  return true;
}

static bool session_start(command_adapter *self, session *s, run_implementation *ret) {
  int error = process_start_shell(self->command, 2 * (size_t)PROTOCOL_LINE_LIMIT, 1 << 16, &s->child);
  if (error)
    return adapter_fail(&self->base, "cannot start the adapter: %s", strerror(error));
  s->alive = true;
  s->scanned = 0;
  s->bad_lines = s->tasks = 0;
  dloc_buffer line = {0};
  protocol_write_start(self->base.settings, &self->arena, &line);
  process_send(&s->child, &line);
  s->child.deadline = process_now() + self->base.settings->timeout;
  if (!await_start(self, s, ret))
    return false;
  s->child.deadline = 0;
  return true;
}

static void session_end(session *s) {
  process_end(&s->child);
  s->alive = false;
}

/* The program is gone, or had to go, with questions open. One is to blame that was all that this program was asked; of
 * several the first is suspected, and asked alone. */
static void take_death(command_adapter *self, session *s, work *w) {
  char end[400];
  describe_death(s, end, sizeof end);
  size_t open = 0;
  for (size_t i = 0; i < s->task.count; i++)
    if (!s->answered[i])
      s->task.items[open++] = s->task.items[i];
  self->base.restarts++;
  bool fresh = s->tasks == 1, alone = fresh && s->task.count == 1;
  if (open && !alone && (open == 1 || (!fresh && open == s->task.count)) && !s->child.timed_out) {
    self->deaths++; /* it may have ended before it got them: a fresh program gets them */
    worklist_add(&w->list, s->task.items, open, 0);
  } else if (open == 1) {
    run_outcome outcome = s->child.timed_out ? RUN_HANG : RUN_CRASH;
    run_answer_set(&w->answers[s->task.items[0]], outcome, "%s", end);
    run_answer_keep_errors(&w->answers[s->task.items[0]], buffer_text(&s->child.errors));
    size_t weight = s->child.timed_out ? HANG_WEIGHT : 1;
    self->failures[w->vectors[s->task.items[0]]->op] += weight;
    self->all_failures += weight;
    w->done++;
  } else if (open > 1) {
    self->deaths++;
    worklist_split(&w->list, s->task.items, open, 0);
  }
  s->pending = 0;
  session_end(s);
}

/* ---- A task ---- */

static void task_end(session *s) {
  task_deinit(&s->task);
  free(s->answered);
  s->answered = NULL;
  s->pending = 0;
  s->child.deadline = 0;
}

static void write_questions(command_adapter *self, session *s, const work *w) {
  dloc_buffer lines = {0};
  s->first_seq = self->next_seq;
  s->tasks++;
  for (size_t i = 0; i < s->task.count; i++)
    protocol_write_run(w->vectors[s->task.items[i]], self->next_seq++, &self->arena, &lines);
  protocol_write_flush(self->next_seq++, &self->arena, &lines);
  process_send(&s->child, &lines);
}

/* After too many failures the rest is not asked: a program that always dies would take forever. */
static void leave_out(const command_adapter *self, work *w, task *t) {
  size_t count = t->count;
  t->count = 0;
  for (size_t i = 0; i < count; i++) {
    vector_op op = w->vectors[t->items[i]]->op;
    if (self->failures[op] >= MOST_FAILURES || self->all_failures >= MOST_IN_ALL)
      run_answer_set(&w->answers[t->items[i]], RUN_NOT_ASKED, "not asked, after too many crashes and hangs of '%s'",
                     vector_op_name(op));
    else
      t->items[t->count++] = t->items[i];
  }
  w->done += count - t->count;
}

/* Give an idle session something to do; false when the run cannot go on. */
static bool session_feed(command_adapter *self, session *s, work *w) {
  while (s->pending == 0 && s->task.count == 0 && worklist_take(&w->list, &s->task)) {
    leave_out(self, w, &s->task);
    if (s->task.count == 0)
      task_deinit(&s->task);
  }
  if (s->pending > 0 || s->task.count == 0)
    return true;
  s->pending = s->task.count;
  s->answered = memory_allocate(s->task.count, sizeof *s->answered);
  run_implementation same;
  if (!s->alive && !session_start(self, s, &same))
    return false;
  s->child.deadline = process_now() + self->base.settings->timeout;
  write_questions(self, s, w);
  return true;
}

static void session_serve(command_adapter *self, session *s, work *w) {
  if (!s->alive)
    return;
  take_lines(self, s, w);
  if (s->bad_lines >= MOST_BAD_LINES)
    process_kill(&s->child);
  if (s->pending > 0 && s->child.exited)
    take_death(self, s, w);
  if (s->pending == 0 && s->answered)
    task_end(s);
  if (s->alive && s->child.exited)
    session_end(s); /* it ended between two tasks: the next one starts it again */
}

static size_t busy_processes(command_adapter *self, process **ret) {
  size_t count = 0;
  for (size_t i = 0; i < self->session_count; i++)
    if (self->sessions[i].alive && self->sessions[i].pending > 0)
      ret[count++] = &self->sessions[i].child;
  return count;
}

static bool serve_all(command_adapter *self, work *w) {
  process *busy[64];
  for (;;) {
    for (size_t i = 0; i < self->session_count; i++)
      if (self->sessions[i].pending == 0 && !session_feed(self, &self->sessions[i], w))
        return false;
    size_t count = busy_processes(self, busy);
    if (count == 0)
      return true;
    process_pump(busy, count, 1);
    if (ending_signal())
      return false;
    for (size_t i = 0; i < self->session_count; i++)
      session_serve(self, &self->sessions[i], w);
    adapter_report(&self->base, w->done);
  }
}

/* ---- One question alone ---- */

static void command_show(adapter *a, const vector *v, bool ask, run_exchange *exchange) {
  command_adapter *self = (command_adapter *)a;
  OWNED(process_end) process child = {0};
  value_arena_reset(&self->arena);
  adapter_write_module(v, &exchange->module);
  protocol_write_run(v, 1, &self->arena, &exchange->question);
  if (!ask)
    return;
  protocol_write_start(a->settings, &self->arena, &exchange->lines);
  buffer_put(&exchange->lines, buffer_text(&exchange->question));
  protocol_write_flush(2, &self->arena, &exchange->lines);
  protocol_write_stop(&self->arena, &exchange->lines);
  buffer_put(&exchange->command, dloc_text_of(self->command));
  char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, exchange->command.bytes, NULL};
  if (process_run(argv, buffer_text(&exchange->lines), a->settings->timeout, PROTOCOL_LINE_LIMIT, &child) == 0) {
    buffer_put(&exchange->output, buffer_text(&child.output));
    buffer_put(&exchange->errors, buffer_text(&child.errors));
  }
}

/* ---- The interface ---- */

static bool command_start(adapter *a, run_implementation *ret) {
  command_adapter *self = (command_adapter *)a;
  self->session_count = a->settings->jobs;
  self->sessions = memory_allocate(self->session_count, sizeof *self->sessions);
  if (!session_start(self, &self->sessions[0], &self->implementation))
    return false;
  *ret = self->implementation;
  return true;
}

static bool command_run(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  command_adapter *self = (command_adapter *)a;
  work w = {.vectors = vectors, .answers = answers};
  OWNED(memory_release) size_t *items = memory_allocate(count, sizeof *items);
  size_t share = (count + self->session_count - 1) / self->session_count;
  for (size_t i = 0; i < count; i++)
    items[i] = i;
  worklist_add_chunks(&w.list, items, count, share < BATCH ? share : BATCH, 0);
  bool fine = serve_all(self, &w);
  for (size_t i = 0; i < self->session_count; i++)
    task_end(&self->sessions[i]);
  worklist_deinit(&w.list);
  return fine;
}

/* Let it end by itself, and see what it says after the last question. */
static void session_stop(command_adapter *self, session *s) {
  dloc_buffer line = {0};
  protocol_write_stop(&self->arena, &line);
  process_send(&s->child, &line);
  s->child.input_ends = true;
  double limit = self->base.settings->timeout < 5 ? self->base.settings->timeout : 5;
  s->child.deadline = process_now() + limit;
  process_await(&s->child);
  work nothing = {.vectors = NULL};
  take_lines(self, s, &nothing);
  char end[400];
  describe_death(s, end, sizeof end);
  if (s->child.status != 0)
    adapter_note(&self->base, "after stop: %s", end);
  session_end(s);
}

static void command_stop(adapter *a) {
  command_adapter *self = (command_adapter *)a;
  for (size_t i = 0; self->sessions && i < self->session_count; i++) {
    if (self->sessions[i].alive && !a->error[0])
      session_stop(self, &self->sessions[i]);
    session_end(&self->sessions[i]);
  }
  if (self->deaths > 0 && self->all_failures == 0)
    adapter_note(a,
                 "ended %zu times behind an answer, or with several questions open, but with none of them asked alone",
                 self->deaths);
}

static void command_destroy(adapter *a) {
  command_adapter *self = (command_adapter *)a;
  free(self->sessions);
  value_arena_deinit(&self->arena);
  free(self);
}

static adapter *create(const char *command) {
  command_adapter *self = memory_allocate(1, sizeof *self);
  self->base = (adapter){.start = command_start,
                         .run = command_run,
                         .show = command_show,
                         .stop = command_stop,
                         .destroy = command_destroy};
  self->command = command;
  self->next_seq = 1;
  return &self->base;
}

adapter *adapter_create(const char *implementation, const char *directory) {
  if (strcmp(implementation, "model") == 0)
    return adapter_model_create();
  if (strcmp(implementation, "llvm") == 0)
    return adapter_llvm_create(directory);
  if (strcmp(implementation, "dropin") == 0)
    return adapter_dropin_create(directory);
  return create(implementation);
}
