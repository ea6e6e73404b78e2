; RUN: opt -S -passes=simplifycfg %s | FileCheck %s --check-prefix=BONUS
; RUN: opt -S -passes=adce %s | FileCheck %s --check-prefix=ADCE
; Passes that compare or copy locations do so channel by channel.

; What is executed before a branch that was behind it keeps its location where that is the branch's, with all layers.
; BONUS-LABEL: define void @bonus(
; BONUS: %c = add i32 %x, 7{{$}}
; BONUS-NEXT: %d = icmp eq i32 %c, 0{{$}}
define void @bonus(i1 %a, i32 %x) !dbg !5 {
  br i1 %a, label %next, label %end, !dbg !20
next:
  %c = add i32 %x, 7, !dbg !21
  %d = icmp eq i32 %c, 0, !dbg !22
  br i1 %d, label %do, label %end, !dbg !20
do:
  call void @g(i32 1), !dbg !22
  br label %end, !dbg !22
end:
  ret void, !dbg !22
}

; BONUS-LABEL: define void @same(
; BONUS: %c = add i32 %x, 7, !dbg [[BOTH:![0-9]+]]
; BONUS-NEXT: %d = icmp eq i32 %c, 0{{$}}
; BONUS-NEXT: %or.cond = select {{.*}}, !dbg [[BOTH]]
; BONUS: [[BOTH]] = !{{{![0-9]+}}, {{![0-9]+}}, {{![0-9]+}}}
define void @same(i1 %a, i32 %x) {
  br i1 %a, label %next, label %end, !dbg !20
next:
  %c = add i32 %x, 7, !dbg !20
  %d = icmp eq i32 %c, 0, !dbg !22
  br i1 %d, label %do, label %end, !dbg !20
do:
  call void @g(i32 1), !dbg !22
  br label %end, !dbg !22
end:
  ret void, !dbg !22
}

; ADCE-LABEL: define void @dead(
; ADCE-NEXT: br label %{{[xy]}}, !dbg [[WHOLE:![0-9]+]]
; ADCE: [[WHOLE]] = !{[[P:![0-9]+]], {{![0-9]+}}}
; ADCE-NEXT: [[P]] = !DILocation(line: 5, column: 1, scope: {{![0-9]+}})
define void @dead(i1 %a) !dbg !8 {
  br i1 %a, label %x, label %y, !dbg !23
x:
  br label %end, !dbg !16
y:
  br label %end, !dbg !16
end:
  ret void, !dbg !16
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "bonus", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = distinct !DISubprogram(name: "dead", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 3, column: 1, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !7)
!14 = !DILocation(line: 200, column: 1, scope: !7)
!15 = !DILocation(line: 201, column: 1, scope: !7)
!16 = !DILocation(line: 6, column: 1, scope: !8)
!17 = !DILocation(line: 5, column: 1, scope: !8)
!20 = !{!11, !{!"TileIR", !14}, !{!"MLIR", !13}}
!21 = !{!11, !{!"TileIR", !15}, !{!"MLIR", !13}}
!22 = !{!12, !{!"TileIR", !14}, !{!"MLIR", !13}}
!23 = !{!17, !{!"TileIR", !13}}
