/* laws.c - `dloc laws`: the laws of the model over every input of a small scope. */
#include "shell/script.h"
#include "lab/side.h"

#include "document/buffer.h"
#include "experiments/laws/laws.h"
#include "run/process.h"
#include "vector/mutants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const tool_usage usage = {
    "dloc laws [OPTION...]",
    "Try algebraic laws of merging, inlining, equality and round trips on every input of a small scope, and\n"
    "show a smallest input that breaks each law that does not hold. For each built-in profile,\n"
    "conformance/experiments/laws/expected.def lists the laws that are known to be broken. --mutants, in the\n"
    "dloc that `make mutants` builds, asks instead whether the laws that hold can fail: some mistake in the\n"
    "model must break each of them. --impl asks an implementation instead of the model: laws need nobody who\n"
    "says what is right. It is held to what the list says of its profile; laws that ask what it cannot be asked\n"
    "are left out and counted.\n"
    "Exit status: 0 each law does what the list says, 1 one does not, 2 bad usage.\n",
    "dloc laws --profile pr205453\n"
    "dloc laws --all-profiles --scope 1\n"
    "dloc laws --law merge.primary --choice merge.empty=drop\n"
    "dloc laws --law merge.commutative --witness >witness.yaml && dloc check witness.yaml\n"
    "dloc laws --scope 1 --law merge.primary.empty --repairs\n"
    "dloc laws --scope 1 --law merge.commutative --impl llvm --llvm /usr/lib/llvm-22/bin\n",
    0, 0};

typedef struct laws_options {
  const char *profile_name;
  tool_list choices;
  dloc_profile profile; /* both */
  const char *implementation;
  const char *llvm;
  uint64_t timeout;
  uint64_t scope;
  uint64_t jobs;
  const char *shard;
  tool_list laws;
  const char *json;
  const char *mutant;
  bool mutants;
  bool all_profiles;
  bool witness;
  bool repairs;
  bool list;
} laws_options;

/* ---- Options ---- */

/* "I/N": the I-th of N shards. */
static bool read_shard(const char *text, laws_settings *settings) {
  char *end = NULL;
  settings->shards = 1;
  if (!text)
    return true;
  uint64_t shard = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '/' || end[1] < '0' || end[1] > '9')
    return false;
  uint64_t shards = strtoull(end + 1, &end, 10);
  settings->shard = shard - 1;
  settings->shards = shards;
  return !*end && shard >= 1 && shard <= shards && shards <= 1000000;
}

static _Noreturn void unknown_law(const char *name) {
  tool_guess guess = {.wrong = name};
  for (int i = 0; i < LAW_COUNT; i++)
    tool_guess_offer(&guess, law_name((law)i));
  tool_fail("no law is named '%s'%s; `dloc laws --list` names them", name, tool_guess_words(&guess));
}

static void select_laws(const tool_list *names, laws_settings *settings) {
  for (unsigned i = 0; i < LAW_COUNT; i++)
    settings->skip[i] = names->count > 0;
  for (size_t i = 0; i < names->count; i++) {
    law l = LAW_COUNT;
    if (!law_find(dloc_text_of(names->items[i]), &l))
      unknown_law(names->items[i]);
    settings->skip[l] = false;
  }
}

static void select_mutant(const laws_options *options, laws_settings *settings) {
  size_t index = 0;
  if (!options->mutant && !options->mutants)
    return;
  if (!mutants_present())
    tool_fail("this dloc has no mutants; `make mutants` builds one that has, build/mutants/dloc");
  if (options->all_profiles || options->repairs ||
      (options->mutants && (options->mutant || options->json || options->witness)))
    tool_fail("%s", options->mutants
                        ? "--mutants takes none of --all-profiles, --json, --mutant, --repairs and --witness"
                        : "--mutant takes none of --all-profiles and --repairs");
  if (options->mutant && !mutant_find(dloc_text_of(options->mutant), &index))
    tool_fail("no mutant is named '%s'; `dloc mutants --list` lists them", options->mutant);
  settings->mutant = options->mutant ? index + 1 : 0;
}

