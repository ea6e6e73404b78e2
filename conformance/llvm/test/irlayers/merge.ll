; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s
; Layers that both sides have survive, in the order of the first and as often as it has them; distinct twins count as one.

; CHECK-LABEL: define void @f(
; CHECK: call void @g(i32 9), !dbg [[L9:![0-9]+]]
; CHECK-NEXT: call void @g(i32 10), !dbg [[L10:![0-9]+]]
; CHECK-NEXT: call void @g(i32 11), !dbg [[L11:![0-9]+]]
; CHECK-NEXT: call void @g(i32 12), !dbg [[L12:![0-9]+]]
; CHECK-NEXT: call void @g(i32 13), !dbg [[L13:![0-9]+]]
; CHECK-NEXT: call void @g(i32 14), !dbg [[L14:![0-9]+]]
; CHECK-NEXT: call void @g(i32 15), !dbg [[L15:![0-9]+]]
; CHECK-NEXT: call void @g(i32 16), !dbg [[L16:![0-9]+]]
; CHECK-NEXT: call void @g(i32 17){{$}}
; CHECK-NEXT: call void @g(i32 18), !dbg [[L12]]
; CHECK-NEXT: call void @g(i32 19), !dbg [[L12]]
; CHECK-DAG: [[F:![0-9]+]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[P:![0-9]+]] = !DILayerLoc(line: 30, file: [[FILE:![0-9]+]], kind: "P")
; CHECK-DAG: [[R:![0-9]+]] = !DILayerLoc(line: 50, file: [[FILE]], kind: "R")
; CHECK-DAG: [[Q:![0-9]+]] = !DILayerLoc(line: 40, file: [[FILE]], kind: "Q")
; CHECK-DAG: [[TWIN:![0-9]+]] = distinct !DILayerLoc(line: 30, file: [[FILE]], kind: "P")
; CHECK-DAG: [[L9]] = !DILocation(line: 4, scope: [[F]], irlayers: [[PR:![0-9]+]])
; CHECK-DAG: [[PR]] = !DILayerLocList([[P]], [[R]])
; CHECK-DAG: [[L10]] = !DILocation(line: 0, scope: [[F]], irlayers: [[PP:![0-9]+]])
; CHECK-DAG: [[PP]] = !DILayerLocList([[P]], [[P]])
; CHECK-DAG: [[L11]] = !DILocation(line: 4, column: 2, scope: [[F]], irlayers: [[TWINS:![0-9]+]])
; CHECK-DAG: [[TWINS]] = !DILayerLocList([[TWIN]])
; CHECK-DAG: [[L12]] = !DILocation(line: 4, column: 2, scope: [[F]])
; CHECK-DAG: [[L13]] = !DILocation(line: 0, scope: [[F]])
; CHECK-DAG: [[L14]] = !DILocation(line: 7, column: 1, scope: [[G:![0-9]+]], inlinedAt: [[SITE:![0-9]+]])
; CHECK-DAG: [[SITE]] = !DILocation(line: 0, scope: [[F]], irlayers: [[ONLYQ:![0-9]+]])
; CHECK-DAG: [[ONLYQ]] = !DILayerLocList([[Q]])
; CHECK-DAG: [[L15]] = !DILocation(line: 0, scope: [[G]], inlinedAt: [[C1:![0-9]+]])
; CHECK-DAG: [[C1]] = distinct !DILocation(line: 20, column: 3, scope: [[F]], irlayers: [[PQ:![0-9]+]])
; CHECK-DAG: [[PQ]] = !DILayerLocList([[P]], [[Q]])
; CHECK-DAG: [[L16]] = !DILocation(line: 7, column: 1, scope: [[G]], inlinedAt: [[SITE]], irlayers: [[ONLYR:![0-9]+]])
; CHECK-DAG: [[ONLYR]] = !DILayerLocList([[R]])
define void @f(i1 %c) !dbg !5 {
entry:
  br i1 %c, label %a, label %b, !dbg !DILocation(line: 3, scope: !5)
a:
  call void @g(i32 9), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11, !12, !13))
  call void @g(i32 10), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11, !11, !12))
  call void @g(i32 11), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!14))
  call void @g(i32 12), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
  call void @g(i32 13), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
  call void @g(i32 14), !dbg !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !8)
  call void @g(i32 15), !dbg !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !8)
  call void @g(i32 16), !dbg !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !8, irlayers: !DILayerLocList(!13, !12))
  call void @g(i32 17), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
  call void @g(i32 18), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!15))
  call void @g(i32 19), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!16))
  br label %end, !dbg !DILocation(line: 3, scope: !5)
b:
  call void @g(i32 9), !dbg !DILocation(line: 4, column: 9, scope: !5, irlayers: !DILayerLocList(!13, !11))
  call void @g(i32 10), !dbg !DILocation(line: 5, column: 1, scope: !5, irlayers: !DILayerLocList(!11))
  call void @g(i32 11), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
  call void @g(i32 12), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!12))
  call void @g(i32 13), !dbg !DILocation(line: 5, column: 2, scope: !5)
  call void @g(i32 14), !dbg !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !9)
  call void @g(i32 15), !dbg !DILocation(line: 8, column: 1, scope: !6, inlinedAt: !8)
  call void @g(i32 16), !dbg !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !9, irlayers: !DILayerLocList(!13))
  call void @g(i32 17)
  call void @g(i32 18), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
  call void @g(i32 19), !dbg !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
  br label %end, !dbg !DILocation(line: 3, scope: !5)
end:
  ret void, !dbg !DILocation(line: 3, scope: !5)
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build")
!8 = distinct !DILocation(line: 20, column: 3, scope: !5, irlayers: !DILayerLocList(!11, !12))
!9 = distinct !DILocation(line: 21, column: 3, scope: !5, irlayers: !DILayerLocList(!12))
!11 = !DILayerLoc(line: 30, file: !7, kind: "P")
!12 = !DILayerLoc(line: 40, file: !7, kind: "Q")
!13 = !DILayerLoc(line: 50, file: !7, kind: "R")
!14 = distinct !DILayerLoc(line: 30, file: !7, kind: "P")
!15 = !DILayerLoc(line: 30, column: 1, file: !7, kind: "P")
!16 = !DILayerLoc(line: 30, file: !1, kind: "P")
