; What annotating and projecting have to look at: records, a loop, instructions without location or without a subprogram, a call that
; must have a location, and the same kind at two places of a tuple.
declare void @llvm.dbg.value(metadata, metadata, metadata)

define void @callee() !dbg !10 {
  ret void, !dbg !11
}

define void @caller(i1 %c, i32 %x) !dbg !20 {
    #dbg_value(i32 %x, !25, !DIExpression(), !22)
  br label %loop

loop:
  call void @callee(), !dbg !30
  %y = add i32 %x, 1, !dbg !31
  %z = add i32 %y, 1
  br i1 %c, label %loop, label %end, !dbg !32, !llvm.loop !40

end:
  ret void, !annotation !7, !dbg !22
}

define void @no_subprogram() {
  call void @callee(), !dbg !21
  ret void
}

!llvm.intermediate_level_source = !{!50} ; the source
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: ".")
!2 = !DISubroutineType(types: !4)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{null}
!5 = !DIFile(filename: "a.tile", directory: ".")
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !{!"auto-init"}
!10 = distinct !DISubprogram(name: "callee", scope: !1, file: !1, line: 1, type: !2, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 2, column: 3, scope: !10)
!20 = distinct !DISubprogram(name: "caller", scope: !1, file: !1, line: 4, type: !2, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DILocation(line: 5, column: 3, scope: !20)
!22 = !DILocation(line: 6, column: 3, scope: !20)
!23 = !DILexicalBlockFile(scope: !20, file: !5, discriminator: 0)
!24 = !DILocation(line: 100, column: 1, scope: !23)
!25 = !DILocalVariable(name: "x", scope: !20, file: !1, line: 4, type: !6)
!30 = !{!21, !33}
!31 = !{!21, !33, !34}
!32 = !{!22, !34}
!33 = !{!"MLIR", !35}
!34 = !{!"TileIR", !24}
!35 = !DILocation(line: 50, scope: !36)
!36 = !DILexicalBlockFile(scope: !20, file: !37, discriminator: 0)
!37 = !DIFile(filename: "a.mlir", directory: ".")
!40 = distinct !{!40, !32, !22, !41}
!41 = !{!"llvm.loop.mustprogress"}
!50 = !{!"TileIR", !5, !""}
