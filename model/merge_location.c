/* SPEC.md, chapter 4: merging two DILocations by the rules of LLVM 22, 19 or 14. */
#include "merge.h"

#include <string.h>

static bool rules_are(const merger *m, unsigned alternative) {
  return m->profile->alternative[DLOC_CHOICE_MERGE_RULES] == alternative;
}

dloc_status merge_line_0(merger *m, dloc_node location, dloc_node *ret) {
  dloc_location old = dloc_location_get(m->context, location);
  dloc_location content = {.line = 0, .scope = old.scope};
  return dloc_location_create(m->context, false, &content, ret);
}

/* ---- The pick flag ---- */

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_texts(dloc_text a, dloc_text b) {
  size_t size = a.size < b.size ? a.size : b.size;
  int order = size ? memcmp(a.bytes, b.bytes, size) : 0;
  return order ? order : compare_numbers(a.size, b.size);
}

static dloc_text file_text(const merger *m, dloc_node scope, size_t field) {
  dloc_node file = dloc_scope_file(m->context, scope);
  return dloc_node_text(m->context, node_field(m->context, file, m->context->field_keys[field]));
}

/* `merge.pick` */
static dloc_node pick(const merger *m, dloc_node a, dloc_node b) {
  dloc_location l = dloc_location_get(m->context, a);
  dloc_location r = dloc_location_get(m->context, b);
  int order = compare_numbers(l.line, r.line);
  if (!order)
    order = compare_numbers(l.column, r.column);
  if (!order)
    order = compare_numbers(dloc_location_discriminator(m->context, a), dloc_location_discriminator(m->context, b));
  if (!order)
    order = compare_texts(file_text(m, l.scope, FIELD_FILE_filename), file_text(m, r.scope, FIELD_FILE_filename));
  if (!order)
    order = compare_texts(file_text(m, l.scope, FIELD_FILE_directory), file_text(m, r.scope, FIELD_FILE_directory));
  dloc_node picked = order < 0 ? a : b;
  merge_step(m, DLOC_CLAUSE_MERGE_PICK, "the %s location is taken untouched", picked == a ? "first" : "second");
  return picked;
}

/* ---- Chains of inlinedAt ---- */

static dloc_status subprogram_of(merger *m, dloc_node location, dloc_node *ret) {
  *ret = dloc_scope_subprogram(m->context, dloc_location_get(m->context, location).scope);
  return *ret ? DLOC_OK : fail(&m->reason, DLOC_REASON_OPERAND_BROKEN_SCOPE);
}

/* `merge.chain.align`: find the innermost location of the second chain whose (subprogram, inlinedAt) also occurs in the
 * first. Two locations of one inlinedAt have equally long chains above them, so only those at the same distance from
 * the end can match. */
static dloc_status align_chains(merger *m, size_t *ret_first, size_t *ret_second, bool *ret_found) {
  size_t a = m->first.count > m->second.count ? m->first.count - m->second.count : 0;
  size_t b = m->second.count > m->first.count ? m->second.count - m->first.count : 0;
  *ret_found = false;
  for (; a < m->first.count; a++, b++) {
    dloc_node left = DLOC_NULL, right = DLOC_NULL;
    TRY(subprogram_of(m, m->first.words[a], &left));
    TRY(subprogram_of(m, m->second.words[b], &right));
    bool same_inlined_at = dloc_location_get(m->context, m->first.words[a]).inlined_at ==
                           dloc_location_get(m->context, m->second.words[b]).inlined_at;
    if (left == right && same_inlined_at) {
      *ret_first = a;
      *ret_second = b;
      *ret_found = true;
      return DLOC_OK;
    }
  }
  return DLOC_OK;
}

/* ---- Scopes ---- */

/* How many scopes lie between a scope and its subprogram. The chain is known to end there (subprogram_of). */
static size_t scope_depth(const merger *m, dloc_node scope) {
  size_t depth = 0;
  for (; dloc_node_kind(m->context, scope) != DLOC_KIND_SUBPROGRAM; depth++)
    scope = dloc_scope_parent(m->context, scope);
  return depth;
}

/* `merge.scope`: the nearest scope that contains both, which have one subprogram. */
static dloc_node nearest_common_scope(const merger *m, dloc_node a, dloc_node b) {
  size_t depth_a = scope_depth(m, a), depth_b = scope_depth(m, b);
  for (; depth_a > depth_b; depth_a--)
    a = dloc_scope_parent(m->context, a);
  for (; depth_b > depth_a; depth_b--)
    b = dloc_scope_parent(m->context, b);
  for (; a != b; a = dloc_scope_parent(m->context, a))
    b = dloc_scope_parent(m->context, b);
  return a;
}

