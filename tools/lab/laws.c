/* laws.c - `dloc laws`: the laws of the model over every input of a small scope. laws.py tells what becomes of them; here
 * are the facts that it asks for. */
#include "suite/side.h"
#include "help/laws.h"
#include "shell/script.h"
#include "shell/vectors.h"

#include "document/buffer.h"
#include "experiments/laws/laws.h"

#include <string.h>
#include <unistd.h>

typedef struct laws_options {
  side_options side;
  dloc_profile profile; /* with its choices */
  uint64_t scope;
  const char *shard;
  tool_list laws;
  bool json;
  const char *mutant;
  bool mutants;
  bool witness;
} laws_options;

/* ---- Options ---- */

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

static void read_profile(laws_options *options) {
  options->profile = *tool_profile(options->side.profile ? options->side.profile : "rfc");
  for (size_t i = 0; i < options->side.choices.count; i++)
    tool_choose(options->side.choices.items[i], &options->profile);
}

/* On a terminal, a line on standard error says how far it is. */
static void show_progress(law next) {
  fprintf(stderr, "\r\033[Klaw %d of %d: %s", (int)next + 1, (int)LAW_COUNT, law_name(next));
}

static laws_settings read_settings(const laws_options *options) {
  laws_settings settings = {
      .profile = &options->profile, .scope = (unsigned)options->scope, .progress = isatty(2) ? show_progress : NULL};
  if (options->scope < 1 || options->scope > LAWS_SCOPE_LIMIT)
    tool_fail("--scope must be 1 to 4");
  if (options->side.jobs < 1 || options->side.jobs > 256)
    tool_fail("--jobs must be 1 to 256");
  tool_read_shard(options->shard, &settings.shard, &settings.shards);
  if (options->mutant || options->mutants)
    settings.mutant = vectors_find_mutant(options->mutant);
  select_laws(&options->laws, &settings);
  return settings;
}

/* ---- Facts ---- */

static value law_as_value(value_arena *arena, const laws_settings *settings, law l, const law_result *result,
                          const law_told *told) {
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
  if (result->broken) {
    value_put_text(arena, &map, "questions", buffer_text(&told->questions));
    value_put_text(arena, &map, "witness", buffer_text(&told->witness));
  }
  return map;
}

static bool as_it_is_named(const dloc_profile *profile) {
  const dloc_profile *named = dloc_profile_find(dloc_text_of(profile->name));
  return memcmp(named->alternative, profile->alternative, sizeof named->alternative) == 0;
}

/* who is NULL of the model. */
static void print_facts(const laws_settings *settings, const run_implementation *who, const law_result *results,
                        law_told *told) {
  if (settings->progress)
    fputs("\r\033[K", stderr);
  OWNED(value_arena_deinit) value_arena arena = {0};
  value map = {.kind = VALUE_MAP}, list = {.kind = VALUE_LIST};
  value_put_text(&arena, &map, "profile", dloc_text_of(settings->profile->name));
  value_put_number(&arena, &map, "scope", settings->scope);
  value_put_number(&arena, &map, "shard", settings->shard + 1);
  value_put_number(&arena, &map, "shards", settings->shards);
  for (unsigned i = 0; i < LAW_COUNT; i++) {
    if (!settings->skip[i])
      value_add(&arena, &list, law_as_value(&arena, settings, (law)i, &results[i], &told[i]));
    dloc_buffer_deinit(&told[i].questions);
    dloc_buffer_deinit(&told[i].witness);
  }
  value_put_value(&arena, &map, "laws", list);
  value_put_word(&arena, &map, "changed", as_it_is_named(settings->profile) ? "false" : "true");
  value_put_number(&arena, &map, "size", laws_scope_size(settings->scope));
  if (who) {
    value_put_text(&arena, &map, "implementation", dloc_text_of(who->name));
    value_put_text(&arena, &map, "version", dloc_text_of(who->version));
  }
  tool_print_json(&map);
}

static void ask_model(const laws_options *o, const laws_settings *settings) {
  law_result results[LAW_COUNT];
  law_told told[LAW_COUNT] = {{{0}, {0}}};
  bool counts_only = !o->witness && o->json;
  laws_run_parallel(settings, (unsigned)o->side.jobs, results);
  for (unsigned i = 0; i < LAW_COUNT && !counts_only; i++)
    if (results[i].broken)
      laws_show(settings, (law)i, results[i].first, &told[i]);
  print_facts(settings, NULL, results, told);
}

static void ask_implementation(const laws_options *o, laws_settings *settings) {
  law_result results[LAW_COUNT];
  law_told told[LAW_COUNT] = {{{0}, {0}}};
  OWNED(side_end) fuzz_side side;
  side_start(&side, &o->side);
  settings->profile = &side.settings.profile;
  if (!laws_ask(settings, side.adapter, side.implementation.capabilities, results, told))
    tool_fail("%s", side.adapter->error);
  print_facts(settings, &side.implementation, results, told);
}

int tool_laws(int argc, char **argv) {
  laws_options o = {.side = {.jobs = side_jobs(), .timeout = 10}, .scope = 2};
  bool all_profiles = false, repairs = false, list = false, facts = false;
  const char *output = NULL;
  const tool_option options[] = {
      {TOOL_TEXT, "profile", "the rules: a built-in profile; default: rfc, or that of --impl", &o.side.profile},
      {TOOL_LIST, "choice", NULL, &o.side.choices},
      {TOOL_TEXT, "impl", "what to ask instead of the model in this process", &o.side.implementation},
      {TOOL_TEXT, "llvm", NULL, &o.side.llvm},
      {TOOL_NUMBER, "timeout", NULL, &o.side.timeout},
      {TOOL_FLAG, "all-profiles", NULL, &all_profiles},
      {TOOL_NUMBER, "scope", NULL, &o.scope},
      {TOOL_LIST, "only", "this law only (may be repeated)", &o.laws},
      {TOOL_NUMBER, "jobs", NULL, &o.side.jobs},
      {TOOL_TEXT, "shard", NULL, &o.shard},
      {TOOL_FLAG, "witnesses", "print only the smallest witnesses, as vectors", &o.witness},
      {TOOL_FLAG, "repairs", NULL, &repairs},
      {TOOL_TEXT, "mutant", NULL, &o.mutant},
      {TOOL_FLAG, "each-mutant", NULL, &o.mutants},
      {TOOL_OUTPUT, "o", NULL, &output},
      {TOOL_FLAG, "json", NULL, &o.json},
      {TOOL_FLAG, "list", "print the laws: name, clauses, statement", &list},
      {TOOL_FLAG, "facts", NULL, &facts},
      {0}};
  tool_parse(argc, argv, &laws_usage, options);
  read_profile(&o);
  laws_settings settings = read_settings(&o);
  if (!facts) /* the script asks this program with the same options */
    return script_become("lab/laws.py", options, argv + 1, argc - 1);
  if (o.side.implementation)
    ask_implementation(&o, &settings);
  else
    ask_model(&o, &settings);
  return TOOL_FINE;
}
