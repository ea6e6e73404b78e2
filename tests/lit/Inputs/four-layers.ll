; A distinct list of four layers: in the pull requests' records it has the code, and the count of values, that a layer has in LLVM's main branch.
define void @f() !dbg !3 {
  ret void, !dbg !4
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.c", directory: "src")
!3 = distinct !DISubprogram(name: "f", file: !2, type: !10, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DILocation(line: 2, scope: !3, irlayers: !5)
!5 = distinct !DILayerLocList(!6, !7, !8, !9)
!6 = !DILayerLoc(line: 1, file: !2, kind: "a")
!7 = !DILayerLoc(line: 2, file: !2, kind: "b")
!8 = !DILayerLoc(line: 3, file: !2, kind: "c")
!9 = !DILayerLoc(line: 4, file: !2, kind: "d")
!10 = !DISubroutineType(types: null)
