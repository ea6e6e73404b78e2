; What LLVM's main branch has beside LLVM 22: bytes and their instructions; fields of nodes that no program here has.

@g = global i32 0, !dbg !30

define i8 @f(b32 %x, i8 %y) !dbg !4 {
  %z = bitextract i8, b32 %x, i32 0, !dbg !7
  %w = bitinsert b32 %x, i8 %y, i32 8, !dbg !7
  %v = bitextract i8, b32 %w, i32 8, !dbg !8
    #dbg_value(b8 7, !9, !DIExpression(), !7)
    #dbg_label(!20, !7)
  ret i8 %v, !dbg !7
}

!llvm.dbg.cu = !{!0, !40}
!llvm.module.flags = !{!3}
!fields = !{!10, !11, !12, !14, !15, !18, !19, !20, !23, !24, !25, !26, !27, !28, !29, !33, !34}
!0 = distinct !DICompileUnit(sourceLanguageName: DW_LNAME_C, sourceLanguageVersion: 202311, file: !1, emissionKind: FullDebug, splitDebugInlining: false, debugInfoForProfiling: true, nameTableKind: GNU, rangesBaseAddress: true, sysroot: "r", sdk: "s", dialect: DW_LLVM_LANG_DIALECT_tile)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition, virtualIndex: 3, thisAdjustment: -8, targetFuncName: "q")
!5 = !DISubroutineType(cc: DW_CC_nocall, types: !6)
!6 = !{null}
!7 = !DILocation(line: 2, scope: !4)
!8 = !DILocation(line: 4, scope: !4)
!9 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 3, type: !10)
!10 = !DIBasicType(name: "int", scope: !4, file: !1, line: 7, size: 32, align: 8, dataSize: 24, encoding: DW_ATE_signed, num_extra_inhabitants: 5, flags: DIFlagBigEndian)
!11 = !DIFixedPointType(name: "fx", scope: !4, file: !1, line: 8, size: 32, align: 8, encoding: DW_ATE_signed_fixed, kind: Binary, factor: 7)
!12 = !DIFixedPointType(name: "fy", size: 32, encoding: DW_ATE_signed_fixed, kind: Decimal, factor: -3)
!14 = !DISubrangeType(name: "sr", scope: !1, file: !1, line: 7, size: 32, align: 8, flags: DIFlagBigEndian, baseType: !10, lowerBound: i32 3, upperBound: i32 9, stride: i32 2, bias: i32 4)
!15 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !1, line: 1, baseType: !10, size: 32, num_extra_inhabitants: 6, elements: !17, specification: !16, enumKind: DW_APPLE_ENUM_KIND_Closed, bitStride: i32 8)
!16 = !DICompositeType(tag: DW_TAG_structure_type, name: "s", file: !1, line: 1, size: 32, elements: !17)
!17 = !{}
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64, dwarfAddressSpace: 3)
!19 = !DIStringType(name: "st", size: 32)
!20 = !DILabel(scope: !4, name: "l", file: !1, line: 4, column: 7, isArtificial: true, coroSuspendIdx: 2)
!23 = !DILabel(scope: !4, name: "m", file: !1, line: 0)
!24 = !DIEnumerator(name: "wide", value: 123456789012345678901234567890, isUnsigned: true)
!25 = !DIEnumerator(name: "long", value: 18446744073709551615, isUnsigned: true)
!26 = !DIEnumerator(name: "less", value: -5)
!27 = !DIEnumerator(name: "least", value: -123456789012345678901234567890)
!28 = !DINamespace(name: "n", scope: null, exportSymbols: true)
!29 = !DITemplateValueParameter(name: "p", type: !18, value: ptr @g)
!30 = !DIGlobalVariableExpression(var: !31, expr: !DIExpression())
!31 = distinct !DIGlobalVariable(name: "g", scope: !0, file: !1, line: 9, type: !10, isLocal: false, isDefinition: true)
!33 = distinct !DIGlobalVariable(name: "h", scope: !0, file: !1, line: 9, type: !10, isLocal: true, isDefinition: false)
!34 = !DITemplateValueParameter(name: "q", type: !18, value: ptr @f)
!40 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug, nameTableKind: Apple)
