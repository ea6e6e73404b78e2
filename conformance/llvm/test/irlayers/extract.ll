; RUN: opt -S -passes=loop-extract %s | FileCheck %s
; Code that moves into a function of its own keeps its layers, on every frame, those of its loops too.

; CHECK-LABEL: define internal void @f.loop(
; CHECK: call void @g(), !dbg [[INLINED:![0-9]+]]
; CHECK: br i1 %c, label %loop, label %{{.*}}, !dbg [[LOC:![0-9]+]], !llvm.loop [[LOOP:![0-9]+]]
define void @f(i1 %c) !dbg !5 {
entry:
  br i1 %c, label %before, label %end, !dbg !11
before:
  br label %loop, !dbg !11
loop:
  call void @g(), !dbg !14
  br i1 %c, label %loop, label %after, !dbg !12, !llvm.loop !21
after:
  br label %end, !dbg !11
end:
  ret void, !dbg !11
}

declare void @g()

; CHECK-DAG: [[INLINED]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, inlinedAt: [[SITE:![0-9]+]], irlayers: [[Q:![0-9]+]])
; CHECK-DAG: [[SITE]] = !DILocation(line: 20, column: 3, scope: [[SP:![0-9]+]], irlayers: [[P:![0-9]+]])
; CHECK-DAG: [[SP]] = distinct !DISubprogram({{.*}}linkageName: "f.loop"
; CHECK-DAG: [[LOC]] = !DILocation(line: 2, column: 5, scope: [[SP]], irlayers: [[P]])
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[LOC]]}
; CHECK-DAG: [[P]] = !DILayerLocList([[P1:![0-9]+]])
; CHECK-DAG: [[P1]] = !DILayerLoc(line: 30, file: {{![0-9]+}}, kind: "P")
; CHECK-DAG: [[Q]] = !DILayerLocList([[Q1:![0-9]+]])
; CHECK-DAG: [[Q1]] = !DILayerLoc(line: 40, file: {{![0-9]+}}, kind: "Q")

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build")
!8 = !DILayerLocList(!DILayerLoc(line: 30, file: !7, kind: "P"))
!9 = !DILayerLocList(!DILayerLoc(line: 40, file: !7, kind: "Q"))
!11 = !DILocation(line: 1, column: 1, scope: !5)
!12 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !8)
!13 = distinct !DILocation(line: 20, column: 3, scope: !5, irlayers: !8)
!14 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !13, irlayers: !9)
!21 = distinct !{!21, !12}
