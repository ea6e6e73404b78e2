; Each of two blocks is the scope of the other.
define void @f() !dbg !4 {
  ret void, !dbg !5
}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, type: !3, spFlags: DISPFlagDefinition, unit: !2)
!5 = !DILocation(line: 1, scope: !6)
!6 = distinct !DILexicalBlock(scope: !7, file: !1, line: 2)
!7 = distinct !DILexicalBlock(scope: !6, file: !1, line: 3)
