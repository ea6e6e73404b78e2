; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s
; RUN: opt -S -passes=verify %s | FileCheck %s
; Locations with lists stand in the module's block when two functions or named metadata lead to them, and in a function's block otherwise.

; CHECK-LABEL: define void @f(
; CHECK-NEXT: call void @use(), !dbg [[F1:![0-9]+]]
; CHECK-NEXT: call void @use(), !dbg [[F2:![0-9]+]]
; CHECK-NEXT: call void @use(), !dbg [[F3:![0-9]+]]
define void @f() !dbg !5 {
  call void @use(), !dbg !11
  call void @use(), !dbg !12
  call void @use(), !dbg !13
  ret void
}
; CHECK-LABEL: define void @g(
; CHECK-NEXT: call void @use(), !dbg [[G1:![0-9]+]]
; CHECK-NEXT: call void @use(), !dbg [[G2:![0-9]+]]
define void @g() !dbg !6 {
  call void @use(), !dbg !14
  call void @use(), !dbg !15
  ret void
}
declare void @use()

; CHECK: !named = !{[[SHARED:![0-9]+]]}
; CHECK-DAG: [[SHARED]] = !{[[AT:![0-9]+]], [[OWN:![0-9]+]]}
; CHECK-DAG: [[AT]] = distinct !DILocation(line: 20, column: 300, scope: [[F:![0-9]+]], irlayers: [[P:![0-9]+]])
; CHECK-DAG: [[OWN]] = distinct !DILocation(line: 21, scope: [[F]])
; CHECK-DAG: [[F1]] = !DILocation(line: 30, scope: [[H:![0-9]+]], inlinedAt: [[AT]])
; CHECK-DAG: [[F2]] = !DILocation(line: 31, scope: [[H]], inlinedAt: [[OWN]], irlayers: [[P]])
; CHECK-DAG: [[F3]] = !DILocation(line: 32, scope: [[H]], inlinedAt: [[ONLYF:![0-9]+]])
; CHECK-DAG: [[ONLYF]] = distinct !DILocation(line: 22, scope: [[F]], irlayers: [[Q:![0-9]+]])
; CHECK-DAG: [[G1]] = !DILocation(line: 33, scope: [[H]], inlinedAt: [[ONLYG:![0-9]+]], irlayers: [[P]])
; CHECK-DAG: [[ONLYG]] = distinct !DILocation(line: 23, scope: [[G:![0-9]+]], inlinedAt: [[DEEP:![0-9]+]], irlayers: [[Q]])
; CHECK-DAG: [[DEEP]] = !DILocation(line: 24, scope: [[G]], isImplicitCode: true, irlayers: [[P]])
; CHECK-DAG: [[G2]] = !DILocation(line: 34, scope: [[H]], inlinedAt: [[PLAIN:![0-9]+]])
; CHECK-DAG: [[PLAIN]] = distinct !DILocation(line: 25, scope: [[G]])
; CHECK-DAG: [[P]] = !DILayerLocList([[K:![0-9]+]], [[K]])
; CHECK-DAG: [[Q]] = distinct !DILayerLocList([[K]])
; CHECK-DAG: [[K]] = !DILayerLoc(line: 100, column: 10, file: {{![0-9]+}}, kind: "a\22b\\c")
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!named = !{!20}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 2, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIFile(filename: "tile.mlir", directory: ".")
!9 = !DILayerLocList(!10, !10)
!10 = !DILayerLoc(line: 100, column: 10, file: !8, kind: "a\22b\\c")
!11 = !DILocation(line: 30, scope: !7, inlinedAt: !21)
!12 = !DILocation(line: 31, scope: !7, inlinedAt: !22, irlayers: !9)
!13 = !DILocation(line: 32, scope: !7, inlinedAt: !23)
!14 = !DILocation(line: 33, scope: !7, inlinedAt: !24, irlayers: !9)
!15 = !DILocation(line: 34, scope: !7, inlinedAt: !26)
!20 = !{!21, !22}
!21 = distinct !DILocation(line: 20, column: 300, scope: !5, irlayers: !9)
!22 = distinct !DILocation(line: 21, scope: !5)
!23 = distinct !DILocation(line: 22, scope: !5, irlayers: !27)
!24 = distinct !DILocation(line: 23, scope: !6, inlinedAt: !25, irlayers: !27)
!25 = !DILocation(line: 24, scope: !6, isImplicitCode: true, irlayers: !9)
!26 = distinct !DILocation(line: 25, scope: !6)
!27 = distinct !DILayerLocList(!10)
