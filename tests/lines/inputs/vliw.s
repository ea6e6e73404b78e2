# Four operations in an instruction of 8 bytes.
	.include "unit.inc"
	unit 4
	.byte 8, 4, 0, -1, 4, 13
	lengths
	files
	start
	set_address code
	.byte copy, 13 + 4 * 1 + 2, 13 + 4 * 2 + 1, 13 + 4 * 3 + 3, 13 + 4 * 9, const_add_pc, copy
	advance_pc 5
	.byte copy, fixed_advance_pc
	.short 16
	.byte copy
	advance_pc 3
	.byte negate_stmt, 13
	set_address code + 0x200
	.byte 14
	advance_pc 8
	end_sequence
	finish
