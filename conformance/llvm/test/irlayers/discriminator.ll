; RUN: opt -S -passes=add-discriminators %s | FileCheck %s
; Another discriminator makes another location, of the same layers.

; CHECK-LABEL: define void @f(
; CHECK: call void @g(i32 1), !dbg [[ONE:![0-9]+]]
; CHECK-NEXT: call void @g(i32 2), !dbg [[TWO:![0-9]+]]
; CHECK-DAG: [[ONE]] = !DILocation(line: 2, column: 5, scope: {{![0-9]+}}, irlayers: [[P:![0-9]+]])
; CHECK-DAG: [[TWO]] = !DILocation(line: 2, column: 5, scope: [[BLOCK:![0-9]+]], irlayers: [[P]])
; CHECK-DAG: [[BLOCK]] = !DILexicalBlockFile({{.*}}, discriminator: 2)
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !8
  call void @g(i32 2), !dbg !8
  ret void
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
!7 = !DIFile(filename: "soft.mlir", directory: "build")
!8 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !DILayerLocList(!DILayerLoc(line: 30, file: !7, kind: "P")))
