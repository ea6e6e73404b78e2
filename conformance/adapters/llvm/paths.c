/* paths.c - discriminators of blocks: add-discriminators gives them to a function of the vector's blocks. */
#include "objects/dloc_lines.h"
#include "llvm.h"

#include <inttypes.h>

static void write_location(llvm_text *t, uint64_t subprogram, const term *instruction) {
  uint32_t file = term_number_or(instruction, "file", 1), name = term_number_or(instruction, "name", file);
  if (!term_get(instruction, "line")->count)
    return;
  uint64_t node = llvm_text_made(t, "!DIFile(filename: \"%" PRIu32 ".c\", directory: \"%" PRIu32 "\")", name, file);
  uint64_t scope = llvm_text_made(t, "!DILexicalBlockFile(scope: !%" PRIu64 ", file: !%" PRIu64 ", discriminator: 0)",
                                  subprogram, node);
  node = llvm_text_made(t, "!DILocation(line: %" PRIu64 ", column: %" PRIu64 ", scope: !%" PRIu64 ")",
                        term_number(instruction, "line"), term_number(instruction, "column"), scope);
  llvm_code(t, ", !dbg !%" PRIu64, node);
}

/* The transfer of a block with several successors. */
static void write_transfer(llvm_text *t, const term *successors) {
  const term *to = successors->of.items;
  if (successors->count == 2) {
    llvm_code(t, "  br i1 %%c, label %%b%u, label %%b%u", (unsigned)to[0].of.number, (unsigned)to[1].of.number);
    return;
  }
  llvm_code(t, "  switch i32 %%s, label %%b%u [", (unsigned)to[0].of.number);
  for (uint32_t i = 1; i < successors->count; i++)
    llvm_code(t, " i32 %u, label %%b%u", (unsigned)i, (unsigned)to[i].of.number);
  llvm_code(t, " ]");
}

static void write_block(llvm_batch *b, llvm_text *t, size_t position, uint64_t subprogram, const term *block) {
  const term *instructions = term_list(block, "instructions"), *successors = term_list(block, "successors");
  const char *pointer = b->adapter->facts & LLVM_OPAQUE_POINTERS ? "ptr" : "i32*";
  for (uint32_t i = 0; i < instructions->count; i++) {
    unsigned probe = llvm_probe_add(b, position, 0, i, 0), kind = term_word(&instructions->of.items[i], "kind");
    if (i + 1 == instructions->count && successors->count > 1)
      write_transfer(t, successors);
    else if (kind == DLOC_PATH_CALL)
      llvm_code(t, "  call void @dloc.case(i32 %u)", probe);
    else if (kind == DLOC_PATH_INTRINSIC)
      llvm_code(t, "  %%p%u = call i32 @llvm.bswap.i32(i32 %u)", probe, probe);
    else
      llvm_code(t, "  store volatile i32 %u, %s @dloc.memory", probe, pointer);
    write_location(t, subprogram, &instructions->of.items[i]);
    llvm_code(t, "\n");
  }
  if (successors->count == 1)
    llvm_code(t, "  br label %%b%u\n", (unsigned)successors->of.items[0].of.number);
  else if (!successors->count)
    llvm_code(t, "  ret void\n");
}

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *blocks = term_list(built->args, "blocks");
  uint64_t subprogram = llvm_text_subprogram(t);
  llvm_code(t, "define void @paths.%zu(i1 %%c, i32 %%s) !dbg !%" PRIu64 " {\n  br label %%b0\n", position, subprogram);
  for (uint32_t i = 0; i < blocks->count; i++) {
    llvm_code(t, "b%u:\n", (unsigned)i);
    write_block(b, t, position, subprogram, &blocks->of.items[i]);
  }
  llvm_code(t, "}\n");
  return true;
}

/* A transfer of several successors is not written as a call. */
static bool takes(const llvm_adapter *a, const vector *v) {
  (void)a;
  const term *blocks = term_list(v->read_args, "blocks");
  for (uint32_t i = 0; i < blocks->count; i++) {
    const term *instructions = term_list(&blocks->of.items[i], "instructions");
    if (term_list(&blocks->of.items[i], "successors")->count > 1 &&
        term_word(&instructions->of.items[instructions->count - 1], "kind") != DLOC_PATH_PLAIN)
      return false;
  }
  return true;
}

static const term *blocks_of(const llvm_batch *b, size_t position) {
  return term_list(llvm_vector(b, position)->read_args, "blocks");
}

/* The pass adds no instruction: those of a function have the order in which they were written. Fewer of them would show
 * less. */
static void see_function(const dloc_module *module, const dloc_function *function, const term *blocks,
                         llvm_probe *probe) {
  size_t at = function->first_instruction + 1; /* behind the branch to the first block */
  size_t end = function->first_instruction + function->instruction_count;
  for (uint32_t i = 0; i < blocks->count; i++) {
    for (uint32_t j = term_list(&blocks->of.items[i], "instructions")->count; j > 0 && at < end; j--, probe++) {
      probe->node = dloc_module_instruction(module, at++)->debug_loc;
      probe->seen = true;
    }
    at += term_list(&blocks->of.items[i], "successors")->count < 2;
  }
}

static void see(llvm_batch *b, const dloc_module *module) {
  llvm_probe *probe = b->probes, *end = b->probes + b->probe_count;
  for (size_t i = 0; i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    uint32_t position;
    if (!llvm_number_after(dloc_node_text(dloc_module_context(module), function->name), "paths.", &position))
      continue;
    while (probe < end && probe->position < position)
      probe++;
    if (probe < end && probe->position == position)
      see_function(module, function, blocks_of(b, position), probe);
  }
}

static void take_paths(const llvm_seen *seen, term *value) {
  const term *blocks = blocks_of(seen->batch, seen->position);
  const llvm_probe *probe = seen->probes;
  const dloc_context *context = dloc_module_context(seen->module);
  term *ret = term_set_list(&seen->batch->arena, value, "discriminators", blocks->count);
  for (uint32_t i = 0; i < blocks->count; i++) {
    term_be_list(&seen->batch->arena, &ret[i], term_list(&blocks->of.items[i], "instructions")->count);
    for (uint32_t j = 0; j < ret[i].count; j++, probe++) {
      uint32_t encoded = probe->node ? dloc_location_discriminator(context, probe->node) : 0;
      term_be_number(&ret[i].of.items[j], dloc_discriminator_decode(encoded).base);
    }
  }
}

const llvm_recipe llvm_paths[LLVM_MOST_RECIPES] = {
    {LLVM_PASSES("-passes=add-discriminators"), .most = 256, .takes = takes, .write = write_function,
     .declarations = LLVM_DECLARE_CASE "declare i32 @llvm.bswap.i32(i32)\n", .see = see, .take = take_paths}};
