/* SPEC.md, chapter 5: what happens to the locations of a callee at one inlined call. */
#include "layers.h"

/* New chain nodes, and new distinct locations, by old ones, ending at one call site. The primary has one; the layers
 * have one when layers get chains at all. */
typedef struct chain_map {
  dloc_node call_site; /* DLOC_NULL: there is no such channel at the call */
  map rebuilt;
} chain_map;

/* The new node for an old one. */
enum { AS_FRAME, AS_LOCATION };

struct dloc_inliner {
  dloc_context *context;
  const dloc_profile *profile;
  dloc_call_site site;
  const dloc_trace *trace;
  dloc_node call_location; /* what unlocated instructions get: the call's DebugLoc without atoms */
  chain_map primary;
  chain_map layer;
  scratch chain; /* frames of one chain that are not rebuilt yet, innermost first */
};

/* ---- The call site ---- */

/* A distinct node of a frame's line, column, scope and, if it has any, layers: `inline.call-site`, `inline.chain`,
 * `inline.implicit`. */
static dloc_status distinct_frame(dloc_inliner *inliner, dloc_node frame, dloc_node inlined_at, dloc_node list,
                                  dloc_node *ret) {
  dloc_location old = dloc_location_get(inliner->context, frame);
  dloc_location content = {
      .line = old.line, .column = old.column, .scope = old.scope, .inlined_at = inlined_at, .layers = list};
  return dloc_location_create(inliner->context, true, &content, ret);
}

/* The list of a location whose node is made anew: `inline.list.own`, `inline.list.call-site`. */
static dloc_node kept_list(const dloc_inliner *inliner, const dloc_location *old) {
  return DLOC_TAKES(inliner->profile, INLINE_LISTS, KEEP) ? old->layers : DLOC_NULL;
}

/* `inline.call-site`, `inline.list.call-site` */
static dloc_status call_site_of(dloc_inliner *inliner, dloc_node location, dloc_node *ret) {
  dloc_location old = dloc_location_get(inliner->context, location);
  return distinct_frame(inliner, location, old.inlined_at, kept_list(inliner, &old), ret);
}

/* The call's DebugLoc without atoms, as `inline.nodebug-callee` and `inline.no-line-tables` hand it out. */
static dloc_status location_of_call(dloc_inliner *inliner, dloc_node *ret) {
  dloc_node debug_loc = inliner->site.debug_loc, primary = dloc_primary(inliner->context, debug_loc);
  bool no_line_tables = inliner->site.caller_no_inline_line_tables;
  bool whole = no_line_tables ? DLOC_TAKES(inliner->profile, INLINE_NO_LINE_TABLES, WHOLE)
                              : DLOC_TAKES(inliner->profile, INLINE_NODEBUG_CALLEE, WHOLE);
  bool first = no_line_tables ? DLOC_TAKES(inliner->profile, INLINE_NO_LINE_TABLES, FIRST)
                              : DLOC_TAKES(inliner->profile, INLINE_NODEBUG_CALLEE, FIRST);
  dloc_location content = dloc_location_get(inliner->context, primary);
  bool loses_layers = content.layers && !whole && !first; /* `inline.list.call` */
  bool changes = content.atom_group || content.atom_rank || loses_layers;
  if (changes) {
    content.atom_group = content.atom_rank = 0;
    content.layers = loses_layers ? DLOC_NULL : content.layers;
    TRY(dloc_location_create(inliner->context, false, &content, &primary));
  }
  dloc_layer layer = first_layer(inliner->context, inliner->profile, debug_loc);
  if (first && layer.location)
    return dloc_debug_loc_create(inliner->context, primary, &layer, 1, ret);
  if (whole && changes)
    return with_primary(inliner->context, debug_loc, primary, ret);
  return give_node(ret, whole ? debug_loc : primary);
}

/* `inline.no-location` */
static dloc_status prepare(dloc_inliner *inliner) {
  dloc_context *context = inliner->context;
  dloc_node debug_loc = inliner->site.debug_loc;
  if (!debug_loc) {
    EXPLAIN(inliner, INLINE_NO_LOCATION, "the call has no location: nothing is touched");
    return DLOC_OK;
  }
  if (!dloc_primary(context, debug_loc))
    return DLOC_INVALID;
  TRY(call_site_of(inliner, dloc_primary(context, debug_loc), &inliner->primary.call_site));
  EXPLAIN(inliner, INLINE_CALL_SITE, "a distinct node for this call");
  dloc_node layer = first_layer(context, inliner->profile, debug_loc).location;
  bool chains = DLOC_TAKES(inliner->profile, INLINE_LAYERS, CHAIN);
  if (layer && chains)
    TRY(call_site_of(inliner, layer, &inliner->layer.call_site));
  return location_of_call(inliner, &inliner->call_location);
}

dloc_status dloc_inliner_create(dloc_context *context, const dloc_profile *profile, const dloc_call_site *site,
                                const dloc_trace *trace, dloc_inliner **ret) {
  CREATE(context, dloc_inliner, inliner, .context = context, .profile = profile, .site = *site, .trace = trace);
  RETURN_MADE(prepare(inliner), inliner, dloc_inliner_destroy, ret);
}

