# Lines for any machine: a function of 16 bytes.
 .text
 .file "a.c"
 .file 1 "inc" "b.c"
 .byte 0, 0, 0, 0, 0, 0, 0, 0
f:
 .loc 1 3 2
 .byte 0, 0, 0, 0
 .loc 1 4 3 prologue_end
 .byte 0, 0, 0, 0, 0, 0, 0, 0
 .loc 1 3 5 is_stmt 0 discriminator 7
 .byte 0, 0, 0, 0
