; A subprogram without a type, which its field permits.
define void @f() !dbg !4 {
  ret void, !dbg !5
}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, spFlags: DISPFlagDefinition, unit: !2)
!5 = !DILocation(line: 1, scope: !4)
