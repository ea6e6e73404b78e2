/* script.c - finding and running the scripts of tools/. */
#include "script.h"

#include "document/buffer.h"
#include "document/value.h"
#include "run/ending.h"
#include "run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, NOT_STARTED = 127 }; /* the status of a program without its libraries */

/* Each option for a file may name one that the script writes. */
enum { MOST_FILES = 4 };

typedef struct script_files {
  tool_output items[MOST_FILES];
  size_t count;
} script_files;

static bool find_program(char *ret, size_t size) {
  ssize_t length = readlink("/proc/self/exe", ret, size - 1);
  if (length < 0) {
    tool_error("cannot find this program: %s", strerror(errno));
    return false;
  }
  ret[length] = '\0';
  return true;
}

static bool is_there(char *ret, size_t size, const char *folder, const char *within, const char *name) {
  int length = snprintf(ret, size, "%s%s/%s", folder, within, name);
  return length > 0 && (size_t)length < size && access(ret, R_OK) == 0;
}

/* The path of a part of the program: share/dloc is in its folder, a build's, or beside that, an installation's bin. */
static bool find_beside(const char *within, const char *name, char *ret, size_t size) {
  enum { LEVELS = 2 };
  char folder[PATH_SIZE];
  if (!find_program(folder, sizeof folder))
    return false;
  char *end = strrchr(folder, '/');
  for (int i = 0; end && i < LEVELS; i++) {
    *end = '\0';
    if (is_there(ret, size, folder, within, name))
      return true;
    end = strrchr(folder, '/');
  }
  return false;
}

const char *script_vectors(void) {
  static char path[PATH_SIZE];
  const char *chosen = getenv("DLOC_VECTORS");
  if (chosen)
    return chosen;
  return access("vectors", R_OK) != 0 && find_beside("/share/dloc", "vectors", path, sizeof path) ? path : "vectors";
}

const char *script_part(const char *name) {
  static char path[PATH_SIZE];
  return find_beside("/share/dloc", name, path, sizeof path) ? path : NULL;
}

/* The folder of the script ROOM/NAME.py: DLOC_PAGES if that is set, else one beside this program. False, with a message,
 * when the script is not there. */
static bool find_script(const char *name, char *ret, size_t size) {
  const char *chosen = getenv("DLOC_PAGES");
  if (chosen ? is_there(ret, size, chosen, "", name) : find_beside("/share/dloc/tools", name, ret, size)) {
    ret[strlen(ret) - strlen(name) - 1] = '\0';
    return true;
  }
  tool_error("cannot find %s, in share/dloc/tools beside this program; DLOC_PAGES may name the folder", name);
  return false;
}

/* NAME=ALTERNATIVE of each choice in which the profile differs from the built-in one of its name. */
static value changed_choices(value_arena *arena, const dloc_profile *profile) {
  value list = {.kind = VALUE_LIST};
  const dloc_profile *plain = tool_profile(profile->name);
  for (int i = 0; i < DLOC_CHOICE_COUNT; i++) {
    dloc_choice choice = (dloc_choice)i;
    if (profile->alternative[i] == plain->alternative[i])
      continue;
    OWNED(memory_release)
    char *text = text_format("%s=%s", dloc_choice_name(choice), dloc_alternative_name(choice, profile->alternative[i]));
    value_add(arena, &list, value_of_text(arena, dloc_text_of(text)));
  }
  return list;
}

static value value_of_option(value_arena *arena, const tool_option *option) {
  value list = {.kind = VALUE_LIST};
  const tool_list *items = option->value;
  const char *text;
  switch (option->kind) {
  case TOOL_FLAG:
    return value_of_word(arena, *(const bool *)option->value ? "true" : "false");
  case TOOL_NUMBER:
    return value_of_number(arena, *(const uint64_t *)option->value);
  case TOOL_LIST:
    for (size_t i = 0; i < items->count; i++)
      value_add(arena, &list, value_of_text(arena, dloc_text_of(items->items[i])));
    return list;
  case TOOL_PROFILE:
    return value_of_text(arena, dloc_text_of(((const dloc_profile *)option->value)->name));
  case TOOL_CHOICE:
    return changed_choices(arena, option->value);
  default:
    text = *(const char *const *)option->value;
    return text ? value_of_text(arena, dloc_text_of(text)) : value_of_word(arena, "null");
  }
}

static dloc_buffer describe_options(const tool_option *options, const script_files *files) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  dloc_buffer text = {0};
  value map = {.kind = VALUE_MAP}, descriptors = {.kind = VALUE_MAP};
  for (; options->kind; options++)
    value_put_value(&arena, &map, options->name, value_of_option(&arena, options));
  for (size_t i = 0; i < files->count; i++)
    value_put_number(&arena, &descriptors, files->items[i].path, (uint64_t)fileno(files->items[i].file));
  value_put_value(&arena, &map, "descriptors", descriptors);
  (void)!value_write_json(&map, buffer_sink(&text));
  return text;
}

static script_files open_files(const tool_option *options) {
  script_files files = {.count = 0};
  for (; options->kind; options++) {
    const char *path = options->kind == TOOL_OUTPUT ? *(const char *const *)options->value : NULL;
    if (path && strcmp(path, "-") != 0 && files.count < MOST_FILES)
      files.items[files.count++] = tool_output_open(path);
  }
  return files;
}

/* A child goes on as the script; this process waits for it, puts the files in their places, and ends. One stays as it is
 * when the script wrote nothing. */
