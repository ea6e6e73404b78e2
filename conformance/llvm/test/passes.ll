; RUN: opt -S -passes='add-discriminators' %s | FileCheck %s --check-prefix=DISC
; RUN: opt -S -passes='simplifycfg<sink-common-insts>' %s | FileCheck %s --check-prefix=SINK
; RUN: opt -S -passes=instcombine %s | FileCheck %s --check-prefix=STORE
; RUN: opt -S -passes='loop-mssa(licm)' %s | FileCheck %s --check-prefix=LICM
; Passes that make a new primary, or merge, keep the layers.

; DISC-LABEL: define void @f(
; DISC: call void @g(i32 1), !dbg [[ONE:![0-9]+]]
; DISC-NEXT: call void @g(i32 2), !dbg [[TWO:![0-9]+]]
; DISC: [[ONE]] = !{[[P1:![0-9]+]], [[LAYER:![0-9]+]]}
; DISC: [[TWO]] = !{[[P2:![0-9]+]], [[LAYER]]}
; DISC-NEXT: [[P2]] = !DILocation(line: 2, column: 5, scope: [[BLOCK:![0-9]+]])
; DISC-NEXT: [[BLOCK]] = !DILexicalBlockFile({{.*}}, discriminator: 2)
define void @f() !dbg !5 {
  call void @g(i32 1), !dbg !20
  call void @g(i32 2), !dbg !20
  ret void, !dbg !11
}

; SINK-LABEL: define i32 @sink(
; SINK: add i32 {{.*}}, !dbg [[ADD:![0-9]+]]
; SINK: [[LAYER:![0-9]+]] = !{!"TileIR", {{![0-9]+}}}
; SINK: [[ADD]] = !{[[P:![0-9]+]], [[LAYER]]}
; SINK-NEXT: [[P]] = !DILocation(line: 2, scope: {{![0-9]+}})
define i32 @sink(i1 %c, i32 %x, i32 %y) !dbg !8 {
  br i1 %c, label %a, label %b, !dbg !15
a:
  %p = add i32 %x, 1, !dbg !22
  br label %end, !dbg !15
b:
  %q = add i32 %y, 1, !dbg !23
  br label %end, !dbg !15
end:
  %r = phi i32 [ %p, %a ], [ %q, %b ], !dbg !15
  ret i32 %r, !dbg !15
}

; STORE-LABEL: define void @stores(
; STORE: store i32 %storemerge, ptr %p, align 4, !dbg [[ST:![0-9]+]]
; STORE: [[LAYER:![0-9]+]] = !{!"TileIR", {{![0-9]+}}}
; STORE: [[ST]] = !{[[P:![0-9]+]], [[LAYER]]}
; STORE-NEXT: [[P]] = !DILocation(line: 0, scope: {{![0-9]+}})
define void @stores(i1 %c, ptr %p) !dbg !10 {
  br i1 %c, label %a, label %b, !dbg !16
a:
  store i32 1, ptr %p, !dbg !24
  br label %end, !dbg !16
b:
  store i32 2, ptr %p, !dbg !25
  br label %end, !dbg !16
end:
  ret void, !dbg !16
}

; A merge of three goes on after an empty intermediate result: the last is bare, the one before it has none.
; LICM-LABEL: define void @promoted(
; LICM: end:
; LICM-NEXT: store i32 3, ptr %p, align 4, !dbg [[WHOLE:![0-9]+]]
; LICM: [[WHOLE]] = !{[[P:![0-9]+]], [[LAYER:![0-9]+]]}
; LICM-NEXT: [[P]] = !DILocation(line: 8, column: 1, scope: {{![0-9]+}})
define void @promoted(i1 %c, ptr noalias dereferenceable(4) %p) !dbg !9 {
entry:
  br label %loop, !dbg !18
loop:
  store i32 1, ptr %p, !dbg !26
  store i32 2, ptr %p
  store i32 3, ptr %p, !dbg !18
  br i1 %c, label %loop, label %end, !dbg !18
end:
  ret void, !dbg !18
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = distinct !DISubprogram(name: "sink", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!9 = distinct !DISubprogram(name: "promoted", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!10 = distinct !DISubprogram(name: "stores", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 2, column: 5, scope: !8)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 2, column: 9, scope: !8)
!15 = !DILocation(line: 3, column: 1, scope: !8)
!16 = !DILocation(line: 3, column: 1, scope: !10)
!17 = !DILocation(line: 4, column: 1, scope: !10)
!18 = !DILocation(line: 7, column: 1, scope: !9)
!19 = !DILocation(line: 8, column: 1, scope: !9)
!20 = !{!11, !{!"TileIR", !13}}
!22 = !{!12, !{!"TileIR", !13}}
!23 = !{!14, !{!"TileIR", !13}}
!24 = !{!16, !{!"TileIR", !13}}
!25 = !{!17, !{!"TileIR", !13}}
!26 = !{!19, !{!"LLIR", !13}}
