define void @f() !dbg !5 {
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: null)
!5 = distinct !DISubprogram(name: "f", file: !1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
^0 = flags: 8
!8 = !DILocation(line: 2, scope: !5)
