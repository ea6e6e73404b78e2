/* gen_lit_code.c - what a vector looks like as functions of a test file, and what is checked of them. One recipe an op.
 */
#include "vector/callee.h"
#include "gen_lit.h"

/* ---- Lines that several recipes have ---- */

static dloc_status put_input(lit_file *f, dloc_node location, const char *instruction) {
  TRY(lit_put(&f->code, "  %s", instruction));
  TRY(lit_put_dbg(&f->graph, &f->code, LIT_INPUT, location));
  return lit_put(&f->code, "\n");
}

static dloc_status put_check(lit_file *f, const char *directive, dloc_node location, const char *instruction) {
  TRY(lit_put(&f->checks, "; %-13s %s", directive, instruction));
  TRY(lit_put_dbg(&f->graph, &f->checks, LIT_OUTPUT, location));
  return lit_put(&f->checks, "\n");
}

static dloc_status put_label(lit_file *f, const lit_case *c, const char *parameters) {
  return lit_put(&f->checks, "; CHECK-LABEL: define void @%.*s(%s) {\n", LIT_ID(c), parameters);
}

static const char the_call[] = "call void @g()";

/* ---- Merge: hoisting makes one call of several ---- */

static dloc_status put_branches(lit_file *f, size_t count) {
  if (count == 2)
    return lit_put(&f->code, "  br i1 %%c, label %%b0, label %%b1\n");
  TRY(lit_put(&f->code, "  switch i32 %%s, label %%b0 ["));
  for (size_t i = 1; i < count; i++)
    TRY(lit_put(&f->code, " i32 %zu, label %%b%zu", i, i));
  return lit_put(&f->code, " ]\n");
}

/* One block for each location; it is that of the call in it, or of its end. */
static dloc_status put_blocks(lit_file *f, const lit_case *c, bool ends) {
  size_t count = c->built->location_count;
  TRY(put_branches(f, count));
  for (size_t i = 0; i < count; i++) {
    dloc_node location = c->built->locations[i];
    TRY(lit_put(&f->code, "b%zu:\n", i));
    TRY(put_input(f, ends ? DLOC_NULL : location, the_call));
    TRY(put_input(f, ends ? location : DLOC_NULL, "br label %end"));
  }
  return lit_put(&f->code, "end:\n");
}

/* Calls are merged two by two; the ends of more than two blocks all at once. A call behind keeps the branch. */
static dloc_status put_merge_of_ends(lit_file *f, const lit_case *c) {
  TRY(lit_put(&f->code, "define void @%.*s.ends(i1 %%c, i32 %%s) {\n", LIT_ID(c)));
  TRY(lit_put(&f->code, "  br i1 %%c, label %%head, label %%end\nhead:\n"));
  TRY(put_blocks(f, c, true));
  TRY(lit_put(&f->code, "  call void @g()\n  ret void\n}\n"));
  TRY(lit_put(&f->checks, "; CHECK-LABEL: define void @%.*s.ends(i1 %%c, i32 %%s) {\n", LIT_ID(c)));
  TRY(put_check(f, "CHECK:", DLOC_NULL, the_call));
  return put_check(f, "CHECK-NEXT:", c->expected->result, "br label %end");
}

static dloc_status add_merge(lit_file *f, const lit_case *c, bool *ret_shown) {
  size_t count = c->built->location_count;
  const char *parameter = count == 2 ? "i1 %c" : "i32 %s";
  *ret_shown = count >= 2;
  if (!*ret_shown)
    return DLOC_OK;
  TRY(lit_put(&f->code, "define void @%.*s(%s) {\n", LIT_ID(c), parameter));
  TRY(put_blocks(f, c, false));
  TRY(lit_put(&f->code, "  ret void\n}\n"));
  TRY(put_label(f, c, parameter));
  TRY(put_check(f, "CHECK:", c->expected->result, the_call)); /* the name of a block may stand before it */
  TRY(lit_put(&f->checks, "; CHECK-NEXT:   ret void\n"));
  return count > 2 ? put_merge_of_ends(f, c) : DLOC_OK;
}

/* ---- Calls one after the other, as they are read back ---- */

static dloc_status add_calls(lit_file *f, const lit_case *c, const dloc_node *expected) {
  TRY(lit_put(&f->code, "define void @%.*s() {\n", LIT_ID(c)));
  for (size_t i = 0; i < c->built->location_count; i++)
    TRY(put_input(f, c->built->locations[i], the_call));
  TRY(lit_put(&f->code, "  ret void\n}\n"));
  TRY(put_label(f, c, ""));
  for (size_t i = 0; i < c->built->location_count; i++)
    TRY(put_check(f, "CHECK-NEXT:", expected[i], the_call));
  return lit_put(&f->checks, "; CHECK-NEXT:   ret void\n");
}

