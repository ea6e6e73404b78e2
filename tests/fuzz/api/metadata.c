/* Calls of dloc.h: texts, tables, metadata, scopes and locations. */
#include "api.h"

#include <stdio.h>

/* ---- Texts and tables ---- */

static void call_texts(world *w) {
  dloc_text one = any_text(w->from), other = any_text(w->from);
  require(dloc_text_equal(one, other) == (dloc_text_compare(one, other) == 0));
  for (uint32_t character; one.size;) {
    size_t size = dloc_character(one, once_in(w->from, 2) ? NULL : &character);
    require(size <= 4 && size <= one.size);
    one.bytes += size ? size : 1;
    one.size -= size ? size : 1;
    if (once_in(w->from, 8))
      break;
  }
  read_text(dloc_text_of(dloc_version()));
  read_text(dloc_text_of(dloc_severity_name((dloc_severity)below(w->from, DLOC_SEVERITY_WARNING + 1))));
}

static void call_print_string(world *w) { check_status(dloc_print_string(any_text(w->from), any_sink(w))); }

static void call_buffer(world *w) {
  dloc_buffer buffer = {0};
  dloc_text text = any_text(w->from);
  require(dloc_print_string(text, dloc_buffer_sink(&buffer)) == DLOC_OK && buffer.size >= text.size + 2);
  require(!buffer.bytes[buffer.size]);
  dloc_buffer_deinit(&buffer);
}

static void call_reasons(world *w) {
  dloc_reason reason = (dloc_reason)below(w->from, DLOC_REASON_COUNT);
  read_text(dloc_text_of(dloc_reason_name(reason)));
  read_text(dloc_text_of(dloc_reason_text(reason)));
  read_text(dloc_text_of(dloc_severity_name(dloc_reason_severity(reason))));
}

static void call_clauses(world *w) {
  dloc_clause clause = (dloc_clause)below(w->from, DLOC_CLAUSE_COUNT), found = DLOC_CLAUSE_COUNT;
  require(dloc_clause_find(dloc_text_of(dloc_clause_anchor(clause)), &found) && found == clause);
  read_text(dloc_text_of(dloc_clause_level(clause)));
  read_text(dloc_text_of(dloc_clause_origin(clause)));
  read_text(dloc_text_of(dloc_clause_place(clause)));
  read_text(dloc_text_of(dloc_clause_statement(clause)));
  read_text(dloc_text_of(dloc_clause_source(clause)));
  (void)dloc_clause_find(any_text(w->from), &found);
}

static void call_choices(world *w) {
  dloc_choice choice = (dloc_choice)below(w->from, DLOC_CHOICE_COUNT), found;
  unsigned alternative = (unsigned)below(w->from, dloc_choice_alternatives(choice)), same;
  require(dloc_choice_find(dloc_text_of(dloc_choice_name(choice)), &found) && found == choice);
  dloc_text name = dloc_text_of(dloc_alternative_name(choice, alternative));
  require(dloc_alternative_find(choice, name, &same) && same == alternative);
  read_text(dloc_text_of(dloc_alternative_meaning(choice, alternative)));
  read_text(dloc_text_of(dloc_choice_question(choice)));
  read_text(dloc_text_of(dloc_choice_reason(choice)));
  read_text(dloc_text_of(dloc_choice_consequence(choice)));
  (void)dloc_choice_find(any_text(w->from), &found);
  (void)dloc_alternative_find(choice, any_text(w->from), &same);
}

static void call_profiles(world *w) {
  const dloc_profile *profile = dloc_profile_at(below(w->from, dloc_profile_count()));
  require(dloc_profile_find(dloc_text_of(profile->name)) == profile);
  (void)dloc_profile_find(any_text(w->from));
  if (once_in(w->from, 4))
    dloc_context_set_profile(w->context, any_profile(w));
}

static void count_passed(void *user, dloc_text part) {
  read_text(part);
  *(size_t *)user += part.size;
}

static void call_passed(world *w) {
  dloc_context_set_passed(w->context, once_in(w->from, 2) ? count_passed : NULL, &w->passed);
}

/* All that was made in the context goes. */
static void call_reset(world *w) {
  if (!once_in(w->from, 20))
    return;
  while (w->thing_count)
    destroy_thing(w, w->things[w->thing_count - 1]);
  dloc_context_reset(w->context);
  world_forget_nodes(w);
}

/* ---- Nodes ---- */

#define MAKE(call)                                                                                                     \
  dloc_node ret = UNTOUCHED_NODE;                                                                                      \
  dloc_status status = (call);                                                                                         \
  take_node(w, status, &ret)

static void call_string(world *w) { MAKE(dloc_string(w->context, any_text(w->from), &ret)); }
static void call_constant(world *w) { MAKE(dloc_constant(w->context, any_text(w->from), &ret)); }
static void call_token(world *w) { MAKE(dloc_token(w->context, any_text(w->from), &ret)); }

