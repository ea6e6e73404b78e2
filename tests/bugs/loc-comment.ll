define void @f() !dbg !3 {
  ret void, !dbg !4
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!5}
!0 = !DIFile(filename: "a\0A.set injected, 1 #", directory: "/d")
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !0, emissionKind: FullDebug)
!2 = !DISubroutineType(types: !6)
!3 = distinct !DISubprogram(name: "f", scope: !0, file: !0, line: 1, type: !2, spFlags: DISPFlagDefinition, unit: !1)
!4 = !DILocation(line: 2, column: 3, scope: !3)
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !{null}
