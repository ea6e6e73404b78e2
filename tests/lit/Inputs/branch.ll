; A kernel for NVPTX whose branch, load and store are several instructions of PTX, and in which LLVM has a line 0 of its own.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @pick(ptr addrspace(1) %out, i32 %n) !dbg !6 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !20
  %c = icmp slt i32 %t, %n, !dbg !21
  br i1 %c, label %do, label %end, !dbg !21

do:
  %i = zext i32 %t to i64, !dbg !22
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %i, !dbg !22
  store i32 %t, ptr addrspace(1) %p, align 4, !dbg !22
  br label %end, !dbg !22

end:
  ret void, !dbg !23
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!llvm.intermediate_level_source = !{!15}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "pick.py", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = distinct !DISubprogram(name: "pick", scope: !1, file: !1, line: 3, type: !4, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DIFile(filename: "pick.tile", directory: "")
!11 = !DILexicalBlockFile(scope: !6, file: !10, discriminator: 0)
!15 = !{!"TileIR", !10, !"tid\0Acompare\0Astore\0Areturn\0A"}
!20 = !{!30, !{!"TileIR", !40}}
!21 = !{!31, !{!"TileIR", !41}, !{!"MLIR", !44}}
!22 = !{!32, !{!"TileIR", !42}}
!23 = !{!33, !{!"TileIR", !43}}
!30 = !DILocation(line: 4, column: 7, scope: !6)
!31 = !DILocation(line: 5, column: 3, scope: !6)
!32 = !DILocation(line: 6, column: 5, scope: !6)
!33 = !DILocation(line: 7, column: 3, scope: !6)
!40 = !DILocation(line: 1, column: 1, scope: !11)
!41 = !DILocation(line: 2, column: 3, scope: !11)
!42 = !DILocation(line: 3, column: 1, scope: !11)
!43 = !DILocation(line: 4, column: 1, scope: !11)
!44 = !DILocation(line: 31, column: 2, scope: !11)
