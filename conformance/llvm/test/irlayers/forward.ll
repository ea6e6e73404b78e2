; RUN: opt -S %s | FileCheck %s
; Nodes may stand in any order; those of equal content are one, also when they are complete only later.

; CHECK: !named = !{[[LOC:![0-9]+]], [[LOC]], [[LIST:![0-9]+]], [[LIST]], [[TWIN:![0-9]+]]}
; CHECK-DAG: [[LOC]] = !DILocation(line: 4, column: 2, scope: [[F:![0-9]+]], inlinedAt: [[AT:![0-9]+]], isImplicitCode: true, irlayers: [[LIST]])
; CHECK-DAG: [[AT]] = distinct !DILocation(line: 5, scope: [[F]], irlayers: [[LIST]])
; CHECK-DAG: [[LIST]] = !DILayerLocList([[LAYER:![0-9]+]], [[ZERO:![0-9]+]])
; CHECK-DAG: [[TWIN]] = distinct !DILayerLocList([[LAYER]], [[ZERO]])
; CHECK-DAG: [[LAYER]] = !DILayerLoc(line: 30, file: [[FILE:![0-9]+]], kind: "low")
; CHECK-DAG: [[ZERO]] = !DILayerLoc(line: 0, column: 65535, file: [[FILE]], kind: "z")
; CHECK-DAG: [[FILE]] = !DIFile(filename: "soft.mlir", directory: "build")

!named = !{!1, !2, !3, !4, !5}
!1 = !DILocation(line: 4, column: 2, scope: !20, inlinedAt: !7, isImplicitCode: true, irlayers: !3)
!2 = !DILocation(line: 4, column: 2, scope: !20, inlinedAt: !7, isImplicitCode: true, irlayers: !4)
!3 = !DILayerLocList(!10, !11)
!4 = !DILayerLocList(!12, !13)
!5 = distinct !DILayerLocList(!12, !13)
!7 = distinct !DILocation(line: 5, scope: !20, irlayers: !4)
!10 = !DILayerLoc(line: 30, file: !14, kind: "low")
!11 = !DILayerLoc(line: 0, column: 65535, file: !14, kind: "z")
!12 = !DILayerLoc(line: 30, file: !15, kind: "low")
!13 = !DILayerLoc(column: 65535, file: !15, kind: "z")
!14 = !DIFile(filename: "soft.mlir", directory: "build")
!15 = !DIFile(filename: "soft.mlir", directory: "build")
!20 = distinct !DISubprogram(name: "f", scope: !21, file: !21, line: 1, type: !22, unit: !24, spFlags: DISPFlagDefinition)
!21 = !DIFile(filename: "a.c", directory: "src")
!22 = !DISubroutineType(types: !23)
!23 = !{}
!24 = distinct !DICompileUnit(language: DW_LANG_C99, file: !21, emissionKind: FullDebug)
!llvm.dbg.cu = !{!24}
!llvm.module.flags = !{!25}
!25 = !{i32 2, !"Debug Info Version", i32 3}
