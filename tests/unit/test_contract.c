/* The promise of the public headers: *ret is untouched on failure, and ret_reason may be NULL. Each public
 * function with a ret has a row: it is called with an input that it must refuse, and with a good one while one
 * allocation after the other fails. */
#include "allocation.h"
#include "formats/dloc_dwarf.h"
#include "formats/dloc_mlir.h"
#include "hidden/dloc_hidden.h"
#include "lines/dloc_lines.h"
#include "try.h"

#include <ctype.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- What the functions are called with ---- */

static const char text[] = "define void @f() !dbg !3 {\n"
                           "  ret void, !dbg !4\n"
                           "}\n"
                           "!llvm.module.flags = !{!0}\n"
                           "!llvm.dbg.cu = !{!2}\n"
                           "!llvm.intermediate_level_source = !{!12, !13}\n"
                           "!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
                           "!1 = !DIFile(filename: \"a.c\", directory: \"/d\")\n"
                           "!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)\n"
                           "!3 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 1, unit: !2, "
                           "spFlags: DISPFlagDefinition)\n"
                           "!4 = !{!5, !6}\n"
                           "!5 = !DILocation(line: 1, scope: !8, atomGroup: 1, atomRank: 1)\n"
                           "!6 = !{!\"TileIR\", !7}\n"
                           "!7 = !DILocation(line: 2, scope: !9, inlinedAt: !10)\n"
                           "!8 = distinct !DILexicalBlock(scope: !3, file: !1, line: 1)\n"
                           "!9 = !DILexicalBlockFile(scope: !8, file: !1, discriminator: 1)\n"
                           "!10 = distinct !DILocation(line: 3, scope: !3)\n"
                           "!11 = distinct !{!11, !4}\n"
                           "!12 = !{!\"TileIR\", !1, !\"text\"}\n"
                           "!13 = !{!\"TileIR\", !1, !\"other text\"}\n"
                           "!14 = !DILocation(line: 1, scope: !1)\n"
                           "!15 = !{!5, !16}\n"
                           "!16 = !{!\"TileIR\", !14}\n"
                           "!17 = !DILocation(line: 1, scope: !3, inlinedAt: !1)\n"
                           "!18 = !{!\"\"}\n"
                           "!19 = distinct !{!19, !17}\n"
                           "!20 = !{!\"Tile\", !\"IR\", !\"ir\"}\n"
                           "!all = !{!4, !11, !15, !18, !19, !20}\n";

/* `numbers` of the text above. LAYERED is a composite whose layer was inlined, BROKEN one whose layer has no local
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

static char bitcode[8192], object[4096];
static size_t bitcode_size, object_size;

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

static dloc_node node(const world *w, uint64_t number) { return dloc_module_numbered(w->module, number); }

static dloc_status give_number(void *user, dloc_node n, uint64_t *ret) {
  *ret = user ? n : 0;
  return DLOC_OK;
}

static bool go_on(void *user, dloc_reason reason, dloc_node lost) { return !user && reason && lost; }

/* Each operation does most by these: it keeps layers, walks chains, and rejects what can be rejected. */
static dloc_profile thorough_profile(void) {
  dloc_profile profile = *dloc_profile_at(0);
  profile.alternative[DLOC_CHOICE_HOIST_LAYERS] = DLOC_HOIST_LAYERS_KEEP;
  profile.alternative[DLOC_CHOICE_OUTLINE_LAYERS] = DLOC_OUTLINE_LAYERS_REBASED;
  profile.alternative[DLOC_CHOICE_STRIP_LAYERS] = DLOC_STRIP_LAYERS_KEEP;
  profile.alternative[DLOC_CHOICE_LINK_CONFLICT] = DLOC_LINK_CONFLICT_REJECT;
  profile.alternative[DLOC_CHOICE_SECTION_COLLISION] = DLOC_SECTION_COLLISION_REJECT;
  profile.alternative[DLOC_CHOICE_INLINE_LAYERS] = DLOC_INLINE_LAYERS_CHAIN;
  return profile;
}

static void world_init(world *w, const dloc_allocator *allocator) {
  *w = (world){.context = dloc_context_create(allocator), .profile = thorough_profile()};
  assert_non_null(w->context);
  dloc_text source = {text, sizeof text - 1}, bytes = {bitcode, bitcode_size};
  assert_int_equal(dloc_read_ll(w->context, source, &w->diagnostic, &w->module), DLOC_OK);
  dloc_call_site site = {.debug_loc = node(w, LAYERED), .callee_has_subprogram = true};
  assert_int_equal(dloc_inliner_create(w->context, &w->profile, &site, NULL, &w->inliner), DLOC_OK);
  assert_int_equal(dloc_stripper_create(w->context, &w->profile, DLOC_STRIP_KEEP_LINE_TABLES, &w->stripper), DLOC_OK);
  for (int i = 0; i < 2; i++)
    assert_int_equal(dloc_converter_create(w->context, &w->profile, i ? NULL : w->module, DLOC_FORM_IRLAYERS,
                                           i ? go_on : NULL, NULL, &w->converter[i]),
                     DLOC_OK);
  assert_int_equal(dloc_encoder_create(w->context, &w->profile, give_number, w, &w->encoder), DLOC_OK);
  assert_int_equal(dloc_emitter_create(w->context, &w->profile, w->module, NULL, &w->emitter), DLOC_OK);
  assert_int_equal(dloc_numbers_create(w->module, &w->profile, &w->numbers), DLOC_OK);
  assert_int_equal(dloc_bitcode_open(w->context, NULL, bytes, &w->diagnostic, &w->bitcode), DLOC_OK);
}

static void world_deinit(world *w) {
  dloc_bitcode_close(w->bitcode);
  dloc_numbers_destroy(w->numbers);
  dloc_emitter_destroy(w->emitter);
  dloc_encoder_destroy(w->encoder);
  dloc_stripper_destroy(w->stripper);
  dloc_converter_destroy(w->converter[0]);
  dloc_converter_destroy(w->converter[1]);
  dloc_inliner_destroy(w->inliner);
  dloc_module_destroy(w->module);
  dloc_context_destroy(w->context);
}

/* ---- The functions ---- */

/* Call it: with what it must refuse when `wrong`. ret has room for any result. A search that finds nothing counts as
 * refused. */
typedef dloc_status call(world *w, bool wrong, void *ret);
typedef dloc_status memory_call(world *w, void *ret);

static dloc_text word(bool wrong, const char *right) { return dloc_text_of(wrong ? "no such name" : right); }
static dloc_status found(bool any) { return any ? DLOC_OK : DLOC_INVALID; }
/* After a result that is an object. */
#define MADE(status, destroy)                                                                                          \
  dloc_status made = (status);                                                                                         \
  if (made == DLOC_OK)                                                                                                 \
    destroy;                                                                                                           \
  return made

