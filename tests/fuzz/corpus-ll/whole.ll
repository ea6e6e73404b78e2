define weak void @f(i32 %x) #0 personality ptr @p !dbg !2 {
entry:
  %a = alloca i32, align 4, !dbg !3, !x !{!1, i32 0}
    #dbg_value(i32 %x, !7, !DIExpression(), !3)
  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !3
  call void @"g\20h"(i32 1), !dbg !DILocation(line: 1, scope: !2)
  switch i32 %v, label %d [
    i32 0, label %a
  ], !dbg !6
}
attributes #0 = { alwaysinline "no-inline-line-tables" }
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)
!3 = !DILocation(line: 7, column: 3, scope: !2)
!4 = !DILocation(line: 8, scope: !2, inlinedAt: !5)
!5 = distinct !DILocation(line: 9, scope: !2)
!6 = !{!3, !{!"TileIR", !4}}
!7 = !DILocalVariable(name: "x", scope: !2)
