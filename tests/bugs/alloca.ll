; The caller wants no line tables of what is inlined; an alloca of the callee has a location.
define void @f() #0 !dbg !4 {
  call void @g(), !dbg !5
  ret void, !dbg !5
}
define internal void @g() !dbg !6 {
  %a = alloca i32, align 4, !dbg !7
  store volatile i32 0, ptr %a, align 4, !dbg !7
  ret void, !dbg !7
}
attributes #0 = { "no-inline-line-tables" }
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, type: !3, spFlags: DISPFlagDefinition, unit: !2)
!5 = !DILocation(line: 8, scope: !4)
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 9, type: !3, spFlags: DISPFlagDefinition, unit: !2)
!7 = !DILocation(line: 10, scope: !6)
