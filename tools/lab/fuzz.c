/* fuzz.c - `dloc fuzz`: options, the state of a run, and what was found. */
#include "experiments/fuzz/fuzz.h"
#include "help/fuzz.h"

#include "document/buffer.h"
#include "experiments/world/scene.h"
#include "shell/vectors.h"
#include "suite/side.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fuzz_options {
  side_options side;
  const char *versus;
  tool_list versus_choices;
  tool_list ops;
  const char *shard;
  const char *state;
  const char *folder;
  uint64_t seed, cases, most;
  bool quiet;
} fuzz_options;

/* ---- What was found ---- */

static void print_answer(const char *who, const run_answer *answer) {
  OWNED(memory_release) char *text = run_answer_describe(answer);
  printf("  %s:\n", who);
  for (const char *line = text ? text : ""; *line;) {
    size_t length = strcspn(line, "\n");
    printf("    %.*s\n", (int)length, line);
    line += length + (line[length] != '\0');
  }
}

/* Print a difference; -o: write its minimal vector. */
static void report(fuzz *f, const fuzz_minimum *found, uint64_t number, const run_answer *a, const run_answer *b) {
  const fuzz_options *o = f->user;
  const char *implementation = f->pair.a.implementation.name, *other = f->pair.b.implementation.name;
  char path[4096] = "";
  if (o->folder) {
    snprintf(path, sizeof path, "%s/%s.yaml", o->folder, found->name);
    tool_output output = tool_output_open(path);
    fprintf(output.file, "# found by dloc fuzz --seed %" PRIu64 ", case %" PRIu64 ": %s differs from %s\n", f->seed,
            number, implementation, other);
    int status = tool_output_finish(&output, vector_write(&found->canonical, tool_file_sink(output.file)), "fuzz");
    if (status != TOOL_FINE)
      tool_exit(status);
  }
  printf("difference %" PRIu64 ": %s, case %" PRIu64 "%s%s\n", f->found, vector_op_name(found->vector.op), number,
         path[0] ? ", reduced to " : "", path);
  print_answer(implementation, a);
  print_answer(other, b);
  fflush(stdout);
}

/* ---- State ---- */

/* The settings that must stay for a run to go on: everything that decides the cases. malloc's. */
static char *describe_run(const fuzz *f, const fuzz_options *o) {
  dloc_buffer text = {0};
  buffer_format(&text, "dloc fuzz 1 seed %" PRIu64 " shard %" PRIu64 "/%" PRIu64 " impl %s ops", f->seed, f->shard,
                f->shards, o->side.implementation);
  for (size_t i = 0; i < f->op_count; i++)
    buffer_format(&text, " %s", vector_op_name(f->ops[i]));
  return text.bytes;
}

static void save_state(const fuzz *f, const fuzz_options *o) {
  if (!o->state)
    return;
  OWNED(memory_release) char *run = describe_run(f, o);
  tool_output output = tool_output_open(o->state);
  fprintf(output.file,
          "%s\nnext %" PRIu64 " tried %" PRIu64 " untold %" PRIu64 " different %" PRIu64 " found %" PRIu64 "\n", run,
          f->next, f->tried, f->untold, f->different, f->found);
  if (!tool_output_close(&output, true))
    tool_exit(TOOL_UNUSABLE);
}

static void load_state(fuzz *f, const fuzz_options *o) {
  FILE *file = o->state ? fopen(o->state, "r") : NULL;
  if (!o->state || (!file && errno == ENOENT))
    return;
  char *run = describe_run(f, o), line[1024] = "";
  bool fine = file && fgets(line, sizeof line, file);
  line[strcspn(line, "\n")] = '\0';
  fine = fine && strcmp(line, run) == 0 &&
         fscanf(file, "next %" SCNu64 " tried %" SCNu64 " untold %" SCNu64 " different %" SCNu64 " found %" SCNu64,
                &f->next, &f->tried, &f->untold, &f->different, &f->found) == 5;
  if (!fine)
    tool_fail("%s is no state of this run (seed, shard, --impl and --op must be the same)", o->state);
  free(run);
  fclose(file);
}

/* ---- The run ---- */

static void show_progress(const fuzz *f, const fuzz_options *o) {
  if (!o->quiet && isatty(2))
    fprintf(stderr, "\r\033[Kcase %" PRIu64 " of %" PRIu64 ", %" PRIu64 " different", f->next - 1, f->cases,
            f->different);
}

static int run_all(fuzz *f, const fuzz_options *o) {
  load_state(f, o);
  while (f->next <= f->cases) {
    if (!fuzz_run_batch(f))
      tool_fail("%s", f->pair.error);
    show_progress(f, o);
    save_state(f, o);
  }
  if (!o->quiet && isatty(2))
    fputs("\r\033[K", stderr);
  printf("%s: %" PRIu64 " cases, %" PRIu64 " different, %" PRIu64 " minimal vectors, %" PRIu64 " untold\n",
         f->different ? "differences" : "no difference", f->tried, f->different, f->found, f->untold);
  return f->different ? TOOL_VIOLATION : TOOL_FINE;
}

