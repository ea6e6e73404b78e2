; RUN: opt -S -passes='coro-early,coro-split,coro-cleanup' %s | FileCheck %s
; A variable in the frame of a coroutine gets the location of what makes the frame, without its layers: a record has none.

; CHECK-LABEL: define ptr @f(
; CHECK: #dbg_declare(ptr %alloc, {{![0-9]+}}, !DIExpression({{.*}}), [[PRIMARY:![0-9]+]])
define ptr @f(i32 %n) presplitcoroutine !dbg !5 {
entry:
  %x = alloca i32, align 4, !dbg !11
    #dbg_declare(ptr %x, !15, !DIExpression(), !11)
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null), !dbg !11
  %size = call i32 @llvm.coro.size.i32(), !dbg !11
  %alloc = call ptr @malloc(i32 %size), !dbg !11
  %hdl = call noalias ptr @llvm.coro.begin(token %id, ptr %alloc), !dbg !20
  store i32 %n, ptr %x, align 4, !dbg !11
  %s = call i8 @llvm.coro.suspend(token none, i1 false), !dbg !11
  switch i8 %s, label %suspend [i8 0, label %resume
                                i8 1, label %cleanup], !dbg !11
resume:
  %v = load i32, ptr %x, align 4, !dbg !11
  call void @print(i32 %v), !dbg !11
  br label %cleanup, !dbg !11
cleanup:
  %mem = call ptr @llvm.coro.free(token %id, ptr %hdl), !dbg !11
  call void @free(ptr %mem), !dbg !11
  br label %suspend, !dbg !11
suspend:
  call void @llvm.coro.end(ptr %hdl, i1 false, token none), !dbg !11
  ret ptr %hdl, !dbg !11
}
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare i32 @llvm.coro.size.i32()
declare ptr @llvm.coro.begin(token, ptr)
declare i8 @llvm.coro.suspend(token, i1)
declare ptr @llvm.coro.free(token, ptr)
declare void @llvm.coro.end(ptr, i1, token)
declare ptr @malloc(i32)
declare void @free(ptr)
declare void @print(i32)

; CHECK-DAG: [[PRIMARY]] = !DILocation(line: 3, column: 5, scope: {{![0-9]+}})

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.py", directory: "src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DIFile(filename: "tile.mlir", directory: ".")
!8 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!11 = !DILocation(line: 2, column: 5, scope: !5)
!12 = !DILocation(line: 3, column: 5, scope: !5)
!13 = !DILocation(line: 100, column: 10, scope: !8)
!15 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 2, type: !16)
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !{!12, !{!"TileIR", !13}}
