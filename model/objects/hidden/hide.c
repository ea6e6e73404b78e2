/* spec/hidden.md, chapter 17: a module whose layers are numbers, and the table of them. */
#include "hidden.h"

#include <string.h>

typedef struct location_hider {
  dloc_context *context;
  dloc_hide_options options;
  dloc_hidden *table;
  rewriter rewriter;
  node_notes locations;  /* DebugLoc -> hidden */
  node_notes numbers;    /* entry -> its number */
  map stand_ins_carried; /* node -> what stands for it */
  scratch chain;
  ARRAY(dloc_node) carried; /* what the module names, in the order of the table's stand-ins */
  dloc_reason reason;       /* why the location at hand cannot be hidden */
} location_hider;

/* ---- Stand-ins ---- */

/* `hide.carried`: what stands for another subprogram, a distinct block, or what is no scope: a subprogram with the
 * name, the file and the line of it. */
static dloc_status stand_in_carried(location_hider *hider, dloc_node node, dloc_node *ret) {
  dloc_context *context = hider->context;
  const dloc_node *keys = context->field_keys;
  dloc_node subprogram = dloc_scope_subprogram(context, node);
  dloc_field fields[] = {{keys[FIELD_SUBPROGRAM_name], node_field(context, subprogram, keys[FIELD_SUBPROGRAM_name])},
                         {keys[FIELD_SUBPROGRAM_file], dloc_scope_file(context, node)},
                         {keys[FIELD_SUBPROGRAM_line], node_field(context, node, keys[FIELD_SUBPROGRAM_line])}};
  const size_t all = sizeof fields / sizeof *fields;
  dloc_node_diagnosis wrong = {.field = DLOC_NULL};
  dloc_status status = DLOC_INVALID;
  for (size_t tries = 0; status == DLOC_INVALID && tries <= all; tries++) {
    size_t count = 0;
    for (size_t i = 0; i < all; i++) /* a node of an unknown class may have there what no subprogram has */
      if (fields[i].value && fields[i].key != wrong.field)
        fields[count++] = fields[i];
    memset(fields + count, 0, (all - count) * sizeof *fields);
    status = dloc_specialised(context, dloc_text_of("DISubprogram"), true, fields, count, &wrong, ret);
  }
  return status;
}

static dloc_status carry(location_hider *hider, dloc_node node, dloc_node stand_in) {
  PUSH(hider->context, hider->carried, node);
  return hidden_add_carried(hider->table, stand_in);
}

/* `hide.carried`, `hide.list`: a distinct node is carried, but for what no LLVM reads. */
static dloc_status carry_distinct(void *user, dloc_node node, dloc_node stand_in) {
  location_hider *hider = user;
  dloc_kind kind = node_kind(hider->context, node);
  return kind == DLOC_KIND_LAYER || kind == DLOC_KIND_LAYER_LIST ? DLOC_OK : carry(hider, node, stand_in);
}

/* The table's node for one below a layer. `hide.subprogram`, `hide.carried` */
static dloc_status hide_leaf(void *user, dloc_node node, dloc_node *ret) {
  location_hider *hider = user;
  if (node == hider->rewriter.salt)
    return dloc_hidden_stand_in(hider->table, dloc_scope_file(hider->context, node), ret);
  switch (node_kind(hider->context, node)) {
  case DLOC_KIND_TUPLE:
  case DLOC_KIND_LOCATION:
  case DLOC_KIND_LAYER:
  case DLOC_KIND_LAYER_LIST:
    return DLOC_OK;
  case DLOC_KIND_LEXICAL_BLOCK:
  case DLOC_KIND_LEXICAL_BLOCK_FILE:
  case DLOC_KIND_INTERMEDIATE_SCOPE:
    if (!dloc_node_is_distinct(hider->context, node))
      return DLOC_OK;
    break;
  default:
    break;
  }
  if (map_has(&hider->table->stand_ins, node, 0)) {
    *ret = node;
    return DLOC_OK;
  }
  if (map_get(&hider->stand_ins_carried, node, 0, ret))
    return DLOC_OK;
  TRY(stand_in_carried(hider, node, ret));
  TRY(map_add(hider->context, &hider->stand_ins_carried, node, 0, *ret, NULL));
  return carry(hider, node, *ret);
}

/* ---- Entries ---- */