static dloc_status add_roundtrip(lit_file *f, const lit_case *c, bool *ret_shown) {
  *ret_shown = c->expected->result_count == c->built->location_count;
  return *ret_shown ? add_calls(f, c, c->expected->results) : DLOC_OK;
}

/* What the writer of bitcode takes from a location is what the accessors give: it comes back. Distinct locations do
 * not. */
static dloc_status add_accessor(lit_file *f, const lit_case *c, bool *ret_shown) {
  dloc_context *context = f->graph.context;
  const vector_answer *expected = c->expected;
  dloc_layer layers[16];
  bool visible =
      expected->layer_count <= sizeof layers / sizeof *layers && !dloc_node_is_distinct(context, expected->result);
  for (size_t i = 0; visible && i < expected->layer_count; i++) {
    layers[i].location = expected->layers[i].location;
    TRY(dloc_string(context, expected->layers[i].kind, &layers[i].kind));
    visible = !dloc_node_is_distinct(context, layers[i].location);
  }
  *ret_shown = visible;
  dloc_node whole = DLOC_NULL;
  if (visible && expected->result != DLOC_NULL)
    TRY(dloc_debug_loc_create(context, expected->result, layers, expected->layer_count, &whole));
  return visible ? add_calls(f, c, &whole) : DLOC_OK;
}

/* ---- Print: the back end shows locations in the short form ---- */

static dloc_status add_print(lit_file *f, const lit_case *c, bool *ret_shown) {
  *ret_shown = c->built->location_count == 1 && c->built->locations[0] != DLOC_NULL;
  if (!*ret_shown)
    return DLOC_OK;
  TRY(lit_put(&f->code, "define void @%.*s() {\n", LIT_ID(c)));
  TRY(put_input(f, c->built->locations[0], the_call));
  TRY(lit_put(&f->code, "  ret void\n}\n"));
  TRY(lit_put(&f->checks, "; CHECK-LABEL: Machine code for function %.*s:\n", LIT_ID(c)));
  TRY(lit_put(&f->checks, "; CHECK: CALL64pcrel32 {{.*}}debug-location !{{[0-9]+}}; "));
  TRY(lit_put_literal(&f->checks, c->expected->text));
  return lit_put(&f->checks, "{{$}}\n");
}

/* ---- Inline ---- */

typedef struct inline_writer {
  lit_file *file;
  const vector_call *call;
  const vector_inlined *expected;
  char caller[160], callee[160];
} inline_writer;

dloc_status lit_subprogram(dloc_context *context, dloc_node *ret) {
  static const char text[] = "!0 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, "
                             "spFlags: DISPFlagDefinition, unit: !2)\n"
                             "!1 = !DIFile(filename: \"f.py\", directory: \"src\")\n"
                             "!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n";
  dloc_module *module;
  dloc_diagnostic diagnostic;
  TRY(dloc_read_ll(context, dloc_text_of(text), &diagnostic, &module));
  *ret = dloc_module_numbered(module, 0);
  dloc_module_destroy(module);
  return DLOC_OK;
}

static const char *instruction_text(dloc_instruction_class class, size_t index, char ret[64]) {
  snprintf(ret, 64,
           class == DLOC_INSTRUCTION_PSEUDO_PROBE ? "call void @llvm.pseudoprobe(i64 1, i64 %zu, i32 0, i64 -1)"
                                                  : "call void @g(i32 %zu)",
           index);
  return ret;
}

static dloc_status put_reference(lit_file *f, lit_side side, dloc_node node) {
  return lit_put_root(&f->graph, side == LIT_INPUT ? &f->code : &f->checks, side, node);
}

/* `#dbg_value(i32 N, !V, !DIExpression(), !L)` */
static dloc_status put_record(const inline_writer *w, lit_side side, size_t index, dloc_node variable,
                              dloc_node location) {
  lit_file *f = w->file;
  dloc_buffer *text = side == LIT_INPUT ? &f->code : &f->checks;
  TRY(lit_put(text, "%s#dbg_value(i32 %zu, ", side == LIT_INPUT ? "    " : "; CHECK-NEXT:     ", index));
  TRY(put_reference(f, side, variable));
  TRY(lit_put(text, ", !DIExpression(), "));
  TRY(put_reference(f, side, location));
  return lit_put(text, ")\n");
}

