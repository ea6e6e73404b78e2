/* options.c - command-line options from a table, and their help. */
#include "run/runner.h"
#include "tools.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Names that begin with a capital letter have one dash, as those of compilers. */
static size_t dashes_of(const tool_option *option) {
  return option->name[1] && !(option->name[0] >= 'A' && option->name[0] <= 'Z') ? 2 : 1;
}

/* Every command has these two. */
static const tool_option colour = {TOOL_TEXT, "color", NULL, NULL}, help = {TOOL_FLAG, "help", NULL, NULL};

typedef struct option_row {
  const char *name, *argument, *help;
} option_row;

static const option_row rows[] = {
#define OPTION(name, argument, help) {name, argument, help},
#include "options.def"
#undef OPTION
};

static const option_row *row_of(const tool_option *option) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].name, option->name) == 0 && !rows[i].argument == (option->kind == TOOL_FLAG))
      return &rows[i];
  tool_fail("options.def has no such option '%s'", option->name);
}

static void print_option(const tool_option *option) {
  char left[64];
  const option_row *row = row_of(option);
  snprintf(left, sizeof left, "%.*s%s%s%s", (int)dashes_of(option), "--", option->name, row->argument ? " " : "",
           row->argument ? row->argument : "");
  printf("  %-26s %s\n", left, option->help ? option->help : row->help);
}

/* The names that --profile takes. */
static void print_profiles(void) {
  enum { WIDTH = 100 };
  size_t column = WIDTH;
  printf("\nprofiles:");
  for (size_t i = 0; i < dloc_profile_count(); i++) {
    const char *name = dloc_profile_at(i)->name;
    bool wraps = column + strlen(name) > WIDTH;
    column = wraps ? strlen(name) : column + strlen(name) + 1;
    printf("%s %s", wraps ? "\n " : "", name);
  }
  putchar('\n');
}

static _Noreturn void print_usage(const tool_usage *usage, const tool_option *options) {
  printf("usage: %s\n\n%s\noptions:\n", usage->synopsis, usage->about);
  bool has_profile = false;
  for (const tool_option *option = options; option->kind; option++) {
    print_option(option);
    has_profile = has_profile || strcmp(option->name, "profile") == 0;
  }
  print_option(&colour);
  print_option(&help);
  if (has_profile)
    print_profiles();
  printf("\nexample:\n");
  for (const char *line = usage->example; *line; line += strcspn(line, "\n") + 1)
    printf("  %.*s\n", (int)strcspn(line, "\n"), line);
  tool_exit(TOOL_FINE);
}

/* An option as it stands in argv: its row and its argument, both NULL when it is unknown. */
typedef struct occurrence {
  const tool_option *option;
  const char *argument;
  int width; /* elements of argv that it takes */
} occurrence;

static bool matches(const char *word, const tool_option *option, const char **ret_rest) {
  size_t dashes = dashes_of(option);
  size_t length = strlen(option->name);
  if (strncmp(word, "--", dashes) != 0 || strncmp(word + dashes, option->name, length) != 0)
    return false;
  *ret_rest = word + dashes + length;
  if (dashes == 1)
    return option->kind != TOOL_FLAG || !**ret_rest;
  return **ret_rest == '\0' || **ret_rest == '=';
}

static _Noreturn void unknown_option(const char *word, const tool_option *options) {
  char given[TOOL_GUESS_SIZE], name[TOOL_GUESS_SIZE];
  snprintf(given, sizeof given, "%.*s", (int)strcspn(word, "="), word);
  tool_guess guess = {.wrong = given};
  tool_guess_offer(&guess, "--help");
  tool_guess_offer(&guess, "--color");
  for (; options->kind; options++) {
    snprintf(name, sizeof name, "%.*s%s", (int)dashes_of(options), "--", options->name);
    tool_guess_offer(&guess, name);
  }
  tool_fail("unknown option '%s'%s", word, tool_guess_words(&guess));
}

static occurrence recognise(int argc, char **argv, const tool_option *options) {
  const char *rest = NULL;
  const tool_option *option = options;
  while (option->kind && !matches(argv[0], option, &rest))
    option++;
  if (!option->kind && matches(argv[0], &colour, &rest))
    option = &colour;
  if (!option->kind)
    unknown_option(argv[0], options);
  if (*rest == '=')
    rest++;
  else if (option->kind != TOOL_FLAG && !*rest)
    rest = NULL;
  if (option->kind == TOOL_FLAG && rest && rest[-1] == '=')
    tool_fail("option '--%s' takes no argument", option->name);
  if (option->kind == TOOL_FLAG)
    return (occurrence){option, NULL, 1};
  if (!rest && argc < 2)
    tool_fail("option '%s' needs an argument: %s", argv[0], row_of(option)->argument);
  return rest ? (occurrence){option, rest, 1} : (occurrence){option, argv[1], 2};
}

