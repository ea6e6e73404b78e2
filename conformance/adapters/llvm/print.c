/* print.c - printing, as llc shows it. With -print-after each machine instruction ends with its location in LLVM's own
 * form. The call of a function that carries the vector's number is found in any target's syntax. */
#include "llvm.h"

#include <string.h>

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  if (built->args->of.nodes[0] == DLOC_NULL)
    return llvm_skip(b, position, "printing no location cannot be observed");
  unsigned probe = llvm_probe_add(b, position, 0, 0, 0);
  llvm_code(t, "declare void @dloc.print.%u.()\n", probe);
  llvm_code(t, "define void @print.%zu() {\n  call void @dloc.print.%u.()", position, probe);
  llvm_code_dbg(t, built->args->of.nodes[0]);
  llvm_code(t, "  ret void\n}\n");
  return true;
}

/* The text behind "debug-location !N; " in the line. */
static bool printed_location(dloc_text line, dloc_text *ret) {
  const char *found = text_find(line, "debug-location !");
  const char *end = line.bytes + line.size, *behind = found ? memchr(found, ';', (size_t)(end - found)) : NULL;
  if (!behind || end - behind < 2)
    return false;
  *ret = (dloc_text){behind + 2, (size_t)(end - behind) - 2};
  return true;
}

static void answer_print(llvm_batch *b, uint32_t number, dloc_text text) {
  size_t position = b->probes[number].position;
  vector_answer given = llvm_begin_answer(b, position);
  term_set_text(&b->arena, given.value, "text", text);
  if (llvm_answer(b, position)->outcome == RUN_UNANSWERED)
    llvm_give(b, position, NULL, &given);
}

static void read_errors(llvm_batch *b) {
  for (dloc_text rest = buffer_text(&b->child.errors), text; rest.size;) {
    dloc_text line = text_take_line(&rest);
    uint32_t number;
    if (llvm_number_after(line, "dloc.print.", &number) && number < b->probe_count && printed_location(line, &text))
      answer_print(b, number, text);
  }
}

#define PRINT .tool = LLVM_LLC, .options = {"-disable-verify", "-O0", "-print-after=finalize-isel", "-o", "/dev/null"}

const llvm_recipe llvm_print[LLVM_MOST_RECIPES] = {
    {PRINT, .most = 512, .place = RUN_IN_PRINT, .write = write_function, .read = read_errors, .reads_errors = true}};
