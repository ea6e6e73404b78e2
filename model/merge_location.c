/* SPEC.md, chapter 4: merging two DILocations by the rules of LLVM 22, 19 or 14. */
#include "merge.h"

/* `merge.divergent`, `merge.list.divergent`: a list goes. */
dloc_status merge_line_0(merger *m, dloc_node location, dloc_node *ret) {
  dloc_location old = location_content(m->context, location);
  dloc_location content = {.line = 0, .scope = old.scope};
  uint32_t number = scope_number(m->context, old.scope);
  return number ? scope_location(m->context, number - 1, &content, ret)
                : dloc_location_create(m->context, false, &content, ret);
}

/* ---- The pick flag ---- */

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static dloc_text file_text(const merger *m, dloc_node scope, size_t field) {
  dloc_node file = dloc_scope_file(m->context, scope);
  return dloc_node_text(m->context, node_field(m->context, file, m->context->field_keys[field]));
}

/* `merge.pick` */
static dloc_node pick(const merger *m, dloc_node a, dloc_node b) {
  dloc_location l = location_content(m->context, a);
  dloc_location r = location_content(m->context, b);
  int order = compare_numbers(l.line, r.line);
  if (!order)
    order = compare_numbers(l.column, r.column);
  if (!order)
    order = compare_numbers(dloc_location_discriminator(m->context, a), dloc_location_discriminator(m->context, b));
  if (!order)
    order = dloc_text_compare(file_text(m, l.scope, FIELD_FILE_filename), file_text(m, r.scope, FIELD_FILE_filename));
  if (!order)
    order = dloc_text_compare(file_text(m, l.scope, FIELD_FILE_directory), file_text(m, r.scope, FIELD_FILE_directory));
  dloc_node picked = order < 0 ? a : b;
  EXPLAIN(m, MERGE_PICK, "the %s location is taken untouched", picked == a ? "first" : "second");
  return picked;
}

/* ---- Chains of inlinedAt ---- */

/* A location of a chain, and what aligns it. */
typedef struct frame {
  dloc_node node;
  dloc_node inlined_at;
  uint32_t scope; /* its index among the known ones */
} frame;

/* A frame of each chain, i and j. */
typedef struct pair {
  frame first, second;
  size_t i, j;
} pair;

static inline dloc_status read_frame(merger *m, dloc_node node, frame *ret) {
  ret->node = node;
  ret->inlined_at = location_read(m->context, node).inlined_at;
  dloc_status status = scope_of_location(m->context, node, &ret->scope);
  return status == DLOC_INVALID ? fail(&m->reason, DLOC_REASON_OPERAND_BROKEN_SCOPE) : status;
}

static inline dloc_status read_pair(merger *m, pair *at) {
  TRY(read_frame(m, m->work->first.words[at->i], &at->first));
  return read_frame(m, m->work->second.words[at->j], &at->second);
}

static inline bool same_subprogram(const merger *m, const pair *at) {
  return scope_at(m->context, at->first.scope)->subprogram == scope_at(m->context, at->second.scope)->subprogram;
}

/* `merge.chain.align`: find the innermost location of the second chain whose (subprogram, inlinedAt) also occurs in the
 * first. Two locations of one inlinedAt have equally long chains above them, so only those at the same distance from
 * the end can match. */
static dloc_status align_chains(merger *m, pair *at, bool *ret_found) {
  size_t first = m->work->first.count, second = m->work->second.count;
  at->i = first > second ? first - second : 0;
  at->j = second > first ? second - first : 0;
  for (; at->i < first; at->i++, at->j++) {
    TRY(read_pair(m, at));
    if (same_subprogram(m, at) && at->first.inlined_at == at->second.inlined_at) {
      *ret_found = true;
      return DLOC_OK;
    }
  }
  return DLOC_OK;
}

/* `merge.scope`: the nearest scope that contains both, which have one subprogram; each is an index. */
static uint32_t nearest_common_scope(const merger *m, uint32_t a, uint32_t b) {
  while (a != b && (scope_at(m->context, a)->depth || scope_at(m->context, b)->depth)) {
    const known_scope *first = scope_at(m->context, a), *second = scope_at(m->context, b);
    if (first->depth > second->depth)
      a = first->parent;
    else
      b = second->parent;
  }
  return a;
}

/* ---- The different-file rule ---- */