static void read_profile(laws_options *options) {
  options->profile = *tool_profile(options->profile_name ? options->profile_name : "rfc");
  for (size_t i = 0; i < options->choices.count; i++)
    tool_choose(options->choices.items[i], &options->profile);
}

static laws_settings read_settings(const laws_options *options) {
  laws_settings settings = {.profile = &options->profile, .scope = (unsigned)options->scope};
  bool others = options->all_profiles || options->repairs || options->mutants || options->mutant || options->list;
  if (options->implementation && others)
    tool_fail("--impl takes none of --all-profiles, --list, --mutant, --mutants and --repairs");
  if (options->llvm && (!options->implementation || strcmp(options->implementation, "llvm") != 0))
    tool_fail("--llvm is for --impl llvm");
  if (options->scope < 1 || options->scope > LAWS_SCOPE_LIMIT)
    tool_fail("--scope must be 1 to 4");
  if (options->jobs < 1 || options->jobs > 256)
    tool_fail("--jobs must be 1 to 256");
  if (!read_shard(options->shard, &settings))
    tool_fail("%s is no shard: it takes I/N, the I-th of N", options->shard);
  if (options->all_profiles && (options->witness || options->repairs))
    tool_fail("%s is for one profile", options->witness ? "--witness" : "--repairs");
  select_mutant(options, &settings);
  select_laws(&options->laws, &settings);
  return settings;
}

static void print_list(void) {
  for (unsigned i = 0; i < LAW_COUNT; i++)
    printf("%s\t%s\t%s\n", law_name((law)i), law_clauses((law)i), law_statement((law)i));
}

/* ---- Judgement ---- */

/* A shard may well have no input that breaks a broken law, nor those that an implementation tells about. */
static bool as_expected(const laws_settings *settings, law l, const law_result *result) {
  bool expected = law_expected(l, settings->profile->name, settings->scope) != NULL;
  return result->broken ? expected : !expected || settings->shards > 1 || result->untold;
}

static bool as_it_is_named(const dloc_profile *profile) {
  const dloc_profile *named = dloc_profile_find(dloc_text_of(profile->name));
  return memcmp(named->alternative, profile->alternative, sizeof named->alternative) == 0;
}

/* The name of the profile. */
static const char *changed(const dloc_profile *profile) { return as_it_is_named(profile) ? "" : " (changed)"; }

/* Prints what deviates; whether nothing does. */
static bool judge(const laws_settings *settings, const law_result *results) {
  bool fine = true;
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    if (settings->skip[i] || as_expected(settings, (law)i, &results[i]))
      continue;
    fine = false;
    printf("%s%s: %s %s\n", settings->profile->name, changed(settings->profile), law_name((law)i),
           results[i].broken ? "is broken and was expected to hold" : "holds and was expected to be broken");
  }
  return fine;
}

/* ---- Text ---- */

static void print_law(const laws_settings *settings, law l, const law_result *result, const law_told *told) {
  const law_expectation *known = law_expected(l, settings->profile->name, settings->scope);
  printf("%-28s %10" PRIu64 "  ", law_name(l), result->tried);
  if (!result->broken) {
    puts(result->tried ? "holds" : result->untold ? "left out" : "-");
    return;
  }
  printf("BROKEN by %" PRIu64 "%s%s\n    %s\n%s", result->broken, known ? ": " : "", known ? known->why : "",
         law_statement(l), told->questions.size ? told->questions.bytes : "");
}

static void print_text(const laws_settings *settings, const law_result *results, const law_told *told) {
  printf("%s%s, inputs up to size %u", settings->profile->name, changed(settings->profile),
         laws_scope_size(settings->scope));
  if (settings->mutant)
    printf(", by the mutant %s", mutant_at(settings->mutant - 1)->name);
  printf("\n\n%-28s %10s\n", "law", "inputs");
  for (unsigned i = 0; i < LAW_COUNT; i++)
    if (!settings->skip[i])
      print_law(settings, (law)i, &results[i], &told[i]);
}

