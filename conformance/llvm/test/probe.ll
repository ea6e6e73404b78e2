; RUN: opt -S -passes='function(add-discriminators),pseudo-probe' %s | FileCheck %s
; A probe has the place of its block's first location, without that one's discriminator and with its layers.

; CHECK: b:
; CHECK: call void @llvm.pseudoprobe({{.*}}, !dbg [[PROBE:![0-9]+]]
; CHECK-NEXT: %y = load i32, {{.*}}, !dbg [[LOAD:![0-9]+]]
; CHECK-DAG: [[PROBE]] = !{[[P:![0-9]+]], [[K:![0-9]+]]}
; CHECK-DAG: [[P]] = !DILocation(line: 2, column: 5, scope: [[ZERO:![0-9]+]])
; CHECK-DAG: [[ZERO]] = !DILexicalBlockFile(scope: [[F:![0-9]+]], file: {{![0-9]+}}, discriminator: 0)
; CHECK-DAG: [[K]] = !{!"TileIR", [[T:![0-9]+]]}
; CHECK-DAG: [[T]] = !DILocation(line: 100, column: 10, scope: {{![0-9]+}})
; CHECK-DAG: [[LOAD]] = !{[[Q:![0-9]+]], [[K]]}
; CHECK-DAG: [[Q]] = !DILocation(line: 2, column: 5, scope: [[BLOCK:![0-9]+]])
; CHECK-DAG: [[BLOCK]] = !DILexicalBlockFile(scope: [[F]], file: {{![0-9]+}}, discriminator: 2)
define i32 @f(i1 %c, ptr %p) !dbg !5 {
  br i1 %c, label %a, label %b, !dbg !21
a:
  %x = load i32, ptr %p, align 4, !dbg !20
  ret i32 %x, !dbg !21
b:
  %y = load i32, ptr %p, align 4, !dbg !20
  ret i32 %y, !dbg !21
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug, debugInfoForProfiling: true)
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
!21 = !DILocation(line: 3, column: 5, scope: !5)
