; RUN: opt -S -passes='ipsccp<func-spec>' -force-specialization -funcspec-min-function-size=1 %s -o %t.spec.ll
; RUN: FileCheck %s --check-prefix=SPEC --input-file=%t.spec.ll
; RUN: llvm-as %t.spec.ll -o /dev/null 2>&1 | count 0
; RUN: opt -S -passes=partial-inliner -skip-partial-inlining-cost-analysis %s -o %t.part.ll
; RUN: FileCheck %s --check-prefix=PART --input-file=%t.part.ll
; RUN: llvm-as %t.part.ll -o /dev/null 2>&1 | count 0
; A clone of a function shares the functions and units of its layers. A copy of the unit is not in !llvm.dbg.cu, and would cost the module its debug info.

; SPEC: define {{.*}} @apply.specialized.
; SPEC-COUNT-2: distinct !DICompileUnit(
; SPEC-NOT: distinct !DICompileUnit(
; PART: call void @early.1.more(
; PART-COUNT-2: distinct !DICompileUnit(
; PART-NOT: distinct !DICompileUnit(

define internal i32 @apply(ptr %f, i32 %x) !dbg !5 {
  %r = call i32 %f(i32 %x), !dbg !20
  %s = add i32 %r, %x, !dbg !20
  ret i32 %s, !dbg !20
}

define internal i32 @one(i32 %x) {
  ret i32 %x
}

define internal i32 @two(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}

define i32 @main(i32 %x) !dbg !8 {
  %a = call i32 @apply(ptr @one, i32 %x), !dbg !21
  %b = call i32 @apply(ptr @two, i32 %a), !dbg !21
  ret i32 %b, !dbg !21
}

define internal i32 @early(i1 %c, i32 %x) !dbg !9 {
entry:
  br i1 %c, label %out, label %more, !dbg !22
more:
  %a = call i32 @work(i32 %x), !dbg !22
  %b = call i32 @work(i32 %a), !dbg !22
  br label %out, !dbg !22
out:
  %r = phi i32 [ 0, %entry ], [ %b, %more ], !dbg !22
  ret i32 %r, !dbg !22
}

define i32 @user(i1 %c, i32 %x) !dbg !10 {
  %r = call i32 @early(i1 %c, i32 %x), !dbg !14
  ret i32 %r, !dbg !14
}

declare i32 @work(i32)

!llvm.dbg.cu = !{!0, !16}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "apply", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "kernel", scope: !7, file: !7, line: 1, type: !3, unit: !16, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!9 = distinct !DISubprogram(name: "early", scope: !1, file: !1, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!10 = distinct !DISubprogram(name: "user", scope: !1, file: !1, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 6, column: 5, scope: !8)
!13 = !DILocation(line: 7, column: 5, scope: !9)
!14 = !DILocation(line: 8, column: 5, scope: !10)
!15 = !DILocation(line: 100, column: 10, scope: !6)
!16 = distinct !DICompileUnit(language: DW_LANG_C99, file: !7, emissionKind: FullDebug)
!20 = !{!11, !{!"TileIR", !15}}
!21 = !{!12, !{!"TileIR", !15}}
!22 = !{!13, !{!"TileIR", !15}}
