; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s
; RUN: llvm-as %s -o - | llvm-dis | llvm-as -o - | llvm-dis | FileCheck %s
; Any number of layers, a repeated location, and one whose primary alone repeats.

; CHECK-LABEL: define void @f(
; CHECK-NEXT: call void @g(i32 1), !dbg [[ONE:![0-9]+]]
; CHECK-NEXT: call void @g(i32 2), !dbg [[ONE]]
; CHECK-NEXT: call void @g(i32 3), !dbg [[TWO:![0-9]+]]
; CHECK-NEXT: call void @g(i32 4), !dbg [[BARE:![0-9]+]]
; CHECK-NEXT: ret void
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !20
  call void @g(i32 2), !dbg !20
  call void @g(i32 3), !dbg !21
  call void @g(i32 4), !dbg !11
  ret void
}

declare void @g(i32)

; CHECK: [[ONE]] = !{[[BARE]], [[L1:![0-9]+]], [[L2:![0-9]+]], [[L3:![0-9]+]]}
; CHECK-NEXT: [[BARE]] = !DILocation(line: 2, column: 5, scope: {{![0-9]+}})
; CHECK-NEXT: [[L1]] = !{!"TileIR", [[T:![0-9]+]]}
; CHECK-NEXT: [[T]] = !DILocation(line: 100, column: 10, scope: {{![0-9]+}})
; CHECK: [[L2]] = !{!"MLIR", [[M:![0-9]+]]}
; CHECK-NEXT: [[M]] = !DILocation(line: 200, column: 1, scope: {{![0-9]+}}, inlinedAt: [[BARE]], isImplicitCode: true)
; CHECK-NEXT: [[L3]] = !{!"LLIR", [[BARE]]}
; CHECK-NEXT: [[TWO]] = !{[[BARE]], [[L2]]}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 200, column: 1, scope: !7, inlinedAt: !11, isImplicitCode: true)
!20 = !{!11, !{!"TileIR", !13}, !{!"MLIR", !14}, !{!"LLIR", !11}}
!21 = !{!11, !{!"MLIR", !14}}
