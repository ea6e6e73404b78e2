; RUN: opt -S -passes=loop-vectorize -force-vector-width=4 -force-vector-interleave=1 %s | FileCheck %s
; Instructions over vectors have the layers of those that they stand for.

; CHECK-LABEL: define void @scale(
; CHECK: vector.body:
; CHECK: %wide.load = load <4 x i32>, {{.*}}, !dbg [[ACCESS:![0-9]+]]
; CHECK-NEXT: mul <4 x i32> {{.*}}, !dbg [[MUL:![0-9]+]]
; CHECK-NEXT: store <4 x i32> {{.*}}, !dbg [[ACCESS]]
; CHECK-NEXT: %index.next = add {{.*}}, !dbg [[STEP:![0-9]+]]
; CHECK: [[STEP]] = !{[[P1:![0-9]+]], [[L1:![0-9]+]]}
; CHECK-NEXT: [[P1]] = !DILocation(line: 2, column: 1, scope: {{![0-9]+}})
; CHECK-NEXT: [[L1]] = !{!"TileIR", [[T1:![0-9]+]]}
; CHECK-NEXT: [[T1]] = !DILocation(line: 100, column: 1, scope: {{![0-9]+}})
; CHECK: [[ACCESS]] = !{[[P2:![0-9]+]], [[L2:![0-9]+]]}
; CHECK-NEXT: [[P2]] = !DILocation(line: 4, column: 1, scope: {{![0-9]+}})
; CHECK-NEXT: [[L2]] = !{!"TileIR", [[T2:![0-9]+]]}
; CHECK-NEXT: [[T2]] = !DILocation(line: 101, column: 1, scope: {{![0-9]+}})
; CHECK: [[MUL]] = !{[[P3:![0-9]+]], [[L3:![0-9]+]]}
; CHECK-NEXT: [[P3]] = !DILocation(line: 5, column: 1, scope: {{![0-9]+}})
; CHECK-NEXT: [[L3]] = !{!"TileIR", [[T3:![0-9]+]]}
; CHECK-NEXT: [[T3]] = !DILocation(line: 102, column: 1, scope: {{![0-9]+}})
define void @scale(ptr noalias %p) !dbg !5 {
entry:
  br label %loop, !dbg !20
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !20
  %at = getelementptr i32, ptr %p, i64 %i, !dbg !21
  %v = load i32, ptr %at, align 4, !dbg !22
  %w = mul i32 %v, 3, !dbg !23
  store i32 %w, ptr %at, align 4, !dbg !22
  %next = add i64 %i, 1, !dbg !20
  %done = icmp eq i64 %next, 1024, !dbg !20
  br i1 %done, label %end, label %loop, !dbg !20
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
!5 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 2, column: 1, scope: !5)
!12 = !DILocation(line: 3, column: 1, scope: !5)
!13 = !DILocation(line: 4, column: 1, scope: !5)
!14 = !DILocation(line: 5, column: 1, scope: !5)
!15 = !DILocation(line: 100, column: 1, scope: !7)
!16 = !DILocation(line: 101, column: 1, scope: !7)
!17 = !DILocation(line: 102, column: 1, scope: !7)
!20 = !{!11, !{!"TileIR", !15}}
!21 = !{!12, !{!"TileIR", !15}}
!22 = !{!13, !{!"TileIR", !16}}
!23 = !{!14, !{!"TileIR", !17}}
