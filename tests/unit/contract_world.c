/* What the public functions are called with. */
#include "contract.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

contract_bytes contract_bitcode, contract_executable;
static contract_bytes objects[2];

static const contract_rows *const groups[] = {&contract_of_model,     &contract_of_formats, &contract_of_lines,
                                              &contract_of_objects,   &contract_of_mlir,    &contract_of_hidden,
                                              &contract_of_symbolizer};

void contract_each_row(visit_row *visit, void *user) {
  for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
    for (size_t i = 0; i < groups[g]->count; i++)
      visit(&groups[g]->rows[i], user);
}

const char contract_text[] = "define void @f() !dbg !3 {\n"
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

dloc_status give_number(void *user, dloc_node n, uint64_t *ret) {
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
  profile.alternative[DLOC_CHOICE_INLINE_LAYERS] = DLOC_INLINE_LAYERS_CHAIN;
  return profile;
}

void world_init(world *w, const dloc_allocator *allocator) {
  *w = (world){.context = dloc_context_create(allocator), .profile = thorough_profile()};
  assert_non_null(w->context);
  dloc_text source = {contract_text, sizeof contract_text - 1}, bytes = {contract_bitcode.bytes, contract_bitcode.size};
  assert_int_equal(dloc_read_ll(w->context, source, &w->diagnostic, &w->module), DLOC_OK);
  dloc_call_site site = {.debug_loc = node_of(w, LAYERED), .callee_has_subprogram = true};
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

void world_deinit(world *w) {
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

dloc_text contract_object(bool broken) { return (dloc_text){objects[broken].bytes, objects[broken].size}; }

dloc_status contract_open_object(world *w, bool broken, dloc_object **ret) {
  return dloc_object_open(w->context, contract_object(broken), &w->diagnostic, ret);
}

static bool read_input(const char *path, contract_bytes *ret) {
  FILE *file = fopen(path, "rb");
  ret->size = file ? fread(ret->bytes, 1, sizeof ret->bytes, file) : 0;
  if (file)
    fclose(file);
  return ret->size > 0 && ret->size < sizeof ret->bytes;
}

bool contract_read_inputs(void) {
  enum { COMPRESSION = 0x38 };
  bool all = read_input("tests/lit/Inputs/layers.bc", &contract_bitcode) &&
             read_input("tests/fuzz/corpus-object/zlib.o", &objects[false]) &&
             read_input("tests/fuzz/corpus-layers/merged", &contract_executable);
  objects[true] = objects[false];
  objects[true].bytes[COMPRESSION] = 99;
  return all;
}
