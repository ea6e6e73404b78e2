/* outline.c - outlining: the locations of a vector stand in a block that ends in a cold call, which hot-cold splitting
 * makes a function of its own. The subprogram that LLVM makes for it is not the vector's: in LLVM's output references
 * to the one become references to the other. */
#include "llvm.h"

#include <inttypes.h>
#include <stdio.h>

/* The function that the code is outlined from: that of the first location, if the new one is to have a subprogram. */
static dloc_node old_subprogram(const vector_case *built) {
  const term *locations = term_list(built->args, "locations");
  dloc_node old = DLOC_NULL, function = term_node(built->args, "function");
  for (size_t i = 0; function && !old && i < locations->count; i++)
    old = instruction_subprogram(built->context, locations->of.nodes[i]);
  return old ? old : function;
}

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  dloc_node function = term_node(built->args, "function");
  llvm_code_function(t, old_subprogram(built), "void @outline.%zu(i1 %%c)", position);
  llvm_code(t, "  br i1 %%c, label %%cold, label %%out\ncold:\n  call void @dloc.cold() cold\n");
  llvm_write_calls(b, t, position, term_list(built->args, "locations"), true);
  llvm_code(t, "  ret void\nout:\n  ret void\n}\n");
  if (function)
    llvm_code(t, "!dloc.outline.%zu = !{!%" PRIu64 "}\n", position, llvm_text_node(t, function));
  return true;
}

/* The number of a subprogram that LLVM made, and of the one to take in its place. */
typedef struct renaming {
  uint32_t from, to;
  bool is_needed;
} renaming;

/* `define internal void @outline.7.cold.1(...) !dbg !12 {`, and anywhere `!dloc.outline.7 = !{!5}`: 12 becomes 5. By
 * position, malloc's. */
static renaming *find_renamings(dloc_text text, size_t positions) {
  uint32_t position;
  renaming *found = memory_allocate(positions, sizeof *found);
  while (text.size) {
    dloc_text line = text_take_line(&text);
    if (llvm_number_after(line, "@outline.", &position) && position < positions && text_find(line, ".cold.1(") &&
        text_find(line, "define"))
      found[position].is_needed = llvm_number_after(line, "!dbg !", &found[position].from);
    if (llvm_number_after(line, "!dloc.outline.", &position) && position < positions)
      llvm_number_after(line, "= !{!", &found[position].to);
  }
  return found;
}

/* With other numbers behind `scope: !`. */
static void rename_subprograms(llvm_batch *b) {
  static const char marker[] = "scope: !";
  dloc_buffer renamed = {0};
  OWNED(memory_release) renaming *list = find_renamings(buffer_text(&b->child.output), b->task.count);
  for (dloc_text rest = buffer_text(&b->child.output); rest.size;) {
    const char *found = text_find(rest, marker);
    size_t size = found ? (size_t)(found - rest.bytes) + sizeof marker - 1 : rest.size, known = b->task.count;
    uint32_t number;
    if (found && llvm_number_after((dloc_text){found, rest.size - (size_t)(found - rest.bytes)}, marker, &number))
      for (known = 0; known < b->task.count && !(list[known].is_needed && list[known].from == number);)
        known++;
    buffer_put(&renamed, (dloc_text){rest.bytes, size});
    if (known < b->task.count) {
      buffer_format(&renamed, "%" PRIu32, list[known].to);
      size += (size_t)snprintf(NULL, 0, "%" PRIu32, number);
    }
    rest = (dloc_text){rest.bytes + size, rest.size - size};
  }
  dloc_buffer_deinit(&b->child.output);
  b->child.output = renamed;
}

const llvm_recipe llvm_outline[LLVM_MOST_RECIPES] = {
    {LLVM_PASSES("-passes=hotcoldsplit", "-hotcoldsplit-threshold=-1"), .most = 256, .private_nodes = true,
     .write = write_function, .declarations = LLVM_DECLARE_CASE "declare void @dloc.cold() cold\n",
     .prepare = rename_subprograms, .take = llvm_take_results}};
