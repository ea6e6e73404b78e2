/* llvm_directives.c - line directives and embedded texts, as llc writes them for NVPTX.
 *
 * Each vector is a function of inline assembly statements, whose text is a comment with a number: the directives before
 * it are those of its instruction. The function's subprogram is that of the locations, or the adapter's own in a unit
 * that asks for directives only. */
#include "ops/callee.h"
#include "llvm.h"

#include <inttypes.h>
#include <md5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ---- */

/* Returns the number of its subprogram: the given one, or the adapter's own. */
static uint64_t begin_function(llvm_text *t, const char *name, size_t position, dloc_node given) {
  uint64_t subprogram = given != DLOC_NULL ? llvm_text_node(t, given) : llvm_text_subprogram(t);
  llvm_code(t, "define void @%s_%zu() !dbg !%" PRIu64 " {\n", name, position, subprogram);
  return subprogram;
}

static void write_marker(llvm_text *t, uint32_t probe) {
  llvm_code(t, "  call void asm sideeffect \"// dloc %u\", \"\"()", (unsigned)probe);
}

static void write_instruction(llvm_batch *b, llvm_text *t, size_t position, uint32_t index, dloc_node debug_loc) {
  write_marker(t, llvm_probe_add(b, t, position, 0, index, 0));
  llvm_code_dbg(t, debug_loc);
  llvm_code(t, "\n");
}

static void end_function(llvm_text *t) { llvm_code(t, "  ret void\n}\n"); }

/* ---- Reading ---- */

/* `.loc FILE LINE COLUMN`, or a layer's `.loc_intermediate`. */
typedef struct directive {
  uint32_t file;
  uint32_t line;
  uint32_t column;
  bool is_layer;
} directive;

static bool read_numbers(dloc_text line, const char *name, directive *ret) {
  char text[160];
  const char *found = llvm_find(line, name);
  if (!found)
    return false;
  size_t size = (size_t)(line.bytes + line.size - found);
  snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), found);
  unsigned file, at, column;
  if (sscanf(text + strlen(name), "%u %u %u", &file, &at, &column) != 3)
    return false;
  *ret = (directive){.file = file, .line = at, .column = column};
  return true;
}

static bool read_directive(dloc_text line, directive *ret) {
  if (read_numbers(line, "\t.loc\t", ret))
    return true;
  bool is_layer = read_numbers(line, "\t.loc_intermediate\t", ret);
  ret->is_layer = is_layer;
  return is_layer;
}

/* A character of a quoted name, with its escapes; false at the closing quote. */
static bool take_character(dloc_text *text, char *ret) {
  if (text->size == 0 || text->bytes[0] == '"')
    return false;
  bool escaped = text->bytes[0] == '\\' && text->size > 1;
  size_t size = 1 + escaped;
  *ret = text->bytes[size - 1];
  if (escaped && *ret >= '0' && *ret <= '7' && text->size >= 4) {
    *ret = (char)((text->bytes[1] - '0') * 64 + (text->bytes[2] - '0') * 8 + (text->bytes[3] - '0'));
    size = 4;
  }
  *text = (dloc_text){text->bytes + size, text->size - size};
  return true;
}

enum { PATH_SIZE = 4096 };

/* The name that `.file` gives to a number: "dir/name", or `"dir" "name"` of releases before 15. */
static bool find_file(dloc_text output, uint32_t number, char ret[PATH_SIZE]) {
  char marker[32];
  snprintf(marker, sizeof marker, "\t.file\t%u \"", (unsigned)number);
  const char *found = llvm_find(output, marker);
  if (!found)
    return false;
  dloc_text line = llvm_line_at(output, (size_t)(found - output.bytes) + strlen(marker));
  size_t used = 0;
  while (used + 2 < PATH_SIZE && take_character(&line, &ret[used]))
    used++;
  if (line.size > 3 && memcmp(line.bytes, "\" \"", 3) == 0) {
    line = (dloc_text){line.bytes + 3, line.size - 3};
    if (line.bytes[0] == '/')
      used = 0;
    else if (used > 0 && ret[used - 1] != '/')
      ret[used++] = '/';
    while (used + 2 < PATH_SIZE && take_character(&line, &ret[used]))
      used++;
  }
  ret[used] = '\0';
  return true;
}

