; RUN: llvm-as %s -o /dev/null 2>&1 | FileCheck %s --allow-empty
; What is no violation: line 0, repeated entries and kinds, distinct nodes, files without text or checksum, any number of layers, layers on every frame.

; CHECK-NOT: {{.}}
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !DILocation(line: 1, scope: !5, irlayers: !10)
  call void @g(i32 2), !dbg !DILocation(line: 0, scope: !6, inlinedAt: !11, irlayers: !9)
  ret void
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILayerLoc(file: !1, kind: "low")
!8 = distinct !DILayerLoc(line: 4, file: !1, kind: "low")
!9 = !DILayerLocList(!7, !7, !8)
!10 = distinct !DILayerLocList(!8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !8, !7)
!11 = distinct !DILocation(line: 3, scope: !5, irlayers: !10)
