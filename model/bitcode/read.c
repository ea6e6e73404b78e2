/* A whole module from bitcode. */
#include "reader.h"

#include <stdlib.h>

/* An attachment, of a global or of an instruction, before the module takes it. */
typedef struct waiting {
  uint64_t owner; /* value; number of the instruction in its function */
  uint64_t order; /* among all, so that sorting keeps it */
  dloc_node kind; /* a string */
  dloc_node node;
} waiting;

typedef ARRAY(waiting) waiting_list;

typedef struct module_reader {
  dloc_bitcode *b;
  dloc_context *context;
  dloc_module *module;
  node_maker maker;
  waiting_list of_globals;
  waiting_list of_instructions;
  ARRAY(dloc_instruction)
  body; /* of the function that is being read; debug records before the instruction they belong to */
  ARRAY(uint32_t) positions; /* of its instructions in body */
  dloc_node primary;         /* of the last location */
  dloc_node location;        /* the last one, with its layers */
  bool open;                 /* layers of it may follow */
  ARRAY(dloc_layer) layers;
  bool numbered;   /* numbers are wanted */
  scratch numbers; /* nodes in the order of their numbers, the module's before each function's own */
  scratch ends;    /* of these buckets */
} module_reader;

static int compare_waiting(const void *a, const void *b) {
  const waiting *x = a, *y = b;
  int order = ORDER(x->owner, y->owner);
  return order ? order : ORDER(x->order, y->order);
}

/* ---- Bodies ---- */

/* The last instruction's location is complete. A DEBUG_LOC_AGAIN stands for the whole location, unless layers follow
 * it; or for its primary. */
static dloc_status close_location(module_reader *r) {
  if (!r->open)
    return DLOC_OK;
  r->open = false;
  if (r->layers.count)
    TRY(dloc_debug_loc_create(r->context, r->primary, r->layers.items, r->layers.count, &r->location));
  r->layers.count = 0;
  r->body.items[r->body.count - 1].debug_loc = r->location;
  return DLOC_OK;
}

static dloc_status take_instruction(void *user, uint32_t flags, uint32_t callee) {
  module_reader *r = user;
  dloc_instruction instruction = {.flags = flags, .callee = callee};
  TRY(close_location(r));
  if (flags & DLOC_INSTRUCTION_DBG_CALL) {
    dloc_node subject = DLOC_NULL;
    TRY(maker_operand(&r->maker, 0, callee, &subject));
    dloc_kind kind = dloc_node_kind(r->context, subject);
    instruction.entity = kind == DLOC_KIND_STRING || kind == DLOC_KIND_CONSTANT ? DLOC_NULL : subject;
  }
  PUSH(r->context, r->positions, (uint32_t)r->body.count);
  PUSH(r->context, r->body, instruction);
  return DLOC_OK;
}

static dloc_status take_layer(module_reader *r, const dloc_bitcode_location *l) {
  dloc_layer layer = {DLOC_NULL, DLOC_NULL};
  TRY(maker_location(&r->maker, l, &layer.location));
  TRY(maker_operand(&r->maker, l->bit - r->b->s.base, l->kind, &layer.kind));
  if (dloc_node_kind(r->context, layer.kind) != DLOC_KIND_STRING)
    return STREAM_FAIL(&r->b->s, ID, l->bit - r->b->s.base, "the layer's kind is no string");
  PUSH(r->context, r->layers, layer);
  return DLOC_OK;
}

static dloc_status take_location(void *user, const dloc_bitcode_location *l) {
  module_reader *r = user;
  switch (l->form) {
  case DLOC_BITCODE_AGAIN:
    r->open = true;
    if (r->b->form.again_is_primary)
      r->location = r->primary;
    return DLOC_OK;
  case DLOC_BITCODE_LAYER:
    if (!r->open)
      return STREAM_FAIL(&r->b->s, RECORD, l->bit - r->b->s.base, "a layer stands behind a debug record");
    return take_layer(r, l);
  default:
    r->open = true;
    TRY(maker_location(&r->maker, l, &r->primary));
    r->location = r->primary;
    return DLOC_OK;
  }
}

/* In the text, and here, a debug record stands before the instruction that it stands behind in bitcode. */
static dloc_status take_record(void *user, uint64_t bit, uint32_t flags, uint64_t location, uint64_t variable) {
  module_reader *r = user;
  dloc_instruction debug = {.flags = flags};
  TRY(close_location(r));
  TRY(maker_reference(&r->maker, bit, location, &debug.debug_loc));
  TRY(maker_reference(&r->maker, bit, variable, &debug.entity));
  RESERVE(r->context, r->body, r->body.count + 1);
  r->body.items[r->body.count] = r->body.items[r->body.count - 1];
  r->body.items[r->body.count - 1] = debug;
  r->body.count++;
  r->positions.items[r->positions.count - 1]++;
  return DLOC_OK;
}