/* `hide.number`: equal entries have one number. */
static dloc_status number_of(location_hider *hider, dloc_node entry, uint32_t *ret) {
  dloc_hidden *table = hider->table;
  if (note_get(&hider->numbers, 0, entry, ret))
    return DLOC_OK;
  uint32_t number = 0;
  dloc_status status = hidden_add_entry(table, entry, &number);
  if (status == DLOC_LIMIT)
    return fail(&hider->reason, DLOC_REASON_HIDE_LIMIT);
  TRY(status);
  hidden_mix_entry(&table->parts.items[0].identity, hider->context, entry);
  TRY(note_set(hider->context, &hider->numbers, 0, entry, number));
  *ret = number;
  return DLOC_OK;
}

/* `hide.list`: it has no scopes, so that it is one for all subprograms. */
static dloc_status make_list(location_hider *hider, dloc_node list, dloc_node *ret) {
  hider->rewriter.salt = DLOC_NULL;
  return list ? rewrite(&hider->rewriter, list, &hider->reason, ret) : DLOC_OK;
}

/* `hide.tuple`: the composite with its layers. `hide.distinct`: distinct as its own, like its primary. */
static dloc_status make_composite(location_hider *hider, dloc_node debug_loc, dloc_node subprogram,
                                  const dloc_location *stand_in, dloc_node *ret) {
  dloc_context *context = hider->context;
  dloc_node frame = dloc_primary(context, debug_loc), primary = *ret, made = DLOC_NULL;
  TRY(replace_primary(context, debug_loc, primary, &made));
  hider->rewriter.salt = subprogram;
  TRY(rewrite(&hider->rewriter, made, &hider->reason, &made));
  if (dloc_node_is_distinct(context, frame)) {
    TRY(dloc_location_create(context, true, stand_in, &primary));
    TRY(carry(hider, frame, primary));
  }
  TRY(replace_primary(context, made, primary, &made));
  if (dloc_node_is_distinct(context, debug_loc)) {
    TRY(distinct_composite(context, made, &made));
    TRY(carry(hider, debug_loc, made));
  }
  *ret = made;
  return DLOC_OK;
}

/* `hide.tuple`, `hide.own`: the layers of a DebugLoc behind a primary that stands for its own. content: of the hidden
 * primary, which has its own column and scope yet. */
static dloc_status make_entry(location_hider *hider, dloc_node debug_loc, const dloc_location *content,
                              dloc_node *ret) {
  dloc_context *context = hider->context;
  bool column = hider->table->in == DLOC_HIDDEN_IN_COLUMN;
  uint32_t discriminator = column ? 0 : block_file_discriminator(context, content->scope);
  dloc_node subprogram = dloc_scope_subprogram(context, content->scope), made = DLOC_NULL;
  dloc_location primary = {.line = column ? content->line : 0, .column = column ? content->column : 0};
  if (!subprogram)
    return fail(&hider->reason, DLOC_REASON_OPERAND_BROKEN_SCOPE);
  TRY(make_list(hider, content->layers, &primary.layers));
  TRY(dloc_hidden_stand_in(hider->table, dloc_scope_file(context, subprogram), &primary.scope));
  if (column || discriminator)
    TRY(dloc_lexical_block_file(context, primary.scope, dloc_scope_file(context, content->scope), discriminator,
                                &primary.scope));
  TRY(dloc_location_create(context, false, &primary, &made));
  if (dloc_debug_loc_shape(context, debug_loc) == DLOC_SHAPE_COMPOSITE)
    TRY(make_composite(hider, debug_loc, subprogram, &primary, &made));
  *ret = made;
  return DLOC_OK;
}

/* ---- Locations ---- */

/* `hide.line-0`: a primary with layers has a line. */
static dloc_status hide_line(location_hider *hider, bool layers, dloc_location *content) {
  if (content->line == DLOC_HIDDEN_LINE_0)
    return fail(&hider->reason, DLOC_REASON_HIDE_LINE);
  if (content->line == 0 && layers)
    content->line = DLOC_HIDDEN_LINE_0;
  return DLOC_OK;
}

/* `hide.discriminator`, `hide.column`: give a location its number. `hide.primary` */
static dloc_status put_number(location_hider *hider, dloc_node debug_loc, dloc_location *content) {
  dloc_node entry = DLOC_NULL;
  uint32_t number = 0;
  TRY(make_entry(hider, debug_loc, content, &entry));
  TRY(number_of(hider, entry, &number));
  if (hider->table->in == DLOC_HIDDEN_IN_COLUMN)
    content->column = number;
  else
    TRY(dloc_lexical_block_file(hider->context, content->scope, dloc_scope_file(hider->context, content->scope), number,
                                &content->scope));
  content->layers = DLOC_NULL;
  return DLOC_OK;
}

