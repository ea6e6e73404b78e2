/* emit_check.c - `dloc emit --check ptx-9.4`: which rules of the manual do the directives of a module, or of a file in
 * PTX, break? And has such a file the directives that the model writes for a module? spec/lines.md 8.5 */
#include "emit.h"
#include "objects/ptx/ptx.h"

#include <string.h>

typedef struct checking {
  const tool_input *input;
  tool_module *module; /* that is checked, or compared with; or NULL */
  ptx_checker *checker;
  const dloc_function *function; /* that the walk is in */
  ptx_comparison *comparison;
  dloc_emitter *alone; /* of an instruction at a time */
  dloc_place place;    /* in the input, if it is PTX */
  uint64_t errors;
} checking;

static void show(checking *c, const tool_input *input, const dloc_place *place, dloc_reason reason) {
  bool is_warning = dloc_reason_severity(reason) == DLOC_SEVERITY_SOFT;
  c->errors += !is_warning;
  tool_diagnose(input, place, is_warning ? "warning" : "error", dloc_reason_text(reason), dloc_reason_name(reason));
}

static dloc_status on_broken_text(void *user, dloc_reason reason, uint64_t at) {
  checking *c = user;
  ptx_move(c->input->text, at, &c->place);
  show(c, c->input, &c->place, reason);
  return DLOC_OK;
}

/* Where a module's items stand: the number of an instruction, or this of a node. */
static uint64_t at_node(dloc_node node) { return (uint64_t)1 << 32 | node; }

static dloc_status on_broken_module(void *user, dloc_reason reason, uint64_t at) {
  checking *c = user;
  bool is_node = at >> 32;
  c->errors += dloc_reason_severity(reason) != DLOC_SEVERITY_SOFT;
  (void)tool_diagnose_node(c->module, reason, is_node ? DLOC_NO_INDEX : (uint32_t)at,
                           is_node ? (dloc_node)at : DLOC_NULL);
  return DLOC_OK;
}

static dloc_status on_difference(void *user, dloc_reason reason, uint64_t at) {
  return (reason == DLOC_REASON_PTX_MODEL_MISSING ? on_broken_module : on_broken_text)(user, reason, at);
}

/* ---- The directives of a module ---- */

/* A file's number is the node of its name. */
static ptx_item item_of(ptx_kind kind, uint64_t at, const dloc_directive *directive) {
  return (ptx_item){
      .kind = kind, .at = at, .number = directive->file, .line = directive->line, .column = directive->column};
}

static dloc_status check_directives(checking *c, ptx_kind primary, ptx_kind layer, uint64_t at,
                                    const dloc_emitted *emitted) {
  ptx_item item = item_of(primary, at, &emitted->primary);
  if (emitted->has_primary)
    TRY(ptx_check(c->checker, &item));
  for (size_t i = 0; i < emitted->layer_count; i++) {
    item = item_of(layer, at, &emitted->layers[i]);
    TRY(ptx_check(c->checker, &item));
  }
  return DLOC_OK;
}

static dloc_status check_instruction(void *user, const dloc_function *function, uint32_t number,
                                     const dloc_emitted *emitted) {
  checking *c = user;
  uint64_t at = (uint64_t)function->first_instruction + number;
  if (c->function != function)
    TRY(ptx_check(c->checker, &(ptx_item){.kind = PTX_FUNCTION, .at = at}));
  c->function = function;
  TRY(check_directives(c, PTX_LOC, PTX_LOC_INTERMEDIATE, at, emitted));
  return ptx_check(c->checker, &(ptx_item){.kind = PTX_INSTRUCTION, .at = at, .is_bare = !emitted->has_layers});
}

static dloc_status declare_files(void *user, const dloc_function *function, uint32_t number,
                                 const dloc_emitted *emitted) {
  (void)function;
  (void)number;
  return check_directives(user, PTX_FILE, PTX_FILE, 0, emitted);
}

static dloc_status check_text(checking *c, const dloc_emitted_text *text, bool in_angles) {
  uint64_t at = at_node(text->entry);
  dloc_text kind = dloc_node_text(c->module->context, text->kind);
  dloc_text bytes = dloc_node_text(c->module->context, text->text);
  const ptx_item items[] = {
      {.kind = PTX_BLOCK, .at = at},
      {.kind = PTX_IR_NAME, .at = at, .text = kind},
      {.kind = PTX_SOURCE_FILE, .at = at, .number = text->file},
      {.kind = PTX_TEXT, .at = at, .text = bytes, .has_more = ptx_ends_itself(bytes), .in_angles = in_angles},
      {.kind = PTX_BLOCK_END, .at = at}};
  for (size_t i = 0; i < sizeof items / sizeof *items; i++)
    TRY(ptx_check(c->checker, &items[i]));
  return DLOC_OK;
}

static dloc_status check_texts(checking *c, dloc_emitter *emitter) {
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  TRY(ptx_check(c->checker, &(ptx_item){.kind = PTX_FUNCTION_END}));
  TRY(dloc_emit_texts(emitter, &texts, &count));
  for (size_t i = 0; i < count; i++)
    TRY(check_text(c, &texts[i], dloc_emit_texts_in_angles(emitter)));
  return DLOC_OK;
}

