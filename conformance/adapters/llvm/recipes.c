/* recipes.c - the recipes of all ops, and how their tools are called. */
#include "llvm.h"

static const char *const tool_names[LLVM_TOOL_COUNT] = {"opt",       "llvm-as",        "llvm-dis", "llc",
                                                        "llvm-link", "llvm-dwarfdump", "llvm-mc"};

const char *llvm_tool_name(enum llvm_tool tool) { return tool_names[tool]; }

const llvm_recipe *llvm_recipes_of(vector_op op) {
  static const llvm_recipe *const recipes[] = {
#define LLVM(name) llvm_##name,
#define NO_LLVM(name) NULL,
#define OP(id, name, seen) seen(name)
#include "ops/ops.def"
  };
  return recipes[op];
}

bool llvm_can_run(const llvm_adapter *a, const llvm_recipe *recipe) {
  return a->has[recipe->tool] && (!recipe->disassemble || a->has[LLVM_DIS]) && !(recipe->needs & ~a->facts);
}

const llvm_recipe *llvm_recipe_of(int kind) {
  return &llvm_recipes_of((vector_op)(kind / LLVM_MOST_RECIPES))[kind % LLVM_MOST_RECIPES];
}

const char llvm_pick_option[] = "-pick-merged-source-locations";

void llvm_arguments(const llvm_adapter *a, const llvm_recipe *recipe, bool layered, bool disassembling, char **ret) {
  *ret++ = a->tools[disassembling ? LLVM_DIS : recipe->tool];
  for (size_t i = 0; !disassembling && i < LLVM_MOST_OPTIONS && recipe->options[i]; i++)
    *ret++ = llvm_argument(recipe->options[i]);
  if (!disassembling && recipe->may_pick && a->picks)
    *ret++ = llvm_argument(llvm_pick_option);
  if (layered && !recipe->verified) {
    *ret++ = llvm_argument("-disable-auto-upgrade-debug-info");
    if (recipe->tool == LLVM_AS && !disassembling) /* otherwise the verifier must name what has layers */
      *ret++ = llvm_argument("-disable-verify");
  }
  *ret++ = llvm_argument("-");
  if (disassembling) /* without -o it would write to stdout as well, but older ones only where that is no terminal */
    *ret++ = llvm_argument("-o=-");
  *ret = NULL;
}

bool llvm_ask(const llvm_adapter *a, char *const *argv, dloc_text module, process *ret) {
  double limit = a->base.settings->timeout;
  if (process_start(argv, LLVM_OUTPUT_LIMIT, 1 << 20, ret) != 0)
    return false;
  ret->deadline = process_now() + limit;
  ret->most_cpu = limit / 5;
  ret->input_ends = true;
  process_write(ret, module.bytes, module.size);
  process_await(ret);
  return true;
}

bool llvm_shows(llvm_adapter *self, const llvm_recipe *recipe, const char *module, const char *text) {
  char *reading[] = {self->tools[LLVM_OPT], llvm_argument("-S"), llvm_argument("-"), NULL}, *argv[LLVM_MOST_ARGUMENTS];
  if (recipe)
    llvm_arguments(self, recipe, self->facts & LLVM_LAYERS, false, argv);
  bool there = !recipe || (self->has[recipe->tool] && !(recipe->needs & ~self->facts & LLVM_HAS_DIRECTIVES));
  OWNED(process_end) process child = {0};
  return there && llvm_ask(self, recipe ? argv : reading, dloc_text_of(module), &child) &&
         text_find(buffer_text(&child.output), text);
}