#define CALL(name) static dloc_status call_##name(world *w, bool wrong, void *ret)
/* A function that fails for want of memory alone. */
#define MEMORY_CALL(name) static dloc_status call_##name(world *w, void *ret)

CALL(dloc_character) { return found(w && dloc_character(dloc_text_of(wrong ? "\xff" : "a"), ret) > 0); }
CALL(dloc_clause_find) { return found(w && dloc_clause_find(word(wrong, "merge.line"), ret)); }
CALL(dloc_choice_find) { return found(w && dloc_choice_find(word(wrong, "merge.pick"), ret)); }
CALL(dloc_alternative_find) {
  return found(w && dloc_alternative_find(DLOC_CHOICE_MERGE_PICK, word(wrong, "on"), ret));
}
CALL(dloc_next_reference) {
  size_t index = 0;
  return found(dloc_next_reference(w->context, node(w, wrong ? FILE_ : LAYERED), &index, ret));
}
MEMORY_CALL(dloc_string) { return dloc_string(w->context, dloc_text_of("new string"), ret); }
MEMORY_CALL(dloc_constant) { return dloc_constant(w->context, dloc_text_of("i32 77"), ret); }
MEMORY_CALL(dloc_token) { return dloc_token(w->context, dloc_text_of("newToken"), ret); }
MEMORY_CALL(dloc_tuple) {
  dloc_node operands[100] = {DLOC_NULL};
  return dloc_tuple(w->context, false, operands, 100, ret);
}
MEMORY_CALL(dloc_location_create) {
  dloc_location content = {.line = 77, .scope = node(w, SUBPROGRAM), .atom_group = 7};
  return dloc_location_create(w->context, false, &content, ret);
}
CALL(dloc_specialised) {
  dloc_field fields[] = {{DLOC_NULL, node(w, FILE_)}, {DLOC_NULL, DLOC_NULL}};
  dloc_status status = dloc_token(w->context, dloc_text_of(wrong ? "scope" : "file"), &fields[0].key);
  if (status == DLOC_OK)
    status = dloc_token(w->context, dloc_text_of("scope"), &fields[1].key);
  if (status == DLOC_OK && !wrong)
    fields[1].value = node(w, SUBPROGRAM);
  return status == DLOC_OK ? dloc_specialised(w->context, dloc_text_of("DILexicalBlock"), true, fields, 2, NULL, ret)
                           : status;
}
MEMORY_CALL(dloc_forward) { return dloc_forward(w->context, ret); }
MEMORY_CALL(dloc_debug_loc_create) {
  dloc_layer layers[] = {dloc_layer_at(w->context, node(w, LAYERED), 0), dloc_layer_at(w->context, node(w, BROKEN), 0)};
  return dloc_debug_loc_create(w->context, dloc_primary(w->context, node(w, LAYERED)), layers, 2, ret);
}
CALL(dloc_merge) {
  dloc_node operands[] = {node(w, LAYERED), node(w, LOOP),
                          wrong ? node(w, BROKEN) : dloc_primary(w->context, node(w, LAYERED))};
  operands[1] = dloc_layer_at(w->context, node(w, LAYERED), 0).location;
  return dloc_merge(w->context, &w->profile, operands, 3, NULL, NULL, ret);
}
CALL(dloc_next_layer) {
  size_t cursor = 0;
  return found(dloc_next_layer(w->context, node(w, wrong ? KINDS : LAYERED), &cursor, ret));
}
CALL(dloc_inliner_create) {
  dloc_call_site site = {.debug_loc = node(w, wrong ? NO_KIND : LAYERED)};
  MADE(dloc_inliner_create(w->context, &w->profile, &site, NULL, ret), dloc_inliner_destroy(*(dloc_inliner **)ret));
}
CALL(dloc_inline_instruction) {
  return dloc_inline_instruction(w->inliner, DLOC_INSTRUCTION_PLAIN, node(w, wrong ? CHAIN : LAYERED), ret);
}
CALL(dloc_inline_record) { return dloc_inline_record(w->inliner, node(w, wrong ? CHAIN : LAYERED), ret); }
CALL(dloc_inline_loop) { return dloc_inline_loop(w->inliner, node(w, wrong ? BROKEN_LOOP : LOOP), ret); }
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
  return dloc_hoist_before_branch(w->context, &w->profile, node(w, LAYERED), node(w, wrong ? NO_KIND : LAYERED),
                                  node(w, SUBPROGRAM), NULL, ret);
}
CALL(dloc_hoist_folded_branch) {
  return dloc_hoist_folded_branch(w->context, &w->profile, node(w, LAYERED), node(w, wrong ? NO_KIND : LAYERED), NULL,
                                  ret);
}
CALL(dloc_hoist_merged) {
  const dloc_node debug_locs[] = {node(w, LAYERED), node(w, wrong ? NO_KIND : LAYERED)};
  return dloc_hoist_merged(w->context, &w->profile, debug_locs, 2, DLOC_HOISTED_CALL, node(w, SUBPROGRAM), NULL, ret);
}
CALL(dloc_hoist) {
  return dloc_hoist(w->context, &w->profile, node(w, wrong ? NO_KIND : LAYERED), DLOC_HOISTED_CALL, DLOC_MOVE_HOISTED,
                    node(w, SUBPROGRAM), NULL, ret);
}
MEMORY_CALL(dloc_stripper_create) {
  MADE(dloc_stripper_create(w->context, &w->profile, DLOC_STRIP_KEEP_LINE_TABLES, ret),
       dloc_stripper_destroy(*(dloc_stripper **)ret));
}
CALL(dloc_strip_instruction) {
  return dloc_strip_instruction(w->stripper, node(w, wrong ? BROKEN : LAYERED), NULL, ret);
}
CALL(dloc_strip_source) { return dloc_strip_source(w->stripper, node(w, wrong ? LOOP : ENTRY), ret); }
CALL(dloc_outline) {
  return dloc_outline(w->context, &w->profile, node(w, wrong ? BROKEN : LAYERED), node(w, SUBPROGRAM), NULL, ret);
}
MEMORY_CALL(dloc_converter_create) {
  MADE(dloc_converter_create(w->context, &w->profile, w->module, DLOC_FORM_TUPLE, NULL, NULL, ret),
       dloc_converter_destroy(*(dloc_converter **)ret));
}
CALL(dloc_convert) { return dloc_convert(w->converter[1], node(w, wrong ? SUBPROGRAM : LAYERED), NULL, ret); }
CALL(dloc_convert_sources) {
  size_t count;
  return dloc_convert_sources(w->converter[!wrong], NULL, ret, &count);
}
CALL(dloc_discriminate) {
  return dloc_discriminate(w->context, &w->profile, node(w, wrong ? SUBPROGRAM : LAYERED), DLOC_DISCRIMINATOR_BASE, 1,
                           NULL, ret);
}
CALL(dloc_copy_instruction) {
  return dloc_copy_instruction(w->context, &w->profile, node(w, wrong ? SUBPROGRAM : LAYERED), true, NULL, ret);
}
CALL(dloc_copy_function) {
  dloc_node debug_locs[] = {node(w, LAYERED), node(w, wrong ? BROKEN : LAYERED)};
  return dloc_copy_function(w->context, &w->profile, node(w, SUBPROGRAM), debug_locs, 2, NULL, ret);
}
CALL(dloc_source_find) {
  return found(dloc_source_find(w->module, &w->profile, node(w, wrong ? SUBPROGRAM : FILE_), dloc_text_of(""), ret));
}
MEMORY_CALL(dloc_source_of_layers) { return dloc_source_of_layers(w->module, 0, NULL, ret); }
CALL(dloc_link_sources) {
  dloc_node entries[] = {node(w, ENTRY), node(w, wrong ? OTHER_ENTRY : ENTRY)}, *list = ret;
  return dloc_link_sources(w->context, &w->profile, entries, 2, NULL, list, (size_t *)(list + 2));
}
CALL(dloc_round_trip) {
  return dloc_round_trip(w->context, &w->profile, node(w, wrong ? NO_KIND : LAYERED), NULL, ret);
}
MEMORY_CALL(dloc_encoder_create) {
  MADE(dloc_encoder_create(w->context, &w->profile, give_number, w, ret), dloc_encoder_destroy(*(dloc_encoder **)ret));
}
CALL(dloc_encode_instruction) {
  const dloc_location_record **records = ret;
  return dloc_encode_instruction(w->encoder, node(w, wrong ? NO_KIND : LAYERED), NULL, records,
                                 (size_t *)(records + 1));
}
MEMORY_CALL(dloc_encode_node) { return dloc_encode_node(w->encoder, node(w, CHAIN), ret); }
CALL(dloc_decode_record) {
  const uint64_t values[] = {0, 3, 1, 0, 0};
  const dloc_location_record record = {.code = 7, .values = values, .count = wrong ? 4 : 5};
  const dloc_node scope = node(w, SUBPROGRAM);
  return dloc_decode_record(w->context, &w->profile, &scope, 1, &record, NULL, ret);
}
MEMORY_CALL(dloc_numbers_create) {
  MADE(dloc_numbers_create(w->module, &w->profile, ret), dloc_numbers_destroy(*(dloc_numbers **)ret));
}
MEMORY_CALL(dloc_numbers_operand) {
  uint32_t cursor = 0;
  return dloc_numbers_operand(w->numbers, node(w, SUBPROGRAM), &cursor, ret);
}
CALL(dloc_number_of) { return dloc_number_of(w->numbers, wrong ? DLOC_NO_INDEX : node(w, FILE_), ret); }
MEMORY_CALL(dloc_emitter_create) {
  MADE(dloc_emitter_create(w->context, &w->profile, w->module, NULL, ret), dloc_emitter_destroy(*(dloc_emitter **)ret));
}
CALL(dloc_emit_instruction) { return dloc_emit_instruction(w->emitter, node(w, wrong ? NO_KIND : LAYERED), NULL, ret); }
CALL(dloc_emit_layers) { return dloc_emit_layers(w->emitter, node(w, wrong ? NO_KIND : LAYERED), NULL, ret); }
MEMORY_CALL(dloc_emit_texts) {
  const dloc_emitted_text **texts = ret;
  return dloc_emit_texts(w->emitter, texts, (size_t *)(texts + 1));
}
CALL(dloc_section_names) {
  dloc_node kinds[3];
  for (size_t i = 0; i < 3; i++)
    kinds[i] = dloc_operand(w->context, node(w, KINDS), i);
  return dloc_section_names(w->context, &w->profile, kinds, wrong ? 3 : 2, NULL, ret);
}
MEMORY_CALL(dloc_section_table) {
  return dloc_section_table(w->context, &w->profile, dloc_operand(w->context, node(w, ENTRY), 0), ret);
}
CALL(dloc_section_text) {
  dloc_node kind = dloc_operand(w->context, node(w, ENTRY), 0);
  return dloc_section_text(w->context, &w->profile, kind, node(w, wrong ? LOOP : ENTRY), ret);
}
CALL(dloc_section_group) {
  dloc_node kind = dloc_operand(w->context, node(w, ENTRY), 0);
  return dloc_section_group(w->context, &w->profile, kind, node(w, wrong ? LOOP : ENTRY), ret);
}
MEMORY_CALL(dloc_paths_assign) {
  const dloc_path_instruction instructions[] = {{.has_location = true, .line = 1}, {.has_location = true, .line = 1}};
  const uint32_t successors[] = {1, 0};
  const dloc_path_block blocks[] = {{1, successors, 2}, {1, NULL, 0}};
  return dloc_paths_assign(w->context, &w->profile, instructions, blocks, 2, ret);
}
CALL(dloc_read_ll) {
  dloc_text source = dloc_text_of(wrong ? "!0 = !{" : text);
  MADE(dloc_read_ll(w->context, source, &w->diagnostic, ret), dloc_module_destroy(*(dloc_module **)ret));
}
CALL(dloc_module_number_of) { return found(dloc_module_number_of(w->module, wrong ? DLOC_NULL : node(w, FILE_), ret)); }
CALL(dloc_violation_place) {
  dloc_violation violation = {.function = wrong ? DLOC_NO_INDEX : 0, .instruction = DLOC_NO_INDEX};
  return found(dloc_violation_place(w->module, &violation, ret));
}
CALL(dloc_read_bitcode) {
  dloc_text bytes = {bitcode, wrong ? bitcode_size / 2 : bitcode_size};
  MADE(dloc_read_bitcode(w->context, NULL, bytes, &w->diagnostic, ret), dloc_module_destroy(*(dloc_module **)ret));
}
CALL(dloc_read_bitcode_numbers) {
  dloc_text bytes = {bitcode, wrong ? bitcode_size / 2 : bitcode_size};
  dloc_module **module = ret;
  dloc_numbers **numbers = (dloc_numbers **)(module + 1);
  dloc_status status = dloc_read_bitcode_numbers(w->context, NULL, bytes, &w->diagnostic, module, numbers);
  if (status == DLOC_OK)
    dloc_numbers_destroy(*numbers);
  MADE(status, dloc_module_destroy(*module));
}
CALL(dloc_bitcode_open) {
  dloc_text bytes = {bitcode, wrong ? 8 : bitcode_size};
  MADE(dloc_bitcode_open(w->context, NULL, bytes, &w->diagnostic, ret), dloc_bitcode_close(*(dloc_bitcode **)ret));
}
static dloc_status visit(void *user, const dloc_bitcode_location *location) {
  return user && location ? DLOC_OK : DLOC_STOPPED;
}
CALL(dloc_bitcode_locate) { return dloc_bitcode_locate(w->bitcode, wrong ? 1000 : 0, visit, w, ret); }
CALL(dloc_bitcode_metadata_at) { return dloc_bitcode_metadata_at(w->bitcode, wrong ? 100000 : 0, ret); }
MEMORY_CALL(dloc_assembly_create) {
  MADE(dloc_assembly_create(w->module, &w->profile, ret), dloc_assembly_destroy(*(dloc_assembly **)ret));
}

