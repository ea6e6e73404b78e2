; RUN: opt -S %s | FileCheck %s
; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s
; What is read is printed, in the printer's order, also behind bitcode.

; CHECK-LABEL: define void @f(
; CHECK: call void @g(i32 1), !dbg [[ONE:![0-9]+]]
; CHECK-NEXT: call void @g(i32 2), !dbg [[BARE:![0-9]+]]
; CHECK-NEXT: call void @g(i32 3), !dbg [[BARE]]
; CHECK-NEXT: call void @g(i32 4), !dbg [[IMPLICIT:![0-9]+]]
; CHECK-NEXT: call void @g(i32 5), !dbg [[FRAMES:![0-9]+]]
; CHECK: !named = !{[[LIST:![0-9]+]], [[TWINS:![0-9]+]], [[EMPTY:![0-9]+]]}
; CHECK-DAG: [[FILE:![0-9]+]] = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
; CHECK-DAG: [[LOW:![0-9]+]] = !DILayerLoc(line: 30, column: 4, file: [[FILE]], kind: "low")
; CHECK-DAG: [[ZERO:![0-9]+]] = !DILayerLoc(line: 0, file: [[FILE]], kind: "a\22b")
; CHECK-DAG: [[TWIN:![0-9]+]] = distinct !DILayerLoc(line: 30, column: 4, file: [[FILE]], kind: "low")
; CHECK-DAG: [[LIST]] = !DILayerLocList([[LOW]], [[ZERO]])
; CHECK-DAG: [[TWINS]] = distinct !DILayerLocList([[TWIN]], [[LOW]], [[LOW]])
; CHECK-DAG: [[ONE]] = !DILocation(line: 4, column: 2, scope: [[F:![0-9]+]], irlayers: [[LIST]])
; CHECK-DAG: [[BARE]] = !DILocation(line: 4, column: 2, scope: [[F]])
; CHECK-DAG: [[IMPLICIT]] = !DILocation(line: 5, scope: [[F]], isImplicitCode: true, irlayers: [[LIST]])
; CHECK-DAG: [[FRAMES]] = !DILocation(line: 7, scope: [[H:![0-9]+]], inlinedAt: [[SITE:![0-9]+]])
; CHECK-DAG: [[SITE]] = distinct !DILocation(line: 20, scope: [[F]], irlayers: [[TWINS]])
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !DILocation(irlayers: !11, scope: !5, line: 4, column: 2)
  call void @g(i32 2), !dbg !DILocation(line: 4, column: 2, scope: !5)
  call void @g(i32 3), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: null)
  call void @g(i32 4), !dbg !DILocation(line: 5, scope: !5, isImplicitCode: true, irlayers: !DILayerLocList(!8, !9))
  call void @g(i32 5), !dbg !DILocation(line: 7, scope: !6, inlinedAt: !13)
  ret void
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!named = !{!11, !12, !14}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
!8 = !DILayerLoc(kind: "low", column: 4, line: 30, file: !7)
!9 = !DILayerLoc(kind: "a\22b", file: !7)
!10 = distinct !DILayerLoc(line: 30, column: 4, file: !7, kind: "low")
!11 = !DILayerLocList(!8, !9)
!12 = distinct !DILayerLocList(!10, !8, !8)
!13 = distinct !DILocation(line: 20, scope: !5, irlayers: !12)
!14 = !{!8}
