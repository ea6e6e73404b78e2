; RUN: not llvm-as %s -o /dev/null 2>&1 | FileCheck %s
; An entry of the list of sources that is none makes the module invalid.

; CHECK: incorrect number of operands in llvm.intermediate_level_source metadata entry (expected !{kind, filename, source})
; CHECK: invalid kind operand in llvm.intermediate_level_source metadata entry (expected metadata string)
; CHECK: invalid file operand in llvm.intermediate_level_source metadata entry (expected DIFile)
; CHECK: invalid source operand in llvm.intermediate_level_source metadata entry (expected metadata string)
!llvm.intermediate_level_source = !{!1, !2, !3, !4, !5}
!0 = !DIFile(filename: "tile.mlir", directory: ".")
!1 = !{!"TileIR", !0, !"text"}
!2 = !{!"TileIR", !0}
!3 = !{null, !0, !"text"}
!4 = !{!"TileIR", !"tile.mlir", !"text"}
!5 = !{!"TileIR", !0, !0}
