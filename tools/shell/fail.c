/* fail.c - what every subcommand says and how it ends: messages, names, standard output. */
#define _DEFAULT_SOURCE /* fwrite_unlocked: no command has threads, and a module is written by millions of small pieces */
#include "document/text.h"
#include "nodes/text.h"
#include "tools.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 10000 }; /* two long paths fit */

static void print_error(const char *format, va_list arguments) {
  char message[MESSAGE_SIZE];
  vsnprintf(message, sizeof message, format, arguments);
  text_make_printable(message, "\t"); /* it holds names and words from outside */
  fprintf(stderr, "dloc: %s\n", message);
}

void tool_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_error(format, arguments);
  va_end(arguments);
}

static int stdout_error; /* the errno with which it failed first, as the stream forgets it */

static bool write_file(void *user, const char *bytes, size_t size) {
  errno = 0;
  bool fine = fwrite_unlocked(bytes, 1, size, user) == size;
  if (!fine && user == stdout && !stdout_error)
    stdout_error = errno;
  return fine;
}

void tool_exit(int status) {
  errno = 0;
  if (fflush(stdout) != 0 || ferror(stdout)) {
    int error = errno ? errno : stdout_error;
    tool_error("cannot write standard output%s%s", error ? ": " : "", error ? strerror(error) : "");
    status = TOOL_UNUSABLE;
  }
  exit(status);
}

void tool_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_error(format, arguments);
  va_end(arguments);
  tool_exit(TOOL_UNUSABLE);
}

int tool_failure(dloc_status status, const char *about) {
  if (status == DLOC_NO_MEMORY)
    memory_exhausted();
  tool_error("%s%s%s", about ? about : "", about ? ": " : "", dloc_status_text(status));
  return TOOL_UNUSABLE;
}

void tool_require(dloc_status status, const char *about) {
  if (status != DLOC_OK)
    tool_exit(tool_failure(status, about));
}

void tool_stdin_ended(void) {
  if (!feof(stdin))
    tool_fail("cannot read standard input: %s", strerror(errno));
}

dloc_sink tool_file_sink(FILE *file) { return (dloc_sink){write_file, file}; }

size_t tool_plain_size(dloc_text name) {
  size_t size = 0;
  while (name.size - size >= 8 && text_eight_plain(name.bytes + size))
    size += 8;
  if (name.size >= 8 && name.size - size < 8 && text_eight_plain(name.bytes + name.size - 8))
    return name.size;
  for (size_t more = 1; more; size += more) {
    while (size < name.size && name.bytes[size] >= ' ' && name.bytes[size] <= '~' && name.bytes[size] != '\\')
      size++;
    bool done = size == name.size || name.bytes[size] == '\\';
    more = done ? 0 : text_printable((dloc_text){name.bytes + size, name.size - size});
  }
  return size;
}

dloc_status tool_write_name(dloc_text name, dloc_sink sink) {
  for (size_t i = 0; i < name.size; i++) {
    char escape[4];
    size_t plain = tool_plain_size((dloc_text){name.bytes + i, name.size - i});
    if (plain && !sink.write(sink.user, name.bytes + i, plain))
      return DLOC_STOPPED;
    if ((i += plain) == name.size)
      break;
    snprintf(escape, sizeof escape, "\\%02X", (unsigned char)name.bytes[i]);
    if (!sink.write(sink.user, escape, 3))
      return DLOC_STOPPED;
  }
  return DLOC_OK;
}

void tool_print_name(FILE *file, dloc_text name, const char *behind) {
  (void)tool_write_name(name, tool_file_sink(file)); /* the stream remembers that it failed */
  fputs(behind, file);
}