/* Where the directives of each marker are. */
typedef struct listing {
  dloc_text output;
  directive *directives;
  size_t count, room;
} listing;

static bool add_directive(listing *l, const directive *given) {
  if (l->count == l->room) {
    size_t room = l->room ? 2 * l->room : 256;
    directive *directives = realloc(l->directives, room * sizeof *directives);
    if (!directives)
      return false;
    l->directives = directives;
    l->room = room;
  }
  l->directives[l->count++] = *given;
  return true;
}

/* Each probe gets the directives since the one before: `first` of them and how many. What stands before the first block
 * is the function's. */
typedef struct span {
  size_t first, count;
} span;

static bool read_listing(const llvm_batch *b, listing *ret, span *spans) {
  listing l = {.output = llvm_text_of(&b->child.output)};
  size_t first = 0;
  for (size_t at = 0; at < l.output.size;) {
    dloc_text line = llvm_line_at(l.output, at);
    at += line.size + 1;
    uint32_t number;
    directive found;
    if (read_directive(line, &found) && !add_directive(&l, &found)) {
      free(l.directives);
      return false;
    }
    if (llvm_number_after(line, "// dloc ", &number) && number < b->probe_count) {
      spans[number] = (span){first, l.count - first};
      b->probes[number].seen = true;
    }
    if (llvm_number_after(line, "// dloc ", &number) || llvm_find(line, "// %bb."))
      first = l.count;
  }
  *ret = l;
  return true;
}

static dloc_status with_listing(llvm_batch *b, dloc_status (*answer)(llvm_batch *, const listing *, const span *)) {
  span *spans = calloc(b->probe_count + 1, sizeof *spans);
  listing l;
  if (!spans || !read_listing(b, &l, spans)) {
    free(spans);
    return DLOC_NO_MEMORY;
  }
  dloc_status status = answer(b, &l, spans);
  free(l.directives);
  free(spans);
  return status;
}

/* The name of a file, empty when it has none. */
static void name_file(const listing *l, uint32_t number, value_arena *arena, term *map) {
  char path[PATH_SIZE];
  term_set_text(arena, map, "file", dloc_text_of(find_file(l->output, number, path) ? path : ""));
}

/* The section of embedded texts: a part of the output, or empty. */
static dloc_text text_section(const listing *l) {
  const char *start = llvm_find(l->output, ".nv_intermediate_source_section {");
  return start ? (dloc_text){start, (size_t)(l->output.bytes + l->output.size - start)} : (dloc_text){"", 0};
}

/* What follows a marker in a block, up to what ends it; the block goes on behind that. False: it is not there. */
static bool take_between(dloc_text *block, const char *marker, const char *end, dloc_text *ret) {
  const char *found = llvm_find(*block, marker);
  if (!found)
    return false;
  const char *start = found + strlen(marker);
  dloc_text rest = {start, (size_t)(block->bytes + block->size - start)};
  const char *last = llvm_find(rest, end);
  if (!last)
    return false;
  *ret = (dloc_text){start, (size_t)(last - start)};
  *block = (dloc_text){last, (size_t)(rest.bytes + rest.size - last)};
  return true;
}

/* One `.code_block`; false after the last. */
static bool take_block(dloc_text *section, dloc_text *ret_kind, uint32_t *ret_file, dloc_text *ret_text) {
  dloc_text file;
  if (!take_between(section, ".ir_name: \"", "\"\n", ret_kind) ||
      !take_between(section, ".sourceFileName: ", "\n\t\t.source_begin\n", &file))
    return false;
  *ret_file = (uint32_t)strtoul(file.bytes, NULL, 10);
  return take_between(section, "\t\t.source_begin\n", "\n\t\t.source_end\n", ret_text);
}

