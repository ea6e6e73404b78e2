/* hoist.c - moved code, through loop-invariant code motion and its kin.
 *
 * Each vector is a function with an instruction of the vector's location, an operation, a call without effects or an
 * intrinsic. The pass licm moves it before a loop in which it depends on nothing, or behind one that does
 * not use it. Before a branch speculative-execution moves it, before a switch to blocks that all have it gvn-hoist.
 * Simplifycfg copies it before a branch to make one branch of two; the branch shows what became of its own location. */
#include "llvm.h"

/* Where the moved instruction is to be seen: kinds of probes. */
enum { AT_THE_BEGINNING, BEFORE_ITS_USE, AT_ITS_BRANCH };

static void begin_function(llvm_text *t, size_t position, const vector_case *built) {
  llvm_code_function(t, term_node(built->args, "function"), "void @hoist.%zu(i32 %%x, i1 %%c, i32 %%s)", position);
}

/* `%vN = ...`, with the probe's number. */
static void write_value(llvm_text *t, const term *args, unsigned n, unsigned probe, dloc_node location) {
  llvm_code(t, "  %%v%u = ", n);
  if (term_flag(args, "intrinsic"))
    llvm_code(t, "call i32 @llvm.umax.i32(i32 %%x, i32 %u)", probe + LLVM_FIRST_FACTOR);
  else if (term_flag(args, "call"))
    llvm_code(t, "call i32 @dloc.case(i32 %u)", probe);
  else
    llvm_code(t, "add i32 %%x, %u", probe + LLVM_FIRST_FACTOR);
  llvm_code_dbg(t, location);
}

static bool is_move(const vector *v, const char *move) {
  const value *given = value_get(v->args, "move");
  return given && dloc_text_equal(value_text(given), dloc_text_of(move));
}

static bool write_loop(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  static const char use[] = "  call void @dloc.use(i32 %v0)\n";
  bool sunk = is_move(llvm_vector(b, position), "sunk");
  begin_function(t, position, built);
  llvm_code(t, "  br label %%loop\nloop:\n");
  write_value(t, built->args, 0, llvm_probe_add(b, position, 0, 0, sunk ? BEFORE_ITS_USE : AT_THE_BEGINNING),
              term_node(built->args, "location"));
  llvm_code(t, "%s  br i1 %%c, label %%loop, label %%out\nout:\n%s  ret void\n}\n", sunk ? "" : use, sunk ? use : "");
  return true;
}

static bool write_speculated(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  begin_function(t, position, built);
  llvm_code(t, "a:\n  br i1 %%c, label %%next, label %%out\nnext:\n");
  write_value(t, built->args, 0, llvm_probe_add(b, position, 0, 0, AT_THE_BEGINNING),
              term_node(built->args, "location"));
  llvm_code(t, "  br label %%out\nout:\n  %%p = phi i32 [ %%v0, %%next ], [ 0, %%a ]\n"
               "  call void @dloc.use(i32 %%p)\n  ret void\n}\n");
  return true;
}

static bool write_several(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *locations = term_list(built->args, "locations");
  unsigned probe = llvm_probe_add(b, position, 0, 0, AT_THE_BEGINNING);
  begin_function(t, position, built);
  llvm_code(t, "  switch i32 %%s, label %%b0 [");
  for (unsigned i = 1; i < locations->count; i++)
    llvm_code(t, " i32 %u, label %%b%u", i, i);
  llvm_code(t, " ]\n");
  for (unsigned i = 0; i < locations->count; i++) {
    llvm_code(t, "b%u:\n", i);
    write_value(t, built->args, i, probe, locations->of.nodes[i]);
    llvm_code(t, "  call void @dloc.use(i32 %%v%u)\n  ret void\n", i);
  }
  llvm_code(t, "}\n");
  return true;
}

