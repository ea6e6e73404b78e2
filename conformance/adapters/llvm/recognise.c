/* recognise.c - which form of layers an LLVM knows, and whose rules it follows. It is asked with small modules, since a
 * branch has any version. */
#include "llvm.h"

#include <string.h>

/* The common part of every question's module: !3 is the subprogram of a function. */
#define UNIT                                                                                                           \
  "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!1}\n"                                                                 \
  "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: DebugDirectivesOnly)\n"                 \
  "!1 = !{i32 2, !\"Debug Info Version\", i32 3}\n"                                                                    \
  "!2 = !DIFile(filename: \"a.c\", directory: \"b\")\n"                                                                \
  "!3 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 1, spFlags: DISPFlagDefinition, unit: !0)\n"

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
#define LIST                                                                                                           \
  "!4 = !DILocation(line: 7, scope: !3, irlayers: !5)\n!5 = !DILayerLocList(!6)\n"                                     \
  "!6 = !DILayerLoc(line: 65535, file: !7, kind: \"dloc\")\n!7 = !DIFile(filename: \"c.mlir\", directory: \"d\""
#define CHECKSUM ", checksumkind: CSK_MD5, checksum: \"5d41402abc4b2a76b9719d911017c592\", source: \"\")\n"

/* QUESTION(name, the one that must have a yes before it is asked, whose tool is asked (NULL: opt just reads), module,
 * what the tool prints then) */
#define QUESTIONS(QUESTION)                                                                                            \
  QUESTION(POINTERS, POINTERS, NULL, "define void @f(ptr %p) {\n  ret void\n}\n", "@f(ptr")                            \
  QUESTION(SPECIALISES, SPECIALISES, &llvm_copy[1], "declare void @g()\n", "@g")                                       \
  QUESTION(MERGES_LINES, MERGES_LINES, llvm_merge, BRANCHES, "line: 7, scope: ")                                       \
  QUESTION(MERGES_IMPLICIT, MERGES_LINES, llvm_merge, BRANCHES, "isImplicitCode: true")                                \
  QUESTION(TUPLES, TUPLES, NULL, LOOP TUPLE "!llvm.intermediate_level_source = !{!7}\n!7 = !{!\"dloc\", !2, !\"\"}\n", \
           "line: 65535")                                                                                              \
  QUESTION(TUPLES_ALONE, TUPLES, NULL, LOOP TUPLE, "line: 65535")                                                      \
  QUESTION(IRLAYERS, IRLAYERS, NULL, LOOP LIST CHECKSUM, "DILayerLoc(line: 65535")                                     \
  QUESTION(IRLAYERS_ALONE, IRLAYERS, NULL, LOOP LIST ")\n", "DILayerLoc(line: 65535")                                  \
  QUESTION(HOISTS_IRLAYERS, IRLAYERS_ALONE, &llvm_hoist[1], LOOP LIST ")\n", "DILocation(line: 0")                     \
  QUESTION(WRITES_IRLAYERS, IRLAYERS, llvm_emit, LOOP LIST CHECKSUM, ".loc_intermediate")

enum {
#define QUESTION(name, after, recipe, module, wanted) name,
  QUESTIONS(QUESTION)
#undef QUESTION
      QUESTION_COUNT
};

static const struct {
  unsigned after;
  const llvm_recipe *recipe;
  const char *module, *wanted;
} questions[] = {
#define QUESTION(name, after, recipe, module, wanted) {after, recipe, module, wanted},
    QUESTIONS(QUESTION)
#undef QUESTION
};

#define YES(name) (1u << (name))

/* The nearest profile: the first to whose questions the LLVM says yes. */
static const struct {
  unsigned yes;
  const char *profile;
} profiles[] = {
    {YES(IRLAYERS) | YES(MERGES_IMPLICIT) | YES(HOISTS_IRLAYERS), "pr215666"},
    {YES(IRLAYERS) | YES(MERGES_IMPLICIT) | YES(IRLAYERS_ALONE), "pr211390"},
    {YES(IRLAYERS) | YES(MERGES_IMPLICIT), "pr211390-first"},
    {YES(IRLAYERS), "pr215666+llvm-19"},
    {YES(TUPLES) | YES(MERGES_IMPLICIT) | YES(TUPLES_ALONE), "rfc"},
    {YES(TUPLES) | YES(MERGES_IMPLICIT), "pr205453"},
    {YES(TUPLES), "rfc+llvm-19"},
    {YES(MERGES_IMPLICIT), "llvm-22"},
    {YES(MERGES_LINES), "llvm-19"},
    {0, "llvm-14"},
};

void llvm_recognise(llvm_adapter *self, char ret_profile[32]) {
  unsigned yes = 0;
  for (unsigned i = 0; i < QUESTION_COUNT; i++)
    if ((questions[i].after == i || yes >> questions[i].after & 1) &&
        llvm_shows(self, questions[i].recipe, questions[i].module, questions[i].wanted))
      yes |= 1u << i;
  self->opaque_pointers = yes & YES(POINTERS);
  self->specialises = yes & YES(SPECIALISES);
  self->knows_layers = yes & YES(TUPLES);
  self->knows_irlayers = yes & YES(IRLAYERS);
  self->writes_irlayers = yes & YES(WRITES_IRLAYERS);
  size_t row = 0;
  while ((yes & profiles[row].yes) != profiles[row].yes)
    row++;
  strcpy(ret_profile, profiles[row].profile);
}
