; RUN: opt -S -passes=scalarize-masked-mem-intrin %s | FileCheck %s
; The branch at the end of the first half of a split block has the layers of the instruction that begins the second half.

; CHECK-LABEL: define <2 x i32> @f(
; CHECK: br i1 {{.*}}, label %cond.load, label %else, !dbg [[LOAD:![0-9]+]]
; CHECK: br i1 {{.*}}, label %cond.load1, label %else2, !dbg [[LOAD]]
define <2 x i32> @f(ptr %p, <2 x i1> %mask) !dbg !5 {
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 %p, <2 x i1> %mask, <2 x i32> zeroinitializer), !dbg !20
  ret <2 x i32> %v, !dbg !11
}
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x i32>)

; CHECK-DAG: [[LOAD]] = !{[[PRIMARY:![0-9]+]], [[TILE:![0-9]+]]}
; CHECK-DAG: [[PRIMARY]] = !DILocation(line: 3, column: 5, scope: {{![0-9]+}})
; CHECK-DAG: [[TILE]] = !{!"TileIR", {{![0-9]+}}}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 3, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !8)
!20 = !{!12, !{!"TileIR", !13}}
