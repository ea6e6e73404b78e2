; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; Layers whose files have no embedded text are files of one name in two directories; there is no section without a text.

; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[X:[0-9]+]] 50 1
; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[Y:[0-9]+]] 50 1
; CHECK-DAG: .file [[X]] "/x/k.mlir"
; CHECK-DAG: .file [[Y]] "/y/k.mlir"
; CHECK-NOT: .nv_intermediate_source_section
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 2, ptr %p, !dbg !21
  ret void, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "k.mlir", directory: "/x")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = !DIFile(filename: "k.mlir", directory: "/y")
!9 = !DILexicalBlockFile(scope: !5, file: !8, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 50, column: 1, scope: !7)
!13 = !DILocation(line: 50, column: 1, scope: !9)
!20 = !{!11, !{!"MLIR", !12}}
!21 = !{!11, !{!"MLIR", !13}}
