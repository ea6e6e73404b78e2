/* recognise.c - which form of layers an LLVM knows, and whose rules it follows. It is asked with small modules, since a
 * branch has any version. */
#include "llvm.h"

#include <string.h>

/* The common part of every question's module: !3 is the subprogram of a function. LLVM asks for its type from release 23 on. */
#define TYPE "!DISubroutineType(types: null), "
#define UNIT                                                                                                           \
  "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!1}\n"                                                                 \
  "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: DebugDirectivesOnly)\n"                 \
  "!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n"                                                                    \
  "!2 = !DIFile(filename: \"a.c\", directory: \"b\")\n"                                                                \
  "!3 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 1, type: " TYPE                                 \
  "spFlags: DISPFlagDefinition, unit: !0)\n"

/* Two calls in one line, to merge. */
#define BRANCHES                                                                                                       \
  "declare void @g()\n"                                                                                                \
  "define void @f(i1 %c) !dbg !3 {\n  br i1 %c, label %a, label %b\n"                                                  \
  "a:\n  call void @g(), !dbg !4\n  ret void\nb:\n  call void @g(), !dbg !5\n  ret void\n}\n" UNIT                     \
  "!4 = !DILocation(line: 7, column: 1, scope: !3, isImplicitCode: true)\n"                                            \
  "!5 = !DILocation(line: 7, column: 2, scope: !3, isImplicitCode: true)\n"

/* A call and a product that need not stand in their loop, at !4. */
#define LOOP                                                                                                           \
  "declare void @g(i32)\n"                                                                                             \
  "define void @f(i1 %c, i32 %x) !dbg !3 {\n  br label %a\n"                                                           \
  "a:\n  %v = mul i32 %x, 1000, !dbg !4\n  call void @g(i32 %v), !dbg !4\n  br i1 %c, label %a, label %b\n"            \
  "b:\n  ret void\n}\n" UNIT

#define TUPLE                                                                                                          \
  "!4 = !{!5, !{!\"dloc\", !6}}\n!5 = !DILocation(line: 1, scope: !3)\n!6 = !DILocation(line: 65535, scope: !3)\n"
/* A layer with all that a strict verifier may ask for, of a kind; its file is !7. */
#define FULL_LAYER(kind)                                                                                               \
  "!4 = !{!5, !{!\"" kind "\", !6}}\n!5 = !DILocation(line: 1, column: 2, scope: !3)\n"                                \
  "!6 = !DILocation(line: 65535, column: 3, scope: !8)\n!7 = !DIFile(filename: \"c.tile\", directory: \"d\")\n"        \
  "!8 = !DILexicalBlockFile(scope: !3, file: !7, discriminator: 0)\n"
#define LIST(layer, file)                                                                                              \
  "!4 = !DILocation(line: 7, column: 2, scope: !3, irlayers: !5)\n!5 = !DILayerLocList(!6)\n"                          \
  "!6 = !DILayerLoc(line: 65535, " layer ", file: !7)\n!7 = !DIFile(filename: \"c.mlir\", directory: \"d\"" file ")\n"
#define BARE "kind: \"dloc\""
#define FULL "column: 3, kind: \"MLIR\""
#define CHECKSUM ", checksumkind: CSK_MD5, checksum: \"5d41402abc4b2a76b9719d911017c592\", source: \"hello\""

/* Three calls and three branches to hoist. The branches are at !9, or at !4 with a layer, whose file has a text,
 * which an implementation may insist on (`source.missing`, `source.undeclared`). */
#define SWITCH(branch)                                                                                                 \
  "declare void @dloc.case(i32)\n"                                                                                     \
  "define void @f(i32 %s, i1 %c) !dbg !3 {\n  br i1 %c, label %head, label %end\n"                                     \
  "head:\n  switch i32 %s, label %a [ i32 1, label %b i32 2, label %d ]\n"                                             \
  "a:\n  call void @dloc.case(i32 7), !dbg !9\n  br label %end, !dbg !" branch "\n"                                    \
  "b:\n  call void @dloc.case(i32 7), !dbg !9\n  br label %end, !dbg !" branch "\n"                                    \
  "d:\n  call void @dloc.case(i32 7), !dbg !9\n  br label %end, !dbg !" branch "\n"                                    \
  "end:\n  call void @dloc.case(i32 8), !dbg !9\n  ret void\n}\n" UNIT "!9 = !DILocation(line: 1, scope: !3)\n"

