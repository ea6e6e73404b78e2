/* llvm.c - the `llvm` adapter: runs batches of vectors through LLVM's tools. */
#include "llvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_JOBS = 64 };

static uint32_t bit(unsigned need) { return UINT32_C(1) << need; }

/* ---- Batches ---- */

static const llvm_recipe *const recipes[KIND_COUNT] = {
    [KIND_MERGE] = &llvm_merge,
    [KIND_MERGE_ATOMS] = &llvm_merge_atoms,
    [KIND_MERGE_MANY] = &llvm_merge_many,
    [KIND_INLINE] = &llvm_inline,
    [KIND_HOIST] = &llvm_hoist,
    [KIND_STRIP] = &llvm_strip,
    [KIND_STRIP_SOURCES] = &llvm_strip_sources,
    [KIND_STRIP_ALL] = &llvm_strip_all,
    [KIND_OUTLINE] = &llvm_outline,
    [KIND_LINK] = &llvm_link,
    [KIND_EQUAL] = &llvm_equal,
    [KIND_EQUAL_LAYERS] = &llvm_equal_layers,
    [KIND_PRINT] = &llvm_print,
    [KIND_BITCODE] = &llvm_bitcode,
    [KIND_SOURCE] = &llvm_source,
    [KIND_EMIT] = &llvm_emit,
    [KIND_EMIT_TEXTS] = &llvm_emit_texts,
    [KIND_VERIFY] = &llvm_verify,
    [KIND_ENCODE] = &llvm_encode,
};

static int kind_of(const llvm_adapter *a, const vector *v) {
  switch (v->op) {
  case VECTOR_MERGE:
    return v->needs & bit(VECTOR_NEED_ATOMS)                         ? KIND_MERGE_ATOMS
           : a->knows_layers && a->wide_switch && v->args->count > 2 ? KIND_MERGE_MANY
                                                                     : KIND_MERGE;
  case VECTOR_INLINE:
    return KIND_INLINE;
  case VECTOR_EQUAL:
    return a->knows_layers && a->has_directives ? KIND_EQUAL_LAYERS : KIND_EQUAL;
  case VECTOR_PRINT:
    return KIND_PRINT;
  case VECTOR_HOIST:
    return KIND_HOIST;
  case VECTOR_STRIP:
    return value_is(value_get(v->args, "keep"), "nothing") ? KIND_STRIP_ALL
           : v->module                                     ? KIND_STRIP_SOURCES
                                                           : KIND_STRIP;
  case VECTOR_LINK:
    return KIND_LINK;
  case VECTOR_OUTLINE:
    return KIND_OUTLINE;
  case VECTOR_ACCESSOR:
  case VECTOR_ROUNDTRIP:
    return KIND_BITCODE;
  case VECTOR_EMIT:
    return v->module ? KIND_EMIT_TEXTS : KIND_EMIT;
  case VECTOR_SOURCE:
    return KIND_SOURCE;
  case VECTOR_VERIFY:
    return KIND_VERIFY;
  case VECTOR_ENCODE:
    return KIND_ENCODE;
  default:
    return KIND_COUNT;
  }
}

/* A call of run: batches that wait, batches that are being done. */
typedef struct work {
  llvm_adapter *adapter;
  const vector *const *vectors;
  run_answer *answers;
  worklist list;
  llvm_batch *running[MOST_JOBS];
  size_t running_count;
  size_t count;
} work;

static void batch_destroy(llvm_batch *b) {
  process_end(&b->child);
  task_deinit(&b->task);
  worklist_deinit(&b->later);
  free(b->probes);
  for (size_t i = 0; i < LLVM_MOST_FILES; i++)
    if (b->files[i])
      fclose(b->files[i]);
  for (size_t i = 0; i < sizeof b->groups / sizeof *b->groups; i++)
    dloc_buffer_deinit(&b->groups[i]);
  free(b);
}

