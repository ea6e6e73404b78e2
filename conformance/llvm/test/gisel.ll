; REQUIRES: aarch64-registered-target
; RUN: llc -mtriple=aarch64 -O2 -global-isel -filter-print-funcs=stores -print-after=loadstore-opt %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STORES
; RUN: llc -mtriple=aarch64 -O0 -global-isel -filter-print-funcs=constant -print-after=legalizer %s -o /dev/null 2>&1 | FileCheck %s
; RUN: llc -mtriple=aarch64 -O1 -global-isel -filter-print-funcs=constant -print-after=legalizer %s -o /dev/null 2>&1 | FileCheck %s
; GlobalISel merges the layers of instructions that it takes for one.

; STORES: bb.1
; STORES: G_STORE {{.*}} a.py:12:5, TileIR: tile.mlir:100{{$}}
; STORES-NOT: G_STORE
define void @stores(ptr %p) !dbg !25 {
  store i16 1, ptr %p, align 4, !dbg !26
  %q = getelementptr i8, ptr %p, i64 2, !dbg !27
  store i16 4, ptr %q, align 2, !dbg !28
  ret void, !dbg !27
}

; A constant has no place of its own: it gets that of the extension which is folded into it.
; CHECK: G_CONSTANT i32 3, debug-location {{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
define i32 @constant(i8 %y) !dbg !5 {
  %s = add i8 %y, 3, !dbg !20
  %t = zext i8 %s to i32, !dbg !20
  %u = mul i32 %t, 3, !dbg !21
  %e = sext i8 %s to i32, !dbg !20
  %f = mul i32 %e, 3, !dbg !21
  %g = add i32 %f, %u, !dbg !20
  ret i32 %g, !dbg !11
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
!14 = !DILocation(line: 100, column: 12, scope: !7)
!21 = !{!11, !{!"TileIR", !14}}
!25 = distinct !DISubprogram(name: "stores", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !{!27, !{!"TileIR", !12}}
!27 = !DILocation(line: 12, column: 5, scope: !25)
!28 = !{!27, !{!"TileIR", !14}}
