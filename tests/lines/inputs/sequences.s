# Sequences without bytes, without rows but their end, downwards; is_stmt false at the start; bytes between header and program; no program.
	.include "unit.inc"
	unit 3
	.byte 1, 0, -5, 14, 13
	lengths
	files
	.byte 0xde, 0xad, 0xbe, 0xef
	start
	set_address code + 0x40
	end_sequence
	set_address code + 0x30
	.byte copy
	end_sequence
	set_address code + 0x20
	.byte copy, negate_stmt, 20, 20
	advance_pc 0xc
	end_sequence
	set_address code + 0x10
	.byte copy
	set_file 2
	.byte 40
	advance_pc 2
	end_sequence
	finish
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	files
	start
	finish
	unit 2
	.byte 1, 1, -5, 14, 10
	.byte 0, 1, 1, 1, 1, 0, 0, 0, 1
	files
	start
	set_address code + 0x80
	.byte 30, 35
	advance_pc 1
	end_sequence
	finish
