# Lines for any machine: a function of 16 bytes.
 .text
 .file "a.c"
 .file 1 "inc" "b.c"
 .file 2 "some/directory/with/a/long/name" "some-file-with-a-long-name-1.c"
 .file 3 "some/directory/with/a/long/name/that" "some-file-with-a-long-name-2.c"
 .file 4 "some/directory/with/a/long/name/that/can" "some-file-with-a-long-name-3.c"
 .file 5 "some/directory/with/a/long/name/that/can/be/compressed" "some-file-with-a-long-name-4.c"
 .byte 0, 0, 0, 0, 0, 0, 0, 0
f:
 .loc 1 3 2
 .byte 0, 0, 0, 0
 .loc 1 4 3 prologue_end
 .byte 0, 0, 0, 0, 0, 0, 0, 0
 .loc 1 3 5 is_stmt 0 discriminator 7
 .byte 0, 0, 0, 0
