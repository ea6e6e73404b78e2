/* spec/hidden.md, chapter 17: the layers of a module that numbers stand for. */
#include "hidden.h"

typedef struct location_revealer {
  dloc_context *context;
  const dloc_hidden *hidden;
  rewriter rewriter;
  node_notes locations;  /* DebugLoc -> revealed. */
  node_notes frames;     /* Location of a chain -> revealed, without its composite. */
  node_notes composites; /* Location -> the composite of its number. */
  map carried;           /* Stand-in -> the module's own. */
  map parts;             /* How many operands a carrier has, and its identity -> the part of the table. */
  map call_sites;        /* Onto a module without layers: its own -> revealed. */
  map pairs;             /* Onto a module without layers: its own and the other's location -> revealed. */
  scratch chain, other;
  dloc_reason lost; /* of the location at hand */
  const dloc_module *module;
  dloc_hidden_problem *on_problem;
  void *user;
} location_revealer;

/* The module's node for one of the table. `reveal.subprogram`, `reveal.carried` */
static dloc_status reveal_leaf(void *user, dloc_node node, dloc_node *ret) {
  location_revealer *revealer = user;
  if (dloc_node_is_distinct(revealer->context, node) && map_get(&revealer->carried, node, 0, ret))
    return DLOC_OK;
  if (node_kind(revealer->context, node) != DLOC_KIND_SUBPROGRAM)
    return DLOC_OK;
  if (map_has(&revealer->hidden->stand_ins, node, 0)) {
    *ret = revealer->rewriter.salt;
    return DLOC_OK;
  }
  revealer->lost = DLOC_REASON_REVEAL_CARRIED;
  *ret = node;
  return DLOC_OK;
}

/* ---- Locations ---- */

/* The number of a location, or 0. In lines, what has a column comes from somebody else. `mode.lines` */
static uint32_t number_of(const location_revealer *revealer, const dloc_location *content) {
  dloc_context *context = revealer->context;
  switch (revealer->hidden->in) {
  case DLOC_HIDDEN_IN_DISCRIMINATOR:
    return block_file_discriminator(context, content->scope);
  case DLOC_HIDDEN_IN_COLUMN:
    return content->column;
  default:
    return content->column ? 0 : content->line;
  }
}

/* `reveal.number`: finds the entry of the location's number, and gives the location its own scope or column back. In
 * lines a location has nothing of its own. `reveal.none`, `reveal.foreign`, `reveal.own`, `reveal.column` */
static bool take_number(location_revealer *revealer, dloc_location *content, dloc_hidden_entry *ret) {
  dloc_context *context = revealer->context;
  bool column = revealer->hidden->in == DLOC_HIDDEN_IN_COLUMN, found = false;
  uint32_t number = number_of(revealer, content);
  if (number && column)
    found = hidden_find_column(revealer->hidden, dloc_scope_file(context, content->scope), content->line, number, ret);
  else if (number)
    found = dloc_hidden_find(revealer->hidden, number, ret);
  if (found && column)
    content->column = ret->column;
  else if (found)
    content->scope = dloc_scope_parent(context, content->scope);
  else if (number)
    revealer->lost = DLOC_REASON_REVEAL_NUMBER;
  return found;
}

/* `reveal.carried`: what the table has, with the nodes of the module. salt: the subprogram at hand, or DLOC_NULL. */
static dloc_status of_table(location_revealer *revealer, dloc_node node, uint32_t salt, dloc_node *ret) {
  dloc_reason reason = DLOC_REASON_NONE;
  revealer->rewriter.salt = salt;
  dloc_status status = node ? rewrite(&revealer->rewriter, node, &reason, ret) : DLOC_OK;
  if (status == DLOC_INVALID)
    revealer->lost = reason;
  return status;
}

/* The layers of an entry: the list becomes the location's own, and the composite is noted. */
static dloc_status reveal_layers(location_revealer *revealer, dloc_node frame, dloc_node entry,
                                 dloc_location *content) {
  dloc_context *context = revealer->context;
  dloc_node composite = DLOC_NULL;
  TRY(of_table(revealer, location_content(context, dloc_primary(context, entry)).layers, DLOC_NULL, &content->layers));
  if (dloc_debug_loc_shape(context, entry) != DLOC_SHAPE_COMPOSITE)
    return DLOC_OK;
  TRY(of_table(revealer, entry, dloc_scope_subprogram(context, content->scope), &composite));
  return note_set(context, &revealer->composites, 0, frame, composite);
}