static void stay_for(script_files *files) {
  int status = 0;
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    ending_follow(parent, SIGTERM);
    for (size_t i = 0; i < files->count; i++)
      fcntl(fileno(files->items[i].file), F_SETFD, 0);
    return;
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0)
    tool_fail("cannot start a process: %s", strerror(errno));
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
    raise(SIGPIPE); /* nobody reads on */
  bool fine = WIFEXITED(status) && WEXITSTATUS(status) < TOOL_UNUSABLE, kept = true;
  for (size_t i = 0; i < files->count; i++) {
    bool wrote = fine && files->items[i].temporary && lseek(fileno(files->items[i].file), 0, SEEK_END) > 0;
    kept &= tool_output_close(&files->items[i], wrote);
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) >= NOT_STARTED)
    tool_fail("python3 did not start, or was ended");
  tool_exit(kept ? WEXITSTATUS(status) : TOOL_UNUSABLE);
}

int script_become(const char *name, const tool_option *options, char *const *operands, int count) {
  enum { FIRST = 6 };
  char folder[PATH_SIZE], program[PATH_SIZE];
  if (!find_script(name, folder, sizeof folder) || !find_program(program, sizeof program))
    return TOOL_UNUSABLE;
  script_files files = open_files(options);
  if (fflush(stdout) != 0)
    tool_exit(TOOL_UNUSABLE);
  if (files.count)
    stay_for(&files); /* before there is anything to free */
  OWNED(dloc_buffer_deinit) dloc_buffer described = describe_options(options, &files);
  /* -B: nothing is written beside the script. The folder's __main__.py starts it. */
  char *const first[FIRST] = {(char[]){"python3"}, (char[]){"-B"}, folder, (char *)name, program, described.bytes};
  OWNED(memory_release) char **argv = memory_allocate((size_t)count + FIRST + 1, sizeof *argv); /* ends with NULL */
  memcpy(argv, first, sizeof first);
  memcpy(argv + FIRST, operands, (size_t)count * sizeof *argv);
  signal(SIGXFSZ, SIG_DFL);
  execvp(argv[0], argv);
  tool_error("cannot run python3 (Debian's package python3): %s", strerror(errno));
  return TOOL_UNUSABLE;
}

/* ---- Files ---- */

static const double time_limit = 300; /* seconds; a file takes a few */
static const size_t output_limit = (size_t)1 << 30;

/* The script's exit status; a violation counts only from a script that has nothing else to say. */
static int end_status(const char *name, const process *child) {
  char end[100];
  int status = child->timed_out || child->overflowed || !WIFEXITED(child->status) ? -1 : WEXITSTATUS(child->status);
  if (status == TOOL_FINE || (status == TOOL_VIOLATION && child->errors.size == 0))
    return status;
  dloc_text said = process_last_words(child);
  process_describe_end(child, end, sizeof end);
  const char *file = strrchr(name, '/') + 1;
  if (said.size)
    tool_error("%s: %.*s", file, (int)said.size, said.bytes);
  else
    tool_error("%s: python3: %s", file, end);
  return TOOL_UNUSABLE;
}

/* The caller ends the child, also after a failure. */
static bool start_script(const char *name, const char *argument, dloc_text lines, process *ret) {
  char folder[PATH_SIZE];
  char *argv[] = {(char[]){"python3"}, (char[]){"-B"}, folder, (char *)name, (char *)argument, NULL};
  if (!find_script(name, folder, sizeof folder))
    return false;
  int error = process_start(argv, output_limit, 1 << 20, ret);
  if (error)
    tool_error("cannot run python3 (Debian's package python3): %s", strerror(error));
  else
    process_write(ret, lines.bytes, lines.size);
  ret->deadline = process_now() + time_limit;
  return !error;
}

/* The file is the child's output. */
static int run_script(const char *name, const char *argument, dloc_text lines, process *ret) {
  if (!start_script(name, argument, lines, ret))
    return TOOL_UNUSABLE;
  ret->input_ends = true;
  process_await(ret);
  return end_status(name, ret);
}

dloc_text script_answer(const char *name, process *script, const value *question) {
  OWNED(dloc_buffer_deinit) dloc_buffer line = {0};
  dloc_buffer *output = &script->output;
  (void)!value_write_json(question, buffer_sink(&line));
  buffer_put(&line, dloc_text_of("\n"));
  output->size = 0;
  if (script->pid || start_script(name, NULL, dloc_text_of(""), script))
    process_send(script, &line);
  script->deadline = process_now() + time_limit;
  while (script->pid && !script->exited && !(output->size && output->bytes[output->size - 1] == '\0'))
    process_pump(&script, 1, time_limit);
  if (script->pid && !script->exited)
    return (dloc_text){output->bytes, output->size - 1};
  if (script->pid)
    end_status(name, script);
  process_end(script);
  return dloc_text_of("");
}

dloc_text script_difference(process *script, dloc_text expected, dloc_text actual) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  value texts = {.kind = VALUE_MAP};
  value_put_text(&arena, &texts, "expected", expected);
  value_put_text(&arena, &texts, "actual", actual);
  return script_answer("suite/difference.py", script, &texts);
}

int script_write(const char *name, const char *argument, dloc_text lines, const char *path) {
  tool_output output = tool_output_open(path);
  OWNED(process_end) process child = {0};
  int status = run_script(name, argument, lines, &child);
  dloc_sink sink = tool_file_sink(output.file);
  bool fine = status != TOOL_UNUSABLE && sink.write(sink.user, child.output.bytes, child.output.size);
  return tool_output_close(&output, fine) && fine ? status : TOOL_UNUSABLE;
}
