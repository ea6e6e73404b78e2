/* Calls of dloc.h: the rules of merging, inlining and the other transformations. */
#include "api.h"

enum { MOST = 5 };

#define MAKE(call)                                                                                                     \
  dloc_node ret = UNTOUCHED_NODE;                                                                                      \
  dloc_status status = (call);                                                                                         \
  take_node(w, status, &ret)

static size_t any_debug_locs(world *w, dloc_node ret[MOST]) {
  size_t count = below(w->from, MOST + 1);
  for (size_t i = 0; i < count; i++)
    ret[i] = any_debug_loc(w);
  return count;
}

static void call_merge(world *w) {
  dloc_node nodes[MOST];
  size_t count = any_debug_locs(w, nodes);
  const dloc_trace *trace = any_trace(w);
  MAKE(dloc_merge(w->context, any_profile(w), nodes, count, trace, any_reason(w), &ret));
}

static void call_inliner(world *w) {
  const dloc_call_site site = {any_debug_loc(w), once_in(w->from, 2), once_in(w->from, 4)};
  dloc_inliner *inliner = NULL;
  const dloc_trace *trace = any_trace(w);
  if (take_thing(dloc_inliner_create(w->context, any_profile(w), &site, trace, &inliner), inliner))
    add_thing(w, INLINER, inliner, NULL, NULL, NULL);
}
static void call_inline(world *w) {
  thing *inliner = any_thing(w, INLINER);
  for (int i = 0; inliner && i < 3; i++) {
    dloc_node debug_loc = any_debug_loc(w);
    dloc_instruction_class class = (dloc_instruction_class)below(w->from, 3);
    MAKE(dloc_inline_instruction(inliner->it, class, debug_loc, &ret));
  }
}
static void call_inline_record(world *w) {
  thing *inliner = any_thing(w, INLINER);
  if (!inliner)
    return;
  MAKE(dloc_inline_record(inliner->it, node_of_kind(w, DLOC_KIND_LOCATION), &ret));
}
static void call_inline_loop(world *w) {
  thing *inliner = any_thing(w, INLINER);
  if (!inliner)
    return;
  MAKE(dloc_inline_loop(inliner->it, node_of_kind(w, DLOC_KIND_TUPLE), &ret));
}

static void call_hoist(world *w) {
  dloc_hoisted hoisted = (dloc_hoisted)below(w->from, 3);
  dloc_node debug_loc = any_debug_loc(w), subprogram = node_of_kind(w, DLOC_KIND_SUBPROGRAM);
  MAKE(dloc_hoist(w->context, any_profile(w), debug_loc, hoisted, (dloc_move)below(w->from, 2), subprogram,
                  any_reason(w), &ret));
}
static void call_hoist_merged(world *w) {
  dloc_node nodes[MOST], subprogram = node_of_kind(w, DLOC_KIND_SUBPROGRAM);
  size_t count = any_debug_locs(w, nodes);
  dloc_hoisted hoisted = (dloc_hoisted)below(w->from, 3);
  MAKE(dloc_hoist_merged(w->context, any_profile(w), nodes, count, hoisted, subprogram, any_reason(w), &ret));
}
static void call_hoist_before_branch(world *w) {
  dloc_node debug_loc = any_debug_loc(w), branch = any_debug_loc(w), subprogram = any_scope(w);
  MAKE(dloc_hoist_before_branch(w->context, any_profile(w), debug_loc, branch, subprogram, any_reason(w), &ret));
}
static void call_hoist_folded_branch(world *w) {
  dloc_node copied[MOST], branch = any_debug_loc(w), folded = any_debug_loc(w);
  size_t count = any_debug_locs(w, copied);
  MAKE(dloc_hoist_folded_branch(w->context, any_profile(w), branch, folded, count ? copied : NULL, count, any_reason(w),
                                &ret));
}