/* `merge.file.places`: the scope's own line and column replace those inherited from below, except for scopes that only
 * name a file. */
static scope_place place_of(const merger *m, dloc_node scope, scope_place below) {
  dloc_kind kind = node_kind(m->context, scope);
  if (kind != DLOC_KIND_SUBPROGRAM && kind != DLOC_KIND_LEXICAL_BLOCK)
    return (scope_place){scope, below.line, below.column};
  return (scope_place){scope, node_number(m->context, scope, FIELD_LEXICAL_BLOCK_line),
                       node_number(m->context, scope, FIELD_LEXICAL_BLOCK_column)};
}

static uint64_t place_key(scope_place at) { return (uint64_t)at.line << 32 | at.column; }

/* The places of the first location's scopes, inside out, in m->work->climb; m->work->places maps (file, line, column) to
 * the index of the innermost one there. */
static dloc_status collect_places(merger *m, dloc_location location) {
  m->work->climb.count = 0;
  map_clear(&m->work->places);
  scope_place at = {DLOC_NULL, location.line, location.column};
  for (dloc_node scope = location.scope;; scope = dloc_scope_parent(m->context, scope)) {
    at = place_of(m, scope, at);
    TRY(map_add(m->context, &m->work->places, place_key(at), dloc_scope_file(m->context, scope),
                (uint32_t)m->work->climb.count, NULL));
    PUSH(m->context, m->work->climb, at);
    if (node_kind(m->context, scope) == DLOC_KIND_SUBPROGRAM)
      return DLOC_OK;
  }
}

/* `merge.file.match`, `merge.file.prefer`: The first place on the way up from the second location where the first
 * location has one too. The matched scope is the second's when it is one of the first's at that place, otherwise the
 * innermost of the first's. */
static scope_place match_place(const merger *m, const frame *second) {
  size_t depth_first = m->work->climb.count - 1;
  size_t depth = scope_at(m->context, second->scope)->depth;
  dloc_location content = location_content(m->context, second->node);
  scope_place at = {DLOC_NULL, content.line, content.column};
  for (dloc_node scope = content.scope;; scope = dloc_scope_parent(m->context, scope), depth--) {
    at = place_of(m, scope, at);
    uint32_t innermost = 0;
    if (!map_get(&m->work->places, place_key(at), dloc_scope_file(m->context, scope), &innermost))
      continue; /* ends at the subprogram, which both sides have at the same place */
    if (depth <= depth_first) {
      scope_place same_depth = m->work->climb.items[depth_first - depth];
      if (same_depth.scope == scope && place_key(same_depth) == place_key(at))
        return at;
    }
    return m->work->climb.items[innermost];
  }
}

/* `merge.file.*`. The result's scope is the nearest common scope, which has that file, and becomes the one to merge in;
 * *ret_done when the places decide on the line and column as well. */
static dloc_status different_files(merger *m, const frame *first, const frame *second, dloc_node file,
                                   dloc_location *result, bool *ret_done) {
  dloc_node file1 = scope_at(m->context, first->scope)->file, file2 = scope_at(m->context, second->scope)->file;
  if (file == file1 && file1 == file2)
    return DLOC_OK;
  EXPLAIN(m, MERGE_FILE_APPLIES, "the files of the locations and of their nearest common scope differ");
  TRY(collect_places(m, location_content(m->context, first->node)));
  scope_place at = match_place(m, second);
  EXPLAIN(m, MERGE_FILE_MATCH, "both sides stand at line %u, column %u", (unsigned)at.line, (unsigned)at.column);
  if (node_kind(m->context, at.scope) != DLOC_KIND_SUBPROGRAM && at.scope != result->scope) {
    TRY(copy_block(m->context, at.scope, result->scope, &at.scope)); /* `merge.file.rebuild` */
    EXPLAIN(m, MERGE_FILE_REBUILD, "the matched block is copied below the nearest common scope");
  }
  result->scope = at.scope;
  if (dloc_scope_file(m->context, at.scope) == file1 && file1 == file2) {
    EXPLAIN(m, MERGE_FILE_SAME, "the matched scope has the file of both");
    return DLOC_OK;
  }
  EXPLAIN(m, MERGE_FILE_RESULT, "both are treated as included from there");
  *ret_done = true;
  result->line = at.line;
  result->column = at.column;
  return DLOC_OK;
}

