; RUN: opt -S -passes=tailcallelim %s | FileCheck %s
; The copies of an accumulation that stand before returns keep its layers, on line 0: in front of a return, and of the select of a known value.

; CHECK-LABEL: define i32 @plain(
; CHECK: %accumulator.ret.tr = add {{.*}}, !dbg [[PLAIN:![0-9]+]]
define i32 @plain(i32 %n, i32 %m) !dbg !5 {
entry:
  %c = icmp eq i32 %n, 0, !dbg !10
  br i1 %c, label %base, label %more, !dbg !10
base:
  ret i32 %m, !dbg !10
more:
  %j = sub i32 %n, 1, !dbg !10
  %r = call i32 @plain(i32 %j, i32 %m), !dbg !10
  %p = add i32 %n, %r, !dbg !20
  ret i32 %p, !dbg !10
}

; CHECK-LABEL: define i32 @known(
; CHECK: %accumulator.ret.tr{{[0-9]*}} = add {{.*}}, !dbg [[KNOWN:![0-9]+]]
; CHECK-NEXT: select
; CHECK: %accumulator.ret.tr{{[0-9]*}} = add {{.*}}, !dbg [[KNOWN]]
; CHECK-NEXT: select
define i32 @known(i32 %n, i32 %m) !dbg !105 {
entry:
  %c = icmp eq i32 %n, 0, !dbg !110
  br i1 %c, label %base, label %more, !dbg !110
base:
  ret i32 %m, !dbg !110
more:
  %j = sub i32 %n, 1, !dbg !110
  %d = icmp eq i32 %m, 7, !dbg !110
  br i1 %d, label %acc, label %five, !dbg !110
acc:
  %r = call i32 @known(i32 %j, i32 %m), !dbg !110
  %p = add i32 %n, %r, !dbg !120
  ret i32 %p, !dbg !110
five:
  %s = call i32 @known(i32 %j, i32 3), !dbg !110
  ret i32 5, !dbg !110
}

; CHECK-DAG: [[PLAIN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R:![0-9]+]])
; CHECK-DAG: [[KNOWN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R]])
; CHECK-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; CHECK-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "plain", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build")
!9 = !DILayerLocList(!DILayerLoc(line: 50, file: !7, kind: "R"))
!10 = !DILocation(line: 3, scope: !5)
!20 = !DILocation(line: 7, column: 1, scope: !5, irlayers: !9)
!105 = distinct !DISubprogram(name: "known", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!110 = !DILocation(line: 3, scope: !105)
!120 = !DILocation(line: 7, column: 1, scope: !105, irlayers: !9)
