/* What calls are given: choices, nodes, things; and what is asked of every result. */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Choices ---- */

uint64_t any_number(chooser *from) {
  uint8_t bytes[8] = {0};
  if (from->size) {
    size_t size = from->size < 2 ? from->size : 2;
    memcpy(bytes, from->data, size);
    from->data += size;
    from->size -= size;
    from->state = (from->state ^ bytes[0] ^ (uint64_t)bytes[1] << 8) * 0x100000001b3;
    return bytes[0] | (uint64_t)bytes[1] << 8;
  }
  from->state ^= from->state << 13;
  from->state ^= from->state >> 7;
  from->state ^= from->state << 17;
  return (from->state * 0x2545f4914f6cdd1d) >> 16;
}

size_t below(chooser *from, size_t count) { return count ? (size_t)(any_number(from) % count) : 0; }
bool once_in(chooser *from, size_t count) { return below(from, count) == 0; }

uint32_t edge_number(chooser *from) {
  static const uint32_t edges[] = {0,          1,          2,          3,         127,      128,
                                   255,        256,        0xffff,     0x10000,   0xffffff, 0x3fffffff,
                                   0x7fffffff, 0x80000000, 0xfffffffe, UINT32_MAX};
  return once_in(from, 3) ? ANY_OF(from, edges) : (uint32_t)below(from, 12);
}

static const char *const texts[] = {"",
                                    "a",
                                    "a.c",
                                    "src",
                                    "TileIR",
                                    "tileir",
                                    "MLIR",
                                    "scf",
                                    "k.tile",
                                    "k.mlir",
                                    "/abs/path",
                                    "..",
                                    "./x",
                                    "f",
                                    "g",
                                    "\"",
                                    "\\",
                                    "\n",
                                    "0",
                                    "-1",
                                    "18446744073709551616",
                                    "i32 7",
                                    "i64 2",
                                    "!0",
                                    "!{",
                                    "null",
                                    "true",
                                    "dloc",
                                    "dloc.hidden",
                                    "dbg",
                                    "llvm.loop",
                                    "llvm.dbg.cu",
                                    "llvm.module.flags",
                                    "llvm.intermediate_level_source",
                                    "DW_LANG_C11",
                                    "FullDebug",
                                    "CSK_MD5",
                                    "\xff\xfe",
                                    "x\xe2\x80\xae",
                                    ".debug_line",
                                    ".debug_info",
                                    ".debug_txt.k.0",
                                    "C:\\x",
                                    "Debug Info Version",
                                    "DISPFlagDefinition",
                                    "d41d8cd98f00b204e9800998ecf8427e",
                                    "llvm.dbg.value",
                                    "llvm.pseudoprobe",
                                    "a b",
                                    "DISubprogram"};

dloc_text any_text(chooser *from) {
  static _Thread_local char long_text[70000];
  switch (below(from, 40)) {
  case 0:
    return (dloc_text){NULL, 0};
  case 1:
    memset(long_text, 'A', sizeof long_text);
    return (dloc_text){long_text, below(from, sizeof long_text)};
  case 2:
    return (dloc_text){"\0x", 2};
  default:
    return dloc_text_of(ANY_OF(from, texts));
  }
}

/* ---- Worlds ---- */

/* Once it is spent, each third allocation fails, and the others are as before. */
static void *allocate(void *user, void *old, size_t size) {
  world *w = user;
  if (w->budget > 1)
    w->budget--;
  else if (w->budget == 1 && once_in(w->from, 3))
    return NULL;
  void *bytes = realloc(old, size);
  w->live += bytes && !old;
  return bytes;
}

static void release(void *user, void *old) {
  world *w = user;
  w->live -= old != NULL;
  free(old);
}

void world_begin(world *w, chooser *from) {
  const dloc_allocator allocator = {allocate, release, w};
  *w = (world){.from = from, .profile = *dloc_profile_at(0)};
  for (unsigned i = 0; i < DLOC_CHOICE_COUNT; i++)
    if (once_in(from, 4))
      w->profile.alternative[i] = (uint8_t)below(from, dloc_choice_alternatives((dloc_choice)i));
  w->budget = once_in(from, 3) ? 2 + below(from, 600) : 0;
  w->context = dloc_context_create(&allocator);
  while (!w->context)
    w->context = dloc_context_create(&allocator);
}

void world_end(world *w) {
  while (w->thing_count)
    destroy_thing(w, w->things[w->thing_count - 1]);
  dloc_context_destroy(w->context);
  for (size_t i = 0; i < w->lent_count; i++)
    free(w->lent[i]);
  require(w->live == 0);
}

void world_forget_nodes(world *w) { w->node_count = 0; }

void add_node(world *w, dloc_node node) {
  size_t at = w->node_count < MOST_NODES ? w->node_count++ : below(w->from, MOST_NODES);
  w->nodes[at] = node;
}

dloc_node any_node(world *w) {
  enum { RECENT = 16 };
  if (!w->node_count || once_in(w->from, 12))
    return DLOC_NULL;
  bool recent = w->node_count > RECENT && once_in(w->from, 2);
  return w->nodes[recent ? w->node_count - 1 - below(w->from, RECENT) : below(w->from, w->node_count)];
}

