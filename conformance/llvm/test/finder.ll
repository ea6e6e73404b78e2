; RUN: opt -disable-output -passes='print<module-debuginfo>' %s 2>&1 | FileCheck %s
; DebugInfoFinder visits layers: it finds a subprogram that only a layer's frame names.

; CHECK: Subprogram: f from
; CHECK: Subprogram: deep from
define void @f() !dbg !5 {
  ret void, !dbg !20
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = distinct !DISubprogram(name: "deep", scope: !7, file: !7, line: 90, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !6, inlinedAt: !14)
!14 = distinct !DILocation(line: 110, column: 3, scope: !8)
!20 = !{!11, !{!"TileIR", !13}}
