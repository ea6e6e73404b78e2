; One function with locations that meet: two branches at one place, one folded into the other, instructions that move or are outlined.
define void @f(i1 %c) !dbg !5 {
  br i1 %c, label %a, label %b, !dbg !20
a:
  br label %b, !dbg !21
b:
  ret void, !dbg !22
}

define internal void @f.cold() !dbg !6 {
  ret void, !dbg !23
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.c", directory: "src")
!3 = !DIFile(filename: "a.mlir", directory: "src")
!5 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "f.cold", scope: !2, file: !2, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILayerLoc(line: 30, column: 1, file: !3, kind: "low")
!8 = !DILayerLoc(line: 40, column: 1, file: !3, kind: "low")
!9 = !DILayerLocList(!7, !8)
!10 = !DILayerLocList(!7)
!11 = !DILayerLocList(!8)
; line 4: a branch, the same place in another layer, with an atom, and once more
!20 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !10)
!21 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !11)
!22 = !DILocation(line: 6, column: 1, scope: !5, irlayers: !9)
!23 = !DILocation(line: 9, column: 1, scope: !6)
!24 = !DILocation(line: 7, column: 3, scope: !5, irlayers: !10)
!25 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !10, atomGroup: 3, atomRank: 1)
!26 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !10)
