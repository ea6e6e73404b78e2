/* llvm_observe.c - equality, as opt prints it; and printing, as llc shows it.
 *
 * Equal: two calls have the operands as locations; they are equal exactly when opt prints the same node for both.
 * Print: llc -print-after shows each machine instruction with its location in LLVM's own form at the end of the line;
 * the call of a function that carries the vector's number is found in any target's syntax. */
#include "llvm.h"

#include <stdio.h>
#include <string.h>

/* ---- Equal ---- */

static bool write_equal(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  llvm_code(t, "define void @equal.%zu() {\n", position);
  for (size_t i = 0; i < 2; i++) {
    uint32_t probe = llvm_probe_add(b, t, position, 0, (uint32_t)i, 0);
    llvm_code(t, "  call void @dloc.case(i32 %u)", (unsigned)probe);
    llvm_code_dbg(t, c.built.args->of.nodes[i]);
    llvm_code(t, "\n");
  }
  llvm_code(t, "  ret void\n}\n");
  llvm_case_close(&c);
  return t->status == DLOC_OK;
}

static void write_case_declaration(llvm_batch *b, llvm_text *t) {
  (void)b;
  llvm_code(t, "declare void @dloc.case(i32)\n");
}

static dloc_status read_equal(llvm_batch *b) {
  dloc_text text = {b->child.output.bytes, b->child.output.size};
  llvm_output output;
  dloc_status status = llvm_output_read(b, text, &output);
  if (status != DLOC_OK)
    return status == DLOC_INVALID ? DLOC_OK : status;
  llvm_see_calls(b, &output, NULL);
  for (size_t i = 0; status == DLOC_OK && i + 1 < b->probe_count; i++) {
    const llvm_probe *pair = &b->probes[i];
    if (pair[0].position != pair[1].position || !pair[0].seen || !pair[1].seen)
      continue;
    value_arena_reset(&output.arena);
    vector_answer given = vector_ok(llvm_vector(b, pair->position), &output.arena);
    term_set_flag(given.value, "equal", pair[0].node == pair[1].node);
    if (llvm_answer(b, pair->position)->outcome == RUN_UNANSWERED)
      status = run_answer_take(llvm_answer(b, pair->position), output.context, &output.arena, &given);
  }
  llvm_output_close(&output);
  return status;
}

const llvm_recipe llvm_equal = {.name = "equal",
                                .most = 1024,
                                .write = write_equal,
                                .write_end = write_case_declaration,
                                .tool = LLVM_OPT,
                                .options = {"-S", "-disable-verify"},
                                .read = read_equal};

/* ---- Print ---- */

static bool write_print(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  bool located = c.built.args->of.nodes[0] != DLOC_NULL;
  if (located) {
    uint32_t probe = llvm_probe_add(b, t, position, 0, 0, 0);
    llvm_code(t, "declare void @dloc.print.%u.()\n", (unsigned)probe);
    llvm_code(t, "define void @print.%zu() {\n  call void @dloc.print.%u.()", position, (unsigned)probe);
    llvm_code_dbg(t, c.built.args->of.nodes[0]);
    llvm_code(t, "\n  ret void\n}\n");
  } else {
    run_answer_set(llvm_answer(b, position), RUN_SKIPPED, "printing no location cannot be observed");
  }
  llvm_case_close(&c);
  return located && t->status == DLOC_OK;
}

/* What follows "debug-location !N; " in the line. */
static bool printed_location(dloc_text line, dloc_text *ret) {
  uint32_t number;
  if (!llvm_number_after(line, "debug-location !", &number))
    return false;
  char marker[48];
  int size = snprintf(marker, sizeof marker, "debug-location !%u; ", (unsigned)number);
  for (size_t i = 0; i + (size_t)size <= line.size; i++)
    if (memcmp(line.bytes + i, marker, (size_t)size) == 0) {
      *ret = (dloc_text){line.bytes + i + size, line.size - i - (size_t)size};
      return true;
    }
  return false;
}

static dloc_status answer_print(llvm_batch *b, uint32_t number, dloc_text text) {
  run_answer *answer = llvm_answer(b, b->probes[number].position);
  if (answer->outcome != RUN_UNANSWERED)
    return DLOC_OK;
  dloc_context *context = dloc_context_create(NULL);
  if (!context)
    return DLOC_NO_MEMORY;
  value_arena arena;
  value_arena_init(&arena, NULL);
  vector_answer given = vector_ok(llvm_vector(b, b->probes[number].position), &arena);
  term_set_text(&arena, given.value, "text", text);
  dloc_status status = run_answer_take(answer, context, &arena, &given);
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return status;
}

static dloc_status read_print(llvm_batch *b) {
  dloc_text errors = {b->child.errors.bytes, b->child.errors.size};
  dloc_status status = DLOC_OK;
  for (size_t at = 0; status == DLOC_OK && at < errors.size;) {
    dloc_text line = llvm_line_at(errors, at);
    uint32_t number;
    dloc_text text;
    if (llvm_number_after(line, "dloc.print.", &number) && number < b->probe_count && printed_location(line, &text))
      status = answer_print(b, number, text);
    at += line.size + 1;
  }
  return status;
}

const llvm_recipe llvm_print = {.name = "print",
                                .most = 512,
                                .write = write_print,
                                .tool = LLVM_LLC,
                                .options = {"-disable-verify", "-O0", "-print-after=finalize-isel", "-o", "/dev/null"},
                                .read = read_print,
                                .errors_are_output = true};
