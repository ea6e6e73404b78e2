; RUN: opt -S %s | FileCheck %s
; RUN: llvm-as %s -o - | llvm-dis | FileCheck %s
; A record has no layers: one that is made of an old call with a composite takes its primary.

; CHECK-LABEL: define void @f(
; CHECK: #dbg_value(i32 %x, {{.*}}, [[P:![0-9]+]])
; CHECK-NEXT: #dbg_declare(ptr %a, {{.*}}, [[P]])
; CHECK-NEXT: #dbg_assign(i32 %x, {{.*}}, [[P]])
; CHECK-NEXT: #dbg_label({{![0-9]+}}, [[P]])
; CHECK-NEXT: ret void, !dbg [[WHOLE:![0-9]+]]
; CHECK-DAG: [[P]] = !DILocation(line: 2, column: 5, scope: {{![0-9]+}})
; CHECK-DAG: [[WHOLE]] = !{[[P]], {{![0-9]+}}}


declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)
declare void @llvm.dbg.assign(metadata, metadata, metadata, metadata, metadata, metadata)
define void @f(i32 %x) !dbg !5 {
  %a = alloca i32, align 4, !DIAssignID !30
  call void @llvm.dbg.value(metadata i32 %x, metadata !8, metadata !DIExpression()), !dbg !20
  call void @llvm.dbg.declare(metadata ptr %a, metadata !9, metadata !DIExpression()), !dbg !20
  call void @llvm.dbg.assign(metadata i32 %x, metadata !9, metadata !DIExpression(), metadata !30, metadata ptr %a, metadata !DIExpression()), !dbg !20
  call void @llvm.dbg.label(metadata !10), !dbg !20
  ret void, !dbg !20
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
!8 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 1, type: !13)
!9 = !DILocalVariable(name: "a", scope: !5, file: !1, line: 1, type: !13)
!10 = !DILabel(scope: !5, name: "l", file: !1, line: 2)
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!30 = distinct !DIAssignID()
