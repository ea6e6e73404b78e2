/* llvm.c - the `llvm` adapter: runs batches of vectors through LLVM's tools. */
#include "llvm.h"

#include "run/ending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 64 };

int llvm_kind_of(const llvm_adapter *a, const vector *v) {
  const llvm_recipe *recipes = a->hides && !dropin_shows(v->op) ? NULL : llvm_recipes_of(v->op);
  for (unsigned i = 0; recipes && recipes[i].most; i++)
    if (llvm_can_run(a, &recipes[i]) && (!recipes[i].argument || value_get(v->args, recipes[i].argument)) &&
        (!recipes[i].takes || recipes[i].takes(a, v)))
      return llvm_kind(v->op, i);
  return -1;
}

/* ---- Batches ---- */

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

void llvm_batch_deinit(llvm_batch *b) {
  process_end(&b->child);
  task_deinit(&b->task);
  worklist_deinit(&b->later);
  dloc_buffer_deinit(&b->table);
  value_arena_deinit(&b->arena);
  free(b->probes);
  for (size_t i = 0; i < LLVM_MOST_FILES; i++)
    if (b->files[i])
      fclose(b->files[i]);
  for (size_t i = 0; i < sizeof b->groups / sizeof *b->groups; i++)
    dloc_buffer_deinit(&b->groups[i]);
}

static void batch_destroy(llvm_batch *b) {
  llvm_batch_deinit(b);
  free(b);
}

bool llvm_write_batch(llvm_batch *b, llvm_text *t) {
  const llvm_recipe *recipe = b->recipe;
  size_t written = 0;
  t->private_nodes = recipe->private_nodes;
  for (size_t i = 0; i < b->task.count; i++) {
    run_answer_deinit(llvm_answer(b, i)); /* of the recipe that handed it on */
    written += llvm_write_vector(b, t, i);
  }
  if (recipe->declarations)
    llvm_code(t, "%s", recipe->declarations);
  if (recipe->write_end)
    recipe->write_end(b, t);
  if (recipe->write && !recipe->object)
    llvm_text_finish(t);
  return written > 0 && (!b->adapter->hides || dropin_hide(b, &t->code));
}

/* In processor time. A module of one vector takes milliseconds, so the limit is shorter, since releases do hang on some of
 * them; a slow build gets what twenty of its starts take, and 20 kB of input as much again. */
static double time_limit(const llvm_adapter *a, size_t size) {
  double limit = a->base.settings->timeout, one = limit / 40;
  one = one < 20 * a->start_cpu ? 20 * a->start_cpu : one;
  double wanted = one + one * (double)size / 20000;
  return wanted < limit ? wanted : limit;
}

/* Nobody needs the stack of each crash, and LLVM starts a program to write it, which takes longer than all else: only the first
 * vectors that crash alone have one. */