/* ---- Line tables: each call makes what it needs ---- */

/* Rows at 0x1004 and 0x1008, and the end of their sequence. */
static const char line_bytes[] = "\x33\0\0\0\4\0\x1b\0\0\0\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0a.c\0\0\0\0\0"
                                 "\0\x09\2\0\x10\0\0\0\0\0\0\x4b\x4b\2\4\0\1\1";

static dloc_status read_lines(world *w, dloc_line_table **ret) {
  const dloc_line_sections sections = {.line = {line_bytes, sizeof line_bytes - 1},
                                       .str = {"f\0g", 4},
                                       .address_size = 8,
                                       .dialect = DLOC_DIALECT_NVIDIA};
  return dloc_line_table_read(w->context, &w->profile, &sections, NULL, NULL, ret);
}
static const dloc_line_unit *only_unit(const dloc_line_table *table) {
  size_t count;
  const dloc_line_unit *unit = dloc_line_table_units(table, &count);
  assert_int_equal(count, 1);
  return unit;
}
/* With a table for the call; result: of what is called. */
#define WITH_TABLE(result)                                                                                             \
  dloc_line_table *table = NULL;                                                                                       \
  dloc_status status = read_lines(w, &table);                                                                          \
  if (status == DLOC_OK)                                                                                               \
    status = (result);                                                                                                 \
  dloc_line_table_destroy(table);                                                                                      \
  return status

