; For tests/bitcode/old-readers.py, in the form irlayers: a list that one function uses, and a location with isImplicitCode without one.
define void @one() !dbg !10 {
  call void asm sideeffect "nop", ""(), !dbg !11
  call void asm sideeffect "nop", ""(), !dbg !11
  call void asm sideeffect "nop", ""(), !dbg !12
  ret void
}

define void @two() !dbg !20 {
  call void asm sideeffect "nop", ""(), !dbg !21
  ret void, !dbg !22
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "a.mlir", directory: ".")

!10 = distinct !DISubprogram(name: "one", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 2, column: 5, scope: !10, isImplicitCode: true, irlayers: !30)
!12 = !DILocation(line: 3, column: 5, scope: !10, isImplicitCode: true)

!20 = distinct !DISubprogram(name: "two", scope: !1, file: !1, line: 11, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!21 = !DILocation(line: 12, column: 5, scope: !20)
!22 = !DILocation(line: 13, column: 3, scope: !20)

!30 = !DILayerLocList(!31)
!31 = !DILayerLoc(line: 210, column: 4, file: !4, kind: "MLIR")
