; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s
; Locations in two included files merge to the line of their scope, and keep their common layer.

; CHECK-LABEL: define void @f(
; CHECK: call void @g(i32 1), !dbg [[MERGED:![0-9]+]]
; CHECK-DAG: [[F:![0-9]+]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[MERGED]] = !DILocation(line: 1, scope: [[F]], irlayers: [[LIST:![0-9]+]])
; CHECK-DAG: [[LIST]] = !DILayerLocList([[P:![0-9]+]])
; CHECK-DAG: [[P]] = !DILayerLoc(line: 30, file: {{![0-9]+}}, kind: "P")
define void @f(i1 %c) !dbg !5 {
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
declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "soft.mlir", directory: "build")
!7 = !DILexicalBlockFile(scope: !5, file: !DIFile(filename: "one.inc", directory: "src"), discriminator: 0)
!8 = !DILexicalBlockFile(scope: !5, file: !DIFile(filename: "two.inc", directory: "src"), discriminator: 0)
!10 = !DILocation(line: 3, scope: !5)
!11 = !DILayerLoc(line: 30, file: !6, kind: "P")
!12 = !DILayerLoc(line: 40, file: !6, kind: "Q")
!20 = !DILocation(line: 4, column: 2, scope: !7, irlayers: !DILayerLocList(!11))
!21 = !DILocation(line: 5, column: 1, scope: !8, irlayers: !DILayerLocList(!11, !12))