static uint64_t number_of(const char *argument) {
  uint64_t value = 0;
  for (const char *p = argument; *p || p == argument; p++) {
    if (*p < '0' || *p > '9' || value > (UINT64_MAX - (uint64_t)(*p - '0')) / 10)
      tool_fail("'%s' is no number", argument);
    value = value * 10 + (uint64_t)(*p - '0');
  }
  return value;
}

const dloc_profile *tool_profile(const char *name) {
  const dloc_profile *found = dloc_profile_find(dloc_text_of(name));
  if (found)
    return found;
  tool_guess guess = {.wrong = name};
  for (size_t i = 0; i < dloc_profile_count(); i++)
    tool_guess_offer(&guess, dloc_profile_at(i)->name);
  fputs("dloc: unknown profile '", stderr);
  tool_print_name(stderr, dloc_text_of(name), "'");
  fprintf(stderr, "%s; there are", tool_guess_words(&guess));
  for (size_t i = 0; i < dloc_profile_count(); i++)
    fprintf(stderr, "%s %s", i ? "," : "", dloc_profile_at(i)->name);
  fputc('\n', stderr);
  tool_exit(TOOL_UNUSABLE);
}

static _Noreturn void unknown_alternative(dloc_choice choice, const char *name) {
  tool_guess guess = {.wrong = name};
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    tool_guess_offer(&guess, dloc_alternative_name(choice, i));
  fprintf(stderr, "dloc: choice '%s' has no alternative '", dloc_choice_name(choice));
  tool_print_name(stderr, dloc_text_of(name), "'");
  fprintf(stderr, "%s; there are", tool_guess_words(&guess));
  for (unsigned i = 0; i < dloc_choice_alternatives(choice); i++)
    fprintf(stderr, "%s %s", i ? "," : "", dloc_alternative_name(choice, i));
  fputc('\n', stderr);
  tool_exit(TOOL_UNUSABLE);
}

dloc_choice tool_choice(dloc_text name) {
  dloc_choice found;
  if (dloc_choice_find(name, &found))
    return found;
  char given[TOOL_GUESS_SIZE];
  snprintf(given, sizeof given, "%.*s", (int)name.size, name.bytes);
  tool_guess guess = {.wrong = given};
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++)
    tool_guess_offer(&guess, dloc_choice_name((dloc_choice)i));
  tool_fail("unknown choice '%.*s'%s; `dloc spec --choices` lists them", (int)name.size, name.bytes,
            tool_guess_words(&guess));
}

void tool_choose(const char *argument, dloc_profile *profile) {
  const char *equals = strchr(argument, '=');
  if (run_choose(argument, profile))
    return;
  if (!equals)
    tool_fail("'%s' is not of the form NAME=ALTERNATIVE", argument);
  unknown_alternative(tool_choice((dloc_text){argument, (size_t)(equals - argument)}), equals + 1);
}

dloc_clause tool_clause(const char *anchor) {
  dloc_clause found;
  if (dloc_clause_find(dloc_text_of(anchor), &found))
    return found;
  tool_guess guess = {.wrong = anchor};
  for (int i = 0; i < DLOC_CLAUSE_COUNT; i++)
    tool_guess_offer(&guess, dloc_clause_anchor((dloc_clause)i));
  tool_fail("no clause is named '%s'%s", anchor, tool_guess_words(&guess));
}

static bool profile_is_named;
static dloc_profile defaults[TOOL_DEFAULTS];

const dloc_profile *tool_profile_for(tool_default what) { return profile_is_named ? NULL : &defaults[what]; }

static void add_to_list(tool_list *list, const char *argument, size_t most) {
  static value_arena lists;
  if (!list->items)
    list->items = value_arena_alloc(&lists, most, sizeof *list->items);
  list->items[list->count++] = argument;
}

/* most: how many there can be of any option. */
static void set_option(const occurrence *found, size_t most) {
  void *value = found->option->value;
  switch (found->option->kind) {
  case TOOL_FLAG:
    *(bool *)value = true;
    break;
  case TOOL_TEXT:
  case TOOL_OUTPUT:
  case TOOL_JSON_OUTPUT:
    if (found->option == &colour)
      tool_colour(found->argument);
    else
      *(const char **)value = found->argument;
    break;
  case TOOL_NUMBER:
    *(uint64_t *)value = number_of(found->argument);
    break;
  case TOOL_LIST:
    add_to_list(value, found->argument, most);
    break;
  case TOOL_PROFILE:
    *(dloc_profile *)value = *tool_profile(found->argument);
    profile_is_named = true;
    break;
  case TOOL_CHOICE:
    tool_choose(found->argument, value);
    break;
  }
}

