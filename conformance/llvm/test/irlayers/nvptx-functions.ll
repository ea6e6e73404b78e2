; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; RUN: llc -mtriple=nvptx-nvidia-cuda %s -o - | FileCheck %s
; A function begins without layers: a list that the function before ended with is written again.

; CHECK-LABEL: func f(
; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[FILE:[0-9]+]] 30 1
; CHECK-LABEL: func g(
; CHECK: .loc 1 12 5
; CHECK-NEXT: .loc_intermediate [[FILE]] 30 1
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !11
  ret void, !dbg !11
}
define void @g(ptr %p) !dbg !6 {
  store volatile i32 1, ptr %p, !dbg !12
  ret void, !dbg !12
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 21, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
!9 = !DILayerLocList(!DILayerLoc(line: 30, column: 1, file: !8, kind: "P"))
!10 = !DILayerLocList(!DILayerLoc(line: 40, column: 1, file: !8, kind: "P"))
!11 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !9)
!12 = !DILocation(line: 12, column: 5, scope: !6, irlayers: !9)
!13 = !DILocation(line: 22, column: 5, scope: !7, inlinedAt: !16)
!14 = !DILocation(line: 22, column: 5, scope: !7, inlinedAt: !17)
!15 = !DILocation(line: 22, column: 5, scope: !7, inlinedAt: !18)
!16 = distinct !DILocation(line: 3, scope: !5, irlayers: !9)
!17 = distinct !DILocation(line: 4, scope: !5, irlayers: !10)
!18 = distinct !DILocation(line: 13, scope: !6, irlayers: !10)