MEMORY_CALL(dloc_rows_create) { MADE(dloc_rows_create(w->context, ret), dloc_rows_destroy(*(dloc_rows **)ret)); }
CALL(dloc_row_flags) { return found(w && dloc_row_flags(word(wrong, "sE"), ret)); }
CALL(dloc_opcode_find) { return found(w && dloc_opcode_find(word(wrong, "copy"), ret)); }
MEMORY_CALL(dloc_line_table_read) { MADE(read_lines(w, ret), dloc_line_table_destroy(*(dloc_line_table **)ret)); }
CALL(dloc_line_unit_function) {
  WITH_TABLE(found(dloc_line_unit_function(table, only_unit(table), wrong ? 4 : 2, ret)));
}
MEMORY_CALL(dloc_line_unit_path_text) { WITH_TABLE(dloc_line_unit_path_text(table, only_unit(table), 1, ret)); }

static dloc_status make_index(world *w, const dloc_line_table *table, dloc_row_index **ret) {
  const dloc_code code = {.address_size = 8};
  const dloc_rows *rows = dloc_line_table_rows(table);
  size_t count;
  return dloc_row_index_create(w->context, &w->profile, &code, rows, dloc_rows_sequences(rows, &count), 1, ret);
}
static dloc_status destroy_index(dloc_status made, dloc_row_index **index) {
  if (made == DLOC_OK)
    dloc_row_index_destroy(*index);
  return made;
}
MEMORY_CALL(dloc_row_index_create) {
  dloc_row_index **index = ret;
  WITH_TABLE(destroy_index(make_index(w, table, index), index));
}
static dloc_status find_row(world *w, const dloc_line_table *table, bool wrong, void *ret) {
  dloc_row_index *index = NULL;
  dloc_status made = make_index(w, table, &index);
  if (made == DLOC_OK)
    made = found(dloc_row_index_find(index, wrong ? 0x2000 : 0x1004, ret));
  dloc_row_index_destroy(index);
  return made;
}
CALL(dloc_row_index_find) { WITH_TABLE(find_row(w, table, wrong, ret)); }

static const dloc_die unit_die = {
    .tag = DLOC_DIE_UNIT, .high_form = DLOC_HIGH_ADDRESS, .parent = DLOC_NO_DIE, .origin = DLOC_NO_DIE, .high_pc = 9};
static const dloc_die function_die = {.tag = DLOC_DIE_SUBPROGRAM,
                                      .high_form = DLOC_HIGH_ADDRESS,
                                      .parent = DLOC_NO_DIE,
                                      .origin = DLOC_NO_DIE,
                                      .name = {"f", 1},
                                      .low_pc = 1,
                                      .high_pc = 9};
static dloc_status dies_of(void *user, uint32_t unit, const dloc_die **ret, uint32_t *ret_count) {
  assert_true(!user && unit == 0);
  *ret = &function_die;
  *ret_count = 1;
  return DLOC_OK;
}
static dloc_status make_stacks(world *w, dloc_stacks **ret) {
  const dloc_code code = {.address_size = 8};
  return dloc_stacks_create(w->context, &w->profile, &code, &unit_die, 1, dies_of, NULL, NULL, ret);
}
MEMORY_CALL(dloc_stacks_create) { MADE(make_stacks(w, ret), dloc_stacks_destroy(*(dloc_stacks **)ret)); }
MEMORY_CALL(dloc_stacks_frames) {
  dloc_stacks *stacks = NULL;
  const dloc_frame **frames = ret;
  dloc_status status = make_stacks(w, &stacks);
  if (status == DLOC_OK)
    status = dloc_stacks_frames(stacks, 0, 4, NULL, frames, (size_t *)(frames + 1));
  dloc_stacks_destroy(stacks);
  return status;
}

static dloc_text no_name(const void *user, uint32_t function) {
  assert_true(!user || function);
  return (dloc_text){NULL, 0};
}
static const dloc_row logical_row = {.line = 1, .file = 1};
static const dloc_logicals logicals = {.rows = &logical_row, .count = 1, .name_of = no_name};
CALL(dloc_logical_find) { return found(dloc_logical_find(&w->profile, &logicals, wrong ? 2 : 1, ret)); }
static dloc_status on_frame(void *user, const dloc_frame *frame) { return !user && frame ? DLOC_OK : DLOC_STOPPED; }
MEMORY_CALL(dloc_logical_stack) {
  return dloc_logical_stack(&w->profile, &logicals, 0, dloc_text_of("f"), on_frame, NULL, ret);
}
MEMORY_CALL(dloc_two_level_maker_create) {
  static const dloc_line_parameters parameters = {.dialect = DLOC_DIALECT_LOGICALS};
  MADE(dloc_two_level_maker_create(w->context, &w->profile, &parameters, 1, ret),
       dloc_two_level_maker_destroy(*(dloc_two_level_maker **)ret));
}

