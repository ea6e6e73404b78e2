; A kernel in kernel.py, and what was made of it in TileIR and MLIR. @scale is inlined into @kernel.
declare void @store(i32)

define void @scale(i32 %x) alwaysinline !dbg !10 {
  %d = add i32 %x, %x, !dbg !13
  call void @store(i32 %d), !dbg !14
  ret void, !dbg !12
}

define void @kernel(i1 %c, i32 %x) !dbg !20 {
  br i1 %c, label %then, label %else, !dbg !27
then:
  call void @store(i32 %x), !dbg !28
  br label %end, !dbg !27
else:
  call void @store(i32 %x), !dbg !29
  call void @scale(i32 %x), !dbg !30
  br label %end, !dbg !27
end:
  ret void, !dbg !23
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!llvm.intermediate_level_source = !{!6, !7}

!0 = distinct !DICompileUnit(language: DW_LANG_Python, file: !1, producer: "by hand", emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.py", directory: "src")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "kernel.tile", directory: ".")
!5 = !DIFile(filename: "kernel.mlir", directory: ".")
!6 = !{!"TileIR", !4, !"entry @scale {\0A  %d = addi %x, %x\0A  store %d\0A}\0Aentry @kernel {\0A  if %c { store %x } else { store %x; call @scale }\0A}\0A"}
!7 = !{!"MLIR", !5, !"func.func @kernel(%c: i1, %x: i32) {\0A  scf.if %c {\0A    memref.store %x\0A  }\0A}\0A"}

; @scale: two instructions with a layer
!10 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 1, type: !2, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 2, column: 5, scope: !10)
!12 = !DILocation(line: 3, column: 3, scope: !10)
!13 = !{!11, !{!"TileIR", !DILocation(line: 2, column: 3, scope: !15)}}
!14 = !{!12, !{!"TileIR", !DILocation(line: 3, column: 3, scope: !15)}}
!15 = !DILexicalBlockFile(scope: !10, file: !4, discriminator: 0)

; @kernel: a bare location, and three with layers
!20 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 5, type: !2, scopeLine: 5, spFlags: DISPFlagDefinition, unit: !0)
!21 = !DILocation(line: 7, column: 5, scope: !20)
!22 = !DILocation(line: 7, column: 9, scope: !20)
!23 = !DILocation(line: 9, column: 3, scope: !20)
!24 = !DILexicalBlockFile(scope: !20, file: !4, discriminator: 0)
!25 = !DILexicalBlockFile(scope: !20, file: !5, discriminator: 0)
!27 = !DILocation(line: 6, column: 3, scope: !20)
!28 = !{!21, !{!"TileIR", !DILocation(line: 6, column: 11, scope: !24)}, !{!"MLIR", !DILocation(line: 3, column: 5, scope: !25)}}
!29 = !{!22, !{!"TileIR", !DILocation(line: 6, column: 29, scope: !24)}}
!30 = !{!23, !{!"TileIR", !DILocation(line: 6, column: 39, scope: !24)}}