const char llvm_three_calls[] = SWITCH("9");
static const char layered[] = SWITCH("4")
    FULL_LAYER("TileIR") "!llvm.intermediate_level_source = !{!10}\n!10 = !{!\"TileIR\", !7, !\"dloc text\"}\n";

/* ---- Forms: each is asked with several modules, since a verifier may be strict ---- */

static const char with_text[] =
    LOOP FULL_LAYER("TileIR") "!llvm.intermediate_level_source = !{!9}\n!9 = !{!\"TileIR\", !7, !\"text\"}\n";
static const char without_text[] = LOOP FULL_LAYER("MLIR");
static const char plain[] = LOOP TUPLE "!llvm.intermediate_level_source = !{!7}\n!7 = !{!\"dloc\", !2, !\"\"}\n";
static const char list_of_all[] = LOOP LIST(FULL, CHECKSUM), list_without_column[] = LOOP LIST(BARE, CHECKSUM);

/* What stands at !dbg of no form. An LLVM that says the same of it as of a probe has refused to look: the probe shows nothing. */
static const char of_no_form[] = LOOP "!4 = !{!\"dloc\"}\n";

/* A module of a form. An LLVM that does not know the form says these words of it, or what it says of no form; any other words show that
 * it knows the form, and rejects the module. A crash shows nothing. */
static const struct {
  unsigned fact;
  const char *module, *what, *unknown;
} probes[] = {
    {LLVM_LAYERS, with_text, "a layer in a block file, with a text", "invalid !dbg metadata attachment"},
    {LLVM_LAYERS, without_text, "a layer in a block file", "invalid !dbg metadata attachment"},
    {LLVM_LAYERS, plain, "a layer without column, in the function's file, with an empty text",
     "invalid !dbg metadata attachment"},
    {LLVM_IRLAYERS, list_of_all, "a list of layers", "invalid field 'irlayers'"},
    {LLVM_IRLAYERS, list_without_column, "a list of layers, without column", "invalid field 'irlayers'"},
};

/* Tells in one line how opt ended, or its first message. */
static void tell_end(const process *child, char ret[RUN_MESSAGE]) {
  char end[100];
  dloc_text line = llvm_line_at(buffer_text(&child->errors), 0), words = process_last_words(child);
  bool crashed = process_crashed(child) || child->timed_out;
  process_describe_end(child, end, sizeof end);
  line = crashed ? words : line;
  snprintf(ret, RUN_MESSAGE, "%s%s%.*s", crashed ? end : "", crashed && line.size ? ": " : "",
           line.size < 300 ? (int)line.size : 300, line.size ? line.bytes : "");
  text_make_printable(ret, "");
}

/* The words of a message, behind the place that it names: "opt: <stdin>:6:36: error: invalid !dbg metadata". */
static dloc_text words_of(dloc_text errors) {
  dloc_text line = llvm_line_at(errors, 0);
  const char *found = text_find(line, "error: ");
  return found ? (dloc_text){found, line.size - (size_t)(found - line.bytes)} : line;
}

