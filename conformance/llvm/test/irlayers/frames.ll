; RUN: opt -S -passes='loop-mssa(licm)' %s | FileCheck %s --check-prefix=SINK
; RUN: opt -S -passes=gvn-hoist %s | FileCheck %s --check-prefix=HOIST
; Inlined code that is sunk, or hoisted in the place of several, keeps layers that the call sites alone have.

; SINK-LABEL: define i32 @sink(
; SINK: %sunk.le = mul i32 {{.*}}, !dbg [[SUNK:![0-9]+]]
; SINK: [[SUNK]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[PQ:![0-9]+]])
; SINK: [[PQ]] = !DILayerLocList([[P:![0-9]+]], [[Q:![0-9]+]])
define i32 @sink(i32 %n) !dbg !5 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %sunk = mul i32 %i, %i, !dbg !11
  %i2 = add i32 %i, 1
  %c = icmp slt i32 %i2, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi i32 [ %sunk, %loop ]
  ret i32 %r
}

; HOIST-LABEL: define i32 @hoist(
; HOIST: %p = add i32 %x, 1, !dbg [[MERGED:![0-9]+]]
; HOIST-DAG: [[MERGED]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[ONLYQ:![0-9]+]])
; HOIST-DAG: [[ONLYQ]] = !DILayerLocList([[Q:![0-9]+]])
; HOIST-DAG: [[Q]] = !DILayerLoc(line: 40, file: {{![0-9]+}}, kind: "Q")
define i32 @hoist(i1 %c, i32 %x) !dbg !6 {
entry:
  br i1 %c, label %a, label %b
a:
  %p = add i32 %x, 1, !dbg !12
  ret i32 %p
b:
  %q = add i32 %x, 1, !dbg !13
  ret i32 %q
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "sink", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "hoist", scope: !1, file: !1, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 9, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIFile(filename: "soft.mlir", directory: "build")
!9 = !DILayerLoc(line: 30, file: !8, kind: "P")
!10 = !DILayerLoc(line: 40, file: !8, kind: "Q")
!11 = !DILocation(line: 10, scope: !7, inlinedAt: !14)
!12 = !DILocation(line: 10, scope: !7, inlinedAt: !15)
!13 = !DILocation(line: 11, scope: !7, inlinedAt: !16)
!14 = distinct !DILocation(line: 2, scope: !5, irlayers: !DILayerLocList(!9, !10))
!15 = distinct !DILocation(line: 6, scope: !6, irlayers: !DILayerLocList(!9, !10))
!16 = distinct !DILocation(line: 7, scope: !6, irlayers: !DILayerLocList(!10))
