/* dloc select: a program or object whose line table is that of a layer. */
#include "document/buffer.h"
#include "help/select.h"
#include "symbolize.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct request {
  dloc_profile profile;
  const char *kind, *out, *texts;
} request;

/* ---- Output ---- */

/* An executable stays one. */
static void take_mode(const char *from, const char *to) {
  struct stat of_from, of_to;
  FILE *file = fopen(to, "rb");
  if (file && stat(from, &of_from) == 0 && stat(to, &of_to) == 0 && S_ISREG(of_to.st_mode))
    (void)fchmod(fileno(file), of_to.st_mode | (of_from.st_mode & 0111));
  if (file)
    fclose(file);
}

/* Sections do not tell the letters of a kind. */
static bool is_kind(dloc_text kind, dloc_text asked) {
  return kind.size == asked.size && strncasecmp(kind.bytes, asked.bytes, kind.size) == 0;
}

static void write_texts(const dloc_layer_lines *lines, const char *directory, dloc_text kind) {
  size_t count;
  const dloc_embedded_text *texts = dloc_layer_lines_texts(lines, &count);
  for (size_t i = 0; i < count; i++) {
    if (!is_kind(texts[i].kind, kind))
      continue;
    OWNED(memory_release) char *name = memory_copy(texts[i].file), *path = text_format("%s/%s", directory, name);
    if (strchr(name, '/'))
      tool_fail("a text has no file name: '%.60s'", name);
    if (!tool_write_text(path, texts[i].bytes))
      tool_exit(TOOL_UNUSABLE);
  }
}

/* The folder of the texts, as an absolute path: debuggers run elsewhere. */
static char *folder_of(const request *r) {
  char here[1 << 12];
  const char *path = r->texts ? r->texts : r->out;
  if (path[0] != '/' && !getcwd(here, sizeof here))
    tool_fail("%s: %s", path, strerror(errno));
  return text_format("%s%s%s%s", path[0] == '/' ? "" : here, path[0] == '/' ? "" : "/", path, r->texts ? "" : ".texts");
}

/* ---- Selecting ---- */

/* Ends the program when there is no layer of that name. */
static void require_kind(line_file *file, const dloc_symbolizer *symbolizer, const char *path, const char *kind) {
  size_t count;
  const dloc_text *kinds = dloc_layer_lines_kinds(dloc_symbolizer_layers(symbolizer), &count);
  OWNED(dloc_buffer_deinit) dloc_buffer names = {0};
  for (size_t i = 0; i < count; i++) {
    if (is_kind(kinds[i], dloc_text_of(kind)))
      return;
    buffer_put(&names, dloc_text_of(i ? ", " : ": it has "));
    buffer_put(&names, kinds[i]);
  }
  tool_error("%s: there is no layer '%.60s'%.*s", path, kind, (int)names.size, names.size ? names.bytes : "");
  if (!count)
    line_file_tell_elsewhere(file);
  tool_exit(TOOL_VIOLATION);
}

static bool select_layer(const request *r, const char *path, tool_input *input) {
  line_file file = line_file_of(input, &r->profile);
  tool_require(dloc_object_lay_out(file.object), path);
  dloc_symbolizer *symbolizer = symbolize_open(&file, DLOC_SYMBOLIZE_ALL);
  const dloc_text kind = dloc_text_of(r->kind);
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  OWNED(dloc_buffer_deinit) dloc_buffer bytes = {0};
  require_kind(&file, symbolizer, path, r->kind);
  OWNED(memory_release) char *folder = folder_of(r);
  line_file_require(
      &file,
      dloc_symbolizer_select(symbolizer, file.input.text, kind, dloc_text_of(folder), &diagnostic, buffer_sink(&bytes)),
      &diagnostic);
  if (file.errors)
    tool_exit(TOOL_VIOLATION);
  tool_make_folder(folder);
  write_texts(dloc_symbolizer_layers(symbolizer), folder, kind);
  const bool written = tool_write_text(r->out, buffer_text(&bytes));
  dloc_symbolizer_close(symbolizer);
  (void)line_file_close(&file);
  return written;
}

/* The file before another layer was selected in it; the same if none was. */
static tool_input without_selection(const char *path, const dloc_profile *profile) {
  tool_input input = tool_input_required(path), lent = tool_input_lend(&input);
  dloc_buffer bytes = {0};
  line_file file = line_file_of(&lent, profile);
  dloc_diagnostic diagnostic = {.reason = DLOC_REASON_NONE};
  bool found = false;
  line_file_require(&file, dloc_object_unselect(file.object, file.input.text, &diagnostic, &bytes, &found),
                    &diagnostic);
  (void)line_file_close(&file);
  if (found) {
    tool_input_close(&input);
    input = (tool_input){.name = path, .text = buffer_text(&bytes)};
  }
  return input;
}

int tool_select(int argc, char **argv) {
  request r = {.kind = NULL};
  const tool_option options[] = {
      {TOOL_TEXT, "layer", "the layer that becomes the program's own table; source: the table that it had", &r.kind},
      {TOOL_OUTPUT, "o", "the file to write", &r.out},
      {TOOL_TEXT, "texts", NULL, &r.texts},
      TOOL_PROFILE_OPTIONS(&r.profile),
      {0}};
  (void)tool_parse(argc, argv, &select_usage, options);
  if (!r.kind || !r.out)
    tool_fail("--layer and -o are needed");
  OWNED(tool_input_close) tool_input input = without_selection(argv[0], &r.profile);
  tool_input lent = tool_input_lend(&input);
  tool_outputs_begin();
  bool written = strcmp(r.kind, "source") == 0 ? tool_write_text(r.out, lent.text) : select_layer(&r, argv[0], &lent);
  int status = tool_outputs_end(written ? TOOL_FINE : TOOL_UNUSABLE);
  if (status == TOOL_FINE)
    take_mode(argv[0], r.out);
  return status;
}