static dloc_status take_attachment(void *user, uint64_t bit, uint32_t instruction, uint64_t kind, uint64_t node) {
  module_reader *r = user;
  dloc_node name = DLOC_NULL, attached = DLOC_NULL;
  TRY(bitcode_kind_name(r->b, bit, kind, &name));
  TRY(maker_reference(&r->maker, bit, node, &attached));
  if (instruction == DLOC_NO_INDEX)
    return dloc_module_add_function_attachment(r->module, dloc_node_text(r->context, name), attached);
  PUSH(r->context, r->of_instructions, (waiting){instruction, r->of_instructions.count, name, attached});
  return DLOC_OK;
}

/* Keep what has a number, from first on. */
static dloc_status keep_numbers(module_reader *r, size_t first) {
  for (size_t id = first; r->numbered && id < r->b->entries.count; id++) {
    dloc_node node = DLOC_NULL;
    TRY(maker_reference(&r->maker, 0, id, &node));
    TRY(scratch_push(r->context, &r->numbers, node));
  }
  return DLOC_OK;
}

/* The bucket of the module or of a function is complete. */
static dloc_status end_bucket(module_reader *r) {
  return r->numbered ? scratch_push(r->context, &r->ends, (uint32_t)r->numbers.count) : DLOC_OK;
}

static dloc_status take_metadata(void *user) {
  module_reader *r = user;
  TRY(maker_make_all(&r->maker, r->b->module_entries));
  return keep_numbers(r, r->b->module_entries);
}

/* Instructions with their attachments, which the function's block has behind them. */
static dloc_status add_body(module_reader *r) {
  size_t next = 0, number = 0;
  SORT(r->of_instructions, compare_waiting);
  for (size_t i = 0; i < r->body.count; i++) {
    TRY(dloc_module_add_instruction(r->module, &r->body.items[i]));
    if (r->body.items[i].flags & DLOC_INSTRUCTION_RECORD)
      continue;
    for (; next < r->of_instructions.count && r->of_instructions.items[next].owner == number; next++) {
      const waiting *w = &r->of_instructions.items[next];
      TRY(dloc_module_add_attachment(r->module, dloc_node_text(r->context, w->kind), w->node));
    }
    number++;
  }
  return DLOC_OK;
}

static dloc_status read_body(module_reader *r, size_t index) {
  const body_visitor visitor = {r, take_instruction, take_location, take_record, take_attachment, take_metadata};
  uint32_t instructions = 0;
  r->body.count = r->positions.count = r->of_instructions.count = r->layers.count = 0;
  r->primary = r->location = DLOC_NULL;
  r->open = false;
  TRY(maker_resize(&r->maker));
  TRY(bitcode_walk(r->b, index, &visitor, &instructions));
  TRY(close_location(r));
  TRY(add_body(r));
  return maker_resize(&r->maker);
}

/* ---- The module ---- */

/* [value, n x [kind, node]] */
static dloc_status read_global_attachments(module_reader *r, const record *found) {
  if (found->count % 2 == 0)
    return bitcode_fail_count(r->b, found, "a global's attachments");
  TRY(bitcode_check_id(r->b, found->bit, "value", value_at(found, 0), r->b->module_values));
  for (size_t i = 1; i + 1 < found->count; i += 2) {
    dloc_node name = DLOC_NULL, node = DLOC_NULL;
    TRY(bitcode_kind_name(r->b, found->bit, value_at(found, i), &name));
    TRY(maker_reference(&r->maker, found->bit, value_at(found, i + 1), &node));
    PUSH(r->context, r->of_globals, (waiting){value_at(found, 0), r->of_globals.count, name, node});
  }
  return DLOC_OK;
}

static dloc_status read_named(module_reader *r, const record *found, dloc_node name) {
  node_maker *m = &r->maker;
  RESERVE(r->context, m->operands, found->count + 1);
  for (size_t i = 0; i < found->count; i++)
    TRY(maker_reference(m, found->bit, value_at(found, i), &m->operands.items[i]));
  return dloc_module_add_named(r->module, dloc_node_text(r->context, name), m->operands.items, found->count);
}

/* Nodes were numbered; here they are made, in order, with what has no number. */
static dloc_status read_metadata_records(module_reader *r) {
  bool end = false;
  dloc_node name = DLOC_NULL; /* of the named metadata that comes next */
  size_t id = 0;
  record found;
  TRY(bitcode_enter_metadata(r->b, &r->b->blocks[OF_MODULE]));
  for (;;) {
    TRY(stream_next_record(&r->b->s, &found, &end));
    if (end)
      return DLOC_OK;
    while (id < r->b->module_entries && r->b->entries.items[id].is_string)
      id++;
    if (id < r->b->module_entries && r->b->entries.items[id].at == found.bit) {
      TRY(bitcode_understand(&r->b->s, &found));
      TRY(maker_make(&r->maker, id++, &found));
    } else if (found.code == METADATA_NAME) {
      TRY(bitcode_string(r->b, &found, 0, &name));
      if (dloc_node_text(r->context, name).size == 0)
        name = DLOC_NULL;
    } else if (found.code == METADATA_NAMED_NODE) {
      if (!name)
        return STREAM_FAIL(&r->b->s, RECORD, found.bit, "named metadata has no name");
      TRY(read_named(r, &found, name));
      name = DLOC_NULL;
    } else if (found.code == METADATA_GLOBAL_DECL_ATTACHMENT) {
      TRY(read_global_attachments(r, &found));
    }
  }
}