static void set_symbols(const llvm_batch *b) {
  enum { MOST_STACKS = 3 };
  static const char variable[] = "LLVM_DISABLE_SYMBOLIZATION";
  if (b->task.count > 1 || b->adapter->crashes[b->task.kind] >= MOST_STACKS)
    setenv(variable, "1", true);
  else
    unsetenv(variable);
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

static void arguments_of(const llvm_batch *b, char **argv) {
  bool layered =
      b->adapter->facts & LLVM_LAYERS || (b->adapter->facts & LLVM_IRLAYERS && llvm_needs_irlayers(llvm_vector(b, 0)));
  llvm_arguments(b->adapter, b->recipe, layered, b->disassembling, argv);
}

static bool start_tool(llvm_batch *b, dloc_text input) {
  adapter *a = &b->adapter->base;
  size_t errors_limit = b->recipe->reads_errors ? LLVM_OUTPUT_LIMIT : 64 << 20;
  char *argv[LLVM_MOST_ARGUMENTS], paths[LLVM_MOST_FILES][24];
  arguments_of(b, argv);
  add_files(b, paths, argv);
  set_symbols(b);
  int error = (b->files[0] ? process_start : process_start_forked)(argv, LLVM_OUTPUT_LIMIT, errors_limit, &b->child);
  if (error)
    return adapter_fail(a, "cannot run %s: %s", argv[0], strerror(error));
  b->child.input_ends = true;
  b->child.deadline = process_now() + a->settings->timeout;
  b->child.most_cpu = time_limit(b->adapter, input.size);
  process_write(&b->child, input.bytes, input.size);
  return true;
}

/* The tool wrote bitcode: llvm-dis is to read it. */
static bool start_disassembling(llvm_batch *b) {
  OWNED(process_end) process first = b->child;
  b->child = (process){0};
  b->disassembling = true;
  return start_tool(b, buffer_text(&first.output));
}

/* Write a batch's module and start its tool. *ret_started is false when there is nothing left to run. */
static bool batch_start(llvm_batch *b, bool *ret_started) {
  OWNED(llvm_text_deinit) llvm_text t = {.private_nodes = false};
  bool any = llvm_write_batch(b, &t);
  *ret_started = any && start_tool(b, buffer_text(&t.code));
  return *ret_started || !any;
}

/* ---- What came of a batch ---- */

enum { PARTS = 4 };

/* Put the vectors without an answer back: as one batch if some have got one, otherwise in parts. */
static void requeue(work *w, llvm_batch *b) {
  size_t open = 0;
  for (size_t i = 0; i < b->task.count; i++)
    if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
      b->task.items[open++] = b->task.items[i];
  worklist_add_chunks(&w->list, b->task.items, open, open < b->task.count ? open : (open + PARTS - 1) / PARTS,
                      b->task.kind);
}

/* Vectors that hang cost the time limit each: of a recipe that hangs again and again the others are not asked. Some releases do hang on
 * a few modules. */
static bool hangs_always(const llvm_adapter *a, int kind) {
  return a->hangs[kind] >= (llvm_recipe_of(kind)->most == 1 ? 10 : 3);
}

static void count_end(llvm_batch *b) {
  run_outcome outcome = b->task.count == 1 ? llvm_answer(b, 0)->outcome : RUN_UNANSWERED;
  b->adapter->hangs[b->task.kind] += outcome == RUN_HANG;
  b->adapter->crashes[b->task.kind] += outcome == RUN_CRASH;
}

/* "opt -S -passes=simplifycfg": without what every recipe says. */
static const char *describe_recipe(llvm_adapter *a, const llvm_recipe *recipe, int kind) {
  if (a->asked[kind])
    return a->asked[kind];
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  buffer_format(&text, "%s", llvm_tool_name(recipe->tool));
  for (size_t i = 0; i < LLVM_MOST_OPTIONS && recipe->options[i]; i++)
    buffer_format(&text, " %s", recipe->options[i]);
  if (recipe->may_pick && a->picks)
    buffer_format(&text, " %s", llvm_pick_option);
  if (recipe->disassemble)
    buffer_format(&text, " | %s", llvm_tool_name(LLVM_DIS));
  return a->asked[kind] = memory_copy(buffer_text(&text));
}

/* How the vectors were asked that have an answer now. Of ops that llc's directives show, emit is the plain one. */
static void tell_recipe(const llvm_batch *b) {
  const char *asked = describe_recipe(b->adapter, b->recipe, b->task.kind);
  for (size_t i = 0; i < b->task.count; i++) {
    run_answer *answer = llvm_answer(b, i);
    if (answer->outcome == RUN_UNANSWERED)
      continue;
    answer->asked = asked;
    answer->through = b->recipe->needs & LLVM_HAS_DIRECTIVES && llvm_vector(b, i)->op != VECTOR_EMIT
                          ? vector_op_name(VECTOR_EMIT)
                          : NULL;
  }
}

/* The last tool has ended: answer what can be answered, and put back the rest. */
static void batch_finish(work *w, llvm_batch *b) {
  dloc_text errors = buffer_text(&b->child.errors);
  bool fine = process_ended_well(&b->child);
  if (b->recipe->reads_any_end || (fine && !llvm_is_stripped(errors))) {
    llvm_read(b);
    for (size_t i = 0; i < b->task.count; i++)
      if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
        run_answer_set(llvm_answer(b, i), RUN_ERRORED, "not in the result");
    return;
  }
  llvm_read_failure(b, fine);
  count_end(b);
  requeue(w, b);
}

/* The vectors that the batch hands on can be done now. */
static void take_over(work *w, llvm_batch *b) {
  for (task next; worklist_take(&b->later, &next); task_deinit(&next))
    worklist_add(&w->list, next.items, next.count, next.kind);
}

/* ---- The loop ---- */

static bool start_one(work *w) {
  llvm_batch *b = memory_allocate(1, sizeof *b);
  b->adapter = w->adapter;
  b->vectors = w->vectors;
  b->answers = w->answers;
  worklist_take(&w->list, &b->task);
  b->recipe = llvm_recipe_of(b->task.kind);
  bool started = false, given_up = hangs_always(b->adapter, b->task.kind);
  for (size_t i = 0; given_up && i < b->task.count; i++)
    run_answer_set(llvm_answer(b, i), RUN_NOT_ASKED, "not asked, hangs: %s",
                   describe_recipe(b->adapter, b->recipe, b->task.kind));
  bool fine = given_up || batch_start(b, &started);
  if (started) {
    w->running[w->running_count++] = b;
  } else {
    take_over(w, b);
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
    bool goes_on = b->recipe->disassemble && !b->disassembling && process_ended_well(&b->child) &&
                   !llvm_is_stripped(buffer_text(&b->child.errors));
    if (fine && goes_on) {
      fine = start_disassembling(b);
      i++;
      continue;
    }
    if (!fine)
      return false;
    w->running[i] = w->running[--w->running_count];
    batch_finish(w, b);
    tell_recipe(b);
    take_over(w, b);
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
    process_pump(children, w->running_count, 1);
    if (ending_signal() || !finish_ended(w))
      return false;
    report_done(w);
  }
  return true;
}

/* Batches of one kind, each form of layers apart from the others: layers are what may spoil a module. */
static void enqueue(work *w, const int *kinds, size_t *items, int kind, int forms) {
  size_t count = 0;
  for (size_t i = 0; i < w->count; i++)
    if (kinds[i] == kind && llvm_needs_layers(w->vectors[i]) + 2 * llvm_needs_irlayers(w->vectors[i]) == forms)
      items[count++] = i;
  if (count == 0)
    return;
  size_t most = llvm_recipe_of(kind)->most, share = count / w->adapter->base.settings->jobs + 1;
  size_t size = share < 256 && most > 256 ? 256 : share < most ? share : most;
  worklist_add_chunks(&w->list, items, count, size, kind);
}

static void enqueue_all(work *w) {
  OWNED(memory_release) int *kinds = memory_allocate(w->count, sizeof *kinds);
  OWNED(memory_release) size_t *items = memory_allocate(w->count, sizeof *items);
  for (size_t i = 0; i < w->count; i++) {
    kinds[i] = llvm_kind_of(w->adapter, w->vectors[i]);
    if (kinds[i] < 0)
      run_answer_set(&w->answers[i], RUN_SKIPPED, "%s cannot be observed", vector_op_name(w->vectors[i]->op));
  }
  for (int kind = 0; kind < VECTOR_OP_COUNT * LLVM_MOST_RECIPES; kind++)
    for (int forms = 0; forms < 4; forms++)
      enqueue(w, kinds, items, kind, forms);
}

/* A vector that is not done has no answer, even if it was handed on. */
static void leave(work *w) {
  while (w->running_count > 0) {
    llvm_batch *b = w->running[--w->running_count];
    worklist_add(&w->list, b->task.items, b->task.count, b->task.kind);
    take_over(w, b);
    batch_destroy(b);
  }
  for (task left; worklist_take(&w->list, &left); task_deinit(&left))
    for (size_t i = 0; i < left.count; i++)
      run_answer_deinit(&w->answers[left.items[i]]);
  worklist_deinit(&w->list);
}

static bool llvm_is_alone(const adapter *a, const vector *v) {
  int kind = llvm_kind_of((const llvm_adapter *)a, v);
  return kind >= 0 && llvm_recipe_of(kind)->most == 1;
}

static run_place llvm_place_of(const adapter *a, const vector *v) {
  int kind = llvm_kind_of((const llvm_adapter *)a, v);
  return kind >= 0 ? llvm_recipe_of(kind)->place : RUN_NOWHERE;
}

static bool llvm_run(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  work w = {.adapter = (llvm_adapter *)a, .vectors = vectors, .answers = answers, .count = count};
  w.adapter->picks = DLOC_TAKES(&a->settings->profile, MERGE_PICK, ON);
  enqueue_all(&w);
  bool fine = serve(&w);
  leave(&w);
  return fine;
}

/* ---- One vector alone ---- */

/* The recipe of a vector, in an exchange: the module that it makes, and those beside it. */
static llvm_batch *write_alone(llvm_adapter *a, const vector *const *v, run_answer *answer, run_exchange *exchange) {
  int kind = llvm_kind_of(a, *v);
  llvm_batch *b = memory_allocate(1, sizeof *b);
  *b = (llvm_batch){.adapter = a, .vectors = v, .answers = answer};
  *MEMORY_ADD(b->task.items, b->task.count) = 0;
  while (kind >= 0) {
    OWNED(llvm_text_deinit) llvm_text t = {.private_nodes = false};
    b->recipe = llvm_recipe_of(b->task.kind = kind);
    bool any = llvm_write_batch(b, &t);
    buffer_put(&exchange->module, any ? buffer_text(&t.code) : dloc_text_of(""));
    task next = {.kind = -1};
    if (any || !worklist_take(&b->later, &next))
      return b;
    kind = next.kind;
    task_deinit(&next);
  }
  b->recipe = NULL;
  return b;
}

static void put_command(const llvm_batch *b, dloc_buffer *command) {
  char *argv[LLVM_MOST_ARGUMENTS];
  arguments_of(b, argv);
  for (size_t i = 0; argv[i]; i++) {
    buffer_format(command, i ? " " : "");
    buffer_put_word(command, argv[i]);
  }
}

static void read_file(FILE *file, dloc_buffer *ret) {
  rewind(file);
  for (int c = fgetc(file); c != EOF; c = fgetc(file))
    buffer_put(ret, (dloc_text){(const char[]){(char)c}, 1});
  rewind(file);
}

static void ask_alone(llvm_batch *b, run_exchange *exchange) {
  for (size_t i = 0; i < LLVM_MOST_FILES && b->files[i]; i++)
    read_file(b->files[i], &exchange->others[i]);
  put_command(b, &exchange->command);
  process *child = &b->child;
  bool fine = start_tool(b, buffer_text(&exchange->module));
  if (fine)
    process_await(child);
  if (fine && b->recipe->disassemble && process_ended_well(child)) {
    if (start_disassembling(b))
      process_await(child);
    put_command(b, &exchange->behind);
  }
  buffer_put(&exchange->output, buffer_text(&child->output));
  buffer_put(&exchange->errors, buffer_text(&child->errors));
}

static void llvm_show(adapter *a, const vector *v, bool ask, run_exchange *exchange) {
  OWNED(run_answer_deinit) run_answer answer = {.outcome = RUN_UNANSWERED};
  llvm_batch *b = write_alone((llvm_adapter *)a, &v, &answer, exchange);
  if (ask && b->recipe && exchange->module.size)
    ask_alone(b, exchange);
  batch_destroy(b);
}

void adapter_write_module(const vector *v, dloc_buffer *ret) {
  llvm_adapter all = {
      .facts = ~(unsigned)(LLVM_SPECIALISES | LLVM_NAMES_TEXTS), .wide_switch = true, .merges_branches = true};
  run_exchange exchange = {.module = {0}};
  memset(all.has, true, sizeof all.has);
  llvm_show(&all.base, v, false, &exchange);
  *ret = exchange.module;
}

static void llvm_destroy(adapter *a) {
  llvm_adapter *self = (llvm_adapter *)a;
  for (int i = 0; i < LLVM_TOOL_COUNT; i++)
    free(self->tools[i]);
  for (size_t i = 0; i < sizeof self->asked / sizeof *self->asked; i++)
    free(self->asked[i]);
  free(self);
}

static adapter *create(const char *directory, bool hides) {
  llvm_adapter *self = memory_allocate(1, sizeof *self);
  self->base = (adapter){.start = llvm_start,
                         .is_alone = llvm_is_alone,
                         .place_of = llvm_place_of,
                         .run = llvm_run,
                         .show = llvm_show,
                         .correct = llvm_correct,
                         .destroy = llvm_destroy};
  const char *chosen = getenv("DLOC_LLVM");
  self->directory = directory || !chosen || !*chosen ? directory : chosen;
  self->hides = hides;
  return &self->base;
}

adapter *adapter_llvm_create(const char *directory) { return create(directory, false); }

adapter *adapter_dropin_create(const char *directory) { return create(directory, true); }
