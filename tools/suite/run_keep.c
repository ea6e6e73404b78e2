/* run_keep.c - `dloc run --keep`: files to look into a difference. */
#include "run.h"

#include "document/buffer.h"

static const char *const other_suffixes[RUN_MODULES] = {"2.ll", "3.ll", "4.ll"};

static bool keep_file(const char *folder, const char *id, const char *suffix, dloc_text text) {
  OWNED(memory_release) char *path = text_format("%s/%s.%s", folder, id, suffix);
  return tool_write_text(path, text);
}

static void put_path(const char *folder, const char *id, const char *suffix, dloc_buffer *ret) {
  OWNED(memory_release) char *path = text_format("%s/%s.%s", folder, id, suffix);
  buffer_put_word(ret, path);
}

/* For a shell where this program was started. */
static void write_command(const char *folder, const char *id, const run_exchange *exchange, dloc_buffer *ret) {
  buffer_put(ret, buffer_text(&exchange->command));
  for (unsigned i = 0; i < RUN_MODULES && exchange->others[i].size; i++) {
    buffer_put(ret, dloc_text_of(" "));
    put_path(folder, id, other_suffixes[i], ret);
  }
  buffer_put(ret, dloc_text_of(" <"));
  put_path(folder, id, exchange->lines.size ? "jsonl" : "ll", ret);
  if (exchange->behind.size)
    buffer_format(ret, " | %s", exchange->behind.bytes);
  buffer_put(ret, dloc_text_of("\n"));
}

bool keep_exchange(const char *folder, const run_result *result, const run_exchange *exchange) {
  const char *id = result->id;
  bool fine = !exchange->module.size || keep_file(folder, id, "ll", buffer_text(&exchange->module));
  if (!exchange->command.size)
    return fine;
  OWNED(dloc_buffer_deinit) dloc_buffer command = {0};
  write_command(folder, id, exchange, &command);
  for (unsigned i = 0; fine && i < RUN_MODULES && exchange->others[i].size; i++)
    fine = keep_file(folder, id, other_suffixes[i], buffer_text(&exchange->others[i]));
  fine = fine && (!exchange->lines.size || keep_file(folder, id, "jsonl", buffer_text(&exchange->lines))) &&
         keep_file(folder, id, "command", buffer_text(&command)) &&
         keep_file(folder, id, "stdout", buffer_text(&exchange->output)) &&
         keep_file(folder, id, "stderr", buffer_text(&exchange->errors));
  return fine;
}
