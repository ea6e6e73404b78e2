; power.jl:
;   function power(x, n)
;       n == 0 && return 1
;       x * power(x, n - 1)
;   end
define i64 @power(i64 %x, i64 %n) !dbg !5 {
  %1 = icmp eq i64 %n, 0, !dbg !10, !ir !22
  br i1 %1, label %one, label %more, !dbg !11, !ir !23
one:
  ret i64 1, !dbg !11, !ir !24
more:
  %2 = add i64 %n, -1, !dbg !12, !ir !26
  %3 = call i64 @power(i64 %x, i64 %2), !dbg !13, !ir !27
  %4 = mul i64 %x, %3, !dbg !14, !ir !28
  ret i64 %4, !dbg !14, !ir !29
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Julia, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "power.jl", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "power", scope: !1, file: !1, line: 1, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DILocation(line: 2, column: 7, scope: !5)
!11 = !DILocation(line: 2, column: 12, scope: !5)
!12 = !DILocation(line: 3, column: 18, scope: !5)
!13 = !DILocation(line: 3, column: 9, scope: !5)
!14 = !DILocation(line: 3, column: 7, scope: !5)
!22 = !{i32 2}
!23 = !{i32 3}
!24 = !{i32 4}
!26 = !{i32 6}
!27 = !{i32 7}
!28 = !{i32 8}
!29 = !{i32 9}
