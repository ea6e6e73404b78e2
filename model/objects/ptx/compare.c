/* compare.c - has a file in PTX the directives that the model writes for a module?
 *
 * Machine instructions are not those of the module: some are gone, some are several, their order is another one. So the
 * directives before an instruction, a *group*, are looked up among all that the model writes in the function. */
#include "nodes/metadata.h"
#include "ptx.h"

#include <string.h>

/* An instruction that the model writes layers for: as it stands in its function, and alone. */
typedef struct layered {
  uint64_t at;
  dloc_node group, alone;
} layered;

struct ptx_comparison {
  dloc_context *context;
  ptx_report *report;
  void *user;
  ARRAY(char) name; /* of a function */
  map functions;    /* those of the module */
  map groups;       /* that the model writes */
  map seen;         /* those of the file */
  map files;        /* number of a .file -> its name */
  ARRAY(layered) layered;
  ARRAY(dloc_node) texts; /* that the model writes */
  size_t texts_seen;
  dloc_node function;      /* that the file is in; DLOC_NULL: none of the module */
  bool is_begun;           /* an instruction was there */
  scratch words;           /* of the group at hand */
  size_t layers;           /* of the group, */
  uint32_t line;           /* its .loc's, */
  uint64_t group_at;       /* and where it begins */
  uint64_t block_at;       /* of the block at hand, */
  dloc_node text_parts[3]; /* its kind, file and text */
};

#define BROKEN(c, reason, at) TRY((c)->report((c)->user, DLOC_REASON_PTX_MODEL_##reason, (at)))

/* Equal words are one node. */
static dloc_status node_of(dloc_context *context, const uint32_t *words, size_t count, dloc_node *ret) {
  return dloc_string(context, (dloc_text){(const char *)words, count * sizeof *words}, ret);
}

/* ---- What the model writes ---- */

static dloc_status begin_group(ptx_comparison *c, dloc_node function) {
  c->words.count = c->layers = 0;
  return scratch_push(c->context, &c->words, function);
}

static dloc_status add_place(ptx_comparison *c, bool is_layer, dloc_node file, uint32_t line, uint32_t column) {
  const uint32_t words[] = {is_layer, file, line, column};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    TRY(scratch_push(c->context, &c->words, words[i]));
  c->layers += is_layer;
  return DLOC_OK;
}

static dloc_status add_group(ptx_comparison *c, dloc_node function, const dloc_emitted *emitted, dloc_node *ret) {
  const dloc_directive *primary = &emitted->primary;
  TRY(begin_group(c, function));
  if (emitted->has_primary)
    TRY(add_place(c, false, primary->file, primary->line, primary->column));
  for (size_t i = 0; i < emitted->layer_count; i++) {
    const dloc_directive *d = &emitted->layers[i];
    TRY(add_place(c, true, d->file, d->line, d->column));
  }
  TRY(node_of(c->context, c->words.words, c->words.count, ret));
  return map_add(c->context, &c->groups, *ret, 0, 0, NULL);
}

/* A name as LLVM writes it in PTX, which has neither `.` nor `@` in names. */
static dloc_status function_node(ptx_comparison *c, dloc_text name, dloc_node *ret) {
  RESERVE(c->context, c->name, name.size * 3 + 1);
  size_t size = 0;
  for (size_t i = 0; i < name.size; i++) {
    bool is_replaced = name.bytes[i] == '.' || name.bytes[i] == '@';
    memcpy(c->name.items + size, is_replaced ? "_$_" : &name.bytes[i], is_replaced ? 3 : 1);
    size += is_replaced ? 3 : 1;
  }
  return dloc_string(c->context, (dloc_text){c->name.items, size}, ret);
}

dloc_status ptx_expect(ptx_comparison *c, dloc_text function, uint64_t at, const dloc_emitted *emitted,
                       const dloc_emitted *alone) {
  dloc_node name;
  layered found = {.at = at};
  TRY(function_node(c, function, &name));
  TRY(map_add(c->context, &c->functions, name, 0, 0, NULL));
  TRY(add_group(c, name, emitted, &found.group));
  TRY(add_group(c, name, alone, &found.alone));
  if (emitted->layer_count)
    PUSH(c->context, c->layered, found);
  return begin_group(c, DLOC_NULL);
}

/* In PTX a text ends with a newline, its own or not. */
static dloc_status text_node(dloc_context *context, dloc_text text, dloc_node *ret) {
  text.size -= text.size > 0 && text.bytes[text.size - 1] == '\n';
  return dloc_string(context, text, ret);
}

dloc_status ptx_expect_text(ptx_comparison *c, dloc_text kind, dloc_node file, dloc_text text) {
  dloc_node parts[] = {DLOC_NULL, file, DLOC_NULL}, node;
  TRY(dloc_string(c->context, kind, &parts[0]));
  TRY(text_node(c->context, text, &parts[2]));
  TRY(node_of(c->context, parts, 3, &node));
  PUSH(c->context, c->texts, node);
  return DLOC_OK;
}

