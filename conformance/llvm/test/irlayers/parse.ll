; RUN: split-file %s %t
; RUN: not llvm-as %t/file.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE
; RUN: not llvm-as %t/kind.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=KIND
; RUN: not llvm-as %t/null.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=NULL
; RUN: not llvm-as %t/column.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=COLUMN
; RUN: not llvm-as %t/scope.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCOPE
; RUN: not llvm-as %t/twice.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
; RUN: not llvm-as %t/string.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRING
; RUN: not llvm-as %t/entry.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENTRY
; What cannot be read.

; FILE: missing required field 'file'
; KIND: missing required field 'kind'
; NULL: 'file' cannot be null
; COLUMN: value for 'column' too large, limit is 65535
; SCOPE: invalid field 'scope'
; TWICE: field 'line' cannot be specified more than once
; STRING: expected string constant
; ENTRY: expected metadata operand

;--- file.ll
!0 = !DILayerLoc(line: 3, kind: "low")
;--- kind.ll
!0 = !DILayerLoc(line: 3, file: !1)
!1 = !DIFile(filename: "a", directory: "b")
;--- null.ll
!0 = !DILayerLoc(line: 3, file: null, kind: "low")
;--- column.ll
!0 = !DILayerLoc(column: 65536, file: !1, kind: "low")
;--- scope.ll
!0 = !DILayerLoc(scope: !1, file: !1, kind: "low")
;--- twice.ll
!0 = !DILayerLoc(line: 1, line: 2, file: !1, kind: "low")
;--- string.ll
!0 = !DILayerLoc(file: !1, kind: low)
;--- entry.ll
!0 = !DILayerLocList(null)
