; REQUIRES: aarch64-registered-target
; RUN: llc -mtriple=aarch64 -enable-fs-discriminator -print-after=mirfs-discriminators %s -o /dev/null 2>&1 | FileCheck %s
; Of several blocks with one place, all but the first get discriminators of code generation; the layers stay, and those of pseudo probes.

; CHECK-LABEL: # Machine code for function f
; CHECK: PSEUDO_PROBE 7, 1, {{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
; CHECK: BL @one, {{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
; CHECK: BL @two, {{.*}}!DILocation(line: 2{{.*}} a.py:2:5, TileIR: tile.mlir:100:10{{$}}
define void @f(i1 %c) !dbg !5 {
entry:
  call void @llvm.pseudoprobe(i64 7, i64 1, i32 0, i64 -1), !dbg !20
  br i1 %c, label %a, label %b, !dbg !21
a:
  call void @one(), !dbg !20
  br label %end, !dbg !21
b:
  call void @two(), !dbg !20
  br label %end, !dbg !21
end:
  call void @one(), !dbg !21
  ret void, !dbg !21
}
declare void @one()
declare void @two()
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
!21 = !DILocation(line: 3, column: 5, scope: !5)