static dloc_node search(world *w, bool (*fits)(const dloc_context *context, dloc_node node, unsigned kind),
                        unsigned kind) {
  size_t start = below(w->from, w->node_count);
  for (size_t i = 0; i < w->node_count; i++) {
    dloc_node node = w->nodes[(start + i) % w->node_count];
    if (fits(w->context, node, kind))
      return node;
  }
  return DLOC_NULL;
}

static bool is_kind(const dloc_context *context, dloc_node node, unsigned kind) {
  return (unsigned)dloc_node_kind(context, node) == kind;
}

dloc_node node_of_kind(world *w, dloc_kind kind) {
  return once_in(w->from, 16) ? any_node(w) : search(w, is_kind, kind);
}

static bool is_debug_loc(const dloc_context *context, dloc_node node, unsigned kind) {
  return dloc_debug_loc_shape(context, node) == (dloc_shape)kind;
}

dloc_node any_debug_loc(world *w) {
  switch (below(w->from, 8)) {
  case 0:
    return any_node(w);
  case 1:
  case 2:
  case 3:
    return search(w, is_debug_loc, DLOC_SHAPE_BARE);
  default:
    return search(w, is_debug_loc, DLOC_SHAPE_COMPOSITE);
  }
}

static bool is_scope(const dloc_context *context, dloc_node node, unsigned kind) {
  return dloc_is_local_scope(context, node) || kind;
}

dloc_node any_scope(world *w) { return once_in(w->from, 16) ? any_node(w) : search(w, is_scope, 0); }

const dloc_profile *any_profile(world *w) {
  return once_in(w->from, 2) ? &w->profile : dloc_profile_at(below(w->from, dloc_profile_count()));
}

static void take_step(void *user, dloc_clause clause, const char *decision) {
  require(!user && dloc_clause_anchor(clause)[0]);
  read_text(dloc_text_of(decision));
}

const dloc_trace *any_trace(world *w) {
  static const dloc_trace trace = {take_step, NULL};
  return once_in(w->from, 2) ? &trace : NULL;
}

/* ---- Things ---- */

thing *any_thing(world *w, thing_kind kind) {
  size_t start = below(w->from, w->thing_count);
  for (size_t i = 0; i < w->thing_count; i++)
    if (w->things[(start + i) % w->thing_count]->kind == kind)
      return w->things[(start + i) % w->thing_count];
  return NULL;
}

static void destroy_free_thing(world *w) {
  size_t start = below(w->from, w->thing_count);
  for (size_t i = 0; i < w->thing_count; i++)
    if (!w->things[(start + i) % w->thing_count]->borrowers) {
      destroy_thing(w, w->things[(start + i) % w->thing_count]);
      return;
    }
}

thing *add_thing(world *w, thing_kind kind, void *it, thing *borrowed, thing *other, thing *third) {
  thing *made = malloc(sizeof *made);
  require(made != NULL && it != NULL);
  *made = (thing){.kind = kind, .it = it, .borrows = {borrowed, other, third}};
  for (size_t i = 0; i < 3; i++)
    if (made->borrows[i])
      made->borrows[i]->borrowers++;
  if (w->thing_count == MOST_THINGS) /* the last one borrows at most what is kept */
    destroy_free_thing(w);
  w->things[w->thing_count++] = made;
  return made;
}

#define DESTROY(KIND, function)                                                                                        \
  case KIND:                                                                                                           \
    function(it);                                                                                                      \
    break;

static void destroy_it(thing_kind kind, void *it) {
  switch (kind) {
    DESTROY(MODULE, dloc_module_destroy)
    DESTROY(INLINER, dloc_inliner_destroy)
    DESTROY(STRIPPER, dloc_stripper_destroy)
    DESTROY(CONVERTER, dloc_converter_destroy)
    DESTROY(EMITTER, dloc_emitter_destroy)
    DESTROY(ENCODER, dloc_encoder_destroy)
    DESTROY(NUMBERS, dloc_numbers_destroy)
    DESTROY(BITCODE, dloc_bitcode_close)
    DESTROY(ASSEMBLY, dloc_assembly_destroy)
    DESTROY(DIAGNOSER, dloc_diagnoser_destroy)
    DESTROY(COMPARER, dloc_code_comparer_destroy)
    DESTROY(HIDDEN, dloc_hidden_destroy)
    DESTROY(LAYER_MAKER, dloc_layer_maker_destroy)
    DESTROY(ROWS, dloc_rows_destroy)
    DESTROY(ROW_INDEX, dloc_row_index_destroy)
    DESTROY(STACKS, dloc_stacks_destroy)
    DESTROY(TWO_LEVEL, dloc_two_level_maker_destroy)
    DESTROY(OBJECT, dloc_object_close)
    DESTROY(EDIT, dloc_object_edit_close)
    DESTROY(DEBUG_INFO, dloc_debug_info_close)
    DESTROY(LINE_TABLE, dloc_line_table_destroy)
    DESTROY(KERNELS, dloc_kernels_destroy)
    DESTROY(LAYER_TABLES, dloc_layer_tables_destroy)
    DESTROY(FULL, dloc_full_destroy)
    DESTROY(LAYER_LINES, dloc_layer_lines_destroy)
    DESTROY(SYMBOLIZER, dloc_symbolizer_close)
    DESTROY(MLIR, dloc_mlir_destroy)
    DESTROY(MEANING, dloc_mlir_meaning_destroy)
    DESTROY(MLIR_OPS, dloc_mlir_ops_destroy)
  }
}

