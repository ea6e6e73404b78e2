; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s
; A call site that two functions share stands in the module's block, those of one function in the function's: all have lists.

; CHECK: call void @use(), !dbg [[A:![0-9]+]]
; CHECK: call void @use(), !dbg [[B:![0-9]+]]
; CHECK-DAG: [[A]] = !DILocation(line: 30, scope: {{![0-9]+}}, inlinedAt: [[OWN:![0-9]+]])
; CHECK-DAG: [[OWN]] = distinct !DILocation(line: 21, column: 3, scope: {{![0-9]+}}, inlinedAt: [[SHARED:![0-9]+]], irlayers: [[P:![0-9]+]])
; CHECK-DAG: [[SHARED]] = distinct !DILocation(line: 20, scope: {{![0-9]+}}, irlayers: [[P]])
; CHECK-DAG: [[B]] = !DILocation(line: 31, scope: {{![0-9]+}}, inlinedAt: [[SHARED]], irlayers: [[P]])
; CHECK-DAG: [[P]] = !DILayerLocList({{![0-9]+}})
define void @f() !dbg !5 {
  call void @use(), !dbg !11
  ret void
}
define void @g() {
  call void @use(), !dbg !12
  ret void
}
declare void @use()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIFile(filename: "tile.mlir", directory: ".")
!9 = !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !8, kind: "k"))
!11 = !DILocation(line: 30, scope: !7, inlinedAt: !21)
!12 = !DILocation(line: 31, scope: !7, inlinedAt: !20, irlayers: !9)
!20 = distinct !DILocation(line: 20, scope: !5, irlayers: !9)
!21 = distinct !DILocation(line: 21, column: 3, scope: !7, inlinedAt: !20, irlayers: !9)