/* `hide.bare`: what has nothing to hide stays. */
static bool needs_number(const location_hider *hider, const dloc_location *content, bool layers) {
  bool column = hider->table->in == DLOC_HIDDEN_IN_COLUMN;
  return layers || (column ? content->column : block_file_discriminator(hider->context, content->scope)) != 0;
}

/* A location of a chain. debug_loc: the composite whose primary it is, or the location itself. */
static dloc_status hide_frame(location_hider *hider, dloc_node debug_loc, dloc_node frame, dloc_node inlined_at,
                              dloc_node *ret) {
  dloc_location content = location_content(hider->context, frame);
  bool layers = debug_loc != frame || content.layers, changed = content.inlined_at != inlined_at;
  TRY(hide_line(hider, layers, &content));
  if (needs_number(hider, &content, layers)) {
    TRY(put_number(hider, debug_loc, &content));
    changed = true;
  }
  content.inlined_at = inlined_at;
  *ret = frame;
  return changed ? dloc_location_create(hider->context, dloc_node_is_distinct(hider->context, frame), &content, ret)
                 : DLOC_OK;
}

/* `hide.chain`: call sites are hidden as other locations are. */
static dloc_status hide_chain(location_hider *hider, dloc_node debug_loc, dloc_node *ret) {
  dloc_context *context = hider->context;
  TRY(collect_chain_until(context, dloc_primary(context, debug_loc), &hider->locations, &hider->chain, &hider->reason));
  dloc_node inlined_at = DLOC_NULL;
  for (size_t i = hider->chain.count; i-- > 1;) {
    dloc_node frame = hider->chain.words[i], hidden = DLOC_NULL;
    if (!note_get(&hider->locations, 0, frame, &hidden)) {
      TRY(hide_frame(hider, frame, frame, inlined_at, &hidden));
      TRY(note_set(context, &hider->locations, 0, frame, hidden));
    }
    inlined_at = hidden;
  }
  return hide_frame(hider, debug_loc, hider->chain.words[0], inlined_at, ret);
}

/* `hide.operand` */
static dloc_status hide_location(location_hider *hider, dloc_node debug_loc, dloc_node *ret) {
  dloc_node hidden = DLOC_NULL;
  hider->reason = DLOC_REASON_NONE;
  switch (dloc_debug_loc_shape(hider->context, debug_loc)) {
  case DLOC_SHAPE_NONE:
    return fail(&hider->reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  case DLOC_SHAPE_EMPTY:
    break;
  default:
    if (note_get(&hider->locations, 0, debug_loc, &hidden))
      break;
    TRY(hide_chain(hider, debug_loc, &hidden));
    TRY(note_set(hider->context, &hider->locations, 0, debug_loc, hidden));
  }
  *ret = hidden;
  return DLOC_OK;
}

/* ---- Modules ---- */

static dloc_status refuse(const location_hider *hider, dloc_reason reason, uint32_t instruction, dloc_node node) {
  if (hider->options.on_problem)
    hider->options.on_problem(hider->options.user, reason, instruction, node);
  return DLOC_INVALID;
}

static dloc_status hide_instruction(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  location_hider *hider = user;
  dloc_status status = hide_location(hider, location, ret);
  return status == DLOC_INVALID ? refuse(hider, hider->reason, instruction, location) : status;
}

/* `hide.profiling`: sample profiles are looked up, and discriminators replaced, in such functions. */
static dloc_status check_functions(const location_hider *hider, const dloc_module *module) {
  for (size_t i = 0; hider->table->in != DLOC_HIDDEN_IN_COLUMN && i < dloc_module_function_count(module); i++)
    if (dloc_module_function(module, i)->flags & DLOC_FUNCTION_SAMPLE_PROFILE)
      return refuse(hider, DLOC_REASON_HIDE_PROFILING, DLOC_NO_INDEX, dloc_function_subprogram(module, i));
  return DLOC_OK;
}

/* `hide.profiling`: passes would change discriminators. */
static dloc_status check_units(const location_hider *hider, const dloc_module *module) {
  dloc_named_metadata units;
  if (hider->table->in == DLOC_HIDDEN_IN_COLUMN ||
      !dloc_module_find_named(module, dloc_text_of(DLOC_UNIT_LIST), &units))
    return DLOC_OK;
  for (size_t i = 0; i < units.operand_count; i++) {
    dloc_node unit = dloc_module_named_operand(module, &units, i);
    dloc_node value = dloc_field_value(hider->context, unit, "debugInfoForProfiling");
    if (dloc_text_equal(dloc_node_text(hider->context, value), dloc_text_of("true")))
      return refuse(hider, DLOC_REASON_HIDE_PROFILING, DLOC_NO_INDEX, unit);
  }
  return DLOC_OK;
}

/* `hide.sources` */
static dloc_status hide_sources(location_hider *hider, dloc_module *module) {
  dloc_named_metadata list;
  if (!dloc_module_find_named(module, dloc_text_of(DLOC_SOURCE_LIST), &list))
    return DLOC_OK;
  hider->rewriter.salt = DLOC_NULL;
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node entry = dloc_module_named_operand(module, &list, i), hidden = DLOC_NULL;
    dloc_status status = rewrite(&hider->rewriter, entry, &hider->reason, &hidden);
    if (status == DLOC_INVALID)
      return refuse(hider, hider->reason, DLOC_NO_INDEX, entry);
    TRY(status);
    hidden_mix_source(&hider->table->parts.items[0].identity, hider->context, hidden);
    PUSH(hider->context, hider->table->sources, hidden);
  }
  dloc_module_drop_named(module, dloc_text_of(DLOC_SOURCE_LIST));
  return DLOC_OK;
}

