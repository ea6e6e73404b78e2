; RUN: opt -S -passes=loop-unroll %s | FileCheck %s
; A block that is put in front of the exit of a loop, whose last turn is known, ends with a branch that has the layers of the exit's first instruction.

; CHECK-LABEL: define void @f(
; CHECK: br label %loop.peel, !dbg [[EXIT:![0-9]+]]
; CHECK: store i32 1, {{.*}}, !dbg [[EXIT]]
define void @f(ptr %p) !dbg !5 {
entry:
  br label %loop, !dbg !11
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ], !dbg !11
  %last = icmp eq i32 %i, 99, !dbg !11
  br i1 %last, label %then, label %latch, !dbg !11
then:
  call void @h(i32 1), !dbg !11
  br label %latch, !dbg !11
latch:
  call void @h(i32 2), !dbg !11
  %next = add nuw nsw i32 %i, 1, !dbg !11
  %c = icmp ne i32 %next, 100, !dbg !11
  br i1 %c, label %loop, label %exit, !dbg !11
exit:
  store i32 1, ptr %p, align 4, !dbg !20
  ret void, !dbg !11
}
declare void @h(i32)

; CHECK-DAG: [[EXIT]] = !{[[PRIMARY:![0-9]+]], [[TILE:![0-9]+]]}
; CHECK-DAG: [[PRIMARY]] = !DILocation(line: 3, column: 5, scope: {{![0-9]+}})
; CHECK-DAG: [[TILE]] = !{!"TileIR", {{![0-9]+}}}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 3, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !8)
!20 = !{!12, !{!"TileIR", !13}}
