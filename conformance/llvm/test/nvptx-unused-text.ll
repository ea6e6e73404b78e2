; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; A text of a file that no layer names is not written, and neither is a section without another text.

; CHECK: .loc_intermediate {{[0-9]+}} 50 1
; CHECK-NOT: .nv_intermediate_source_section
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 2, ptr %p, !dbg !21
  ret void, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!30}
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
!30 = !{!"MLIR", !31, !"text"}
!31 = !DIFile(filename: "other.mlir", directory: "/x")