static void call_tuple(world *w) {
  dloc_node operands[20];
  size_t count = below(w->from, once_in(w->from, 8) ? 20 : 5);
  for (size_t i = 0; i < count; i++)
    operands[i] = any_node(w);
  MAKE(dloc_tuple(w->context, once_in(w->from, 3), count ? operands : NULL, count, &ret));
}

/* A layer, or an entry of the list of texts. */
static void call_layer_tuple(world *w) {
  const dloc_node operands[] = {node_of_kind(w, DLOC_KIND_STRING),
                                node_of_kind(w, once_in(w->from, 3) ? DLOC_KIND_FILE : DLOC_KIND_LOCATION),
                                node_of_kind(w, DLOC_KIND_STRING)};
  MAKE(dloc_tuple(w->context, false, operands, 2 + below(w->from, 2), &ret));
}

static void call_set_operand(world *w) {
  check_status(dloc_set_operand(w->context, node_of_kind(w, DLOC_KIND_TUPLE), below(w->from, 4), any_node(w)));
}

static void call_location_create(world *w) {
  const dloc_location content = {.line = edge_number(w->from),
                                 .column = edge_number(w->from) & DLOC_COLUMN_LIMIT,
                                 .scope = any_scope(w),
                                 .inlined_at = once_in(w->from, 2) ? node_of_kind(w, DLOC_KIND_LOCATION) : DLOC_NULL,
                                 .implicit = once_in(w->from, 8),
                                 .atom_rank = (uint8_t)below(w->from, 8),
                                 .atom_group = below(w->from, 4),
                                 .layers = once_in(w->from, 3) ? node_of_kind(w, DLOC_KIND_LAYER_LIST) : DLOC_NULL};
  if (!content.scope) /* it is required */
    return;
  MAKE(dloc_location_create(w->context, once_in(w->from, 3), &content, &ret));
}

static dloc_node token_of(world *w, const char *text) {
  dloc_node ret = DLOC_NULL;
  return dloc_token(w->context, dloc_text_of(text), &ret) == DLOC_OK ? ret : DLOC_NULL;
}

static const char *const keys[] = {
    "line",       "column",   "scope",        "file",     "inlinedAt",     "isImplicitCode", "atomGroup", "atomRank",
    "name",       "filename", "directory",    "unit",     "linkageName",   "discriminator",  "kind",      "irlayers",
    "type",       "source",   "checksumkind", "checksum", "retainedNodes", "declaration",    "language",  "producer",
    "spFlags",    "value",    "arg",          "tag",      "size",          "elements",       "",          "\"",
    "no such key"};
static const char *const classes[] = {"DILocation",
                                      "DIFile",
                                      "DICompileUnit",
                                      "DISubprogram",
                                      "DILexicalBlock",
                                      "DILexicalBlockFile",
                                      "DIIntermediateScope",
                                      "DILayerLoc",
                                      "DILayerLocList",
                                      "DIBasicType",
                                      "DIExpression",
                                      "DILocalVariable",
                                      "DILabel",
                                      "GenericDINode",
                                      "DINonsense",
                                      "DISubrange",
                                      "DIArgList"};

static dloc_node any_value(world *w) {
  static const char *const values[] = {"0",         "1",      "7",     "65536", "4294967295", "18446744073709551615",
                                       "-1",        "true",   "false", "null",  "FullDebug",  "DW_LANG_C11",
                                       "!\"text\"", "CSK_MD5"};
  switch (below(w->from, 4)) {
  case 0:
    return token_of(w, ANY_OF(w->from, values));
  case 1:
    return node_of_kind(w, DLOC_KIND_STRING);
  case 2:
    return any_scope(w);
  default:
    return any_node(w);
  }
}

static void call_specialised(world *w) {
  dloc_field fields[12];
  size_t count = below(w->from, 12);
  dloc_node_diagnosis diagnosis = {.reason = DLOC_REASON_NONE};
  for (size_t i = 0; i < count; i++)
    fields[i] = (dloc_field){once_in(w->from, 8) ? any_node(w) : token_of(w, ANY_OF(w->from, keys)), any_value(w)};
  dloc_text name = once_in(w->from, 10) ? any_text(w->from) : dloc_text_of(ANY_OF(w->from, classes));
  MAKE(dloc_specialised(w->context, name, once_in(w->from, 3), count ? fields : NULL, count,
                        once_in(w->from, 3) ? NULL : &diagnosis, &ret));
  read_text(dloc_text_of(dloc_reason_name(diagnosis.reason)));
}

static dloc_node number_token(world *w, uint32_t number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  return token_of(w, text);
}