/* ---- What the file has ---- */

dloc_status ptx_compare_files(void *comparison, const ptx_item *item) {
  ptx_comparison *c = comparison;
  dloc_node name;
  if (item->kind != PTX_FILE)
    return DLOC_OK;
  TRY(dloc_string(c->context, item->text, &name));
  return map_add(c->context, &c->files, item->number, 0, name, NULL);
}

static dloc_node file_of(const ptx_comparison *c, uint32_t number) {
  dloc_node name = DLOC_NULL;
  return map_get(&c->files, number, 0, &name) ? name : DLOC_NULL;
}

/* A function's first directives are those of its prologue, and a block that begins without location is at line 0. */
static dloc_status end_group(ptx_comparison *c) {
  bool is_stock = c->layers == 0 && (!c->is_begun || c->line == 0);
  dloc_node group;
  if (c->function && c->words.count > 1) {
    TRY(node_of(c->context, c->words.words, c->words.count, &group));
    TRY(map_add(c->context, &c->seen, group, 0, 0, NULL));
    if (!is_stock && !map_has(&c->groups, group, 0))
      BROKEN(c, DIRECTIVES, c->group_at);
  }
  return begin_group(c, c->function);
}

static dloc_status compare_place(ptx_comparison *c, const ptx_item *item) {
  bool is_layer = item->kind == PTX_LOC_INTERMEDIATE;
  if (!is_layer && c->layers)
    TRY(end_group(c));
  if (!is_layer) /* one that no instruction follows is the call site of the next */
    TRY(begin_group(c, c->function));
  if (c->words.count == 1)
    c->group_at = item->at;
  if (!is_layer)
    c->line = item->line;
  return add_place(c, is_layer, file_of(c, item->number), item->line, item->column);
}

static dloc_status compare_function(ptx_comparison *c, const ptx_item *item) {
  TRY(dloc_string(c->context, item->text, &c->function));
  c->is_begun = false;
  if (!map_has(&c->functions, c->function, 0)) {
    c->function = DLOC_NULL;
    BROKEN(c, FUNCTION, item->at);
  }
  return begin_group(c, c->function);
}

static dloc_status compare_block(ptx_comparison *c) {
  dloc_node node;
  TRY(node_of(c->context, c->text_parts, 3, &node));
  if (c->texts_seen >= c->texts.count || c->texts.items[c->texts_seen] != node)
    BROKEN(c, TEXT, c->block_at);
  c->texts_seen++;
  return DLOC_OK;
}

static dloc_status compare_end(ptx_comparison *c, const ptx_item *item) {
  for (size_t i = 0; i < c->layered.count; i++) {
    layered expected = c->layered.items[i];
    if (!map_has(&c->seen, expected.group, 0) && !map_has(&c->seen, expected.alone, 0))
      BROKEN(c, MISSING, expected.at);
  }
  if (c->texts_seen < c->texts.count)
    BROKEN(c, TEXT, item->at);
  return DLOC_OK;
}

dloc_status ptx_compare(void *comparison, const ptx_item *item) {
  ptx_comparison *c = comparison;
  switch (item->kind) {
  case PTX_FUNCTION:
    return compare_function(c, item);
  case PTX_LOC:
  case PTX_LOC_INTERMEDIATE:
    return compare_place(c, item);
  case PTX_INSTRUCTION:
  case PTX_FUNCTION_END:
    TRY(end_group(c));
    c->is_begun = true;
    return DLOC_OK;
  case PTX_BLOCK:
    c->block_at = item->at;
    c->text_parts[0] = c->text_parts[1] = c->text_parts[2] = DLOC_NULL;
    return DLOC_OK;
  case PTX_IR_NAME:
    return dloc_string(c->context, item->text, &c->text_parts[0]);
  case PTX_SOURCE_FILE:
    c->text_parts[1] = file_of(c, item->number);
    return DLOC_OK;
  case PTX_TEXT:
    return text_node(c->context, item->text, &c->text_parts[2]);
  case PTX_BLOCK_END:
    return compare_block(c);
  case PTX_END:
    return compare_end(c, item);
  default:
    return DLOC_OK;
  }
}

dloc_status ptx_comparison_create(dloc_context *context, ptx_report *report, void *user, ptx_comparison **ret) {
  CREATE(context, ptx_comparison, c, .context = context, .report = report, .user = user);
  *ret = c;
  return DLOC_OK;
}

void ptx_comparison_destroy(ptx_comparison *c) {
  if (c)
    CONTEXT_FREE(c->context, c->functions.entries, c->groups.entries, c->seen.entries, c->files.entries,
                 c->layered.items, c->texts.items, c->name.items, c->words.words, c);
}
