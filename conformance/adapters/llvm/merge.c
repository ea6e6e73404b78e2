/* merge.c - merging, through simplifycfg<hoist-common-insts>.
 *
 * Each vector with N operands is a function without subprogram: N blocks, each with a call that has an operand as
 * location. Hoisting makes one call of the N, and merges their locations in the order of the successors. In a function
 * without subprogram the verifier asks nothing that a vector need not fulfil, and merging never looks at the function.
 * Simplifycfg of LLVM 16 and older hoists from two successors only: there the blocks are nested, which folds from the
 * left as well.
 *
 * Calls are merged one by one with what was merged before. A function for many locations
 * (DebugLoc::getMergedLocations) shows its work in the blocks' terminators, which are hoisted after the calls: with layers
 * it matters whether that goes on after an empty result. An implementation in which they keep no layers is not asked
 * so. */
#include "llvm.h"

#include <stdlib.h>
#include <inttypes.h>

enum { MOST_OPERANDS = 15 };

static void write_switch(llvm_text *t, unsigned operands) {
  llvm_code(t, "  switch i32 %%s, label %%b0 [");
  for (unsigned i = 1; i < operands; i++)
    llvm_code(t, " i32 %u, label %%b%u", i, i);
  llvm_code(t, " ]\n");
}

/* ((b0 b1) b2) ...: each level joins what is below it with one more block. */
static void write_nest(llvm_text *t, unsigned operands) {
  for (unsigned i = operands - 1; i > 0; i--) {
    if (i < operands - 1)
      llvm_code(t, "h%u:\n", i);
    llvm_code(t, "  br i1 %%c%u, label %%%s%u, label %%b%u\n", i, i > 1 ? "h" : "b", i - 1, i);
  }
}

static bool write_operands(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  unsigned count = built->args->count;
  if (count < 2 || count > MOST_OPERANDS)
    return llvm_skip(b, position,
                     count < 2 ? "a merge of fewer than two locations cannot be observed"
                               : "a merge of so many locations cannot be observed");
  unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
  llvm_code(t, "define void @merge.%zu(i32 %%s", position);
  for (unsigned i = 1; i < count; i++)
    llvm_code(t, ", i1 %%c%u", i);
  llvm_code(t, ") {\n");
  if (count > 2 && b->adapter->wide_switch)
    write_switch(t, count);
  else
    write_nest(t, count);
  for (unsigned i = 0; i < count; i++) {
    llvm_code(t, "b%u:\n  call void @dloc.case(i32 %u)", i, probe);
    llvm_code_dbg(t, built->args->of.nodes[i]);
    llvm_code(t, "  br label %%end\n");
  }
  llvm_code(t, "end:\n  ret void\n}\n");
  return true;
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

/* One probe that was seen once is a merged location; seen more often, the calls were not merged. */
static void see_merged(llvm_batch *b, const dloc_module *module) {
  llvm_see_calls(b, module, "the calls were not merged into one");
}

/* ---- Many at once ---- */

static bool write_many(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *locations = built->args;
  unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
  llvm_code(t, "define void @merge.%zu(i32 %%s, i1 %%c) {\n  br i1 %%c, label %%head, label %%end\n", position);
  llvm_code(t, "head:\n");
  write_switch(t, locations->count);
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
#define BLOCKS MERGE, .declarations = LLVM_DECLARE_CASE, .may_pick = true, .see = see_merged

const llvm_recipe llvm_merge[LLVM_MOST_RECIPES] = {
    {BLOCKS, .most = 1, .takes = llvm_has_atoms, .write = write_all_locations},
    {MERGE, .most = 256, .takes = shows_many, .write = write_many, .see = see_terminators,
     .declarations = LLVM_DECLARE_CASE "declare void @dloc.end()\n"},
    {BLOCKS, .most = 8192, .write = write_operands}};