static void call_stripper(world *w) {
  dloc_stripper *stripper = NULL;
  if (take_thing(dloc_stripper_create(w->context, any_profile(w), (dloc_strip_keep)below(w->from, 2), &stripper),
                 stripper))
    add_thing(w, STRIPPER, stripper, NULL, NULL, NULL);
}
static void call_strip_instruction(world *w) {
  thing *stripper = any_thing(w, STRIPPER);
  if (!stripper)
    return;
  MAKE(dloc_strip_instruction(stripper->it, any_debug_loc(w), any_reason(w), &ret));
}
static void call_strip_source(world *w) {
  thing *stripper = any_thing(w, STRIPPER);
  if (!stripper)
    return;
  MAKE(dloc_strip_source(stripper->it, node_of_kind(w, DLOC_KIND_TUPLE), &ret));
}

static void call_outline(world *w) {
  dloc_node debug_loc = any_debug_loc(w), subprogram = node_of_kind(w, DLOC_KIND_SUBPROGRAM);
  MAKE(dloc_outline(w->context, any_profile(w), debug_loc, subprogram, any_reason(w), &ret));
}

static bool lose(void *user, dloc_reason reason, dloc_node node) {
  require(reason != DLOC_REASON_NONE && (node || !user));
  return true;
}
static void call_converter(world *w) {
  thing *module = once_in(w->from, 3) ? NULL : any_thing(w, MODULE);
  dloc_converter *converter = NULL;
  dloc_form form = (dloc_form)below(w->from, 2);
  dloc_loss *loss = once_in(w->from, 3) ? NULL : lose;
  if (take_thing(
          dloc_converter_create(w->context, any_profile(w), module ? module->it : NULL, form, loss, NULL, &converter),
          converter))
    add_thing(w, CONVERTER, converter, module, NULL, NULL);
}
static void call_convert(world *w) {
  thing *converter = any_thing(w, CONVERTER);
  if (!converter)
    return;
  MAKE(dloc_convert(converter->it, any_debug_loc(w), any_reason(w), &ret));
}
static void call_convert_left(world *w) {
  thing *converter = any_thing(w, CONVERTER);
  if (converter && converter->borrows[0])
    check_status(dloc_convert_left(converter->it, converter->borrows[0]->it, any_reason(w)));
}
static void call_convert_sources(world *w) {
  thing *converter = any_thing(w, CONVERTER);
  const dloc_node *sources = NULL;
  size_t count = 0;
  if (converter && dloc_convert_sources(converter->it, any_reason(w), &sources, &count) == DLOC_OK)
    for (size_t i = 0; i < count; i++)
      add_node(w, sources[i]);
}

static void call_discriminate(world *w) {
  dloc_discriminator_part part = (dloc_discriminator_part)below(w->from, 2);
  dloc_node debug_loc = any_debug_loc(w);
  MAKE(dloc_discriminate(w->context, any_profile(w), debug_loc, part, edge_number(w->from), any_reason(w), &ret));
}
static void call_copy_instruction(world *w) {
  dloc_node debug_loc = any_debug_loc(w);
  MAKE(dloc_copy_instruction(w->context, any_profile(w), debug_loc, once_in(w->from, 2), any_reason(w), &ret));
}
static void call_copy_function(world *w) {
  dloc_node nodes[MOST], copies[MOST], subprogram = node_of_kind(w, DLOC_KIND_SUBPROGRAM);
  size_t count = any_debug_locs(w, nodes);
  dloc_status status = dloc_copy_function(w->context, any_profile(w), subprogram, nodes, count, any_reason(w), copies);
  check_status(status);
  for (size_t i = 0; status == DLOC_OK && i < count; i++)
    add_node(w, copies[i]);
}
static void call_round_trip(world *w) {
  dloc_node debug_loc = any_debug_loc(w);
  MAKE(dloc_round_trip(w->context, any_profile(w), debug_loc, any_reason(w), &ret));
}

/* ---- Sources and sections ---- */