static void print_left_out(const laws_settings *settings, const law_result *results) {
  unsigned laws = 0;
  uint64_t inputs = 0;
  for (unsigned i = 0; i < LAW_COUNT; i++)
    if (!settings->skip[i]) {
      laws += results[i].untold && !results[i].tried;
      inputs += results[i].tried ? results[i].untold : 0;
    }
  printf("\nleft out: %u law%s", laws, laws == 1 ? "" : "s");
  printf(inputs ? ", and of others %" PRIu64 " inputs\n" : "\n", inputs);
}

/* ---- Witnesses ---- */

static void print_witnesses(const law_told *told) {
  bool first = true;
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    if (told[i].witness.size)
      printf("%s%s", first ? "" : "---\n", told[i].witness.bytes);
    first &= !told[i].witness.size;
  }
}

/* ---- JSON ---- */

static value law_as_value(value_arena *arena, const laws_settings *settings, law l, const law_result *result) {
  const law_expectation *known = law_expected(l, settings->profile->name, settings->scope);
  value map = {.kind = VALUE_MAP};
  value_put_text(arena, &map, "law", dloc_text_of(law_name(l)));
  value_put_text(arena, &map, "statement", dloc_text_of(law_statement(l)));
  value_put_number(arena, &map, "tried", result->tried);
  value_put_number(arena, &map, "broken", result->broken);
  if (result->untold)
    value_put_number(arena, &map, "untold", result->untold);
  if (result->broken)
    value_put_number(arena, &map, "first", result->first);
  if (known)
    value_put_text(arena, &map, "known", dloc_text_of(known->why));
  return map;
}

static value results_as_value(value_arena *arena, const laws_settings *settings, const law_result *results) {
  value map = {.kind = VALUE_MAP}, list = {.kind = VALUE_LIST};
  value_put_text(arena, &map, "profile", dloc_text_of(settings->profile->name));
  value_put_number(arena, &map, "scope", settings->scope);
  value_put_number(arena, &map, "shard", settings->shard + 1);
  value_put_number(arena, &map, "shards", settings->shards);
  for (unsigned i = 0; i < LAW_COUNT; i++)
    if (!settings->skip[i])
      value_add(arena, &list, law_as_value(arena, settings, (law)i, &results[i]));
  value_put_value(arena, &map, "laws", list);
  return map;
}

static int write_json(const char *path, const laws_settings *settings, const law_result *results) {
  value_arena arena = {0};
  tool_output output = tool_output_open(path);
  value document = results_as_value(&arena, settings, results);
  dloc_status status = value_write_json(&document, tool_file_sink(output.file));
  fputc('\n', output.file);
  value_arena_deinit(&arena);
  return tool_output_finish(&output, status, path);
}

/* ---- The command ---- */

static bool is_quiet(const laws_options *options) { return options->json && strcmp(options->json, "-") == 0; }

static int show(const laws_options *options, const laws_settings *settings, const law_result *results,
                const law_told *told) {
  int written = options->json ? write_json(options->json, settings, results) : TOOL_FINE;
  bool quiet = is_quiet(options);
  if (written != TOOL_FINE)
    return written;
  if (options->witness)
    print_witnesses(told);
  else if (!quiet)
    print_text(settings, results, told);
  if (options->implementation && !options->witness && !quiet)
    print_left_out(settings, results);
  return quiet || options->witness || judge(settings, results) ? TOOL_FINE : TOOL_VIOLATION;
}

static void release(law_told *told) {
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    dloc_buffer_deinit(&told[i].questions);
    dloc_buffer_deinit(&told[i].witness);
  }
}

static int run(const laws_options *options, const laws_settings *settings) {
  law_result results[LAW_COUNT];
  law_told told[LAW_COUNT] = {{{0}, {0}}};
  laws_run_parallel(settings, (unsigned)options->jobs, results);
  for (unsigned i = 0; i < LAW_COUNT && !is_quiet(options); i++)
    if (results[i].broken)
      laws_show(settings, (law)i, results[i].first, &told[i]);
  int status = show(options, settings, results, told);
  release(told);
  return status;
}

