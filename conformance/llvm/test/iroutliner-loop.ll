; RUN: opt -S -passes=iroutliner -ir-outlining-no-cost %s | FileCheck %s
; Two loops with calls that are outlined together keep two layers each.

; CHECK: define internal void @outlined_ir_func_0(
; CHECK: call void @use(i32 {{.*}}), !dbg [[CALL:![0-9]+]]
; CHECK: br i1 {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; CHECK-DAG: [[CALL]] = !{[[LINE0:![0-9]+]], [[K:![0-9]+]], [[M:![0-9]+]]}
; CHECK-DAG: [[LINE0]] = !DILocation(line: 0, scope: [[SP:![0-9]+]])
; CHECK-DAG: [[K]] = !{!"TileIR", {{![0-9]+}}}
; CHECK-DAG: [[M]] = !{!"MLIR", {{![0-9]+}}}
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[AT:![0-9]+]], [[AT]]}
; CHECK-DAG: [[AT]] = !{[[P:![0-9]+]], [[K]], [[M]]}
; CHECK-DAG: [[P]] = !DILocation(line: 22, column: 5, scope: [[SP]])
define void @k(ptr %p, i32 %x, i32 %y) !dbg !28 {
entry:
  br label %l, !dbg !29
l:
  %i = phi i32 [0, %entry], [%i2, %l], !dbg !29
  %i2 = add i32 %i, %x, !dbg !29
  store i32 %i2, ptr %p, align 4, !dbg !29
  call void @use(i32 %i2), !dbg !29
  %c = icmp eq i32 %i2, 10, !dbg !29
  br i1 %c, label %l, label %e, !dbg !29, !llvm.loop !40
e:
  call void @use(i32 %y), !dbg !29
  ret void, !dbg !29
}
define void @m(ptr %p, i32 %x, i32 %y) !dbg !32 {
entry:
  br label %l, !dbg !33
l:
  %i = phi i32 [0, %entry], [%i2, %l], !dbg !33
  %i2 = add i32 %i, %x, !dbg !33
  store i32 %i2, ptr %p, align 4, !dbg !33
  call void @use(i32 %i2), !dbg !33
  %c = icmp eq i32 %i2, 10, !dbg !33
  br i1 %c, label %l, label %e, !dbg !33, !llvm.loop !41
e:
  call void @use(i32 %y), !dbg !33
  ret void, !dbg !33
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
!28 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 21, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!29 = !{!30, !{!"TileIR", !12}, !{!"MLIR", !12}}
!30 = !DILocation(line: 22, column: 5, scope: !28)
!32 = distinct !DISubprogram(name: "m", scope: !1, file: !1, line: 31, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!33 = !{!34, !{!"TileIR", !12}, !{!"MLIR", !12}}
!34 = !DILocation(line: 32, column: 5, scope: !32)
!40 = distinct !{!40, !29, !29}
!41 = distinct !{!41, !33, !33}
declare void @use(i32)
