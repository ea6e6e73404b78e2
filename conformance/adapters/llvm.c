/* llvm.c - the `llvm` adapter: finds out what a directory of LLVM tools is, and runs batches of vectors through them. */
#include "llvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 1 << 30, MOST_JOBS = 64 };

static const char *const tool_names[LLVM_TOOL_COUNT] = {"opt", "llvm-as", "llc"};

/* ---- Finding out --------------------------------------------------------------------------------------------------------- */

static char *tool_path(const char *directory, const char *name) {
  size_t size = (directory ? strlen(directory) + 1 : 0) + strlen(name) + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s%s%s", directory ? directory : "", directory ? "/" : "", name);
  return path;
}

/* The last line a tool wrote to stderr, which mostly says what is wrong. */
static void last_line(dloc_text text, char *ret, size_t size) {
  while (text.size > 0 && (text.bytes[text.size - 1] == '\n' || text.bytes[text.size - 1] == ' '))
    text.size--;
  size_t start = text.size;
  while (start > 0 && text.bytes[start - 1] != '\n')
    start--;
  snprintf(ret, size, "%.*s", (int)(text.size - start < size ? text.size - start : size - 1),
           text.size ? text.bytes + start : "");
}

static dloc_text text_of(const dloc_buffer *buffer) {
  return (dloc_text){buffer->size ? buffer->bytes : "", buffer->size};
}

/* Run a tool to a good end, or fail. The caller ends the process. */
static bool run_tool(llvm_adapter *self, char *const *argv, const char *input, process *ret) {
  adapter *a = &self->base;
  int error = process_run(argv, dloc_text_of(input), a->settings->timeout, OUTPUT_LIMIT, ret);
  if (error)
    return adapter_fail(a, "cannot run %s: %s", argv[0], strerror(error));
  if (!ret->timed_out && WIFEXITED(ret->status) && WEXITSTATUS(ret->status) == 0)
    return true;
  char end[100];
  char line[300];
  process_describe_end(ret, end, sizeof end);
  last_line(text_of(&ret->errors), line, sizeof line);
  adapter_fail(a, "%s does not work: %s%s%s", argv[0], end, line[0] ? ": " : "", line);
  process_end(ret);
  return false;
}

/* "  LLVM version 22.1.8" or "Debian LLVM version 14.0.6". */
static bool read_version(llvm_adapter *self, dloc_text text, run_implementation *ret) {
  uint32_t major;
  static const char marker[] = "LLVM version ";
  if (!llvm_number_after(text, marker, &major))
    return adapter_fail(&self->base, "%s --version names no version of LLVM", self->tools[LLVM_OPT]);
  self->major = major;
  size_t at = 0;
  while (memcmp(text.bytes + at, marker, sizeof marker - 1) != 0)
    at++;
  dloc_text rest = llvm_line_at(text, at + sizeof marker - 1);
  size_t size = 0;
  while (size < rest.size && size + 1 < sizeof ret->version && rest.bytes[size] > ' ')
    size++;
  memcpy(ret->version, rest.bytes, size);
  ret->version[size] = '\0';
  strcpy(ret->name, "LLVM");
  return true;
}

/* Which built-in profile describes a release. 15 has the merge rules of 14, 16 those of 19: found by running both. */
static const char *profile_of(unsigned major) { return major >= 20 ? "llvm-22" : major >= 16 ? "llvm-19" : "llvm-14"; }

static const char probe_module[] =
    "declare void @dloc.case(i32)\n"
    "define void @merge(i32 %s) {\n"
    "  switch i32 %s, label %a [ i32 1, label %b i32 2, label %c ]\n"
    "a:\n  call void @dloc.case(i32 7), !dbg !4\n  br label %d\n"
    "b:\n  call void @dloc.case(i32 7), !dbg !4\n  br label %d\n"
    "c:\n  call void @dloc.case(i32 7), !dbg !4\n  br label %d\n"
    "d:\n  ret void\n}\n"
    "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!1}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)\n"
    "!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!2 = !DIFile(filename: \"a.c\", directory: \"b\")\n"
    "!3 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, spFlags: DISPFlagDefinition, unit: !0)\n"
    "!4 = !DILocation(line: 1, scope: !3)\n";