static dloc_node file_of(const merger *m, dloc_node scope) { return dloc_scope_file(m->context, scope); }

/* ---- The different-file rule ---- */

/* Where a scope stands, seen from a location inside it. */
typedef struct place {
  dloc_node scope;
  uint32_t line;
  uint32_t column;
} place;

/* `merge.file.places`: the scope's own line and column replace those inherited from below, except for scopes that only
 * name a file. */
static place place_of(const merger *m, dloc_node scope, place below) {
  place at = {scope, below.line, below.column};
  uint64_t number = 0;
  const dloc_node *keys = m->context->field_keys;
  dloc_kind kind = dloc_node_kind(m->context, scope);
  if (kind != DLOC_KIND_SUBPROGRAM && kind != DLOC_KIND_LEXICAL_BLOCK)
    return at;
  (void)token_number(m->context, node_field(m->context, scope, keys[FIELD_LEXICAL_BLOCK_line]), UINT32_MAX, &number);
  at.line = (uint32_t)number;
  number = 0;
  (void)token_number(m->context, node_field(m->context, scope, keys[FIELD_LEXICAL_BLOCK_column]), DLOC_COLUMN_LIMIT,
                     &number);
  at.column = (uint32_t)number;
  return at;
}

static uint64_t place_key(place at) { return (uint64_t)at.line << 32 | at.column; }

/* The places of the first location's scopes, inside out: three words each in m->first; m->places maps (file, line,
 * column) to the index of the innermost one there. */
static dloc_status collect_places(merger *m, dloc_location location) {
  m->first.count = 0;
  map_clear(&m->places);
  place at = {DLOC_NULL, location.line, location.column};
  for (dloc_node scope = location.scope;; scope = dloc_scope_parent(m->context, scope)) {
    at = place_of(m, scope, at);
    TRY(map_add(m->context, &m->places, place_key(at), file_of(m, scope), (uint32_t)(m->first.count / 3), NULL));
    TRY(scratch_push(m->context, &m->first, at.scope));
    TRY(scratch_push(m->context, &m->first, at.line));
    TRY(scratch_push(m->context, &m->first, at.column));
    if (dloc_node_kind(m->context, scope) == DLOC_KIND_SUBPROGRAM)
      return DLOC_OK;
  }
}

static place collected_place(const merger *m, size_t index) {
  const uint32_t *words = &m->first.words[3 * index];
  return (place){words[0], words[1], words[2]};
}

/* `merge.file.match`, `merge.file.prefer`: the first place on the way up from the second location where the first
 * location has one too; the matched scope is the second's when it is one of the first's at that place, else the
 * innermost of the first's. */
static place match_place(const merger *m, dloc_location second) {
  size_t depth_first = m->first.count / 3 - 1;
  size_t depth = scope_depth(m, second.scope);
  place at = {DLOC_NULL, second.line, second.column};
  for (dloc_node scope = second.scope;; scope = dloc_scope_parent(m->context, scope), depth--) {
    at = place_of(m, scope, at);
    uint32_t innermost = 0;
    if (!map_get(&m->places, place_key(at), file_of(m, scope), &innermost))
      continue; /* ends at the subprogram, which both sides have at the same place */
    if (depth <= depth_first) {
      place same_depth = collected_place(m, depth_first - depth);
      if (same_depth.scope == scope && place_key(same_depth) == place_key(at))
        return at;
    }
    return collected_place(m, innermost);
  }
}

/* `merge.file.*`. *scope is the nearest common scope and becomes the one to merge in; *ret_done with *ret when the
 * places decide. */
static dloc_status different_files(merger *m, dloc_location l1, dloc_location l2, dloc_node inlined_at,
                                   dloc_node *scope, bool *ret_done, dloc_node *ret) {
  *ret_done = false;
  dloc_node file1 = file_of(m, l1.scope), file2 = file_of(m, l2.scope);
  if (file_of(m, *scope) == file1 && file1 == file2)
    return DLOC_OK;
  merge_step(m, DLOC_CLAUSE_MERGE_FILE_APPLIES, "the files of the locations and of their nearest common scope differ");
  TRY(collect_places(m, l1));
  place at = match_place(m, l2);
  merge_step(m, DLOC_CLAUSE_MERGE_FILE_MATCH, "both sides stand at line %u, column %u", (unsigned)at.line,
             (unsigned)at.column);
  if (dloc_node_kind(m->context, at.scope) != DLOC_KIND_SUBPROGRAM && at.scope != *scope) {
    TRY(copy_block(m->context, at.scope, *scope, false, &at.scope)); /* `merge.file.rebuild` */
    merge_step(m, DLOC_CLAUSE_MERGE_FILE_REBUILD, "the matched block is copied below the nearest common scope");
  }
  *scope = at.scope;
  if (file_of(m, at.scope) == file1 && file1 == file2) {
    merge_step(m, DLOC_CLAUSE_MERGE_FILE_SAME, "the matched scope has the file of both");
    return DLOC_OK;
  }
  merge_step(m, DLOC_CLAUSE_MERGE_FILE_RESULT, "both are treated as included from there");
  *ret_done = true;
  dloc_location result = {.line = at.line, .column = at.column, .scope = at.scope, .inlined_at = inlined_at};
  return dloc_location_create(m->context, false, &result, ret);
}