static dloc_status make_variable(const inline_writer *w, size_t index, dloc_node *ret) {
  dloc_context *context = w->file->graph.context;
  dloc_field fields[2];
  char name[16];
  snprintf(name, sizeof name, "v%zu", index);
  TRY(dloc_token(context, dloc_text_of("name"), &fields[0].key));
  TRY(dloc_string(context, dloc_text_of(name), &fields[0].value));
  TRY(dloc_token(context, dloc_text_of("scope"), &fields[1].key));
  fields[1].value = dloc_location_get(context, dloc_primary(context, w->call->records[index])).scope;
  dloc_node_diagnosis diagnosis;
  return dloc_specialised(context, dloc_text_of("DILocalVariable"), false, fields, 2, &diagnosis, ret);
}

static dloc_status put_callee_body(const inline_writer *w) {
  const vector_call *call = w->call;
  char text[64];
  for (size_t i = 0; i < call->record_count; i++) {
    dloc_node variable;
    TRY(make_variable(w, i, &variable));
    TRY(put_record(w, LIT_INPUT, i, variable, call->records[i]));
  }
  for (size_t i = 0; i < call->callee_count; i++)
    TRY(put_input(w->file, call->callee[i].debug_loc, instruction_text(call->callee[i].instruction, i, text)));
  return DLOC_OK;
}

static dloc_status put_callee(const inline_writer *w) {
  lit_file *f = w->file;
  dloc_node subprogram = callee_subprogram(f->graph.context, w->call);
  if (subprogram == DLOC_NULL && w->call->site.callee_has_subprogram)
    TRY(lit_subprogram(f->graph.context, &subprogram));
  TRY(lit_put(&f->code, "define internal void @%s(%s) alwaysinline", w->callee, w->call->has_loop ? "i1 %c" : ""));
  if (w->call->site.callee_has_subprogram) {
    TRY(lit_put(&f->code, " !dbg "));
    TRY(put_reference(f, LIT_INPUT, subprogram));
  }
  TRY(lit_put(&f->code, " {\n"));
  TRY(put_callee_body(w));
  if (w->call->has_loop) {
    TRY(lit_put(&f->code, "  br label %%loop\nloop:\n  br i1 %%c, label %%loop, label %%out, !llvm.loop "));
    TRY(put_reference(f, LIT_INPUT, w->call->loop));
    TRY(lit_put(&f->code, "\nout:\n"));
  }
  return lit_put(&f->code, "  ret void\n}\n");
}

static dloc_status put_caller(const inline_writer *w) {
  const char *parameter = w->call->has_loop ? "i1 %c" : "";
  char text[256];
  snprintf(text, sizeof text, "call void @%s(%s)", w->callee, parameter);
  TRY(lit_put(&w->file->code, "define void @%s(%s)%s {\n", w->caller, parameter,
              w->call->site.caller_no_inline_line_tables ? " \"no-inline-line-tables\"" : ""));
  TRY(put_input(w->file, w->call->site.debug_loc, text));
  return lit_put(&w->file->code, "  ret void\n}\n");
}

static dloc_status check_caller(const inline_writer *w) {
  lit_file *f = w->file;
  const vector_call *call = w->call;
  char text[64];
  TRY(lit_put(&f->checks, "; CHECK-LABEL: define void @%s(%s)%s {\n", w->caller, call->has_loop ? "i1 %c" : "",
              call->site.caller_no_inline_line_tables ? " #{{[0-9]+}}" : ""));
  for (size_t i = 0; i < call->record_count; i++) {
    dloc_node variable;
    TRY(make_variable(w, i, &variable));
    if (w->expected->records[i] != DLOC_NULL)
      TRY(put_record(w, LIT_OUTPUT, i, variable, w->expected->records[i]));
  }
  for (size_t i = 0; i < call->callee_count; i++)
    TRY(put_check(f, "CHECK-NEXT:", w->expected->results[i], instruction_text(call->callee[i].instruction, i, text)));
  if (call->has_loop) {
    TRY(lit_put(&f->checks, "; CHECK:        br i1 %%c, label %%{{.*}}, label %%{{.*}}, !llvm.loop "));
    TRY(put_reference(f, LIT_OUTPUT, w->expected->loop));
    TRY(lit_put(&f->checks, "\n"));
  }
  return lit_put(&f->checks, call->has_loop ? "; CHECK:        ret void\n" : "; CHECK-NEXT:   ret void\n");
}

/* What is inlined beside the instructions of the vector must get no location, as that would take a number: the end of a
 * loop's entry block may, and what uses an alloca and marks its life does. */
static bool is_inlined_plainly(const vector_call *call) {
  bool all_located = !call->site.callee_has_subprogram || call->site.caller_no_inline_line_tables;
  if (call->has_loop && (call->loop == DLOC_NULL || all_located))
    return false;
  for (size_t i = 0; i < call->callee_count; i++)
    if (call->callee[i].instruction == DLOC_INSTRUCTION_STATIC_ALLOCA)
      return false;
  return true;
}

