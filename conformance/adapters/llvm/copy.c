/* copy.c - copies: the scalarizer makes scalar instructions in the place of one on vectors, and function specialisation
 * makes a function of its own for each function that is passed to one. */
#include "llvm.h"

#include <string.h>

/* Kinds of probes: the copies of a function. */
enum { FIRST, SECOND };

static bool write_vector_code(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *locations = term_list(built->args, "locations");
  dloc_node first = locations->count ? locations->of.nodes[0] : DLOC_NULL;
  llvm_code_function(t, instruction_subprogram(built->context, first), "void @copy.%zu(<2 x i32> %%a)", position);
  for (uint32_t i = 0; i < locations->count; i++) {
    unsigned factor = llvm_probe_add(b, position, 0, i, SECOND) + LLVM_FIRST_FACTOR;
    llvm_code(t, "  %%v%u = mul <2 x i32> %%a, <i32 %u, i32 %u>", (unsigned)i, factor, factor);
    llvm_code_dbg(t, locations->of.nodes[i]);
    llvm_code(t, "  call void @dloc.use(<2 x i32> %%v%u)\n", (unsigned)i);
  }
  llvm_code(t, "  ret void\n}\n");
  return true;
}

/* The node that a probe shows, or the next one if it was seen already. */
static void see(llvm_batch *b, const dloc_instruction *instruction, const char *marker, uint32_t first) {
  uint32_t number;
  if (!llvm_number_after(llvm_line_of(b, instruction), marker, &number) || number < first)
    return;
  for (number -= first; number < b->probe_count && b->probes[number].seen; number++)
    if (b->probes[number].kind == SECOND)
      return;
  if (number < b->probe_count) {
    b->probes[number].seen = true;
    b->probes[number].node = instruction->debug_loc;
  }
}

static void see_scalars(llvm_batch *b, const dloc_module *module) {
  for (size_t i = 0; i < dloc_module_instruction_count(module); i++)
    see(b, dloc_module_instruction(module, i), "mul i32 %a.i1, ", LLVM_FIRST_FACTOR);
}

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const char *pointer = b->adapter->facts & LLVM_OPAQUE_POINTERS ? "ptr" : "void ()*";
  const term *locations = term_list(built->args, "locations");
  llvm_code_function(t, term_node(built->args, "function"), "internal void @copy_%zu(%s %%f) noinline", position,
                     pointer);
  for (uint32_t i = 0; i < locations->count; i++) {
    llvm_code(t, "  call void @dloc.case(i32 %u)", (unsigned)llvm_probe_add(b, position, 0, i, FIRST));
    llvm_probe_add(b, position, 0, i, SECOND);
    llvm_code_dbg(t, locations->of.nodes[i]);
  }
  llvm_code(t, "  call void %%f()\n  ret void\n}\ndefine void @caller.%zu() {\n", position);
  for (const char *f = "gh"; *f; f++)
    llvm_code(t, "  call void @copy_%zu(%s @dloc.%c)\n", position, pointer, *f);
  llvm_code(t, "  ret void\n}\n");
  return true;
}

/* @copy_7.1 or @copy_7.specialized.1 */
static bool is_copy(dloc_text name) {
  return name.size > 5 && memcmp(name.bytes, "copy_", 5) == 0 && memchr(name.bytes, '.', name.size);
}

static void see_copies(llvm_batch *b, const dloc_module *module) {
  for (size_t i = 0; i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    bool copy = is_copy(dloc_node_text(dloc_module_context(module), function->name));
    for (size_t j = 0; copy && j < function->instruction_count; j++)
      see(b, dloc_module_instruction(module, function->first_instruction + j), "@dloc.case(i32 ", 0);
  }
}

static void take_copies(const llvm_seen *seen, term *value) {
  value_arena *arena = &seen->batch->arena;
  dloc_node *first = term_set_nodes(arena, value, "first", seen->count / 2);
  dloc_node *second = term_set_nodes(arena, value, "second", seen->count / 2);
  for (size_t i = 0; i < seen->count; i++)
    (seen->probes[i].kind == FIRST ? first : second)[seen->probes[i].index] = seen->probes[i].node;
}

static bool takes_scalars(const llvm_adapter *a, const vector *v) {
  const term *by = term_get(v->read_args, "by");
  (void)a;
  return by && by->of.number == 0;
}

#define FUNCTION                                                                                                       \
  .argument = "function", .private_nodes = true, .write = write_function, .see = see_copies, .take = take_copies,      \
  .declarations = LLVM_DECLARE_CASE "define void @dloc.g() {\n  ret void\n}\ndefine void @dloc.h() {\n  ret void\n}\n"

/* Fresh atom groups depend on every location of the module. */
const llvm_recipe llvm_copy[LLVM_MOST_RECIPES] = {
    {LLVM_PASSES("-passes=scalarizer"), .private_nodes = true, .most = 256, .takes = takes_scalars,
     .write = write_vector_code, .declarations = "declare void @dloc.use(<2 x i32>)\n", .see = see_scalars,
     .take = llvm_take_results},
    {LLVM_PASSES("-passes=function-specialization", "-force-function-specialization"), FUNCTION, .most = 64,
     .needs = LLVM_SPECIALISES},
    {LLVM_PASSES("-passes=ipsccp", "-force-specialization"), FUNCTION, .most = 1, .takes = llvm_has_atoms},
    {LLVM_PASSES("-passes=ipsccp", "-force-specialization"), FUNCTION, .most = 64}};
