; Layers where a tuple has none: on a call site, and on a debug record.
define void @f(i32 %x) !dbg !5 {
    #dbg_value(i32 %x, !20, !DIExpression(), !12)
  call void @g(), !dbg !11
  ret void, !dbg !10
}
declare void @g()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !DIFile(filename: "soft.mlir", directory: "build")
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILexicalBlockFile(scope: !5, file: !4, discriminator: 0)
!7 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 9, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!8 = !DILayerLocList(!9)
!9 = !DILayerLoc(line: 30, file: !4, kind: "low")
!10 = !DILocation(line: 2, scope: !5)
!11 = !DILocation(line: 10, scope: !7, inlinedAt: !13)
!12 = !DILocation(line: 2, scope: !5, irlayers: !8)
!13 = distinct !DILocation(line: 2, scope: !5, irlayers: !8)
!20 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 1, type: !21)
!21 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