static bool write_branch(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  bool is_folded = term_get(built->args, "folded");
  const term *copied = term_get(built->args, "copied");
  unsigned probe = llvm_probe_add(b, position, 0, 0, is_folded ? AT_ITS_BRANCH : AT_THE_BEGINNING), count = 0;
  begin_function(t, position, built);
  llvm_code(t, "  br i1 %%c, label %%do.%u.next, label %%out", probe);
  llvm_code_dbg(t, term_node(built->args, is_folded ? "location" : "branch"));
  llvm_code(t, "do.%u.next:\n", probe);
  if (!is_folded)
    write_value(t, built->args, count++, probe, term_node(built->args, "location"));
  for (; copied && count < copied->count; count++) {
    llvm_code(t, count ? "  %%v%u = mul i32 %%v%u, %%x" : "  %%v%u = add i32 %%x, 1", count, count - 1);
    llvm_code_dbg(t, copied->of.nodes[count]);
  }
  llvm_code(t, count ? "  %%d = icmp eq i32 %%v%u, 0\n" : "  %%d = icmp eq i32 %%x, 0\n", count - 1);
  llvm_code(t, "  br i1 %%d, label %%do.%u, label %%out", probe);
  llvm_code_dbg(t, is_folded ? term_node(built->args, "folded") : DLOC_NULL);
  llvm_code(t, "do.%u:\n  call void @dloc.use(i32 1)\n  br label %%out\nout:\n  ret void\n}\n", probe);
  return true;
}

/* The text at the start of a function, before the use in its last block, or at the branch that was made of two. */
static void see_instruction(llvm_batch *b, const dloc_module *module, size_t index, int kind) {
  const dloc_instruction *instruction = dloc_module_instruction(module, index);
  dloc_text line = llvm_line_of(b, instruction);
  uint32_t number;
  bool is_factor = llvm_number_after(line, "add i32 %x, ", &number) ||
                   llvm_number_after(line, "@llvm.umax.i32(i32 %x, i32 ", &number);
  if (!is_factor && !llvm_number_after(line, "@dloc.case(i32 ", &number) &&
      !llvm_number_after(line, "br i1 %or.cond, label %do.", &number))
    return;
  number -= is_factor ? LLVM_FIRST_FACTOR : 0;
  if (number < b->probe_count && b->probes[number].kind == kind) {
    b->probes[number].seen = true;
    b->probes[number].node = instruction->debug_loc;
  }
}

static void see_moved(llvm_batch *b, const dloc_module *module) {
  for (size_t i = 0; i < dloc_module_function_count(module); i++) {
    const dloc_function *function = dloc_module_function(module, i);
    if (function->instruction_count < 3)
      continue;
    see_instruction(b, module, function->first_instruction, AT_THE_BEGINNING);
    see_instruction(b, module, function->first_instruction + function->instruction_count - 3, BEFORE_ITS_USE);
    for (size_t j = 0; j < function->instruction_count; j++)
      see_instruction(b, module, function->first_instruction + j, AT_ITS_BRANCH);
  }
}

/* ---- Recipes ---- */

static bool one_branch_of_two(const llvm_adapter *a, const vector *v) {
  return a && (value_get(v->args, "branch") || value_get(v->args, "folded"));
}

/* Fresh atom groups depend on every location of the module. */
static bool one_branch_with_atoms(const llvm_adapter *a, const vector *v) {
  return one_branch_of_two(a, v) && llvm_has_atoms(a, v);
}

static bool out_of_loop(const llvm_adapter *a, const vector *v) {
  return a && value_get(v->args, "location") && !is_move(v, "speculated");
}

/* Calls are too dear. */
static bool speculated(const llvm_adapter *a, const vector *v) {
  return a && is_move(v, "speculated") && !value_get(v->args, "call");
}

static bool several(const llvm_adapter *a, const vector *v) {
  const value *locations = value_get(v->args, "locations");
  return a && locations && locations->count > 1;
}

#define HOIST                                                                                                          \
  .private_nodes = true, .see = see_moved, .take = llvm_take_result,                                                   \
  .declarations = "declare i32 @dloc.case(i32) nounwind readnone willreturn\ndeclare void @dloc.use(i32)\n"            \
                  "declare i32 @llvm.umax.i32(i32, i32)\n"

#define BRANCH LLVM_PASSES("-passes=simplifycfg", "-bonus-inst-threshold=8"), HOIST, .write = write_branch

const llvm_recipe llvm_hoist[LLVM_MOST_RECIPES] = {
    {BRANCH, .most = 1, .takes = one_branch_with_atoms},
    {BRANCH, .most = 256, .takes = one_branch_of_two},
    {LLVM_PASSES("-passes=loop-mssa(licm)"), HOIST, .most = 256, .takes = out_of_loop, .write = write_loop},
    {LLVM_PASSES("-passes=speculative-execution"), HOIST, .most = 256, .takes = speculated, .write = write_speculated},
    {LLVM_PASSES("-passes=gvn-hoist"), HOIST, .most = 256, .takes = several, .write = write_several}};
