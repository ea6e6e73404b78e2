/* llvm_moved.c - stripping and outlining: calls that carry their number, and where they stand afterwards.
 *
 * Strip: all locations of a vector stand in one function; the passes that strip. A module has one list of sources, so a
 * vector with one is alone. Outline: they stand in a block that ends in a cold call, which hot-cold splitting makes a
 * function of its own. The subprogram that LLVM makes for it is not the vector's: in LLVM's output references to the
 * one become references to the other. */
#include "llvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_calls(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *locations = term_list(built->args, "locations");
  for (size_t i = 0; i < locations->count; i++) {
    uint32_t probe = llvm_probe_add(b, t, position, 0, (uint32_t)i, 0);
    llvm_code(t, "  call void @dloc.case(i32 %u)", (unsigned)probe);
    llvm_code_dbg(t, locations->of.nodes[i]);
    llvm_code(t, "\n");
  }
}

static void write_declarations(llvm_batch *b, llvm_text *t) {
  (void)b;
  llvm_code(t, "declare void @dloc.case(i32)\ndeclare void @dloc.cold() cold\n");
}

/* ---- Strip ---- */

static void write_list(llvm_text *t, const dloc_module *module) {
  dloc_named_metadata list;
  if (!module || !dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return;
  llvm_code(t, "!%s = !{", DLOC_SOURCE_LIST);
  for (size_t i = 0; i < list.operand_count; i++)
    llvm_code(t, "%s!%" PRIu64, i ? ", " : "", llvm_text_node(t, dloc_module_named_operand(module, &list, i)));
  llvm_code(t, "}\n");
}

static bool write_strip(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  llvm_code(t, "define void @strip.%zu() {\n", position);
  write_calls(b, t, position, &c.built);
  llvm_code(t, "  ret void\n}\n");
  write_list(t, c.built.module);
  llvm_case_close(&c);
  return t->status == DLOC_OK;
}

static void take_strip(llvm_batch *b, llvm_output *output, const llvm_probe *probes, size_t count, term *ret) {
  (void)b;
  llvm_take_results(output, probes, count, ret);
  llvm_take_list(output, ret);
}

static dloc_status read_strip(llvm_batch *b) { return llvm_read_groups(b, take_strip); }

const llvm_recipe llvm_strip = {.name = "strip",
                                .most = 512,
                                .write = write_strip,
                                .write_end = write_declarations,
                                .tool = LLVM_OPT,
                                .options = {"-S", "-disable-verify", "-passes=strip-nonlinetable-debuginfo"},
                                .read = read_strip};

const llvm_recipe llvm_strip_sources = {.name = "strip with sources",
                                        .most = 1,
                                        .write = write_strip,
                                        .write_end = write_declarations,
                                        .tool = LLVM_OPT,
                                        .options = {"-S", "-disable-verify", "-passes=strip-nonlinetable-debuginfo"},
                                        .read = read_strip};

const llvm_recipe llvm_strip_all = {.name = "strip all",
                                    .most = 1,
                                    .write = write_strip,
                                    .write_end = write_declarations,
                                    .tool = LLVM_OPT,
                                    .options = {"-S", "-disable-verify", "-strip-debug"},
                                    .read = read_strip};

/* ---- Outline ---- */

/* The function that the code is outlined from: that of the first location, if the new one is to have a subprogram. */
static dloc_node old_subprogram(const llvm_case *c) {
  const term *locations = term_list(c->built.args, "locations");
  dloc_node location = DLOC_NULL, function = term_node(c->built.args, "function");
  for (size_t i = 0; !location && i < locations->count; i++)
    location = dloc_primary(c->context, locations->of.nodes[i]);
  if (!function || !location)
    return function;
  for (dloc_node outer = location; outer; outer = dloc_location_get(c->context, outer).inlined_at)
    location = outer;
  return dloc_scope_subprogram(c->context, dloc_location_get(c->context, location).scope);
}

static bool write_outline(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  llvm_code(t, "define void @outline.%zu(i1 %%c)", position);
  llvm_code_dbg_of_function(t, old_subprogram(&c));
  llvm_code(t, " {\n  br i1 %%c, label %%cold, label %%out\ncold:\n  call void @dloc.cold() cold\n");
  write_calls(b, t, position, &c.built);
  llvm_code(t, "  ret void\nout:\n  ret void\n}\n");
  dloc_node function = term_node(c.built.args, "function");
  if (function)
    llvm_code(t, "!dloc.outline.%zu = !{!%" PRIu64 "}\n", position, llvm_text_node(t, function));
  llvm_case_close(&c);
  return t->status == DLOC_OK;
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
static bool find_renamings(dloc_text text, size_t positions, renamings *ret) {
  uint32_t position, number;
  ret->list = calloc(positions ? positions : 1, sizeof *ret->list);
  for (size_t at = 0; ret->list && at < text.size;) {
    dloc_text line = llvm_line_at(text, at);
    if (llvm_number_after(line, "@outline.", &position) && position < positions && llvm_find(line, ".cold.1(") &&
        llvm_number_after(line, "!dbg !", &number) && llvm_find(line, "define"))
      ret->list[position].from = number + 1;
    if (llvm_number_after(line, "!dloc.outline.", &position) && position < positions &&
        llvm_number_after(line, "= !{!", &number))
      ret->list[position].to = number;
    at += line.size + 1;
  }
  if (!ret->list)
    return false;
  for (size_t i = 0; i < positions; i++)
    if (ret->list[i].from)
      ret->list[ret->count++] = (renaming){ret->list[i].from - 1, ret->list[i].to};
  qsort(ret->list, ret->count, sizeof *ret->list, compare_renamings);
  return true;
}

static const char scope_marker[] = "scope: !";

/* Copy the text, with other numbers behind `scope: !`. */
static bool rename_scopes(dloc_text text, const renamings *names, dloc_buffer *ret) {
  dloc_sink sink = dloc_buffer_sink(ret);
  size_t marker = sizeof scope_marker - 1;
  while (text.size > 0) {
    const char *found = llvm_find(text, scope_marker);
    size_t size = found ? (size_t)(found - text.bytes) + marker : text.size;
    renaming wanted = {0, 0}, *known = NULL;
    if (found && llvm_number_after((dloc_text){found, text.size - size + marker}, scope_marker, &wanted.from))
      known = bsearch(&wanted, names->list, names->count, sizeof wanted, compare_renamings);
    if (!sink.write(sink.user, text.bytes, size))
      return false;
    text = (dloc_text){text.bytes + size, text.size - size};
    if (!known)
      continue;
    char number[16];
    int digits = snprintf(number, sizeof number, "%" PRIu32, known->to);
    if (!sink.write(sink.user, number, (size_t)digits))
      return false;
    size_t old = (size_t)snprintf(number, sizeof number, "%" PRIu32, known->from);
    text = (dloc_text){text.bytes + old, text.size - old};
  }
  return true;
}

static void take_outline(llvm_batch *b, llvm_output *output, const llvm_probe *probes, size_t count, term *ret) {
  (void)b;
  llvm_take_results(output, probes, count, ret);
}

static dloc_status read_outline(llvm_batch *b) {
  renamings names = {NULL, 0};
  dloc_buffer text = {0};
  bool fine = find_renamings(llvm_text_of(&b->child.output), b->task.count, &names) &&
              rename_scopes(llvm_text_of(&b->child.output), &names, &text);
  free(names.list);
  dloc_buffer_deinit(&b->child.output);
  b->child.output = text;
  return fine ? llvm_read_groups(b, take_outline) : DLOC_NO_MEMORY;
}

const llvm_recipe llvm_outline = {
    .name = "outline",
    .most = 256,
    .private_nodes = true,
    .write = write_outline,
    .write_end = write_declarations,
    .tool = LLVM_OPT,
    .options = {"-S", "-disable-verify", "-passes=hotcoldsplit", "-hotcoldsplit-threshold=-1"},
    .read = read_outline};