void destroy_thing(world *w, thing *t) {
  size_t at = 0;
  require(t->borrowers == 0);
  while (w->things[at] != t)
    at++;
  memmove(&w->things[at], &w->things[at + 1], (w->thing_count - at - 1) * sizeof *w->things);
  w->thing_count--;
  for (size_t i = 0; i < 3; i++)
    if (t->borrows[i])
      t->borrows[i]->borrowers--;
  destroy_it(t->kind, t->it);
  free(t);
}

bool has_room(const world *w) { return w->lent_count < MOST_LENT - 4; }

void *lend(world *w, const void *bytes, size_t size) {
  void *copy = malloc(size + 1);
  require(copy != NULL && w->lent_count < MOST_LENT);
  if (size)
    memcpy(copy, bytes, size);
  w->lent[w->lent_count++] = copy;
  return copy;
}

/* ---- Results ---- */

void check_status(dloc_status status) {
  require(dloc_status_text(status)[0]);
  require(status == DLOC_OK || status == DLOC_NO_MEMORY || status == DLOC_LIMIT || status == DLOC_INVALID ||
          status == DLOC_STOPPED);
}

void take_node(world *w, dloc_status status, const dloc_node *ret) {
  check_status(status);
  if (status != DLOC_OK) {
    require(*ret == UNTOUCHED_NODE);
    return;
  }
  require(*ret < dloc_node_limit(w->context));
  add_node(w, *ret);
}

static _Thread_local dloc_status taken;

void take_status(dloc_status status) {
  check_status(status);
  taken = status;
}

bool take_result(const void *ret) {
  require((taken == DLOC_OK) == (ret != NULL));
  return ret;
}

void read_text(dloc_text text) {
  volatile char all = 0;
  for (size_t i = 0; i < text.size; i++)
    all = (char)(all ^ text.bytes[i]);
}

dloc_reason *any_reason(world *w) {
  static _Thread_local dloc_reason reason;
  reason = DLOC_REASON_NONE;
  return once_in(w->from, 3) ? NULL : &reason;
}

static bool write_bytes(void *user, const char *bytes, size_t size) {
  size_t *left = user;
  read_text((dloc_text){bytes, size});
  return *left && --*left;
}

dloc_sink any_sink(world *w) {
  static _Thread_local size_t left;
  left = once_in(w->from, 4) ? below(w->from, 20) : SIZE_MAX;
  return (dloc_sink){write_bytes, &left};
}

dloc_status on_line_problem(void *user, dloc_reason reason, size_t at) {
  (void)at;
  require(reason != DLOC_REASON_NONE && dloc_reason_text(reason)[0]);
  return user && once_in(((world *)user)->from, 50) ? DLOC_STOPPED : DLOC_OK;
}

dloc_status on_hidden_problem(void *user, dloc_reason reason, uint32_t instruction, dloc_node node) {
  (void)instruction, (void)node;
  return on_line_problem(user, reason, 0);
}

/* ---- Files ---- */

dloc_text object_files[OBJECT_FILES];
dloc_text bitcode_file, mlir_file;

static dloc_text read_file(const char *path) {
  enum { MOST = 1 << 16 };
  static _Thread_local char bytes[MOST];
  FILE *file = fopen(path, "rb"); /* in the repository's folder */
  require(file != NULL);
  size_t size = fread(bytes, 1, MOST, file);
  require(size > 0 && size < MOST);
  fclose(file);
  char *copy = malloc(size); /* no more, so that reading on is noticed */
  require(copy != NULL);
  memcpy(copy, bytes, size);
  return (dloc_text){copy, size};
}

void read_files(void) {
  static const char *const paths[OBJECT_FILES] = {
      "tests/fuzz/corpus-object/i386.o",  "tests/fuzz/corpus-object/zlib.o",   "tests/fuzz/corpus-object/x86-64.o",
      "tests/fuzz/corpus-object/riscv.o", "tests/fuzz/corpus-layers/layers.o", "tests/fuzz/corpus-stacks/cpp.o",
      "tests/fuzz/corpus-stacks/mail.o",  "tests/fuzz/corpus-layers/merged",   "tests/fuzz/corpus-layers/layers",
      "tests/fuzz/corpus-object/ppc.o"};
  for (size_t i = 0; i < OBJECT_FILES; i++)
    object_files[i] = read_file(paths[i]);
  bitcode_file = read_file("tests/lit/Inputs/layers.bc");
  mlir_file = read_file("tests/fuzz/corpus-mlir/layers.mlir");
}