void dloc_inliner_destroy(dloc_inliner *inliner) {
  if (inliner)
    CONTEXT_FREE(inliner->context, inliner->primary.rebuilt.entries, inliner->layer.rebuilt.entries,
                 inliner->chain.words, inliner);
}

/* ---- Chains ---- */

/* `inline.chain`, `inline.chain.cached`, `inline.list.call-site`: the new node for a frame of the callee's chain; for none, the call site. */
static dloc_status rebuild_chain(dloc_inliner *inliner, chain_map *chains, dloc_node frame, dloc_node *ret) {
  dloc_context *context = inliner->context;
  dloc_node outer = chains->call_site;
  inliner->chain.count = 0;
  for (; frame && !map_get(&chains->rebuilt, frame, AS_FRAME, &outer);
       frame = dloc_location_get(context, frame).inlined_at) {
    if (dloc_node_kind(context, frame) != DLOC_KIND_LOCATION || inliner->chain.count > dloc_node_limit(context))
      return DLOC_INVALID;
    TRY(scratch_push(context, &inliner->chain, frame));
  }
  while (inliner->chain.count) {
    dloc_node old = inliner->chain.words[--inliner->chain.count];
    dloc_node list = dloc_location_get(context, old).layers;
    TRY(distinct_frame(inliner, old, outer, list, &outer));
    TRY(map_add(context, &chains->rebuilt, old, AS_FRAME, outer, NULL));
    EXPLAIN(inliner, INLINE_CHAIN, "a frame of the chain is rebuilt as a distinct node");
  }
  return give_node(ret, outer);
}

/* `inline.primary`, `inline.uniqued`, `inline.implicit`; of a layer with a chain, the choice
 * `inline.layers`. `inline.list.own` */
static dloc_status inline_location(dloc_inliner *inliner, chain_map *chains, dloc_node location, dloc_node *ret) {
  dloc_location content = dloc_location_get(inliner->context, location);
  bool distinct = DLOC_TAKES(inliner->profile, INLINE_HEAD, DISTINCT);
  if (distinct && map_get(&chains->rebuilt, location, AS_LOCATION, ret)) /* `inline.uniqued` */
    return DLOC_OK;
  TRY(rebuild_chain(inliner, chains, content.inlined_at, &content.inlined_at));
  if (DLOC_TAKES(inliner->profile, INLINE_IMPLICIT, DROP))
    content.implicit = false;
  content.layers = kept_list(inliner, &content);
  if (chains == &inliner->layer)
    content.atom_group = content.atom_rank = 0;
  TRY(dloc_location_create(inliner->context, distinct, &content, ret));
  return distinct ? map_add(inliner->context, &chains->rebuilt, location, AS_LOCATION, *ret, NULL) : DLOC_OK;
}

/* ---- DebugLocs ---- */

/* Choice `inline.layers`, alternative chain: the first layer only, with a
 * chain of its own when the call has a layer. */
static dloc_status inline_first_layer(dloc_inliner *inliner, dloc_node debug_loc, dloc_node primary, dloc_node *ret) {
  dloc_layer layer = first_layer(inliner->context, inliner->profile, debug_loc);
  if (layer.location && inliner->layer.call_site)
    TRY(inline_location(inliner, &inliner->layer, layer.location, &layer.location));
  return dloc_debug_loc_create(inliner->context, primary, &layer, layer.location ? 1 : 0, ret);
}

/* `inline.layers`, `inline.call-layers`: a DebugLoc of the callee; not empty. */
static dloc_status inline_debug_loc(dloc_inliner *inliner, dloc_node debug_loc, dloc_node *ret) {
  dloc_node primary = dloc_primary(inliner->context, debug_loc);
  if (!primary)
    return DLOC_INVALID;
  TRY(inline_location(inliner, &inliner->primary, primary, &primary));
  EXPLAIN(inliner, INLINE_PRIMARY, "the primary gains the call site");
  if (dloc_debug_loc_shape(inliner->context, debug_loc) == DLOC_SHAPE_BARE)
    return give_node(ret, primary);
  EXPLAIN(inliner, INLINE_LAYERS, "layers are handed on");
  return DLOC_TAKES(inliner->profile, INLINE_LAYERS, CHAIN) ? inline_first_layer(inliner, debug_loc, primary, ret)
                                                            : with_primary(inliner->context, debug_loc, primary, ret);
}

/* `inline.call-layers`: a DebugLoc of an instruction. */
static dloc_status inline_located(dloc_inliner *inliner, dloc_node debug_loc, dloc_node *ret) {
  dloc_context *context = inliner->context;
  dloc_node call = inliner->site.debug_loc, inlined = DLOC_NULL;
  TRY(inline_debug_loc(inliner, debug_loc, &inlined));
  bool inherits = DLOC_TAKES(inliner->profile, INLINE_CALL_LAYERS, INHERIT) && dloc_layer_count(context, inlined) == 0;
  if (inherits && dloc_layer_count(context, call) > 0) {
    EXPLAIN(inliner, INLINE_CALL_LAYERS, "it gets the call's layers, having none");
    return map_layers(context, call, dloc_primary(context, inlined), NULL, NULL, ret);
  }
  return give_node(ret, inlined);
}

