; REQUIRES: x86-registered-target
; RUN: llc -mtriple=i686 -filter-print-funcs=tails -print-after=branch-folder %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TAIL
; BranchFolding merges layers of equal tails, in 32 bits.

; TAIL-LABEL: # Machine code for function tails
; TAIL: MOV32mi {{.*}} a.py:12:5, TileIR: tile.mlir:100{{$}}
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
define void @tails(i32 %c, ptr %p) !dbg !25 {
entry:
  switch i32 %c, label %end [ i32 1, label %a
    i32 5, label %b ], !dbg !27
a:
  call void @two(), !dbg !27
  tail call void @one(), !dbg !27
  store volatile i32 1, ptr %p, !dbg !26
  store volatile i32 2, ptr %p, !dbg !26
  store volatile i32 3, ptr %p, !dbg !26
  ret void, !dbg !27
b:
  tail call void @two(), !dbg !27
  store volatile i32 1, ptr %p, !dbg !28
  store volatile i32 2, ptr %p, !dbg !28
  store volatile i32 3, ptr %p, !dbg !28
  ret void, !dbg !27
end:
  ret void, !dbg !27
}
declare void @one()
declare void @two()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
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
!25 = distinct !DISubprogram(name: "tails", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !{!27, !{!"TileIR", !12}}
!27 = !DILocation(line: 12, column: 5, scope: !25)
!28 = !{!27, !{!"TileIR", !14}}
