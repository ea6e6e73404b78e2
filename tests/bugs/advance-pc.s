# DW_LNS_advance_pc by more than 32 bits: row 2 is at code + 0x10000000000.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	files
	start
	set_address code
	.byte copy
	advance_pc 0x10000000000
	.byte copy
	end_sequence
	finish