/* An answer that needs no nodes. */
static dloc_status take_plain(run_answer *answer, const vector_answer *given) {
  dloc_context *context = dloc_context_create(NULL);
  value_arena arena;
  value_arena_init(&arena, NULL);
  dloc_status status = context ? run_answer_take(answer, context, &arena, given) : DLOC_NO_MEMORY;
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return status;
}

/* ---- Equal ---- */

/* A location at line 0 behind another one at line 0 writes nothing, whether they are equal or not. */
static bool both_at_line_0(const dloc_context *context, const dloc_node *locations) {
  bool both = true;
  for (size_t i = 0; i < 2; i++)
    both = both && dloc_location_get(context, dloc_primary(context, locations[i])).line == 0;
  return both;
}

/* Of two instructions in a row, the second has directives of its own unless their DebugLocs are equal. No location is
 * told by node. */
static bool write_equal(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  const dloc_node *locations = c.built.args->of.nodes;
  bool located = locations[0] != DLOC_NULL && locations[1] != DLOC_NULL;
  bool visible = located && !both_at_line_0(c.context, locations);
  if (visible) {
    begin_function(t, "equal", position, DLOC_NULL);
    for (uint32_t i = 0; i < 2; i++)
      write_instruction(b, t, position, i, locations[i]);
    end_function(t);
  } else if (located) {
    run_answer_set(llvm_answer(b, position), RUN_SKIPPED,
                   "whether two locations at line 0 are equal cannot be observed");
  } else {
    llvm_hand_on(b, t, position, KIND_EQUAL);
  }
  llvm_case_close(&c);
  return visible && t->status == DLOC_OK;
}

static dloc_status answer_equal(llvm_batch *b, const listing *l, const span *spans) {
  (void)l;
  dloc_status status = DLOC_OK;
  value_arena arena = {0};
  for (size_t i = 0; status == DLOC_OK && i + 1 < b->probe_count; i += 2)
    if (b->probes[i].seen && b->probes[i + 1].seen) {
      vector_answer given = vector_ok(llvm_vector(b, b->probes[i].position), &arena);
      term_set_flag(given.value, "equal", spans[i + 1].count == 0);
      status = take_plain(llvm_answer(b, b->probes[i].position), &given);
    }
  value_arena_deinit(&arena);
  return status;
}

static dloc_status read_equal(llvm_batch *b) { return with_listing(b, answer_equal); }

#define DIRECTIVES .tool = LLVM_LLC, .options = {"-disable-verify", "-mtriple=nvptx64-nvidia-cuda", "-o", "-"}

const llvm_recipe llvm_equal_layers = {
    .name = "equal, with layers", .most = 256, .write = write_equal, DIRECTIVES, .read = read_equal};

/* ---- Source ---- */

enum { HASH_DIGITS = 32, MOST_ENTRIES = 64 /* told apart; a vector has a few */ };

static bool find_list(const dloc_module *module, dloc_named_metadata *ret) {
  return dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), ret);
}

/* An instruction with a layer of that kind in that file. */
static void write_use(llvm_batch *b, llvm_text *t, size_t position, uint32_t index, uint64_t subprogram, dloc_node file,
                      dloc_text kind) {
  uint64_t scope = llvm_text_made(t, "!DILexicalBlockFile(scope: !%" PRIu64 ", file: !%" PRIu64 ", discriminator: 0)",
                                  subprogram, llvm_text_node(t, file));
  uint64_t layer = llvm_text_made(t, "!DILocation(line: 1, scope: !%" PRIu64 ")", scope);
  uint64_t primary =
      llvm_text_made(t, "!DILocation(line: %u, column: 1, scope: !%" PRIu64 ")", (unsigned)index + 1, subprogram);
  uint64_t pair = llvm_text_made_tuple(t, kind, ", !%" PRIu64 "}", layer);
  uint64_t tuple = llvm_text_made(t, "!{!%" PRIu64 ", !%" PRIu64 "}", primary, pair);
  write_marker(t, llvm_probe_add(b, t, position, 0, index, 0));
  llvm_code(t, ", !dbg !%" PRIu64 "\n", tuple);
}

