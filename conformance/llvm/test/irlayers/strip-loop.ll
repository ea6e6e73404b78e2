; RUN: opt -S -passes=strip-nonlinetable-debuginfo %s | FileCheck %s
; RUN: opt -S -passes=strip %s | FileCheck %s --check-prefix=ALL --implicit-check-not=DILayerLoc
; Both locations of a loop keep their lists for line tables, beside a property; without debug info the property alone stays.

; CHECK: br i1 {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[BEGIN:![0-9]+]], [[END:![0-9]+]], [[PROPERTY:![0-9]+]]}
; CHECK-DAG: [[BEGIN]] = !DILocation(line: 2, column: 5, scope: {{![0-9]+}}, irlayers: [[ONE:![0-9]+]])
; CHECK-DAG: [[END]] = !DILocation(line: 7, column: 1, scope: {{![0-9]+}}, irlayers: [[TWO:![0-9]+]])
; CHECK-DAG: [[ONE]] = !DILayerLocList([[P:![0-9]+]])
; CHECK-DAG: [[TWO]] = !DILayerLocList([[P]], {{![0-9]+}})
; CHECK-DAG: [[PROPERTY]] = !{!"llvm.loop.unroll.disable"}
; ALL: br i1 {{.*}}, !llvm.loop [[LOOP:![0-9]+]]
; ALL: [[LOOP]] = distinct !{[[LOOP]], [[PROPERTY:![0-9]+]]}
define void @f(i1 %c) !dbg !5 {
entry:
  br label %loop, !dbg !10
loop:
  br i1 %c, label %loop, label %end, !dbg !10, !llvm.loop !20
end:
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DILexicalBlock(scope: !5, file: !1, line: 2)
!7 = !DIFile(filename: "soft.mlir", directory: "build")
!8 = !DILayerLoc(line: 30, file: !7, kind: "P")
!9 = !DILayerLoc(line: 40, file: !7, kind: "Q")
!10 = !DILocation(line: 1, column: 1, scope: !5)
!11 = !DILocation(line: 2, column: 5, scope: !6, irlayers: !DILayerLocList(!8))
!12 = !DILocation(line: 7, column: 1, scope: !6, irlayers: !DILayerLocList(!8, !9))
!20 = distinct !{!20, !11, !12, !21}
!21 = !{!"llvm.loop.unroll.disable"}