/* ---- Atoms ---- */

/* The lower of two numbers, of which 0 is the highest. */
static bool lower_nonzero(uint64_t a, uint64_t b) { return a - 1 < b - 1; }

/* Whether the operands have one inlinedAt. */
static bool same_instance(const merger *m) {
  return location_content(m->context, m->work->first.words[0]).inlined_at ==
         location_content(m->context, m->work->second.words[0]).inlined_at;
}

/* `merge.atoms.line`, `merge.atoms.lowest`, `merge.atoms.fresh`, `merge.atoms.layers` */
static void merge_atoms(merger *m, dloc_location l1, dloc_location l2, dloc_location *result) {
  if (!l1.atom_group && !l2.atom_group)
    return;
  if (l1.line != l2.line) {
    EXPLAIN(m, MERGE_ATOMS_LINE, "lines differ: no atom");
    return;
  }
  if (!same_instance(m)) {
    result->atom_group = context_fresh_atom_group(m->context);
    result->atom_rank = 1;
    EXPLAIN(m, MERGE_ATOMS_FRESH, "different inlined instances: fresh group %llu",
            (unsigned long long)result->atom_group);
    return;
  }
  bool first = l1.atom_rank != l2.atom_rank ? lower_nonzero(l1.atom_rank, l2.atom_rank)
                                            : lower_nonzero(l1.atom_group, l2.atom_group);
  const dloc_location *kept = first ? &l1 : &l2;
  result->atom_group = kept->atom_group;
  result->atom_rank = kept->atom_rank;
  EXPLAIN(m, MERGE_ATOMS_LOWEST, "the %s location's atom stays", first ? "first" : "second");
}

/* ---- One pair ---- */

/* `merge.pair.same`, `merge.list.verbatim` */
static dloc_status copy_with_inlined_at(merger *m, dloc_location content, dloc_node inlined_at, dloc_node *ret) {
  content.inlined_at = inlined_at;
  bool llvm_22 = DLOC_TAKES(m->profile, MERGE_RULES, LLVM_22); /* `merge.rules.llvm-19` */
  content.implicit &= llvm_22;
  if (!llvm_22)
    content.atom_group = content.atom_rank = 0;
  EXPLAIN(m, MERGE_PAIR_SAME, "the same node on both sides: copied");
  return dloc_location_create(m->context, false, &content, ret);
}

/* `merge.line`, `merge.column` */
static void merge_position(merger *m, dloc_location l1, dloc_location l2, dloc_location *result) {
  bool same_line = l1.line == l2.line, same_column = l1.column == l2.column;
  result->line = same_line ? l1.line : 0;
  result->column = same_line && same_column ? l1.column : 0;
  EXPLAIN(m, MERGE_LINE, "lines %u and %u: %u", (unsigned)l1.line, (unsigned)l2.line, (unsigned)result->line);
  EXPLAIN(m, MERGE_COLUMN, "columns %u and %u: %u", (unsigned)l1.column, (unsigned)l2.column, (unsigned)result->column);
}

/* Two locations of one subprogram under the merged call site. `merge.implicit`, `merge.uniqued` */
static dloc_status merge_pair(merger *m, const pair *locations, dloc_node inlined_at, dloc_node *ret) {
  const frame *first = &locations->first, *second = &locations->second;
  dloc_location l1 = location_read(m->context, first->node), l2 = location_read(m->context, second->node);
  if (first->node == second->node)
    return copy_with_inlined_at(m, l1, inlined_at, ret);
  uint32_t index = nearest_common_scope(m, first->scope, second->scope);
  known_scope common = *scope_at(m->context, index);
  dloc_location result = {.scope = common.node, .inlined_at = inlined_at};
  if (l1.layers || l2.layers)
    TRY(merge_lists(m, l1.layers, l2.layers, &result.layers)); /* `merge.list.frame` */
  EXPLAIN(m, MERGE_SCOPE, "the nearest scope that contains both is %s",
          common.node == l1.scope && common.node == l2.scope ? "that of both" : "above one of them");
  if (DLOC_TAKES(m->profile, MERGE_RULES, LLVM_22)) {
    bool done = false;
    TRY(different_files(m, first, second, common.file, &result, &done));
    if (done)
      return dloc_location_create(m->context, false, &result, ret);
  }
  merge_position(m, l1, l2, &result);
  if (DLOC_TAKES(m->profile, MERGE_RULES, LLVM_22)) {
    result.implicit = l1.implicit && l2.implicit;
    if (result.implicit)
      EXPLAIN(m, MERGE_IMPLICIT, "both are implicit code");
    merge_atoms(m, l1, l2, &result);
  }
  return scope_location(m->context, index, &result, ret);
}

