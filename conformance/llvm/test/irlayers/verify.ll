; RUN: llvm-as %s -o /dev/null 2>&1 | FileCheck %s
; Every violation is reported once, in the order of the walk, and the debug info dropped.

; CHECK: irlayers must be a DILayerLocList
; CHECK-NEXT: !DILocation(line: 1,
; CHECK-NEXT: !DILayerLoc(line: 3, file: !{{[0-9]+}}, kind: "")
; CHECK-NEXT: layer kind must be a non-null MDString
; CHECK-NEXT: !DILayerLoc(line: 3, file: !{{[0-9]+}}, kind: "")
; CHECK-NEXT: DILayerLocList must be non-empty
; CHECK-NEXT: !DILayerLocList()
; CHECK-NEXT: DILayerLocList entry must be a DILayerLoc
; CHECK-NEXT: !DILayerLocList(
; CHECK-NEXT: !DIFile(
; CHECK-NEXT: layer file must be a non-null DIFile
; CHECK-NEXT: !DILayerLoc(line: 5,
; CHECK-NEXT: distinct !DISubprogram(
; CHECK-NEXT: DILayerLocList entry must be a DILayerLoc
; CHECK-NEXT: !DILayerLocList(
; CHECK-NEXT: {{^}}!"text"
; CHECK-NEXT: warning: ignoring invalid debug info
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !DILocation(line: 1, scope: !5, irlayers: !8)
  call void @g(i32 2), !dbg !DILocation(line: 2, scope: !5, irlayers: !9)
  call void @g(i32 3), !dbg !DILocation(line: 3, scope: !5, irlayers: !10)
  call void @g(i32 4), !dbg !DILocation(line: 4, scope: !5, irlayers: !12)
  call void @g(i32 5), !dbg !DILocation(line: 5, scope: !5, irlayers: !13)
  call void @g(i32 6), !dbg !DILocation(line: 6, scope: !5, irlayers: !13)
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
!8 = !DILayerLoc(line: 3, file: !5, kind: "")
!9 = !DILayerLocList()
!10 = !DILayerLocList(!1, !11, !"text")
!11 = !DILayerLoc(line: 4, file: !1, kind: "low")
!12 = !DILayerLocList(!DILayerLoc(line: 5, file: !5, kind: "low"))
!13 = !DILayerLocList(!11, !"text")