static dloc_status read_metadata(module_reader *r) {
  stream_reset(&r->b->s);
  TRY(bitcode_read_kinds(r->b));
  TRY(bitcode_index(r->b));
  TRY(maker_resize(&r->maker));
  if (r->b->blocks[OF_MODULE].b.end)
    TRY(read_metadata_records(r));
  TRY(keep_numbers(r, 0));
  return end_bucket(r);
}

static dloc_status begin_function(module_reader *r, size_t index) {
  const function *f = &r->b->functions.items[index];
  uint32_t number = 0;
  dloc_status status = dloc_module_begin_function(r->module, f->name, f->flags, 0, &number);
  if (status == DLOC_INVALID || (status == DLOC_OK && number != index))
    return stream_fail(&r->b->s, DLOC_REASON_TEXT_FUNCTION_REDEFINED, r->b->module.start,
                       "invalid redefinition of function '%.*s'", (int)(f->name.size < 100 ? f->name.size : 100),
                       f->name.bytes);
  return status;
}

static dloc_status take_global_attachments(module_reader *r, size_t *next, uint64_t owner) {
  for (; *next < r->of_globals.count && r->of_globals.items[*next].owner == owner; ++*next) {
    const waiting *w = &r->of_globals.items[*next];
    dloc_text name = dloc_node_text(r->context, w->kind);
    TRY(r->b->values.items[owner].kind == VALUE_FUNCTION ? dloc_module_add_function_attachment(r->module, name, w->node)
                                                         : module_add_global_attachment(r->module, name, w->node));
  }
  return DLOC_OK;
}

static dloc_status read_functions(module_reader *r) {
  size_t next = 0;
  SORT(r->of_globals, compare_waiting);
  for (size_t i = 0; i < r->b->functions.count; i++) {
    uint32_t number = 0;
    TRY(dloc_module_function_named(r->module, r->b->functions.items[i].name, &number));
  }
  for (size_t i = 0; i < r->b->module_values; i++) {
    const value *v = &r->b->values.items[i];
    size_t index = v->index;
    bool is_function = v->kind == VALUE_FUNCTION;
    if (is_function)
      TRY(begin_function(r, index));
    TRY(take_global_attachments(r, &next, i));
    if (!is_function)
      continue;
    TRY(read_body(r, index));
    TRY(end_bucket(r));
  }
  return DLOC_OK;
}

/* Numbers as in the module's block of metadata. LLVM's text has none for expressions. */
static dloc_status number_nodes(module_reader *r) {
  r->module->numbers.flat_limit = r->b->module_entries;
  for (size_t id = 0; id < r->b->module_entries; id++) {
    uint32_t index = 0;
    dloc_node node = dloc_canonical(r->context, r->maker.nodes.items[id]);
    if (dloc_node_kind(r->context, node) < DLOC_KIND_TUPLE || class_is_in_place(dloc_node_class(r->context, node)))
      continue;
    TRY(numbering_slot(r->module, (uint32_t)id, &index));
    numbering_at(r->module, index)->node = node;
    TRY(module_note_definition(r->module, index));
  }
  return DLOC_OK;
}

static dloc_status read_module(module_reader *r) {
  dloc_node undefined = DLOC_NULL;
  TRY(read_metadata(r));
  TRY(read_functions(r));
  dloc_status status = dloc_resolve(r->context, &undefined);
  if (status == DLOC_INVALID) /* a forward node that the caller left in the context */
    return stream_fail(&r->b->s, DLOC_REASON_TEXT_UNDEFINED, 0, "the context has an undefined node");
  TRY(status);
  TRY(dloc_module_resolve(r->module));
  module_settle_interposition(r->module);
  return number_nodes(r);
}

static void release(module_reader *r) {
  maker_deinit(&r->maker);
  CONTEXT_FREE(r->context, r->of_globals.items, r->of_instructions.items, r->body.items, r->positions.items,
               r->layers.items, r->numbers.words, r->ends.words);
  dloc_bitcode_close(r->b);
  dloc_module_destroy(r->module);
}

dloc_status dloc_read_bitcode(dloc_context *context, const dloc_profile *profile, dloc_text bytes,
                              dloc_diagnostic *diagnostic, dloc_module **ret, dloc_numbers **ret_numbers) {
  OWNED(release)
  module_reader r = {.context = context, .maker = {.context = context}, .numbered = ret_numbers != NULL};
  TRY(dloc_bitcode_open(context, profile, bytes, diagnostic, &r.b));
  r.maker.b = r.b;
  TRY(dloc_module_create(context, &r.module));
  TRY(read_module(&r));
  if (r.numbered)
    TRY(numbers_list(r.module, &r.numbers, &r.ends, ret_numbers));
  *ret = r.module;
  r.module = NULL;
  return DLOC_OK;
}
