/* output.c - where the subcommands' results go. */
#include "document/buffer.h"
#include "run/temporary.h"
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool unwritable(const char *path, int error) {
  tool_error("cannot write %s%s%s", path, error ? ": " : "", error ? strerror(error) : "");
  return false;
}

/* Others may have written there, or write, too: their bytes stay. */
static FILE *open_special(const char *path, int own) {
  if (own == STDOUT_FILENO)
    return stdout;
  if (own >= 0 && fcntl(own, F_GETFD) != 0) { /* it is closed, or of a file that this program has opened itself */
    errno = EBADF;
    return NULL;
  }
  int descriptor = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  return descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
}

/* Files that are complete and wait for their places. */
static struct {
  temporary **files;
  size_t count;
  bool begun;
} waiting;

static bool end_waiting(bool keep) {
  size_t failed;
  bool fine = !keep || temporary_keep(waiting.files, waiting.count, &failed) ||
              unwritable(waiting.files[failed]->target, errno);
  while (waiting.count)
    temporary_end(waiting.files[--waiting.count]);
  free(waiting.files);
  waiting.files = NULL;
  return fine;
}

void tool_outputs_begin(void) { waiting.begun = true; }

int tool_outputs_end(int result) {
  waiting.begun = false;
  if (result == TOOL_FINE && fflush(stdout) != 0)
    result = TOOL_UNUSABLE; /* main tells why */
  return end_waiting(result == TOOL_FINE) ? result : TOOL_UNUSABLE;
}

static bool open_temporary(tool_output *output) {
  output->temporary = temporary_open(output->path);
  if (!output->temporary)
    return unwritable(output->path, errno);
  output->file = fdopen(output->temporary->descriptor, "w");
  return output->file != NULL || unwritable(output->path, errno);
}

bool tool_output_try(const char *path, tool_output *ret) {
  tool_output output = {.file = stdout, .path = path};
  if (path && strcmp(path, "-") != 0) {
    int own;
    if (temporary_replaces(path, &own)) {
      if (!open_temporary(&output))
        return false;
    } else if (!(output.file = open_special(path, own)))
      return unwritable(path, errno);
  }
  *ret = output;
  return true;
}

tool_output tool_output_open(const char *path) {
  tool_output output;
  if (!tool_output_try(path, &output))
    tool_exit(TOOL_UNUSABLE);
  return output;
}

typedef enum file_kind { EMPTY, OTHER, MARKUP, JSON, VECTORS, TAP } file_kind;
static const char *const kind_words[] = {[OTHER] = "a text, module or object",
                                         [MARKUP] = "a page, picture or JUnit report",
                                         [JSON] = "JSON",
                                         [VECTORS] = "a file of vectors",
                                         [TAP] = "a TAP report"};

/* The kind of a file, by its first bytes. */
static file_kind kind_of(int descriptor) {
  static const struct {
    const char *begins;
    file_kind kind;
  } kinds[] = {{"", OTHER}, {"<", MARKUP}, {"{", JSON}, {"{\"id\":", VECTORS}, {"id: ", VECTORS}, {"TAP version", TAP}};
  char start[16] = "";
  file_kind found = EMPTY;
  bool any = pread(descriptor, start, sizeof start - 1, 0) > 0;
  for (size_t i = 0; any && i < sizeof kinds / sizeof *kinds; i++)
    if (strncmp(start, kinds[i].begins, strlen(kinds[i].begins)) == 0)
      found = kinds[i].kind;
  return found;
}

/* A misplaced name must not cost its user a file: what is replaced is of the same kind. */
static bool replaces_its_kind(const temporary *file) {
  int old = open(file->target, O_RDONLY);
  file_kind was = old < 0 ? EMPTY : kind_of(old), is = kind_of(file->descriptor);
  if (old >= 0)
    close(old);
  bool fine = was == EMPTY || is == EMPTY || was == is || is == VECTORS; /* these by `dloc fmt` */
  if (!fine)
    tool_error("%s stays as it is: it is %s, not %s; remove it, or give another name", file->target, kind_words[was],
               kind_words[is]);
  return fine;
}

bool tool_output_close(tool_output *output, bool keep) {
  if (output->file == stdout)
    return true; /* main flushes and checks it */
  errno = 0;
  bool failed = ferror(output->file) != 0 || fflush(output->file) != 0, told = false;
  if (!failed && keep && output->temporary)
    failed = told = !replaces_its_kind(output->temporary);
  if (!failed && keep && output->temporary)
    failed = !temporary_complete(output->temporary);
  int error = errno;
  if (fclose(output->file) != 0 && !failed) { /* some say only now that there was no room for it */
    error = errno;
    failed = true;
  }
  if (!failed && keep && output->temporary)
    *MEMORY_ADD(waiting.files, waiting.count) = output->temporary;
  else
    temporary_end(output->temporary);
  output->temporary = NULL;
  return failed ? !told && unwritable(output->path, error) : waiting.begun || end_waiting(true);
}

int tool_output_finish(tool_output *output, dloc_status status, const char *about) {
  if (!tool_output_close(output, status == DLOC_OK) || status == DLOC_STOPPED)
    return TOOL_UNUSABLE; /* of stdout main tells why */
  return status == DLOC_OK ? TOOL_FINE : tool_failure(status, about);
}

void tool_make_folder(const char *path) {
  struct stat status;
  if (mkdir(path, 0777) != 0 && !(errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
    tool_fail("cannot make the folder %s: %s", path, strerror(errno));
}

bool tool_write_text(const char *path, dloc_text text) {
  tool_output output;
  if (!tool_output_try(path, &output))
    return false;
  dloc_sink sink = tool_file_sink(output.file);
  (void)!sink.write(sink.user, text.bytes, text.size); /* closing finds out */
  return tool_output_close(&output, true);
}

int tool_write_module(const tool_module *module, const char *path) {
  tool_output output = tool_output_open(path);
  dloc_status status = dloc_write_ll(module->module, tool_file_sink(output.file));
  return tool_output_finish(&output, status, module->input.name);
}

/* ---- JSON Lines ---- */

bool tool_diagnoses_json;

void tool_print_json(const value *line) {
  if (value_write_json(line, tool_file_sink(stdout)) == DLOC_OK) /* otherwise main reports it for standard output */
    putchar('\n');
}

value tool_finding(value_arena *arena, const char *file, const dloc_place *place, const char *level, dloc_text message,
                   const char *reason) {
  value line = {.kind = VALUE_MAP};
  value_put_text(arena, &line, "file", dloc_text_of(file));
  if (place && place->line == 0)
    value_put_number(arena, &line, "bit", place->bit);
  if (place && place->line) {
    value_put_number(arena, &line, "line", place->line);
    value_put_number(arena, &line, "column", place->column);
  }
  value_put_text(arena, &line, "severity", dloc_text_of(level));
  if (reason)
    value_put_text(arena, &line, "reason", dloc_text_of(reason));
  value_put_text(arena, &line, "message", message);
  return line;
}

void tool_write_finding(const char *file, const dloc_place *place, const char *level, dloc_text message,
                        const char *reason) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  value line = tool_finding(&arena, file, place, level, message, reason);
  tool_print_json(&line);
}
