; layers, debug records, a loop and a call to inline
declare void @h(i32)
define void @g(i32 %x) #0 !dbg !6 {
  #dbg_value(i32 %x, !7, !DIExpression(), !8)
  call void @h(i32 %x), !dbg !9
  ret void, !dbg !8
}
define void @"f\22"(i32 %x) !dbg !10 {
entry:
  br label %loop, !dbg !11
loop:
  call void @g(i32 %x), !dbg !12
  br i1 true, label %loop, label %end, !dbg !11, !llvm.loop !13
end:
  ret void, !dbg !14
}
attributes #0 = { alwaysinline "k"="v" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.py", directory: "src\5C")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "k.tile", directory: ".")
!4 = !{!"TileIR", !3, !"store\0A"}
!5 = !DISubroutineType(types: !{null})
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocalVariable(name: "x", scope: !6, file: !1, line: 1)
!8 = !DILocation(line: 2, column: 1, scope: !6)
!9 = !{!8, !{!"TileIR", !DILocation(line: 100, scope: !DILexicalBlockFile(scope: !6, file: !3, discriminator: 0))}}
!10 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 5, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 7, column: 3, scope: !10)
!12 = !{!11, !{!"TileIR", !15}}
!13 = distinct !{!13, !11, !14, !{!"llvm.loop.mustprogress"}}
!14 = !DILocation(line: 8, column: 9, scope: !10)
!15 = !DILocation(line: 120, scope: !DILexicalBlockFile(scope: !10, file: !3, discriminator: 0))
