; RUN: opt -S -passes=loop-rotate %s | FileCheck %s
; A copy of a rotated header has an atom of its own, and keeps its layers.

; CHECK-LABEL: define void @f(
; CHECK: store i32 1, {{.*}}, !dbg [[FIRST:![0-9]+]]
; CHECK: loop:
; CHECK: store i32 1, {{.*}}, !dbg [[SECOND:![0-9]+]]
define void @f(ptr %p, i32 %n) !dbg !5 {
entry:
  br label %header, !dbg !10
header:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], !dbg !10
  store i32 1, ptr %p, align 4, !dbg !20
  %done = icmp eq i32 %i, %n, !dbg !10
  br i1 %done, label %end, label %loop, !dbg !10
loop:
  call void @h(), !dbg !10
  %next = add i32 %i, 1, !dbg !10
  br label %header, !dbg !10
end:
  ret void, !dbg !10
}
declare void @h()

; CHECK-DAG: [[FIRST]] = !{[[PRIMARY:![0-9]+]], [[TILE:![0-9]+]]}
; CHECK-DAG: [[PRIMARY]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, atomGroup: {{[2-9]}}, atomRank: 1)
; CHECK-DAG: [[SECOND]] = !{[[COPY:![0-9]+]], [[TILE]]}
; CHECK-DAG: [[COPY]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, atomGroup: 1, atomRank: 1)
; CHECK-DAG: [[TILE]] = !{!"TileIR", {{![0-9]+}}}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition, keyInstructions: true)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!10 = !DILocation(line: 3, scope: !5)
!11 = !DILocation(line: 7, column: 1, scope: !5, atomGroup: 1, atomRank: 1)
!13 = !DILocation(line: 100, column: 10, scope: !8)
!20 = !{!11, !{!"TileIR", !13}}
