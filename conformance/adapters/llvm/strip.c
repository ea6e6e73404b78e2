/* strip.c - stripping: all locations of a vector stand in one function; the passes that strip. A module has one list of
 * sources, so a vector with one is alone. */
#include "llvm.h"

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  llvm_code(t, "define void @strip.%zu() {\n", position);
  llvm_write_calls(b, t, position, term_list(built->args, "locations"), true);
  llvm_code(t, "  ret void\n}\n");
  if (built->module)
    llvm_code_sources(t, built->module);
  return true;
}

static void take_strip(const llvm_seen *seen, term *value) {
  llvm_take_results(seen, value);
  llvm_take_list(seen, value);
}

static bool keeps_nothing(const llvm_adapter *a, const vector *v) {
  (void)a;
  return term_word(v->read_args, "keep") == DLOC_STRIP_KEEP_NOTHING;
}

#define STRIP .write = write_function, .declarations = LLVM_DECLARE_CASE, .take = take_strip

const llvm_recipe llvm_strip[LLVM_MOST_RECIPES] = {
    {LLVM_PASSES("-strip-debug"), STRIP, .most = 1, .takes = keeps_nothing},
    {LLVM_PASSES("-passes=strip-nonlinetable-debuginfo"), STRIP, .most = 1, .takes = llvm_has_module},
    {LLVM_PASSES("-passes=strip-nonlinetable-debuginfo"), STRIP, .most = 512}};