static bool is_file(const dloc_context *context, dloc_node node) {
  return dloc_node_kind(context, node) == DLOC_KIND_FILE;
}

static dloc_text kind_of(const dloc_context *context, dloc_node entry) {
  dloc_node kind = dloc_operand(context, entry, 0);
  return dloc_node_kind(context, kind) == DLOC_KIND_STRING ? dloc_node_text(context, kind) : dloc_text_of("dloc");
}

/* The list as it stands; or, to tell its entries by their hashes, each with a text of its own, which says how many
 * there are before it. */
static void write_list(llvm_text *t, const dloc_module *module, const dloc_named_metadata *list, bool own_texts) {
  dloc_source sources[MOST_ENTRIES];
  size_t count = own_texts ? dloc_source_list(module, MOST_ENTRIES, sources) : 0;
  llvm_code(t, "!" DLOC_SOURCE_LIST " = !{");
  for (size_t i = 0, next = 0; i < list->operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(module, list, i);
    bool replaced = next < count && sources[next].entry == entry;
    uint64_t number = replaced ? llvm_text_made_tuple(t, sources[next].kind, ", !%" PRIu64 ", !\"dloc.%zu\"}",
                                                      llvm_text_node(t, sources[next].file), next)
                               : llvm_text_node(t, entry);
    next += replaced;
    llvm_code(t, "%s!%" PRIu64, i ? ", " : "", number);
  }
  llvm_code(t, "}\n");
}

/* Every file of the list is used once, in its order; or the one that is asked for. */
static void write_uses(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built, uint64_t subprogram) {
  if (!term_get(built->args, "list")) {
    dloc_text kind = term_text(built->args, "kind");
    write_use(b, t, position, 0, subprogram, term_node(built->args, "find"), kind.size ? kind : dloc_text_of("dloc"));
    return;
  }
  dloc_named_metadata list;
  if (!find_list(built->module, &list))
    return;
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(built->module, &list, i);
    dloc_node file = dloc_operand(t->context, entry, 1);
    if (is_file(t->context, file))
      write_use(b, t, position, (uint32_t)i, subprogram, file, kind_of(t->context, entry));
  }
}

/* In the output a file has the hash of its first text as name: two texts of one file have one name, and so have two
 * files of one text. */
static bool has_two_of_a_name(const dloc_module *module) {
  dloc_source sources[MOST_ENTRIES];
  size_t count = dloc_source_list(module, MOST_ENTRIES, sources);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      if ((sources[i].file == sources[j].file) != dloc_text_equal(sources[i].text, sources[j].text))
        return true;
  return false;
}

static bool write_source(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  bool listed = term_get(c.built.args, "list") != NULL;
  bool visible = !listed || !has_two_of_a_name(c.built.module);
  if (visible) {
    dloc_named_metadata list;
    uint64_t subprogram = begin_function(t, "source", position, DLOC_NULL);
    write_uses(b, t, position, &c.built, subprogram);
    end_function(t);
    if (find_list(c.built.module, &list))
      write_list(t, c.built.module, &list, !listed);
  } else {
    run_answer_set(llvm_answer(b, position), RUN_SKIPPED,
                   "two files of one text, or two texts of one file, cannot be told apart");
  }
  llvm_case_close(&c);
  return visible && t->status == DLOC_OK;
}

/* "dir/NAME": the name. */
static dloc_text last_part(dloc_text path) {
  size_t start = path.size;
  while (start > 0 && path.bytes[start - 1] != '/')
    start--;
  return (dloc_text){path.bytes + start, path.size - start};
}

static void hash_own_text(size_t index, char ret[HASH_DIGITS + 1]) {
  char text[32];
  int size = snprintf(text, sizeof text, "dloc.%zu", index);
  MD5Data((const uint8_t *)text, (size_t)size, ret);
}

