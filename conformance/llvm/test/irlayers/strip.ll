; RUN: opt -S -passes=strip-nonlinetable-debuginfo %s | FileCheck %s
; RUN: opt -S -strip-debug %s | FileCheck %s --check-prefix=ALL
; Line tables keep layers, as the nodes that they were; without debug info nothing stays.

; ALL-NOT: DILayerLoc
; CHECK-LABEL: define void @f(
; CHECK: call void @g(), !dbg [[LOC:![0-9]+]]
; CHECK: br i1 %c, label %loop, label %{{.*}}, !dbg [[BRANCH:![0-9]+]], !llvm.loop [[LOOP:![0-9]+]]
define void @f(i1 %c) !dbg !5 {
entry:
  br label %loop, !dbg !11
loop:
  call void @g(), !dbg !14
  br i1 %c, label %loop, label %end, !dbg !12, !llvm.loop !21
end:
  ret void, !dbg !11
}

declare void @g()

; CHECK-DAG: [[LOC]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, inlinedAt: [[SITE:![0-9]+]], irlayers: [[Q:![0-9]+]])
; CHECK-DAG: [[SITE]] = distinct !DILocation(line: 20, column: 3, scope: [[F:![0-9]+]], irlayers: [[P:![0-9]+]])
; CHECK-DAG: [[F]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[BRANCH]] = !DILocation(line: 2, column: 5, scope: [[F]], irlayers: [[P]])
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[BRANCH]]}
; CHECK-DAG: [[P]] = distinct !DILayerLocList([[P1:![0-9]+]])
; CHECK-DAG: [[P1]] = distinct !DILayerLoc(line: 30, file: [[FILE:![0-9]+]], kind: "P")
; CHECK-DAG: [[Q]] = !DILayerLocList([[Q1:![0-9]+]])
; CHECK-DAG: [[Q1]] = !DILayerLoc(line: 40, file: [[FILE]], kind: "Q")
; CHECK-DAG: [[FILE]] = !DIFile(filename: "soft.mlir", directory: "build", source: "text")

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
!8 = distinct !DILayerLocList(!15)
!9 = !DILayerLocList(!DILayerLoc(line: 40, file: !7, kind: "Q"))
!10 = distinct !DILexicalBlock(scope: !5, file: !1, line: 2)
!11 = !DILocation(line: 1, column: 1, scope: !5)
!12 = !DILocation(line: 2, column: 5, scope: !10, irlayers: !8)
!13 = distinct !DILocation(line: 20, column: 3, scope: !10, irlayers: !8)
!14 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !13, irlayers: !9)
!15 = distinct !DILayerLoc(line: 30, file: !7, kind: "P")
!21 = distinct !{!21, !12}
