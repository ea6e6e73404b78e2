/* merge.c - merging, through simplifycfg<hoist-common-insts>.
 *
 * All vectors with N operands stand in one function without subprogram: N blocks, each with one call per vector, the
 * k-th call of each block having the k-th vector's operand as location. Hoisting makes one call of the N in lockstep,
 * and merges their locations in the order of the successors. In a function without subprogram the verifier asks nothing
 * that a vector need not fulfil, and merging never looks at the function. Simplifycfg of LLVM 16 and older hoists from
 * two successors only: there the blocks are nested, which folds from the left as well.
 *
 * Calls are merged one by one with what was merged before. A function for many locations
 * (DebugLoc::getMergedLocations) shows its work in the blocks' terminators, which are hoisted after the calls: with layers
 * it matters whether that goes on after an empty result. An implementation in which they keep no layers is not asked
 * so. */
#include "llvm.h"

#include <stdlib.h>
#include <inttypes.h>

enum { MOST_OPERANDS = 16 }; /* groups of a batch: one for each number of operands */

/* The blocks of one function are written side by side: a group holds, for each vector and operand, what belongs into
 * which. */
typedef struct group_entry {
  uint64_t probe;
  uint64_t number; /* of the location + 1; 0: none */
} group_entry;

static void add_to_group(llvm_batch *b, llvm_text *t, size_t position, const term *locations) {
  uint32_t probe = llvm_probe_add(b, position, 0, 0, 0);
  for (uint32_t i = 0; i < locations->count; i++) {
    dloc_node location = locations->of.nodes[i];
    group_entry entry = {probe, location == DLOC_NULL ? 0 : llvm_text_node(t, location) + 1};
    buffer_put(&b->groups[locations->count], (dloc_text){(const char *)&entry, sizeof entry});
  }
}

static bool write_operands(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  uint32_t count = built->args->count;
  if (count >= 2 && count < MOST_OPERANDS) {
    add_to_group(b, t, position, built->args);
    return true;
  }
  return llvm_skip(b, position,
                   count < 2 ? "a merge of fewer than two locations cannot be observed"
                             : "a merge of so many locations cannot be observed");
}

/* A node has lost the upper bits of its group (`metadata.location.atoms`), and with it what is written. */
static bool loses_bits(const value *nodes) {
  for (uint32_t i = 0; nodes && i < nodes->count; i++) {
    const value *group = value_get(&nodes->of.entries[i].value, "atomGroup");
    if (group && strtoull(value_text(group).bytes, NULL, 10) > UINT64_MAX >> 3)
      return true;
  }
  return false;
}

/* Fresh atom groups depend on every location of the module: all of the vector's must be in it, and no others. */
static bool write_all_locations(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const value *nodes = llvm_vector(b, position)->nodes;
  if (loses_bits(nodes))
    return llvm_skip(b, position, "an atom group of more than 61 bits cannot be written");
  if (!write_operands(b, t, position, built))
    return false;
  for (uint32_t i = 0; nodes && i < nodes->count; i++)
    if (dloc_node_kind(built->context, built->nodes[i]) == DLOC_KIND_LOCATION)
      llvm_text_node(t, built->nodes[i]);
  return true;
}

static void write_block(llvm_text *t, const dloc_buffer *group, size_t operands, size_t operand) {
  const group_entry *entries = (const group_entry *)(const void *)group->bytes;
  size_t count = group->size / sizeof *entries / operands;
  llvm_code(t, "b%zu:\n", operand);
  for (size_t i = 0; i < count; i++) {
    const group_entry *e = &entries[i * operands + operand];
    if (e->number == 0)
      llvm_code(t, "  call void @dloc.case(i32 %" PRIu64 ")\n", e->probe);
    else
      llvm_code(t, "  call void @dloc.case(i32 %" PRIu64 "), !dbg !%" PRIu64 "\n", e->probe, e->number - 1);
  }
  llvm_code(t, "  br label %%end\n");
}

