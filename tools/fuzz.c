/* fuzz.c - `dloc fuzz`: random vectors, asked of two implementations. */
#include "document/buffer.h"
#include "document/memory.h"
#include "fuzz.h"

#include "run/process.h"
#include "scene.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const tool_usage usage = {
    "dloc fuzz --impl model|llvm|COMMAND [--vs model|COMMAND] [OPTION...]",
    "Ask an implementation and another one random vectors of every operation that both can do. The other one\n"
    "is by default the model, under the profile of the first. dloc reduces each difference to a minimal\n"
    "vector, which `dloc run` reproduces, and writes it to the folder of -o; differences with the same\n"
    "minimum are one. Case N of a seed is the same everywhere, so --shard can spread cases over machines,\n"
    "and --state goes on where a run was stopped.\n"
    "Exit status: 0 no difference, 1 differences, 2 it could not be done.\n",
    "dloc fuzz --impl model --cases 2000\n"
    "dloc fuzz --impl model --vs-choice merge.layer.one-sided=drop --ops merge --cases 200 -o /tmp/differences\n"
    "dloc fuzz --impl llvm --llvm /usr/lib/llvm-22/bin --ops merge --cases 1000\n",
    0, 0};

enum { BATCH = 2048, MOST_KINDS = 256, PER_KIND = 3 };

typedef struct fuzz_options {
  const char *implementation, *versus;
  const char *llvm;
  const char *profile;
  tool_list choices, versus_choices;
  const char *ops;
  const char *shard;
  const char *state;
  const char *folder;
  uint64_t seed, cases, most, jobs, timeout;
  bool quiet;
} fuzz_options;

/* Differences whose answers differ in the same way are most often one: only that many of a kind are reduced. */
typedef struct kind {
  uint64_t hash;
  size_t count;
} kind;

typedef struct fuzz {
  const fuzz_options *options;
  fuzz_pair pair;
  bool bare; /* the profile rejects tuples: no layers */
  vector_op ops[VECTOR_OP_COUNT];
  size_t op_count;
  uint64_t shard, shards;
  uint64_t next; /* case */
  uint64_t tried, untold, different, found;
  kind kinds[MOST_KINDS];
  size_t kind_count;
  vector_maker maker; /* of a batch */
  vector vectors[BATCH];
  const vector *asked[BATCH];
  uint64_t numbers[BATCH];
  run_answer a[BATCH];
  run_answer b[BATCH];
  size_t count;
  char found_digests[64][33]; /* of this run */
} fuzz;

/* ---- Asking ---- */

fuzz_verdict fuzz_compare(const run_answer *a, const run_answer *b) {
  if (a->outcome == RUN_UNANSWERED || a->outcome == RUN_SKIPPED || b->outcome == RUN_UNANSWERED ||
      b->outcome == RUN_SKIPPED)
    return FUZZ_UNTOLD;
  if (b->outcome == RUN_OK || b->outcome == RUN_REJECT)
    return run_answer_satisfies(a, b) ? FUZZ_SAME : FUZZ_DIFFERENT;
  return a->outcome == b->outcome ? FUZZ_SAME : FUZZ_DIFFERENT;
}

static bool ask_side(fuzz_side *side, const vector *const *vectors, run_answer *answers, size_t count) {
  for (size_t i = 0; i < count; i++)
    answers[i] = (run_answer){.severity = RUN_SEVERITY_UNKNOWN};
  if (count == 0 || side->adapter->run(side->adapter, vectors, answers, count))
    return true;
  tool_error("%s", side->adapter->error);
  return false;
}

bool fuzz_ask(fuzz_pair *pair, const vector *const *vectors, run_answer *a, run_answer *b, size_t count) {
  bool asked_a = ask_side(&pair->a, vectors, a, count); /* both are initialised in any case */
  bool asked_b = ask_side(&pair->b, vectors, b, count);
  return asked_a && asked_b;
}

void fuzz_release(run_answer *answers, size_t count) {
  for (size_t i = 0; i < count; i++)
    run_answer_deinit(&answers[i]);
}

/* ---- Cases ---- */

/* Without layers: for a profile that rejects tuples. */
static void make_bare(scene *s) {
  s->at[SCENE_A_LAYERS] = s->at[SCENE_B_LAYERS] = 0;
  if (s->at[SCENE_FLAW] < 23)
    s->at[SCENE_FLAW] = 0;
}

