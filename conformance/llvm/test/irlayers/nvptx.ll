; REQUIRES: nvptx-registered-target
; RUN: llc -mtriple=nvptx64-nvidia-cuda %s -o - | FileCheck %s
; RUN: llc -mtriple=nvptx-nvidia-cuda %s -o - | FileCheck %s
; Directives for the layers of the innermost frame that has some, wherever the list is another than the last; texts behind the files.

; CHECK-LABEL: .visible .func f(
; CHECK: .loc [[C:[0-9]+]] 4 2
; CHECK-NEXT: .loc_intermediate [[P:[0-9]+]] 30 0
; CHECK-NEXT: st.volatile
; CHECK-NEXT: st.volatile
; CHECK-NEXT: .loc_intermediate [[Q:[0-9]+]] 40 7
; CHECK-NEXT: st.volatile
; CHECK-NEXT: st.volatile
; CHECK-NEXT: .loc_intermediate [[Q]] 40 7
; CHECK-NEXT: st.volatile
; CHECK-NEXT: .loc [[C]] 0 0
; CHECK-NEXT: st.volatile
; CHECK-NEXT: .loc [[C]] 4 2
; CHECK-NEXT: .loc_intermediate [[Q]] 40 7
; CHECK-NEXT: st.volatile
; A repeated line 0 behind a layer is written, and coming back to line 4 is not.
; CHECK-NEXT: .loc [[C]] 0 0
; CHECK-NEXT: .loc_intermediate [[P]] 30 0
; CHECK-NEXT: st.volatile
; CHECK-NEXT: .loc [[C]] 0 0
; CHECK-NEXT: .loc_intermediate [[Q]] 40 7
; CHECK-NEXT: st.volatile
; CHECK-NEXT: st.volatile
; Several; one at line 0 and one without a text are skipped.
; CHECK-NEXT: .loc [[C]] 5 0
; CHECK-NEXT: .loc_intermediate [[P]] 30 0
; CHECK-NEXT: .loc_intermediate [[Q]] 40 7
; CHECK-NEXT: .loc_intermediate [[S:[0-9]+]] 60 0
; CHECK-NEXT: st.volatile
; The call site's, but not behind a frame whose layers are all skipped.
; CHECK: .loc [[C]] 7 1
; CHECK-NEXT: .loc_intermediate [[P]] 30 0
; CHECK-NEXT: st.volatile
; CHECK-NEXT: .loc [[C]] 8 1
; CHECK-NEXT: st.volatile
; CHECK-DAG: .file [[C]] "src/a.c"
; CHECK-DAG: .file [[P]] "build/521461512deac2c14abcedd26610a618"
; CHECK-DAG: .file [[Q]] "/ir/08cb4358fae9090431eba1ba3c2bc731"
; CHECK-DAG: .file [[S]] "build/5d41402abc4b2a76b9719d911017c592"
; CHECK: .nv_intermediate_source_section {
; CHECK-NEXT: .code_block {
; CHECK-NEXT: .ir_name: "P"
; CHECK-NEXT: .sourceFileName: [[P]]
; CHECK-NEXT: .source_begin
; CHECK-NEXT: {{^}}text{{$}}
; CHECK-NEXT: .source_end
; CHECK-NEXT: }
; CHECK-NEXT: .code_block {
; CHECK-NEXT: .ir_name: "Q"
; CHECK-NEXT: .sourceFileName: [[Q]]
; CHECK-NEXT: .source_begin
; CHECK-NEXT: {{^}}text{{$}}
; CHECK-NEXT: {{^}}of two lines{{$}}
; CHECK-NEXT: .source_end
; CHECK-NEXT: }
; CHECK-NEXT: .code_block {
; CHECK-NEXT: .ir_name: "S"
; CHECK-NEXT: .sourceFileName: [[S]]
; CHECK-NEXT: .source_begin
; CHECK-EMPTY:
; CHECK-NEXT: .source_end
; CHECK-NEXT: }
; CHECK-NEXT: {{^}}}
; CHECK-NEXT: .section .debug_abbrev
define void @f(ptr %p) !dbg !5 {
  store volatile i32 1, ptr %p, !dbg !21
  store volatile i32 1, ptr %p, !dbg !21
  store volatile i32 1, ptr %p, !dbg !22
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 1, ptr %p, !dbg !22
  store volatile i32 1, ptr %p, !dbg !23
  store volatile i32 1, ptr %p, !dbg !22
  store volatile i32 1, ptr %p, !dbg !24
  store volatile i32 1, ptr %p, !dbg !25
  store volatile i32 1, ptr %p, !dbg !20
  store volatile i32 1, ptr %p, !dbg !26
  store volatile i32 1, ptr %p, !dbg !27
  store volatile i32 1, ptr %p, !dbg !28
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "soft.mlir", directory: "build", source: "text")
!8 = !DIFile(filename: "pass2.gpu", directory: "/ir", source: "text\0Aof two lines")
!9 = !DIFile(filename: "x", directory: "build", checksumkind: CSK_MD5, checksum: "5d41402abc4b2a76b9719d911017c592", source: "")
!10 = !DIFile(filename: "textless", directory: "build")
!11 = !DILayerLoc(line: 30, file: !7, kind: "P")
!12 = !DILayerLoc(line: 40, column: 7, file: !8, kind: "Q")
!13 = !DILayerLoc(line: 0, column: 1, file: !7, kind: "Z")
!14 = !DILayerLoc(line: 50, file: !10, kind: "R")
!15 = !DILayerLoc(line: 60, file: !9, kind: "S")
!16 = distinct !DILocation(line: 20, column: 3, scope: !5, irlayers: !DILayerLocList(!11))
!20 = !DILocation(line: 4, column: 2, scope: !5)
!21 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!11))
!22 = !DILocation(line: 4, column: 2, scope: !5, irlayers: !DILayerLocList(!12))
!23 = !DILocation(line: 0, scope: !5)
!24 = !DILocation(line: 0, scope: !5, irlayers: !DILayerLocList(!11))
!25 = !DILocation(line: 0, scope: !5, irlayers: !DILayerLocList(!12))
!26 = !DILocation(line: 5, scope: !5, irlayers: !DILayerLocList(!11, !13, !14, !12, !15))
!27 = !DILocation(line: 7, column: 1, scope: !6, inlinedAt: !16)
!28 = !DILocation(line: 8, column: 1, scope: !6, inlinedAt: !16, irlayers: !DILayerLocList(!13))
