; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; RUN: llc -mtriple=nvptx-nvidia-cuda %s -o - | FileCheck %s
; What code generation sinks has directives for its merged layers.

; CHECK: .loc_intermediate [[FILE:[0-9]+]] 100 0
; CHECK: mul.lo.s32
; CHECK-NEXT: .loc 1 2 5
; CHECK-NEXT: .loc_intermediate [[FILE]] 100 10
; CHECK-NEXT: add.s32
define i32 @sink(i1 %c, i32 %x, ptr %p) !dbg !5 {
entry:
  %m = mul i32 %x, 7, !dbg !21
  br i1 %c, label %use, label %end, !dbg !11
use:
  %r = sub i32 %m, 5, !dbg !20
  store volatile i32 %r, ptr %p, !dbg !11
  ret i32 %m, !dbg !11
end:
  ret i32 0, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 100, column: 10, scope: !7)
!20 = !{!11, !{!"TileIR", !12}}
!13 = !DILocation(line: 3, column: 5, scope: !5)
!14 = !DILocation(line: 100, column: 12, scope: !7)
!21 = !{!13, !{!"TileIR", !14}}
