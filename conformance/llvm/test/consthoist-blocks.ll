; REQUIRES: x86-registered-target
; RUN: opt -S -passes=consthoist %s | FileCheck %s
; Another constant, of two blocks, merges the layers of its uses.

; CHECK: %const = bitcast i64 {{.*}}, !dbg [[CONST:![0-9]+]]
; CHECK-DAG: [[CONST]] = !{[[P:![0-9]+]], [[K:![0-9]+]]}
; CHECK-DAG: [[P]] = !DILocation(line: 0, scope: {{![0-9]+}})
; CHECK-DAG: [[K]] = !{!"TileIR", [[T:![0-9]+]]}
; CHECK-DAG: [[T]] = !DILocation(line: 100, scope: {{![0-9]+}})
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
define i64 @f(i64 %x, i64 %y, i1 %c) !dbg !5 {
entry:
  br i1 %c, label %a, label %b, !dbg !11
a:
  %p = add i64 %x, -562949953421309, !dbg !20
  %q = add i64 %p, -562949953421309, !dbg !21
  ret i64 %q, !dbg !11
b:
  %r = add i64 %y, -562949953421309, !dbg !21
  %s = mul i64 %r, -562949953421309, !dbg !20
  ret i64 %s, !dbg !11
}

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
