; RUN: opt -S -passes=always-inline %s | FileCheck %s
; A composite in !llvm.loop is rewritten as an instruction's location is. With no-inline-line-tables instructions get the call's whole location.

; CHECK-LABEL: define void @caller(
; CHECK: br i1 %c, label %{{.*}}, label %{{.*}}, !dbg [[INLINED:![0-9]+]], !llvm.loop [[LOOP:![0-9]+]]
define void @caller(i1 %c) !dbg !5 {
  call void @callee(i1 %c), !dbg !20
  ret void, !dbg !11
}

; CHECK-LABEL: define void @no_tables(
; CHECK: br i1 %c, label %{{.*}}, label %{{.*}}, !dbg [[CALL:![0-9]+]]
define void @no_tables(i1 %c) "no-inline-line-tables" !dbg !10 {
  call void @callee(i1 %c), !dbg !23
  ret void, !dbg !17
}

define internal void @callee(i1 %c) alwaysinline !dbg !8 {
entry:
  br label %loop, !dbg !12
loop:
  br i1 %c, label %loop, label %end, !dbg !21, !llvm.loop !22
end:
  ret void, !dbg !12
}

; CHECK: [[P:![0-9]+]] = !DILocation(line: 7, column: 3, scope: {{![0-9]+}}, inlinedAt: {{![0-9]+}})
; CHECK: [[INLINED]] = !{[[P]], [[LAYER:![0-9]+]]}
; CHECK-NEXT: [[LAYER]] = !{!"TileIR", [[T:![0-9]+]]}
; CHECK-NEXT: [[T]] = !DILocation(line: 42, column: 1, scope: {{![0-9]+}})
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[P]], [[INLINED]]}
; CHECK: [[CALL]] = !{[[C:![0-9]+]], [[CALLLAYER:![0-9]+]]}
; CHECK-NEXT: [[C]] = !DILocation(line: 30, column: 5, scope: {{![0-9]+}})
; CHECK-NEXT: [[CALLLAYER]] = !{!"TileIR", [[CT:![0-9]+]]}
; CHECK-NEXT: [[CT]] = !DILocation(line: 60, column: 2, scope: {{![0-9]+}})

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "caller", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = distinct !DISubprogram(name: "callee", scope: !1, file: !1, line: 6, type: !3, unit: !0)
!9 = !DILexicalBlockFile(scope: !8, file: !6, discriminator: 0)
!10 = distinct !DISubprogram(name: "no_tables", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!11 = !DILocation(line: 20, column: 5, scope: !5)
!12 = !DILocation(line: 7, column: 3, scope: !8)
!13 = !DILocation(line: 60, column: 2, scope: !7)
!14 = !DILocation(line: 42, column: 1, scope: !9)
!17 = !DILocation(line: 30, column: 5, scope: !10)
!20 = !{!11, !{!"TileIR", !13}}
!21 = !{!12, !{!"TileIR", !14}}
!22 = distinct !{!22, !12, !21}
!23 = !{!17, !{!"TileIR", !13}}
