/* llvm_merge.c - merging, through simplifycfg<hoist-common-insts>.
 *
 * All vectors with N operands stand in one function without subprogram: N blocks, each with one call per vector, the
 * k-th call of each block having the k-th vector's operand as location. Hoisting makes one call of the N in lockstep,
 * and merges their locations in the order of the successors. In a function without subprogram the verifier asks nothing
 * that a vector need not fulfil, and merging never looks at the function. simplifycfg of LLVM 16 and older hoists from
 * two successors only: there the blocks are nested, which folds from the left as well.
 *
 * Calls are merged one by one with what was merged before. What a function for many locations does
 * (DebugLoc::getMergedLocations) is seen in the blocks' terminators, which are hoisted after the calls: with layers it
 * matters whether that goes on after an empty result. */
#include "llvm.h"

#include <inttypes.h>

enum { MOST_OPERANDS = 16 }; /* groups of a batch: one for each number of operands */

/* The blocks of one function are written side by side: a group holds, for each vector and operand, what belongs into
 * which. */
typedef struct group_entry {
  uint64_t probe;
  uint64_t number; /* of the location + 1; 0: none */
} group_entry;

static void add_to_group(llvm_batch *b, llvm_text *t, size_t position, const term *locations) {
  size_t count = locations->count;
  uint32_t probe = llvm_probe_add(b, t, position, 0, 0, 0);
  dloc_sink sink = dloc_buffer_sink(&b->groups[count]);
  for (size_t i = 0; t->status == DLOC_OK && i < count; i++) {
    dloc_node location = locations->of.nodes[i];
    group_entry entry = {probe, location == DLOC_NULL ? 0 : llvm_text_node(t, location) + 1};
    if (!sink.write(sink.user, (const char *)&entry, sizeof entry))
      t->status = DLOC_NO_MEMORY;
  }
}

static bool write_case(llvm_batch *b, llvm_text *t, size_t position, bool all_locations) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  size_t count = c.built.args->count;
  bool possible = count >= 2 && count < MOST_OPERANDS;
  if (possible)
    add_to_group(b, t, position, c.built.args);
  else
    run_answer_set(llvm_answer(b, position), RUN_SKIPPED, "a merge of %s locations cannot be observed",
                   count < 2 ? "fewer than two" : "so many");
  const value *nodes = llvm_vector(b, position)->nodes;
  for (uint32_t i = 0; possible && all_locations && nodes && i < nodes->count && t->status == DLOC_OK; i++)
    if (dloc_node_kind(c.context, c.built.nodes[i]) == DLOC_KIND_LOCATION)
      llvm_text_node(t, c.built.nodes[i]);
  llvm_case_close(&c);
  return possible && t->status == DLOC_OK;
}

static bool write_vector(llvm_batch *b, llvm_text *t, size_t position) { return write_case(b, t, position, false); }

/* Fresh atom groups depend on every location of the module: all of the vector's must be in it, and no others. */
static bool write_vector_with_atoms(llvm_batch *b, llvm_text *t, size_t position) {
  return write_case(b, t, position, true);
}

static void write_block(llvm_text *t, const dloc_buffer *group, size_t operands, size_t operand) {
  const group_entry *entries = (const group_entry *)(const void *)group->bytes;
  size_t count = group->size / sizeof *entries / operands;
  llvm_code(t, "b%zu:\n", operand);
  for (size_t i = 0; i < count && t->status == DLOC_OK; i++) {
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
  llvm_code(t, "declare void @dloc.case(i32)\n");
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
static void see_merged(llvm_batch *b, const llvm_output *output) {
  llvm_see_calls(b, output, "the calls were not merged into one");
}

static dloc_status read_results(llvm_batch *b) { return llvm_read_results(b, see_merged); }

static bool write_many(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  uint32_t probe = llvm_probe_add(b, t, position, 0, 0, 0);
  llvm_code(t, "define void @merge.%zu(i32 %%s, i1 %%c) {\n  br i1 %%c, label %%head, label %%end\n", position);
  llvm_code(t, "head:\n  switch i32 %%s, label %%b0 [");
  for (size_t i = 1; i < c.built.args->count; i++)
    llvm_code(t, " i32 %zu, label %%b%zu", i, i);
  llvm_code(t, " ]\n");
  for (size_t i = 0; i < c.built.args->count; i++) {
    llvm_code(t, "b%zu:\n  call void @dloc.case(i32 %u)\n  br label %%end", i, (unsigned)probe);
    llvm_code_dbg(t, c.built.args->of.nodes[i]);
    llvm_code(t, "\n");
  }
  llvm_code(t, "end:\n  call void @dloc.end()\n  ret void\n}\n");
  llvm_case_close(&c);
  return t->status == DLOC_OK;
}

static void write_many_end(llvm_batch *b, llvm_text *t) {
  (void)b;
  llvm_code(t, "declare void @dloc.case(i32)\ndeclare void @dloc.end()\n");
}

/* The location of the instruction after the call that has the probe's number. */
static void see_terminators(llvm_batch *b, const llvm_output *output) {
  see_merged(b, output);
  dloc_text text = llvm_text_of(&b->child.output);
  for (size_t i = 0; i + 1 < dloc_module_instruction_count(output->module); i++) {
    uint32_t number;
    dloc_text line = llvm_line_at(text, dloc_module_instruction(output->module, i)->text);
    if (llvm_number_after(line, "@dloc.case(i32 ", &number) && number < b->probe_count)
      b->probes[number].node = dloc_module_instruction(output->module, i + 1)->debug_loc;
  }
}

static dloc_status read_many(llvm_batch *b) { return llvm_read_results(b, see_terminators); }

const llvm_recipe llvm_merge_many = {.name = "merge of many",
                                     .most = 256,
                                     .write = write_many,
                                     .write_end = write_many_end,
                                     .tool = LLVM_OPT,
                                     .options = {"-S", "-disable-verify", "-passes=simplifycfg<hoist-common-insts>"},
                                     .read = read_many};

const llvm_recipe llvm_merge = {.name = "merge",
                                .most = 8192,
                                .write = write_vector,
                                .write_end = write_functions,
                                .tool = LLVM_OPT,
                                .options = {"-S", "-disable-verify", "-passes=simplifycfg<hoist-common-insts>"},
                                .may_pick = true,
                                .read = read_results};

const llvm_recipe llvm_merge_atoms = {.name = "merge with atoms",
                                      .most = 1,
                                      .write = write_vector_with_atoms,
                                      .write_end = write_functions,
                                      .tool = LLVM_OPT,
                                      .options = {"-S", "-disable-verify", "-passes=simplifycfg<hoist-common-insts>"},
                                      .may_pick = true,
                                      .read = read_results};