/* Case n of the seed, whatever was made before. */
static dloc_status make_case(fuzz *f, uint64_t n) {
  uint64_t state = f->options->seed * UINT64_C(0x9e3779b97f4a7c15) + n;
  state = vector_random(&state);
  scene s = scene_random(f->ops[vector_random(&state) % f->op_count], &state);
  if (f->bare)
    make_bare(&s);
  char id[80];
  value *document = NULL;
  snprintf(id, sizeof id, "%s.fuzz.s%" PRIu64 ".%" PRIu64, vector_op_name(s.op), f->options->seed, n);
  f->maker.text.size = 0; /* the batch stays */
  scene_put(&s, id, &f->maker);
  vector *v = &f->vectors[f->count];
  TRY(vector_maker_read(&f->maker, &document, v));
  uint32_t capabilities = f->pair.a.implementation.capabilities & f->pair.b.implementation.capabilities;
  if (v->needs & ~capabilities) {
    f->untold++;
    return DLOC_OK;
  }
  f->numbers[f->count] = n;
  f->asked[f->count++] = v;
  return DLOC_OK;
}

static dloc_status make_batch(fuzz *f) {
  dloc_status status = DLOC_OK;
  vector_maker_begin(&f->maker);
  f->count = 0;
  for (; status == DLOC_OK && f->count < BATCH && f->next <= f->options->cases; f->next++)
    if (f->next % f->shards == f->shard) {
      status = make_case(f, f->next);
      f->tried++;
    }
  return status;
}

/* ---- Differences ---- */

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (bytes[i] < '0' || bytes[i] > '9')
      hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* The first lines in which the answers differ, without numbers, and the outcomes. */
static uint64_t kind_of(const vector *v, const run_answer *a, const run_answer *b) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325) + (uint64_t)v->op * 101 + (uint64_t)a->outcome * 11 + b->outcome;
  const char *x = a->text ? a->text : "", *y = b->text ? b->text : "";
  while (*x && *y) {
    size_t m = strcspn(x, "\n"), n = strcspn(y, "\n");
    if (m != n || memcmp(x, y, m) != 0)
      return hash_bytes(hash_bytes(hash, x, m), y, n);
    x += m + (x[m] != '\0');
    y += n + (y[n] != '\0');
  }
  return hash;
}

/* Whether enough of this kind have been reduced. */
static bool is_known_kind(fuzz *f, uint64_t hash) {
  for (size_t i = 0; i < f->kind_count; i++)
    if (f->kinds[i].hash == hash)
      return f->kinds[i].count++ >= PER_KIND;
  if (f->kind_count < MOST_KINDS)
    f->kinds[f->kind_count++] = (kind){hash, 1};
  return f->kind_count == MOST_KINDS;
}

/* ---- A minimal vector in a form that depends on its content alone ---- */

typedef struct renaming {
  value_arena *arena;
  const value *nodes;
  value renamed;
  dloc_text *names; /* of each node, once it is met */
  size_t met;
} renaming;

static const char *prefix_of(const value *node) {
  static const char *const prefixes[][2] = {
      {"DIFile", "file"},      {"DICompileUnit", "unit"}, {"DISubprogram", "f"},       {"DILocation", "l"},
      {"DILexicalBlock", "s"}, {"composite", "c"},        {"DILexicalBlockFile", "s"}, {"tuple", "t"}};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (value_is(value_get(node, "node"), prefixes[i][0]))
      return prefixes[i][1];
  return "v";
}

/* Texts that are no references. */
static bool is_text(dloc_text key) {
  static const char *const keys[] = {"name", "filename", "directory", "kind", "string", "node", "call"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (dloc_text_equal(key, dloc_text_of(keys[i])))
      return strcmp(keys[i], "call") != 0;
  return false;
}

static void rename_in(renaming *r, value *v);

static void rename_reference(renaming *r, value *v) {
  const value_entry *entry = r->nodes ? value_find_entry(r->nodes, value_text(v)) : NULL;
  if (!entry || value_is_null(v))
    return;
  size_t index = (size_t)(entry - r->nodes->of.entries);
  if (!r->names[index].size) {
    char name[32];
    snprintf(name, sizeof name, "%s%zu", prefix_of(&entry->value), ++r->met);
    r->names[index] = value_arena_copy(r->arena, dloc_text_of(name));
    value node = entry->value;
    rename_in(r, &node);
    value_put(r->arena, &r->renamed, r->names[index], node);
  }
  *v = value_of_text(r->arena, r->names[index]);
}

/* Recursion: a node is entered once; below that by VALUE_DEPTH. Scenes have some tens of nodes. */
static void rename_in(renaming *r, value *v) {
  if (v->kind == VALUE_SCALAR) {
    rename_reference(r, v);
    return;
  }
  for (uint32_t i = 0; v->kind == VALUE_LIST && i < v->count; i++)
    rename_in(r, &v->of.items[i]);
  for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++)
    if (!is_text(v->of.entries[i].key))
      rename_in(r, &v->of.entries[i].value);
}

