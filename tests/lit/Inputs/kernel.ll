; A function for NVPTX, of which every LLVM makes one instruction each: two layers, one of them with a text, an inlined
; call, a primary at line 0, and instructions without layers. Two locations have the place k.py:6:9 with other layers.
target triple = "nvptx64-nvidia-cuda"

define i32 @kernel(i32 %a, i32 %b) !dbg !6 {
  %x = mul i32 %a, %b, !dbg !20
  %y = xor i32 %x, %a, !dbg !21
  %z = shl i32 %y, %x, !dbg !22
  %u = sub i32 %z, %b, !dbg !23
  %v = and i32 %u, %x, !dbg !24
  %w = or i32 %v, %z, !dbg !25
  %r = mul i32 %w, %u, !dbg !26
  ret i32 %r, !dbg !27
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!llvm.intermediate_level_source = !{!15}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.py", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3, type: !4, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!7 = distinct !DISubprogram(name: "helper", scope: !1, file: !1, line: 20, type: !4, scopeLine: 20, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!8 = distinct !DILocation(line: 8, column: 12, scope: !6)

!10 = !DIFile(filename: "k.tileir", directory: "")
!11 = !DILexicalBlockFile(scope: !6, file: !10, discriminator: 0)
!12 = !DIFile(filename: "k.mlir", directory: "/tmp")
!13 = !DILexicalBlockFile(scope: !6, file: !12, discriminator: 0)
!15 = !{!"TileIR", !10, !"%0 = muli\0A%1 = xori\0A"}

!20 = !{!30, !{!"TileIR", !40}, !{!"MLIR", !41}}
!21 = !{!31, !{!"TileIR", !42}}
!22 = !{!31, !{!"TileIR", !43}}
!23 = !DILocation(line: 7, column: 5, scope: !6)
!24 = !{!32, !{!"MLIR", !44}}
!25 = !{!33, !{!"TileIR", !45}}
!26 = !DILocation(line: 0, scope: !6)
!27 = !DILocation(line: 9, column: 3, scope: !6)
!30 = !DILocation(line: 5, column: 13, scope: !6)
!31 = !DILocation(line: 6, column: 9, scope: !6)
!32 = !DILocation(line: 21, column: 7, scope: !7, inlinedAt: !8)
!33 = !DILocation(line: 0, scope: !6)
!40 = !DILocation(line: 1, column: 6, scope: !11)
!41 = !DILocation(line: 31, column: 2, scope: !13)
!42 = !DILocation(line: 2, column: 6, scope: !11)
!43 = !DILocation(line: 3, column: 6, scope: !11)
!44 = !DILocation(line: 44, column: 4, scope: !13)
!45 = !DILocation(line: 5, column: 6, scope: !11)
