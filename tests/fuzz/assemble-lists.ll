; For fuzz_assemble: nodes that are defined twice.
define void @f() !dbg !0 {
  fence seq_cst, !dbg !4
  ret void, !dbg !5
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!10}
!0 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/d")
!3 = !DISubroutineType(types: !{})
!4 = !DILocation(line: 2, column: 1, scope: !0, irlayers: !6)
!5 = !DILocation(line: 2, column: 1, scope: !0, irlayers: !7)
!6 = !DILayerLocList(!8)
!7 = !DILayerLocList(!9)
!8 = !DILayerLoc(line: 9, column: 3, file: !2, kind: "low")
!9 = !DILayerLoc(line: 9, column: 3, file: !2, kind: "low")
!10 = !{i32 2, !"Debug Info Version", i32 3}