/* ---- Setting up ---- */

static void start(fuzz *f, const fuzz_options *o) {
  side_options other = o->side;
  side_start(&f->pair.a, &o->side);
  other.implementation = o->versus;
  other.profile = f->pair.a.settings.profile.name;
  if (o->versus_choices.count)
    other.choices = o->versus_choices;
  side_start(&f->pair.b, &other);
}

/* The operations to fuzz: those of --op, that both sides can do. */
static void choose_ops(fuzz *f, const tool_list *list) {
  bool wanted[VECTOR_OP_COUNT] = {false};
  for (size_t i = 0; i < list->count; i++)
    wanted[vectors_find_op(list->items[i])] = true;
  for (int op = 0; op < VECTOR_OP_COUNT; op++)
    if (scene_has_op((vector_op)op) && (!list->count || wanted[op]) &&
        (f->pair.a.implementation.capabilities & f->pair.b.implementation.capabilities) >> op & 1)
      f->ops[f->op_count++] = (vector_op)op;
  if (f->op_count == 0)
    tool_fail("the two can do no operation both");
}

/* I/N of --shard, or without it the variables of Bazel's test sharding. */
static void read_shard(fuzz *f, const char *given) {
  const char *index = getenv("TEST_SHARD_INDEX"), *total = getenv("TEST_TOTAL_SHARDS");
  const char *status_file = getenv("TEST_SHARD_STATUS_FILE");
  bool by_bazel = !given && index && total;
  OWNED(memory_release)
  char *text = by_bazel ? text_format("%lld/%s", atoll(index) + 1, total) : NULL; /* Bazel counts from 0 */
  tool_read_shard(given ? given : text, &f->shard, &f->shards);
  FILE *file = by_bazel && status_file ? fopen(status_file, "w") : NULL; /* Bazel: sharding is understood */
  if (file)
    fclose(file);
}

static void check_options(const fuzz_options *o) {
  if (!o->side.implementation)
    tool_fail("which implementation? Give --impl model, --impl llvm or --impl COMMAND");
  if (strcmp(o->versus, "llvm") == 0)
    tool_fail("--vs llvm is not possible; give LLVM as --impl and the other as --vs");
  if (o->folder)
    tool_make_folder(o->folder);
}

static int run(fuzz_options *o) {
  OWNED(memory_release) fuzz *f = memory_allocate(1, sizeof *f);
  *f = (fuzz){.seed = o->seed, .cases = o->cases, .most = o->most, .report = report, .user = o, .next = 1};
  f->completer.traces = true;
  check_options(o);
  read_shard(f, o->shard);
  start(f, o);
  choose_ops(f, &o->ops);
  int status = run_all(f, o);
  dloc_buffer_deinit(&f->text);
  side_end(&f->pair.a);
  side_end(&f->pair.b);
  return status;
}

int tool_fuzz(int argc, char **argv) {
  fuzz_options o = {
      .side = {.jobs = side_jobs(), .timeout = 10}, .versus = "model", .seed = 1, .cases = 10000, .most = 20};
  const tool_option options[] = {
      {TOOL_TEXT, "impl", NULL, &o.side.implementation},
      {TOOL_TEXT, "llvm", NULL, &o.side.llvm},
      {TOOL_TEXT, "vs", NULL, &o.versus},
      {TOOL_TEXT, "profile", "the rules of both; default: those of --impl, or rfc", &o.side.profile},
      {TOOL_LIST, "choice", NULL, &o.side.choices},
      {TOOL_LIST, "vs-choice", NULL, &o.versus_choices},
      {TOOL_LIST, "op", "such as merge (may be repeated); default: all that both can do", &o.ops},
      {TOOL_NUMBER, "seed", NULL, &o.seed},
      {TOOL_NUMBER, "cases", NULL, &o.cases},
      {TOOL_TEXT, "shard",
       "every N-th case, beginning with the I-th; default: by TEST_SHARD_INDEX and TEST_TOTAL_SHARDS", &o.shard},
      {TOOL_TEXT, "state", NULL, &o.state},
      {TOOL_TEXT, "o", "write minimal vectors there", &o.folder},
      {TOOL_NUMBER, "most", "minimal vectors, after which differences are only counted; default: 20", &o.most},
      {TOOL_NUMBER, "jobs", NULL, &o.side.jobs},
      {TOOL_NUMBER, "timeout", NULL, &o.side.timeout},
      {TOOL_FLAG, "quiet", NULL, &o.quiet},
      {0}};
  tool_parse(argc, argv, &fuzz_usage, options);
  return run(&o);
}
