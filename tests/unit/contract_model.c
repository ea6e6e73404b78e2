/* Rows of dloc.h. */
#include "contract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

CALL(dloc_character) { return found(w && dloc_character(dloc_text_of(wrong ? "\xff" : "a"), ret) > 0); }
CALL(dloc_clause_find) { return found(w && dloc_clause_find(word(wrong, "merge.line"), ret)); }
CALL(dloc_choice_find) { return found(w && dloc_choice_find(word(wrong, "merge.pick"), ret)); }
CALL(dloc_alternative_find) {
  return found(w && dloc_alternative_find(DLOC_CHOICE_MERGE_PICK, word(wrong, "on"), ret));
}
CALL(dloc_next_reference) {
  size_t index = 0;
  return found(dloc_next_reference(w->context, node_of(w, wrong ? FILE_ : LAYERED), &index, ret));
}
MEMORY_CALL(dloc_string) { return dloc_string(w->context, dloc_text_of("new string"), ret); }
MEMORY_CALL(dloc_constant) { return dloc_constant(w->context, dloc_text_of("i32 77"), ret); }
MEMORY_CALL(dloc_token) { return dloc_token(w->context, dloc_text_of("newToken"), ret); }
MEMORY_CALL(dloc_tuple) {
  dloc_node operands[100] = {DLOC_NULL};
  return dloc_tuple(w->context, false, operands, 100, ret);
}
MEMORY_CALL(dloc_location_create) {
  dloc_location content = {.line = 77, .scope = node_of(w, SUBPROGRAM), .atom_group = 7};
  return dloc_location_create(w->context, false, &content, ret);
}
CALL(dloc_specialised) {
  dloc_field fields[] = {{DLOC_NULL, node_of(w, FILE_)}, {DLOC_NULL, DLOC_NULL}};
  dloc_status status = dloc_token(w->context, dloc_text_of(wrong ? "scope" : "file"), &fields[0].key);
  if (status == DLOC_OK)
    status = dloc_token(w->context, dloc_text_of("scope"), &fields[1].key);
  if (status == DLOC_OK && !wrong)
    fields[1].value = node_of(w, SUBPROGRAM);
  return status == DLOC_OK ? dloc_specialised(w->context, dloc_text_of("DILexicalBlock"), true, fields, 2, NULL, ret)
                           : status;
}
MEMORY_CALL(dloc_file) { return dloc_file(w->context, dloc_text_of("new.c"), dloc_text_of("/new"), ret); }
CALL(dloc_compile_unit) {
  dloc_node file = wrong ? DLOC_NULL : node_of(w, FILE_);
  return dloc_compile_unit(w->context, dloc_text_of("DW_LANG_Zig"), file, dloc_text_of("new"), ret);
}
MEMORY_CALL(dloc_subprogram) {
  return dloc_subprogram(w->context, dloc_text_of("new"), node_of(w, FILE_), 77, DLOC_NULL, ret);
}
CALL(dloc_lexical_block) {
  return dloc_lexical_block(w->context, node_of(w, SUBPROGRAM), DLOC_NULL, 77, wrong ? DLOC_COLUMN_LIMIT + 1 : 78, ret);
}
CALL(dloc_lexical_block_file) {
  return dloc_lexical_block_file(w->context, wrong ? DLOC_NULL : node_of(w, SUBPROGRAM), node_of(w, FILE_), 77, ret);
}
CALL(dloc_location_at) { return dloc_location_at(w->context, 77, 78, wrong ? DLOC_NULL : node_of(w, SUBPROGRAM), ret); }
MEMORY_CALL(dloc_forward) { return dloc_forward(w->context, ret); }
MEMORY_CALL(dloc_debug_loc_create) {
  dloc_layer layers[] = {dloc_layer_at(w->context, node_of(w, LAYERED), 0),
                         dloc_layer_at(w->context, node_of(w, BROKEN), 0)};
  return dloc_debug_loc_create(w->context, dloc_primary(w->context, node_of(w, LAYERED)), layers, 2, ret);
}
CALL(dloc_merge) {
  dloc_node operands[] = {node_of(w, LAYERED), node_of(w, LOOP),
                          wrong ? node_of(w, BROKEN) : dloc_primary(w->context, node_of(w, LAYERED))};
  operands[1] = dloc_layer_at(w->context, node_of(w, LAYERED), 0).location;
  return dloc_merge(w->context, &w->profile, operands, 3, NULL, NULL, ret);
}
CALL(dloc_next_layer) {
  size_t cursor = 0;
  return found(dloc_next_layer(w->context, node_of(w, wrong ? KINDS : LAYERED), &cursor, ret));
}
CALL(dloc_inliner_create) {
  dloc_call_site site = {.debug_loc = node_of(w, wrong ? NO_KIND : LAYERED)};
  MADE(dloc_inliner_create(w->context, &w->profile, &site, NULL, ret), dloc_inliner_destroy(*(dloc_inliner **)ret));
}
CALL(dloc_inline_instruction) {
  return dloc_inline_instruction(w->inliner, DLOC_INSTRUCTION_PLAIN, node_of(w, wrong ? CHAIN : LAYERED), ret);
}
CALL(dloc_inline_record) { return dloc_inline_record(w->inliner, node_of(w, wrong ? CHAIN : LAYERED), ret); }
CALL(dloc_inline_loop) { return dloc_inline_loop(w->inliner, node_of(w, wrong ? BROKEN_LOOP : LOOP), ret); }
MEMORY_CALL(dloc_module_create) {
  MADE(dloc_module_create(w->context, ret), dloc_module_destroy(*(dloc_module **)ret));
}
MEMORY_CALL(dloc_module_function_named) {
  return dloc_module_function_named(w->module, dloc_text_of("new_function"), ret);
}
CALL(dloc_module_begin_function) {
  return dloc_module_begin_function(w->module, dloc_text_of(wrong ? "f" : "new_function"), 0, 0, ret);
}
CALL(dloc_module_find_function) { return found(dloc_module_find_function(w->module, word(wrong, "f"), ret)); }
CALL(dloc_module_find_named) { return found(dloc_module_find_named(w->module, word(wrong, "llvm.dbg.cu"), ret)); }
static bool stop(void *user, const dloc_violation *violation) { return user == violation; }
CALL(dloc_verify) {
  if (wrong)
    assert_int_equal(dloc_verify(w->module, &w->profile, stop, NULL, ret), DLOC_STOPPED);
  return wrong ? DLOC_INVALID : dloc_verify(w->module, &w->profile, NULL, NULL, ret);
}
CALL(dloc_hoist_before_branch) {
  return dloc_hoist_before_branch(w->context, &w->profile, node_of(w, LAYERED), node_of(w, wrong ? NO_KIND : LAYERED),
                                  node_of(w, SUBPROGRAM), NULL, ret);
}
CALL(dloc_hoist_folded_branch) {
  return dloc_hoist_folded_branch(w->context, &w->profile, node_of(w, LAYERED), node_of(w, LAYERED),
                                  &(dloc_node){node_of(w, wrong ? NO_KIND : LAYERED)}, 1, NULL, ret);
}
CALL(dloc_hoist_merged) {
  const dloc_node debug_locs[] = {node_of(w, LAYERED), node_of(w, wrong ? NO_KIND : LAYERED)};
  return dloc_hoist_merged(w->context, &w->profile, debug_locs, 2, DLOC_HOISTED_CALL, node_of(w, SUBPROGRAM), NULL,
                           ret);
}
CALL(dloc_hoist) {
  return dloc_hoist(w->context, &w->profile, node_of(w, wrong ? NO_KIND : LAYERED), DLOC_HOISTED_CALL,
                    DLOC_MOVE_HOISTED, node_of(w, SUBPROGRAM), NULL, ret);
}
MEMORY_CALL(dloc_graph_create) { MADE(dloc_graph_create(w->context, ret), dloc_graph_destroy(*(dloc_graph **)ret)); }
MEMORY_CALL(dloc_stripper_create) {
  MADE(dloc_stripper_create(w->context, &w->profile, DLOC_STRIP_KEEP_LINE_TABLES, ret),
       dloc_stripper_destroy(*(dloc_stripper **)ret));
}
CALL(dloc_strip_instruction) {
  return dloc_strip_instruction(w->stripper, node_of(w, wrong ? BROKEN : LAYERED), NULL, ret);
}
CALL(dloc_strip_source) { return dloc_strip_source(w->stripper, node_of(w, wrong ? LOOP : ENTRY), ret); }
CALL(dloc_outline) {
  return dloc_outline(w->context, &w->profile, node_of(w, wrong ? BROKEN : LAYERED), node_of(w, SUBPROGRAM), NULL, ret);
}
MEMORY_CALL(dloc_converter_create) {
  MADE(dloc_converter_create(w->context, &w->profile, w->module, DLOC_FORM_TUPLE, NULL, NULL, ret),
       dloc_converter_destroy(*(dloc_converter **)ret));
}
CALL(dloc_convert) { return dloc_convert(w->converter[1], node_of(w, wrong ? SUBPROGRAM : LAYERED), NULL, ret); }
CALL(dloc_convert_left) {
  (void)ret;
  return dloc_convert_left(w->converter[!wrong], w->module, NULL);
}
CALL(dloc_convert_sources) {
  size_t count;
  return dloc_convert_sources(w->converter[!wrong], NULL, ret, &count);
}
CALL(dloc_discriminate) {
  return dloc_discriminate(w->context, &w->profile, node_of(w, wrong ? SUBPROGRAM : LAYERED), DLOC_DISCRIMINATOR_BASE,
                           1, NULL, ret);
}
CALL(dloc_copy_instruction) {
  return dloc_copy_instruction(w->context, &w->profile, node_of(w, wrong ? SUBPROGRAM : LAYERED), true, NULL, ret);
}
CALL(dloc_copy_function) {
  dloc_node debug_locs[] = {node_of(w, LAYERED), node_of(w, wrong ? BROKEN : LAYERED)};
  return dloc_copy_function(w->context, &w->profile, node_of(w, SUBPROGRAM), debug_locs, 2, NULL, ret);
}
CALL(dloc_source_find) {
  return found(dloc_source_find(w->module, &w->profile, node_of(w, wrong ? SUBPROGRAM : FILE_), dloc_text_of(""), ret));
}
MEMORY_CALL(dloc_source_of_layers) { return dloc_source_of_layers(w->module, 0, NULL, ret); }
MEMORY_CALL(dloc_link_sources) {
  dloc_node entries[] = {node_of(w, ENTRY), node_of(w, OTHER_ENTRY)}, *list = ret;
  return dloc_link_sources(w->context, &w->profile, entries, 2, list, (size_t *)(list + 2));
}
CALL(dloc_round_trip) {
  return dloc_round_trip(w->context, &w->profile, node_of(w, wrong ? NO_KIND : LAYERED), NULL, ret);
}
MEMORY_CALL(dloc_encoder_create) {
  MADE(dloc_encoder_create(w->context, &w->profile, give_number, w, ret), dloc_encoder_destroy(*(dloc_encoder **)ret));
}
CALL(dloc_encode_instruction) {
  const dloc_location_record **records = ret;
  return dloc_encode_instruction(w->encoder, node_of(w, wrong ? NO_KIND : LAYERED), NULL, records,
                                 (size_t *)(records + 1));
}
MEMORY_CALL(dloc_encode_node) { return dloc_encode_node(w->encoder, node_of(w, CHAIN), ret); }
CALL(dloc_decode_record) {
  const uint64_t values[] = {0, 3, 1, 0, 0};
  const dloc_location_record record = {.code = 7, .values = values, .count = wrong ? 4 : 5};
  const dloc_node scope = node_of(w, SUBPROGRAM);
  return dloc_decode_record(w->context, &w->profile, &scope, 1, &record, NULL, ret);
}
MEMORY_CALL(dloc_numbers_create) {
  MADE(dloc_numbers_create(w->module, &w->profile, ret), dloc_numbers_destroy(*(dloc_numbers **)ret));
}
MEMORY_CALL(dloc_numbers_operand) {
  uint32_t cursor = 0;
  return dloc_numbers_operand(w->numbers, node_of(w, SUBPROGRAM), &cursor, ret);
}
CALL(dloc_number_of) { return dloc_number_of(w->numbers, wrong ? DLOC_NO_INDEX : node_of(w, FILE_), ret); }
MEMORY_CALL(dloc_emitter_create) {
  MADE(dloc_emitter_create(w->context, &w->profile, w->module, NULL, ret), dloc_emitter_destroy(*(dloc_emitter **)ret));
}
CALL(dloc_emit_instruction) {
  return dloc_emit_instruction(w->emitter, node_of(w, wrong ? NO_KIND : LAYERED), NULL, ret);
}
CALL(dloc_emit_layers) { return dloc_emit_layers(w->emitter, node_of(w, wrong ? NO_KIND : LAYERED), NULL, ret); }
MEMORY_CALL(dloc_emit_texts) {
  const dloc_emitted_text **texts = ret;
  return dloc_emit_texts(w->emitter, texts, (size_t *)(texts + 1));
}
CALL(dloc_section_names) {
  dloc_node kinds[3];
  for (size_t i = 0; i < 3; i++)
    kinds[i] = dloc_operand(w->context, node_of(w, KINDS), i);
  return dloc_section_names(w->context, &w->profile, kinds, wrong ? 3 : 2, NULL, ret);
}
MEMORY_CALL(dloc_section_table) {
  return dloc_section_table(w->context, &w->profile, dloc_operand(w->context, node_of(w, ENTRY), 0), ret);
}
CALL(dloc_section_text) {
  dloc_node kind = dloc_operand(w->context, node_of(w, ENTRY), 0);
  return dloc_section_text(w->context, &w->profile, kind, node_of(w, wrong ? LOOP : ENTRY), ret);
}
CALL(dloc_section_group) {
  dloc_node kind = dloc_operand(w->context, node_of(w, ENTRY), 0);
  return dloc_section_group(w->context, &w->profile, kind, node_of(w, wrong ? LOOP : ENTRY), ret);
}
MEMORY_CALL(dloc_project) {
  (void)ret;
  return dloc_project(w->module, &(const dloc_projection){.kind = dloc_text_of("TileIR"), .like_primary = true});
}
MEMORY_CALL(dloc_drop_layers) {
  (void)ret;
  return dloc_drop_layers(w->module);
}
CALL(dloc_annotate) {
  uint32_t instruction;
  const dloc_annotation annotation = {
      .kind = dloc_text_of(wrong ? "TileIR" : "LLVM"), .file = dloc_text_of("m.ll"), .loops = true};
  (void)ret;
  return dloc_annotate(w->module, &annotation, NULL, &instruction);
}
MEMORY_CALL(dloc_paths_assign) {
  const dloc_path_instruction instructions[] = {{.has_location = true, .line = 1}, {.has_location = true, .line = 1}};
  const uint32_t successors[] = {1, 0};
  const dloc_path_block blocks[] = {{1, successors, 2}, {1, NULL, 0}};
  return dloc_paths_assign(w->context, &w->profile, instructions, blocks, 2, ret);
}