/* The file of the layer's directive is named by the hash of a text: of which entry? */
static void find_entry(const listing *l, const span *uses, size_t entry_count, term *ret) {
  char path[PATH_SIZE];
  const directive *layer = uses->count ? &l->directives[uses->first + uses->count - 1] : NULL;
  term_set_null(ret, "entry");
  if (!layer || !layer->is_layer || !find_file(l->output, layer->file, path))
    return;
  for (size_t i = entry_count; i > 0; i--) {
    char hash[HASH_DIGITS + 1];
    hash_own_text(i - 1, hash);
    if (dloc_text_equal(last_part(dloc_text_of(path)), dloc_text_of(hash)))
      term_set_number(ret, "entry", i - 1);
  }
}

/* The node of a file: that of the entry whose instruction has it in its layer's directive. */
static dloc_node node_of_file(const llvm_batch *b, const listing *l, const span *spans, uint32_t file,
                              const dloc_module *module, const dloc_named_metadata *list) {
  for (size_t i = 0; i < b->probe_count; i++) {
    const directive *last = spans[i].count ? &l->directives[spans[i].first + spans[i].count - 1] : NULL;
    if (last && last->is_layer && last->file == file) {
      dloc_node entry = dloc_module_named_operand(module, list, b->probes[i].index);
      return dloc_operand(dloc_module_context(module), entry, 1);
    }
  }
  return DLOC_NULL;
}

/* How many `.code_block`s there are, at most so many. */
static size_t count_blocks(const listing *l, size_t most) {
  dloc_text section = text_section(l), kind, text;
  uint32_t file;
  size_t count = 0;
  while (count < most && take_block(&section, &kind, &file, &text))
    count++;
  return count;
}

static void take_entries(const llvm_batch *b, const listing *l, const span *spans, const vector_case *built,
                         const dloc_named_metadata *list, value_arena *arena, term *ret) {
  size_t count = count_blocks(l, list->operand_count);
  term *entries = term_set_list(arena, ret, "entries", count);
  dloc_text section = text_section(l), kind, text;
  uint32_t file;
  for (size_t i = 0; i < count && take_block(&section, &kind, &file, &text); i++) {
    char path[PATH_SIZE];
    term_set_text(arena, &entries[i], "kind", kind);
    *term_set_node(arena, &entries[i], "file") = node_of_file(b, l, spans, file, built->module, list);
    term_set_text(arena, &entries[i], "text", text);
    term_set_text(arena, &entries[i], "md5", last_part(dloc_text_of(find_file(l->output, file, path) ? path : "")));
  }
}

static dloc_status answer_source(llvm_batch *b, const listing *l, const span *spans) {
  const vector *v = llvm_vector(b, 0);
  dloc_context *context = memory_context();
  value_arena arena = {0};
  vector_case built;
  vector_answer given;
  bool rejected;
  dloc_status status = vector_build(v, context, &arena, &built, &rejected, &given);
  if (status == DLOC_OK && !rejected) {
    dloc_named_metadata list = {.operand_count = 0};
    find_list(built.module, &list);
    given = vector_ok(v, &arena);
    if (term_get(built.args, "list"))
      take_entries(b, l, spans, &built, &list, &arena, given.value);
    else
      find_entry(l, &spans[0], list.operand_count, given.value);
    status = run_answer_take(llvm_answer(b, 0), context, &arena, &given);
    vector_case_deinit(&built);
  }
  value_arena_deinit(&arena);
  dloc_context_destroy(context);
  return status;
}

static dloc_status read_source(llvm_batch *b) { return with_listing(b, answer_source); }

/* The list of sources is the module's, so each vector has a module of its own. */
const llvm_recipe llvm_source = {.name = "source", .most = 1, .write = write_source, DIRECTIVES, .read = read_source};

/* ---- Emit ---- */

enum { PROBE_BEFORE = 1 }; /* the instruction at another line that stands before a vector's first */

static void write_before(llvm_batch *b, llvm_text *t, size_t position, uint64_t subprogram) {
  write_marker(t, llvm_probe_add(b, t, position, 0, 0, PROBE_BEFORE));
  llvm_code(t, ", !dbg !%" PRIu64 "\n",
            llvm_text_made(t, "!DILocation(line: 65535, column: 1, scope: !%" PRIu64 ")", subprogram));
}

