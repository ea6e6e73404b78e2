; RUN: opt -S -passes=gvn-hoist %s | FileCheck %s
; What stands for several instructions keeps the layers that all of them have.

; CHECK-LABEL: define i32 @three(
; CHECK: add i32 %x, 1, !dbg [[Q:![0-9]+]]
; CHECK: switch i32
define i32 @three(i32 %c, i32 %x) !dbg !105 {
entry:
  switch i32 %c, label %d [
    i32 0, label %a
    i32 1, label %b
  ], !dbg !110
a:
  %p = add i32 %x, 1, !dbg !120
  ret i32 %p, !dbg !110
b:
  %q = add i32 %x, 1, !dbg !121
  ret i32 %q, !dbg !110
d:
  %r = add i32 %x, 1, !dbg !122
  ret i32 %r, !dbg !110
}

; CHECK-LABEL: define i32 @unlocated(
; CHECK: add i32 %x, 2{{$}}
; CHECK: br i1
define i32 @unlocated(i1 %c, i32 %x) !dbg !205 {
entry:
  br i1 %c, label %a, label %b, !dbg !210
a:
  %p = add i32 %x, 2, !dbg !220
  ret i32 %p, !dbg !210
b:
  %q = add i32 %x, 2
  ret i32 %q, !dbg !210
}

; CHECK-LABEL: define i32 @nothing(
; CHECK: add i32 %x, 3{{$}}
; CHECK-NEXT: call i32 @pure(i32 %x), !dbg [[LINE0:![0-9]+]]
; CHECK-NEXT: br i1
define i32 @nothing(i1 %c, i32 %x) !dbg !305 {
entry:
  br i1 %c, label %a, label %b, !dbg !310
a:
  %p = add i32 %x, 3, !dbg !323
  %v = call i32 @pure(i32 %x), !dbg !323
  %p2 = mul i32 %p, %v, !dbg !310
  ret i32 %p2, !dbg !310
b:
  %q = add i32 %x, 3, !dbg !321
  %w = call i32 @pure(i32 %x), !dbg !321
  %q2 = sub i32 %q, %w, !dbg !310
  ret i32 %q2, !dbg !310
}

; Inlined copies: the heads are of two functions, the call sites share Q.
; CHECK-LABEL: define i32 @copies(
; CHECK: add i32 %x, 4, !dbg [[COPIES:![0-9]+]]
; CHECK: br i1
define i32 @copies(i1 %c, i32 %x) !dbg !405 {
entry:
  br i1 %c, label %a, label %b, !dbg !410
a:
  %p = add i32 %x, 4, !dbg !424
  ret i32 %p, !dbg !410
b:
  %q = add i32 %x, 4, !dbg !425
  ret i32 %q, !dbg !410
}

declare i32 @pure(i32) nounwind willreturn speculatable memory(none)

; CHECK-DAG: [[Q]] = !DILocation(line: 0, scope: [[F:![0-9]+]], irlayers: [[LIST:![0-9]+]])
; CHECK-DAG: [[LIST]] = !DILayerLocList([[ENTRY:![0-9]+]])
; CHECK-DAG: [[ENTRY]] = !DILayerLoc(line: 40, file: {{![0-9]+}}, kind: "Q")
; CHECK-DAG: [[COPIES]] = !DILocation(line: 0, scope: [[C:![0-9]+]], irlayers: [[LIST]])
; CHECK-DAG: [[LINE0]] = !DILocation(line: 0, scope: [[N:![0-9]+]])
; CHECK-DAG: [[F]] = distinct !DISubprogram(name: "three"
; CHECK-DAG: [[C]] = distinct !DISubprogram(name: "copies"
; CHECK-DAG: [[N]] = distinct !DISubprogram(name: "nothing"

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 8, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
!11 = !DILayerLoc(line: 30, file: !8, kind: "P")
!12 = !DILayerLoc(line: 40, file: !8, kind: "Q")
!13 = !DILayerLoc(line: 50, file: !8, kind: "R")
!105 = distinct !DISubprogram(name: "three", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!110 = !DILocation(line: 3, scope: !105)
!120 = !DILocation(line: 4, column: 2, scope: !105, irlayers: !DILayerLocList(!11, !12))
!121 = !DILocation(line: 6, column: 2, scope: !105, irlayers: !DILayerLocList(!12))
!122 = !DILocation(line: 8, column: 2, scope: !105, irlayers: !DILayerLocList(!13, !12))
!205 = distinct !DISubprogram(name: "unlocated", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!210 = !DILocation(line: 3, scope: !205)
!220 = !DILocation(line: 4, column: 2, scope: !205, irlayers: !DILayerLocList(!11, !12))
!305 = distinct !DISubprogram(name: "nothing", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!310 = !DILocation(line: 3, scope: !305)
!321 = !DILocation(line: 6, column: 2, scope: !305, irlayers: !DILayerLocList(!12))
!323 = !DILocation(line: 4, column: 2, scope: !305, irlayers: !DILayerLocList(!13))
!405 = distinct !DISubprogram(name: "copies", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!410 = !DILocation(line: 3, scope: !405)
!424 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !426, irlayers: !DILayerLocList(!13))
!425 = !DILocation(line: 8, column: 1, scope: !7, inlinedAt: !427, irlayers: !DILayerLocList(!13))
!426 = distinct !DILocation(line: 20, column: 3, scope: !405, irlayers: !DILayerLocList(!11, !12))
!427 = distinct !DILocation(line: 21, column: 3, scope: !405, irlayers: !DILayerLocList(!12))
