; RUN: opt -S -passes=mem2reg %s | FileCheck %s --check-prefix=PHI
; RUN: opt -S -passes=simplifycfg %s | FileCheck %s --check-prefix=RET
; RUN: opt -S -passes=instcombine %s | FileCheck %s --check-prefix=STORE
; What stands where paths meet, for what stood at the end of each, has the layers of both.

; PHI-LABEL: define i32 @phi(
; PHI: phi i32 {{.*}}, !dbg [[LOC:![0-9]+]]
; PHI: [[LOC]] = !{[[P:![0-9]+]], [[L:![0-9]+]], [[R:![0-9]+]]}
; PHI-NEXT: [[P]] = !DILocation(line: 0, scope: {{![0-9]+}})
; PHI-NEXT: [[L]] = !{!"TileIR", {{![0-9]+}}}
; PHI: [[R]] = !{!"MLIR", {{![0-9]+}}}
define i32 @phi(i1 %c, i32 %x, i32 %y) !dbg !5 {
entry:
  %v = alloca i32, align 4, !dbg !11
  br i1 %c, label %a, label %b, !dbg !11
a:
  store i32 %x, ptr %v, align 4, !dbg !20
  br label %end, !dbg !11
b:
  store i32 %y, ptr %v, align 4, !dbg !21
  br label %end, !dbg !11
end:
  %r = load i32, ptr %v, align 4, !dbg !11
  ret i32 %r, !dbg !11
}

; RET-LABEL: define void @returns(
; RET: ret void, !dbg [[LOC:![0-9]+]]
; RET: [[LOC]] = !{[[P:![0-9]+]], [[L:![0-9]+]], [[R:![0-9]+]]}
; RET-NEXT: [[P]] = !DILocation(line: 0, scope: {{![0-9]+}})
; RET-NEXT: [[L]] = !{!"TileIR", {{![0-9]+}}}
; RET: [[R]] = !{!"MLIR", {{![0-9]+}}}
define void @returns(i1 %c) !dbg !8 {
  br i1 %c, label %a, label %b, !dbg !14
a:
  call void @g(i32 1), !dbg !14
  ret void, !dbg !22
b:
  call void @g(i32 2), !dbg !14
  ret void, !dbg !23
}

; STORE-LABEL: define void @stores(
; STORE: %storemerge = phi {{.*}}, !dbg [[LOC:![0-9]+]]
; STORE-NEXT: store i32 %storemerge, ptr %p, align 4, !dbg [[LOC]]
; STORE: [[LOC]] = !{[[P:![0-9]+]], [[L:![0-9]+]], [[R:![0-9]+]]}
; STORE-NEXT: [[P]] = !DILocation(line: 0, scope: {{![0-9]+}})
; STORE-NEXT: [[L]] = !{!"MLIR", {{![0-9]+}}}
; STORE: [[R]] = !{!"TileIR", {{![0-9]+}}}
define void @stores(i1 %c, ptr %p) !dbg !10 {
  br i1 %c, label %a, label %b, !dbg !24
a:
  store i32 1, ptr %p, align 4, !dbg !28
  br label %end, !dbg !24
b:
  store i32 2, ptr %p, align 4, !dbg !29
  br label %end, !dbg !24
end:
  ret void, !dbg !24
}

declare void @g(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "phi", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = !DILexicalBlockFile(scope: !5, file: !6, discriminator: 0)
!8 = distinct !DISubprogram(name: "returns", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!9 = !DILexicalBlockFile(scope: !8, file: !6, discriminator: 0)
!10 = distinct !DISubprogram(name: "stores", scope: !1, file: !1, line: 1, type: !3, unit: !0)
!11 = !DILocation(line: 2, column: 1, scope: !5)
!12 = !DILocation(line: 3, column: 1, scope: !5)
!13 = !DILocation(line: 4, column: 1, scope: !5)
!14 = !DILocation(line: 2, column: 1, scope: !8)
!15 = !DILocation(line: 3, column: 1, scope: !8)
!16 = !DILocation(line: 4, column: 1, scope: !8)
!17 = !DILocation(line: 100, column: 1, scope: !7)
!18 = !DILocation(line: 100, column: 1, scope: !9)
!20 = !{!12, !{!"TileIR", !17}}
!21 = !{!13, !{!"MLIR", !17}}
!22 = !{!15, !{!"TileIR", !18}}
!23 = !{!16, !{!"MLIR", !18}}
!24 = !DILocation(line: 2, column: 1, scope: !10)
!25 = !DILocation(line: 3, column: 1, scope: !10)
!26 = !DILocation(line: 4, column: 1, scope: !10)
!27 = !DILocation(line: 100, column: 1, scope: !10)
!28 = !{!25, !{!"TileIR", !27}}
!29 = !{!26, !{!"MLIR", !27}}
