; A loop whose start has a layer, and a debug record.
define void @f(i1 %c, i32 %x) !dbg !5 {
  br label %loop, !dbg !10
loop:
    #dbg_value(i32 %x, !20, !DIExpression(), !10)
  br i1 %c, label %loop, label %end, !dbg !11, !llvm.loop !40
end:
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !DIFile(filename: "soft.mlir", directory: "build")
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILexicalBlockFile(scope: !5, file: !4, discriminator: 0)
!10 = !DILocation(line: 2, scope: !5)
!11 = !{!10, !{!"low", !DILocation(line: 30, column: 7, scope: !6)}}
!20 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 1, type: !21)
!21 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!40 = distinct !{!40, !11, !41}
!41 = !{!"llvm.loop.mustprogress"}