static dloc_text symbol_at(void *user, size_t offset) {
  assert_true(user || offset);
  return dloc_text_of("k");
}
static dloc_status destroy_kernels(dloc_status made, dloc_kernels **kernels) {
  if (made == DLOC_OK)
    dloc_kernels_destroy(*kernels);
  return made;
}
MEMORY_CALL(dloc_kernels_create) {
  dloc_kernels **kernels = ret;
  WITH_TABLE(destroy_kernels(dloc_kernels_create(w->context, table, symbol_at, w, kernels), kernels));
}
static dloc_status find_kernel(world *w, const dloc_line_table *table, bool wrong, void *ret) {
  dloc_kernels *kernels = NULL;
  const dloc_line_unit **unit = ret;
  dloc_status made = dloc_kernels_create(w->context, table, symbol_at, w, &kernels);
  if (made == DLOC_OK)
    made = found(dloc_kernels_find(kernels, word(wrong, "k"), 0x1004, unit, (const dloc_row **)(unit + 1)));
  dloc_kernels_destroy(kernels);
  return made;
}
CALL(dloc_kernels_find) { WITH_TABLE(find_kernel(w, table, wrong, ret)); }
CALL(dloc_kernels_only) {
  const dloc_line_sections none = {.address_size = 8};
  dloc_line_table *table = NULL;
  dloc_kernels *kernels = NULL;
  dloc_status status =
      wrong ? dloc_line_table_read(w->context, &w->profile, &none, NULL, NULL, &table) : read_lines(w, &table);
  if (status == DLOC_OK)
    status = dloc_kernels_create(w->context, table, symbol_at, w, &kernels);
  if (status == DLOC_OK)
    status = found(dloc_kernels_only(kernels, ret));
  dloc_kernels_destroy(kernels);
  dloc_line_table_destroy(table);
  return status;
}

/* A row with a discriminator whose sequence has no address. */
static const char unwritable_lines[] =
    "\x29\0\0\0\4\0\x1b\0\0\0\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0a.c\0\0\0\0\0"
    "\0\2\4\1\x4b\0\1\1";

CALL(dloc_layer_tables_make) {
  const dloc_line_sections sections = {
      .line = {wrong ? unwritable_lines : line_bytes, wrong ? sizeof unwritable_lines - 1 : sizeof line_bytes - 1},
      .address_size = 8};
  dloc_line_table *table = NULL;
  dloc_hidden *hidden = NULL;
  dloc_layer_tables **tables = ret;
  dloc_status status = dloc_line_table_read(w->context, &w->profile, &sections, NULL, NULL, &table);
  if (status == DLOC_OK)
    status = dloc_hidden_create(w->context, &hidden);
  if (status == DLOC_OK)
    status = dloc_layer_tables_make(w->context, &w->profile, table, hidden, NULL, NULL, NULL, tables);
  if (status == DLOC_OK)
    dloc_layer_tables_destroy(*tables);
  dloc_hidden_destroy(hidden);
  dloc_line_table_destroy(table);
  return status;
}

/* ---- Objects ---- */

/* One whose .debug_line is compressed, in a way that nobody knows when it is broken. */
static dloc_status open_object(world *w, bool broken, dloc_object **ret) {
  enum { COMPRESSION = 0x38 };
  dloc_text bytes = {object, object_size};
  object[COMPRESSION] = broken ? 99 : 1;
  return dloc_object_open(w->context, bytes, &w->diagnostic, ret);
}
CALL(dloc_object_open) {
  if (wrong)
    return dloc_object_open(w->context, dloc_text_of("no object"), &w->diagnostic, ret);
  MADE(open_object(w, false, ret), dloc_object_close(*(dloc_object **)ret));
}
static dloc_status find_section(world *w, bool wrong, bool first, dloc_object_section *ret) {
  dloc_object *opened = NULL;
  bool *any = (bool *)(ret + 1);
  const dloc_text name = dloc_text_of(".debug_line");
  dloc_status status = open_object(w, wrong, &opened);
  if (status == DLOC_OK)
    status = first ? dloc_object_section_find(opened, name, &w->diagnostic, ret, any)
                   : dloc_object_section_next(opened, name, 0, &w->diagnostic, ret, any);
  dloc_object_close(opened);
  return status;
}
CALL(dloc_object_section_find) { return find_section(w, wrong, true, ret); }
CALL(dloc_object_section_next) { return find_section(w, wrong, false, ret); }
MEMORY_CALL(dloc_debug_info_open) {
  dloc_object *opened = NULL;
  dloc_debug_info **info = ret;
  dloc_status status = open_object(w, false, &opened);
  if (status == DLOC_OK)
    status = dloc_debug_info_open(opened, &w->profile, NULL, NULL, &w->diagnostic, info);
  if (status == DLOC_OK)
    dloc_debug_info_close(*info);
  dloc_object_close(opened);
  return status;
}

/* ---- Objects that are changed ---- */

CALL(dloc_object_edit_open) {
  dloc_text bytes = wrong ? dloc_text_of("no object") : (dloc_text){object, object_size};
  MADE(dloc_object_edit_open(w->context, bytes, &w->diagnostic, ret),
       dloc_object_edit_close(*(dloc_object_edit **)ret));
}
/* Its .debug_line is compressed. */
static dloc_status open_edit(world *w, bool broken, dloc_object_edit **ret, uint32_t *ret_line) {
  dloc_object *opened = NULL;
  dloc_status status = open_object(w, broken, &opened);
  dloc_object_close(opened);
  if (status == DLOC_OK)
    status = dloc_object_edit_open(w->context, (dloc_text){object, object_size}, &w->diagnostic, ret);
  if (status != DLOC_OK)
    return status;
  for (*ret_line = 1; !dloc_text_equal(dloc_object_edit_name(*ret, *ret_line), dloc_text_of(".debug_line"));)
    ++*ret_line;
  return DLOC_OK;
}
#define WITH_EDIT(broken, call)                                                                                        \
  dloc_object_edit *edit = NULL;                                                                                       \
  uint32_t line;                                                                                                       \
  dloc_status status = open_edit(w, (broken), &edit, &line);                                                           \
  if (status == DLOC_OK)                                                                                               \
    status = (call);                                                                                                   \
  dloc_object_edit_close(edit);                                                                                        \
  return status
