/* run.c - dloc run: an implementation against the vectors. */
#include "help/run.h"
#include "run.h"
#include "shell/script.h"
#include "shell/vectors.h"
#include "side.h"

#include "document/buffer.h"
#include "document/text.h"
#include "run/ending.h"
#include "run/process.h"
#include "reports/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run_options {
  side_options side;
  tool_list llvm;
  const char *expected;
  const char *update;
  dloc_text expected_text;
  const char *junit;
  const char *json;
  const char *tap;
  const char *label;
  tool_list only;
  const char *keep;
  const char *limits; /* as they were given; NULL: none */
  char **confinement; /* of them */
  uint64_t show;
  bool quiet;
  bool derived_only;
  bool fingerprint;
  bool witnesses;
  bool ask_anyway;
  bool passes;
} run_options;

/* --fingerprint: one implementation, and what it answers. */
typedef struct fingerprint_column {
  run_implementation implementation;
  run_results results;
} fingerprint_column;

/* ---- While it runs ---- */

typedef struct screen {
  bool terminal, quiet;
  bool unreadable; /* a file could not be read */
  bool unwritable; /* nor could one of --keep be written */
  const char *keep;
  bool plain;              /* no other profile or choice was asked for */
  expected_list *own_list; /* where the implementation's own list goes */
  tool_input *own_text;
  const suite *suite;
  vectors_mark mark;
  double shown;
} screen;

static void clear_line(const screen *s) {
  if (s->terminal && s->shown > 0)
    fputs("\r\033[K", stderr);
}

static void show_progress(void *user, size_t done, size_t total) {
  screen *s = user;
  double now = process_now();
  if (s->quiet || now - s->shown < (s->terminal ? 0.1 : 10))
    return;
  s->shown = now;
  fprintf(stderr, s->terminal ? "\r\033[K%zu" : "dloc: %zu", done);
  if (total)
    fprintf(stderr, " of %zu", total);
  fputs(s->terminal ? " vectors" : " vectors\n", stderr);
}

/* Take the list of failures that belongs to what was recognised. One for changed choices is for these alone. */
static void recognised(void *user, const run_implementation *implementation) {
  screen *s = user;
  bool fits = implementation->failures && (s->plain || !implementation->changed.name);
  const char *path = fits ? script_part(implementation->failures) : NULL;
  if (path)
    *s->own_list = vectors_read_expected(path, s->own_text);
}

static void complain(void *user, const suite_error *error) {
  screen *s = user;
  clear_line(s);
  s->unreadable |= error->unreadable;
  if (error->unreadable) {
    tool_error("cannot read %s", error->at.message);
    return;
  }
  vectors_diagnose(error->path, suite_text(s->suite), &s->mark, &error->at);
}

static void keep(void *user, const run_result *result, const run_exchange *exchange) {
  screen *s = user;
  s->unwritable = s->unwritable || !keep_exchange(s->keep, result, exchange);
}

/* ---- Reports ---- */

static void put_option(dloc_buffer *command, const char *option, const char *argument) {
  buffer_format(command, " --%s ", option);
  buffer_put_word(command, argument);
}

/* The options that ask the same implementation by the same rules. */
static dloc_buffer write_command(const run_options *options) {
  dloc_buffer command = {0};
  buffer_format(&command, "dloc run");
  put_option(&command, "impl", options->side.implementation);
  if (options->llvm.count)
    put_option(&command, "llvm", options->llvm.items[0]);
  if (options->side.profile)
    put_option(&command, "profile", options->side.profile);
  for (size_t i = 0; i < options->side.choices.count; i++)
    put_option(&command, "choice", options->side.choices.items[i]);
  if (options->ask_anyway)
    buffer_format(&command, " --ask-anyway");
  return command;
}

static bool write_lines(const record *r, const char *path) {
  if (!path)
    return true;
  tool_output output = tool_output_open(path);
  writer w = {.sink = tool_file_sink(output.file)};
  report_json(&w, r);
  return tool_output_finish(&output, write_finish(&w), path) == TOOL_FINE;
}

static int write_record(const run_options *options, const record *r) {
  bool fine = write_lines(r, options->json) && vectors_write_run("suite/junit.py", r, options->junit) &&
              vectors_write_run("suite/tap.py", r, options->tap);
  if (!options->quiet)
    fine = vectors_tell_run(r, options->show) && fine;
  return !fine || *r->results->doubt ? TOOL_UNUSABLE : record_good(r) ? TOOL_FINE : TOOL_VIOLATION;
}

