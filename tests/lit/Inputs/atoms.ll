; Two calls of f that LLVM merges, in two inlined copies of g: the merged location gets a fresh atom group.
declare void @ext(i32)

define void @f(i1 %c, i32 %x) !dbg !2 {
  br i1 %c, label %a, label %b

a:
  call void @ext(i32 %x), !dbg !7
  br label %end

b:
  call void @ext(i32 %x), !dbg !8
  br label %end

end:
  ret void, !dbg !9
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4, emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = distinct !DISubprogram(name: "f", file: !4, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!3 = distinct !DISubprogram(name: "g", file: !4, line: 10, type: !5, spFlags: DISPFlagDefinition, unit: !0, keyInstructions: true)
!4 = !DIFile(filename: "a.py", directory: "src")
!5 = !DISubroutineType(types: !{})
!7 = !DILocation(line: 11, column: 5, scope: !3, inlinedAt: !10, atomGroup: 2305843009213693957, atomRank: 1)
!8 = !DILocation(line: 11, column: 5, scope: !3, inlinedAt: !11, atomGroup: 10, atomRank: 1)
!9 = !DILocation(line: 8, scope: !2)
!10 = distinct !DILocation(line: 6, column: 1, scope: !2)
!11 = distinct !DILocation(line: 7, column: 1, scope: !2)