/* ---- Atoms ---- */

/* The lower of two numbers, of which 0 is the highest. */
static bool lower_nonzero(uint64_t a, uint64_t b) { return a - 1 < b - 1; }

/* `merge.atoms.line`, `merge.atoms.lowest`, `merge.atoms.fresh`. same_instance: the operands have one inlinedAt. */
static void merge_atoms(merger *m, dloc_location l1, dloc_location l2, bool same_instance, dloc_location *result) {
  if (!l1.atom_group && !l2.atom_group)
    return;
  if (l1.line != l2.line) {
    merge_step(m, DLOC_CLAUSE_MERGE_ATOMS_LINE, "lines differ: no atom");
    return;
  }
  if (!same_instance) {
    result->atom_group = context_fresh_atom_group(m->context);
    result->atom_rank = 1;
    merge_step(m, DLOC_CLAUSE_MERGE_ATOMS_FRESH, "different inlined instances: fresh group %llu",
               (unsigned long long)result->atom_group);
    return;
  }
  bool first = l1.atom_rank != l2.atom_rank ? lower_nonzero(l1.atom_rank, l2.atom_rank)
                                            : lower_nonzero(l1.atom_group, l2.atom_group);
  const dloc_location *kept = first ? &l1 : &l2;
  result->atom_group = kept->atom_group;
  result->atom_rank = kept->atom_rank;
  merge_step(m, DLOC_CLAUSE_MERGE_ATOMS_LOWEST, "the %s location's atom stays", first ? "first" : "second");
}

/* ---- One pair ---- */

/* `merge.pair.same` */
static dloc_status copy_with_inlined_at(merger *m, dloc_location content, dloc_node inlined_at, dloc_node *ret) {
  content.inlined_at = inlined_at;
  if (!rules_are(m, DLOC_MERGE_RULES_LLVM_22)) { /* `merge.rules.llvm-19` */
    content.implicit = false;
    content.atom_group = 0;
    content.atom_rank = 0;
  }
  merge_step(m, DLOC_CLAUSE_MERGE_PAIR_SAME, "the same node on both sides: copied");
  return dloc_location_create(m->context, false, &content, ret);
}

/* `merge.line`, `merge.column` */
static void merge_position(merger *m, dloc_location l1, dloc_location l2, dloc_location *result) {
  bool same_line = l1.line == l2.line, same_column = l1.column == l2.column;
  result->line = same_line ? l1.line : 0;
  result->column = same_line && same_column ? l1.column : 0;
  merge_step(m, DLOC_CLAUSE_MERGE_LINE, "lines %u and %u: %u", (unsigned)l1.line, (unsigned)l2.line,
             (unsigned)result->line);
  merge_step(m, DLOC_CLAUSE_MERGE_COLUMN, "columns %u and %u: %u", (unsigned)l1.column, (unsigned)l2.column,
             (unsigned)result->column);
}

/* Two locations of one subprogram under the merged call site. */
static dloc_status merge_pair(merger *m, dloc_node a, dloc_node b, dloc_node inlined_at, bool same_instance,
                              dloc_node *ret) {
  dloc_location l1 = dloc_location_get(m->context, a), l2 = dloc_location_get(m->context, b);
  if (a == b)
    return copy_with_inlined_at(m, l1, inlined_at, ret);
  dloc_location result = {.scope = nearest_common_scope(m, l1.scope, l2.scope), .inlined_at = inlined_at};
  merge_step(m, DLOC_CLAUSE_MERGE_SCOPE, "the nearest scope that contains both is %s",
             result.scope == l1.scope && result.scope == l2.scope ? "that of both" : "above one of them");
  if (rules_are(m, DLOC_MERGE_RULES_LLVM_22)) {
    bool done = false;
    TRY(different_files(m, l1, l2, inlined_at, &result.scope, &done, ret));
    if (done)
      return DLOC_OK;
  }
  merge_position(m, l1, l2, &result);
  if (rules_are(m, DLOC_MERGE_RULES_LLVM_22)) {
    result.implicit = l1.implicit && l2.implicit;
    if (result.implicit)
      merge_step(m, DLOC_CLAUSE_MERGE_IMPLICIT, "both are implicit code");
    merge_atoms(m, l1, l2, same_instance, &result);
  }
  return dloc_location_create(m->context, false, &result, ret);
}