/* Notes what the answer shows: the fact, or a remark, or that it does not know the form. */
static void hear_probe(llvm_adapter *self, size_t i, const process *child, dloc_text refusal,
                       run_implementation *found) {
  char said[RUN_MESSAGE];
  char *unknown = probes[i].fact == LLVM_LAYERS ? found->no_tuples : found->no_lists;
  bool read = process_ended_well(child) && text_find(buffer_text(&child->output), "line: 65535");
  if (read) {
    self->facts |= probes[i].fact;
    return;
  }
  tell_end(child, said);
  bool ended = !process_crashed(child) && !child->timed_out;
  if (!ended || text_find(buffer_text(&child->errors), probes[i].unknown) ||
      dloc_text_equal(words_of(buffer_text(&child->errors)), refusal))
    strcpy(unknown, said);
  else
    self->facts |= probes[i].fact;
  if (self->facts & probes[i].fact && !*found->remark)
    snprintf(found->remark, sizeof found->remark, "it knows layers, but rejected the probe (%s): %.200s",
             probes[i].what, said);
}

static void find_forms(llvm_adapter *self, run_implementation *found) {
  char *argv[] = {self->tools[LLVM_OPT], llvm_argument("-S"), llvm_argument("-"), NULL};
  OWNED(process_end) process refused = {0};
  if (!llvm_ask(self, argv, dloc_text_of(of_no_form), &refused))
    return;
  dloc_text refusal = words_of(buffer_text(&refused.errors));
  for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
    OWNED(process_end) process child = {0};
    if (llvm_ask(self, argv, dloc_text_of(probes[i].module), &child))
      hear_probe(self, i, &child, refusal, found);
  }
  if (self->facts & LLVM_LAYERS)
    found->no_tuples[0] = '\0';
  if (self->facts & LLVM_IRLAYERS)
    found->no_lists[0] = '\0';
}

/* A fact is true when the tool of a recipe (NULL: opt just reads) makes the wanted text of a module. Facts that must be
 * true before it is asked for stand above it. LLVM_NAMES_TEXTS wants the MD5 of the text. */
static const struct {
  unsigned fact, after;
  const llvm_recipe *recipe;
  const char *module, *wanted;
} questions[] = {
    {LLVM_OPAQUE_POINTERS, 0, NULL, "define void @f(ptr %p) {\n  ret void\n}\n", "@f(ptr"},
    {LLVM_SPECIALISES, 0, &llvm_copy[1], "declare void @g()\n", "@g"},
    {LLVM_MERGES_LINES, 0, llvm_merge, BRANCHES, "line: 7, scope: "},
    {LLVM_MERGES_IMPLICIT, LLVM_MERGES_LINES, llvm_merge, BRANCHES, "isImplicitCode: true"},
    {LLVM_LAYERS_ALONE, LLVM_LAYERS, NULL, without_text, "line: 65535"},
    {LLVM_LAYERS_ALONE, LLVM_LAYERS, NULL, LOOP TUPLE, "line: 65535"},
    {LLVM_WRITES_TEXTS, LLVM_LAYERS, llvm_source, layered, "dloc text"},
    {LLVM_NAMES_TEXTS, LLVM_WRITES_TEXTS, llvm_source, layered, "c26c92d9aa5349ada24c7eeeec35aa13"},
    {LLVM_IRLAYERS_ALONE, LLVM_IRLAYERS, NULL, LOOP LIST(FULL, ""), "line: 65535"},
    {LLVM_IRLAYERS_ALONE, LLVM_IRLAYERS, NULL, LOOP LIST(BARE, ""), "line: 65535"},
    {LLVM_HOISTS_IRLAYERS, LLVM_IRLAYERS_ALONE, &llvm_hoist[2], LOOP LIST(FULL, ""), "DILocation(line: 0"},
    {LLVM_WRITES_IRLAYERS, LLVM_IRLAYERS, llvm_emit, LOOP LIST(FULL, CHECKSUM), ".loc_intermediate"},
};

