; RUN: opt -S -passes='simplifycfg<sink-common-insts>' %s | FileCheck %s --check-prefix=INVOKE
; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s --check-prefix=RET
; Three merged invokes, and the terminator of two hoisted blocks, merge two layers each.

; INVOKE-LABEL: define void @invokes(
; INVOKE: invoke void @g()
; INVOKE-NEXT: {{.*}}, !dbg [[INVOKE:![0-9]+]]
; INVOKE-DAG: [[INVOKE]] = !{{{![0-9]+}}, [[K:![0-9]+]], {{![0-9]+}}}
; INVOKE-DAG: [[K]] = !{!"TileIR", [[T:![0-9]+]]}
; INVOKE-DAG: [[T]] = !DILocation(line: 100, scope: {{![0-9]+}})
define void @invokes(i32 %c) personality ptr @__gxx_personality_v0 !dbg !5 {
entry:
  switch i32 %c, label %end [
    i32 1, label %a
    i32 2, label %b
    i32 3, label %d
  ], !dbg !11
a:
  invoke void @g() to label %dead unwind label %pad, !dbg !21
b:
  invoke void @g() to label %dead unwind label %pad, !dbg !22
d:
  invoke void @g() to label %dead unwind label %pad, !dbg !21
dead:
  unreachable, !dbg !11
pad:
  %l = landingpad { ptr, i32 } cleanup, !dbg !11
  call void @use(i32 9), !dbg !11
  resume { ptr, i32 } %l, !dbg !11
end:
  ret void, !dbg !11
}
; RET-LABEL: define void @same(
; RET: call void @use(i32 1)
; RET: br label %join, !dbg [[BR:![0-9]+]]
; RET-DAG: [[BR]] = !{{{![0-9]+}}, [[K:![0-9]+]], {{![0-9]+}}}
; RET-DAG: [[K]] = !{!"TileIR", [[T:![0-9]+]]}
; RET-DAG: [[T]] = !DILocation(line: 100, scope: {{![0-9]+}})
define void @same(i1 %c, i1 %d) !dbg !25 {
entry:
  br i1 %d, label %fork, label %join, !dbg !27
fork:
  br i1 %c, label %a, label %b, !dbg !27
a:
  call void @use(i32 1), !dbg !26
  br label %join, !dbg !26
b:
  call void @use(i32 1), !dbg !28
  br label %join, !dbg !28
join:
  %r = phi i32 [ 0, %entry ], [ 1, %a ], [ 2, %b ], !dbg !27
  call void @use(i32 %r), !dbg !27
  ret void, !dbg !27
}
declare void @g() noreturn
declare void @use(i32)
declare i32 @__gxx_personality_v0(...)

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
!13 = !DILocation(line: 3, column: 5, scope: !5)
!14 = !DILocation(line: 100, column: 12, scope: !7)
!21 = !{!11, !{!"TileIR", !12}, !{!"MLIR", !14}}
!22 = !{!13, !{!"TileIR", !14}, !{!"MLIR", !14}}
!25 = distinct !DISubprogram(name: "same", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !{!27, !{!"TileIR", !12}, !{!"MLIR", !14}}
!27 = !DILocation(line: 12, column: 5, scope: !25)
!28 = !{!27, !{!"TileIR", !14}, !{!"MLIR", !14}}
