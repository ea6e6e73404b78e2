/* pages.c - runs the programs that make HTML pages. */
#include "pages.h"

#include "document/buffer.h"
#include "run/process.h"
#include "script.h"

#include <string.h>
#include <sys/wait.h>

static const double time_limit = 300; /* seconds; a page takes a few */
static const size_t page_limit = (size_t)1 << 30;

/* The last line: of a Python that fails it says why. */
static dloc_text last_line(dloc_text text) {
  size_t start = 0, end = text.size;
  while (end && text.bytes[end - 1] == '\n')
    end--;
  for (size_t i = 0; i < end; i++)
    if (text.bytes[i] == '\n')
      start = i + 1;
  return end ? (dloc_text){text.bytes + start, end - start} : (dloc_text){"", 0};
}

static bool ended_well(const process *child) {
  char end[100];
  if (!child->timed_out && !child->overflowed && WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0)
    return true;
  dloc_text said = last_line(buffer_text(&child->errors));
  process_describe_end(child, end, sizeof end);
  if (said.size)
    tool_error("the page cannot be made: %.*s", (int)said.size, said.bytes);
  else
    tool_error("the page cannot be made: python3: %s", end);
  return false;
}

/* The page is the child's output; the caller ends the child, also after a failure. */
static bool run_program(const char *program, const char *address, dloc_text lines, process *ret) {
  char path[4096];
  char *argv[] = {(char[]){"python3"}, (char[]){"-B"}, path, (char *)address, NULL};
  if (!script_find(program, path, sizeof path))
    return false;
  process_forward_signals();
  int error = process_run(argv, lines, time_limit, page_limit, ret);
  if (error)
    tool_error("cannot run python3 (Debian's package python3): %s", strerror(error));
  return !error && ended_well(ret);
}

int pages_write(const char *program, const char *address, dloc_text lines, const char *path) {
  tool_output output = tool_output_open(path);
  process child = {0};
  bool made = run_program(program, address, lines, &child);
  dloc_sink sink = tool_file_sink(output.file);
  bool fine = made && sink.write(sink.user, child.output.bytes, child.output.size);
  process_end(&child);
  return tool_output_close(&output, fine) && fine ? TOOL_FINE : TOOL_UNUSABLE;
}
