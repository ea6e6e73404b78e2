; The call site of a location stands, by way of another one, at itself.
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
!5 = !DILocation(line: 1, scope: !4, inlinedAt: !6)
!6 = distinct !DILocation(line: 2, scope: !4, inlinedAt: !7)
!7 = distinct !DILocation(line: 3, scope: !4, inlinedAt: !6)
