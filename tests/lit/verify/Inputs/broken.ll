; A block that named metadata keeps when the debug info is dropped.
!named = !{!2}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3)
!1 = distinct !DISubprogram(name: "f", spFlags: DISPFlagDefinition, unit: !0)
!2 = distinct !DILexicalBlock(scope: !1, column: 3)
!3 = !DIFile(filename: "a.c", directory: "")
!4 = !{i32 2, !"Debug Info Version", i32 3}
