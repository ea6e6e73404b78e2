; For fuzz_assemble: the location of a debug record has layers, and a list has the name that dloc would give its own.
define void @f(i32 %x) !dbg !0 {
    #dbg_value(i32 %x, !8, !DIExpression(), !4)
  ret void, !dbg !4
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!10}
!dloc.layers = !{!2}
!0 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/d")
!3 = !DISubroutineType(types: !{})
!4 = !{!5, !{!"MLIR", !6}}
!5 = !DILocation(line: 2, column: 1, scope: !0)
!6 = !DILocation(line: 9, column: 3, scope: !7)
!7 = !DILexicalBlockFile(scope: !0, file: !9, discriminator: 0)
!8 = !DILocalVariable(name: "x", scope: !0, file: !2, line: 1)
!9 = !DIFile(filename: "k.mlir", directory: "/d")
!10 = !{i32 2, !"Debug Info Version", i32 3}