/* Rewrite the list of expected failures: only a whole run knows what belongs into it. */
static int update_expected(const run_options *options, const record *r) {
  OWNED(memory_release) expected_failure *failures = NULL;
  size_t count = 0;
  bool whole = !r->results->partial && !r->results->unreadable && !r->picked;
  const expected_list none = {NULL, 0}, *list = r->expected ? r->expected : &none;
  for (size_t i = 0; i < list->count; i++)
    whole &= !record_is_stale(r, &list->entries[i]) || list->entries[i].seen;
  if (!whole) {
    tool_error("%s stays as it is: not all of its vectors were run", options->update);
    return TOOL_UNUSABLE;
  }
  for (size_t i = 0; i < r->results->count; i++) {
    const run_result *result = &r->results->items[i];
    if (result->answer)
      *MEMORY_ADD(failures, count) = (expected_failure){dloc_text_of(result->id), result->answer};
  }
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  expected_update(list, options->expected_text, &r->settings->profile, failures, count, &text);
  bool fine = tool_write_text(options->update, buffer_text(&text));
  return fine ? TOOL_FINE : TOOL_UNUSABLE;
}

static int write_reports(const run_options *options, const record *r) {
  int result = write_record(options, r);
  return options->update && result != TOOL_UNUSABLE ? update_expected(options, r) : result;
}

/* ---- The command ---- */

/* Run it all; column, which is released by the caller then, or a report. */
static int run_with(const run_options *options, runner *r, suite *s, fingerprint_column *column) {
  fingerprint_column own;
  fingerprint_column *done = column ? column : &own;
  screen terminal = {.terminal = isatty(2) != 0, .quiet = options->quiet, .keep = options->keep, .suite = s};
  terminal.shown = terminal.terminal ? 0 : process_now();
  OWNED(expected_deinit) expected_list own_list = {NULL, 0};
  tool_input own_text = {0};
  terminal.plain = !options->side.profile && !options->side.choices.count;
  if (!column && !r->expected && !options->update) {
    terminal.own_list = r->expected = &own_list;
    terminal.own_text = &own_text;
    r->recognised = recognised;
  }
  r->progress = show_progress;
  r->complain = complain;
  r->keep = options->keep ? keep : NULL;
  r->user = &terminal;
  process_start_behind(options->confinement);
  ending_defer();
  dloc_status status = runner_run(r, s, &done->implementation, &done->results);
  process_start_behind(NULL);
  clear_line(&terminal);
  if (status == DLOC_INVALID || (status == DLOC_OK && done->results.partial))
    tool_error("%s", r->adapter->error);
  if (status == DLOC_INVALID)
    return TOOL_UNUSABLE;
  if (status != DLOC_OK)
    return tool_failure(status, NULL);
  int result = TOOL_FINE;
  bool missing = !done->results.partial && vectors_are_missing(s);
  if (!column && (!missing || done->results.count)) {
    OWNED(dloc_buffer_deinit) dloc_buffer command = write_command(options);
    record told = {r->settings, &own.implementation, &own.results,  r->adapter,
                   r->expected, options->label,      command.bytes, options->only.count > 0 || own_list.count};
    result = write_reports(options, &told);
  }
  bool whole = !done->results.partial && !terminal.unreadable && !terminal.unwritable && !missing;
  if (!column)
    run_results_deinit(&own.results);
  if (own_list.count)
    tool_input_close(&own_text);
  return whole ? result : TOOL_UNUSABLE;
}

static int run_suite_with(const run_options *options, runner *r, char **paths, int count, fingerprint_column *column) {
  suite_error error;
  OWNED(release_suite) suite *s = NULL;
  dloc_status status = suite_create((const char *const *)(void *)paths, (size_t)count, &error, &s);
  if (status == DLOC_INVALID)
    tool_fail("cannot read %s", error.at.message);
  if (status != DLOC_OK)
    return tool_failure(status, NULL);
  suite_only(s, options->only.items, options->only.count);
  return run_with(options, r, s, column);
}

/* One implementation. column NULL: write a report. */
static int run_implementation_of(const run_options *options, const char *llvm, expected_list *expected, char **paths,
                                 int count, fingerprint_column *column) {
  run_settings settings = side_settings(&options->side);
  settings.asks_anyway = options->ask_anyway;
  adapter *a = adapter_create(options->side.implementation, llvm);
  runner r = {.adapter = a,
              .settings = &settings,
              .expected = expected,
              .judges_nothing = column != NULL,
              .derived_only = options->derived_only,
              .keep_answers = options->json && !column,
              .tells_no_choices = options->quiet && !options->json && !options->junit && !options->tap && !column};
  int result = run_suite_with(options, &r, paths, count, column);
  a->destroy(a);
  return result;
}

