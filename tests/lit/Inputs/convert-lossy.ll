; What a list of layers cannot say: blocks, a chain of a layer's own, an entry for a kind that no layer has.
define void @f() !dbg !5 {
  call void @g(), !dbg !11
  call void @g(), !dbg !12
  ret void, !dbg !11
}
declare void @g()

!llvm.intermediate_level_source = !{!50}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !DIFile(filename: "soft.mlir", directory: "build")
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILexicalBlockFile(scope: !5, file: !4, discriminator: 0)
!7 = !DILexicalBlock(scope: !5, file: !4, line: 2)
!10 = !DILocation(line: 2, scope: !5)
!11 = !{!10, !{!"low", !DILocation(line: 30, column: 7, scope: !7)}}
!12 = !{!DILocation(line: 3, scope: !5), !{!"low", !DILocation(line: 31, scope: !7, inlinedAt: !13)}}
!13 = distinct !DILocation(line: 2, scope: !5)
!50 = !{!"high", !4, !"x"}