/* One of the form irlayers that breaks no rule, mostly. */
static void call_layer_list(world *w) {
  dloc_field layers[4];
  size_t count = below(w->from, 4);
  for (size_t i = 0; i < count; i++) {
    const dloc_field fields[] = {{token_of(w, "file"), node_of_kind(w, DLOC_KIND_FILE)},
                                 {token_of(w, "line"), number_token(w, edge_number(w->from))},
                                 {token_of(w, "column"), number_token(w, edge_number(w->from) & DLOC_COLUMN_LIMIT)},
                                 {token_of(w, "kind"), node_of_kind(w, DLOC_KIND_STRING)}};
    layers[i] = (dloc_field){DLOC_NULL, DLOC_NULL};
    if (dloc_specialised(w->context, dloc_text_of("DILayerLoc"), false, fields, 4, NULL, &layers[i].value) != DLOC_OK)
      return;
    add_node(w, layers[i].value);
  }
  MAKE(dloc_specialised(w->context, dloc_text_of("DILayerLocList"), false, layers, count, NULL, &ret));
}

static void call_file(world *w) { MAKE(dloc_file(w->context, any_text(w->from), any_text(w->from), &ret)); }
static void call_compile_unit(world *w) {
  dloc_text language = once_in(w->from, 4) ? any_text(w->from) : dloc_text_of("DW_LANG_C11");
  MAKE(dloc_compile_unit(w->context, language, node_of_kind(w, DLOC_KIND_FILE), any_text(w->from), &ret));
}
static void call_subprogram(world *w) {
  dloc_node unit = node_of_kind(w, DLOC_KIND_COMPILE_UNIT);
  MAKE(dloc_subprogram(w->context, any_text(w->from), node_of_kind(w, DLOC_KIND_FILE), edge_number(w->from), unit,
                       &ret));
}
static void call_lexical_block(world *w) {
  MAKE(dloc_lexical_block(w->context, any_scope(w), node_of_kind(w, DLOC_KIND_FILE), edge_number(w->from),
                          edge_number(w->from), &ret));
}
static void call_lexical_block_file(world *w) {
  MAKE(dloc_lexical_block_file(w->context, any_scope(w), node_of_kind(w, DLOC_KIND_FILE), edge_number(w->from), &ret));
}
static void call_location_at(world *w) {
  MAKE(dloc_location_at(w->context, edge_number(w->from), edge_number(w->from), any_scope(w), &ret));
}
static void call_debug_loc_create(world *w) {
  dloc_layer layers[5];
  size_t count = below(w->from, 5);
  for (size_t i = 0; i < count; i++)
    layers[i] = (dloc_layer){node_of_kind(w, DLOC_KIND_STRING), node_of_kind(w, DLOC_KIND_LOCATION)};
  dloc_node primary = node_of_kind(w, DLOC_KIND_LOCATION);
  MAKE(dloc_debug_loc_create(w->context, primary, count ? layers : NULL, count, &ret));
}

static void call_forward(world *w) { MAKE(dloc_forward(w->context, &ret)); }
static void call_define(world *w) {
  check_status(dloc_define(w->context, node_of_kind(w, DLOC_KIND_FORWARD), any_node(w)));
}

/* What is undefined gets a definition, so that the next resolution succeeds. */
static void call_resolve(world *w) {
  dloc_node undefined = DLOC_NULL, filler = DLOC_NULL;
  dloc_status status = dloc_resolve(w->context, once_in(w->from, 8) ? NULL : &undefined);
  check_status(status);
  if (status == DLOC_INVALID && undefined && dloc_tuple(w->context, true, NULL, 0, &filler) == DLOC_OK)
    check_status(dloc_define(w->context, undefined, filler));
  for (size_t i = 0; status == DLOC_OK && i < w->node_count; i++)
    w->nodes[i] = dloc_canonical(w->context, w->nodes[i]);
}

/* ---- Questions about nodes ---- */

static void call_node(world *w) {
  dloc_node node = any_node(w);
  (void)dloc_node_kind(w->context, node);
  (void)dloc_node_is_distinct(w->context, node);
  read_text(dloc_node_text(w->context, node));
  read_text(dloc_node_class(w->context, node));
  (void)dloc_location_get(w->context, node);
  (void)dloc_canonical(w->context, node);
  (void)dloc_is_local_scope(w->context, node);
  (void)dloc_scope_parent(w->context, node);
  (void)dloc_scope_file(w->context, node);
  (void)dloc_scope_subprogram(w->context, node);
  (void)dloc_location_discriminator(w->context, node);
  (void)dloc_discriminator_decode(edge_number(w->from));
  (void)dloc_place_of_layer(w->context, node);
  (void)dloc_innermost_layers(w->context, node);
  (void)dloc_has_lists(w->context);
}