/* `merge.chain.inward`: m->first and m->second hold the chains, aligned at i and j. */
static dloc_status merge_inward(merger *m, size_t i, size_t j, bool same_instance, dloc_node *ret) {
  /* The pairs are copied out first, since merging one uses the scratch that holds the chains. */
  size_t pairs = (i < j ? i : j) + 1;
  scratch work = {0};
  dloc_status status = DLOC_OK;
  for (size_t k = 0; status == DLOC_OK && k < pairs; k++) {
    status = scratch_push(m->context, &work, m->first.words[i - k]);
    if (status == DLOC_OK)
      status = scratch_push(m->context, &work, m->second.words[j - k]);
  }
  /* `merge.chain.outer` */
  dloc_node merged = dloc_location_get(m->context, m->first.words[i]).inlined_at;
  for (size_t k = 0; status == DLOC_OK && k < pairs; k++) {
    dloc_node a = work.words[2 * k], b = work.words[2 * k + 1], left = DLOC_NULL, right = DLOC_NULL;
    status = subprogram_of(m, a, &left);
    if (status == DLOC_OK)
      status = subprogram_of(m, b, &right);
    if (status != DLOC_OK || left != right)
      break;
    merge_step(m, DLOC_CLAUSE_MERGE_CHAIN_INWARD, "pair %zu from the outside", k + 1);
    status = merge_pair(m, a, b, merged, same_instance, &merged);
  }
  scratch_deinit(m->context, &work);
  if (status == DLOC_OK)
    *ret = merged;
  return status;
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
  dloc_location call_site = dloc_location_get(m->context, at->inlined_at);
  *at = (ascent){call_site.scope, call_site.inlined_at, 0};
  return DLOC_OK;
}

/* `merge.rules.llvm-14` */
static dloc_status merge_as_14(merger *m, dloc_node a, dloc_node b, dloc_node *ret) {
  dloc_location l1 = dloc_location_get(m->context, a), l2 = dloc_location_get(m->context, b);
  map_clear(&m->places);
  ascent at = {l1.scope, l1.inlined_at, 0};
  while (at.scope) {
    TRY(map_add(m->context, &m->places, at.inlined_at, at.scope, 0, NULL));
    TRY(walk_up(m, &at));
  }
  at = (ascent){l2.scope, l2.inlined_at, 0};
  uint32_t found = 0;
  while (at.scope && !map_get(&m->places, at.inlined_at, at.scope, &found))
    TRY(walk_up(m, &at));
  merge_step(m, DLOC_CLAUSE_MERGE_RULES_LLVM_14, "line 0 in the first scope and inlinedAt that both ways up have");
  dloc_location result = {.line = 0, .scope = at.scope, .inlined_at = at.inlined_at};
  if (!dloc_is_local_scope(m->context, result.scope))
    result.scope = l1.scope;
  return dloc_location_create(m->context, false, &result, ret);
}

/* ---- Two locations ---- */

dloc_status merge_locations(merger *m, dloc_node a, dloc_node b, bool divergent_is_empty, dloc_node *ret) {
  if (a == b) {
    merge_step(m, DLOC_CLAUSE_MERGE_SAME, "the same node on both sides");
    *ret = a;
    return DLOC_OK;
  }
  if (m->profile->alternative[DLOC_CHOICE_MERGE_PICK] == DLOC_MERGE_PICK_ON) {
    *ret = pick(m, a, b);
    return DLOC_OK;
  }
  TRY(collect_chain(m->context, a, &m->first, &m->reason));
  TRY(collect_chain(m->context, b, &m->second, &m->reason));
  if (rules_are(m, DLOC_MERGE_RULES_LLVM_14))
    return merge_as_14(m, a, b, ret);
  size_t i = 0, j = 0;
  bool aligned = false;
  TRY(align_chains(m, &i, &j, &aligned));
  if (!aligned) {
    merge_step(m, DLOC_CLAUSE_MERGE_DIVERGENT,
               divergent_is_empty ? "no common frame: no location" : "no common frame: line 0 in the first scope");
    if (!divergent_is_empty)
      return merge_line_0(m, a, ret);
    *ret = DLOC_NULL;
    return DLOC_OK;
  }
  merge_step(m, DLOC_CLAUSE_MERGE_CHAIN_ALIGN, "frame %zu of the first chain and frame %zu of the second", i, j);
  bool same_instance = dloc_location_get(m->context, a).inlined_at == dloc_location_get(m->context, b).inlined_at;
  return merge_inward(m, i, j, same_instance, ret);
}
