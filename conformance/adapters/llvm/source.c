/* source.c - the list of embedded texts, as llc writes it for NVPTX: the list is the module's, so each vector has a
 * module of its own. */
#include "directives.h"

#include <inttypes.h>
#include <md5.h>

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
  directives_mark(t, llvm_probe_add(b, position, 0, index, 0));
  llvm_code(t, ", !dbg !%" PRIu64 "\n", tuple);
}

static dloc_text kind_of(const dloc_context *context, dloc_node entry) {
  dloc_node kind = dloc_operand(context, entry, 0);
  return dloc_node_kind(context, kind) == DLOC_KIND_STRING ? dloc_node_text(context, kind) : dloc_text_of("dloc");
}

/* The list, its entries told by their hashes: each with a text of its own, which says how many there are before it. */
static void write_own_texts(llvm_text *t, const dloc_module *module, const dloc_named_metadata *list) {
  dloc_source sources[MOST_ENTRIES];
  size_t count = dloc_source_list(module, MOST_ENTRIES, sources);
  uint64_t *numbers = value_arena_alloc(&t->arena, list->operand_count, sizeof *numbers);
  for (size_t i = 0, next = 0; i < list->operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(module, list, i);
    bool replaced = next < count && sources[next].entry == entry;
    numbers[i] = replaced ? llvm_text_made_tuple(t, sources[next].kind, ", !%" PRIu64 ", !\"dloc.%zu\"}",
                                                 llvm_text_node(t, sources[next].file), next)
                          : llvm_text_node(t, entry);
    next += replaced;
  }
  llvm_code(t, "!" DLOC_SOURCE_LIST " = !{");
  for (size_t i = 0; i < list->operand_count; i++)
    llvm_code(t, "%s!%" PRIu64, i ? ", " : "", numbers[i]);
  llvm_code(t, "}\n");
}

/* A vector may leave the kind open: then the first entry of the file has it. */
static dloc_text first_kind(const dloc_module *module, dloc_node file) {
  dloc_source sources[MOST_ENTRIES];
  size_t count = dloc_source_list(module, MOST_ENTRIES, sources);
  for (size_t i = 0; i < count; i++)
    if (sources[i].file == file)
      return sources[i].kind;
  return dloc_text_of("dloc");
}

/* Every file of the list is used once, in its order; or the one that is asked for. */
static void write_uses(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built, uint64_t subprogram) {
  if (!term_get(built->args, "list")) {
    dloc_node file = term_node(built->args, "find");
    dloc_text kind = term_text(built->args, "kind");
    write_use(b, t, position, 0, subprogram, file, kind.size ? kind : first_kind(built->module, file));
    return;
  }
  dloc_named_metadata list;
  if (!find_list(built->module, &list))
    return;
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(built->module, &list, i);
    dloc_node file = dloc_operand(t->context, entry, 1);
    if (dloc_node_kind(t->context, file) == DLOC_KIND_FILE)
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

static bool write_source(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  bool listed = term_get(built->args, "list") != NULL;
  dloc_named_metadata list;
  if (listed && has_two_of_a_name(built->module))
    return llvm_skip(b, position, "two files of one text, or two texts of one file, cannot be told apart");
  write_uses(b, t, position, built, directives_begin_function(t, "source", position, DLOC_NULL));
  llvm_code(t, "  ret void\n}\n");
  if (listed)
    llvm_code_sources(t, built->module);
  else if (find_list(built->module, &list))
    write_own_texts(t, built->module, &list);
  return true;
}

static void hash_own_text(size_t index, char ret[HASH_DIGITS + 1]) {
  char text[32];
  int size = snprintf(text, sizeof text, "dloc.%zu", index);
  MD5Data((const uint8_t *)text, (size_t)size, ret);
}

/* The file of the layer's directive is named by the hash of a text: of which entry? */
static void find_entry(const listing *l, size_t entry_count, value_arena *arena, term *ret) {
  const directive *layer = directives_layer(l, 0);
  dloc_text name = directives_last_part(directives_file(l, layer ? layer->file : 0, arena));
  term_set_null(ret, "entry");
  for (size_t i = entry_count; layer && i > 0; i--) {
    char hash[HASH_DIGITS + 1];
    hash_own_text(i - 1, hash);
    if (dloc_text_equal(name, dloc_text_of(hash)))
      term_set_number(ret, "entry", i - 1);
  }
}

/* The node of a file: that of the entry whose instruction has it in its layer's directive. */
static dloc_node node_of_file(const llvm_batch *b, const listing *l, uint32_t file, const dloc_module *module,
                              const dloc_named_metadata *list) {
  for (size_t i = 0; i < b->probe_count; i++) {
    const directive *layer = directives_layer(l, i);
    if (layer && layer->file == file)
      return dloc_operand(dloc_module_context(module), dloc_module_named_operand(module, list, b->probes[i].index), 1);
  }
  return DLOC_NULL;
}

static void take_entries(const llvm_batch *b, const listing *l, const dloc_module *module,
                         const dloc_named_metadata *list, value_arena *arena, term *ret) {
  size_t count;
  embedded *texts = directives_texts(l, list->operand_count, arena, &count);
  term *entries = term_set_list(arena, ret, "entries", count);
  for (size_t i = 0; i < count; i++) {
    term_set_text(arena, &entries[i], "kind", texts[i].kind);
    *term_set_node(arena, &entries[i], "file") = node_of_file(b, l, texts[i].file, module, list);
    term_set_text(arena, &entries[i], "text", texts[i].text);
    term_set_text(arena, &entries[i], "md5", directives_last_part(directives_file(l, texts[i].file, arena)));
  }
}

static void answer_source(llvm_batch *b, const listing *l) {
  const vector *v = llvm_vector(b, 0);
  OWNED(release_dloc_context) dloc_context *context = memory_context();
  OWNED(vector_case_deinit) vector_case built = {.module = NULL};
  value_arena *arena = &b->arena;
  dloc_named_metadata list = {.operand_count = 0};
  if (vector_build(v, context, arena, &built) != DLOC_OK || built.rejected)
    return;
  find_list(built.module, &list);
  vector_answer given = vector_ok(v, arena);
  if (term_get(built.args, "list"))
    take_entries(b, l, built.module, &list, arena, given.value);
  else
    find_entry(l, list.operand_count, arena, given.value);
  llvm_give(b, 0, context, &given);
}

static void read_listing(llvm_batch *b) { directives_read(b, answer_source); }

/* The hash of its text shows which entry is found for a file. */
static bool shows_entries(const llvm_adapter *a, const vector *v) {
  return a->facts & LLVM_NAMES_TEXTS || term_get(v->read_args, "list");
}

const llvm_recipe llvm_source[LLVM_MOST_RECIPES] = {{LLVM_DIRECTIVES(LLVM_WRITES_TEXTS), .most = 1,
                                                     .takes = shows_entries, .write = write_source,
                                                     .read = read_listing}};