static value *entry_of(value *document, const char *key) {
  for (uint32_t i = 0; i < document->count; i++)
    if (dloc_text_equal(document->of.entries[i].key, dloc_text_of(key)))
      return &document->of.entries[i].value;
  return NULL;
}

static void rename_nodes(value_arena *arena, value *document) {
  value *nodes = entry_of(document, "nodes"), *args = entry_of(document, "args"),
        *module = entry_of(document, "module");
  if (!nodes)
    return;
  renaming r = {.arena = arena, .nodes = nodes, .renamed = {.kind = VALUE_MAP}};
  r.names = value_arena_alloc(arena, nodes->count, sizeof *r.names);
  if (args)
    rename_in(&r, args);
  if (module)
    rename_in(&r, module);
  *nodes = r.renamed;
}

static void set_text(value_arena *arena, value *document, const char *key, const char *text) {
  value *there = entry_of(document, key);
  if (there)
    *there = value_of_text(arena, dloc_text_of(text));
  else
    value_put_text(arena, document, key, dloc_text_of(text));
}

/* ---- Writing it down ---- */

static void print_answer(const char *who, const run_answer *answer) {
  char *text = run_answer_describe(answer);
  printf("  %s:\n", who);
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    printf("    %.*s\n", (int)length, line);
    line += length + (line[length] != '\0');
  }
  free(text);
}

static dloc_status write_file(const fuzz *f, const char *path, uint64_t number, const value *canonical) {
  tool_output output = tool_output_open(path);
  fprintf(output.file, "# found by dloc fuzz --seed %" PRIu64 ", case %" PRIu64 ": %s differs from %s\n",
          f->options->seed, number, f->pair.a.implementation.name, f->pair.b.implementation.name);
  dloc_status status = vector_write(canonical, tool_file_sink(output.file));
  return tool_output_close(&output, status == DLOC_OK) ? status : DLOC_STOPPED;
}

static bool was_found(fuzz *f, const char *digest) {
  size_t room = sizeof f->found_digests / sizeof *f->found_digests;
  for (size_t i = 0; i < f->found && i < room; i++)
    if (strcmp(f->found_digests[i], digest) == 0)
      return true;
  if (f->found < room)
    strcpy(f->found_digests[f->found], digest);
  return false;
}

static void describe(fuzz *f, const vector *v, uint64_t number, const char *path, const run_answer *a,
                     const run_answer *b) {
  printf("difference %" PRIu64 ": %s, case %" PRIu64 "%s%s\n", f->found, vector_op_name(v->op), number,
         path[0] ? ", reduced to " : "", path);
  print_answer(f->pair.a.implementation.name, a);
  print_answer(f->pair.b.implementation.name, b);
  fflush(stdout);
}

/* Give the minimum its expectation and its name, which depend on nothing else. */
static dloc_status finish(fuzz *f, vector_maker *maker, const dloc_buffer *minimum, uint64_t number) {
  value *document = NULL;
  value canonical;
  value_diagnostic diagnostic;
  vector v;
  char digest[33], text[200], path[4096] = "";
  const vector *asked[1] = {&v};
  run_answer a, b;
  TRY(value_read_one((dloc_text){minimum->bytes, minimum->size}, &maker->completer.arena, &diagnostic, &document));
  rename_nodes(&maker->completer.arena, document);
  set_text(&maker->completer.arena, document, "id", "fuzz");
  set_text(&maker->completer.arena, document, "since", f->pair.b.settings.profile.name);
  TRY(vector_read(document, &maker->completer.arena, &diagnostic, &v));
  TRY(complete_expect(&maker->completer, &v, &f->pair.b.settings.profile, document));
  vector_canonical(document, &maker->completer.arena, &canonical);
  vector_digest(&canonical, &maker->completer.arena, digest);
  if (was_found(f, digest))
    return DLOC_OK;
  f->found++;
  snprintf(text, sizeof text, "%s.fuzz.%.8s", vector_op_name(v.op), digest);
  set_text(&maker->completer.arena, document, "id", text);
  if (f->options->folder)
    snprintf(path, sizeof path, "%s/%s.yaml", f->options->folder, text);
  vector_canonical(document, &maker->completer.arena, &canonical);
  if (path[0])
    TRY(write_file(f, path, number, &canonical));
  TRY(vector_read(&canonical, &maker->completer.arena, &diagnostic, &v));
  if (!fuzz_ask(&f->pair, asked, &a, &b, 1))
    return DLOC_STOPPED;
  describe(f, &v, number, path, &a, &b);
  fuzz_release(&a, 1);
  fuzz_release(&b, 1);
  return DLOC_OK;
}

