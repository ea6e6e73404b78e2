/* reveal_module.c - `dloc reveal` of a module's text: numbers, or the locations of other modules, become layers. */
#include "full.h"
#include "reveal.h"

#include <string.h>

/* Into the context that *ret has; the exit status. */
static int read_other(const reveal_request *request, const char *path, tool_module *ret) {
  dloc_diagnostic diagnostic;
  if (!tool_input_open(path, &ret->input))
    return TOOL_UNUSABLE;
  if (!llvm_disassemble(&request->llvm, &ret->input)) {
    tool_input_close(&ret->input);
    return TOOL_UNUSABLE;
  }
  dloc_status status = dloc_read_ll(ret->context, ret->input.text, &diagnostic, &ret->module);
  if (status == DLOC_OK)
    return TOOL_FINE;
  int result = tool_explain(status, &ret->input, &diagnostic);
  tool_input_close(&ret->input);
  return result;
}

/* All of made's; or those of a kind, which are its locations. */
static dloc_status give_layers(const tool_module *base, const tool_module *made, const dloc_hidden *hidden,
                               const char *kind, dloc_hidden_problem *on_problem, void *user) {
  dloc_code_comparer *comparer = NULL;
  TRY(dloc_code_comparer_create(base->module, made->module, false, &comparer));
  const dloc_exact_options options = {
      .compare = dloc_compare_code, .comparer = comparer, .on_problem = on_problem, .user = user};
  dloc_status status = kind ? dloc_reveal_kind(base->module, made->module, hidden, dloc_text_of(kind), &options, NULL)
                            : dloc_reveal_exact(base->module, made->module, hidden, &options, NULL);
  dloc_code_comparer_destroy(comparer);
  return status;
}

/* ---- Numbers that the table does not have ---- */

typedef struct revealing {
  tool_module *module;
  size_t unknown;
} revealing;

static dloc_status tell(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  revealing *r = user;
  r->unknown += reason == DLOC_REASON_REVEAL_NUMBER;
  return tool_diagnose_node(r->module, reason, instruction, node);
}

/* The table is that of another module when most numbers are unknown. */
static int finish_revealing(const revealing *r, const reveal_request *request, dloc_status status) {
  const tool_module *module = r->module;
  size_t known = 0;
  if (status != DLOC_OK)
    return status == DLOC_INVALID ? TOOL_VIOLATION : tool_failure(status, module->input.name);
  for (size_t i = 0; i < dloc_module_instruction_count(module->module); i++)
    known += dloc_layer_count(module->context, dloc_module_instruction(module->module, i)->debug_loc) > 0;
  if (r->unknown <= known)
    return llvm_write_module(r->module, &request->profile, &request->llvm, request->output);
  tool_diagnose(&module->input, NULL, "error",
                "more numbers are unknown than known: the table is of another module, or "
                "a pass has made discriminators",
                dloc_reason_name(DLOC_REASON_REVEAL_NUMBER));
  return TOOL_VIOLATION;
}

/* ---- The one without layers gets those of the other: --exact ---- */

/* made is the hidden module, in the context of which base is read. */
static int reveal_exact(const reveal_request *request, tool_module *made, const dloc_hidden *hidden) {
  tool_module base = {.context = made->context};
  int result = read_other(request, request->base, &base);
  if (result != TOOL_FINE)
    return result;
  revealing r = {.module = &base};
  dloc_status status = give_layers(&base, made, hidden, NULL, tell, &r);
  result = finish_revealing(&r, request, status);
  dloc_diagnoser_destroy(base.diagnoser);
  dloc_module_destroy(base.module);
  tool_input_close(&base.input);
  return result;
}

/* ---- The locations of one module for each kind become the layers of another: --full ---- */

/* A kind at hand. */
typedef struct kind_module {
  const tool_module *base;
  const char *kind;
  tool_module module;
  size_t function; /* of base, none before which has lost layers since */
  bool *lost;
} kind_module;

static dloc_status tell_function(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  kind_module *k = user;
  const dloc_module *base = k->base->module;
  (void)reason, (void)node;
  while (dloc_module_function(base, k->function)->first_instruction != instruction ||
         !dloc_module_function(base, k->function)->instruction_count)
    k->function++;
  full_tell_lost(&k->module.input, dloc_node_text(k->base->context, dloc_module_function(base, k->function)->name),
                 k->kind);
  *k->lost = true;
  return DLOC_OK;
}

static int add_kind(const reveal_request *request, const tool_module *base, const full_kind *kind, dloc_hidden *hidden,
                    bool *lost) {
  kind_module k = {.base = base, .kind = kind->kind, .module.context = base->context, .lost = lost};
  OWNED(memory_release) char *path = full_path(request->full, kind->name, strrchr(request->base, '.'));
  int result = read_other(request, path, &k.module);
  if (result == TOOL_FINE) {
    dloc_status status = give_layers(base, &k.module, hidden, k.kind, tell_function, &k);
    result = status == DLOC_OK ? TOOL_FINE : tool_failure(status, path);
    dloc_module_destroy(k.module.module);
    tool_input_close(&k.module.input);
  }
  return result;
}

static dloc_status finish(const tool_module *base, const dloc_hidden *hidden) {
  size_t count;
  const dloc_node *sources = dloc_hidden_sources(hidden, &count);
  TRY(dloc_module_add_named(base->module, dloc_text_of(DLOC_SOURCE_LIST), sources, count));
  return dloc_module_drop_unused(base->module);
}

static int reveal_full(const reveal_request *request, tool_module *base, dloc_hidden *hidden) {
  OWNED(full_kinds_free) full_kinds kinds = full_kinds_of(&base->input, base->context, hidden, &request->profile);
  bool lost = false;
  int result = TOOL_FINE;
  for (size_t i = 0; result == TOOL_FINE && i < kinds.count; i++)
    result = add_kind(request, base, &kinds.items[i], hidden, &lost);
  dloc_status status = result == TOOL_FINE ? finish(base, hidden) : DLOC_OK;
  if (status != DLOC_OK)
    return tool_failure(status, base->input.name);
  if (result == TOOL_FINE)
    result = llvm_write_module(base, &request->profile, &request->llvm, request->output);
  return result == TOOL_FINE && lost ? TOOL_VIOLATION : result;
}

/* ---- The command ---- */

/* Its numbers become layers again. */
static int reveal_itself(const reveal_request *request, tool_module *module, const dloc_hidden *hidden) {
  revealing r = {.module = module};
  return finish_revealing(&r, request, dloc_reveal(module->module, hidden, tell, &r));
}

int reveal_module(const reveal_request *request, tool_input *input) {
  if (!llvm_disassemble(&request->llvm, input))
    return TOOL_UNUSABLE;
  tool_module module = {.input = *input};
  dloc_diagnostic diagnostic;
  dloc_status status = tool_module_read(&module, NULL, &diagnostic);
  if (status != DLOC_OK) {
    dloc_context_destroy(module.context);
    return tool_explain(status, &module.input, &diagnostic);
  }
  dloc_hidden *hidden = reveal_tables(request, module.context);
  int result = request->full   ? reveal_full(request, &module, hidden)
               : request->base ? reveal_exact(request, &module, hidden)
                               : reveal_itself(request, &module, hidden);
  dloc_hidden_destroy(hidden);
  dloc_diagnoser_destroy(module.diagnoser);
  dloc_module_destroy(module.module);
  dloc_context_destroy(module.context);
  return result;
}
