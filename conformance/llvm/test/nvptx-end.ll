; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; A text is written whatever its lines are, also one that PTX takes for its end. A layer ends before a location without it.

; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[X:[0-9]+]] 50 1
; CHECK: .loc 1 3 1
; CHECK-NEXT: .loc_intermediate [[X]] 0 0
; CHECK-NOT: .loc_intermediate
; CHECK: .file [[X]] "/x/9609ff5161c975075683b8b868449de9"
; CHECK-NEXT: .nv_intermediate_source_section {
; CHECK-NEXT: .code_block {
; CHECK-NEXT: .ir_name: "MLIR"
; CHECK-NEXT: .sourceFileName: [[X]]
; CHECK-NEXT: .source_begin
; CHECK-NEXT: {{^}}a
; CHECK-NEXT: {{^}} .source_end{{ ?$}}
; CHECK-NEXT: {{^}}b
; CHECK-NEXT: .source_end
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 2, ptr %p, !dbg !13
  ret void, !dbg !13
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!30}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "k.mlir", directory: "/x")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 3, column: 1, scope: !5)
!12 = !DILocation(line: 50, column: 1, scope: !7)
!20 = !{!11, !{!"MLIR", !12}}
!30 = !{!"MLIR", !6, !"a\0A .source_end \0Ab"}