static const char atoms_module[] =
    "!llvm.module.flags = !{!1}\n!named = !{!4}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)\n"
    "!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!2 = !DIFile(filename: \"a.c\", directory: \"b\")\n"
    "!3 = distinct !DISubprogram(name: \"f\", scope: !2, unit: !0, spFlags: DISPFlagDefinition, keyInstructions: "
    "true)\n"
    "!4 = !DILocation(line: 1, scope: !3, atomGroup: 1, atomRank: 1)\n!llvm.dbg.cu = !{!0}\n";

static const char pick_option[] = "-pick-merged-source-locations";

/* posix_spawn's argv is not const, but nothing writes to it. */
static char *argument(const char *text) { return (char *)(uintptr_t)text; }

void llvm_arguments(const llvm_adapter *a, const llvm_recipe *recipe, char **ret) {
  *ret++ = a->tools[recipe->tool];
  for (size_t i = 0; i < LLVM_MOST_OPTIONS && recipe->options[i]; i++)
    *ret++ = argument(recipe->options[i]);
  if (recipe->may_pick && a->picks)
    *ret++ = argument(pick_option);
  *ret++ = argument("-");
  *ret = NULL;
}

/* Does opt with one more option (or none) take this module? */
static bool takes(llvm_adapter *self, const char *option, const char *module) {
  char *argv[] = {self->tools[LLVM_OPT], argument("-S"), argument("-"), option ? argument(option) : NULL, NULL};
  process child;
  if (process_run(argv, dloc_text_of(module), self->base.settings->timeout, OUTPUT_LIMIT, &child) != 0)
    return false;
  bool fine = !child.timed_out && WIFEXITED(child.status) && WEXITSTATUS(child.status) == 0;
  process_end(&child);
  return fine;
}

static size_t count_text(dloc_text text, const char *wanted) {
  size_t count = 0;
  size_t size = strlen(wanted);
  for (size_t i = 0; i + size <= text.size; i++)
    count += memcmp(text.bytes + i, wanted, size) == 0;
  return count;
}

/* The smallest merge of three: opt works, and this says whether it hoists from a switch. */
static bool try_merge(llvm_adapter *self) {
  process child;
  char *argv[LLVM_MOST_OPTIONS + 4];
  llvm_arguments(self, &llvm_merge, argv);
  if (!run_tool(self, argv, probe_module, &child))
    return false;
  size_t calls = count_text(text_of(&child.output), "call void @dloc.case(i32 7)");
  process_end(&child);
  if (calls != 1 && calls != 3)
    return adapter_fail(&self->base, "%s printed an unexpected result for a simple module", self->tools[LLVM_OPT]);
  self->wide_switch = calls == 1;
  return true;
}

static bool find_tools(llvm_adapter *self) {
  for (int i = 0; i < LLVM_TOOL_COUNT; i++) {
    self->tools[i] = tool_path(self->directory, tool_names[i]);
    if (!self->tools[i])
      return adapter_fail(&self->base, "out of memory");
  }
  return true;
}

static bool find_version(llvm_adapter *self, int tool, run_implementation *ret) {
  char option[] = "--version";
  char *argv[] = {self->tools[tool], option, NULL};
  process child;
  if (!run_tool(self, argv, "", &child))
    return false;
  bool fine = !ret || read_version(self, text_of(&child.output), ret);
  process_end(&child);
  return fine;
}

static uint32_t bit(unsigned need) { return UINT32_C(1) << need; }

static bool llvm_start(adapter *a, run_implementation *ret) {
  llvm_adapter *self = (llvm_adapter *)a;
  run_implementation found = {.capabilities = 0};
  if (!find_tools(self) || !find_version(self, LLVM_OPT, &found) || !find_version(self, LLVM_AS, NULL) ||
      !try_merge(self))
    return false;
  self->has_llc = access(self->tools[LLVM_LLC], X_OK) == 0;
  self->opaque_pointers = self->major >= 15;
  strcpy(found.profile, profile_of(self->major));
  found.capabilities = bit(VECTOR_MERGE) | bit(VECTOR_INLINE) | bit(VECTOR_EQUAL) | bit(VECTOR_VERIFY) |
                       bit(VECTOR_NEED_LAYERS) | bit(VECTOR_NEED_RECORDS);
  if (self->has_llc)
    found.capabilities |= bit(VECTOR_PRINT);
  /* Releases that know one mostly know both, so that one question is enough. */
  if (takes(self, pick_option, atoms_module))
    found.capabilities |= bit(VECTOR_NEED_ATOMS) | bit(VECTOR_NEED_PICK);
  else if (takes(self, NULL, atoms_module))
    found.capabilities |= bit(VECTOR_NEED_ATOMS);
  else if (takes(self, pick_option, probe_module))
    found.capabilities |= bit(VECTOR_NEED_PICK);
  self->implementation = found;
  *ret = found;
  return true;
}

