# Instructions of 4 bytes; a program that gives up opcodes; one that knows them, though its header says that they take other operands.
	.include "unit.inc"
	unit 2
	.byte 4, 1, -5, 14, 10
	.byte 0, 1, 1, 1, 1, 0, 0, 0, 1
	files
	start
	set_address code
	advance_line 30
	.byte 10 + 5, 10 + 14 * 2 + 7, const_add_pc, copy
	advance_pc 9
	.byte 10, 11, 12, fixed_advance_pc	# special, as the opcodes of version 3 are not there
	.short 6
	.byte copy
	advance_pc 1
	end_sequence
	finish
	unit 3
	.byte 1, 1, -1, 4, 4
	.byte 0, 1, 1
	files
	start
	set_address code + 0x300
	advance_line 20
	.byte copy, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 255
	advance_pc 1
	end_sequence
	finish