/* `inline.alloca` */
static bool never_attributed(const dloc_inliner *inliner, dloc_instruction_class instruction) {
  return instruction == DLOC_INSTRUCTION_STATIC_ALLOCA ||
         (instruction == DLOC_INSTRUCTION_PSEUDO_PROBE && DLOC_TAKES(inliner->profile, INLINE_PSEUDO_PROBE, KEEP));
}

/* `inline.probe-discriminator` */
static dloc_status receive_call_location(dloc_inliner *inliner, dloc_instruction_class instruction, dloc_node *ret) {
  bool loses_probe =
      instruction == DLOC_INSTRUCTION_ANY_CALL && DLOC_TAKES(inliner->profile, INLINE_PROBE_DISCRIMINATOR, CALLS_DROP);
  return loses_probe ? without_probe(inliner->context, inliner->profile, inliner->call_location, ret)
                     : give_node(ret, inliner->call_location);
}

/* `inline.instruction-without-location`, `inline.nodebug-callee.located`, `inline.no-line-tables`,
 * `inline.no-line-tables.alloca` */
dloc_status dloc_inline_instruction(dloc_inliner *inliner, dloc_instruction_class instruction, dloc_node debug_loc,
                                    dloc_node *ret) {
  bool no_line_tables = inliner->site.caller_no_inline_line_tables;
  if (!inliner->site.debug_loc)
    return give_node(ret, debug_loc);
  if (debug_loc && !no_line_tables)
    return inline_located(inliner, debug_loc, ret);
  if (!no_line_tables && inliner->site.callee_has_subprogram &&
      DLOC_TAKES(inliner->profile, INLINE_INSTRUCTION_WITHOUT_LOCATION, STAYS)) {
    EXPLAIN(inliner, INLINE_INSTRUCTION_WITHOUT_LOCATION, "the callee has a subprogram: stays without");
    return give_node(ret, debug_loc);
  }
  if (never_attributed(inliner, instruction)) {
    EXPLAIN(inliner, INLINE_ALLOCA, "a static alloca or pseudo-probe: left as it is");
    return give_node(ret, debug_loc);
  }
  if (no_line_tables)
    EXPLAIN(inliner, INLINE_NO_LINE_TABLES, "attributed to the call");
  else
    EXPLAIN(inliner, INLINE_NODEBUG_CALLEE, "attributed to the call");
  return receive_call_location(inliner, instruction, ret);
}

/* `inline.record` */
dloc_status dloc_inline_record(dloc_inliner *inliner, dloc_node location, dloc_node *ret) {
  if (!inliner->site.debug_loc)
    return give_node(ret, location);
  if (inliner->site.caller_no_inline_line_tables) {
    EXPLAIN(inliner, INLINE_NO_LINE_TABLES, "the record is deleted");
    return give_node(ret, DLOC_NULL);
  }
  EXPLAIN(inliner, INLINE_RECORD, "the record gains the call site");
  return inline_debug_loc(inliner, location, ret);
}

/* ---- Loops ---- */

/* An operand of a loop id: a location is inlined, anything else is kept; so is a composite, by choice
 * `inline.loop`. `inline.no-line-tables.loop` */
static dloc_status inline_loop_operand(dloc_inliner *inliner, dloc_node operand, dloc_node *ret) {
  dloc_shape shape = dloc_debug_loc_shape(inliner->context, operand);
  bool untouched = DLOC_TAKES(inliner->profile, INLINE_LOOP, UNTOUCHED);
  *ret = operand;
  if (shape != DLOC_SHAPE_BARE && (shape != DLOC_SHAPE_COMPOSITE || untouched))
    return DLOC_OK;
  return inline_debug_loc(inliner, operand, ret);
}

/* `inline.loop`: a new distinct tuple whose operand 0 is itself. */
dloc_status dloc_inline_loop(dloc_inliner *inliner, dloc_node loop, dloc_node *ret) {
  if (!inliner->site.debug_loc || dloc_operand_count(inliner->context, loop) == 0)
    return give_node(ret, loop);
  scratch operands = {0};
  OWNED_MEMORY(inliner->context, &operands.words);
  dloc_node operand = DLOC_NULL, copy = DLOC_NULL;
  TRY(scratch_push(inliner->context, &operands, DLOC_NULL));
  for (size_t i = 1; i < dloc_operand_count(inliner->context, loop); i++) {
    TRY(inline_loop_operand(inliner, dloc_operand(inliner->context, loop, i), &operand));
    TRY(scratch_push(inliner->context, &operands, operand));
  }
  TRY(dloc_tuple(inliner->context, true, operands.words, operands.count, &copy));
  TRY(dloc_set_operand(inliner->context, copy, 0, copy));
  EXPLAIN(inliner, INLINE_LOOP, "a new distinct loop id");
  return give_node(ret, copy);
}