static int ask_implementation(const laws_options *o, laws_settings *settings) {
  law_result results[LAW_COUNT];
  law_told told[LAW_COUNT] = {{{0}, {0}}};
  fuzz_side side;
  side_start(&side, &(side_options){o->implementation, o->llvm, o->profile_name, &o->choices, o->timeout, o->jobs});
  settings->profile = &side.settings.profile;
  if (!laws_ask(settings, side.adapter, side.implementation.capabilities, results, told))
    tool_fail("%s", side.adapter->error);
  if (!o->witness && !is_quiet(o))
    printf("%s %s, profile ", side.implementation.name, side.implementation.version);
  int status = show(o, settings, results, told);
  side_end(&side);
  release(told);
  return status;
}

/* The script asks this program with the same options. */
static int become_script(int argc, char **argv, const tool_option *options) {
  int kept = 0;
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--mutants") != 0 && strcmp(argv[i], "--all-profiles") != 0 &&
        strcmp(argv[i], "--repairs") != 0)
      argv[kept++] = argv[i];
  return script_become("lab/laws.py", options, argv, kept);
}

int tool_laws(int argc, char **argv) {
  laws_options o = {.scope = 2, .jobs = 1, .timeout = 10};
  const tool_option options[] = {
      {TOOL_TEXT, "profile", "NAME", "the rules: a built-in profile; default: rfc, or that of --impl", &o.profile_name},
      {TOOL_LIST, "choice", "NAME=ALTERNATIVE", "change one choice of the profile (may be repeated)", &o.choices},
      {TOOL_TEXT, "impl", "model|llvm|dropin|COMMAND", "what to ask instead of the model in this process",
       &o.implementation},
      {TOOL_TEXT, "llvm", "DIR", "for --impl llvm: where opt and llvm-as are; default: DLOC_LLVM, or PATH", &o.llvm},
      {TOOL_NUMBER, "timeout", "SECONDS", "for one answer of --impl, or one run of a tool; default: 10", &o.timeout},
      {TOOL_FLAG, "all-profiles", NULL, "every built-in profile, as a table of laws by profiles", &o.all_profiles},
      {TOOL_NUMBER, "scope", "N", "1 to 4: inputs up to size 2 N + 2 (default 2, some seconds; 3 takes minutes)",
       &o.scope},
      {TOOL_LIST, "law", "NAME", "this law only (may be repeated)", &o.laws},
      {TOOL_NUMBER, "jobs", "N", "processes to run in (default 1)", &o.jobs},
      {TOOL_TEXT, "shard", "I/N", "only every N-th input, beginning with the I-th", &o.shard},
      {TOOL_FLAG, "witness", NULL, "print only the smallest witnesses, as vectors", &o.witness},
      {TOOL_FLAG, "repairs", NULL, "print instead which single change of a choice repairs or breaks a law", &o.repairs},
      {TOOL_TEXT, "mutant", "NAME", "try them on a model that makes this mistake (`dloc mutants`)", &o.mutant},
      {TOOL_FLAG, "mutants", NULL,
       "print instead, for each law that holds, a mutant that breaks it; fail when there is none", &o.mutants},
      {TOOL_OUTPUT, "json", "FILE", "write the counts as JSON, a line for each profile", &o.json},
      {TOOL_FLAG, "list", NULL, "print the laws: name, clauses, statement", &o.list},
      {0}};
  int status = TOOL_FINE;
  tool_parse(argc, argv, &usage, options);
  read_profile(&o);
  laws_settings settings = read_settings(&o);
  if (o.implementation)
    status = ask_implementation(&o, &settings);
  else if (o.list)
    print_list();
  else
    status = o.mutants || o.all_profiles || (o.repairs && !o.witness) ? become_script(argc, argv, options)
                                                                      : run(&o, &settings);
  free(o.laws.items);
  free(o.choices.items);
  return status;
}
