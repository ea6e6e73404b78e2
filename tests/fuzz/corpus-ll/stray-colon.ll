define void @f() {
  fence seq_cst, !dbg !6
  ret void, !dbg !1:2
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)
!3 = !DILocation(line: 7, column: 3, scope: !2)
!4 = !DILocation(line: 8, scope: !2, inlinedAt: !5)
!5 = distinct !DILocation(line: 9, scope: !2)
!6 = !{!3, !{!"TileIR", !4}}
!7 = !DILocalVariable(name: "x", scope: !2)
