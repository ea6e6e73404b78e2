; RUN: opt -S -passes=loop-extract %s | FileCheck %s
; Code that moves into a function of its own gets a primary there; its layers stay as they are, those of its loops too.

; CHECK-LABEL: define internal void @f.loop(
; CHECK: br i1 %c, label %loop, label %{{.*}}, !dbg [[LOC:![0-9]+]], !llvm.loop [[LOOP:![0-9]+]]
define void @f(i1 %c) !dbg !5 {
entry:
  br i1 %c, label %before, label %end, !dbg !11
before:
  br label %loop, !dbg !11
loop:
  br i1 %c, label %loop, label %after, !dbg !20, !llvm.loop !21
after:
  br label %end, !dbg !11
end:
  ret void, !dbg !11
}

; CHECK: [[LAYER:![0-9]+]] = !{!"TileIR", {{![0-9]+}}}
; CHECK: [[SP:![0-9]+]] = distinct !DISubprogram({{.*}}linkageName: "f.loop"
; CHECK-NEXT: [[LOC]] = !{[[P:![0-9]+]], [[LAYER]]}
; CHECK-NEXT: [[P]] = !DILocation(line: 2, column: 5, scope: [[SP]])
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[LOC]]}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!11 = !DILocation(line: 1, column: 1, scope: !5)
!12 = !DILocation(line: 2, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!20 = !{!12, !{!"TileIR", !13}}
!21 = distinct !{!21, !20}
