; RUN: opt -S -passes=always-inline %s | FileCheck %s
; Every frame keeps the layers that it has, the call site too; a head without layers gets none. A callee without debug info gets the call's whole location.

; CHECK-LABEL: define void @f(
; CHECK: call void @g(i32 1), !dbg [[HEAD:![0-9]+]]
; CHECK-NEXT: call void @g(i32 2), !dbg [[BARE:![0-9]+]]
; CHECK-NEXT: call void @g(i32 3), !dbg [[INNER:![0-9]+]]
; CHECK: br i1 %c, {{.*}}, !dbg [[HEAD]], !llvm.loop [[LOOP:![0-9]+]]
; CHECK: call void @g(i32 4), !dbg [[CALL:![0-9]+]]
; CHECK-LABEL: define void @no_tables(
; CHECK: call void @g(i32 1), !dbg [[WHOLE:![0-9]+]]
define void @f(i1 %c) !dbg !5 {
  call void @callee(i1 %c), !dbg !21
  call void @nodebug(), !dbg !21
  ret void
}

define void @no_tables(i1 %c) "no-inline-line-tables" !dbg !9 {
  call void @callee(i1 %c), !dbg !22
  ret void
}

define internal void @callee(i1 %c) alwaysinline !dbg !6 {
  call void @g(i32 1), !dbg !23
  call void @g(i32 2), !dbg !24
  call void @g(i32 3), !dbg !25
  br label %loop, !dbg !24
loop:
  br i1 %c, label %loop, label %end, !dbg !23, !llvm.loop !27
end:
  ret void, !dbg !24
}

define internal void @nodebug() alwaysinline {
  call void @g(i32 4)
  ret void
}

declare void @g(i32)

; CHECK-DAG: [[F:![0-9]+]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[P:![0-9]+]] = !DILayerLocList([[P1:![0-9]+]])
; CHECK-DAG: [[P1]] = !DILayerLoc(line: 30, file: {{![0-9]+}}, kind: "P")
; CHECK-DAG: [[Q:![0-9]+]] = !DILayerLocList([[Q1:![0-9]+]])
; CHECK-DAG: [[Q1]] = !DILayerLoc(line: 40, file: {{![0-9]+}}, kind: "Q")
; CHECK-DAG: [[R:![0-9]+]] = distinct !DILayerLocList([[R1:![0-9]+]])
; CHECK-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")
; CHECK-DAG: [[HEAD]] = distinct !DILocation(line: 7, column: 1, scope: [[CALLEE:![0-9]+]], inlinedAt: [[SITE:![0-9]+]], irlayers: [[Q]])
; CHECK-DAG: [[BARE]] = distinct !DILocation(line: 8, column: 1, scope: [[CALLEE]], inlinedAt: [[SITE]])
; CHECK-DAG: [[INNER]] = distinct !DILocation(line: 9, column: 1, scope: [[H:![0-9]+]], inlinedAt: [[FRAME:![0-9]+]], irlayers: [[Q]])
; CHECK-DAG: [[FRAME]] = distinct !DILocation(line: 10, scope: [[CALLEE]], inlinedAt: [[SITE]], irlayers: [[R]])
; CHECK-DAG: [[SITE]] = distinct !DILocation(line: 20, column: 3, scope: [[F]], irlayers: [[P]])
; CHECK-DAG: [[CALL]] = !DILocation(line: 20, column: 3, scope: [[F]], irlayers: [[P]])
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[HEAD]], [[BARE]]}
; CHECK-DAG: [[WHOLE]] = !DILocation(line: 21, scope: {{![0-9]+}}, irlayers: [[P]])

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "callee", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 9, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIFile(filename: "soft.mlir", directory: "build")
!9 = distinct !DISubprogram(name: "no_tables", scope: !1, file: !1, line: 21, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILayerLocList(!DILayerLoc(line: 30, file: !8, kind: "P"))
!12 = !DILayerLocList(!DILayerLoc(line: 40, file: !8, kind: "Q"))
!13 = distinct !DILayerLocList(!DILayerLoc(line: 50, file: !8, kind: "R"))
!21 = !DILocation(line: 20, column: 3, scope: !5, irlayers: !11)
!22 = !DILocation(line: 21, scope: !9, irlayers: !11)
!23 = !DILocation(line: 7, column: 1, scope: !6, irlayers: !12)
!24 = !DILocation(line: 8, column: 1, scope: !6)
!25 = !DILocation(line: 9, column: 1, scope: !7, inlinedAt: !26, irlayers: !12)
!26 = distinct !DILocation(line: 10, scope: !6, irlayers: !13)
!27 = distinct !{!27, !23, !24}
