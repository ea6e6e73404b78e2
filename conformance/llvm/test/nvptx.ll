; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; RUN: llc -mtriple=nvptx-nvidia-cuda %s -o - | FileCheck %s
; A directive for each layer after the primary's; the embedded texts that they use at the end, in files named by the MD5 of the text.

; CHECK-LABEL: .visible .func f(
; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[TILE:[0-9]+]] 100 10
; CHECK-NEXT: .loc_intermediate [[MLIR:[0-9]+]] 200 1
; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[TILE]] 101 3
; A layer at line 0 has a directive, too.
; CHECK-NEXT: .loc_intermediate [[PLAIN:[0-9]+]] 0 0
; CHECK-NOT: .loc
; CHECK: st.volatile
; A distinct tuple of the same parts is equal: nothing is written.
; CHECK-NOT: .loc
; CHECK: st.volatile
; Another kind makes another location. No text is of that kind. The layer that it takes the place of ends.
; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[PLAIN]] 101 3
; CHECK-NEXT: .loc_intermediate [[PLAIN]] 0 0
; CHECK-NEXT: .loc_intermediate [[TILE]] 0 0
; CHECK-NOT: .loc
; CHECK: st.volatile
; CHECK: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[PLAIN]] 0 0
; CHECK-NOT: .loc
; CHECK: .file 1 "src/a.py"
; CHECK-NEXT: .file [[TILE]] "./1cb251ec0d568de6a929b520c4aed8d1"
; CHECK-NEXT: .file [[MLIR]] "./mlir.mlir"
; CHECK-NEXT: .file [[PLAIN]] "./tile.mlir"
; CHECK: .nv_intermediate_source_section {
; CHECK-NEXT: .code_block {
; CHECK-NEXT: .ir_name: "TileIR"
; CHECK-NEXT: .sourceFileName: [[TILE]]
; CHECK-NEXT: .source_begin
; CHECK-NEXT: {{^}}text{{$}}
; CHECK-NEXT: .source_end
; CHECK-NEXT: }
; CHECK-NEXT: {{^}}}
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 2, ptr %p, !dbg !21
  store volatile i32 2, ptr %p, !dbg !22
  store volatile i32 2, ptr %p, !dbg !23
  store volatile i32 3, ptr %p, !dbg !11
  ret void, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!30, !31}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = !DIFile(filename: "mlir.mlir", directory: ".")
!9 = !DILexicalBlockFile(scope: !5, file: !8, discriminator: 0)
!10 = !DIFile(filename: "unused.mlir", directory: ".")
!11 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 200, column: 1, scope: !9)
!15 = !DILocation(line: 101, column: 3, scope: !7)
!16 = !DILocation(line: 0, scope: !7)
!20 = !{!11, !{!"TileIR", !13}, !{!"MLIR", !14}}
!21 = !{!11, !{!"TileIR", !15}, !{!"MLIR", !16}}
!22 = distinct !{!11, !{!"TileIR", !15}, !{!"MLIR", !16}}
!23 = !{!11, !{!"Tile", !15}, !{!"MLIR", !16}}
!30 = !{!"TileIR", !6, !"text"}
!31 = !{!"TileIR", !10, !"unused"}
