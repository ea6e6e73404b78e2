; REQUIRES: aarch64-registered-target
; RUN: llc -mtriple=aarch64 -O2 -global-isel -filter-print-funcs=four -print-after=loadstore-opt %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FOUR
; RUN: llc -mtriple=aarch64 -O0 -global-isel -filter-print-funcs=extended -print-after=legalizer %s -o /dev/null 2>&1 | FileCheck %s
; GlobalISel merges the layers of four stores that it makes one, and of an extension and the constant that it is folded into.

; FOUR: bb.1
; FOUR: G_STORE {{.*}} a.py:12:5, TileIR: tile.mlir:100{{$}}
; FOUR-NOT: G_STORE
define void @four(ptr %p) !dbg !25 {
  store i8 1, ptr %p, align 4, !dbg !26
  %q = getelementptr i8, ptr %p, i64 1, !dbg !27
  store i8 2, ptr %q, align 1, !dbg !28
  %r = getelementptr i8, ptr %p, i64 2, !dbg !27
  store i8 3, ptr %r, align 2, !dbg !26
  %s = getelementptr i8, ptr %p, i64 3, !dbg !27
  store i8 4, ptr %s, align 1, !dbg !28
  ret void, !dbg !27
}

; CHECK: G_CONSTANT i32 5, debug-location {{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
define i16 @extended(i16 %y) !dbg !5 {
  %s = mul i16 %y, 5, !dbg !20
  %t = zext i16 %s to i32, !dbg !20
  %u = add i32 %t, 5, !dbg !11
  %v = trunc i32 %u to i16, !dbg !11
  ret i16 %v, !dbg !11
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
!25 = distinct !DISubprogram(name: "four", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !{!27, !{!"TileIR", !12}}
!27 = !DILocation(line: 12, column: 5, scope: !25)
!28 = !{!27, !{!"TileIR", !14}}