static const contract_row rows[] = {
    ROW(dloc_character),
    ROW(dloc_clause_find),
    ROW(dloc_choice_find),
    ROW(dloc_alternative_find),
    ROW(dloc_next_reference),
    MEMORY_ROW(dloc_string),
    MEMORY_ROW(dloc_constant),
    MEMORY_ROW(dloc_token),
    MEMORY_ROW(dloc_tuple),
    MEMORY_ROW(dloc_location_create),
    ROW(dloc_specialised),
    MEMORY_ROW(dloc_file),
    ROW(dloc_compile_unit),
    MEMORY_ROW(dloc_subprogram),
    ROW(dloc_lexical_block),
    ROW(dloc_lexical_block_file),
    ROW(dloc_location_at),
    MEMORY_ROW(dloc_forward),
    MEMORY_ROW(dloc_debug_loc_create),
    ROW(dloc_merge),
    ROW(dloc_next_layer),
    ROW(dloc_inliner_create),
    ROW(dloc_inline_instruction),
    ROW(dloc_inline_record),
    ROW(dloc_inline_loop),
    MEMORY_ROW(dloc_module_create),
    MEMORY_ROW(dloc_module_function_named),
    ROW(dloc_module_begin_function),
    ROW(dloc_module_find_function),
    ROW(dloc_module_find_named),
    ROW(dloc_verify),
    ROW(dloc_hoist_before_branch),
    ROW(dloc_hoist_folded_branch),
    ROW(dloc_hoist_merged),
    ROW(dloc_hoist),
    MEMORY_ROW(dloc_graph_create),
    MEMORY_ROW(dloc_stripper_create),
    ROW(dloc_strip_instruction),
    ROW(dloc_strip_source),
    ROW(dloc_outline),
    MEMORY_ROW(dloc_converter_create),
    ROW(dloc_convert),
    ROW(dloc_convert_left),
    ROW(dloc_convert_sources),
    ROW(dloc_discriminate),
    ROW(dloc_copy_instruction),
    ROW(dloc_copy_function),
    ROW(dloc_source_find),
    MEMORY_ROW(dloc_source_of_layers),
    MEMORY_ROW(dloc_link_sources),
    ROW(dloc_round_trip),
    MEMORY_ROW(dloc_encoder_create),
    ROW(dloc_encode_instruction),
    MEMORY_ROW(dloc_encode_node),
    ROW(dloc_decode_record),
    MEMORY_ROW(dloc_numbers_create),
    MEMORY_ROW(dloc_numbers_operand),
    ROW(dloc_number_of),
    MEMORY_ROW(dloc_emitter_create),
    ROW(dloc_emit_instruction),
    ROW(dloc_emit_layers),
    MEMORY_ROW(dloc_emit_texts),
    MEMORY_ROW(dloc_project),
    MEMORY_ROW(dloc_drop_layers),
    ROW(dloc_annotate),
    ROW(dloc_section_names),
    MEMORY_ROW(dloc_section_table),
    ROW(dloc_section_text),
    ROW(dloc_section_group),
    MEMORY_ROW(dloc_paths_assign),
};
const contract_rows contract_of_model = {rows, sizeof rows / sizeof *rows};