/* ---- Batches ------------------------------------------------------------------------------------------------------------- */

static const llvm_recipe *const recipes[KIND_COUNT] = {&llvm_merge, &llvm_merge_atoms, &llvm_inline,
                                                       &llvm_equal, &llvm_print,       &llvm_verify};

static int kind_of(const vector *v) {
  switch (v->op) {
  case VECTOR_MERGE:
    return v->needs & bit(VECTOR_NEED_ATOMS) ? KIND_MERGE_ATOMS : KIND_MERGE;
  case VECTOR_INLINE:
    return KIND_INLINE;
  case VECTOR_EQUAL:
    return KIND_EQUAL;
  case VECTOR_PRINT:
    return KIND_PRINT;
  case VECTOR_VERIFY:
    return KIND_VERIFY;
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
  free(b->probes);
  for (size_t i = 0; i < sizeof b->groups / sizeof *b->groups; i++)
    dloc_buffer_deinit(&b->groups[i]);
  free(b);
}

static bool write_module(llvm_batch *b, llvm_text *t) {
  size_t written = 0;
  t->private_nodes = b->recipe == &llvm_inline;
  for (size_t i = 0; t->status == DLOC_OK && i < b->task.count; i++)
    written += b->recipe->write(b, t, i);
  if (b->recipe->write_end && t->status == DLOC_OK)
    b->recipe->write_end(b, t);
  if (b->recipe != &llvm_verify)
    llvm_text_finish(t);
  return written > 0;
}

/* A module of one vector takes milliseconds: the limit is shorter, since releases do hang on some of them. */
static double time_limit(const llvm_batch *b) {
  double limit = b->adapter->base.settings->timeout;
  double shorter = limit / 5 < 2 ? 2 : limit / 5;
  return b->recipe->most == 1 && shorter < limit ? shorter : limit;
}

/* Write a batch's module and start its tool. *ret_started is false when there is nothing left to run. */
static bool batch_start(llvm_batch *b, bool *ret_started) {
  adapter *a = &b->adapter->base;
  llvm_text t;
  llvm_text_init(&t);
  *ret_started = false;
  bool any = write_module(b, &t);
  int error = 0;
  if (t.status == DLOC_OK && any) {
    size_t errors_limit = b->recipe->errors_are_output ? OUTPUT_LIMIT : 64 << 20;
    char *argv[LLVM_MOST_OPTIONS + 4];
    llvm_arguments(b->adapter, b->recipe, argv);
    error = process_start(argv, OUTPUT_LIMIT, errors_limit, &b->child);
    *ret_started = error == 0;
  }
  if (*ret_started) {
    b->child.input_ends = true;
    b->child.deadline = process_now() + time_limit(b);
    if (!process_write(&b->child, t.code.bytes, t.code.size))
      t.status = DLOC_NO_MEMORY;
  }
  dloc_status status = t.status;
  llvm_text_deinit(&t);
  if (error)
    return adapter_fail(a, "cannot run %s: %s", b->adapter->tools[b->recipe->tool], strerror(error));
  return status == DLOC_OK || adapter_fail(a, "cannot write a module: %s", dloc_status_text(status));
}

/* ---- What came of a batch ------------------------------------------------------------------------------------------------ */

/* Put the vectors without an answer back: as one batch if some have got one, else in parts. */
static bool requeue(work *w, llvm_batch *b) {
  size_t open = 0;
  for (size_t i = 0; i < b->task.count; i++)
    if (llvm_answer(b, i)->outcome == RUN_UNANSWERED)
      b->task.items[open++] = b->task.items[i];
  if (open == 0)
    return true;
  bool fine = open < b->task.count ? worklist_add(&w->list, b->task.items, open, b->task.kind)
                                   : worklist_add(&w->list, b->task.items + open / 2, open - open / 2, b->task.kind) &&
                                         worklist_add(&w->list, b->task.items, open / 2, b->task.kind);
  return fine || adapter_fail(&w->adapter->base, "out of memory");
}

static bool contains(dloc_text text, const char *wanted) {
  for (size_t i = 0, size = strlen(wanted); i + size <= text.size; i++)
    if (text.bytes[i] == wanted[0] && memcmp(text.bytes + i, wanted, size) == 0)
      return true;
  return false;
}

static void set_degraded(run_answer *answer, dloc_text errors) {
  dloc_text message = llvm_first_message(errors);
  bool reasons[DLOC_REASON_COUNT] = {false};
  llvm_reasons(message, reasons);
  run_answer_set(answer, RUN_DEGRADED, "%.*s%sall debug info was dropped",
                 (int)(message.size < 200 ? message.size : 200), message.bytes, message.size ? ": " : "");
  memcpy(answer->reasons, reasons, sizeof reasons);
}

/* The tool dropped the module's debug info. Its messages show instructions: these vectors are to blame, the others are tried again. */
static void blame_named(llvm_batch *b) {
  dloc_text errors = text_of(&b->child.errors);
  for (size_t at = 0; at < errors.size;) {
    dloc_text line = llvm_line_at(errors, at);
    uint32_t number;
    if (llvm_number_after(line, "@dloc.case(i32 ", &number) && number < b->probe_count) {
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
  last_line(text_of(&child->errors), line, sizeof line);
  bool reasons[DLOC_REASON_COUNT] = {false};
  bool crashed = WIFSIGNALED(child->status) || WEXITSTATUS(child->status) >= 128;
  if (child->timed_out)
    run_answer_set(answer, RUN_HANG, "%s", end);
  else if (crashed)
    run_answer_set(answer, RUN_CRASH, "%s%s%s", end, line[0] ? ": " : "", line);
  else if (llvm_reasons(llvm_first_message(text_of(&child->errors)), reasons)) {
    run_answer_set(answer, RUN_REJECT, "%s", line);
    memcpy(answer->reasons, reasons, sizeof reasons);
  } else
    run_answer_set(answer, RUN_ERRORED, "%s%s%s", end, line[0] ? ": " : "", line);
}

static bool is_stripped(dloc_text errors) {
  return contains(errors, "ignoring invalid debug info") ||
         contains(errors, "ignoring debug info with an invalid version");
}

/* The tool has ended: answer what can be answered, and put back the rest. */
static bool batch_finish(work *w, llvm_batch *b) {
  const process *child = &b->child;
  bool alone = b->task.count == 1;
  bool fine = !child->timed_out && !child->overflowed && !child->no_memory && WIFEXITED(child->status) &&
              WEXITSTATUS(child->status) == 0;
  if (b->recipe == &llvm_verify || (fine && !is_stripped(text_of(&child->errors)))) {
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
      set_degraded(llvm_answer(b, 0), text_of(&child->errors));
    else
      answer_failure(b, llvm_answer(b, 0));
  }
  return requeue(w, b);
}

/* ---- The loop ------------------------------------------------------------------------------------------------------------ */

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
  b->later = &w->list;
  bool started = false;
  bool fine = batch_start(b, &started);
  if (started && fine)
    w->running[w->running_count++] = b;
  else
    batch_destroy(b);
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
    w->running[i] = w->running[--w->running_count];
    fine = fine && batch_finish(w, b);
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
    if (kind_of(w->vectors[i]) == kind && ((w->vectors[i]->needs & bit(VECTOR_NEED_LAYERS)) != 0) == layers)
      items[count++] = i;
  size_t most = recipes[kind]->most;
  size_t share = count / w->adapter->base.settings->jobs + 1;
  size_t size = share < 256 && most > 256 ? 256 : share < most ? share : most;
  return worklist_add_chunks(&w->list, items, count, size, kind) || adapter_fail(&w->adapter->base, "out of memory");
}

static bool wants_pick(const dloc_profile *profile) {
  unsigned on;
  return dloc_alternative_find(DLOC_CHOICE_MERGE_PICK, dloc_text_of("on"), &on) &&
         profile->alternative[DLOC_CHOICE_MERGE_PICK] == on;
}

static bool llvm_run(adapter *a, const vector *const *vectors, run_answer *answers, size_t count) {
  work w = {.adapter = (llvm_adapter *)a, .vectors = vectors, .answers = answers, .count = count};
  w.adapter->picks = wants_pick(&a->settings->profile);
  for (size_t i = 0; i < count; i++)
    if (kind_of(vectors[i]) == KIND_COUNT)
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
