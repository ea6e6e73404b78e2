; RUN: rm -rf %t && split-file %s %t
; RUN: not llvm-as %t/open.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPEN
; RUN: not llvm-as %t/close.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=CLOSE
; RUN: not llvm-as %t/entry.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENTRY
; A list that is not written as one is a syntax error.

;--- open.ll
; OPEN: error: expected '(' here
!named = !{!0}
!0 = !DILayerLocList!1
!1 = !DIFile(filename: "a", directory: "b")
;--- close.ll
; CLOSE: error: expected ')' here
!named = !{!0}
!0 = !DILayerLocList(!1 !1)
!1 = !DIFile(filename: "a", directory: "b")
;--- entry.ll
; ENTRY: error:
!named = !{!0}
!0 = !DILayerLocList(+)