static int run_and_report(run_options *options, char **paths, int count) {
  OWNED(expected_deinit) expected_list expected = {NULL, 0};
  OWNED(tool_input_close) tool_input input = {.name = NULL};
  if (options->expected)
    expected = vectors_read_expected(options->expected, &input);
  options->expected_text = options->expected ? input.text : dloc_text_of("");
  const char *llvm = options->llvm.count ? options->llvm.items[0] : NULL;
  return run_implementation_of(options, llvm, options->expected ? &expected : NULL, paths, count, NULL);
}

/* Passes that move code are beyond vectors: conformance/llvm/passes.py asks by a law. A clean run tells whether it did. */
static int run_passes(const run_options *options, int result) {
  if (options->passes) {
    int status = script_write("suite/ask_passes.py", options->llvm.count ? options->llvm.items[0] : "",
                              (dloc_text){"", 0}, NULL);
    return status == TOOL_UNUSABLE || result == TOOL_FINE ? status : result;
  }
  if (result == TOOL_FINE && !options->quiet && strcmp(options->side.implementation, "llvm") == 0)
    puts("passes that move, merge and clone code were not asked: --passes asks for them, in minutes");
  return result;
}

/* ---- Fingerprints: fingerprint.py writes the table, or the JSON ---- */

static void write_finding(writer *w, const run_results *results, dloc_choice choice) {
  run_finding finding = run_results_finding(results, choice);
  bool any = finding.follows == RUN_FOLLOWS_ONE || finding.follows == RUN_FOLLOWS_SEVERAL;
  write_format(w, ", \"%s\": {\"follows\": \"%s\"", dloc_choice_name(choice), run_follows_name(finding.follows));
  write_member(w, "told", finding.alternatives);
  write_member(w, "alternatives", any ? finding.alternatives : "");
  write_plain(w, ", \"witnesses\": [");
  for (size_t i = 0; i < finding.witness_count; i++) {
    write_plain(w, i ? ", " : "");
    write_json(w, results->items[finding.witnesses[i]].id);
  }
  write_plain(w, "]}");
}

static bool write_columns(const fingerprint_column *columns, size_t count, const char *form, const char *path) {
  OWNED(dloc_buffer_deinit) dloc_buffer lines = {0};
  writer w = {.sink = buffer_sink(&lines)};
  for (size_t i = 0; i < count; i++) {
    write_first_member(&w, "implementation", columns[i].implementation.name);
    write_member(&w, "version", columns[i].implementation.version);
    for (int j = 0; j < DLOC_CHOICE_COUNT; j++)
      write_finding(&w, &columns[i].results, (dloc_choice)j);
    write_plain(&w, "}\n");
  }
  return script_write("suite/fingerprint.py", form, buffer_text(&lines), path) == TOOL_FINE;
}

static int write_fingerprints(const run_options *options, const fingerprint_column *columns, size_t count) {
  const char *form = options->witnesses ? "witnesses" : "text";
  bool fine = !options->json || write_columns(columns, count, "json", options->json);
  fine = fine && (options->quiet || write_columns(columns, count, form, NULL));
  return fine ? TOOL_FINE : TOOL_UNUSABLE;
}

/* Every implementation that was given, one after the other. */
static int run_fingerprints(const run_options *options, char **paths, int count) {
  size_t wanted = options->llvm.count ? options->llvm.count : 1;
  OWNED(memory_release) fingerprint_column *columns = memory_allocate(wanted, sizeof *columns);
  int result = TOOL_FINE;
  for (size_t i = 0; i < wanted && result == TOOL_FINE; i++) {
    const char *llvm = options->llvm.count ? options->llvm.items[i] : NULL;
    result = run_implementation_of(options, llvm, NULL, paths, count, &columns[i]);
  }
  if (result == TOOL_FINE)
    result = write_fingerprints(options, columns, wanted);
  for (size_t i = 0; i < wanted; i++)
    run_results_deinit(&columns[i].results);
  return result;
}

/* ---- The options ---- */

/* One line, as reports have it in a heading. */
static bool is_line(const char *text) {
  for (; *text; text++)
    if (iscntrl((unsigned char)*text))
      return false;
  return true;
}

