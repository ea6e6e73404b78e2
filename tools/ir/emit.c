/* emit.c - `dloc emit`: the directives and embedded texts that a back end writes for a module. */
#include "emit.h"
#include "help/emit.h"

#include <inttypes.h>
#include <string.h>

typedef struct listing {
  const tool_module *input;
  dloc_emitter *emitter;
  FILE *file;
  bool json;
} listing;

static dloc_text text_of(const listing *l, dloc_node node) { return dloc_node_text(l->input->context, node); }

static dloc_status write_line(const listing *l, const value *line) {
  TRY(value_write_json(line, tool_file_sink(l->file)));
  return putc('\n', l->file) == EOF ? DLOC_STOPPED : DLOC_OK;
}

static dloc_status write_directive(const listing *l, const dloc_function *function, uint32_t number, const char *what,
                                   const dloc_directive *directive) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  value line = {.kind = VALUE_MAP};
  value_put_text(&arena, &line, "function", text_of(l, function->name));
  value_put_number(&arena, &line, "instruction", number);
  value_put_word(&arena, &line, "directive", what);
  value_put_text(&arena, &line, "file", text_of(l, directive->file));
  value_put_number(&arena, &line, "line", directive->line);
  value_put_number(&arena, &line, "column", directive->column);
  return write_line(l, &line);
}

static const char *form_of_texts(const listing *l) {
  return dloc_emit_texts_in_angles(l->emitter) ? ".source: <<<" : ".source_begin";
}

/* What stands first. */
static const char *first_part(const listing *l) { return dloc_emit_texts_stand_first(l->emitter) ? "texts" : "files"; }

static dloc_status write_text(const listing *l, const dloc_emitted_text *text) {
  OWNED(value_arena_deinit) value_arena arena = {0};
  value line = {.kind = VALUE_MAP};
  value_put_text(&arena, &line, "kind", text_of(l, text->kind));
  value_put_text(&arena, &line, "file", text_of(l, text->file));
  value_put_number(&arena, &line, "size", text_of(l, text->text).size);
  value_put_word(&arena, &line, "form", form_of_texts(l));
  value_put_word(&arena, &line, "first", first_part(l));
  return write_line(l, &line);
}

static dloc_status print_directive(const listing *l, const dloc_function *function, uint32_t number, const char *what,
                                   const dloc_directive *directive) {
  if (l->json)
    return write_directive(l, function, number, what, directive);
  tool_print_name(l->file, text_of(l, function->name), "\t");
  fprintf(l->file, "%" PRIu32 "\t%s\t", number, what);
  tool_print_name(l->file, text_of(l, directive->file), ":");
  fprintf(l->file, "%" PRIu32 ":%" PRIu32 "\n", directive->line, directive->column);
  return DLOC_OK;
}

static dloc_status list_instruction(void *user, const dloc_function *function, uint32_t number,
                                    const dloc_emitted *emitted) {
  const listing *l = user;
  if (emitted->has_primary)
    TRY(print_directive(l, function, number, "primary", &emitted->primary));
  for (size_t i = 0; i < emitted->layer_count; i++)
    TRY(print_directive(l, function, number, "layer", &emitted->layers[i]));
  return DLOC_OK;
}

static dloc_status list_texts(const listing *l) {
  const dloc_emitted_text *texts;
  size_t count;
  TRY(dloc_emit_texts(l->emitter, &texts, &count));
  for (size_t i = 0; i < count; i++) {
    if (l->json) {
      TRY(write_text(l, &texts[i]));
      continue;
    }
    fputs("text\t", l->file);
    tool_print_name(l->file, text_of(l, texts[i].kind), "\t");
    tool_print_name(l->file, text_of(l, texts[i].file), "\t");
    fprintf(l->file, "%zu\t%s\t%s first\n", text_of(l, texts[i].text).size, form_of_texts(l), first_part(l));
  }
  return DLOC_OK;
}

static int emit_module(const tool_module *input, const char *path, bool json) {
  tool_output output = tool_output_open(path);
  listing l = {.input = input, .file = output.file, .json = json};
  dloc_status status = dloc_emitter_create(input->context, input->profile, input->module, NULL, &l.emitter);
  if (status == DLOC_OK)
    status = emit_walk(input, l.emitter, list_instruction, &l);
  if (status == DLOC_OK)
    status = list_texts(&l);
  dloc_emitter_destroy(l.emitter);
  return tool_output_finish(&output, status, input->input.name);
}

int tool_emit(int argc, char **argv) {
  dloc_profile profile = {0};
  const char *path = NULL, *against = NULL;
  bool json = false, check = false;
  const tool_option options[] = {
      TOOL_PROFILE_OPTIONS(&profile),
      {TOOL_FLAG, "check", "say which rules of ptx-9.4, PTX ISA 9.4, the directives of FILE break", &check},
      {TOOL_TEXT, "against", NULL, &against},
      {TOOL_FLAG, "json", NULL, &json},
      {TOOL_OUTPUT, "o", NULL, &path},
      {0}};
  int count = tool_parse(argc, argv, &emit_usage, options);
  if (count > 1 && (!check || strcmp(argv[0], "ptx-9.4") != 0))
    tool_fail("there is one FILE; only --check takes a word before it, ptx-9.4");
  if (check ? path != NULL : against != NULL)
    tool_fail(check ? "--check writes no file" : "--against goes with --check");
  tool_diagnoses_json = check && json;
  if (check)
    return emit_check(argv[count - 1], against, &profile);
  tool_module input = tool_module_open(argv[0], &profile);
  return tool_module_close(&input, emit_module(&input, path, json));
}
