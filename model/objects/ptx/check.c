/* check.c - what PTX ISA 9.4 asks of the directives of layers and of embedded texts. spec/lines.md 8.5; a reason code is the
 * anchor of the clause that is broken. */
#include "nodes/metadata.h"
#include "ptx.h"

#include <string.h>

/* The first directive of its kind that names a file. */
typedef struct use {
  uint64_t at;
  uint32_t number;
  bool is_layer;
} use;

struct ptx_checker {
  dloc_context *context;
  ptx_report *report;
  void *user;
  map files;   /* the numbers of .file */
  map sources; /* the numbers of .sourceFileName */
  map used;    /* number and kind of directive -> its place in uses */
  ARRAY(use) uses;
  ptx_kind before; /* the item before */
  bool in_function;
  uint32_t layers;           /* since the last instruction */
  bool layer_reached;        /* the instruction before had one, and no .loc followed */
  uint32_t parts[PTX_KINDS]; /* of the block at hand */
};

/* ---- Rules about an item ---- */

#define UNLESS(condition, rule)                                                                                        \
  if (!(condition))                                                                                                    \
  return DLOC_REASON_PTX_##rule

/* `ptx.layer.place`, `ptx.layer.behind`, `ptx.layer.one`, `ptx.layer.form` */
static dloc_reason check_layer(const ptx_checker *c, const ptx_item *item) {
  UNLESS(c->in_function, LAYER_PLACE);
  UNLESS(c->layers == 0, LAYER_ONE);
  UNLESS(c->before == PTX_LOC, LAYER_BEHIND);
  UNLESS(!item->has_more, LAYER_FORM);
  return DLOC_REASON_NONE;
}

/* `ptx.text.form`, `ptx.text.pair`, `ptx.text.end` */
static dloc_reason check_text(const ptx_item *item) {
  UNLESS(!item->in_angles, TEXT_FORM);
  UNLESS(item->kind == PTX_TEXT && !item->is_open, TEXT_PAIR);
  UNLESS(!item->has_more, TEXT_END);
  return DLOC_REASON_NONE;
}

/* `ptx.section.place`, `ptx.block.parts`, `ptx.block.ir-name`, `ptx.block.file` */
static dloc_reason check_item(const ptx_checker *c, const ptx_item *item) {
  switch (item->kind) {
  case PTX_LOC_INTERMEDIATE:
    return check_layer(c, item);
  case PTX_INSTRUCTION:
    UNLESS(c->layers > 0 || !c->layer_reached || item->is_bare, LAYER_REACH);
    return DLOC_REASON_NONE;
  case PTX_SECTION:
    UNLESS(!c->in_function, SECTION_PLACE);
    return DLOC_REASON_NONE;
  case PTX_IR_NAME:
    UNLESS(dloc_text_equal(item->text, dloc_text_of("TileIR")), BLOCK_IR_NAME);
    return DLOC_REASON_NONE;
  case PTX_SOURCE_FILE:
    UNLESS(map_has(&c->files, item->number, 0), BLOCK_FILE);
    return DLOC_REASON_NONE;
  case PTX_TEXT:
  case PTX_TEXT_END:
    return check_text(item);
  case PTX_BLOCK_END:
    UNLESS(c->parts[PTX_IR_NAME] == 1 && c->parts[PTX_SOURCE_FILE] == 1 && c->parts[PTX_TEXT] == 1, BLOCK_PARTS);
    return DLOC_REASON_NONE;
  default:
    return DLOC_REASON_NONE;
  }
}

/* `ptx.file`, `ptx.layer.source`: what can be told at the end only. */
static dloc_status check_uses(ptx_checker *c) {
  for (size_t i = 0; i < c->uses.count; i++) {
    use used = c->uses.items[i];
    if (!map_has(&c->files, used.number, 0))
      TRY(c->report(c->user, DLOC_REASON_PTX_FILE, used.at));
    else if (used.is_layer && !map_has(&c->sources, used.number, 0))
      TRY(c->report(c->user, DLOC_REASON_PTX_LAYER_SOURCE, used.at));
  }
  return DLOC_OK;
}

/* ---- What is known behind an item ---- */

static dloc_status add_use(ptx_checker *c, const ptx_item *item) {
  bool is_layer = item->kind == PTX_LOC_INTERMEDIATE;
  uint32_t place = 0;
  c->layers += is_layer;
  c->layer_reached &= is_layer;
  TRY(map_add(c->context, &c->used, item->number, is_layer, (uint32_t)c->uses.count, &place));
  if (place == c->uses.count)
    PUSH(c->context, c->uses, (use){item->at, item->number, is_layer});
  return DLOC_OK;
}

static void begin_function(ptx_checker *c, bool in_function) {
  c->in_function = in_function;
  c->layer_reached = false;
  c->layers = 0;
}

static dloc_status note(ptx_checker *c, const ptx_item *item) {
  c->before = item->kind;
  c->parts[item->kind]++;
  switch (item->kind) {
  case PTX_FILE:
    return map_add(c->context, &c->files, item->number, 0, 0, NULL);
  case PTX_LOC:
  case PTX_LOC_INTERMEDIATE:
    return add_use(c, item);
  case PTX_INSTRUCTION: /* `ptx.layer.reach` is told once for all that follow */
    c->layer_reached = c->layers > 0 || (c->layer_reached && item->is_bare);
    c->layers = 0;
    return DLOC_OK;
  case PTX_FUNCTION:
  case PTX_FUNCTION_END:
    begin_function(c, item->kind == PTX_FUNCTION);
    return DLOC_OK;
  case PTX_BLOCK:
    memset(c->parts, 0, sizeof c->parts);
    return DLOC_OK;
  case PTX_SOURCE_FILE:
    return map_add(c->context, &c->sources, item->number, 0, 0, NULL);
  case PTX_END:
    return check_uses(c);
  default:
    return DLOC_OK;
  }
}

dloc_status ptx_check(void *checker, const ptx_item *item) {
  ptx_checker *c = checker;
  dloc_reason broken = check_item(c, item);
  if (broken != DLOC_REASON_NONE)
    TRY(c->report(c->user, broken, item->at));
  return note(c, item);
}

dloc_status ptx_checker_create(dloc_context *context, ptx_report *report, void *user, ptx_checker **ret) {
  CREATE(context, ptx_checker, checker, .context = context, .report = report, .user = user, .before = PTX_OTHER);
  *ret = checker;
  return DLOC_OK;
}

void ptx_checker_destroy(ptx_checker *checker) {
  if (checker)
    CONTEXT_FREE(checker->context, checker->files.entries, checker->sources.entries, checker->used.entries,
                 checker->uses.items, checker);
}
