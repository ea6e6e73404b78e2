; RUN: opt -S -passes='loop-mssa(licm)' %s | FileCheck %s --check-prefix=LICM
; RUN: opt -S -passes=speculative-execution %s | FileCheck %s --check-prefix=SPEC
; RUN: opt -S -passes=simplifycfg %s | FileCheck %s --check-prefix=CFG
; RUN: opt -S -passes='simple-loop-unswitch<nontrivial>' %s | FileCheck %s --check-prefix=UNSWITCH
; RUN: opt -S -passes=reassociate %s | FileCheck %s --check-prefix=REASSOC
; RUN: opt -S -passes=tailcallelim %s | FileCheck %s --check-prefix=TAIL
; Code that moves loses its position and keeps the innermost layers, on line 0 of its function.

; LICM-LABEL: define void @hoist(
; LICM: %own = add i32 %x, 1, !dbg [[OWN:![0-9]+]]
; LICM-NEXT: %outer = add i32 %x, 2, !dbg [[OUTER:![0-9]+]]
; LICM-NEXT: %none = add i32 %x, 3{{$}}
; LICM-NEXT: call i32 @pure(i32 %x), !dbg [[OUTER]]
; LICM-NEXT: call i32 @pure(i32 1), !dbg [[LINE0:![0-9]+]]
define void @hoist(i32 %n, i32 %x) !dbg !105 {
entry:
  br label %loop, !dbg !110
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %own = add i32 %x, 1, !dbg !120
  %outer = add i32 %x, 2, !dbg !121
  %none = add i32 %x, 3, !dbg !122
  %c1 = call i32 @pure(i32 %x), !dbg !121
  %c2 = call i32 @pure(i32 1), !dbg !122
  %s1 = add i32 %own, %outer, !dbg !110
  %s2 = add i32 %s1, %none, !dbg !110
  %s3 = add i32 %s2, %c1, !dbg !110
  %s4 = add i32 %s3, %c2, !dbg !110
  call void @use(i32 %s4), !dbg !110
  call void @use(i32 %own), !dbg !110
  %i2 = add i32 %i, 1, !dbg !110
  %c = icmp slt i32 %i2, %n, !dbg !110
  br i1 %c, label %loop, label %end, !dbg !110
end:
  ret void, !dbg !110
}

; Without a subprogram nothing can say where it is.
; LICM-LABEL: define void @bare(
; LICM: %own = add i32 %x, 1{{$}}
define void @bare(i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %own = add i32 %x, 1, !dbg !120
  call void @use(i32 %own)
  %i2 = add i32 %i, 1
  %c = icmp slt i32 %i2, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; LICM-LABEL: define i32 @sink(
; LICM: end:
; LICM: %sunk.le = mul i32 {{.*}}, !dbg [[SUNK:![0-9]+]]
define i32 @sink(i32 %n) !dbg !205 {
entry:
  br label %loop, !dbg !210
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %sunk = mul i32 %i, %i, !dbg !220
  %i2 = add i32 %i, 1, !dbg !210
  call void @use(i32 %i), !dbg !210
  %c = icmp slt i32 %i2, %n, !dbg !210
  br i1 %c, label %loop, label %end, !dbg !210
end:
  %r = phi i32 [ %sunk, %loop ], !dbg !210
  ret i32 %r, !dbg !210
}
; LICM-DAG: [[OWN]] = !DILocation(line: 0, scope: [[F:![0-9]+]], irlayers: [[R:![0-9]+]])
; LICM-DAG: [[OUTER]] = !DILocation(line: 0, scope: [[F]], irlayers: [[P:![0-9]+]])
; LICM-DAG: [[LINE0]] = !DILocation(line: 0, scope: [[F]])
; LICM-DAG: [[SUNK]] = !DILocation(line: 0, scope: [[SINK:![0-9]+]], irlayers: [[R]])
; LICM-DAG: [[F]] = distinct !DISubprogram(name: "hoist"
; LICM-DAG: [[SINK]] = distinct !DISubprogram(name: "sink"
; LICM-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; LICM-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")
; LICM-DAG: [[P]] = !DILayerLocList([[P1:![0-9]+]])
; LICM-DAG: [[P1]] = !DILayerLoc(line: 30, file: {{![0-9]+}}, kind: "P")

; SPEC-LABEL: define i32 @speculate(
; SPEC: %a = add i32 %x, 1, !dbg [[OWN:![0-9]+]]
; SPEC: br i1 %c
; CFG-LABEL: define i32 @speculate(
; CFG: %a = add i32 %x, 1, !dbg [[OWN:![0-9]+]]
; CFG-NEXT: select
define i32 @speculate(i1 %c, i32 %x) !dbg !305 {
entry:
  br i1 %c, label %then, label %end, !dbg !310
then:
  %a = add i32 %x, 1, !dbg !320
  br label %end, !dbg !310
end:
  %r = phi i32 [ %a, %then ], [ %x, %entry ], !dbg !310
  ret i32 %r, !dbg !310
}
; SPEC-DAG: [[OWN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R:![0-9]+]])
; SPEC-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; SPEC-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")

; What is executed before the folded branch keeps its place only where that is the branch's.
; CFG-LABEL: define void @fold(
; CFG: %k = add i32 %x, 1, !dbg [[BONUS:![0-9]+]]
; CFG-NEXT: %c2 = icmp eq i32 %k, 7, !dbg [[BRANCH:![0-9]+]]
define void @fold(i1 %c, i32 %x) !dbg !405 {
entry:
  br i1 %c, label %next, label %end, !dbg !423
next:
  %k = add i32 %x, 1, !dbg !420
  %c2 = icmp eq i32 %k, 7, !dbg !423
  br i1 %c2, label %other, label %end, !dbg !423
other:
  call void @use(i32 1), !dbg !410
  ret void, !dbg !410
end:
  call void @use(i32 2), !dbg !410
  ret void, !dbg !410
}
; CFG-DAG: [[OWN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R:![0-9]+]])
; CFG-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; CFG-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")
; CFG-DAG: [[BONUS]] = !DILocation(line: 0, scope: [[FOLD:![0-9]+]], irlayers: [[R]])
; CFG-DAG: [[BRANCH]] = !DILocation(line: 6, scope: [[FOLD]], irlayers: {{![0-9]+}})

; UNSWITCH-LABEL: define void @unswitch(
; UNSWITCH: switch i32 %x, label {{.*}} [
; UNSWITCH: ], !dbg [[OWN:![0-9]+]]
define void @unswitch(i32 %x, ptr %p) !dbg !505 {
entry:
  br label %loop, !dbg !510
loop:
  %v = load volatile i32, ptr %p, !dbg !510
  switch i32 %x, label %b [
    i32 0, label %a
    i32 1, label %a
  ], !dbg !520
a:
  call void @use(i32 1), !dbg !510
  br label %latch, !dbg !510
b:
  call void @use(i32 2), !dbg !510
  br label %latch, !dbg !510
latch:
  %c = icmp eq i32 %v, 0, !dbg !510
  br i1 %c, label %loop, label %end, !dbg !510
end:
  ret void, !dbg !510
}
; UNSWITCH-DAG: [[OWN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R:![0-9]+]])
; UNSWITCH-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; UNSWITCH-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")

; REASSOC-LABEL: define i32 @negation(
; REASSOC: entry:
; REASSOC-NEXT: %neg = sub i32 0, %x, !dbg [[OWN:![0-9]+]]
define i32 @negation(i1 %c, i32 %x, i32 %y) !dbg !605 {
entry:
  br i1 %c, label %a, label %b, !dbg !610
a:
  %neg = sub nsw i32 0, %x, !dbg !620
  %u = mul i32 %neg, 3, !dbg !610
  call void @use(i32 %neg), !dbg !610
  br label %b, !dbg !610
b:
  %q = phi i32 [ %u, %a ], [ 0, %entry ], !dbg !610
  %t = sub i32 %y, %x, !dbg !610
  %r = add i32 %t, %q, !dbg !610
  ret i32 %r, !dbg !610
}
; REASSOC-DAG: [[OWN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R:![0-9]+]])
; REASSOC-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; REASSOC-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")

; TAIL-LABEL: define i32 @factorial(
; TAIL: %accumulator.ret.tr = mul {{.*}}, !dbg [[OWN:![0-9]+]]
define i32 @factorial(i32 %n) !dbg !705 {
entry:
  %c = icmp eq i32 %n, 0, !dbg !710
  br i1 %c, label %one, label %more, !dbg !710
one:
  ret i32 1, !dbg !710
more:
  %m = sub i32 %n, 1, !dbg !710
  %r = call i32 @factorial(i32 %m), !dbg !710
  %p = mul i32 %n, %r, !dbg !720
  ret i32 %p, !dbg !710
}
; TAIL-DAG: [[OWN]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[R:![0-9]+]])
; TAIL-DAG: [[R]] = !DILayerLocList([[R1:![0-9]+]])
; TAIL-DAG: [[R1]] = !DILayerLoc(line: 50, file: {{![0-9]+}}, kind: "R")

declare i32 @pure(i32) nounwind willreturn speculatable memory(none)
declare void @use(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!6 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
!8 = !DILayerLocList(!DILayerLoc(line: 30, file: !7, kind: "P"))
!9 = !DILayerLocList(!DILayerLoc(line: 50, file: !7, kind: "R"))
!105 = distinct !DISubprogram(name: "hoist", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!110 = !DILocation(line: 3, scope: !105)
!120 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !130, irlayers: !9)
!121 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !130)
!122 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !131)
!130 = distinct !DILocation(line: 20, column: 3, scope: !105, irlayers: !8)
!131 = distinct !DILocation(line: 20, column: 3, scope: !105)
!205 = distinct !DISubprogram(name: "sink", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!210 = !DILocation(line: 3, scope: !205)
!220 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !230, irlayers: !9)
!230 = distinct !DILocation(line: 20, column: 3, scope: !205, irlayers: !8)
!305 = distinct !DISubprogram(name: "speculate", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!310 = !DILocation(line: 3, scope: !305)
!320 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !330, irlayers: !9)
!330 = distinct !DILocation(line: 20, column: 3, scope: !305, irlayers: !8)
!405 = distinct !DISubprogram(name: "fold", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!410 = !DILocation(line: 3, scope: !405)
!420 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !430, irlayers: !9)
!423 = !DILocation(line: 6, scope: !405, irlayers: !8)
!430 = distinct !DILocation(line: 20, column: 3, scope: !405, irlayers: !8)
!505 = distinct !DISubprogram(name: "unswitch", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!510 = !DILocation(line: 3, scope: !505)
!520 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !530, irlayers: !9)
!530 = distinct !DILocation(line: 20, column: 3, scope: !505, irlayers: !8)
!605 = distinct !DISubprogram(name: "negation", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!610 = !DILocation(line: 3, scope: !605)
!620 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !630, irlayers: !9)
!630 = distinct !DILocation(line: 20, column: 3, scope: !605, irlayers: !8)
!705 = distinct !DISubprogram(name: "factorial", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!710 = !DILocation(line: 3, scope: !705)
!720 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !730, irlayers: !9)
!730 = distinct !DILocation(line: 20, column: 3, scope: !705, irlayers: !8)
