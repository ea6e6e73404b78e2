/* contract.h - what the rows of test_contract.c are: calls of public functions, a file for each group of headers. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "objects/dloc_dwarf.h"
#include "dloc_formats.h"
#include "objects/dloc_hidden.h"
#include "objects/dloc_lines.h"

/* A module as text; bitcode with layers, an executable with layers. */
extern const char contract_text[];
typedef struct contract_bytes {
  char bytes[8192];
  size_t size;
} contract_bytes;
extern contract_bytes contract_bitcode, contract_executable;

/* `numbers` of the text. LAYERED is a composite whose layer was inlined, BROKEN one whose layer has no local
 * scope, CHAIN a location whose inlinedAt is no location. */
enum {
  FILE_ = 1,
  SUBPROGRAM = 3,
  LAYERED = 4,
  LOOP = 11,
  ENTRY,
  OTHER_ENTRY,
  BROKEN = 15,
  CHAIN = 17,
  NO_KIND,
  BROKEN_LOOP,
  KINDS
};

typedef struct world {
  dloc_context *context;
  dloc_module *module;
  dloc_profile profile;
  dloc_inliner *inliner;
  dloc_stripper *stripper;
  dloc_converter *converter[2]; /* with the module's list of sources; without it, and with leave to lose anything */
  dloc_encoder *encoder;
  dloc_emitter *emitter;
  dloc_numbers *numbers;
  dloc_bitcode *bitcode;
  dloc_diagnostic diagnostic;
} world;

bool contract_read_inputs(void); /* false: a file is missing, or greater than its room */
void world_init(world *w, const dloc_allocator *allocator);
void world_deinit(world *w);
static inline dloc_node node_of(const world *w, uint64_t number) { return dloc_module_numbered(w->module, number); }
/* An object whose .debug_line is compressed, in a way that nobody knows when it is broken. */
dloc_text contract_object(bool broken);
dloc_status contract_open_object(world *w, bool broken, dloc_object **ret);
dloc_status give_number(void *user, dloc_node n, uint64_t *ret);

/* Call it: with what it must refuse when `wrong`. ret has room for any result. A search that finds nothing counts as
 * refused. */
typedef dloc_status call(world *w, bool wrong, void *ret);
typedef dloc_status memory_call(world *w, void *ret);

#define CALL(name) static dloc_status call_##name(world *w, bool wrong, void *ret)
/* A function that fails for want of memory alone. */
#define MEMORY_CALL(name) static dloc_status call_##name(world *w, void *ret)

static inline dloc_text word(bool wrong, const char *right) { return dloc_text_of(wrong ? "no such name" : right); }
static inline dloc_status found(bool any) { return any ? DLOC_OK : DLOC_INVALID; }
/* After a result that is an object. */
#define MADE(status, destroy)                                                                                          \
  dloc_status made = (status);                                                                                         \
  if (made == DLOC_OK)                                                                                                 \
    destroy;                                                                                                           \
  return made

typedef struct contract_row {
  const char *name;
  call *call;
  memory_call *memory_call; /* instead */
} contract_row;
#define ROW(name)                                                                                                      \
  { #name, call_##name, NULL }
#define MEMORY_ROW(name)                                                                                               \
  { #name, NULL, call_##name }

typedef struct contract_rows {
  const contract_row *rows;
  size_t count;
} contract_rows;

typedef void visit_row(const contract_row *row, void *user);
void contract_each_row(visit_row *visit, void *user);

/* Room for any result. */
typedef union contract_result {
  unsigned char bytes[256];
  void *aligned;
} contract_result;
static inline dloc_status contract_call(const contract_row *row, world *w, bool wrong, contract_result *ret) {
  return row->call ? row->call(w, wrong, ret) : row->memory_call(w, ret);
}

extern const contract_rows contract_of_model, contract_of_formats, contract_of_lines, contract_of_objects,
    contract_of_mlir, contract_of_hidden, contract_of_symbolizer;

#endif
