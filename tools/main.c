/* main.c - dispatches `dloc COMMAND ...`. */
#include "run/ending.h"
#include "shell/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} command;

static const command commands[] = {
#define HEADING(text) {"", NULL, text},
#define COMMAND(name, function, summary) {name, function, summary},
#include "commands.def"
};

static void print_help(FILE *file) {
  fputs(
      "usage: dloc COMMAND [OPTION...] [FILE...]\n\n"
      "Multi-level debug locations in LLVM: an executable model, a conformance suite, and tools for programs with layers.\n",
      file);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (commands[i].run)
      fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].summary);
    else
      fprintf(file, "\n%s:\n", commands[i].summary);
  fputs("\n`dloc COMMAND --help` tells more and has an example. `dloc --version` prints the version.\n"
        "Exit status: 0 fine; 1 the input violates the rules; 2 bad usage or unreadable input.\n",
        file);
}

static const command *find_command(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (commands[i].run && strcmp(commands[i].name, name) == 0)
      return &commands[i];
  tool_guess guess = {.wrong = name};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (commands[i].run)
      tool_guess_offer(&guess, commands[i].name);
  tool_guess_offer(&guess, "--help");
  tool_guess_offer(&guess, "--version");
  tool_fail("unknown %s '%s'%s; `dloc --help` lists the commands", name[0] == '-' ? "option" : "command", name,
            tool_guess_words(&guess));
}

static int help_about(int argc, char **argv) {
  if (argc == 0) {
    print_help(stdout);
    return TOOL_FINE;
  }
  char help[] = "--help";
  char *arguments[] = {argv[0], help, NULL};
  return find_command(argv[0])->run(2, arguments);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return TOOL_UNUSABLE;
  }
  if (is_one_of(argv[1], "--help", "-h", "help"))
    return help_about(argc - 2, argv + 2);
  if (is_one_of(argv[1], "--version", "-V", "version")) {
    printf("dloc %s\n", dloc_version());
    return TOOL_FINE;
  }
  return find_command(argv[1])->run(argc - 1, argv + 1);
}

/* A closed descriptor 0, 1 or 2 would be taken by the first file opened, and results written into it. Occupy it with
 * one that fails. */
static void occupy_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv) {
  occupy_standard_descriptors();
  ending_prepare();
  /* A file that may not grow becomes a write error with a message. */
  signal(SIGXFSZ, SIG_IGN);
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  tool_exit(dispatch(argc, argv));
}
