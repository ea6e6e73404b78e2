/* spec/transformations.md, chapter 5.8: the locations of code that becomes a function of its own. */
#include "layers.h"

typedef struct outliner {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_node subprogram; /* of the new function */
  scratch chain;        /* frames, then blocks, of the location that is outlined */
  dloc_reason *ret_reason;
} outliner;

/* `outline.scope`: the blocks between a scope and its subprogram, in the new one. Those that are there already are
 * kept with the scopes. */
static dloc_status outline_scope(outliner *o, dloc_node scope, dloc_node *ret) {
  size_t base = o->chain.count;
  uint32_t index;
  dloc_status status = scope_find(o->context, scope, &index);
  if (status == DLOC_INVALID)
    return fail(o->ret_reason, DLOC_REASON_OPERAND_BROKEN_SCOPE);
  TRY(status);
  dloc_node subprogram = scope_at(o->context, index)->subprogram;
  for (; scope != subprogram && scope_known(o->context, scope)->outlined_to != o->subprogram;
       scope = dloc_scope_parent(o->context, scope))
    TRY(scratch_push(o->context, &o->chain, scope));
  *ret = scope == subprogram ? o->subprogram : scope_known(o->context, scope)->outlined;
  while (o->chain.count > base) {
    known_scope *block = scope_known(o->context, o->chain.words[--o->chain.count]);
    TRY(copy_block(o->context, block->node, *ret, ret));
    block->outlined_to = o->subprogram;
    block->outlined = *ret;
  }
  return DLOC_OK;
}

/* `outline.location`, `outline.list` */
static dloc_status outline_frame(outliner *o, dloc_node old, dloc_node scope, dloc_node inlined_at, dloc_node *ret) {
  dloc_location content = dloc_location_get(o->context, old);
  dloc_location outlined = {.line = content.line, .column = content.column, .scope = scope, .inlined_at = inlined_at};
  if (!DLOC_TAKES(o->profile, OUTLINE_LAYERS, DROP))
    outlined.layers = content.layers;
  return dloc_location_create(o->context, false, &outlined, ret);
}

/* `outline.chain`; `outline.chain.llvm-14` */
static dloc_status outline_location(void *user, dloc_node old, dloc_node *ret) {
  outliner *o = user;
  dloc_node outer = DLOC_NULL;
  TRY(collect_chain(o->context, old, &o->chain, o->ret_reason));
  if (DLOC_TAKES(o->profile, OUTLINE_CHAIN, FLATTEN))
    return outline_frame(o, old, o->subprogram, DLOC_NULL, ret);
  for (size_t count = o->chain.count, i = count; i-- > 0;) {
    dloc_node frame = o->chain.words[i], scope = dloc_location_get(o->context, frame).scope;
    if (i + 1 == count)
      TRY(outline_scope(o, scope, &scope));
    TRY(outline_frame(o, frame, scope, outer, &outer));
  }
  return give_node(ret, outer);
}

/* `outline.layers` */
dloc_status dloc_outline(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_node subprogram,
                         dloc_reason *ret_reason, dloc_node *ret) {
  TRY(check_operand(context, profile, debug_loc, ret_reason));
  if (subprogram == DLOC_NULL || debug_loc == DLOC_NULL)
    return give_node(ret, DLOC_NULL); /* `outline.function`, `outline.empty` */
  outliner o = {.context = context, .profile = profile, .subprogram = subprogram, .ret_reason = ret_reason};
  OWNED_MEMORY(context, &o.chain.words);
  dloc_node primary;
  TRY(outline_location(&o, dloc_primary(context, debug_loc), &primary));
  if (DLOC_TAKES(profile, OUTLINE_LAYERS, DROP))
    return give_node(ret, primary);
  bool rebased = DLOC_TAKES(profile, OUTLINE_LAYERS, REBASED);
  return map_layers(context, debug_loc, primary, rebased ? outline_location : NULL, &o, ret);
}