/* False: it cannot go on. */
static bool take_difference(fuzz *f, size_t i) {
  f->different++;
  if (is_known_kind(f, kind_of(&f->vectors[i], &f->a[i], &f->b[i])) || f->found >= f->options->most)
    return true;
  dloc_buffer minimum = {0};
  vector_maker maker;
  bool fine = fuzz_shrink(&f->pair, &f->vectors[i], &f->a[i], &f->b[i], &minimum);
  dloc_status status = DLOC_OK;
  vector_maker_init(&maker);
  if (fine)
    status = finish(f, &maker, &minimum, f->numbers[i]);
  vector_maker_deinit(&maker);
  dloc_buffer_deinit(&minimum);
  if (status != DLOC_OK && status != DLOC_STOPPED)
    tool_failure(status, "fuzz");
  return fine && status == DLOC_OK;
}

/* ---- State ---- */

/* What must be the same for a run to go on: everything that decides the cases. */
static void describe_run(const fuzz *f, char *text, size_t size) {
  int used = snprintf(text, size, "dloc fuzz 1 seed %" PRIu64 " shard %" PRIu64 "/%" PRIu64 " impl %s ops",
                      f->options->seed, f->shard, f->shards, f->options->implementation);
  for (size_t i = 0; i < f->op_count && used > 0 && (size_t)used < size; i++)
    used += snprintf(text + used, size - (size_t)used, " %s", vector_op_name(f->ops[i]));
}

static bool save_state(const fuzz *f) {
  char run[1024];
  if (!f->options->state)
    return true;
  describe_run(f, run, sizeof run);
  tool_output output = tool_output_open(f->options->state);
  fprintf(output.file,
          "%s\nnext %" PRIu64 " tried %" PRIu64 " untold %" PRIu64 " different %" PRIu64 " found %" PRIu64 "\n", run,
          f->next, f->tried, f->untold, f->different, f->found);
  return tool_output_close(&output, true);
}

static bool load_state(fuzz *f) {
  char run[1024], line[1024] = "";
  if (!f->options->state)
    return true;
  FILE *file = fopen(f->options->state, "r");
  if (!file && errno == ENOENT)
    return true;
  describe_run(f, run, sizeof run);
  bool fine = file && fgets(line, sizeof line, file);
  line[strcspn(line, "\n")] = '\0';
  fine = fine && strcmp(line, run) == 0 &&
         fscanf(file, "next %" SCNu64 " tried %" SCNu64 " untold %" SCNu64 " different %" SCNu64 " found %" SCNu64,
                &f->next, &f->tried, &f->untold, &f->different, &f->found) == 5;
  if (file)
    fclose(file);
  if (!fine)
    tool_error("%s is no state of this run (seed, shard, --impl and --ops must be the same)", f->options->state);
  return fine;
}

/* ---- The run ---- */

static void show_progress(const fuzz *f) {
  if (!f->options->quiet && isatty(2))
    fprintf(stderr, "\r\033[Kcase %" PRIu64 " of %" PRIu64 ", %" PRIu64 " different", f->next - 1, f->options->cases,
            f->different);
}

static bool run_batch(fuzz *f) {
  dloc_status status = make_batch(f);
  if (status != DLOC_OK) {
    tool_failure(status, "fuzz");
    return false;
  }
  bool fine = fuzz_ask(&f->pair, f->asked, f->a, f->b, f->count);
  for (size_t i = 0; fine && i < f->count; i++) {
    fuzz_verdict verdict = fuzz_compare(&f->a[i], &f->b[i]);
    f->untold += verdict == FUZZ_UNTOLD;
    if (verdict == FUZZ_DIFFERENT)
      fine = take_difference(f, i);
  }
  fuzz_release(f->a, f->count);
  fuzz_release(f->b, f->count);
  show_progress(f);
  return fine && save_state(f);
}

