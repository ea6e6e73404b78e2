; RUN: opt -passes=loop-unroll-full -pass-remarks=loop-unroll %s -o /dev/null 2>&1 | FileCheck %s
; A loop whose id begins with a composite is at its primary, for what unrolling tells people.

; CHECK: remark: a.py:9:7: completely unrolled loop
define void @f(ptr noalias %p) !dbg !5 {
entry:
  br label %loop, !dbg !20
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !20
  %at = getelementptr i32, ptr %p, i64 %i, !dbg !20
  %v = load i32, ptr %at, align 4, !dbg !20
  %w = mul i32 %v, 3, !dbg !20
  store i32 %w, ptr %at, align 4, !dbg !20
  %next = add i64 %i, 1, !dbg !20
  %done = icmp eq i64 %next, 16, !dbg !20
  br i1 %done, label %end, label %loop, !dbg !20, !llvm.loop !30
end:
  ret void, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 100, column: 10, scope: !7)
!20 = !{!11, !{!"TileIR", !12}}
!21 = !{!22, !{!"TileIR", !12}}
!22 = !DILocation(line: 9, column: 7, scope: !5)
!30 = distinct !{!30, !21, !20}