/* A location of a chain without its composite. made: what has its number, itself or the same one of
 * another module. `reveal.line-0` */
static dloc_status reveal_frame(location_revealer *revealer, dloc_node frame, dloc_node made, dloc_node inlined_at,
                                dloc_node *ret) {
  dloc_context *context = revealer->context;
  dloc_location content = location_content(context, frame), before = content, other = location_content(context, made);
  dloc_hidden_entry entry = {0};
  if (take_number(revealer, made == frame ? &content : &other, &entry))
    TRY(reveal_layers(revealer, frame, entry.layers, &content));
  if (content.line == DLOC_HIDDEN_LINE_0)
    content.line = 0;
  content.inlined_at = inlined_at;
  *ret = frame;
  if (content.scope == before.scope && content.line == before.line && content.column == before.column &&
      content.layers == before.layers && content.inlined_at == before.inlined_at)
    return DLOC_OK;
  return dloc_location_create(context, dloc_node_is_distinct(context, frame), &content, ret);
}

/* Each location of a chain is revealed once. */
static dloc_status reveal_chain(location_revealer *revealer, dloc_node location, dloc_node *ret) {
  dloc_context *context = revealer->context;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_node revealed = DLOC_NULL;
  dloc_status status = collect_chain_until(context, location, &revealer->frames, &revealer->chain, &reason);
  if (status == DLOC_INVALID)
    revealer->lost = reason;
  TRY(status);
  for (size_t i = revealer->chain.count; i-- > 0;) {
    dloc_node frame = revealer->chain.words[i], inlined_at = revealed;
    if (note_get(&revealer->frames, 0, frame, &revealed))
      continue;
    TRY(reveal_frame(revealer, frame, frame, inlined_at, &revealed));
    TRY(note_set(context, &revealer->frames, 0, frame, revealed));
  }
  *ret = revealed;
  return DLOC_OK;
}

/* Whether two locations are the same, or would be if they were uniqued. */
static dloc_status same_location(dloc_context *context, dloc_node one, dloc_node other, bool *ret) {
  const dloc_location contents[] = {location_content(context, one), location_content(context, other)};
  dloc_node first = DLOC_NULL, second = DLOC_NULL;
  *ret = one == other;
  if (*ret || !dloc_node_is_distinct(context, one) || !dloc_node_is_distinct(context, other))
    return DLOC_OK;
  TRY(dloc_location_create(context, false, &contents[0], &first));
  TRY(dloc_location_create(context, false, &contents[1], &second));
  *ret = first == second;
  return DLOC_OK;
}

/* `reveal.distinct`: a composite, and a distinct primary, are the module's
 * own unless the primary has become another. */
static dloc_status join(location_revealer *revealer, dloc_node composite, dloc_node primary, dloc_node *ret) {
  dloc_context *context = revealer->context;
  bool same = false;
  TRY(same_location(context, dloc_primary(context, composite), primary, &same));
  *ret = composite;
  if (same)
    return DLOC_OK;
  TRY(replace_primary(context, composite, primary, ret));
  return dloc_node_is_distinct(context, composite) ? distinct_composite(context, *ret, ret) : DLOC_OK;
}

/* `reveal.call-site`: a composite is the innermost location's alone. */
static dloc_status reveal_debug_loc(location_revealer *revealer, dloc_node debug_loc, dloc_node *ret) {
  dloc_node composite = DLOC_NULL;
  TRY(reveal_chain(revealer, debug_loc, ret));
  return note_get(&revealer->composites, 0, debug_loc, &composite) ? join(revealer, composite, *ret, ret) : DLOC_OK;
}

