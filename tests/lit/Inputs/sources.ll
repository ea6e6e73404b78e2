; Entries of every kind: an empty text under a name that points elsewhere, bytes, and two that are malformed.
!llvm.intermediate_level_source = !{!0, !1, !2, !3}
!0 = !{!"TileIR", !4, !""}
!1 = !{!"TileIR", !4}
!2 = !{!"T\09\5C", !5, !"\00\FF\22\\"}
!3 = !{!"TileIR", !"not a file", !"text"}
!4 = !DIFile(filename: "../../evil.txt", directory: ".")
!5 = !DIFile(filename: "x\5Ca\0Ab c/a\0Ab c.tile", directory: ".")