CALL(dloc_object_edit_bytes) { WITH_EDIT(wrong, dloc_object_edit_bytes(edit, line, &w->diagnostic, ret)); }
CALL(dloc_object_edit_relocations) {
  const dloc_relocation **relocations = ret;
  WITH_EDIT(wrong, dloc_object_edit_relocations(edit, line, &w->diagnostic, relocations, (size_t *)(relocations + 1)));
}
CALL(dloc_object_edit_symbol) {
  WITH_EDIT(false, line ? found(dloc_object_edit_symbol(edit, wrong ? UINT32_MAX : 0, ret)) : DLOC_INVALID);
}
MEMORY_CALL(dloc_object_edit_add) {
  WITH_EDIT(false,
            line ? dloc_object_edit_add(edit, dloc_text_of(".debug_new"), dloc_text_of("new"), ret) : DLOC_INVALID);
}
MEMORY_CALL(dloc_object_edit_add_group) {
  dloc_text name = dloc_text_of(".debug_new");
  WITH_EDIT(false, line ? dloc_object_edit_add_group(edit, name, name, name, &w->diagnostic, ret) : DLOC_INVALID);
}
CALL(dloc_object_edit_lines) { WITH_EDIT(wrong, dloc_object_edit_lines(edit, &w->diagnostic, ret)); }
static dloc_status see_value(void *user, const dloc_die_value *value) {
  (void)user;
  (void)value;
  return DLOC_OK;
}
/* A unit of one DIE, with a name. */
MEMORY_CALL(dloc_die_values) {
  static const char info[] = "\11\0\0\0\4\0\0\0\0\0\10\1u", abbrev[] = "\1\21\0\3\10\0\0";
  const dloc_die_sections sections = {{info, sizeof info}, {abbrev, sizeof abbrev}, false};
  return dloc_die_values(w->context, &sections, see_value, NULL, ret);
}

static dloc_status make_comparer(const dloc_module *base, const dloc_module *other, dloc_code_comparer **ret) {
  MADE(dloc_code_comparer_create(base, other, true, ret), dloc_code_comparer_destroy(*ret));
}
CALL(dloc_code_comparer_create) {
  dloc_module *empty = NULL;
  TRY(dloc_module_create(w->context, &empty));
  dloc_status status = make_comparer(w->module, wrong ? empty : w->module, ret);
  dloc_module_destroy(empty);
  return status;
}
static dloc_status compare_code(world *w, dloc_code_comparer **comparer, void *ret) {
  TRY(dloc_code_comparer_create(w->module, w->module, true, comparer));
  return dloc_compare_code(*comparer, 0, 0, ret);
}
MEMORY_CALL(dloc_compare_code) {
  dloc_code_comparer *comparer = NULL;
  dloc_status status = compare_code(w, &comparer, ret);
  dloc_code_comparer_destroy(comparer);
  return status;
}

/* ---- Locations of MLIR ---- */

static const char snapshots[] =
    "#a = loc(\"a.py\":1:2)\n#b = loc(fused[#a, \"scf\"(\"s.mlir\":3:4)])\nmodule {} loc(#b)\n";

static dloc_status read_mlir(world *w, const char *mlir, dloc_mlir **ret) {
  dloc_diagnostic diagnostic;
  return dloc_mlir_read(w->context, dloc_text_of(mlir), &diagnostic, ret);
}
static dloc_status keep_no_mlir(world *w, const char *mlir, void *ret) {
  MADE(read_mlir(w, mlir, ret), dloc_mlir_destroy(*(dloc_mlir **)ret));
}
CALL(dloc_mlir_read) { return keep_no_mlir(w, wrong ? "module {} loc(#c)" : snapshots, ret); }
static dloc_status add_location(world *w, dloc_mlir *mlir, void *ret) {
  const dloc_mlir_location location = {.kind = DLOC_MLIR_FUSED, .parts = (dloc_mlir_number[]){0, 0}, .part_count = 2};
  (void)w;
  return dloc_mlir_add(mlir, &location, ret);
}
static dloc_status mean(world *w, dloc_mlir *mlir, void *ret) {
  const dloc_text tag = dloc_text_of("scf");
  const dloc_mlir_options options = {
      .profile = &w->profile, .tags = &tag, .tag_count = 1, .stand_in = node(w, SUBPROGRAM)};
  MADE(dloc_mlir_mean(w->context, mlir, &options, ret), dloc_mlir_meaning_destroy(*(dloc_mlir_meaning **)ret));
}
static dloc_status with_mlir(world *w, dloc_status (*call)(world *w, dloc_mlir *mlir, void *ret), void *ret) {
  dloc_mlir *mlir = NULL;
  dloc_status status = read_mlir(w, snapshots, &mlir);
  if (status == DLOC_OK)
    status = call(w, mlir, ret);
  dloc_mlir_destroy(mlir);
  return status;
}
MEMORY_CALL(dloc_mlir_add) { return with_mlir(w, add_location, ret); }
MEMORY_CALL(dloc_mlir_mean) { return with_mlir(w, mean, ret); }
MEMORY_CALL(dloc_mlir_ops_create) {
  MADE(dloc_mlir_ops_create(w->context, dloc_text_of(snapshots), ret), dloc_mlir_ops_destroy(*(dloc_mlir_ops **)ret));
}

/* ---- Hidden layers ---- */

