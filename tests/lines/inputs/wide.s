# Numbers as large as every reader takes them, written with more bytes than they need.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	files
	start
	set_address code
	.byte 5, 0xff, 0xff, 0x03	# column 65535
	.byte 3, 0xfe, 0xff, 0xff, 0xff, 0x07	# line 2147483647
	discriminator 0xffffff
	.byte copy
	.byte 3, 0x82, 0x80, 0x80, 0x80, 0x78	# line 1
	.byte 5, 0x87, 0x80, 0x80, 0x00	# column 7
	.byte 2, 0x84, 0x80, 0x00, copy
	.byte 2; .uleb128 0x10000000000; .byte copy
	.byte 3, 0xff, 0xff, 0x7f, copy	# line 0
	.byte 0, 4, 4, 0x83, 0x80, 0, copy
	set_address 0x7fffffffffffff00
	.byte copy
	advance_pc 0x7f
	end_sequence
	finish
