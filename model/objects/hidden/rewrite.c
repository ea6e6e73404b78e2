/* Graphs of nodes that become others: what a table keeps of a module, and what a module gets of a table. */
#include "hidden.h"

#include <string.h>

/* Nodes below a layer that go by their operands. */
static bool has_parts(const dloc_context *context, dloc_node node) {
  switch (node_kind(context, node)) {
  case DLOC_KIND_TUPLE:
  case DLOC_KIND_LOCATION:
  case DLOC_KIND_LEXICAL_BLOCK:
  case DLOC_KIND_LEXICAL_BLOCK_FILE:
  case DLOC_KIND_INTERMEDIATE_SCOPE:
  case DLOC_KIND_LAYER:
  case DLOC_KIND_LAYER_LIST:
    return true;
  default:
    return false;
  }
}

/* Nodes that stay themselves without a look. */
static bool is_plain(const dloc_context *context, dloc_node node) {
  switch (node_kind(context, node)) {
  case DLOC_KIND_NULL:
  case DLOC_KIND_STRING:
  case DLOC_KIND_CONSTANT:
  case DLOC_KIND_TOKEN:
    return true;
  case DLOC_KIND_FILE:
    return !dloc_node_is_distinct(context, node);
  default:
    return false;
  }
}

/* In `done`, what a node is whose operands are on the stack. */
#define OPENED UINT32_MAX

static bool known(const rewriter *r, dloc_node node, dloc_node *ret) {
  if (!is_plain(r->context, node))
    return note_get(&r->done, r->salt, node, ret) && *ret != OPENED;
  *ret = node;
  return true;
}

static size_t payload_size(const dloc_context *context, dloc_node node) {
  const uint32_t *words = node_words(context, node);
  switch (node_kind(context, node)) {
  case DLOC_KIND_TUPLE:
    return 1 + words[0];
  case DLOC_KIND_LOCATION:
    return 4 + (words[1] & LOCATION_HAS_LAYERS ? 1 : 0) + (words[1] & LOCATION_HAS_GROUP ? 2 : 0);
  default:
    return 2 + 2 * (size_t)words[1];
  }
}

/* A node of the same content whose operands are those that its own became. */
static dloc_status copy_node(rewriter *r, dloc_node node, dloc_node *ret) {
  dloc_context *context = r->context;
  size_t size = payload_size(context, node);
  uint32_t *words = NULL;
  TRY(node_begin(context, size, &words));
  memcpy(words, node_words(context, node), size * sizeof *words);
  operand_run run = operands_of(node_kind(context, node), words);
  for (uint32_t i = 0; i < run.count; i++)
    known(r, words[run.first + i * run.stride], &words[run.first + i * run.stride]);
  return node_finish(context, (dloc_kind)node_kind(context, node), dloc_node_is_distinct(context, node), size, ret);
}

static bool operands_changed(const rewriter *r, dloc_node node) {
  const uint32_t *words = node_words(r->context, node);
  operand_run run = operands_of(node_kind(r->context, node), words);
  dloc_node became = DLOC_NULL;
  for (uint32_t i = 0; i < run.count; i++)
    if (known(r, words[run.first + i * run.stride], &became) && became != words[run.first + i * run.stride])
      return true;
  return false;
}

static dloc_status finish(rewriter *r, dloc_node node, dloc_node *ret) {
  bool distinct = dloc_node_is_distinct(r->context, node);
  *ret = node;
  if (!distinct && !operands_changed(r, node))
    return DLOC_OK;
  TRY(copy_node(r, node, ret));
  return distinct && r->distinct ? r->distinct(r->user, node, *ret) : DLOC_OK;
}

/* Put the operands that are not known yet on the stack. */
static dloc_status push_operands(rewriter *r, dloc_node node) {
  operand_run run = operands_of(node_kind(r->context, node), node_words(r->context, node));
  dloc_node became = DLOC_NULL;
  for (uint32_t i = 0; i < run.count; i++) {
    dloc_node operand = node_words(r->context, node)[run.first + i * run.stride];
    if (!known(r, operand, &became))
      TRY(scratch_push(r->context, &r->stack, operand));
  }
  return DLOC_OK;
}

/* One step for the node on top of the stack: known afterwards, or behind its operands. One that is behind them for the
 * second time is below itself (`hide.cycle`). */
static dloc_status step(rewriter *r, dloc_reason *ret_reason) {
  dloc_node node = r->stack.words[r->stack.count - 1], became = DLOC_NULL;
  size_t before = r->stack.count;
  TRY(r->leaf(r->user, node, &became));
  if (!became && has_parts(r->context, node)) {
    TRY(push_operands(r, node));
    if (r->stack.count > before)
      return note_get(&r->done, r->salt, node, &became) ? fail(ret_reason, DLOC_REASON_HIDE_CYCLE)
                                                        : note_set(r->context, &r->done, r->salt, node, OPENED);
    TRY(finish(r, node, &became));
  }
  return note_set(r->context, &r->done, r->salt, node, became ? became : node);
}

dloc_status rewrite(rewriter *r, dloc_node node, dloc_reason *ret_reason, dloc_node *ret) {
  dloc_node became = DLOC_NULL;
  r->stack.count = 0;
  TRY(scratch_push(r->context, &r->stack, node));
  while (r->stack.count)
    if (known(r, r->stack.words[r->stack.count - 1], &became))
      r->stack.count--;
    else
      TRY(step(r, ret_reason));
  *ret = became;
  return DLOC_OK;
}

void rewriter_deinit(rewriter *r) { CONTEXT_FREE(r->context, r->done.items, r->stack.words); }
