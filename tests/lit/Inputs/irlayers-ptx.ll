; Layers of the form irlayers, as PTX sees them: two lists at one place, a list that repeats, two layers in one list.
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 2, ptr %p, !dbg !20
  store volatile i32 3, ptr %p, !dbg !21
  store volatile i32 4, ptr %p, !dbg !22
  ret void, !dbg !23
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = !DIFile(filename: "k.tile", directory: ".", checksumkind: CSK_MD5, checksum: "1cb251ec0d568de6a929b520c4aed8d1", source: "text")
!10 = !DILayerLoc(line: 30, column: 1, file: !6, kind: "TileIR")
!11 = !DILayerLoc(line: 40, column: 1, file: !6, kind: "TileIR")
!12 = !DILayerLocList(!10)
!13 = !DILayerLocList(!11)
!14 = !DILayerLocList(!10, !11)
!20 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !12)
!21 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !13)
!22 = !DILocation(line: 5, column: 2, scope: !5, irlayers: !14)
!23 = !DILocation(line: 6, column: 1, scope: !5)
