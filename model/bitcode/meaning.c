/* The meaning of a record's code in metadata. The pull requests gave a layer the code 50 and a list 51; in LLVM's main branch, where
 * DIProperty has 50, they have 51 and 52. A file says which: it has lists only beside layers.
 * - A record 50 of five values is a layer of the pull requests; another record 50 is a property of main.
 * - A record 52 is a list of main.
 * - In a file without both, a record 51 of five values is a layer of main; one of fewer is an empty list of the pull requests.
 * The whole file is asked once, when a record with such a code is first met, as a list may stand before its layers. */
#include "reader.h"

typedef struct survey {
  stream s;
  dloc_diagnostic ignored; /* whoever reads the file tells what is wrong with it */
  bool has_layer;          /* or a list of the pull requests, if no other record tells */
  uint8_t found;
} survey;

enum { LAYER_VALUES = 5 };

static void see_record(survey *y, const record *r) {
  if (r->code == CODE_LAYER_LIST)
    y->found = CODE_LAYER;
  else if (r->code == CODE_LAYER_FIRST)
    y->found = r->count == LAYER_VALUES ? CODE_LAYER_FIRST : CODE_LAYER;
  else if (r->code == CODE_LAYER)
    y->has_layer |= r->count == LAYER_VALUES;
}

/* `bitcode.list.codes` */
static dloc_status walk(survey *y) {
  while (!y->found && (y->s.depth || !stream_at_end(&y->s))) {
    entry e;
    record r;
    uint32_t block = y->s.depth ? y->s.blocks[y->s.depth - 1].id : UINT32_MAX;
    TRY(stream_next(&y->s, &e));
    if (e.kind == ENTRY_BLOCK && e.block.id == BLOCK_BLOCKINFO) {
      TRY(stream_read_blockinfo(&y->s, &e.block));
    } else if (e.kind == ENTRY_BLOCK) {
      bool holds = e.block.id == BLOCK_MODULE || e.block.id == BLOCK_FUNCTION || e.block.id == BLOCK_METADATA;
      TRY(holds ? stream_enter(&y->s, &e.block) : (stream_pass(&y->s, &e.block), DLOC_OK));
    } else if (e.kind == ENTRY_RECORD) {
      bool counts = block == BLOCK_METADATA && (e.code == CODE_LAYER_FIRST || e.code == CODE_LAYER);
      TRY(stream_take(&y->s, &e, counts, &r));
      if (block == BLOCK_METADATA)
        see_record(y, &r);
    }
  }
  if (!y->found)
    y->found = y->has_layer ? CODE_LAYER : CODE_LAYER_FIRST;
  return DLOC_OK;
}

static dloc_status ask_file(stream *s) {
  enum { MAGIC_BITS = 32 };
  ALLOCATE(s->context, survey, y, 1);
  OWNED_MEMORY(s->context, &y);
  y->found = y->has_layer = false;
  stream_init(&y->s, s->context, s->c.bytes, s->c.size, &y->ignored);
  y->s.c.at = MAGIC_BITS;
  dloc_status status = walk(y);
  s->layer_code = y->found ? y->found : CODE_LAYER_FIRST;
  stream_deinit(&y->s);
  return status == DLOC_INVALID ? DLOC_OK : status;
}

dloc_status bitcode_meaning(stream *s, uint32_t code, uint32_t *ret) {
  *ret = code;
  if (code < CODE_LAYER_FIRST || code > CODE_LAYER_LIST)
    return DLOC_OK;
  if (!s->layer_code)
    TRY(ask_file(s));
  if (s->layer_code == CODE_LAYER_FIRST)
    *ret = code == CODE_LAYER_LIST ? UNKNOWN_CODE : code + 1;
  return DLOC_OK;
}

void bitcode_bias_entries(stream *s, const record *r) {
  for (size_t i = 1; r->code == CODE_LAYER_LIST && s->layer_code == CODE_LAYER && i < r->count; i++)
    stream_set_value(s, r, i, value_at(r, i) + 1);
}
