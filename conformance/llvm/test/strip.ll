; RUN: opt -S -passes=strip %s | FileCheck %s --check-prefix=ALL --implicit-check-not=DILocation --implicit-check-not=DISubprogram
; RUN: opt -S -strip-debug %s | FileCheck %s --check-prefix=ALL --implicit-check-not=DILocation --implicit-check-not=DISubprogram
; RUN: opt -S -passes=strip-nonlinetable-debuginfo %s | FileCheck %s --check-prefix=LINES
; Stripping takes a tuple in a loop id as it takes a location: whole with all debug info, with its layers for line tables.

; ALL-LABEL: define void @f(
; ALL-NOT: !dbg
; ALL: br i1 {{[^!]*$}}
; ALL: br i1 {{.*}}, !llvm.loop [[TWO:![0-9]+]]
; ALL: br i1 {{.*}}, !llvm.loop [[THREE:![0-9]+]]
; ALL: br i1 {{[^!]*$}}
; ALL: [[TWO]] = distinct !{[[TWO]], [[UNROLL:![0-9]+]]}
; ALL-NEXT: [[UNROLL]] = !{!"llvm.loop.unroll.disable"}
; ALL-NEXT: [[THREE]] = distinct !{[[THREE]], [[PROGRESS:![0-9]+]]}
; ALL-NEXT: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}

; LINES-LABEL: define void @f(
; LINES: br i1 {{.*}}, !dbg [[BRANCH:![0-9]+]], !llvm.loop [[ONE:![0-9]+]]
; LINES: br i1 {{.*}}, !llvm.loop [[TWO:![0-9]+]]
; LINES: br i1 {{.*}}, !llvm.loop [[THREE:![0-9]+]]
; LINES: br i1 {{.*}}, !llvm.loop [[FOUR:![0-9]+]]
; LINES-DAG: [[F:![0-9]+]] = distinct !DISubprogram(name: "f"
; LINES-DAG: [[BRANCH]] = !{[[P:![0-9]+]], [[K:![0-9]+]]}
; LINES-DAG: [[P]] = !DILocation(line: 2, column: 5, scope: [[F]])
; LINES-DAG: [[K]] = !{!"TileIR", [[T:![0-9]+]]}
; LINES-DAG: [[T]] = !DILocation(line: 100, column: 10, scope: [[TILE:![0-9]+]])
; LINES-DAG: [[TILE]] = !DILexicalBlockFile(scope: [[F]], file: [[FILE:![0-9]+]], discriminator: 0)
; LINES-DAG: [[FILE]] = !DIFile(filename: "tile.mlir", directory: ".")
; LINES-DAG: [[ONE]] = distinct !{[[ONE]], [[BRANCH]], [[END:![0-9]+]]}
; LINES-DAG: [[END]] = !{[[P]], [[KI:![0-9]+]]}
; LINES-DAG: [[KI]] = !{!"TileIR", [[TI:![0-9]+]]}
; LINES-DAG: [[TI]] = !DILocation(line: 110, column: 10, scope: [[TILE]], inlinedAt: [[AT:![0-9]+]])
; LINES-DAG: [[AT]] = distinct !DILocation(line: 60, column: 2, scope: [[F]])
; LINES-DAG: [[TWO]] = distinct !{[[TWO]], [[BRANCH]], [[END]], {{![0-9]+}}}
; LINES-DAG: [[THREE]] = distinct !{[[THREE]], [[BRANCH]], {{![0-9]+}}}
; LINES-DAG: [[FOUR]] = distinct !{[[FOUR]], {{![0-9]+}}, [[BRANCH]]}
define void @f(i1 %c) !dbg !5 {
entry:
  br label %one, !dbg !11
one:
  br i1 %c, label %one, label %two, !dbg !20, !llvm.loop !30
two:
  br i1 %c, label %two, label %three, !dbg !20, !llvm.loop !31
three:
  br i1 %c, label %three, label %four, !dbg !20, !llvm.loop !32
four:
  br i1 %c, label %four, label %end, !dbg !20, !llvm.loop !33
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
!11 = !DILocation(line: 1, column: 1, scope: !5)
!12 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 110, column: 10, scope: !7, inlinedAt: !15)
!15 = distinct !DILocation(line: 60, column: 2, scope: !5)
!20 = !{!12, !{!"TileIR", !13}}
!21 = !{!12, !{!"TileIR", !14}}
!30 = distinct !{!30, !20, !21}
!31 = distinct !{!31, !20, !21, !40}
!32 = distinct !{!32, !20, !41}
!33 = distinct !{!33, !11, !20}
!40 = !{!"llvm.loop.unroll.disable"}
!41 = !{!"llvm.loop.mustprogress"}