/* `hide.carrier`: `!dloc.hidden = !{!{!"IDENTITY", carried...}}` */
static dloc_status add_carrier(location_hider *hider, dloc_module *module) {
  scratch *operands = &hider->chain;
  dloc_node carrier = DLOC_NULL, identity = DLOC_NULL;
  for (size_t i = 0; i < hider->carried.count; i++) { /* locations are hidden, as they may stand in a chain as well */
    dloc_node node = hider->carried.items[i];
    if (node_kind(hider->context, node) == DLOC_KIND_LOCATION)
      TRY(hide_instruction(hider, DLOC_NO_INDEX, node, &node)); /* which may carry more */
    hider->carried.items[i] = node;
  }
  TRY(hidden_identity(hider->context, hider->table->parts.items[0].identity, &identity));
  operands->count = 0;
  TRY(scratch_push(hider->context, operands, identity));
  for (size_t i = 0; i < hider->carried.count; i++)
    TRY(scratch_push(hider->context, operands, hider->carried.items[i]));
  TRY(dloc_tuple(hider->context, false, operands->words, operands->count, &carrier));
  return dloc_module_add_named(module, dloc_text_of(HIDDEN_MODULE), &carrier, 1);
}

static void release(location_hider *hider) {
  rewriter_deinit(&hider->rewriter);
  dloc_hidden_destroy(hider->table);
  CONTEXT_FREE(hider->context, hider->locations.items, hider->numbers.items, hider->stand_ins_carried.entries,
               hider->chain.words, hider->carried.items);
}

/* `hide.sources`, `hide.again` */
dloc_status dloc_hide(dloc_module *module, const dloc_hide_options *options, dloc_hidden **ret) {
  const uint32_t first = options->first ? options->first : 1;
  dloc_named_metadata list;
  OWNED(release) location_hider hider = {.context = dloc_module_context(module), .options = *options};
  hider.rewriter = (rewriter){.context = hider.context, .leaf = hide_leaf, .distinct = carry_distinct, .user = &hider};
  TRY(dloc_hidden_create(hider.context, &hider.table));
  hider.table->in = options->in;
  TRY(hidden_begin_part(hider.table, HIDDEN_IDENTITY(first), first, options->step ? options->step : 1));
  if (dloc_module_find_named(module, dloc_text_of(HIDDEN_MODULE), &list))
    return refuse(&hider, DLOC_REASON_HIDE_AGAIN, DLOC_NO_INDEX, DLOC_NULL);
  TRY(check_units(&hider, module));
  TRY(check_functions(&hider, module));
  TRY(hide_sources(&hider, module)); /* which the identity has first */
  TRY(dloc_module_change_locations(module, hide_instruction, &hider));
  TRY(add_carrier(&hider, module));
  TRY(dloc_module_drop_unused(module));
  *ret = hider.table;
  hider.table = NULL;
  return DLOC_OK;
}