/* *ret_reason is set, to a soft one, also when something is lost and the status is DLOC_OK. */
static dloc_status reveal_location(location_revealer *revealer, dloc_node debug_loc, dloc_reason *ret_reason,
                                   dloc_node *ret) {
  dloc_node revealed = debug_loc;
  dloc_shape shape = dloc_debug_loc_shape(revealer->context, debug_loc);
  revealer->lost = DLOC_REASON_NONE;
  if (shape == DLOC_SHAPE_NONE)
    return fail(ret_reason, DLOC_REASON_OPERAND_NOT_DEBUG_LOC);
  if (shape == DLOC_SHAPE_BARE && !note_get(&revealer->locations, 0, debug_loc, &revealed)) {
    dloc_status status = reveal_debug_loc(revealer, debug_loc, &revealed);
    if (revealer->lost && ret_reason)
      *ret_reason = revealer->lost;
    TRY(status);
    TRY(note_set(revealer->context, &revealer->locations, 0, debug_loc, revealed));
  }
  *ret = revealed;
  return DLOC_OK;
}

/* ---- The revealer ---- */

static void revealer_init(location_revealer *revealer, const dloc_module *module, const dloc_hidden *hidden,
                          dloc_hidden_problem *on_problem, void *user) {
  *revealer = (location_revealer){.context = dloc_module_context(module),
                                  .hidden = hidden,
                                  .module = module,
                                  .on_problem = on_problem,
                                  .user = user};
  revealer->rewriter = (rewriter){.context = revealer->context, .leaf = reveal_leaf, .user = revealer};
}

static void revealer_deinit(location_revealer *revealer) {
  rewriter_deinit(&revealer->rewriter);
  CONTEXT_FREE(revealer->context, revealer->locations.items, revealer->frames.items, revealer->composites.items,
               revealer->carried.entries, revealer->parts.entries, revealer->call_sites.entries,
               revealer->pairs.entries, revealer->chain.words, revealer->other.words);
}

/* ---- Modules ---- */

static dloc_status tell(const location_revealer *revealer, dloc_reason reason, uint32_t instruction, dloc_node node) {
  return hidden_tell(revealer->on_problem, revealer->user, reason, instruction, node);
}

/* `reveal.record`: what is there for debugging only has no tuple. */
static dloc_node without_tuple(const location_revealer *revealer, uint32_t instruction, dloc_node revealed) {
  bool debug = dloc_module_instruction(revealer->module, instruction)->flags & DLOC_INSTRUCTION_DEBUG;
  return debug ? dloc_primary(revealer->context, revealed) : revealed;
}

static dloc_status reveal_instruction(void *user, uint32_t instruction, dloc_node location, dloc_node *ret) {
  location_revealer *revealer = user;
  dloc_reason reason = DLOC_REASON_NONE;
  dloc_status status = reveal_location(revealer, location, &reason, ret);
  if (reason)
    TRY(tell(revealer, reason, instruction, location));
  *ret = without_tuple(revealer, instruction, *ret);
  return status;
}

/* The parts of the table by what carriers name: an identity, and so many nodes. */
static dloc_status index_parts(location_revealer *revealer) {
  const dloc_hidden *hidden = revealer->hidden;
  for (size_t i = 0; i < hidden->parts.count; i++) {
    dloc_node identity = DLOC_NULL;
    TRY(hidden_identity(revealer->context, hidden->parts.items[i].identity, &identity));
    TRY(map_add(revealer->context, &revealer->parts, hidden->parts.items[i].carried_count + 1, identity, (uint32_t)i,
                NULL));
  }
  return DLOC_OK;
}

/* Whether a node of the module can be what the table has a stand-in for. A pass may have removed it. */
static bool is_like(const dloc_context *context, dloc_node stand_in, dloc_node node) {
  return !node || (dloc_debug_loc_shape(context, node) == DLOC_SHAPE_NONE) ==
                      (dloc_debug_loc_shape(context, stand_in) == DLOC_SHAPE_NONE);
}

/* The stand-in of a node of the module. */
static dloc_status take_carried(location_revealer *revealer, dloc_node stand_in, dloc_node node) {
  dloc_node own = node;
  if (node_kind(revealer->context, node) == DLOC_KIND_LOCATION)
    TRY(reveal_chain(revealer, node, &own));
  return own ? map_add(revealer->context, &revealer->carried, stand_in, 0, own, NULL) : DLOC_OK;
}

