; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s
; Hoisting merges every channel on its own, paired by kind; what only one side has is kept, in the order of the first side, then the second.

; CHECK-LABEL: define void @hoist(
; CHECK: call void @g(i32 1), !dbg [[ONE:![0-9]+]]
define void @hoist(i1 %c) !dbg !5 {
entry:
  br i1 %c, label %a, label %b, !dbg !10
a:
  call void @g(i32 1), !dbg !20
  br label %end, !dbg !10
b:
  call void @g(i32 1), !dbg !21
  br label %end, !dbg !10
end:
  ret void, !dbg !10
}

; One side has no location: a composite is kept whole, a bare one is not.
; CHECK-LABEL: define void @empty(
; CHECK: call void @g(i32 2), !dbg [[WHOLE:![0-9]+]]
; CHECK-NEXT: call void @g(i32 3)
; CHECK-NOT: !dbg
; CHECK-SAME: {{$}}
define void @empty(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  call void @g(i32 2), !dbg !20
  call void @g(i32 3), !dbg !10
  br label %end
b:
  call void @g(i32 2)
  call void @g(i32 3)
  br label %end
end:
  ret void
}

declare void @g(i32)

; CHECK-DAG: [[SP:![0-9]+]] = distinct !DISubprogram(name: "hoist"
; CHECK: [[ONE]] = !{[[P:![0-9]+]], [[L1:![0-9]+]], [[L2:![0-9]+]], [[L3:![0-9]+]]}
; CHECK-NEXT: [[P]] = !DILocation(line: 2, scope: [[SP]])
; CHECK-NEXT: [[L1]] = !{!"TileIR", [[T:![0-9]+]]}
; CHECK-NEXT: [[T]] = !DILocation(line: 100, column: 10, scope: {{![0-9]+}})
; CHECK: [[L2]] = !{!"MLIR", [[M:![0-9]+]]}
; CHECK-NEXT: [[M]] = !DILocation(line: 0, scope: {{![0-9]+}})
; CHECK: [[L3]] = !{!"LLIR", [[X:![0-9]+]]}
; CHECK-NEXT: [[X]] = !DILocation(line: 7, scope: {{![0-9]+}})

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "hoist", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!10 = !DILocation(line: 9, scope: !5)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 2, column: 9, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 200, column: 1, scope: !7)
!15 = !DILocation(line: 201, column: 1, scope: !7)
!16 = !DILocation(line: 7, scope: !7)
!20 = !{!11, !{!"TileIR", !13}, !{!"MLIR", !14}}
!21 = !{!12, !{!"LLIR", !16}, !{!"MLIR", !15}, !{!"TileIR", !13}}
