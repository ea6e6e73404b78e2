; RUN: rm -rf %t && split-file %s %t && cd %t
; RUN: opt -module-summary -bitcode-mdindex-threshold=0 exporter.ll -o exporter.bc
; RUN: opt -module-summary importer.ll -o importer.bc
; RUN: llvm-as index.ll -o index.bc
; RUN: opt -S -passes=function-import -summary-file=index.bc importer.bc | FileCheck importer.ll
; Import of ThinLTO reads the metadata of the other module one by one, when a function needs it.

;--- index.ll
^0 = module: (path: "exporter.bc", hash: (0, 0, 0, 0, 0))
^1 = module: (path: "importer.bc", hash: (0, 0, 0, 0, 0))
^2 = gv: (guid: 11825436545918268459, summaries: (function: (module: ^0, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), insts: 2)))
^3 = gv: (guid: 15822663052811949562, summaries: (function: (module: ^1, flags: (linkage: external, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), insts: 2, calls: ((callee: ^2)))))

;--- importer.ll
; CHECK-LABEL: define available_externally i32 @callee(
; CHECK: add i32 %x, 1, !dbg [[ADD:![0-9]+]]
; CHECK-NEXT: ret i32 %r, !dbg [[RET:![0-9]+]], !llvm.loop [[LOOP:![0-9]+]]
; CHECK-DAG: [[ADD]] = !DILocation(line: 12, column: 5, scope: [[SP:![0-9]+]], inlinedAt: [[AT:![0-9]+]], irlayers: [[TWO:![0-9]+]])
; CHECK-DAG: [[AT]] = distinct !DILocation(line: 60, column: 2, scope: [[SP]], irlayers: [[ONE:![0-9]+]])
; CHECK-DAG: [[RET]] = !DILocation(line: 13, column: 5, scope: [[SP]], irlayers: [[ONE]])
; CHECK-DAG: [[TWO]] = !DILayerLocList([[K:![0-9]+]], [[M:![0-9]+]])
; CHECK-DAG: [[ONE]] = !DILayerLocList([[M]])
; CHECK-DAG: [[K]] = !DILayerLoc(line: 100, column: 10, file: [[FILE:![0-9]+]], kind: "TileIR")
; CHECK-DAG: [[M]] = distinct !DILayerLoc(line: 12, column: 300, file: [[FILE]], kind: "MLIR")
; CHECK-DAG: [[FILE]] = !DIFile(filename: "tile.mlir", directory: ".")
; CHECK-DAG: [[LOOP]] = distinct !{[[LOOP]], [[ADD]]}
; CHECK-DAG: [[SP]] = distinct !DISubprogram(name: "callee"
define i32 @main(i32 %x) !dbg !5 {
  %r = call i32 @callee(i32 %x), !dbg !20
  ret i32 %r, !dbg !20
}
declare i32 @callee(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!20 = !DILocation(line: 2, column: 5, scope: !5, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR")))

;--- exporter.ll
define i32 @callee(i32 %x) !dbg !25 {
  %r = add i32 %x, 1, !dbg !26
  ret i32 %r, !dbg !28, !llvm.loop !31
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!6 = !DIFile(filename: "tile.mlir", directory: ".")
!7 = distinct !DILayerLoc(line: 12, column: 300, file: !6, kind: "MLIR")
!25 = distinct !DISubprogram(name: "callee", scope: !1, file: !1, line: 11, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!26 = !DILocation(line: 12, column: 5, scope: !25, inlinedAt: !33, irlayers: !DILayerLocList(!DILayerLoc(line: 100, column: 10, file: !6, kind: "TileIR"), !7))
!28 = !DILocation(line: 13, column: 5, scope: !25, irlayers: !DILayerLocList(!7))
!31 = distinct !{!31, !26}
!33 = distinct !DILocation(line: 60, column: 2, scope: !25, irlayers: !DILayerLocList(!7))
