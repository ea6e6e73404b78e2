/* SPEC.md, chapter 4: merging DebugLocs, channel by channel. */
#include "merge.h"

/* ---- Layers ---- */

static dloc_status keep_layer(merger *m, dloc_node kind, dloc_node location) {
  PUSH(m->context, m->work->layers, (dloc_layer){kind, location});
  return DLOC_OK;
}

/* `merge.layer.one-sided` */
static dloc_status carry_layer(merger *m, dloc_layer layer) {
  bool keep = DLOC_TAKES(m->profile, MERGE_LAYER_ONE_SIDED, KEEP);
  EXPLAIN(m, MERGE_LAYER_ONE_SIDED, "a layer of one side only: %s", keep ? "carried forward" : "dropped");
  return keep ? keep_layer(m, layer.kind, layer.location) : DLOC_OK;
}

/* `scope.layer.file` */
static dloc_node file_of(const merger *m, dloc_node location) {
  return dloc_scope_file(m->context, location_content(m->context, location).scope);
}

/* Whether a merged layer survives: `merge.layer.divergent`, `merge.layer.line-0`, `merge.layer.foreign-file`. */
static bool layer_survives(merger *m, dloc_node merged, dloc_node a, dloc_node b) {
  if (!merged) {
    EXPLAIN(m, MERGE_LAYER_DIVERGENT, "the layer has no result: dropped");
    return false;
  }
  dloc_location content = location_content(m->context, merged);
  dloc_node file = file_of(m, merged);
  if (content.line == 0)
    EXPLAIN(m, MERGE_LAYER_LINE_0, "the layer is at line 0: kept");
  if (file == file_of(m, a) || file == file_of(m, b))
    return true;
  bool keep = DLOC_TAKES(m->profile, MERGE_LAYER_FOREIGN_FILE, KEEP);
  EXPLAIN(m, MERGE_LAYER_FOREIGN_FILE, "the layer's file is that of neither side: %s", keep ? "kept" : "dropped");
  return keep;
}

/* `merge.layer.place`: what is the same of two places, *ret untouched if nothing is. */
static dloc_status merge_places(merger *m, dloc_node a, dloc_node b, dloc_node *ret) {
  dloc_layer_place first = dloc_place_of_layer(m->context, a), second = dloc_place_of_layer(m->context, b);
  bool same_file = first.file == second.file, same_line = same_file && first.line == second.line;
  bool same = same_line && first.column == second.column;
  if (a == b)
    return give_node(ret, a);
  EXPLAIN(m, MERGE_LAYER_PLACE, same_file ? "two places of one file" : "places of two files");
  if (!same_file)
    return DLOC_TAKES(m->profile, MERGE_LAYER_DIVERGENT, LINE_0) ? merge_line_0(m, a, ret) : DLOC_OK;
  dloc_location place = {.line = same_line ? first.line : 0, .column = same ? first.column : 0};
  place.scope = location_content(m->context, a).scope;
  return dloc_location_create(m->context, false, &place, ret);
}

/* `merge.layer.same-rules`: one channel that both sides have. The rules of locations decide about block files and atoms,
 * too: `merge.layer.block-file`, `merge.atoms.layers`. */
static dloc_status merge_layer(merger *m, dloc_node kind, dloc_node a, dloc_node b) {
  dloc_node merged = DLOC_NULL;
  if (DLOC_TAKES(m->profile, MERGE_LAYER_RULES, PLACE) && !DLOC_TAKES(m->profile, MERGE_PICK, ON))
    TRY(merge_places(m, a, b, &merged));
  else
    TRY(merge_locations(m, a, b, DLOC_TAKES(m->profile, MERGE_LAYER_DIVERGENT, EMPTY), &merged));
  return layer_survives(m, merged, a, b) ? keep_layer(m, kind, merged) : DLOC_OK;
}

static void say_pairing(const merger *m, dloc_node kind) {
  dloc_text text = m->trace ? dloc_node_text(m->context, kind) : (dloc_text){"", 0};
  EXPLAIN(m, MERGE_LAYER_PAIR_BY_KIND, "both sides have a layer \"%.*s\"", (int)(text.size < 64 ? text.size : 64),
          text.bytes);
}

