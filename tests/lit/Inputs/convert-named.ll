define void @f() !dbg !5 {
  ret void, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!named = !{!11}
!other = !{!13}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "a.mlir", directory: ".")
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !30)
!11 = !DILocation(line: 3, column: 5, scope: !5, irlayers: !30)
!12 = !DILocation(line: 4, column: 5, scope: !5, irlayers: !30)
!13 = !{!12, !"x"}
!30 = !DILayerLocList(!31)
!31 = !DILayerLoc(line: 210, column: 4, file: !4, kind: "MLIR")
