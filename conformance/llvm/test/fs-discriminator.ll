; REQUIRES: x86-registered-target
; RUN: llc -mtriple=x86_64 -enable-fs-discriminator -print-after=mirfs-discriminators %s -o /dev/null 2>&1 | FileCheck %s
; Discriminators that code generation adds, and takes from pseudo probes, make another primary, and the layers stay.

; CHECK-LABEL: # Machine code for function f
; CHECK: PSEUDO_PROBE 7, 1, {{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
; CHECK: PSEUDO_PROBE 7, 2, {{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
; CHECK: MOV32mi {{.*}}, 1, debug-location !DILocation(line: 2{{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
; CHECK: MOV32mi {{.*}}, 2, debug-location !DILocation(line: 2{{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
define void @f(i1 %c, ptr %p) !dbg !5 {
entry:
  call void @llvm.pseudoprobe(i64 7, i64 1, i32 0, i64 -1), !dbg !20
  br i1 %c, label %a, label %b, !dbg !11
a:
  call void @llvm.pseudoprobe(i64 7, i64 2, i32 0, i64 -1), !dbg !20
  store volatile i32 1, ptr %p, !dbg !20
  br label %end, !dbg !11
b:
  call void @llvm.pseudoprobe(i64 7, i64 3, i32 0, i64 -1), !dbg !20
  store volatile i32 2, ptr %p, !dbg !20
  br label %end, !dbg !11
end:
  ret void, !dbg !11
}
declare void @llvm.pseudoprobe(i64, i64, i32, i64)

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