static void call_link_sources(world *w) {
  dloc_node entries[MOST], linked[MOST];
  size_t count = below(w->from, MOST + 1), linked_count = 0;
  for (size_t i = 0; i < count; i++)
    entries[i] = node_of_kind(w, DLOC_KIND_TUPLE);
  if (dloc_link_sources(w->context, any_profile(w), entries, count, linked, &linked_count) != DLOC_OK)
    return;
  require(linked_count <= count);
  for (size_t i = 0; i < linked_count; i++)
    add_node(w, linked[i]);
}
static void call_section_names(world *w) {
  dloc_node kinds[MOST], names[MOST];
  size_t count = below(w->from, MOST + 1);
  for (size_t i = 0; i < count; i++)
    kinds[i] = node_of_kind(w, DLOC_KIND_STRING);
  dloc_status status = dloc_section_names(w->context, any_profile(w), kinds, count, any_reason(w), names);
  check_status(status);
  for (size_t i = 0; status == DLOC_OK && i < count; i++)
    add_node(w, names[i]);
}
static void call_section_table(world *w) {
  MAKE(dloc_section_table(w->context, any_profile(w), node_of_kind(w, DLOC_KIND_STRING), &ret));
}
static void call_section_text(world *w) {
  dloc_node name = node_of_kind(w, DLOC_KIND_STRING), entry = node_of_kind(w, DLOC_KIND_TUPLE);
  MAKE(dloc_section_text(w->context, any_profile(w), name, entry, &ret));
}
static void call_section_group(world *w) {
  dloc_node section = node_of_kind(w, DLOC_KIND_STRING), entry = node_of_kind(w, DLOC_KIND_TUPLE);
  MAKE(dloc_section_group(w->context, any_profile(w), section, entry, &ret));
}

/* ---- Directives ---- */

static void call_emitter(world *w) {
  thing *module = once_in(w->from, 3) ? NULL : any_thing(w, MODULE);
  dloc_emitter *emitter = NULL;
  const dloc_trace *trace = any_trace(w);
  if (take_thing(dloc_emitter_create(w->context, any_profile(w), module ? module->it : NULL, trace, &emitter), emitter))
    add_thing(w, EMITTER, emitter, module, NULL, NULL);
}
static void read_emitted(world *w, dloc_status status, const dloc_emitted *emitted) {
  check_status(status);
  for (size_t i = 0; status == DLOC_OK && i < emitted->layer_count; i++) {
    read_text(dloc_node_text(w->context, emitted->layers[i].kind));
    read_text(dloc_node_text(w->context, emitted->layers[i].file));
  }
}
static void call_emit(world *w) {
  thing *emitter = any_thing(w, EMITTER);
  dloc_emitted emitted;
  for (int i = 0; emitter && i < 3; i++) {
    dloc_node debug_loc = any_debug_loc(w);
    dloc_status status = once_in(w->from, 3) ? dloc_emit_layers(emitter->it, debug_loc, any_reason(w), &emitted)
                                             : dloc_emit_instruction(emitter->it, debug_loc, any_reason(w), &emitted);
    read_emitted(w, status, &emitted);
    if (once_in(w->from, 8))
      dloc_emitter_begin_function(emitter->it);
  }
}
static void call_emit_texts(world *w) {
  thing *emitter = any_thing(w, EMITTER);
  const dloc_emitted_text *texts = NULL;
  size_t count = 0;
  if (!emitter)
    return;
  (void)dloc_emit_texts_stand_first(emitter->it);
  (void)dloc_emit_texts_in_angles(emitter->it);
  if (dloc_emit_texts(emitter->it, &texts, &count) == DLOC_OK)
    for (size_t i = 0; i < count; i++)
      read_text(dloc_node_text(w->context, texts[i].text));
}

static api_call *const calls[] = {call_merge,
                                  call_merge,
                                  call_merge,
                                  call_inliner,
                                  call_inline,
                                  call_inline_record,
                                  call_inline_loop,
                                  call_hoist,
                                  call_hoist_merged,
                                  call_hoist_before_branch,
                                  call_hoist_folded_branch,
                                  call_stripper,
                                  call_strip_instruction,
                                  call_strip_source,
                                  call_outline,
                                  call_converter,
                                  call_convert,
                                  call_convert,
                                  call_convert_left,
                                  call_convert_sources,
                                  call_discriminate,
                                  call_copy_instruction,
                                  call_copy_function,
                                  call_round_trip,
                                  call_link_sources,
                                  call_section_names,
                                  call_section_table,
                                  call_section_text,
                                  call_section_group,
                                  call_emitter,
                                  call_emit,
                                  call_emit,
                                  call_emit_texts};
CALLS(calls_of_rules, calls);