static void call_operands(world *w) {
  dloc_node node = any_node(w), next = DLOC_NULL;
  for (size_t i = 0; i < dloc_operand_count(w->context, node); i++)
    require(dloc_operand(w->context, node, i) < dloc_node_limit(w->context));
  bool has_fields = dloc_node_kind(w->context, node) != DLOC_KIND_LOCATION;
  for (size_t i = 0; has_fields && i < dloc_field_count(w->context, node); i++)
    require(dloc_field_at(w->context, node, i).value < dloc_node_limit(w->context));
  for (size_t index = 0; dloc_next_reference(w->context, node, &index, &next);)
    require(next && next < dloc_node_limit(w->context));
  (void)dloc_field_value(w->context, node, ANY_OF(w->from, keys));
  (void)dloc_field_number(w->context, node, ANY_OF(w->from, keys));
  dloc_text name = dloc_text_of(ANY_OF(w->from, classes)), key = dloc_text_of(ANY_OF(w->from, keys));
  (void)dloc_class_field_content(name, once_in(w->from, 4) ? any_text(w->from) : key);
  (void)dloc_class_field_order(once_in(w->from, 4) ? any_text(w->from) : name, key);
}

static dloc_status write_reference(void *user, dloc_sink sink, dloc_node node) {
  char text[16];
  int size = snprintf(text, sizeof text, "!%u", node);
  return !user && sink.write(sink.user, text, (size_t)size) ? DLOC_OK : DLOC_STOPPED;
}
static void call_print_node(world *w) {
  check_status(dloc_print_node(w->context, any_node(w), write_reference, NULL, any_sink(w)));
}
static void call_print_graph(world *w) {
  const dloc_node roots[] = {any_node(w), any_debug_loc(w), any_scope(w)};
  check_status(dloc_print_graph(w->context, once_in(w->from, 2) ? "!dbg" : "", roots, below(w->from, 4), any_sink(w)));
}
static void call_graph(world *w) {
  dloc_graph *graph = NULL;
  dloc_status status = dloc_graph_create(w->context, &graph);
  for (size_t i = below(w->from, 4); status == DLOC_OK && i; i--)
    status = dloc_graph_root(graph, once_in(w->from, 2) ? any_node(w) : any_debug_loc(w), any_sink(w));
  if (status == DLOC_OK)
    status = dloc_graph_nodes(graph, any_sink(w));
  check_status(status);
  dloc_graph_destroy(graph);
}

static void call_debug_loc(world *w) {
  dloc_node node = any_debug_loc(w);
  (void)dloc_debug_loc_shape(w->context, node);
  (void)dloc_primary(w->context, node);
  (void)dloc_debug_loc_is_plain(w->context, node);
  (void)dloc_layer_find(w->context, node, any_text(w->from));
  size_t count = dloc_layer_count(w->context, node), cursor = 0;
  dloc_layer layer = {0};
  for (size_t i = 0; i < count; i++) {
    require(dloc_next_layer(w->context, node, &cursor, &layer));
    dloc_layer same = dloc_layer_at(w->context, node, i);
    require(same.kind == layer.kind && same.location == layer.location);
  }
  require(!dloc_next_layer(w->context, node, &cursor, &layer));
}
static void call_equal(world *w) {
  dloc_node one = any_debug_loc(w), other = any_debug_loc(w);
  const dloc_profile *profile = any_profile(w);
  (void)dloc_debug_loc_equal(w->context, profile, one, other);
  (void)dloc_same_source(w->context, profile, one, other, once_in(w->from, 2));
}
static void call_debug_loc_print(world *w) {
  check_status(dloc_debug_loc_print(w->context, any_profile(w), any_debug_loc(w), any_sink(w)));
}

static api_call *const calls[] = {call_texts,
                                  call_print_string,
                                  call_buffer,
                                  call_reasons,
                                  call_clauses,
                                  call_choices,
                                  call_profiles,
                                  call_passed,
                                  call_reset,
                                  call_string,
                                  call_string,
                                  call_constant,
                                  call_token,
                                  call_tuple,
                                  call_layer_tuple,
                                  call_layer_tuple,
                                  call_set_operand,
                                  call_location_create,
                                  call_location_create,
                                  call_location_create,
                                  call_specialised,
                                  call_specialised,
                                  call_layer_list,
                                  call_file,
                                  call_file,
                                  call_compile_unit,
                                  call_subprogram,
                                  call_subprogram,
                                  call_lexical_block,
                                  call_lexical_block_file,
                                  call_location_at,
                                  call_location_at,
                                  call_debug_loc_create,
                                  call_debug_loc_create,
                                  call_forward,
                                  call_define,
                                  call_resolve,
                                  call_node,
                                  call_operands,
                                  call_print_node,
                                  call_print_graph,
                                  call_graph,
                                  call_debug_loc,
                                  call_equal,
                                  call_debug_loc_print};
CALLS(calls_of_metadata, calls);
