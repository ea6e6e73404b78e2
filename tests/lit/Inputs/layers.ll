; A kernel in three representations: kernel.py, and what was made of it in TileIR and MLIR. @scale is inlined into @kernel.
declare void @store(i32)

define void @scale(i32 %x) alwaysinline !dbg !10 {
  %d = add i32 %x, %x, !dbg !30
  call void @store(i32 %d), !dbg !31
  ret void, !dbg !12
}

define void @kernel(i1 %c, i32 %x) !dbg !20 {
  br i1 %c, label %then, label %else, !dbg !40
then:
  call void @store(i32 %x), !dbg !41
  br label %end, !dbg !40
else:
  call void @store(i32 %x), !dbg !42
  call void @scale(i32 %x), !dbg !43
  br label %end, !dbg !40
end:
  ret void, !dbg !23
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!llvm.intermediate_level_source = !{!60, !61}

!0 = distinct !DICompileUnit(language: DW_LANG_Python, file: !1, producer: "by hand", emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.py", directory: "src")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "kernel.tile", directory: ".")
!5 = !DIFile(filename: "kernel.mlir", directory: ".")

!10 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 1, type: !2, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 2, column: 5, scope: !10)
!12 = !DILocation(line: 3, column: 3, scope: !10)
!13 = !DILexicalBlockFile(scope: !10, file: !4, discriminator: 0)

!20 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 5, type: !2, scopeLine: 5, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DILocation(line: 7, column: 5, scope: !20)
!22 = !DILocation(line: 7, column: 9, scope: !20)
!23 = !DILocation(line: 9, column: 3, scope: !20)
!24 = !DILexicalBlockFile(scope: !20, file: !4, discriminator: 0)
!25 = !DILexicalBlockFile(scope: !20, file: !5, discriminator: 0)

; @scale: two instructions with a TileIR layer
!30 = !{!11, !{!"TileIR", !DILocation(line: 101, column: 3, scope: !13)}}
!31 = !{!12, !{!"TileIR", !DILocation(line: 102, column: 3, scope: !13)}}

; @kernel: a bare location, and three with layers
!40 = !DILocation(line: 6, column: 3, scope: !20)
!41 = !{!21, !{!"TileIR", !DILocation(line: 110, column: 4, scope: !24)}, !{!"MLIR", !DILocation(line: 40, scope: !25)}}
!42 = !{!22, !{!"TileIR", !DILocation(line: 110, column: 8, scope: !24)}}
!43 = !{!23, !{!"TileIR", !DILocation(line: 120, column: 1, scope: !24)}}

!60 = !{!"TileIR", !4, !"entry @kernel() {\0A  store\0A}\0A"}
!61 = !{!"MLIR", !5, !"func.func @kernel()\0A"}
