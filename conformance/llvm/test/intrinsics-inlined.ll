; RUN: opt -S -passes=always-inline %s | FileCheck %s
; Old calls with composites become records before anything else; inlining gives them a chain, and no layers.

; CHECK-LABEL: define i32 @f(
; CHECK: #dbg_value(i32 %x, {{![0-9]+}}, !DIExpression(), [[P:![0-9]+]])
; CHECK-NEXT: #dbg_label({{![0-9]+}}, [[P]])
; CHECK-NEXT: add i32 %x, 1, !dbg [[ADD:![0-9]+]]
; CHECK-DAG: [[ADD]] = !{[[P]], [[K:![0-9]+]]}
; CHECK-DAG: [[P]] = !DILocation(line: 12, column: 5, scope: {{![0-9]+}}, inlinedAt: {{![0-9]+}})
define i32 @f(i32 %x) !dbg !5 {
  %r = call i32 @g(i32 %x), !dbg !20
  ret i32 %r, !dbg !20
}
define internal i32 @g(i32 %x) alwaysinline !dbg !25 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !8, metadata !DIExpression()), !dbg !26
  call void @llvm.dbg.label(metadata !10), !dbg !26
  %r = add i32 %x, 1, !dbg !26
  ret i32 %r, !dbg !26
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)


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
!8 = !DILocalVariable(name: "x", scope: !25, file: !1, line: 1, type: !13)
!10 = !DILabel(scope: !25, name: "l", file: !1, line: 2)
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!25 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !{!27, !{!"TileIR", !12}}
!27 = !DILocation(line: 12, column: 5, scope: !25)
