/* report.c - dloc report: what runs found, from their JSON lines; as text, JUnit, TAP or one HTML page, and against
 * earlier runs. Here is what report.py asks for: the vectors, as JSON Lines. */
#include "help/report.h"
#include "shell/vectors.h"

#include "document/buffer.h"
#include "reports/report.h"
#include "shell/script.h"

static void write_vector(writer *w, vectors *v) {
  OWNED(dloc_buffer_deinit) dloc_buffer text = {0};
  (void)!vectors_write(v->vector.document, &v->arena, false, buffer_sink(&text));
  write_plain(w, "{\"id\": ");
  write_json_text(w, v->vector.id);
  write_member_text(w, "digest", v->vector.digest);
  write_member_text(w, "note", v->vector.note);
  write_member_text(w, "text", buffer_text(&text));
  write_plain(w, "}\n");
}

static int print_vectors(char **paths, int count) {
  OWNED(vectors_close) vectors v;
  writer w = {.sink = tool_file_sink(stdout)};
  vectors_open(&v, (const char *const *)paths, (size_t)count);
  while (vectors_next(&v))
    write_vector(&w, &v);
  return v.status;
}

int tool_report(int argc, char **argv) {
  const char *html = NULL, *cost = NULL, *spec = NULL, *playground = NULL, *badge = NULL, *junit = NULL, *tap = NULL;
  tool_list before = {0}, vectors = {0};
  uint64_t most = 20;
  bool quiet = false, facts = false;
  const tool_option options[] = {
      {TOOL_OUTPUT, "html", "write one page", &html},
      {TOOL_LIST, "vectors", "for --html: the vectors it shows (may be repeated); default: all, as for `dloc run`",
       &vectors},
      {TOOL_TEXT, "cost", NULL, &cost},
      {TOOL_TEXT, "spec", NULL, &spec},
      {TOOL_TEXT, "playground", NULL, &playground},
      {TOOL_LIST, "before", NULL, &before},
      {TOOL_OUTPUT, "badge", NULL, &badge},
      {TOOL_OUTPUT, "junit", NULL, &junit},
      {TOOL_OUTPUT, "tap", NULL, &tap},
      {TOOL_NUMBER, "most", "differences shown in full in the text; default: 20", &most},
      {TOOL_FLAG, "quiet", NULL, &quiet},
      {TOOL_FLAG, "facts", "write vectors, the operands, for scripts (tools/pages/README.md)", &facts},
      {0}};
  int count = tool_parse(argc, argv, &report_usage, options);
  return facts ? print_vectors(argv, count) : script_become("suite/report.py", options, argv, count);
}
