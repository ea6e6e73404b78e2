; RUN: opt -S -passes=loop-unroll -unroll-count=2 %s | FileCheck %s
; An unrolled copy has an atom of its own, and keeps its layers.

; CHECK-LABEL: define void @f(
; CHECK: store i32 %w, {{.*}}, !dbg [[FIRST:![0-9]+]]
; CHECK: store i32 %w.1, {{.*}}, !dbg [[SECOND:![0-9]+]]
define void @f(ptr noalias %p) !dbg !5 {
entry:
  br label %loop, !dbg !10
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !10
  %at = getelementptr i32, ptr %p, i64 %i, !dbg !10
  %v = load i32, ptr %at, align 4, !dbg !10
  %w = mul i32 %v, 3, !dbg !10
  store i32 %w, ptr %at, align 4, !dbg !20
  %next = add i64 %i, 1, !dbg !10
  %done = icmp eq i64 %next, 16, !dbg !10
  br i1 %done, label %end, label %loop, !dbg !10
end:
  ret void, !dbg !10
}

; CHECK-DAG: [[FIRST]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, atomGroup: 1, atomRank: 1, irlayers: [[R:![0-9]+]])
; CHECK-DAG: [[SECOND]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, atomGroup: {{[2-9]}}, atomRank: 1, irlayers: [[R]])

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition, keyInstructions: true)
!7 = !DIFile(filename: "soft.mlir", directory: "build")
!9 = !DILayerLocList(!DILayerLoc(line: 50, file: !7, kind: "R"))
!10 = !DILocation(line: 3, scope: !5)
!20 = !DILocation(line: 7, column: 1, scope: !5, irlayers: !9, atomGroup: 1, atomRank: 1)