static bool write_module(llvm_batch *b, llvm_text *t) {
  size_t written = 0;
  t->private_nodes = b->recipe->private_nodes;
  for (size_t i = 0; t->status == DLOC_OK && i < b->task.count; i++) {
    run_answer_deinit(llvm_answer(b, i)); /* of the recipe that handed it on */
    written += b->recipe->write(b, t, i);
  }
  if (b->recipe->write_end && t->status == DLOC_OK)
    b->recipe->write_end(b, t);
  if (!b->recipe->whole)
    llvm_text_finish(t);
  return written > 0;
}

/* A module of one vector takes milliseconds: the limit is shorter, since releases do hang on some of them. */
static double time_limit(const llvm_batch *b) {
  double limit = b->adapter->base.settings->timeout;
  double shorter = limit / 5 < 2 ? 2 : limit / 5;
  return b->recipe->most == 1 && shorter < limit ? shorter : limit;
}

/* Files are named by their descriptors, which the tool inherits. */
static void add_files(const llvm_batch *b, char paths[][24], char **argv) {
  while (*argv)
    argv++;
  for (size_t i = 0; i < LLVM_MOST_FILES && b->files[i]; i++) {
    snprintf(paths[i], sizeof paths[i], "/dev/fd/%d", fileno(b->files[i]));
    *argv++ = paths[i];
  }
  *argv = NULL;
}

static bool start_tool(llvm_batch *b, dloc_text input) {
  adapter *a = &b->adapter->base;
  size_t errors_limit = b->recipe->errors_are_output ? LLVM_OUTPUT_LIMIT : 64 << 20;
  char *argv[LLVM_MOST_ARGUMENTS], paths[LLVM_MOST_FILES][24];
  llvm_arguments(b->adapter, b->recipe, b->disassembling, argv);
  add_files(b, paths, argv);
  int error = process_start(argv, LLVM_OUTPUT_LIMIT, errors_limit, &b->child);
  if (error)
    return adapter_fail(a, "cannot run %s: %s", argv[0], strerror(error));
  b->child.input_ends = true;
  b->child.deadline = process_now() + time_limit(b);
  process_write(&b->child, input.bytes, input.size);
  return true;
}

/* The tool wrote bitcode: llvm-dis is to read it. */
static bool start_disassembling(llvm_batch *b) {
  process first = b->child;
  b->child = (process){.in = -1, .out = -1, .err = -1};
  b->disassembling = true;
  bool fine = start_tool(b, llvm_text_of(&first.output));
  process_end(&first);
  return fine;
}

/* Write a batch's module and start its tool. *ret_started is false when there is nothing left to run. */
static bool batch_start(llvm_batch *b, bool *ret_started) {
  adapter *a = &b->adapter->base;
  llvm_text t;
  llvm_text_init(&t);
  *ret_started = false;
  bool any = write_module(b, &t);
  dloc_status status = t.status;
  bool fine = status == DLOC_OK || adapter_fail(a, "cannot write a module: %s", dloc_status_text(status));
  if (fine && any)
    fine = *ret_started = start_tool(b, llvm_text_of(&t.code));
  llvm_text_deinit(&t);
  return fine;
}

/* ---- What came of a batch ---- */

/* Put the vectors without an answer back: as one batch if some have got one, else in parts. */
static void requeue(work *w, llvm_batch *b) {
  size_t open = 0;
  for (size_t i = 0; i < b->task.count; i++)
    if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
      b->task.items[open++] = b->task.items[i];
  size_t first = open < b->task.count ? open : open / 2;
  worklist_add(&w->list, b->task.items + first, open - first, b->task.kind);
  worklist_add(&w->list, b->task.items, first, b->task.kind);
}

static void set_degraded(run_answer *answer, dloc_text errors) {
  dloc_text message = llvm_first_message(errors);
  bool reasons[DLOC_REASON_COUNT] = {false};
  llvm_reasons(message, reasons);
  run_answer_set(answer, RUN_DEGRADED, "%.*s%sall debug info was dropped",
                 (int)(message.size < 200 ? message.size : 200), message.bytes, message.size ? ": " : "");
  memcpy(answer->reasons, reasons, sizeof reasons);
}