/* The nearest profile: the first whose facts are true of the LLVM. */
static const struct {
  unsigned facts;
  const char *profile;
} profiles[] = {
    {LLVM_IRLAYERS | LLVM_MERGES_IMPLICIT | LLVM_HOISTS_IRLAYERS, "pr215666"},
    {LLVM_IRLAYERS | LLVM_MERGES_IMPLICIT | LLVM_WANTS_TYPES, "llvm-24"},
    {LLVM_IRLAYERS | LLVM_MERGES_IMPLICIT | LLVM_IRLAYERS_ALONE, "pr211390"},
    {LLVM_IRLAYERS | LLVM_MERGES_IMPLICIT, "pr211390-first"},
    {LLVM_IRLAYERS, "pr215666"},
    {LLVM_LAYERS | LLVM_MERGES_IMPLICIT | LLVM_LAYERS_ALONE, "rfc"},
    {LLVM_LAYERS | LLVM_MERGES_IMPLICIT, "pr205453"},
    {LLVM_LAYERS, "rfc"},
    {LLVM_MERGES_IMPLICIT | LLVM_WANTS_TYPES, "llvm-23"},
    {LLVM_MERGES_IMPLICIT, "llvm-22"},
    {LLVM_MERGES_LINES, "llvm-19"},
    {0, "llvm-14"},
};

/* ---- Where it writes layers ---- */

/* Whether the text is in what a recipe's tools make of a module, in their output or among their messages. */
static bool writes(llvm_adapter *self, const llvm_recipe *recipe, const char *module, const char *wanted) {
  char *argv[LLVM_MOST_ARGUMENTS];
  OWNED(process_end) process child = {0}, first = {0};
  llvm_arguments(self, recipe, true, false, argv);
  bool fine = llvm_ask(self, argv, dloc_text_of(module), &child);
  if (fine && recipe->disassemble) {
    first = child;
    child = (process){0};
    llvm_arguments(self, recipe, true, true, argv);
    fine = llvm_ask(self, argv, buffer_text(&first.output), &child);
  }
  return fine && (text_find(buffer_text(&child.output), wanted) || text_find(buffer_text(&child.errors), wanted));
}

/* Places of layers that it knows and can show, but does not write. It was asked before for the directives of lists. */
static unsigned find_lacks(llvm_adapter *self) {
  static const struct {
    unsigned form;
    const llvm_recipe *recipe;
    const char *module, *wanted;
  } shown[] = {{LLVM_LAYERS, llvm_roundtrip, with_text, "line: 65535"},
               {LLVM_LAYERS, llvm_emit, with_text, ".loc_intermediate"},
               {LLVM_LAYERS, llvm_print, with_text, ":65535"},
               {LLVM_IRLAYERS, llvm_roundtrip, list_of_all, "line: 65535"}};
  unsigned lacks = 0;
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
    if (self->facts & shown[i].form && llvm_can_run(self, shown[i].recipe) &&
        !writes(self, shown[i].recipe, shown[i].module, shown[i].wanted))
      lacks |= 1u << shown[i].recipe->place;
  return lacks;
}

/* Release 23 refuses to read a subprogram without a type. */
static bool wants_types(llvm_adapter *self) {
  char *argv[] = {self->tools[LLVM_OPT], llvm_argument("-S"), llvm_argument("-"), NULL};
  OWNED(process_end) process child = {0};
  return llvm_ask(self, argv, dloc_text_of("!named = !{!0}\n!0 = !DISubprogram(spFlags: 0)\n"), &child) &&
         !process_ended_well(&child) && text_find(buffer_text(&child.errors), "missing required field 'type'");
}

void llvm_recognise(llvm_adapter *self, run_implementation *found) {
  find_forms(self, found);
  self->facts |= wants_types(self) ? LLVM_WANTS_TYPES : 0;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    if (!(questions[i].fact & self->facts) && !(questions[i].after & ~self->facts) &&
        llvm_shows(self, questions[i].recipe, questions[i].module, questions[i].wanted))
      self->facts |= questions[i].fact;
  self->merges_branches =
      self->facts & LLVM_LAYERS && self->wide_switch && llvm_shows(self, llvm_merge, layered, "line: 65535");
  found->lacks = self->hides ? 0 : find_lacks(self);
  size_t row = 0;
  while (profiles[row].facts & ~self->facts)
    row++;
  strcpy(found->profile, profiles[row].profile);
  found->failures = "conformance/llvm/known-failures.txt";
}