/* `reveal.carrier`: the module is one of the table. `reveal.module` */
static dloc_status read_carriers(location_revealer *revealer, const dloc_module *module) {
  dloc_context *context = revealer->context;
  dloc_named_metadata list;
  uint32_t number = 0;
  if (!dloc_module_find_named(module, dloc_text_of(HIDDEN_MODULE), &list))
    return tell(revealer, DLOC_REASON_REVEAL_MODULE, DLOC_NO_INDEX, DLOC_NULL);
  TRY(index_parts(revealer));
  for (size_t i = 0; i < list.operand_count; i++) {
    dloc_node carrier = dloc_module_named_operand(module, &list, i);
    if (!map_get(&revealer->parts, operand_count(context, carrier), operand_at(context, carrier, 0), &number))
      return tell(revealer, DLOC_REASON_REVEAL_MODULE, DLOC_NO_INDEX, carrier);
    const hidden_part *part = &revealer->hidden->parts.items[number];
    for (size_t j = 0; j < part->carried_count; j++) {
      dloc_node stand_in = revealer->hidden->carried.items[part->first_carried + j];
      dloc_node node = operand_at(context, carrier, j + 1);
      if (!is_like(context, stand_in, node))
        return tell(revealer, DLOC_REASON_REVEAL_MODULE, DLOC_NO_INDEX, carrier);
      TRY(take_carried(revealer, stand_in, node));
    }
  }
  return DLOC_OK;
}

/* `reveal.sources` */
static dloc_status reveal_sources(location_revealer *revealer, dloc_module *module) {
  dloc_reason reason = DLOC_REASON_NONE;
  revealer->rewriter.salt = DLOC_NULL;
  for (size_t i = 0; i < revealer->hidden->sources.count; i++) {
    dloc_node entry = DLOC_NULL;
    TRY(rewrite(&revealer->rewriter, revealer->hidden->sources.items[i], &reason, &entry));
    TRY(dloc_module_add_named(module, dloc_text_of(DLOC_SOURCE_LIST), &entry, 1));
  }
  return DLOC_OK;
}

dloc_status dloc_reveal(dloc_module *module, const dloc_hidden *hidden, dloc_hidden_problem *on_problem, void *user) {
  OWNED(revealer_deinit) location_revealer revealer;
  revealer_init(&revealer, module, hidden, on_problem, user);
  TRY(read_carriers(&revealer, module));
  TRY(dloc_module_change_locations(module, reveal_instruction, &revealer));
  TRY(reveal_sources(&revealer, module));
  dloc_module_drop_named(module, dloc_text_of(HIDDEN_MODULE));
  return dloc_module_drop_unused(module);
}

/* ---- Onto the module without layers ---- */

/* The first distinct call site in made counts. */
static uint32_t call_site_salt(const location_revealer *revealer, dloc_node frame, dloc_node made) {
  return dloc_node_is_distinct(revealer->context, frame) ? DLOC_NULL : made;
}

/* The call sites of a location of base, and those of made (DLOC_NULL: its chain is shorter), up to one that is known:
 * *ret is what that has become. */
static dloc_status collect_call_sites(location_revealer *revealer, dloc_node base, dloc_node made, dloc_node *ret) {
  dloc_context *context = revealer->context;
  dloc_node frame = base;
  revealer->chain.count = revealer->other.count = 0;
  while ((frame = location_content(context, frame).inlined_at)) {
    made = made ? location_content(context, made).inlined_at : DLOC_NULL;
    made = node_kind(context, made) == DLOC_KIND_LOCATION ? made : DLOC_NULL;
    if (node_kind(context, frame) != DLOC_KIND_LOCATION)
      return fail(&revealer->lost, DLOC_REASON_LOCATION_INLINED_AT);
    if (revealer->chain.count > context->node_count)
      return fail(&revealer->lost, DLOC_REASON_LOCATION_INLINED_AT_CYCLE);
    if (map_get(&revealer->call_sites, frame, call_site_salt(revealer, frame, made), ret))
      return DLOC_OK;
    TRY(scratch_push(context, &revealer->chain, frame));
    TRY(scratch_push(context, &revealer->other, made));
  }
  return DLOC_OK;
}

