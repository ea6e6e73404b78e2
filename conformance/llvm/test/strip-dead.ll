; RUN: opt -S -passes=strip-dead-debug-info %s | FileCheck %s
; A unit lives as long as a layer has a function of it.

; CHECK: !llvm.dbg.cu = !{[[ONE:![0-9]+]], [[TWO:![0-9]+]]}
; CHECK-DAG: [[ONE]] = distinct !DICompileUnit(language: DW_LANG_C99,
; CHECK-DAG: [[TWO]] = distinct !DICompileUnit(language: DW_LANG_Python,
define void @f() !dbg !5 {
  ret void, !dbg !20
}

!llvm.dbg.cu = !{!0, !9, !10}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = distinct !DISubprogram(name: "deep", scope: !7, file: !7, line: 90, type: !3, spFlags: DISPFlagDefinition, unit: !9)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!9 = distinct !DICompileUnit(language: DW_LANG_Python, file: !7, emissionKind: FullDebug)
!10 = distinct !DICompileUnit(language: DW_LANG_C11, file: !7, emissionKind: FullDebug)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !6, inlinedAt: !14)
!14 = distinct !DILocation(line: 110, column: 3, scope: !8)
!20 = !{!11, !{!"TileIR", !13}}
