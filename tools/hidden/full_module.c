/* full_module.c - `dloc reveal --full` of modules: the locations of one module
 * for each kind become the layers of another. */
#include "full.h"
#include "reveal.h"

#include <stdlib.h>
#include <string.h>

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

static dloc_status give_layers(kind_module *k, const dloc_hidden *hidden) {
  dloc_code_comparer *comparer = NULL;
  TRY(dloc_code_comparer_create(k->base->module, k->module.module, false, &comparer));
  const dloc_exact_options options = {
      .compare = dloc_compare_code, .comparer = comparer, .on_problem = tell_function, .user = k};
  dloc_status status =
      dloc_reveal_kind(k->base->module, k->module.module, hidden, dloc_text_of(k->kind), &options, NULL);
  dloc_code_comparer_destroy(comparer);
  return status;
}

static int add_kind(const reveal_request *request, const tool_module *base, const full_kind *kind, dloc_hidden *hidden,
                    bool *lost) {
  kind_module k = {.base = base, .kind = kind->kind, .module.context = base->context, .lost = lost};
  char *path = full_path(request->full, kind->name, strrchr(request->base, '.'));
  int result = reveal_read(request, path, &k.module);
  if (result == TOOL_FINE) {
    dloc_status status = give_layers(&k, hidden);
    result = status == DLOC_OK ? TOOL_FINE : tool_failure(status, path);
    dloc_module_destroy(k.module.module);
    tool_input_close(&k.module.input);
  }
  free(path);
  return result;
}

static dloc_status finish(const tool_module *base, const dloc_hidden *hidden) {
  size_t count;
  const dloc_node *sources = dloc_hidden_sources(hidden, &count);
  TRY(dloc_module_add_named(base->module, dloc_text_of(DLOC_SOURCE_LIST), sources, count));
  return dloc_module_drop_unused(base->module);
}

int reveal_full(const reveal_request *request, tool_module *base, dloc_hidden *hidden) {
  full_kinds kinds = full_kinds_of(&base->input, base->context, hidden, &request->profile);
  bool lost = false;
  int result = TOOL_FINE;
  for (size_t i = 0; result == TOOL_FINE && i < kinds.count; i++)
    result = add_kind(request, base, &kinds.items[i], hidden, &lost);
  full_kinds_free(&kinds);
  dloc_status status = result == TOOL_FINE ? finish(base, hidden) : DLOC_OK;
  if (status != DLOC_OK)
    return tool_failure(status, base->input.name);
  if (result == TOOL_FINE)
    result = llvm_write_module(base, &request->profile, &request->llvm, request->output);
  return result == TOOL_FINE && lost ? TOOL_VIOLATION : result;
}