static bool can_inline(const lit_case *c) {
  uint32_t callee;
  for (uint32_t i = 0; i < c->built->call_count; i++)
    if (!callee_find(c->built, i, &callee) || !is_inlined_plainly(&c->built->calls[i]))
      return false;
  return true;
}

static void name_call(const lit_case *c, uint32_t call, uint32_t callee, inline_writer *w) {
  bool one = c->built->call_count == 1;
  snprintf(w->caller, sizeof w->caller, one ? "%.*s" : "%.*s.%u", LIT_ID(c), (unsigned)call);
  snprintf(w->callee, sizeof w->callee, one ? "%.*s.callee" : "%.*s.callee%u", LIT_ID(c), (unsigned)callee);
}

static dloc_status add_inline(lit_file *f, const lit_case *c, bool *ret_shown) {
  *ret_shown = can_inline(c);
  if (!*ret_shown)
    return DLOC_OK;
  for (uint32_t i = 0; i < c->built->call_count; i++) {
    inline_writer w = {f, &c->built->calls[i], &c->expected->calls[i], "", ""};
    uint32_t callee = i;
    callee_find(c->built, i, &callee);
    name_call(c, i, callee, &w);
    TRY(put_caller(&w));
    if (callee == i)
      TRY(put_callee(&w));
  }
  for (uint32_t i = 0; i < c->built->call_count; i++) {
    inline_writer w = {f, &c->built->calls[i], &c->expected->calls[i], "", ""};
    name_call(c, i, i, &w);
    TRY(check_caller(&w));
  }
  return DLOC_OK;
}

/* ---- Recipes ---- */

#define BITCODE_RUNS "; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s --match-full-lines\n"
#define NVPTX_REQUIRED "; REQUIRES: nvptx-registered-target\n"
#define NVPTX_RUNS NVPTX_REQUIRED "; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s\n"

const lit_recipe lit_recipes[LIT_RECIPES] = {
    {.op = VECTOR_MERGE,
     .name = "merge",
     .runs = "; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s --match-full-lines\n",
     .has_nodes = true,
     .declarations = "declare void @g()\n",
     .checks_metadata = true,
     .add = add_merge},
    {.op = VECTOR_INLINE,
     .name = "inline",
     .runs = "; RUN: opt -S -passes=always-inline %s | FileCheck %s --match-full-lines\n",
     .has_nodes = true,
     .declarations = "declare void @g(i32)\n",
     .checks_metadata = true,
     .own_subprograms = true,
     .add = add_inline},
    {.op = VECTOR_EQUAL,
     .name = "equal",
     .runs = NVPTX_RUNS,
     .has_nodes = true,
     .own_subprograms = true,
     .asks_directives = true,
     .add = lit_add_equal},
    {.op = VECTOR_PRINT,
     .name = "print",
     .runs = "; REQUIRES: x86-registered-target\n"
             "; RUN: llc -mtriple=x86_64 -O0 -print-after=finalize-isel %s -o /dev/null 2>&1 | FileCheck %s\n",
     .has_nodes = true,
     .declarations = "declare void @g()\n",
     .add = add_print},
    {.op = VECTOR_VERIFY,
     .name = "verify",
     .runs = "; RUN: split-file %s %t\n",
     .is_split = true,
     .add = lit_add_verify},
    {.op = VECTOR_ACCESSOR,
     .name = "accessor",
     .runs = BITCODE_RUNS,
     .has_nodes = true,
     .declarations = "declare void @g()\n",
     .checks_metadata = true,
     .add = add_accessor},
    {.op = VECTOR_ROUNDTRIP,
     .name = "roundtrip",
     .runs = BITCODE_RUNS,
     .has_nodes = true,
     .declarations = "declare void @g()\n",
     .checks_metadata = true,
     .add = add_roundtrip},
    {.op = VECTOR_EMIT,
     .of_modules = true,
     .name = "split",
     .runs = NVPTX_REQUIRED "; RUN: split-file %s %t\n",
     .is_split = true,
     .has_nodes = true,
     .checks_paths = true,
     .own_subprograms = true,
     .asks_directives = true,
     .add = lit_add_emit_texts},
    {.op = VECTOR_EMIT,
     .name = "emit",
     .runs = NVPTX_RUNS,
     .has_nodes = true,
     .checks_paths = true,
     .own_subprograms = true,
     .asks_directives = true,
     .add = lit_add_emit},
};

unsigned lit_recipe_for(const vector *v) {
  unsigned i = 0;
  while (i < LIT_RECIPES && (lit_recipes[i].op != v->op || (lit_recipes[i].of_modules && !v->module)))
    i++;
  return i;
}