static int run_all(fuzz *f) {
  bool fine = load_state(f);
  while (fine && f->next <= f->options->cases)
    fine = run_batch(f);
  if (!fine)
    return TOOL_UNUSABLE;
  if (!f->options->quiet && isatty(2))
    fputs("\r\033[K", stderr);
  printf("%s: %" PRIu64 " cases, %" PRIu64 " different, %" PRIu64 " minimal vectors, %" PRIu64 " untold\n",
         f->different ? "differences" : "no difference", f->tried, f->different, f->found, f->untold);
  return f->different ? TOOL_VIOLATION : TOOL_FINE;
}

/* ---- Setting up ---- */

/* Start one side. profile_name NULL: its own, or rfc. */
static bool start_side(const fuzz_options *o, fuzz_side *side, const char *implementation, const char *profile_name,
                       const tool_list *choices) {
  const dloc_profile *profile = dloc_profile_find(dloc_text_of(profile_name ? profile_name : "rfc"));
  if (!profile) {
    tool_error("unknown profile '%s'", profile_name);
    return false;
  }
  side->settings = (run_settings){.profile_name = profile_name,
                                  .profile = *profile,
                                  .choices = choices->items,
                                  .choice_count = choices->count,
                                  .timeout = (double)o->timeout,
                                  .jobs = (unsigned)o->jobs};
  side->adapter = adapter_create(implementation, o->llvm);
  side->adapter->settings = &side->settings;
  if (!side->adapter->start(side->adapter, &side->implementation)) {
    tool_error("%s", side->adapter->error);
    return false;
  }
  const dloc_profile *own = dloc_profile_find(dloc_text_of(side->implementation.profile));
  if (!profile_name && own)
    side->settings.profile = *own;
  for (size_t i = 0; i < choices->count; i++)
    tool_choose(choices->items[i], &side->settings.profile);
  return true;
}

static bool start(fuzz *f) {
  const fuzz_options *o = f->options;
  if (!start_side(o, &f->pair.a, o->implementation, o->profile, &o->choices))
    return false;
  const tool_list *choices = o->versus_choices.count ? &o->versus_choices : &o->choices;
  if (!start_side(o, &f->pair.b, o->versus, f->pair.a.settings.profile.name, choices))
    return false;
  f->bare = DLOC_TAKES(&f->pair.a.settings.profile, SHAPE_TUPLE, REJECT);
  return true;
}

static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; at && *at; at += *at == ',') {
    size_t end = strcspn(at, ",");
    if (end == length && memcmp(at, name, length) == 0)
      return true;
    at += end;
  }
  return false;
}

/* The operations to fuzz: those of --ops, that both sides can do. */
static bool choose_ops(fuzz *f) {
  size_t asked = 0, commas = 1;
  for (int op = 0; op < VECTOR_OP_COUNT; op++) {
    bool wanted =
        scene_has_op((vector_op)op) && (!f->options->ops || is_listed(f->options->ops, vector_op_name((vector_op)op)));
    asked += wanted;
    if (wanted && (f->pair.a.implementation.capabilities & f->pair.b.implementation.capabilities) >> op & 1)
      f->ops[f->op_count++] = (vector_op)op;
  }
  for (const char *c = f->options->ops; c && *c; c++)
    commas += *c == ',';
  if (f->options->ops && asked != commas)
    tool_error("--ops is a list such as merge,inline of operations, each once");
  else if (f->op_count == 0)
    tool_error("the two can do no operation both");
  else
    return true;
  return false;
}

/* I/N of --shard, or without it the variables of Bazel's test sharding. */
static bool read_shard(fuzz *f) {
  const char *index = getenv("TEST_SHARD_INDEX"), *total = getenv("TEST_TOTAL_SHARDS");
  const char *status_file = getenv("TEST_SHARD_STATUS_FILE");
  char text[64];
  if (!f->options->shard && (!index || !total)) {
    f->shards = 1;
    return true;
  }
  snprintf(text, sizeof text, "%s/%s", index ? index : "", total ? total : "");
  char rest;
  if (sscanf(f->options->shard ? f->options->shard : text, "%20" SCNu64 "/%20" SCNu64 "%c", &f->shard, &f->shards,
             &rest) != 2 ||
      f->shards == 0 || f->shard >= f->shards) {
    tool_error("a shard is I/N with I from 0 to N-1 (--shard, or TEST_SHARD_INDEX and TEST_TOTAL_SHARDS)");
    return false;
  }
  FILE *file = !f->options->shard && status_file ? fopen(status_file, "w") : NULL; /* Bazel: sharding is understood */
  if (file)
    fclose(file);
  return true;
}

