; RUN: llvm-as %s -o /dev/null 2>&1 | FileCheck %s
; Every violation of the shape is reported, and the debug info dropped.

; CHECK: invalid !dbg metadata attachment
; CHECK: !dbg layer must be a tuple of kind and location
; CHECK: !dbg layer must have two operands
; CHECK: !dbg layer kind must be a metadata string
; CHECK: !dbg layer location must be a DILocation
; CHECK: !dbg layer kind must not be empty
; CHECK: !dbg layer kind is repeated
; CHECK: !dbg attachment points at wrong subprogram for function
; CHECK: warning: ignoring invalid debug info
define void @f() {
  call void @g(i32 1), !dbg !20
  call void @g(i32 2), !dbg !21
  call void @g(i32 3), !dbg !22
  call void @g(i32 4), !dbg !23
  call void @g(i32 5), !dbg !24
  call void @g(i32 6), !dbg !25
  call void @g(i32 7), !dbg !26
  ret void
}

define void @wrong() !dbg !8 {
  ret void, !dbg !27
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
!8 = distinct !DISubprogram(name: "wrong", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!20 = !{!{!"TileIR", !11}}
!21 = !{!11, !11}
!22 = !{!11, !{!"TileIR", !11, !11}}
!23 = !{!11, !{!11, !11}}
!24 = !{!11, !{!"TileIR", !5}}
!25 = !{!11, !{!"", !11}}
!26 = !{!11, !{!"TileIR", !11}, !{!"MLIR", !11}, !{!"TileIR", !11}}
!27 = !{!11, !{!"TileIR", !11}}