/* Set the options and move the operands to the front of argv. Choices come last, so that they change the profile that
 * was asked for, wherever it stands. */
static int set_options(int argc, char **argv, const tool_option *options) {
  OWNED(memory_release) occurrence *choices = NULL;
  size_t choice_count = 0;
  int count = 0;
  bool ended = false;
  for (int i = 1; i < argc;) {
    occurrence found = {.width = 1};
    if (ended || argv[i][0] != '-' || !argv[i][1])
      argv[count++] = argv[i];
    else if (strcmp(argv[i], "--") == 0)
      ended = true;
    else
      found = recognise(argc - i, argv + i, options);
    i += found.width;
    if (found.option && found.option->kind == TOOL_CHOICE)
      *MEMORY_ADD(choices, choice_count) = found;
    else if (found.option)
      set_option(&found, (size_t)argc);
  }
  for (size_t k = 0; k < TOOL_DEFAULTS; k++) {
    static const char *const names[] = {"llvm-24", "rfc+ptx", "rfc+ld"};
    defaults[k] = *tool_profile(names[k]);
    for (size_t i = 0; i < choice_count; i++)
      tool_choose(choices[i].argument, &defaults[k]);
  }
  for (size_t i = 0; i < choice_count; i++)
    set_option(&choices[i], choice_count);
  return count;
}

/* ---- Files that are written ---- */

/* Whether what is written to one of them last is all that is left. A device or a pipe takes both. */
static bool same_file(const char *a, const char *b) {
  struct stat one, other;
  if (stat(a, &one) != 0 || stat(b, &other) != 0)
    return strcmp(a, b) == 0;
  return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static bool is_result(const tool_option *option) { return strcmp(option->name, "o") == 0; }

static bool gives_json(const tool_option *options) {
  while (options->kind && strcmp(options->name, "json") != 0)
    options++;
  return options->kind && *(const bool *)options->value;
}

/* The file that an option of the table names; NULL: none. */
static const char *written(const tool_option *options, const tool_option *option) {
  bool is_output = option->kind == TOOL_OUTPUT || option->kind == TOOL_JSON_OUTPUT;
  const char *path = is_output ? *(const char **)option->value : NULL;
  bool has_result = is_output && is_result(option) && (option->kind == TOOL_OUTPUT || gives_json(options));
  return path || !has_result ? path : "-";
}

static void check_output(const tool_option *options, const tool_option *option, char **operands, int count) {
  const char *path = written(options, option), *to;
  for (const tool_option *other = option + 1; path && other->kind; other++)
    if ((to = written(options, other)) && same_file(path, to))
      tool_fail("%.*s%s and %.*s%s are the same: %s", (int)dashes_of(option), "--", option->name, (int)dashes_of(other),
                "--", other->name, path);
  for (int i = 0; path && i < count && !is_result(option); i++)
    if (strcmp(path, "-") != 0 && same_file(path, operands[i]))
      tool_fail("--%s would overwrite what is read: %s", option->name, path);
}

/* DLOC_LLVM stands for --llvm in every command that has it; one that takes several reads it later. */
static void set_llvm(const tool_option *options) {
  const char *folder = getenv("DLOC_LLVM");
  for (; options->kind && folder && *folder; options++)
    if (options->kind == TOOL_TEXT && strcmp(options->name, "llvm") == 0 && !*(const char **)options->value)
      *(const char **)options->value = folder;
}

void tool_read_shard(const char *text, uint64_t *ret_shard, uint64_t *ret_shards) {
  char rest;
  *ret_shard = *ret_shards = 1;
  if (text && (sscanf(text, "%7" SCNu64 "/%7" SCNu64 "%c", ret_shard, ret_shards, &rest) != 2 || !*ret_shard ||
               *ret_shard > *ret_shards))
    tool_fail("%.60s is no shard: it takes I/N, the I-th of N", text);
  --*ret_shard;
}

static bool asks_for_help(int argc, char **argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
      return true;
  return false;
}

int tool_parse(int argc, char **argv, const tool_usage *usage, const tool_option *options) {
  const char *name = argv[0];
  if (asks_for_help(argc, argv))
    print_usage(usage, options);
  for (const tool_option *option = options; option->kind; option++)
    if (option->kind == TOOL_PROFILE)
      *(dloc_profile *)option->value = *dloc_profile_at(0);
  int count = set_options(argc, argv, options);
  set_llvm(options);
  for (const tool_option *option = options; option->kind; option++)
    check_output(options, option, argv, count);
  if (count >= usage->least && (usage->most < 0 || count <= usage->most))
    return count;
  tool_error("too %s operands; usage: %s", count < usage->least ? "few" : "many", usage->synopsis);
  fprintf(stderr, "`dloc %s --help` tells more.\n", name);
  tool_exit(TOOL_UNUSABLE);
}
