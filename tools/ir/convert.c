/* convert.c - `dloc convert`: a module with its layers in the other form. */
#include "convert.h"
#include "help/convert.h"

#include <string.h>

typedef struct conversion {
  tool_module *input;
  bool lossy;
  dloc_converter *converter;
  uint32_t at; /* the instruction at hand */
  size_t lost[DLOC_REASON_COUNT];
  bool failed; /* the message has been written */
} conversion;

/* ---- Losses ---- */

static void tell(const conversion *c, const char *level, dloc_reason reason, dloc_node node) {
  tool_diagnose_as(c->input, level, reason, c->at, node);
}

/* The first loss of each reason is shown, the others are counted. */
static bool lose(void *user, dloc_reason reason, dloc_node node) {
  conversion *c = user;
  if (c->lost[reason]++ == 0)
    tell(c, c->lossy ? "warning" : "error", reason, node);
  c->failed = !c->lossy;
  return c->lossy;
}

static void tell_losses(const conversion *c) {
  for (size_t i = 0; i < DLOC_REASON_COUNT; i++)
    if (c->lost[i] > 1) {
      tool_print_name(stderr, dloc_text_of(c->input->input.name), ": ");
      fprintf(stderr, "lost %zu times [%s]\n", c->lost[i], dloc_reason_name((dloc_reason)i));
    }
}

/* ---- Locations ---- */

static dloc_status convert(conversion *c, dloc_node location, dloc_node *ret) {
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = dloc_convert(c->converter, location, &reason, ret);
  if (status == DLOC_INVALID && !c->failed) {
    tell(c, "error", reason, location);
    c->failed = true;
  }
  return status;
}

/* `verify.record.location`: a record has no tuple. */
static dloc_status convert_instruction(conversion *c, const dloc_instruction *instruction, size_t index) {
  dloc_context *context = c->input->context;
  dloc_node converted = DLOC_NULL;
  TRY(convert(c, instruction->debug_loc, &converted));
  bool record = instruction->flags & DLOC_INSTRUCTION_RECORD;
  if (record && dloc_debug_loc_shape(context, converted) == DLOC_SHAPE_COMPOSITE) {
    if (!lose(c, DLOC_REASON_RECORD_NOT_LOCATION, instruction->debug_loc))
      return DLOC_INVALID;
    converted = dloc_primary(context, converted);
  }
  return converted == instruction->debug_loc ? DLOC_OK : dloc_module_set_debug_loc(c->input->module, index, converted);
}

static dloc_status convert_loop(conversion *c, dloc_node loop) {
  dloc_context *context = c->input->context;
  for (size_t i = 1; dloc_node_is_distinct(context, loop) && i < dloc_operand_count(context, loop); i++) {
    dloc_node operand = dloc_operand(context, loop, i), converted = DLOC_NULL;
    if (dloc_debug_loc_shape(context, operand) == DLOC_SHAPE_NONE)
      continue;
    TRY(convert(c, operand, &converted));
    if (converted != operand)
      TRY(dloc_set_operand(context, loop, i, converted));
  }
  return DLOC_OK;
}

static dloc_status convert_loops(conversion *c, size_t index) {
  for (size_t i = 0; i < dloc_module_attachment_count(c->input->module, index); i++) {
    dloc_attachment attachment = dloc_module_attachment(c->input->module, index, i);
    if (dloc_text_equal(dloc_node_text(c->input->context, attachment.kind), dloc_text_of(DLOC_LOOP)))
      TRY(convert_loop(c, attachment.node));
  }
  return DLOC_OK;
}

/* ---- The module ---- */

/* `convert.left` */
static dloc_status convert_left(conversion *c) {
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = dloc_convert_left(c->converter, c->input->module, &reason);
  if (status == DLOC_INVALID && !c->failed) {
    tell(c, "error", reason, DLOC_NULL);
    c->failed = true;
  }
  return status;
}

static dloc_status convert_sources(conversion *c) {
  const dloc_node *entries = NULL;
  size_t count = 0;
  TRY(dloc_convert_sources(c->converter, NULL, &entries, &count));
  if (count)
    return dloc_module_add_named(c->input->module, dloc_text_of(DLOC_SOURCE_LIST), entries, count);
  return DLOC_OK;
}

static dloc_status convert_module(conversion *c, dloc_form to) {
  dloc_module *module = c->input->module;
  for (size_t f = 0; f < dloc_module_function_count(module); f++) {
    const dloc_function *function = dloc_module_function(module, f);
    for (uint32_t i = 0; i < function->instruction_count; i++) {
      size_t at = (size_t)function->first_instruction + i;
      c->at = (uint32_t)at;
      TRY(convert_instruction(c, dloc_module_instruction(module, at), at));
      TRY(convert_loops(c, at));
    }
  }
  c->at = DLOC_NO_INDEX;
  TRY(convert_left(c));
  TRY(convert_sources(c));
  if (to == DLOC_FORM_IRLAYERS)
    dloc_module_drop_named(module, dloc_text_of(DLOC_SOURCE_LIST));
  return dloc_module_drop_unused(module);
}

int convert_write(tool_module *input, dloc_form to, bool lossy, const char *output) {
  conversion c = {.input = input, .lossy = lossy};
  const dloc_profile *profile = dloc_profile_find(dloc_text_of("rfc"));
  dloc_status status = dloc_converter_create(input->context, profile, input->module, to, lose, &c, &c.converter);
  if (status == DLOC_OK)
    status = convert_module(&c, to);
  dloc_converter_destroy(c.converter);
  tell_losses(&c);
  if (c.failed)
    return 1;
  return status == DLOC_OK ? tool_write_module(input, output) : tool_failure(status, input->input.name);
}

int tool_convert(int argc, char **argv) {
  const char *wanted = NULL, *output = NULL;
  bool lossy = false;
  const tool_option options[] = {{TOOL_TEXT, "to", "the form: irlayers or tuple", &wanted},
                                 {TOOL_FLAG, "lossy", NULL, &lossy},
                                 {TOOL_OUTPUT, "o", NULL, &output},
                                 {0}};
  tool_parse(argc, argv, &convert_usage, options);
  if (!wanted || (strcmp(wanted, "tuple") != 0 && strcmp(wanted, "irlayers") != 0))
    tool_fail("say which form: --to irlayers or --to tuple");
  tool_module input = tool_module_open_text(argv[0], NULL);
  dloc_form to = strcmp(wanted, "tuple") == 0 ? DLOC_FORM_TUPLE : DLOC_FORM_IRLAYERS;
  return tool_module_close(&input, convert_write(&input, to, lossy, output));
}
