/* emit.c - directives before instructions and embedded texts, as llc writes them for NVPTX. */
#include "directives.h"

#include <inttypes.h>

enum { PROBE_BEFORE = 1 }; /* the instruction at another line that stands before a vector's first */
enum { MOST_TEXTS = 64 };

static void write_before(llvm_batch *b, llvm_text *t, size_t position, uint64_t subprogram) {
  directives_mark(t, llvm_probe_add(b, position, 0, 0, PROBE_BEFORE));
  llvm_code(t, ", !dbg !%" PRIu64 "\n",
            llvm_text_made(t, "!DILocation(line: 65535, column: 1, scope: !%" PRIu64 ")", subprogram));
}

static bool write_function(llvm_batch *b, llvm_text *t, size_t position, const vector_case *built) {
  const term *locations = built->args->type->kind == TYPE_MAP ? term_list(built->args, "order") : built->args;
  dloc_node function = DLOC_NULL;
  for (uint32_t i = 0; function == DLOC_NULL && i < locations->count; i++)
    function = instruction_subprogram(built->context, locations->of.nodes[i]);
  write_before(b, t, position, directives_begin_function(t, "emit", position, function));
  directives_write(b, t, position, locations);
  llvm_code(t, "  ret void\n}\n");
  if (built->module)
    llvm_code_sources(t, built->module);
  return true;
}

static void take_place(const listing *l, const directive *given, value_arena *arena, term *ret) {
  term_set_text(arena, ret, "file", directives_file(l, given->file, arena));
  term_set_number(ret, "line", given->line);
  term_set_number(ret, "column", given->column);
}

static void take_instruction(const listing *l, size_t probe, value_arena *arena, term *ret) {
  const span *found = &l->spans[probe];
  const directive *given = found->count ? &l->directives[found->first] : NULL;
  size_t count = 0, next = 0;
  for (size_t i = 0; i < found->count; i++)
    count += given[i].is_layer;
  term *layers = count ? term_set_list(arena, ret, "layers", count) : NULL;
  for (size_t i = 0; i < found->count; i++)
    take_place(l, &given[i], arena, given[i].is_layer ? &layers[next++] : term_set_map(arena, ret, "primary"));
}

static void take_texts(const listing *l, value_arena *arena, term *value) {
  size_t count;
  embedded *found = directives_texts(l, MOST_TEXTS, arena, &count);
  term *texts = count ? term_set_list(arena, value, "texts", count) : NULL;
  for (size_t i = 0; i < count; i++) {
    term_set_text(arena, &texts[i], "kind", found[i].kind);
    term_set_text(arena, &texts[i], "file", directives_file(l, found[i].file, arena));
    term_set_text(arena, &texts[i], "text", found[i].text);
  }
}

static void take_order(const listing *l, bool with_marks, value_arena *arena, term *value) {
  size_t count;
  embedded *texts = directives_texts(l, 1, arena, &count);
  bool first = count && directives_texts_stand_first(l);
  term *order = term_set_list(arena, value, "order", 1 + count);
  term_be_text(arena, &order[first], dloc_text_of("files"));
  if (count)
    term_be_text(arena, &order[!first], dloc_text_of("texts"));
  if (count && with_marks)
    emit_marks(arena, texts->in_angles, value);
}

static void take_instructions(const listing *l, size_t first, size_t count, value_arena *arena, term *value) {
  term *instructions = term_set_list(arena, value, "instructions", count);
  for (size_t i = 0; i < count; i++)
    take_instruction(l, first + i, arena, &instructions[i]);
  take_texts(l, arena, value);
}

/* The instructions behind the one before. */
static void answer_one(llvm_batch *b, const listing *l, size_t first, size_t count) {
  size_t position = b->probes[first].position;
  vector_answer given = llvm_begin_answer(b, position);
  bool seen = true;
  for (size_t i = 0; i < count; i++)
    seen = seen && b->probes[first + i].seen;
  const term *args = llvm_vector(b, position)->read_args;
  if (args->type->kind == TYPE_MAP)
    take_order(l, term_flag(args, "marks"), &b->arena, given.value);
  else
    take_instructions(l, first, count, &b->arena, given.value);
  if (seen)
    llvm_give(b, position, NULL, &given);
}

static void answer_emit(llvm_batch *b, const listing *l) {
  for (size_t i = 0, next; i < b->probe_count; i = next) {
    for (next = i + 1; next < b->probe_count && b->probes[next].kind != PROBE_BEFORE;)
      next++;
    if (next > i + 1)
      answer_one(b, l, i + 1, next - i - 1);
  }
}

static void read_listing(llvm_batch *b) { directives_read(b, answer_emit); }

/* Texts are the module's: such a vector is alone, if the LLVM can write texts. */
static bool has_texts(const llvm_adapter *a, const vector *v) {
  return (v->module && a->facts & LLVM_LAYERS) || (llvm_needs_irlayers(v) && a->facts & LLVM_WRITES_IRLAYERS);
}

static bool has_directives_only(const llvm_adapter *a, const vector *v) { return a && !llvm_needs_irlayers(v); }

#define EMIT LLVM_DIRECTIVES(0), .write = write_function, .read = read_listing

const llvm_recipe llvm_emit[LLVM_MOST_RECIPES] = {
    {EMIT, .most = 1, .takes = has_texts}, {EMIT, .most = 256, .takes = has_directives_only, .private_nodes = true}};
