; Layers in the form irlayers: two lists at one position, a line 0, a call site with layers.
define void @f(i1 %c) !dbg !5 {
  call void @h(), !dbg !10
  call void @h(), !dbg !11
  call void @h()
  call void @h(), !dbg !12
  call void @h(), !dbg !11
  ret void, !dbg !13
}

define void @g() !dbg !6 {
  call void @h(), !dbg !14
  ret void, !dbg !14
}

declare void @h()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = !DIFile(filename: "soft.mlir", directory: "build", source: "module {\0A}\0A")
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 8, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DIFile(filename: "pass2.gpu", directory: "/ir", checksumkind: CSK_MD5, checksum: "5d41402abc4b2a76b9719d911017c592", source: "gpu")
!8 = !DILayerLocList(!DILayerLoc(line: 30, column: 7, file: !4, kind: "low"))
!9 = !DILayerLocList(!DILayerLoc(line: 40, file: !4, kind: "low"), !DILayerLoc(line: 0, file: !7, kind: "gpu"))
!10 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !8)
!11 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !9)
!12 = !DILocation(line: 0, scope: !5)
!13 = !DILocation(line: 5, scope: !5, irlayers: !DILayerLocList(!DILayerLoc(line: 1, file: !15, kind: "bare")))
!14 = !DILocation(line: 2, column: 1, scope: !5, inlinedAt: !16)
!15 = !DIFile(filename: "plain.mlir", directory: "build")
!16 = distinct !DILocation(line: 9, column: 3, scope: !6, irlayers: !17)
!17 = !DILayerLocList(!DILayerLoc(line: 6, column: 1, file: !7, kind: "gpu"))