static bool write_emit(llvm_batch *b, llvm_text *t, size_t position) {
  llvm_case c;
  if (!llvm_case_open(b, t, position, &c))
    return false;
  dloc_node function = DLOC_NULL;
  const term *locations = c.built.args;
  for (size_t i = 0; function == DLOC_NULL && i < locations->count; i++)
    function = instruction_subprogram(c.context, locations->of.nodes[i]);
  uint64_t subprogram = begin_function(t, "emit", position, function);
  write_before(b, t, position, subprogram);
  for (size_t i = 0; i < locations->count; i++)
    write_instruction(b, t, position, (uint32_t)i, locations->of.nodes[i]);
  end_function(t);
  dloc_named_metadata list;
  if (c.built.module && find_list(c.built.module, &list))
    write_list(t, c.built.module, &list, false);
  llvm_case_close(&c);
  return t->status == DLOC_OK;
}

static void take_place(const listing *l, const directive *given, value_arena *arena, term *ret) {
  name_file(l, given->file, arena, ret);
  term_set_number(ret, "line", given->line);
  term_set_number(ret, "column", given->column);
}

static void take_instruction(const listing *l, const span *found, value_arena *arena, term *ret) {
  const directive *given = &l->directives[found->first];
  size_t count = 0, next = 0;
  for (size_t i = 0; i < found->count; i++)
    count += given[i].is_layer;
  term *layers = count ? term_set_list(arena, ret, "layers", count) : NULL;
  for (size_t i = 0; i < found->count; i++)
    take_place(l, &given[i], arena, given[i].is_layer ? &layers[next++] : term_set_map(arena, ret, "primary"));
}

static void take_texts(const listing *l, value_arena *arena, term *ret) {
  size_t count = count_blocks(l, MOST_ENTRIES);
  term *texts = count ? term_set_list(arena, ret, "texts", count) : NULL;
  dloc_text section = text_section(l), kind, text;
  uint32_t file;
  for (size_t i = 0; i < count && take_block(&section, &kind, &file, &text); i++) {
    term_set_text(arena, &texts[i], "kind", kind);
    name_file(l, file, arena, &texts[i]);
    term_set_text(arena, &texts[i], "text", text);
  }
}

/* probes: the one before, then those of the vector's instructions. */
static dloc_status answer_one(llvm_batch *b, const listing *l, const span *spans, size_t first, size_t count,
                              value_arena *arena) {
  vector_answer given = vector_ok(llvm_vector(b, b->probes[first].position), arena);
  term *instructions = term_set_list(arena, given.value, "instructions", count);
  for (size_t i = 0; i < count; i++) {
    if (!b->probes[first + i].seen)
      return DLOC_OK; /* the vector stays without an answer */
    take_instruction(l, &spans[first + i], arena, &instructions[i]);
  }
  take_texts(l, arena, given.value);
  return take_plain(llvm_answer(b, b->probes[first].position), &given);
}

static dloc_status answer_emit(llvm_batch *b, const listing *l, const span *spans) {
  value_arena arena;
  value_arena_init(&arena, NULL);
  dloc_status status = DLOC_OK;
  for (size_t i = 0, next; status == DLOC_OK && i < b->probe_count; i = next) {
    for (next = i + 1; next < b->probe_count && b->probes[next].kind != PROBE_BEFORE;)
      next++;
    value_arena_reset(&arena);
    if (next > i + 1)
      status = answer_one(b, l, spans, i + 1, next - i - 1, &arena);
  }
  value_arena_deinit(&arena);
  return status;
}

static dloc_status read_emit(llvm_batch *b) { return with_listing(b, answer_emit); }

const llvm_recipe llvm_emit = {
    .name = "emit", .most = 256, .private_nodes = true, .write = write_emit, DIRECTIVES, .read = read_emit};

/* The list of sources is the module's. */
const llvm_recipe llvm_emit_texts = {
    .name = "emit, with texts", .most = 1, .write = write_emit, DIRECTIVES, .read = read_emit};
