# Four operations in an instruction of 8 bytes. DW_LNS_const_add_pc advances by 60 operations (255 - 13 over line range 4), 15 instructions; then by
# DW_LNS_advance_pc 6 operations, an instruction and a half: rows at code, code + 0x78, code + 0x80.
	.include "unit.inc"
	unit 4
	.byte 8, 4, 1, -1, 4, 13
	lengths
	files
	start
	set_address code
	.byte copy, const_add_pc, copy
	advance_pc 6
	.byte copy
	advance_pc 2
	end_sequence
	finish
