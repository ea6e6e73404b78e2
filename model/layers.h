/* Private to model/: what `!dbg` holds, whatever the form it is written in: a primary and layers, each a kind and a
 * place. Only form_*.c and the end of this header know what a form looks like: a tuple has what is asked of a whole
 * DebugLoc, a list the rest. */
#pragma once

#include "nodes/metadata.h"

/* `shape.minimum`, `shape.other`: what an operation takes at all. DLOC_INVALID with the reason (may be NULL) for other
 * nodes. */
dloc_status check_operand(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc,
                          dloc_reason *ret_reason);
/* dloc_next_layer for the layers of a tuple only. */
bool next_pair(const dloc_context *context, dloc_node debug_loc, size_t *cursor, dloc_layer *ret);
/* The first of them, by `accessor.not-a-layer`; without a location when there is none. */
dloc_layer first_layer(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc);
/* dloc_next_layer for the layers that bitcode keeps (`bitcode.layers`). */
bool next_written_layer(const dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, size_t *cursor,
                        dloc_layer *ret);

/* A list of more layers than this finds kinds through its map. */
enum { FEW_LAYERS = 8 };
/* Read all layers of a tuple into a list. */
dloc_status layers_read(dloc_context *context, dloc_node debug_loc, layer_list *list) PRIVATE(layers_read);
/* The index of the first layer of a kind in a list that was read; the list's count when there is none. */
size_t layers_find(const layer_list *list, dloc_node kind);
/* Sort by the bytes of the kinds; layers of one kind keep their order. */
dloc_status layers_sort(dloc_context *context, layer_list *list);

/* A DebugLoc with this primary and, of the layers of another, those of the same kinds with the locations that `change`
 * gives; NULL: their own. */
typedef dloc_status change_location(void *user, dloc_node location, dloc_node *ret);
dloc_status map_layers(dloc_context *context, dloc_node debug_loc, dloc_node primary, change_location *change,
                       void *user, dloc_node *ret);
/* Put another primary before what stands behind it, be it layers or not. A tuple of a primary alone becomes bare;
 * replace_primary leaves it a tuple. */
dloc_status with_primary(dloc_context *context, dloc_node debug_loc, dloc_node primary, dloc_node *ret);
dloc_status replace_primary(dloc_context *context, dloc_node debug_loc, dloc_node primary, dloc_node *ret)
    PRIVATE(replace_primary);
/* A distinct composite of the same content; what is none, such as one whose layers are gone, stays as it is. */
dloc_status distinct_composite(dloc_context *context, dloc_node debug_loc, dloc_node *ret) PRIVATE(distinct_composite);
/* Whether two locations, or two that are DLOC_NULL, have the same line, column, scope and inlinedAt. */
bool same_position(const dloc_context *context, dloc_node first, dloc_node second);
/* Whether two DebugLocs have the same layers, by `equal.order`. */
bool same_layers(const dloc_context *context, dloc_node a, dloc_node b);

/* The atom groups of copied instructions: each becomes a fresh one, the same for all that share it. */
typedef struct atom_map {
  map groups;     /* how many groups after the first fresh one */
  uint64_t first; /* the fresh group that comes next, before any was taken */
} atom_map;
/* `inline.probe-discriminator`: the DebugLoc, without the discriminator of a pseudo probe. */
dloc_status without_probe(dloc_context *context, const dloc_profile *profile, dloc_node debug_loc, dloc_node *ret);
dloc_status renew_atom(dloc_context *context, const dloc_profile *profile, atom_map *atoms, dloc_location *content);

/* A uniqued DILayerLoc. */
dloc_status layer_create(dloc_context *context, dloc_node kind, dloc_layer_place place, dloc_node *ret)
    PRIVATE(layer_create);
/* A DILayerLocList of these layers, which do not lie in the context's pool. */
dloc_status layer_list_create(dloc_context *context, bool distinct, const dloc_node *layers, size_t count,
                              dloc_node *ret) PRIVATE(layer_list_create);

/* ---- What verification asks ---- */

/* Why a node is no DebugLoc; of one that is, why a profile may reject it all the same. */
dloc_reason debug_loc_fault(const dloc_context *context, dloc_node node);

/* ---- The form tuple (form_tuple.c): a DebugLoc of its own ---- */

/* Why a tuple is no DebugLoc. `shape.minimum`, `shape.distinct` */
static inline dloc_reason tuple_fault(const dloc_context *context, dloc_node tuple) {
  if (operand_count(context, tuple) == 0)
    return DLOC_REASON_SHAPE_NO_OPERANDS;
  if (node_kind(context, operand_at(context, tuple, 0)) != DLOC_KIND_LOCATION)
    return DLOC_REASON_SHAPE_PRIMARY_NOT_LOCATION;
  return DLOC_REASON_NONE;
}
/* Whether a node is a tuple that is a DebugLoc. */
static inline bool is_composite(const dloc_context *context, dloc_node node) {
  return node_kind(context, node) == DLOC_KIND_TUPLE && tuple_fault(context, node) == DLOC_REASON_NONE;
}
/* How many operands stand behind the primary, layers or not. */
static inline size_t entry_count(const dloc_context *context, dloc_node debug_loc) {
  return is_composite(context, debug_loc) ? operand_count(context, debug_loc) - 1 : 0;
}
/* What one of them has where a kind and a location would stand: DLOC_NULL for anything else. Returns how many operands
 * it has. */
static inline size_t parts_at(const dloc_context *context, dloc_node debug_loc, size_t index, dloc_layer *ret) {
  dloc_node pair = operand_at(context, debug_loc, 1 + index);
  size_t count = operand_count(context, pair);
  const dloc_node *parts = node_words(context, pair) + 1;
  ret->kind = count > 0 && node_kind(context, parts[0]) == DLOC_KIND_STRING ? parts[0] : DLOC_NULL;
  ret->location = count > 1 && node_kind(context, parts[1]) == DLOC_KIND_LOCATION ? parts[1] : DLOC_NULL;
  return count;
}
/* `shape.layer`: a two-operand tuple of a string and a DILocation. DLOC_REASON_NONE, or why it is none. */
static inline dloc_reason entry_at(const dloc_context *context, dloc_node debug_loc, size_t index, dloc_layer *ret) {
  dloc_layer layer;
  if (node_kind(context, operand_at(context, debug_loc, 1 + index)) != DLOC_KIND_TUPLE)
    return DLOC_REASON_SHAPE_LAYER_NOT_TUPLE;
  if (parts_at(context, debug_loc, index, &layer) != 2)
    return DLOC_REASON_SHAPE_LAYER_ARITY;
  if (!layer.kind)
    return DLOC_REASON_SHAPE_KIND_NOT_STRING;
  if (!layer.location)
    return DLOC_REASON_SHAPE_LAYER_NOT_LOCATION;
  *ret = layer;
  return DLOC_REASON_NONE;
}

/* ---- The form irlayers (form_irlayers.c): a list that any location of a chain may have ---- */

/* The list that a location has, or that a node is; DLOC_NULL: none. */
dloc_node list_of(const dloc_context *context, dloc_node node);
/* dloc_next_layer for a list. */
bool next_listed(const dloc_context *context, dloc_node list, size_t *cursor, dloc_layer *ret);
dloc_layer_place place_of_listed(const dloc_context *context, dloc_node layer);
