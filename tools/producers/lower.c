/* lower.c - running the tools of MLIR and Flang. */
#include "lower.h"

#include "document/memory.h"
#include "objects/dloc_mlir.h"
#include "run/process.h"
#include "run/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_LIMIT ((size_t)1 << 32)
#define ERRORS_SHOWN 1000

enum { OLDEST = 19, NEWEST = 22 };

/* ---- The folder ---- */

/* A pass takes the path of its file as an option, where only simple names need no quotes. */
static void check_path(const char *path) {
  if (path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-")])
    tool_fail("the tools of MLIR take no path such as '%s'; use letters, digits and ./_+-", path);
}

static void make_folder(lower_tools *tools) {
  const char *parent = getenv("TMPDIR");
  parent = parent && *parent ? parent : "/tmp";
  check_path(parent);
  tools->folder = temporary_make_folder(parent);
  if (!tools->folder)
    tool_fail("cannot make a folder in %s: %s", parent, strerror(errno));
}

void lower_end(lower_tools *tools) {
  temporary_remove_folder(tools->folder);
  free(tools->package);
}

char *lower_path(const lower_tools *tools, const char *name) { return text_format("%s/%s", tools->folder, name); }

/* ---- Running ---- */

static void show_command(char *const *argv) {
  fputs("dloc: ran", stderr);
  for (; *argv; argv++)
    fprintf(stderr, (*argv)[strcspn(*argv, " (){}'\"*$;&|<>")] ? " '%s'" : " %s", *argv);
  fputc('\n', stderr);
}

/* The first line that says `error:` behind a place, or `error:` alone; or the first one of all. */
static dloc_text what_it_said(const process *child) {
  dloc_text errors = {child->errors.bytes ? child->errors.bytes : "", child->errors.size};
  const char *found = errors.size ? strstr(errors.bytes, ": error:") : NULL;
  if (!found && errors.size)
    found = strstr(errors.bytes, "error:");
  size_t start = found ? (size_t)(found - errors.bytes) : 0;
  while (start && errors.bytes[start - 1] != '\n')
    start--;
  size_t size = 0;
  while (start + size < errors.size && errors.bytes[start + size] != '\n' && size < ERRORS_SHOWN)
    size++;
  return (dloc_text){errors.bytes + start, size};
}

static void check_end(const process *child, const char *path) {
  char end[100];
  if (!child->overflowed && !child->timed_out && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0)
    return;
  dloc_text said = what_it_said(child);
  process_describe_end(child, end, sizeof end);
  tool_fail("%s: %s%s%.*s", path, child->overflowed ? "too much output" : end, said.size ? ": " : "", (int)said.size,
            said.bytes);
}

/* Returns 0, or why it could not be started. */
static int start(const lower_tools *tools, const char *name, const char *const *arguments, dloc_text input,
                 dloc_buffer *ret) {
  process child = {0};
  const char *directory = tools->directory ? tools->directory : "";
  char *path = text_format("%s%s%s", directory, tools->directory ? "/" : "", name), **argv = NULL;
  size_t count = 0;
  *MEMORY_ADD(argv, count) = path;
  do
    *MEMORY_ADD(argv, count) = (char *)(uintptr_t)*arguments;
  while (*arguments++);
  int error = process_run(argv, input, (double)tools->timeout, OUTPUT_LIMIT, &child);
  if (!error && tools->verbose)
    show_command(argv);
  if (!error)
    check_end(&child, path);
  *ret = child.output;
  child.output = (dloc_buffer){0};
  process_end(&child);
  free(argv);
  free(path);
  return error;
}

static _Noreturn void fail_start(const lower_tools *tools, const char *name, int error) {
  const char *directory = tools->directory ? tools->directory : "PATH";
  if (error == ENOENT)
    tool_fail("there is no %s in %s; Debian has it in the package %s, in /usr/lib/llvm-%u/bin: --llvm", name, directory,
              tools->package, (unsigned)NEWEST);
  tool_fail("cannot run %s of %s: %s", name, directory, strerror(error));
}

dloc_buffer lower_run(const lower_tools *tools, const char *name, const char *const *arguments, dloc_text input) {
  dloc_buffer output = {0};
  int error = start(tools, name, arguments, input, &output);
  if (error)
    fail_start(tools, name, error);
  return output;
}

/* ---- Releases ---- */

/* The text behind the word `version`: "LLVM version 22.1.8". */
static const char *release_in(const dloc_buffer *said) {
  const char *version = said->size ? strstr(said->bytes, "version ") : NULL;
  return version ? version + strlen("version ") : "";
}

void lower_begin(lower_tools *tools, const char *name, const char *package, const char *source) {
  dloc_buffer said = {0};
  int error;
  bool verbose = tools->verbose;
  if (*source == '-')
    tool_fail("the program must be in a file, whose name does not begin with `-`: %s", source);
  tools->verbose = false;
  tools->package = text_format(package, (unsigned)NEWEST);
  if ((error = start(tools, name, (const char *const[]){"--version", NULL}, (dloc_text){"", 0}, &said)) != 0)
    fail_start(tools, name, error);
  const char *release = release_in(&said);
  tools->verbose = verbose;
  tools->release = (unsigned)strtoul(release, NULL, 10);
  if (tools->release < OLDEST || tools->release > NEWEST)
    tool_fail("%s is of LLVM %.*s; the tools of %u to %u can be used, such as those of the package %s: --llvm", name,
              *release ? (int)strcspn(release, " \n") : 1, *release ? release : "?", (unsigned)OLDEST, (unsigned)NEWEST,
              tools->package);
  fprintf(stderr, "dloc: %s%s%s is of LLVM %.*s\n", tools->directory ? tools->directory : "",
          tools->directory ? "/" : "", name, (int)strcspn(release, " \n"), release);
  dloc_buffer_deinit(&said);
  make_folder(tools);
}

/* ---- What was lowered ---- */

/* The name of a file without folders and ending. A character that a string of MLIR would escape becomes an underscore. */
static char *stem_of(const char *path) {
  const char *slash = strrchr(path, '/');
  char *stem = text_format("%s", slash ? slash + 1 : path), *dot = strrchr(stem, '.');
  if (dot && dot != stem)
    *dot = '\0';
  for (char *c = stem; *c; c++)
    if ((unsigned char)*c < 0x20 || strchr("\"\\\x7f", *c))
      *c = '_';
  return stem;
}

/* The text with names of files such as "STEM.scf.mlir" in place of those in the folder. */
static dloc_buffer rename_files(const lower_tools *tools, dloc_text text, const char *stem) {
  dloc_buffer renamed = {0};
  char *from = text_format("\"%s/", tools->folder);
  size_t size = strlen(from), done = 0;
  for (size_t at = 0; at + size <= text.size; at++)
    if (text.bytes[at] == '"' && memcmp(text.bytes + at, from, size) == 0) {
      buffer_put(&renamed, (dloc_text){text.bytes + done, at - done});
      buffer_format(&renamed, "\"%s.", stem);
      done = at + size;
    }
  buffer_put(&renamed, (dloc_text){text.bytes + done, text.size - done});
  free(from);
  return renamed;
}

static dloc_status filter(lowered *l, const tool_input *input, dloc_mlir_options *options,
                          dloc_diagnostic *diagnostic) {
  dloc_mlir *mlir = NULL;
  dloc_mlir_meaning *meaning = NULL;
  TRY(dloc_hidden_create(l->context, &l->table));
  TRY(dloc_hidden_begin(l->table, DLOC_HIDDEN_IN_LINE, 1));
  TRY(dloc_hidden_stand_in(l->table, DLOC_NULL, &options->stand_in));
  TRY(dloc_mlir_read(l->context, input->text, diagnostic, &mlir));
  dloc_status status = dloc_mlir_mean(l->context, mlir, options, &meaning);
  if (status == DLOC_OK)
    status = dloc_mlir_write_primary(mlir, meaning, buffer_sink(&l->primary));
  if (status == DLOC_OK)
    status = dloc_mlir_write_ids(mlir, meaning, l->table, buffer_sink(&l->numbered));
  dloc_mlir_meaning_destroy(meaning);
  dloc_mlir_destroy(mlir);
  return status;
}

static join_text open_text(const lower_tools *tools, const char *stem, const char *stage) {
  join_text text = {.kind = stage};
  char *path = text_format("%s/%s.mlir", tools->folder, stage);
  if (!tool_input_open(path, &text.snapshot))
    tool_exit(TOOL_UNUSABLE);
  text.snapshot.name = text_format("%s.%s.mlir", stem, stage);
  free(path);
  return text;
}

lowered lower_read(const lower_tools *tools, dloc_text text, const char *source, char *const *stages, size_t count) {
  lowered l = {.context = memory_context(), .texts = memory_allocate(count, sizeof *l.texts), .count = count};
  dloc_text *tags = memory_allocate(count, sizeof *tags);
  dloc_diagnostic diagnostic;
  char *stem = stem_of(source);
  for (size_t i = 0; i < count; i++) {
    tags[i] = dloc_text_of(stages[i]);
    l.texts[i] = open_text(tools, stem, stages[i]);
  }
  dloc_buffer renamed = rename_files(tools, text, stem);
  tool_input input = {.name = "the lowered program", .text = buffer_text(&renamed)};
  dloc_status status = filter(&l, &input, &(dloc_mlir_options){.tags = tags, .tag_count = count}, &diagnostic);
  if (status != DLOC_OK)
    tool_exit(tool_explain(status, &input, &diagnostic));
  dloc_buffer_deinit(&renamed);
  free(tags);
  free(stem);
  return l;
}

int lower_join(lowered *lowered, join_request *request, const dloc_buffer *base, const dloc_buffer *numbered) {
  request->texts = lowered->texts;
  request->text_count = lowered->count;
  int result = join_modules(request, &(tool_input){.name = "the lowered module", .text = buffer_text(base)},
                            &(tool_input){.name = "the module with numbers", .text = buffer_text(numbered)},
                            lowered->context, lowered->table);
  for (size_t i = 0; i < lowered->count; i++) {
    free((char *)(uintptr_t)lowered->texts[i].snapshot.name);
    tool_input_close(&lowered->texts[i].snapshot);
  }
  free(lowered->texts);
  dloc_buffer_deinit(&lowered->primary);
  dloc_buffer_deinit(&lowered->numbered);
  dloc_hidden_destroy(lowered->table);
  dloc_context_destroy(lowered->context);
  return result;
}
