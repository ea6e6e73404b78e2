; RUN: opt -S -passes=strip %s | FileCheck %s --check-prefix=ALL --implicit-check-not=DILocation --implicit-check-not=DICompileUnit
; RUN: opt -S -passes=strip-nonlinetable-debuginfo %s | FileCheck %s --check-prefix=LINES
; A distinct composite, one without layers and one in a property of a loop go with all debug info, and stay for line tables.

; ALL: br i1 %{{.*}}, !llvm.loop [[ONE:![0-9]+]]
; ALL: br i1 %{{[^!]*$}}
; ALL: [[ONE]] = distinct !{[[ONE]], [[KEPT:![0-9]+]]}
; ALL-NEXT: [[KEPT]] = !{!"llvm.loop.unroll.count", i32 4}
; LINES: br i1 %c, label %loop, label %other, !dbg {{.*}}, !llvm.loop [[ONE:![0-9]+]]
; LINES: br i1 %c, label %other, label %end, !dbg {{.*}}, !llvm.loop [[TWO:![0-9]+]]
; LINES-DAG: [[ONE]] = distinct !{[[ONE]], [[AT:![0-9]+]], {{![0-9]+}}}
; LINES-DAG: [[AT]] = !{[[P:![0-9]+]], [[T:![0-9]+]], [[M:![0-9]+]]}
; LINES-DAG: [[T]] = !{!"TileIR", [[L:![0-9]+]]}
; LINES-DAG: [[M]] = !{!"MLIR", [[L]]}
; LINES-DAG: [[L]] = !DILocation(line: 100, column: 10, scope: {{![0-9]+}})
; LINES-DAG: [[TWO]] = distinct !{[[TWO]], [[P]], [[AT]]}
define void @f(i1 %c) !dbg !5 {
entry:
  br label %loop, !dbg !11
loop:
  br i1 %c, label %loop, label %other, !dbg !11, !llvm.loop !30
other:
  br i1 %c, label %other, label %end, !dbg !11, !llvm.loop !31
end:
  ret void, !dbg !11
}


!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 100, column: 10, scope: !7)
!21 = distinct !{!11, !{!"TileIR", !12}, !{!"MLIR", !12}}
!22 = !{!11}
!30 = distinct !{!30, !21, !{!"llvm.loop.unroll.count", i32 4}}
!31 = distinct !{!31, !22, !21}
