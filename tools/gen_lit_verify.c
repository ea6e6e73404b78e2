/* gen_lit_verify.c - vectors of the op verify: each is a module of its own, a part of a file for split-file. */
#include "gen_lit.h"

/* Having read a module with debug info, LLVM aborts when it is broken; without, the tool says so and fails. */
static bool aborts(const lit_case *c) {
  dloc_named_metadata named;
  return c->expected->severity == DLOC_SEVERITY_HARD &&
         dloc_module_find_named(c->built->module, dloc_text_of("llvm.module.flags"), &named) && named.operand_count > 0;
}

static dloc_status put_reject(lit_file *f, const lit_case *c) {
  const vector_answer *expected = c->expected;
  bool soft = expected->severity == DLOC_SEVERITY_SOFT;
  const char *not = soft ? "" : aborts(c) ? "not --crash " : "not ";
  TRY(lit_put(&f->runs, "; RUN: %sllvm-as %%t/%.*s.ll -o /dev/null 2>&1 | FileCheck %%t/%.*s.ll\n", not, LIT_ID(c),
              LIT_ID(c)));
  TRY(lit_put(&f->checks, "; CHECK: "));
  TRY(lit_put_literal(&f->checks, dloc_text_of(dloc_reason_text(expected->reason))));
  TRY(lit_put(&f->checks, "\n"));
  if (!soft || expected->reason == DLOC_REASON_MODULE_VERSION)
    return DLOC_OK;
  return lit_put(&f->checks, "; CHECK: warning: ignoring invalid debug info\n");
}

dloc_status lit_add_verify(lit_file *f, const lit_case *c, bool *ret_shown) {
  *ret_shown = c->built->module != NULL;
  if (!*ret_shown)
    return DLOC_OK;
  TRY(dloc_write_ll(c->built->module, dloc_buffer_sink(&f->code)));
  if (c->expected->outcome == VECTOR_REJECT)
    return put_reject(f, c);
  return lit_put(&f->runs, "; RUN: llvm-as %%t/%.*s.ll -o /dev/null 2>&1 | count 0\n", LIT_ID(c));
}
