/* fmt.c - `dloc fmt`: vectors in canonical form. */
#include "document/buffer.h"
#include "help/fmt.h"
#include "shell/vectors.h"

#include <string.h>

static int finish(const char *path, dloc_text text, const dloc_buffer *formatted, bool check) {
  bool same = dloc_text_equal(text, buffer_text(formatted));
  if (check && !same) {
    const value_diagnostic diagnostic = {.code = "vector.format", .message = "not in canonical form; run dloc fmt"};
    vectors_diagnose(path, text, NULL, &diagnostic);
    return TOOL_VIOLATION;
  }
  bool wanted = !check && (!same || strcmp(path, "-") == 0);
  return !wanted || tool_write_text(path, buffer_text(formatted)) ? TOOL_FINE : TOOL_UNUSABLE;
}

static int format_file(const char *path, bool check) {
  OWNED(tool_input_close) tool_input input = {.name = NULL};
  OWNED(dloc_buffer_deinit) dloc_buffer formatted = {0};
  value_diagnostic diagnostic = {.line = 0};
  if (!tool_input_open(path, &input))
    return TOOL_UNUSABLE;
  if (vectors_format(path, input.text, &formatted, &diagnostic) == DLOC_OK)
    return finish(path, input.text, &formatted, check);
  vectors_diagnose(path, input.text, NULL, &diagnostic);
  return TOOL_VIOLATION;
}

/* Every vector to stdout, in one form. */
static int convert_all(vectors *v, bool to_lines) {
  while (vectors_next(v) && !ferror(stdout)) {
    if (!to_lines && v->count > 1)
      puts("---");
    (void)!vectors_write(v->vector.document, &v->arena, to_lines, tool_file_sink(stdout));
  }
  return v->status;
}

static int format_all(const vectors *v, bool check) {
  int worst = TOOL_FINE;
  for (size_t i = 0; i < suite_file_count(v->suite); i++) {
    int one = format_file(suite_file(v->suite, i), check);
    worst = one > worst ? one : worst;
  }
  return worst;
}

int tool_fmt(int argc, char **argv) {
  bool check = false;
  const char *to = NULL;
  const tool_option options[] = {{TOOL_FLAG, "check", "say what is not canonical, write nothing", &check},
                                 {TOOL_TEXT, "to", "write all vectors to standard output in this form", &to},
                                 {0}};
  int count = tool_parse(argc, argv, &fmt_usage, options);
  bool to_lines = to && strcmp(to, "jsonl") == 0;
  if (to && (check || (!to_lines && strcmp(to, "yaml") != 0)))
    tool_fail("--to takes yaml or jsonl, and does not go with --check");
  OWNED(vectors_close) vectors v;
  vectors_open(&v, (const char *const *)argv, (size_t)count);
  return to ? convert_all(&v, to_lines) : format_all(&v, check);
}
