; Layers of the form irlayers: of one location and of its call site, distinct and uniqued, shared by functions, of a loop.
define void @f() !dbg !10 {
  call void @g(), !dbg !20
  call void @g(), !dbg !20
  call void @g(), !dbg !21
  call void @g(), !dbg !22
  br label %loop, !dbg !23

loop:
  br i1 poison, label %loop, label %end, !dbg !24, !llvm.loop !40

end:
  ret void
}

define void @h() !dbg !12 {
  call void @g(), !dbg !25
  call void @g(), !dbg !26
  ret void, !dbg !27
}

declare void @g()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "src")
!2 = !DISubroutineType(types: !{null})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "soft.mlir", directory: "build", source: "soft\0A")
!5 = !DIFile(filename: "hard.mlir", directory: "build")

!10 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 7, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "h", scope: !1, file: !1, line: 20, type: !2, unit: !0, spFlags: DISPFlagDefinition)

; heads
!20 = !DILocation(line: 2, column: 3, scope: !10, irlayers: !30)
!21 = !DILocation(line: 2, column: 3, scope: !10, irlayers: !31)
!22 = !DILocation(line: 2, column: 3, scope: !10)
!23 = !DILocation(line: 9, column: 2, scope: !11, inlinedAt: !28, irlayers: !32)
!24 = !DILocation(line: 9, column: 2, scope: !11, inlinedAt: !29)
!25 = !DILocation(line: 22, column: 1, scope: !12, irlayers: !33)
!26 = !DILocation(line: 22, column: 1, scope: !12, isImplicitCode: true, irlayers: !30)
!27 = !DILocation(line: 0, scope: !12, irlayers: !34)
; call sites: of one place, and told apart by their lists
!28 = !DILocation(line: 4, column: 1, scope: !10, irlayers: !30)
!29 = !DILocation(line: 4, column: 1, scope: !10, irlayers: !31)

!30 = !DILayerLocList(!35, !36)
!31 = !DILayerLocList(!36, !35)
!32 = !DILayerLocList(!35)
!33 = distinct !DILayerLocList(!35, !37, !35)
!34 = !DILayerLocList(!37, !38)
!35 = !DILayerLoc(line: 3, file: !4, kind: "low")
!36 = !DILayerLoc(line: 30, column: 7, file: !5, kind: "high")
!37 = distinct !DILayerLoc(line: 3, file: !4, kind: "low")
!38 = distinct !DILayerLoc(line: 3, file: !4, kind: "low")

!40 = distinct !{!40, !41, !42}
!41 = !DILocation(line: 5, column: 1, scope: !10, irlayers: !32)
!42 = !DILocation(line: 6, column: 1, scope: !10)