/* `merge.chain.inward`: from the pair at which the chains are aligned. */
static dloc_status merge_inward(merger *m, pair *at, dloc_node *ret) {
  dloc_node merged = at->first.inlined_at; /* `merge.chain.outer` */
  for (size_t done = 1;; done++) {
    EXPLAIN(m, MERGE_CHAIN_INWARD, "pair %zu from the outside", done);
    TRY(merge_pair(m, at, merged, &merged));
    if (at->i-- == 0 || at->j-- == 0)
      break;
    TRY(read_pair(m, at));
    if (!same_subprogram(m, at))
      break;
  }
  return give_node(ret, merged);
}

/* ---- LLVM 14 ---- */

/* A position on the way up through all DIScopes: past the top of a frame to the call site. */
typedef struct ascent {
  dloc_node scope;
  dloc_node inlined_at;
  size_t steps; /* in this frame: more than there are nodes means a cycle of scopes */
} ascent;

static dloc_status walk_up(merger *m, ascent *at) {
  if (++at->steps > dloc_node_limit(m->context))
    return fail(&m->reason, DLOC_REASON_SCOPE_CYCLE);
  at->scope = dloc_scope_parent(m->context, at->scope);
  if (at->scope || !at->inlined_at)
    return DLOC_OK;
  dloc_location call_site = location_content(m->context, at->inlined_at);
  *at = (ascent){call_site.scope, call_site.inlined_at, 0};
  return DLOC_OK;
}

/* `merge.rules.llvm-14` */
static dloc_status merge_as_14(merger *m, dloc_node a, dloc_node b, dloc_node *ret) {
  dloc_location l1 = location_content(m->context, a), l2 = location_content(m->context, b);
  map_clear(&m->work->places);
  ascent at = {l1.scope, l1.inlined_at, 0};
  while (at.scope) {
    TRY(map_add(m->context, &m->work->places, at.inlined_at, at.scope, 0, NULL));
    TRY(walk_up(m, &at));
  }
  at = (ascent){l2.scope, l2.inlined_at, 0};
  uint32_t found = 0;
  while (at.scope && !map_get(&m->work->places, at.inlined_at, at.scope, &found))
    TRY(walk_up(m, &at));
  EXPLAIN(m, MERGE_RULES_LLVM_14, "line 0 in the first scope and inlinedAt that both ways up have");
  dloc_location result = {.line = 0, .scope = at.scope, .inlined_at = at.inlined_at};
  if (!dloc_is_local_scope(m->context, result.scope))
    result.scope = l1.scope;
  return dloc_location_create(m->context, false, &result, ret);
}

/* ---- Two locations ---- */

dloc_status merge_locations(merger *m, dloc_node a, dloc_node b, bool divergent_is_empty, dloc_node *ret) {
  if (a == b) {
    EXPLAIN(m, MERGE_SAME, "the same node on both sides");
    return give_node(ret, a);
  }
  if (DLOC_TAKES(m->profile, MERGE_PICK, ON))
    return give_node(ret, pick(m, a, b));
  TRY(collect_chain(m->context, a, &m->work->first, &m->reason));
  TRY(collect_chain(m->context, b, &m->work->second, &m->reason));
  if (DLOC_TAKES(m->profile, MERGE_RULES, LLVM_14))
    return merge_as_14(m, a, b, ret);
  pair at;
  bool aligned = false;
  TRY(align_chains(m, &at, &aligned));
  if (!aligned) {
    EXPLAIN(m, MERGE_DIVERGENT,
            divergent_is_empty ? "no common frame: no location" : "no common frame: line 0 in the first scope");
    if (!divergent_is_empty)
      return merge_line_0(m, a, ret);
    return give_node(ret, DLOC_NULL);
  }
  EXPLAIN(m, MERGE_CHAIN_ALIGN, "frame %zu of the first chain and frame %zu of the second", at.i, at.j);
  return merge_inward(m, &at, ret);
}