/* The tool dropped the module's debug info. Its messages show instructions: these vectors are to blame, the others are
 * tried again. */
static void blame_named(llvm_batch *b) {
  dloc_text errors = llvm_text_of(&b->child.errors);
  for (size_t at = 0; at < errors.size;) {
    dloc_text line = llvm_line_at(errors, at);
    uint32_t number;
    bool named = llvm_number_after(line, "@dloc.case(i32 ", &number) || llvm_number_after(line, "\"// dloc ", &number);
    if (named && number < b->probe_count) {
      run_answer *answer = llvm_answer(b, b->probes[number].position);
      if (answer->outcome == RUN_UNANSWERED)
        set_degraded(answer, errors);
    }
    at += line.size + 1;
  }
}

/* A single vector whose run failed. */
static void answer_failure(llvm_batch *b, run_answer *answer) {
  char end[100];
  char line[300];
  const process *child = &b->child;
  process_describe_end(child, end, sizeof end);
  llvm_last_line(llvm_text_of(&child->errors), line, sizeof line);
  bool reasons[DLOC_REASON_COUNT] = {false};
  bool crashed = WIFSIGNALED(child->status) || WEXITSTATUS(child->status) >= 128;
  if (child->timed_out)
    run_answer_set(answer, RUN_HANG, "%s", end);
  else if (crashed)
    run_answer_set(answer, RUN_CRASH, "%s%s%s", end, line[0] ? ": " : "", line);
  else if (llvm_reasons(llvm_first_message(llvm_text_of(&child->errors)), reasons)) {
    run_answer_set(answer, RUN_REJECT, "%s", line);
    memcpy(answer->reasons, reasons, sizeof reasons);
  } else
    run_answer_set(answer, RUN_ERRORED, "%s%s%s", end, line[0] ? ": " : "", line);
}

