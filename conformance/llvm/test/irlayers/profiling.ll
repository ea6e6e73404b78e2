; RUN: opt -S -passes=loop-vectorize -force-vector-width=4 -force-vector-interleave=2 %s | FileCheck %s --check-prefixes=VEC,NODES
; RUN: opt -S -passes=loop-unroll -unroll-count=2 -unroll-runtime=false %s | FileCheck %s --check-prefixes=UNROLL,NODES
; RUN: opt -S -passes=loop-unroll-and-jam -allow-unroll-and-jam -unroll-and-jam-count=2 %s | FileCheck %s --check-prefixes=JAM,NODES
; RUN: opt -S -passes=add-discriminators %s | FileCheck %s --check-prefixes=CALLS
; RUN: opt -S -passes=pseudo-probe %s | FileCheck %s --check-prefixes=PROBE,CALLS
; In a unit that is compiled for profiling, passes give instructions another discriminator: the location is another one, and has the same list.

; VEC-LABEL: define void @scale(
; VEC: load <4 x i32>, {{.*}}, !dbg [[LOAD:![0-9]+]]
; VEC: mul <4 x i32> {{.*}}, !dbg [[MUL:![0-9]+]]
; UNROLL-LABEL: define void @scale(
; UNROLL: load i32, {{.*}}, !dbg [[LOAD:![0-9]+]]
; UNROLL: mul i32 {{.*}}, !dbg [[MUL:![0-9]+]]
; JAM-LABEL: define void @jam(
; JAM: %v = load i32, {{.*}}, !dbg [[LOAD:![0-9]+]]
; JAM: %s2 = add i32 {{.*}}, !dbg [[MUL:![0-9]+]]
; NODES-DAG: [[LOAD]] = !DILocation(line: {{.*}}, column: 5, scope: [[B:![0-9]+]], irlayers: [[ONE:![0-9]+]])
; NODES-DAG: [[B]] = !DILexicalBlockFile(scope: {{![0-9]+}}, file: {{![0-9]+}}, discriminator: {{9|33}})
; NODES-DAG: [[ONE]] = !DILayerLocList([[K:![0-9]+]])
; NODES-DAG: [[K]] = !DILayerLoc(line: 100, column: 10, file: {{![0-9]+}}, kind: "TileIR")
; NODES-DAG: [[MUL]] = !DILocation(line: {{.*}}, column: 7, scope: [[B]], irlayers: [[TWO:![0-9]+]])
; NODES-DAG: [[TWO]] = !DILayerLocList({{![0-9]+}}, [[K]])
; PROBE-LABEL: define i32 @calls(
; PROBE-NEXT: call void @llvm.pseudoprobe({{.*}}, !dbg [[FIRST:![0-9]+]]
; CALLS: call void @g(), !dbg [[CALL1:![0-9]+]]
; CALLS-NEXT: call void @g(), !dbg [[CALL2:![0-9]+]]
; CALLS-DAG: [[CALL1]] = !DILocation(line: 22, column: 5, scope: [[B1:![0-9]+]], irlayers: [[ONE:![0-9]+]])
; CALLS-DAG: [[CALL2]] = !DILocation(line: 22, column: 5, scope: [[B2:![0-9]+]], irlayers: [[ONE]])
; CALLS-DAG: [[B2]] = !DILexicalBlockFile(scope: {{![0-9]+}}, file: {{![0-9]+}}, discriminator: {{[1-9][0-9]*}})
; PROBE-DAG: [[FIRST]] = !DILocation(line: 22, column: 5, scope: {{![0-9]+}}, irlayers: [[ONE]])

define void @scale(ptr noalias %p) !dbg !5 {
entry:
  br label %loop, !dbg !11
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !11
  %at = getelementptr i32, ptr %p, i64 %i, !dbg !11
  %v = load i32, ptr %at, align 4, !dbg !20
  %w = mul i32 %v, 3, !dbg !21
  store i32 %w, ptr %at, align 4, !dbg !11
  %next = add i64 %i, 1, !dbg !11
  %done = icmp eq i64 %next, 1024, !dbg !11
  br i1 %done, label %end, label %loop, !dbg !11
end:
  ret void, !dbg !11
}

define void @jam(ptr noalias %a, ptr noalias %b) !dbg !25 {
entry:
  br label %outer, !dbg !27
outer:
  %i = phi i32 [ 0, %entry ], [ %i2, %latch ], !dbg !27
  br label %inner, !dbg !27
inner:
  %j = phi i32 [ 0, %outer ], [ %j2, %inner ], !dbg !27
  %s = phi i32 [ 0, %outer ], [ %s2, %inner ], !dbg !27
  %p = getelementptr i32, ptr %b, i32 %j, !dbg !27
  %v = load i32, ptr %p, align 4, !dbg !26
  %s2 = add i32 %v, %s, !dbg !28
  %j2 = add nuw i32 %j, 1, !dbg !27
  %c = icmp eq i32 %j2, 64, !dbg !27
  br i1 %c, label %latch, label %inner, !dbg !27
latch:
  %r = phi i32 [ %s2, %inner ], !dbg !27
  %q = getelementptr i32, ptr %a, i32 %i, !dbg !27
  store i32 %r, ptr %q, align 4, !dbg !27
  %i2 = add nuw i32 %i, 1, !dbg !27
  %d = icmp eq i32 %i2, 64, !dbg !27
  br i1 %d, label %end, label %outer, !dbg !27
end:
  ret void, !dbg !27
}


define i32 @calls(i1 %c, ptr %p) !dbg !35 {
  call void @g(), !dbg !36
  call void @g(), !dbg !36
  br i1 %c, label %a, label %b, !dbg !36
a:
  %x = load i32, ptr %p, align 4, !dbg !38
  ret i32 %x, !dbg !37
b:
  %y = load i32, ptr %p, align 4, !dbg !38
  ret i32 %y, !dbg !37
}

declare void @g()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug, debugInfoForProfiling: true)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!11 = !DILocation(line: 2, column: 5, scope: !5)
!20 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))
!21 = !DILocation(line: 3, column: 7, scope: !5, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "MLIR"), !DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))
!25 = distinct !DISubprogram(name: "jam", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !DILocation(line: 12, column: 5, scope: !25, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))
!27 = !DILocation(line: 12, column: 5, scope: !25)
!28 = !DILocation(line: 13, column: 7, scope: !25, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "MLIR"), !DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))
!35 = distinct !DISubprogram(name: "calls", scope: !1, file: !1, line: 21, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!36 = !DILocation(line: 22, column: 5, scope: !35, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))
!37 = !DILocation(line: 22, column: 5, scope: !35)
!38 = !DILocation(line: 24, column: 5, scope: !35, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))
