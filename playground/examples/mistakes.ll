; What `verify` finds: the locations of these instructions are wrong, each in another way.
define void @f(i32 %x) !dbg !4 {
  %a = add i32 %x, 1, !dbg !6
  %b = add i32 %x, 2, !dbg !7
  %c = add i32 %x, 3, !dbg !8
  %d = add i32 %x, 4, !dbg !9
  %e = add i32 %x, 5, !dbg !10
  ret void, !dbg !5
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_Python, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "a.tile", directory: ".")
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !DISubroutineType(types: null), spFlags: DISPFlagDefinition, unit: !0)
!5 = !DILocation(line: 2, column: 3, scope: !4)

; the primary is no location
!6 = !{!3, !{!"TileIR", !5}}
; a layer is a location without a kind
!7 = !{!5, !5}
; the kind is empty
!8 = !{!5, !{!"", !11}}
; one kind twice
!9 = !{!5, !{!"TileIR", !11}, !{!"TileIR", !5}}
; a tuple without operands
!10 = !{}
!11 = !DILocation(line: 1, column: 1, scope: !12)
!12 = !DILexicalBlockFile(scope: !4, file: !3, discriminator: 0)