static void write_switch(llvm_text *t, size_t operands) {
  llvm_code(t, "define void @merge.%zu(i32 %%s) {\n  switch i32 %%s, label %%b0 [", operands);
  for (size_t i = 1; i < operands; i++)
    llvm_code(t, " i32 %zu, label %%b%zu", i, i);
  llvm_code(t, " ]\n");
}

/* ((b0 b1) b2) ...: each level joins what is below it with one more block. */
static void write_nest(llvm_text *t, size_t operands) {
  llvm_code(t, "define void @merge.%zu(", operands);
  for (size_t i = 1; i < operands; i++)
    llvm_code(t, "%si1 %%c%zu", i > 1 ? ", " : "", i);
  llvm_code(t, ") {\n");
  for (size_t i = operands - 1; i > 0; i--) {
    if (i < operands - 1)
      llvm_code(t, "h%zu:\n", i);
    llvm_code(t, "  br i1 %%c%zu, label %%%s%zu, label %%b%zu\n", i, i > 1 ? "h" : "b", i - 1, i);
  }
}

static void write_functions(llvm_batch *b, llvm_text *t) {
  for (size_t operands = 2; operands < MOST_OPERANDS; operands++) {
    if (b->groups[operands].size == 0)
      continue;
    if (operands > 2 && b->adapter->wide_switch)
      write_switch(t, operands);
    else
      write_nest(t, operands);
    for (size_t i = 0; i < operands; i++)
      write_block(t, &b->groups[operands], operands, i);
    llvm_code(t, "end:\n  ret void\n}\n");
  }
}

/* One probe that was seen once is a merged location; seen more often, the calls were not merged. */
static void see_merged(llvm_batch *b, const dloc_module *module) {
  llvm_see_calls(b, module, "the calls were not merged into one");
}

/* ---- Many at once ---- */

static bool write_many(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *locations = built->args;
  unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
  llvm_code(t, "define void @merge.%zu(i32 %%s, i1 %%c) {\n  br i1 %%c, label %%head, label %%end\n", position);
  llvm_code(t, "head:\n  switch i32 %%s, label %%b0 [");
  for (unsigned i = 1; i < locations->count; i++)
    llvm_code(t, " i32 %u, label %%b%u", i, i);
  llvm_code(t, " ]\n");
  for (unsigned i = 0; i < locations->count; i++) {
    llvm_code(t, "b%u:\n  call void @dloc.case(i32 %u)\n  br label %%end", i, probe);
    llvm_code_dbg(t, locations->of.nodes[i]);
  }
  llvm_code(t, "end:\n  call void @dloc.end()\n  ret void\n}\n");
  return true;
}

/* The location of the instruction after the call that has the probe's number. */
static void see_terminators(llvm_batch *b, const dloc_module *module) {
  see_merged(b, module);
  for (size_t i = 0; i + 1 < dloc_module_instruction_count(module); i++) {
    uint32_t number;
    dloc_text line = llvm_line_of(b, dloc_module_instruction(module, i));
    if (llvm_number_after(line, "@dloc.case(i32 ", &number) && number < b->probe_count)
      b->probes[number].node = dloc_module_instruction(module, i + 1)->debug_loc;
  }
}

/* ---- Recipes ---- */

static bool shows_many(const llvm_adapter *a, const vector *v) { return a->merges_branches && v->args->count > 2; }

#define MERGE LLVM_PASSES("-passes=simplifycfg<hoist-common-insts>"), .take = llvm_take_result
#define BLOCKS                                                                                                         \
  MERGE, .declarations = LLVM_DECLARE_CASE, .write_end = write_functions, .may_pick = true, .see = see_merged

const llvm_recipe llvm_merge[LLVM_MOST_RECIPES] = {
    {BLOCKS, .most = 1, .takes = llvm_has_atoms, .write = write_all_locations},
    {MERGE, .most = 256, .takes = shows_many, .write = write_many, .see = see_terminators,
     .declarations = LLVM_DECLARE_CASE "declare void @dloc.end()\n"},
    {BLOCKS, .most = 8192, .write = write_operands}};