/* `merge.layer.pair-by-kind`, `merge.layer.order`, `merge.layer.repeated`: the first layer of a kind stands for it. */
static dloc_status merge_layers_by_kind(merger *m, const layer_list *a, const layer_list *b) {
  for (size_t i = 0; i < a->count; i++) {
    dloc_layer layer = a->items[i];
    size_t partner = layers_find(b, layer.kind);
    if (layers_find(a, layer.kind) != i || partner == b->count) {
      TRY(carry_layer(m, layer));
      continue;
    }
    say_pairing(m, layer.kind);
    TRY(merge_layer(m, layer.kind, layer.location, b->items[partner].location));
  }
  for (size_t i = 0; i < b->count; i++)
    if (layers_find(b, b->items[i].kind) != i || layers_find(a, b->items[i].kind) == a->count)
      TRY(carry_layer(m, b->items[i]));
  return DLOC_OK;
}

/* PR 205453: the first layer of each side is one channel, whatever the kinds. */
static dloc_status merge_first_layers(merger *m, dloc_node a, dloc_node b) {
  dloc_layer first = first_layer(m->context, m->profile, a), second = first_layer(m->context, m->profile, b);
  if (first.location && second.location)
    return merge_layer(m, first.kind, first.location, second.location);
  dloc_layer only = first.location ? first : second;
  return only.location ? carry_layer(m, only) : DLOC_OK;
}

/* ---- Tuple reconstruction ---- */

/* `merge.tuple.rebuild`, `merge.tuple.bare`, `merge.primary-lost`, `merge.layer.independent` */
static dloc_status rebuild(merger *m, dloc_node primary, dloc_node first_primary, dloc_node *ret) {
  layer_list *layers = &m->work->layers;
  if (layers->count && !primary) {
    if (DLOC_TAKES(m->profile, MERGE_PRIMARY_LOST, DROP))
      layers->count = 0;
    else
      TRY(merge_line_0(m, first_primary, &primary));
    EXPLAIN(m, MERGE_PRIMARY_LOST, "layers without a primary: %s",
            layers->count ? "operand 0 is line 0 in the first scope" : "empty");
  }
  if (DLOC_TAKES(m->profile, MERGE_LAYER_ORDER, SORTED))
    TRY(layers_sort(m->context, layers));
  if (layers->count)
    EXPLAIN(m, MERGE_TUPLE_REBUILD, "%zu surviving layer%s", layers->count, layers->count == 1 ? "" : "s");
  return dloc_debug_loc_create(m->context, primary, layers->items, layers->count, ret);
}

/* ---- Two DebugLocs ---- */

/* Most are, and then nothing is asked of them: each is a DebugLoc, and its own primary. */
static bool is_bare(const merger *m, dloc_node debug_loc) {
  return node_kind(m->context, debug_loc) == DLOC_KIND_LOCATION;
}

/* `merge.empty.*`, `merge.pick.empty` */
static dloc_status merge_with_empty(merger *m, dloc_node other, dloc_node *ret) {
  bool composite = dloc_layer_count(m->context, other) > 0;
  bool keep = DLOC_TAKES(m->profile, MERGE_EMPTY, KEEP_OTHER) ||
              (DLOC_TAKES(m->profile, MERGE_EMPTY, KEEP_COMPOSITE) && composite);
  if (m->trace)
    explain(m->trace, composite ? DLOC_CLAUSE_MERGE_EMPTY_COMPOSITE : DLOC_CLAUSE_MERGE_EMPTY_BARE,
            "one side is empty: %s", keep ? "the other is kept whole" : "empty");
  return give_node(ret, keep ? other : DLOC_NULL);
}

/* `merge.same` */
static bool stays_itself(const merger *m, dloc_node debug_loc) {
  return DLOC_TAKES(m->profile, MERGE_SAME, NODE) ||
         dloc_debug_loc_shape(m->context, debug_loc) != DLOC_SHAPE_COMPOSITE;
}

static dloc_status outermost_subprogram(merger *m, dloc_node location, dloc_node *ret) {
  scratch *chain = &m->work->first;
  TRY(collect_chain(m->context, location, chain, &m->reason));
  dloc_node outermost = chain->words[chain->count - 1];
  return give_node(ret, dloc_scope_subprogram(m->context, location_content(m->context, outermost).scope));
}

