/* hoist.c - hoisting, through loop-invariant code motion.
 *
 * Each vector is a function with a loop. In it stands an instruction that depends on nothing in the loop, a call
 * without effects, an intrinsic or a multiplication, with the vector's location; licm moves it before the loop. Before
 * a branch it is an addition, which simplifycfg copies there from the block behind it to make one branch of two. */
#include "llvm.h"

/* Factors are told from small numbers, which are simplified away. */
enum { FIRST_FACTOR = 1000 };

static bool write_loop(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
  llvm_code(t, "define void @hoist.%zu(i32 %%x, i1 %%c)", position);
  llvm_code_dbg_of_function(t, term_node(built->args, "function"));
  llvm_code(t, " {\n  br label %%loop\nloop:\n");
  if (term_flag(built->args, "intrinsic"))
    llvm_code(t, "  %%v = call i32 @llvm.umax.i32(i32 %%x, i32 %u)", probe + FIRST_FACTOR);
  else if (term_flag(built->args, "call"))
    llvm_code(t, "  %%v = call i32 @dloc.case(i32 %u)", probe);
  else
    llvm_code(t, "  %%v = mul i32 %%x, %u", probe + FIRST_FACTOR);
  llvm_code_dbg(t, term_node(built->args, "location"));
  llvm_code(t, "\n  call void @dloc.use(i32 %%v)\n  br i1 %%c, label %%loop, label %%out\nout:\n  ret void\n}\n");
  return true;
}

static bool write_branch(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
  llvm_code(t, "define void @hoist.%zu(i32 %%x, i1 %%c) {\n  br i1 %%c, label %%next, label %%out", position);
  llvm_code_dbg(t, term_node(built->args, "branch"));
  llvm_code(t, "\nnext:\n  %%v = add i32 %%x, %u", probe + FIRST_FACTOR);
  llvm_code_dbg(t, term_node(built->args, "location"));
  llvm_code(t, "\n  %%d = icmp eq i32 %%v, 0\n  br i1 %%d, label %%do, label %%out\ndo:\n");
  llvm_code(t, "  call void @dloc.use(i32 1)\n  br label %%out\nout:\n  ret void\n}\n");
  return true;
}

/* Before the loop there is but the hoisted instruction: what stands in the first block. */
static void see_hoisted(llvm_batch *b, const llvm_output *output) {
  dloc_text text = buffer_text(&b->child.output);
  for (size_t i = 0; i < dloc_module_function_count(output->module); i++) {
    const dloc_function *function = dloc_module_function(output->module, i);
    if (function->instruction_count == 0)
      continue;
    const dloc_instruction *first = dloc_module_instruction(output->module, function->first_instruction);
    dloc_text line = llvm_line_at(text, first->text);
    uint32_t number;
    bool is_factor = llvm_number_after(line, "mul i32 %x, ", &number) ||
                     llvm_number_after(line, "add i32 %x, ", &number) ||
                     llvm_number_after(line, "@llvm.umax.i32(i32 %x, i32 ", &number);
    if (!is_factor && !llvm_number_after(line, "@dloc.case(i32 ", &number))
      continue;
    number -= is_factor ? FIRST_FACTOR : 0;
    if (number < b->probe_count) {
      b->probes[number].seen = true;
      b->probes[number].node = first->debug_loc;
    }
  }
}

static bool before_branch(const llvm_adapter *a, const vector *v) {
  (void)a;
  return value_get(v->args, "branch") != NULL;
}

static bool out_of_loop(const llvm_adapter *a, const vector *v) {
  (void)a;
  return value_get(v->args, "location") && !value_get(v->args, "move");
}

const llvm_recipe llvm_hoist[LLVM_MOST_RECIPES] = {
    {.most = 256,
     .takes = before_branch,
     .write = write_branch,
     .declarations = "declare void @dloc.use(i32)\n",
     .tool = LLVM_OPT,
     .options = {"-S", "-disable-verify", "-passes=simplifycfg"},
     .see = see_hoisted,
     .take = llvm_take_result},
    {.most = 256,
     .private_nodes = true,
     .takes = out_of_loop,
     .write = write_loop,
     .declarations = "declare i32 @dloc.case(i32) nounwind readnone willreturn\ndeclare void @dloc.use(i32)\n"
                     "declare i32 @llvm.umax.i32(i32, i32)\n",
     .tool = LLVM_OPT,
     .options = {"-S", "-disable-verify", "-passes=loop-mssa(licm)"},
     .see = see_hoisted,
     .take = llvm_take_result}};