/* Options that do not go together. */
static void check_options(const run_options *options) {
  const char *wrong = NULL;
  if (options->update && (options->expected || options->fingerprint || options->derived_only))
    wrong = "--update-expected takes none of --expect-failures, --fingerprint and --derived-only";
  else if (!options->side.implementation)
    wrong = "which implementation? Give --impl model, --impl llvm or --impl COMMAND";
  else if (options->llvm.count && strcmp(options->side.implementation, "llvm") != 0 &&
           strcmp(options->side.implementation, "dropin") != 0)
    wrong = "--llvm is for --impl llvm and --impl dropin";
  else if (options->llvm.count > 1 && !options->fingerprint)
    wrong = "only --fingerprint takes several --llvm";
  else if (options->passes && (options->fingerprint || strcmp(options->side.implementation, "llvm") != 0))
    wrong = "--passes is for the report of --impl llvm";
  else if (options->witnesses && !options->fingerprint)
    wrong = "--witnesses is for --fingerprint";
  else if (options->label && (!*options->label || !is_line(options->label)))
    wrong = "--label is one line of text";
  else if (options->label && options->fingerprint)
    wrong = "--label is for the report of a run, not for --fingerprint";
  else if (options->fingerprint &&
           (options->expected || options->junit || options->tap || options->derived_only || options->keep))
    wrong =
        "--fingerprint judges nothing: it takes none of --derived-only, --expect-failures, --junit, --keep and --tap";
  if (wrong)
    tool_fail("%s", wrong);
  if (options->keep)
    tool_make_folder(options->keep);
}

/* The words before each command of the implementation; NULL without limits. */
static char **open_confinement(const char *limits) {
  OWNED(process_end) process script = {0};
  char **words = NULL;
  size_t count = 0;
  if (!limits)
    return NULL;
  OWNED(value_arena_deinit) value_arena arena = {0};
  const value question = value_of_text(&arena, dloc_text_of(limits));
  dloc_text answer = script_answer("suite/confine.py", &script, &question), first = text_take_line(&answer);
  if (!first.size && !answer.size)
    tool_exit(TOOL_UNUSABLE); /* after a message */
  if (!answer.size)
    tool_fail("--confine %s: %.*s", limits, (int)first.size, first.bytes);
  if (first.size)
    tool_error("warning: %.*s", (int)first.size, first.bytes);
  while (answer.size)
    *MEMORY_ADD(words, count) = memory_copy(text_take_line(&answer));
  *MEMORY_ADD(words, count) = NULL;
  return words;
}

static void close_confinement(char **words) {
  for (char **word = words; word && *word; word++)
    free(*word);
  free(words);
}

int tool_run(int argc, char **argv) {
  run_options o = {.side = {.jobs = side_jobs(), .timeout = 10}, .show = 20};
  bool as_json = false;
  const tool_option options[] = {
      {TOOL_TEXT, "impl", NULL, &o.side.implementation},
      {TOOL_LIST, "llvm", "for --impl llvm and dropin: where opt and llvm-as are; default: DLOC_LLVM, or PATH",
       &o.llvm},
      {TOOL_TEXT, "profile", "the rules that it must follow; default: its own, or rfc", &o.side.profile},
      {TOOL_LIST, "choice", NULL, &o.side.choices},
      {TOOL_TEXT, "expect-failures", NULL, &o.expected},
      {TOOL_OUTPUT, "update-expected", NULL, &o.update},
      {TOOL_FLAG, "derived-only", NULL, &o.derived_only},
      {TOOL_FLAG, "ask-anyway", NULL, &o.ask_anyway},
      {TOOL_FLAG, "fingerprint", NULL, &o.fingerprint},
      {TOOL_FLAG, "witnesses", "below a table, the vectors that show them", &o.witnesses},
      {TOOL_JSON_OUTPUT, "o", "where --json writes; default: standard output", &o.json},
      {TOOL_FLAG, "json", "write JSON, for `dloc report`, instead of text; with -o beside it", &as_json},
      {TOOL_TEXT, "label", NULL, &o.label},
      {TOOL_OUTPUT, "junit", NULL, &o.junit},
      {TOOL_OUTPUT, "tap", NULL, &o.tap},
      {TOOL_NUMBER, "jobs", NULL, &o.side.jobs},
      {TOOL_NUMBER, "timeout", NULL, &o.side.timeout},
      {TOOL_NUMBER, "most", "differences shown in full; default: 20", &o.show},
      {TOOL_LIST, "only", NULL, &o.only},
      {TOOL_TEXT, "keep", NULL, &o.keep},
      {TOOL_TEXT, "confine", NULL, &o.limits},
      {TOOL_FLAG, "passes", NULL, &o.passes},
      {TOOL_FLAG, "quiet", NULL, &o.quiet},
      {0}};
  int count = vectors_operands(tool_parse(argc, argv, &run_usage, options), argv);
  if (o.json && !as_json)
    tool_fail("-o is where --json writes");
  if (as_json && (!o.json || strcmp(o.json, "-") == 0)) {
    o.json = "-";
    o.quiet = true;
  }
  check_options(&o);
  if (o.update && access(o.update, F_OK) == 0)
    o.expected = o.update;
  o.confinement = open_confinement(o.limits);
  int status = o.fingerprint ? run_fingerprints(&o, argv, count) : run_passes(&o, run_and_report(&o, argv, count));
  close_confinement(o.confinement);
  if (ending_signal())
    fflush(stdout);
  ending_resume();
  return status;
}