static bool check_options(const fuzz_options *o) {
  const char *wrong = NULL;
  if (!o->implementation)
    wrong = "which implementation? Give --impl model, --impl llvm or --impl COMMAND";
  else if (o->llvm && strcmp(o->implementation, "llvm") != 0)
    wrong = "--llvm is for --impl llvm";
  else if (strcmp(o->versus, "llvm") == 0)
    wrong = "--vs llvm is not possible; give LLVM as --impl and the other as --vs";
  else if (o->jobs < 1 || o->jobs > 64 || o->timeout < 1 || o->timeout > 86400)
    wrong = "--jobs must be 1 to 64, --timeout 1 to 86400";
  else if (o->folder && mkdir(o->folder, 0777) != 0 && errno != EEXIST)
    wrong = "the folder of -o cannot be made";
  if (wrong)
    tool_error("%s", wrong);
  return !wrong;
}

static void end_side(fuzz_side *side) {
  if (!side->adapter)
    return;
  side->adapter->stop(side->adapter);
  side->adapter->destroy(side->adapter);
}

static int run(const fuzz_options *o) {
  fuzz *f = memory_allocate(1, sizeof *f); /* some megabytes */
  f->options = o;
  f->next = 1;
  vector_maker_init(&f->maker);
  int status = TOOL_UNUSABLE;
  process_forward_signals();
  if (check_options(o) && read_shard(f) && start(f) && choose_ops(f))
    status = run_all(f);
  vector_maker_deinit(&f->maker);
  end_side(&f->pair.a);
  end_side(&f->pair.b);
  free(f);
  return status;
}

int tool_fuzz(int argc, char **argv) {
  fuzz_options o = {.versus = "model", .seed = 1, .cases = 10000, .most = 20, .jobs = 1, .timeout = 10};
  const tool_option options[] = {
      {TOOL_TEXT, "impl", "model|llvm|COMMAND", "what to test", &o.implementation},
      {TOOL_TEXT, "llvm", "DIR", "for --impl llvm: where opt and llvm-as are; default: PATH", &o.llvm},
      {TOOL_TEXT, "vs", "model|COMMAND", "what to compare with; default: model", &o.versus},
      {TOOL_TEXT, "profile", "NAME", "the rules of both; default: those of --impl, or rfc", &o.profile},
      {TOOL_LIST, "choice", "NAME=ALTERNATIVE", "change one choice of the profile (may be repeated)", &o.choices},
      {TOOL_LIST, "vs-choice", "NAME=ALTERNATIVE", "change one choice of what it is compared with", &o.versus_choices},
      {TOOL_TEXT, "ops", "LIST", "operations, such as merge,inline; default: all that both can do", &o.ops},
      {TOOL_NUMBER, "seed", "N", "another seed gives other cases; default: 1", &o.seed},
      {TOOL_NUMBER, "cases", "N", "up to this case, over all shards; default: 10000", &o.cases},
      {TOOL_TEXT, "shard", "I/N", "every Nth case, from case I; default: by TEST_SHARD_INDEX and TEST_TOTAL_SHARDS",
       &o.shard},
      {TOOL_TEXT, "state", "FILE", "go on where FILE says; it is written after each batch", &o.state},
      {TOOL_TEXT, "o", "DIR", "write minimal vectors there", &o.folder},
      {TOOL_NUMBER, "most", "N", "minimal vectors, after which differences are only counted; default: 20", &o.most},
      {TOOL_NUMBER, "jobs", "N", "processes at a time; default: 1", &o.jobs},
      {TOOL_NUMBER, "timeout", "SECONDS", "for one answer, or one run of a tool; default: 10", &o.timeout},
      {TOOL_FLAG, "quiet", NULL, "no progress", &o.quiet},
      {0}};
  tool_parse(argc, argv, &usage, options);
  int status = run(&o);
  free(o.choices.items);
  free(o.versus_choices.items);
  return status;
}
