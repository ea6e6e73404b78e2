; RUN: opt -S -passes='simplifycfg<sink-common-insts>' %s | FileCheck %s --check-prefix=SINK
; RUN: opt -S -passes='simplifycfg<hoist-common-insts>' %s | FileCheck %s --check-prefix=HOIST
; One instruction that stands for two keeps the layers that both have: merged invokes, sunk and hoisted calls, and the terminators that the hoisted ones end with.

; SINK-LABEL: define void @invokes(
; SINK: invoke void @g()
; SINK-NEXT: {{.*}}, !dbg [[INVOKE:![0-9]+]]
; SINK-LABEL: define void @sink(
; SINK: call void @use(i32 {{.*}}), !dbg [[SINK:![0-9]+]]
; SINK-DAG: [[INVOKE]] = !DILocation(line: 0, scope: {{![0-9]+}}, irlayers: [[LIST:![0-9]+]])
; SINK-DAG: [[SINK]] = !DILocation(line: 12, scope: {{![0-9]+}}, irlayers: [[LIST]])
; SINK-DAG: [[LIST]] = !DILayerLocList([[K:![0-9]+]])
; SINK-DAG: [[K]] = !DILayerLoc(line: 100, column: 10, file: {{![0-9]+}}, kind: "TileIR")
; HOIST-LABEL: define i32 @hoist(
; HOIST: call void @use(i32 %x), !dbg [[CALL:![0-9]+]]
; HOIST-NEXT: select {{.*}}, !dbg [[CALL]]
; HOIST-NEXT: ret i32 {{.*}}, !dbg [[CALL]]
; HOIST-DAG: [[CALL]] = !DILocation(line: 22, scope: {{![0-9]+}}, irlayers: [[LIST:![0-9]+]])
; HOIST-DAG: [[LIST]] = !DILayerLocList([[K:![0-9]+]])
; HOIST-DAG: [[K]] = !DILayerLoc(line: 100, column: 10, file: {{![0-9]+}}, kind: "TileIR")

define void @invokes(i1 %c, i1 %d) personality ptr @__gxx_personality_v0 !dbg !5 {
entry:
  br i1 %c, label %a, label %more, !dbg !11
more:
  br i1 %d, label %b, label %end, !dbg !11
a:
  invoke void @g() to label %dead unwind label %pad, !dbg !21
b:
  invoke void @g() to label %dead unwind label %pad, !dbg !22
dead:
  unreachable, !dbg !11
pad:
  %l = landingpad { ptr, i32 } cleanup, !dbg !11
  call void @use(i32 9), !dbg !11
  resume { ptr, i32 } %l, !dbg !11
end:
  ret void, !dbg !11
}

define void @sink(i1 %c, i32 %x, i32 %y) !dbg !25 {
entry:
  br i1 %c, label %a, label %b, !dbg !27
a:
  call void @use(i32 %x), !dbg !26
  br label %end, !dbg !27
b:
  call void @use(i32 %y), !dbg !28
  br label %end, !dbg !27
end:
  ret void, !dbg !27
}

define i32 @hoist(i1 %c, i32 %x, i32 %y) !dbg !35 {
entry:
  br i1 %c, label %a, label %b, !dbg !37
a:
  call void @use(i32 %x), !dbg !36
  ret i32 %x, !dbg !36
b:
  call void @use(i32 %x), !dbg !38
  ret i32 %y, !dbg !38
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
!8 = !DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")
!9 = !DILayerLoc(line: 100, column: 12, file: !6, kind: "TileIR")
!11 = !DILocation(line: 2, column: 5, scope: !5)
!21 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !DILayerLocList(!8))
!22 = !DILocation(line: 3, column: 5, scope: !5, irlayers: !DILayerLocList(!9, !8))
!25 = distinct !DISubprogram(name: "sink", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !DILocation(line: 12, column: 5, scope: !25, irlayers: !DILayerLocList(!8))
!27 = !DILocation(line: 12, column: 5, scope: !25)
!28 = !DILocation(line: 12, column: 7, scope: !25, irlayers: !DILayerLocList(!9, !8))
!35 = distinct !DISubprogram(name: "hoist", scope: !1, file: !1, line: 21, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!36 = !DILocation(line: 22, column: 5, scope: !35, irlayers: !DILayerLocList(!8))
!37 = !DILocation(line: 22, column: 5, scope: !35)
!38 = !DILocation(line: 22, column: 7, scope: !35, irlayers: !DILayerLocList(!9, !8))
