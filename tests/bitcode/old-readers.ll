; For tests/bitcode/old-readers.py: locations with layers, alone, repeated, and before a bare location with the same primary.
define void @one() !dbg !10 {
  call void asm sideeffect "nop", ""(), !dbg !20
  call void asm sideeffect "nop", ""(), !dbg !20
  call void asm sideeffect "nop", ""(), !dbg !11
  call void asm sideeffect "nop", ""()
  ret void, !dbg !12
}

; Two layers.
define void @two() !dbg !30 {
  call void asm sideeffect "nop", ""(), !dbg !40
  ret void, !dbg !32
}

; What stands in a record behind scope and inlinedAt. LLVM 22 knows atoms as well.
define void @more() !dbg !50 {
  call void asm sideeffect "nop", ""(), !dbg !60
  ret void, !dbg !51
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!llvm.intermediate_level_source = !{!6, !7}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "a.tile", directory: ".")
!5 = !DIFile(filename: "a.mlir", directory: ".")
!6 = !{!"TileIR", !4, !"entry"}
!7 = !{!"MLIR", !5, !"func"}

!10 = distinct !DISubprogram(name: "one", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 2, column: 5, scope: !10)
!12 = !DILocation(line: 3, column: 3, scope: !10)
!13 = !DILexicalBlockFile(scope: !10, file: !4, discriminator: 0)
!20 = !{!11, !{!"TileIR", !DILocation(line: 100, column: 10, scope: !13)}}

!30 = distinct !DISubprogram(name: "two", scope: !1, file: !1, line: 11, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!31 = !DILocation(line: 12, column: 5, scope: !30)
!32 = !DILocation(line: 13, column: 3, scope: !30)
!33 = !DILexicalBlockFile(scope: !30, file: !4, discriminator: 0)
!34 = !DILexicalBlockFile(scope: !30, file: !5, discriminator: 0)
!40 = !{!31, !{!"TileIR", !DILocation(line: 110, column: 10, scope: !33)}, !{!"MLIR", !DILocation(line: 210, column: 4, scope: !34)}}

!50 = distinct !DISubprogram(name: "more", scope: !1, file: !1, line: 21, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!51 = !DILocation(line: 22, column: 5, scope: !50, isImplicitCode: true)
!52 = !DILexicalBlockFile(scope: !50, file: !4, discriminator: 0)
!60 = !{!51, !{!"TileIR", !DILocation(line: 120, column: 10, scope: !52)}}
