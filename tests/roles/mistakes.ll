; Eight mistakes that a producer makes when it first writes layers; tests/roles/producer.md.
define void @kernel(i32 %x) !dbg !4 {
  %a = add i32 %x, 1, !dbg !20
  %b = add i32 %x, 2, !dbg !21
  %c = add i32 %x, 3, !dbg !22
  %d = add i32 %x, 4, !dbg !23
  %e = add i32 %x, 5, !dbg !24
  %f = add i32 %x, 6, !dbg !25
  ret void, !dbg !9
}

define void @other() !dbg !5 {
  ret void, !dbg !26
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_Python, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "k.mlir", directory: "src")
!4 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)
!5 = distinct !DISubprogram(name: "other", scope: !1, file: !1, line: 9, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DILexicalBlockFile(scope: !4, file: !3, discriminator: 0)
!7 = !DILocation(line: 1, column: 3, scope: !6)
!8 = !DILocation(line: 2, column: 3, scope: !6)
!9 = !DILocation(line: 2, column: 3, scope: !4)
!10 = !{!"MLIR", !"one\0Atwo"}
!20 = !{!9, !7}
!21 = !{!9, !{!"MLIR", !3}}
!22 = !{!9, !{!"", !7}}
!23 = !{!9, !{!"MLIR", !7}, !{!"MLIR", !8}}
!24 = !{!9}
!25 = !{!{!"MLIR", !7}, !9}
!26 = !{!9, !{!"MLIR", !7}}
