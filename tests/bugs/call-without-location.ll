; The callee has no subprogram, so the call needs no location; its instruction has one.
define void @f() !dbg !4 {
  call void @g()
  ret void
}
define internal void @g() {
  fence seq_cst, !dbg !6
  ret void
}
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, type: !3, spFlags: DISPFlagDefinition, unit: !2)
!5 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 9, type: !3, spFlags: DISPFlagDefinition, unit: !2)
!6 = !DILocation(line: 10, scope: !5)