/* Choice `merge.layer.pairing`, alternative whole: what a number in the scope of the primary gives. */
static dloc_status merge_whole(merger *m, dloc_node a, dloc_node b, dloc_node primary, dloc_node *ret) {
  dloc_node one = dloc_primary(m->context, a), other = dloc_primary(m->context, b), first, second;
  dloc_node scope = location_content(m->context, primary).scope;
  TRY(outermost_subprogram(m, one, &first));
  TRY(outermost_subprogram(m, other, &second));
  bool divergent = first != second;
  *ret = primary;
  if (!scope || one == a || scope != location_content(m->context, one).scope)
    return DLOC_OK;
  if (!divergent && (other == b || scope != location_content(m->context, other).scope))
    return DLOC_OK;
  TRY(with_primary(m->context, a, primary, &first));
  TRY(with_primary(m->context, divergent ? a : b, primary, &second));
  return give_node(ret, first == second ? first : primary);
}

/* `merge.empty.both`, `merge.same`, `merge.layer.order` */
static dloc_status merge_two(merger *m, dloc_node a, dloc_node b, dloc_node *ret) {
  if (a == b && stays_itself(m, a)) {
    if (a)
      EXPLAIN(m, MERGE_SAME, "the same node on both sides");
    else
      EXPLAIN(m, MERGE_EMPTY_BOTH, "both are empty");
    return give_node(ret, a);
  }
  if (!a || !b)
    return merge_with_empty(m, a ? a : b, ret);
  bool divergent_is_empty = DLOC_TAKES(m->profile, MERGE_DIVERGENT, EMPTY);
  if (is_bare(m, a) && is_bare(m, b)) /* `merge.list.frame`: locations have their layers with them */
    return merge_locations(m, a, b, divergent_is_empty, ret);
  dloc_node first = dloc_primary(m->context, a), second = dloc_primary(m->context, b), primary = DLOC_NULL;
  merge_work *work = m->work;
  TRY(layers_read(m->context, a, &work->first_layers));
  TRY(layers_read(m->context, b, &work->second_layers));
  TRY(merge_locations(m, first, second, divergent_is_empty, &primary));
  if (DLOC_TAKES(m->profile, MERGE_LAYER_PAIRING, WHOLE))
    return merge_whole(m, a, b, primary, ret);
  work->layers.count = 0;
  if (DLOC_TAKES(m->profile, MERGE_LAYER_PAIRING, BY_KIND))
    TRY(merge_layers_by_kind(m, &work->first_layers, &work->second_layers));
  else
    TRY(merge_first_layers(m, a, b));
  return rebuild(m, primary, first, ret);
}

/* `merge.n-way` */
static dloc_status merge_all(merger *m, const dloc_node *debug_locs, size_t count, dloc_node *ret) {
  for (size_t i = 0; i < count; i++)
    if (!is_bare(m, debug_locs[i]))
      TRY(check_operand(m->context, m->profile, debug_locs[i], &m->reason));
  dloc_node merged = count ? debug_locs[0] : DLOC_NULL;
  for (size_t i = 1; i < count; i++) {
    if (!merged && i > 1 && DLOC_TAKES(m->profile, MERGE_N_WAY, STOP_AT_EMPTY))
      break;
    if (count > 2)
      EXPLAIN(m, MERGE_N_WAY, "location %zu of %zu", i + 1, count);
    TRY(merge_two(m, merged, debug_locs[i], &merged));
  }
  return give_node(ret, merged);
}

dloc_status dloc_merge(dloc_context *context, const dloc_profile *profile, const dloc_node *debug_locs, size_t count,
                       const dloc_trace *trace, dloc_reason *ret_reason, dloc_node *ret) {
  merger m = {.context = context, .profile = profile, .trace = trace, .work = &context->merging};
  dloc_node merged = DLOC_NULL;
  dloc_status status = merge_all(&m, debug_locs, count, &merged);
  if (status == DLOC_OK)
    *ret = merged;
  return status == DLOC_INVALID ? fail(ret_reason, m.reason) : status;
}