/* The parts of the file that would be written, in their order. */
static dloc_status check_module(checking *c, dloc_emitter *emitter, dloc_emitter *again) {
  bool texts_first = dloc_emit_texts_stand_first(emitter);
  TRY(emit_walk(c->module, emitter, check_instruction, c));
  if (texts_first)
    TRY(check_texts(c, emitter));
  TRY(emit_walk(c->module, again, declare_files, c));
  if (!texts_first)
    TRY(check_texts(c, emitter));
  return ptx_check(c->checker, &(ptx_item){.kind = PTX_END});
}

static dloc_emitter *emitter_of(const checking *c) {
  dloc_emitter *emitter = NULL;
  tool_require(dloc_emitter_create(c->module->context, c->module->profile, c->module->module, NULL, &emitter),
               c->module->input.name);
  return emitter;
}

static dloc_status check_opened_module(checking *c) {
  TRY(ptx_checker_create(c->module->context, on_broken_module, c, &c->checker));
  OWNED(release_dloc_emitter) dloc_emitter *emitter = emitter_of(c), *again = emitter_of(c);
  return check_module(c, emitter, again);
}

/* ---- A file in PTX ---- */

static dloc_status expect_instruction(void *user, const dloc_function *function, uint32_t number,
                                      const dloc_emitted *emitted) {
  checking *c = user;
  uint64_t at = (uint64_t)function->first_instruction + number;
  dloc_emitted alone;
  dloc_reason reason;
  dloc_emitter_begin_function(c->alone);
  TRY(dloc_emit_instruction(c->alone, dloc_module_instruction(c->module->module, at)->debug_loc, &reason, &alone));
  return ptx_expect(c->comparison, dloc_node_text(c->module->context, function->name), at, emitted, &alone);
}

static dloc_status expect_module(checking *c, dloc_emitter *emitter) {
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  TRY(emit_walk(c->module, emitter, expect_instruction, c));
  TRY(dloc_emit_texts(emitter, &texts, &count));
  for (size_t i = 0; i < count; i++)
    TRY(ptx_expect_text(c->comparison, dloc_node_text(c->module->context, texts[i].kind), texts[i].file,
                        dloc_node_text(c->module->context, texts[i].text)));
  return DLOC_OK;
}

static dloc_status compare(checking *c, dloc_diagnostic *diagnostic) {
  dloc_context *context = c->module->context;
  TRY(ptx_comparison_create(context, on_difference, c, &c->comparison));
  OWNED(release_dloc_emitter) dloc_emitter *emitter = emitter_of(c);
  c->alone = emitter_of(c);
  dloc_status status = expect_module(c, emitter);
  if (status == DLOC_OK)
    status = ptx_read(context, c->input->text, ptx_compare_files, c->comparison, diagnostic);
  if (status == DLOC_OK)
    status = ptx_read(context, c->input->text, ptx_compare, c->comparison, diagnostic);
  dloc_emitter_destroy(c->alone);
  ptx_comparison_destroy(c->comparison);
  return status;
}

static dloc_status check_ptx_text(checking *c, dloc_context *context, dloc_diagnostic *diagnostic) {
  TRY(ptx_checker_create(context, on_broken_text, c, &c->checker));
  return ptx_read(context, c->input->text, ptx_check, c->checker, diagnostic);
}

static int check_ptx(const tool_input *input, const char *against, const dloc_profile *profile) {
  checking c = {.input = input};
  dloc_diagnostic diagnostic;
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  dloc_status status = check_ptx_text(&c, context, &diagnostic);
  ptx_checker_destroy(c.checker);
  if (status == DLOC_OK && against) {
    const dloc_profile *for_ptx = tool_profile_for(TOOL_FOR_PTX);
    tool_module module = tool_module_open(against, for_ptx ? for_ptx : profile);
    c.module = &module;
    status = compare(&c, &diagnostic);
    tool_module_close(&module, 0);
  }
  return status != DLOC_OK ? tool_explain(status, input, &diagnostic) : c.errors ? TOOL_VIOLATION : TOOL_FINE;
}

/* ---- Either ---- */

static int check_module_text(tool_module *module, const dloc_profile *profile) {
  checking c = {.input = &module->input, .module = module};
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(module, profile, &diagnostic);
  if (status == DLOC_OK)
    status = check_opened_module(&c);
  ptx_checker_destroy(c.checker);
  return tool_module_close(module, status != DLOC_OK ? tool_explain(status, &module->input, &diagnostic)
                                   : c.errors        ? TOOL_VIOLATION
                                                     : TOOL_FINE);
}

int emit_check(const char *path, const char *against, const dloc_profile *profile) {
  tool_module module = {.input = tool_input_required(path)};
  const char *suffix = strrchr(path, '.');
  if (!against && !(suffix && strcmp(suffix, ".ptx") == 0) && !ptx_is_text(module.input.text))
    return check_module_text(&module, profile);
  int result = check_ptx(&module.input, against, profile);
  tool_input_close(&module.input);
  return result;
}
