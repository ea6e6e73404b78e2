; RUN: opt -S -passes=always-inline %s | FileCheck %s
; The primary gets the inlinedAt, layers stay as they are. A callee without debug info gets the call's whole location.

; CHECK-LABEL: define void @caller(
; CHECK: call void @g(i32 1), !dbg [[INLINED:![0-9]+]]
; CHECK-NEXT: call void @g(i32 2), !dbg [[CALL:![0-9]+]]
; CHECK-NEXT: ret void
define void @caller() !dbg !5 {
  call void @callee(), !dbg !20
  call void @nodebug(), !dbg !20
  ret void, !dbg !11
}

define internal void @callee() alwaysinline !dbg !8 {
  call void @g(i32 1), !dbg !21
  ret void, !dbg !12
}

define internal void @nodebug() alwaysinline {
  call void @g(i32 2)
  ret void
}

declare void @g(i32)

; CHECK: [[CALLER:![0-9]+]] = distinct !DISubprogram(name: "caller"
; CHECK: [[INLINED]] = !{[[P:![0-9]+]], [[LAYER:![0-9]+]]}
; CHECK-NEXT: [[P]] = !DILocation(line: 7, column: 3, scope: [[CALLEE:![0-9]+]], inlinedAt: [[AT:![0-9]+]])
; CHECK-NEXT: [[CALLEE]] = distinct !DISubprogram(name: "callee"
; CHECK-NEXT: [[AT]] = distinct !DILocation(line: 20, column: 5, scope: [[CALLER]])
; CHECK-NEXT: [[LAYER]] = !{!"TileIR", [[T:![0-9]+]]}
; CHECK-NEXT: [[T]] = !DILocation(line: 42, column: 1, scope: {{![0-9]+}})
; CHECK: [[CALL]] = !{[[C:![0-9]+]], [[CALLLAYER:![0-9]+]]}
; CHECK-NEXT: [[C]] = !DILocation(line: 20, column: 5, scope: [[CALLER]])
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
!11 = !DILocation(line: 20, column: 5, scope: !5)
!12 = !DILocation(line: 7, column: 3, scope: !8)
!13 = !DILocation(line: 60, column: 2, scope: !7)
!14 = !DILocation(line: 42, column: 1, scope: !9)
!20 = !{!11, !{!"TileIR", !13}}
!21 = !{!12, !{!"TileIR", !14}}
