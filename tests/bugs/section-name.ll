define void @"a\22b"() {
  ret void
}
define void @"c\0Ad"() {
  ret void
}
