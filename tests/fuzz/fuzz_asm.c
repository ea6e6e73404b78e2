/* Any text: reading it as assembler text gives a diagnostic, or places in the order of the text; what it becomes with
 * layers can be made whatever its numbers are. */
#include "objects/asm/asm.h"
#include "require.h"

static const char module[] =
    "define void @f() !dbg !4 {\n  fence seq_cst, !dbg !5\n  fence seq_cst, !dbg !6\n  ret void, !dbg !7\n}\n"
    "!llvm.module.flags = !{!0}\n!llvm.intermediate_level_source = !{!14}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
    "!1 = !DIFile(filename: \"k.py\", directory: \"/src\")\n"
    "!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
    "!3 = !DISubroutineType(types: !{})\n"
    "!4 = distinct !DISubprogram(name: \"f\", file: !1, line: 3, type: !3, spFlags: DISPFlagDefinition, unit: !2)\n"
    "!5 = !{!8, !{!\"TileIR\", !9}, !{!\"MLIR\", !10}}\n!6 = !{!11, !{!\"MLIR\", !10}}\n"
    "!7 = !DILocation(line: 5, column: 2, scope: !4)\n!8 = !DILocation(line: 5, column: 1, scope: !4)\n"
    "!9 = !DILocation(line: 1, column: 6, scope: !13)\n!10 = !DILocation(line: 2, column: 7, scope: !13)\n"
    "!11 = !DILocation(line: 0, scope: !4)\n!12 = !DIFile(filename: \"k.tileir\", directory: \"\")\n"
    "!13 = !DILexicalBlockFile(scope: !4, file: !12, discriminator: 0)\n!14 = !{!\"TileIR\", !12, !\"a\\0Ab\"}\n";

static bool take(void *user, const char *bytes, size_t size) {
  char *seen = user;
  if (size)
    *seen ^= bytes[0] ^ bytes[size - 1];
  return true;
}

static dloc_status on_problem(void *user, dloc_reason reason, size_t at) {
  require(at < *(const size_t *)user && dloc_reason_severity(reason) == DLOC_SEVERITY_SOFT);
  return DLOC_OK;
}

static dloc_hidden *hide(dloc_context *context, dloc_hidden_in in) {
  dloc_module *read = NULL;
  dloc_hidden *hidden = NULL;
  dloc_diagnostic diagnostic;
  const dloc_hide_options options = {.in = in};
  require(dloc_read_ll(context, dloc_text_of(module), &diagnostic, &read) == DLOC_OK);
  require(dloc_hide(read, &options, &hidden) == DLOC_OK);
  dloc_module_destroy(read);
  return hidden;
}

static void reveal(const asm_text *text, size_t size, dloc_hidden_in in, asm_reveal *with) {
  static const dloc_profile profile;
  dloc_reason reason = DLOC_REASON_NONE;
  char seen = 0;
  dloc_hidden *hidden = hide(text->context, in);
  dloc_status status = with(text, &profile, hidden, on_problem, &size, &reason, (dloc_sink){take, &seen});
  require(status == DLOC_OK || (status == DLOC_INVALID && reason != DLOC_REASON_NONE));
  dloc_hidden_destroy(hidden);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  dloc_diagnostic diagnostic;
  dloc_context *context = dloc_context_create(NULL);
  asm_text text;
  require(context);
  dloc_status status = asm_read(context, (dloc_text){(const char *)data, size}, &diagnostic, &text);
  for (size_t i = 1; i < text.places.count; i++)
    require(text.places.items[i].at >= text.places.items[i - 1].at &&
            text.places.items[i].address > text.places.items[i - 1].address);
  if (status == DLOC_OK) {
    reveal(&text, size, DLOC_HIDDEN_IN_COLUMN, asm_reveal_columns);
    reveal(&text, size, DLOC_HIDDEN_IN_DISCRIMINATOR, asm_reveal_rows);
  } else
    require(status == DLOC_INVALID && diagnostic.offset <= size && diagnostic.line > 0 && diagnostic.column > 0 &&
            diagnostic.message[0]);
  asm_deinit(&text);
  dloc_context_destroy(context);
  return 0;
}