/* `mode.exact.call-site`: each one is revealed once. */
static dloc_status reveal_call_sites(location_revealer *revealer, dloc_node base, dloc_node made, dloc_node *ret) {
  dloc_context *context = revealer->context;
  dloc_node revealed = DLOC_NULL;
  TRY(collect_call_sites(revealer, base, made, &revealed));
  for (size_t i = revealer->chain.count; i-- > 0;) {
    dloc_node frame = revealer->chain.words[i], other = revealer->other.words[i];
    TRY(reveal_frame(revealer, frame, other ? other : frame, revealed, &revealed));
    TRY(map_add(context, &revealer->call_sites, frame, call_site_salt(revealer, frame, other), revealed, NULL));
  }
  *ret = revealed;
  return DLOC_OK;
}

/* `mode.exact.layers`: a location of that module with the layers of one that was hidden. */
static dloc_status reveal_onto(location_revealer *revealer, dloc_node base, dloc_node made, dloc_node *ret) {
  dloc_context *context = revealer->context;
  dloc_node composite = DLOC_NULL, inlined_at = DLOC_NULL;
  TRY(reveal_call_sites(revealer, base, made, &inlined_at));
  TRY(note_set(context, &revealer->composites, 0, base, DLOC_NULL));
  TRY(reveal_frame(revealer, base, made, inlined_at, ret));
  return note_get(&revealer->composites, 0, base, &composite) ? join(revealer, composite, *ret, ret) : DLOC_OK;
}

static dloc_status reveal_two(location_revealer *revealer, uint32_t instruction, dloc_node base, dloc_node made,
                              dloc_node *ret) {
  bool bare = dloc_debug_loc_shape(revealer->context, base) == DLOC_SHAPE_BARE &&
              dloc_debug_loc_shape(revealer->context, made) == DLOC_SHAPE_BARE;
  revealer->lost = DLOC_REASON_NONE;
  if (!bare || map_get(&revealer->pairs, base, made, ret))
    return DLOC_OK;
  dloc_status status = reveal_onto(revealer, base, made, ret);
  if (revealer->lost)
    TRY(tell(revealer, revealer->lost, instruction, base));
  else if (status == DLOC_OK)
    TRY(map_add(revealer->context, &revealer->pairs, base, made, *ret, NULL));
  return status;
}

static dloc_status reveal_pair(void *user, uint32_t instruction, dloc_node base, dloc_node made, dloc_node *ret) {
  location_revealer *revealer = user;
  TRY(reveal_two(revealer, instruction, base, made, ret));
  *ret = without_tuple(revealer, instruction, *ret);
  return DLOC_OK;
}

/* The tables are those of `made`, but for lines, which name none; nodes that layers name are the other module's, which
 * may name them as well. */
static dloc_status take_carriers(location_revealer *revealer, const dloc_module *base, const dloc_module *made) {
  dloc_named_metadata list;
  if (revealer->hidden->in == DLOC_HIDDEN_IN_LINE)
    return DLOC_OK;
  TRY(read_carriers(revealer, made));
  CONTEXT_FREE(revealer->context, revealer->carried.entries);
  revealer->carried = (map){0};
  return dloc_module_find_named(base, dloc_text_of(HIDDEN_MODULE), &list) ? read_carriers(revealer, base) : DLOC_OK;
}

dloc_status dloc_reveal_exact(dloc_module *base, const dloc_module *made, const dloc_hidden *hidden,
                              const dloc_exact_options *options, dloc_exact_report *report) {
  OWNED(revealer_deinit) location_revealer revealer;
  revealer_init(&revealer, base, hidden, options->on_problem, options->user);
  TRY(take_carriers(&revealer, base, made));
  const bool records = hidden->in != DLOC_HIDDEN_IN_LINE;
  TRY(hidden_visit_pairs(base, made, options, records, report, reveal_pair, &revealer));
  TRY(reveal_sources(&revealer, base));
  dloc_module_drop_named(base, dloc_text_of(HIDDEN_MODULE));
  return dloc_module_drop_unused(base);
}
