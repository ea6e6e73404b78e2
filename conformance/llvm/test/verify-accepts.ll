; RUN: llvm-as %s -o /dev/null 2>&1 | count 0
; RUN: opt -S -passes=verify %s 2>&1 | FileCheck %s
; Shapes that a verifier has to accept.

; CHECK: {{^}}define void @f() !dbg
; CHECK-NEXT: !dbg
; CHECK-NEXT: !dbg
; CHECK-NEXT: !dbg
; CHECK-NEXT: !dbg
; CHECK-NEXT: ret void
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !20
  call void @g(i32 2), !dbg !21
  call void @g(i32 3), !dbg !22
  call void @g(i32 4), !dbg !23
  ret void
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!30}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = distinct !DISubprogram(name: "elsewhere", scope: !1, file: !6, line: 1, type: !3, unit: !0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 200, column: 1, scope: !8)
!20 = !{!11, !{!"TileIR", !13}, !{!"tileir", !14}, !{!"x y", !11}}
!21 = !{!11, !{!"TileIR", !13}}
!22 = distinct !{!11, !{!"TileIR", !13}}
!23 = !{!11, !24}
!24 = distinct !{!"TileIR", !13}
!30 = !{!"TileIR", !6, !""}
