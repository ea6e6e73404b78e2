/* outline.c - outlining: the locations of a vector stand in a block that ends in a cold call, which hot-cold splitting
 * makes a function of its own. The subprogram that LLVM makes for it is not the vector's: in LLVM's output references
 * to the one become references to the other. */
#include "llvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The function that the code is outlined from: that of the first location, if the new one is to have a subprogram. */
static dloc_node old_subprogram(const vector_case *built) {
  const term *locations = term_list(built->args, "locations");
  dloc_node old = DLOC_NULL, function = term_node(built->args, "function");
  for (size_t i = 0; function && !old && i < locations->count; i++)
    old = llvm_function_of(built->context, locations->of.nodes[i]);
  return old ? old : function;
}

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  dloc_node function = term_node(built->args, "function");
  llvm_code(t, "define void @outline.%zu(i1 %%c)", position);
  llvm_code_dbg_of_function(t, old_subprogram(built));
  llvm_code(t, " {\n  br i1 %%c, label %%cold, label %%out\ncold:\n  call void @dloc.cold() cold\n");
  llvm_write_instructions(b, t, position, term_list(built->args, "locations"));
  llvm_code(t, "  ret void\nout:\n  ret void\n}\n");
  if (function)
    llvm_code(t, "!dloc.outline.%zu = !{!%" PRIu64 "}\n", position, llvm_text_node(t, function));
  return true;
}

/* Numbers of LLVM's subprograms and of those to take in their place, in the order of the former. */
typedef struct renaming {
  uint32_t from, to;
} renaming;

typedef struct renamings {
  renaming *list;
  size_t count;
} renamings;

static int compare_renamings(const void *a, const void *b) {
  uint32_t left = ((const renaming *)a)->from, right = ((const renaming *)b)->from;
  return (left > right) - (left < right);
}

/* `define internal void @outline.7.cold.1(...) !dbg !12 {`, and anywhere `!dloc.outline.7 = !{!5}`: 12 becomes 5. */
static renamings find_renamings(dloc_text text, size_t positions) {
  uint32_t position, number;
  renamings ret = {.list = memory_allocate(positions, sizeof *ret.list)};
  for (size_t at = 0; at < text.size;) {
    dloc_text line = llvm_line_at(text, at);
    if (llvm_number_after(line, "@outline.", &position) && position < positions && text_find(line, ".cold.1(") &&
        llvm_number_after(line, "!dbg !", &number) && text_find(line, "define"))
      ret.list[position].from = number + 1;
    if (llvm_number_after(line, "!dloc.outline.", &position) && position < positions &&
        llvm_number_after(line, "= !{!", &number))
      ret.list[position].to = number;
    at += line.size + 1;
  }
  for (size_t i = 0; i < positions; i++)
    if (ret.list[i].from)
      ret.list[ret.count++] = (renaming){ret.list[i].from - 1, ret.list[i].to};
  qsort(ret.list, ret.count, sizeof *ret.list, compare_renamings);
  return ret;
}

static const char scope_marker[] = "scope: !";

/* Copy the text, with other numbers behind `scope: !`. */
static void rename_scopes(dloc_text text, const renamings *names, dloc_buffer *ret) {
  size_t marker = sizeof scope_marker - 1;
  while (text.size > 0) {
    const char *found = text_find(text, scope_marker);
    size_t size = found ? (size_t)(found - text.bytes) + marker : text.size;
    renaming wanted = {0, 0}, *known = NULL;
    if (found && llvm_number_after((dloc_text){found, text.size - size + marker}, scope_marker, &wanted.from))
      known = bsearch(&wanted, names->list, names->count, sizeof wanted, compare_renamings);
    buffer_put(ret, (dloc_text){text.bytes, size});
    if (known) {
      char old[16];
      buffer_format(ret, "%" PRIu32, known->to);
      size += (size_t)snprintf(old, sizeof old, "%" PRIu32, known->from);
    }
    text = (dloc_text){text.bytes + size, text.size - size};
  }
}

static void rename_subprograms(llvm_batch *b) {
  renamings names = find_renamings(buffer_text(&b->child.output), b->task.count);
  dloc_buffer text = {0};
  rename_scopes(buffer_text(&b->child.output), &names, &text);
  free(names.list);
  dloc_buffer_deinit(&b->child.output);
  b->child.output = text;
}

const llvm_recipe llvm_outline[LLVM_MOST_RECIPES] = {
    {.most = 256,
     .private_nodes = true,
     .write = write_function,
     .declarations = LLVM_DECLARE_CASE "declare void @dloc.cold() cold\n",
     .tool = LLVM_OPT,
     .options = {"-S", "-disable-verify", "-passes=hotcoldsplit", "-hotcoldsplit-threshold=-1"},
     .prepare = rename_subprograms,
     .take = llvm_take_results}};
