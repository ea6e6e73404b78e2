# opcode_base 8: opcode 8 is no DW_LNS_const_add_pc but special, and makes a row with line + (8 - 8) % 14 - 5 = 96 at the same address.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 8
	.byte 0, 1, 1, 1, 1, 0, 0
	files
	start
	set_address code
	advance_line 100
	.byte 8
	advance_pc 1
	end_sequence
	finish