static dloc_status make_hider(world *w, dloc_hidden_in in, dloc_hider **ret) {
  const dloc_hide_options options = {.in = in};
  return dloc_hider_create(w->context, &options, ret);
}
/* A hider that has hidden a location; *ret_hidden: the location afterwards. */
static dloc_status hide_one(world *w, dloc_hidden_in in, dloc_hider **ret, dloc_node *ret_hidden) {
  dloc_status status = make_hider(w, in, ret);
  return status == DLOC_OK ? dloc_hide_location(*ret, node(w, LAYERED), NULL, ret_hidden) : status;
}
#define WITH_HIDDEN(in, call)                                                                                          \
  dloc_hider *hider = NULL;                                                                                            \
  dloc_node hidden = DLOC_NULL;                                                                                        \
  dloc_status status = hide_one(w, DLOC_HIDDEN_IN_##in, &hider, &hidden);                                              \
  if (status == DLOC_OK)                                                                                               \
    status = (call);                                                                                                   \
  dloc_hider_destroy(hider);                                                                                           \
  return status
MEMORY_CALL(dloc_hidden_create) {
  MADE(dloc_hidden_create(w->context, ret), dloc_hidden_destroy(*(dloc_hidden **)ret));
}
MEMORY_CALL(dloc_hider_create) {
  MADE(make_hider(w, DLOC_HIDDEN_IN_COLUMN, ret), dloc_hider_destroy(*(dloc_hider **)ret));
}
CALL(dloc_hide_location) {
  dloc_hider *hider = NULL;
  dloc_status status = make_hider(w, DLOC_HIDDEN_IN_DISCRIMINATOR, &hider);
  if (status == DLOC_OK)
    status = dloc_hide_location(hider, node(w, wrong ? CHAIN : LAYERED), NULL, ret);
  dloc_hider_destroy(hider);
  return status;
}
CALL(dloc_hidden_find) {
  WITH_HIDDEN(DISCRIMINATOR, found(dloc_hidden_find(dloc_hider_table(hider), wrong ? 2 : 1, ret)));
}
static dloc_status add_number(dloc_hider *hider, world *w, void *ret) {
  return dloc_hidden_add(dloc_hider_table(hider), node(w, LAYERED), ret);
}
static dloc_status add_to_columns(world *w, void *ret) { WITH_HIDDEN(COLUMN, add_number(hider, w, ret)); }
static dloc_status add_to_discriminators(world *w, void *ret) { WITH_HIDDEN(DISCRIMINATOR, add_number(hider, w, ret)); }
CALL(dloc_hidden_add) { return wrong ? add_to_columns(w, ret) : add_to_discriminators(w, ret); }
MEMORY_CALL(dloc_hidden_stand_in) {
  WITH_HIDDEN(COLUMN, dloc_hidden_stand_in(dloc_hider_table(hider), DLOC_NULL, ret));
}
CALL(dloc_hidden_find_column) {
  dloc_node file = node(w, FILE_);
  WITH_HIDDEN(COLUMN, found(dloc_hidden_find_column(dloc_hider_table(hider), file, wrong ? 2 : 1, 1, ret)));
}
static dloc_status write_table(const dloc_hidden *hidden, dloc_module **ret) {
  MADE(dloc_hidden_write(hidden, ret), dloc_module_destroy(*ret));
}
static dloc_status make_layer_maker(world *w, const dloc_hidden *hidden, dloc_layer_maker **ret) {
  const dloc_line_parameters parameters = {.version = 5};
  MADE(dloc_layer_maker_create(w->context, &w->profile, &parameters, hidden, NULL, NULL, ret),
       dloc_layer_maker_destroy(*ret));
}
MEMORY_CALL(dloc_layer_maker_create) { WITH_HIDDEN(DISCRIMINATOR, make_layer_maker(w, dloc_hider_table(hider), ret)); }
MEMORY_CALL(dloc_hidden_write) { WITH_HIDDEN(DISCRIMINATOR, write_table(dloc_hider_table(hider), ret)); }
static dloc_status read_table(world *w, const dloc_hidden *from) {
  dloc_module *table = NULL;
  dloc_hidden *hidden = NULL;
  dloc_status status = dloc_hidden_write(from, &table);
  if (status == DLOC_OK)
    status = dloc_hidden_create(w->context, &hidden);
  if (status == DLOC_OK)
    status = dloc_hidden_read(hidden, table, NULL);
  dloc_hidden_destroy(hidden);
  dloc_module_destroy(table);
  return status;
}
CALL(dloc_hidden_read) {
  (void)ret;
  if (wrong) {
    MADE(dloc_hidden_create(w->context, ret), made = dloc_hidden_read(*(dloc_hidden **)ret, w->module, NULL);
         dloc_hidden_destroy(*(dloc_hidden **)ret); memset(ret, 0xa5, sizeof(dloc_hidden *)));
  }
  WITH_HIDDEN(DISCRIMINATOR, read_table(w, dloc_hider_table(hider)));
}
/* One whose locations have chains that lead nowhere, or the good one that was read. */
CALL(dloc_hide) {
  static const char broken[] = "define void @f() {\n  ret void, !dbg !0\n}\n"
                               "!0 = !DILocation(line: 1, scope: !1, inlinedAt: !1)\n!1 = distinct !{}\n";
  const dloc_hide_options options = {.first = 7};
  dloc_module *module = NULL;
  if (!wrong) {
    MADE(dloc_hide(w->module, &options, ret), dloc_hidden_destroy(*(dloc_hidden **)ret));
  }
  dloc_status status = dloc_read_ll(w->context, (dloc_text){broken, sizeof broken - 1}, &w->diagnostic, &module);
  if (status == DLOC_OK)
    status = dloc_hide(module, &options, ret);
  dloc_module_destroy(module);
  return status;
}
static dloc_status make_revealer(world *w, const dloc_hidden *hidden, dloc_revealer **ret) {
  MADE(dloc_revealer_create(w->context, hidden, ret), dloc_revealer_destroy(*ret));
}
MEMORY_CALL(dloc_revealer_create) { WITH_HIDDEN(DISCRIMINATOR, make_revealer(w, dloc_hider_table(hider), ret)); }
static dloc_status reveal_one(world *w, const dloc_hidden *hidden, dloc_node location, dloc_node *ret) {
  dloc_revealer *revealer = NULL;
  dloc_status status = dloc_revealer_create(w->context, hidden, &revealer);
  if (status == DLOC_OK)
    status = dloc_reveal_location(revealer, location, NULL, ret);
  dloc_revealer_destroy(revealer);
  return status;
}
CALL(dloc_reveal_location) {
  WITH_HIDDEN(DISCRIMINATOR, reveal_one(w, dloc_hider_table(hider), wrong ? node(w, SUBPROGRAM) : hidden, ret));
}

static const struct {
  const char *name;
  call *call;
  memory_call *memory_call; /* instead */
} rows[] = {
#define ROW(name)                                                                                                      \
  { #name, call_##name, NULL }
#define MEMORY_ROW(name)                                                                                               \
  { #name, NULL, call_##name }
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
    ROW(dloc_hoist_merged),
    ROW(dloc_hoist),
    ROW(dloc_hoist_before_branch),
    ROW(dloc_hoist_folded_branch),
    MEMORY_ROW(dloc_stripper_create),
    ROW(dloc_strip_instruction),
    ROW(dloc_strip_source),
    ROW(dloc_outline),
    MEMORY_ROW(dloc_converter_create),
    ROW(dloc_convert),
    ROW(dloc_convert_sources),
    ROW(dloc_discriminate),
    ROW(dloc_copy_instruction),
    ROW(dloc_copy_function),
    ROW(dloc_source_find),
    MEMORY_ROW(dloc_source_of_layers),
    ROW(dloc_link_sources),
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
    ROW(dloc_section_names),
    MEMORY_ROW(dloc_section_table),
    MEMORY_ROW(dloc_paths_assign),
    ROW(dloc_section_text),
    ROW(dloc_section_group),
    ROW(dloc_read_ll),
    ROW(dloc_module_number_of),
    ROW(dloc_violation_place),
    ROW(dloc_read_bitcode),
    ROW(dloc_read_bitcode_numbers),
    ROW(dloc_bitcode_open),
    ROW(dloc_bitcode_locate),
    ROW(dloc_bitcode_metadata_at),
    MEMORY_ROW(dloc_assembly_create),
    MEMORY_ROW(dloc_rows_create),
    ROW(dloc_opcode_find),
    MEMORY_ROW(dloc_line_table_read),
    ROW(dloc_line_unit_function),
    MEMORY_ROW(dloc_line_unit_path_text),
    MEMORY_ROW(dloc_row_index_create),
    ROW(dloc_row_index_find),
    MEMORY_ROW(dloc_stacks_create),
    MEMORY_ROW(dloc_stacks_frames),
    ROW(dloc_logical_find),
    MEMORY_ROW(dloc_logical_stack),
    MEMORY_ROW(dloc_two_level_maker_create),
    MEMORY_ROW(dloc_kernels_create),
    ROW(dloc_kernels_find),
    ROW(dloc_kernels_only),
    ROW(dloc_layer_tables_make),
    ROW(dloc_object_open),
    ROW(dloc_object_section_find),
    ROW(dloc_object_section_next),
    MEMORY_ROW(dloc_debug_info_open),
    ROW(dloc_object_edit_open),
    ROW(dloc_object_edit_bytes),
    ROW(dloc_object_edit_relocations),
    ROW(dloc_object_edit_symbol),
    ROW(dloc_object_edit_lines),
    MEMORY_ROW(dloc_die_values),
    MEMORY_ROW(dloc_object_edit_add),
    MEMORY_ROW(dloc_object_edit_add_group),
    ROW(dloc_row_flags),
    MEMORY_ROW(dloc_hidden_create),
    MEMORY_ROW(dloc_hidden_write),
    MEMORY_ROW(dloc_layer_maker_create),
    ROW(dloc_hidden_read),
    ROW(dloc_mlir_read),
    MEMORY_ROW(dloc_mlir_add),
    MEMORY_ROW(dloc_mlir_mean),
    MEMORY_ROW(dloc_mlir_ops_create),
    ROW(dloc_hidden_find),
    ROW(dloc_hidden_add),
    ROW(dloc_hidden_find_column),
    MEMORY_ROW(dloc_hidden_stand_in),
    ROW(dloc_code_comparer_create),
    MEMORY_ROW(dloc_compare_code),
    ROW(dloc_hide),
    MEMORY_ROW(dloc_hider_create),
    ROW(dloc_hide_location),
    MEMORY_ROW(dloc_revealer_create),
    ROW(dloc_reveal_location),
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- The tests ---- */

/* Room for any result, full of one byte. */
typedef union result {
  unsigned char bytes[256];
  void *aligned;
} result;

static dloc_status call_row(size_t row, world *w, bool wrong) {
  result ret;
  memset(&ret, 0xa5, sizeof ret);
  dloc_status status = rows[row].call ? rows[row].call(w, wrong, &ret) : rows[row].memory_call(w, &ret);
  for (size_t i = 0; status != DLOC_OK && i < sizeof ret; i++)
    if (ret.bytes[i] != 0xa5)
      fail_msg("%s writes *ret and returns: %s", rows[row].name, dloc_status_text(status));
  return status;
}

static void test_refused_input(void **state) {
  (void)state;
  for (size_t row = 0; row < ROWS; row++) {
    world w;
    if (!rows[row].call)
      continue;
    world_init(&w, NULL);
    if (call_row(row, &w, true) != DLOC_INVALID)
      fail_msg("%s does not refuse the input", rows[row].name);
    world_deinit(&w);
  }
}

static void test_failing_allocation(void **state) {
  (void)state;
  for (size_t row = 0; row < ROWS; row++) {
    dloc_status status = DLOC_NO_MEMORY;
    for (size_t budget = 0; status != DLOC_OK; budget++) {
      failing_allocator allocations = {.budget = SIZE_MAX};
      dloc_allocator allocator = failing_allocator_of(&allocations);
      world w;
      world_init(&w, &allocator);
      allocations.budget = budget;
      status = call_row(row, &w, false);
      if (status != DLOC_OK && status != DLOC_NO_MEMORY)
        fail_msg("%s: %s", rows[row].name, dloc_status_text(status));
      world_deinit(&w);
      assert_int_equal(allocations.live, 0);
    }
  }
}

static bool has_row(const char *name, size_t size) {
  for (size_t i = 0; i < ROWS; i++)
    if (strlen(rows[i].name) == size && memcmp(rows[i].name, name, size) == 0)
      return true;
  return false;
}

/* Replace the comments of C by blanks. */
static void blank_comments(char *source) {
  for (char *at = source, *end; (at = strstr(at, "/*")) && (end = strstr(at, "*/")); at = end)
    memset(at, ' ', (size_t)(end + 2 - at));
}

/* Functions that return nothing, or a count, cannot fail. */
static bool can_fail(const char *declaration) {
  return strncmp(declaration, "dloc_status ", 12) == 0 || strncmp(declaration, "bool ", 5) == 0;
}

/* How many functions of a header have a row; each must. */
static size_t count_rows(const char *path) {
  static char header[100000];
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  header[fread(header, 1, sizeof header - 1, file)] = '\0';
  fclose(file);
  blank_comments(header);
  size_t count = 0;
  for (char *line = header, *end; (end = strchr(line, ';')); line = end + 1) {
    *end = '\0';
    while (isspace((unsigned char)*line))
      line++;
    const char *name = strstr(line, " dloc_");
    if (!can_fail(line) || !name || !strstr(name, "*ret") || strstr(name, "*ret_undefined")) /* that says why */
      continue;
    size_t size = strcspn(name + 1, "(");
    if (!has_row(name + 1, size))
      fail_msg("%.*s has no row", (int)size, name + 1);
    count++;
  }
  return count;
}

static void test_every_function_has_a_row(void **state) {
  (void)state;
  assert_true(count_rows("model/dloc.h") > 40);
  assert_true(count_rows("model/formats/dloc_formats.h") > 5);
  assert_true(count_rows("model/lines/dloc_lines.h") > 5);
  assert_true(count_rows("model/formats/dloc_dwarf.h") > 5);
  assert_true(count_rows("model/hidden/dloc_hidden.h") > 5);
  assert_true(count_rows("model/formats/dloc_mlir.h") > 3);
}

static size_t read_input(const char *path, char *ret, size_t size) {
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(ret, 1, size, file) : 0;
  if (file)
    fclose(file);
  return got;
}

static int read_inputs(void **state) {
  (void)state;
  bitcode_size = read_input("tests/lit/Inputs/layers.bc", bitcode, sizeof bitcode);
  object_size = read_input("tests/fuzz/corpus-object/zlib.o", object, sizeof object);
  return bitcode_size && object_size ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_function_has_a_row),
                                     cmocka_unit_test(test_refused_input), cmocka_unit_test(test_failing_allocation)};
  return cmocka_run_group_tests(tests, read_inputs, NULL);
}
