; Texts that are UTF-8: the first three. The others are not: a byte alone, a sequence cut off, overlong forms, a surrogate, beyond the last character.
!llvm.intermediate_level_source = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11}
!20 = !DIFile(filename: "k.tile", directory: ".")
!0 = !{!"a", !20, !"\C3\A9 \E2\82\AC \F0\9D\84\9E"}
!1 = !{!"b", !20, !"\7F\C2\80\DF\BF\E0\A0\80\ED\9F\BF\EE\80\80\EF\BF\BF\F0\90\80\80\F4\8F\BF\BF"}
!2 = !{!"c", !20, !""}
!3 = !{!"d", !20, !"\FF"}
!4 = !{!"e", !20, !"\80"}
!5 = !{!"f", !20, !"a\E2\82"}
!6 = !{!"g", !20, !"\E2\82a"}
!7 = !{!"h", !20, !"\C0\80"}
!8 = !{!"i", !20, !"\E0\9F\BF"}
!9 = !{!"j", !20, !"\F0\8F\BF\BF"}
!10 = !{!"k", !20, !"\ED\A0\80"}
!11 = !{!"l", !20, !"\F4\90\80\80"}