static bool ended_well(const process *child) {
  return !child->timed_out && !child->overflowed && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

/* The last tool has ended: answer what can be answered, and put back the rest. */
static bool batch_finish(work *w, llvm_batch *b) {
  const process *child = &b->child;
  bool alone = b->task.count == 1;
  bool fine = ended_well(child);
  if (b->recipe == &llvm_verify || (fine && !llvm_is_stripped(llvm_text_of(&child->errors)))) {
    dloc_status status = b->recipe->read(b);
    if (status != DLOC_OK)
      return adapter_fail(&w->adapter->base, "cannot read a result: %s", dloc_status_text(status));
    for (size_t i = 0; i < b->task.count; i++)
      if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
        run_answer_set(llvm_answer(b, i), RUN_ERRORED, "not in the result");
    return true;
  }
  if (fine)
    blame_named(b);
  if (alone && llvm_answer(b, 0)->outcome == RUN_UNANSWERED) {
    if (fine)
      set_degraded(llvm_answer(b, 0), llvm_text_of(&child->errors));
    else
      answer_failure(b, llvm_answer(b, 0));
  }
  requeue(w, b);
  return true;
}

/* What the batch hands on can be done now. */
static bool take_over(work *w, llvm_batch *b) {
  for (task next; worklist_take(&b->later, &next); task_deinit(&next))
    worklist_add(&w->list, next.items, next.count, next.kind);
  return true;
}

/* ---- The loop ---- */

static bool start_one(work *w) {
  llvm_batch *b = calloc(1, sizeof *b);
  if (!b)
    return adapter_fail(&w->adapter->base, "out of memory");
  b->adapter = w->adapter;
  b->vectors = w->vectors;
  b->answers = w->answers;
  b->child = (process){.in = -1, .out = -1, .err = -1};
  worklist_take(&w->list, &b->task);
  b->recipe = recipes[b->task.kind];
  bool started = false;
  bool fine = batch_start(b, &started);
  if (started && fine) {
    w->running[w->running_count++] = b;
  } else {
    fine = fine && take_over(w, b);
    batch_destroy(b);
  }
  return fine;
}

static bool finish_ended(work *w) {
  bool fine = true;
  for (size_t i = 0; i < w->running_count;) {
    llvm_batch *b = w->running[i];
    if (!b->child.exited) {
      i++;
      continue;
    }
    bool goes_on = b->recipe->disassemble && !b->disassembling && ended_well(&b->child) &&
                   !llvm_is_stripped(llvm_text_of(&b->child.errors));
    if (fine && goes_on) {
      fine = start_disassembling(b);
      i++;
      continue;
    }
    w->running[i] = w->running[--w->running_count];
    fine = fine && batch_finish(w, b) && take_over(w, b);
    batch_destroy(b);
  }
  return fine;
}

static void report_done(const work *w) {
  size_t done = 0;
  for (size_t i = 0; i < w->count; i++)
    done += w->answers[i].outcome != RUN_UNANSWERED;
  adapter_report(&w->adapter->base, done);
}

static bool serve(work *w) {
  unsigned jobs = w->adapter->base.settings->jobs;
  while (w->list.count > 0 || w->running_count > 0) {
    while (w->list.count > 0 && w->running_count < jobs)
      if (!start_one(w))
        return false;
    process *children[MOST_JOBS];
    for (size_t i = 0; i < w->running_count; i++)
      children[i] = &w->running[i]->child;
    process_pump(children, w->running_count, adapter_idle(&w->adapter->base) ? 0 : 1);
    if (!finish_ended(w))
      return false;
    report_done(w);
  }
  return true;
}

/* Batches of one kind, those with layers apart from the others: they are the ones that may spoil a module. */
static bool enqueue(work *w, size_t *items, int kind, bool layers) {
  size_t count = 0;
  for (size_t i = 0; i < w->count; i++)
    if (kind_of(w->adapter, w->vectors[i]) == kind && ((w->vectors[i]->needs & bit(VECTOR_NEED_LAYERS)) != 0) == layers)
      items[count++] = i;
  size_t most = recipes[kind]->most;
  size_t share = count / w->adapter->base.settings->jobs + 1;
  size_t size = share < 256 && most > 256 ? 256 : share < most ? share : most;
  worklist_add_chunks(&w->list, items, count, size, kind);
  return true;
}

static bool wants_pick(const dloc_profile *profile) { return DLOC_TAKES(profile, MERGE_PICK, ON); }

static bool llvm_run(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  work w = {.adapter = (llvm_adapter *)a, .vectors = vectors, .answers = answers, .count = count};
  w.adapter->picks = wants_pick(&a->settings->profile);
  for (size_t i = 0; i < count; i++)
    if (kind_of(w.adapter, vectors[i]) == KIND_COUNT)
      run_answer_set(&answers[i], RUN_SKIPPED, "%s cannot be observed", vector_op_name(vectors[i]->op));
  size_t *items = malloc((count ? count : 1) * sizeof *items);
  bool fine = items || adapter_fail(a, "out of memory");
  for (int kind = 0; fine && kind < KIND_COUNT; kind++)
    fine = enqueue(&w, items, kind, false) && enqueue(&w, items, kind, true);
  free(items);
  fine = fine && serve(&w);
  while (w.running_count > 0)
    batch_destroy(w.running[--w.running_count]);
  worklist_deinit(&w.list);
  return fine;
}

static void llvm_stop(adapter *a) { (void)a; }

static void llvm_destroy(adapter *a) {
  llvm_adapter *self = (llvm_adapter *)a;
  for (int i = 0; i < LLVM_TOOL_COUNT; i++)
    free(self->tools[i]);
  free(self);
}

adapter *adapter_llvm_create(const char *directory) {
  llvm_adapter *self = calloc(1, sizeof *self);
  if (!self)
    return NULL;
  self->base = (adapter){.start = llvm_start, .run = llvm_run, .stop = llvm_stop, .destroy = llvm_destroy};
  self->directory = directory;
  return &self->base;
}
