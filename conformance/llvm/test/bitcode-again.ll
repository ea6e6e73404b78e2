; RUN: llvm-as %s -o - | llvm-bcanalyzer --dump | FileCheck %s
; A distinct tuple of equal content is another node, so its records are written again.

; CHECK: <DEBUG_LOC {{.*}}op0=2 op1=5
; CHECK-NEXT: <DEBUG_LOC {{.*}}op0=100
; CHECK: <DEBUG_LOC {{.*}}op0=2 op1=5
; CHECK-NEXT: <DEBUG_LOC {{.*}}op0=100
; CHECK: <DEBUG_LOC_AGAIN/>
define void @f() !dbg !5 {
  call void @g(), !dbg !20
  call void @g(), !dbg !21
  ret void, !dbg !21
}
declare void @g()

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
!13 = !DILocation(line: 100, column: 10, scope: !8)
!20 = !{!11, !{!"TileIR", !13}}
!21 = distinct !{!11, !{!"TileIR", !13}}
